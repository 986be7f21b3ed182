"""Boards as SVG, drawn as the workbench draws them.

A position of any game shows its board in a notebook; ``svg`` makes the same picture as text, for a file:

>>> import plyproof
>>> from plyproof.drawing import svg
>>> position = plyproof.Game("tictactoe").start().play("b2")
>>> svg(position, last="b2").startswith("<svg ")
True
"""

from __future__ import annotations

from html import escape

from .. import _native
from .families import family_of
from .layout import Layout
from .shapes import cell_shape, group, tag
from .style import style

__all__ = ["svg"]

#: Width of a board in a notebook, in pixels.
WIDTH = 360


def svg(
    position: _native.Position,
    *,
    last: str | None = None,
    flip: bool = False,
    kanji: bool = False,
    width: int | None = None,
) -> str | None:
    """The board as SVG; ``None`` for a game whose text has no squares.

    ``last`` is the move that led to the position, which is marked; ``flip`` turns the board round; ``kanji`` writes
    Japanese signs on the pieces of MiniShogi; ``width`` is in pixels.
    """
    family = family_of(position)
    if family is None:
        return None
    layout = family.layout(flip)
    return _drawn(layout, family.look, family.pieces(flip, kanji), family.marks(last) if last else [], width)


def _drawn(layout: Layout, look: str, pieces: list[tuple[str, str]], marks: list[str], width: int | None) -> str:
    cells = {cell.id: cell for cell in layout.cells}
    squares = [group(cell_shape(cell), f"cell {cell.tone}") for cell in layout.cells]
    marked = [cell_shape(cells[mark], "last") for mark in marks if mark in cells]
    men = []
    for cell, drawn in pieces:
        place = cells[cell]
        move = f"translate({place.x:g},{place.y:g})"
        if layout.scale * place.scale != 1:
            move += f" scale({layout.scale * place.scale:g})"
        men.append(tag("g", {"transform": move}, drawn))
    labels = [tag("text", {"x": label.x, "y": label.y}, escape(str(label.text))) for label in layout.labels]
    layers = [
        group("".join(layout.decor), "decor"),
        group("".join(squares), "cells"),
        group("".join(marked), "marks"),
        group("".join(labels), "labels"),
        group("".join(men), "pieces"),
    ]
    size = f"0 0 {layout.width:g} {layout.height:g}"
    attributes: dict[str, object] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": size,
        "class": f"plyproof-{look}",
        "width": width or WIDTH,
        "height": round((width or WIDTH) * layout.height / layout.width),
    }
    return tag("svg", attributes, style(look), *layers)


def notebook_svg(position: _native.Position) -> str | None:
    """What a notebook shows of a position that has a picture."""
    return svg(position)


def notebook_html(position: _native.Position) -> str | None:
    """What a notebook shows of a position without squares: the text of the board."""
    if family_of(position) is not None:
        return None
    return f"<pre>{escape(position.board())}</pre>"
