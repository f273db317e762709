"""Fluvial erosion: rivers cut into rising land, hillslopes follow them, and a dendritic range is left.

Heights in units of the input's relief, lengths in √(size_x · size_z), drainage area A as a fraction of the land, time
in units of 1/K at the incision 1; one such unit stands for `_KYR_A_UNIT` thousand years:

    ∂h/∂t = U + G·Q/A − K·A/√(A + Ac)·|∇h| + ∇·D∇h,   nowhere steeper than the talus angle

- U, uplift: from a 34th of the relief a unit of time where the input is lowest to a seventh where it is highest, so
  that the range keeps the plan of the land it comes from.
- K·√A·|∇h|, the stream-power law with m = 1/2 and n = 1; below Ac, on hillslopes, it fades. √Ac sets the spacing of
  valleys. K varies with the rock, smoothly over the land and at random from cell to cell.
- G·Q/A, deposition of the load Q that comes from upstream.
- D = l²·K·4Ac/(A + 4Ac), soil creep, which rounds ridges and leaves rivers alone.

One iteration: receivers, order, areas and loads (`drainage.py`); creep and talus; then, from the outlets upward and
implicitly, h ← (h + dt·U + laid + k·h_receiver)/(1 + k) with k = dt·K·A/(√(A + Ac)·L), and never below the receiver, so
that lakes fill and the next iteration finds none.

**Outlets.** Rivers leave where the edge is lowest: at the minima of the input's heights along it, smoothed. The other
cells of the edge are land like any other, so that the picture looks cut out of a larger one. Rejected: an edge that is
all outlets, which grows a comb of short parallel valleys along every side.

**Plains.** Land without any slope has no ways for its water but those that rounding draws, other ones on each engine
and grid, and the whole network of a long-lived range grows from them. So plains are made uneven by a thousandth of the
relief, lower where rocks are softer; land with slopes stays to the last bit as it is. Plateaus on plains, worn for
40 kyr, correlated by 0.96 to 0.99 from one rounding to another, and now by 0.99999. Rejected: cells that keep their
receivers, which changes nothing, for the first ones decide.

**Pyramid.** The network forms on 32 cells a side and is refined on ever finer grids, each with about half the time of
the one before, so that 256² and 1024² show one landscape and the finest grid needs few iterations. Going up sways the
picture sideways at random, by about a cell: without it rivers keep the straight lines of the coarse grid for good. The
detail of the input that the finer grid adds is kept where little has been eroded, and not in rivers.

Limits: one receiver a cell, so that a river is one cell wide and has no flood plain; heights carry float32's rounding.

References: J. Braun, S. D. Willett, Geomorphology 180–181 (2013), doi:10.1016/j.geomorph.2012.10.008; G. Cordonnier
et al., "Large scale terrain generation from tectonic uplift and fluvial erosion", Computer Graphics Forum 35 (2016),
doi:10.1111/cgf.12820; X. P. Yuan et al., "A new efficient method to solve the stream power law model taking into
account sediment deposition", JGR Earth Surface 124 (2019), doi:10.1029/2018JF004867; H. Schott et al., "Large-scale
terrain authoring through interactive erosion simulation", ACM TOG 42 (2023), doi:10.1145/3592787.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import Kernel, kernel, prange
from fellview.core.errors import Cancelled
from fellview.core.height_field import Heights
from fellview.core.parameters import real
from fellview.terrain import resample
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import pyramid, rock
from fellview.terrain.erosion.kind import Kind, OverTime, lasts
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.drainage import LANES, ROOT
from fellview.terrain.progress import Progress

Cells = NDArray[np.int64]
Lengths = tuple[np.float32, np.float32, np.float32]

BYTES_A_CELL = 88
"""Peak memory beside input and output: 22 arrays of four bytes, as tests measure it."""

_COARSEST = 32  # cells a side of the first level; with 16, trunk rivers follow the grid
SWAY = 1.6  # coarse cells
_KYR_A_UNIT = 100 / 12  # the coarsest level runs for 12 units in the default 100 kyr: to its steady state, nearly
_FALL = 1.1  # each level runs for 2^−0.9 of the time of the one below it
# Iterations of each level at the default duration. Coarse ones are many, for networks form by capture, and cheap.
_ITERATIONS = (60, 40, 30, 16, 8, 6, 5, 4, 4)
WANDER = np.float32(0.4)  # jitter of receivers
LAKE_SLOPE = np.float32(2e-3)  # on filled lakes while rivers look for their way, in relief a side
RIVER_SLOPE = 1e-4  # least fall of a river, in relief a side: a hundred roundings of float32 a cell at 1024²
ROUNDING = np.float32(2.4e-7)  # two units in the last place
OUTLET_FALL = 0.5  # outlets sink towards this part of their height above the lowest land
OUTLET_RATE = 0.3  # of the rest, a unit of time
SLIDE_RATE = 50.0  # slopes slide within less than an iteration of the default duration
_ROCK_CELLS = 128
ROCK_OCTAVES, ROCK_SALT = 4, 7
_ROCK_CYCLES = 4.0  # of the coarsest rocks across the land
UNDER, OVER = 0.25, 3.0  # reliefs from the lowest that layers of rock are known for; default land rises to 1.5 or so
# Reliefs that a plain varies by over three of the coarsest cells: a fifth of what the flattest place of any shipped
# range does. Rounding and the grid move heights by 1e-6 to 1e-4 of a relief: plains have to vary by more.
_PLAIN = 1e-3
_UNEVEN = 1e-3  # reliefs, for a rock one deviation softer or harder than the mean
GRAIN = 0.6  # how much K varies from cell to cell


@dataclass(frozen=True)
class Fluvial(OverTime):
    """What only fluvial erosion has."""

    incision: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        useful=(0.3, 4),
        tip="How fast rivers cut. Low leaves high, broad mountains, high cuts them down to low hills.",
    )
    uplift: float = real(
        1.0,
        0.0,
        3.0,
        unit="×",
        tip="How fast the land rises meanwhile. Low lets it wear down to its valleys, high lifts sharp peaks.",
    )
    deposition: float = real(
        0.5,
        0.0,
        1.0,
        tip="How much of their load rivers lay down. Low leaves steep, bare valley heads, high fills valleys gently.",
    )
    valley_spacing: float = real(
        1.5,
        0.1,
        10.0,
        slider=(0.3, 5),
        unit="% of the land",
        scale="log",
        tip="Low cuts slopes into fine gullies, high leaves broad flanks between few valleys.",
    )
    creep_length: float = real(
        0.4,
        0.0,
        5.0,
        slider=(0, 2),
        unit="% of the land",
        label="Ridge rounding",
        tip="How far soil creeps. Low keeps knife ridges, high rounds them to downs.",
    )
    rock_contrast: float = real(
        0.5,
        0.0,
        1.5,
        tip="How much hard and soft rocks differ. Low gives even ranges, high steep hard massifs beside worn lowlands.",
    )


@kernel(parallel=True)
def _begin(lifted, swayed_area, base, lifted_base, rock, bits, numbers, heights, strength, rise, cancel):
    """Write a level's heights, K and U from what the level below left, and from the input, `base`.

    `numbers`: how much of the new detail goes anyway, the area of half of it, K, rock's contrast, U.
    """
    rows, columns = base.shape
    worn, half_area, incision, contrast, uplift = numbers
    one, two = np.float32(1), np.float32(2)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64((r + 1) * (columns + 2) + 1)
        for c in range(columns):
            i = first + np.uint64(c)
            b = base[r, c]
            in_river = max(swayed_area[r, c], np.float32(0)) / half_area
            keep = one - worn * (one - np.float32(0.5) / (one + in_river))
            heights[i] = lifted[r, c] + keep * (b - lifted_base[r, c])
            grain = np.float32(np.int32((bits[i] >> np.uint32(8)) & np.uint32(255))) * np.float32(2 / 255) - one
            hardness = min(max(rock[r, c], -one), one)
            strength[i] = incision * two ** (two * contrast * hardness) * (one + np.float32(GRAIN) * grain)
            rise[i] = uplift * (np.float32(0.35) + np.float32(1.3) * min(max(b, np.float32(0)), one))


_slope = rock.everywhere


@kernel(parallel=True)
def _relax(
    heights, area, rows, columns, cell_area, critical, creep, slide, talus, tangents, lengths, weights, out, cancel
):
    """Write the heights after one semi-implicit step of creep and, by the part `slide`, down to the talus angle.

    Nine-point creep: a mean of a cell and its neighbours, so that no time step is too long. `critical` is 4Ac, `creep`
    dt·l²·K. Heights in the padding must repeat the edge.
    """
    stride, one = np.uint64(columns + 2), np.uint64(1)
    lz, lx, across = lengths
    wz, wx, wd = weights
    around = np.float32(2) * (wz + wx) + np.float32(4) * wd
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + one
        for c in range(columns):
            i = first + np.uint64(c)
            up, down = i - stride, i + stride
            d = creep * critical / (np.float32(area[i]) * cell_area + critical)
            n, s, w, e = heights[up], heights[down], heights[i - one], heights[i + one]
            nw, ne, sw, se = heights[up - one], heights[up + one], heights[down - one], heights[down + one]
            pull = wz * (n + s) + wx * (w + e) + wd * ((nw + se) + (ne + sw))
            crept = (heights[i] + d * pull) / (np.float32(1) + d * around)
            slope = _slope(talus, tangents, i)
            tz, tx, td = slope * lz, slope * lx, slope * across
            steepest = min(min(min(n, s) + tz, min(w, e) + tx), min(min(nw, ne), min(sw, se)) + td)
            out[i] = crept - slide * max(np.float32(0), crept - steepest)


_relax_layers = _relax.bound("layers", _slope=rock.by_cell)


@kernel(parallel=True)
def _prepare(heights, rise, area, load, directions, strength, rows, columns, numbers, lengths, inflow, share, cancel):
    """Write the two numbers of each cell's implicit step, h = inflow + share · h_receiver.

    `numbers`: dt, area of a cell, Ac, G, the most that is laid down at once.
    """
    stride = np.uint64(columns + 2)
    lz, lx, across = lengths
    dt, cell_area, critical, deposition, most = numbers
    one = np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + np.uint64(1)
        for c in range(columns):
            i = first + np.uint64(c)
            direction = np.int32(directions[i])
            length = lz if (direction == 1) | (direction == 6) else across
            length = lx if (direction == 3) | (direction == 4) else length
            cells = np.float32(area[i])
            a = cells * cell_area
            k = dt * strength[i] * a / (np.sqrt(a + critical) * length)
            laid = min(deposition * load[i] / cells, most)
            rest = one / (one + k)
            share[i] = k * rest if k < np.float32(1e30) else one
            inflow[i] = (heights[i] + dt * rise[i] + laid) * rest


@kernel(parallel=True)
def _carve(orders, parents, counts, inflow, share, outlet_heights, least, heights, cancel):
    """Write h = inflow + share · h_receiver from the outlets upward, at least by `least` above the receiver.

    Without `share` (of length 0) the heights are those of `inflow`, only raised where a river would not fall.
    """
    for lane in prange(LANES):
        order, parent = orders[lane], parents[lane]
        solved = np.empty(counts[lane], np.float32)
        for i in range(counts[lane]):
            if i % 65536 == 0 and cancel[0]:
                break
            cell, up = np.uint64(order[i]), np.uint64(parent[i])
            if up == np.uint64(i):
                value = outlet_heights[cell]
            else:
                below = solved[up]
                value = inflow[cell]
                if share.size:
                    value += share[cell] * below
                value = max(value, below + least + ROUNDING * abs(below))
            solved[i] = value
            heights[cell] = value


@kernel(parallel=True)
def _note_load(before, rise, dt, after, rows, columns, load, cancel):
    """Write what each cell lost, as the load that its river carries."""
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64((r + 1) * (columns + 2) + 1)
        for c in range(columns):
            i = first + np.uint64(c)
            load[i] = max(np.float32(0), before[i] + dt * rise[i] - after[i])


def _wall_in(flat: Heights, rows: int, columns: int) -> None:
    field = flat.reshape(rows + 2, columns + 2)
    field[0] = field[-1] = np.inf
    field[:, 0] = field[:, -1] = np.inf


def level_sizes(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the grids of the pyramid, coarsest first."""
    return pyramid.level_sizes(rows, columns, _COARSEST)


