"""Matches, tournaments and sweeps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from . import _native
from ._plans import plan_text
from ._progress import Bar
from ._types import AnyPosition, Count, Duration, Path, Size
from .players import is_python, players_of
from .records import games_frame, read_records

if TYPE_CHECKING:
    import pandas

__all__ = ["MatchResult", "Side", "Standings", "SweepResults", "match", "sweep", "tournament"]


@dataclass(frozen=True)
class Side:
    """A player with limits of its own, which go before those of the match.

    ``player`` is the text of an agent or of ``engine(cmd=…)``, an ``Agent``, or Python: a function from a position to a
    move, an object with the method ``choose``, or a class of which every worker makes an object. A function gets the
    arguments ``seed``, ``sims``, ``time`` and ``clock`` too if it has parameters of these names.
    """

    player: Any
    sims: Count | None = None
    time: Duration | None = None
    memory: Size | None = None
    #: Seconds for the whole game, and seconds added after every move.
    clock: tuple[float, float] | None = None


@dataclass(frozen=True)
class _Terms:
    games: Count
    seed: int
    openings: Count
    book: str | None
    max_plies: Count
    adjudicate: bool
    jobs: int


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


class MatchResult:
    """The statistics of a match. ``data`` has all of them, with the fields of docs/json.md; results are A's."""

    def __init__(self, data: dict[str, Any], games: list[dict[str, Any]] | None = None, record: str | None = None) -> None:
        self.data = data
        self._games, self._record = games, record

    @property
    def games(self) -> int:
        """The finished games."""
        return int(self.data["games"])

    @property
    def wins(self) -> int:
        """Games won by A."""
        return int(self.data["wins"])

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return int(self.data["draws"])

    @property
    def losses(self) -> int:
        """Games lost by A."""
        return int(self.data["losses"])

    @property
    def score(self) -> float | None:
        """Points of A per game; a draw is half a point."""
        found: float | None = self.data["score"]
        return found

    @property
    def win_rate(self) -> float | None:
        """Wins of A among the games that were not drawn."""
        found: float | None = self.data["win_rate_without_draws"]
        return found

    @property
    def wilson95(self) -> tuple[float, float] | None:
        """The Wilson interval of that rate."""
        found = self.data["wilson95"]
        return None if found is None else (found[0], found[1])

    @property
    def elo(self) -> float | None:
        """The Elo difference of the score; ``None`` if A won or lost every game."""
        found: float | None = self.data["elo"]
        return found

    @property
    def elo95(self) -> tuple[float | None, float | None]:
        """Its 95 % interval; an end is ``None`` if it is infinite."""
        return self.data["elo95"][0], self.data["elo95"][1]

    @property
    def sprt(self) -> str | None:
        """The verdict of the sequential test, ``"H0"`` or ``"H1"``; ``None`` without one."""
        found = self.data.get("sprt")
        return None if found is None else found["verdict"]

    @property
    def errors(self) -> int:
        """Games in which a side failed; ``data["first_error"]`` says how the first of them did."""
        return int(self.data["errors"])

    @property
    def complete(self) -> bool:
        """Whether every planned game is finished, or the sequential test has ended."""
        return bool(self.data["complete"])

    def to_frame(self) -> pandas.DataFrame:
        """The games as a data frame with a row for each game."""
        if self._record is not None:
            return read_records(self._record)
        if self._games is None:
            raise ValueError("the games of this match were not kept; play it with record=FILE")
        data = self.data
        config = {"game": data["game"], "a": data["side_a"], "b": data["side_b"]}
        return games_frame(config, self._games)

    def row(self) -> dict[str, Any]:
        """The statistics as one row of a table."""
        keys = ("game", "a", "b", "games", "wins", "draws", "losses", "score", "elo", "elo_error", "mean_plies")
        found = {key: self.data[key] for key in keys}
        low, high = self.wilson95 or (None, None)
        return {**found, "win_rate": self.win_rate, "win_rate_low": low, "win_rate_high": high}

    def __repr__(self) -> str:
        data = self.data
        elo = "" if self.elo is None else f", Elo {self.elo:+.0f}"
        if self.elo is not None and data["elo_error"] is not None:
            elo += f" ± {data['elo_error']:.0f}"
        result = f"+{self.wins} ={self.draws} -{self.losses}"
        return f"MatchResult({data['a']} vs {data['b']}, {data['game']}: {result}, score {_share(self.score)}{elo})"

    def _repr_html_(self) -> str:
        low, high = self.wilson95 or (None, None)
        cells = {
            "game": self.data["game"], "A": self.data["a"], "B": self.data["b"], "games": self.games,
            "won": self.wins, "drawn": self.draws, "lost": self.losses, "score": _share(self.score),
            "win rate without draws": f"{_share(self.win_rate)} ({_share(low)} to {_share(high)})",
            "Elo": "–" if self.elo is None else f"{self.elo:+.0f}",
        }  # fmt: skip
        head = "".join(f"<th>{escape(key)}</th>" for key in cells)
        row = "".join(f"<td>{escape(str(value))}</td>" for value in cells.values())
        return f"<table><tr>{head}</tr><tr>{row}</tr></table>"


