#!/usr/bin/env python3
"""Matches of plyproof against OpenSpiel's MCTS bot.

    pip install open_spiel==2.0.2
    cargo build --release
    python3 experiments/peers/opponents.py

Both sides have the same wall time a move. OpenSpiel's bot is the C++ one with random rollouts, its solver on, and its own
clock; a new one is made for every move. Programs that speak an engine protocol play by `plyproof match`.

Games come in pairs: both begin with the same two random moves, and the sides are exchanged. At every ply both programs must
name the same side to move and the same legal moves, and at the end the same result; the script stops where they do not.

Every finished game is written to the results file at once. The same command again goes on behind the last one. Delete the
file, or name another one, after a change of plyproof.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

UCT_C = 2.0  # exploration constant of OpenSpiel's bot: the default of its own examples
MEMORY_MB = 1000  # memory that OpenSpiel's bot may use
RANDOM_PLIES = 2
LONGEST = 2500  # moves after which plyproof's own matches are cut as draws; OpenSpiel's games end before


class Disagreement(Exception):
    """The two programs do not agree about a position."""


class Plyproof:
    """The plyproof program, asked anew for every position."""

    def __init__(self, binary, game):
        self.binary, self.game = str(binary), game

    def ask(self, command, moves, *options):
        line = [self.binary, command, self.game, "--moves", " ".join(moves), *options, "--json"]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode != 0:
            raise Disagreement(f"plyproof {command} failed: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def show(self, moves):
        return self.ask("show", moves)

    def choose(self, moves, seconds, seed):
        limits = ("--agent", "plyproof", "--time", f"{seconds}s", "--seed", str(seed))
        return self.ask("search", moves, *limits)["best"]


class OpenSpiel:
    """OpenSpiel as referee and as player of one game."""

    counts = "simulations"

    def __init__(self, pyspiel, ours, theirs, to_ours):
        self.pyspiel, self.to_ours = pyspiel, to_ours
        self.name = f"OpenSpiel {pyspiel.__version__} MCTS"
        self.repetition_draws = theirs == "lines_of_action"
        self.game = pyspiel.load_game(theirs)
        self.state = self.game.new_initial_state()

    def side(self):
        return None if self.state.is_terminal() else self.state.current_player() + 1

    def actions(self):
        """Legal moves in our notation, with OpenSpiel's numbers."""
        if self.state.is_terminal():
            return {}
        return {self.to_ours(self.state.action_to_string(action)): action for action in self.state.legal_actions()}

    def play(self, move):
        self.state.apply_action(self.actions()[move])

    def check(self, shown, earlier):
        """Compares a position with plyproof's; returns player 1's result if the game is over, and how it ended."""
        if self.state.is_terminal():
            result = sign(self.state.returns()[0])
            if shown["outcome"] is None and self.repetition_draws:
                # OpenSpiel alone draws a game of Lines of Action when a board comes back, or after 1,000 moves.
                if result == 0 and board(shown) in map(board, earlier):
                    return 0, "repetition, by OpenSpiel's rule"
                if result == 0 and len(earlier) >= self.game.max_game_length():
                    return 0, "length, by OpenSpiel's rule"
            if shown["result"] != result:
                raise Disagreement(f"OpenSpiel's result is {result}, plyproof's {shown['result']}")
            return result, "rules"
        if shown["outcome"] is not None:
            raise Disagreement(f"plyproof says {shown['outcome']}, OpenSpiel plays on")
        same(self.side(), shown["to_move"], "side to move")
        same(set(self.actions()), set(shown["legal_moves"]), "legal moves")
        return None

    def choose(self, seconds, seed):
        """The bot's move in our notation, and its simulations."""
        evaluator = self.pyspiel.RandomRolloutEvaluator(1, seed)
        # With a clock the number of simulations limits nothing, but the bot would play at random if it were one.
        bot = self.pyspiel.MCTSBot(
            self.game, evaluator, UCT_C, 10**9, MEMORY_MB, True, seed, False, max_wall_clock_time=seconds
        )
        root = bot.mcts_search(self.state)
        return self.to_ours(self.state.action_to_string(root.best_child().action)), root.explore_count

    def close(self):
        pass


def sign(number):
    return (number > 0) - (number < 0)


def board(shown):
    return shown["position"].split()[0]


def same(theirs, ours, what):
    if theirs == ours:
        return
    if isinstance(theirs, set):
        theirs, ours = sorted(theirs - ours), sorted(ours - theirs)
        raise Disagreement(f"{what}: only the opponent has {theirs}, only plyproof has {ours}")
    raise Disagreement(f"{what}: the opponent says {theirs}, plyproof says {ours}")


def without_marks(text):
    return text.replace("-", "").replace("x", "").replace("*", "")


def turned(text):
    """Breakthrough: OpenSpiel's first player starts at the top and marks captures with a star."""
    rank = {str(number): str(9 - number) for number in range(1, 9)}
    return "".join(rank.get(letter, letter) for letter in without_marks(text))


# Name, our game, OpenSpiel's game, OpenSpiel's move in our notation.
GAMES = [
    ("loa", "loa(both=mover)", "lines_of_action", without_marks),
    ("awari", "awari(rules=oware)", "oware", lambda text: str("ABCDEF".index(text.upper()) + 1)),
    ("breakthrough", "breakthrough", "breakthrough", turned),
    ("connect4", "connect4", "connect_four", lambda text: "abcdefg"[int(text[1:])]),
    ("hex", "hex", "hex", str),
]


