//! The switches of Monte-Carlo tree search: what they are called, what they may be, and the plain data they become.

use crate::spec::{Kind, Parameter, Params};

/// Monte-Carlo tree search with all its switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mcts {
    /// The exploration constant C.
    pub c: Exploration,
    /// The visit at which a node is opened: 1 before its first play-out, 2 when it is reached again.
    pub expand: u32,
    /// Proof numbers in the tree and what they do; none is plain MCTS.
    pub proof: Option<Proof>,
    /// Which move is played in the end.
    pub choice: FinalMove,
    /// Exact values in the tree; decided children are skipped once they have more visits than this.
    pub solver: Option<u32>,
    /// What happens to children not visited so far.
    pub first: First,
    /// Moves that win at once, or keep the opponent from it, alone in the tree.
    pub decisive_tree: bool,
    /// The same in play-outs.
    pub decisive_playouts: bool,
}

/// The exploration constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Exploration {
    Fixed(f64),
    /// By the number of children: `3 / sqrt(children)`, between 0.4 and the root of 2.
    Auto,
}

/// What proof numbers do in the selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Proof {
    /// The weight C_pn of the rank.
    pub c_pn: f64,
    pub norm: Norm,
    /// The K of `C_pn * sqrt(K / (K + visits of the parent))`.
    pub decay: Option<f64>,
    /// Numbers of a new leaf by the number of its siblings, instead of 1 and 1.
    pub mobility: bool,
}

/// What a rank is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Norm {
    /// The worst rank given to a sibling, as the formula of the paper has it.
    Rank,
    /// The number of siblings.
    Children,
}

/// Which move is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FinalMove {
    /// The most visited one.
    Robust,
    /// A proven win if there is one.
    Proven,
    /// Also no proven loss while there is another, and a proven draw before worse prospects.
    Safe,
}

/// What happens to children not visited so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// All are visited once, in random order, before the formula applies.
    Random,
    /// The same, best rank first.
    Rank,
    /// They compete in the formula, as if visited once with value 0.
    Urgency,
}

impl Exploration {
    /// The constant at a node with so many children.
    #[inline(always)]
    pub(crate) fn at(self, children: usize) -> f32 {
        match self {
            Self::Fixed(c) => c as f32,
            Self::Auto => (3.0 / (children as f32).sqrt()).clamp(0.4, std::f32::consts::SQRT_2),
        }
    }
}

impl Proof {
    /// The weight of the rank at a node with so many visits.
    #[inline(always)]
    pub(crate) fn weight(&self, visits: u32) -> f64 {
        match self.decay {
            Some(decay) => self.c_pn * (decay / (decay + f64::from(visits))).sqrt(),
            None => self.c_pn,
        }
    }
}

impl Mcts {
    /// Reads the parameters; those an agent does not have are off.
    pub(crate) fn from_params(params: &Params) -> Self {
        let has = |name: &str| params.described().parameters.iter().any(|p| p.name == name);
        let text = |name: &str| if has(name) { params.text(name) } else { "off" };
        let real = |name: &str| if has(name) { params.real(name) } else { None };
        let decisive = text("decisive");
        let c = match text("c") {
            "auto" => Exploration::Auto,
            _ => Exploration::Fixed(real("c").unwrap_or(std::f64::consts::SQRT_2)),
        };
        let proof = real("pn").map(|c_pn| Proof {
            c_pn,
            norm: if text("norm") == "children" { Norm::Children } else { Norm::Rank },
            decay: real("decay"),
            mobility: text("leaf") == "mobility",
        });
        let solver = real("solver").map(|visits| visits as u32);
        // The solver knows every proof that the numbers know, so without weight they would be book-keeping for nobody.
        let idle = solver.is_some() && params.described().name == PLYPROOF;
        Self {
            c,
            expand: params.whole("expand") as u32,
            proof: proof.filter(|proof| proof.c_pn > 0.0 || !idle),
            choice: match text("final") {
                "robust" => FinalMove::Robust,
                "safe" => FinalMove::Safe,
                _ => FinalMove::Proven,
            },
            solver,
            first: match text("first") {
                "rank" => First::Rank,
                "urgency" => First::Urgency,
                _ => First::Random,
            },
            decisive_tree: matches!(decisive, "tree" | "both"),
            decisive_playouts: matches!(decisive, "playouts" | "both"),
        }
    }

    /// Whether the moves that finish the game must be known when a node is opened.
    pub(crate) fn tests_ends(&self) -> bool {
        self.proof.is_some() || self.solver.is_some() || self.decisive_tree || self.first == First::Rank
    }

