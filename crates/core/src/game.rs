//! The one trait a game implements.

use std::fmt;
use std::hash::Hash;

use crate::features::{self, Features};
use crate::outcome::{Bounds, Outcome, Player, Wdl};
use crate::rng::Rng;

/// A position of a game. Implement it and every search, solver, match and table of plyproof works for your game.
///
/// Only the first part is required. Every method below the line in the source has a default that is correct but slower
/// or plainer than what a game can do for itself.
///
/// # Promises an implementation makes
/// [`crate::contract::check`] tests them on random games; run it on your own game.
/// - A position is finished exactly when [`outcome`](Game::outcome) is `Some`. Then there are no moves; before, there
///   is at least one. A player who can do nothing passes, and the pass is one of the listed moves.
/// - [`play`](Game::play) is only called with a move from [`moves`](Game::moves) of the same position.
/// - The text of a position holds all that matters for the rest of the game, and so does its key.
/// - [`random_move`](Game::random_move) and [`playout`](Game::playout) choose uniformly among the listed moves.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move. Small ones make small search trees: two bytes are plenty for most games.
    type Move: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static;

    /// Who chooses the next move. A player may move several times in a row. Unspecified once the game is finished.
    fn to_move(&self) -> Player;

    /// The result, once the game is finished. Takes constant time: `play` works it out.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends all legal moves, each once, in an order that depends on the position alone. Nothing if finished.
    fn moves(&self, into: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);

    /// A hash of all that matters: equal positions have equal keys; different ones differ but for chance.
    fn key(&self) -> u64;

    /// The position as one line of text that [`parse_position`](Game::parse_position) reads back.
    fn position_text(&self) -> String;

    /// Reads a position of the same game, size and rules as `self`.
    fn parse_position(&self, text: &str) -> Result<Self, TextError>;

    /// A legal move as text, without spaces, different for different moves of the same position.
    fn move_text(&self, m: Self::Move) -> String;

    // ---- what follows has defaults -------------------------------------------------------------------------------

    /// What [`decisive_playout`](Game::decisive_playout) sees, unless
    /// [`decisive_playouts`](Game::decisive_playouts) says otherwise. The contract holds the game to it.
    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::None;

    /// Whether [`traced_playout`](Game::traced_playout) records play-outs, unless
    /// [`traces_playouts`](Game::traces_playouts) says otherwise: it then always answers `Some`, else always `None`.
    const TRACED_PLAYOUTS: bool = false;

    /// Whether [`canonical_key`](Game::canonical_key) takes hardly longer than [`key`](Game::key), so that solvers use it
    /// for every position, unless [`canonical_keys`](Game::canonical_keys) says otherwise.
    const CANONICAL_KEYS: bool = false;

    /// Whether [`static_knowledge`](Game::static_knowledge) ever says anything, so that solvers ask for it.
    const STATIC_KNOWLEDGE: bool = false;

    /// Reads a move and accepts only legal ones.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError> {
        legal_move(self, text)
    }

    /// Appends all legal moves as [`moves`](Game::moves) does, and `(index, outcome)` for each of them that finishes the
    /// game, the index counted among the moves appended here.
    ///
    /// Proof-number searches call it for every node they open. The default plays each move on a copy.
    fn moves_and_ends(&self, moves: &mut Vec<Self::Move>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let mut next = self.clone();
        for (index, &m) in moves[before..].iter().enumerate() {
            next.clone_from(self);
            next.play(m);
            if let Some(outcome) = next.outcome() {
                ends.push((index, outcome));
            }
        }
    }

    /// What [`decisive_playout`](Game::decisive_playout) sees: [`DECISIVE_PLAYOUTS`](Game::DECISIVE_PLAYOUTS), unless that
    /// depends on the parameters or, for games read from text, on the rules. Equal for all positions of a game.
    fn decisive_playouts(&self) -> DecisivePlayouts {
        Self::DECISIVE_PLAYOUTS
    }

    /// Whether [`traced_playout`](Game::traced_playout) records play-outs: [`TRACED_PLAYOUTS`](Game::TRACED_PLAYOUTS),
    /// unless that depends on the parameters or on the rules. Equal for all positions of a game.
    fn traces_playouts(&self) -> bool {
        Self::TRACED_PLAYOUTS
    }

    /// Appends moves against a win that the opponent threatens to make with the very next move, and says whether there
    /// is such a threat. Only asked where the mover cannot win at once, in games of two players.
    ///
    /// After every legal move that is *not* appended the opponent wins at once, or has won already. The default knows of no threats, which
    /// is always right; a game that sees them cheaply lets searches leave the losing moves alone.
    fn defences(&self, _into: &mut Vec<Self::Move>) -> Defence {
        Defence::NotNeeded
    }

    /// The same as [`defences`](Game::defences) for solvers, with the same promises: it may take longer and leave out moves
    /// that only open a way to win for the opponent, where play-outs and trees do without.
    fn saving_moves(&self, into: &mut Vec<Self::Move>) -> Defence {
        self.defences(into)
    }

    /// What can be told of an unfinished position without search: bounds on its value for the player to move, and perhaps
    /// the only moves that may not lose, which are appended to `holding`. The contract tests it on positions small enough
    /// for exhaustive search.
    ///
    /// Solvers ask for it at every position they open in games of two players without repetitions, if the game says so by
    /// [`STATIC_KNOWLEDGE`](Game::STATIC_KNOWLEDGE); it should cost no more than a few nodes of a search. It is asked where
    /// the mover cannot win at once. In a proof that is written out, such a position is expanded into moves: this takes
    /// few positions if a position that is known to be won has a move to one that is known to be lost for the opponent.
    fn static_knowledge(&self, _holding: &mut Vec<Self::Move>) -> Knowledge {
        Knowledge::NONE
    }

    /// Appends the places in `moves`, all of them legal here, of those that hardly ever matter: points far from every
    /// stone, say. Only a hint for a search with very many moves, which looks at them later and leaves none out.
    fn unlikely_moves(&self, _moves: &[Self::Move], _into: &mut Vec<usize>) {}

    /// How many players take part; 2 unless a game says otherwise.
    fn players(&self) -> usize {
        2
    }

    /// A uniformly random legal move of an unfinished position.
    fn random_move(&self, rng: &mut Rng) -> Self::Move {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves[rng.below(moves.len())]
    }

    /// Plays uniformly random moves until the game is finished, or `limit` moves were made: then it counts as a draw.
    ///
    /// Afterwards `self` may be any position: a fast play-out does not keep it up to date.
    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        listed_playout(self, rng, limit)
    }

    /// A play-out in which whoever can win at once does, and else whoever can stop the opponent from winning at once
    /// does, as far as [`decisive_playouts`](Game::decisive_playouts) says; all other moves are uniformly random. A game
    /// that does not look for such moves leaves this default, a plain [`playout`](Game::playout).
    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.playout(rng, limit)
    }

    /// The same as [`playout`](Game::playout), or as [`decisive_playout`](Game::decisive_playout) if it is to be
    /// `decisive`, with the same result from the same random numbers, but with its moves and who made them appended to
    /// `trace`; moves that only carry out what is decided may be left out at the end. No player's move may come twice:
    /// a game in which that can happen does not record its play-outs.
    ///
    /// `Some` if the game claims it by [`traces_playouts`](Game::traces_playouts). Else `None`, and nothing done: searches that
    /// learn from such moves then make them one by one.
    fn traced_playout(
        &mut self,
        _rng: &mut Rng,
        _limit: u32,
        _decisive: bool,
        _trace: &mut Vec<(Player, Self::Move)>,
    ) -> Option<Playout> {
        None
    }

    /// Whether a position may come back later in a game. `false` is a promise that none ever does, as where every move
    /// adds a stone; it spares solvers the look-out for repetitions.
    ///
    /// A method, and no constant, because parameters can decide it: knights repeat with `knightthrough(moves=all)` only.
    fn may_repeat(&self) -> bool {
        true
    }

    /// Whether a game may end without a winner. `false` is a promise that none ever does; where no position repeats
    /// either, solvers then need one question instead of two: who does not win loses.
    ///
    /// A method, and no constant, because parameters can decide it: Knightthrough draws only on boards of two or three
    /// files or where knights may go back.
    fn may_draw(&self) -> bool {
        true
    }

    /// Bytes that a position holds outside of itself: in lists, boxes and the like. Searches that keep many positions
    /// count them against their memory.
    ///
    /// What is shared with other positions counts as far as this one may be the last to hold it: with a history shared
    /// by an `Arc`, the part that the last few moves added. A copy holds no more than its original. The default is right
    /// for positions without a heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// How many symmetries the rules have for boards like this one, the identity among them: maps of positions and moves
    /// that change nothing but where things stand. The number is the same for all positions of a game.
    ///
    /// They form a group. Number 0 is the identity; each keeps the player to move, the outcome and the legal moves (see
    /// [`symmetric_move`](Game::symmetric_move)), playing commutes with it, and its inverse and its product with any
    /// other are among them. A map that exchanges the players is none. 1 by default, which is always right.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of this position under symmetry number `index`, which is below [`symmetries`](Game::symmetries).
    fn symmetric(&self, _index: usize) -> Self {
        self.clone()
    }

    /// The image of a legal move of this position under symmetry number `index`: a legal move of
    /// [`symmetric(index)`](Game::symmetric) that leads to the image of the position that `m` leads to.
    fn symmetric_move(&self, _index: usize, m: Self::Move) -> Self::Move {
        m
    }

    /// A key that all images of a position under the [`symmetries`](Game::symmetries) share, and that is different for
    /// positions that are no images of each other but for chance. It need not be the [`key`](Game::key) of any of them.
    ///
    /// The default is slow: it makes all images. A solver asks for this key only if the game says that its own version is
    /// fast, by [`canonical_keys`](Game::canonical_keys).
    fn canonical_key(&self) -> u64 {
        (1..self.symmetries()).map(|index| self.symmetric(index).key()).fold(self.key(), u64::min)
    }

    /// Whether solvers use [`canonical_key`](Game::canonical_key) for every position:
    /// [`CANONICAL_KEYS`](Game::CANONICAL_KEYS), unless that depends on the parameters or on the rules. Equal for all
    /// positions of a game.
    #[inline(always)]
    fn canonical_keys(&self) -> bool {
        Self::CANONICAL_KEYS
    }

    /// The key of the position without what came before it. Where a repetition ends the game the past belongs to the
    /// [`key`](Game::key); a search that only estimates takes positions that differ in nothing else for one.
    fn present_key(&self) -> u64 {
        self.key()
    }

    /// How an unfinished position looks for the player to move: the larger the better. Only a hint in which order a solver
    /// tries moves, and only worth having where it costs a few instructions; 0 says nothing.
    fn outlook(&self) -> i32 {
        0
    }

    /// The number of features of positions: every one that [`features`](Game::features) names is below. The same for all
    /// positions of a game with the same parameters.
    fn feature_count(&self) -> usize {
        features::TEXT_FEATURES
    }

    /// The features of an unfinished position for a learned evaluation, as the player to move sees them: the set is
    /// [`reset`](Features::reset) to the [`feature_count`](Game::feature_count), and a number is added for whatever is
    /// there, such as a piece on a square.
    ///
    /// Own pieces have the same numbers whoever is to move, with the board turned round where the players' directions
    /// differ: what is learned of one side then holds for the other. The default reads the text of the position, which
    /// is slower to compute and to learn.
    fn features(&self, into: &mut Features) {
        features::from_text(self, into);
    }

    /// Whether a legal move leaves the position much as it was: none that captures or promotes, say. An evaluation of the
    /// position before is trusted unless the player has a move that is not quiet. `true` by default.
    fn is_quiet(&self, _m: Self::Move) -> bool {
        true
    }

    /// What a legal move gains at once, as a rule of thumb says: what it takes, less what the answer may take back. Only a
    /// hint in which order a search with an evaluation tries moves that are not [quiet](Game::is_quiet), and which of them
    /// it tries at all where the depth ends: those that lose something come last there, or not at all. 0 says nothing.
    fn gain(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether the mover has to answer a threat to lose at once, as a check in chess: a search with an evaluation does not
    /// trust a judgement of such a position, and looks at the answers. Only asked where it is cheap to tell; `false` by
    /// default, which is always right. Where it is `true`, nobody can [pass](Game::passed).
    fn in_check(&self) -> bool {
        false
    }

    /// The unfinished position with the opponent to move in place of the mover: a hypothesis of searches that ask whether
    /// the mover stands well even without a move, which no proof rests on. `None`, the default, where having to move may
    /// be a burden, as where moves run out.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// The board drawn for a terminal, over several lines.
    fn board(&self) -> String {
        self.position_text()
    }

    /// Names of other programs' notations that moves (and perhaps positions) of this game can be written in.
    /// Reading them needs no name: [`parse_move`](Game::parse_move) and [`parse_position`](Game::parse_position) know them.
    fn notations(&self) -> Vec<String> {
        Vec::new()
    }

    /// A legal move in another program's notation, one of [`notations`](Game::notations).
    fn move_text_in(&self, _notation: &str, _m: Self::Move) -> Option<String> {
        None
    }

    /// The position in another program's notation, if that notation has one.
    fn position_text_in(&self, _notation: &str) -> Option<String> {
        None
    }
}

