//! The switches of Monte-Carlo tree search: their names and values, and the plain data into which they are read.

mod agents;
mod parameters;
mod resolve;

use crate::evaluation::BestUse;
use crate::search::select::Fade;
use crate::search::tree::Head;
use crate::spec::Params;

#[cfg(test)]
pub(crate) use agents::bare;
pub(crate) use agents::{FORMER_NAMES, GPN_MCTS, MCTS, MCTS_SOLVER, NAMED, PLYPROOF, PN_MCTS, PN_MCTS_FSU};
pub(crate) use parameters::{eval, threads};

/// Visits of the root for each play-out of a visit where their number grows, and the largest number.
const VISITS_A_PLAYOUT: u32 = 500;
const MOST_PLAYOUTS: u32 = 8;
/// Monte-Carlo tree search with all its switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mcts {
    /// The exploration constant C.
    pub c: Exploration,
    /// The visits of the parent from which on exploration grows with them.
    pub grow: Option<f32>,
    /// The visit at which a node is opened: 1 before its first play-out, 2 when it is reached again; or by the budget.
    pub expand: Option<u32>,
    /// Proof numbers in the tree and what they do; none is plain MCTS.
    pub proof: Option<Proof>,
    /// Which move is played in the end.
    pub choice: FinalMove,
    /// Exact values in the tree; decided children are skipped once they have more visits than this.
    pub solver: Option<u32>,
    /// What happens to children not visited so far.
    pub first: First,
    /// Whether a search goes on with the tree of the one before.
    pub reuse: bool,
    /// The k of all-moves-as-first values in the choice.
    pub rave: Option<f64>,
    /// Whether that is for the position to say.
    pub rave_auto: bool,
    /// Visits from which on a node's own such values count; below, those of a node above.
    pub reference: u32,
    /// Lost simulations with which remote moves begin in those values.
    pub virtual_losses: u32,
    /// How many play-outs a visit makes, and whether that is for the position to say.
    pub playouts: Playouts,
    pub playouts_auto: bool,
    /// What play-outs go by, if they do not just draw moves.
    pub policy: Option<Policy>,
    /// Moves that win at once, or keep the opponent from it, alone in the tree.
    pub decisive_tree: bool,
    /// The same in play-outs.
    pub decisive_playouts: bool,
    /// The share of the simulations that a df-pn search of the root gets.
    pub prove: Option<f64>,
    /// Whether an evaluation takes the place of play-outs, and the k of its values in the choice.
    pub judged: Option<f64>,
    /// The search that uses the evaluation; none if that is for the evaluation to say.
    pub search: Option<BestUse>,
}

/// How many play-outs a visit makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Playouts {
    Always(u32),
    /// More, the more visits the root has.
    Growing,
}

impl Playouts {
    /// How many while the root has so many visits.
    #[inline(always)]
    pub(crate) fn at(self, visits: u32) -> u32 {
        match self {
            Self::Always(playouts) => playouts,
            Self::Growing => (visits / VISITS_A_PLAYOUT).clamp(1, MOST_PLAYOUTS),
        }
    }
}

/// What play-outs go by; with the chance of a random move nevertheless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Policy {
    /// The mean of each move over all simulations.
    Mast(f64),
    /// The same, and that of each move after another.
    Nst(f64),
}

impl Policy {
    pub(crate) fn epsilon(self) -> f64 {
        let (Self::Mast(epsilon) | Self::Nst(epsilon)) = self;
        epsilon
    }
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
    /// How numbers become a bonus.
    pub bias: Bias,
    /// How the bonus of a child fades with its own visits; as exploration does, it is also scaled by that.
    pub fade: Fade,
    /// Children above which there is no bonus.
    pub wide: Option<usize>,
    /// A second pair of numbers for "at least draws"; children are ranked by both.
    pub two_goals: bool,
    /// A proof number for each player instead of proof and disproof number of one goal.
    pub players: bool,
}

/// How the numbers of siblings become a bonus from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bias {
    Rank,
    Max,
    Sum,
    Log,
    Exp,
    /// By a [`SelectionBonus`](crate::search::SelectionBonus) of the agent.
    Own,
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