    /// Whether this is basic MCTS or PN-MCTS as printed, for which there is a path without any look at the switches.
    pub(crate) fn is_plain(&self) -> bool {
        let plain_proof = |proof: Proof| proof.decay.is_none() && !proof.mobility;
        matches!(self.c, Exploration::Fixed(_))
            && self.proof.is_none_or(plain_proof)
            && self.solver.is_none()
            && self.first == First::Random
            && !self.decisive_tree
            && !self.decisive_playouts
    }
}

/// The name of the agent with the best configuration known.
pub(crate) const PLYPROOF: &str = "plyproof";

/// A parameter with another default.
const fn with_default(parameter: Parameter, default: &'static str) -> Parameter {
    Parameter { default, ..parameter }
}

const C: Parameter = Parameter {
    name: "c",
    default: "sqrt2",
    kind: Kind::Real(0.0, 1e9, &["sqrt2", "auto"]),
    help: "exploration constant C of UCT; auto: 3/sqrt(children), between 0.4 and sqrt2",
};
const PN: Parameter = Parameter {
    name: "pn",
    default: "1",
    kind: Kind::Real(0.0, 1e9, &[]),
    help: "weight C_pn of the rank; 1e6 is nearly pure proof-number search",
};
const NORM: Parameter = Parameter {
    name: "norm",
    default: "rank",
    kind: Kind::Choice(&["rank", "children"]),
    help: "divide ranks by the worst rank, or by the number of children",
};
const EXPAND: Parameter = Parameter {
    name: "expand",
    default: "2",
    kind: Kind::Whole(1, 1000),
    help: "the visit at which a node's children enter the tree; 1: before its first play-out",
};
const FINAL: Parameter = Parameter {
    name: "final",
    default: "proven",
    kind: Kind::Choice(&["robust", "proven", "safe"]),
    help: "move played: most visits; a proven win before that; also no proven loss, and a sure draw before worse",
};
const SOLVER: Parameter = Parameter {
    name: "solver",
    default: "off",
    kind: Kind::Count(0, 1_000_000, &["off"]),
    help: "exact wins, draws and losses in the tree; decided moves are left alone after more visits than this",
};
const FIRST: Parameter = Parameter {
    name: "first",
    default: "random",
    kind: Kind::Choice(&["random", "rank", "urgency"]),
    help: "unvisited moves: all once in random order; best rank first; or competing as if visited once with value 0",
};
const DECISIVE: Parameter = Parameter {
    name: "decisive",
    default: "off",
    kind: Kind::Choice(&["off", "tree", "playouts", "both"]),
    help: "where a win in one, else a defence against one, is played at once, in games that know such moves",
};
const DECAY: Parameter = Parameter {
    name: "decay",
    default: "off",
    kind: Kind::Real(0.0, 1e12, &["off"]),
    help: "K of the fading weight C_pn * sqrt(K / (K + visits of the parent))",
};
const LEAF: Parameter = Parameter {
    name: "leaf",
    default: "unit",
    kind: Kind::Choice(&["unit", "mobility"]),
    help: "numbers of a new leaf: 1 and 1, or by the number of its siblings",
};

/// What `mcts` takes.
pub(crate) static MCTS: [Parameter; 6] = [C, EXPAND, FINAL, SOLVER, FIRST, DECISIVE];
/// What `pn-mcts` takes.
pub(crate) static PN_MCTS: [Parameter; 10] = [C, PN, NORM, EXPAND, FINAL, SOLVER, FIRST, DECISIVE, DECAY, LEAF];
/// What `plyproof` takes: the same with the best values known as defaults.
pub(crate) static PLYPROOF_PARAMETERS: [Parameter; 10] = [
    with_default(C, "auto"),
    with_default(PN, "0.3"),
    NORM,
    EXPAND,
    with_default(FINAL, "safe"),
    with_default(SOLVER, "0"),
    with_default(FIRST, "urgency"),
    with_default(DECISIVE, "both"),
    with_default(DECAY, "1000"),
    with_default(LEAF, "mobility"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_by_branching_is_three_by_the_root_of_the_children_within_its_limits() {
        let auto = |children| Exploration::Auto.at(children);
        // 3 / sqrt 9 = 1 and 3 / sqrt 25 = 0.6; two children would give 2.12, 225 would give 0.2.
        assert_eq!((auto(9), auto(25)), (1.0, 0.6));
        assert_eq!((auto(2), auto(225)), (std::f32::consts::SQRT_2, 0.4));
        assert_eq!(Exploration::Fixed(0.7).at(225), 0.7);
    }

    #[test]
    fn the_weight_of_the_rank_fades_with_the_visits_of_the_parent() {
        let fading = Proof { c_pn: 0.5, norm: Norm::Rank, decay: Some(300.0), mobility: false };
        // sqrt(300 / (300 + 900)) = 1/2.
        assert_eq!((fading.weight(0), fading.weight(900)), (0.5, 0.25));
        assert_eq!(Proof { decay: None, ..fading }.weight(900), 0.5);
    }
}
