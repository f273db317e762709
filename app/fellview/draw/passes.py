"""Pictures drawn pass by pass, so that a window can take events in between the passes of a slow one.

What draws in passes is a generator that gives way after each, and returns what it has drawn. It may be closed there:
then it leaves OpenGL as it is between two pictures. Whoever goes on with something else meanwhile may bind
framebuffers, programs, textures and flags as it likes, and finds them again after each pass; uniform blocks and what
belongs to a texture or a framebuffer stay as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

import moderngl

from fellview.gpu import state

Drawing = TypeVar("Drawing")

_SHORT_S = 0.01  # nobody waits for, and events are not asked for more often

Passes = Generator[None, None, Drawing]
"""Gives way after every pass."""


def whole(passes: Passes[Drawing]) -> Drawing:
    """Return what `passes` draw, drawn in one go."""
    while True:
        try:
            next(passes)
        except StopIteration as end:
            drawing: Drawing = end.value
            return drawing


def leaving_state(context: moderngl.Context, passes: Passes[Drawing]) -> Passes[Drawing]:
    """Draw `passes`, each of which leaves the state of OpenGL as it found it."""
    try:
        while True:
            with state.kept(context):
                try:
                    next(passes)
                except StopIteration as end:
                    drawing: Drawing = end.value
                    return drawing
            yield
    finally:
        passes.close()


class UnderWay(Generic[Drawing]):
    """What is being drawn: the `passes` of a drawing `of` something; with `resting` it only makes a finished one finer.

    OpenGL works behind the caller's back; `finish` waits for it where that is wanted after every pass.
    """

    def __init__(self, of: Any, passes: Passes[Drawing], finish: Callable[[], None], *, resting: bool = False) -> None:
        self.of, self.resting = of, resting
        self._passes, self._finish = passes, finish
        self.drawing: Drawing | None = None
        """What was drawn, once all is."""
        self.seconds = 0.0
        """What the passes took so far."""

    def go_on(self) -> bool:
        """Draw the next pass, or a few short ones; return whether more are to come."""
        start = now = time.monotonic()
        while self.drawing is None and now - start < _SHORT_S:
            try:
                next(self._passes)
            except StopIteration as end:
                self.drawing = end.value
            self._finish()
            now = time.monotonic()
        self.seconds += now - start
        return self.drawing is None

    def give_up(self) -> None:
        """Draw no more of it."""
        self._passes.close()
