//! A game by name, or one that is written in Python.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use plyproof_core::search::Agent;
use plyproof_core::spec::{Described, Spec, is_file_name};
use plyproof_engine::{AnyGame, Budget, Contract, Registry, RulesId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::arguments;
use crate::errors::{ContractError, Pickled, quick, unlocked, value_error};
use crate::position::Position;
use crate::python_game::PythonGame;

/// Texts of rules by the names of their games.
pub(crate) type Texts = Vec<(String, String)>;

/// What is pickled: the name of the game, classes, the text of a position, and texts of rules.
pub(crate) type Packed = (String, Vec<Py<PyType>>, Option<String>, Texts);

/// What all positions of a game share.
pub(crate) struct Inner {
    /// The games that can be opened by name: ours, and those written in Python that came with this one.
    pub registry: Registry,
    /// The start position.
    pub start: Box<dyn AnyGame>,
    /// The class, if the game is written in Python.
    pub class: Option<Py<PyType>>,
    /// All classes in the registry.
    pub classes: Vec<Py<PyType>>,
    /// All texts of rules in the registry, by their names.
    pub texts: Texts,
    /// What methods of these classes raised.
    pub raised: Arc<Slot>,
}

/// What Python code raised while Rust called it, by thread, until somebody can raise it again.
#[derive(Default)]
pub(crate) struct Slot(Mutex<Vec<(ThreadId, PyErr)>>);

impl Slot {
    fn held(&self) -> MutexGuard<'_, Vec<(ThreadId, PyErr)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an exception of this thread, in place of an earlier one.
    pub(crate) fn put(&self, error: PyErr) {
        drop(self.take_own());
        self.held().push((thread::current().id(), error));
    }

    /// The exception of this thread.
    pub(crate) fn take_own(&self) -> Option<PyErr> {
        let (own, mut held) = (thread::current().id(), self.held());
        let place = held.iter().position(|(thread, _)| *thread == own)?;
        Some(held.swap_remove(place).1)
    }

    /// The first exception of any thread; the others are forgotten.
    pub(crate) fn take(&self) -> Option<PyErr> {
        let all = std::mem::take(&mut *self.held());
        all.into_iter().map(|(_, error)| error).next()
    }

    pub(crate) fn is_filled(&self) -> bool {
        !self.held().is_empty()
    }
}

impl Inner {
    pub(crate) fn open(spec: &Bound<'_, PyAny>, classes: Vec<Py<PyType>>, mut texts: Texts) -> PyResult<Self> {
        let py = spec.py();
        let raised = Arc::new(Slot::default());
        let mut all = classes;
        let text = if let Ok(text) = spec.cast::<PyString>() {
            text.to_cow()?.into_owned()
        } else if let Ok(class) = spec.cast::<PyType>() {
            if !all.iter().any(|known| known.is(class)) {
                all.push(class.clone().unbind());
            }
            PythonGame::name_of(class)?
        } else {
            return Err(arguments::wrong_type(
                "the game",
                "a name as in \"loa(size=7)\" or \"rules/mine.rbg\", or a subclass of PyGame",
                spec,
            ));
        };
        let mut registry = registry(py, &all, &texts, &raised)?;
        // A game goes to other processes with its rules, not with the name of a file.
        if let Ok(Spec { name, .. }) = Spec::parse(&text)
            && is_file_name(&name)
            && registry.entry(&name).is_none()
        {
            let entry = registry.add_file(&name).map_err(value_error)?;
            texts.extend(entry.rules_text().map(|text| (name, text.to_string())));
        }
        let start = registry.open(&text).map_err(|error| raised.take().unwrap_or_else(|| value_error(error)))?;
        let name = start.described().name.clone();
        let mut class = None;
        for known in &all {
            if PythonGame::name_of(known.bind(py))? == name {
                class = Some(known.clone_ref(py));
            }
        }
        Ok(Self { registry, start, class, classes: all, texts, raised })
    }

    pub(crate) fn all_classes(&self, py: Python<'_>) -> Vec<Py<PyType>> {
        self.classes.iter().map(|class| class.clone_ref(py)).collect()
    }

    /// Python runs one thread at a time, and what it raises must not be lost in another one.
    pub(crate) fn check_threads(&self, agent: &Agent, budget: &Budget) -> PyResult<()> {
        if self.class.is_some() && agent.threads(budget) > 1 {
            let name = self.start.name();
            return Err(value_error(format!(
                "{name} is written in Python and is searched by one thread; leave out threads"
            )));
        }
        Ok(())
    }
}

/// The classes and the texts of rules among games that were given.
pub(crate) fn given(games: &[Bound<'_, PyAny>]) -> PyResult<(Vec<Py<PyType>>, Texts)> {
    let (mut classes, mut texts) = (Vec::new(), Texts::new());
    for game in games {
        if let Ok(class) = game.cast::<PyType>() {
            classes.push(class.clone().unbind());
        } else if let Ok(game) = game.cast::<Game>() {
            for text in &game.get().inner.texts {
                if !texts.contains(text) {
                    texts.push(text.clone());
                }
            }
        } else {
            return Err(arguments::wrong_type("games", "subclasses of PyGame, and games made from rules", game));
        }
    }
    Ok((classes, texts))
}

/// The games that come with plyproof, those of some classes, and those of some texts.
pub(crate) fn registry(
    py: Python<'_>,
    classes: &[Py<PyType>],
    texts: &Texts,
    raised: &Arc<Slot>,
) -> PyResult<Registry> {
    let mut registry = Registry::builtin();
    for (name, text) in texts {
        registry.add_rules(name, text).map_err(|error| value_error(format!("{name}: {error}")))?;
    }
    for class in classes {
        registry.add(PythonGame::entry(class.bind(py), raised)?).map_err(value_error)?;
    }
    Ok(registry)
}

/// A game with its parameters, as in `Game("loa(size=7)")`, or one written in Python, as in `Game(MyGame)`.
///
/// `games` lists classes of games written in Python that can be opened by name as well.
#[pyclass(module = "plyproof", frozen)]
pub(crate) struct Game {
    pub(crate) inner: Arc<Inner>,
}

impl Game {
    /// A game, or something that one can be made of.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Arc<Inner>> {
        if let Ok(game) = value.cast::<Game>() {
            return Ok(Arc::clone(&game.get().inner));
        }
        if let Ok(position) = value.cast::<Position>() {
            return Ok(Arc::clone(&position.get().game));
        }
        Inner::open(value, Vec::new(), Texts::new()).map(Arc::new)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (spec, *, games=Vec::new()))]
    fn new(spec: &Bound<'_, PyAny>, games: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let (classes, texts) = given(&games)?;
        Ok(Self { inner: Arc::new(Inner::open(spec, classes, texts)?) })
    }

    /// A game from a text of its rules, under a name that may have parameters, as in `mine(size=7)`. A name that ends in
    /// `.rbg` or `.kif` says which language the rules are in; no file of that name is read.
    #[staticmethod]
    #[pyo3(signature = (text, name="mine"))]
    fn from_rules(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let bare = Spec::parse(name).map_err(value_error)?.name;
        let texts = vec![(bare, text.to_string())];
        Ok(Self { inner: Arc::new(Inner::open(PyString::new(py, name).as_any(), Vec::new(), texts)?) })
    }

    /// The text of the rules, for a game that is read from one.
    #[getter]
    fn rules_text(&self) -> Option<&str> {
        self.inner.registry.entry(&self.inner.start.described().name)?.rules_text()
    }

    /// The game with its parameters, in the shortest spelling.
    #[getter]
    fn name(&self) -> String {
        self.inner.start.name()
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &str {
        &self.inner.start.described().title
    }

    /// The rules in one line.
    #[getter]
    fn summary(&self) -> &str {
        &self.inner.start.described().summary
    }

    /// The values of all parameters by name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (values, params) = (PyDict::new(py), self.inner.start.params());
        for parameter in &params.described().parameters {
            let text = params.text(&parameter.name);
            match text.parse::<i64>() {
                Ok(number) => values.set_item(&parameter.name, number)?,
                Err(_) => values.set_item(&parameter.name, text)?,
            }
        }
        Ok(values)
    }

    /// The identity of the rules, which certificates carry.
    #[getter]
    fn rules(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.inner.start.rules() {
            RulesId::Version(version) => version.into_pyobject(py)?.into_any().unbind(),
            RulesId::Digest(digest) => digest.into_pyobject(py)?.into_any().unbind(),
        })
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.inner.start.players()
    }

    /// Whether a position can come back in a game.
    #[getter]
    fn may_repeat(&self) -> bool {
        self.inner.start.facts().may_repeat
    }

    /// Whether a game can end without a winner.
    #[getter]
    fn may_draw(&self) -> bool {
        self.inner.start.facts().may_draw
    }

    /// The number of symmetries of the board, the identity included.
    #[getter]
    fn symmetries(&self) -> usize {
        self.inner.start.facts().symmetries
    }

    /// Further notations that the game reads and writes.
    #[getter]
    fn notations(&self) -> Vec<String> {
        self.inner.start.notations()
    }

    /// The class of a game that is written in Python.
    #[getter]
    fn python_class(&self, py: Python<'_>) -> Option<Py<PyType>> {
        self.inner.class.as_ref().map(|class| class.clone_ref(py))
    }

    /// The start position.
    fn start(&self) -> Position {
        Position { game: Arc::clone(&self.inner), state: self.inner.start.clone_box() }
    }

    /// A position from its text, or the start position after some moves.
    #[pyo3(signature = (text=None, *, moves=None))]
    fn position(&self, text: Option<&str>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
        let start = &self.inner.start;
        let state = match text {
            Some(text) => quick(&self.inner, || start.parse_position(text.trim()))?.map_err(value_error)?,
            None => start.clone_box(),
        };
        let position = Position { game: Arc::clone(&self.inner), state };
        match moves {
            Some(moves) => position.after(moves),
            None => Ok(position),
        }
    }

    /// Checks every promise that a game makes, on random games; returns the positions checked.
    #[pyo3(signature = (*, seed=None, games=20, playouts=1000))]
    fn check(&self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>, games: u32, playouts: u32) -> PyResult<u64> {
        let contract = Contract { seed: arguments::seed(seed)?, games, playouts, ..Contract::default() };
        let found = unlocked(py, &[&self.inner.raised], || self.inner.start.check_contract(&contract))?;
        found.map(|kept| kept.positions).map_err(ContractError::new_err)
    }

    fn __repr__(&self) -> String {
        match &self.inner.class {
            None => format!("Game({:?})", self.inner.start.name()),
            Some(_) => format!("Game(<{}, written in Python>)", self.inner.start.name()),
        }
    }

    fn __str__(&self) -> String {
        self.inner.start.name()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| same_game(py, &self.inner, &other.get().inner))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.inner.start.name().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Pickled<'py, Packed> {
        let restore = py.import("plyproof._native")?.getattr("restore")?;
        Ok((restore, (self.inner.start.name(), self.inner.all_classes(py), None, self.inner.texts.clone())))
    }
}

