#!/usr/bin/env python3
"""Two local workers against one by wall time, on a machine that does nothing else.

    python3 experiments/clusters/two_workers.py                    # ten positions, about an hour
    python3 experiments/clusters/two_workers.py --positions small  # two small ones, to try it out

Both are measured in one run, one position after the other, and within a position in turns. The last line is the geometric
mean of the quotients of the times, of which a table in README.md can be made.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import time

# Proofs of a hundred million positions, and positions one and two moves into them.
LARGE = [
    ("connect4(width=6,height=5)", ""),
    ("connect4(width=6,height=5)", "a"),
    ("connect4(width=6,height=5)", "b"),
    ("connect4(width=6,height=5)", "c"),
    ("connect4(width=6,height=5)", "c c"),
    ("connect4(width=6,height=5)", "c d"),
    ("connect4(width=6,height=5)", "b b"),
    ("breakthrough(size=5x5)", ""),
    ("breakthrough(size=5x5)", "a2a3"),
    ("breakthrough(size=5x5)", "c2c3"),
]
SMALL = [("connect4(width=5,height=4)", ""), ("mnk(m=4,n=4,k=4)", "")]


def seconds(program: str, game: str, moves: str, workers: int, memory: str) -> tuple[float, dict]:
    command = [program, "solve", game, "--moves", moves, "--jobs", str(workers), "--memory", memory, "--json"]
    began = time.monotonic()
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return time.monotonic() - began, json.loads(run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plyproof", default="target/release/plyproof")
    parser.add_argument("--positions", choices=["large", "small"], default="large")
    parser.add_argument("--runs", type=int, default=1, help="of each position and number of workers")
    parser.add_argument("--memory", default="2GB")
    given = parser.parse_args()
    print("| position | value | one worker, s | two workers, s | times as fast | nodes |")
    print("|---|---|---:|---:|---:|---:|")
    logarithms = []
    for game, moves in LARGE if given.positions == "large" else SMALL:
        times, nodes, values = {1: 0.0, 2: 0.0}, {1: 0, 2: 0}, set()
        for turn in range(given.runs):
            # Whoever is first changes from turn to turn.
            for workers in (1, 2) if turn % 2 == 0 else (2, 1):
                taken, report = seconds(given.plyproof, game, moves, workers, given.memory)
                times[workers] += taken
                nodes[workers] += report["nodes"]
                values.add(report["value"])
        assert len(values) == 1, f"{game} {moves}: {values}"
        quotient = times[1] / times[2]
        logarithms.append(math.log(quotient))
        one, two = (times[workers] / given.runs for workers in (1, 2))
        more = nodes[2] / max(1, nodes[1])
        print(f"| `{game}` {moves} | {values.pop()} | {one:.1f} | {two:.1f} | {quotient:.2f} | {more:.2f} |", flush=True)
    print(f"\ngeometric mean: {math.exp(sum(logarithms) / len(logarithms)):.2f}")


if __name__ == "__main__":
    main()
