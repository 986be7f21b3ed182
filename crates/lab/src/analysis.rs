//! Judges every move of a recorded game: a search of each position says what the move cost, and what is proven says
//! whether it threw a result away.

use std::sync::atomic::{AtomicBool, Ordering};

use plyproof_engine::{
    Agent, AnyGame, Bounds, Budget, Paths, Player, SearchReport, SearchTask, SolveTask, Stopped, TextError, Wdl,
};
use plyproof_notation::{Mark, MoveTree, NodeId, RecordedGame};
use serde::Serialize;

/// How positions are looked at.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The search.
    pub agent: Agent,
    /// What it may use for each position.
    pub budget: Budget,
    /// Where its randomness starts.
    pub seed: u64,
    /// What the solver may use for each position that the search did not prove; none if it is not asked.
    pub solve: Option<Budget>,
}

/// What is known of a position, for the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// An estimate from -1 (a loss) to 1 (a win), within the bounds.
    pub value: f64,
    /// What is proven.
    pub bounds: Bounds,
    /// The best move; none if the game is over.
    pub best: Option<String>,
    /// The line that is expected.
    pub line: Vec<String>,
    /// Simulations of the search.
    pub simulations: u64,
}

/// A move of a game and what it cost. Values are those of the player who made it, from -1 (a loss) to 1 (a win).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedMove {
    /// The ply, counted from 1.
    pub ply: u32,
    /// The player who made the move, counted from 1.
    pub player: usize,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of the position before the move, with best play.
    pub before: f64,
    /// The value after the move.
    pub after: f64,
    /// What the move cost; 0 if it is the move that the search would have made.
    pub drop: f64,
    /// What was proven before the move; null if it was open.
    #[serde(serialize_with = "word")]
    pub proven_before: Option<Wdl>,
    /// What is proven after the move.
    #[serde(serialize_with = "word")]
    pub proven_after: Option<Wdl>,
    /// `?!`, `?` or `??`; null for a move that is not marked.
    #[serde(serialize_with = "mark")]
    pub mark: Option<Mark>,
    /// Whether the move gave away a result that was proven.
    pub thrown_away: bool,
    /// The move that the search would have made.
    pub best: Option<String>,
    /// The line that the search expected.
    pub line: Vec<String>,
    /// Simulations of the search before the move.
    pub simulations: u64,
}

fn word<S: serde::Serializer>(value: &Option<Wdl>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(Wdl::word).serialize(serializer)
}

fn mark<S: serde::Serializer>(mark: &Option<Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(Mark::text).serialize(serializer)
}

/// How a player played.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// The player, counted from 1.
    pub player: usize,
    /// The name in the headers of the game; empty if there is none.
    pub name: String,
    /// Moves.
    pub moves: u32,
    /// Moves that the search would have made.
    pub best_moves: u32,
    /// The mean of what the moves cost.
    pub mean_drop: f64,
    /// Moves marked `?!`.
    pub dubious: u32,
    /// Moves marked `?`.
    pub mistakes: u32,
    /// Moves marked `??`.
    pub blunders: u32,
    /// Moves that gave away a result that was proven.
    pub thrown_away: u32,
}

/// What a move must cost to be marked `?!`, `?` and `??`.
pub const DUBIOUS: f64 = 0.2;
/// See [`DUBIOUS`].
pub const MISTAKE: f64 = 0.4;
/// See [`DUBIOUS`].
pub const BLUNDER: f64 = 0.8;

impl Judge {
    /// Looks at one position; none if `stop` was raised before anything was found.
    pub fn look(&self, position: &dyn AnyGame, stop: &AtomicBool) -> Option<Verdict> {
        let mover = position.to_move();
        if let Some(outcome) = position.outcome() {
            let value = outcome.of(mover);
            let (bounds, value) = (Bounds::exactly(value), f64::from(value.value()));
            return Some(Verdict { value, bounds, best: None, line: Vec::new(), simulations: 0 });
        }
        let task = SearchTask { agent: &self.agent, budget: &self.budget, seed: self.seed, stop };
        let found = position.searcher().search(position, &task, &Paths::default(), &mut |_, _| {}).ok()?;
        if found.stopped == Some(Stopped::Cancelled) && found.simulations == 0 {
            return None;
        }
        Some(self.proved(position, verdict(found), stop))
    }

