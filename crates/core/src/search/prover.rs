//! What the solvers with a table have in common: a question is answered, and afterwards the table is asked for why.

mod both;

use crate::game::Game;
use crate::search::alphabeta::{self, AlphaBeta};
use crate::search::budget::Meter;
use crate::search::dfpn::{self, Answer, ByKey, Dfpn};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::saved::{self, Loader, Saver};
use crate::search::table::TableUse;

pub(crate) use both::{Both, SOLVERS, Turns};

/// How a search stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    /// The numbers of the start, from solvers that have any.
    pub numbers: Option<ProofNumbers>,
    pub usage: TableUse,
    /// The solver whose turn it is, and the steps of the turn, where several search.
    pub solver: Option<&'static str>,
    pub turn: Option<u64>,
}

impl Heard {
    pub(crate) fn of(numbers: Option<ProofNumbers>, usage: TableUse) -> Self {
        Self { numbers, usage, solver: None, turn: None }
    }
}

/// Hears now and then how a search stands.
pub(crate) type Notice<'a> = dyn FnMut(&Meter<'_>, Heard) + 'a;

/// What another solver has decided, by the keys of positions.
pub(crate) type Beside = dyn Fn(u64) -> Option<ProofNumbers> + Send + Sync;

/// A solver together with its settings.
pub(crate) trait Prover<G: Game> {
    /// Empties the table and sets its size.
    fn reset(&mut self, bytes: usize);

    /// Writes down what is remembered from one search to the next.
    fn save(&self, to: &mut Saver<'_>) -> saved::Result<()>;

    /// Remembers what was saved, after a [`reset`](Prover::reset) to the bytes of that time. `start` is any position.
    fn restore(&mut self, start: &G, from: &mut Loader<'_>) -> saved::Result<()>;

    /// Bytes of the table in use, and how it did.
    fn used(&self) -> (usize, TableUse);

    /// Searches for `goal` from `start`, which is not finished, until it is decided or the meter says stop.
    /// `notice` is called now and then with the numbers of the start.
    fn solve(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move>;

    /// What the table knows of a position, with a stamp: of decided positions those decided earlier have smaller ones, so
    /// that a proof leans on smaller stamps only. In games without repetitions every order will do.
    fn find(&mut self, state: &G, goal: Goal) -> Option<(ProofNumbers, u32)>;

    /// The move by which the search decided a position for its player, if that is known.
    fn deciding_move(&mut self, _state: &G, _goal: Goal) -> Option<G::Move> {
        None
    }

    /// Steps that each solver has made since the tables were emptied, where there are several.
    fn made(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// The solver that found the last answer, where there are several.
    fn found_by(&self) -> Option<&'static str> {
        None
    }

    /// The key under which the solver knows a position.
    fn key(&self, state: &G) -> u64;

    /// Whether images of a position under the symmetries of the game are one position for the solver.
    fn is_symmetric(&self, start: &G) -> bool;

    /// Whether positions are decided by what the game knows of them without search: they are not in the table.
    fn has_knowledge(&self) -> bool;

    /// Positions whose answer is taken as known for the goal in hand, by [`key`](Prover::key): true is proven.
    fn settled(&mut self) -> &mut ByKey<bool>;
}

/// df-pn with its settings.
pub(crate) struct WithDfpn<'a, G: Game>(pub &'a mut dfpn::Solver<G>, pub Dfpn);

impl<G: Game> Prover<G> for WithDfpn<'_, G> {
    fn reset(&mut self, bytes: usize) {
        self.0.reset(bytes);
    }

    fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        self.0.save(to)
    }

    fn used(&self) -> (usize, TableUse) {
        self.0.used()
    }

    fn restore(&mut self, _: &G, from: &mut Loader<'_>) -> saved::Result<()> {
        self.0.restore(from)
    }

    fn solve(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move> {
        self.0.solve(self.1, start, goal, meter, notice)
    }

    fn find(&mut self, state: &G, goal: Goal) -> Option<(ProofNumbers, u32)> {
        self.0.find(self.1.key(state), goal).map(|entry| (entry.numbers, entry.stamp))
    }

    fn key(&self, state: &G) -> u64 {
        self.1.key(state)
    }

    fn is_symmetric(&self, start: &G) -> bool {
        start.canonical_keys() && self.1.symmetry
    }

    fn has_knowledge(&self) -> bool {
        self.1.knowledge
    }

    fn settled(&mut self) -> &mut ByKey<bool> {
        &mut self.0.settled
    }
}

/// Alpha-beta with its settings. It does not look at what is settled, which only proofs in games with repetitions need:
/// those are left to df-pn.
pub(crate) struct WithAlphaBeta<'a, G: Game>(pub &'a mut alphabeta::Solver<G>, pub AlphaBeta);

impl<G: Game> Prover<G> for WithAlphaBeta<'_, G> {
    fn reset(&mut self, bytes: usize) {
        self.0.reset(bytes);
    }

    fn save(&self, to: &mut Saver<'_>) -> saved::Result<()> {
        self.0.save(to)
    }

    fn used(&self) -> (usize, TableUse) {
        self.0.used()
    }

    fn restore(&mut self, start: &G, from: &mut Loader<'_>) -> saved::Result<()> {
        self.0.restore(start, from)
    }

    fn solve(&mut self, start: &G, goal: Goal, meter: &mut Meter<'_>, notice: &mut Notice<'_>) -> Answer<G::Move> {
        self.0.solve(self.1, start, goal, meter, notice)
    }

    fn find(&mut self, state: &G, goal: Goal) -> Option<(ProofNumbers, u32)> {
        // What took little work makes for a short proof.
        self.0.find(state, goal).map(|(numbers, work)| (numbers, u32::try_from(work).unwrap_or(u32::MAX)))
    }

    fn deciding_move(&mut self, state: &G, goal: Goal) -> Option<G::Move> {
        self.0.deciding_move(state, goal)
    }

    fn key(&self, state: &G) -> u64 {
        state.key()
    }

    fn is_symmetric(&self, start: &G) -> bool {
        start.canonical_keys() && self.1.symmetry
    }

    fn has_knowledge(&self) -> bool {
        self.1.knowledge
    }

    fn settled(&mut self) -> &mut ByKey<bool> {
        &mut self.0.settled
    }
}
