//! Opponents from weak to strong, for people who play against the program.

use plyproof_engine::{Agent, Budget, TextError, quoted};

/// An opponent of a certain strength. Its moves depend on the position and the seed alone, not on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Counted from 1, the weakest.
    pub number: usize,
    /// The agent.
    pub agent: &'static str,
    /// Simulations for each move.
    pub simulations: u64,
}

const fn level(number: usize, agent: &'static str, simulations: u64) -> Level {
    Level { number, agent, simulations }
}

/// Every level. Each wins about three games of four against the one below it; `experiments/levels` has the measurements.
pub const LEVELS: [Level; 10] = [
    level(1, "random", 1),
    level(2, "mcts", 12),
    level(3, "mcts", 20),
    level(4, "mcts", 35),
    level(5, "plyproof(eval=off)", 9),
    level(6, "plyproof(eval=off)", 24),
    level(7, "plyproof(eval=off)", 65),
    level(8, "plyproof(eval=off)", 180),
    level(9, "plyproof(eval=off)", 550),
    level(10, "plyproof(eval=off)", 2000),
];

impl Level {
    /// The level that is meant, from `1` up.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let found = text.parse::<usize>().ok().and_then(|number| LEVELS.iter().find(|level| level.number == number));
        let most = LEVELS.len();
        found.copied().ok_or_else(|| TextError::new(format!("{} is not a level: expected 1 to {most}", quoted(text))))
    }

    /// The agent of this level.
    pub fn agent(self) -> Result<Agent, TextError> {
        Agent::parse(self.agent)
    }

    /// What it may use for a move.
    pub fn budget(self) -> Budget {
        Budget::simulations(self.simulations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_an_agent_and_more_simulations_than_one_of_the_same_agent_below() {
        for (place, level) in LEVELS.iter().enumerate() {
            assert_eq!(level.number, place + 1);
            assert_eq!(Level::parse(&level.number.to_string()), Ok(*level));
            level.agent().expect("a known agent");
        }
        let stronger = |two: &[Level]| two[0].agent != two[1].agent || two[0].simulations < two[1].simulations;
        assert!(LEVELS.windows(2).all(stronger));
        for text in ["0", "11", "", "-1", "easy"] {
            assert!(Level::parse(text).is_err(), "{text}");
        }
    }
}
