"""Where a camera aims, as a map shows it: what of the land it sees from above, and how a click moves that."""

from __future__ import annotations

import math

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import Vector
from fellview.view.picking import height_at, hit
from fellview.view.profile import Place
from fellview.view.projection import BEHIND_M, Size, eye, ray


def footprint(camera: Camera, size: Size, level_m: float, far_m: float) -> tuple[Place, ...]:
    """Return where the sight lines of the picture's corners meet the plane at `level_m`, seen from above.

    The corners go round from the lower left. A sight line that does not meet it, or farther away, ends after `far_m`.
    """
    width, height = size
    corners = []
    for pixel in ((0, height), (0, 0), (width, 0), (width, height)):
        start, direction = ray(camera, size, pixel)
        first = 0.0
        farthest = far_m / max(math.hypot(direction[0], direction[2]), 1e-9)
        if camera.is_parallel:  # nothing is behind its eye
            start, first = start + BEHIND_M * direction, -farthest
        met = (level_m - start[1]) / direction[1] if abs(direction[1]) > 1e-9 else math.inf
        along = min(met, farthest) if met >= first else farthest
        corners.append((float(start[0] + along * direction[0]), float(start[2] + along * direction[2])))
    return tuple(corners)


def aimed_at(camera: Camera, drawn: HeightField, size: Size, place: Place) -> Camera:
    """Return `camera` with the ground at `place` in the middle of its picture; `drawn` is the land as it is drawn.

    It looks there from the same side and as far away as at what is in the middle now. Where that is the sky, it stays
    and turns.
    """
    x, z = place
    target = np.array([x, height_at(drawn, x, z), z])
    middle = hit(drawn, *ray(camera, size, (size[0] / 2, size[1] / 2)))
    if middle is None:
        return turned_to(camera, target)
    moved = eye(camera) + target - middle
    return camera.replace(x=float(moved[0]), y=float(moved[1]), z=float(moved[2]))


def turned_to(camera: Camera, target: Vector) -> Camera:
    """Return `camera` turned where it stands, so that it looks at `target` (x, y, z); right above that as it was."""
    right, up, ahead = target - eye(camera)
    level = math.hypot(right, ahead)
    if level < 1e-9:
        return camera
    return camera.replace(yaw=math.degrees(math.atan2(right, ahead)) % 360, pitch=math.degrees(math.atan2(up, level)))
