"""Long work in a thread: where it is, and whether anyone still waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from fellview.core.errors import Cancelled


class Work:
    """What a writer tells of where it is, and whether it is still wanted; both sides may use it at any time."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._cancelled = False
        self._at_cancel: Callable[[], None] | None = None
        self.at: tuple[str, float] | None = None
        """The step under way and how far it is, 0 to 1."""

    def report(self, step: str, fraction: float) -> None:
        """Say that `step` is done to `fraction`; `Cancelled` where nobody wants it any more."""
        self.check()
        self.at = (step, fraction)
        self._wake()

    def check(self) -> None:
        """Raise `Cancelled` where nobody wants it any more."""
        if self._cancelled:
            raise Cancelled

    def when_cancelled(self, end: Callable[[], None]) -> None:
        """Have `end` called once nobody wants it any more, which may be now."""
        with self._lock:
            self._at_cancel = end
        if self._cancelled:
            end()

    def cancel(self) -> None:
        """Say that nobody wants it any more."""
        with self._lock:
            self._cancelled = True
        if self._at_cancel is not None:
            self._at_cancel()
