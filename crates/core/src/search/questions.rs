//! The value of a position by questions that are answered yes or no: can the player to move win? If not, can it draw?
//!
//! The second is asked as "can the opponent win?": its disproof is a draw at least, whether play ends or goes on for ever.
//! Where every game has a winner the first question is enough. There both players' questions are also one question, so
//! it is put to a solver as the first player's, and entries in the table serve whoever asks.

use crate::game::Game;
use crate::outcome::{Player, Wdl};
use crate::search::proof::{Goal, ProofNumbers};
use crate::search::report::Bounds;
use crate::search::solve::Aim;

/// The questions about one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Questions {
    mover: Player,
    /// Whether a game may end in a draw, or never end.
    draws: bool,
}

impl Questions {
    /// The questions about `start`.
    pub(crate) fn about<G: Game>(start: &G) -> Self {
        Self { mover: start.to_move(), draws: start.may_draw() || start.may_repeat() }
    }

    /// Whether a game from here may have no winner. Otherwise who does not win loses.
    pub(crate) fn may_draw(self) -> bool {
        self.draws
    }

    /// The goal to ask for next, given what is known; none once `aim` is answered.
    pub(crate) fn next(self, aim: Aim, known: Bounds) -> Option<Goal> {
        if aim != Aim::Draw && known.least < Wdl::Win && known.most == Wdl::Win {
            Some(Goal::win(self.mover))
        } else if aim != Aim::Win && known.least == Wdl::Loss && known.most > Wdl::Loss {
            Some(Goal::win(self.mover.other()))
        } else {
            None
        }
    }

    /// All goals that the value may depend on, the first to ask first.
    pub(crate) fn all(self) -> impl Iterator<Item = Goal> {
        [Goal::win(self.mover)].into_iter().chain(self.draws.then(|| Goal::win(self.mover.other())))
    }

    /// What the numbers of `goal` say about the value for the player to move. A margin or a draw as goal says nothing.
    pub(crate) fn meaning(self, goal: Goal, numbers: ProofNumbers) -> Bounds {
        let (own, reached) = (goal.player == self.mover, numbers.is_proven());
        if goal.by != 0 || goal.least != Wdl::Win || !numbers.is_decided() {
            return Bounds::OPEN;
        }
        match (own, reached) {
            (true, true) => Bounds::exactly(Wdl::Win),
            (true, false) if self.draws => Bounds { least: Wdl::Loss, most: Wdl::Draw },
            (true, false) => Bounds::exactly(Wdl::Loss),
            (false, true) => Bounds::exactly(Wdl::Loss),
            (false, false) if self.draws => Bounds { least: Wdl::Draw, most: Wdl::Win },
            (false, false) => Bounds::exactly(Wdl::Win),
        }
    }

    /// The numbers of `goal`, where the value for the player to move is known. A value does not know margins.
    pub(crate) fn known(self, goal: Goal, value: Wdl) -> ProofNumbers {
        let of_player = if goal.player == self.mover { value } else { value.flip() };
        match of_player >= goal.least {
            true if goal.by != 0 => ProofNumbers::UNKNOWN,
            true => ProofNumbers::PROVEN,
            false => ProofNumbers::DISPROVEN,
        }
    }

    /// The goal that is put to a solver with a table in place of `goal`; [`answer`](Self::answer) translates what it says.
    pub(crate) fn asked(self, goal: Goal) -> Goal {
        if self.swaps(goal) { Goal::win(goal.player.other()) } else { goal }
    }

    /// The numbers of `goal` by those of the goal that was put to the solver.
    pub(crate) fn answer(self, goal: Goal, numbers: ProofNumbers) -> ProofNumbers {
        if self.swaps(goal) { numbers.swapped() } else { numbers }
    }

    /// Whether the question is put the other way round, so that its disproof is what proves `goal`.
    pub(crate) fn swaps(self, goal: Goal) -> bool {
        goal.least != Wdl::Win || !self.draws && goal.by == 0 && goal.player != Player::FIRST
    }

