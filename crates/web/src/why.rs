//! "Why this move": the terms of the formula by which a search chooses where to go next.

use plyproof_engine::{Agent, SearchReport};

/// UCT-PN as an agent has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Formula {
    /// The exploration constant; none goes by the number of children.
    c: Option<f64>,
    /// The weight of the rank; 0 for plain UCT.
    c_pn: f64,
    /// The K by which that weight fades with the visits of the parent.
    decay: Option<f64>,
    /// The K by which the rank term fades with the visits of the child.
    fade: Option<f64>,
    /// The rank term multiplies exploration.
    in_exploration: bool,
    /// Children above which there is no rank term.
    wide: Option<f64>,
    /// Ranks are divided by the number of children instead of the worst rank.
    by_children: bool,
    /// Unvisited moves compete as if visited once with value 0, instead of all being visited first.
    urgent: bool,
    /// Children above which other values may have a say, which are not told.
    told_up_to: f64,
}

/// Moves above which `rave=auto` is on.
const MANY: f64 = 100.0;

/// Switches that change the formula in ways the three terms do not tell, with the value that leaves it alone.
const UNTOLD: [(&str, &str); 3] = [("bias", "rank"), ("goals", "win"), ("numbers", "goal")];

impl Formula {
    /// The formula of an agent; none if it does not go by UCT, or by a form of it that these terms do not tell.
    pub(crate) fn of(agent: &Agent) -> Option<Self> {
        let params = agent.params();
        let has = |name: &str| params.described().parameters.iter().any(|parameter| parameter.name == name);
        let is = |name: &str, value: &str| has(name) && params.text(name) == value;
        if !has("c") || UNTOLD.iter().any(|(name, usual)| has(name) && !is(name, usual)) {
            return None;
        }
        let told_up_to = match () {
            () if !has("rave") || is("rave", "off") => f64::INFINITY,
            () if is("rave", "auto") => MANY,
            () => return None,
        };
        let c = match params.text("c") {
            "sqrt2" => Some(std::f64::consts::SQRT_2),
            "auto" => None,
            _ => Some(params.real("c")?),
        };
        let real = |name: &str| if has(name) { params.real(name) } else { None };
        let (by_children, urgent) = (is("norm", "children"), is("first", "urgency"));
        let (c_pn, decay, fade, wide) =
            (real("pn").unwrap_or(0.0), real("parent_k"), real("child_k"), real("bonus_max_moves"));
        Some(Self {
            c,
            c_pn,
            decay,
            fade,
            wide,
            in_exploration: is("child_k", "explore"),
            by_children,
            urgent,
            told_up_to,
        })
    }

    /// Whether the terms tell all where there are so many moves.
    pub(crate) fn tells(&self, moves: usize) -> bool {
        moves as f64 <= self.told_up_to
    }

