//! A position of a game: immutable, so that it can be a key of a dictionary and be handed to other threads.

use std::sync::Arc;

use plyproof_engine::{AnyGame, Rng, Wdl};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use crate::arguments;
use crate::errors::{Pickled, quick, unlocked, value_error};
use crate::game::{Game, Inner, Packed, Texts, same_game};
use crate::python_game::PythonGame;

/// A position of a game. `play` returns another one; this one never changes.
#[pyclass(module = "plyproof", frozen)]
pub(crate) struct Position {
    pub(crate) game: Arc<Inner>,
    pub(crate) state: Box<dyn AnyGame>,
}

/// The result of a finished game.
#[pyclass(module = "plyproof", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The winner, 1 or 2; `None` for a draw.
    #[pyo3(get)]
    winner: Option<usize>,
    /// Points by which the winner is ahead; 0 for a draw and in games without points.
    #[pyo3(get)]
    margin: i16,
}

#[pymethods]
impl Outcome {
    /// The result of a player: 1 for a win, 0 for a draw, -1 for a loss.
    #[pyo3(name = "of")]
    fn result_of(&self, player: &Bound<'_, PyAny>) -> PyResult<i32> {
        let player = arguments::count("player", player, 1, 2)? as usize;
        Ok(self.winner.map_or(0, |winner| if winner == player { 1 } else { -1 }))
    }

    fn __repr__(&self) -> String {
        match (self.winner, self.margin) {
            (None, _) => "Outcome(draw)".to_string(),
            (Some(winner), 0) => format!("Outcome(player {winner} wins)"),
            (Some(winner), margin) => format!("Outcome(player {winner} wins by {margin})"),
        }
    }
}

impl Position {
    pub(crate) fn new(game: &Arc<Inner>, state: Box<dyn AnyGame>) -> Self {
        Self { game: Arc::clone(game), state }
    }

