#!/usr/bin/env python3
"""Random play-outs a second of processor time: plyproof beside OpenSpiel, game by game, in turns.

    pip install open_spiel==2.0.2
    cargo build --release
    python3 experiments/peers/playouts.py

OpenSpiel plays its random games in C++: an MCTSBot that may make one simulation asks a RandomRolloutEvaluator once, about
the start position, and that plays `n_rollouts` games. Python does nothing in between. plyproof is measured by its own
`bench playouts`. Both count the processor time of one thread.

Each round measures every game once with both programs, one just after the other, so that whatever else the machine does
hits both alike. The ratio of a game is the median of the ratios of its rounds.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

# Our game, OpenSpiel's game, the ratio that plyproof asks of itself.
GAMES = [
    ("loa", "lines_of_action", 120),
    ("gomoku(exact=false)", "gomoku", 90),
    ("awari(rules=oware)", "oware", 11),
    ("breakthrough", "breakthrough", 25),
    ("connect4", "connect_four", 20),
    ("othello", "othello", 25),
    ("hex", "hex(board_size=11)", 8),
]


def openspiel_rate(pyspiel, name, seconds, seed):
    """Rollouts a processor second of OpenSpiel from the start position, timed for about `seconds`."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rollouts, used = 8, 0.0
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, seed, False)
        before = time.process_time()
        bot.step(state)
        used = time.process_time() - before
        if used >= 0.8 * seconds:
            return rollouts / used
        # A short run says how many would fill the time; never far more at once, should it have been a bad guess.
        grow = seconds / max(used, seconds / 50)
        rollouts = max(rollouts + 1, int(rollouts * grow))


def our_rate(binary, name, seconds, seed):
    """Play-outs a processor second of plyproof from the start position."""
    command = [binary, "bench", "playouts", "--game", name, "--seconds", str(seconds), "--seed", str(seed), "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(printed)[0]["playouts_per_s"]


def main():
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=root / "target/release/plyproof", help="plyproof to measure")
    parser.add_argument("--rounds", type=int, default=5, help="how often each game is measured (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor seconds a measurement (default %(default)s)")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.seconds <= 0:
        parser.error("rounds are at least 1 and seconds are above 0")
    try:
        import pyspiel
    except ImportError:
        sys.exit("playouts.py: OpenSpiel is missing; install it with: pip install open_spiel==2.0.2")
    if not Path(arguments.binary).exists():
        sys.exit(f"playouts.py: there is no {arguments.binary}; build it with: cargo build --release")

    rates = {game: [] for game, _, _ in GAMES}
    for round_number in range(1, arguments.rounds + 1):
        for ours, theirs, _ in GAMES:
            peer = openspiel_rate(pyspiel, theirs, arguments.seconds, round_number)
            own = our_rate(arguments.binary, ours, arguments.seconds, round_number)
            rates[ours].append((own, peer))
        print(f"round {round_number} of {arguments.rounds}", file=sys.stderr)

    print(f"plyproof against OpenSpiel {pyspiel.__version__}, play-outs a processor second, one thread,")
    print(f"{arguments.rounds} rounds of {arguments.seconds} s, medians; ratio: median of the rounds, least and most")
    print()
    print("| game | plyproof | OpenSpiel | ratio | least | largest | aim |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    short = []
    for ours, _, asked in GAMES:
        own, peer = (statistics.median(side) for side in zip(*rates[ours]))
        ratios = [one / other for one, other in rates[ours]]
        middle = statistics.median(ratios)
        print(
            f"| {ours} | {own:,.0f} | {peer:,.0f} | {middle:.1f} | {min(ratios):.1f} | {max(ratios):.1f} | {asked} |"
        )
        if middle < asked:
            short.append(f"{ours} {middle:.1f} of {asked}")
    print()
    print("every ratio is reached" if not short else "not reached: " + ", ".join(short))
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
