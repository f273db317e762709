"""A process that another one attends to: it tells how far it is, and ends once it is no longer wanted.

The other one sets `ENVIRONMENT`, reads the lines of standard error and holds standard input open; it closes that to
have the process end, and so does its own end.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

ENVIRONMENT = "FELLVIEW_ATTENDED"
"""The variable that is set for a process that is attended to."""

_BEGINS = "\x1e"  # a record separator, which no line for a person has: `core.errors` escapes it
_STANDARD_INPUT = 0
_INTERRUPTED = 130  # what a shell reports for Ctrl+C


def is_attended() -> bool:
    """Return whether another process attends to this one."""
    return ENVIRONMENT in os.environ


def report(step: str, fraction: float) -> None:
    """Tell the other process that `step` is done to `fraction` (0 to 1)."""
    print(f"{_BEGINS}{fraction:.2f} {step}", file=sys.stderr, flush=True)


def reported(line: str) -> tuple[str, float] | None:
    """Return step and fraction where `line` is one of `report`, else None."""
    number, _, step = line.rstrip("\n").removeprefix(_BEGINS).partition(" ")
    return (step, float(number)) if line.startswith(_BEGINS) else None


def end_with_attention(before: Callable[[], None]) -> None:
    """Have this process call `before` and end at once when standard input is closed."""

    def wait() -> None:
        while os.read(_STANDARD_INPUT, 1):  # not through Python's stream, which this process's own end would wait for
            pass
        before()
        os._exit(_INTERRUPTED)  # whatever the other threads are at

    threading.Thread(target=wait, name="attended", daemon=True).start()
