"""How long things on the ground are on the screen, and what lies under the cursor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import projection
from fellview.view.extent import Vector
from fellview.view.picking import height_at, hit

_BAR_OF_WIDTH = 0.22  # of the picture's width, the most that a scale bar takes
_PLACES_DOWN = (0.5, 0.75, 0.97)  # of the picture's height: the middle, and where sky is there, below it


@dataclass(frozen=True)
class Spot:
    """A place on the ground in metres: x, z, its true height, and its slope in degrees."""

    x: float
    z: float
    height: float
    slope: float


@dataclass(frozen=True)
class Measured:
    """What lies between two places: metres in a straight line, metres up (below 0: down), and degrees of slope."""

    distance: float
    rise: float
    slope: float


def spot_at(field: HeightField, x: float, z: float) -> Spot:
    """Return the ground at (x, z) of `field`, whose heights are true; the slope is over one cell to both sides.

    Slope is the angle of the gradient, atan |∇h|, by central differences; at the edge the far side is the edge itself.
    """
    step_z, step_x = field.cell_size
    east, west = min(x + step_x, (field.columns - 1) * step_x), max(x - step_x, 0.0)
    north, south = min(z + step_z, (field.rows - 1) * step_z), max(z - step_z, 0.0)
    along_x = (height_at(field, east, z) - height_at(field, west, z)) / max(east - west, 1e-9)
    along_z = (height_at(field, x, north) - height_at(field, x, south)) / max(north - south, 1e-9)
    return Spot(x, z, height_at(field, x, z), math.degrees(math.atan(math.hypot(along_x, along_z))))


def spot_under(
    field: HeightField, drawn: HeightField, camera: Camera, size: projection.Size, cursor: projection.Pixel
) -> Spot | None:
    """Return the ground under `cursor`; None on the sky. `drawn` is `field` as high as it is drawn."""
    if not (0 <= cursor[0] < size[0] and 0 <= cursor[1] < size[1]):
        return None
    point = hit(drawn, *projection.ray(camera, size, cursor))
    return None if point is None else spot_at(field, float(point[0]), float(point[2]))


def measured(one: Spot, other: Spot) -> Measured:
    """Return what lies from `one` to `other`; straight up or down is 90°."""
    level = math.hypot(other.x - one.x, other.z - one.z)
    rise = other.height - one.height
    return Measured(math.hypot(level, rise), rise, math.degrees(math.atan2(abs(rise), level)))


def metres_a_pixel(camera: Camera, size: projection.Size, point: Vector) -> float:
    """Return how many metres a pixel is long at `point` (x, y, z as drawn), across the view."""
    if camera.is_parallel:
        return camera.span / size[1]
    ahead = float(projection.forward(camera) @ (np.asarray(point) - projection.eye(camera)))
    return 2 * max(ahead, 0.0) * projection.half_extents(camera, size[0] / size[1])[0] / size[1]


def scale_bar(drawn: HeightField, camera: Camera, size: projection.Size) -> tuple[float, float] | None:
    """Return length in metres and in pixels of a bar that is true for the ground in the middle of the picture.

    Where the sky is there, it is true for the ground straight below; None where there is none. The length is 1, 2 or 5
    times a power of ten, the longest that fits.
    """
    for down in _PLACES_DOWN:
        point = hit(drawn, *projection.ray(camera, size, (size[0] / 2, down * size[1])))
        if point is None:
            continue
        a_pixel = metres_a_pixel(camera, size, point)
        room = _BAR_OF_WIDTH * size[0] * a_pixel
        power = 10.0 ** math.floor(math.log10(room))
        length = max(step * power for step in (1, 2, 5) if step * power <= room * (1 + 1e-9))
        return length, length / a_pixel
    return None