def play(own, opponent, seconds, number):
    """Plays game `number`; plyproof is player 1 in even games. Returns what is recorded of it."""
    own_side = 1 + number % 2
    chance = random.Random(f"{own.game} {number // 2}")
    moves, earlier = [], []
    used, work = {"plyproof": [], "opponent": []}, []
    while True:
        try:
            shown = own.show(moves)
            end = opponent.check(shown, earlier)
            if end is None and len(moves) >= LONGEST:
                end = 0, "length"
            if end is not None:
                break
            earlier.append(shown)
            if len(moves) < RANDOM_PLIES:
                move = chance.choice(sorted(shown["legal_moves"]))
            else:
                before = time.perf_counter()
                if shown["to_move"] == own_side:
                    move = own.choose(moves, seconds, number + 1)
                    used["plyproof"].append(time.perf_counter() - before)
                else:
                    move, count = opponent.choose(seconds, 1000 * (number + 1) + len(moves))
                    used["opponent"].append(time.perf_counter() - before)
                    work.append(count)
            if move not in shown["legal_moves"]:
                raise Disagreement(f"the move {move} was chosen, which plyproof does not list")
        except Disagreement as problem:
            raise Disagreement(f'{own.game}, game {number + 1}, after "{" ".join(moves)}": {problem}') from None
        moves.append(move)
        opponent.play(move)
    result, reason = end
    return {
        "plyproof": own_side,
        "result": result if own_side == 1 else -result,
        "end": reason,
        "plyproof_moves": len(used["plyproof"]),
        "plyproof_seconds": round(sum(used["plyproof"]), 4),
        "opponent_moves": len(used["opponent"]),
        "opponent_seconds": round(sum(used["opponent"]), 4),
        "opponent_work": sum(work),
        "counts": opponent.counts,
        "moves": " ".join(moves),
    }


def write(path, games):
    """Writes all games, one a line; a run that is stopped leaves the old file or the new one."""
    lines = ",\n".join(json.dumps(game) for game in games)
    beside = path.with_name(path.name + ".new")
    beside.write_text(f"[\n{lines}\n]\n")
    os.replace(beside, path)


def table(games):
    rows = {}
    for game in games:
        rows.setdefault((game["game"], game["opponent"]), []).append(game)
    print("| game | opponent | games | won | drawn | lost | score | plyproof s/move | opponent s/move | opponent's work/move |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for (name, opponent), played in rows.items():
        won, drawn, lost = (sum(game["result"] == result for game in played) for result in (1, 0, -1))
        total = {key: sum(game[key] for game in played) for key in played[0] if key.endswith(("_moves", "_seconds", "_work"))}
        own = total["plyproof_seconds"] / max(total["plyproof_moves"], 1)
        other = total["opponent_seconds"] / max(total["opponent_moves"], 1)
        work = total["opponent_work"] / max(total["opponent_moves"], 1)
        score = statistics.mean((1 + game["result"]) / 2 for game in played)
        print(
            f"| {name} | {opponent} | {len(played)} | {won} | {drawn} | {lost} | {100 * score:.0f} % "
            f"| {own:.3f} | {other:.3f} | {work:,.0f} {played[0]['counts']} |"
        )


def main():
    root = Path(__file__).resolve().parents[2]
    names = [name for name, *_ in GAMES]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=root / "target/release/plyproof", help="plyproof to play with")
    parser.add_argument("--seconds", type=float, default=0.1, help="wall seconds a move (default %(default)s)")
    parser.add_argument("--games", type=int, default=10, help="games of each match (default %(default)s)")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help="of " + ", ".join(names))
    parser.add_argument("--out", type=Path, default=root / "experiments/peers/opponents.json", help="results file")
    arguments = parser.parse_args()
    if arguments.games < 1 or arguments.seconds < 0.001:
        parser.error("games are at least 1 and seconds at least 0.001")
    if not arguments.binary.exists():
        sys.exit(f"opponents.py: there is no {arguments.binary}; build it with: cargo build --release")

    matches = []
    for name, ours, theirs, to_ours in GAMES:
        if name in arguments.only:
            try:
                import pyspiel
            except ImportError:
                sys.exit("opponents.py: OpenSpiel is missing; install it with: pip install open_spiel==2.0.2")
            matches.append((ours, lambda o=ours, t=theirs, f=to_ours: OpenSpiel(pyspiel, o, t, f)))

    games = json.loads(arguments.out.read_text()) if arguments.out.exists() else []
    chosen = []
    for ours, make in matches:
        for number in range(arguments.games):
            opponent = make()
            try:
                key = {"game": ours, "opponent": opponent.name, "seconds": arguments.seconds, "number": number}
                record = next((game for game in games if key.items() <= game.items()), None)
                if record is None:
                    record = key | play(Plyproof(arguments.binary, ours), opponent, arguments.seconds, number)
                    games.append(record)
                    write(arguments.out, games)
                    word = {1: "won", 0: "drawn", -1: "lost"}[record["result"]]
                    count = len(record["moves"].split())
                    print(f"{ours}, {opponent.name}, game {number + 1}: {word} in {count} moves", file=sys.stderr)
            except Disagreement as problem:
                sys.exit(f"opponents.py: {problem}")
            finally:
                opponent.close()
            chosen.append(record)

    print(f"{arguments.seconds} s of wall time a move; won, drawn and lost are plyproof's")
    print()
    table(chosen)


if __name__ == "__main__":
    main()
