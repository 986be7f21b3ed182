//! Searches, and the searcher that keeps its memory from one to the next.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use plyproof_engine::tables::{TableError, attach};
use plyproof_engine::{AnyGame, AnySearcher, Paths, SearchTask, Stopped, TextError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::agent::Agent;
use crate::arguments;
use crate::errors::{json, unlocked, value_error};
use crate::game::{Game, Inner};
use crate::interrupt::Interrupt;
use crate::position::Position;
use crate::report::{About, Report};
use crate::tables::table_error;

/// A searcher of one game, which keeps its memory, and with agents that reuse it the tree, from one search to the next.
#[pyclass(module = "plyproof", frozen)]
pub(crate) struct Searcher {
    game: Arc<Inner>,
    kept: Mutex<Kept>,
}

struct Kept {
    searcher: Box<dyn AnySearcher>,
    /// The table that the searcher looks into, and the game that ends where the table knows the value.
    view: Option<(PathBuf, Box<dyn AnyGame>)>,
    /// Searches so far.
    searches: u64,
}

impl Kept {
    /// The position as the agent searches it, and the searcher made ready for it.
    fn seen(&mut self, game: &Inner, agent: &Agent, position: &dyn AnyGame) -> Result<Box<dyn AnyGame>, Refused> {
        let table = self.view.as_ref().map(|(path, _)| path);
        if table != agent.table.as_ref() {
            self.view = match &agent.table {
                None => None,
                Some(path) => {
                    let view = attach(&game.registry, &*game.start, path).map_err(Refused::Table)?;
                    Some((path.clone(), view))
                }
            };
            self.searcher = self.view.as_ref().map_or(&game.start, |(_, view)| view).searcher();
        }
        match &self.view {
            None => Ok(position.clone_box()),
            Some((_, view)) => view.parse_position(&position.position_text()).map_err(Refused::Text),
        }
    }
}

/// Why there was no search.
enum Refused {
    /// Another thread has the searcher.
    Busy,
    /// The table cannot be used.
    Table(TableError),
    /// The position or the agent does not fit.
    Text(TextError),
}

const BUSY: &str = "this searcher is searching; give every thread a searcher of its own";

#[pymethods]
impl Searcher {
    #[new]
    fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let game = Game::of(game)?;
        let kept = Kept { searcher: game.start.searcher(), view: None, searches: 0 };
        Ok(Self { game, kept: Mutex::new(kept) })
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: Arc::clone(&self.game) }
    }

    /// Searches a position; the arguments are those of `plyproof.search`.
    #[pyo3(signature = (position, agent=None, *, sims=None, time=None, memory=None, threads=None, seed=None, progress=None, keep_tree=true))]
    #[allow(clippy::too_many_arguments)]
    fn search(
        slf: &Bound<'_, Self>,
        position: &Bound<'_, PyAny>,
        agent: Option<&Bound<'_, PyAny>>,
        sims: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
        keep_tree: bool,
    ) -> PyResult<Report> {
        let (py, this) = (slf.py(), slf.get());
        let position = Position::of(position)?;
        let agent = match agent {
            Some(agent) => Agent::of(agent)?,
            None => Agent::of(pyo3::types::PyString::new(py, "plyproof").as_any())?,
        };
        let mut budget = arguments::budget(sims, time, memory, threads)?;
        if budget.simulations.is_none() && budget.time.is_none() {
            budget.time = Some(std::time::Duration::from_secs(1));
        }
        let seed = arguments::seed(seed)?;
        this.game.check_threads(&agent.search, &budget)?;
        agent.check_threads(&budget)?;
        let (interrupt, state) = (Interrupt::new(progress), &position.get().state);
        let name = agent.to_text();
        let about =
            |py: Python<'_>| About { position: position.clone().unbind().clone_ref(py), agent: name.clone(), seed };
        let held = position.clone().unbind();
        let slots = [&*this.game.raised, &*position.get().game.raised, &*agent.raised];
        let (found, raised, searches) = unlocked(py, &slots, || {
            let Ok(mut kept) = this.kept.try_lock() else { return (Err(Refused::Busy), None, 0) };
            let seen = match kept.seen(&this.game, &agent, &**state) {
                Ok(seen) => seen,
                Err(error) => return (Err(error), None, 0),
            };
            kept.searches += 1;
            let mut watch = interrupt.watch();
            let task = SearchTask { agent: &agent.search, budget: &budget, seed, stop: &interrupt.stop };
            let found = kept.searcher.search(&*seen, &task, &Paths::default(), &mut |report, _| {
                watch.tell(|py| {
                    let about = About { position: held.clone_ref(py), agent: name.clone(), seed };
                    let report = Report { found: report.clone(), about, tree: None };
                    Ok(Py::new(py, report)?.into_any())
                });
            });
            (found.map_err(Refused::Text), watch.raised, kept.searches)
        })
        .inspect_err(|_| this.restart())?;
        if let Some(error) = raised {
            return Err(error);
        }
        let found = found.map_err(|refused| match refused {
            Refused::Busy => PyRuntimeError::new_err(BUSY),
            Refused::Table(error) => table_error(error),
            Refused::Text(error) => value_error(error),
        })?;
        if found.stopped == Some(Stopped::Cancelled) {
            // A signal that came in the last moments is not lost.
            py.check_signals()?;
        }
        let tree = keep_tree.then(|| (slf.clone().unbind(), searches));
        Ok(Report { found, about: about(py), tree })
    }

    /// The node of the last tree at the end of a path of moves, as JSON; `None` if it is not in the tree.
    fn node(&self, py: Python<'_>, search: u64, path: Vec<String>) -> PyResult<Option<String>> {
        let nodes = unlocked(py, &[&self.game.raised], || {
            let kept = self.kept.try_lock().map_err(|_| BUSY)?;
            if kept.searches != search {
                return Err("the tree is gone: its searcher has searched again");
            }
            Ok(kept.searcher.nodes(&[path]))
        })?;
        let nodes = nodes.map_err(PyRuntimeError::new_err)?;
        nodes.first().map(json).transpose()
    }

    /// Forgets the last search, as before a new game.
    fn forget(&self) -> PyResult<()> {
        let mut kept = self.kept.try_lock().map_err(|_| PyRuntimeError::new_err(BUSY))?;
        kept.searcher.forget();
        kept.searches += 1;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Searcher({:?})", self.game.start.name())
    }
}

impl Searcher {
    /// What a search leaves behind that was unwound is not to be trusted.
    fn restart(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *kept = Kept { searcher: self.game.start.searcher(), view: None, searches: kept.searches + 1 };
        drop(kept);
        self.kept.clear_poison();
    }
}
