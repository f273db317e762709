"""Views that show the whole land."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import Vector, extent
from fellview.view.picking import heights_at
from fellview.view.projection import axes, eye, half_extents

_FILLED = 0.95  # of the window, so that the land's corners stay off its border
_LEAST_GAP_WIDTHS = 1 / 20  # between the eye and the land's box, in widths of the land
_STEEPER_PITCHES = (-50.0, -60.0, -70.0, -80.0)  # out of a basin with hills all around
_TURNS = (0.0, 45.0, -45.0, 90.0, -90.0, 135.0, -135.0, 180.0)  # degrees of yaw, the nearest first
_MOST_HIDDEN, _MOST_BEHIND = 0.25, 0.02  # of the land, by its own hills, and by what is around it
_PLACES, _LOOKS = 17, 96  # a side of the land; along a sight line: one to some fiftieth of the land's width

USEFUL_PITCHES = (-40.0, -30.0)
"""Degrees of a view over land: steeper is a map, and from less steep valleys are hidden."""

HeightsAt = Callable[[Vector, Vector], Vector]
"""Heights in metres at places x and z, arrays of one shape."""


def with_room_for(camera: Camera, aspect: float, window_aspect: float) -> Camera:
    """Return `camera` with a lens that shows in a window all that it shows in a picture of `aspect`, width by height.

    A wider picture has the window's width and less than its height; of any other the window's height is that.
    """
    share = max(aspect / window_aspect, 1.0)
    if camera.is_parallel:
        return camera.replace(span=min(share * camera.span, camera.declaration("span").high))
    wide = 2 * np.degrees(np.arctan(share * half_extents(camera, 1.0)[0]))
    return camera.replace(field_of_view=min(float(wide), camera.declaration("field_of_view").high))


def frame(
    camera: Camera, field: HeightField, aspect: float, base_m: float | None = None, around: HeightsAt | None = None
) -> Camera:
    """Return a camera that looks down on the whole land, as near as that allows, with nothing in the way.

    `aspect` is width by height, `base_m` the drawn height of a slab's base, which is then in view too. `around` returns
    the drawn heights of the ground beyond the land, -inf where there is none, at places x and z in metres. The yaw
    stays, and the pitch as far as it is a useful one, where from there the land is seen; else it is another yaw, and
    where hills are all around, a steeper pitch. A view along an axis gets its lens back.
    """
    if camera.is_parallel and camera.pitch in (0.0, -90.0):
        camera = camera.replace(projection="perspective")
    steepest, shallowest = USEFUL_PITCHES
    pitch = min(max(camera.pitch, steepest), shallowest)
    tries = [(camera.yaw + turn, tilt) for turn in _TURNS for tilt in (pitch, steepest)]
    tries += [(camera.yaw, tilt) for tilt in _STEEPER_PITCHES]
    for yaw, tilt in tries:
        found = fitted(camera.replace(yaw=yaw % 360, pitch=tilt), field, aspect, base_m)
        by_land, by_around = hidden(found, field, around)
        if by_land <= _MOST_HIDDEN and by_around <= _MOST_BEHIND:
            break
    return found


def hidden(camera: Camera, field: HeightField, around: HeightsAt | None = None) -> tuple[float, float]:
    """Return which shares of the land `camera` does not see, 0 to 1: behind the land, and behind what is `around` it.

    Of the land are taken some places up to its border, and of their sight lines some, too.
    """
    box = extent(field)
    x, z = (axis.ravel() for axis in np.meshgrid(*(np.linspace(0, box.high[i], _PLACES) for i in (0, 2))))
    places = np.stack([x, heights_at(field, x, z), z], axis=-1)
    ways = np.broadcast_to(eye(camera) - box.centre, places.shape) if camera.is_parallel else eye(camera) - places
    along = np.arange(1, _LOOKS + 1)[:, np.newaxis] / _LOOKS
    at_x, at_y, at_z = (places[:, i] + along * ways[:, i] for i in range(3))
    inside = (at_x >= 0) & (at_x <= box.high[0]) & (at_z >= 0) & (at_z <= box.high[2])
    over = np.full(inside.shape, -np.inf)
    over[inside] = heights_at(field, at_x[inside], at_z[inside])
    if around is not None:
        over[~inside] = around(at_x[~inside], at_z[~inside])
    covered = over > at_y
    by_around = (covered & ~inside).any(axis=0)
    by_land = (covered & inside).any(axis=0) & ~by_around
    return float(by_land.mean()), float(by_around.mean())


def top(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an orthographic camera straight above the whole land, as a map: x to the right, z up the screen."""
    return fitted(_along(camera, 0.0, -90.0), field, aspect, base_m)


def is_top(camera: Camera) -> bool:
    """Return whether `camera` looks as `top` does, whatever it shows of the land."""
    return camera.is_parallel and (camera.yaw % 360, camera.pitch) == (0.0, -90.0)


def front(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an elevation of the whole land: a level orthographic camera that looks along +z, x to the right."""
    return fitted(_along(camera, 0.0, 0.0), field, aspect, base_m)


def side(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an elevation of the whole land: a level orthographic camera that looks along -x, z to the right."""
    return fitted(_along(camera, 270.0, 0.0), field, aspect, base_m)


def _along(camera: Camera, yaw: float, pitch: float) -> Camera:
    return camera.replace(projection="orthographic", yaw=yaw, pitch=pitch)


def fitted(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return `camera` moved to where the land's box just fits into the window; it looks the same way.

    Along each screen axis s with half extent t, a corner at depth d is seen when |s - s_eye| ≤ t·(d - d_eye). Over all
    corners this bounds s_eye from both sides, and the bounds meet at the nearest possible d_eye. An orthographic view
    gets the span that shows all corners, and an eye where its lens would show the box's middle as large.
    """
    box = extent(field)
    low = box.low if base_m is None else np.minimum(box.low, [np.inf, base_m, np.inf])
    corners = np.array(list(itertools.product(*zip(low, box.high, strict=True))))
    turned = axes(camera.yaw, camera.pitch)
    across, upwards, depth = turned @ (corners - box.centre).T
    half_height, half_width = (_FILLED * half for half in half_extents(camera, aspect))
    if camera.is_parallel:
        span = max(float(np.ptp(upwards)), float(np.ptp(across)) / aspect) / _FILLED
        away = span / 2 / half_extents(camera, aspect)[0]
        place = np.array([_middle(across, depth, 0.0), _middle(upwards, depth, 0.0), -away])
        x, y, z = (float(value) for value in box.centre + place @ turned)
        return camera.replace(x=x, y=y, z=z, span=span)
    # the widest lenses would see all from the box's nearest corner; the eye stays ahead of it
    ahead = float(depth.min()) - _LEAST_GAP_WIDTHS * box.width
    nearest = min(ahead, _nearest_depth(across, depth, half_width), _nearest_depth(upwards, depth, half_height))
    place = np.array([_middle(across, depth, half_width), _middle(upwards, depth, half_height), nearest])
    x, y, z = (float(value) for value in box.centre + place @ turned)
    return camera.replace(x=x, y=y, z=z)


def _nearest_depth(offsets: Vector, depths: Vector, half: float) -> float:
    """Return the largest eye depth from which all `offsets` along one screen axis are seen at their `depths`."""
    low, high = np.min(offsets + half * depths), np.max(offsets - half * depths)
    return float((low - high) / (2 * half))


def _middle(offsets: Vector, depths: Vector, half: float) -> float:
    """Return the eye's place along one screen axis that leaves the same room at both ends of the window."""
    low, high = np.min(offsets + half * depths), np.max(offsets - half * depths)
    return float((low + high) / 2)
