"""Awari: two rows of six pits and two stores. Player 1 sits at the bottom and sows from left to right."""

from __future__ import annotations

import math
import re

from .layout import Cell, Label, Layout
from .shapes import tag

STEP = 118
RADIUS = 51
LEFT = 190
ROWS = {1: 292, 2: 118}


def seeds(count: int, radius: float) -> list[str]:
    """A number of seeds in a circle, always in the same places: a spiral like that of a sunflower."""
    shown = min(count, 40)
    spread = min(radius, 9 + 8.2 * math.sqrt(shown))
    found = []
    for i in range(shown):
        r = 0 if shown == 1 else spread * math.sqrt((i + 0.5) / shown)
        angle = i * 2.39996 + count
        x, y = f"{r * math.cos(angle):.1f}", f"{r * math.sin(angle):.1f}"
        found.append(tag("circle", {"class": f"seed s{i % 3}", "cx": x, "cy": y, "r": 8.5}))
    return found


class AwariBoard:
    """A board of pits."""

    look = "awari"

    def __init__(self, board: str, mover: int | None) -> None:
        lines = board.split("\n")

        def numbers(line: str) -> list[int]:
            return [int(found) for found in re.findall(r"\d+", re.sub(r"\[\s*\d+\]", "", line))]

        def store(line: str) -> int:
            found = re.search(r"\[\s*(\d+)\]", line)
            return int(found[1]) if found else 0

        self.seeds = {1: numbers(lines[2])[:6], 2: numbers(lines[1])[1:][::-1]}
        self.stores = {1: store(lines[2]), 2: store(lines[1])}
        self.mover = mover or 1

    def layout(self, flip: bool) -> Layout:
        """Pits, stores and labels."""
        cells, labels = [], []
        for player in (2, 1):
            for hole in range(1, 7):
                bottom = (player == 1) != flip
                x = LEFT + (hole - 1 if bottom else 6 - hole) * STEP
                y = ROWS[1 if bottom else 2]
                cells.append(Cell(f"{player}:{hole}", x, y, RADIUS * 2, "pit", round=RADIUS))
                labels.append(Label(x, y + 97 if bottom else y - 97, hole))
        # The store stands at the end of the own row.
        right = LEFT + 5 * STEP + 122
        for player in (1, 2):
            x = right if (player == 1) != flip else LEFT - 122
            cells.append(Cell(f"store:{player}", x, 205, 100, "store", tall=True))
        wood = tag("rect", {"class": "wood", "x": 6, "y": 38, "width": right + 62, "height": 334, "rx": 62})
        return Layout(right + 74, 410, cells, labels, [wood])

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """Seeds, with their numbers."""
        found = []
        for player in (1, 2):
            below = (player == 1) != flip
            for hole, count in enumerate(self.seeds[player], 1):
                number = tag("text", {"class": "count", "y": 72 if below else -56}, str(count))
                found.append((f"{player}:{hole}", tag("g", {"class": "piece seeds"}, *seeds(count, 40), number)))
            count = self.stores[player]
            number = tag("text", {"class": "count store", "y": 98}, str(count))
            found.append((f"store:{player}", tag("g", {"class": "piece seeds"}, *seeds(count, 38), number)))
        return found

    def marks(self, move: str) -> list[str]:
        """The pit that the last move sowed from."""
        return [] if move == "pass" else [f"{3 - self.mover}:{move}"]
