"""Valleys that lead rivers on over the ground around a land, in numpy alone: the window's process runs no kernels.

A land's rivers leave it where its border is low, and the ground around, which no erosion has cut, may rise there. So
valleys are cut into that ground, along the ways that water takes over it: down to the pit of each basin, and from there
back up to its lowest pass and on, so that no hollow is filled (`hollows.py`). The land's own rivers begin at its
border, as wide and as high as they leave it; others where some times as much of the ground drains through a place as
makes a river in the land. A bed lies nowhere higher than any upstream, and the ground beside it rises no steeper than
the land's steep ground.

Ways turn off from the border, so that no river runs beside it, and none comes into the land, which has no bed for it.

Reference: G. Cordonnier, B. Bovy, J. Braun, "A versatile, linear complexity algorithm for flow routing in topographies
with depressions" (2019), doi:10.5194/esurf-7-549-2019. Rejected: erosion of the ground around by the land's own rivers'
law, with the land as it is for its boundary: hollows of the recipe fill up there, and ranges become plateaus.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.core.smoothstep import smoothstep_between
from fellview.draw.land.hollows import OUT, Passes, around_basins, basins_of, passes_of
from fellview.terrain.hydrology.drainage import border
from fellview.terrain.hydrology.water import Water, drained_m2, river_size

Cells = NDArray[np.intp]

_KEEPS_OFF = 0.03  # sides of the land from its border within which ways keep off it
_RAISED = 0.25  # of the ground's relief, as far as it counts as higher beside the border
_FEWER = 4.0  # times as much drains through a place that makes a river as in the land, where erosion has gathered it
_STEEP = 0.9  # of the land's ground is less steep than a valley's sides
_FLOOR = 1.0  # cells from a bed up to which its valley is level
_REACH = 12  # cells from a bed up to which its valley reaches
_SPURS = 0.35  # of what was higher than a valley's sides stays away from its bed: bare cones would be seen
_CALM = 1.5  # cells from a bed over which fine detail comes back
_WINDS = 0.35  # cells by which a course is moved aside from its cell's middle, at most,
_SMOOTHINGS = 3  # before it is smoothed so often by 1 2 1
_AROUND = 2  # cells around a course that know of it
_STRAIGHT, _ACROSS = 1.0, 2**0.5


@dataclass(frozen=True)
class Mouth:
    """A river at the border of a land that it leaves."""

    x: float
    z: float
    """Its place, in sides of the land."""
    height_m: float
    area_m2: float
    """What drains through it."""


@dataclass(frozen=True)
class Leaving:
    """The rivers of a land as they leave it."""

    mouths: tuple[Mouth, ...]
    least_m2: float
    """What has to drain through a place to make a river,"""
    width: float
    """and how wide that is, times a real one."""

    def widths_m(self, area_m2: Heights) -> Heights:
        """Return the widths in metres of rivers through which `area_m2` drains."""
        return river_size(area_m2, Water(river_width=self.width))[0]


def leaving(field: HeightField, masks: Mapping[str, Heights], water: Water) -> Leaving:
    """Return the rivers that leave `field`, whose `masks` are made by `water`, over its border."""
    edge = border(field.rows, field.columns)
    widths_m = masks["river_width"][edge[:, 0], edge[:, 1]]
    heights_m = _around(field)
    is_river = widths_m > 0
    begins = np.flatnonzero(is_river & ~np.roll(is_river, 1))
    last, sides_m = (field.rows - 1, field.columns - 1), _sides_m(field)
    mouths = []
    for begin in begins.tolist():
        around = np.roll(np.arange(len(edge)), -begin)
        one = around[: int(np.argmin(is_river[around]))]
        widest = int(one[int(np.argmax(widths_m[one]))])
        row, column = edge[widest]
        to_z, to_x = masks["river_to_z"][row, column], masks["river_to_x"][row, column]
        z, x = row / last[0] + to_z / sides_m[0], column / last[1] + to_x / sides_m[1]
        place = min(max(float(x), 0.0), 1.0), min(max(float(z), 0.0), 1.0)
        area_m2 = drained_m2(float(widths_m[widest]), water)
        mouths.append(Mouth(*place, float(heights_m[widest]), area_m2))
    return Leaving(tuple(mouths), water.river_share / 100 * sides_m[0] * sides_m[1], water.river_width)


def _around(field: HeightField) -> Heights:
    """Return the heights of the border of `field` in metres, clockwise from (0, 0) as `border` has its cells."""
    rows, columns = field.rows, field.columns
    first, last, left, right = np.split(field.border, np.cumsum([columns, columns, rows]))
    return np.concatenate([first, right[1:], last[-2::-1], left[-2:0:-1]])


def cell_m(field: HeightField, cells: int) -> tuple[float, float]:
    """Return how large, z and x in metres, one of `cells` a side of `field` is."""
    z, x = _sides_m(field)
    return z / cells, x / cells


def _sides_m(field: HeightField) -> tuple[float, float]:
    return (field.rows - 1) * field.cell_size[0], (field.columns - 1) * field.cell_size[1]


@dataclass(frozen=True)
class Plot:
    """Where ground around a land lies: `cells` are a side of it, and its first vertex lies `beyond` sides before it."""

    cells: int
    beyond: float
    cell_m: tuple[float, float]
    """Metres a cell, z and x."""

    @property
    def first(self) -> int:
        """The row and column of the land's first vertex."""
        return round(self.beyond * self.cells)

    @property
    def land(self) -> tuple[slice, slice]:
        """The vertices of the land."""
        within = slice(self.first, self.first + self.cells + 1)
        return within, within


