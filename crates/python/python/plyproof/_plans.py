"""Plans of sweeps as TOML."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["plan_text"]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        # The escapes of JSON are those of TOML.
        return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"a plan has texts, numbers and lists of them, not {type(value).__name__}")


def _lines(table: dict[str, Any], inside: str) -> list[str]:
    lines = []
    for key, value in table.items():
        if key not in ("grid", "cell"):
            lines.append(f"{json.dumps(str(key))} = {_value(value)}")
    grid = table.get("grid")
    if grid is not None:
        lines.append(f"[{inside}grid]")
        lines += [f"{json.dumps(str(key))} = {_value(list(values))}" for key, values in dict(grid).items()]
    return lines


def plan_text(plan: dict[str, Any]) -> str:
    """The text of a plan.

    >>> print(plan_text({"name": "a", "sims": 10, "cell": [{"game": "loa"}], "grid": {"pn": [0, 1]}}))
    "name" = "a"
    "sims" = 10
    [grid]
    "pn" = [0, 1]
    [[cell]]
    "game" = "loa"
    """
    lines = _lines(plan, "")
    for cell in plan.get("cell", []):
        lines.append("[[cell]]")
        lines += _lines(dict(cell), "cell.")
    return "\n".join(lines)
