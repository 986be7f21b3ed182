"""What arguments may be."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeAlias

from . import _native

#: A position; a game or its name stands for its start position.
AnyPosition: TypeAlias = "_native.Position | AnyGame"
#: A game, its name with parameters, or a subclass of ``PyGame``.
AnyGame: TypeAlias = "_native.Game | str | type[Any]"
#: A whole number, or a text as in ``"10k"``.
Count: TypeAlias = "int | float | str"
#: Seconds, a text as in ``"250ms"``, or a ``timedelta``.
Duration: TypeAlias = "float | str | timedelta"
#: Bytes, or a text as in ``"512MB"``.
Size: TypeAlias = "int | str"
Path: TypeAlias = "str | os.PathLike[str]"
ReportCallback: TypeAlias = Callable[[_native.Report], object]
DictCallback: TypeAlias = Callable[[dict[str, Any]], object]
