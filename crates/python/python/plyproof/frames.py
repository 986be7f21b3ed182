"""Reports as data frames and as tables in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    import pandas


def report_frame(report: _native.Report) -> pandas.DataFrame:
    """The columns of a report with a row for each move."""
    import pandas as pd

    columns = {
        "visits": report.visits,
        "mean": report.mean,
        "at_most": report.at_most,
        "pn": report.pn,
        "dpn": report.dpn,
        "rank": report.rank,
        "proven": report.proven,
        **{f"term_{name}": values for name, values in report.terms.items()},
    }
    frame = pd.DataFrame(columns, index=pd.Index(report.moves, name="move"))
    frame.attrs.update(agent=report.agent, seed=report.seed, simulations=report.simulations)
    return frame


def report_html(report: _native.Report) -> str:
    """What a notebook shows of a report: the most visited moves."""
    words = {1.0: "win", 0.0: "draw", -1.0: "loss"}
    columns = zip(report.moves, report.visits, report.mean, report.at_most, report.pn, report.dpn, report.proven, strict=True)
    rows = "".join(
        f"<tr><td>{escape(move)}</td><td>{visits}</td><td>{'≤ ' if bound else ''}{mean:+.3f}</td>"
        f"<td>{'' if pn != pn else f'{pn:g} / {dpn:g}'}</td><td>{words.get(proven, '')}</td></tr>"
        for move, visits, mean, bound, pn, dpn, proven in list(columns)[:12]
    )
    more = len(report.moves) - 12
    below = f"<caption style='caption-side:bottom'>and {more} more moves</caption>" if more > 0 else ""
    head = "".join(f"<th>{word}</th>" for word in ("move", "visits", "mean", "pn / dpn", "proven"))
    return f"<p>{escape(repr(report))}</p><table><tr>{head}</tr>{rows}{below}</table>"
