"""Water on finished heights: the sea, lakes in hollows, and rivers where much land drains through a cell.

- **Lakes**: the ground filled to every hollow's lowest pass (`Flow.level`) stands over it in hollows, whose connected
  cells have one level W each. A lake stands at b + f (W - b), b its lowest ground and f the fill. Filled wholly, it
  spills and its river goes on; filled less it has no outlet, as where the sun takes what comes in.
- **The sea** lies over all ground below its level, whether or not water can reach it from the land's edge. So the
  level alone decides, pixel by pixel while the slider moves, and no search for connected ground has to run.
- **Rivers**: cells through which more than a share of the land drains. Discharge is Q = r A, A the drainage area in m²
  and r the runoff; width w = 7.2 Q^0.5 and depth d = 0.27 Q^0.4, in m and m³/s.
- Centre lines run from cell to cell downhill, smoothed along themselves, since eight directions make corners. The
  surface is the filled ground's, which nowhere rises downstream. A river narrower than `_LEAST_BAND` cells is as wide
  as that and covers as much less of its cells.

References: L. B. Leopold, T. Maddock, "The hydraulic geometry of stream channels", USGS Professional Paper 252 (1953),
doi:10.3133/pp252: the exponents 0.5 and 0.4 downstream; K. M. Andreadis, G. J.-P. Schumann, T. Pavelsky, "A simple
global river bankfull width and depth database" (2013), doi:10.1002/wrcr.20440: the factors 7.2 and 0.27.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.errors import Cancelled
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, colour, real, switch
from fellview.terrain.field import Field
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.drainage import ROOT, offset
from fellview.terrain.hydrology.flow import NO_SINKS, Flags, Flow, flow

RUNOFF_M_S = 1e-3 / 3600
"""Metres a second: 1 mm an hour from all of the land, a day of steady rain, which fills rivers to their banks."""
WIDTH_M, WIDTH_POWER = 7.2, 0.5
"""Of rivers, from the discharge in m³/s."""
DEPTH_M, DEPTH_POWER = 0.27, 0.4
_LEAST_BAND = 1.5  # cells: a band of this width has a cell's middle in it wherever it crosses a row or column
_SMOOTHINGS = 12  # of 1 2 1 along the line: a deviation of sqrt(12 / 2) cells, longer than a stair of eight ways
_CELLS_A_LOOK = 1 << 12  # segments between two looks at the cancel flag, under 30 ms where they are 30 cells wide

LAKE_DEPTH = Field(
    "lake_depth", "Lake depth", "m", "How deep the ground lies under a lake; 0 where it is dry.", lowest=0
)
SEA_DEPTH = Field("sea_depth", "Sea depth", "m", "How deep the ground lies under the sea; 0 where it is dry.", lowest=0)
WATER_SURFACE = Field(
    "water_surface",
    "Water surface",
    "m",
    "How high the water stands, the highest where there are several; on dry ground the ground's height.",
)
# rivers run on under lakes and the sea
RIVER_COVER = Field(
    "river_cover", "River cover", "1", "The share of a cell that is river, 0 to 1.", lowest=0, highest=1
)
RIVER_WIDTH = Field("river_width", "River width", "m", "How wide the river is; 0 where there is none.", lowest=0)
RIVER_DEPTH = Field(
    "river_depth", "River depth", "m", "How deep the river is in that place; 0 where there is none.", lowest=0
)
RIVER_TO_X = Field(
    "river_to_x", "To the river, x", "m", "How far along x the nearest point of the river's centre line is; 0 without."
)
RIVER_TO_Z = Field(
    "river_to_z", "To the river, z", "m", "How far along z the nearest point of the river's centre line is; 0 without."
)

SEA_MASKS = frozenset({SEA_DEPTH.name, WATER_SURFACE.name})
"""The masks that change with the sea's level."""