    /// A position, a game (which stands for its start), or the name of a game.
    pub(crate) fn of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Position>> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(position.clone());
        }
        let game = Game::of(value)?;
        let state = game.start.clone_box();
        Bound::new(value.py(), Self { game, state })
    }

    /// The position after some moves, a text with spaces between them or an iterable of texts.
    pub(crate) fn after(self, moves: &Bound<'_, PyAny>) -> PyResult<Self> {
        let texts: Vec<String> = match moves.cast::<PyString>() {
            Ok(text) => text.to_cow()?.split_whitespace().map(str::to_string).collect(),
            Err(_) => moves
                .try_iter()
                .and_then(|all| all.map(|one| one?.extract::<String>()).collect())
                .map_err(|_| arguments::wrong_type("moves", "a text or an iterable of texts", moves))?,
        };
        let mut state = self.state;
        for (number, text) in texts.iter().enumerate() {
            let played = quick(&self.game, || state.play(text))?;
            played.map_err(|error| value_error(format!("move {}: {error}", number + 1)))?;
        }
        Ok(Self { game: self.game, state })
    }

    fn text(&self) -> PyResult<String> {
        quick(&self.game, || self.state.position_text())
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: Arc::clone(&self.game) }
    }

    /// The legal moves as texts, in the order of the game; empty if the game is over.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, quick(&self.game, || self.state.legal_moves())?)
    }

    /// The player to move, 1 or 2; `None` once the game is over.
    #[getter]
    fn to_move(&self) -> Option<usize> {
        self.state.outcome().is_none().then(|| self.state.to_move().index() + 1)
    }

    /// The result, once the game is over.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.state.outcome()?;
        Some(Outcome { winner: outcome.winner().map(|player| player.index() + 1), margin: outcome.margin() })
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.outcome().is_some()
    }

    /// A hash of all that matters in the position, the same on every machine.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        quick(&self.game, || self.state.key())
    }

    /// The object behind a position of a game that is written in Python; `None` for other games.
    #[getter]
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        PythonGame::object(&*self.state).map(|object| object.clone_ref(py))
    }

    /// The position after one or more moves.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let mut state = self.state.clone_box();
        for text in moves.iter() {
            let text = text.cast::<PyString>().map_err(|_| arguments::wrong_type("a move", "a text", &text))?;
            let text = text.to_cow()?;
            quick(&self.game, || state.play(&text))?.map_err(value_error)?;
        }
        Ok(Self::new(&self.game, state))
    }

    /// A move in the game's own notation, whatever notation it is written in.
    fn own_move(&self, text: &str) -> PyResult<String> {
        quick(&self.game, || self.state.own_move(text))?.map_err(value_error)
    }

    /// A move in another program's notation, one of `Game.notations`.
    fn move_in(&self, notation: &str, text: &str) -> PyResult<String> {
        quick(&self.game, || self.state.move_in(notation, text))?.map_err(value_error)
    }

    /// The position in another program's notation; `None` if that notation has no positions.
    fn position_in(&self, notation: &str) -> PyResult<Option<String>> {
        quick(&self.game, || self.state.position_in(notation))
    }

    /// The number of lines of exactly `depth` plies.
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = arguments::count("depth", depth, 0, 100)? as u32;
        unlocked(py, &[&self.game.raised], || self.state.perft(depth).nodes)
    }

    /// The results of random games from here for the player to move: wins, draws, losses.
    #[pyo3(signature = (count=1000, *, seed=None))]
    fn playouts(&self, py: Python<'_>, count: u64, seed: Option<&Bound<'_, PyAny>>) -> PyResult<(u64, u64, u64)> {
        let (mut rng, mover) = (Rng::new(arguments::seed(seed)?), self.state.to_move().index());
        if self.state.outcome().is_some() {
            return Err(value_error("the game is over: there are no random games from here"));
        }
        let tally = unlocked(py, &[&self.game.raised], || self.state.measure_playouts(&mut rng, count))?;
        Ok((tally.wins[mover], tally.draws, tally.playouts - tally.draws - tally.wins[mover]))
    }

    /// A random position some plies from here in which the game still goes on.
    #[pyo3(signature = (plies, *, seed=None))]
    fn random_line(&self, plies: &Bound<'_, PyAny>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let plies = arguments::count("plies", plies, 0, 10_000)? as u32;
        let mut rng = Rng::new(arguments::seed(seed)?);
        let found = quick(&self.game, || self.state.random_opening(&mut rng, plies, 1000))?;
        found
            .ok_or_else(|| value_error(format!("{plies} random plies from here: the game was over before, 1000 times")))
    }

    /// The value of a finished game for a player, 1, 0 or -1; `None` while it goes on.
    fn result(&self, player: &Bound<'_, PyAny>) -> PyResult<Option<i32>> {
        let player = arguments::count("player", player, 1, self.state.players() as u64)? as usize - 1;
        let of = |outcome: plyproof_engine::Outcome| -> Wdl { outcome.of(plyproof_engine::Player::new(player)) };
        Ok(self.state.outcome().map(|outcome| of(outcome).value()))
    }

    /// The board as text, over several lines.
    fn board(&self) -> PyResult<String> {
        quick(&self.game, || self.state.board())
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Position({:?}, {:?})", self.state.name(), self.text()?))
    }

    fn __hash__(&self) -> PyResult<u64> {
        self.key()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Position>() else { return Ok(false) };
        let other = other.get();
        Ok(same_game(py, &self.game, &other.game) && self.key()? == other.key()? && self.text()? == other.text()?)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Pickled<'py, Packed> {
        let restore = py.import("plyproof._native")?.getattr("restore")?;
        Ok((restore, (self.game.start.name(), self.game.all_classes(py), Some(self.text()?), self.game.texts.clone())))
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyproof.drawing")?.call_method1("notebook_svg", (slf,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyproof.drawing")?.call_method1("notebook_html", (slf,))
    }
}

/// What was pickled: a game, or a position of it.
#[pyfunction]
#[pyo3(signature = (name, classes, text=None, rules=Vec::new()))]
pub(crate) fn restore<'py>(
    name: &Bound<'py, PyString>,
    classes: Vec<Py<PyType>>,
    text: Option<&str>,
    rules: Texts,
) -> PyResult<Bound<'py, PyAny>> {
    let game = Arc::new(Inner::open(name.as_any(), classes, rules)?);
    let Some(text) = text else { return Ok(Bound::new(name.py(), Game { inner: game })?.into_any()) };
    let state = quick(&game, || game.start.parse_position(text))?.map_err(value_error)?;
    Ok(Bound::new(name.py(), Position { game, state })?.into_any())
}
