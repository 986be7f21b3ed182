//! The contract suite: what every game promises, tested on random games.
//!
//! Public, so that a game written elsewhere can be held to it in one line:
//! `check(&MyGame::start(), &Contract::default()).unwrap()`.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::game::{Defence, Game, PLY_LIMIT, Playout, listed_playout};
use crate::outcome::{Outcome, Player};
use crate::rng::Rng;

/// How much to test. The same numbers test the same games every time.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Where randomness starts.
    pub seed: u64,
    /// Random games walked through, every promise checked at each position.
    pub games: u32,
    /// Draws of `random_move` for each legal move at each position whose uniformity is tested.
    pub draws: u32,
    /// Play-outs compared with the play-out by definition, at the start and in the middle of a game. 0 to skip.
    pub playouts: u32,
    /// A game is given up after so many moves.
    pub ply_limit: u32,
}

impl Default for Contract {
    fn default() -> Self {
        Self { seed: 1, games: 20, draws: 60, playouts: 1000, ply_limit: PLY_LIMIT }
    }
}

/// A broken promise: which, and the position where it broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What was found, in a sentence.
    pub what: String,
    /// The text of the position.
    pub position: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at {}", self.what, self.position)
    }
}

impl std::error::Error for Violation {}

/// Positions and games that kept the contract.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Positions at which everything was checked.
    pub positions: u64,
    /// Games that came to an end within the limit.
    pub finished: u64,
}

macro_rules! promise {
    ($game:expr, $holds:expr, $($what:tt)*) => {{
        let holds: bool = $holds;
        if !holds {
            return Err(Violation { what: format!($($what)*), position: $game.position_text() });
        }
    }};
}

mod features;
mod knowledge;
mod playouts;
mod symmetry;

/// Walks random games from `start` and checks every promise of [`Game`] on the way.
pub fn check<G: Game>(start: &G, contract: &Contract) -> Result<Kept, Violation> {
    let mut walk = Walk {
        start,
        rng: Rng::new(contract.seed),
        keys: HashMap::new(),
        decisions: Default::default(),
        kept: Kept::default(),
    };
    for index in 0..contract.games {
        let mut game = start.clone();
        let mut met = HashSet::new();
        for ply in 0..contract.ply_limit {
            promise!(game, met.insert(game.key()) || game.may_repeat(), "a position came back that may not repeat");
            let drawn = game.outcome().is_some_and(|outcome| outcome.winner().is_none());
            promise!(game, !drawn || game.may_draw(), "a game was drawn that may not be");
            walk.position(&game)?;
            if game.outcome().is_some() {
                walk.kept.finished += 1;
                break;
            }
            if (ply + index) % 16 == 0 {
                uniform_random_move(&game, contract.draws, &mut walk.rng)?;
            }
            let moves = listed(&game);
            let m = moves[walk.rng.below(moves.len())];
            walk.step(&game, m)?;
            game.play(m);
        }
    }
    walk.decided()?;
    if contract.playouts > 0 {
        let mut game = start.clone();
        for plies in [0, 7, 20] {
            for _ in 0..plies {
                if game.outcome().is_none() {
                    game.play(game.random_move(&mut walk.rng));
                }
            }
            same_playouts(&game, contract, &mut walk.rng)?;
        }
    }
    Ok(walk.kept)
}

/// An outcome as the start of a sentence: `player 2 has won by 3`, `the game is drawn`, `the game goes on`.
fn ended(outcome: Option<Outcome>) -> String {
    match outcome.map(|outcome| (outcome.winner(), outcome.margin())) {
        None => "the game goes on".to_string(),
        Some((None, _)) => "the game is drawn".to_string(),
        Some((Some(player), 0)) => format!("player {player} has won"),
        Some((Some(player), margin)) => format!("player {player} has won by {margin}"),
    }
}

/// A play-out in words: `"player 1 wins" after 3 plies`.
fn gave(playout: Playout) -> String {
    format!("\"{}\" after {} plies", playout.outcome, playout.plies)
}

fn listed<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

struct Walk<'a, G> {
    /// Every text is read by it: what a position knows of itself is no help then.
    start: &'a G,
    rng: Rng,
    /// Key of every position text met: equal texts must have equal keys, different ones different keys.
    keys: HashMap<u64, String>,
    decisions: playouts::Decisions,
    kept: Kept,
}

