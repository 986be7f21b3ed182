"""A Ray of three nodes on this machine. A sweep loses a node; a proof loses a node and its coordinator."""

from __future__ import annotations

import json
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
GAME, VALUE = "connect4(width=5,height=5)", "draw"
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
        "--smallest", "2000", "--checkpoint", str(checkpoint), "--every", "1", "--certificate", str(certificate),
        "--log", str(log), "--json",
    ]  # fmt: skip
    first = subprocess.Popen(command)
    of = lambda event: [one for one in events(log) if one["event"] == event]  # noqa: E731
    until("jobs of three workers", lambda: any(one["flying"] >= 2 for one in of("merged")[5:]))
    cluster.remove_node(node, allow_graceful=False)
    until("the job of the lost node", lambda: of("lost") or first.poll() is not None)
    assert first.poll() is None, "the proof was over before the node was missed"
    before = len(events(log))
    until("a checkpoint after that", lambda: any(one["event"] == "checkpoint" for one in events(log)[before:]))
    assert first.poll() is None, "the proof is not over yet"
    first.kill()
    first.wait()
    seen = events(log)
    last = max(place for place, one in enumerate(seen) if one["event"] == "checkpoint")

    second = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    solution = json.loads(second.stdout)
    assert solution["value"] == VALUE, solution
    for path in solution["certificates"]:
        verified = plyproof.verify(path)
        print("tests/clusters: verified", path.rsplit("/", 1)[-1], verified.get("claim", verified))
    assert solution["certificates"]

    after = events(log)[len(seen) :]
    assert after[0]["event"] == "started" and after[0]["restarts"] >= 1
    assert (after[0]["jobs"], after[0]["nodes"]) == (seen[last]["jobs"], seen[last]["nodes"])
    # Every job that counts was merged once, before the checkpoint or after it.
    for run in (seen[: last + 1], after):
        used = [one["id"] for one in run if one["event"] == "merged" and one["how"] == "used"]
        assert len(used) == len(set(used)) == run[-1]["jobs"] - run[0]["jobs"], "no job is counted twice"
    lost, jobs = after[-1]["lost"], after[-1]["jobs"]
    print(f"tests/clusters: {GAME} is a {VALUE}, by {jobs} jobs on Ray, {lost} of them lost with a node; one coordinator killed")


def main() -> None:
    head = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": STORE}
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