def unevenness(coarse: Heights, relief: float, rocks: Heights) -> Heights:
    """Return by how much plains are lower where `rocks` are softer, in reliefs, float32 on the grid of `coarse`.

    `coarse` are the coarsest level's heights in metres. It is 0 wherever they have any slope to speak of.
    """
    around = np.lib.stride_tricks.sliding_window_view(np.pad(coarse, 1, mode="edge"), (3, 3))
    # less and less towards slopes, so that it does not matter where just a plain ends
    plain = np.maximum(0, 1 - np.ptp(around, axis=(2, 3)) / (_PLAIN * relief))
    rows, columns = (np.arange(n) * of // n for n, of in zip(coarse.shape, rocks.shape, strict=True))
    uneven: Heights = (-_UNEVEN * plain * rocks[np.ix_(rows, columns)]).astype(np.float32)
    return uneven


def lowest_along_edge(base: Heights) -> Cells:
    """Return the (row, column) of the minima of `base` along its edge, smoothed, int64 (outlets, 2); at least one."""
    edge = drainage.border(*base.shape)
    around = len(edge)
    away = np.minimum(np.arange(around), around - np.arange(around))
    # a sixtieth of the way around, half a twelfth of a side's: some ten rivers leave a land of three hills a side
    kernel_ = np.exp(-0.5 * (away / (around / 60)) ** 2)
    smooth = np.fft.irfft(np.fft.rfft(base[edge[:, 0], edge[:, 1]]) * np.fft.rfft(kernel_ / kernel_.sum()), around)
    lowest = np.flatnonzero((smooth <= np.roll(smooth, 1)) & (smooth < np.roll(smooth, -1)))
    return edge[lowest] if len(lowest) else edge[[int(np.argmin(smooth))]]


def refined(outlets: Cells, coarse: tuple[int, int], heights: Heights) -> Cells:
    """Return the outlets on a finer grid: for each the lowest cell of the edge near it."""
    edge = drainage.border(*heights.shape)
    reach = np.array(heights.shape) / coarse
    found = []
    for outlet in outlets:
        last = outlet == np.array(coarse) - 1
        centre = np.where(last, np.array(heights.shape) - 1, np.round(outlet * reach))
        near = edge[(np.abs(edge - centre) <= reach).all(axis=1)]
        found.append(near[np.argmin(heights[near[:, 0], near[:, 1]])])
    return np.unique(np.array(found), axis=0)


def _rocks(extent: tuple[float, float], seed: int) -> Heights:
    """Return how soft the rocks are, deviation 1, at some hundred cells a side."""
    (rows, columns), cycles = rock_plan(extent)
    return resample.fractal(rows, columns, cycles, ROCK_OCTAVES, ROCK_SALT * seed)


def rock_plan(extent: tuple[float, float]) -> tuple[tuple[int, int], tuple[float, float]]:
    """Return the rows and columns of the rocks' grid, and the cycles (z, x) of the coarsest rocks across it."""
    rows, columns = (min(max(round(_ROCK_CELLS * side), 2), 4 * _ROCK_CELLS) for side in extent)
    return (rows, columns), (min(_ROCK_CYCLES * extent[0], 64.0), min(_ROCK_CYCLES * extent[1], 64.0))


class Level:
    """One grid of the pyramid: its lengths, and the arrays of an iteration. Everything is flat and padded."""

    def __init__(
        self, rows: int, columns: int, extent: tuple[float, float], salt: int, cancel: NDArray[np.uint8]
    ) -> None:
        self.rows, self.columns = rows, columns
        z, x = extent[0] / rows, extent[1] / columns
        across = math.hypot(z, x)
        self.lengths = _three(z, x, across)
        self.inverse_lengths = _three(1 / z, 1 / x, 1 / across)
        # the nine-point Laplacian: two thirds along the axes, one third across
        self.weights = _three(2 / (3 * z * z), 2 / (3 * x * x), 1 / (3 * across * across))
        side = 1 / max(rows, columns)
        self.steps = _three(side, side, math.sqrt(2) * side)  # for slopes of water, which no odd cell may exaggerate
        self.cell_area = np.float32(1 / (rows * columns))
        size = (rows + 2) * (columns + 2)
        self.heights = np.full(size, np.inf, np.float32)
        self.other = np.full(size, np.inf, np.float32)
        self.strength, self.rise, self.load, self.inflow, self.share = np.zeros((5, size), np.float32)
        self.outlet_heights = np.zeros(size, np.float32)
        self.area = np.zeros(size, np.int32)
        self.bits = np.zeros(size, np.uint32)
        drainage.draw_bits(self.bits, rows, columns, np.int64(salt), cancel)
        self.directions = np.full(size, ROOT + 1, np.uint8)
        self.donors = np.zeros(size, np.uint8)
        self.orders, self.parents = np.empty((2, LANES, rows * columns), np.int32)
        self.counts = np.zeros(LANES, np.int64)
        self.roots = np.zeros(1, np.int32)
        self.layers: rock.Laid | None = None
        self.bare_strength = self.strength

    def lay(self, layers: rock.Laid) -> None:
        """Take the layers of rock under the grid; K so far is that of all alike."""
        self.layers, self.bare_strength, self.strength = layers, self.strength, self.strength.copy()

    def look_at_layers(self, cancel: NDArray[np.uint8]) -> None:
        """Find the rocks at the surface, and K."""
        if self.layers:
            self.layers.look_up(self.heights, cancel)
            self.layers.cross(self.directions, self.bare_strength, self.strength, cancel)

    def _fit(self, shared: Kernel) -> Kernel:
        """Return the form of a parallel kernel that is quicker here."""
        return shared.fitting(self.rows * self.columns)

    def place_outlets(self, outlets: Cells) -> None:
        """Take the (row, column) of the outlets."""
        self.roots = ((outlets[:, 0] + 1) * (self.columns + 2) + outlets[:, 1] + 1).astype(np.int32)

    def field(self, flat: NDArray[Any]) -> NDArray[Any]:
        """Return a copy of `flat` [row, column]."""
        return drainage.inner(flat, self.rows, self.columns).copy()

    def route(self, cancel: NDArray[np.uint8]) -> None:
        """Find receivers, order and areas; sum the loads."""
        rows, columns = self.rows, self.columns
        self._fit(drainage.find_receivers)(
            self.heights, rows, columns, self.bits, self.inverse_lengths, WANDER, self.directions, cancel
        )
        self.directions[self.roots] = ROOT
        roots, lane_starts = self._dealt()
        self._climb(roots, lane_starts, cancel)
        if self.counts.sum() < rows * columns:
            # 2 on the padding: settled, and nothing to tell
            drained = drainage.padded(np.zeros((rows, columns), np.uint8), 2)
            drainage.mark(self.orders, self.counts, drained)
            self.other[:] = self.heights
            drainage.flood(
                self.heights,
                self.other,
                self.directions,
                drained,
                self.bits,
                rows,
                columns,
                self.inverse_lengths,
                self.steps,
                WANDER,
                LAKE_SLOPE,
                cancel,
            )
            self._climb(roots, lane_starts, cancel)
        self._fit(drainage.sum_up)(self.orders, self.parents, self.counts, self.area, self.load, True, cancel)

    def _climb(self, roots: NDArray[np.int32], lane_starts: Cells, cancel: NDArray[np.uint8]) -> None:
        self._fit(drainage.find_donors)(self.directions, self.rows, self.columns, self.donors)
        self._fit(drainage.climb)(
            roots, lane_starts, self.donors, self.columns, self.orders, self.parents, self.counts, cancel
        )

    def _dealt(self) -> tuple[NDArray[np.int32], Cells]:
        """Return the roots so ordered that each lane has about as many cells, and where each lane's begin."""
        lanes: list[list[int]] = [[] for _ in range(LANES)]
        cells = [0] * LANES
        for root in sorted(self.roots.tolist(), key=lambda root: -int(self.area[root])):
            lane = cells.index(min(cells))
            lanes[lane].append(root)
            cells[lane] += int(self.area[root]) + 1
        starts = np.cumsum([0, *map(len, lanes)])
        return np.array([root for lane in lanes for root in lane], np.int32), starts

    def relax(self, dt: float, creep: float, critical: float, talus: float, cancel: NDArray[np.uint8]) -> None:
        """Let soil creep and steep slopes slide, twice; all the way at once would make ruled slopes of them."""
        slide = -0.5 * math.expm1(-SLIDE_RATE * dt)
        for _ in range(2):
            drainage.repeat_edge(self.heights, self.rows, self.columns)
            self._fit(_relax_layers if self.layers else _relax)(
                self.heights,
                self.area,
                self.rows,
                self.columns,
                self.cell_area,
                np.float32(4 * critical),
                np.float32(creep),
                np.float32(slide),
                np.float32(talus),
                self.layers.tangents if self.layers else rock.NOTHING,
                self.lengths,
                self.weights,
                self.other,
                cancel,
            )
            self.heights, self.other = self.other, self.heights

    def incise(self, dt: float, critical: float, deposition: float, cancel: NDArray[np.uint8]) -> None:
        """Let the land rise and its rivers cut and lay down."""
        most = 0.5 * float(min(self.lengths))
        numbers = tuple(np.float32(v) for v in (dt, self.cell_area, critical, deposition, most))
        rows, columns = self.rows, self.columns
        self._fit(_prepare)(
            self.heights,
            self.rise,
            self.area,
            self.load,
            self.directions,
            self.strength,
            rows,
            columns,
            numbers,
            self.lengths,
            self.inflow,
            self.share,
            cancel,
        )
        self.carve(self.inflow, self.share, self.other, RIVER_SLOPE * float(self.steps[0]), cancel)
        self._fit(_note_load)(self.heights, self.rise, np.float32(dt), self.other, rows, columns, self.load, cancel)
        self.heights, self.other = self.other, self.heights
        _wall_in(self.heights, rows, columns)

    def carve(self, inflow: Heights, share: Heights, out: Heights, least: float, cancel: NDArray[np.uint8]) -> None:
        """Solve the implicit step, or with no `share` only make every river fall."""
        self._fit(_carve)(
            self.orders, self.parents, self.counts, inflow, share, self.outlet_heights, np.float32(least), out, cancel
        )


def _three(z: float, x: float, across: float) -> Lengths:
    return np.float32(z), np.float32(x), np.float32(across)


def run(parameters: Fluvial, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the eroded heights in metres, float32 [row, column]; every cell falls to an outlet on the edge.

    Any size from 2×2 up, cells of any shape. Land without relief stays as it is. `stop_after` ends it after so many
    iterations over all levels (0: after all); the levels from there on only refine.
    """
    cancel = progress.cancel
    sizes = level_sizes(*heights.shape)
    coarse = resample.coarser(heights, *sizes[0], cancel)
    lowest, relief = float(coarse.min()), float(np.ptp(coarse))
    progress.check()
    if relief <= 1e-5 * abs(lowest) or relief < 1e-20:
        return heights.copy()  # below a hundred roundings there is nothing to carve
    base = heights - np.float32(lowest)
    base /= np.float32(relief)
    progress.check()
    grid = domain.grid
    unit = math.sqrt(grid.size_x * grid.size_z)
    extent = grid.size_z / unit, grid.size_x / unit
    talus = math.tan(math.radians(parameters.talus_angle)) * unit / relief
    strata = rock.strata(domain, lowest - UNDER * relief, lowest + OVER * relief)
    plan = [level_plan(max(size), parameters.duration) for size in sizes]
    count = pyramid.Count(
        [each for each, _ in plan], [rows * columns for rows, columns in sizes], parameters.stop_after
    )
    rivers = _Rivers(
        parameters, domain, extent, _Units(lowest, relief, talus, unit / relief), strata, plan, count, cancel
    )
    rivers.make_plains_uneven(base, coarse)
    progress.check()
    level = pyramid.run(rivers, base, sizes, count, domain.seed, progress, parameters.key)
    rivers.round_beds(level)
    progress.report(parameters.key, 1.0, count.reached, count.in_all)
    return _in_metres(level, np.float32(lowest), np.float32(relief), cancel)


@dataclass(frozen=True)
class _Units:
    """What a unit is: `lowest` and `relief` in m; `talus` and `slope`, one of 45°, are in relief a side."""

    lowest: float
    relief: float
    talus: float
    slope: float


_Below = tuple[Heights, NDArray[np.int32], Heights]  # heights, areas and input of the level below


class _Rivers:
    """What fluvial erosion does on the grids of its pyramid."""

    def __init__(
        self,
        parameters: Fluvial,
        domain: Domain,
        extent: tuple[float, float],
        units: _Units,
        strata: rock.Strata | None,
        plan: list[tuple[int, float]],
        count: pyramid.Count,
        cancel: NDArray[np.uint8],
    ) -> None:
        self._parameters, self._domain, self._extent, self._units = parameters, domain, extent, units
        self._strata, self._plan, self._count, self._cancel = strata, plan, count, cancel
        self._age = parameters.duration / 100
        self._worn = -math.expm1(-2 * self._age * parameters.incision)
        self._critical = (parameters.valley_spacing / 100) ** 2
        self._rocks = _rocks(extent, domain.seed)
        self._outlets, self._outlet_base = np.zeros((0, 2), np.int64), np.float32(0)
        self._dt = self._creep = self._sink = 0.0

    def make_plains_uneven(self, base: Heights, coarse: Heights) -> None:
        """Change the input `base` where it has plains; `coarse` are the coarsest level's heights in metres."""
        uneven = unevenness(coarse, self._units.relief, self._rocks)
        if uneven.any():
            rows, columns = base.shape
            base += resample.finer(uneven, rows, columns, self._cancel)

    def begin(self, number: int, base: Heights, left: _Below | None, salt: int) -> Level:
        """Return a level that goes on from `left`, with its outlets, and its rock laid."""
        cancel, parameters = self._cancel, self._parameters
        rows, columns = base.shape
        level = Level(rows, columns, self._extent, salt, cancel)
        _check(cancel)
        if left is None:
            lifted = lifted_base = base
            area, half_area = np.zeros_like(base), 1.0
        else:
            heights_below, area_below, base_below = left
            sway = SWAY * -math.expm1(-10 * self._age * parameters.incision)
            lifted, area = resample.finer_swayed([heights_below, area_below], rows, columns, sway, salt, cancel)
            _check(cancel)
            lifted_base = resample.finer(base_below, rows, columns, cancel)
            half_area = (4 / min(area_below.shape)) ** 2 * area_below.size
        _check(cancel)
        rock_here = resample.finer(self._rocks, rows, columns, cancel)
        _check(cancel)
        numbers = (self._worn, half_area, parameters.incision, parameters.rock_contrast, parameters.uplift / 12)
        _begin(
            lifted,
            area,
            base,
            lifted_base,
            rock_here,
            level.bits,
            tuple(np.float32(v) for v in numbers),
            level.heights,
            level.strength,
            level.rise,
            cancel,
        )
        _check(cancel)
        if left is None:
            outlets = lowest_along_edge(base)
            self._outlet_base = OUTLET_FALL * base[outlets[:, 0], outlets[:, 1]].min()
        else:
            outlets = refined(self._outlets, area_below.shape, drainage.inner(level.heights, rows, columns))
        self._outlets = outlets
        del lifted, area, lifted_base, rock_here
        level.place_outlets(outlets)
        units = self._units
        if self._strata:
            place = self._domain, rows, columns, units.lowest, units.relief, parameters.talus_angle, units.slope
            level.lay(rock.Laid(self._strata, *place, cancel))
        count, time = self._plan[number]
        self._dt = time / count
        self._creep = self._dt * parameters.incision * (parameters.creep_length / 100) ** 2
        self._sink = -math.expm1(-self._dt * OUTLET_RATE)
        if not self._count.runs[number]:
            level.route(cancel)  # the next level reads areas, and the last one the order in which rivers fall
        return level

    def iterate(self, level: Level, iteration: int) -> None:
        """Let outlets sink, rivers find their ways, slopes relax and rivers cut."""
        cancel = self._cancel
        at = level.heights[level.roots]
        level.outlet_heights[level.roots] = at + np.float32(self._sink) * np.minimum(
            0, np.float32(self._outlet_base) - at
        )
        level.route(cancel)
        level.look_at_layers(cancel)
        level.relax(self._dt, self._creep, self._critical, self._units.talus, cancel)
        level.incise(self._dt, self._critical, self._parameters.deposition, cancel)

    def heights(self, level: Level) -> Heights:
        """Return the heights so far in metres."""
        return level.field(level.heights) * np.float32(self._units.relief) + np.float32(self._units.lowest)

    def leave(self, level: Level, base: Heights) -> _Below:
        """Return heights, areas and the input."""
        return level.field(level.heights), level.field(level.area), base

    def round_beds(self, level: Level) -> None:
        """Let rivers creep too, this once: a bed one cell wide is a row of steps."""
        level.look_at_layers(self._cancel)
        level.relax(self._dt, self._creep, 1e9, self._units.talus, self._cancel)


def _check(cancel: NDArray[np.uint8]) -> None:
    """Raise `Cancelled` where `cancel` says so: what was made last may have been cut short."""
    if cancel[0]:
        raise Cancelled


def level_plan(side: int, duration: float) -> tuple[int, float]:
    """Return the iterations and the time, in the equation's units, of a level of `side` cells."""
    finer_by = max(0.0, math.log2(side / _COARSEST))
    time = duration / _KYR_A_UNIT * 2 ** (-_FALL * finer_by)
    # an old range needs longer steps rather than more; a young one's rivers still have to find their ways
    share = min(max(math.sqrt(duration / 100), 0.25), 2.0)
    return max(3, round(share * float(np.interp(finer_by, range(len(_ITERATIONS)), _ITERATIONS)))), time


def _in_metres(level: Level, lowest: np.float32, relief: np.float32, cancel: NDArray[np.uint8]) -> Heights:
    """Return the heights in metres; every cell still lies above its receiver, whatever the rounding."""
    metres = level.heights * relief + lowest
    level.outlet_heights[level.roots] = metres[level.roots]
    least = RIVER_SLOPE * float(level.steps[0]) * float(relief)
    level.carve(metres, np.empty(0, np.float32), level.other, least, cancel)
    return level.field(level.other)


KIND = Kind(
    name="fluvial",
    how="by rivers that carve a range",
    parameters=Fluvial,
    run=run,
    active=lasts,
    bytes_a_cell=BYTES_A_CELL,
    main=("duration",),
    bench_runs={256: 9, 512: 9, 1024: 5, 2048: 3},
)