impl<G: Game> Walk<'_, G> {
    fn position(&mut self, game: &G) -> Result<(), Violation> {
        self.kept.positions += 1;
        let moves = listed(game);
        let finished = game.outcome().is_some();
        promise!(game, moves.is_empty() == finished, "{} moves are legal, yet {}", moves.len(), ended(game.outcome()));
        promise!(game, game.to_move().index() < game.players(), "player {} of {}", game.to_move(), game.players());
        let texts: Vec<String> = moves.iter().map(|&m| game.move_text(m)).collect();
        let mut distinct = texts.clone();
        distinct.sort();
        distinct.dedup();
        promise!(game, distinct.len() == moves.len(), "two moves with one text among {texts:?}");
        promise!(game, !texts.iter().any(|t| t.is_empty() || t.contains(' ')), "a move text with a space: {texts:?}");

        let (held, copied) = (game.heap_bytes(), game.clone().heap_bytes());
        promise!(game, copied <= held, "a copy holds {copied} bytes on the heap, the original {held}");

        let text = game.position_text();
        promise!(game, !text.contains('\n'), "the position text has more than one line");
        let seen = self.keys.entry(game.key()).or_insert_with(|| text.clone());
        promise!(game, *seen == text, "the key is also that of {seen}");
        self.same_after_reading(game, &text)?;
        self.mangled(game, &text)?;

        // Dear where there are many symmetries and moves, and every position tests all of them.
        if self.kept.positions.is_multiple_of(1 + moves.len() as u64 / 16) || self.kept.positions == 1 {
            symmetry::symmetric(game, &moves)?;
        }

        let (mut again, mut ends) = (Vec::new(), Vec::new());
        game.moves_and_ends(&mut again, &mut ends);
        promise!(game, again == moves, "moves_and_ends lists other moves");
        for (index, &m) in moves.iter().enumerate() {
            let mut next = game.clone();
            next.play(m);
            let told = ends.iter().find(|&&(i, _)| i == index).map(|&(_, outcome)| outcome);
            let (text, outcome) = (&texts[index], next.outcome());
            let (says, plays) = (ended(told), ended(outcome));
            promise!(game, told == outcome, "after {text} {plays} in play, but by moves_and_ends {says}");
        }

        let notations = game.notations();
        for _ in 0..moves.len().min(6) {
            let i = self.rng.below(moves.len());
            let read = game.parse_move(&texts[i]);
            promise!(game, read.as_ref() == Ok(&moves[i]), "the move {} was read as {read:?}", texts[i]);
            for notation in &notations {
                let foreign = game.move_text_in(notation, moves[i]);
                let read = foreign.as_ref().map(|text| game.parse_move(text));
                let same = matches!(&read, Some(Ok(m)) if *m == moves[i]);
                promise!(game, same, "{} in {notation} notation is {foreign:?}, read as {read:?}", texts[i]);
            }
        }
        for notation in &notations {
            if let Some(foreign) = game.position_text_in(notation) {
                self.same_after_reading(game, &foreign)?;
            }
        }
        if finished {
            let mut copy = game.clone();
            let playout = copy.playout(&mut self.rng, 10);
            let expected = Playout { outcome: game.outcome().unwrap_or(Outcome::DRAW), plies: 0 };
            promise!(game, playout == expected, "a play-out of a finished game gave {}", gave(playout));
            let playout = game.clone().decisive_playout(&mut self.rng, 10);
            promise!(game, playout == expected, "a decisive play-out of a finished game gave {}", gave(playout));
        } else {
            let mut copy = game.clone();
            let playout = copy.playout(&mut self.rng, 0);
            let expected = Playout { outcome: Outcome::DRAW, plies: 0 };
            promise!(game, playout == expected, "a play-out cut at once gave {}", gave(playout));
            for decisive in [false, true] {
                self.traced(game, decisive)?;
            }
            self.decisive(game, &moves, &ends)?;
            defended(game, &moves, &ends)?;
            knowledge::known(game, &moves, &ends)?;
            features::seen(game)?;
            let mut remote = Vec::new();
            game.unlikely_moves(&moves, &mut remote);
            let mut places = remote.clone();
            places.sort_unstable();
            places.dedup();
            let there = places.len() == remote.len() && places.last().is_none_or(|&last| last < moves.len());
            promise!(game, there, "unlikely_moves gave {remote:?}, not different places of {} moves", moves.len());
        }
        Ok(())
    }

    /// Playing `m` on a copy leaves the original alone; a move known before the end is refused after it.
    fn step(&mut self, game: &G, m: G::Move) -> Result<(), Violation> {
        let (key, text) = (game.key(), game.move_text(m));
        let mut next = game.clone();
        next.play(m);
        promise!(game, game.key() == key, "playing {text} on a copy changed the original");
        promise!(game, next.key() != key, "playing {text} did not change the key");
        features::images(game, &next)?;
        let refused = next.outcome().is_none() || next.parse_move(&text).is_err();
        promise!(next, refused, "the move {text} was accepted after the end");
        Ok(())
    }

    fn same_after_reading(&self, game: &G, text: &str) -> Result<(), Violation> {
        let read = match self.start.parse_position(text) {
            Ok(read) => read,
            Err(error) => {
                return Err(Violation { what: format!("its text was refused: {error}"), position: text.to_string() });
            }
        };
        promise!(game, read.position_text() == game.position_text(), "it reads back as {}", read.position_text());
        promise!(game, read.key() == game.key(), "the key from text is {:x}, not {:x}", read.key(), game.key());
        let (played, told) = (ended(game.outcome()), ended(read.outcome()));
        promise!(game, read.outcome() == game.outcome(), "{played} in play, but {told} when its text is read");
        let (played, told) = (game.to_move(), read.to_move());
        promise!(game, told == played, "player {played} moves in play, but player {told} when its text is read");
        promise!(game, listed(&read) == listed(game), "the moves from text differ");
        Ok(())
    }

    /// Damaged text is refused, or read as something that is itself consistent. It never panics.
    fn mangled(&mut self, game: &G, text: &str) -> Result<(), Violation> {
        for _ in 0..4 {
            let damaged = mangle(text, &mut self.rng);
            if let Ok(read) = self.start.parse_position(&damaged) {
                self.same_after_reading(&read, &read.position_text())?;
                let moves = listed(&read);
                promise!(read, moves.is_empty() == read.outcome().is_some(), "read from {damaged:?}: moves {moves:?}");
            }
        }
        let moves = listed(game);
        if !moves.is_empty() {
            let text = game.move_text(moves[self.rng.below(moves.len())]);
            let damaged = mangle(&text, &mut self.rng);
            if let Ok(m) = game.parse_move(&damaged) {
                promise!(game, moves.contains(&m), "{damaged:?} was read as {m:?}, which is not legal");
            }
        }
        Ok(())
    }
}

