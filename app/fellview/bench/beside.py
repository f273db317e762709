"""Measures the window's frames while the board's process draws, against those of the same board once it is drawn.

The window has a process of its own, as in `live_scenes.py`: run as ``python -m fellview.bench.beside`` it is that
process, and prints the seconds between frames of both. The pointer goes up and down the panel: every frame shows
another row lit.
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from fellview.bench import hand, windows
from fellview.bench.desk import Desk
from fellview.bench.timing import gaps
from fellview.core.errors import FellviewError
from fellview.desktop.background_warm_up import VARIABLE
from fellview.io import scenes

_SIZE = (1280, 720)
_WATCHED_S = 2.0  # some sixty frames; two processes draw a board of 25 coarse pictures in little more
_TURNS_S = 2.0  # of the pointer, down and up again
_QUIET_S = 3.0  # longer than any picture of the board takes
_TIMEOUT_S = 300


def frames_beside(folder: Path) -> tuple[list[float], list[float]]:
    """Return the seconds between frames while the board is drawn, and once it is; the state lies in `folder`.

    `FellviewError` where the window fails.
    """
    answer = windows.child("beside", (), {"FELLVIEW_STATE": str(folder), VARIABLE: "no"}, _TIMEOUT_S)
    return answer["meanwhile"], answer["after"]


def over_panel(height: float) -> hand.Gesture:
    """Return a way of the pointer down the panel of a window so high, and up again, with no button held."""

    def ticks() -> Iterator[hand.Events]:
        for number in itertools.count():
            share = (1 - hand.triangle(number * hand.TICK_S, _TURNS_S)) / 2
            yield (hand.Move(60.0, height * (0.2 + 0.6 * share)),)

    return hand.Gesture(ticks(), ())


def _watched() -> dict[str, list[float]]:
    """Open the window and its board; return what each of the two finds."""
    found: dict[str, list[float]] = {}

    def script(desk: Desk) -> Generator[None]:
        viewer = desk.viewer
        yield from desk.rest()
        board = viewer.layout.board
        board.toggle(viewer.session.scene)
        viewer.redraw()
        yield from desk.until(lambda: board.busy)
        yield from desk.until(lambda: not board.busy)
        yield from _no_frame(desk)
        found["after"] = yield from _frames(desk)
        board.state = dataclasses.replace(board.state, kind="seeds", side=5)  # other lands, and the window's stays
        viewer.redraw()
        yield from desk.until(lambda: board.busy)
        found["meanwhile"] = yield from _frames(desk)
        if not board.busy:
            raise FellviewError(f"bench explore: the board was drawn before {_WATCHED_S:g} s were over")

    windows.scripted(scenes.load("highlands"), _SIZE, script)
    return found


def _no_frame(desk: Desk) -> Generator[None]:
    """Wait until no picture has come for a while: all are as fine as they get."""
    last = time.monotonic()

    def frame(new: bool) -> None:
        nonlocal last
        last = time.monotonic()

    desk.at_swap = frame
    yield from desk.until(lambda: time.monotonic() - last > _QUIET_S)


def _frames(desk: Desk) -> Generator[None, None, list[float]]:
    """Watch so many seconds of the window's frames; return the times between them."""
    shown: list[float] = []
    desk.at_swap = lambda new: shown.append(time.monotonic())
    begun = desk.begin(over_panel(_SIZE[1]))
    yield from desk.pause(_WATCHED_S)
    desk.hand.end()
    desk.at_swap = lambda new: None
    return gaps(begun, shown)


if __name__ == "__main__":
    sys.exit(windows.main(_watched))
