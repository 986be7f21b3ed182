//! The Monte-Carlo tree searches by name: one for each published algorithm, and the agent of this project.
//!
//! A name is a configuration of the search in [`mcts`](crate::search::mcts): defaults of its parameters, and settings
//! that the name fixes. It offers only the parameters that belong to its algorithm; `plyproof` offers all of them.

use std::sync::{Arc, LazyLock};

use super::parameters::{
    bias, bonus_max_moves, c, child_k, decisive, eval, expand, final_move, first, goals, grow, mast, norm, nst,
    numbers, parent_k, playouts, pn, prove, rave, reference, reuse, search, solver, solver_on, threads, virtual_losses,
};
use crate::spec::{Described, Parameter};

/// A named configuration.
pub(crate) struct Named {
    pub described: Arc<Described>,
    /// Settings that belong to the name, as names and values of parameters that the agent does not offer.
    pub fixed: &'static [(&'static str, &'static str)],
}

impl Named {
    fn new(
        name: &str,
        title: &str,
        summary: &str,
        parameters: impl IntoIterator<Item = Parameter>,
        fixed: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { described: Described::new(name, title, summary).with(parameters).into(), fixed }
    }
}

/// Basic Monte-Carlo tree search: UCT, one new node a simulation, uniformly random play-outs, the most visited move.
///
/// Kocsis and Szepesvári 2006 (UCT), Coulom 2006. Its parameters are the classical enhancements, all off: RAVE and GRAVE,
/// MAST and NST, decisive moves, first-play urgency, exact values, tree reuse, several play-outs at a leaf.
pub(crate) static MCTS: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "mcts",
        "MCTS",
        "Basic Monte-Carlo tree search: UCT, one new node and one random play-out per simulation, plays the most visited move.",
        [
            c(),
            expand(),
            final_move(),
            solver(),
            first(),
            decisive(),
            reuse(),
            rave(),
            reference(),
            mast(),
            nst(),
            playouts(),
            threads(),
        ],
        &[],
    )
});

/// MCTS-Solver: proven wins and losses are backed up as such, and no simulation is spent on a decided move.
///
/// Winands, Björnsson and Saito 2008, "Monte-Carlo tree search solver". The same as `mcts(solver=0,final=safe)`.
/// Two things differ from the paper. Draws are exact here as well, by the score bounds of Cazenave and Saffidine 2010. And
/// of the paper only the change of backpropagation and selection could be established; its choice of the final move could
/// not, so this agent takes `final=safe`: a proven win, else the most visited move that is not a proven loss.
pub(crate) static MCTS_SOLVER: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "mcts-solver",
        "MCTS-Solver",
        "MCTS-Solver (2008): mcts with exact wins, draws and losses in the tree.",
        [c(), expand(), final_move().with_default("safe"), solver_on(), threads()],
        &[],
    )
});

/// PN-MCTS as first published: proof and disproof numbers in the tree, whose rank is added to UCT.
///
/// Doe, Winands, Soemers and Browne 2022, "Combining Monte-Carlo tree search with proof-number search" (IEEE CoG).
/// `norm=rank` divides ranks by the worst rank given, as the formula is printed; the authors' released program divides by
/// the number of children, which is `norm=children`.
pub(crate) static PN_MCTS: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "pn-mcts",
        "PN-MCTS",
        "PN-MCTS (2022): MCTS with proof and disproof numbers in the tree, whose rank is added to the UCT formula.",
        [c(), pn(), norm(), expand(), final_move(), threads(), eval()],
        &[],
    )
});

