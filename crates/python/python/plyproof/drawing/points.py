"""Gomoku: stones on the crossings of lines."""

from __future__ import annotations

from .grid import OWNER, read_rows, squares_of
from .layout import Cell, Label, Layout, letter
from .shapes import stone, tag

STEP = 60
EDGE = 66
TOP = EDGE - 22


def stars(size: int) -> list[tuple[int, int]]:
    """The middle, and on large boards the four points around it."""
    points = [(size // 2, size // 2)] if size % 2 else []
    near = 3 if size >= 13 else 2
    if size >= 9:
        points += [(x, y) for x in (near, size - 1 - near) for y in (near, size - 1 - near)]
    return points


class PointsBoard:
    """A board of lines."""

    look = "points"

    def __init__(self, text: str) -> None:
        self.rows = read_rows(text)
        self.width, self.height = len(self.rows[0]), len(self.rows)

    def _square(self, file: int, row: int) -> str:
        return f"{letter(file)}{self.height - row}"

    def layout(self, flip: bool) -> Layout:
        """Points, lines and labels."""

        def at(file: int, row: int) -> tuple[float, float]:
            across = self.width - 1 - file if flip else file
            below = self.height - 1 - row if flip else row
            return EDGE + across * STEP, TOP + below * STEP

        right, bottom = EDGE + (self.width - 1) * STEP, TOP + (self.height - 1) * STEP
        lines = "".join(f"M{EDGE + file * STEP} {TOP}V{bottom}" for file in range(self.width))
        lines += "".join(f"M{EDGE} {TOP + row * STEP}H{right}" for row in range(self.height))
        decor = [
            tag("rect", {"class": "wood", "x": 30, "y": 8, "width": right + 2, "height": bottom + 28, "rx": 4}),
            tag("path", {"class": "lines", "d": lines}),
        ]
        if self.width == self.height:
            for x, y in stars(self.width):
                decor.append(tag("circle", {"class": "star", "cx": EDGE + x * STEP, "cy": TOP + y * STEP, "r": 5}))
        cells = [
            Cell(self._square(file, row), *at(file, row), STEP, "bare")
            for row in range(self.height)
            for file in range(self.width)
        ]
        labels = [Label(at(file, 0)[0], bottom + 54, letter(file)) for file in range(self.width)]
        labels += [Label(14, at(0, row)[1], self.height - row) for row in range(self.height)]
        return Layout(right + 40, bottom + 68, cells, labels, decor, STEP / 100)

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """The stones."""
        found = []
        for row, line in enumerate(self.rows):
            for file, sign in enumerate(line):
                if sign in OWNER:
                    found.append((self._square(file, row), stone(OWNER[sign], 45)))
        return found

    def marks(self, move: str) -> list[str]:
        """The last stone."""
        return squares_of(move)
