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
    kind: Kind::Choice(&["unit", "mobility", "reply"]),
    help: "numbers of a new leaf: 1 and 1; by the number of its siblings; by the moves its mover had before",
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
const BONUS: Parameter = Parameter {
    name: "bonus",
    default: "all",
    kind: Kind::Choice(&["all", "unvisited", "value"]),
    help: "who gets it: all; only unvisited moves (with first=urgency); all, scaled by their mean",
};
const NEAR: Parameter = Parameter {
    name: "near",
    default: "off",
    kind: Kind::Real(0.0, 1e12, &["off"]),
    help: "K of a bonus scaled by K/(K + least number of the moves): little where a proof is far",
};
const WIDE: Parameter = Parameter {
    name: "wide",
    default: "off",
    kind: Kind::Real(1.0, 1e9, &["off"]),
    help: "moves above which there is no bonus: where there are so many, the numbers say little",
};
const FRESH: Parameter = Parameter {
    name: "fresh",
    default: "rank",
    kind: Kind::Real(0.0, 1.0, &["rank"]),
    help: "share of the bonus for an unvisited move that competes: by its rank, or this much",
};
const WEAK: Parameter = Parameter {
    name: "weak",
    default: "off",
    kind: Kind::Choice(&["off", "on"]),
    help: "weak proof numbers: the largest number, and one for each other move, where others add up",
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
const BANDIT: Parameter = Parameter {
    name: "bandit",
    default: "off",
    kind: Kind::Choice(&["off", "on"]),
    help: "a bandit turns the bonus on or off for each simulation, by the results at the root",
};
const UNVISITED: Parameter = Parameter {
    name: "unvisited",
    default: "zero",
    kind: Kind::Choice(&["zero", "parent"]),
    help: "value of an unvisited move that competes (first=urgency): 0, or the mean of its parent",
};
const LESS: Parameter = Parameter {
    name: "less",
    default: "0",
    kind: Kind::Real(0.0, 2.0, &[]),
    help: "how much less than that an unvisited move is taken to be worth",
};
const PROVE: Parameter = Parameter {
    name: "prove",
    default: "off",
    kind: Kind::Real(0.0, 0.9, &["off"]),
    help: "share of the simulations that go to a df-pn search of the position beside the tree; half where a proof is asked for",
};

/// What `mcts` takes.
pub(crate) static MCTS: [Parameter; 17] = [
    C, EXPAND, FINAL, SOLVER, FIRST, DECISIVE, UNVISITED, LESS, REUSE, RAVE, REFERENCE, DOUBT, MAST, NST, PROVE, GROW,
    PLAYOUTS,
];
/// What `pn-mcts` takes.
#[rustfmt::skip]
pub(crate) static PN_MCTS: [Parameter; 31] = [
    C, PN, NORM, EXPAND, FINAL, SOLVER, FIRST, DECISIVE, UNVISITED, LESS, REUSE, RAVE, REFERENCE, DOUBT, MAST, NST,
    DECAY, LEAF, BIAS, FADE, BONUS, NEAR, WIDE, FRESH, WEAK, GOALS, NUMBERS, BANDIT, PROVE, GROW, PLAYOUTS,
];
/// What `plyproof` takes: the same with the best values known as defaults.
pub(crate) static PLYPROOF_PARAMETERS: [Parameter; 31] = [
    with_default(C, "auto"),
    with_default(PN, "1"),
    NORM,
    with_default(EXPAND, "auto"),
    with_default(FINAL, "safe"),
    with_default(SOLVER, "0"),
    with_default(FIRST, "urgency"),
    with_default(DECISIVE, "both"),
    UNVISITED,
    LESS,
    with_default(REUSE, "on"),
    with_default(RAVE, "auto"),
    REFERENCE,
    with_default(DOUBT, "2000"),
    MAST,
    NST,
    with_default(DECAY, "50"),
    LEAF,
    BIAS,
    with_default(FADE, "100"),
    BONUS,
    NEAR,
    with_default(WIDE, "100"),
    FRESH,
    WEAK,
    GOALS,
    NUMBERS,
    BANDIT,
    with_default(PROVE, "0.05"),
    with_default(GROW, "5000"),
    with_default(PLAYOUTS, "auto"),
];