/// After every move that `defences` or `saving_moves` leaves out the opponent wins at once, or has won.
fn defended<G: Game>(game: &G, moves: &[G::Move], ends: &[(usize, Outcome)]) -> Result<(), Violation> {
    let mover = game.to_move();
    if game.players() != 2 || ends.iter().any(|(_, outcome)| outcome.winner() == Some(mover)) {
        return Ok(());
    }
    let mut defences = Vec::new();
    let found = game.defences(&mut defences);
    left_out_moves_lose(game, moves, "defences", found, &defences)?;
    defences.clear();
    let found = game.saving_moves(&mut defences);
    left_out_moves_lose(game, moves, "saving_moves", found, &defences)
}

fn left_out_moves_lose<G: Game>(
    game: &G,
    moves: &[G::Move],
    hook: &str,
    found: Defence,
    defences: &[G::Move],
) -> Result<(), Violation> {
    let legal = defences.iter().all(|m| moves.contains(m));
    promise!(game, legal, "{hook} appended a move that is not legal, among {defences:?}");
    for &m in moves {
        let left_out = match found {
            Defence::NotNeeded => false,
            Defence::Needed => !defences.contains(&m),
            Defence::Hopeless => true,
        };
        if left_out {
            let text = game.move_text(m);
            promise!(game, loses_at_once(game, m), "{hook} said {found:?} without {text}, which does not lose at once");
        }
    }
    Ok(())
}

fn loses_at_once<G: Game>(game: &G, m: G::Move) -> bool {
    let opponent = game.to_move().other();
    let mut next = game.clone();
    next.play(m);
    if let Some(outcome) = next.outcome() {
        return outcome.winner() == Some(opponent);
    }
    next.to_move() == opponent && listed(&next).iter().any(|&reply| wins(&next, reply))
}

fn wins<G: Game>(game: &G, m: G::Move) -> bool {
    let mut next = game.clone();
    next.play(m);
    next.outcome().is_some_and(|outcome| outcome.winner() == Some(game.to_move()))
}

