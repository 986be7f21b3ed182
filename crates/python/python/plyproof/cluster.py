"""Sweeps, matches and proofs on a Ray cluster: ``pip install 'plyproof[ray]'``.

Workers get texts: plans, positions and numbers of nodes. They run the plyproof that is installed where they are, so every
node needs it, in the version of the caller.
"""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any

from . import _native
from ._plans import plan_text
from ._progress import Bar
from ._types import AnyPosition, Count, Duration, Path, Size
from .matching import MatchResult, SweepResults
from .proofs import Solution

__all__ = ["match", "solve", "sweep"]

#: The name of a record below the folder ``parts``.
_RECORD = re.compile(r"[a-z0-9][a-z0-9.-]*/[0-9]+-of-[0-9]+\.jsonl")


@contextmanager
def _connected(address: str | None) -> Iterator[Any]:
    """Ray at an address, or on this machine, on the loopback address. A connection that is there is used and kept."""
    try:
        import ray
    except ImportError:
        raise ImportError("Ray is not installed: pip install 'plyproof[ray]'") from None
    if ray.is_initialized():
        yield ray
        return
    if address is None:
        ray.init(log_to_driver=False, include_dashboard=False, _node_ip_address="127.0.0.1")
    else:
        ray.init(address=address, log_to_driver=False)
    try:
        yield ray
    finally:
        ray.shutdown()


