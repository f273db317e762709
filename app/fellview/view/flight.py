"""A flight from one camera to another: eased, straight as seen from above, and over the hills that are in the way.

With the eased share s of the way the eye's height is

    y(s) = (1 − s)·y₀ + s·y₁ + rise·√(4s·(1 − s))

Half an ellipse lifts off upright, so that a slope before the eye or behind it asks for no more than hills do. Rejected:
a parabola, which has to be as high as a tower where the ground rises beside an end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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


def flight(start: Camera, end: Camera, field: HeightField) -> Flight | None:
    """Return the flight from `start` to `end` over the drawn land `field`; none where their lenses have no way between.

    That is so of a perspective view and an orthographic one.
    """
    if start.projection != end.projection:
        return None
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
