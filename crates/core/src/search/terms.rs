//! Why a simulation goes where it goes: the terms that selection adds up for a child.

/// What selection adds up for a child that competes: the child with the largest score gets the next simulation.
///
/// Terms are worked out when a report or a view is asked for, by the functions by which simulations choose. The score is
/// the very number that was compared, in 32 bits for most agents; the terms add up to it but for rounding.
///
/// All children of a node that compete have terms of the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The mean value of the child's simulations for the player who chooses; 0 for a child without any.
    pub mean: f64,
    /// What RAVE or GRAVE adds: the difference between the all-moves-as-first mean and the mean, by the weight that is
    /// left to it. Virtual losses are part of that mean.
    pub rave: Option<f64>,
    /// What an evaluation adds: the difference between the value of best play below the child, as far as the tree goes and
    /// judged by the evaluation where it ends, and the mean, by the weight that is left to it.
    pub evaluation: Option<f64>,
    /// The exploration term. A child without simulations counts as visited once.
    pub exploration: f64,
    /// The bonus, if the agent has one and it counts at this node.
    pub bonus: Option<(BonusKind, f64)>,
    /// What selection compares.
    pub score: f64,
}

/// What a bonus goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonusKind {
    /// The rank of the proof numbers.
    Rank,
    /// The proof numbers themselves, by one of the formulas that are built in.
    Numbers,
    /// A [`SelectionBonus`](crate::search::SelectionBonus) of the agent's own.
    Own,
}

impl BonusKind {
    /// In a word, as in [`Terms::parts`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Numbers => "numbers",
            Self::Own => "bonus",
        }
    }
}

impl Terms {
    /// The terms by name: `mean`, `rave` or `evaluation`, `exploration`, and one of `rank`, `numbers` and `bonus`, as far as there are any.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, f64)> + use<> {
        let rave = self.rave.map(|value| ("rave", value)).or(self.evaluation.map(|value| ("evaluation", value)));
        let bonus = self.bonus.map(|(kind, value)| (kind.name(), value));
        let mean = std::iter::once(("mean", self.mean));
        mean.chain(rave).chain([("exploration", self.exploration)]).chain(bonus)
    }
}

/// What selection makes of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    pub terms: Option<Terms>,
    /// Whether the next simulation that comes to the parent goes here, or may: it is drawn where several do.
    pub next: bool,
}
