//! Is a game fair, how long is it, how drawish, how wide? Answered by self-play at several strengths, by random play, and
//! by a solver if it finds the value in the time that it is given.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::{Agent, Aim, AnyGame, Budget, Rng, SolveTask, Source, TextError, Wdl};
use serde::Serialize;

use crate::matches::record::Reader;
use crate::matches::stats::wilson95;
use crate::matches::{GameRecord, MatchError, MatchPlan, Reason, Side, SideName, play_all, run};
use crate::plot::{Axis, Bar, BarChart, Cluster, Figure, Group, Scale};

/// What to measure.
#[derive(Clone, Debug)]
pub struct BalancePlan {
    /// Who plays against itself.
    pub agent: String,
    /// Simulations for each move, from weak to strong.
    pub simulations: Vec<u64>,
    /// Games at each strength.
    pub games: u32,
    /// Random plies at the start of each pair of games.
    pub openings: u32,
    /// Where all randomness starts.
    pub seed: u64,
    /// Random games.
    pub random_games: u64,
    /// What the solver may use; none if it is not asked.
    pub solve: Option<Budget>,
    /// A folder for the records of the games, with which a measurement is resumed.
    pub records: Option<PathBuf>,
}

/// How balanced a game is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Balance {
    /// The game in its shortest spelling.
    pub game: String,
    /// Who played against itself.
    pub agent: String,
    /// Where all randomness started.
    pub seed: u64,
    /// Random plies at the start of each pair of games.
    pub openings: u32,
    /// Random play, then self-play from weak to strong.
    pub play: Vec<Strength>,
    /// The value of the start position for the first player; null if the solver was not asked or did not find it.
    pub value: Option<&'static str>,
    /// Positions that the solver opened; null if it was not asked.
    pub solver_nodes: Option<u64>,
    /// Seconds that the solver took; null if it was not asked.
    pub solver_seconds: Option<f64>,
    /// Whether everything was played.
    pub complete: bool,
}

/// Games of players of one strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// Simulations for each move; null for random play.
    pub simulations: Option<u64>,
    /// Games that were counted.
    pub games: u64,
    /// Games that the first player won.
    pub first_wins: u64,
    /// Games that nobody won, those cut by the ply limit included.
    pub draws: u64,
    /// Games that the second player won.
    pub second_wins: u64,
    /// Points of the first player per game, a draw counting half; null without games.
    pub first_score: Option<f64>,
    /// The 95 % interval of the first player's score (Wilson).
    pub first_score95: Option<[f64; 2]>,
    /// Share of draws; null without games.
    pub draw_share: Option<f64>,
    /// Its 95 % interval (Wilson).
    pub draw_share95: Option<[f64; 2]>,
    /// Plies of a game, on average.
    pub mean_plies: Option<f64>,
    /// Plies of the shortest, the median and the longest game; null for random play.
    pub plies: Option<[u32; 3]>,
    /// Legal moves of a position, on average over the games looked at.
    pub branching: Option<f64>,
    /// Share of the positions in which the player to move can win at once; null for random play.
    pub decisive_share: Option<f64>,
    /// Games cut by the ply limit.
    pub cut: u64,
}

/// Games whose positions are looked at, at each strength.
const LOOKED_AT: usize = 20;
/// Random games in which legal moves are counted.
const COUNTED: u64 = 100;

impl Balance {
    /// Measures one game. `told` is called with a line about what is done next. If `stop` is raised, what was measured so
    /// far is returned, and `complete` is false.
    pub fn measure(
        plan: &BalancePlan,
        game: &dyn AnyGame,
        jobs: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(String),
    ) -> Result<Self, MatchError> {
        if game.players() != 2 {
            let (name, players) = (game.name(), game.players());
            return Err(MatchError::Plan(format!(
                "{name} has {players} players; balance is measured in games for two"
            )));
        }
        let mut balance = Self {
            game: game.name(),
            agent: Agent::parse(&plan.agent).map_err(|error| MatchError::Plan(error.to_string()))?.to_string(),
            seed: plan.seed,
            openings: plan.openings,
            play: vec![random_play(plan, game)],
            value: None,
            solver_nodes: None,
            solver_seconds: None,
            complete: false,
        };
        if let Some(budget) = &plan.solve {
            told(format!("{}: the solver looks for the value", balance.game));
            balance.solve(game, budget.clone(), stop).map_err(|error| MatchError::Plan(error.to_string()))?;
        }
        for &simulations in &plan.simulations {
            if stop.load(Ordering::Relaxed) {
                return Ok(balance);
            }
            told(format!("{}: {} games with {simulations} simulations a move", balance.game, plan.games));
            let games = self_play(plan, game, simulations, jobs, stop)?;
            balance.play.push(strength(game, Some(simulations), &games));
        }
        balance.complete = !stop.load(Ordering::Relaxed);
        Ok(balance)
    }

