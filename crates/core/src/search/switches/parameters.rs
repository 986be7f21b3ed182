//! The switches by name, each with its allowed values, its default and one line of help.

use crate::spec::{Kind, Parameter};

pub(super) fn c() -> Parameter {
    Parameter::new(
        "c",
        "sqrt2",
        Kind::real(0.0, 1e9, &["sqrt2", "auto"]),
        "exploration constant C of UCT; auto: 3/sqrt(children), between 0.4 and sqrt2",
    )
}

pub(crate) fn threads() -> Parameter {
    Parameter::new(
        "threads",
        "auto",
        Kind::count(1, 1024, &["auto"]),
        "threads that search; auto: as many as --threads says, and one in matches and measurements",
    )
}

pub(crate) fn eval() -> Parameter {
    Parameter::new(
        "eval",
        "off",
        Kind::Text,
        "a learned evaluation judges positions: auto: the one that comes with the game, if there is one; off; or the file of one",
    )
}

pub(super) fn search() -> Parameter {
    Parameter::new(
        "search",
        "auto",
        Kind::choice(&["auto", "tree", "alpha-beta"]),
        "the search that uses the evaluation; auto: the one that played best by it, or neither if play-outs did better",
    )
}

pub(super) fn grow() -> Parameter {
    Parameter::new(
        "grow",
        "off",
        Kind::real(1.0, 1e12, &["off"]),
        "above K visits of the parent, C grows to C * sqrt(visits / K), at most sqrt2; with bonus_max_moves=N only at nodes with more than N moves",
    )
}

pub(super) fn pn() -> Parameter {
    Parameter::new(
        "pn",
        "1",
        Kind::real(0.0, 1e9, &[]),
        "weight C_pn of the proof-number bonus; 1e6 is nearly pure proof-number search",
    )
}

pub(super) fn norm() -> Parameter {
    Parameter::new(
        "norm",
        "rank",
        Kind::choice(&["rank", "children"]),
        "the divisor of ranks: the worst rank among the siblings, or the number of children",
    )
}

pub(super) fn expand() -> Parameter {
    Parameter::new(
        "expand",
        "2",
        Kind::count(1, 1000, &["auto"]),
        "the visit at which a leaf is expanded; 1: before its first play-out; auto: 1 in searches below 50 simulations, else 2",
    )
}

pub(super) fn final_move() -> Parameter {
    Parameter::new(
        "final",
        "proven",
        Kind::choice(&["robust", "proven", "safe"]),
        "the final move: robust: the most visited; proven: a proven win first; safe: also no proven loss, and a proven draw before worse prospects",
    )
}

pub(super) fn solver() -> Parameter {
    Parameter::new(
        "solver",
        "off",
        Kind::count(0, 1_000_000, &["off"]),
        "exact wins, draws and losses in the tree; a decided child is no longer selected after more than N visits",
    )
}

/// [`solver`] where it cannot be turned off.
pub(super) fn solver_on() -> Parameter {
    Parameter { default: "0".to_string(), kind: Kind::Count(0, 1_000_000, Vec::new()), ..solver() }
}

pub(super) fn first() -> Parameter {
    Parameter::new(
        "first",
        "random",
        Kind::choice(&["random", "urgency"]),
        "unvisited children: random: each is visited once, in random order; urgency: they compete as if visited once with value 0",
    )
}

pub(super) fn decisive() -> Parameter {
    Parameter::new(
        "decisive",
        "off",
        Kind::choice(&["off", "tree", "playouts", "both"]),
        "where decisive and anti-decisive moves are played at once, in games that can detect them",
    )
}

pub(super) fn parent_k() -> Parameter {
    Parameter::new(
        "parent_k",
        "off",
        Kind::real(0.0, 1e12, &["off"]),
        "K of the bonus weight C_pn * sqrt(K / (K + visits of the parent))",
    )
}

pub(super) fn bias() -> Parameter {
    Parameter::new(
        "bias",
        "rank",
        Kind::choice(&["rank", "max", "sum", "log", "exp"]),
        "bonus from proof numbers: by rank, by 1-(x-min)/(1+max-min), by 1-x/(1+sum), by logarithms, by exponentials",
    )
}

pub(super) fn child_k() -> Parameter {
    Parameter::new(
        "child_k",
        "off",
        Kind::real(0.0, 1e12, &["off", "explore"]),
        "the bonus of a child also decreases with its own visits: by sqrt(K / (K + visits)), or in proportion to exploration",
    )
}

pub(super) fn bonus_max_moves() -> Parameter {
    Parameter::new("bonus_max_moves", "off", Kind::real(1.0, 1e9, &["off"]), "no bonus at nodes with more than N moves")
}

pub(super) fn reuse() -> Parameter {
    Parameter::new(
        "reuse",
        "off",
        Kind::choice(&["off", "on"]),
        "tree reuse: the next search continues in the subtree of the moves played",
    )
}

pub(super) fn rave() -> Parameter {
    Parameter::new(
        "rave",
        "off",
        Kind::real(0.0, 1e9, &["off", "auto"]),
        "k of RAVE: the AMAF mean has the weight sqrt(k/(3n+k)) at n visits; auto: 3000, with c=auto then 0.1, where there are more than 100 moves and the game has recorded play-outs",
    )
}

pub(super) fn reference() -> Parameter {
    Parameter::new(
        "ref",
        "0",
        Kind::Whole(0, 1_000_000),
        "GRAVE: a node with fewer than N visits takes its AMAF means from an ancestor",
    )
}

pub(super) fn virtual_losses() -> Parameter {
    Parameter::new(
        "virtual_losses",
        "0",
        Kind::Whole(0, 10_000),
        "with RAVE: virtual losses given to remote moves, such as points far from every stone",
    )
}

pub(super) fn playouts() -> Parameter {
    Parameter::new(
        "playouts",
        "1",
        Kind::count(1, 1000, &["auto"]),
        "play-outs at each leaf, all counted as simulations; auto: root visits / 500, from 1 to 8, if RAVE is on, there are more than 100 moves and play-outs are random; else 1",
    )
}

pub(super) fn mast() -> Parameter {
    Parameter::new(
        "mast",
        "off",
        Kind::real(0.0, 1.0, &["off"]),
        "MAST: play-outs take the move with the best mean so far, and with this probability a random move",
    )
}

pub(super) fn nst() -> Parameter {
    Parameter::new(
        "nst",
        "off",
        Kind::real(0.0, 1.0, &["off"]),
        "NST: like mast, also with the means of pairs of consecutive moves",
    )
}

pub(super) fn goals() -> Parameter {
    Parameter::new(
        "goals",
        "win",
        Kind::choice(&["win", "two"]),
        "win: proof numbers for a win; two: a second pair for at least a draw, and children are ranked by both",
    )
}

pub(super) fn numbers() -> Parameter {
    Parameter::new(
        "numbers",
        "goal",
        Kind::choice(&["goal", "player"]),
        "goal: proof and disproof number of the goal; player: a proof number for each player's win",
    )
}

pub(super) fn prove() -> Parameter {
    Parameter::new(
        "prove",
        "off",
        Kind::real(0.0, 0.9, &["off"]),
        "share of the simulations for a df-pn search of the root; at least half when solving",
    )
}
