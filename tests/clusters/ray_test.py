"""A Ray of three nodes on this machine. A sweep loses a node; a proof loses a node and its coordinator."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

import plyproof
import plyproof.cluster

#: A game with its value for the first player.
GAME, VALUE = "connect4(width=6,height=4)", "loss"
PLAN = {
    "name": "ray", "game": "connect4", "a": "pn-mcts(pn={pn})", "b": "mcts", "sims": 2000, "games": 16,
    "openings": 4, "grid": {"pn": [0, 1e6]},
}  # fmt: skip
STORE = 100 * 2**20


def events(log: Path) -> list[dict]:
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]


def until(what: str, found, seconds: float = 120.0):
    """Waits until a function returns something."""
    began = time.monotonic()
    while not (result := found()):
        assert time.monotonic() - began < seconds, f"waited in vain: {what}"
        time.sleep(0.05)
    return result


def children(parent: int) -> list[int]:
    """The processes whose parent this one is."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of the program, in brackets, may have spaces.
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def sweep_loses_a_node(cluster: Cluster, folder: Path) -> None:
    whole = plyproof.sweep(PLAN, folder / "whole")
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    ray.init(address=cluster.address, log_to_driver=False)
    parted = {}
    run = threading.Thread(
        target=lambda: parted.update(found=plyproof.cluster.sweep(PLAN, folder / "parts", parts=12, address=cluster.address))
    )
    run.start()
    until("the first part", lambda: list((folder / "parts").glob("parts/*/*.jsonl")))
    cluster.remove_node(node, allow_graceful=False)
    run.join()
    ray.shutdown()
    found = parted["found"]
    assert found.complete and found.to_frame()["games"].tolist() == whole.to_frame()["games"].tolist() == [16, 16]
    first, second = ((folder / name / "digests.txt").read_text() for name in ("whole", "parts"))
    assert first == second, "the games are those of a sweep in one go"
    print("tests/clusters: 12 parts on Ray, with a node lost, have the games of an undisturbed sweep")


def proof_loses_a_node_and_its_coordinator(cluster: Cluster, folder: Path) -> None:
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    checkpoint, log, certificate = folder / "proof.state", folder / "log", folder / "proof.cert.gz"
    command = [
        sys.executable, "-m", "plyproof.cluster", "solve", GAME, "--address", cluster.address, "--memory", "50MB",
        "--smallest", "2000", "--checkpoint", str(checkpoint), "--every", "0.2", "--certificate", str(certificate),
        "--log", str(log), "--json",
    ]  # fmt: skip
    of = lambda event: [one for one in events(log) if one["event"] == event]  # noqa: E731
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until("a checkpoint with jobs", lambda: any(one["done"] >= 8 for one in of("checkpoint")))
    first.kill()
    assert first.wait() < 0, "the proof was over before its coordinator was killed"
    seen = events(log)
    last = max(place for place, one in enumerate(seen) if one["event"] == "checkpoint")
    # A line may be cut.
    log.rename(folder / "log-1")

    second = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    until("jobs of three workers", lambda: any(one["flying"] >= 2 for one in of("result")[5:]))
    # Whatever job the node has now, or is given next, does not come back: its processes stop, and then they die with it.
    workers = children(node.all_processes["raylet"][0].process.pid)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    time.sleep(0.3)
    # The proof must not be over before Ray has noticed.
    second.send_signal(signal.SIGSTOP)
    cluster.remove_node(node, allow_graceful=False)
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    time.sleep(5)
    second.send_signal(signal.SIGCONT)
    answer, _ = second.communicate(timeout=150)
    assert second.returncode == 0, second.returncode
    solution, after = json.loads(answer), events(log)
    assert solution["value"] == VALUE, solution
    assert len(solution["certificates"]) == 1
    for path in solution["certificates"]:
        plyproof.verify(path)

    assert after[0]["event"] == "begin" and after[0]["restarts"] == 1
    assert (after[0]["done"], after[0]["nodes"]) == (seen[last]["done"], seen[last]["nodes"])
    # Every job that counts was merged once, before the checkpoint or after it.
    for run in (seen[: last + 1], after):
        used = [one["job"] for one in run if one["event"] == "result" and one["how"] == "used"]
        assert len(used) == len(set(used)) == run[-1]["done"] - run[0]["done"], "no job is counted twice"
    lost, jobs = after[-1]["lost"], after[-1]["done"]
    assert lost >= 1, f"the lost node had a job; at the end: {after[-1]}"
    print(f"tests/clusters: {GAME} is a {VALUE}, by {jobs} jobs on Ray, with a node lost and the coordinator killed")


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Ray misses a node after half a minute, unless it is told to look more often.
    health = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}
    head = {
        "num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": STORE,
        "_system_config": health,
    }  # fmt: skip
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        cluster.add_node(num_cpus=1, object_store_memory=STORE)
        with tempfile.TemporaryDirectory() as name:
            sweep_loses_a_node(cluster, Path(name))
            proof_loses_a_node_and_its_coordinator(cluster, Path(name))
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
