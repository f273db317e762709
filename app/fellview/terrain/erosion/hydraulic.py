"""Hydraulic erosion: rain runs off through virtual pipes, takes soil up where it is fast, lays it down where it slows.

Heights and depths in units of the input's relief, lengths in √(size_x · size_z), and a unit of time in which water as
deep as a hundredth of the relief, on a slope of two reliefs a side, crosses the land. Each cell holds
ground h, water d and a load c, the sediment in its water as a column a column of water; each side of a cell is a pipe
with a flow q a unit of width. With the surface H = h + d, one step of dt is

    q ← (q + dt·g·D·ΔH/L) · D/(D + dt·κ)          D, the pipe's depth: the higher surface over the higher ground
    d ← (d + dt·rain − dt·Σ q/L) · exp(−dt·evaporation)
    c·d ← c·d − dt·Σ q·c/L + taken − laid,   h ← h + laid − taken
    taken = (1 − exp(−dt·e))·(C − c·d) while that is below the capacity C, else laid = (1 − exp(−dt·s))·(c·d − C)
    C = pace·k·Σ q·ΔH/L over the pipes through which water leaves, at most `MOST_LOAD` times the depth

C is the power that water spends: on slopes of the surface, not of the ground, so that a lake takes nothing whatever
its bed; over the way out alone, so that water fills a pit and wears a spike. Every few steps the ground slumps: wet
banks creep, which keeps channels a few cells wide and so free to turn from the grid's axes, and what is steeper than
the talus angle slides.

**Flows are signed**, one a pipe; Mei and others keep two opposite ones that end the same. Friction is linear, κ/D: then
water runs down the gradient on a grid of axes, where a quadratic one turns it to the diagonals, and at a speed that
depends on depth and slope and not on the cells. **Sediment goes with the flows**, c from the upstream cell: what leaves
one cell arrives in the next, so that mass is kept to rounding; the semi-Lagrangian scheme of the papers keeps none.
Every cell reads old values only, so nothing depends on the order of cells.

**Stability.** A pipe carries at most a quarter of its cell's water a step, which keeps depths above zero; dt follows
from that and the mean side of a cell. Waves in water deeper than a step allows are slowed, not refused. Sediment
exchange is exact for its linear law. Ground is taken by at most a quarter of its height above the lowest neighbour and
raised by at most the depth, so that no cell leaves the range of what surrounds it.

**Edge.** Water leaves with its load as over ground that falls on outside at `FALL_OUTSIDE` of its slope inside, down
to the lowest of the input. Ground creeps and slides over no edge.

**Pyramid.** Rivers find their ways on 64 cells a side; finer grids take over ground, water and load, swayed by part of
a cell, and go on for a shrinking time, so that all sizes show one land and the finest need few steps.

Limits: rivers are a few cells wide at most, with no bed load and no meanders; the relief counts and not its slope, so
that flat and steep lands wear alike, but for the talus angle.

References: X. Mei, P. Decaudin, B.-G. Hu, "Fast hydraulic erosion simulation and visualization on GPU", Pacific
Graphics 2007, doi:10.1109/PG.2007.15; O. Šťava et al., "Interactive terrain modeling using hydraulic erosion", 2008,
doi:10.2312/SCA/SCA08/201-210; P. D. Bates, M. S. Horritt, T. J. Fewtrell, "A simple inertial formulation of the shallow
water equations", Journal of Hydrology 387 (2010), doi:10.1016/j.jhydrol.2010.03.027 (the semi-implicit flow).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import Kernel, kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import real
from fellview.terrain import resample
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import pyramid, rock
from fellview.terrain.erosion.kind import Kind, OverTime, lasts
from fellview.terrain.field import Field, by_name
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.drainage import mixed
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land

BYTES_A_CELL = 60
"""Peak memory beside input and output, as tests measure it: fifteen arrays of four bytes, fields among them."""

COARSEST = 64  # cells a side of the first level; with 32, valleys are as wide as its cells
# Steps of a level of 64, 128, ... cells a side at the default duration: 4 units of time, 2, 0.8, 0.25, ... The first
# lets rain from one corner run out at the other; the sum of all beyond 512² changes rms by hundredths.
STEPS = (1024, 1024, 820, 512, 330, 210, 140, 100)
COURANT = 0.25  # of a cell that water goes in a step: four pipes may then each take a quarter of it
FASTEST = 1.0  # sides a unit of time
GRAVITY = 320.0  # waves on water of a twentieth of the relief go √(320/20) = 4 sides a unit of time
MOBILITY = 50.0  # g/κ: water 0.01 deep on a slope of 2 goes as fast as any
RAIN = 1e-3  # relief a unit of time: rivers of the default are some hundredths of the relief deep
EVAPORATION = 0.2  # of the water a unit of time
GRAIN = 0.3  # how much rain varies from cell to cell; even rain on even slopes makes even rills along the grid
CAPACITY = 5.0
MOST_LOAD = 5.0  # columns of sediment a column of water
ERODE = 12.0  # a unit of time: water takes up within a twelfth of the land's side at full speed what it can carry
SETTLE = 10.0
DEEP = 0.006  # of the relief: banks of water as deep creep as fast as any
BANK = 0.07  # of a creep that levels neighbours within a slump
SLIDE = 0.25  # of what stands above the talus angle, in a slump
SLUMP_EVERY = 4  # steps
FALL_OUTSIDE = 0.3  # with 1, each stream cuts a notch into the edge
BURIED = 0.002  # of the relief: under as much that was laid down, half of the input's finer detail shows
SWAY = 0.8  # coarse cells; with none, rivers keep the straight lines of the coarse grid
LEAST_DEPTH = 1e-9  # of the relief: drier ground holds no sediment
WATER_DEPTH = Field("water_depth", "Water depth", "m", "How deep the last rain's water stands or flows.", lowest=0)
SEDIMENT = Field(
    "sediment",
    "Sediment in the water",
    "m",
    "What the last rain's water holds in suspension, as deep as it would lie if it settled.",
    lowest=0,
)
WATER_SPEED = Field("water_speed", "Water speed", "m/s", "How fast the last rain's water flows; 0 on lakes.", lowest=0)
FIELDS = (WATER_DEPTH, SEDIMENT, WATER_SPEED)
_EARTH = 9.81  # m/s²
_CALLS = 5000  # cells that cost as much as a step's calls


@dataclass(frozen=True)
class Hydraulic(OverTime):
    """What only hydraulic erosion has: multiples of the constants above."""

    rain: float = real(
        1.0,
        0.0,
        10.0,
        slider=(0, 4),
        unit="×",
        useful=(0.3, 2.5),
        tip="Low cuts few gullies and leaves small ponds, high carves broad valleys and fills hollows with lakes.",
    )
    evaporation: float = real(
        1.0,
        0.0,
        100.0,
        slider=(0, 20),
        unit="×",
        useful=(0.3, 5),
        tip="Low lets rivers reach the edge, high dries them up on the way and leaves their load in the valleys.",
    )
    sediment_capacity: float = real(
        1.0,
        0.1,
        10.0,
        label="Capacity",
        unit="×",
        scale="log",
        useful=(0.3, 4),
        tip="How much water can carry. Low fills every flat with deposits, high carries the land off and cuts deep.",
    )
    erodibility: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        useful=(0.3, 4),
        tip="How soft the ground is. Low scratches it, high gullies its slopes up to the crests.",
    )
    deposition_rate: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        useful=(0.3, 4),
        tip="How fast mud settles. Low spreads it thin and far, high heaps it in fans at the foot of slopes.",
    )


@kernel(inline="always")
def _outside(edge, inside, lowest):
    fall = np.float32(FALL_OUTSIDE) * max(inside - edge, np.float32(0))
    return edge - min(fall, max(edge - lowest, np.float32(0)))


@kernel()
def _surround(ground, water, rows, columns):
    """Write the ground of the padding, down to 0, the lowest of the input, and no water."""
    stride, zero = columns + 2, np.float32(0)
    down, right = min(rows - 1, 1), min(columns - 1, 1)
    for r in range(1, rows + 1):
        first, last = r * stride + 1, r * stride + columns
        ground[first - 1] = _outside(ground[first], ground[first + right], zero)
        ground[last + 1] = _outside(ground[last], ground[last - right], zero)
        water[first - 1] = water[last + 1] = zero
    for c in range(1, columns + 1):
        first, last = stride + c, rows * stride + c
        ground[first - stride] = _outside(ground[first], ground[first + down * stride], zero)
        ground[last + stride] = _outside(ground[last], ground[last - down * stride], zero)
        water[first - stride] = water[last + stride] = zero


@kernel(inline="always")
def _pipe(flow, ground, water, ground_there, water_there, pull, fastest, drag, deepest):
    """Return the flow to a neighbour after a step."""
    surface, surface_there = ground + water, ground_there + water_there
    depth = min(max(surface, surface_there) - max(ground, ground_there), deepest)
    pulled = (flow + pull * depth * (surface - surface_there)) * (depth / (depth + drag))
    return min(max(pulled, -fastest * water_there), fastest * water)


@kernel(parallel=True)
def _flow(ground, water, flow_z, flow_x, rows, columns, numbers, cancel):
    """Write the flows of the next step: of each cell to the one below and to the one on its right."""
    stride, one = np.uint64(columns + 2), np.uint64(1)
    pull_z, pull_x, fastest_z, fastest_x, drag, deepest = numbers
    for r in prange(rows + 1):
        if cancel[0]:
            continue
        first = np.uint64(r) * stride
        for c in range(columns):
            i = first + one + np.uint64(c)
            s = i + stride
            flow_z[i] = _pipe(flow_z[i], ground[i], water[i], ground[s], water[s], pull_z, fastest_z, drag, deepest)
        if r > 0:
            for c in range(columns + 1):
                i = first + np.uint64(c)
                e = i + one
                flow_x[i] = _pipe(flow_x[i], ground[i], water[i], ground[e], water[e], pull_x, fastest_x, drag, deepest)


_worn_part = rock.all_alike


@kernel(parallel=True)
def _carry(
    ground, water, load, flow_z, flow_x, rows, columns, numbers, ease, salt, new_ground, new_water, new_load, cancel
):
    """Write ground, water and load after the flows have moved, and water has taken up and laid down."""
    stride, one = np.uint64(columns + 2), np.uint64(1)
    share_z, share_x, rain, kept, power_z, power_x, most, erode, settle = numbers
    zero, quarter = np.float32(0), np.float32(0.25)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + one
        row = mixed(np.uint32(r) * np.uint32(0x9E3779B9) + np.uint32(salt))
        for c in range(columns):
            i = first + np.uint64(c)
            n, s, w, e = i - stride, i + stride, i - one, i + one
            qn, qs, qw, qe = flow_z[n], flow_z[i], flow_x[w], flow_x[i]
            h, d, m = ground[i], water[i], load[i]
            hn, hs, hw, he = ground[n], ground[s], ground[w], ground[e]
            surface = h + d
            grain = np.float32(np.int32(mixed(row + np.uint32(c)))) * np.float32(2.0**-31)
            moved = share_z * (qn - qs) + share_x * (qw - qe)
            now = max(d + rain * (np.float32(1) + np.float32(GRAIN) * grain) + moved, zero)
            moved = share_z * (qn * (load[n] if qn > zero else m) - qs * (m if qs > zero else load[s])) + share_x * (
                qw * (load[w] if qw > zero else m) - qe * (m if qe > zero else load[e])
            )
            carried = max(d * m + moved, zero)
            power = power_z * (
                max(-qn, zero) * (surface - (hn + water[n])) + max(qs, zero) * (surface - (hs + water[s]))
            ) + power_x * (max(-qw, zero) * (surface - (hw + water[w])) + max(qe, zero) * (surface - (he + water[e])))
            gap = min(max(power, zero), most * now) - carried
            lowest = min(min(hn, hs), min(hw, he))
            taken = min(_worn_part(erode, ease, i) * max(gap, zero), quarter * max(h - lowest, zero))
            laid = min(settle * max(-gap, zero), d)
            now *= kept
            wet = now > np.float32(LEAST_DEPTH)
            change = laid - taken if wet else carried
            new_ground[i] = h + change
            new_water[i] = now
            new_load[i] = (carried - change) / now if wet else zero


_carry_layers = _carry.bound("layers", _worn_part=rock.as_soft)
_between = rock.one_between


@kernel(inline="always")
def _slip(fall, wet, talus, bank, slide):
    """Return what goes over to a neighbour `fall` below, but for the rate of the way there."""
    return bank * wet * fall + slide * (max(fall - talus, np.float32(0)) + min(fall + talus, np.float32(0)))


@kernel(parallel=True)
def _slump(ground, water, rows, columns, numbers, tali, tangents, rates, new_ground, cancel):
    """Write the ground after banks have crept and steep slopes have slid; the padding must repeat the edge."""
    stride, one = np.uint64(columns + 2), np.uint64(1)
    bank, slide, deep = numbers
    tz, tx, td = tali
    kz, kx, kd = rates
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + one
        for c in range(columns):
            i = first + np.uint64(c)
            up, down = i - stride, i + stride
            h, d = ground[i], min(water[i], deep)
            n, s, w, e = up, down, i - one, i + one
            nw, ne, sw, se = up - one, up + one, down - one, down + one
            z = _slip(h - ground[n], d + min(water[n], deep), tz * _between(tangents, i, n), bank, slide) + _slip(
                h - ground[s], d + min(water[s], deep), tz * _between(tangents, i, s), bank, slide
            )
            x = _slip(h - ground[w], d + min(water[w], deep), tx * _between(tangents, i, w), bank, slide) + _slip(
                h - ground[e], d + min(water[e], deep), tx * _between(tangents, i, e), bank, slide
            )
            fall = _slip(h - ground[nw], d + min(water[nw], deep), td * _between(tangents, i, nw), bank, slide) + _slip(
                h - ground[se], d + min(water[se], deep), td * _between(tangents, i, se), bank, slide
            )
            rise = _slip(h - ground[ne], d + min(water[ne], deep), td * _between(tangents, i, ne), bank, slide) + _slip(
                h - ground[sw], d + min(water[sw], deep), td * _between(tangents, i, sw), bank, slide
            )
            new_ground[i] = h - ((kz * z + kx * x) + kd * (fall + rise))


_slump_layers = _slump.bound("layers", _between=rock.mean_between)


@kernel(parallel=True)
def _begin(change, depth, load_below, base, lifted_base, ground, water, load, cancel):
    """Write a level's ground, water and load from what the level below left, and from the input, `base`.

    The input's finer detail shows, but where it lies under deposits.
    """
    rows, columns = base.shape
    zero, one = np.float32(0), np.float32(1)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64((r + 1) * (columns + 2) + 1)
        for c in range(columns):
            i = first + np.uint64(c)
            b, laid = base[r, c], max(change[r, c], zero) / np.float32(BURIED)
            ground[i] = (b + change[r, c]) - (b - lifted_base[r, c]) * (laid / (laid + one))
            water[i] = max(depth[r, c], zero)
            load[i] = min(max(load_below[r, c], zero), np.float32(MOST_LOAD))


@kernel(parallel=True)
def _finish(ground, water, load, flow_z, flow_x, base, heights, metres, speed_unit, outs, cancel):
    """Write heights, water's depth and suspended sediment in metres and water's speed in m/s."""
    rows, columns = base.shape
    stride, one, half = np.uint64(columns + 2), np.uint64(1), np.float32(0.5)
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + one
        for c in range(columns):
            i = first + np.uint64(c)
            d = water[i]
            z, x = half * (flow_z[i - stride] + flow_z[i]), half * (flow_x[i - one] + flow_x[i])
            outs[0, r, c] = heights[r, c] + (ground[i] - base[r, c]) * metres
            outs[1, r, c] = d * metres
            outs[2, r, c] = d * load[i] * metres
            speed = np.sqrt(z * z + x * x) / max(d, np.float32(LEAST_DEPTH))
            outs[3, r, c] = min(speed, np.float32(FASTEST)) * speed_unit


@dataclass(frozen=True)
class Plan:
    """The numbers of one level: how many steps, and those of the kernels, in their order."""

    steps: int
    flow: tuple[float, ...]
    carry: tuple[float, ...]
    slump: tuple[float, ...]
    tali: tuple[float, ...]
    rates: tuple[float, ...]


def plan(parameters: Hydraulic, rows: int, columns: int, extent: tuple[float, float], talus: float) -> Plan:
    """Return the plan of a level of `rows` × `columns` cells over `extent` (z, x); `talus` in relief a side."""
    z, x = extent[0] / rows, extent[1] / columns
    dt = COURANT * math.sqrt(z * x) / FASTEST  # of the mean cell: across narrow ones water is held up, not the clock
    finer_by = math.log2(max(rows, columns) / COARSEST)
    usual = float(np.interp(finer_by, range(len(STEPS)), STEPS)) * min(1.0, 2**finer_by)
    age = parameters.duration / 100
    # an old land needs longer strides rather than more; a young one's water still has to find its ways
    steps = max(1, round(usual * min(max(math.sqrt(age), 0.1), 2.5)))
    pace = age * usual / steps
    shortest = min(z, x)
    across = math.hypot(z, x)
    power = CAPACITY * parameters.sediment_capacity * pace
    return Plan(
        steps,
        (
            dt * GRAVITY / z,
            dt * GRAVITY / x,
            COURANT * z / dt,
            COURANT * x / dt,
            dt * GRAVITY / MOBILITY,
            0.5 / (GRAVITY * dt * dt * (1 / z**2 + 1 / x**2)),  # half of the depth at which waves grow
        ),
        (
            dt / z,
            dt / x,
            dt * RAIN * parameters.rain,
            math.exp(-dt * EVAPORATION * parameters.evaporation),
            power / z,
            power / x,
            MOST_LOAD,
            -math.expm1(-dt * ERODE * parameters.erodibility),
            -math.expm1(-dt * SETTLE * parameters.deposition_rate),
        ),
        (min(BANK * math.sqrt(parameters.erodibility) * pace, 0.5) / (2 * DEEP), min(SLIDE * pace, 0.5), DEEP),
        (talus * z, talus * x, talus * across),
        # two sides at 1/8 each way, four corners at 1/16: three quarters at most go in a slump
        (shortest**2 / (8 * z**2), shortest**2 / (8 * x**2), shortest**2 / (8 * across**2)),
    )


class Level:
    """One grid of the pyramid and what is on it. Everything is flat and padded."""

    def __init__(self, rows: int, columns: int, plan: Plan, salt: int) -> None:
        self.rows, self.columns, self.plan, self.salt = rows, columns, plan, np.int64(salt)
        size = (rows + 2) * (columns + 2)
        self.ground, self.water, self.load, self.flow_z, self.flow_x = np.zeros((5, size), np.float32)
        self.spare_ground, self.spare_water, self.spare_load = np.zeros((3, size), np.float32)
        self._numbers = [tuple(map(np.float32, some)) for some in (plan.flow, plan.carry, plan.slump)]
        self._tali, self._rates = tuple(map(np.float32, plan.tali)), tuple(map(np.float32, plan.rates))
        self.layers: rock.Laid | None = None

    def _fit(self, shared: Kernel) -> Kernel:
        """Return the form of a parallel kernel that is quicker here."""
        return shared.fitting(self.rows * self.columns)

    def step(self, cancel: NDArray[np.uint8]) -> None:
        """Let water flow and carry for one step."""
        rows, columns = self.rows, self.columns
        flow, carry, _ = self._numbers
        _surround(self.ground, self.water, rows, columns)
        self._fit(_flow)(self.ground, self.water, self.flow_z, self.flow_x, rows, columns, flow, cancel)
        self._fit(_carry_layers if self.layers else _carry)(
            self.ground,
            self.water,
            self.load,
            self.flow_z,
            self.flow_x,
            rows,
            columns,
            carry,
            self.layers.ease if self.layers else rock.NOTHING,
            self.salt,
            self.spare_ground,
            self.spare_water,
            self.spare_load,
            cancel,
        )
        self.ground, self.spare_ground = self.spare_ground, self.ground
        self.water, self.spare_water = self.spare_water, self.water
        self.load, self.spare_load = self.spare_load, self.load

    def slump(self, cancel: NDArray[np.uint8]) -> None:
        """Let wet banks and steep slopes give way."""
        rows, columns = self.rows, self.columns
        if self.layers:
            self.layers.look_up(self.ground, cancel)
        drainage.repeat_edge(self.ground, rows, columns)
        drainage.repeat_edge(self.water, rows, columns)
        self._fit(_slump_layers if self.layers else _slump)(
            self.ground,
            self.water,
            rows,
            columns,
            self._numbers[2],
            self._tali,
            self.layers.tangents if self.layers else rock.NOTHING,
            self._rates,
            self.spare_ground,
            cancel,
        )
        self.ground, self.spare_ground = self.spare_ground, self.ground


def level_sizes(rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the grids of the pyramid, coarsest first."""
    return pyramid.level_sizes(rows, columns, COARSEST)


