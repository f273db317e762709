"""A flight from one camera to another: eased, straight as seen from above, and over the hills that are in the way.

With the eased share s of the way the eye's height is

    y(s) = (1 − s)·y₀ + s·y₁ + rise·√(4s·(1 − s))

Half an ellipse lifts off upright, so that a slope before the eye or behind it asks for no more than hills do. Rejected:
a parabola, which has to be as high as a tower where the ground rises beside an end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import Vector, extent
from fellview.view.ground import above_ground, floors_at
from fellview.view.projection import eye

_SHORTEST_S, _LONGEST_S = 0.8, 2.5  # of a flight in place, and of one over the land's width and farther
_ROOM_OF_WAY, _ROOM_OF_WIDTH = 0.05, 0.01  # above hills in the middle of the way: of its length, and at most
_MOST_LOOKS = 4096  # along the way, two a cell where that is fewer
_NUMBERS = ("pitch", "field_of_view")


class Way(Protocol):
    """A way from one camera to another that takes so many seconds."""

    @property
    def start(self) -> Camera:
        """Where it begins."""

    @property
    def seconds(self) -> float:
        """How long it takes."""

    def at(self, share: float, field: HeightField) -> Camera:
        """Return the camera after a `share` of the time, 0 to 1, above the ground of `field`."""


def eased(share: float) -> float:
    """Return how much of the way is covered after a `share` of the time, both 0 to 1: 6t⁵ − 15t⁴ + 10t³.

    Speed and acceleration are 0 at both ends (Perlin, Improving Noise, 2002).
    """
    t = min(max(share, 0.0), 1.0)
    return t * t * t * (t * (6 * t - 15) + 10)


@dataclass(frozen=True)
class Flight:
    """A way from `start` to `end`, which have one lens; `rise` is in metres, and 0 where nothing is in the way."""

    start: Camera
    end: Camera
    rise: float
    seconds: float

    def at(self, share: float, field: HeightField) -> Camera:
        """Return the camera after a `share` of the time, 0 to 1, above the ground of `field`; at 1 it is `end`."""
        if share >= 1:
            return self.end
        s = eased(share)
        x, y, z = _along(eye(self.start), eye(self.end), np.array([s]))[0]
        turn = (self.end.yaw - self.start.yaw + 180) % 360 - 180  # the shorter way round
        numbers = {name: _between(getattr(self.start, name), getattr(self.end, name), s) for name in _NUMBERS}
        span = self.start.span * (self.end.span / self.start.span) ** s  # by ratio, as the wheel does
        y += self.rise * math.sqrt(4 * s * (1 - s))
        placed = self.end.replace(x=x, y=y, z=z, yaw=(self.start.yaw + s * turn) % 360, span=span, **numbers)
        return above_ground(placed, field)


@dataclass(frozen=True)
class CutFlight:
    """A way between two lenses: `first` with the one, then `last` with the other, from what was seen there."""

    first: Flight
    last: Flight

    @property
    def start(self) -> Camera:
        """Where it begins."""
        return self.first.start

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.first.seconds + self.last.seconds

    def at(self, share: float, field: HeightField) -> Camera:
        """Return the camera after a `share` of the time, 0 to 1, above the ground of `field`; at 1 it is the end."""
        if share >= 1:
            return self.last.end
        flown = share * self.seconds
        if flown < self.first.seconds:
            return self.first.at(flown / self.first.seconds, field)
        return self.last.at((flown - self.first.seconds) / self.last.seconds, field)


def flight(start: Camera, end: Camera, field: HeightField, through_other_lens: Callable[[Camera], Camera]) -> Way:
    """Return the way from `start` to `end` over the drawn land `field`.

    Between a perspective view and an orthographic one there is no lens. Half way, where the flight comes to rest, the
    picture is cut from the one to what `through_other_lens` makes of it, which shows its middle as large.
    """
    if start.projection == end.projection:
        return _flight(start, end, field)
    half = _flight(start, through_other_lens(end), field).at(0.5, field)
    return CutFlight(_flight(start, half, field), _flight(through_other_lens(half), end, field))


def _flight(start: Camera, end: Camera, field: HeightField) -> Flight:
    """Return the flight between cameras of one lens."""
    way = float(np.linalg.norm(eye(end) - eye(start)))
    width = extent(field).width
    seconds = _between(_SHORTEST_S, _LONGEST_S, min(way / width, 1.0))
    return Flight(start, end, 0.0 if start.is_parallel else _rise(eye(start), eye(end), field), seconds)


def _rise(start: Vector, end: Vector, field: HeightField) -> float:
    """Return by how many metres the middle of the way is lifted, so that all of it is above the ground."""
    level = float(np.hypot(end[0] - start[0], end[2] - start[2]))
    looks = math.ceil(min(2 * level / min(field.cell_size), _MOST_LOOKS)) + 1
    shares = np.arange(1, looks) / looks
    points = _along(start, end, shares)
    below = floors_at(field, points[:, 0], points[:, 2]) - points[:, 1]
    lift = float(np.max(below / np.sqrt(4 * shares * (1 - shares)), initial=-np.inf))
    room = min(_ROOM_OF_WAY * level, _ROOM_OF_WIDTH * extent(field).width)
    return max(lift + room, 0.0)


def _along(start: Vector, end: Vector, shares: Vector) -> Vector:
    """Return the points (n, 3) at `shares` of the straight way."""
    return start + shares[:, np.newaxis] * (end - start)


def _between(low: float, high: float, share: float) -> float:
    return low + (high - low) * share