    /// What can be proven by a strategy, from what is known: by the player to move, and by the opponent.
    pub(crate) fn provable(self, known: Bounds, score: Option<i32>) -> Vec<Goal> {
        let by = score.map_or(0, |points| points.unsigned_abs() as i16);
        let goal = |(player, least)| match least {
            Wdl::Win => Some(Goal::win_by(player, by)),
            Wdl::Draw => Some(Goal::draw(player)),
            Wdl::Loss => None,
        };
        [(self.mover, known.least), (self.mover.other(), known.most.flip())].into_iter().filter_map(goal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    /// Asks until `aim` is answered; what is then known, and which players' wins were asked for.
    fn asked_about(questions: Questions, aim: Aim, value: Wdl) -> (Bounds, Vec<Player>) {
        let (mut known, mut players) = (Bounds::OPEN, Vec::new());
        while let Some(goal) = questions.next(aim, known) {
            players.push(goal.player);
            assert!(players.len() <= 2, "{questions:?} {aim:?} {value:?}: {players:?}");
            known = known.and(questions.meaning(goal, questions.known(goal, value)));
            assert!(known.least <= value && value <= known.most, "{questions:?} {aim:?} {value:?}: {known:?}");
        }
        (known, players)
    }

    fn every() -> impl Iterator<Item = Questions> {
        let players = [Player::FIRST, Player::SECOND].into_iter();
        players.flat_map(|mover| [true, false].map(|draws| Questions { mover, draws }))
    }

    #[test]
    fn true_answers_lead_to_what_was_asked_for_by_as_few_questions_as_can_be() {
        for questions in every() {
            let (mover, other) = (questions.mover, questions.mover.other());
            for value in VALUES.into_iter().filter(|&value| questions.draws || value != Wdl::Draw) {
                for aim in [Aim::Value, Aim::Score] {
                    let (known, players) = asked_about(questions, aim, value);
                    assert_eq!(known.value(), Some(value));
                    let one = value == Wdl::Win || !questions.draws;
                    assert_eq!(players, if one { vec![mover] } else { vec![mover, other] });
                }
                let (known, players) = asked_about(questions, Aim::Win, value);
                assert_eq!((known.least == Wdl::Win, known.most == Wdl::Win), (value == Wdl::Win, value == Wdl::Win));
                assert_eq!(players, [mover]);
                let (known, players) = asked_about(questions, Aim::Draw, value);
                assert_eq!((known.least >= Wdl::Draw, known.most >= Wdl::Draw), (value > Wdl::Loss, value > Wdl::Loss));
                assert_eq!(players, [other]);
            }
        }
    }

    #[test]
    fn an_open_answer_a_margin_and_a_draw_say_nothing_about_the_value() {
        for questions in every() {
            for player in [Player::FIRST, Player::SECOND] {
                assert_eq!(questions.meaning(Goal::win(player), ProofNumbers::UNKNOWN), Bounds::OPEN);
                for goal in [Goal::win_by(player, 3), Goal::draw(player)] {
                    assert_eq!(questions.meaning(goal, ProofNumbers::DISPROVEN), Bounds::OPEN);
                }
            }
        }
    }

    #[test]
    fn a_question_that_is_put_the_other_way_round_has_the_answer_of_the_goal() {
        for questions in every() {
            for value in VALUES.into_iter().filter(|&value| questions.draws || value != Wdl::Draw) {
                for player in [Player::FIRST, Player::SECOND] {
                    for goal in [Goal::win(player), Goal::draw(player)] {
                        let said = questions.known(questions.asked(goal), value);
                        assert_eq!(
                            questions.answer(goal, said),
                            questions.known(goal, value),
                            "{questions:?} {goal:?}"
                        );
                    }
                    assert_eq!(questions.asked(Goal::win_by(player, 3)), Goal::win_by(player, 3));
                }
            }
            let asked = [Player::FIRST, Player::SECOND].map(|player| questions.asked(Goal::win(player)));
            assert_eq!(asked[0] == asked[1], !questions.draws, "without draws both ask the same");
        }
    }

    #[test]
    fn what_is_provable_is_what_the_bounds_grant_each_player() {
        for questions in every() {
            let (mover, other) = (questions.mover, questions.mover.other());
            let exactly = |value, score| questions.provable(Bounds::exactly(value), score);
            assert_eq!(exactly(Wdl::Win, None), [Goal::win(mover)]);
            assert_eq!(exactly(Wdl::Loss, Some(-7)), [Goal::win_by(other, 7)]);
            assert_eq!(exactly(Wdl::Draw, Some(0)), [Goal::draw(mover), Goal::draw(other)]);
            assert_eq!(questions.provable(Bounds::OPEN, None), []);
            assert_eq!(questions.provable(Bounds { least: Wdl::Loss, most: Wdl::Draw }, None), [Goal::draw(other)]);
        }
    }
}
