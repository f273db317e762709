"""Which parts of the land are hidden by the relief before them, told from the horizon around the eye.

Rays go out from the eye over the ground. Up to each of their steps the ground has risen to some slope over the eye's
level, at least; a box whose top lies under that in all its directions is not seen. The ground is solid below its
surface, and so the lowest height of a few cells hides what is behind it. What lies between two steps of a ray hides
nothing here, so that more is hidden than is told. Notches narrower than two rays are apart may be missed: rays are no
farther apart than two pixels, or a quarter of a degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_RAYS_APART = np.radians(0.25)  # 17 m at 4 km
_PIXELS_APART = 2.0  # where pixels are large
_TINY = float(np.finfo(np.float32).tiny)
_STEPS = 128  # of a ray: 44 m of a land of 4 km, a third of its ridges' width


@dataclass(frozen=True)
class Occluder:
    """Ground that hides what is behind it."""

    lowest_m: NDArray[np.float32]
    """Its lowest heights in units, [row, column], within a frame of units that are bottomless."""
    unit_m: tuple[float, float]
    """Of a unit, z and x."""
    origin_m: tuple[float, float] = (0.0, 0.0)
    """Of the first unit within the frame, x and z."""
    exaggeration: float = 1.0
    """How many times as high it is drawn."""

    def lowest(self, x_m: NDArray[np.float32], z_m: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the drawn heights that the ground has around places, at least; outside it is bottomless."""
        rows, columns = self.lowest_m.shape
        at = [
            # rounded to nothing from above 0 is the floor
            np.clip((place - np.float32(first)) / np.float32(unit) + np.float32(1), 0, count - 1).astype(np.intp)
            for place, first, unit, count in (
                (z_m, self.origin_m[1], self.unit_m[0], rows),
                (x_m, self.origin_m[0], self.unit_m[1], columns),
            )
        ]
        return np.float32(self.exaggeration) * self.lowest_m.ravel()[at[0] * columns + at[1]]


def framed(lowest_m: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return lowest heights of units, [row, column], within a frame of bottomless ones."""
    return np.pad(lowest_m.astype(np.float32), 1, constant_values=-np.inf)


def horizon_culled(
    occluders: Sequence[Occluder], centre: Floats, half: Floats, matrix: Floats, width_px: int
) -> NDArray[np.bool_]:
    """Return which boxes (boxes,) are hidden by any of `occluders` from the eye of `matrix`, `width_px` wide.

    `centre` and `half` are the boxes' centres and half sizes, xyz in metres, (boxes, 3); `matrix` goes from the world
    to clip space, for row vectors. From under the ground nothing is hidden, and where sight lines are parallel nothing
    is told to be: such views look down steeply, where relief hides little.
    """
    if not matrix[:3, 3].any():
        return np.zeros(len(centre), bool)
    # where x, y and w of clip space are 0
    eye = np.asarray(np.linalg.solve(matrix[:3, [0, 1, 3]].T, -matrix[3, [0, 1, 3]]), np.float64)
    if len(centre) == 0 or eye[1] < _lowest(occluders, *(np.array([each], np.float32) for each in eye[[0, 2]]))[0]:
        return np.zeros(len(centre), bool)
    away: Floats = np.abs(centre[:, [0, 2]] - eye[[0, 2]])
    nearest: Floats = np.hypot(*np.maximum(away - half[:, [0, 2]], 0.0).T)
    farthest: Floats = np.hypot(*(away + half[:, [0, 2]]).T)
    over = centre[:, 1] + half[:, 1] - eye[1]
    top = over / np.maximum(np.where(over > 0, nearest, farthest), _TINY)
    step_m = max(float(farthest.max()), _TINY) / _STEPS
    before = (nearest / step_m).astype(np.intp) - 1  # of the last step short of a box
    ahead = float(np.arctan2(matrix[0, 3], matrix[2, 3]))
    pixel = 2 / (width_px * float(np.linalg.norm(matrix[:3, 0])))  # at the middle of the picture
    apart = max(_RAYS_APART, _PIXELS_APART * pixel)
    first, last = _directions(centre, half, eye, ahead, apart)
    rays = np.arange(first.min(), last.max() + 1)
    turned = ahead + apart * rays[:, None]
    away_m = (step_m * np.arange(1, _STEPS + 1)).astype(np.float32)
    across, along = np.sin(turned).astype(np.float32), np.cos(turned).astype(np.float32)
    ground = _lowest(occluders, np.float32(eye[0]) + away_m * across, np.float32(eye[2]) + away_m * along)
    horizon = np.maximum.accumulate((ground - np.float32(eye[1])) / away_m, axis=1)
    found = np.zeros(len(centre), bool)
    octave = np.log2(last - first + 1).astype(np.intp)
    for power in range(octave.max() + 1):  # of as many rays as a box may have, the lowest horizon
        mine = (octave == power) & (before >= 0)
        at = before[mine]
        rises = np.minimum(horizon[first[mine] - rays[0], at], horizon[last[mine] - rays[0] + 1 - (1 << power), at])
        found[mine] = top[mine] < rises
        horizon = np.minimum(horizon[: -(1 << power)], horizon[1 << power :])
    return found


def _lowest(occluders: Sequence[Occluder], x_m: NDArray[np.float32], z_m: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the lowest heights of the highest of `occluders` around the places."""
    lowest = occluders[0].lowest(x_m, z_m)
    for each in occluders[1:]:
        np.maximum(lowest, each.lowest(x_m, z_m), out=lowest)
    return lowest


def _directions(
    centre: Floats, half: Floats, eye: Floats, ahead: float, apart: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and the last of the rays, so far `apart`, counted from `ahead`, between which the boxes lie."""
    corners = [
        np.arctan2(centre[:, 0] + x * half[:, 0] - eye[0], centre[:, 2] + z * half[:, 2] - eye[2])
        for x in (-1, 1)
        for z in (-1, 1)
    ]
    middle = np.arctan2(centre[:, 0] - eye[0], centre[:, 2] - eye[2])
    beside = [_turn(corner - middle) for corner in corners]
    middle = _turn(middle - ahead)
    first, last = middle + np.min(beside, axis=0), middle + np.max(beside, axis=0)
    return np.floor(first / apart).astype(np.intp), np.ceil(last / apart).astype(np.intp)


def _turn(angle: Floats) -> Floats:
    """Return `angle` between half a turn less and half a turn more."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
