"""Flight: the camera flies through the scene's bookmarks, in the order of their numbers, over the ground.

The way is a centripetal Catmull-Rom spline, which neither loops nor overshoots between places that lie close together
(C. Yuksel, S. Schaefer, J. Keyser, Parameterization and Applications of Catmull-Rom Curves, 2011), flown at one speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group, real, switch
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio.films.film import LONGEST_FRAMES, Frame, Plan, Setting
from fellview.view.aiming import turned_to
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import Vector
from fellview.view.flight import eased
from fellview.view.ground import above_ground, clearance, floors_at
from fellview.view.projection import eye

_LOOKS = 256  # along the way from one bookmark to the next
_REACH = 24  # looks to either side over which the way is lifted before a hill and behind it
_AT_ONE_PLACE_M = 0.01


@dataclass(frozen=True)
class BookmarkFlight(Group):
    """Through the bookmarks, one after the other."""

    key: ClassVar[str] = "flight"
    title: ClassVar[str] = "Flight through the bookmarks"

    speed: float = real(
        0.0,
        0.0,
        1e6,
        slider=(0.0, 500.0),
        unit="m/s",
        tip="Low is slow and takes many frames; 0 is as fast as the film's frames make it.",
    )
    look_ahead: float = real(
        0.0,
        0.0,
        1e6,
        slider=(0.0, 1000.0),
        unit="m",
        tip="0 looks as the bookmarks do; low looks right where it flies to, high cuts corners with its eyes.",
    )
    height: float = real(
        10.0, 0.0, 1e5, slider=(0.0, 200.0), unit="m", tip="Low may skim the ground, high stays so far above it."
    )
    closed: bool = switch(False, tip="On, it flies back to the first bookmark, so that the film can go on and on.")
    ease: bool = switch(True, tip="On, it sets off and ends slowly, where it is not closed; off, at full speed.")

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return how many frames the way takes at the `speed`; None where there is no such.

        `InputError` where there is no way, or no film is so long.
        """
        metres = float(_metres(_way(scene, self.closed))[-1])
        if self.speed == 0:
            return None
        if metres * rate > self.speed * LONGEST_FRAMES:
            told = f"expected at least {metres * rate / LONGEST_FRAMES:.3g} m/s for {LONGEST_FRAMES:,} frames"
            raise InputError(f"flight.speed = {self.speed:g}: {told}")
        steps = max(round(metres / self.speed * rate), 1)
        return steps if self.closed else steps + 1

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the way over the land of `scene`, as drawn."""
        way = _way(scene, self.closed)
        metres = _metres(way)
        drawn = exaggerated(setting.land(scene), scene.view.exaggeration)
        way[:, 1] += _lift(way, drawn, max(self.height, clearance(drawn)), self.closed)

        def at(share: float) -> Frame:
            flown = float(metres[-1]) * (eased(share) if self.ease and not self.closed else share)
            x, y, z, yaw, pitch, lens = _at(way, metres, flown)
            camera = scene.camera.replace(
                x=x, y=y, z=z, yaw=yaw % 360, pitch=pitch, projection="perspective", field_of_view=lens
            )
            if self.look_ahead > 0:
                camera = turned_to(camera, _ahead(way, metres, flown + self.look_ahead, self.closed))
            return Frame(scene.with_group(above_ground(camera, drawn)))  # of a crest between two looks

        return at


def _way(scene: Scene, closed: bool) -> Vector:
    """Return x, y, z, yaw, pitch and field of view all along the way (n, 6); `InputError` where there is none."""
    marked = scene.bookmarks
    if len(marked) < 2:
        where = "Ctrl+1 to Ctrl+9 set them in the window"
        raise InputError(f"flight: {len(marked)} bookmarks in the scene: expected at least 2; {where}")
    for one in marked:
        if one.camera.is_parallel:
            raise InputError(f"flight: bookmark {one.number} is orthographic: expected perspective")
    stops = [*marked, marked[0]] if closed else marked
    points = np.array([_numbers(one) for one in stops])
    points[:, 3] = np.unwrap(points[:, 3], period=360)  # the shorter way round
    apart = np.linalg.norm(np.diff(points[:, :3], axis=0), axis=1)
    near = int(np.argmin(apart))
    if apart[near] < _AT_ONE_PLACE_M:
        raise InputError(f"flight: bookmarks {stops[near].number} and {stops[near + 1].number} are at one place")
    knots = np.sqrt(apart)[:, np.newaxis]
    slopes = np.diff(points, axis=0) / knots
    before, after = np.concatenate([slopes[:1], slopes]), np.concatenate([slopes, slopes[-1:]])
    wide_before, wide_after = np.concatenate([knots[:1], knots]), np.concatenate([knots, knots[-1:]])
    if closed:
        before[0], after[-1], wide_before[0], wide_after[-1] = slopes[-1], slopes[0], knots[-1], knots[0]
    tangents = (before * wide_after + after * wide_before) / (wide_before + wide_after)
    t = np.arange(_LOOKS)[:, np.newaxis] / _LOOKS
    parts = [
        (2 * t**3 - 3 * t**2 + 1) * points[i]
        + (t**3 - 2 * t**2 + t) * knots[i] * tangents[i]
        + (3 * t**2 - 2 * t**3) * points[i + 1]
        + (t**3 - t**2) * knots[i] * tangents[i + 1]
        for i in range(len(knots))
    ]
    way = np.concatenate([*parts, points[-1:]])
    for column, name in ((4, "pitch"), (5, "field_of_view")):
        declared = Camera.declaration(name)
        way[:, column] = np.clip(way[:, column], declared.low, declared.high)
    return way


def _numbers(one: Bookmark) -> tuple[float, ...]:
    return (*eye(one.camera), one.camera.yaw, one.camera.pitch, one.camera.field_of_view)


def _metres(way: Vector) -> Vector:
    """Return how many metres are flown up to each point of the `way` (n,)."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way[:, :3], axis=0), axis=1))])


def _at(way: Vector, metres: Vector, flown: float) -> tuple[float, ...]:
    """Return the numbers of the `way` where so many metres are flown."""
    return tuple(float(np.interp(flown, metres, column)) for column in way.T)


def _ahead(way: Vector, metres: Vector, flown: float, closed: bool) -> Vector:
    """Return the place (x, y, z) where so many metres are flown; beyond the end it is straight on."""
    end = float(metres[-1])
    if closed:
        return np.array(_at(way, metres, flown % end)[:3])
    last = way[-1, :3] - way[-2, :3]
    return np.array(_at(way, metres, flown)[:3]) + last / np.linalg.norm(last) * max(flown - end, 0.0)


def _lift(way: Vector, drawn: HeightField, height_m: float, closed: bool) -> Vector:
    """Return by how many metres each point of the `way` is lifted, so that it is `height_m` above the ground (n,).

    The greatest lift within reach, averaged over the same reach, is smooth, and nowhere less than what is needed.
    """
    lacking = floors_at(drawn, way[:, 0], way[:, 2]) - clearance(drawn) + height_m - way[:, 1]
    around = np.pad(np.maximum(lacking, 0.0), 2 * _REACH, mode="wrap" if closed else "edge")
    windows = np.lib.stride_tricks.sliding_window_view
    greatest = windows(around, 2 * _REACH + 1).max(axis=1)
    lifts: Vector = windows(greatest, 2 * _REACH + 1).mean(axis=1)
    return lifts
