//! A game that ends where a table knows the value.

use std::sync::Arc;

use plyproof_core::{Features, Game, Indexing, Outcome, Player, Playout, Rng, TextError, Wdl};

use crate::table::Table;

/// A position of a game whose searches need not look further than a table.
///
/// A position in the table counts as finished, with the value of the table as result. The one that a search starts from
/// is exempt, so that there are moves to choose from. Results from a table have no margin.
pub struct Tabled<I: Indexing> {
    state: I::Game,
    table: Arc<Table<I>>,
    outcome: Option<Outcome>,
}

impl<I: Indexing> Tabled<I> {
    /// `state` to search from: not finished, unless it is by the rules.
    pub fn root(state: I::Game, table: Arc<Table<I>>) -> Self {
        Self { outcome: state.outcome(), state, table }
    }
}

impl<I: Indexing> Clone for Tabled<I> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), table: Arc::clone(&self.table), outcome: self.outcome }
    }

    /// Keeps the memory of the position and leaves the count of the table's owners alone.
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        if !Arc::ptr_eq(&self.table, &source.table) {
            self.table = Arc::clone(&source.table);
        }
        self.outcome = source.outcome;
    }
}

impl<I: Indexing> Game for Tabled<I> {
    type Move = <I::Game as Game>::Move;

    fn to_move(&self) -> Player {
        self.state.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self, into: &mut Vec<Self::Move>) {
        if self.outcome.is_none() {
            self.state.moves(into);
        }
    }

    fn play(&mut self, m: Self::Move) {
        self.state.play(m);
        self.outcome = self.state.outcome().or_else(|| {
            let mover = self.state.to_move();
            self.table.value(&self.state).map(|value| match value {
                Wdl::Win => Outcome::win(mover),
                Wdl::Draw => Outcome::DRAW,
                Wdl::Loss => Outcome::win(mover.other()),
            })
        });
    }

    fn key(&self) -> u64 {
        self.state.key()
    }

    fn position_text(&self) -> String {
        self.state.position_text()
    }

    /// A position to search from.
    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        Ok(Self::root(self.state.parse_position(text)?, Arc::clone(&self.table)))
    }

    fn move_text(&self, m: Self::Move) -> String {
        self.state.move_text(m)
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError> {
        self.state.parse_move(text)
    }

    fn players(&self) -> usize {
        self.state.players()
    }

    fn random_move(&self, rng: &mut Rng) -> Self::Move {
        self.state.random_move(rng)
    }

    /// Move by move: the game's own play-out would not look into the table.
    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        for plies in 0..limit {
            if let Some(outcome) = self.outcome {
                return Playout { outcome, plies };
            }
            self.play(self.state.random_move(rng));
        }
        Playout { outcome: self.outcome.unwrap_or(Outcome::DRAW), plies: limit }
    }

    fn may_repeat(&self) -> bool {
        self.state.may_repeat()
    }

    fn may_draw(&self) -> bool {
        self.state.may_draw()
    }

    fn heap_bytes(&self) -> usize {
        self.state.heap_bytes()
    }

    fn feature_count(&self) -> usize {
        self.state.feature_count()
    }

    fn features(&self, into: &mut Features) {
        self.state.features(into);
    }

    fn is_quiet(&self, m: Self::Move) -> bool {
        self.state.is_quiet(m)
    }

    fn gain(&self, m: Self::Move) -> i32 {
        self.state.gain(m)
    }

    fn in_check(&self) -> bool {
        self.state.in_check()
    }

    fn board(&self) -> String {
        self.state.board()
    }

    fn notations(&self) -> Vec<String> {
        self.state.notations()
    }

    fn move_text_in(&self, notation: &str, m: Self::Move) -> Option<String> {
        self.state.move_text_in(notation, m)
    }

    fn position_text_in(&self, notation: &str) -> Option<String> {
        self.state.position_text_in(notation)
    }
}
