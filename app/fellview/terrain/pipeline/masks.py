"""Masks: what can be told of finished heights, for materials and exports. Each is computed when it is first asked for.

- `slope`: the angle of the steepest way, in degrees, from central differences (one-sided along the edge).
- `curvature`: −∇²h in 1/m, above 0 on ridges and below in valleys.
- `drainage_area`: the area that drains through a cell, in m², itself included, by the steepest of eight ways
  (J. F. O'Callaghan, D. M. Mark, 1984, doi:10.1016/S0734-189X(84)80011-0). Water leaves over the edge; a hollow fills
  and spills over its sill.
- `erosion_depth`, `deposition_depth`: how far the ground was lowered, and raised, by the steps from erosion on, in m.

Of the water bodies that the scene's group `water` asks for, whether or not they are switched on to be seen:

- `lake_depth`, `sea_depth`: how deep the ground lies under them, in m; 0 where it is dry.
- `river_cover`: the share of a cell that is river, 0 to 1; rivers run on under lakes and the sea.
- `river_width`, `river_depth`: how wide the river is and how deep there, in m; 0 where there is none.
- `river_to_x`, `river_to_z`: the way from a cell that has a river to the nearest point of its centre line, in m.
- `water_surface`: the height of the water in m, the highest where there are several; on dry ground the ground's.

After hydraulic erosion also, as its last rain left them:

- `water_depth`: how deep water stands or flows, in m.
- `sediment`: what it holds in suspension, as the depth in m that it would have if it settled.
- `water_speed`: how fast it flows, in m/s; 0 on lakes.

After scree:

- `scree_depth`: how deep fallen rock covers the ground below walls, in m.

Where layers of rock are on, as erosion left them, mere numbers:

- `rock_layer`: a number from 0 to 1, another one for each layer at the surface.
- `rock_hardness`: how hard it is, from -1 for the softest to 1 for the hardest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.errors import Cancelled
from fellview.core.height_field import HeightField, Heights
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.flow import flow
from fellview.terrain.hydrology.water import Bodies, Water
from fellview.terrain.step import Land

UNITS = {
    "slope": "degrees",
    "curvature": "1/m",
    "drainage_area": "m²",
    "erosion_depth": "m",
    "deposition_depth": "m",
    **Bodies.UNITS,
}
"""The units of masks that every land has; those of a step's own fields stand with the step."""


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
    """Return the slope in degrees, float32 [row, column]."""
    slopes = np.empty_like(heights)
    _slopes(read_only(heights), np.float32(cell_size[0]), np.float32(cell_size[1]), slopes)
    return slopes


def curvature(heights: Heights, cell_size: tuple[float, float]) -> Heights:
    """Return the curvature in 1/m, float32 [row, column]."""
    curvatures = np.empty_like(heights)
    _curvatures(read_only(heights), np.float32(cell_size[0]), np.float32(cell_size[1]), curvatures)
    return curvatures


def drainage_area(heights: Heights, cell_size: tuple[float, float], cancel: NDArray[np.uint8] | None = None) -> Heights:
    """Return the drainage area in m², float32 [row, column]; nothing of use where `cancel` is not 0 meanwhile."""
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
            "slope": lambda: slope(heights, cell_size),
            "curvature": lambda: curvature(heights, cell_size),
            "drainage_area": lambda: drainage_area(heights, cell_size, self._cancel),
            "erosion_depth": lambda: np.maximum(base - heights, 0),
            "deposition_depth": lambda: np.maximum(heights - base, 0),
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


def masks_there(field: HeightField, water: Water) -> Mapping[str, Heights] | None:
    """Return the masks of `field` for `water`; none where they were first to be read from a GPU."""
    masks = vars(field).get("masks")
    return masks.with_water(water) if isinstance(masks, Masks) else masks
