//! What the paper prints, from `plans/paper.toml`.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::matches::stats::normal95_error;

/// Every figure of the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Simulations a second.
    pub speed: Vec<PaperSpeed>,
    result: Vec<Source>,
}

/// Simulations a second in one game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperSpeed {
    /// The game.
    pub label: String,
    /// Of PN-MCTS.
    pub pn_mcts: f64,
    /// Of MCTS.
    pub mcts: f64,
    /// The first divided by the second.
    pub ratio: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    experiment: String,
    source: String,
    #[serde(default = "usual_games")]
    games: u32,
    cells: Vec<Printed>,
}

const fn usual_games() -> u32 {
    250
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Printed {
    id: String,
    win_rate: Option<f64>,
    error: Option<f64>,
    says: Option<String>,
}

/// What the paper prints about one cell. Rates and errors are in percent.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperCell {
    /// The win rate without draws, if it gives one.
    pub win_rate: Option<f64>,
    /// Half the width of its normal 95 % interval: printed, or computed in the same way from its games.
    pub error: Option<f64>,
    /// What it says instead of a number.
    pub says: Option<String>,
    /// Games behind it.
    pub games: u32,
    /// Where it stands.
    pub source: String,
}

impl PaperCell {
    /// The ends of the interval in percent.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (rate, error) = (self.win_rate?, self.error?);
        Some(((rate - error).max(0.0), (rate + error).min(100.0)))
    }
}

impl Paper {
    /// What is printed about a cell of an experiment.
    pub fn cell(&self, experiment: &str, id: &str) -> Option<PaperCell> {
        self.cells(experiment).into_iter().find(|(known, _)| known == id).map(|(_, cell)| cell)
    }

    /// Everything printed about an experiment, with the identities of the cells.
    pub fn cells(&self, experiment: &str) -> Vec<(String, PaperCell)> {
        let mut cells = Vec::new();
        for source in self.result.iter().filter(|source| source.experiment == experiment) {
            for printed in &source.cells {
                let games = f64::from(source.games);
                let computed = || Some(100.0 * normal95_error(printed.win_rate? / 100.0 * games, games)?);
                cells.push((
                    printed.id.clone(),
                    PaperCell {
                        win_rate: printed.win_rate,
                        error: printed.error.or_else(computed),
                        says: printed.says.clone(),
                        games: source.games,
                        source: source.source.clone(),
                    },
                ));
            }
        }
        cells
    }
}

/// The paper's figures.
///
/// # Panics
/// Never: the file is part of the program, and a test reads it.
pub fn paper() -> &'static Paper {
    static PAPER: OnceLock<Paper> = OnceLock::new();
    PAPER.get_or_init(|| {
        let text = include_str!("../../plans/paper.toml");
        toml::from_str(text).unwrap_or_else(|error| panic!("plans/paper.toml: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::sweep::Options;

    #[test]
    fn every_figure_of_the_paper_belongs_to_a_cell_that_is_played() {
        for experiment in Experiment::ALL {
            let cells = paper().cells(experiment.name());
            let Some(plan) = experiment
                .sweep_plan(&plyproof_engine::Registry::builtin(), &Options::default())
                .expect("a sound plan")
            else {
                assert!(cells.is_empty());
                continue;
            };
            assert!(!cells.is_empty(), "{}", experiment.name());
            for (place, (id, _)) in cells.iter().enumerate() {
                assert!(plan.cells.iter().any(|cell| cell.id == *id), "{}: {id}", experiment.name());
                assert!(cells[..place].iter().all(|(other, _)| other != id), "{}: {id} twice", experiment.name());
            }
        }
        let known: usize = Experiment::ALL.iter().map(|experiment| paper().cells(experiment.name()).len()).sum();
        assert_eq!(
            known,
            paper().result.iter().map(|source| source.cells.len()).sum::<usize>(),
            "an unknown experiment"
        );
    }

    #[test]
    fn printed_intervals_are_those_of_250_games_and_missing_ones_are_computed_alike() {
        for experiment in Experiment::ALL {
            for (id, cell) in paper().cells(experiment.name()) {
                let (Some(rate), Some(error)) = (cell.win_rate, cell.error) else {
                    assert!(cell.says.is_some(), "{id} says nothing");
                    continue;
                };
                let p = rate / 100.0;
                let computed = 196.0 * (p * (1.0 - p) / f64::from(cell.games)).sqrt();
                assert!((computed - error).abs() < 0.011, "{id}: {error}, not {computed}");
            }
        }
        let peak = paper().cell("pn-parameter", "LOA 7x7 pn=2").and_then(|cell| cell.interval()).expect("a peak");
        assert!((peak.0 - 87.7).abs() < 0.05 && (peak.1 - 94.7).abs() < 0.05, "{peak:?}");
    }

    #[test]
    fn printed_ratios_are_those_of_the_printed_speeds() {
        for speed in &paper().speed {
            assert!((speed.pn_mcts / speed.mcts - speed.ratio).abs() < 0.006, "{speed:?}");
        }
    }
}
