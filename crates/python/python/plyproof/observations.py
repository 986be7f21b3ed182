"""Positions as arrays of numbers, as the player to move, or another player, sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Game, Position
from .actions import board_size
from .drawing.awari import AwariBoard
from .drawing.grid import read_rows
from .drawing.minishogi import KINDS, MiniShogiBoard

__all__ = ["Observations"]

_PIECES = ["K", "G", "S", "B", "R", "P", "+S", "+B", "+R", "+P"]
#: Bytes of the text of a position of a game that says nothing of its own.
_TEXT = 256


class Observations:
    """How the positions of a game are seen. All numbers are whole, in arrays of int8, or uint8 for texts.

    - Games on squares: planes of own pieces, the opponent's pieces and blocked squares, ``(3, ranks, files)``, the first
      row that of the picture's top.
    - Awari: seeds in the own pits, in the opponent's pits, in the own store, in the opponent's: ``(14,)``.
    - MiniShogi: planes of ten kinds of own pieces, ten of the opponent's, five of each in hand: ``(30, 5, 5)``.
    - Games in Python: what the method ``observation(player)`` of the class returns, an array like that of ``low``; without
      it the bytes of the text, ``(256,)``.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._name = game.name.partition("(")[0]
        self._python = game.python_class
        self._own = self._python is not None and hasattr(self._python, "observation")
        example = self.of(game.start(), 1)
        self.shape, self.dtype = example.shape, example.dtype

    @property
    def high(self) -> int:
        """The largest number in an array; the smallest is 0, or ``-high`` for arrays of a game's own."""
        return int(np.iinfo(self.dtype).max)

    def of(self, position: Position, player: int) -> npt.NDArray[Any]:
        """The position as a player sees it."""
        if self._own:
            seen: npt.NDArray[Any] = np.asarray(position.state.observation(player), dtype=np.int8)
            return seen
        if self._python is not None:
            text = str(position).encode()
            if len(text) > _TEXT:
                raise ValueError(f"positions of {self._name} have more than {_TEXT} bytes; give it observation(player)")
            return np.array(list(text.ljust(_TEXT, b"\0")), dtype=np.uint8)
        if self._name == "awari":
            pits = AwariBoard(position.board(), position.to_move)
            both = [*pits.seeds[player], *pits.seeds[3 - player], pits.stores[player], pits.stores[3 - player]]
            return np.array(both, dtype=np.int8)
        if self._name == "minishogi":
            return self._shogi(MiniShogiBoard(position.board()), player)
        width, height = board_size(self.game)
        signs = np.array(read_rows(str(position)))
        planes = np.zeros((3, height, width), dtype=np.int8)
        for plane, sign in enumerate("xo#" if player == 1 else "ox#"):
            planes[plane] = signs == sign
        return planes

    @staticmethod
    def _shogi(board: MiniShogiBoard, player: int) -> npt.NDArray[np.int8]:
        planes = np.zeros((30, 5, 5), dtype=np.int8)
        for square, owner, kind in board.men:
            plane = _PIECES.index(kind) + (0 if owner == player else 10)
            planes[plane, 5 - int(square[1]), ord(square[0]) - 97] = 1
        for owner, hand in board.hands.items():
            for kind, count in hand.items():
                planes[20 + KINDS.index(kind) + (0 if owner == player else 5)] = count
        return planes
