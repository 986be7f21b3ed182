//! plyproof for Python: the classes and functions behind the Python package, which documents them and adds what needs no
//! speed.
//!
//! One call runs a whole search, proof or match, without the interpreter's lock. Statistics cross over as numpy arrays,
//! or as the JSON that `docs/json.md` describes.

mod agent;
mod arguments;
mod bonus;
mod certificates;
mod cluster;
mod errors;
mod game;
mod interrupt;
mod matches;
mod players;
mod position;
mod python_game;
mod report;
mod search;
mod solve;
mod tables;

use pyo3::prelude::*;

/// The compiled part of the package plyproof.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("CertificateError", module.py().get_type::<errors::CertificateError>())?;
    module.add("ContractError", module.py().get_type::<errors::ContractError>())?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<position::Outcome>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<search::Searcher>()?;
    module.add_class::<cluster::JobCoordinator>()?;
    module.add_class::<cluster::JobWorker>()?;
    module.add_function(wrap_pyfunction!(cluster::play_part, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::collect_parts, module)?)?;
    module.add_function(wrap_pyfunction!(agent::agents, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(position::restore, module)?)?;
    module.add_function(wrap_pyfunction!(report::restore_report, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(certificates::verify, module)?)?;
    module.add_function(wrap_pyfunction!(tables::make_table, module)?)?;
    module.add_function(wrap_pyfunction!(tables::table_contents, module)?)?;
    module.add_function(wrap_pyfunction!(tables::puzzles, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_tournament, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_sweep, module)?)?;
    module.add_function(wrap_pyfunction!(matches::read_record, module)?)?;
    Ok(())
}
