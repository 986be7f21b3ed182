"""Exact values, certificates, endgame tables and puzzles."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from . import _native
from ._native import Agent, Game, Position
from ._types import AnyGame, AnyPosition, Count, DictCallback, Duration, Path, Size

__all__ = ["Puzzle", "Solution", "make_table", "puzzles", "solve", "table_contents", "verify"]


class Solution:
    """What a solver found out. ``data`` has all of it, with the fields of docs/json.md."""

    def __init__(self, position: Position, agent: str, data: dict[str, Any], certificates: list[str]) -> None:
        self.position, self.agent, self.data = position, agent, data
        #: The certificate files written.
        self.certificates = certificates

    @property
    def value(self) -> str | None:
        """The proven value for the player to move, ``"win"``, ``"draw"`` or ``"loss"``."""
        found: str | None = self.data["value"]
        return found

    @property
    def bounds(self) -> tuple[str, str]:
        """The worst and the best result still possible."""
        return self.data["bounds"]["least"], self.data["bounds"]["most"]

    @property
    def score(self) -> int | None:
        """With ``goal="score"``: the points by which the player to move wins, negative for a loss."""
        found: int | None = self.data["score"]
        return found

    @property
    def distance(self) -> int | None:
        """With a certificate: the plies until the end at most, if the winner follows it."""
        found: int | None = self.data["distance"]
        return found

    @property
    def line(self) -> list[str]:
        """The principal variation, as far as it is known."""
        return list(self.data["line"])

    @property
    def moves(self) -> dict[str, str | None]:
        """With ``all_moves=True``: the proven value of every legal move."""
        return {found["move"]: found["value"] for found in self.data.get("moves", [])}

    @property
    def numbers(self) -> tuple[float, float] | None:
        """Proof and disproof number of the last question."""
        found = self.data["numbers"]
        if found is None:
            return None
        pn, dpn = (math.inf if found[key] == "inf" else float(found[key]) for key in ("pn", "dpn"))
        return pn, dpn

    @property
    def nodes(self) -> int:
        """The positions expanded."""
        return int(self.data["nodes"])

    @property
    def seconds(self) -> float:
        """The time."""
        return float(self.data["seconds"])

    @property
    def stopped(self) -> str:
        """Why the solver ended."""
        return str(self.data["stopped"])

    def __repr__(self) -> str:
        value = self.value or "unknown, {} to {}".format(*self.bounds)
        return f"Solution({value}, {self.nodes} nodes, {self.seconds:.3f} s, {self.stopped})"


def solve(
    position: AnyPosition,
    agent: str | Agent = "portfolio",
    *,
    goal: str = "value",
    nodes: Count | None = None,
    time: Duration | None = None,
    memory: Size | None = None,
    threads: int = 1,
    seed: int = 1,
    all_moves: bool = False,
    certificate: Path | None = None,
    progress: DictCallback | None = None,
) -> Solution:
    """Finds the exact value of a position.

    ``goal`` is ``"value"``, ``"win"``, ``"draw"`` (at least a draw) or ``"score"``. ``certificate`` names a file for the
    proof, gzipped if it ends in ``.gz``; the second proof of a draw gets ``-2`` in its name. ``progress`` is called about
    ten times a second; the solver ends if it returns ``False``.

    >>> solve("tictactoe").value
    'draw'
    >>> solve("mnk(m=4,n=3,k=3)", all_moves=True).moves["b2"]
    'win'
    """
    file = None if certificate is None else FilePath(certificate)
    held, text, written = _native.solve(
        position, agent, goal, nodes, time, memory, threads, seed, all_moves, file, progress
    )
    return Solution(held, str(agent), json.loads(text), written)


def verify(
    certificate: Path,
    *,
    memory: Size | None = None,
    games: Iterable[type[Any] | Game] = (),
    progress: DictCallback | None = None,
) -> dict[str, Any]:
    """Checks a certificate, and says what it proves. One that does not hold is a ``CertificateError``.

    ``games`` are the games that the certificate may be about beside those that plyproof comes with and those in rules
    files: classes of games written in Python, and games from ``Game.from_rules``.
    """
    return _native.verify(FilePath(certificate), memory, list(games), progress)


def make_table(
    game: str,
    path: Path,
    *,
    limit: int | None = None,
    memory: Size | None = None,
    progress: DictCallback | None = None,
) -> dict[str, Any]:
    """Makes an endgame table of ``awari`` or ``loa(…)`` in a file; agents use it by ``table=FILE``.

    ``limit`` is the largest number of pieces. Returns what is in the table, as ``plyproof table --json`` does.
    """
    found: dict[str, Any] = json.loads(_native.make_table(game, FilePath(path), limit, memory, progress))
    return found


def table_contents(path: Path) -> dict[str, Any]:
    """What is in the endgame table in a file. All of the file is checked."""
    found: dict[str, Any] = json.loads(_native.table_contents(FilePath(path)))
    return found


class Puzzle:
    """A position with one winning move."""

    def __init__(self, position: Position, best: str, nodes: int) -> None:
        self.position = position
        #: The winning move.
        self.best = best
        #: The positions that a solver expanded to prove the win: how hard the puzzle is.
        self.nodes = nodes

    def __repr__(self) -> str:
        return f"Puzzle({str(self.position)!r}, best={self.best!r})"


def puzzles(game: AnyGame | None = None, *, file: Path | None = None) -> list[Puzzle]:
    """The puzzles that come with plyproof for a game, or those in a file.

    >>> first = puzzles("loa")[0]
    >>> first.best in first.position.legal_moves
    True
    """
    text = None
    if file is not None:
        with open(os.fspath(file), encoding="utf-8") as opened:
            text = opened.read()
    name, found = _native.puzzles(game, text)
    opened_game = Game(name)
    return [Puzzle(opened_game.position(position), best, nodes) for position, best, nodes in found]
