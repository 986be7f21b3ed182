//! Games that are written in Python: a subclass of `plyproof.PyGame` behind the `Game` trait.
//!
//! An exception inside a method cannot be returned through a search. It is kept aside ([`Slot`]), the search is unwound
//! without a message, and whoever called from Python raises the exception ([`crate::errors::unlocked`]).

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plyproof_core::spec::{Described, Kind};
use plyproof_core::{Game, Outcome, Player, Playout, Rng, TextError, listed_playout, mix64, quoted};
use plyproof_engine::{AnyGame, GameEntry, erase};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::OnceLockExt;
use pyo3::types::{PyDict, PyList, PyString, PyType};

use crate::errors::value_error;
use crate::game::Slot;

/// Bytes that a position of Python takes, about: an object, its attributes, a few texts.
const BYTES: usize = 1000;

/// What all positions of a game share.
struct Rules {
    class: Py<PyType>,
    name: String,
    may_repeat: bool,
    may_draw: bool,
    own_board: bool,
    raised: Arc<Slot>,
    moves: Mutex<Moves>,
}

/// Texts of moves by number. A text keeps its number, so that searches recognise a move in another position.
#[derive(Default)]
struct Moves {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

/// A position of a game that is written in Python.
#[derive(Clone)]
pub(crate) struct PythonGame {
    rules: Arc<Rules>,
    node: Arc<Node>,
}

struct Node {
    object: Py<PyAny>,
    mover: Player,
    outcome: Option<Outcome>,
    moves: OnceLock<Box<[u32]>>,
    text: OnceLock<String>,
}

impl Rules {
    fn number(&self, text: &str) -> u32 {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = moves.numbers.get(text) {
            return number;
        }
        let (number, shared) = (moves.texts.len() as u32, Arc::<str>::from(text));
        moves.texts.push(Arc::clone(&shared));
        moves.numbers.insert(shared, number);
        number
    }

    fn text(&self, number: u32) -> Arc<str> {
        let moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.texts.get(number as usize).map_or_else(|| Arc::from("?"), Arc::clone)
    }

    /// Ends the search: somebody raises the exception again.
    fn fail(&self, py: Python<'_>, error: PyErr) -> ! {
        let said = format!("{} raised {}", self.name, one_line(py, &error));
        self.raised.put(error);
        resume_unwind(Box::new(said))
    }

    /// What a search needs to know of a position at once.
    fn node(&self, object: Bound<'_, PyAny>) -> PyResult<Node> {
        let py = object.py();
        if !object.is_instance(self.class.bind(py))? {
            let kind = object.get_type().name()?.to_string();
            return Err(PyTypeError::new_err(format!("a position of {} was expected, not {kind}", self.name)));
        }
        let outcome = object.call_method0(intern!(py, "outcome"))?;
        let outcome = if outcome.is_none() {
            None
        } else {
            Some(match outcome.extract::<i64>() {
                Ok(0) => Outcome::DRAW,
                Ok(1) => Outcome::win(Player::FIRST),
                Ok(2) => Outcome::win(Player::SECOND),
                _ => return Err(wrong(&self.name, "outcome", "None, 0 (a draw), 1 or 2 (the winner)", &outcome)),
            })
        };
        let mover = object.call_method0(intern!(py, "to_move"))?;
        let mover = match mover.extract::<i64>() {
            Ok(1) => Player::FIRST,
            Ok(2) => Player::SECOND,
            // Nobody moves in a finished game.
            _ if outcome.is_some() => Player::FIRST,
            _ => return Err(wrong(&self.name, "to_move", "1 or 2", &mover)),
        };
        Ok(Node { object: object.unbind(), mover, outcome, moves: OnceLock::new(), text: OnceLock::new() })
    }
}

fn wrong(game: &str, method: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.repr().map_or_else(|_| "something else".to_string(), |repr| repr.to_string());
    let found: String = found.chars().take(60).collect();
    PyTypeError::new_err(format!("{method}() of {game} has to return {expected}, not {found}"))
}

/// An exception on one line.
pub(crate) fn one_line(py: Python<'_>, error: &PyErr) -> String {
    let kind = error.get_type(py).name().map_or_else(|_| "an exception".to_string(), |name| name.to_string());
    let said = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    let first: String = said.lines().next().unwrap_or_default().chars().take(200).collect();
    if first.is_empty() { kind } else { format!("{kind}: {first}") }
}

impl PythonGame {
    /// The name by which a class is opened.
    pub(crate) fn name_of(class: &Bound<'_, PyType>) -> PyResult<String> {
        let base = class.py().import("plyproof")?.getattr("PyGame")?;
        if !class.is_subclass(&base)? || class.is(&base) {
            let name = class.name()?;
            return Err(PyTypeError::new_err(format!("{name} is no subclass of plyproof.PyGame")));
        }
        class
            .getattr("name")?
            .extract()
            .map_err(|_| PyTypeError::new_err("the attribute name of a game has to be a text"))
    }