/// PN-MCTS with all three uses of proof numbers: final move, solving subtrees, and UCT-PN.
///
/// Kowalski, Doe, Winands, Górski and Soemers 2024, "Proof number-based Monte-Carlo tree search" (IEEE Transactions on
/// Games). Each use can be turned off as in the paper's ablation: `final=robust`, `solver=off`, `pn=0`. `goals=two` is its
/// second layer of numbers, for "at least a draw".
///
/// The released program leaves a decided child alone after more than 5 visits (`solver=5`) and otherwise treats its value as
/// that of any other; the solver here also keeps exact bounds and means within them. Ranks with two goals go by the pair of
/// numbers; the released program shares ranks on the first number alone, so that its second layer never acts in selection.
pub(crate) static PN_MCTS_FSU: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "pn-mcts-fsu",
        "PN-MCTS with final move, solver and UCT-PN",
        "PN-MCTS (2024): proof numbers also choose the final move and solve subtrees; goals=two adds numbers for draws.",
        [c(), pn(), norm(), expand(), final_move(), solver().with_default("5"), goals(), threads()],
        &[],
    )
});

/// Generalized PN-MCTS: a proof number for each player, a bonus by formula, score bounds, tree reuse.
///
/// Kowalski, Soemers, Kosakowski and Winands 2025, "Generalized proof-number Monte-Carlo tree search" (arXiv 2506.13249).
/// The bonus formulas `max`, `sum` and `rank` are the paper's. It names no single best formula or weight (the best weight
/// lies between 0.1 and 5, by game and formula), so `bias=max,pn=1` is this project's choice; so are `final=safe` and
/// `first=random`, of which nothing could be established. `log` and `exp` are offered beside the paper's formulas.
pub(crate) static GPN_MCTS: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "gpn-mcts",
        "Generalized PN-MCTS",
        "Generalized PN-MCTS (2025): a proof number for each player, score bounds, and tree reuse.",
        [
            c(),
            pn(),
            expand(),
            final_move().with_default("safe"),
            solver().with_default("0"),
            reuse().with_default("on"),
            bias().with_default("max"),
            threads(),
        ],
        &[("numbers", "player")],
    )
});

/// The best configuration known of everything here.
///
/// No paper describes it as a whole; docs/algorithms.md describes each part, and experiments/strength what each is worth.
pub(crate) static PLYPROOF: LazyLock<Named> = LazyLock::new(|| {
    Named::new(
        "plyproof",
        "plyproof",
        "The default agent and best known configuration: pn-mcts with exact values and every parameter that pays.",
        [
            c().with_default("auto"),
            pn(),
            norm(),
            expand().with_default("auto"),
            final_move().with_default("safe"),
            solver().with_default("0"),
            first().with_default("urgency"),
            decisive().with_default("both"),
            reuse().with_default("on"),
            rave().with_default("auto"),
            reference(),
            virtual_losses().with_default("2000"),
            mast(),
            nst(),
            parent_k().with_default("50"),
            bias(),
            child_k().with_default("100"),
            bonus_max_moves().with_default("100"),
            goals(),
            numbers(),
            prove().with_default("0.05"),
            grow().with_default("5e3"),
            playouts().with_default("auto"),
            threads(),
            eval().with_default("auto"),
            search(),
        ],
        &[],
    )
});

/// All of them.
pub(crate) static NAMED: [&LazyLock<Named>; 6] = [&MCTS, &MCTS_SOLVER, &PN_MCTS, &PN_MCTS_FSU, &GPN_MCTS, &PLYPROOF];

/// Former names of parameters and what they are called now. Stored plans and records have the former names.
pub(crate) const FORMER_NAMES: [(&str, &str); 4] =
    [("doubt", "virtual_losses"), ("decay", "parent_k"), ("fade", "child_k"), ("wide", "bonus_max_moves")];

/// Every parameter of `plyproof` but the weight of the numbers, with the value that leaves it out.
#[cfg(test)]
const OFF: [(&str, &str); 25] = [
    ("c", "sqrt2"),
    ("norm", "rank"),
    ("expand", "2"),
    ("final", "proven"),
    ("solver", "off"),
    ("first", "random"),
    ("decisive", "off"),
    ("reuse", "off"),
    ("rave", "off"),
    ("ref", "0"),
    ("virtual_losses", "0"),
    ("mast", "off"),
    ("nst", "off"),
    ("parent_k", "off"),
    ("bias", "rank"),
    ("child_k", "off"),
    ("bonus_max_moves", "off"),
    ("goals", "win"),
    ("numbers", "goal"),
    ("prove", "off"),
    ("grow", "off"),
    ("playouts", "1"),
    ("threads", "auto"),
    ("eval", "off"),
    ("search", "tree"),
];

