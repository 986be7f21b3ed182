"""Figures with matplotlib. Every function draws on the axes that it is given, or on new ones, and returns them.

>>> import plyproof
>>> from plyproof.plots import plot_visits
>>> axes = plot_visits(plyproof.search("connect4", sims=500))
>>> axes.get_xlabel()
'visits'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from .matching import MatchResult, SweepResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_matches", "plot_sweep", "plot_visits"]

_COLOURS = {1.0: "#2e7d46", 0.0: "#8a6d1c", -1.0: "#b3362b"}


def _axes(given: Axes | None) -> Axes:
    if given is not None:
        return given
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def plot_visits(report: _native.Report, *, most: int = 20, ax: Axes | None = None) -> Axes:
    """The visits of the moves, the most visited at the top; proven moves in the colour of their value."""
    axes = _axes(ax)
    moves, visits, proven = report.moves[:most], report.visits[:most], report.proven[:most]
    axes.barh(moves, visits, color=[_COLOURS.get(value, "#27609d") for value in proven])
    axes.invert_yaxis()
    axes.set_xlabel("visits")
    axes.set_title(f"{report.agent}, {report.simulations} simulations")
    return axes


def plot_matches(results: Mapping[str, MatchResult] | Iterable[MatchResult], *, ax: Axes | None = None) -> Axes:
    """The win rates of A without draws, with their 95 % intervals."""
    axes = _axes(ax)
    named = results.items() if isinstance(results, Mapping) else [(f"{one.data['a']} vs {one.data['b']}", one) for one in results]
    for place, (_, result) in enumerate(named):
        rate, interval = result.win_rate, result.wilson95
        if rate is not None and interval is not None:
            error = [[rate - interval[0]], [interval[1] - rate]]
            axes.errorbar(rate, place, xerr=error, fmt="o", color="#27609d", capsize=3)
    axes.set_yticks(range(len(named)), [name for name, _ in named])
    axes.invert_yaxis()
    axes.axvline(0.5, color="#888888", linewidth=0.8)
    axes.set_xlim(0, 1)
    axes.set_xlabel("win rate without draws")
    return axes


def plot_sweep(results: SweepResults, x: str, *, by: str = "label", log: bool = False, ax: Axes | None = None) -> Axes:
    """The win rate over a value of the grid, with a line for each value of another column."""
    axes = _axes(ax)
    frame: Any = results.to_frame()
    if x not in frame:
        raise ValueError(f"the sweep has no value {x!r}; it has {', '.join(map(str, frame.columns))}")
    for name, part in frame.groupby(by):
        part = part.sort_values(x)
        error = [part.win_rate - part.win_rate_low, part.win_rate_high - part.win_rate]
        axes.errorbar(part[x], part.win_rate, yerr=error, marker="o", capsize=3, label=str(name))
    if log:
        axes.set_xscale("symlog", linthresh=min((value for value in frame[x] if value > 0), default=1))
    axes.axhline(0.5, color="#888888", linewidth=0.8)
    axes.set_xlabel(x)
    axes.set_ylabel("win rate without draws")
    axes.legend()
    return axes
