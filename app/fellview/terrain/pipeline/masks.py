"""Masks: what can be told of finished heights, for materials and exports. Each is computed when it is first asked for.

Every land has `FIELDS`, each declared beside the function that computes it: those below, and the water bodies' that the
scene's group `water` asks for, whether or not they are switched on to be seen (`hydrology/water.py`). The fields that a
step leaves behind come on top, and are declared beside the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.errors import Cancelled
from fellview.core.height_field import HeightField, Heights
from fellview.terrain.field import Field
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.flow import flow
from fellview.terrain.hydrology.water import Bodies, Water
from fellview.terrain.step import Land

SLOPE = Field("slope", "Slope", "degrees", "The angle of the steepest way down.", lowest=0, highest=90)
CURVATURE = Field("curvature", "Curvature", "1/m", "How the ground bends: above 0 on ridges, below in valleys.")
DRAINAGE_AREA = Field(
    "drainage_area", "Drainage area", "m²", "The area that drains through a cell, itself included.", lowest=0
)
EROSION_DEPTH = Field(
    "erosion_depth", "Erosion", "m", "How far the steps from erosion on lowered the ground.", lowest=0
)
DEPOSITION_DEPTH = Field(
    "deposition_depth", "Deposition", "m", "How far the steps from erosion on raised the ground.", lowest=0
)

FIELDS = (SLOPE, CURVATURE, DRAINAGE_AREA, EROSION_DEPTH, DEPOSITION_DEPTH, *Bodies.FIELDS)
"""What every land has."""


@kernel(parallel=True)
def _slopes(heights, dz, dx, slopes):
    rows, columns = heights.shape
    for r in prange(rows):
        above, below = max(r - 1, 0), min(r + 1, rows - 1)
        for c in range(columns):
            left, right = max(c - 1, 0), min(c + 1, columns - 1)
            z = (heights[below, c] - heights[above, c]) / (np.float32(below - above) * dz)
            x = (heights[r, right] - heights[r, left]) / (np.float32(right - left) * dx)
            slopes[r, c] = np.float32(180 / np.pi) * np.arctan(np.sqrt(z * z + x * x))


@kernel(parallel=True)
def _curvatures(heights, dz, dx, curvatures):
    rows, columns = heights.shape
    for r in prange(rows):
        above, below = max(r - 1, 0), min(r + 1, rows - 1)
        for c in range(columns):
            left, right = max(c - 1, 0), min(c + 1, columns - 1)
            h = heights[r, c]
            z = ((h - heights[above, c]) + (h - heights[below, c])) / (dz * dz)
            x = ((h - heights[r, left]) + (h - heights[r, right])) / (dx * dx)
            curvatures[r, c] = z + x


def slope(heights: Heights, cell_size: tuple[float, float]) -> Heights:
    """Return the slope in degrees, float32 [row, column], from central differences (one-sided along the edge)."""
    slopes = np.empty_like(heights)
    _slopes(read_only(heights), np.float32(cell_size[0]), np.float32(cell_size[1]), slopes)
    return slopes


def curvature(heights: Heights, cell_size: tuple[float, float]) -> Heights:
    """Return the curvature −∇²h in 1/m, float32 [row, column]."""
    curvatures = np.empty_like(heights)
    _curvatures(read_only(heights), np.float32(cell_size[0]), np.float32(cell_size[1]), curvatures)
    return curvatures


def drainage_area(heights: Heights, cell_size: tuple[float, float], cancel: NDArray[np.uint8] | None = None) -> Heights:
    """Return the drainage area in m², float32 [row, column]; nothing of use where `cancel` is not 0 meanwhile.

    Water takes the steepest of eight ways (J. F. O'Callaghan, D. M. Mark, 1984, doi:10.1016/S0734-189X(84)80011-0). It
    leaves over the edge; a hollow fills and spills over its sill.
    """
    found = flow(heights, cell_size, np.zeros(1, np.uint8) if cancel is None else cancel)
    if found is None:
        return np.zeros_like(heights)
    return (drainage.inner(found.area, *heights.shape) * (cell_size[0] * cell_size[1])).astype(np.float32)


class Masks(Mapping[str, Heights]):
    """The masks of `land` by name, its fields among them; `base` are the heights that erosion started from.

    Each is computed once, when asked for. Those of water are made by `water`.
    """

    def __init__(self, land: Land, cell_size: tuple[float, float], base: Heights, water: Water | None = None) -> None:
        heights = land.heights
        self._of = (land, cell_size, base)
        self._water = (water or Water()).for_masks(Bodies.NAMES)
        self._made: dict[str, Heights] = {}
        self._never = np.zeros(1, np.uint8)
        self._cancel = self._never
        self._makers: dict[str, Callable[[], Heights]] = {
            SLOPE.name: lambda: slope(heights, cell_size),
            CURVATURE.name: lambda: curvature(heights, cell_size),
            DRAINAGE_AREA.name: lambda: drainage_area(heights, cell_size, self._cancel),
            EROSION_DEPTH.name: lambda: np.maximum(base - heights, 0),
            DEPOSITION_DEPTH.name: lambda: np.maximum(heights - base, 0),
        }
        bodies = Bodies(heights, cell_size, self._water)
        self._makers |= {name: lambda name=name: bodies.make(name, self._cancel) for name in Bodies.NAMES}  # type: ignore[misc]
        self._makers |= {name: lambda values=values: values for name, values in land.fields.items()}  # type: ignore[misc]

    def with_water(self, water: Water) -> Masks:
        """Return the same masks with those of water made by `water`; what is made already stays."""
        if water.for_masks(Bodies.NAMES) == self._water:
            return self
        other = Masks(*self._of, water)
        for name, mask in self._made.items():
            if name not in Bodies.NAMES or self._water.for_masks({name}) == water.for_masks({name}):
                other._made[name] = mask
        return other

    def __getitem__(self, name: str) -> Heights:
        """Return the mask `name`, float32 [row, column], read-only."""
        if name not in self._made:
            mask = self._makers[name]()
            mask.flags.writeable = False
            self._made[name] = mask
        return self._made[name]

    def make(self, name: str, cancel: NDArray[np.uint8]) -> Heights:
        """Return the mask `name`; raise `Cancelled` where `cancel`, uint8 (1,), is set before it is made."""
        self._cancel = cancel
        try:
            mask = self[name]
        finally:
            self._cancel = self._never
        if cancel[0]:
            self._made.pop(name)  # it may have been cut short
            raise Cancelled
        return mask

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._makers)

    def __len__(self) -> int:
        """Return how many masks there are."""
        return len(self._makers)


def watered(field: HeightField, water: Water) -> HeightField:
    """Return `field`, whose masks are `Masks`, with those of `water`."""
    assert isinstance(field.masks, Masks)
    return field.with_masks(field.masks.with_water(water))


def masks_there(field: HeightField, water: Water) -> Mapping[str, Heights] | None:
    """Return the masks of `field` for `water`; none where they were first to be read from a GPU."""
    if not field.masks_there:
        return None
    masks = field.masks
    return masks.with_water(water) if isinstance(masks, Masks) else masks
