//! Proof and disproof numbers (Allis, van der Meulen, van den Herik: Proof-number search, 1994).

use std::fmt;

use crate::outcome::{Outcome, Player, Wdl};

/// How many leaves must at least still be decided; or [`ProofNumber::INFINITE`]: it cannot be done.
///
/// Sums saturate just below infinity: "very many" never turns into "impossible".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProofNumber(u32);

impl ProofNumber {
    /// It is done.
    pub const ZERO: Self = Self(0);
    /// One leaf may do.
    pub const ONE: Self = Self(1);
    /// The largest number that is not infinite.
    pub const LARGEST: Self = Self(u32::MAX - 1);
    /// It cannot be done.
    pub const INFINITE: Self = Self(u32::MAX);

    /// `n` leaves; very large `n` becomes [`ProofNumber::LARGEST`].
    pub const fn finite(n: u32) -> Self {
        if n == u32::MAX { Self::LARGEST } else { Self(n) }
    }

    /// The stored word.
    #[inline(always)]
    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    /// From a stored word.
    #[inline(always)]
    pub(crate) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// The number of leaves, unless infinite.
    pub const fn leaves(self) -> Option<u32> {
        if self.0 == u32::MAX { None } else { Some(self.0) }
    }

    /// Both must be done: infinite if one is, else the sum, saturated below infinity.
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        if self.0 == u32::MAX || other.0 == u32::MAX {
            Self::INFINITE
        } else {
            Self::finite(self.0.saturating_add(other.0))
        }
    }
}

impl fmt::Display for ProofNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.leaves() {
            Some(n) => n.fmt(f),
            None => "∞".fmt(f),
        }
    }
}

/// A proof number and a disproof number for one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofNumbers {
    /// Leaves to prove at least, for the goal to be reached.
    pub pn: ProofNumber,
    /// Leaves to disprove at least, for the goal to be out of reach.
    pub dpn: ProofNumber,
}

impl ProofNumbers {
    /// A leaf nothing is known of.
    pub const UNKNOWN: Self = Self { pn: ProofNumber::ONE, dpn: ProofNumber::ONE };
    /// The goal is reached.
    pub const PROVEN: Self = Self { pn: ProofNumber::ZERO, dpn: ProofNumber::INFINITE };
    /// The goal is out of reach.
    pub const DISPROVEN: Self = Self { pn: ProofNumber::INFINITE, dpn: ProofNumber::ZERO };

    /// Whether the goal is reached.
    pub fn is_proven(self) -> bool {
        self.pn == ProofNumber::ZERO
    }

    /// Whether the goal is out of reach.
    pub fn is_disproven(self) -> bool {
        self.dpn == ProofNumber::ZERO
    }

    /// The same seen from the other side: what proves one goal disproves the other.
    pub fn swapped(self) -> Self {
        Self { pn: self.dpn, dpn: self.pn }
    }

    /// Whether one or the other is settled.
    pub fn is_decided(self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

/// What is to be proven: that `player` reaches at least `least`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// Who wants it.
    pub player: Player,
    /// `Wdl::Win`, or `Wdl::Draw` for "at least a draw".
    pub least: Wdl,
    /// For a win: by at least so many points, in games that have them.
    pub by: i16,
    /// Whether disproof numbers count towards the opponent's win, so that a draw settles nothing.
    pub(crate) race: bool,
}

impl Goal {
    /// That one of the players wins: proof numbers are of the first player's win, disproof numbers of the second's. It is
    /// one goal for every root.
    pub(crate) const RACE: Self = Self { race: true, ..Self::win(Player::FIRST) };

    /// That `player` wins.
    pub const fn win(player: Player) -> Self {
        Self::win_by(player, 0)
    }

    /// That `player` wins by at least so many points.
    pub const fn win_by(player: Player, by: i16) -> Self {
        Self { player, least: Wdl::Win, by, race: false }
    }

    /// That `player` gets at least a draw.
    pub const fn draw(player: Player) -> Self {
        Self { player, least: Wdl::Draw, by: 0, race: false }
    }

    /// The numbers of a finished game.
    pub fn numbers(self, outcome: Outcome) -> ProofNumbers {
        let value = outcome.of(self.player);
        let reached = value >= self.least && (self.least < Wdl::Win || outcome.margin() >= self.by);
        if reached {
            ProofNumbers::PROVEN
        } else if self.race && outcome.of(self.player.other()) != Wdl::Win {
            ProofNumbers { pn: ProofNumber::INFINITE, dpn: ProofNumber::INFINITE }
        } else {
            ProofNumbers::DISPROVEN
        }
    }

    /// The numbers as those of the goal that `player` wins, where the goal is a race.
    pub(crate) fn for_player(self, player: Player, numbers: ProofNumbers) -> ProofNumbers {
        if self.race && player != self.player { numbers.swapped() } else { numbers }
    }
}

/// Whose choice a position is, seen from a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The player of the goal chooses: one proven child proves the node.
    Or,
    /// Somebody else chooses: all children must be proven.
    And,
}

impl NodeKind {
    /// The kind of a position where `mover` chooses.
    pub fn of(goal: Goal, mover: Player) -> Self {
        if mover == goal.player { Self::Or } else { Self::And }
    }

    /// The numbers of a node from those of its children: the least of one kind, the sum of the other.
    pub fn combine(self, children: impl IntoIterator<Item = ProofNumbers>) -> ProofNumbers {
        let start = match self {
            Self::Or => ProofNumbers { pn: ProofNumber::INFINITE, dpn: ProofNumber::ZERO },
            Self::And => ProofNumbers { pn: ProofNumber::ZERO, dpn: ProofNumber::INFINITE },
        };
        children.into_iter().fold(start, |sum, child| match self {
            Self::Or => ProofNumbers { pn: sum.pn.min(child.pn), dpn: sum.dpn.and(child.dpn) },
            Self::And => ProofNumbers { pn: sum.pn.and(child.pn), dpn: sum.dpn.min(child.dpn) },
        })
    }

