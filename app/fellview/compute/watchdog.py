"""Tells a process that does nothing any more from one that takes its time.

Compiling takes longer than any limit, but it takes processor time, and that tells the two apart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Silence:
    """Tells when a process has said and done nothing for `limit_s`.

    Only time counts in which the own process ran, too: between two looks at most `most_s`. So neither a machine that
    slept nor a window that was stopped with it takes it for dead.
    """

    def __init__(self, limit_s: float, most_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s, self._most_s = limit_s, most_s
        self._clock = clock
        self._lasts_s = 0.0
        self._looked = clock()
        self._spent_s = 0.0

    def end(self) -> None:
        """Take in that something was said, or that nothing is expected."""
        self._lasts_s = 0.0
        self._looked = self._clock()

    def lasts(self, spent_s: float) -> bool:
        """Return whether it has lasted that long; `spent_s` is the processor time that the process has taken so far."""
        now = self._clock()
        self._lasts_s += min(now - self._looked, self._most_s)
        self._looked = now
        if spent_s != self._spent_s:
            self._spent_s, self._lasts_s = spent_s, 0.0
        return self._lasts_s >= self._limit_s


def processor_s(number: int | None) -> float:
    """Return the seconds of processor time, and of waiting for disks, that the process `number` has taken.

    Not a number, which is like nothing else, where the system does not tell.
    """
    import psutil  # of a job that takes long alone: a start need not wait for it

    try:
        return float(sum(psutil.Process(number).cpu_times()))
    except (psutil.Error, OSError, ValueError):
        return math.nan
