"""A number for every move of a game, the same in every position and every release, for reinforcement learning.

With ``N`` squares, numbered from a1 along the first rank (``square = file + width * (rank - 1)``):

=================================================  ====================================================
games                                              number of a move
=================================================  ====================================================
connect4                                           the column
gomoku, hex, mnk, tictactoe                        the square; in hex with ``swap=on`` ``N``: swap
othello                                            the square; ``N``: pass
breakthrough, clobber, domineering,                ``N * from + to``; ``N * N``: pass
knightthrough, loa
amazons                                            ``N * N * from + N * to + arrow``
awari                                              the pit, from 0; 6: pass
minishogi                                          ``2 * (25 * from + to) + promotes``; a drop is
                                                   ``1250 + 25 * piece + to`` with the pieces R B G S P
a game in Python                                   the place of the move in the attribute ``actions``
=================================================  ====================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ._native import Game, Position
from ._types import AnyGame

__all__ = ["Actions"]

_POINTS = {"gomoku", "hex", "mnk", "tictactoe", "othello"}
_STEPS = {"breakthrough", "clobber", "domineering", "knightthrough", "loa"}
_DROPS = "RBGSP"


def board_size(game: Game) -> tuple[int, int]:
    """Files and ranks of a game on squares."""
    given = game.parameters
    if "m" in given:
        return int(given["m"]), int(given["n"])
    if "width" in given:
        return int(given["width"]), int(given["height"])
    size = str(given.get("size", 5 if game.name.startswith("minishogi") else 3))
    width, _, height = size.partition("x")
    return int(width), int(height or width)


class Actions:
    """The numbering of the moves of a game.

    >>> actions = Actions("loa(size=7)")
    >>> actions.count
    2402
    >>> actions.number("b1d3"), actions.move(actions.number("b1d3"))
    (66, 'b1d3')
    >>> import plyproof
    >>> int(actions.mask(plyproof.Game("loa(size=7)").start()).sum())
    30
    """

    def __init__(self, game: AnyGame, moves: Sequence[str] | None = None) -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        python = self.game.python_class
        name = self.game.name.partition("(")[0]
        if moves is None and python is not None:
            moves = getattr(python, "actions", None)
        self._listed = None if moves is None else list(moves)
        self._width, self._height = (0, 0) if moves is not None else board_size(self.game)
        squares = self._width * self._height
        self._squares = squares
        # A move that names no square; its number is the last one.
        self._other: str | None = None
        self._read: Callable[[str], int]
        self._write: Callable[[int], str]
        if self._listed is not None:
            numbers = {move: number for number, move in enumerate(self._listed)}
            if len(numbers) != len(self._listed):
                raise ValueError(f"the actions of {self.game.name} name a move twice")
            self.count, self._read, self._write = len(numbers), numbers.__getitem__, self._listed.__getitem__
        elif python is not None:
            raise ValueError(f"{name} needs the attribute actions: a list of all its moves")
        elif name == "connect4":
            self.count = self._width
            self._read, self._write = lambda move: ord(move) - 97, lambda number: chr(97 + number)
        elif name == "awari":
            self.count = 7
            self._read = lambda move: 6 if move == "pass" else int(move) - 1
            self._write = lambda number: "pass" if number == 6 else str(number + 1)
        elif name == "minishogi":
            self.count, self._read, self._write = 1375, self._read_shogi, self._write_shogi
        elif name in _POINTS or name in _STEPS or name == "amazons":
            self._length = 1 if name in _POINTS else 2 if name in _STEPS else 3
            if name == "hex":
                self._other = "swap" if self.game.parameters.get("swap") == "on" else None
            elif name not in ("gomoku", "mnk", "tictactoe", "amazons"):
                self._other = "pass"
            self.count = squares**self._length + (self._other is not None)
            self._read, self._write = self._read_squares, self._write_squares
        else:
            raise ValueError(f"{name} has no numbering of its moves; give all of them, as in Actions(game, moves=[…])")

    def _square(self, text: str) -> int:
        return ord(text[0]) - 97 + self._width * (int(text[1:]) - 1)

    def _name(self, square: int) -> str:
        return f"{chr(97 + square % self._width)}{square // self._width + 1}"

    def _read_squares(self, move: str) -> int:
        if move == self._other:
            return self.count - 1
        number = 0
        for text in re.findall(r"[a-z]\d+", move):
            number = number * self._squares + self._square(text)
        return number

    def _write_squares(self, number: int) -> str:
        if self._other and number == self.count - 1:
            return self._other
        names: list[str] = []
        for _ in range(self._length):
            number, square = divmod(number, self._squares)
            names.append(self._name(square))
        return "".join(reversed(names))

    def _read_shogi(self, move: str) -> int:
        if "*" in move:
            return 1250 + 25 * _DROPS.index(move[0].upper()) + self._square(move[2:4])
        return 2 * (25 * self._square(move[:2]) + self._square(move[2:4])) + move.endswith("+")

    def _write_shogi(self, number: int) -> str:
        if number >= 1250:
            piece, square = divmod(number - 1250, 25)
            return f"{_DROPS[piece]}*{self._name(square)}"
        rest, promotes = divmod(number, 2)
        start, end = divmod(rest, 25)
        return self._name(start) + self._name(end) + "+" * promotes

    def number(self, move: str) -> int:
        """The number of a move, as ``legal_moves`` writes it."""
        try:
            number = self._read(move)
            if 0 <= number < self.count and self._write(number) == move:
                return number
        except (KeyError, IndexError, TypeError, ValueError):
            pass
        raise ValueError(f"{move!r} is no move of {self.game.name} that has a number")

    def move(self, number: int) -> str:
        """The move of a number, legal or not."""
        if not 0 <= number < self.count:
            raise ValueError(f"{number} is not the number of a move of {self.game.name}; they are 0 to {self.count - 1}")
        return self._write(int(number))

    def mask(self, position: Position) -> npt.NDArray[np.int8]:
        """1 for the number of every legal move, 0 for all others."""
        if not isinstance(position, Position):
            raise TypeError(f"a mask is that of a Position, not of {type(position).__name__}")
        mask = np.zeros(self.count, dtype=np.int8)
        mask[[self.number(move) for move in position.legal_moves]] = 1
        return mask

    def __repr__(self) -> str:
        return f"Actions({self.game.name!r}, {self.count} moves)"