@dataclass(frozen=True)
class Water(Group):
    """The sea, lakes and rivers, and what the water is like."""

    key: ClassVar[str] = "water"
    title: ClassVar[str] = "Water"

    enabled: bool = switch(False, tip="On, there is water on the land: a sea, lakes, rivers, as switched on below.")
    sea: bool = switch(True, tip="On, a sea lies over all that is below its level, and reaches to the horizon.")
    sea_level: float = real(
        0.0,
        -20_000.0,
        20_000.0,
        slider=(-100, 1000),
        unit="m",
        label="Sea level",
        useful=(),
        tip="The height of the sea. Low leaves a puddle in the deepest place, high drowns all but the peaks.",
        only={"sea": (True,)},
    )
    lakes: bool = switch(False, tip="On, hollows in the land hold lakes.")
    lake_fill: float = real(
        100.0,
        0.0,
        100.0,
        unit="%",
        label="Fill",
        useful=(),
        tip="How full the lakes are. Low leaves puddles at their bottom, 100 % lets them spill over their lowest pass.",
        only={"lakes": (True,)},
    )
    lake_area: float = real(
        0.02,
        0.0,
        10.0,
        slider=(0, 1),
        unit="%",
        label="Least area",
        useful=(),
        tip="Lakes smaller than this share of the land stay dry. Low keeps every pond, high only the largest lakes.",
        only={"lakes": (True,)},
        more=True,
    )
    lake_depth: float = real(
        0.5,
        0.0,
        1000.0,
        slider=(0, 20),
        unit="m",
        label="Least depth",
        useful=(),
        tip="Lakes shallower than this stay dry. Low keeps every wet hollow, high only deep lakes.",
        only={"lakes": (True,)},
        more=True,
    )
    rivers: bool = switch(False, tip="On, water runs where much of the land drains through.")
    river_share: float = real(
        1.0,
        0.01,
        50.0,
        slider=(0.1, 20),
        unit="%",
        scale="log",
        label="Least drained",
        useful=(),
        tip="The share of the land that has to drain through a place to make a river. Low draws every brook, high only"
        " the main stream.",
        only={"rivers": (True,)},
    )
    river_width: float = real(
        1.0,
        0.05,
        50.0,
        slider=(0.2, 10),
        unit="×",
        scale="log",
        label="Width",
        useful=(),
        tip="Rivers' width over that of real ones after steady rain. Low makes threads of them, high broad streams.",
        only={"rivers": (True,)},
    )
    clarity: float = real(
        6.0,
        0.05,
        200.0,
        slider=(0.2, 50),
        unit="m",
        scale="log",
        useful=(),
        tip="How deep light goes before a third of it is left. Low is muddy, high shows the ground far down.",
    )
    colour: str = colour("#0f4c5c", tip="Deep water as seen from above. The shallows are bright in the same hue.")
    wind: float = real(
        4.0,
        0.0,
        20.0,
        unit="m/s",
        useful=(),
        tip="What roughens the water. Low is a mirror with a small sun in it, high spreads the sun into a broad path.",
        more=True,
    )
    swash: float = real(
        0.5,
        0.0,
        20.0,
        slider=(0, 5),
        unit="m",
        useful=(),
        tip="How high waves wash the sea's shore. Low leaves a clean edge, high a broad band of foam and wet ground.",
        more=True,
    )

    animate: bool = switch(
        False,
        label="Waves move",
        tip="On, waves move in the window, which then draws all the time. Pictures stand still.",
    )

    def for_masks(self, names: Collection[str]) -> Water:
        """Return the group with everything at its default on which the masks `names` do not depend."""
        keep = list(self._inland())
        if not SEA_MASKS.isdisjoint(names):
            keep += ["sea", "sea_level"]
        return Water(**{name: getattr(self, name) for name in keep})

    def with_masks_of(self, other: Water) -> Water:
        """Return the group with the lakes and rivers of `other`, whose masks serve it too, but for those of the sea."""
        return self.replace(**{name: getattr(other, name) for name in self._inland()})

    def _inland(self) -> tuple[str, ...]:
        """Return the names of what masks of lakes and rivers depend on."""
        return tuple(name for name in self.declarations() if name.startswith(("lake", "river")))


@dataclass(frozen=True)
class Lakes:
    """The lakes: `depth` in m, float32 [row, column], 0 on dry ground, and the lowest cell of each, flat and padded."""

    depth: Heights
    lowest: NDArray[np.int32]


