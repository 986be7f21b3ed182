//! "Why this move": the terms of the formula by which a search chooses where to go next.

use plyproof_lab::{AGENTS, Agent, Params, Spec, TextReport};

/// The constants of UCT-PN as an agent has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Formula {
    c: f64,
    /// The weight of the rank; 0 for plain UCT.
    c_pn: f64,
    /// Ranks are divided by the number of children instead of the worst rank.
    by_children: bool,
}

impl Formula {
    /// The formula of an agent; none if it does not go by UCT, or by a form of it that these terms do not tell.
    pub(crate) fn of(agent: &Agent) -> Option<Self> {
        let described = AGENTS.iter().find(|described| described.name == agent.name())?;
        let params = Params::resolve(described, &Spec::parse(&agent.to_string()).ok()?).ok()?;
        let has = |name: &str| described.parameters.iter().any(|parameter| parameter.name == name);
        if !has("c") {
            return None;
        }
        let c = match params.text("c") {
            "sqrt2" => std::f64::consts::SQRT_2,
            _ => params.real("c")?,
        };
        let c_pn = if has("pn") { params.real("pn")? } else { 0.0 };
        Some(Self { c, c_pn, by_children: has("norm") && params.text("norm") == "children" })
    }

    /// Mean, exploration and rank term of each move, in the order of the report; none where the formula does not
    /// apply yet, because some move was not visited.
    pub(crate) fn terms(self, report: &TextReport) -> Vec<Option<[f64; 3]>> {
        let parent: u64 = report.moves.iter().map(|found| found.visits).sum();
        let all_visited = report.moves.iter().all(|found| found.visits > 0);
        let worst = report.moves.iter().filter_map(|found| found.rank).max().unwrap_or(1);
        let divisor = if self.by_children { report.moves.len() as f64 } else { f64::from(worst) };
        let of = |found: &plyproof_lab::TextMove| {
            let explore = self.c * ((parent as f64).ln().max(0.0) / found.visits as f64).sqrt();
            let bonus = found.rank.map_or(0.0, |rank| self.c_pn * (1.0 - f64::from(rank) / divisor));
            all_visited.then_some([found.mean, explore, bonus])
        };
        report.moves.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use plyproof_lab::{Budget, open};

    use super::*;

    fn formula(agent: &str) -> Option<Formula> {
        Formula::of(&Agent::parse(agent).expect("an agent"))
    }

    #[test]
    fn constants_are_those_of_the_agent() {
        let root2 = std::f64::consts::SQRT_2;
        assert_eq!(formula("mcts(c=0.7)"), Some(Formula { c: 0.7, c_pn: 0.0, by_children: false }));
        assert_eq!(formula("pn-mcts(pn=2,norm=children)"), Some(Formula { c: root2, c_pn: 2.0, by_children: true }));
        assert_eq!((formula("df-pn"), formula("random")), (None, None));
    }

    /// The example worked out in docs/algorithms.md.
    #[test]
    fn terms_are_those_worked_out_by_hand() {
        let game = open("mnk(m=2,n=2,k=2)").expect("a game");
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
        report.moves[2].visits = 0;
        assert!(formula("pn-mcts").expect("UCT-PN").terms(&report).iter().all(Option::is_none));
    }
}