/// Cuts, doubles, swaps or replaces a piece of `text`.
pub fn mangle(text: &str, rng: &mut Rng) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(signs.len() + 1);
        match rng.below(5) {
            0 => signs.truncate(at),
            1 => signs
                .insert(at, *b"xo./0123456789 +-|,abKP*\xb5\xff".map(char::from).get(rng.below(26)).unwrap_or(&'x')),
            2 if at < signs.len() => {
                signs.remove(at);
            }
            3 if at < signs.len() => {
                let other = rng.below(signs.len());
                signs.swap(at, other);
            }
            _ if at < signs.len() => signs[at] = char::from(32 + rng.below(95) as u8),
            _ => signs.push('x'),
        }
    }
    signs.into_iter().collect()
}

/// Chi-square test of `random_move` against the uniform distribution over the listed moves.
fn uniform_random_move<G: Game>(game: &G, draws: u32, rng: &mut Rng) -> Result<(), Violation> {
    let moves = listed(game);
    let places: HashMap<G::Move, usize> = moves.iter().enumerate().map(|(i, &m)| (m, i)).collect();
    let mut counts = vec![0u64; moves.len()];
    let total = u64::from(draws) * moves.len() as u64;
    for _ in 0..total {
        let m = game.random_move(rng);
        match places.get(&m) {
            Some(&place) => counts[place] += 1,
            None => promise!(game, false, "random_move gave {m:?}, which is not legal"),
        }
    }
    let expected = f64::from(draws);
    let chi: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let z = chi_square_z(chi, moves.len() as f64 - 1.0);
    promise!(game, z < 5.0, "random_move is not uniform (z = {z:.1}): {counts:?} draws of {moves:?}");
    Ok(())
}

/// How many standard deviations a chi-square value lies above its mean (Wilson and Hilferty's approximation).
fn chi_square_z(chi: f64, freedom: f64) -> f64 {
    if freedom < 1.0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// The fast play-out and the play-out by definition must have the same lengths (Kolmogorov-Smirnov) and results.
fn same_playouts<G: Game>(game: &G, contract: &Contract, rng: &mut Rng) -> Result<(), Violation> {
    let n = contract.playouts as usize;
    let mut run = |fast: bool| -> Vec<Playout> {
        let one = |_| {
            let mut copy = game.clone();
            if fast {
                copy.playout(rng, contract.ply_limit)
            } else {
                listed_playout(&mut copy, rng, contract.ply_limit)
            }
        };
        (0..n).map(one).collect()
    };
    let (fast, slow) = (run(true), run(false));
    let distance = kolmogorov_smirnov(&fast, &slow) * (n as f64 / 2.0).sqrt();
    let mean = |all: &[Playout]| all.iter().map(|p| f64::from(p.plies)).sum::<f64>() / n as f64;
    promise!(
        game,
        distance < 2.4,
        "play-out lengths differ from the definition's (KS {distance:.2}): mean {:.2}, should be {:.2}",
        mean(&fast),
        mean(&slow)
    );
    for player in (0..game.players()).map(Player::new) {
        let sum = |all: &[Playout]| all.iter().map(|p| f64::from(p.outcome.of(player).value())).sum::<f64>() / n as f64;
        let z = (sum(&fast) - sum(&slow)) / (2.0 / n as f64).sqrt();
        let (is, should) = (sum(&fast), sum(&slow));
        promise!(game, z.abs() < 4.5, "play-outs score {is:.3} for player {player}, should be {should:.3}");
    }
    let draws = |all: &[Playout]| all.iter().filter(|p| p.outcome.winner().is_none()).count() as f64;
    let (a, b) = (draws(&fast), draws(&slow));
    promise!(game, (a - b).abs() <= 4.5 * (a + b + 1.0).sqrt(), "play-outs drew {a} of {n}, should be {b}");
    Ok(())
}

/// Largest distance between the two distributions of lengths.
fn kolmogorov_smirnov(a: &[Playout], b: &[Playout]) -> f64 {
    let sorted = |all: &[Playout]| {
        let mut plies: Vec<u32> = all.iter().map(|p| p.plies).collect();
        plies.sort_unstable();
        plies
    };
    let (a, b) = (sorted(a), sorted(b));
    let share = |all: &[u32], limit: u32| all.partition_point(|&plies| plies <= limit) as f64 / all.len() as f64;
    a.iter().chain(&b).map(|&plies| (share(&a, plies) - share(&b, plies)).abs()).fold(0.0, f64::max)
}