/// `plyproof` with nothing but what is given: PN-MCTS if nothing is. For tests of single parameters.
#[cfg(test)]
pub(crate) fn bare(more: &str) -> String {
    let has = |name: &str| more.split(',').any(|given| given.split_once('=').is_some_and(|(key, _)| key == name));
    let off = OFF.iter().filter(|(name, _)| !has(name)).map(|(name, value)| format!("{name}={value}"));
    let given = (!more.is_empty()).then(|| more.to_string());
    format!("plyproof({})", given.into_iter().chain(off).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Agent;
    use crate::search::agent::Method;

    fn config(text: &str) -> super::super::Mcts {
        let Method::Mcts(config) = Agent::parse(text).expect(text).method() else { panic!("{text} is no MCTS") };
        config
    }

    #[test]
    fn the_same_settings_are_the_same_search_under_every_name() {
        assert_eq!(OFF.len() + 1, PLYPROOF.described.parameters.len());
        for (named, more) in [
            (&MCTS_SOLVER, &[][..]),
            (&PN_MCTS, &[]),
            (&PN_MCTS, &[("pn", "0"), ("norm", "children")]),
            (&PN_MCTS_FSU, &[]),
            (&PN_MCTS_FSU, &[("pn", "0")]),
            (&PN_MCTS_FSU, &[("goals", "two"), ("solver", "off")]),
            (&GPN_MCTS, &[]),
            (&GPN_MCTS, &[("bias", "sum"), ("pn", "0")]),
        ] {
            let written = |(name, value): &(&str, &str)| format!("{name}={value}");
            let own = named.described.parameters.iter().map(|p| (p.name.as_str(), p.default.as_str()));
            let own = own.filter(|(name, _)| !more.iter().any(|given| given.0 == *name));
            let mut all: Vec<(&str, &str)> = own.chain(named.fixed.iter().chain(more).copied()).collect();
            if !all.iter().any(|(name, _)| *name == "pn") {
                all.push(("pn", "0"));
            }
            let all = bare(&all.iter().map(written).collect::<Vec<_>>().join(","));
            let short = more.iter().map(written).collect::<Vec<_>>().join(",");
            let short = format!("{}({short})", named.described.name);
            assert_eq!(config(&all), config(&short), "{short}");
        }
        assert_eq!(config("mcts(solver=0,final=safe)"), config("mcts-solver"));
    }

    #[test]
    fn every_named_agent_prints_back_as_its_name() {
        for named in NAMED {
            assert_eq!(Agent::parse(&named.described.name).expect("an agent").to_string(), named.described.name);
        }
        assert_eq!(Agent::parse("pn-mcts-fsu(goals=two)").expect("an agent").to_string(), "pn-mcts-fsu(goals=two)");
    }

    #[test]
    fn former_names_of_parameters_are_read_and_printed_as_the_present_ones() {
        for (former, present) in [
            (
                "plyproof(doubt=5,decay=7,fade=explore,wide=9)",
                "plyproof(virtual_losses=5,parent_k=7,child_k=explore,bonus_max_moves=9)",
            ),
            ("plyproof(wide=100)", "plyproof"),
        ] {
            assert_eq!(Agent::parse(former).expect(former).to_string(), present);
        }
        for (former, present) in FORMER_NAMES {
            let twice = Agent::parse(&format!("plyproof({former}=5,{present}=5)")).expect_err("given twice");
            assert!(twice.to_string().contains("given twice"), "{twice}");
            let none = Agent::parse(&format!("df-pn({former}=5)")).expect_err("no such parameter");
            assert!(none.to_string().contains(former), "the name that was written: {none}");
        }
    }
}
