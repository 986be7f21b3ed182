"""Games in Python for the tests: right ones, and broken ones."""

from dataclasses import dataclass

import plyproof

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SQUARES = [f"{file}{rank}" for rank in "321" for file in "abc"]


class TicTacToe(plyproof.PyGame):
    """Three in a row, as in plyproof's own tictactoe."""

    name = "py-tictactoe"
    may_repeat = False
    actions = sorted(SQUARES)

    def __init__(self, cells="." * 9):
        self.cells = cells

    def to_move(self):
        return 1 + (9 - self.cells.count(".")) % 2

    def outcome(self):
        for a, b, c in LINES:
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return 1 if self.cells[a] == "x" else 2
        return None if "." in self.cells else 0

    def legal_moves(self):
        return [SQUARES[place] for place in range(9) if self.cells[place] == "."]

    def play(self, move):
        place = SQUARES.index(move)
        return TicTacToe(self.cells[:place] + "xo"[self.to_move() - 1] + self.cells[place + 1 :])

    def text(self):
        return self.cells

    @classmethod
    def parse(cls, text):
        if len(text) != 9 or set(text) - set("xo."):
            raise ValueError("nine of x, o and . are expected")
        return cls(text)

    def board(self):
        rows = [f" {3 - row}  {'  '.join(self.cells[3 * row : 3 * row + 3])}" for row in range(3)]
        return "\n".join([*rows, "    a  b  c"])


@dataclass(frozen=True)
class Coins(plyproof.PyGame):
    """Take one to `most` coins; who takes the last one wins. The texts are those of the base class."""

    left: int = 7
    mover: int = 1
    most: int = 2

    name = "py-coins"
    may_repeat = False
    may_draw = False
    parameters = {"left": (7, 1, 100), "most": (2, 1, 9)}

    def to_move(self):
        return self.mover

    def outcome(self):
        return None if self.left else 3 - self.mover

    def legal_moves(self):
        return [str(number) for number in range(1, min(self.left, self.most) + 1)]

    def play(self, move):
        return Coins(self.left - int(move), 3 - self.mover, self.most)


def broken(**methods):
    """Coins with some methods replaced."""
    return type("Broken", (Coins,), {"name": "broken", "play": play_as_itself, **methods})


def play_as_itself(self, move):
    return type(self)(self.left - int(move), 3 - self.mover, self.most)
