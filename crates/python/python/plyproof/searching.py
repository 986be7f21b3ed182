"""Searches."""

from __future__ import annotations

from ._native import Agent, Game, Position, Report, Searcher
from ._types import AnyPosition, Count, Duration, ReportCallback, Size

__all__ = ["search"]


def search(
    position: AnyPosition,
    agent: str | Agent = "plyproof",
    *,
    sims: Count | None = None,
    time: Duration | None = None,
    memory: Size | None = None,
    threads: int = 1,
    seed: int = 1,
    progress: ReportCallback | None = None,
    keep_tree: bool = False,
) -> Report:
    """Searches a position until one of the limits is reached or its value is proven.

    ``position`` is a ``Position``, a ``Game`` or the name of one. ``sims`` limits the simulations, ``time`` the seconds (one
    second, if neither is given), ``memory`` the bytes of the tree. With one thread, a seed and a number of simulations give
    the same report on every machine. ``progress`` is called about ten times a second with the report so far; the search ends
    if it returns ``False``. Ctrl-C ends the search too. ``keep_tree`` keeps the tree in memory for ``Report.tree``, as long
    as the report is there.

    >>> report = search("mnk(m=4,n=3,k=3)", "pn-mcts", sims=10_000)
    >>> report.value, report.stopped
    ('win', 'proven')
    >>> int(report.visits.sum()) <= report.simulations
    True
    """
    if not isinstance(position, Position):
        position = (position if isinstance(position, Game) else Game(position)).start()
    searcher = Searcher(position)
    return searcher.search(
        position,
        agent,
        sims=sims,
        time=time,
        memory=memory,
        threads=threads,
        seed=seed,
        progress=progress,
        keep_tree=keep_tree,
    )