    /// The verdict with what the solver proves, if it is asked.
    fn proved(&self, position: &dyn AnyGame, mut verdict: Verdict, stop: &AtomicBool) -> Verdict {
        let Some(budget) = self.solve.clone() else { return verdict };
        if verdict.bounds.value().is_some() || stop.load(Ordering::Relaxed) {
            return verdict;
        }
        let Ok(agent) = Agent::parse("portfolio") else { return verdict };
        let task = SolveTask {
            agent: &agent,
            aim: plyproof_engine::Aim::Value,
            all_moves: false,
            proofs: false,
            budget,
            seed: self.seed,
        };
        let Ok(solution) = position.solve(&task, stop, &mut |_| {}, &mut |_, _| Ok(())) else { return verdict };
        let bounds = Bounds {
            least: verdict.bounds.least.max(solution.bounds.least),
            most: verdict.bounds.most.min(solution.bounds.most),
        };
        if bounds.least > bounds.most {
            return verdict;
        }
        verdict.bounds = bounds;
        verdict.value = within(verdict.value, bounds);
        if solution.value.is_some() && !solution.line.is_empty() {
            verdict.best = solution.line.first().cloned();
            verdict.line = solution.line;
        }
        verdict
    }

    /// Judges one legal move of `before`, which leads to `after`; none if `stop` was raised, or if the move is not legal.
    pub fn one(&self, ply: u32, before: &dyn AnyGame, text: &str, stop: &AtomicBool) -> Option<(JudgedMove, Verdict)> {
        let mover = before.to_move();
        let mut after = before.clone_box();
        after.play(text).ok()?;
        let (was, is) = (self.look(before, stop)?, self.look(&*after, stop)?);
        let seen = seen_by(&is, after.to_move() == mover);
        Some((judge(ply, mover, text, &was, &seen), is))
    }

    /// Judges every move of the main line; `told` is called with each. Fewer moves are judged if `stop` is raised.
    ///
    /// Only games of two players are judged.
    pub fn game(
        &self,
        game: &RecordedGame,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&JudgedMove),
    ) -> Result<Vec<JudgedMove>, TextError> {
        if game.players() != 2 {
            let (name, players) = (game.game().name(), game.players());
            return Err(TextError::new(format!("{name} has {players} players; moves are judged in games for two")));
        }
        game.start().check_evaluation(&self.agent)?;
        let mut judged = Vec::new();
        let mut position = game.start().clone_box();
        let Some(mut before) = self.look(&*position, stop) else { return Ok(judged) };
        for node in game.tree.main_line() {
            let mover = position.to_move();
            let text = game.tree.text(node);
            position.play(text)?;
            let Some(after) = self.look(&*position, stop) else { break };
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let seen = seen_by(&after, position.to_move() == mover);
            let one = judge(game.tree.ply(node), mover, text, &before, &seen);
            told(&one);
            judged.push(one);
            before = after;
        }
        Ok(judged)
    }
}

fn verdict(found: SearchReport) -> Verdict {
    let best = found.moves.iter().find(|m| Some(&m.text) == found.best.as_ref());
    let value = best.map_or(0.0, |m| if m.visits > 0 { m.mean } else { 0.0 });
    Verdict {
        value: within(value, found.bounds),
        bounds: found.bounds,
        best: found.best,
        line: found.line,
        simulations: found.simulations,
    }
}

fn within(value: f64, bounds: Bounds) -> f64 {
    value.clamp(f64::from(bounds.least.value()), f64::from(bounds.most.value()))
}

