"""The land as a closed body for printing: its surface, upright sides, and a level base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.mesh.land_mesh import Indices, LandMesh

LEAST_BASE_MM, MOST_BASE_MM = 0.1, 1000.0
LEAST_SCALE, MOST_SCALE = 1.0, 1e9
DEFAULT_BASE_MM = 3.0
"""Thick enough not to break or warp, whatever it is printed of."""
_PRINTED_MM = 150.0  # the longer side that fits nearly every printer, where no scale is given
_MM_A_M = 1000.0


@dataclass(frozen=True)
class Print:
    """How the land is printed: `base_mm` of material under its lowest place, at a scale of 1 : `scale`.

    Without a scale the longer side becomes 150 mm. `InputError` names what is out of range.
    """

    base_mm: float = DEFAULT_BASE_MM
    scale: float | None = None

    def __post_init__(self) -> None:
        if not LEAST_BASE_MM <= self.base_mm <= MOST_BASE_MM:
            raise InputError(f"slab = {self.base_mm:g}: expected {LEAST_BASE_MM:g} to {MOST_BASE_MM:g} mm")
        if self.scale is not None and not LEAST_SCALE <= self.scale <= MOST_SCALE:
            raise InputError(f"scale = {self.scale:g}: expected 1 : {LEAST_SCALE:g} to 1 : {MOST_SCALE:g}")


@dataclass(frozen=True)
class Slab:
    """A closed body: `positions` float64 (vertices, 3) in mm, x east, y north, z up; its base lies at z = 0.

    `triangles` uint32 (triangles, 3) run counter-clockwise seen from outside. It is printed at 1 : `scale`.
    """

    positions: NDArray[np.float64]
    triangles: Indices
    scale: float


def slab(mesh: LandMesh, wanted: Print) -> Slab:
    """Return `mesh` as a closed body."""
    east, up, south = mesh.positions.astype(np.float64).T
    side_m = max(np.ptp(east), np.ptp(south))
    scale = wanted.scale or float(side_m * _MM_A_M / _PRINTED_MM)
    surface = np.stack([east, -south, up - up.min()], axis=-1) * (_MM_A_M / scale)
    surface[:, 2] += wanted.base_mm
    border, first = mesh.border, len(surface)
    foot = surface[border] * [1, 1, 0]
    middle = 0.5 * (foot.min(axis=0) + foot.max(axis=0))
    lower = first + np.arange(len(border))
    upper_next, lower_next = np.roll(border, -1), np.roll(lower, -1)
    sides = np.concatenate(
        [np.stack([border, lower, lower_next], axis=-1), np.stack([border, lower_next, upper_next], axis=-1)]
    )
    # a fan about the middle: every corner of the base lies on a side, and none of its triangles is empty
    base = np.stack([np.full(len(border), first + len(border)), lower_next, lower], axis=-1)
    triangles = np.concatenate([mesh.triangles, sides, base]).astype(np.uint32)
    return Slab(np.concatenate([surface, foot, middle[None]]), triangles, scale)
