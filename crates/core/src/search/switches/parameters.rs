//! The switches by name: what they may be, what they are by default, and a line about each.

use crate::spec::{Kind, Parameter};

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
const GROW: Parameter = Parameter {
    name: "grow",
    default: "off",
    kind: Kind::Real(1.0, 1e12, &["off"]),
    help: "visits K above which exploration grows: C * sqrt(visits / K), at most sqrt2; with wide=N only above N moves",
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
    kind: Kind::Count(1, 1000, &["auto"]),
    help: "the visit at which a node's children enter the tree; 1: before its first play-out; auto: 1 below 50 simulations, else 2",
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
    kind: Kind::Choice(&["random", "urgency"]),
    help: "unvisited moves: all once in random order, or competing as if visited once with value 0",
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
const BIAS: Parameter = Parameter {
    name: "bias",
    default: "rank",
    kind: Kind::Choice(&["rank", "max", "sum", "log", "exp"]),
    help: "how numbers become a bonus: by rank, or by 1-(x-min)/(1+max-min), 1-x/(1+sum), logarithms, exponentials",
};
const FADE: Parameter = Parameter {
    name: "fade",
    default: "off",
    kind: Kind::Real(0.0, 1e12, &["off", "explore"]),
    help: "the bonus also fades with the child's visits: by sqrt(K / (K + visits)), or as part of exploration",
};
const WIDE: Parameter = Parameter {
    name: "wide",
    default: "off",
    kind: Kind::Real(1.0, 1e9, &["off"]),
    help: "moves above which there is no bonus: where there are so many, the numbers say little",
};
const REUSE: Parameter = Parameter {
    name: "reuse",
    default: "off",
    kind: Kind::Choice(&["off", "on"]),
    help: "whether the next search of a game goes on with the subtree of the moves played",
};
const RAVE: Parameter = Parameter {
    name: "rave",
    default: "off",
    kind: Kind::Real(0.0, 1e9, &["off", "auto"]),
    help: "k of RAVE: means of moves played there or later, of weight sqrt(k/(3n+k)) at n visits; auto: 3000, with c=auto 0.1, where there are more than 100 moves, in games that tell the moves of play-outs quickly",
};
const REFERENCE: Parameter = Parameter {
    name: "ref",
    default: "0",
    kind: Kind::Whole(0, 1_000_000),
    help: "GRAVE: below so many visits a node takes those means from one above",
};
const DOUBT: Parameter = Parameter {
    name: "doubt",
    default: "0",
    kind: Kind::Whole(0, 10_000),
    help: "with RAVE: simulations that moves far from everything count as lost with before they were seen, in games that know such moves",
};
const PLAYOUTS: Parameter = Parameter {
    name: "playouts",
    default: "1",
    kind: Kind::Count(1, 1000, &["auto"]),
    help: "play-outs of each visit, all counted as simulations; auto: with RAVE, more than 100 moves and random play-outs the visits of the root / 500, at most 8; else 1",
};
const MAST: Parameter = Parameter {
    name: "mast",
    default: "off",
    kind: Kind::Real(0.0, 1.0, &["off"]),
    help: "play-outs take the move of the best mean so far, and with this chance a random one",
};
const NST: Parameter = Parameter {
    name: "nst",
    default: "off",
    kind: Kind::Real(0.0, 1.0, &["off"]),
    help: "the same with means of moves that follow another (in place of mast)",
};
const GOALS: Parameter = Parameter {
    name: "goals",
    default: "win",
    kind: Kind::Choice(&["win", "two"]),
    help: "numbers for winning, or also for at least drawing; then moves are ranked by both",
};
const NUMBERS: Parameter = Parameter {
    name: "numbers",
    default: "goal",
    kind: Kind::Choice(&["goal", "player"]),
    help: "proof and disproof number of a goal, or a proof number for each player's win",
};
const PROVE: Parameter = Parameter {
    name: "prove",
    default: "off",
    kind: Kind::Real(0.0, 0.9, &["off"]),
    help: "share of the simulations that go to a df-pn search of the position beside the tree; half where a proof is asked for",
};

/// What `mcts` takes.
pub(crate) static MCTS: [Parameter; 15] =
    [C, EXPAND, FINAL, SOLVER, FIRST, DECISIVE, REUSE, RAVE, REFERENCE, DOUBT, MAST, NST, PROVE, GROW, PLAYOUTS];
/// What `pn-mcts` takes.
#[rustfmt::skip]
pub(crate) static PN_MCTS: [Parameter; 23] = [
    C, PN, NORM, EXPAND, FINAL, SOLVER, FIRST, DECISIVE, REUSE, RAVE, REFERENCE, DOUBT, MAST, NST, DECAY, BIAS, FADE,
    WIDE, GOALS, NUMBERS, PROVE, GROW, PLAYOUTS,
];
/// What `plyproof` takes: the same with the best values known as defaults.
pub(crate) static PLYPROOF_PARAMETERS: [Parameter; 23] = [
    with_default(C, "auto"),
    with_default(PN, "1"),
    NORM,
    with_default(EXPAND, "auto"),
    with_default(FINAL, "safe"),
    with_default(SOLVER, "0"),
    with_default(FIRST, "urgency"),
    with_default(DECISIVE, "both"),
    with_default(REUSE, "on"),
    with_default(RAVE, "auto"),
    REFERENCE,
    with_default(DOUBT, "2000"),
    MAST,
    NST,
    with_default(DECAY, "50"),
    BIAS,
    with_default(FADE, "100"),
    with_default(WIDE, "100"),
    GOALS,
    NUMBERS,
    with_default(PROVE, "0.05"),
    with_default(GROW, "5000"),
    with_default(PLAYOUTS, "auto"),
];