    /// A game for the registry. `raised` takes what its methods raise.
    pub(crate) fn entry(class: &Bound<'_, PyType>, raised: &Arc<Slot>) -> PyResult<GameEntry> {
        let attribute = |name: &str| class.getattr(name)?.extract::<String>();
        let flag = |name: &str| class.getattr(name)?.extract::<bool>();
        let name = Self::name_of(class)?;
        let mut described = Described::new(name.clone(), attribute("title")?, attribute("summary")?);
        let parameters = class.getattr("parameters")?;
        let parameters = parameters.cast::<PyDict>().map_err(|_| {
            PyTypeError::new_err(format!("parameters of {name} has to be a dict of name: (default, least, most)"))
        })?;
        for (key, value) in parameters {
            let numbers = key.extract::<String>().and_then(|key| Ok((key, value.extract::<(i64, i64, i64)>()?)));
            let Ok((key, (default, least, most))) = numbers else {
                return Err(wrong(&name, "parameters", "name: (default, least, most) with whole numbers", &value));
            };
            described = described.parameter(key, default.to_string(), Kind::Whole(least, most), "");
        }
        described.check().map_err(value_error)?;
        let version: u32 = class.getattr("version")?.extract()?;
        let base = class.py().import("plyproof")?.getattr("PyGame")?.getattr("board")?;
        let rules = Arc::new(Rules {
            class: class.clone().unbind(),
            name,
            may_repeat: flag("may_repeat")?,
            may_draw: flag("may_draw")?,
            own_board: !class.getattr("board")?.is(&base),
            raised: Arc::clone(raised),
            moves: Mutex::default(),
        });
        Ok(GameEntry::with_opener(described, version, move |params, id| {
            let started = Python::attach(|py| {
                let given = PyDict::new(py);
                for parameter in &params.described().parameters {
                    given.set_item(&parameter.name, params.whole(&parameter.name))?;
                }
                rules.node(rules.class.bind(py).call((), Some(&given))?)
            });
            match started {
                Ok(node) => {
                    Ok(erase(params.clone(), id.clone(), Self { rules: Arc::clone(&rules), node: Arc::new(node) }))
                }
                Err(error) => Err(Python::attach(|py| {
                    let said = format!("{} raised {}", rules.name, one_line(py, &error));
                    rules.raised.put(error);
                    TextError::new(said)
                })),
            }
        }))
    }

    /// The object of Python behind a position, if there is one.
    pub(crate) fn object(state: &dyn AnyGame) -> Option<&Py<PyAny>> {
        plyproof_engine::inside::<Self>(state).map(|game| &game.node.object)
    }

