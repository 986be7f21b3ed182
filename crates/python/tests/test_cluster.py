"""What a cluster is given: parts of sweeps and jobs of proofs, without a cluster. tests/clusters has one."""

import json
import random

import pytest

import plyproof
from plyproof import _native, cluster

PLAN = {"name": "parts", "game": "tictactoe", "a": "pn-mcts(pn={pn})", "b": "mcts", "sims": 20, "games": 6, "grid": {"pn": [0, 1]}}
GIVEN = (plyproof.matching.plan_text(PLAN), "the plan", None, 1.0, False)


def test_the_records_of_parts_travel_as_bytes_and_come_to_the_games_of_one_sweep(tmp_path):
    whole = plyproof.sweep(PLAN, tmp_path / "whole")
    home = tmp_path / "home"
    found, left, new, parts = _native.collect_parts(GIVEN, home, 4)
    assert (left, new, parts) == (12, 0, [1, 2, 3, 4])
    for number in parts[:3]:
        for name, content in cluster._play(GIVEN, (number, 4), 100, {}).items():
            assert cluster._RECORD.fullmatch(name)
            cluster._write(home / "parts" / name, content)
    found, left, new, parts = _native.collect_parts(GIVEN, home, 4)
    assert (left + new, parts) == (12, [4])
    # What is merged is not played again.
    merged = {path.name: path.read_bytes() for path in (home / "records").glob("*.jsonl")}
    assert cluster._play(GIVEN, (1, 4), 100, merged) == {}
    for name, content in cluster._play(GIVEN, (4, 4), 100, merged).items():
        cluster._write(home / "parts" / name, content)
    found, left, _, _ = _native.collect_parts(GIVEN, home, 4)
    assert left == 0 and len(json.loads(found)["cells"]) == 2
    first, second = ((tmp_path / name / "digests.txt").read_text() for name in ("whole", "home"))
    assert first == second
    assert plyproof.SweepResults(json.loads(found), home).to_frame()["wins"].tolist() == whole.to_frame()["wins"].tolist()
    # Records of the parts are not read a second time.
    assert len(plyproof.read_records(home)) == 12
    with pytest.raises(ValueError, match="9/8"):
        _native.play_part(GIVEN, home, (9, 8), 100, 1)


@pytest.mark.parametrize("name", ["../x/1-of-2.jsonl", "/x/1-of-2.jsonl", "x/y/1-of-2.jsonl", "x/1-of-2.sh", "x/1-of-2.jsonl\n"])
def test_a_record_of_a_worker_stays_in_its_folder(name):
    assert not cluster._RECORD.fullmatch(name)


def test_jobs_that_are_late_lost_doubled_or_damaged_prove_the_right_value(tmp_path):
    rng = random.Random(1)
    game, state, proof = "connect4(width=4,height=4)", tmp_path / "state", tmp_path / "proof.cert"
    workers = [_native.JobWorker(game, "10MB") for _ in range(3)]
    coordinator = _native.JobCoordinator(game, "value", 50, 500, state)
    used = steps = 0
    waiting: list[str] = []
    while not coordinator.is_done:
        steps += 1
        coordinator.set_workers(3)
        while len(waiting) < 3 and (job := coordinator.next_job(len(waiting))) is not None:
            waiting.append(job)
        job = waiting.pop(rng.randrange(len(waiting)))
        fate = rng.randrange(10)
        if fate == 0:
            coordinator.lose(json.loads(job)["id"])
        else:
            result = rng.choice(workers).solve(job)
            used += coordinator.merge(result) == "used"
            if fate == 1:
                assert coordinator.merge(result) == "stale"
        if fate == 2:
            # The coordinator is lost, and with it the jobs in flight.
            before = coordinator.counts()
            coordinator.checkpoint(state, 1.5)
            coordinator, waiting = _native.JobCoordinator(game, "value", 50, 500, state), []
            assert coordinator.seconds == 1.5 and coordinator.counts()["nodes"] == before["nodes"]
    assert coordinator.counts()["done"] == used < steps
    _, text, written = coordinator.solution(proof, "100MB", 2.0)
    assert json.loads(text)["value"] == "draw" and len(written) == 2
    for path in written:
        plyproof.verify(path)
    coordinator.checkpoint(state, 2.0)
    damaged = bytearray(state.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    state.write_bytes(damaged)
    with pytest.raises(OSError, match="state"):
        _native.JobCoordinator(game, "value", 50, 500, state)


def test_texts_that_are_no_jobs_are_refused():
    worker, coordinator = _native.JobWorker("tictactoe", None), _native.JobCoordinator("tictactoe", "win", 10, 10, None)
    job = json.loads(coordinator.next_job(0))
    for change in ({"game": "loa"}, {"rules": "x"}, {"player": 3}, {"position": "?"}):
        with pytest.raises(ValueError):
            worker.solve(json.dumps({**job, **change}))
    for text in ("", "{}", "[]"):
        with pytest.raises(ValueError, match="not a job"):
            worker.solve(text)
        with pytest.raises(ValueError, match="not the result of a job"):
            coordinator.merge(text)
    with pytest.raises(ValueError, match="unknown game"):
        _native.JobWorker("no-game", None)
    with pytest.raises(ValueError, match="goal"):
        _native.JobCoordinator("tictactoe", "score", 10, 10, None)


class Nim(plyproof.PyGame):
    """A game that is code."""


def test_a_game_that_would_be_code_is_not_sent():
    with pytest.raises(ValueError, match="no code"):
        cluster.solve(Nim)


def test_an_event_is_a_line_whose_numbers_are_whole_or_infinite():
    told = {"event": "result", "job": 3, "numbers": (2.0, float("inf"))}
    assert cluster.event_line(told) == '{"event": "result", "job": 3, "numbers": {"pn": 2, "dpn": "inf"}}'
    assert json.loads(cluster.event_line({"event": "begin", "numbers": None})) == {"event": "begin", "numbers": None}
    assert told["numbers"] == (2.0, float("inf"))