    fn solve(&mut self, game: &dyn AnyGame, budget: Budget, stop: &AtomicBool) -> Result<(), TextError> {
        let agent = Agent::parse("portfolio")?;
        let task =
            SolveTask { agent: &agent, aim: Aim::Value, all_moves: false, proofs: false, budget, seed: self.seed };
        let solution = game.solve(&task, stop, &mut |_| {}, &mut |_, _| Ok(()))?;
        self.value = solution.value.map(Wdl::word);
        self.solver_nodes = Some(solution.nodes);
        self.solver_seconds = Some(solution.seconds);
        Ok(())
    }
}

fn random_play(plan: &BalancePlan, game: &dyn AnyGame) -> Strength {
    let mut rng = Rng::new(plan.seed);
    let tally = game.measure_playouts(&mut rng, plan.random_games);
    let branching = game.measure_branching(&mut rng, COUNTED.min(plan.random_games));
    let mut strength = Strength::counted(None, [tally.wins[0], tally.draws, tally.wins[1]]);
    strength.mean_plies = share(tally.plies as f64, tally.playouts as f64);
    strength.branching = share(branching.moves as f64, branching.positions as f64);
    strength.cut = tally.cut;
    strength
}

fn self_play(
    plan: &BalancePlan,
    game: &dyn AnyGame,
    simulations: u64,
    jobs: usize,
    stop: &AtomicBool,
) -> Result<Vec<GameRecord>, MatchError> {
    let agent = Agent::parse(&plan.agent).map_err(|error| MatchError::Plan(error.to_string()))?;
    let side = || Side::new(Source::from(agent.clone()), Budget::simulations(simulations));
    let mut matched =
        MatchPlan { games: plan.games, seed: plan.seed, ..MatchPlan::new(game.clone_box(), side(), side()) };
    matched.openings = plan.openings;
    let Some(folder) = &plan.records else { return play_all(&matched, jobs, stop) };
    let path = record_path(folder, game, simulations);
    run(&matched, jobs, Some(&path), stop, &mut |_| {})?;
    let mut reader = Reader::open(&path)?;
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        if matched.plays(game.pair) {
            games.push(game);
        }
    }
    // A record has its games in the order in which they ended.
    games.sort_by_key(|game| (game.pair, game.game));
    Ok(games)
}

