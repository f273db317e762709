"""Times work again and again, for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


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
