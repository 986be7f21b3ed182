"""Records of matches, as the command line and ``match`` write them."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _native
from ._types import Path

if TYPE_CHECKING:
    import pandas

__all__ = ["read_records"]

_POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def games_frame(config: dict[str, Any], games: list[dict[str, Any]], file: str | None = None) -> pandas.DataFrame:
    """The games of a match as a data frame with a row for each game."""
    import pandas as pd

    rows = []
    for game in games:
        row = {
            "game": config["game"],
            "a": config["a"]["agent"],
            "b": config["b"]["agent"],
            "pair": game["pair"],
            "number": game["game"],
            "first": game["first"],
            "result": game["result"],
            "points": _POINTS[game["result"]],
            "reason": game["reason"],
            "plies": game["plies"],
            "opening": game.get("opening", ""),
            "moves": game["moves"],
            "error": game.get("error"),
        }
        for side in ("a", "b"):
            sims = game[f"sims_{side}"]
            proven = game[f"proven_{side}"]
            row[f"sims_{side}"] = config[side].get("simulations")
            row[f"time_{side}"] = config[side].get("time_us", float("nan")) / 1e6
            row[f"moves_{side}"] = len(sims)
            row[f"sims_per_move_{side}"] = sum(sims) / len(sims) if sims else float("nan")
            row[f"ms_{side}"] = game[f"ms_{side}"]
            row[f"proven_win_{side}"] = proven.get("win")
            row[f"proven_no_win_{side}"] = proven.get("no_win")
        rows.append(row if file is None else {**row, "file": file})
    return pd.DataFrame(rows)


def _files(paths: Path | Iterable[Path]) -> list[str]:
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: list[str] = []
    for path in [os.fspath(one) for one in given]:
        if os.path.isdir(path):
            names = sorted(glob.glob("**/*.jsonl*", root_dir=path, recursive=True))
            # The records of parts are those that a collection has merged into others.
            inside = [os.path.join(path, name) for name in names if "parts" not in name.split(os.sep)[:-1]]
            if not inside:
                raise FileNotFoundError(f"{path}: there are no records (*.jsonl, *.jsonl.gz) in this folder")
            found += inside
        elif any(sign in path for sign in "*?[") and not os.path.exists(path):
            found += sorted(glob.glob(path, recursive=True))
        else:
            found.append(path)
    if not found:
        raise FileNotFoundError("there is no record of that name")
    return found


def read_records(paths: Path | Iterable[Path]) -> pandas.DataFrame:
    """Records of matches as one data frame of pandas with a row for each game.

    ``paths`` is a file, a folder (with all records below it, as a sweep leaves them, but not those in folders ``parts``), a
    pattern as in ``"runs/*.jsonl"``, or a list of these. Results and points are A's. The frame's ``attrs["torn"]`` lists records whose last line is cut off.
    """
    import pandas as pd

    frames, torn = [], []
    for path in _files(paths):
        config, games, cut = _native.read_record(path)
        frames.append(games_frame(json.loads(config), [json.loads(game) for game in games], path))
        if cut:
            torn.append(path)
    frame = pd.concat([frame for frame in frames if len(frame)] or frames, ignore_index=True)
    frame.attrs["torn"] = torn
    return frame
