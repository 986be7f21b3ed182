//! Sweeps: many matches from one plan, each with its own record, so that a sweep killed at any moment goes on.
//!
//! A [`SweepPlan`] is read from a TOML file (docs/experiments.md describes it). A [`Sweep`] is a plan in a folder: it
//! says how long it will take, plays what is not recorded there yet and writes the results after every cell.
//!
//! ```
//! use plyproof_lab::sweep::{Options, SweepPlan};
//! let text = "name = 'weights'\ngame = 'tictactoe'\na = 'pn-mcts(pn={pn})'\nb = 'mcts'\nsims = 50\n\
//!             [grid]\npn = [0, 1, 1e6]\n";
//! let registry = plyproof_engine::Registry::builtin();
//! let plan = SweepPlan::parse(&registry, "weights.toml", text, &Options::default()).expect("a sound plan");
//! let ids: Vec<&str> = plan.cells.iter().map(|cell| cell.id.as_str()).collect();
//! assert_eq!(ids, ["tictactoe pn=0", "tictactoe pn=1", "tictactoe pn=1e6"]);
//! ```

mod cells;
mod digest;
mod estimate;
mod parts;
mod pivot;
mod plan;
mod results;
mod runner;
mod tables;

pub use digest::{Checked, CheckedCell, DIGESTS, Digests, RecordDigest, check};
pub use estimate::{CellEstimate, Estimate};
pub use parts::{Collected, PartDone, PartLeft, PartProgress, PartedSweep, PartsState};
pub use pivot::{Pivot, latex, lines};
pub use plan::{Cell, Mode, Options, PlanError, SweepPlan};
pub use results::{CellResult, Results, SweepError};
pub(crate) use results::{create_folder, write_file};
pub use runner::{Progress, Sweep};
pub(crate) use tables::{budget_text, games_text, interval_text, outcome_text, percent_text, table_lines};
pub use tables::{figure, markdown};
