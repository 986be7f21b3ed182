"""Boards as SVG: the same as in the workbench, whose modules draw them in Node."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import GAMES, REPOSITORY, SIZES, walk
from own import Coins, TicTacToe

import plyproof
from plyproof.drawing import families, svg
from plyproof.drawing.shapes import count_badge
from plyproof.drawing.style import LOOKS, SQUARES, style


def positions():
    for name in GAMES + SIZES:
        before = None
        for place, (position, move) in enumerate(walk(name, plies=40)):
            if place % 5 == 0 or position.is_over:
                last = None if before is None else {"move": before[1], "mover": before[0].to_move}
                for flip in (False, True):
                    yield position, last, flip, bool(place % 2)
            before = position, move


def rounded(value):
    """Attributes with their numbers rounded, whatever they are written like."""
    return re.sub(r"-?\d+(\.\d+)?(e-\d+)?", lambda number: f"{float(number[0]) + 0.0:.1f}".replace("-0.0", "0.0"), str(value))


def of_page(node):
    attributes = {name: rounded(value) for name, value in node["attributes"].items() if value != ""}
    text = "" if node.get("text") is None else str(node["text"])
    return (node["tag"], attributes, text, [of_page(child) for child in node["children"]])


def of_text(text):
    def read(node):
        attributes = {name: rounded(value) for name, value in node.attrib.items()}
        return (node.tag, attributes, node.text or "", [read(child) for child in node])

    return read(ElementTree.fromstring(text))


def without_badge(drawn, count):
    badge = count_badge(count) if count else ""
    assert badge in drawn
    return drawn.removeprefix("<g>").replace(f"{badge}</g>", "") if badge else drawn


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not there")
def test_boards_are_those_of_the_workbench():
    asked, drawn = [], []
    for position, last, flip, kanji in positions():
        place = {"position": str(position), "board": position.board(), "to_move": position.to_move}
        asked.append(json.dumps({"game": position.game.name, "last": last, "flip": flip, "kanji": kanji, **place}))
        drawn.append((position, last, flip, kanji))
    script = Path(__file__).with_name("drawings.mjs")
    done = subprocess.run(["node", str(script)], input="\n".join(asked), capture_output=True, text=True, check=True)
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(pages) == len(drawn) > 300
    for page, (position, last, flip, kanji) in zip(pages, drawn, strict=True):
        family = families.family_of(position)
        layout = family.layout(flip)
        assert family.look == page["look"]
        assert (rounded(layout.width), rounded(layout.height)) == (rounded(page["width"]), rounded(page["height"]))
        assert rounded(layout.scale) == rounded(page["scale"])
        assert len(layout.cells) == len(page["cells"])
        for ours, theirs in zip(layout.cells, page["cells"], strict=True):
            assert (ours.id, ours.tone) == (theirs["id"], theirs["tone"])
            for key in ("x", "y", "size", "outline", "round", "tall"):
                assert rounded(getattr(ours, key) or 0) == rounded(theirs.get(key) or 0), (position, ours.id, key)
        labels = [(rounded(label.x), rounded(label.y), str(label.text)) for label in layout.labels]
        assert labels == [(rounded(label["x"]), rounded(label["y"]), str(label["text"])) for label in page["labels"]]
        assert [of_text(part) for part in layout.decor] == [of_page(part) for part in page["decor"]]
        theirs = {piece["cell"]: piece for piece in page["pieces"]}
        ours = dict(family.pieces(flip, kanji))
        assert ours.keys() == theirs.keys(), position
        for cell, piece in theirs.items():
            assert of_text(without_badge(ours[cell], piece["count"])) == of_page(piece["drawn"]), (position, cell)
        if last:
            assert family.marks(last["move"]) == page["marks"] or position.is_over or last["mover"] == position.to_move


def test_colours_are_those_of_the_workbench():
    sheet = (REPOSITORY / "crates/web/page/boards.css").read_text() + (REPOSITORY / "crates/web/page/style.css").read_text()
    known = set(re.findall(r"#[0-9a-f]{3,8}\b", sheet))
    for look in SQUARES:
        used = set(re.findall(r"#[0-9a-f]{3,8}\b", style(look)))
        assert used and used <= known, used - known
    assert set(LOOKS) <= set(SQUARES)


@pytest.mark.parametrize("name", GAMES + SIZES)
def test_a_board_is_an_image(name):
    for position, move in walk(name, plies=8):
        text = svg(position, last=move, width=200)
        root = ElementTree.fromstring(text)
        assert root.get("width") == "200" and text == svg(position, last=move, width=200)
        assert position._repr_svg_().startswith("<svg") and position._repr_html_() is None


def test_games_in_python_are_drawn_from_their_text():
    position = plyproof.Game(TicTacToe).start().play("b2", "a1")
    text = svg(position, last="a1")
    assert text.count("<circle") == 2 and "plyproof-generic" in text and 'class="last"' in text
    coins = plyproof.Game(Coins).start()
    assert svg(coins) is None and coins._repr_svg_() is None
    assert coins._repr_html_() == "<pre>{&quot;left&quot;:7,&quot;mover&quot;:1,&quot;most&quot;:2}</pre>"
    hostile = type("Hostile", (TicTacToe,), {"board": lambda self: ' 1  <a  "b\n    a  b'})
    assert "<a" not in svg(plyproof.Game(hostile).start())
