"""Crater field: impacts of every size, the younger over the older.

The n-th largest of the craters has the size of the largest times n^(−1/2), so that the number wider than D falls as
D⁻². A fresh crater of radius R (rim to rim 2R) is, at ρ = distance/R above the plane that lay there before,

    p(ρ) = smooth_min(0.072R − 0.4R·(1 − ρ²), 0.072R·ρ⁻³)

a parabola 0.2 of its width deep from the rim, a rim 0.036 of its width high, and a blanket of ejecta that thins out as
ρ⁻³, faded out from 2 to 2.5. Craters wider than a given share of the land are complex: their depth grows as D^0.3 from
there on, so that floors are flat, a peak stands in the middle, exp(−ρ²/0.03) times 0.4 of the depth, and the wall has
slumped in terraces: from ρ = 0.55 to the rim the parabola is that of

    ρ − a·sin(2π·(8ρ + w))/(2π·8),   w = i·(0.6·cos 3θ + 0.5·sin 2θ),   a = 0.85·(1 + 0.8·i·sin 3θ)/(1 + 0.8·i)

with a times how fresh it is, faded in up to 0.68 and out from 0.93 on: it hardly rises where 8ρ + w is whole. With the
irregularity i the terraces bend and end, for blocks slump one by one. Age lowers a crater and rounds its rim. Each one
wipes out what lay within it: a share 1 below ρ = 0.9, falling to 0 at 1.5, of the older ground is replaced by its
plane, which is fitted to that ground at five points.

Craters smaller than all of these lie in lattices, each half as wide as the one before, of which a cell of the width c
has one 0.42 c to 0.84 c wide in 61 of 100 cases: the law's 3·0.144·c²/(0.84 c)², since the largest of them all has
0.38 of the land's width. They go down to three cells of the grid, wipe out nothing, and end at ρ = 2.

Source: R. J. Pike, "Size-dependence in the shape of fresh impact craters on the moon", Impact and Explosion Cratering
(1977): depth 0.196 D^1.01 and rim 0.036 D^1.01 below some 11 km, depth 1.04 D^0.30 above; T. R. McGetchin, M. Settle,
J. W. Head, "Radial thickness variation in impact crater ejecta", Earth and Planetary Science Letters 20 (1973),
doi:10.1016/0012-821X(73)90162-3; D. E. Gault, "Saturation and equilibrium conditions for impact cratering on the lunar
surface", Radio Science 5 (1970), doi:10.1029/RS005i002p00273
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32 as f32
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real, whole
from fellview.noise.hash import mix, more
from fellview.terrain.landforms.form import Form, Place, Prepared, draws, near_columns, scattered, tiled
from fellview.terrain.landforms.shapes import outline, share, smooth_max, smooth_min, step

_ONLY = {"kind": ("craters",)}
SIZES = 2.0  # exponent of the number wider than D
DEPTH = 0.4  # of the radius: 0.2 of the width
RIM = 0.072  # of the radius: 0.036 of the width
REACH = 2.5  # radii, to the end of the ejecta
COMPLEX = 0.301  # exponent of a complex crater's depth
PEAK = 0.4  # of a complex crater's depth
TERRACES, TREADS = 8.0, 0.85  # of complex walls: a radius; how level, where 1 is
BENDS = (0.6, 0.5)  # of terraces where irregularity is 1, by three and by two a turn; in terraces
ENDS = 0.8  # of a terrace's tread there, that comes and goes three times a turn
_PEAK_WIDTH = 0.03  # square radii, in which the peak falls to 1/e
SMALL = 0.84  # of a lattice cell: its widest crater; as far as it reaches, cells beyond the next need not be looked at
_OFTEN = 0.61  # of the cells
_NARROWEST = 3.0  # cells of the grid: the width of the smallest crater in the finest lattice
_LATTICES = 5  # at most
ARM = 0.7  # radii, from the centre to the other points that a crater's plane is fitted to
CROSS = ((0.0, 0.0), (ARM, 0.0), (-ARM, 0.0), (0.0, ARM), (0.0, -ARM))
MARGIN = 0.1  # of the domain beyond each edge, over which craters are scattered
_OLDEST = 0.93  # of its relief that the oldest crater loses where ageing is 1


@dataclass(frozen=True)
class Craters(Group):
    """What only a crater field has."""

    craters: int = whole(
        400,
        1,
        4000,
        slider=(1, 2000),
        scale="log",
        useful=(60, 1200),
        tip="Low is a single impact, high a land full of them.",
        only=_ONLY,
    )
    depth: float = real(
        1.0, 0.0, 5.0, slider=(0, 2), unit="×", tip="Low is shallow dents, 1 the Moon's craters, high pits.", only=_ONLY
    )
    ageing: float = real(
        0.8, 0.0, 1.0, tip="How far old craters have worn away. Low is all fresh, high mostly soft.", only=_ONLY
    )
    small_craters: float = real(
        0.0,
        0.0,
        1.0,
        tip="Craters smaller than all of these, down to a few cells. Low leaves smooth ground between, high pits it.",
        only=_ONLY,
    )
    peaks_above: float = real(
        22.0,
        1.0,
        100.0,
        unit="%",
        tip="Wider craters, of the land, have flat floors and a central peak. Low gives many of them.",
        only=_ONLY,
    )


@dataclass(frozen=True)
class Impacts:
    """Craters from the oldest to the youngest: centres (n, 2) and radii in metres, relief and floor's depth as shares.

    `planes` (n, 3) are the height at the centre and the slopes along x and z of the ground before.
    """

    centres: NDArray[np.float64]
    radii: NDArray[Any]
    fresh: NDArray[Any]
    floors: NDArray[Any]
    planes: NDArray[np.float64]


def impacts(parameters: Any, place: Place) -> Impacts:
    """Return the craters of a field."""
    return _impacts(
        parameters.craters,
        parameters.size,
        parameters.depth,
        parameters.ageing,
        parameters.peaks_above,
        parameters.irregularity,
        place,
    )


@functools.lru_cache(maxsize=4)
def _impacts(
    count: int, size: float, depth: float, ageing: float, peaks_above: float, ragged: float, place: Place
) -> Impacts:
    centres, ages = scattered(place, count, MARGIN), own_ages(place, count)
    found = by_age(size, ageing, peaks_above, place, np.arange(1, count + 1), centres, ages)
    _fit(
        *(found.centres, found.radii, found.fresh, found.floors, depth, ragged),
        *(np.zeros((count, len(CROSS))), found.planes),
    )
    return found


def own_ages(place: Place, count: int) -> NDArray[Any]:
    """Return how old each of a field's `count` craters is, 0 to 1, the largest first."""
    ages = draws(place.started, count, 3)
    ages[0] = 0.3  # the largest neither lies under all others nor over them
    return ages