@dataclass(frozen=True)
class Rivers:
    """The rivers, each float32 [row, column] and 0 where there is none.

    `cover` is the share of a cell that is river, `width` the river's and `depth` how deep it is there, in m, `surface`
    the height of the water in m; `to_z` and `to_x` lead from the cell to the nearest point of the centre line, in m.
    """

    cover: Heights
    width: Heights
    depth: Heights
    surface: Heights
    to_z: Heights
    to_x: Heights

    def fields(self) -> tuple[Heights, ...]:
        """Return them in the order of their declaration."""
        return self.cover, self.width, self.depth, self.surface, self.to_z, self.to_x


@kernel()
def _find_lakes(heights, level, rows, columns, fill, least_cells, least_depth, depths, lowest, cancel):
    """Fill the padded `depths`, and `lowest` with each lake's lowest cell; return how many lakes there are.

    `level` is the filled surface; all are flat and padded, and `depths` is 0.
    """
    stride = columns + 2
    queue = np.empty(rows * columns, np.int32)
    seen = np.zeros(heights.size, np.uint8)
    count = 0
    for r in range(rows):
        if cancel[0]:
            break
        for first in range((r + 1) * stride + 1, (r + 1) * stride + 1 + columns):
            if seen[first] or not level[first] > heights[first]:
                continue
            queue[0] = first
            seen[first] = 1
            told, known = 0, 1
            bottom, brim = first, level[first]
            while told < known:
                i = queue[told]
                told += 1
                brim = min(brim, level[i])
                if heights[i] < heights[bottom]:
                    bottom = i
                for k in range(8):
                    n = i + offset(k, stride)
                    if not seen[n] and heights[n] < level[n] and level[n] < np.inf:
                        seen[n] = 1
                        queue[known] = n
                        known += 1
            deepest = fill * (brim - heights[bottom])
            surface = heights[bottom] + deepest
            wet = 0
            for at in range(known):
                wet += heights[queue[at]] < surface
            if wet == 0 or wet < least_cells or deepest < least_depth:
                continue
            for at in range(known):
                i = queue[at]
                depths[i] = max(surface - heights[i], np.float32(0))
            lowest[count] = bottom
            count += 1
    return count


