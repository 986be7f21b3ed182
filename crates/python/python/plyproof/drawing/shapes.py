"""Elements of SVG as text, squares, and how pieces look: each around 0,0 in a square of 100."""

from __future__ import annotations

from html import escape

from .layout import Cell


def tag(name: str, attributes: dict[str, object], *children: str) -> str:
    """An element. Attributes that are ``None`` are left out."""
    given = ""
    for key, value in attributes.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            given += f' {key}="{escape(text)}"'
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def group(inside: str, kind: str) -> str:
    """A group of a class."""
    return tag("g", {"class": kind}, inside) if inside else ""


def cell_shape(cell: Cell, kind: str = "shape") -> str:
    """The outline of a square."""
    x, y, half = cell.x, cell.y, cell.size / 2
    if cell.tone == "hole":
        r = 39
        hole = f"M{x - r:g} {y:g}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"
        frame = f"M{x - half:g} {y - half:g}H{x + half:g}V{y + half:g}H{x - half:g}Z"
        return tag("path", {"class": kind, "fill-rule": "evenodd", "d": frame + hole})
    if cell.outline:
        return tag("path", {"class": kind, "d": cell.outline})
    if cell.round:
        return tag("circle", {"class": kind, "cx": x, "cy": y, "r": cell.round})
    if cell.tall:
        return tag("rect", {"class": kind, "x": x - 44, "y": y - 118, "width": 88, "height": 236, "rx": 44})
    corner = 10 if cell.tone == "hand" else 0
    box = {"x": x - half, "y": y - half, "width": cell.size, "height": cell.size, "rx": corner}
    return tag("rect", {"class": kind, **box})


def piece(owner: int, *parts: str, transform: str | None = None) -> str:
    """A piece of a player; 0 is nobody."""
    return tag("g", {"class": f"piece p{owner}", "transform": transform}, *parts)


def stone(owner: int, radius: float = 39) -> str:
    """A stone of Go and many games."""
    shine = {"cx": -radius * 0.3, "cy": -radius * 0.38, "rx": radius * 0.36, "ry": radius * 0.24}
    return piece(
        owner,
        tag("ellipse", {"class": "shade", "cx": 1.5, "cy": 4, "rx": radius, "ry": radius}),
        tag("circle", {"class": "body", "r": radius}),
        tag("ellipse", {"class": "shine", **shine, "transform": "rotate(-30)"}),
    )


def disc(owner: int, radius: float = 39) -> str:
    """A flat disc with a rim."""
    return piece(
        owner,
        tag("circle", {"class": "shade", "cx": 1, "cy": 3.5, "r": radius}),
        tag("circle", {"class": "body", "r": radius}),
        tag("circle", {"class": "rim", "r": radius * 0.78}),
    )


KNIGHT = (
    "M-27 38 C-27 20 -14 12 -10 -1 C-13 3 -19 5 -24 9 C-28 12 -33 11 -35 7 C-37 3 -35 -1 -31 -6 "
    "C-26 -13 -22 -22 -14 -27 L-15 -38 L-5 -31 L-1 -40 L5 -30 C22 -25 31 -6 30 38 Z"
)
PAWN = (
    "M-26 38 L26 38 C26 26 12 22 9 4 L15 0 L15 -5 L8 -6 A17 17 0 1 0 -8 -6 L-15 -5 L-15 0 L-9 4 C-12 22 -26 26 -26 38 Z"
)


def knight(owner: int) -> str:
    """A horse's head that looks to the left."""
    return piece(
        owner,
        tag("path", {"class": "body", "d": KNIGHT}),
        tag("circle", {"class": "mark", "cx": -12, "cy": -14, "r": 3.4}),
        tag("path", {"class": "line", "d": "M6 -24 C17 -16 22 2 21 30"}),
        tag("path", {"class": "line", "d": "M-31 38 L33 38"}),
    )


def pawn(owner: int) -> str:
    """A head, a collar, a foot."""
    return piece(owner, tag("path", {"class": "body", "d": PAWN}))


def cross(owner: int) -> str:
    """A cross."""
    return piece(owner, tag("path", {"class": "stroke", "d": "M-26 -26 L26 26 M26 -26 L-26 26"}))


def ring(owner: int) -> str:
    """A nought."""
    return piece(owner, tag("circle", {"class": "stroke", "r": 28}))


def tile(owner: int) -> str:
    """A square that is taken."""
    return piece(owner, tag("rect", {"class": "body", "x": -44, "y": -44, "width": 88, "height": 88, "rx": 8}))


def glyph(owner: int, sign: str) -> str:
    """A piece known by its sign: on a disc in the colour of its owner, or bare if it has none."""
    long = len(sign) > 1
    ground = [
        tag("circle", {"class": "shade", "cx": 1, "cy": 3.5, "r": 40}),
        tag("circle", {"class": "body", "r": 40}),
    ]
    text = tag("text", {"class": "sign long" if long else "sign", "y": 12 if long else 17}, escape(sign))
    return piece(owner, *(ground if owner else []), text)


def wedge(owner: int, sign: str, *, promoted: bool, turned: bool, kanji: bool) -> str:
    """A piece of shogi: it points at the opponent."""
    kind = "sign" + (" promoted" if promoted else "") + (" kanji" if kanji else " long" if len(sign) > 1 else "")
    # Letters are to be read from where the person sits.
    upright = "rotate(180) translate(0,-16)" if turned and not kanji else None
    return piece(
        owner,
        tag("path", {"class": "shade", "d": "M1 -38 L27 -26 L36 44 L-34 44 L-25 -26 Z"}),
        tag("path", {"class": "body", "d": "M0 -42 L26 -30 L35 40 L-35 40 L-26 -30 Z"}),
        tag("text", {"class": kind, "y": 22 if kanji else 21, "transform": upright}, escape(sign)),
        transform="rotate(180)" if turned else None,
    )


def count_badge(count: int) -> str:
    """How many pieces lie on a place."""
    text = tag("text", {"y": 9}, str(count))
    return tag("g", {"class": "badge", "transform": "translate(34,34)"}, tag("circle", {"r": 19}), text)