/// Whether positions of one game are positions of the other.
pub(crate) fn same_game(py: Python<'_>, one: &Arc<Inner>, other: &Arc<Inner>) -> bool {
    Arc::ptr_eq(one, other)
        || (one.start.name() == other.start.name()
            && (one.start.rules() == other.start.rules() || one.class.is_some())
            && match (&one.class, &other.class) {
                (None, None) => true,
                (Some(one), Some(other)) => one.bind(py).is(other.bind(py)),
                _ => false,
            })
}

/// Every game that comes with plyproof: name, title, rules and parameters, as `plyproof games --json` lists them.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Registry::builtin().entries().map(|entry| described(py, entry.described())).collect()
}

pub(crate) fn described<'py>(py: Python<'py>, described: &Described) -> PyResult<Bound<'py, PyDict>> {
    let (found, parameters) = (PyDict::new(py), pyo3::types::PyList::empty(py));
    for parameter in &described.parameters {
        let one = PyDict::new(py);
        one.set_item("name", &parameter.name)?;
        one.set_item("default", &parameter.default)?;
        one.set_item("allowed", parameter.kind.to_string())?;
        one.set_item("help", &parameter.help)?;
        parameters.append(one)?;
    }
    found.set_item("name", &described.name)?;
    found.set_item("title", &described.title)?;
    found.set_item("summary", &described.summary)?;
    found.set_item("parameters", parameters)?;
    Ok(found)
}