class Standings:
    """What a tournament has come to."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        #: The matches, each with its agents in alphabetical order.
        self.meetings = [MatchResult(meeting) for meeting in data["meetings"]]

    @property
    def players(self) -> list[dict[str, Any]]:
        """The players with their ratings, the best first."""
        return list(self.data["players"])

    @property
    def complete(self) -> bool:
        """Whether every game is finished."""
        return bool(self.data["complete"])

    def to_frame(self) -> pandas.DataFrame:
        """The players as a data frame, the best first."""
        import pandas as pd

        return pd.DataFrame(self.players)

    def __repr__(self) -> str:
        places = ", ".join(f"{player['agent']} {player['elo']:+.0f}" for player in self.players)
        return f"Standings({self.data['game']}: {places})"


class SweepResults:
    """What a sweep has come to. ``folder`` has its records, tables and digests, as ``plyproof sweep`` leaves them."""

    def __init__(self, data: dict[str, Any], folder: FilePath) -> None:
        self.data, self.folder = data, folder

    @property
    def cells(self) -> dict[str, MatchResult]:
        """The matches that have games, by the names of their cells."""
        found = {}
        for cell in self.data["cells"]:
            if cell["summary"] is not None:
                found[cell["id"]] = MatchResult(cell["summary"], record=str(self.folder / cell["record"]))
        return found

    @property
    def complete(self) -> bool:
        """Whether every planned game is finished."""
        return all(cell["summary"] is not None and cell["summary"]["complete"] for cell in self.data["cells"])

    def to_frame(self) -> pandas.DataFrame:
        """A row for each cell: the values of the grid and the statistics of the match."""
        import pandas as pd

        rows = []
        for cell in self.data["cells"]:
            if cell["summary"] is not None:
                values = {name: _number(value) for name, value in cell["values"].items()}
                rows.append({"cell": cell["id"], "label": cell["label"], **values, **MatchResult(cell["summary"]).row()})
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        return f"SweepResults({self.data['name']}: {len(self.cells)} of {len(self.data['cells'])} cells)"


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _sides(players: Sequence[Any], common: Side) -> tuple[list[Side], bool]:
    sides = []
    for given in players:
        side = given if isinstance(given, Side) else Side(given)
        limits = (side.sims, side.time, side.clock)
        if all(limit is None for limit in limits):
            side = replace(side, sims=common.sims, time=common.time, clock=common.clock)
            if is_python(side.player) and all(limit is None for limit in (side.sims, side.time, side.clock)):
                # It decides by itself when it has thought enough.
                side = replace(side, time=3600.0)
        if side.memory is None:
            side = replace(side, memory=common.memory)
        sides.append(replace(side, player=players_of(side.player)))
    python = any(is_python(given.player if isinstance(given, Side) else given) for given in players)
    return sides, python


def _terms(
    games: Count,
    seed: int,
    openings: Count | Iterable[str],
    max_plies: Count,
    adjudicate: bool,
    jobs: int | None,
    one_thread: bool,
) -> _Terms:
    plies: Count = 0
    book: str | None = None
    if isinstance(openings, (int, float, str)):
        plies = openings
    else:
        book = "\n".join(openings)
    # Python code runs on one thread at a time; more workers would wait for each other.
    jobs = (1 if one_thread else 0) if jobs is None else jobs
    return _Terms(games, seed, plies, book, max_plies, adjudicate, jobs)


def _is_python_game(game: AnyPosition) -> bool:
    if isinstance(game, _native.Position):
        game = game.game
    return isinstance(game, type) or (isinstance(game, _native.Game) and game.python_class is not None)


Progress = bool | Callable[[MatchResult], object]


def match(
    game: AnyPosition,
    a: Any,
    b: Any,
    *,
    games: Count = 100,
    sims: Count | None = None,
    time: Duration | None = None,
    clock: tuple[float, float] | None = None,
    memory: Size | None = None,
    seed: int = 1,
    openings: Count | Iterable[str] = 0,
    max_plies: Count = 2500,
    sprt: tuple[float, float] | None = None,
    adjudicate: bool = False,
    record: Path | None = None,
    jobs: int | None = None,
    progress: Progress = False,
) -> MatchResult:
    """Plays a match between two players, in pairs of games with swapped sides.

    A player is the text of an agent, an ``Agent``, a function from a position to a move, or a ``Side`` with limits of its
    own. ``sims``, ``time`` or ``clock`` limits every move of both. ``openings`` are random plies at the start of each pair,
    or a list of openings, each a text of moves. ``sprt=(elo0, elo1)`` ends the match early by a sequential test. ``record``
    is a file to which every game is appended; with an unfinished record the match goes on. ``jobs`` games are played at a
    time, by default one for each processor, or one if Python code takes part. ``progress=True`` shows a bar; a function is
    called with the statistics so far, and ends the match if it returns ``False``.

    With fixed simulations a seed gives the same games.

    >>> result = match("tictactoe", "pn-mcts", "random", games=10, sims=100)
    >>> result.games, result.losses
    (10, 0)
    >>> def first(position):
    ...     return position.legal_moves[0]
    >>> match("connect4", first, "random", games=4, sims=1).games
    4
    """
    sides, python = _sides([a, b], Side(None, sims, time, memory, clock))
    terms = _terms(games, seed, openings, max_plies, adjudicate, jobs, python or _is_python_game(game))
    callback = progress if callable(progress) else None

    def told(text: str) -> object:
        result = MatchResult(json.loads(text))
        bar.show(result.games, int(result.data["planned"]), repr(result))
        return None if callback is None else callback(result)

    file = None if record is None else FilePath(record)
    with Bar(progress is True, "games") as bar:
        listened = told if progress is True or callback else None
        text, played = _native.play_match(game, sides[0], sides[1], terms, sprt, file, listened)
        if progress is True:
            told(text)
    return MatchResult(json.loads(text), [json.loads(one) for one in played], None if file is None else str(file))


def tournament(
    game: AnyPosition,
    players: Sequence[Any],
    *,
    gauntlet: bool = False,
    games: Count = 100,
    sims: Count | None = None,
    time: Duration | None = None,
    clock: tuple[float, float] | None = None,
    memory: Size | None = None,
    seed: int = 1,
    openings: Count | Iterable[str] = 0,
    max_plies: Count = 2500,
    adjudicate: bool = False,
    folder: Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Standings:
    """Plays a match between every two players, or with ``gauntlet`` of the first against all others, and rates them.

    ``folder`` takes a record of each match; the other arguments are those of ``match``.

    >>> standings = tournament("tictactoe", ["mcts", "pn-mcts", "random"], games=4, sims=50)
    >>> standings.players[-1]["agent"]
    'random'
    """
    sides, python = _sides(players, Side(None, sims, time, memory, clock))
    terms = _terms(games, seed, openings, max_plies, adjudicate, jobs, python or _is_python_game(game))

    def told(round: tuple[int, int, str]) -> None:
        number, of, text = round
        result = MatchResult(json.loads(text))
        bar.show(result.games, int(result.data["planned"]), f"match {number} of {of}: {result!r}")

    file = None if folder is None else FilePath(folder)
    with Bar(progress, "games") as bar:
        text = _native.play_tournament(game, sides, gauntlet, terms, file, told if progress else None)
    return Standings(json.loads(text))


def sweep(
    plan: Path | dict[str, Any],
    folder: Path,
    *,
    games: int | None = None,
    scale: float = 1.0,
    mode: str = "paper",
    jobs: int = 0,
    classes: Iterable[type[Any]] = (),
    progress: bool = False,
) -> SweepResults:
    """Plays the matches of a plan, each with a record in ``folder``; a sweep that was stopped goes on.

    ``plan`` is a file as docs/experiments.md describes it, or a dictionary with the same keys. ``games`` replaces the games
    of each cell, ``scale`` multiplies every budget; ``classes`` are games written in Python. ``mode`` says how budgets of a
    time and a rate are meant: ``"paper"`` as simulations, ``"time"`` as seconds.

    >>> import tempfile
    >>> plan = {"name": "weights", "game": "tictactoe", "a": "pn-mcts(pn={pn})", "b": "mcts",
    ...         "sims": 20, "games": 4, "grid": {"pn": [0, 1]}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = sweep(plan, folder)
    >>> [result.games for result in results.cells.values()]
    [4, 4]
    """
    if mode not in ("paper", "time"):
        raise ValueError(f"mode={mode!r} is unknown; known: paper, time")
    if isinstance(plan, dict):
        text, file = plan_text(plan), "the plan"
    else:
        file = os.fspath(plan)
        text = FilePath(file).read_text(encoding="utf-8")

    def told(state: tuple[int, int, float, str, str]) -> None:
        index, cells, left, cell, _ = state
        bar.show(index, cells, f"{cell}, about {left:.0f} s left")

    with Bar(progress, "cells") as bar:
        found = _native.play_sweep(
            text, file, FilePath(folder), games, scale, mode == "time", jobs, list(classes), told if progress else None
        )
    return SweepResults(json.loads(found), FilePath(folder))
