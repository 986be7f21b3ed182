"""What the tests share."""

import os
import shutil
from pathlib import Path

import pytest

import plyproof

REPOSITORY = Path(__file__).resolve().parents[3]

GAMES = [game["name"] for game in plyproof.games()]

#: Further parameters, so that boards of other sizes are met too.
SIZES = [
    "loa(size=7)", "loa(size=9)", "awari(rules=oware)", "gomoku(size=9)", "knightthrough(size=5x6,moves=all)",
    "mnk(m=5,n=4,k=4)", "connect4(width=5,height=4)", "breakthrough(size=5x6)", "hex(size=5)", "hex(size=4,swap=on)", "othello(size=6)",
    "domineering(size=5x4)", "clobber(size=4x5)", "amazons(size=6)",
]  # fmt: skip


def walk(game, plies=60, seed=1):
    """The positions of a random game, with the move that was played at each."""
    import random

    chance, position = random.Random(f"{game} {seed}"), plyproof.Game(game).start()
    for _ in range(plies):
        if position.is_over:
            return
        move = chance.choice(position.legal_moves)
        yield position, move
        position = position.play(move)
    yield position, None


@pytest.fixture
def program():
    """The command line of plyproof, built by the script that runs the tests."""
    found = os.environ.get("PLYPROOF") or shutil.which("plyproof")
    if not found:
        pytest.skip("PLYPROOF does not name the program")
    return found
