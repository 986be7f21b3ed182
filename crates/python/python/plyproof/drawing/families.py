"""Which board belongs to which game. A game that is not listed here is drawn from its text."""

from __future__ import annotations

from typing import Protocol

from .. import _native
from .awari import AwariBoard
from .generic import GenericBoard, read_grid
from .grid import LOOKS, GridBoard
from .hexagons import HexBoard
from .layout import Layout
from .minishogi import MiniShogiBoard
from .points import PointsBoard


class Family(Protocol):
    """A board of one position."""

    look: str

    def layout(self, flip: bool) -> Layout:
        """Squares and labels."""

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """The pieces, each with the name of its square."""

    def marks(self, move: str) -> list[str]:
        """The squares that the last move touched."""


def family_of(position: _native.Position) -> Family | None:
    """The board of a position; ``None`` if its text has no squares."""
    game = position.game
    name = game.name.partition("(")[0] if game.python_class is None else ""
    if name in LOOKS:
        return GridBoard(name, str(position))
    if name == "gomoku":
        return PointsBoard(str(position))
    if name == "hex":
        return HexBoard(str(position))
    if name == "awari":
        return AwariBoard(position.board(), position.to_move)
    if name == "minishogi":
        return MiniShogiBoard(position.board())
    grid = read_grid(position.board())
    return None if grid is None else GenericBoard(grid)
