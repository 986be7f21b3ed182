//! The first experiment: what keeping proof numbers costs, in simulations a second.

use std::path::{Path, PathBuf};

use plyproof_engine::Registry;
use serde::{Deserialize, Serialize};

use crate::bench_search::{self, Progress, SearchSpeed};
use crate::experiment::figures::{name_of, pretty};
use crate::experiment::{Experiment, paper};
use crate::plot::{Axis, Bar, BarChart, Cluster, Figure, Group, PlotError, Scale};
use crate::sweep::{Mode, Options, SweepError, create_folder, table_lines, write_file};

/// What is measured.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverheadPlan {
    /// Always `overhead`.
    pub name: String,
    /// One line on what it is about.
    pub title: String,
    /// Where randomness starts.
    pub seed: u64,
    /// The games, in the order of the table.
    pub games: Vec<LabelledGame>,
    seconds: Seconds,
}

/// A game with the paper's name for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledGame {
    /// The paper's name.
    pub label: String,
    /// Ours.
    pub game: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seconds {
    paper: f64,
    time: f64,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overhead {
    /// The name of the plan.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How long was measured: `paper` is short, `time` as long as the paper did.
    pub mode: &'static str,
    /// The version of plyproof.
    pub version: &'static str,
    /// Processor seconds a game.
    pub seconds: f64,
    /// One a game.
    pub games: Vec<Measured>,
}

/// The speed in one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The paper's name for the game.
    pub label: String,
    /// What was measured.
    #[serde(flatten)]
    pub speed: SearchSpeed,
}

impl OverheadPlan {
    /// The shipped plan.
    ///
    /// # Panics
    /// Never: the file is part of the program, and a test reads it.
    pub fn shipped() -> Self {
        let text = Experiment::Overhead.plan_text();
        toml::from_str(text).unwrap_or_else(|error| panic!("plans/overhead.toml: {error}"))
    }

    /// Processor seconds for each game.
    pub fn seconds(&self, options: &Options) -> f64 {
        let seconds = match options.mode {
            Mode::Paper => self.seconds.paper,
            Mode::Time => self.seconds.time,
        };
        (seconds * options.scale).max(0.01)
    }

    /// Measures every game. Nothing is recorded: a new run measures anew.
    pub fn measure(
        &self,
        registry: &Registry,
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Overhead, SweepError> {
        let games: Vec<String> = self.games.iter().map(|game| game.game.clone()).collect();
        let seconds = self.seconds(options);
        let speeds = bench_search::searches(registry, &games, seconds, self.seed, progress)
            .map_err(|error| SweepError::File(error.to_string()))?;
        let label = |(game, speed): (&LabelledGame, SearchSpeed)| Measured { label: game.label.clone(), speed };
        Ok(Overhead {
            name: self.name.clone(),
            title: self.title.clone(),
            mode: options.mode.word(),
            version: env!("CARGO_PKG_VERSION"),
            seconds,
            games: self.games.iter().zip(speeds).map(label).collect(),
        })
    }
}

impl Overhead {
    /// Ours beside the paper's in Markdown, with the figure below `figures`.
    pub fn markdown(&self, figures: &str) -> String {
        let header =
            ["game", "PN-MCTS (1/s)", "MCTS (1/s)", "ratio", "paper PN-MCTS (1/s)", "paper MCTS (1/s)", "paper ratio"];
        let row = |game: &Measured| {
            let speed = &game.speed;
            let mut row = vec![game.label.clone()];
            row.extend([speed.pn_mcts_sims_per_s, speed.mcts_sims_per_s].map(|rate| format!("{rate:.0}")));
            row.push(format!("{:.2}", speed.pn_over_mcts));
            row.extend(match paper().speed.iter().find(|known| known.label == game.label) {
                Some(known) => [known.pn_mcts, known.mcts, known.ratio].map(|number| format!("{number:.2}")),
                None => ["–", "–", "–"].map(str::to_string),
            });
            row
        };
        let rows: Vec<Vec<String>> = self.games.iter().map(row).collect();
        let figure = name_of(Experiment::Overhead);
        format!(
            "## {title}\n\n{}\nSimulations a processor second of one thread, {} s a game in turns; a ratio is the median \
             over the rounds. The paper's figures are from its Table I: elapsed seconds, 100 s a search (Knightthrough \
             30 s).\n\n![{title}]({figures}{figure}.png)\n",
            table_lines(&header, &rows),
            self.seconds,
            title = self.title,
        )
    }

    /// The ratio of the speeds, ours beside the paper's.
    pub fn figure(&self) -> Figure {
        let bar = |value| Bar { value, interval: None };
        let group = |game: &Measured| {
            let known = paper().speed.iter().find(|known| known.label == game.label);
            let bars = vec![Some(bar(game.speed.pn_over_mcts)), known.map(|known| bar(known.ratio))];
            Group { label: pretty(&game.label), clusters: vec![Cluster { label: String::new(), bars }] }
        };
        BarChart {
            title: "Simulations a second: PN-MCTS divided by MCTS".to_string(),
            y: Axis::new("ratio of speeds", Scale::Linear),
            series: vec!["plyproof".to_string(), "paper".to_string()],
            groups: self.games.iter().map(group).collect(),
            reference: Some(1.0),
        }
        .figure()
    }

    /// Writes `results.json`, `results.csv`, `README-table.md` and the figure; what was written, and a warning if the
    /// figure is not as it should be.
    pub fn save(&self, folder: &Path) -> Result<(Vec<PathBuf>, Option<String>), SweepError> {
        create_folder(folder)?;
        let mut json = serde_json::to_string_pretty(self).map_err(|error| SweepError::File(error.to_string()))?;
        json.push('\n');
        let mut csv = "label,game,pn_mcts_sims_per_s,mcts_sims_per_s,pn_over_mcts\n".to_string();
        for Measured { label, speed } in &self.games {
            let (pn, plain, ratio) = (speed.pn_mcts_sims_per_s, speed.mcts_sims_per_s, speed.pn_over_mcts);
            csv += &format!("{label},{},{pn},{plain},{ratio}\n", speed.game);
        }
        let mut files = Vec::new();
        for (name, text) in [("results.json", json), ("results.csv", csv), ("README-table.md", self.markdown(""))] {
            write_file(&folder.join(name), text.as_bytes())?;
            files.push(folder.join(name));
        }
        let drawn = self.figure().save_all(&folder.join(name_of(Experiment::Overhead)));
        let drawn = drawn.map_err(|error: PlotError| SweepError::File(error.to_string()))?;
        files.extend(drawn.files);
        Ok((files, drawn.warning))
    }
}