@dataclass(frozen=True)
class Courses:
    """Rivers from cell to cell: each `below` the one that it flows into, or -1 where it ends."""

    cells: Cells
    """Flat indices."""
    below: Cells
    area_m2: NDArray[np.float64]
    mouths: dict[int, Mouth]
    """Those that begin at a mouth, by their number."""


@dataclass(frozen=True)
class Valleys:
    """Ground with valleys, and the rivers in them; float32 [row, column]."""

    heights: Heights
    calm: Heights
    """How much of fine detail ground has, 0 in a bed and 1 away from it."""
    to_x: Heights
    to_z: Heights
    """The way to the nearest place of a river's centre line, in cells."""
    widths_m: Heights
    """How wide that river is, 0 where none is near."""


def cut(ground: Heights, plot: Plot, rivers: Leaving) -> Valleys:
    """Return the valleys that lead `rivers` on over the `ground` around their land, in metres.

    `ground` [row, column] is that of `plot`, and has the land's own heights in its middle, which stay.
    """
    found = courses(ground, plot, rivers)
    beds_m = _beds(ground, found)
    away = np.full(ground.shape, np.inf, np.float32)
    away.ravel()[found.cells] = 0
    floor_m = np.full(ground.shape, np.inf, np.float32)
    np.minimum.at(floor_m.ravel(), found.cells, beds_m)
    steep = np.hypot(*np.gradient(ground[plot.land]))
    away, sides_m = _sides(away, floor_m, float(np.quantile(steep, _STEEP)))
    sides_m = np.minimum(ground, sides_m)
    kept = _SPURS * smoothstep_between(_FLOOR, _REACH / 2, away)
    heights = (sides_m + kept * (ground - sides_m)).astype(np.float32)
    heights[plot.land] = ground[plot.land]
    heights.ravel()[found.cells] = _beds(heights, found)  # another valley's floor may have cut into one
    calm = (1 - np.exp(-((away / _CALM) ** 2))).astype(np.float32)
    to_x, to_z, area_m2 = _lines(found, ground.shape, plot)
    return Valleys(heights, calm, to_x, to_z, rivers.widths_m(area_m2))


def courses(ground: Heights, plot: Plot, rivers: Leaving) -> Courses:
    """Return the courses of all rivers on the same ground, each cell after all that flow into it."""
    away = distance(len(ground), plot)
    raised = (ground + _RAISED * np.ptp(ground) * np.exp(-away / _KEEPS_OFF)).astype(np.float32)
    raised[plot.land] = np.inf
    leaves = np.ones(ground.shape, bool)
    leaves[1:-1, 1:-1] = False
    below = drained(raised, leaves)
    steps = _steps(below)
    area_m2 = np.where(away.ravel() > _KEEPS_OFF, plot.cell_m[0] * plot.cell_m[1], 0.0)
    begins: dict[int, Mouth] = {}
    for mouth in rivers.mouths:
        begin = _beside(mouth, plot, len(ground))
        area_m2[begin] += mouth.area_m2
        begins[begin] = max(mouth, begins.get(begin, mouth), key=lambda one: one.area_m2)
    _gather(area_m2, below, steps)
    is_river = (area_m2 >= _FEWER * rivers.least_m2) & (away.ravel() > _KEEPS_OFF)
    there = np.flatnonzero(is_river | _after(begins, below))
    there = there[np.argsort(-steps[there], kind="stable")]
    number = np.full(ground.size, -1)
    number[there] = np.arange(len(there))
    ends = below[there] == there
    down = np.where(ends, -1, number[below[there]])
    starts = {int(number[begin]): mouth for begin, mouth in begins.items() if number[begin] >= 0}
    return Courses(there, down, area_m2[there], starts)


