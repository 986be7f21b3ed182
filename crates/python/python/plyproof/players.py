"""Players of matches that are written in Python."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from ._native import Agent, Position

__all__ = ["PythonPlayers", "is_python", "players_of"]

#: What a player may ask for besides the position.
_GIVEN = ("seed", "sims", "time", "clock")


def _wanted(function: Callable[..., Any]) -> tuple[str, ...]:
    """Which of the further arguments a function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return _GIVEN
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(parameter.name for parameter in parameters if parameter.kind in named and parameter.name in _GIVEN)


class _Player:
    """One player, as the match calls it."""

    def __init__(self, given: Any) -> None:
        self._choose: Callable[..., Any] = given.choose if hasattr(given, "choose") else given
        self._wanted = _wanted(self._choose)
        self._new_game = getattr(given, "new_game", None)
        self._played = getattr(given, "played", None)

    def new_game(self, start: Position) -> None:
        if self._new_game is not None:
            self._new_game(start)

    def choose(self, position: Position, **given: Any) -> Any:
        return self._choose(position, **{name: given[name] for name in self._wanted})

    def played(self, move: str) -> None:
        if self._played is not None:
            self._played(move)


class PythonPlayers:
    """Where the players of a side come from: one for all games, or of a class one for each worker."""

    def __init__(self, given: Any) -> None:
        name = getattr(given, "name", None)
        if not isinstance(name, str):
            name = str(getattr(given, "__name__", type(given).__name__))
        self.name = f"python({re.sub('[^A-Za-z0-9_.-]+', '-', name).strip('-') or 'player'})"
        self._given = given

    def player(self) -> _Player:
        """A player for the games of one worker."""
        return _Player(self._given() if isinstance(self._given, type) else self._given)


def is_python(given: Any) -> bool:
    """Whether a player is written in Python."""
    return not isinstance(given, (str, Agent))


def players_of(given: Any) -> Any:
    """What the match takes: texts and agents as they are."""
    if not is_python(given):
        return given
    if not callable(given) and not hasattr(given, "choose"):
        kind = type(given).__name__
        raise TypeError(f"a player is a text, an Agent, a function or an object with choose(position), not {kind}")
    return PythonPlayers(given)
