"""What each part of drawing a picture takes, for the benchmark; where none runs, the marks in the passes cost nothing.

    with stopwatch.running(context) as seconds:
        renderer.draw(...)
    seconds["sky"]

OpenGL works behind the caller's back, so that a part that is measured waits for all before it and for its own end: the
sum of the parts is more than a frame that nobody measures.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import moderngl


class _Stopwatch:
    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self.seconds: dict[str, float] = {}
        self._within: list[float] = []  # of each part that is open, the seconds of the parts inside it

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        self._context.finish()
        start = time.perf_counter()
        self._within.append(0.0)
        try:
            yield
        finally:
            self._context.finish()
            whole = time.perf_counter() - start
            inside = self._within.pop()
            self.seconds[name] = self.seconds.get(name, 0.0) + whole - inside
            if self._within:
                self._within[-1] += whole


_running: _Stopwatch | None = None
_NOTHING = nullcontext()


def part(name: str) -> AbstractContextManager[None]:
    """Return what counts the time within as that of the part `name`, less that of parts inside it."""
    return _NOTHING if _running is None else _running.part(name)


@contextmanager
def running(context: moderngl.Context) -> Iterator[dict[str, float]]:
    """Measure from here on; give the seconds of each part, which are there at the end."""
    global _running
    watch = _running = _Stopwatch(context)
    try:
        yield watch.seconds
    finally:
        _running = None