def distance(side: int, plot: Plot) -> NDArray[np.float64]:
    """Return how far each of `side` by `side` cells of `plot` lies from the land, in sides of it."""
    out = np.arange(side) - plot.first
    away = np.abs(out - np.clip(out, 0, plot.cells)) / plot.cells
    return np.hypot(away[:, None], away)


def drained(heights: Heights, leaves: NDArray[np.bool_]) -> Cells:
    """Return the cell below each on a way that ends where water `leaves`, flat indices; there it is the cell itself.

    Ways lead down, but from the pit of a basin back up to its lowest pass.
    """
    ground = basins_of(heights, leaves)
    passes = passes_of(heights, ground.number)
    below = ground.below.copy()
    for number, here, there in _ways_out(passes, len(ground.pits)):
        pit, cell, to = ground.pits[number], here, there
        while True:
            after = below[cell]
            below[cell] = to
            if cell == pit:
                break
            cell, to = after, cell
    return below


def _ways_out(passes: Passes, count: int) -> list[tuple[int, int, int]]:
    """Return for each of `count` basins but `OUT` its number and the cells on both sides of its pass, its own first.

    Passes are the lowest of all that lead out: a smallest spanning tree.
    """
    order, first = around_basins(passes, count)
    beside = np.concatenate([passes.other, passes.one])[order].tolist()
    highs = np.tile(passes.high, 2)[order].tolist()
    own = np.concatenate([passes.one_cell, passes.other_cell])[order].tolist()
    others = np.concatenate([passes.other_cell, passes.one_cell])[order].tolist()
    reached, found = [False] * count, []
    waiting = [(-np.inf, OUT, -1)]
    while waiting:
        _, basin, way = heapq.heappop(waiting)
        if reached[basin]:
            continue
        reached[basin] = True
        if way >= 0:
            found.append((basin, others[way], own[way]))
        for k in range(first[basin], first[basin + 1]):
            if not reached[beside[k]]:
                heapq.heappush(waiting, (highs[k], beside[k], k))
    return found


def _steps(below: Cells) -> Cells:
    """Return how many steps each cell is from where its water leaves."""
    steps, to = (below != np.arange(len(below))).astype(np.intp), below
    while True:
        farther = to[to]
        if np.array_equal(farther, to):
            return steps
        steps, to = steps + steps[to], farther


def _gather(area_m2: NDArray[np.float64], below: Cells, steps: Cells) -> None:
    """Add to each cell what drains into it."""
    order = np.argsort(-steps, kind="stable")
    ends = np.flatnonzero(np.diff(steps[order])) + 1
    for cells in np.split(order, ends)[:-1]:
        np.add.at(area_m2, below[cells], area_m2[cells])


def _after(begins: dict[int, Mouth], below: Cells) -> NDArray[np.bool_]:
    """Return which cells lie on the way from any that it `begins` at."""
    found = np.zeros(len(below), bool)
    for begin in begins:
        cell = begin
        while not found[cell]:
            found[cell] = True
            cell = below[cell]
    return found


def _beside(mouth: Mouth, plot: Plot, side: int) -> int:
    """Return the cell just outside of the land that `mouth` flows into, a flat index."""
    column, row = (round(plot.first + at * plot.cells) for at in (mouth.x, mouth.z))
    out = min(mouth.x, 1 - mouth.x), min(mouth.z, 1 - mouth.z)
    if out[0] <= out[1]:
        column = plot.first - 1 if mouth.x < 0.5 else plot.first + plot.cells + 1
    else:
        row = plot.first - 1 if mouth.z < 0.5 else plot.first + plot.cells + 1
    return row * side + column


def _beds(ground: Heights, found: Courses) -> Heights:
    """Return the heights of rivers' beds in metres, none higher than any upstream."""
    heights = ground.ravel()[found.cells].copy()
    for number, mouth in found.mouths.items():
        heights[number] = min(heights[number], mouth.height_m)
    for number, down in enumerate(found.below.tolist()):
        if down >= 0:
            heights[down] = min(heights[down], heights[number])
    return heights


