//! MiniShogi: Japanese chess on 5x5, captured pieces come back as drops.
//!
//! `tables` knows the pieces, `board` the rules of moving, `draw` plays at random, `mate` sees mates in one, `text` reads and writes;
//! `gain` is for searches with an evaluation.
//! This file adds what a whole game needs: its end, and with `repetition=standard` its past (`history`).

mod board;
mod draw;
mod gain;
mod history;
mod mate;
mod tables;
mod text;

use std::ops::ControlFlow;

use plyproof_core::spec::{Described, Description, Kind, Params};
use plyproof_core::{DecisivePlayouts, Defence, Features, Game, Outcome, Player, Playout, Rng, TextError, quoted};

use board::Board;
use draw::Urn;
use history::History;
pub use tables::Move;

/// Name, parameters and rules of MiniShogi.
pub static MINISHOGI: Description = Description::new(|| {
    let rules = "Japanese chess on 5x5 with drops of captured pieces; whoever has no legal move loses.";
    Described::new("minishogi", "MiniShogi", rules)
        .parameter(
            "repetition",
            "none",
            Kind::choice(&["none", "standard"]),
            "none: nothing happens; standard: the fourth time a position occurs the first player loses, or whoever \
               gave check with every move since the first time",
        )
        .into()
});

/// A position of MiniShogi.
#[derive(Debug)]
pub struct MiniShogi {
    board: Board,
    outcome: Option<Outcome>,
    /// Only with `repetition=standard`.
    history: Option<Box<History>>,
}

// By hand for `clone_from`: a search copies positions over old ones and should not allocate for it.
impl Clone for MiniShogi {
    fn clone(&self) -> Self {
        Self { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        self.outcome = source.outcome;
        self.history.clone_from(&source.history);
    }
}

/// Longest list of moves that is read, so that text from outside cannot keep us busy for long.
const MOST_MOVES: usize = 10_000;

impl MiniShogi {
    /// The start position of [`MINISHOGI`] with these parameters.
    pub fn start(params: &Params) -> Self {
        let [rows, side, hands] = text::START;
        let board = text::parse_sfen(rows, side, hands).expect("the start position is right");
        Self::new(board, params.text("repetition") == "standard")
    }

    fn new(board: Board, standard: bool) -> Self {
        let outcome = Self::without_moves(&board);
        Self { board, outcome, history: standard.then(|| Box::new(History::new(board))) }
    }

    /// The result if the mover has no legal move.
    fn without_moves(board: &Board) -> Option<Outcome> {
        (!board.can_move()).then(|| Outcome::win(board.mover.other()))
    }

    fn text_with(&self, move_text: impl Fn(Move) -> String) -> String {
        let Some((history, moves)) =
            self.history.as_ref().map(|history| (history, history.moves())).filter(|(_, moves)| !moves.is_empty())
        else {
            return text::sfen(&self.board);
        };
        let mut text = text::sfen(&history.base) + " moves";
        for m in moves {
            text.push(' ');
            text.push_str(&move_text(m));
        }
        text
    }
}

impl MiniShogi {
    /// Plays to the end, with mates in one seen or not. Does not ask after each move whether the game is over: the next
    /// player finds no move then.
    #[inline(always)]
    fn playout_here<const DECISIVE: bool>(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        if let Some(outcome) = self.outcome {
            return Playout { outcome, plies: 0 };
        }
        let mut urn = Urn::new(&self.board);
        let mut list = [Move::drop(0, 0); 256];
        let board = &mut self.board;
        for plies in 0..limit {
            if DECISIVE && board.mating_move().is_some() {
                return Playout { outcome: Outcome::win(board.mover), plies: plies + 1 };
            }
            let Some(m) = urn.random_move(board, rng, &mut list) else {
                return Playout { outcome: Outcome::win(board.mover.other()), plies };
            };
            urn.make(board, m);
            if let Some(history) = &mut self.history
                && let Some(outcome) = history.add(m, board)
            {
                return Playout { outcome, plies: plies + 1 };
            }
        }
        let outcome = Self::without_moves(board).unwrap_or(Outcome::DRAW);
        Playout { outcome, plies: limit }
    }
}

impl Game for MiniShogi {
    type Move = Move;

    const DECISIVE_PLAYOUTS: DecisivePlayouts = DecisivePlayouts::Wins;

    fn to_move(&self) -> Player {
        self.board.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Move>) {
        if self.outcome.is_none() {
            let _ = self.board.visit_moves(|m| {
                into.push(m);
                ControlFlow::<()>::Continue(())
            });
        }
    }