    fn list(&self, py: Python<'_>) -> PyResult<Box<[u32]>> {
        if self.node.outcome.is_some() {
            return Ok(Box::default());
        }
        let name = &self.rules.name;
        let all = self.node.object.bind(py).call_method0(intern!(py, "legal_moves"))?;
        let texts = match all.cast::<PyList>() {
            Ok(list) => list.clone(),
            Err(_) => PyList::new(py, all.try_iter()?.collect::<PyResult<Vec<_>>>()?)?,
        };
        let mut moves = Vec::with_capacity(texts.len());
        for text in texts.iter() {
            let Ok(text) = text.cast::<PyString>() else { return Err(wrong(name, "legal_moves", "texts", &text)) };
            let text = text.to_cow()?;
            if text.is_empty() || text.contains(char::is_whitespace) {
                let what = format!("legal_moves() of {name} has {}; a move is a text without spaces", quoted(&text));
                return Err(PyValueError::new_err(what));
            }
            moves.push(self.rules.number(&text));
        }
        if moves.is_empty() {
            let what =
                format!("legal_moves() of {name} is empty and outcome() is None; a player who cannot move passes");
            return Err(PyValueError::new_err(what));
        }
        Ok(moves.into())
    }

    fn listed(&self) -> &[u32] {
        if let Some(moves) = self.node.moves.get() {
            return moves;
        }
        Python::attach(|py| {
            // Two threads may list the same moves; waiting for each other with the lock of the interpreter would block both.
            let moves = self.list(py).unwrap_or_else(|error| self.rules.fail(py, error));
            self.node.moves.get_or_init_py_attached(py, || moves)
        })
    }

    fn text(&self) -> &str {
        if let Some(text) = self.node.text.get() {
            return text;
        }
        Python::attach(|py| {
            let text = self.node.object.bind(py).call_method0(intern!(py, "text"));
            let text = text.and_then(|text| {
                let found = text.extract::<String>().map_err(|_| wrong(&self.rules.name, "text", "a text", &text))?;
                if found.is_empty() || found.contains(char::is_control) {
                    return Err(wrong(&self.rules.name, "text", "one line of text", &text));
                }
                Ok(found)
            });
            let text = text.unwrap_or_else(|error| self.rules.fail(py, error));
            self.node.text.get_or_init_py_attached(py, || text)
        })
    }
}

impl Game for PythonGame {
    type Move = u32;

    fn to_move(&self) -> Player {
        self.node.mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.node.outcome
    }

    fn moves(&self, into: &mut Vec<u32>) {
        into.extend_from_slice(self.listed());
    }

    fn play(&mut self, m: u32) {
        let text = self.rules.text(m);
        let node = Python::attach(|py| {
            let next = self.node.object.bind(py).call_method1(intern!(py, "play"), (&*text,));
            next.and_then(|next| self.rules.node(next)).unwrap_or_else(|error| self.rules.fail(py, error))
        });
        self.node = Arc::new(node);
    }

    fn key(&self) -> u64 {
        let words = self.text().as_bytes().chunks(8).map(|part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            u64::from_le_bytes(word)
        });
        words.fold(self.text().len() as u64, |key, word| mix64(key ^ word))
    }

    fn position_text(&self) -> String {
        self.text().to_string()
    }

    fn parse_position(&self, text: &str) -> Result<Self, TextError> {
        let read = Python::attach(|py| {
            let read = self.node.object.bind(py).call_method1(intern!(py, "parse"), (text,));
            read.and_then(|object| self.rules.node(object)).map_err(|error| {
                let what = format!("a position of {}: {}", self.rules.name, one_line(py, &error));
                TextError::expected(text, what)
            })
        })?;
        Ok(Self { rules: Arc::clone(&self.rules), node: Arc::new(read) })
    }

    fn move_text(&self, m: u32) -> String {
        self.rules.text(m).to_string()
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        // With the lock all the way: taking it for every move costs more than some games do.
        Python::attach(|_| listed_playout(self, rng, limit))
    }

    fn may_repeat(&self) -> bool {
        self.rules.may_repeat
    }

    fn may_draw(&self) -> bool {
        self.rules.may_draw
    }

    fn heap_bytes(&self) -> usize {
        BYTES
    }

    fn board(&self) -> String {
        if !self.rules.own_board {
            return self.position_text();
        }
        Python::attach(|py| {
            let board = self.node.object.bind(py).call_method0(intern!(py, "board"));
            let text = board.and_then(|board| board.extract::<String>());
            text.unwrap_or_else(|error| self.rules.fail(py, error))
        })
    }
}
