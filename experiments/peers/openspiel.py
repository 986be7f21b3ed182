#!/usr/bin/env python3
"""plyproof against OpenSpiel's MCTS bot at equal wall time a move, as a table with intervals.

pip install ./crates/python open_spiel
python3 experiments/peers/openspiel.py [--seconds 0.02] [--games 100] [--folder runs/openspiel] [--only connect4 …]
"""

import argparse
from pathlib import Path

import pyspiel

import plyproof
from plyproof.openspiel import Player

GAMES = ["loa(both=mover)", "awari(rules=oware)", "breakthrough", "connect4", "hex"]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--seconds", type=float, default=0.02, help="wall seconds a move (default %(default)s)")
parser.add_argument("--games", type=int, default=100, help="games of each match (default %(default)s)")
parser.add_argument("--folder", default="runs/openspiel", help="folder of the records; a match goes on in its record")
parser.add_argument("--only", nargs="+", default=GAMES, help="games to play")
given = parser.parse_args()


class Mcts(pyspiel.Bot):
    """The C++ bot with random play-outs, its solver and its own clock; the number of simulations limits nothing."""

    def __init__(self, game, player):
        super().__init__()
        rollouts = pyspiel.RandomRolloutEvaluator(1, 1 + player)
        self.bot = pyspiel.MCTSBot(game, rollouts, 2.0, 10**9, 1000, True, 1, False, max_wall_clock_time=given.seconds)

    def step(self, state):
        root = self.bot.mcts_search(state)
        # The root has children after two simulations; on a busy machine the clock may end the search before.
        while root.explore_count < 2:
            root = self.bot.mcts_search(state)
        return root.best_child().action


print("| game | games | won | drawn | lost | score | win rate without draws (95 %) | ms a move, both |\n|---|---:|---:|---:|---:|---:|---:|---:|")
for name in given.only:
    record = Path(given.folder, name.partition("(")[0] + ".jsonl")
    record.parent.mkdir(parents=True, exist_ok=True)
    limits = {"time": given.seconds, "openings": 2, "games": given.games, "record": record}
    result = plyproof.match(name, "plyproof", Player(Mcts, name="openspiel-mcts"), **limits)
    low, high = result.wilson95 or (float("nan"), float("nan"))
    times = " and ".join(f"{result.data[side]['ms_per_move']:.1f}" for side in ("side_a", "side_b"))
    counts = f"{result.games} | {result.wins} | {result.draws} | {result.losses} | {result.score:.1%}"
    print(f"| {name} | {counts} | {result.win_rate or 0:.1%} ({low:.1%} to {high:.1%}) | {times} |", flush=True)
