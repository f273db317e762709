"""Times work again and again, for the benchmarks."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def timed(work: Callable[[], Any], runs: int, finish: Callable[[], Any] = lambda: None) -> list[float]:
    """Return the seconds that each of `runs` calls of `work` took, with `finish`, which waits for what it began."""
    work()  # compiles, and fills caches
    finish()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        finish()
        seconds.append(time.perf_counter() - start)
    return seconds


def gaps(begun: float, shown: Sequence[float]) -> list[float]:
    """Return the seconds between pictures `shown` at those times, the first since the hand has `begun`."""
    return [after - before for before, after in itertools.pairwise((begun, *shown))]


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the 95th percentile and the largest of `seconds`, in ms, as a report has them."""
    return {
        "late_95_ms": round(1000 * float(np.percentile(seconds, 95)), 1),
        "largest_ms": round(1000 * max(seconds), 1),
    }
