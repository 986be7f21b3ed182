"""MiniShogi: wedges that point at the opponent, hands beside the board, drops from the hand."""

from __future__ import annotations

import re

from .layout import Cell, Label, Layout, letter
from .shapes import count_badge, tag, wedge

CELL = 100
LEFT = 34
TOP = 88
KINDS = ["R", "B", "G", "S", "P"]
KANJI = {
    "K": "王", "G": "金", "S": "銀", "B": "角", "R": "飛", "P": "歩", "+S": "全", "+B": "馬", "+R": "竜", "+P": "と",
}  # fmt: skip
#: Pieces in hand are smaller.
SMALL = 0.82


def square(file: int, row: int) -> str:
    """The name of a square in the picture."""
    return f"{letter(file)}{5 - row}"


def read_hand(text: str) -> dict[str, int]:
    """Pieces in hand: ``2PR`` is two pawns and a rook, ``-`` nothing."""
    return {kind.upper(): int(count or 1) for count, kind in re.findall(r"(\d*)([A-Za-z])", text)}


class MiniShogiBoard:
    """A board with hands."""

    look = "minishogi"

    def __init__(self, board: str) -> None:
        lines = board.split("\n")
        self.men: list[tuple[str, int, str]] = []
        for row in range(5):
            for file in range(5):
                text = lines[row][3 + file * 3 : 5 + file * 3].strip()
                if text != ".":
                    self.men.append((square(file, row), 1 if text[-1].isupper() else 2, text.upper()))
        found = re.search(r"first player (\S+), second player (\S+)", lines[6])
        first, second = (found[1], found[2]) if found else ("-", "-")
        self.hands = {1: read_hand(first), 2: read_hand(second)}

    def layout(self, flip: bool) -> Layout:
        """Squares, hands and labels."""
        cells = []
        for row in range(5):
            for file in range(5):
                c, r = (4 - file, 4 - row) if flip else (file, row)
                cells.append(Cell(square(file, row), LEFT + c * CELL + 50, TOP + r * CELL + 50, CELL, "plain"))
        for player in (2, 1):
            bottom = (player == 1) != flip
            for index, kind in enumerate(KINDS):
                x = LEFT + (index if bottom else 4 - index) * CELL + 50
                y = TOP + 5 * CELL + 68 if bottom else 42
                cells.append(Cell(f"hand:{player}:{kind}", x, y, 74, "hand", scale=SMALL))
        labels = []
        for i in range(5):
            place = 4 - i if flip else i
            labels.append(Label(LEFT + place * CELL + 50, TOP + 5 * CELL + 18, letter(i)))
            labels.append(Label(LEFT / 2, TOP + place * CELL + 50, 5 - i))
        return Layout(LEFT + 5 * CELL + 10, TOP + 5 * CELL + 110, cells, labels)

    def pieces(self, flip: bool, kanji: bool) -> list[tuple[str, str]]:
        """Pieces on the board and in hand."""

        def drawn(owner: int, kind: str) -> str:
            sign = KANJI[kind] if kanji else kind
            return wedge(owner, sign, promoted=kind.startswith("+"), turned=(owner == 2) != flip, kanji=kanji)

        found = [(cell, drawn(owner, kind)) for cell, owner, kind in self.men]
        for player, hand in self.hands.items():
            for kind, count in hand.items():
                man = drawn(player, kind)
                if count > 1:
                    man = tag("g", {}, man, count_badge(count))
                found.append((f"hand:{player}:{kind}", man))
        return found

    def marks(self, move: str) -> list[str]:
        """The squares that the last move touched."""
        return [move[2:4]] if "*" in move else [move[:2], move[2:4]]
