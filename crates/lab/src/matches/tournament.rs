//! Tournaments: a match between every two agents, or of one against all others, and the ratings that follow.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_core::mix64;
use plyproof_engine::AnyGame;
use serde::Serialize;

use crate::matches::rating::{Meeting, rate};
use crate::matches::{Book, CheckedPlan, MatchError, MatchPlan, Side, Summary, run_checked};

/// What to play.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// The position that games start from.
    pub game: Box<dyn AnyGame>,
    /// The players, at least two, all different.
    pub sides: Vec<Side>,
    /// Only the first player meets all others; else everybody meets everybody.
    pub gauntlet: bool,
    /// Games of each meeting; an odd number is rounded up.
    pub games: u32,
    /// Where all randomness starts. Every meeting has a seed of its own that follows from it.
    pub seed: u64,
    /// Random plies at the start.
    pub openings: u32,
    /// Plies after which a game is cut and drawn.
    pub max_plies: u32,
    /// Openings instead of random plies.
    pub book: Option<Arc<Book>>,
    /// The position that games start from in text, if it is not that of the game.
    pub position: Option<String>,
    /// End a game as soon as our solver knows its value.
    pub adjudicate: bool,
}

/// What a tournament has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The game in its shortest spelling.
    pub game: String,
    /// The players, the best first.
    pub players: Vec<Standing>,
    /// The matches, each with the players in alphabetical order.
    pub meetings: Vec<Summary>,
    /// Whether a drawn game was added to every meeting for the ratings, because somebody won or lost everything.
    pub bounded: bool,
    /// Where all randomness started.
    pub seed: u64,
    /// Whether all games are finished.
    pub complete: bool,
}

/// What a player has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The agent.
    pub agent: String,
    /// Its rating; the mean of all is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval; infinite (null in JSON) without games.
    pub elo_error: f64,
    /// Games it played.
    pub games: u32,
    /// Games it won.
    pub wins: u32,
    /// Games nobody won.
    pub draws: u32,
    /// Games it lost.
    pub losses: u32,
    /// Points a game, draws half. None without games.
    pub score: Option<f64>,
}

/// The match that is being played.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// Which match it is, counted from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Its games so far.
    pub summary: &'a Summary,
}

impl TournamentPlan {
    /// Every match of the tournament, or what is wrong with the plan.
    pub fn matches(&self) -> Result<Vec<CheckedPlan>, MatchError> {
        if self.sides.len() < 2 {
            return Err(MatchError::Plan("a tournament needs at least two players".to_string()));
        }
        let names: Vec<String> = self.sides.iter().map(|side| side.source.to_string()).collect();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(MatchError::Plan(format!("{name} is given twice; the players must differ")));
            }
        }
        let mut plans = Vec::new();
        for one in 0..if self.gauntlet { 1 } else { names.len() } {
            for other in one + 1..names.len() {
                // In alphabetical order, so that the order on the command line makes no difference.
                let (a, b) = if names[one] < names[other] { (one, other) } else { (other, one) };
                let plan = MatchPlan {
                    games: self.games,
                    seed: meeting_seed(self.seed, &names[a], &names[b]),
                    openings: self.openings,
                    max_plies: self.max_plies,
                    book: self.book.clone(),
                    position: self.position.clone(),
                    adjudicate: self.adjudicate,
                    ..MatchPlan::new(self.game.clone(), self.sides[a].clone(), self.sides[b].clone())
                };
                plans.push(plan.check()?);
            }
        }
        Ok(plans)
    }
}

/// Plays a tournament, match by match, as [`run`](crate::matches::run) plays a match. Each match has its record in the folder `out`, which is
/// made if it is not there; players added later find the matches of the others played.
pub fn run_tournament(
    plan: &TournamentPlan,
    jobs: usize,
    out: Option<&Path>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Round<'_>),
) -> Result<Standings, MatchError> {
    let plans = plan.matches()?;
    if let Some(folder) = out {
        let cannot = |error| MatchError::Record(format!("{}: cannot be made: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    let mut meetings = Vec::new();
    for (place, meeting) in plans.iter().enumerate() {
        let path = out.map(|folder| folder.join(file_name(meeting)));
        let (number, of) = (place + 1, plans.len());
        let mut told = |summary: &Summary| progress(Round { number, of, summary });
        meetings.push(run_checked(meeting, jobs, path.as_deref(), stop, &mut told)?);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(standings(plan, plans.len(), meetings))
}

fn standings(plan: &TournamentPlan, planned: usize, meetings: Vec<Summary>) -> Standings {
    let names: Vec<String> = plan.sides.iter().map(|side| side.source.to_string()).collect();
    let place = |name: &String| names.iter().position(|known| known == name).unwrap_or_default();
    let points = |summary: &Summary| f64::from(summary.wins) + 0.5 * f64::from(summary.draws);
    let played: Vec<Meeting> = meetings
        .iter()
        .map(|summary| Meeting {
            first: place(&summary.a),
            second: place(&summary.b),
            games: summary.games.into(),
            points: points(summary),
        })
        .collect();
    let ratings = rate(names.len(), &played);
    let mut players: Vec<Standing> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let (mut wins, mut draws, mut losses) = (0, 0, 0);
            for summary in &meetings {
                draws += if summary.a == *name || summary.b == *name { summary.draws } else { 0 };
                if summary.a == *name {
                    (wins, losses) = (wins + summary.wins, losses + summary.losses);
                } else if summary.b == *name {
                    (wins, losses) = (wins + summary.losses, losses + summary.wins);
                }
            }
            let games = wins + draws + losses;
            let score = (games > 0).then(|| (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(games));
            Standing {
                agent: name.clone(),
                elo: ratings.elo[index],
                elo_error: ratings.error[index],
                games,
                wins,
                draws,
                losses,
                score,
            }
        })
        .collect();
    players.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Standings {
        game: plan.game.name(),
        players,
        bounded: ratings.bounded,
        seed: plan.seed,
        complete: meetings.len() == planned && meetings.iter().all(|summary| summary.complete),
        meetings,
    }
}

/// A seed that depends on who meets, not on who else takes part.
fn meeting_seed(seed: u64, a: &str, b: &str) -> u64 {
    let names = a.bytes().chain([0]).chain(b.bytes());
    names.fold(mix64(seed), |hash, byte| mix64(hash ^ u64::from(byte)))
}

/// `mcts_vs_pn-mcts_pn=2_.jsonl`: names as they are, but for characters that file systems or shells take for themselves.
fn file_name(plan: &MatchPlan) -> String {
    let plain = |name: String| -> String {
        let kept = |c: char| if c.is_ascii_alphanumeric() || "-.=".contains(c) { c } else { '_' };
        let mut short: String = name.chars().take(80).map(kept).collect();
        if name.chars().count() > 80 {
            short += &format!("{:016x}", meeting_seed(0, &name, ""));
        }
        short
    };
    format!("{}_vs_{}.jsonl", plain(plan.a.source.to_string()), plain(plan.b.source.to_string()))
}
