"""What the command line says: where files went, notices, and how far work is."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from fellview.core.errors import one_line

_SLOW_S = 1.0  # work longer than this shows its progress
_TOLD_EVERY_S = 0.1  # whoever attends to this process shows it in a window


def notice(text: str) -> None:
    """Print a line on standard error, where there is still someone to read it."""
    with contextlib.suppress(OSError):
        print(f"fellview: {one_line(text)}", file=sys.stderr)


def tell(path: Path) -> None:
    """Print where something was written."""
    print(one_line(str(path)))


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[str, float], None]]:
    """Give a report function that shows a line on a terminal when the work takes longer than a second.

    A process that attends to this one is told instead.
    """
    from fellview.core import attended

    start = told = time.monotonic()
    shown = False

    def report(step: str, fraction: float) -> None:
        nonlocal shown, told
        if attended.is_attended():
            if time.monotonic() - told > _TOLD_EVERY_S:
                told = time.monotonic()
                attended.report(step, fraction)
        elif sys.stderr.isatty() and time.monotonic() - start > _SLOW_S:
            print(f"\r{step} {fraction:4.0%} \x1b[K", end="", file=sys.stderr, flush=True)
            shown = True

    try:
        yield report
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
