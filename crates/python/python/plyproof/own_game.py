"""Games that are written in Python."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["PyGame"]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


class PyGame:
    """A position of your own game. Subclass it, and every search, proof and match works for the game.

    A class without arguments makes the start position. ``play`` returns a new position and leaves this one as it is.
    Take one or two coins from a pile; whoever takes the last one wins:

    >>> import plyproof
    >>> class Coins(plyproof.PyGame):
    ...     name = "coins"
    ...     may_repeat = may_draw = False
    ...
    ...     def __init__(self, left=7, mover=1):
    ...         self.left, self.mover = left, mover
    ...
    ...     def to_move(self):
    ...         return self.mover
    ...
    ...     def outcome(self):
    ...         return None if self.left else 3 - self.mover
    ...
    ...     def legal_moves(self):
    ...         return ["1", "2"][: self.left]
    ...
    ...     def play(self, move):
    ...         return Coins(self.left - int(move), 3 - self.mover)
    >>> plyproof.Game(Coins).check() > 0
    True
    >>> plyproof.search(Coins, "pn-mcts", sims=1000).best
    '1'
    >>> plyproof.solve(Coins).value
    'win'
    """

    #: The name by which the game is opened and recorded: letters, digits and ``-``.
    name: ClassVar[str] = "python-game"
    #: The name for people; the name of the class if nothing is said.
    title: ClassVar[str] = ""
    #: The rules in one line.
    summary: ClassVar[str] = "A game written in Python."
    #: Goes up whenever a value could change: certificates of other versions are refused.
    version: ClassVar[int] = 1
    #: Keyword arguments of the class that are parameters of the game: ``{"size": (default, least, most)}``.
    parameters: ClassVar[dict[str, tuple[int, int, int]]] = {}
    #: Whether a position can come back in a game. ``False`` is a promise that makes proofs quicker.
    may_repeat: ClassVar[bool] = True
    #: Whether a game can end without a winner. ``False`` is a promise.
    may_draw: ClassVar[bool] = True

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "title" not in cls.__dict__ and not cls.title:
            cls.title = cls.__name__

    def to_move(self) -> int:
        """The player to move, 1 or 2."""
        raise NotImplementedError(f"{type(self).__name__} needs the method to_move()")

    def outcome(self) -> int | None:
        """``None`` while the game goes on; at its end the winner, 1 or 2, or 0 for a draw."""
        raise NotImplementedError(f"{type(self).__name__} needs the method outcome()")

    def legal_moves(self) -> Iterable[str]:
        """The legal moves as texts without spaces, in an order that depends on the position alone."""
        raise NotImplementedError(f"{type(self).__name__} needs the method legal_moves()")

    def play(self, move: str) -> PyGame:
        """The position after a legal move. This one must not change."""
        raise NotImplementedError(f"{type(self).__name__} needs the method play()")

    def text(self) -> str:
        """The position as one line: equal texts are equal positions. By default the attributes as JSON."""
        if dataclasses.is_dataclass(self):
            values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        else:
            values = vars(self)
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads what ``text`` writes; a wrong text is a ``ValueError``."""
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("the attributes of a position as JSON are expected")
        start = cls()
        known = [field.name for field in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else list(vars(start))
        if sorted(values) != sorted(known):
            raise ValueError(f"the attributes {', '.join(known)} are expected")
        found = cls.__new__(cls)
        for key in known:
            object.__setattr__(found, key, _tuples(values[key]))
        if not found.valid():
            raise ValueError("these attributes are not those of a position")
        return found

    def valid(self) -> bool:
        """Whether attributes that were read from a text can be those of a position; any error says no too."""
        return True

    def board(self) -> str:
        """The board over several lines. A grid with letters below and numbers at the left is drawn with squares."""
        return self.text()
