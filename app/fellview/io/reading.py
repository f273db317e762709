"""Foreign files are read in threads of their own, for a limited time: the window goes on whatever they do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from fellview.core.errors import InputError

LIMIT_S = 10.0
"""What a file may take; the largest height maps take two."""

_AT_ONCE_S = 0.05  # nearly every file is there by then, and the hand's next key finds it taken in

Read = TypeVar("Read")


class Reading(Generic[Read]):
    """What `read` makes of the file `name`, in a thread of its own; `wake` is called there at its end.

    A thread cannot be stopped. One that takes too long, or whose file nobody wants any more, is left to itself, and the
    program's end does not wait for it. Too long is over `limit_s` seconds.
    """

    def __init__(self, name: str, read: Callable[[], Read], wake: Callable[[], None], limit_s: float = LIMIT_S) -> None:
        self.name = name
        self._limit_s = limit_s
        self._start = time.monotonic()
        self._found: list[Read] = []
        self._fault: Exception | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._run, args=(read, wake), name=f"reading {name}", daemon=True).start()
        self._ended.wait(_AT_ONCE_S)

    def _run(self, read: Callable[[], Read], wake: Callable[[], None]) -> None:
        try:
            self._found.append(read())
        except Exception as fault:  # raised again where the result is asked for
            self._fault = fault
        finally:
            self._ended.set()
            wake()

    @property
    def seconds(self) -> float:
        """For how long it has gone on."""
        return time.monotonic() - self._start

    @property
    def over(self) -> bool:
        """Return whether there is a result, or will be none any more."""
        return self._ended.is_set() or self.seconds > self._limit_s

    def result(self) -> Read:
        """Return what was read; raise what reading has raised, and `InputError` where it has taken too long."""
        if not self._ended.is_set():
            raise InputError(f"{self.name}: not read within {self._limit_s:g} s, and given up")
        if self._fault is not None:
            raise self._fault
        return self._found[0]
