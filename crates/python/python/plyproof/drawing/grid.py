"""Games on squares whose positions are written as rows: most of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from . import shapes
from .layout import Cell, Label, Layout, letter

CELL = 100
MARGIN = 34
OWNER = {"x": 1, "o": 2, "#": 0}


@dataclass(frozen=True)
class Look:
    """What differs between the games."""

    name: str
    piece: Callable[[int], str]
    #: Rank 1 is at the top.
    down: bool = False
    labels: str = "margin"
    tone: str | None = None


THROUGH_KNIGHT = Look("through", shapes.knight)
MARKS = Look("marks", lambda owner: shapes.cross(owner) if owner == 1 else shapes.ring(owner))
LOOKS = {
    "loa": Look("loa", shapes.stone),
    "knightthrough": THROUGH_KNIGHT,
    "breakthrough": Look("through", shapes.pawn),
    "clobber": Look("clobber", lambda owner: shapes.disc(owner, 41)),
    "othello": Look("othello", lambda owner: shapes.disc(owner, 40), down=True),
    "connect4": Look("connect4", lambda owner: shapes.disc(owner, 36), labels="files", tone="hole"),
    "domineering": Look("domineering", shapes.tile),
    "tictactoe": MARKS,
    "mnk": MARKS,
}


def read_rows(text: str) -> list[list[str]]:
    """The rows of a position as the workbench shows them, from the top: ``x.o/.x./... o``."""
    rows = re.sub(r"\d+", lambda found: "." * int(found[0]), text.split(" ")[0])
    return [list(row) for row in rows.split("/")]


def squares_of(move: str) -> list[str]:
    """The squares of a move: ``b1d3`` is b1 and d3."""
    return re.findall(r"[a-z]\d+", move)


class GridBoard:
    """A board of squares."""

    def __init__(self, game: str, text: str) -> None:
        self._look = LOOKS[game]
        self.look = self._look.name
        self.rows = read_rows(text)
        self.width, self.height = len(self.rows[0]), len(self.rows)

    def square(self, file: int, row: int) -> str:
        """The name of a square in the picture."""
        return f"{letter(file)}{row + 1 if self._look.down else self.height - row}"

    def layout(self, flip: bool) -> Layout:
        """Squares and labels."""

        def at(file: int, row: int) -> tuple[float, float]:
            across = self.width - 1 - file if flip else file
            below = self.height - 1 - row if flip else row
            return MARGIN + across * CELL + CELL / 2, 10 + below * CELL + CELL / 2

        cells = []
        for row in range(self.height):
            for file in range(self.width):
                tone = self._look.tone or ("dark" if (file + row) % 2 else "light")
                cells.append(Cell(self.square(file, row), *at(file, row), CELL, tone))
        bottom = 10 + self.height * CELL
        labels = [Label(at(file, 0)[0], bottom + 24, letter(file)) for file in range(self.width)]
        if self._look.labels == "margin":
            for row in range(self.height):
                rank = row + 1 if self._look.down else self.height - row
                labels.append(Label(MARGIN / 2, at(0, row)[1], rank))
        return Layout(MARGIN + self.width * CELL + 10, bottom + MARGIN, cells, labels)

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """The pieces, each with the name of its square."""
        found = []
        for row, line in enumerate(self.rows):
            for file, sign in enumerate(line):
                if sign in OWNER:
                    found.append((self.square(file, row), self._look.piece(OWNER[sign])))
        return found

    def marks(self, move: str) -> list[str]:
        """The squares that the last move touched; of a column, the stone that lies on top."""
        squares = squares_of(move)
        if not squares and re.fullmatch("[a-z]", move):
            file = ord(move) - 97
            taken = [row for row in range(self.height) if file < self.width and self.rows[row][file] != "."]
            return [self.square(file, taken[0])] if taken else []
        return squares