@dataclass(frozen=True)
class Scale:
    """What a unit is: `lowest` and `relief` in m, `extent` (z, x) of the land, `speed` in m/s.

    `talus` and `slope`, one of 45°, are in relief a side.
    """

    lowest: float
    relief: float
    extent: tuple[float, float]
    talus: float
    slope: float
    speed: float


def scale(coarse: Heights, parameters: Hydraulic, domain: Domain) -> Scale | None:
    """Return the units that `coarse`, the heights of the coarsest level, set; none for land without relief."""
    lowest, relief = float(coarse.min()), float(np.ptp(coarse))
    if relief <= 1e-5 * abs(lowest) or relief < 1e-20:
        return None  # below a hundred roundings there is nothing to carve
    grid = domain.grid
    unit = math.sqrt(grid.size_x * grid.size_z)
    talus = math.tan(math.radians(parameters.talus_angle)) * unit / relief
    slope = unit / relief
    # waves on water as deep as the relief go √g sides a unit of time here and √(9.81 · relief) m/s on Earth
    speed = math.sqrt(_EARTH * relief / GRAVITY)
    return Scale(lowest, relief, (grid.size_z / unit, grid.size_x / unit), talus, slope, speed)


def run(parameters: Hydraulic, domain: Domain, heights: Heights, progress: Progress) -> Land:
    """Return the heights in metres and fields `water_depth`, `sediment` (m) and `water_speed` (m/s), float32.

    Any size from 2×2 up, cells of any shape. Land without relief stays as it is, and dry. `stop_after` ends it after so
    many steps over all levels (0: after all); the levels from there on only refine.
    """
    cancel = progress.cancel
    rows, columns = heights.shape
    sizes = level_sizes(rows, columns)
    coarse = resample.coarser(heights, *sizes[0], cancel)
    progress.check()
    units = scale(coarse, parameters, domain)
    if units is None:
        return _land(np.stack([heights, *np.zeros((3, rows, columns), np.float32)]))
    base = heights - np.float32(units.lowest)
    base /= np.float32(units.relief)
    strata = rock.strata(domain, units.lowest, units.lowest + units.relief)
    talus = 1.0 if strata else units.talus  # layers have their own
    plans = [plan(parameters, *size, units.extent, talus) for size in sizes]
    costs = [rows * columns + _CALLS for rows, columns in sizes]
    count = pyramid.Count([one.steps for one in plans], costs, parameters.stop_after)
    rain = _Rain(parameters.talus_angle, domain, units, strata, plans, progress)
    level = pyramid.run(rain, base, sizes, count, domain.seed, progress, parameters.key)
    level.spare_ground = level.spare_water = level.spare_load = level.ground[:0]  # what follows needs their room
    outs = np.empty((4, rows, columns), np.float32)
    _finish(
        level.ground,
        level.water,
        level.load,
        level.flow_z,
        level.flow_x,
        read_only(base),
        read_only(heights),
        np.float32(units.relief),
        np.float32(units.speed),
        outs,
        cancel,
    )
    progress.report(parameters.key, 1.0, count.reached, count.in_all)
    return _land(outs)