/// A verdict as the player before sees it.
fn seen_by(verdict: &Verdict, same_side: bool) -> (f64, Bounds) {
    let Bounds { least, most } = verdict.bounds;
    if same_side {
        (verdict.value, verdict.bounds)
    } else {
        (-verdict.value + 0.0, Bounds { least: most.flip(), most: least.flip() })
    }
}

/// Judges one move by what is known before and after it.
pub fn judge(ply: u32, mover: Player, text: &str, before: &Verdict, (after, bounds): &(f64, Bounds)) -> JudgedMove {
    let is_best = before.best.as_deref() == Some(text);
    let thrown_away = bounds.most < before.bounds.least;
    // What a second search thinks of the first one's own choice is chance, unless it is proven.
    let drop = if is_best && !thrown_away { 0.0 } else { (before.value - after).max(0.0) };
    let mark = match drop {
        _ if thrown_away => Some(Mark::Blunder),
        drop if drop >= BLUNDER => Some(Mark::Blunder),
        drop if drop >= MISTAKE => Some(Mark::Mistake),
        drop if drop >= DUBIOUS => Some(Mark::Dubious),
        _ => None,
    };
    JudgedMove {
        ply,
        player: mover.index() + 1,
        text: text.to_string(),
        before: rounded(before.value),
        after: rounded(*after),
        drop: rounded(drop),
        proven_before: before.bounds.value(),
        proven_after: bounds.value(),
        mark,
        thrown_away,
        best: before.best.clone(),
        line: before.line.clone(),
        simulations: before.simulations,
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3 + 0.0
}

/// How each of the two players played.
pub fn summaries(game: &RecordedGame, judged: &[JudgedMove]) -> [PlayerSummary; 2] {
    [(1, "First"), (2, "Second")].map(|(player, header)| {
        let own = || judged.iter().filter(move |m| m.player == player);
        let count = |wanted: &dyn Fn(&JudgedMove) -> bool| own().filter(|m| wanted(m)).count() as u32;
        let moves = count(&|_| true);
        PlayerSummary {
            player,
            name: game.headers.value(header).unwrap_or_default().to_string(),
            moves,
            best_moves: count(&|m| m.best.as_ref() == Some(&m.text)),
            mean_drop: rounded(own().map(|m| m.drop).sum::<f64>() / f64::from(moves.max(1))),
            dubious: count(&|m| m.mark == Some(Mark::Dubious)),
            mistakes: count(&|m| m.mark == Some(Mark::Mistake)),
            blunders: count(&|m| m.mark == Some(Mark::Blunder)),
            thrown_away: count(&|m| m.thrown_away),
        }
    })
}

/// Plies of a line that is added as a variation, at most.
const LONGEST_VARIATION: usize = 8;

/// Writes the judgements into the game: values and marks, and for marked moves the better line as a variation.
pub fn annotate(game: &mut RecordedGame, judged: &[JudgedMove]) -> Result<(), TextError> {
    let nodes: Vec<NodeId> = game.tree.main_line().collect();
    for (&node, one) in nodes.iter().zip(judged) {
        let notes = game.tree.notes_mut(node);
        notes.set_value(Some(one.after));
        notes.proven = one.proven_after;
        notes.simulations = Some(one.simulations);
        if one.mark.is_none() {
            continue;
        }
        notes.mark = one.mark;
        let Some(best) = one.best.as_ref().filter(|best| **best != one.text) else { continue };
        let words = match (one.proven_before, one.thrown_away) {
            (Some(value), true) => format!("{best} was a proven {value}."),
            _ => format!("{best} was better: {:+.2} instead of {:+.2}.", one.before, one.after),
        };
        notes.add_comment(&words);
        let mut above = game.tree.parent(node).unwrap_or(MoveTree::ROOT);
        if game.tree.children(above).iter().any(|&child| game.tree.text(child) == best) {
            continue;
        }
        for text in one.line.iter().take(LONGEST_VARIATION) {
            above = game.tree.add(above, text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use plyproof_engine::Registry;
    use plyproof_notation::{Format, GameFile};

    use super::*;

    fn game(text: &'static str) -> RecordedGame {
        let registry = Registry::builtin();
        let mut file = GameFile::open(&registry, text.as_bytes()).expect("readable").expect("a file of games");
        file.next_game().expect("a sound game").expect("a game")
    }

    fn judge_all(text: &'static str, agent: &str) -> (RecordedGame, Vec<JudgedMove>) {
        let (agent, solve) = (Agent::parse(agent).expect("an agent"), Some(Budget::simulations(20_000)));
        let judge = Judge { agent, budget: Budget::simulations(300), seed: 1, solve };
        let game = game(text);
        let judged = judge.game(&game, &AtomicBool::new(false), &mut |_| {}).expect("a game for two");
        (game, judged)
    }

    /// The second player answers in the centre's corner's place: after a1 only b2 holds the draw.
    const LOST: &str = "[Game \"tictactoe\"]\n[Second \"Bo\"]\n\n1. a1 b1 3. a2 b2 5. a3 1-0\n";

    #[test]
    fn a_proven_result_that_is_given_away_is_a_blunder_and_the_better_line_is_shown() {
        let (mut game, judged) = judge_all(LOST, "plyproof");
        assert_eq!(judged.len(), 5);
        assert_eq!((judged[0].proven_before, judged[0].proven_after), (Some(Wdl::Draw), Some(Wdl::Draw)));
        assert_eq!((judged[1].mark, judged[1].thrown_away), (Some(Mark::Blunder), true), "b1 loses");
        assert_eq!((judged[1].proven_before, judged[1].proven_after), (Some(Wdl::Draw), Some(Wdl::Loss)));
        assert_eq!((judged[1].before, judged[1].after, judged[1].drop), (0.0, -1.0, 1.0));
        assert!(judged.iter().skip(2).all(|m| m.mark.is_none()), "winning moves, and moves of a lost position");
        let [first, second] = summaries(&game, &judged);
        assert_eq!((first.moves, first.blunders, first.mean_drop), (3, 0, 0.0));
        assert_eq!((second.moves, second.blunders, second.thrown_away, second.name.as_str()), (2, 1, 1, "Bo"));
        annotate(&mut game, &judged).expect("room");
        game.check().expect("the variation is legal");
        let text = Format::Games.text(&game).expect("can be written");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("b1?? [value -1] [proven loss]") && text.contains("was a proven draw.} (2. "), "{text}");
    }

    #[test]
    fn games_of_one_side_are_judged_from_its_seat_and_a_raised_flag_ends_the_judging() {
        let (_, judged) =
            judge_all("[Game \"breakthrough(size=2x4)\"]\n1. a2b3 a4b3 3. b2a3 b3a2 5. a3a4 1-0\n", "pn-mcts");
        let last = judged.last().expect("a move");
        assert_eq!((last.player, last.after, last.proven_after), (1, 1.0, Some(Wdl::Win)));
        let judge = Judge {
            agent: Agent::parse("mcts").expect("an agent"),
            budget: Budget::simulations(9),
            seed: 1,
            solve: None,
        };
        let none = judge.game(&game(LOST), &AtomicBool::new(true), &mut |_| {}).expect("a game for two");
        assert!(none.len() < 5);
    }

    #[test]
    fn marks_follow_what_a_move_cost() {
        let before =
            Verdict { value: 0.5, bounds: Bounds::OPEN, best: Some("a".to_string()), line: Vec::new(), simulations: 1 };
        for (after, mark) in [
            (0.4, None),
            (0.3, Some(Mark::Dubious)),
            (0.0, Some(Mark::Mistake)),
            (-0.4, Some(Mark::Blunder)),
            (0.9, None),
        ] {
            assert_eq!(judge(1, Player::FIRST, "b", &before, &(after, Bounds::OPEN)).mark, mark, "{after}");
            assert_eq!(judge(1, Player::FIRST, "a", &before, &(after, Bounds::OPEN)).mark, None, "its own choice");
        }
    }
}
