"""Hex: a rhombus of hexagons. Player 1 connects top and bottom, player 2 left and right."""

from __future__ import annotations

import math

from .grid import OWNER, read_rows, squares_of
from .layout import Cell, Label, Layout, letter
from .shapes import piece, tag

W = 80
SIDE = W / math.sqrt(3)
ROW = SIDE * 1.5
LEFT = 62
TOP = 74

Point = tuple[float, float]


def corners(x: float, y: float, r: float = SIDE) -> list[Point]:
    """The corners of a hexagon, from the top."""
    angles = [math.radians(60 * k - 90) for k in range(6)]
    return [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]


def path(points: list[Point]) -> str:
    """A line through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


class HexBoard:
    """A board of hexagons."""

    look = "hex"

    def __init__(self, text: str) -> None:
        self.rows = read_rows(text)
        self.size = len(self.rows)

    def layout(self, flip: bool) -> Layout:
        """Hexagons, the bands of the goals, and labels."""
        n = self.size

        def plain(file: int, row: int) -> Point:
            return LEFT + W / 2 + file * W + (row * W) / 2, TOP + row * ROW

        def at(file: int, row: int) -> Point:
            return plain(n - 1 - file, n - 1 - row) if flip else plain(file, row)

        cells = []
        for row in range(n):
            for file in range(n):
                x, y = at(file, row)
                cells.append(Cell(f"{letter(file)}{row + 1}", x, y, W, "hexagon", f"{path(corners(x, y))}Z"))
        sides: dict[str, list[Point]] = {"top": [], "bottom": [], "left": [], "right": []}
        for i in range(n):
            t, b = corners(*plain(i, 0)), corners(*plain(i, n - 1))
            l, r = corners(*plain(0, i)), corners(*plain(n - 1, i))
            sides["top"] += [t[5], t[0], t[1]]
            sides["bottom"] += [b[4], b[3], b[2]]
            sides["left"] += [l[5], l[4], l[3]]
            sides["right"] += [r[1], r[2]]
        sides["left"].pop()
        decor = [
            tag("path", {"class": f"goal p{1 if name in ('top', 'bottom') else 2}", "d": path(points)})
            for name, points in sides.items()
        ]
        labels = []
        for file in range(n):
            x, y = at(file, 0)
            labels.append(
                Label(x + W / 3, y + SIDE + 26, letter(file)) if flip else Label(x - W / 3, y - SIDE - 12, letter(file))
            )
        for row in range(n):
            x, y = at(0, row)
            labels.append(Label(x + W / 2 + 30, y + 16, row + 1) if flip else Label(x - W / 2 - 30, y - 10, row + 1))
        width = LEFT + W * n + (W * (n - 1)) / 2 + 56
        return Layout(width, TOP + ROW * (n - 1) + SIDE + 44, cells, labels, decor, W / 100)

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """Taken hexagons."""
        outline = f"{path(corners(0, 0, 52))}Z"
        found = []
        for row, line in enumerate(self.rows):
            for file, sign in enumerate(line):
                if sign in OWNER:
                    body = tag("path", {"class": "body", "d": outline})
                    found.append((f"{letter(file)}{row + 1}", piece(OWNER[sign], body)))
        return found

    def marks(self, move: str) -> list[str]:
        """The last stone."""
        return squares_of(move)
