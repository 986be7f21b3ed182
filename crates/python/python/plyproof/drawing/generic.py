"""Any game, also one that nobody has drawn a board for: a grid with files and ranks in the text of its board."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .layout import Cell, Label, Layout
from .shapes import glyph, stone, tile

CELL = 100
MARGIN = 34
#: Signs of a square on which there is nothing.
EMPTY = {".", "-", "_", "·", "+"}
#: Lines and bars that only frame the squares.
FRAME = re.compile(r"[-+|=_ ]+")
#: A board larger than this would be drawn too small to be seen.
MOST = 26


@dataclass
class Grid:
    """The signs of a board from the top, ``None`` for an empty square, and the text beside it."""

    files: list[str]
    ranks: list[int]
    rows: list[list[str | None]]
    slant: float
    extra: str


Word = tuple[str, int]


def words_of(line: str) -> list[Word]:
    """The words of a line, each with the column after its last character. Bars between them are not part of any."""
    return [(found[0], found.end()) for found in re.finditer(r"[^\s|]+", line)]


def files_of(line: str) -> list[str] | None:
    """The letters of a line that names the files, from the first letter of the alphabet on."""
    letters = [text for text, _ in words_of(line)]
    rises = all(re.fullmatch("[A-Za-z]", text) for text in letters) and letters == sorted(set(letters))
    return letters if 0 < len(letters) <= MOST and rises and letters[0].lower() == "a" else None


def row_of(line: str, width: int) -> tuple[int, list[Word]] | None:
    """Rank and squares of a line; ``None`` if it is not a row of ``width`` squares."""
    words = words_of(line)
    if not words or not re.fullmatch(r"\d{1,2}", words[0][0]):
        return None
    rank, cells = int(words[0][0]), words[1:]
    # The rank may be repeated at the right.
    if len(cells) == width + 1 and cells[-1][0] == words[0][0]:
        cells = cells[:-1]
    # Squares may be written without spaces between them.
    if len(cells) == 1 and width > 1 and len(cells[0][0]) == width:
        first = cells[0][1] - width + 1
        cells = [(text, first + index) for index, text in enumerate(cells[0][0])]
    return (rank, cells) if len(cells) == width else None


def slant_of(rows: list[list[Word]]) -> float:
    """By how many squares each row lies to the right of the row above it, as in Hex; 0 if the rows do not all agree."""
    spacing = rows[0][1][1] - rows[0][0][1] if len(rows[0]) > 1 else 0
    if len(rows) < 2 or spacing <= 0:
        return 0
    step = rows[1][0][1] - rows[0][0][1]
    agree = all(row[0][1] - rows[0][0][1] == index * step for index, row in enumerate(rows))
    return step / spacing if agree and abs(step) <= spacing else 0


def read_grid(text: str) -> Grid | None:
    """The grid in the text of a board; ``None`` if there is none."""
    lines = [line.rstrip() for line in text.split("\n")]
    files = next((found for found in map(files_of, lines) if found), None)
    if files is None:
        return None
    rows: list[tuple[int, list[Word]]] = []
    extra: list[str] = []
    ended = False
    for line in lines:
        row = row_of(line, len(files))
        if row and not ended:
            rows.append(row)
        elif line.strip() and not FRAME.fullmatch(line):
            # Once the rows have begun, the letters of the files or other text end them.
            ended = ended or bool(rows)
            if files_of(line) != files:
                extra.append(line)
    ranks = [rank for rank, _ in rows]
    step = ranks[1] - ranks[0] if len(ranks) > 1 else 1
    in_order = abs(step) == 1 and all(rank == ranks[0] + index * step for index, rank in enumerate(ranks))
    if not rows or len(rows) > MOST or not in_order:
        return None
    # A row of another length than the others: the board is no rectangle.
    beyond = (ranks[0] - step, ranks[-1] + step) if len(rows) > 1 else (ranks[0] - 1, ranks[0] + 1)
    if any(words and words[0][0] == str(rank) for rank in beyond for words in map(words_of, extra)):
        return None
    cells = [[None if sign in EMPTY else sign for sign, _ in row] for _, row in rows]
    return Grid(files, ranks, cells, slant_of([row for _, row in rows]), "\n".join(extra))


class GenericBoard:
    """A board that is drawn from its text."""

    look = "generic"

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def layout(self, flip: bool) -> Layout:
        """Squares and labels."""
        files, ranks, slant = self.grid.files, self.grid.ranks, self.grid.slant
        wide, high = len(files), len(ranks)
        # Where the rows lean, the letters below the last row say little about the first one.
        top = MARGIN if slant else 10

        def at(file: int, row: int) -> tuple[float, float]:
            f, r = (wide - 1 - file, high - 1 - row) if flip else (file, row)
            lean = ((r - high + 1) * slant if slant < 0 else r * slant) * CELL
            return MARGIN + f * CELL + lean + CELL / 2, top + r * CELL + CELL / 2

        cells = []
        for row, rank in enumerate(ranks):
            for file, name in enumerate(files):
                tone = "dark" if not slant and (file + row) % 2 else "light"
                cells.append(Cell(f"{name}{rank}", *at(file, row), CELL, tone))
        upper, bottom, left = (high - 1, 0, wide - 1) if flip else (0, high - 1, 0)
        labels = [Label(at(file, bottom)[0], top + high * CELL + 18, name) for file, name in enumerate(files)]
        if slant:
            labels += [Label(at(file, upper)[0], top - 17, name) for file, name in enumerate(files)]
        for row, rank in enumerate(ranks):
            x, y = at(left, row)
            labels.append(Label(x - CELL / 2 - MARGIN / 2, y, rank))
        width = MARGIN + (wide + abs(slant) * (high - 1)) * CELL + 10
        return Layout(width, top + high * CELL + MARGIN, cells, labels)

    def _piece(self, sign: str) -> str:
        """x and o are stones, # a square that is out of play, other signs are written as they are."""
        lower = sign.lower()
        if lower in ("x", "o"):
            owner = 1 if lower == "x" else 2
            # Where both x and X are there, the capital is another kind of piece.
            special = sign != lower and any(lower in row for row in self.grid.rows)
            return glyph(owner, sign) if special else stone(owner)
        if sign == "#":
            return tile(0)
        found = re.search("[A-Za-z]", sign)
        return glyph((1 if found[0].isupper() else 2) if found else 0, sign)

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """Whatever stands on the squares."""
        found = []
        for rank, row in zip(self.grid.ranks, self.grid.rows, strict=True):
            for name, sign in zip(self.grid.files, row, strict=True):
                if sign is not None:
                    found.append((f"{name}{rank}", self._piece(sign)))
        return found

    def marks(self, move: str) -> list[str]:
        """The squares that a move names; none if one of them is not on the board."""
        named = [found for found in re.findall(r"([A-Za-z])(\d+)", move) if found[0] in self.grid.files]
        known = all(int(rank) in self.grid.ranks and not rank.startswith("0") for _, rank in named)
        return [file + rank for file, rank in named] if known else []
