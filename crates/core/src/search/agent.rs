//! Agents by name, as in `mcts(c=0.7)` or `pn-mcts(pn=2)`: plain data that prints as its shortest specification.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::game::TextError;
use crate::search::alphabeta::{AlphaBeta, Estimate, Order};
use crate::search::bonus::{OwnBonus, SelectionBonus};
use crate::search::budget::Budget;
use crate::search::dfpn::{Dfpn, Leaf};
use crate::search::switches::{
    FORMER_NAMES, GPN_MCTS, MCTS, MCTS_SOLVER, Mcts, NAMED, PLYPROOF, PN_MCTS, PN_MCTS_FSU, eval, threads,
};
use crate::spec::{Described, Description, Kind, Params, Spec, unknown_name};

/// A configured search, ready to run on any game.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    params: Params,
    method: Method,
    /// What a program added to it, and under which name.
    own: Option<OwnBonus>,
}

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    /// A uniformly random legal move.
    Random,
    /// Exact values by exhausting every position that can be reached.
    Minimax,
    /// Best-first proof-number search, on two levels if true.
    Pns { two_levels: bool },
    /// Depth-first proof-number search with a transposition table.
    Dfpn(Dfpn),
    /// Depth-first alpha-beta search with a transposition table.
    AlphaBeta(AlphaBeta),
    /// Monte-Carlo tree search in all its forms.
    Mcts(Mcts),
    /// df-pn and alpha-beta with their default settings.
    Both,
}

static RANDOM: Description =
    Description::new(|| Described::new("random", "Random moves", "Plays a uniformly random legal move.").into());
static PNS: Description = Description::new(|| {
    let summary = "Best-first proof-number search for a win of the player to move; a simulation is an expansion.";
    Described::new("pns", "Proof-number search", summary).into()
});
static PN2: Description = Description::new(|| {
    let summary = "Proof-number search on two levels: a second search at every leaf, which keeps only the numbers of its children.";
    Described::new("pn2", "PN²", summary).into()
});
static DFPN: Description = Description::new(|| {
    let summary =
        "Depth-first proof-number search with a transposition table: the exact value, by one or two questions.";
    Described::new("df-pn", "Depth-first proof-number search", summary)
        .parameter(
            "epsilon",
            "0.25",
            Kind::real(0.0, 100.0, &[]),
            "by which fraction the best child may become worse than the second best before the search turns to that one",
        )
        .parameter(
            "leaf",
            "auto",
            Kind::choice(&["auto", "unit", "mobility"]),
            "numbers of a new leaf: unit: 1 and 1; mobility: by the number of its siblings; auto: mobility where it was right for the parent",
        )
        .parameter(
            "sum",
            "weak",
            Kind::choice(&["full", "weak"]),
            "full: the sum of the children's numbers; weak: the largest number plus one for each other open child",
        )
        .parameter(
            "threats",
            "on",
            Kind::choice(&["on", "off"]),
            "moves that let the opponent win at once count as lost without a search, in games that can detect such threats",
        )
        .parameter(
            "symmetry",
            "on",
            Kind::choice(&["on", "off"]),
            "images of a position count as one position, where the game has fast keys for that",
        )
        .parameter(
            "knowledge",
            "on",
            Kind::choice(&["on", "off"]),
            "what a game can tell of a position without search decides it or limits its moves",
        )
        .with([threads()])
        .into()
});
static ALPHA_BETA: Description = Description::new(|| {
    let summary = "Alpha-beta search with a transposition table and symmetric keys: the exact value, by one or two questions; as a player by iterative deepening.";
    let orders = [
        "auto",
        "replies-chance",
        "outlook-chance",
        "replies-history",
        "outlook-history",
        "killers-history",
        "history",
    ];
    Described::new("alpha-beta", "Alpha-beta", summary)
        .parameter(
            "order",
            "auto",
            Kind::choice(&orders),
            "which moves come first: few replies, good outlook, good in other nodes, good in random games; auto tries all",
        )
        .parameter(
            "symmetry",
            "on",
            Kind::choice(&["on", "off"]),
            "images of a position share what is known of it, where the game has fast keys for that",
        )
        .parameter(
            "threats",
            "on",
            Kind::choice(&["on", "off"]),
            "moves that let the opponent win at once are lost without a look, where the game sees such threats",
        )
        .parameter(
            "estimate",
            "mixed",
            Kind::choice(&["mixed", "mobility", "playouts", "none"]),
            "what an unfinished position is worth at the end of a line when playing: by numbers of moves, by eight play-outs, by both, or nothing",
        )
        .parameter(
            "knowledge",
            "on",
            Kind::choice(&["on", "off"]),
            "what a game can tell of a position without search decides it or limits its moves",
        )
        .with([eval(), threads()])
        .into()
});
static PORTFOLIO: Description = Description::new(|| {
    let summary = "df-pn and alpha-beta together: in turns with one thread, side by side with several.";
    Described::new("portfolio", "Portfolio of solvers", summary).with([threads()]).into()
});
static MINIMAX: Description = Description::new(|| {
    let summary = "Exact values from all reachable positions, for small games; endless play is a draw.";
    Described::new("minimax", "Minimax", summary).into()
});