    /// As [`combine`](NodeKind::combine), with the largest and one for each other open child in place of the sum.
    pub fn combine_weak(self, children: impl IntoIterator<Item = ProofNumbers>) -> ProofNumbers {
        let (mut least, mut largest, mut open) = (ProofNumber::INFINITE, ProofNumber::ZERO, 0u32);
        for child in children {
            let (key, summand) = match self {
                Self::Or => (child.pn, child.dpn),
                Self::And => (child.dpn, child.pn),
            };
            least = least.min(key);
            largest = largest.max(summand);
            open += u32::from(summand > ProofNumber::ZERO);
        }
        let sum = largest.and(ProofNumber::finite(open.saturating_sub(1)));
        match self {
            Self::Or => ProofNumbers { pn: least, dpn: sum },
            Self::And => ProofNumbers { pn: sum, dpn: least },
        }
    }

    /// The number by which children are ranked here: the proof number at OR, the disproof number at AND nodes.
    #[inline(always)]
    pub fn key(self, numbers: ProofNumbers) -> ProofNumber {
        match self {
            Self::Or => numbers.pn,
            Self::And => numbers.dpn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_saturate_below_infinity() {
        assert_eq!(ProofNumber::LARGEST.and(ProofNumber::LARGEST), ProofNumber::LARGEST);
        assert_eq!(ProofNumber::LARGEST.and(ProofNumber::ONE), ProofNumber::LARGEST);
        assert_eq!(ProofNumber::ONE.and(ProofNumber::INFINITE), ProofNumber::INFINITE);
        assert_eq!(ProofNumber::finite(u32::MAX), ProofNumber::LARGEST);
        assert_eq!(ProofNumber::ONE.and(ProofNumber::finite(6)).to_string(), "7");
        assert_eq!(ProofNumber::INFINITE.to_string(), "∞");
    }

    #[test]
    fn one_proven_child_proves_an_or_node_and_all_an_and_node() {
        use ProofNumbers as N;
        let open = N::UNKNOWN;
        assert_eq!(NodeKind::Or.combine([open, N::PROVEN]), N::PROVEN);
        assert_eq!(NodeKind::Or.combine([N::DISPROVEN, N::DISPROVEN]), N::DISPROVEN);
        assert_eq!(NodeKind::And.combine([open, N::DISPROVEN]), N::DISPROVEN);
        assert_eq!(NodeKind::And.combine([N::PROVEN, N::PROVEN]), N::PROVEN);
        let three = NodeKind::And.combine([open, open, open]);
        assert_eq!((three.pn, three.dpn), (ProofNumber::finite(3), ProofNumber::ONE));
        assert_eq!(NodeKind::Or.combine([three, open]).dpn, ProofNumber::finite(2));
    }

    #[test]
    fn weak_sums_count_the_largest_and_one_for_each_other_open_child() {
        let n = |pn, dpn| ProofNumbers { pn: ProofNumber::finite(pn), dpn: ProofNumber::finite(dpn) };
        assert_eq!(NodeKind::And.combine_weak([n(5, 2), n(7, 3), n(1, 9), ProofNumbers::PROVEN]), n(9, 2));
        assert_eq!(NodeKind::Or.combine_weak([n(5, 2), n(7, 3), ProofNumbers::DISPROVEN]), n(5, 4));
        for kind in [NodeKind::Or, NodeKind::And] {
            for (a, b) in [(n(1, 1), ProofNumbers::PROVEN), (n(4, 1), ProofNumbers::DISPROVEN)] {
                let (weak, strict) = (kind.combine_weak([a, b]), kind.combine([a, b]));
                assert_eq!((weak.is_proven(), weak.is_disproven()), (strict.is_proven(), strict.is_disproven()));
            }
        }
    }

    #[test]
    fn a_draw_reaches_the_goal_draw_and_misses_the_goal_win() {
        let draw = Goal::draw(Player::FIRST);
        assert!(draw.numbers(Outcome::DRAW).is_proven());
        assert!(Goal::win(Player::FIRST).numbers(Outcome::DRAW).is_disproven());
        assert!(Goal::win(Player::SECOND).numbers(Outcome::win(Player::SECOND)).is_proven());
        let by_five = Goal::win_by(Player::FIRST, 5);
        assert!(by_five.numbers(Outcome::by_points(5)).is_proven());
        assert!(by_five.numbers(Outcome::by_points(4)).is_disproven());
        assert!(by_five.numbers(Outcome::by_points(-9)).is_disproven());
    }

    #[test]
    fn in_a_race_each_number_is_about_one_players_win_and_a_draw_is_neither() {
        let race = Goal::RACE;
        assert_eq!(race.numbers(Outcome::win(Player::FIRST)), ProofNumbers::PROVEN);
        assert_eq!(race.numbers(Outcome::win(Player::SECOND)), ProofNumbers::DISPROVEN);
        assert!(!race.numbers(Outcome::DRAW).is_decided());
        assert_eq!(race.for_player(Player::FIRST, ProofNumbers::PROVEN), ProofNumbers::PROVEN);
        assert_eq!(race.for_player(Player::SECOND, ProofNumbers::DISPROVEN), ProofNumbers::PROVEN);
        let win = Goal::win(Player::FIRST);
        assert_eq!(win.for_player(Player::SECOND, ProofNumbers::PROVEN), ProofNumbers::PROVEN);
    }
}
