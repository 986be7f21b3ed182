//! What the table knows of a position, for reports and for certificates.

use super::open::Listed;
use super::question::Question;
use super::{Solver, tag};
use crate::game::Game;
use crate::search::proof::{Goal, ProofNumbers};

impl<G: Game> Solver<G> {
    /// What the table says about `goal` at a position, and the work it took, if it says anything.
    pub(crate) fn find(&self, state: &G, goal: Goal) -> Option<(ProofNumbers, u64)> {
        let question = Question::new(state, goal);
        let entry = self.table.find(question.key(self.key_of(state)))?;
        let answer = entry.known.answer(question.threshold)?;
        Some((question.numbers(Some(answer)), entry.work))
    }

    /// Whether the keys of positions are also those of the entries about `goal`.
    pub(crate) fn has_plain_keys(start: &G, goal: Goal) -> bool {
        Question::new(start, goal).key(1) == 1
    }

    /// The moves of the position that was asked about, with what is known of each.
    pub(super) fn answers_of_moves(
        &mut self,
        start: &G,
        question: &Question,
        answer: Option<bool>,
    ) -> Vec<(G::Move, ProofNumbers)> {
        let maximises = start.to_move() == question.maximiser;
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let known = |m: G::Move| {
            if answer == Some(!maximises) || self.best == Some(m) && answer == Some(maximises) {
                return answer;
            }
            let mut next = start.clone();
            next.play(m);
            match next.outcome() {
                Some(outcome) => Some(question.of(outcome)),
                None => self.table.find(question.key(self.key_of(&next)))?.known.answer(question.threshold),
            }
        };
        moves.into_iter().map(|m| (m, question.numbers(known(m)))).collect()
    }

    /// The move by which the search decided a position, if the table knows it: following these moves is following the
    /// search, while any other move that is known to be good may lead to a longer proof.
    pub(crate) fn deciding_move(&mut self, state: &G, goal: Goal) -> Option<G::Move> {
        let question = Question::new(state, goal);
        let maximises = state.to_move() == question.maximiser;
        let entry = self.table.find(question.key(self.key_of(state)))?;
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.into_iter().find(|&m| {
            let mut next = state.clone();
            next.play(m);
            let key = question.key(self.key_of(&next));
            if tag(key) != entry.tag || next.outcome().is_some() {
                return false;
            }
            // Other moves may have the same tag.
            let known = self.table.find(key).and_then(|entry| entry.known.answer(question.threshold));
            let wanted = |answer: bool| answer == maximises;
            known.map_or_else(
                || {
                    let other = next.to_move() == question.maximiser;
                    match self.list(&next, &question) {
                        Listed::Won(_) => wanted(other),
                        Listed::Lost => wanted(!other),
                        Listed::Known(answer) => wanted(answer),
                        Listed::Moves { .. } => false,
                    }
                },
                wanted,
            )
        })
    }
}
