"""What the present frame has drawn: its widgets with their places, and the words that it tells.

Whoever drives the window from outside, such as tests and benchmarks, finds here what to press and what to read. Like
Dear ImGui's own state there is one list for the process.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["track", "reset", "button", "tick", "list", "entry", "tip", "remark", "lock"]
"""A tip is noted wherever one is offered, whether or not the pointer rests there; a remark is a line to read."""


class Drawn(NamedTuple):
    """One thing that was drawn.

    `name` is a parameter's key, the text on a button, or what tells it from others of its kind. `place` is left, top,
    width, height in window units, zeros for mere words.
    """

    kind: Kind
    name: str
    place: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    words: str = ""


_frame: list[Drawn] = []


def begin() -> None:
    """Begin a frame in which nothing is drawn yet."""
    _frame.clear()


def note(one: Drawn) -> None:
    """Add `one` to what the frame has drawn."""
    _frame.append(one)


def all_of(kind: Kind) -> tuple[Drawn, ...]:
    """Return what of `kind` the last frame has drawn, in that order."""
    return tuple(one for one in _frame if one.kind == kind)


def places(kind: Kind) -> dict[str, tuple[float, float, float, float]]:
    """Return where the last frame has drawn what of `kind`, by name; of equal names the last."""
    return {one.name: one.place for one in all_of(kind)}


def words(kind: Kind) -> tuple[str, ...]:
    """Return the words of what of `kind` the last frame has drawn."""
    return tuple(one.words for one in all_of(kind))
