#!/usr/bin/env python3
"""How often the move chosen in Connect Four keeps the exact value, where moves differ in value.

    python3 experiments/learning/connect4.py --program target/release/plyproof --positions 100

Positions come from random games of 8 to 16 plies. The solver finds the value of every legal move; where all have one
value, or the solver needs more than its limit of nodes, the position does not count. The agent then has its time for a
move, alone in a new process.
"""

import argparse
import json
import math
import random
import subprocess

COLUMNS, ROWS = "abcdefg", 6


def wins(stones, column):
    """Whether the stone on top of a column makes four in a row."""
    at = (column, len(stones[column]) - 1)
    owner = stones[at[0]][at[1]]

    def run(dx, dy):
        x, y, length = at[0] + dx, at[1] + dy, 0
        while 0 <= x < len(stones) and 0 <= y < len(stones[x]) and stones[x][y] == owner:
            x, y, length = x + dx, y + dy, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)])


def random_game(rng, plies):
    """The moves of a random game that goes on after so many plies, or None."""
    stones, moves = [[] for _ in COLUMNS], []
    for ply in range(plies):
        column = rng.choice([column for column in range(len(COLUMNS)) if len(stones[column]) < ROWS])
        stones[column].append(ply % 2)
        moves.append(COLUMNS[column])
        if wins(stones, column):
            return None
    return moves


def ask(program, *arguments):
    done = subprocess.run([program, *arguments, "--threads", "1", "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="plyproof")
    parser.add_argument("--agent", default="plyproof")
    parser.add_argument("--time", default="50ms", help="for a move")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", default="20000000", help="for the values of all moves of a position")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, counted, kept, unsolved = random.Random(options.seed), 0, 0, 0
    while counted < options.positions:
        moves = random_game(rng, rng.randint(8, 16))
        if moves is None:
            continue
        line = ["--moves", " ".join(moves)]
        solved = ask(options.program, "solve", "connect4", *line, "--all-moves", "--nodes", options.nodes)
        values = {move["move"]: move["value"] for move in solved["moves"]}
        if solved["value"] is None or None in values.values():
            unsolved += 1
            continue
        if len(set(values.values())) == 1:
            continue
        chosen = ask(options.program, "search", "connect4", *line, "--agent", options.agent, "--time", options.time)
        counted += 1
        right = values[chosen["best"]] == solved["value"]
        kept += right
        if not right:
            print(f"{' '.join(moves)}: {chosen['best']} is a {values[chosen['best']]}, best is a {solved['value']}")
    share, z = kept / counted, 1.96
    middle, width = share + z * z / (2 * counted), z * math.sqrt(share * (1 - share) / counted + (z / counted / 2) ** 2)
    low, high = ((middle + sign * width) / (1 + z * z / counted) for sign in (-1, 1))
    print(f"{kept} of {counted} kept the value: {share:.1%} (95 %: {low:.1%} to {high:.1%}); {unsolved} not solved")


if __name__ == "__main__":
    main()