def by_age(
    size: float,
    ageing: float,
    peaks_above: float,
    place: Place,
    numbers: NDArray[np.int_],
    centres: NDArray[np.float64],
    ages: NDArray[Any],
) -> Impacts:
    """Return craters of which each is the `numbers`-th largest of a field, from 1; their planes are 0."""
    radii = size / 200 * place.side * numbers ** (-1 / SIZES)
    order = np.argsort(-ages, kind="stable")
    radii, centres, ages = radii[order], centres[order], ages[order]
    widest_simple = peaks_above / 200 * place.side
    floors = np.minimum(radii / widest_simple, 1.0) * np.maximum(radii / widest_simple, 1.0) ** COMPLEX
    floors *= widest_simple / radii  # of a simple crater's depth; 1 below the transition
    return Impacts(centres, radii, 1 - _OLDEST * ageing * ages, floors, np.zeros((len(radii), 3)))


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants and the list of a crater field."""
    found = impacts(parameters, place)
    # the lattice whose widest crater is as wide as the last in the list
    widest = 2 * float(found.radii.min()) / SMALL
    finer = math.floor(math.log2(max(SMALL / 2 * widest / (_NARROWEST * place.cell), 0.25))) + 1
    lattices = float(min(max(finer, 0), _LATTICES)) if parameters.small_craters else 0.0
    return prepared(parameters, place, found, widest, lattices)


def prepared(parameters: Any, place: Place, found: Impacts, lattice_m: float, lattices: float) -> Prepared:
    """Return the constants and the list of the craters `found`, and of so many `lattices` from that of `lattice_m`."""
    entries = np.zeros((len(found.radii), 2, 4), np.float32)
    entries[:, 0, :2], entries[:, 0, 2], entries[:, 0, 3] = found.centres, found.radii, found.fresh
    entries[:, 1, :3], entries[:, 1, 3] = found.planes, found.floors
    largest = float(found.radii.max())
    bend = 0.035 * parameters.irregularity * largest
    table, spans, listed = tiled(place, found.centres, found.radii * REACH, entries)
    return Prepared(
        {
            "bend_m": bend,
            "frequency": 2 / largest,
            "octaves": min(place.octaves(largest / 2), 4.0),
            "depth": parameters.depth,
            **listed,
            "small": parameters.small_craters,
            "ageing": parameters.ageing,
            "lattice_m": lattice_m,
            "lattices": lattices,
            "ragged": parameters.irregularity,
        },
        table,
        spans,
    )


@kernel(inline="always")
def _dug(h, rho, plane, p):
    """Return the ground h with a crater of profile p in it, at ρ = `rho` over the `plane` that it was dug into."""
    ground = plane + (h - plane) * step(0.9, 1.5, rho)
    return ground + p * (f32(1) - step(2, REACH, rho))


@kernel(inline="always")
def _slumped(rho, c, s, fresh, ragged):
    """Return the ρ at which the plain parabola is as high as a terraced wall at `rho`, at c = cos θ and s = sin θ."""
    level = f32(TREADS) * fresh * step(0.55, 0.68, rho) * (f32(1) - step(0.93, 1, rho))
    ends = f32(ENDS) * ragged
    level *= (f32(1) + ends * s * (f32(3) - f32(4) * s * s)) / (f32(1) + ends)
    bent = f32(TERRACES) * rho + ragged * (f32(BENDS[0]) * c * (f32(4) * c * c - f32(3)) + f32(2 * BENDS[1]) * c * s)
    return rho - level * math.sin(f32(2 * math.pi) * bent) * f32(1 / (2 * math.pi * TERRACES))


@kernel(inline="always")
def _simple(rho, slumped, rim, deep, k):
    """Return the profile at ρ = `rho` of a crater whose rim is rounded over k metres, its wall that of `slumped`."""
    near = max(rho, f32(0.3))
    return smooth_min(rim - deep * (f32(1) - slumped * slumped), rim / (near * near * near), k)


@kernel(inline="always")
def _complex(rho, c, s, rim, deep, k, floor, fresh, ragged):
    """Return the profile of a crater with a flat floor, terraces and a peak, at c = cos θ and s = sin θ."""
    p = _simple(rho, _slumped(rho, c, s, fresh, ragged), rim, deep, k)
    p = smooth_max(p, rim - deep * floor, f32(0.15) * deep * floor)
    return p + f32(PEAK) * deep * floor * math.exp(-rho * rho / f32(_PEAK_WIDTH))


@kernel()
def _dig(x, z, radius, fresh, height, slope_x, slope_z, floor, depth, ragged, s):
    """Dig one crater into the heights `s` at a piece of a row, at x, z from its centre."""
    rim, deep = f32(RIM) * radius * depth * fresh, f32(DEPTH) * radius * depth * fresh
    k = deep * (f32(0.02) + f32(0.6) * (f32(1) - fresh))
    if floor < f32(1):
        for c in range(x.size):
            away = math.sqrt(x[c] * x[c] + z[c] * z[c])
            rho = away / radius
            if rho < f32(REACH):
                turn = f32(1) / (away + f32(1e-6))
                p = _complex(rho, x[c] * turn, z[c] * turn, rim, deep, k, floor, fresh, ragged)
                s[c] = _dug(s[c], rho, height + slope_x * x[c] + slope_z * z[c], p)
    else:
        for c in range(x.size):
            rho = math.sqrt(x[c] * x[c] + z[c] * z[c]) / radius
            laid = _dug(s[c], rho, height + slope_x * x[c] + slope_z * z[c], _simple(rho, rho, rim, deep, k))
            s[c] = laid if rho < f32(REACH) else s[c]


@kernel()
def _fit(centres, radii, fresh, floors, depth, ragged, heights, planes):
    """Fill `planes` (n, 3), the ground before each crater, by digging the older ones into five points of it.

    `heights` (n, 5) are those of the points of each crater, 0 before the oldest.
    """
    for n in range(radii.size):
        radius, middle_x, middle_z = radii[n], centres[n, 0], centres[n, 1]
        before = heights[n]
        height, slope_x = before.sum() / len(CROSS), (before[1] - before[2]) / (2 * ARM * radius)
        slope_z = (before[3] - before[4]) / (2 * ARM * radius)
        planes[n, 0], planes[n, 1], planes[n, 2] = height, slope_x, slope_z
        x, z = np.empty(len(CROSS)), np.empty(len(CROSS))
        for younger in range(n + 1, radii.size):
            apart_x, apart_z = centres[younger, 0] - middle_x, centres[younger, 1] - middle_z
            reach = REACH * radius + ARM * radii[younger]
            if apart_x * apart_x + apart_z * apart_z < reach * reach:
                for i in range(len(CROSS)):
                    x[i] = apart_x + CROSS[i][0] * radii[younger]
                    z[i] = apart_z + CROSS[i][1] * radii[younger]
                ground = heights[younger]
                _dig(x, z, radius, fresh[n], height, slope_x, slope_z, floors[n], depth, ragged, ground)


@kernel()
def _pit(x, z, small, ageing, wide, lattices, depth, started, s):
    """Add the craters of the lattices to the heights `s` at a row's places; the first lattice's cells are `wide`."""
    for n in range(lattices):
        own = mix(np.uint32(started + np.uint32(n)))
        for c in range(x.size):
            u, v = x[c] / wide, z[c] / wide
            column, row = np.floor(u), np.floor(v)
            for i in range(-1, 2):
                along = mix(np.uint32(own ^ np.uint32(np.int32(column) + np.int32(i))))
                for j in range(-1, 2):
                    key = mix(np.uint32(along ^ np.uint32(np.int32(row) + np.int32(j))))
                    if share(key) < f32(_OFTEN):
                        away_u = u - (column + f32(i) + share(more(key, 1)))
                        away_v = v - (row + f32(j) + share(more(key, 2)))
                        radius = f32(SMALL / 2) * (f32(0.5) + f32(0.5) * share(more(key, 3)))
                        rho = math.sqrt(away_u * away_u + away_v * away_v) / radius
                        if rho < f32(2):
                            fresh = small * (f32(1) - f32(_OLDEST) * ageing * share(more(key, 4)))
                            rim, deep = f32(RIM) * radius * depth * fresh, f32(DEPTH) * radius * depth * fresh
                            k = deep * (f32(0.02) + f32(0.6) * (f32(1) - fresh))
                            s[c] += wide * _simple(rho, rho, rim, deep, k) * (f32(1) - step(1.5, 2, rho))
        wide *= f32(0.5)


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    bend, frequency, octaves, depth = numbers[0], numbers[1], numbers[2], numbers[3]
    first, count = int(numbers[7]), int(numbers[8])
    u, v, a, b = scratch[0], scratch[1], scratch[2], scratch[3]
    # a field of craters is not turned: z is the same all along the row
    begin, pace, across = x[0], x[min(1, x.size - 1)] - x[0], z[0]
    most = f32(0)
    if bend > f32(0):
        for c in range(x.size):
            u[c], v[c] = frequency * x[c], frequency * z[c]
        outline(u, v, octaves, 0.5, started, a, b)
        for c in range(x.size):
            x[c] += bend * a[c]
            z[c] += bend * b[c]
            most = max(most, a[c] * a[c] + b[c] * b[c])
    margin = bend * math.sqrt(most)
    s[:] = f32(0)
    for n in range(first, first + count):
        middle_x, middle_z, radius, fresh = table[2 * n, 0], table[2 * n, 1], table[2 * n, 2], table[2 * n, 3]
        if abs(across - middle_z) < f32(REACH) * radius + margin:
            low, high = near_columns(begin - middle_x, pace, x.size, across - middle_z, f32(REACH) * radius + margin)
            if high > low:
                for c in range(low, high):
                    u[c], v[c] = x[c] - middle_x, z[c] - middle_z
                height, slope_x, slope_z = table[2 * n + 1, 0], table[2 * n + 1, 1], table[2 * n + 1, 2]
                floor = table[2 * n + 1, 3]
                near_x, near_z, dug = u[low:high], v[low:high], s[low:high]
                _dig(near_x, near_z, radius, fresh, height, slope_x, slope_z, floor, depth, numbers[13], dug)
    _pit(x, z, numbers[9], numbers[10], numbers[11], int(numbers[12]), depth, more(started, 11), s)
    cover[:] = f32(1)


FORM = Form(
    name="craters",
    tip="The Moon: impacts of every size, rims and ejecta, the younger over the older.",
    parameters=Craters,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.05,
    unused=("height", "rotation"),
    has_walls=True,
)
