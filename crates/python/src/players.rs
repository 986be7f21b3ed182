//! Players of a match: our agents, engines by others, and objects of Python that choose moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plyproof_engine::{Allowance, AnyGame, Bounds, Budget, Cause, ChosenMove, Lost, MatchPlayer, PlayerSource, Source};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::agent::Agent;
use crate::arguments;
use crate::errors::value_error;
use crate::game::{Inner, Slot};
use crate::position::Position;
use crate::python_game::one_line;

/// Where the players of a side come from: an agent, the text of one or of an engine by others, or an object of Python with
/// the attribute `name` and the method `player`.
pub(crate) fn source(game: &Arc<Inner>, value: &Bound<'_, PyAny>, raised: &Arc<Slot>) -> PyResult<Source> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_cow()?;
        if let (Some(_), Ok(agent)) = (&game.class, Agent::of(value)) {
            game.check_threads(&agent.search, &Budget::default())?;
        }
        return plyproof_protocols::source(&game.registry, &text).map_err(value_error);
    }
    if let Ok(agent) = value.cast::<Agent>() {
        let agent = agent.get();
        game.check_threads(&agent.search, &Budget::default())?;
        agent.check_threads(&Budget::default())?;
        return match (agent.text(), &agent.table) {
            (Some(text), _) => plyproof_protocols::source(&game.registry, text).map_err(value_error),
            (None, None) => Ok(Source::from(agent.search.clone())),
            (None, Some(_)) => Err(value_error("in a match an agent has a bonus of its own or a table, not both")),
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

/// The exception as a line for the record. That somebody pressed Ctrl-C is for whoever called the match.
fn said(py: Python<'_>, error: PyErr, raised: &Slot) -> String {
    let line = one_line(py, &error);
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        raised.put(error);
    }
    line
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
