#!/usr/bin/env python3
"""Positions opened and positions a second: df-pn, PN^2, PNS, PN-MCTS and the default agent on the same 20 positions.

    pip install ./crates/python
    python3 experiments/solvers/solvers.py

Every solver gets the same memory and the same time for each position. The solvers take turns on a position, so that
whatever else the machine does hits all of them alike. Results go to results.json and README-table.md beside this file.
"""

import argparse
import json
from pathlib import Path

import plyproof

HERE = Path(__file__).resolve().parent

AGENTS = ["df-pn", "df-pn(threats=off)", "pn2", "pns", "pn-mcts", "plyproof"]

STARTS = [
    "tictactoe", "mnk(m=4,n=3,k=3)", "connect4(width=4,height=4)", "breakthrough(size=4)", "breakthrough(size=3x5)",
    "breakthrough(size=6x4)", "knightthrough(size=4x5)", "knightthrough(size=3x6)", "knightthrough(size=4x6)",
    "loa(size=4)", "loa(size=5)", "hex(size=4)", "othello(size=4)", "domineering(size=5x4)", "clobber(size=4)",
]
# From each set of puzzles the hardest one.
PUZZLES = ["loa", "minishogi", "knightthrough", "awari", "gomoku"]


def positions():
    for game in STARTS:
        yield game, game, None
    for game in PUZZLES:
        yield f"{game}, hardest puzzle", game, str(plyproof.puzzles(game)[-1].position)


def solve(game, position, agent, seconds, memory):
    goal = "win" if position else "value"
    start = plyproof.Game(game).position(position)
    found = plyproof.solve(start, agent, goal=goal, time=seconds, memory=memory, threads=1)
    keys = ("value", "nodes", "seconds", "nodes_per_s", "stopped")
    return {"agent": agent, "solved": found.stopped == "proven", **{key: found.data[key] for key in keys}}


def short(number):
    return f"{number / 1e6:.2f}M" if number >= 1e6 else f"{number / 1e3:.1f}k" if number >= 1e4 else str(number)


def table(results):
    lines = ["| position | value | " + " | ".join(f"`{agent}`" for agent in AGENTS) + " |"]
    lines.append("|---|---|" + "---|" * len(AGENTS))
    for row in results:
        cells = [
            f"{short(run['nodes'])} ({short(round(run['nodes_per_s']))}/s)" if run["solved"] else f"– ({run['stopped']})"
            for run in row["runs"]
        ]
        lines.append(f"| {row['label']} | {row['value']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", default="1GB")
    arguments = parser.parse_args()
    results = []
    for label, game, position in positions():
        runs = [solve(game, position, agent, arguments.seconds, arguments.memory) for agent in AGENTS]
        values = {run["value"] for run in runs if run["solved"]}
        if len(values) > 1:
            raise SystemExit(f"{label}: the solvers disagree: {values}")
        value = values.pop() if values else "unknown"
        results.append({"label": label, "game": game, "position": position, "value": value, "runs": runs})
        print(table(results[-1:]).splitlines()[-1], flush=True)
        (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (HERE / "README-table.md").write_text(table(results))


if __name__ == "__main__":
    main()
