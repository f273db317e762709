"""Bookmarks: up to nine cameras that a scene remembers, each with a number, which is its key, and a name."""

from __future__ import annotations

from dataclasses import dataclass

from fellview.core.errors import InputError, quoted
from fellview.core.parameters import is_text
from fellview.scene.groups.camera import Camera

MOST = 9
LONGEST_NAME = 60

_DECIMALS = 2  # a centimetre and a hundredth of a degree: nobody sees less, and texts stay short


@dataclass(frozen=True)
class Bookmark:
    """A camera to come back to. `number` is 1 to `MOST`, `name` has 1 to `LONGEST_NAME` characters."""

    number: int
    name: str
    camera: Camera

    def __post_init__(self) -> None:
        if type(self.number) is not int or not 1 <= self.number <= MOST:
            raise InputError(f"bookmark number = {quoted(self.number)}: expected 1 to {MOST}")
        if not self.name or not is_text(self.name, LONGEST_NAME):
            expected = f"a text of 1 to {LONGEST_NAME} characters"
            raise InputError(f"bookmark {self.number}: name = {quoted(self.name)}: expected {expected}")


Bookmarks = tuple[Bookmark, ...]
"""Those of a scene: no number twice, the lowest first."""


def rounded(camera: Camera) -> Camera:
    """Return `camera` with its place to the centimetre, never lower, and its angles to a hundredth of a degree."""
    step = 10.0**-_DECIMALS
    places = {name: round(getattr(camera, name), _DECIMALS) for name in ("x", "y", "z", "yaw", "pitch")}
    if places["y"] < camera.y:
        places["y"] = round(places["y"] + step, _DECIMALS)
    return camera.replace(**places)


def with_bookmark(bookmarks: Bookmarks, added: Bookmark) -> Bookmarks:
    """Return `bookmarks` with one more, in the place of the one that has its number."""
    return tuple(sorted([*without(bookmarks, added.number), added], key=lambda one: one.number))


def without(bookmarks: Bookmarks, number: int) -> Bookmarks:
    """Return `bookmarks` without the one of a number."""
    return tuple(one for one in bookmarks if one.number != number)


def numbered(bookmarks: Bookmarks, number: int) -> Bookmark | None:
    """Return the bookmark of a number; none where it is not set."""
    return next((one for one in bookmarks if one.number == number), None)
