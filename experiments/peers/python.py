#!/usr/bin/env python3
"""Speed of the Python package: searches beside the command line, calls on positions, a game written in Python.

    pip install ./crates/python
    cargo build --release
    python3 experiments/peers/python.py [--binary target/release/plyproof] [--rounds 9]

Everything is processor time of one thread. The command line and Python search in turns, so that other load on the
machine affects both alike; what a process needs to start is measured with one simulation and taken off. A ratio is the
median of the rounds' ratios.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import plyproof

sys.path.append(str(Path(__file__).parents[2] / "crates" / "python" / "tests"))
from own import TicTacToe  # noqa: E402

GAMES = ["loa", "minishogi", "awari", "knightthrough", "gomoku", "connect4"]
SIMS = 10_000
MEMORY = "256MB"


def of_the_command(binary, game, agent, sims, seed):
    """Searches once in a process of its own."""
    command = [binary, "search", game, "--agent", agent, "--memory", MEMORY, "--json"]
    subprocess.run([*command, "--sims", str(sims), "--seed", str(seed)], check=True, stdout=subprocess.DEVNULL)


def processor_seconds(work):
    """What this process and its children that have ended took for `work`."""
    def used():
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    before = used()
    work()
    return used() - before


def searches(binary, game, agent, rounds):
    """Simulations a second from Python, and their ratio to those of the command line."""
    rates, ratios = [], []
    calls = 10
    for number in range(rounds):
        seeds = range(number * calls, number * calls + calls)
        python = lambda sims: [plyproof.search(game, agent, sims=sims, memory=MEMORY, seed=seed) for seed in seeds]
        command = lambda sims: [of_the_command(binary, game, agent, sims, seed) for seed in seeds]
        ours = processor_seconds(lambda: python(SIMS))
        theirs = processor_seconds(lambda: command(SIMS)) - processor_seconds(lambda: command(1))
        rates.append(calls * SIMS / ours)
        ratios.append(theirs / ours)
    return statistics.median(rates), statistics.median(ratios)


def calls_per_second(rounds, work):
    """The median rate at which `work` makes the calls that it counts."""
    rates = []
    for _ in range(rounds):
        before = time.process_time()
        count = work()
        rates.append(count / (time.process_time() - before))
    return statistics.median(rates)


def lines(game, count):
    """Lines of first moves, cut after 50 plies: one `legal_moves` and one `play` for each ply."""
    calls = 0
    for _ in range(count):
        position = game.start()
        for _ in range(50):
            if not (moves := position.legal_moves):
                break
            position = position.play(moves[0])
            calls += 2
    return calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/plyproof", help="the command line (default %(default)s)")
    parser.add_argument("--only", choices=["searches", "calls", "own"], help="one of the tables")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of every measurement (default %(default)s)")
    given = parser.parse_args()

    if given.only in (None, "searches"):
        print("| game | agent | simulations/s from Python | Python / command line |\n|---|---|---:|---:|")
        for game in GAMES:
            for agent in ("mcts", "pn-mcts"):
                rate, ratio = searches(given.binary, game, agent, given.rounds)
                print(f"| `{game}` | `{agent}` | {rate:,.0f} | {ratio:.3f} |", flush=True)

    if given.only in (None, "calls"):
        print("\n| game | calls of `play` and `legal_moves` a second |\n|---|---:|")
        for name in [*GAMES, "tictactoe"]:
            game = plyproof.Game(name)
            rate = calls_per_second(given.rounds, lambda game=game: lines(game, 20))
            print(f"| `{name}` | {rate:,.0f} |", flush=True)

    if given.only in (None, "own"):
        print("\n| tic-tac-toe in Python | positions a second |\n|---|---:|")
        rate = calls_per_second(given.rounds, lambda: plyproof.solve(TicTacToe, "pns", memory="64MB").nodes)
        print(f"| proof by `pns`, nodes | {rate:,.0f} |")
        rate = calls_per_second(given.rounds, lambda: plyproof.Game(TicTacToe).start().perft(6))
        print(f"| `perft(6)`, leaves | {rate:,.0f} |")


if __name__ == "__main__":
    main()
