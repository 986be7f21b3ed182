#!/usr/bin/env python3
"""The tables of README.md from the results of the sweeps.

    python3 experiments/strength/tables.py            prints them
    python3 experiments/strength/tables.py --write    puts them in the place of those with the same first line
"""

import csv
import math
import sys
from pathlib import Path

HERE = Path(__file__).parent
GAMES = ["LOA 8x8", "LOA 7x7", "MiniShogi", "Knightthrough", "Awari", "Gomoku"]


def results(plan):
    """The played cells of a plan by label."""
    path = HERE / plan / "results.csv"
    if not path.exists():
        return {}
    with path.open() as file:
        return {row["label"]: row for row in csv.DictReader(file) if row["score"]}


def score(row, interval=True):
    """Score in per cent with its 95 % interval."""
    if row is None:
        return "–"
    won, drawn, lost = (int(row[name]) for name in ("wins", "draws", "losses"))
    games = won + drawn + lost
    mean = (won + drawn / 2) / games
    spread = (won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2) / games
    text = f"{100 * mean:.1f}"
    return f"{text} ± {196 * math.sqrt(spread / games):.1f}" if interval else text


def table(title, lines):
    rows = [f"| {title} | " + " | ".join(GAMES) + " |", "|---|" + "---|" * len(GAMES)]
    rows += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in lines]
    if "--write" not in sys.argv:
        print("\n".join(rows) + "\n")
        return
    readme = HERE / "README.md"
    blocks = readme.read_text().split("\n\n")
    place = next((i for i, block in enumerate(blocks) if block.startswith(rows[0])), None)
    if place is None:
        sys.exit(f"{readme} has no table that begins with {rows[0]}")
    blocks[place] = "\n".join(rows)
    readme.write_text("\n\n".join(blocks))


def budgets():
    found = results("paper-budgets")
    for end, title in (("mcts", "`mcts`"), ("pn-mcts", "`pn-mcts`"), ("without numbers", "`plyproof(pn=0)`")):
        def cell(game, budget):
            return next(
                (row for label, row in found.items() if label.startswith(f"{game}, {budget} s:") and label.endswith(", " + end)),
                None,
            )
        table(f"against {title}", [(f"{b} s", [score(cell(g, b)) for g in GAMES]) for b in ("0.1", "1", "2")])


def real_time():
    def line(plan, budget):
        found = results(plan)
        rows = [found.get(f"{game}, {budget} a move") for game in GAMES]
        return [f"{r['wins']}/{r['draws']}/{r['losses']}: {score(r, False)}" if r else "–" for r in rows]
    names = (("tenth-of-a-second", "0.1 s"), ("second", "1 s"))
    table("won/drawn/lost: score", [(f"{b} a move", line(plan, b)) for plan, b in names])


def large():
    found = results("large-budgets")
    ends = (("mcts", "`mcts`"), ("without numbers", "`plyproof(pn=0)`"))
    table("20,000 simulations", [(t, [score(found.get(f"{g}, 20,000 simulations, {e}")) for g in GAMES]) for e, t in ends])


def ended(row):
    """How a match with a sequential test ended: ahead or behind after so many games, the score if it was played to its
    end, nothing if it is under way."""
    if row is None:
        return None
    if row["verdict"]:
        return {"H1": "+", "H0": "−"}[row["verdict"]] + row["games"]
    return score(row, False) if row["games"] == row["planned"] else None


def unvisited():
    found = results("unvisited")
    names = dict.fromkeys(label.split(": ", 1)[1] for label in found)
    def cell(game, name):
        second = score(found.get(f"{game}: {name}"), False)
        many = ended(found.get(f"{game}, 20,000 simulations: {name}"))
        return " / ".join(filter(None, [second, many]))
    table("against 0", [(f"`{n}`", [cell(g, n) for g in GAMES]) for n in names])


def switches(plan, title, fixed=None):
    """Three budgets in a cell: a tenth of the paper's second, the second, and 20,000 simulations as far as played.

    `fixed` is a plan with 20,000 simulations and without a sequential test, for some of the cells."""
    tenth, second, many = results(plan + "-tenth"), results(plan), results(plan + "-20000")
    better = results(fixed) if fixed else {}
    names = dict.fromkeys(label.split(": ", 1)[1] for label in second)
    def cell(game, name):
        cells = [score(found.get(f"{game}: {name}"), False) for found in (tenth, second)]
        # There the default is called pn=1; in Gomoku that has wide=off, as all lines but the first.
        default = "wide=off" if game == "Gomoku" else "as it is"
        label = f"{game}: " + ("pn=1" if name == default else name)
        # Without draws these play the very games of the default.
        alike = game == "Knightthrough" and name in ("goals=two", "numbers=player")
        cells.append(ended(better.get(f"{game}: pn=1" if alike else label)) or ended(many.get(label)))
        return " / ".join(filter(None, cells))
    table(title, [(f"`{n}`" if "=" in n else n, [cell(g, n) for g in GAMES]) for n in names])


budgets()
real_time()
large()
unvisited()
switches("proof-switches", "`plyproof` with", "knightthrough-20000")
switches("plain-switches", "`mcts` with")