/// What the play-outs of [`Game::decisive_playout`] see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisivePlayouts {
    /// Nothing: they are those of [`Game::playout`], random number by random number.
    None,
    /// Moves that win at once are played, but for some kinds of wins that are hard to see.
    Wins,
    /// Nearly all moves that win at once are played, and else the opponent's wins with the next move are prevented
    /// wherever [`Game::defences`] shows how, again with few exceptions.
    WinsAndDefences,
}

/// What [`Game::defences`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defence {
    /// The opponent does not threaten to win at once, as far as the game can tell.
    NotNeeded,
    /// The appended moves stop the threats, or at least may.
    Needed,
    /// Whatever is played, the opponent wins at once. The appended moves, if any, stop at least one of the threats.
    Hopeless,
}

/// What [`Game::static_knowledge`] says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The worst and the best value possible for the player to move.
    pub bounds: Bounds,
    /// Whether every move that was not appended loses.
    pub restricted: bool,
}

impl Knowledge {
    /// Nothing.
    pub const NONE: Self = Self { bounds: Bounds::OPEN, restricted: false };

    /// The value.
    pub const fn exactly(value: Wdl) -> Self {
        Self { bounds: Bounds::exactly(value), restricted: false }
    }

    /// All moves lose but those that were appended, of which nothing is known.
    pub const RESTRICTED: Self = Self { bounds: Bounds::OPEN, restricted: true };
}

