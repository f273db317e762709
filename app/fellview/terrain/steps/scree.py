"""Scree: what falls from walls and comes to rest below them, in aprons and in fans under gullies.

Loose rock lies s metres deep on the rock r, both on a coarse grid. Walls steeper than `walls` shed `fallen` metres.
In every round all of it that can moves to lower neighbours n at the distances L_n, in shares of

    d_n = max(0, (r + s) − (r_n + s_n) − L_n·tan angle),   as much as min(s, c·max d_n) in all

so that on a wall it falls by a cell a round, gathers in gullies as water does, and where the ground is gentler than
`angle` piles up until its own surface stands at that angle. What one cell gives its neighbours take: no rock is made
on the way. Only the highest of what is left shows: the surface r + s, bicubic, covers the finer ground that lies below
it, and ribs stand out of it. How deep it covers them is the field `scree_depth`, in m.

The grid has at most `_CELLS` cells on the longer side: scree is smooth, and 256² and 2048² show the same. Finer cells
would take rounds by the square of their number.

Limits: after `_ROUNDS` rounds great heaps still slide, and stand a degree or two above the angle.

References: F. K. Musgrave, C. E. Kolb, R. S. Mace, "The synthesis and rendering of eroded fractal terrains", SIGGRAPH
1989, doi:10.1145/74333.74337; angles of rest of scree, 33 to 38°: M. A. Carson, "Angles of repose, angles of shearing
resistance and angles of talus slopes", Earth Surface Processes 2 (1977), doi:10.1002/esp.3290020408.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real, switch
from fellview.core.smoothstep import smoothstep
from fellview.terrain import resample
from fellview.terrain.domain import Domain
from fellview.terrain.field import Field
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step

SCREE_DEPTH = Field("scree_depth", "Scree depth", "m", "How deep fallen rock covers the ground below walls.", lowest=0)
_CELLS = 256  # on the longer side, at most
_ROUNDS = 32  # cells that rock falls and slides: 1.7 km of 14 km, and heaps of some ten cells come to rest
_THINNEST_M = 1e-6  # what a float still divides by
FADE_ANGLE = 8.0  # degrees from where walls shed nothing to where they shed all
RATE = 0.3  # c; from 0.5 on heaps would change places with hollows
THIN = 0.25  # of what falls from a wall: rock that is still on its way covers nothing; from twice that on it is scree


@dataclass(frozen=True)
class Scree(Group):
    """Aprons and fans of fallen rock under walls."""

    key: ClassVar[str] = "scree"
    title: ClassVar[str] = "Scree"

    enabled: bool = switch(False, tip="Lays what falls from walls below them: smooth aprons, and fans under gullies.")
    fallen: float = real(
        6.0,
        0.0,
        1000.0,
        slider=(0.5, 50),
        unit="m",
        scale="log",
        useful=(1, 25),
        tip="How thick a layer has come off walls. Low leaves narrow fans, high buries their feet.",
    )
    angle: float = real(
        35.0,
        10.0,
        60.0,
        slider=(28, 40),
        unit="°",
        label="Rests at",
        tip="Low spreads wide over valley floors, high piles up steeply against walls.",
    )
    walls: float = real(
        42.0,
        15.0,
        80.0,
        slider=(30, 60),
        unit="°",
        label="Walls from",
        tip="Low sheds rock from whole hillsides, high only from cliffs.",
        more=True,
    )


@dataclass(frozen=True)
class Plan:
    """The coarse grid, its lengths in metres (z, x, across), the tangents, and how many rounds there are."""

    rows: int
    columns: int
    lengths: tuple[float, float, float]
    rest: float
    walls: tuple[float, float]
    rounds: int
    thin_m: float


def plan(parameters: Scree, domain: Domain) -> Plan:
    """Return how scree is laid on `domain`."""
    grid = domain.grid
    share = min(1.0, _CELLS / max(grid.rows, grid.columns))
    rows, columns = (max(2, round(cells * share)) for cells in (grid.rows, grid.columns))
    z, x = grid.size_z / rows, grid.size_x / columns
    full = min(parameters.walls + FADE_ANGLE, (parameters.walls + 90) / 2)
    return Plan(
        rows,
        columns,
        (z, x, math.hypot(z, x)),
        math.tan(math.radians(parameters.angle)),
        (math.tan(math.radians(parameters.walls)), math.tan(math.radians(full))),
        _ROUNDS,
        max(THIN * parameters.fallen, _THINNEST_M),
    )


@kernel(inline="always")
def _beside(number, count):
    """Return the cells before and after one of `count`; on the edge that is itself."""
    return max(np.int64(number) - 1, 0), min(np.int64(number) + 1, count - 1)


@kernel(parallel=True)
def _shed(rock, lz, lx, low, high, fallen, loose, cancel):
    """Write how much rock has come off each cell, by its slope."""
    rows, columns = rock.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        up, down = _beside(r, rows)
        for c in range(columns):
            left, right = _beside(c, columns)
            z = (rock[down, c] - rock[up, c]) / (np.float32(down - up) * lz)
            x = (rock[r, right] - rock[r, left]) / (np.float32(right - left) * lx)
            loose[r, c] = fallen * smoothstep((np.sqrt(z * z + x * x) - low) / (high - low))


@kernel(inline="always")
def _over(drop, least):
    """Return the part of `drop` above `least`."""
    return max(drop - least, np.float32(0))


@kernel(parallel=True)
def _give(rock, loose, leasts, rate, given, cancel):
    """Write what each cell gives to its neighbours, a metre of d_n."""
    rows, columns = rock.shape
    tz, tx, td = leasts
    zero = np.float32(0)
    for r in prange(rows):
        if cancel[0]:
            continue
        up, down = _beside(r, rows)
        for c in range(columns):
            s = loose[r, c]
            if s == zero:
                given[r, c] = zero
                continue
            left, right = _beside(c, columns)
            h = rock[r, c] + s
            n = _over(h - (rock[up, c] + loose[up, c]), tz)
            s_ = _over(h - (rock[down, c] + loose[down, c]), tz)
            w = _over(h - (rock[r, left] + loose[r, left]), tx)
            e = _over(h - (rock[r, right] + loose[r, right]), tx)
            nw = _over(h - (rock[up, left] + loose[up, left]), td)
            ne = _over(h - (rock[up, right] + loose[up, right]), td)
            sw = _over(h - (rock[down, left] + loose[down, left]), td)
            se = _over(h - (rock[down, right] + loose[down, right]), td)
            total = ((n + s_) + (w + e)) + ((nw + se) + (ne + sw))
            most = max(max(max(n, s_), max(w, e)), max(max(nw, se), max(ne, sw)))
            given[r, c] = min(s, rate * most) / total if total > zero else zero


@kernel(parallel=True)
def _take(rock, loose, given, leasts, after, cancel):
    """Write how much lies in each cell after it has given and taken."""
    rows, columns = rock.shape
    tz, tx, td = leasts
    for r in prange(rows):
        if cancel[0]:
            continue
        up, down = _beside(r, rows)
        for c in range(columns):
            left, right = _beside(c, columns)
            h, mine = rock[r, c] + loose[r, c], given[r, c]
            n = h - (rock[up, c] + loose[up, c])
            s = h - (rock[down, c] + loose[down, c])
            w = h - (rock[r, left] + loose[r, left])
            e = h - (rock[r, right] + loose[r, right])
            nw = h - (rock[up, left] + loose[up, left])
            ne = h - (rock[up, right] + loose[up, right])
            sw = h - (rock[down, left] + loose[down, left])
            se = h - (rock[down, right] + loose[down, right])
            lost = mine * (
                ((_over(n, tz) + _over(s, tz)) + (_over(w, tx) + _over(e, tx)))
                + ((_over(nw, td) + _over(se, td)) + (_over(ne, td) + _over(sw, td)))
            )
            got = (given[up, c] * _over(-n, tz) + given[down, c] * _over(-s, tz)) + (
                given[r, left] * _over(-w, tx) + given[r, right] * _over(-e, tx)
            )
            got += (given[up, left] * _over(-nw, td) + given[down, right] * _over(-se, td)) + (
                given[up, right] * _over(-ne, td) + given[down, left] * _over(-sw, td)
            )
            after[r, c] = max(loose[r, c] - lost, np.float32(0)) + got


@kernel(parallel=True)
def _cover(heights, rocks, depths, thin, out, covered, cancel):
    """Write the heights with scree on them, where it lies deep enough, and how deep it covers them."""
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            h, depth = heights[r, c], depths[r, c]
            cover = smoothstep((depth - thin) / thin) * max((rocks[r, c] + depth) - h, np.float32(0))
            out[r, c] = h + cover
            covered[r, c] = cover


def run(parameters: Scree, domain: Domain, heights: Heights, progress: Progress) -> Land:
    """Return the heights with scree, and the field `scree_depth`, float32 [row, column]."""
    planned, cancel = plan(parameters, domain), progress.cancel
    rock = resample.coarser(heights, planned.rows, planned.columns, cancel)
    progress.check()
    lz, lx, across = (np.float32(length) for length in planned.lengths)
    rest = np.float32(planned.rest)
    leasts = rest * lz, rest * lx, rest * across
    loose, given, after = np.zeros((3, *rock.shape), np.float32)
    low, high = (np.float32(tangent) for tangent in planned.walls)
    _shed(read_only(rock), lz, lx, low, high, np.float32(parameters.fallen), loose, cancel)
    for round_ in range(planned.rounds):
        _give(read_only(rock), loose, leasts, np.float32(RATE), given, cancel)
        _take(read_only(rock), loose, given, leasts, after, cancel)
        loose, after = after, loose
        progress.check()
        progress.report(Scree.key, (round_ + 1) / (planned.rounds + 1))
    rows, columns = heights.shape
    rocks, depths = (resample.finer(field, rows, columns, cancel) for field in (rock, loose))
    out, covered = np.empty_like(heights), np.empty_like(heights)
    _cover(read_only(heights), rocks, depths, np.float32(planned.thin_m), out, covered, cancel)
    progress.check()
    return Land(out, {SCREE_DEPTH.name: covered})


def active(parameters: Scree) -> bool:
    """Return whether anything falls."""
    return parameters.enabled and parameters.fallen > 0


STEP = Step(
    Scree,
    run,
    active,
    scratch_bytes=lambda parameters: 24,  # of small grids four fields and two finer ones
    fields=(SCREE_DEPTH,),
)