    /// A copy of the board alone tells whether the next player has a move; the past is only copied where it comes to a
    /// repetition that ends the game.
    fn moves_and_ends(&self, moves: &mut Vec<Move>, ends: &mut Vec<(usize, Outcome)>) {
        let before = moves.len();
        self.moves(moves);
        let after = |m| {
            let mut next = self.board;
            next.make(m);
            next
        };
        if let Some(history) = self.history.as_ref().filter(|history| history.may_end()) {
            for (index, &m) in moves[before..].iter().enumerate() {
                let next = after(m);
                let outcome = Self::without_moves(&next).or_else(|| history.after(m, &next));
                ends.extend(outcome.map(|outcome| (index, outcome)));
            }
            return;
        }
        self.board.visit_possible_ends(&moves[before..], |index, m| {
            ends.extend(Self::without_moves(&after(m)).map(|outcome| (index, outcome)));
        });
    }

    fn play(&mut self, m: Move) {
        self.board.make(m);
        self.outcome = Self::without_moves(&self.board);
        if let Some(history) = &mut self.history {
            let repeated = history.add(m, &self.board);
            self.outcome = self.outcome.or(repeated);
        }
    }

    fn key(&self) -> u64 {
        self.history.as_ref().map_or(self.board.key, |history| history.chain)
    }

    fn present_key(&self) -> u64 {
        self.board.key
    }

    fn random_move(&self, rng: &mut Rng) -> Move {
        let m = Urn::new(&self.board).random_move(&self.board, rng, &mut [Move::drop(0, 0); 256]);
        m.expect("only called while there are moves")
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.playout_here::<false>(rng, limit)
    }

    fn decisive_playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        self.playout_here::<true>(rng, limit)
    }

    fn defences(&self, into: &mut Vec<Move>) -> Defence {
        self.moves_that_hold(into)
    }

    fn position_text(&self) -> String {
        self.text_with(text::move_text)
    }

    /// Reads SFEN, and the moves played from there after the word `moves`.
    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let wrong =
            || TextError::expected(text, "a MiniShogi position: expected SFEN as in \"rbsgk/4p/5/P4/KGSBR b - 1\"");
        let mut words = text.split_ascii_whitespace();
        let (Some(rows), Some(side), Some(hands)) = (words.next(), words.next(), words.next()) else {
            return Err(wrong());
        };
        let mut game = Self::new(text::parse_sfen(rows, side, hands)?, self.history.is_some());
        let mut next = words.next();
        if next.is_some_and(|counter| counter.bytes().all(|byte| byte.is_ascii_digit())) {
            next = words.next();
        }
        if next.is_some_and(|word| word != "moves") {
            return Err(wrong());
        }
        for (count, word) in words.enumerate() {
            if count == MOST_MOVES {
                return Err(TextError::new(format!("{} has more than {MOST_MOVES} moves", quoted(text))));
            }
            game.play(game.parse_move(word)?);
        }
        Ok(game)
    }

    fn move_text(&self, m: Move) -> String {
        text::move_text(m)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        match text::parse_move(text) {
            Some(m) if moves.contains(&m) => Ok(m),
            // Not legal, then; this words the error.
            _ => plyproof_core::legal_move(self, text),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.history.as_ref().map_or(0, |history| history.bytes())
    }

    fn feature_count(&self) -> usize {
        Board::FEATURES
    }

    fn features(&self, into: &mut Features) {
        self.board.features(into);
    }

    fn is_quiet(&self, m: Move) -> bool {
        !m.promotes() && self.board.at(m.to()).is_none()
    }

    fn gain(&self, m: Move) -> i32 {
        self.board.gain(m)
    }

    fn in_check(&self) -> bool {
        self.board.in_check(self.board.mover)
    }

    /// Without its past: a pass belongs to no game.
    fn passed(&self) -> Option<Self> {
        let board = self.board.passed()?;
        Some(Self { board, outcome: Self::without_moves(&board), history: None })
    }

    fn board(&self) -> String {
        text::draw(&self.board)
    }

    fn notations(&self) -> Vec<String> {
        vec!["usi".to_string()]
    }

    fn move_text_in(&self, notation: &str, m: Move) -> Option<String> {
        (notation == "usi").then(|| text::usi_text(m))
    }

    fn position_text_in(&self, notation: &str) -> Option<String> {
        (notation == "usi").then(|| self.text_with(text::usi_text))
    }
}
