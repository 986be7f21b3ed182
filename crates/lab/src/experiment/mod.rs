//! The experiments of the paper as shipped plans, their results beside the paper's, and their figures.
//!
//! Four of the five are sweeps; `overhead` measures speed. Their plans and the paper's figures are TOML files in
//! `plans/`, built into the program.

mod figures;
pub mod overhead;
mod paper;
mod table;

use std::path::{Path, PathBuf};

use plyproof_core::spec::unknown_name;
use plyproof_engine::{Registry, TextError};

use crate::plot::{Drawn, Figure, PlotError};
use crate::sweep::{Mode, Options, PlanError, Results, SweepError, SweepPlan, write_file};

pub use paper::{Paper, PaperCell, PaperSpeed, paper};

/// An experiment of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    /// Simulations a second with and without proof numbers.
    Overhead,
    /// Win rate by the weight of the proof numbers.
    PnParameter,
    /// Win rate by time a move.
    TimeSettings,
    /// Win rate in five games.
    Domains,
    /// The same number of simulations for both sides.
    FixedSimulations,
}

impl Experiment {
    /// Every experiment, in the paper's order.
    pub const ALL: [Self; 5] =
        [Self::Overhead, Self::PnParameter, Self::FixedSimulations, Self::TimeSettings, Self::Domains];

    /// Its name on the command line and in folders.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overhead => "overhead",
            Self::PnParameter => "pn-parameter",
            Self::TimeSettings => "time-settings",
            Self::Domains => "domains",
            Self::FixedSimulations => "fixed-simulations",
        }
    }

    /// The experiments meant by a name, `all` included.
    pub fn parse(name: &str) -> Result<Vec<Self>, TextError> {
        if name == "all" {
            return Ok(Self::ALL.to_vec());
        }
        let names = Self::ALL.iter().map(|experiment| experiment.name());
        let found = Self::ALL.into_iter().find(|experiment| experiment.name() == name);
        found.map(|one| vec![one]).ok_or_else(|| unknown_name("experiment", name, names.chain(["all"])))
    }

    /// The text of its plan.
    pub const fn plan_text(self) -> &'static str {
        match self {
            Self::Overhead => include_str!("../../plans/overhead.toml"),
            Self::PnParameter => include_str!("../../plans/pn-parameter.toml"),
            Self::TimeSettings => include_str!("../../plans/time-settings.toml"),
            Self::Domains => include_str!("../../plans/domains.toml"),
            Self::FixedSimulations => include_str!("../../plans/fixed-simulations.toml"),
        }
    }

    /// What to play; none for the experiment that plays nothing.
    pub fn sweep_plan(self, registry: &Registry, options: &Options) -> Result<Option<SweepPlan>, PlanError> {
        if self == Self::Overhead {
            return Ok(None);
        }
        SweepPlan::parse(registry, &format!("{}.toml", self.name()), self.plan_text(), options).map(Some)
    }

    /// The folder of its results below `out`: the two modes do not share one.
    pub fn folder(self, out: &Path, mode: Mode) -> PathBuf {
        out.join(self.folder_name(mode))
    }

    fn folder_name(self, mode: Mode) -> String {
        match mode {
            Mode::Paper => self.name().to_string(),
            Mode::Time => format!("{}-time", self.name()),
        }
    }

    /// The results beside the paper's in Markdown, with figures below `figures`.
    pub fn table(self, results: &Results, figures: &str) -> String {
        table::markdown(self, results, figures)
    }

    /// The figures of the results by name.
    pub fn figures(self, results: &Results) -> Vec<(&'static str, Figure)> {
        figures::of_sweep(self, results)
    }

    /// Writes the figures of the results into `folder`, each as SVG and PNG.
    pub fn draw(self, results: &Results, folder: &Path) -> Result<Vec<Drawn>, PlotError> {
        self.figures(results).iter().map(|(name, figure)| figure.save_all(&folder.join(name))).collect()
    }
}

/// What one experiment has come to, for the overview of several.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Matches.
    Played(Results),
    /// Speeds.
    Measured(overhead::Overhead),
}

/// Writes `README-table.md` of several experiments into `out`: their tables one below the other.
pub fn save_overview(out: &Path, mode: Mode, outcomes: &[(Experiment, Outcome)]) -> Result<PathBuf, SweepError> {
    let mut text = format!("# The experiments of the paper, mode {}\n", mode.word());
    for (experiment, outcome) in outcomes {
        let figures = format!("{}/", experiment.folder_name(mode));
        text += "\n";
        text += &match outcome {
            Outcome::Played(results) => experiment.table(results, &figures),
            Outcome::Measured(overhead) => overhead.markdown(&figures),
        };
    }
    let name = if mode == Mode::Paper { "README-table.md" } else { "README-table-time.md" };
    let path = out.join(name);
    write_file(&path, text.as_bytes())?;
    Ok(path)
}
