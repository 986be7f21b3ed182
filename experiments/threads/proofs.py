#!/usr/bin/env python3
"""Proofs with several threads: wall time on two cores, and the extra work of more threads than cores.

    python3 experiments/threads/proofs.py time [--runs 1]          wall time with one thread and with two, interleaved
    python3 experiments/threads/proofs.py work [--quick]           nodes with 2 to 32 threads relative to one

`time` needs a quiet machine with two cores. `work` measures nodes, so that other programs do no harm; a count with
several threads varies from run to run. Needs the package: pip install ./crates/python. Options: --memory 4GB, --agent portfolio,
--only TEXT for the positions whose name contains it, --limit 1800 (seconds for one run).
"""

import argparse
import math

import plyproof

# Thirty seconds or more with one thread (of the release that was current when they were chosen) and some reserve.
LONG = [
    "connect4(width=7,height=5)",
    "connect4(width=6,height=6)",
    "mnk(m=5,n=5,k=4)",
    "clobber(size=5)",
    "clobber(size=6x4)",
    "breakthrough(size=5x5)",
    "knightthrough(size=4x7)",
    "domineering(size=8x7)",
    "hex(size=5)",
    "mnk(m=6,n=5,k=4)",
]

# Short ones for the extra work, each with the solvers it is measured with.
SHORT = [
    ("connect4(width=5,height=5)", ["df-pn", "alpha-beta", "portfolio"]),
    ("mnk(m=4,n=4,k=4)", ["df-pn", "alpha-beta", "portfolio"]),
    ("breakthrough(size=4x5)", ["df-pn", "alpha-beta", "portfolio"]),
    ("domineering(size=6)", ["df-pn", "alpha-beta", "portfolio"]),
    ("hex(size=4)", ["df-pn", "alpha-beta", "portfolio"]),
    ("clobber(size=5x4)", ["df-pn", "alpha-beta", "portfolio"]),
    ("knightthrough(size=5x6)", ["df-pn", "alpha-beta", "portfolio"]),
    ("connect4(width=6,height=5)", ["alpha-beta", "portfolio"]),
]


def solve(options, game, agent, threads):
    found = plyproof.solve(game, agent, threads=threads, memory=options.memory, time=options.limit)
    if found.stopped != "proven":
        return None
    return {"value": found.value, "nodes": found.nodes, "seconds": found.seconds, "by": "+".join(found.data["found_by"])}


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def measure_time(options):
    print("| position | value | 1 thread | 2 threads | faster | nodes 2/1 | answered by (1; 2 threads) |")
    print("|---|---|---:|---:|---:|---:|---|")
    ratios = []
    for game in [game for game in LONG if options.only in game]:
        runs = {1: [], 2: []}
        for _ in range(options.runs):
            for threads in (1, 2):
                runs[threads].append(solve(options, game, options.agent, threads))
        if None in runs[1] + runs[2]:
            print(f"| {game} | – | – | – | – | – | not within {options.limit} s |", flush=True)
            continue
        values = {run["value"] for run in runs[1] + runs[2]}
        assert len(values) == 1, f"{game}: {values}"
        one, two = (mean([run["seconds"] for run in runs[threads]]) for threads in (1, 2))
        nodes = mean([run["nodes"] for run in runs[2]]) / mean([run["nodes"] for run in runs[1]])
        ratios.append(one / two)
        by = f"{runs[1][0]['by']}; {runs[2][0]['by']}"
        print(f"| {game} | {values.pop()} | {one:.1f} s | {two:.1f} s | {one / two:.2f} | {nodes:.2f} | {by} |", flush=True)
    if ratios:
        print(f"\nGeometric mean of {len(ratios)} positions: {mean(ratios):.2f} times faster.")


def measure_work(options):
    counts = [2, 4, 8, 16, 32]
    print("| position | solver | 1 thread | " + " | ".join(f"{count}" for count in counts) + " |")
    print("|---|---|---:|" + "---:|" * len(counts))
    all_ratios = {count: [] for count in counts}
    for game, agents in [(game, agents) for game, agents in SHORT if options.only in game]:
        for agent in agents:
            one = solve(options, game, agent, 1)
            if one is None:
                continue
            cells = []
            for count in counts:
                found = [solve(options, game, agent, count) for _ in range(1 if options.quick else 3)]
                assert all(run and run["value"] == one["value"] for run in found), f"{game} {agent} {count}"
                ratio = mean([run["nodes"] for run in found]) / one["nodes"]
                all_ratios[count].append(ratio)
                cells.append(f"{ratio:.2f}")
            print(f"| {game} | {agent} | {one['nodes']} | " + " | ".join(cells) + " |", flush=True)
    means = [f"{mean(ratios):.2f}" if ratios else "–" for ratios in all_ratios.values()]
    print("| geometric mean | | | " + " | ".join(means) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["time", "work"])
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--agent", default="portfolio")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=1800)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one run a cell instead of three")
    options = parser.parse_args()
    (measure_time if options.what == "time" else measure_work)(options)


if __name__ == "__main__":
    main()
