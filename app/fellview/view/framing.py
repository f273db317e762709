"""Views that show the whole land."""

from __future__ import annotations

import itertools

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.look import Camera
from fellview.view.extent import Vector, extent
from fellview.view.projection import axes, half_extents

_FILLED = 0.95  # of the window, so that the land's corners stay off its border
_LEAST_GAP_WIDTHS = 1 / 20  # between the eye and the land's box, in widths of the land
_SHALLOWEST_PITCH = -5.0  # degrees; from lower than this the land would hide itself or show its underside


def frame(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return a camera that looks the same way and has the whole land in view, as near as that allows.

    `aspect` is width by height, `base_m` the drawn height of a slab's base, which is then in view too. A view that
    looks level or up is tilted down enough to see the ground's upper side.
    """
    return _fitted(camera, field, aspect, camera.yaw, min(camera.pitch, _SHALLOWEST_PITCH), base_m)


def top(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an orthographic camera straight above the whole land, as a map: x to the right, z up the screen."""
    return _fitted(_flat(camera), field, aspect, 0.0, -90.0, base_m)


def is_top(camera: Camera) -> bool:
    """Tell whether `camera` looks as `top` does, whatever it shows of the land."""
    return camera.is_parallel and (camera.yaw % 360, camera.pitch) == (0.0, -90.0)


def front(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an elevation of the whole land: a level orthographic camera that looks along +z, x to the right."""
    return _fitted(_flat(camera), field, aspect, 0.0, 0.0, base_m)


def side(camera: Camera, field: HeightField, aspect: float, base_m: float | None = None) -> Camera:
    """Return an elevation of the whole land: a level orthographic camera that looks along -x, z to the right."""
    return _fitted(_flat(camera), field, aspect, 270.0, 0.0, base_m)


def _flat(camera: Camera) -> Camera:
    return camera.replace(projection="orthographic")


def _fitted(
    camera: Camera, field: HeightField, aspect: float, yaw: float, pitch: float, base_m: float | None
) -> Camera:
    """Return `camera` turned to `yaw` and `pitch` degrees, where the land's box just fits into the window.

    Along each screen axis s with half extent t, a corner at depth d is seen when |s - s_eye| ≤ t·(d - d_eye). Over all
    corners this bounds s_eye from both sides, and the bounds meet at the nearest possible d_eye. An orthographic view
    gets the span that shows all corners, and an eye where its lens would show the box's middle as large.
    """
    box = extent(field)
    low = box.low if base_m is None else np.minimum(box.low, [np.inf, base_m, np.inf])
    corners = np.array(list(itertools.product(*zip(low, box.high, strict=True))))
    turned = axes(yaw, pitch)
    across, upwards, depth = turned @ (corners - box.centre).T
    half_height, half_width = (_FILLED * half for half in half_extents(camera, aspect))
    if camera.is_parallel:
        span = max(float(np.ptp(upwards)), float(np.ptp(across)) / aspect) / _FILLED
        away = span / 2 / half_extents(camera, aspect)[0]
        place = np.array([_middle(across, depth, 0.0), _middle(upwards, depth, 0.0), -away])
        x, y, z = (float(value) for value in box.centre + place @ turned)
        return camera.replace(x=x, y=y, z=z, yaw=yaw, pitch=pitch, span=span)
    # the widest lenses would see all from the box's nearest corner; the eye stays ahead of it
    ahead = float(depth.min()) - _LEAST_GAP_WIDTHS * box.width
    nearest = min(ahead, _nearest_depth(across, depth, half_width), _nearest_depth(upwards, depth, half_height))
    place = np.array([_middle(across, depth, half_width), _middle(upwards, depth, half_height), nearest])
    x, y, z = (float(value) for value in box.centre + place @ turned)
    return camera.replace(x=x, y=y, z=z, yaw=yaw, pitch=pitch)


def _nearest_depth(offsets: Vector, depths: Vector, half: float) -> float:
    """Return the largest eye depth from which all `offsets` along one screen axis are seen at their `depths`."""
    low, high = np.min(offsets + half * depths), np.max(offsets - half * depths)
    return float((low - high) / (2 * half))


def _middle(offsets: Vector, depths: Vector, half: float) -> float:
    """Return the eye's place along one screen axis that leaves the same room at both ends of the window."""
    low, high = np.min(offsets + half * depths), np.max(offsets - half * depths)
    return float((low + high) / 2)