/// Every agent there is.
pub static AGENTS: LazyLock<Vec<Arc<Described>>> = LazyLock::new(|| {
    let trees = [&PLYPROOF, &MCTS, &MCTS_SOLVER, &PN_MCTS, &PN_MCTS_FSU, &GPN_MCTS];
    let others = [&PORTFOLIO, &DFPN, &ALPHA_BETA, &PNS, &PN2, &MINIMAX, &RANDOM];
    trees.iter().map(|named| &named.described).chain(others.into_iter().map(|other| &**other)).cloned().collect()
});

impl Agent {
    /// Reads `name(param=value,…)`. Former names of parameters are read as the present ones.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut spec = Spec::parse(text)?;
        let described = AGENTS.iter().find(|d| d.name == spec.name);
        let described =
            described.ok_or_else(|| unknown_name("agent", &spec.name, AGENTS.iter().map(|d| d.name.as_str())))?;
        for name in spec.arguments.iter_mut().filter_map(|(name, _)| name.as_mut()) {
            let present = FORMER_NAMES.iter().find(|(former, _)| former == name).map(|(_, present)| *present);
            if let Some(present) = present.filter(|present| described.parameters.iter().any(|p| p.name == *present)) {
                *name = present.to_string();
            }
        }
        let params = Params::resolve(described, &spec)?;
        let method = match described.name.as_str() {
            "random" => Method::Random,
            "minimax" => Method::Minimax,
            "pns" => Method::Pns { two_levels: false },
            "pn2" => Method::Pns { two_levels: true },
            "df-pn" => Method::Dfpn(Dfpn {
                epsilon: params.real("epsilon").unwrap_or(0.25),
                leaf: match params.text("leaf") {
                    "unit" => Leaf::Unit,
                    "mobility" => Leaf::Mobility,
                    _ => Leaf::Auto,
                },
                weak: params.text("sum") == "weak",
                threats: params.text("threats") == "on",
                symmetry: params.text("symmetry") == "on",
                knowledge: params.text("knowledge") == "on",
            }),
            "portfolio" => Method::Both,
            "alpha-beta" => Method::AlphaBeta(AlphaBeta {
                order: Order::ALL.iter().find(|(name, _)| *name == params.text("order")).map(|(_, order)| *order),
                symmetry: params.text("symmetry") == "on",
                threats: params.text("threats") == "on",
                estimate: Estimate::ALL
                    .iter()
                    .find(|(name, _)| *name == params.text("estimate"))
                    .map_or(AlphaBeta::DEFAULT.estimate, |(_, estimate)| *estimate),
                knowledge: params.text("knowledge") == "on",
            }),
            name => {
                let named = NAMED.iter().find(|named| named.described.name == name);
                Method::Mcts(Mcts::from_params(&params, named.map_or(&[], |named| named.fixed)))
            }
        };
        Ok(Self { params, method, own: None })
    }

    /// The name before the parenthesis.
    pub fn name(&self) -> &str {
        &self.params.described().name
    }

    /// The value of every parameter.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Which evaluation judges positions for the agent, if any: `auto` for the one that comes with the game, or the name
    /// of a file.
    pub fn evaluation(&self) -> Option<&str> {
        let offered = self.params.described().parameters.iter().any(|parameter| parameter.name == "eval");
        offered.then(|| self.params.text("eval")).filter(|&text| text != "off")
    }

    /// Whether it chooses where to search by a sum of terms, which reports then tell
    /// ([`MoveReport::terms`](crate::search::MoveReport::terms)): all Monte-Carlo tree searches do.
    pub fn adds_up_terms(&self) -> bool {
        matches!(self.method, Method::Mcts(_))
    }

    /// The same agent with another bonus in its selection, in place of the one by proof numbers. It prints as
    /// `pn-mcts+name`, so that a record says that it is not the agent that everybody has.
    ///
    /// Only for Monte-Carlo agents. Where the agent has no proof numbers, as `mcts`, they are kept from now on, and the
    /// weight of the bonus is 1.
    pub fn with_bonus(&self, name: &str, bonus: Arc<dyn SelectionBonus>) -> Result<Self, TextError> {
        let Method::Mcts(config) = self.method else {
            return Err(TextError::new(format!(
                "{} chooses by no formula; a bonus is for Monte-Carlo agents",
                self.name()
            )));
        };
        let labelled = self.with_label(name)?;
        let own = labelled.own.map(|own| OwnBonus { bonus: Some(bonus), ..own });
        Ok(Self { method: Method::Mcts(config.with_own_bonus()), own, ..labelled })
    }

    /// The same agent, printed as `mcts+name`: for a searcher with a play-out policy of its own.
    pub fn with_label(&self, name: &str) -> Result<Self, TextError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.is_empty() || !name.chars().all(fits) {
            return Err(TextError::expected(name, "a name of letters, digits, - and _"));
        }
        let bonus = self.own.as_ref().and_then(|own| own.bonus.clone());
        let name = self.own.as_ref().map_or(name.to_string(), |own| format!("{}+{name}", own.name));
        Ok(Self { own: Some(OwnBonus { name, bonus }), ..self.clone() })
    }

    /// How many threads search with this budget: those of the parameter `threads`, if it is given, else those of the
    /// budget; one where the agent has no such parameter.
    ///
    /// A searcher with a play-out policy of its own always uses one thread for a tree.
    pub fn threads(&self, budget: &Budget) -> usize {
        match self.method {
            Method::Dfpn(_) | Method::AlphaBeta(_) | Method::Mcts(_) | Method::Both => {
                self.own_threads().unwrap_or(budget.threads).max(1)
            }
            Method::Random | Method::Minimax | Method::Pns { .. } => 1,
        }
    }

    /// The value of the parameter `threads`, if it is a number.
    fn own_threads(&self) -> Option<usize> {
        let offered = self.params.described().parameters.iter().any(|parameter| parameter.name == "threads");
        offered.then(|| self.params.text("threads").parse().ok()).flatten()
    }

    /// The budget with the threads that the agent asks for, if it does.
    pub(crate) fn within(&self, budget: &Budget) -> Budget {
        Budget { threads: self.own_threads().unwrap_or(budget.threads).max(1), ..budget.clone() }
    }

    pub(crate) fn own_bonus(&self) -> Option<Arc<dyn SelectionBonus>> {
        self.own.as_ref().and_then(|own| own.bonus.clone())
    }

    pub(crate) fn method(&self) -> Method {
        self.method
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.params.fmt(f)?;
        self.own.iter().try_for_each(|own| write!(f, "+{}", own.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_print_back_in_their_shortest_form() {
        for (text, shortest) in [
            ("mcts", "mcts"),
            ("mcts(c=sqrt2)", "mcts"),
            ("mcts(c=0.70)", "mcts(c=0.7)"),
            ("pn-mcts(pn=1.0, norm=rank)", "pn-mcts"),
            ("pn-mcts(norm=children,pn=1000000)", "pn-mcts(pn=1e6,norm=children)"),
            ("pns()", "pns"),
        ] {
            assert_eq!(Agent::parse(text).expect(text).to_string(), shortest);
        }
        assert!(Agent::parse("mtcs").expect_err("unknown").to_string().contains("did you mean mcts?"));
        assert!(Agent::parse("mcts(pn=1)").expect_err("no pn").to_string().contains("its parameters are c, "));
        for near in ["cpn=2", "C_pn=2", "np=2"] {
            let error = Agent::parse(&format!("pn-mcts({near})")).expect_err(near).to_string();
            assert!(error.contains("(did you mean pn?): pn is ") && !error.contains("bandit"), "{error}");
        }
        assert!(Agent::parse("pn-mcts(pn=-1)").is_err());
    }
}
