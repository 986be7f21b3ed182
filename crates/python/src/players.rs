//! Players of a match: our agents, engines by others, and objects of Python that choose moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_engine::{
    Allowance, AnyGame, AnySearcher, Bounds, Cause, ChosenMove, Lost, MatchPlayer, PlayerSource, SearchTask, Source,
};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::agent::Agent;
use crate::arguments;
use crate::errors::value_error;
use crate::game::{Inner, Slot};
use crate::position::Position;

/// Where the players of a side come from: an agent, the text of one or of an engine by others, or an object of Python with
/// the attribute `name` and the method `player`.
pub(crate) fn source(game: &Arc<Inner>, value: &Bound<'_, PyAny>, raised: &Arc<Slot>) -> PyResult<Source> {
    if let Ok(text) = value.cast::<PyString>() {
        return plyproof_protocols::source(&game.registry, &text.to_cow()?).map_err(value_error);
    }
    if let Ok(agent) = value.cast::<Agent>() {
        let agent = agent.get();
        return match agent.text() {
            Some(text) => plyproof_protocols::source(&game.registry, text).map_err(value_error),
            None => Ok(Source::new(BonusSource { agent: agent.clone() })),
        };
    }
    if !value.hasattr("player")? {
        return Err(arguments::wrong_type("a player", "a text, an Agent or a function that chooses a move", value));
    }
    let name = value.getattr("name")?.extract()?;
    Ok(Source::new(PythonSource {
        game: Arc::clone(game),
        make: value.clone().unbind(),
        name,
        raised: Arc::clone(raised),
    }))
}

struct PythonSource {
    game: Arc<Inner>,
    make: Py<PyAny>,
    name: String,
    raised: Arc<Slot>,
}

struct PythonPlayer {
    game: Arc<Inner>,
    object: Py<PyAny>,
    raised: Arc<Slot>,
}

/// The exception as a line for the record; the first one of a match is raised when the match is over.
fn said(py: Python<'_>, error: PyErr, raised: &Slot) -> String {
    let text = format!("{}", error.value(py));
    let kind = error.get_type(py).name().map_or_else(|_| "an exception".to_string(), |name| name.to_string());
    let line = text.lines().next().unwrap_or_default().to_string();
    if error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) {
        raised.put(error);
    }
    format!("{kind}: {line}")
}

impl PlayerSource for PythonSource {
    fn spec(&self) -> String {
        self.name.clone()
    }

    fn player(&self, _game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Python::attach(|py| match self.make.bind(py).call_method0(intern!(py, "player")) {
            Ok(object) => Ok(Box::new(PythonPlayer {
                game: Arc::clone(&self.game),
                object: object.unbind(),
                raised: Arc::clone(&self.raised),
            }) as Box<dyn MatchPlayer>),
            Err(error) => Err(said(py, error, &self.raised)),
        })
    }
}

impl PythonPlayer {
    fn position<'py>(&self, py: Python<'py>, state: &dyn AnyGame) -> PyResult<Bound<'py, Position>> {
        Bound::new(py, Position::new(&self.game, state.clone_box()))
    }
}

impl MatchPlayer for PythonPlayer {
    fn new_game(&mut self, start: &dyn AnyGame) -> Result<(), String> {
        Python::attach(|py| {
            let told = self
                .position(py, start)
                .and_then(|start| self.object.bind(py).call_method1(intern!(py, "new_game"), (start,)));
            told.map(drop).map_err(|error| said(py, error, &self.raised))
        })
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        seed: u64,
        _stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        Python::attach(|py| {
            let chosen = self.position(py, position).and_then(|position| {
                let given = PyDict::new(py);
                given.set_item("seed", seed)?;
                given.set_item("sims", allowance.budget.simulations)?;
                given.set_item("time", allowance.budget.time.map(|time| time.as_secs_f64()))?;
                given.set_item("clock", allowance.clock.as_ref().map(|clock| clock.left.as_secs_f64()))?;
                let answer = self.object.bind(py).call_method(intern!(py, "choose"), (position,), Some(&given))?;
                answer.extract::<String>().map_err(|_| {
                    let kind = answer.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string());
                    PyTypeError::new_err(format!("a player has to return a move as text, not {kind}"))
                })
            });
            match chosen {
                Ok(text) => Ok(ChosenMove { text: Some(text), simulations: 0, bounds: Bounds::OPEN, stopped: None }),
                Err(error) => Err(Lost { cause: Cause::Error, why: said(py, error, &self.raised) }),
            }
        })
    }

    fn played(&mut self, text: &str) {
        // What goes wrong here shows in the next move.
        let _ = Python::attach(|py| self.object.bind(py).call_method1(intern!(py, "played"), (text,)).map(drop));
    }
}

/// An agent with a bonus of Python, which no text stands for.
struct BonusSource {
    agent: Agent,
}

struct BonusPlayer {
    agent: Agent,
    searcher: Box<dyn AnySearcher>,
}

impl PlayerSource for BonusSource {
    fn spec(&self) -> String {
        self.agent.to_text()
    }

    fn player(&self, game: &dyn AnyGame) -> Result<Box<dyn MatchPlayer>, String> {
        Ok(Box::new(BonusPlayer { agent: self.agent.clone(), searcher: game.searcher() }))
    }
}

impl MatchPlayer for BonusPlayer {
    fn new_game(&mut self, _start: &dyn AnyGame) -> Result<(), String> {
        self.searcher.forget();
        Ok(())
    }

    fn choose(
        &mut self,
        position: &dyn AnyGame,
        allowance: &Allowance,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, Lost> {
        let task = SearchTask { agent: &self.agent.search, budget: &allowance.budget, seed, stop };
        self.searcher.choose(position, &task).map_err(|error| {
            let own = self.agent.raised.take();
            let why = own.map_or(error.to_string(), |own| Python::attach(|py| said(py, own, &self.agent.raised)));
            Lost { cause: Cause::Error, why }
        })
    }
}
