//! Two implementations of one game, played side by side.

use plyproof_core::perft::perft;
use plyproof_core::{Game, Outcome, Player, Rng};
use plyproof_rules::rbg::Visitor;

/// A position of a game whose type does not matter.
pub trait Side {
    fn mover(&self) -> Player;
    fn outcome(&self) -> Option<Outcome>;
    fn text(&self) -> String;
    fn moves(&self) -> usize;
    fn child(&self, place: usize) -> Box<dyn Side>;
    /// The position with its moves, which [`Side::child`] leaves out.
    fn listed(&self) -> Box<dyn Side>;
    fn lines(&self, depth: u32) -> u64;
}

struct Held<G: Game> {
    game: G,
    moves: Vec<G::Move>,
}

pub fn side<G: Game>(game: G) -> Box<dyn Side> {
    let mut moves = Vec::new();
    if game.outcome().is_none() {
        game.moves(&mut moves);
    }
    Box::new(Held { game, moves })
}

impl<G: Game> Side for Held<G> {
    fn mover(&self) -> Player {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn text(&self) -> String {
        self.game.position_text()
    }

    fn moves(&self) -> usize {
        self.moves.len()
    }

    fn child(&self, place: usize) -> Box<dyn Side> {
        let mut game = self.game.clone();
        game.play(self.moves[place]);
        Box::new(Held { game, moves: Vec::new() })
    }

    fn listed(&self) -> Box<dyn Side> {
        side(self.game.clone())
    }

    fn lines(&self, depth: u32) -> u64 {
        perft(&self.game, depth).nodes
    }
}

/// Makes a [`Side`] of the position of a rules file.
pub struct Erase;

impl Visitor for Erase {
    type Output = Box<dyn Side>;

    fn visit<G: Game>(self, start: G) -> Self::Output {
        side(start)
    }
}

/// What to compare of the text of a position, which may be one where the game is over.
pub type Reading<'a> = &'a dyn Fn(&str, bool) -> String;

/// What two positions must have in common: a board, the player to move, the result.
type Key = (String, Option<Player>, Option<Outcome>);

fn key(side: &dyn Side, board: Reading) -> Key {
    let outcome = side.outcome();
    (board(&side.text(), outcome.is_some()), outcome.is_none().then(|| side.mover()), outcome)
}

/// Plays random games on both sides and compares all positions that moves lead to, in positions with many moves now and
/// then. The boards come from the position texts of each side.
pub fn compare(
    first: &dyn Side,
    first_board: Reading,
    second: &dyn Side,
    second_board: Reading,
    games: u64,
) -> Result<u64, String> {
    let mut plies = 0;
    for game in 0..games {
        let mut rng = Rng::new(game);
        let (mut a, mut b) = (first.listed(), second.listed());
        for ply in 0..2500 {
            let here = || format!("game {game}, ply {ply}: {} and {}", a.text(), b.text());
            let (key_a, key_b) = (key(&*a, first_board), key(&*b, second_board));
            if key_a != key_b {
                return Err(format!("{}: {key_a:?}, expected {key_b:?}", here()));
            }
            if key_a.2.is_some() {
                break;
            }
            if a.moves() != b.moves() {
                return Err(format!("{}: {} moves, expected {}", here(), a.moves(), b.moves()));
            }
            let count = a.moves();
            let often = count <= 40 && games <= 1000;
            if often || (count < 300 || ply == 0) && rng.below(8) == 0 {
                let list = |side: &dyn Side, board: Reading| {
                    let mut keys: Vec<Key> = (0..count).map(|place| key(&*side.child(place), board)).collect();
                    keys.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
                    keys
                };
                let (all_a, all_b) = (list(&*a, first_board), list(&*b, second_board));
                if let Some((a, b)) = all_a.iter().zip(&all_b).find(|(a, b)| a != b) {
                    return Err(format!("{}: a move to {a:?}, expected {b:?}", here()));
                }
            }
            let chosen = rng.below(count);
            let next = b.child(chosen);
            let wanted = key(&*next, second_board);
            // Lists of moves often go over the board in one order, or in opposite ones.
            let mut places: Vec<usize> = (0..count).collect();
            places.sort_by_key(|place| place.abs_diff(chosen).min(place.abs_diff(count - 1 - chosen)));
            let mut tries = places.into_iter().map(|place| a.child(place));
            let Some(found) = tries.find(|child| key(&**child, first_board) == wanted) else {
                return Err(format!("{}: no move to {wanted:?}", here()));
            };
            (a, b) = (found.listed(), next.listed());
            plies += 1;
        }
    }
    Ok(plies)
}