_Below = tuple[Heights, Heights, Heights, Heights]  # change, water, load and input of the level below


class _Rain:
    """What hydraulic erosion does on the grids of its pyramid."""

    def __init__(
        self,
        talus_angle: float,
        domain: Domain,
        units: Scale,
        strata: rock.Strata | None,
        plans: list[Plan],
        progress: Progress,
    ) -> None:
        self._talus_angle, self._domain, self._units = talus_angle, domain, units
        self._strata, self._plans, self._progress = strata, plans, progress

    def begin(self, number: int, base: Heights, left: _Below | None, salt: int) -> Level:
        """Return a level that goes on from `left`, with its rock laid."""
        level = self._refined(number, base, left, salt)
        self._progress.check()
        if self._strata:
            units = self._units
            ground = drainage.padded(base, 0)
            size = level.rows, level.columns
            place = self._domain, *size, units.lowest, units.relief, self._talus_angle, units.slope
            level.layers = rock.Laid(self._strata, *place, self._progress.cancel, ground)
        return level

    def _refined(self, number: int, base: Heights, left: _Below | None, salt: int) -> Level:
        (rows, columns), plan, cancel = base.shape, self._plans[number], self._progress.cancel
        if left is None:
            level = Level(rows, columns, plan, salt)
            drainage.inner(level.ground, rows, columns)[:] = base
            return level
        *below, base_below = left
        fields = resample.finer_swayed(below, rows, columns, SWAY, salt, cancel)
        self._progress.check()
        lifted_base = resample.finer(base_below, rows, columns, cancel)
        self._progress.check()
        level = Level(rows, columns, plan, salt)
        _begin(*fields, base, lifted_base, level.ground, level.water, level.load, cancel)
        return level

    def iterate(self, level: Level, iteration: int) -> None:
        """Let water flow, and now and then the ground slump."""
        level.step(self._progress.cancel)
        if iteration % SLUMP_EVERY == 0:
            level.slump(self._progress.cancel)

    def heights(self, level: Level) -> Heights:
        """Return the ground so far in metres."""
        ground = drainage.inner(level.ground, level.rows, level.columns)
        return ground * np.float32(self._units.relief) + np.float32(self._units.lowest)

    def leave(self, level: Level, base: Heights) -> _Below:
        """Return the ground's change, water, load and the input."""
        ground, water, load = (
            drainage.inner(f, level.rows, level.columns) for f in (level.ground, level.water, level.load)
        )
        return ground - base, water, load, base


def _land(outs: Heights) -> Land:
    """Return the land of heights, depth, sediment and speed, each an array of its own."""
    return Land(outs[0], by_name(FIELDS, outs[1:]))


KIND = Kind(
    name="hydraulic",
    how="by rain that runs off, cuts gullies and lays down fans",
    parameters=Hydraulic,
    run=run,
    active=lasts,
    bytes_a_cell=BYTES_A_CELL,
    fields=FIELDS,
    main=("duration",),
    bench_runs={512: 5, 1024: 3},
)