def _processors(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


_Given = tuple[str, str, int | None, float, bool]


def _play(given: _Given, part: tuple[int, int], round: int, merged: dict[str, bytes]) -> dict[str, bytes]:
    """Plays a part on a worker: what the merged records do not have. Returns the records of the part."""
    with tempfile.TemporaryDirectory(prefix="plyproof-") as name:
        folder = FilePath(name)
        (folder / "records").mkdir()
        for record, content in merged.items():
            (folder / "records" / record).write_bytes(content)
        _native.play_part(given, folder, part, round, 1)
        parts = folder / "parts"
        return {path.relative_to(parts).as_posix(): path.read_bytes() for path in sorted(parts.glob("*/*.jsonl"))}


def _write(path: FilePath, content: bytes) -> None:
    """Writes a file that is there in full or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    os.replace(new, path)


def sweep(
    plan: Path | dict[str, Any],
    folder: Path,
    *,
    parts: int | None = None,
    address: str | None = None,
    games: int | None = None,
    scale: float = 1.0,
    mode: str = "paper",
    round: int = 100,
    retries: int = 5,
    progress: bool = False,
) -> SweepResults:
    """Plays a sweep on Ray, in parts; one that was stopped goes on. The games are those of a sweep in one go.

    ``parts`` is the number of tasks, by default four for each processor of the cluster; each plays one game at a time.
    ``address`` is that of the cluster, as ``ray.init`` takes it; by default Ray is started on this machine. The task of a
    node that is lost is tried again elsewhere, ``retries`` times. ``folder`` is needed here alone. Cells with a sequential
    test are played in rounds of ``round`` pairs. The other arguments are those of ``plyproof.sweep``.
    """
    if mode not in ("paper", "time"):
        raise ValueError(f"mode={mode!r} is unknown; known: paper, time")
    if isinstance(plan, dict):
        text, file = plan_text(plan), "the plan"
    else:
        file = os.fspath(plan)
        text = FilePath(file).read_text(encoding="utf-8")
    given: _Given = (text, file, games, scale, mode == "time")
    home = FilePath(folder)
    with _connected(address) as ray, Bar(progress, "parts") as bar:
        of = parts if parts is not None else 4 * _processors(ray)
        found, left, _, open_parts = _native.collect_parts(given, home, of)
        task = ray.remote(num_cpus=1, max_retries=retries)(_play)
        while left > 0:
            # What the parts need not play again. A part that ends replaces its record, whose games are merged.
            merged = ray.put({path.name: path.read_bytes() for path in (home / "records").glob("*.jsonl")})
            waiting = [task.remote(given, (number, of), round, merged) for number in open_parts]
            done = 0
            try:
                while waiting:
                    ready, waiting = ray.wait(waiting, num_returns=1)
                    for name, content in ray.get(ready[0]).items():
                        if not _RECORD.fullmatch(name):
                            raise ValueError(f"a worker answered with a record called {name!r}")
                        _write(home / "parts" / name, content)
                    done += 1
                    bar.show(done, len(open_parts), f"{left} games left at the start")
            except BaseException:
                for one in waiting:
                    ray.cancel(one, force=True)
                raise
            found, left, new, open_parts = _native.collect_parts(given, home, of)
            if left > 0 and new == 0:
                raise RuntimeError(f"{left} games are left, and the parts have played none of them")
    return SweepResults(json.loads(found), home)


def match(
    game: str,
    a: str,
    b: str,
    *,
    games: int = 100,
    sims: int | None = None,
    time: float | str | None = None,
    memory: int | str | None = None,
    seed: int = 1,
    openings: int = 0,
    max_plies: int = 2500,
    sprt: tuple[float, float] | None = None,
    folder: Path | None = None,
    parts: int | None = None,
    address: str | None = None,
    round: int = 100,
    progress: bool = False,
) -> MatchResult:
    """Plays a match on Ray, in parts. Game and players are texts; ``folder`` keeps the records, so that a match that was
    stopped goes on. The other arguments are those of ``sweep`` and of ``plyproof.match``.
    """
    plan: dict[str, Any] = {
        "name": "match", "label": "match", "game": game, "a": a, "b": b,
        "games": games, "seed": seed, "openings": openings, "max_plies": max_plies,
    }  # fmt: skip
    if sims is None and time is None:
        raise ValueError("a match needs sims or time")
    plan.update({key: value for key, value in {"sims": sims, "time": time, "memory": memory}.items() if value is not None})
    if sprt is not None:
        plan["sprt"] = f"{sprt[0]},{sprt[1]}"

    def play(home: Path) -> MatchResult:
        found = sweep(plan, home, parts=parts, address=address, round=round, progress=progress)
        cell = found.data["cells"][0]
        record = found.folder / cell["record"]
        _, played, _ = _native.read_record(record)
        return MatchResult(cell["summary"], sorted(map(json.loads, played), key=lambda one: (one["pair"], one["game"])))

    if folder is not None:
        return play(folder)
    with tempfile.TemporaryDirectory(prefix="plyproof-") as home:
        return play(home)


class _Worker:
    """An actor for the jobs of one game. It keeps its table from one job to the next."""

    def __init__(self, game: str, memory: Size | None) -> None:
        self._worker = _native.JobWorker(game, memory)

    def ready(self) -> bool:
        return True

    def solve(self, job: str) -> str:
        return self._worker.solve(job)

    def cancel(self, id: int) -> None:
        self._worker.cancel(id)


class _Crew:
    """The actors of a proof, and which job each has."""

    def __init__(self, ray: Any, game: str, memory: Size | None, wanted: int | None) -> None:
        self.ray, self.game, self.memory, self.wanted = ray, game, memory, wanted
        # One thread for the job, one that can cancel it.
        self.actor = ray.remote(num_cpus=1, max_restarts=0, max_concurrency=2)(_Worker)
        self.starting: dict[Any, Any] = {}
        # Each with its place: a worker that begins with an empty table is a new one.
        self.idle: list[tuple[Any, int]] = []
        self.flying: dict[Any, tuple[Any, int, int]] = {}
        self.places = 0
        self.looked = float("-inf")

    def __len__(self) -> int:
        return len(self.idle) + len(self.flying)

    def fill(self) -> None:
        """Starts an actor for each processor that the cluster has; nodes may come and go."""
        if clock.monotonic() - self.looked < 5:
            return
        self.looked = clock.monotonic()
        wanted = self.wanted if self.wanted is not None else _processors(self.ray)
        for _ in range(wanted - len(self) - len(self.starting)):
            actor = self.actor.remote(self.game, self.memory)
            self.starting[actor.ready.remote()] = actor

    def submit(self, next_job: Callable[[int], str | None]) -> Iterator[tuple[int, int, int]]:
        """Gives jobs to workers that have none, as long as there are jobs: says which job, to whom, of how many nodes."""
        while self.idle and (job := next_job(self.idle[-1][1])) is not None:
            actor, place = self.idle.pop()
            told = json.loads(job)
            self.flying[actor.solve.remote(job)] = (actor, place, told["id"])
            yield told["id"], place, told["nodes"]

    def wait(self) -> Iterator[tuple[int, int, str | None]]:
        """Waits a moment for results; a job whose worker is gone comes back without one."""
        refs = [*self.flying, *self.starting]
        if not refs:
            clock.sleep(0.1)
            return
        ready, _ = self.ray.wait(refs, num_returns=1, timeout=1.0)
        for ref in ready:
            if ref in self.starting:
                actor = self.starting.pop(ref)
                try:
                    self.ray.get(ref)
                except self.ray.exceptions.RayActorError:
                    continue
                self.idle.append((actor, self.places))
                self.places += 1
                continue
            actor, place, id = self.flying.pop(ref)
            try:
                result = self.ray.get(ref)
            except (self.ray.exceptions.RayActorError, self.ray.exceptions.ObjectLostError):
                self.looked = float("-inf")
                yield id, place, None
            else:
                self.idle.append((actor, place))
                yield id, place, result

    def cancel(self, id: int) -> None:
        for actor, _, own in self.flying.values():
            if own == id:
                actor.cancel.remote(id)

    def end(self) -> None:
        for actor in [*self.starting.values(), *(one[0] for one in self.idle), *(one[0] for one in self.flying.values())]:
            self.ray.kill(actor)


def solve(
    position: AnyPosition,
    *,
    goal: str = "value",
    address: str | None = None,
    jobs: int | None = None,
    smallest: int = 20_000,
    largest: int = 1 << 32,
    time: float | None = None,
    memory: Size | None = None,
    checkpoint: Path | None = None,
    every: float = 60.0,
    certificate: Path | None = None,
    log: Path | None = None,
    progress: Callable[[dict[str, Any]], object] | None = None,
) -> Solution:
    """Finds the exact value of a position on Ray, by job-level proof-number search.

    The caller holds a proof-number tree; its leaves are jobs for workers, each with a position and a number of nodes from
    ``smallest`` to ``largest``. ``jobs`` workers run at a time, by default one for each processor of the cluster at
    ``address``; each has ``memory`` bytes for its table. The job of a worker that is lost is given to another one.

    ``checkpoint`` names a file that takes the tree ``every`` so many seconds and at the end: the call with the same file
    goes on from it. ``time`` ends the search after so many seconds. ``certificate`` names a file for the proof.
    ``data["jobs"]`` of the solution says how many workers there were at most, and how many jobs were done and lost.
    ``progress`` is called with a dictionary after every event: ``event`` is ``"begin"``, ``"out"``, ``"result"``,
    ``"lost"``, ``"checkpoint"`` or ``"end"``, ``job`` and ``worker`` say whose it is, and the other keys are the counts so
    far; the search ends if it returns ``False``. ``log`` names a file to which the same is appended as lines of JSON.

    The game has to be one that comes with plyproof: a game written in Python would be code for the workers.
    """
    file = None if checkpoint is None else FilePath(checkpoint)
    proof = None if certificate is None else FilePath(certificate)
    held = position if isinstance(position, _native.Position) else None
    game = held.game if held is not None else position if isinstance(position, _native.Game) else None
    if isinstance(position, type) or (game is not None and game.python_class is not None):
        raise ValueError("workers get positions and no code: only games that come with plyproof are solved on Ray")
    name = game.name if game is not None else str(position)
    coordinator = _native.JobCoordinator(position, goal, smallest, largest, file)
    began, saved, saves, workers = clock.monotonic(), clock.monotonic(), 0, 0

    def seconds() -> float:
        return coordinator.seconds + clock.monotonic() - began

    crew: _Crew | None = None
    lines = None if log is None else open(log, "a", encoding="utf-8")

    def tell(event: str, **more: Any) -> bool:
        if progress is None and lines is None:
            return True
        known, busy = (len(crew), len(crew.flying)) if crew is not None else (0, 0)
        age = None if file is None or saves == 0 else round(clock.monotonic() - saved, 3)
        told = {"event": event, "seconds": round(seconds(), 3), **more, **coordinator.counts()}
        told.update(workers=known, busy=busy, saved=age)
        if event == "end":
            told.update(workers=workers, busy=0, flying=0)
        if lines is not None:
            lines.write(event_line(told) + "\n")
            lines.flush()
        return progress is None or progress(told) is not False

    def save() -> None:
        nonlocal saved, saves
        if file is not None:
            coordinator.checkpoint(file, seconds())
            saved, saves = clock.monotonic(), saves + 1
            tell("checkpoint")

    if not coordinator.is_done:
        with _connected(address) as ray:
            crew = _Crew(ray, name, memory, jobs)
            go_on = tell("begin")
            try:
                while go_on and not coordinator.is_done:
                    crew.fill()
                    workers = max(workers, len(crew))
                    coordinator.set_workers(max(1, len(crew)))
                    for id, place, nodes in crew.submit(coordinator.next_job):
                        go_on = tell("out", job=id, worker=place, job_nodes=nodes) and go_on
                    for id, place, result in crew.wait():
                        if result is None:
                            coordinator.lose(id)
                            go_on = tell("lost", job=id, worker=place) and go_on
                        else:
                            how, found = coordinator.merge(result), json.loads(result)
                            answer = {"inf": "disproven", 0: "proven"}.get(found["numbers"][0], "open")
                            told = {"job": id, "worker": place, "job_nodes": found["nodes"], "answer": answer, "how": how}
                            go_on = tell("result", **told) and go_on
                    for id in coordinator.take_cancelled():
                        crew.cancel(id)
                    if clock.monotonic() - saved >= every:
                        save()
                    if time is not None and clock.monotonic() - began >= time:
                        break
            finally:
                save()
                crew.end()
    at, text, written = coordinator.solution(proof, None, seconds())
    tell("end")
    if lines is not None:
        lines.close()
    counts = coordinator.counts()
    told = {key: counts[key] for key in ("done", "stale", "lost", "refused", "retried", "shared", "positions", "restarts")}
    data = {**json.loads(text), "jobs": {"workers": workers, **told}}
    return Solution(at, "jobs", data, written)


def event_line(told: dict[str, Any]) -> str:
    """An event of a proof as a line of the log, without a line break."""
    numbers = told["numbers"]
    if numbers is not None:
        pn, dpn = ("inf" if math.isinf(number) else int(number) for number in numbers)
        told = {**told, "numbers": {"pn": pn, "dpn": dpn}}
    return json.dumps(told)


def _main(arguments: list[str] | None = None) -> int:
    """``python3 -m plyproof.cluster solve GAME``: what ``plyproof solve --ray`` calls."""
    import argparse
    import contextlib
    import signal
    import sys

    parser = argparse.ArgumentParser(prog="python3 -m plyproof.cluster", description="Proofs and sweeps on Ray.")
    commands = parser.add_subparsers(dest="command", required=True)
    proof = commands.add_parser("solve", help="find the exact value of a position")
    proof.add_argument("game")
    proof.add_argument("--position", help="instead of the start position")
    proof.add_argument("--goal", default="value", choices=["value", "win", "draw"])
    proof.add_argument("--address", help="of the cluster; without it Ray is started on this machine")
    proof.add_argument("--jobs", type=int, help="workers at a time")
    proof.add_argument("--smallest", type=int, default=20_000, help="nodes of a job at least")
    proof.add_argument("--time", type=float, help="seconds")
    proof.add_argument("--memory", help="for the table of each worker, as in 2GB")
    proof.add_argument("--checkpoint")
    proof.add_argument("--every", type=float, default=60.0, help="seconds between checkpoints")
    proof.add_argument("--certificate")
    proof.add_argument("--log", help="a file to which every event is appended as a line of JSON")
    proof.add_argument("--events", action="store_true", help="print every event as a line of JSON, before the answer")
    proof.add_argument("--json", action="store_true", help="print the object of docs/json.md")
    games = commands.add_parser("sweep", help="play a sweep in parts")
    games.add_argument("plan")
    games.add_argument("--out", required=True, help="the folder of the records and results")
    games.add_argument("--parts", type=int)
    games.add_argument("--address", help="of the cluster; without it Ray is started on this machine")
    given = parser.parse_args(arguments)

    def terminated(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminated)
    try:
        if given.command == "sweep":
            with contextlib.redirect_stdout(sys.stderr):
                results = sweep(given.plan, given.out, parts=given.parts, address=given.address)
            print(results.to_frame().to_string())
            return 0
        game = _native.Game(given.game)
        start = game.start() if given.position is None else game.position(given.position)
        answers = sys.stdout

        def tell(event: dict[str, Any]) -> None:
            print(event_line(event), file=answers, flush=True)

        # Ray prints what it has to say about lost nodes, and the answer has to stand alone.
        with contextlib.redirect_stdout(sys.stderr):
            solution = solve(
                start, goal=given.goal, address=given.address, jobs=given.jobs, smallest=given.smallest,
                time=given.time, memory=given.memory, checkpoint=given.checkpoint, every=given.every,
                certificate=given.certificate, log=given.log, progress=tell if given.events else None,
            )  # fmt: skip
    except KeyboardInterrupt:
        return 130
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        print(f"plyproof.cluster: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    if given.json:
        told = {"game": game.name, "position": str(start), "agent": "jobs", **solution.data}
        print(json.dumps({**told, "certificates": solution.certificates}))
    else:
        known = solution.value or "unknown, {} to {}".format(*solution.bounds)
        print(f"{game.name}: {start}\n\nvalue   {known}")
        print(f"{solution.nodes:,} positions, {solution.seconds:.1f} s")
        print("\n".join(f"certificate   {path}" for path in solution.certificates))
    # 3: unknown within the limits.
    return 0 if solution.value is not None or solution.stopped == "proven" else 3


if __name__ == "__main__":
    raise SystemExit(_main())