/// Moves after which a play-out or a match is cut and drawn, counted from its start.
///
/// It keeps endless games finite. It is no rule of any game and never enters a proof.
pub const PLY_LIMIT: u32 = 2500;

/// What a play-out came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The result; a draw if the limit cut the game.
    pub outcome: Outcome,
    /// Moves made in the play-out.
    pub plies: u32,
}

/// The play-out by its definition: list the moves, pick one, play it. The yardstick that faster ones are tested against.
pub fn listed_playout<G: Game>(game: &mut G, rng: &mut Rng, limit: u32) -> Playout {
    let mut moves = Vec::new();
    for plies in 0..=limit {
        if let Some(outcome) = game.outcome() {
            return Playout { outcome, plies };
        }
        if plies == limit {
            break;
        }
        moves.clear();
        game.moves(&mut moves);
        game.play(moves[rng.below(moves.len())]);
    }
    Playout { outcome: Outcome::DRAW, plies: limit }
}

/// Finds the legal move written `text`; the error lists what is legal.
pub fn legal_move<G: Game>(game: &G, text: &str) -> Result<G::Move, TextError> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if let Some(&found) = moves.iter().find(|&&m| game.move_text(m) == text) {
        return Ok(found);
    }
    if game.outcome().is_some() {
        return Err(TextError::new(format!("{} cannot be played: the game is over", quoted(text))));
    }
    const SHOWN: usize = 20;
    let mut legal: Vec<String> = moves.iter().take(SHOWN).map(|&m| game.move_text(m)).collect();
    if moves.len() > SHOWN {
        legal.push(format!("… ({} in all)", moves.len()));
    }
    Err(TextError::new(format!("{} is not a legal move here; legal: {}", quoted(text), legal.join(" "))))
}

/// Why a text from outside was refused: one line that names the text and says what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError(String);

impl TextError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// `"text" is not …: expected …`.
    pub fn expected(text: &str, what: impl fmt::Display) -> Self {
        Self(format!("{} is not {what}", quoted(text)))
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TextError {}

/// `text` in quotation marks on one line, control characters escaped, cut after 60 characters.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::with_capacity(text.len().min(LONGEST) + 2);
    shown.push('"');
    let mut rest = text.chars();
    for c in rest.by_ref().take(LONGEST) {
        if c.is_control() || c == '"' || c == '\\' {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if rest.next().is_some() {
        shown.push('…');
    }
    shown.push('"');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_one_short_line_whatever_it_holds() {
        assert_eq!(quoted("e9"), "\"e9\"");
        assert_eq!(quoted("a\n\"\u{7}"), "\"a\\n\\\"\\u{7}\"");
        assert!(quoted(&"x".repeat(10_000_000)).chars().count() < 70);
    }
}