def lakes(heights: Heights, level: NDArray[np.float32], water: Water, cancel: Flags) -> Lakes:
    """Return the lakes of `heights` whose filled surface is the padded `level`; `Cancelled` where `cancel` is set."""
    rows, columns = heights.shape
    depths = np.zeros((rows + 2) * (columns + 2), np.float32)
    lowest = np.empty(rows * columns // 2 + 1, np.int32)
    flat = drainage.padded(heights, np.inf)
    least_cells = water.lake_area / 100 * rows * columns
    fill, least = np.float32(water.lake_fill / 100), np.float32(water.lake_depth)
    count = _find_lakes(flat, level, rows, columns, fill, least_cells, least, depths, lowest, cancel)
    _check(cancel)
    return Lakes(drainage.inner(depths, rows, columns).copy(), lowest[:count].copy())


@kernel()
def _follow(order, directions, area, level, columns, least_area, number, below, z, x, surface, flows):
    """Gather the cells of rivers in `order`, each after the one that it flows into, and return how many there are.

    Fills `below` with what each flows into (-1: nothing), its place in cells `z`, `x`, its `surface`, which nowhere
    rises downstream, and its drainage area `flows` in cells. `number`, padded, is -1.
    """
    stride = columns + 2
    count = 0
    for i in order:
        if area[i] < least_area:
            continue
        number[i] = count
        down = -1
        if directions[i] < ROOT:
            down = number[i + offset(np.int64(directions[i]), stride)]
        below[count] = down
        z[count], x[count] = i // stride - 1, i % stride - 1
        surface[count] = level[i] if down < 0 else max(level[i], surface[down])
        flows[count] = area[i]
        count += 1
    return count


@kernel()
def _smooth_lines(below, flows, z, x, times):
    """Smooth the places `z`, `x` of rivers' cells along them; sources, mouths and what is beside no other stay."""
    n = below.size
    above = np.full(n, -1, np.int32)  # the largest of what flows in
    for k in range(n):
        down = below[k]
        if down >= 0 and (above[down] < 0 or flows[k] > flows[above[down]]):
            above[down] = k
    quarter, half = np.float32(0.25), np.float32(0.5)
    for _ in range(times):
        old_z, old_x = z.copy(), x.copy()
        for k in range(n):
            if below[k] >= 0 and above[k] >= 0:
                z[k] = half * old_z[k] + quarter * (old_z[below[k]] + old_z[above[k]])
                x[k] = half * old_x[k] + quarter * (old_x[below[k]] + old_x[above[k]])


@kernel()
def _draw_lines(
    below, z, x, surface, widths, depths, dz, dx, least_half, every, cover, width, depth, level, to_z, to_x, cancel
):
    """Draw the segments from each cell of a river to the next into `cover`, `width`, ... `to_x` [row, column].

    A cell takes the values of the segment that covers it most, of those the one that it is the nearest to the middle
    of; `least_half` is half the least band in m.
    """
    rows, columns = cover.shape
    cell = np.sqrt(dz * dx)
    aside = np.full(cover.shape, np.inf, np.float32)
    for k in range(below.size):
        if k % every == 0 and cancel[0]:
            return
        down = below[k]
        if down < 0:
            down = k
        reach = max(widths[k], widths[down]) / 2
        reach = max(reach, least_half) + cell
        along_z, along_x = (z[down] - z[k]) * dz, (x[down] - x[k]) * dx
        length2 = max(along_z * along_z + along_x * along_x, np.float32(1e-20))
        r0 = max(int(np.floor(min(z[k], z[down]) - reach / dz)), 0)
        r1 = min(int(np.ceil(max(z[k], z[down]) + reach / dz)), rows - 1)
        c0 = max(int(np.floor(min(x[k], x[down]) - reach / dx)), 0)
        c1 = min(int(np.ceil(max(x[k], x[down]) + reach / dx)), columns - 1)
        for r in range(r0, r1 + 1):
            off_z = (r - z[k]) * dz
            for c in range(c0, c1 + 1):
                off_x = (c - x[k]) * dx
                t = min(max((off_z * along_z + off_x * along_x) / length2, 0.0), 1.0)
                away = np.hypot(off_z - t * along_z, off_x - t * along_x)
                w = widths[k] + t * (widths[down] - widths[k])
                half = max(w / 2, least_half)
                covered = min(max((half - away) / cell + 0.5, 0.0), 1.0) * min(w / (2 * half), 1.0)
                share = away / half
                if covered > cover[r, c] or (covered == cover[r, c] and covered > 0 and share < aside[r, c]):
                    cover[r, c], width[r, c], aside[r, c] = covered, w, share
                    to_z[r, c], to_x[r, c] = t * along_z - off_z, t * along_x - off_x
                    # a parabola across, deepest in the middle
                    depth[r, c] = (depths[k] + t * (depths[down] - depths[k])) * max(1 - share * share, 0.0)
                    level[r, c] = surface[k] + t * (surface[down] - surface[k])


def river_size(area_m2: NDArray[np.float32], water: Water) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return width and depth in metres of rivers through which `area_m2` drains."""
    discharge = RUNOFF_M_S * area_m2
    width = water.river_width * WIDTH_M * discharge**WIDTH_POWER
    return width.astype(np.float32), (DEPTH_M * discharge**DEPTH_POWER).astype(np.float32)


def drained_m2(width_m: float, water: Water) -> float:
    """Return what drains through a river of that width, the inverse of `river_size`."""
    return float((width_m / (water.river_width * WIDTH_M)) ** (1 / WIDTH_POWER) / RUNOFF_M_S)


def rivers(
    heights: Heights, spilling: Flow, standing: Lakes, cell_size: tuple[float, float], water: Water, cancel: Flags
) -> Rivers:
    """Return the rivers of `heights`; `spilling` is where water runs from full lakes, `standing` are the lakes.

    No river is drawn where it would stand over the ground by more than its own depth and the least of a lake: there a
    lake would be, were there lakes. `Cancelled` where `cancel` is set meanwhile.
    """
    rows, columns = heights.shape
    found = spilling if water.lake_fill == 100 else _flow(heights, cell_size, cancel, standing.lowest)
    least = max(water.river_share / 100 * rows * columns, 1.0)
    most = int((found.area >= least).sum())
    number = np.full(found.area.size, -1, np.int32)
    below = np.empty(most, np.int32)
    z, x, surface, flows = (np.empty(most, np.float32) for _ in range(4))
    _follow(
        found.order, found.directions, found.area, spilling.level, columns, least, number, below, z, x, surface, flows
    )
    _smooth_lines(below, flows, z, x, _SMOOTHINGS)
    dz, dx = (np.float32(side) for side in cell_size)
    widths, depths = river_size(flows * (dz * dx), water)
    drawn = Rivers(*(np.zeros_like(heights) for _ in range(6)))
    least_half = np.float32(_LEAST_BAND / 2 * np.sqrt(dz * dx))
    _draw_lines(
        *(below, z, x, surface, widths, depths, dz, dx, least_half, _CELLS_A_LOOK),
        *(*drawn.fields(), cancel),
    )
    _check(cancel)
    lies_over = drainage.inner(spilling.level, rows, columns) - heights > np.maximum(
        drawn.depth, np.float32(water.lake_depth)
    )
    for values in drawn.fields():
        values[(standing.depth == 0) & lies_over] = 0
    return drawn


class Bodies:
    """The water bodies on one land, each made when first asked for; `make` hands the masks out by name."""

    FIELDS = (
        LAKE_DEPTH,
        SEA_DEPTH,
        WATER_SURFACE,
        RIVER_COVER,
        RIVER_WIDTH,
        RIVER_DEPTH,
        RIVER_TO_X,
        RIVER_TO_Z,
    )
    NAMES = tuple(field.name for field in FIELDS)

    def __init__(self, heights: Heights, cell_size: tuple[float, float], water: Water) -> None:
        self._heights, self._cell_size, self._water = heights, cell_size, water
        self._spilling: Flow | None = None
        self._lakes: Lakes | None = None
        self._rivers: Rivers | None = None

    def make(self, name: str, cancel: Flags) -> Heights:
        """Return the mask `name`, float32 [row, column]; `Cancelled` where `cancel` is set meanwhile."""
        if name == SEA_DEPTH.name:
            return self._sea_depth()
        if name == LAKE_DEPTH.name:
            return self._standing(cancel).depth
        if name == WATER_SURFACE.name:
            return self._surface(cancel)
        return getattr(self._running(cancel), name.removeprefix("river_"))  # type: ignore[no-any-return]

    def _sea_depth(self) -> Heights:
        if not self._water.sea:
            return np.zeros_like(self._heights)
        return np.maximum(np.float32(self._water.sea_level) - self._heights, np.float32(0))

    def _spills(self, cancel: Flags) -> Flow:
        if self._spilling is None:
            self._spilling = _flow(self._heights, self._cell_size, cancel)
        return self._spilling

    def _standing(self, cancel: Flags) -> Lakes:
        if self._lakes is None:
            if self._water.lakes:
                self._lakes = lakes(self._heights, self._spills(cancel).level, self._water, cancel)
            else:
                self._lakes = Lakes(np.zeros_like(self._heights), np.empty(0, np.int32))
        return self._lakes

    def _running(self, cancel: Flags) -> Rivers:
        if self._rivers is None:
            if self._water.rivers:
                spilling, standing = self._spills(cancel), self._standing(cancel)
                self._rivers = rivers(self._heights, spilling, standing, self._cell_size, self._water, cancel)
            else:
                self._rivers = Rivers(*(np.zeros_like(self._heights) for _ in range(6)))
        return self._rivers

    def _surface(self, cancel: Flags) -> Heights:
        running = self._running(cancel)
        surface = np.where(running.cover > 0, running.surface, self._heights)
        depth = self._standing(cancel).depth
        surface = np.where(depth > 0, self._heights + depth, surface)
        if self._water.sea:
            under = np.float32(self._water.sea_level)
            surface = np.where(self._heights < under, np.maximum(surface, under), surface)
        return surface.astype(np.float32)


def _flow(heights: Heights, cell_size: tuple[float, float], cancel: Flags, sinks: NDArray[np.int32] = NO_SINKS) -> Flow:
    found = flow(heights, cell_size, cancel, sinks)
    if found is None:
        raise Cancelled
    return found


def _check(cancel: Flags) -> None:
    if cancel[0]:
        raise Cancelled
