//! The switches by name: what they may be, what they are by default, and a line about each.

use crate::spec::{Kind, Parameter};

/// A parameter with another default.
pub(super) const fn with_default(parameter: Parameter, default: &'static str) -> Parameter {
    Parameter { default, ..parameter }
}

pub(super) const C: Parameter = Parameter {
    name: "c",
    default: "sqrt2",
    kind: Kind::Real(0.0, 1e9, &["sqrt2", "auto"]),
    help: "exploration constant C of UCT; auto: 3/sqrt(children), between 0.4 and sqrt2",
};
pub(super) const GROW: Parameter = Parameter {
    name: "grow",
    default: "off",
    kind: Kind::Real(1.0, 1e12, &["off"]),
    help: "above K visits of the parent exploration grows to C * sqrt(visits / K), at most sqrt2; with bonus_max_moves=N only where there are more than N moves",
};
pub(super) const PN: Parameter = Parameter {
    name: "pn",
    default: "1",
    kind: Kind::Real(0.0, 1e9, &[]),
    help: "weight C_pn of the proof-number bonus; 1e6 is nearly pure proof-number search",
};
pub(super) const NORM: Parameter = Parameter {
    name: "norm",
    default: "rank",
    kind: Kind::Choice(&["rank", "children"]),
    help: "divide ranks by the worst rank given, or by the number of children",
};
pub(super) const EXPAND: Parameter = Parameter {
    name: "expand",
    default: "2",
    kind: Kind::Count(1, 1000, &["auto"]),
    help: "the visit at which a node's children enter the tree; 1: before its first play-out; auto: 1 below 50 simulations, else 2",
};
pub(super) const FINAL: Parameter = Parameter {
    name: "final",
    default: "proven",
    kind: Kind::Choice(&["robust", "proven", "safe"]),
    help: "the move played: the most visited one; a proven win first; safe: also no proven loss, and a proven draw before worse prospects",
};
pub(super) const SOLVER: Parameter = Parameter {
    name: "solver",
    default: "off",
    kind: Kind::Count(0, 1_000_000, &["off"]),
    help: "exact wins, draws and losses in the tree; a decided move is no longer selected after more than this many visits",
};
/// [`SOLVER`] where it cannot be turned off.
pub(super) const SOLVER_ON: Parameter = Parameter { default: "0", kind: Kind::Count(0, 1_000_000, &[]), ..SOLVER };
pub(super) const FIRST: Parameter = Parameter {
    name: "first",
    default: "random",
    kind: Kind::Choice(&["random", "urgency"]),
    help: "unvisited moves: each is visited once in random order, or they compete as if visited once with value 0",
};
pub(super) const DECISIVE: Parameter = Parameter {
    name: "decisive",
    default: "off",
    kind: Kind::Choice(&["off", "tree", "playouts", "both"]),
    help: "where to play a win in one at once, and else a defence against one, in games that know such moves",
};
pub(super) const PARENT_K: Parameter = Parameter {
    name: "parent_k",
    default: "off",
    kind: Kind::Real(0.0, 1e12, &["off"]),
    help: "K of the bonus weight C_pn * sqrt(K / (K + visits of the parent))",
};
pub(super) const BIAS: Parameter = Parameter {
    name: "bias",
    default: "rank",
    kind: Kind::Choice(&["rank", "max", "sum", "log", "exp"]),
    help: "bonus from proof numbers: by rank, by 1-(x-min)/(1+max-min), by 1-x/(1+sum), by logarithms, by exponentials",
};
pub(super) const CHILD_K: Parameter = Parameter {
    name: "child_k",
    default: "off",
    kind: Kind::Real(0.0, 1e12, &["off", "explore"]),
    help: "the bonus of a child also shrinks with its own visits: by sqrt(K / (K + visits)), or in proportion to exploration",
};
pub(super) const BONUS_MAX_MOVES: Parameter = Parameter {
    name: "bonus_max_moves",
    default: "off",
    kind: Kind::Real(1.0, 1e9, &["off"]),
    help: "no bonus at nodes with more moves than this, where proof numbers say little",
};
pub(super) const REUSE: Parameter = Parameter {
    name: "reuse",
    default: "off",
    kind: Kind::Choice(&["off", "on"]),
    help: "whether the next search of a game continues in the subtree of the moves played",
};
pub(super) const RAVE: Parameter = Parameter {
    name: "rave",
    default: "off",
    kind: Kind::Real(0.0, 1e9, &["off", "auto"]),
    help: "k of RAVE: the mean of all simulations with the move there or later has weight sqrt(k/(3n+k)) at n visits; auto: 3000, and c=auto is then 0.1, above 100 moves in games with fast recorded play-outs",
};
pub(super) const REF: Parameter = Parameter {
    name: "ref",
    default: "0",
    kind: Kind::Whole(0, 1_000_000),
    help: "GRAVE: a node with fewer visits than this takes its RAVE means from an ancestor",
};
pub(super) const VIRTUAL_LOSSES: Parameter = Parameter {
    name: "virtual_losses",
    default: "0",
    kind: Kind::Whole(0, 10_000),
    help: "with RAVE: lost simulations with which moves far from every stone begin, in games that know such moves",
};
pub(super) const PLAYOUTS: Parameter = Parameter {
    name: "playouts",
    default: "1",
    kind: Kind::Count(1, 1000, &["auto"]),
    help: "play-outs at each leaf, all counted as simulations; auto: root visits / 500, from 1 to 8, with RAVE, more than 100 moves and random play-outs; else 1",
};
pub(super) const MAST: Parameter = Parameter {
    name: "mast",
    default: "off",
    kind: Kind::Real(0.0, 1.0, &["off"]),
    help: "play-outs take the move with the best mean so far, and with this probability a random one",
};
pub(super) const NST: Parameter = Parameter {
    name: "nst",
    default: "off",
    kind: Kind::Real(0.0, 1.0, &["off"]),
    help: "as mast, with the means of pairs of consecutive moves",
};
pub(super) const GOALS: Parameter = Parameter {
    name: "goals",
    default: "win",
    kind: Kind::Choice(&["win", "two"]),
    help: "proof numbers for a win only, or a second pair for at least a draw; moves are then ranked by both",
};
pub(super) const NUMBERS: Parameter = Parameter {
    name: "numbers",
    default: "goal",
    kind: Kind::Choice(&["goal", "player"]),
    help: "proof and disproof number of the root player's goal, or one proof number for each player's win",
};
pub(super) const PROVE: Parameter = Parameter {
    name: "prove",
    default: "off",
    kind: Kind::Real(0.0, 0.9, &["off"]),
    help: "share of the simulations that goes to a df-pn search of the root beside the tree; at least half when solving",
};
