#!/usr/bin/env python3
"""Random games of OpenSpiel for the tests of our rules files: boards, numbers of legal moves and results.

    pip install open_spiel==2.0.2
    python3 experiments/peers/rules.py crates/rules/tests/data

Writes openspiel-NAME.jsonl.gz for each game of `rules/` that OpenSpiel plays by the same rules. The first line has the
parameters of the rules file; each further line is a game: per move the number of legal moves before it and the board after
it, cell by cell in the order of the rules file (x first player, o second player, . empty), and the result for the first
player, or null for a game that ended by a rule which the rules file does not have.
"""

import gzip
import json
import random
import sys
from pathlib import Path

import pyspiel


def hexagons(text, flipped=False):
    rows = [[c for c in line if c in ".O@"] for line in text.split("\n")]
    rows = [row for row in rows if row]
    return "".join(c for row in (reversed(rows) if flipped else rows) for c in row).translate({64: "o", 79: "x"})


def cells(state):
    return hexagons(str(state))


def triangle(state):
    return hexagons(str(state), flipped=True)


def go(state):
    rows = [line.split()[1] for line in str(state).split("\n") if line[:2].strip().isdigit()]
    return "".join(rows).translate({ord("+"): ".", ord("X"): "x", ord("O"): "o"})


def rings(state):
    lines = str(state).split("\n")[:13]
    points = [c for line in lines for c in line if c in ".WB"]
    order = [0, 1, 2, 14, 23, 22, 21, 9, 3, 4, 5, 13, 20, 19, 18, 10, 6, 7, 8, 12, 17, 16, 15, 11]
    return "".join(points[place] for place in order).translate({87: "x", 66: "o"})


def boards(state):
    rows = [line.replace(" ", "") for line in str(state).split("\n")]
    return "".join([row for row in rows if row][:9])


# Games in which a move of ours is several actions of OpenSpiel.
SEVERAL = (rings, boards)


def moves(state, player):
    """Legal moves, where a second action of the player, such as a removal, belongs to the move."""
    count = 0
    for action in state.legal_actions():
        after = state.child(action)
        more = not after.is_terminal() and after.current_player() == player
        count += len(after.legal_actions()) if more else 1
    return count


# Our file, its parameters, OpenSpiel's game, how its board reads, games to record.
GAMES = [
    ("y", "size=4", "y(board_size=4)", triangle, 40),
    ("havannah", "size=4", "havannah(board_size=4)", cells, 60),
    ("pentago", "", "pentago", cells, 12),
    ("nine_mens_morris", "patience=1000", "nine_mens_morris", rings, 20),
    ("go", "size=5,most=50", "go(board_size=5,komi=0.0)", go, 60),
    ("go", "size=7,most=98", "go(board_size=7,komi=0.0)", go, 20),
    ("ultimate_tictactoe", "", "ultimate_tic_tac_toe", boards, 30),
]


def record(name, board, seed):
    rng = random.Random(seed)
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    plies = []
    while not state.is_terminal():
        player = state.current_player()
        count = moves(state, player) if board in SEVERAL else len(state.legal_actions())
        while True:
            state.apply_action(rng.choice(state.legal_actions()))
            if board not in SEVERAL or state.is_terminal() or state.current_player() != player:
                break
        plies.append([count, board(state)])
    result = state.returns()[0]
    history = state.history()
    if board is go and len(history) < game.max_game_length() and history[-2:] != [game.num_distinct_actions() - 1] * 2:
        result = None  # superko
    if board is rings and not result:
        result = None  # OpenSpiel's limit on moves
    return {"plies": plies, "result": result}


def main():
    folder = Path(sys.argv[1])
    written = set()
    for ours, parameters, theirs, board, games in GAMES:
        lines = [{"game": ours, "parameters": parameters, "source": f"OpenSpiel 2.0.2 {theirs}"}]
        lines += [record(theirs, board, seed) for seed in range(games)]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        name = f"{ours}-{parameters.split(',')[0]}" if ours in written else ours
        written.add(ours)
        with open(folder / f"openspiel-{name.replace('=', '')}.jsonl.gz", "wb") as file:
            file.write(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