def _sides(away: Heights, floor_m: Heights, steep: float) -> tuple[Heights, Heights]:
    """Return how far all ground is `away` from beds in cells, and how high it is at most.

    It is that above `floor_m` beside them, which rises by `steep` metres a cell.
    """
    rows, columns = away.shape
    for _ in range(_REACH):
        wide, high = np.pad(away, 1, constant_values=np.inf), np.pad(floor_m, 1, constant_values=np.inf)
        for z, x in ((z, x) for z in (-1, 0, 1) for x in (-1, 0, 1) if (z, x) != (0, 0)):
            there = np.s_[1 + z : 1 + z + rows, 1 + x : 1 + x + columns]
            step = np.float32(_ACROSS if z and x else _STRAIGHT)
            farther = wide[there] + step
            risen = high[there] + np.float32(steep) * np.clip(farther - np.float32(_FLOOR), 0, step)
            np.minimum(floor_m, risen, out=floor_m)
            np.minimum(away, farther, out=away)
    return away, floor_m


def _lines(found: Courses, shape: tuple[int, ...], plot: Plot) -> tuple[Heights, Heights, Heights]:
    """Return the ways x and z to the nearest centre line, and what drains through it."""
    z, x = (at.astype(np.float64) for at in np.unravel_index(found.cells, shape))
    # golden sections of the cells' numbers, as good as random
    z += _WINDS * (2 * np.modf(found.cells * 0.6180339887)[0] - 1)
    x += _WINDS * (2 * np.modf(found.cells * 0.7548776662)[0] - 1)
    below, count = found.below, len(found.cells)
    flows = np.flatnonzero(below >= 0)
    above = np.full(count, -1)
    by_area = flows[np.argsort(found.area_m2[flows], kind="stable")]
    above[below[by_area]] = by_area  # the largest is written last
    between = np.flatnonzero((below >= 0) & (above >= 0))
    for _ in range(_SMOOTHINGS):
        for at in (z, x):
            at[between] = (2 * at[between] + at[below[between]] + at[above[between]]) / 4
    places = np.stack([z, x], 1)
    begin = np.fromiter(found.mouths, np.intp)
    mouths = [[plot.first + plot.cells * at for at in (mouth.z, mouth.x)] for mouth in found.mouths.values()]
    starts = np.concatenate([places[flows], np.reshape(mouths, (-1, 2))])
    ends = np.concatenate([places[below[flows]], places[begin]])
    areas = np.concatenate([found.area_m2[flows], found.area_m2[begin]])
    springs = np.concatenate([(above[flows] < 0) & ~np.isin(flows, begin), np.zeros(len(begin), bool)])
    return _nearest(starts, ends, areas, springs, shape)


def _nearest(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    areas: NDArray[np.float64],
    springs: NDArray[np.bool_],
    shape: tuple[int, ...],
) -> tuple[Heights, Heights, Heights]:
    """Return for each cell the way x and z to the nearest segment from `starts` to `ends`, places (z, x), and its area.

    Those farther away than `_AROUND` cells know of none, nor do those behind where a river springs.
    """
    reach = np.arange(-_AROUND, _AROUND + 1)
    around = np.stack(np.meshgrid(reach, reach, indexing="ij"), -1).reshape(-1, 2)
    cells = (np.rint((starts + ends) / 2).astype(np.intp)[:, None] + around).reshape(-1, 2)
    which = np.repeat(np.arange(len(starts)), len(around))
    along, off = (ends - starts)[which], cells - starts[which]
    share = np.clip((along * off).sum(1) / np.maximum((along * along).sum(1), 1e-12), 0, 1)
    knows = ((cells >= 0) & (cells < shape)).all(axis=1) & ((share > 0) | ~springs[which])
    cells, which, along, off, share = (each[knows] for each in (cells, which, along, off, share))
    ways = share[:, None] * along - off
    order = np.argsort(-np.hypot(*ways.T), kind="stable")  # the nearest is written last
    at = tuple(cells[order].T)
    found = np.zeros((3, *shape), np.float32)
    for field, values in zip(found, (ways[order, 1], ways[order, 0], areas[which[order]]), strict=True):
        field[at] = values
    return found[0], found[1], found[2]