/// `loa-size-5-400.jsonl`: the record of the games with so many simulations.
fn record_path(folder: &Path, game: &dyn AnyGame, simulations: u64) -> PathBuf {
    let mut name = String::new();
    for c in game.name().chars() {
        match c {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    folder.join(format!("{}-{simulations}.jsonl", name.trim_end_matches('-')))
}

impl Strength {
    fn counted(simulations: Option<u64>, [first_wins, draws, second_wins]: [u64; 3]) -> Self {
        let games = first_wins + draws + second_wins;
        let all = games as f64;
        let points = first_wins as f64 + draws as f64 / 2.0;
        Self {
            simulations,
            games,
            first_wins,
            draws,
            second_wins,
            first_score: share(points, all),
            first_score95: wilson95(points, all).map(|ends| ends.map(rounded)),
            draw_share: share(draws as f64, all),
            draw_share95: wilson95(draws as f64, all).map(|ends| ends.map(rounded)),
            mean_plies: None,
            plies: None,
            branching: None,
            decisive_share: None,
            cut: 0,
        }
    }
}

fn strength(start: &dyn AnyGame, simulations: Option<u64>, games: &[GameRecord]) -> Strength {
    let mut results = [0; 3];
    for game in games {
        let first = if game.first == SideName::A { game.result } else { game.result.flip() };
        results[match first {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        }] += 1;
    }
    let mut strength = Strength::counted(simulations, results);
    let mut plies: Vec<u32> = games.iter().map(|game| game.plies).collect();
    plies.sort_unstable();
    strength.mean_plies = share(plies.iter().map(|&n| f64::from(n)).sum(), plies.len() as f64);
    if let (Some(&shortest), Some(&longest)) = (plies.first(), plies.last()) {
        strength.plies = Some([shortest, plies[plies.len() / 2], longest]);
    }
    strength.cut = games.iter().filter(|game| game.reason == Reason::PlyLimit).count() as u64;
    let (mut positions, mut moves, mut decisive) = (0u64, 0u64, 0u64);
    for game in games.iter().take(LOOKED_AT) {
        let mut position = start.clone_box();
        for text in game.opening.split_whitespace().chain(game.moves.split_whitespace()) {
            let choices = position.choices();
            (positions, moves) = (positions + 1, moves + choices.moves);
            decisive += u64::from(choices.wins > 0);
            if position.play(text).is_err() {
                break;
            }
        }
    }
    strength.branching = share(moves as f64, positions as f64);
    strength.decisive_share = share(decisive as f64, positions as f64);
    strength
}

fn share(part: f64, all: f64) -> Option<f64> {
    (all > 0.0).then(|| rounded(part / all))
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Wins of the first player, draws and wins of the second, at each strength and for each game.
pub fn figure(all: &[Balance]) -> Figure {
    let groups = all.iter().map(|balance| {
        let clusters = balance.play.iter().map(|play| {
            let games = play.games as f64;
            let bar = |count: u64| {
                let interval = wilson95(count as f64, games).map(|[low, high]| (100.0 * low, 100.0 * high));
                (games > 0.0).then(|| Bar { value: 100.0 * count as f64 / games, interval })
            };
            Cluster {
                label: play.simulations.map_or("random".to_string(), |n| n.to_string()),
                bars: [play.first_wins, play.draws, play.second_wins].map(bar).into(),
            }
        });
        let value = balance.value.map_or(String::new(), |value| format!(" (proven: {value})"));
        Group { label: format!("{}{value}", balance.game), clusters: clusters.collect() }
    });
    BarChart {
        title: "Results of self-play by simulations a move".to_string(),
        y: Axis::new("games (%)", Scale::Linear).range(0.0, 100.0),
        series: ["first player wins", "draw", "second player wins"].map(str::to_string).into(),
        groups: groups.collect(),
        reference: Some(50.0),
    }
    .figure()
}

#[cfg(test)]
mod tests {
    use plyproof_engine::Registry;

    use super::*;

    fn plan() -> BalancePlan {
        BalancePlan {
            agent: "mcts".to_string(),
            simulations: vec![5, 50],
            games: 12,
            openings: 0,
            seed: 1,
            random_games: 200,
            solve: Some(Budget::simulations(100_000)),
            records: None,
        }
    }

    fn measured(plan: &BalancePlan, game: &str) -> Balance {
        let game = Registry::builtin().open(game).expect("a game");
        Balance::measure(plan, &*game, 1, &AtomicBool::new(false), &mut |_| {}).expect("a sound plan")
    }

    #[test]
    fn results_are_counted_for_the_player_who_moves_first() {
        // The first player cannot but win on a row of one: whoever moves first has three in a row of 3x1.
        let balance = measured(&BalancePlan { solve: None, ..plan() }, "mnk(m=1,n=1,k=1)");
        assert_eq!(balance.play.len(), 3);
        for play in &balance.play {
            assert_eq!((play.first_wins, play.draws, play.second_wins), (play.games, 0, 0));
            assert_eq!((play.first_score, play.mean_plies, play.branching), (Some(1.0), Some(1.0), Some(1.0)));
        }
        assert_eq!(balance.play[2].decisive_share, Some(1.0));
        assert_eq!(balance.play[2].plies, Some([1, 1, 1]));
    }

    #[test]
    fn the_value_is_proven_where_the_solver_finds_it_and_the_figure_says_so() {
        let balance = measured(&plan(), "tictactoe");
        assert_eq!((balance.value, balance.complete, balance.play[1].games), (Some("draw"), true, 12));
        let figure = figure(&[balance]);
        assert!(figure.svg().contains("proven: draw"));
    }

    #[test]
    fn a_measurement_goes_on_from_its_records() {
        let folder = std::env::temp_dir().join(format!("plyproof-balance-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a writable folder");
        let plan = BalancePlan { records: Some(folder.clone()), solve: None, ..plan() };
        let whole = measured(&plan, "tictactoe");
        let path = folder.join("tictactoe-50.jsonl");
        let text = std::fs::read_to_string(&path).expect("a record");
        let cut: Vec<&str> = text.lines().take(5).collect();
        std::fs::write(&path, cut.join("\n") + "\n").expect("a writable folder");
        assert_eq!(measured(&plan, "tictactoe"), whole, "the missing games are played again");
        std::fs::remove_dir_all(folder).expect("a folder of ours");
    }
}