/// Weights of the rank by the visits of the parent, worked out before a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fading {
    proof: Option<Proof>,
    table: Vec<f64>,
    /// What a child keeps of its bonus that was visited once.
    pub(crate) once: f64,
}

impl Fading {
    pub(crate) fn prepare(&mut self, proof: Option<Proof>) {
        if self.proof != proof {
            self.proof = proof;
            self.once = proof.map_or(1.0, |proof| proof.fade.share(1.0).into());
            self.table.clear();
            self.table.extend(proof.iter().flat_map(|proof| (0..2048).map(|visits| proof.weight(visits))));
        }
    }

    #[inline(always)]
    pub(crate) fn weight(&self, proof: &Proof, visits: u32) -> f64 {
        self.table.get(visits as usize).copied().unwrap_or_else(|| proof.weight(visits))
    }
}

impl Norm {
    /// What the ranks of these children are divided by.
    #[inline(always)]
    pub(crate) fn of(self, head: &Head) -> f32 {
        match self {
            Self::Rank => head.worst_rank as f32,
            Self::Children => head.children as f32,
        }
    }
}

impl Proof {
    /// The most children of a node at which their ranks have a say.
    pub(crate) fn ranks_up_to(&self) -> usize {
        if matches!(self.bias, Bias::Rank | Bias::Own) && self.c_pn > 0.0 { self.wide.unwrap_or(usize::MAX) } else { 0 }
    }

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
    /// Reads the parameters. What an agent does not offer is as its name fixes it, or else off.
    pub(crate) fn from_params(params: &Params, fixed: &[(&str, &'static str)]) -> Self {
        let has = |name: &str| params.described().parameters.iter().any(|p| p.name == name);
        let text = |name: &str| match fixed.iter().find(|pair| pair.0 == name) {
            Some(pair) => pair.1,
            None if has(name) => params.text(name),
            None => "off",
        };
        let real = |name: &str| text(name).parse::<f64>().ok();
        let decisive = text("decisive");
        let c = match text("c") {
            "auto" => Exploration::Auto,
            _ => Exploration::Fixed(real("c").unwrap_or(std::f64::consts::SQRT_2)),
        };
        let proof = real("pn").map(|c_pn| Proof {
            c_pn,
            norm: if text("norm") == "children" { Norm::Children } else { Norm::Rank },
            decay: real("parent_k"),
            bias: match text("bias") {
                "max" => Bias::Max,
                "sum" => Bias::Sum,
                "log" => Bias::Log,
                "exp" => Bias::Exp,
                _ => Bias::Rank,
            },
            fade: match (text("child_k"), real("child_k")) {
                ("explore", _) => Fade::Explore,
                (_, Some(k)) => Fade::Slowly(1.0 / k as f32),
                _ => Fade::Never,
            },
            wide: real("bonus_max_moves").map(|wide| wide as usize),
            // Each player's numbers know draws by themselves.
            two_goals: text("goals") == "two" && text("numbers") != "player",
            players: text("numbers") == "player",
        });
        let solver = real("solver").map(|visits| visits as u32);
        // The solver knows every proof that the numbers know. Without weight they would be kept for nothing.
        let idle = solver.is_some();
        Self {
            c,
            grow: real("grow").map(|k| k as f32),
            expand: real("expand").map(|visit| visit as u32),
            proof: proof.filter(|proof| proof.c_pn > 0.0 || !idle),
            choice: match text("final") {
                "robust" => FinalMove::Robust,
                "safe" => FinalMove::Safe,
                _ => FinalMove::Proven,
            },
            solver,
            first: if text("first") == "urgency" { First::Urgency } else { First::Random },
            reuse: text("reuse") == "on",
            rave: real("rave"),
            rave_auto: text("rave") == "auto",
            reference: real("ref").map_or(0, |visits| visits as u32),
            virtual_losses: real("virtual_losses").map_or(0, |losses| losses as u32),
            playouts: Playouts::Always(real("playouts").map_or(1, |playouts| playouts as u32)),
            playouts_auto: text("playouts") == "auto",
            policy: real("nst").map(Policy::Nst).or(real("mast").map(Policy::Mast)),
            decisive_tree: matches!(decisive, "tree" | "both"),
            decisive_playouts: matches!(decisive, "playouts" | "both"),
            prove: real("prove").filter(|&share| share > 0.0),
            judged: None,
            search: match text("search") {
                "auto" => None,
                "alpha-beta" => Some(BestUse::AlphaBeta),
                _ => Some(BestUse::Tree),
            },
        }
    }

    /// Whether a node has more children than numbers can tell apart, or there is no such limit.
    fn is_wide(&self, children: usize) -> bool {
        self.proof.and_then(|proof| proof.wide).is_none_or(|wide| children > wide)
    }

    /// The same search with a bonus of the agent's own. Proof numbers are kept for it to look at.
    pub(crate) fn with_own_bonus(self) -> Self {
        let proof = self.proof.unwrap_or(Proof { c_pn: 1.0, ..PLAIN });
        Self { proof: Some(Proof { bias: Bias::Own, ..proof }), ..self }
    }

    /// The exploration constant at a node with so many children and visits.
    ///
    /// A constant that is small because there are many children finds the good ones soon, and then clings to them; with
    /// many visits there is time to look at the others.
    pub(crate) fn exploration(&self, children: usize, visits: u32) -> f32 {
        let c = self.c.at(children);
        match self.grow {
            Some(k) if visits as f32 > k && self.is_wide(children) => {
                (c * (visits as f32 / k).sqrt()).min(c.max(std::f32::consts::SQRT_2))
            }
            _ => c,
        }
    }

    /// Whether the moves of play-outs must be known.
    #[inline(always)]
    pub(crate) fn records(&self) -> bool {
        self.rave.is_some() || self.policy.is_some()
    }

    /// Whether the moves that finish the game must be known when a node is opened.
    pub(crate) fn tests_ends(&self) -> bool {
        self.proof.is_some() || self.solver.is_some() || self.decisive_tree
    }

    /// Whether this is MCTS or PN-MCTS as published, which has a simulation of its own without any look at the rest.
    pub(crate) fn is_plain(&self) -> bool {
        let plain_proof = |proof: Proof| Proof { c_pn: 0.0, norm: Norm::Rank, ..proof } == PLAIN;
        matches!(self.c, Exploration::Fixed(_))
            && self.grow.is_none()
            && self.proof.is_none_or(plain_proof)
            && self.solver.is_none()
            && self.first == First::Random
            && self.judged.is_none()
            && !self.reuse
            && !self.records()
            && self.playouts == Playouts::Always(1)
            && !self.decisive_tree
            && !self.decisive_playouts
            && self.prove.is_none()
    }
}

/// Proof numbers without any switch.
const PLAIN: Proof = Proof {
    c_pn: 0.0,
    norm: Norm::Rank,
    decay: None,
    bias: Bias::Rank,
    fade: Fade::Never,
    wide: None,
    two_goals: false,
    players: false,
};

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
        let fading = Proof { c_pn: 0.5, decay: Some(300.0), ..PLAIN };
        // sqrt(300 / (300 + 900)) = 1/2.
        assert_eq!((fading.weight(0), fading.weight(900)), (0.5, 0.25));
        assert_eq!(Proof { decay: None, ..fading }.weight(900), 0.5);
        let mut table = Fading::default();
        for proof in [fading, Proof { decay: Some(5.0), ..fading }] {
            table.prepare(Some(proof));
            assert!([0, 900, 5000].into_iter().all(|n| table.weight(&proof, n) == proof.weight(n)), "{proof:?}");
        }
    }

    #[test]
    fn a_visit_has_more_playouts_the_more_visits_the_root_has() {
        let growing = |visits| Playouts::Growing.at(visits);
        assert_eq!([0, 999, 1000, 4000, 1_000_000].map(growing), [1, 1, 2, 8, 8]);
        assert_eq!(Playouts::Always(3).at(1_000_000), 3);
    }
}
