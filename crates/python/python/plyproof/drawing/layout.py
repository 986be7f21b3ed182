"""Where the squares and labels of a board are."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Cell:
    """A square, by the place of its middle."""

    id: str
    x: float
    y: float
    size: float
    tone: str
    outline: str | None = None
    round: float | None = None
    tall: bool = False
    scale: float = 1.0


@dataclass
class Label:
    """A letter or a number beside the board."""

    x: float
    y: float
    text: str | int


@dataclass
class Layout:
    """All of a board but its pieces. ``scale`` is that of pieces, which are drawn for squares of 100."""

    width: float
    height: float
    cells: list[Cell]
    labels: list[Label]
    decor: list[str] = field(default_factory=list)
    scale: float = 1.0


def letter(file: int) -> str:
    """The name of a file, counted from 0."""
    return chr(97 + file)