    /// Mean, exploration and rank term of each move, in the order of the report; none where the formula does not
    /// apply yet, because some move was not visited, or does not tell all.
    pub(crate) fn terms(self, report: &SearchReport) -> Vec<Option<[f64; 3]>> {
        let (parent, children) =
            (report.moves.iter().map(|found| found.visits).sum::<u64>() as f64, report.moves.len() as f64);
        let visited = self.urgent || report.moves.iter().all(|found| found.visits > 0);
        let applies = visited && self.tells(report.moves.len());
        let worst = report.moves.iter().filter_map(|found| found.rank).max().unwrap_or(1);
        let divisor = if self.by_children { children } else { f64::from(worst) };
        let c = self.c.unwrap_or((3.0 / children.sqrt()).clamp(0.4, std::f64::consts::SQRT_2));
        let c_pn = if self.wide.is_some_and(|wide| children > wide) { 0.0 } else { self.c_pn };
        let weight = self.decay.map_or(c_pn, |decay| c_pn * (decay / (decay + parent)).sqrt());
        let of = |found: &plyproof_engine::MoveReport| {
            let visits = found.visits.max(1) as f64;
            let explore = c * (parent.ln().max(0.0) / visits).sqrt();
            let left = match self.fade {
                _ if self.in_exploration => explore,
                Some(k) => (k / (k + visits)).sqrt(),
                None => 1.0,
            };
            let bonus = found.rank.map_or(0.0, |rank| left * weight * (1.0 - f64::from(rank) / divisor));
            applies.then_some([found.mean, explore, bonus])
        };
        report.moves.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use plyproof_engine::{Budget, Registry};

    use super::*;

    fn formula(agent: &str) -> Option<Formula> {
        Formula::of(&Agent::parse(agent).expect("an agent"))
    }

    #[test]
    fn constants_are_those_of_the_agent() {
        let root2 = std::f64::consts::SQRT_2;
        let plain = Formula {
            c: Some(0.7),
            c_pn: 0.0,
            decay: None,
            fade: None,
            wide: None,
            in_exploration: false,
            by_children: false,
            urgent: false,
            told_up_to: f64::INFINITY,
        };
        assert_eq!(formula("mcts(c=0.7)"), Some(plain));
        let printed = Formula { c: Some(root2), c_pn: 2.0, by_children: true, ..plain };
        assert_eq!(formula("pn-mcts(pn=2,norm=children)"), Some(printed));
        let best = formula("plyproof(pn=0.3,parent_k=1000)").expect("UCT-PN");
        assert_eq!((best.c, best.c_pn, best.decay, best.urgent), (None, 0.3, Some(1000.0), true));
        assert_eq!((best.told_up_to, formula("plyproof(rave=50)")), (100.0, None), "RAVE has a say among more moves");
        assert_eq!((formula("df-pn"), formula("random"), formula("gpn-mcts")), (None, None, None));
    }

    /// The example worked out in docs/algorithms.md.
    #[test]
    fn terms_are_those_worked_out_by_hand() {
        let game = Registry::builtin().open("mnk(m=2,n=2,k=2)").expect("a game");
        let agent = Agent::parse("pn-mcts").expect("an agent");
        let mut report = game.search(&agent, &Budget::simulations(0), 1, &AtomicBool::new(false), &mut |_| {});
        for (found, (sum, visits, rank)) in
            report.moves.iter_mut().zip([(4.0, 8, 4), (2.0, 6, 1), (0.0, 4, 1), (-1.0, 2, 3)])
        {
            (found.visits, found.mean, found.rank) = (visits, sum / visits as f64, Some(rank));
        }
        let terms = formula("pn-mcts").expect("UCT-PN").terms(&report);
        let sums: Vec<String> =
            terms.iter().flatten().map(|terms| format!("{:.3}", terms.iter().sum::<f64>())).collect();
        assert_eq!(sums, ["1.365", "2.083", "1.974", "1.481"]);
        // Child 1 has 6 visits: sqrt(2 / (2 + 6)) = 1/2 of its 0.75 is left, or 0.999 of it in the exploration term.
        let bonus = |parameters: &str| {
            let agent = format!("plyproof(c=sqrt2,first=random,parent_k=off,{parameters})");
            formula(&agent).expect("UCT-PN").terms(&report)[1].map(|terms| terms[2])
        };
        assert_eq!(bonus("child_k=2"), Some(0.375));
        let wide = |most: u32| bonus(&format!("child_k=off,bonus_max_moves={most}"));
        assert_eq!((wide(3), wide(4)), (Some(0.0), Some(0.75)));
        assert!((bonus("child_k=explore").unwrap_or(0.0) - 0.75 * 0.9993).abs() < 1e-3);
        let few = Formula { told_up_to: 3.0, ..formula("pn-mcts").expect("UCT-PN") };
        assert!(few.terms(&report).iter().all(Option::is_none));
        report.moves[2].visits = 0;
        assert!(formula("pn-mcts").expect("UCT-PN").terms(&report).iter().all(Option::is_none));
    }
}
