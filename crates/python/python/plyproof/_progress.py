"""A bar that shows how far something is: that of tqdm if it is installed, else a line on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any


class Bar:
    """A bar, or nothing at all."""

    def __init__(self, shown: bool, unit: str) -> None:
        self._shown, self._unit = shown, unit
        self._bar: Any = None
        self._last = 0.0

    def show(self, done: int, of: int, what: str) -> None:
        """So much is done, out of so much."""
        if not self._shown:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            now = time.monotonic()
            if now - self._last >= 1 or done == of:
                self._last = now
                sys.stderr.write(f"{done}/{of} {self._unit}: {what}\n")
            return
        if self._bar is None or self._bar.total != of:
            if self._bar is not None:
                self._bar.close()
            self._bar = tqdm(total=of, unit=self._unit)
        self._bar.set_description_str(what, refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
