//! Tables of exact values: win, draw or loss for every position of a small game or of the endgames of a larger one.
//!
//! [`build`] makes one by backward induction over an [`Indexing`](plyproof_core::Indexing), [`Table::write`] and
//! [`Table::read`] keep it in a file, and [`Tabled`] is a game that ends where a table knows the value. `docs/tables.md`
//! describes the format.

mod build;
mod file;
mod table;
mod tabled;
mod values;

pub use build::{BuildError, Limits, Progress, build, reachable};
pub use file::{Named, ReadError, header_of};
pub use table::{Counts, LayerCounts, Table};
pub use tabled::Tabled;
pub use values::Values;
