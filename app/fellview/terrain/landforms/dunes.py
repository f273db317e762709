"""Dunes: wind blows along the landform's x; sand climbs gently and falls off sharp, winding crests.

A dune is its crest, a curve across the wind, x = n + o_n(z) for the n-th one in spacings λ, at the height h_n(z). What
the crest does along z is drawn once into a table, from cubic splines through hashed numbers:

    o = slow drift that neighbours share + each one's own bends + b·(1 − h/h_max)
    h = h_max where sand is plenty, less between, 0 where the dune ends (the more so, the more `defects`)

Lower sand is carried on sooner, hence the last term, which bends ends downwind into a crescent's horns. Where a crest
comes close behind its neighbour it finds less sand, sinks, and ends against it in a fork. To windward the sand climbs

    h·(t²·(3 − e) + t³·(e − 2)),   t = 1 − (distance along the wind)/L,   L = (3 − e)²/(3·(2 − e)) · h/tan W

from a slow toe over a middle as steep as W to a brink that still climbs, as steep as e = 0.6 of the mean; to lee it
falls from the brink's nearest point q, at the slope L of dry sand whichever way the brink rises (its slope there g):

    h(q) − |p − q|·√(tan² L − g²)

The land is the highest of all dunes. No dune is higher than its spacing carries, the gaps between crests taken up:

    h ≤ 0.95·λ / ((3 − e)²/(3·(2 − e))/tan W + 1/tan L)

Small dunes, of a sixth of the spacing, ride on windward sides and leave toes, brinks and slip faces bare. Where a
spacing is under six cells its dunes sink, and under three there are none, as a grid would show pits for them.

Source: angles, barchans that merge into transverse ridges with the supply of sand, and small dunes on large ones:
N. Lancaster, "Geomorphology of desert dunes" (1995); the splines and the cubic are choices
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
from fellview.core.number_format import measure
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared, mixed
from fellview.terrain.landforms.shapes import smooth_min, step

_ONLY = {"kind": ("dunes",)}
LEE = 33.0  # degrees: dry sand at rest, 32 to 34
BRINK = 0.6  # e: of the mean slope to windward, what is left of it at the brink
STEEPEST = (3 - BRINK) ** 2 / (3 * (2 - BRINK))  # of the mean slope to windward: the cubic's, at t = 4/7
SMALLER = 6.0  # times: the spacing of dunes over that of the small ones on them
PERIOD = 64  # spacings after which crests come again; more than a land of the slider's narrowest spacing shows
SAMPLES = 12  # of a crest's curve, a spacing; bends are seven times as long
_FILLED = 0.95  # most of a spacing that a dune covers
_CELLS = (3.0, 6.0)  # a spacing: from where on dunes rise, and stand in full
_LEAST = 1e-6  # of a spacing: the height of dunes that are not there
_EVENED = 8  # sweeps along a crest, which spread by √(8/2) = 2 samples, a sixth of a spacing
# of a cell's fall to lee: `smooth_min` lowers a brink by a quarter of this, the mean over a cell by an eighth of what
# its sides part by within one, which is a fifth more than the fall
_ROUNDED = 0.6
_STEEPER = 0.9  # of the slope of dry sand: the most that a brink rises


@dataclass(frozen=True)
class Dunes(Group):
    """What only dunes have."""

    spacing: float = real(
        10.0,
        0.5,
        100.0,
        slider=(2, 40),
        unit="%",
        scale="log",
        useful=(4, 20),
        tip="From crest to crest, of the land. Low is a rippled sheet, high a few great dunes.",
        only=_ONLY,
    )
    windward: float = real(
        11.5, 3.0, 30.0, unit="°", tip="How steep the windward side climbs. Low is long and flat.", only=_ONLY
    )
    defects: float = real(
        0.5,
        0.0,
        1.0,
        tip="How far crests break up. Low is a field of long ridges, high single crescents with flats between.",
        only=_ONLY,
    )
    small_dunes: float = real(
        0.0,
        0.0,
        1.0,
        tip="Small dunes that ride on the windward sides of large ones. Low is smooth sand, high a busy sea of it.",
        only=_ONLY,
    )


def carried(windward: float) -> float:
    """Return the height, in spacings, of dunes that climb at `windward` degrees and stand foot to foot."""
    return 1 / (STEEPEST / math.tan(math.radians(windward)) + 1 / math.tan(math.radians(LEE)))


def highest(parameters: Any, side: float) -> float:
    """Return the height in metres that the spacing carries."""
    return _FILLED * parameters.spacing / 100 * side * carried(parameters.windward)


def remark(parameters: Any, place: Place) -> str:
    """Return a line for a person where dunes are lower than asked for, else an empty text."""
    most = highest(parameters, place.side)
    if parameters.height <= most:
        return ""
    return f"dunes: {measure(most, 'm')} high at most at this spacing, lower than {measure(parameters.height, 'm')}"


def _hashed(crest: NDArray[Any], knot: NDArray[Any], started: int, stream: int) -> NDArray[Any]:
    """Return numbers in [0, 1) for the knots of crests."""
    h = mixed(np.uint32(started) ^ (crest * 8 + stream).astype(np.uint32))
    return (mixed(h ^ knot.astype(np.uint32)) >> np.uint32(8)) * 2.0**-24


def _weights(t: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the weights of the four knots about the share t of the way from the second to the third."""
    return (1 - t) ** 3 / 6, (3 * t**3 - 6 * t**2 + 4) / 6, (-3 * t**3 + 3 * t**2 + 3 * t + 1) / 6, t**3 / 6


def _bends(crests: NDArray[Any], z: NDArray[Any], knots: int, started: int, stream: int) -> NDArray[Any]:
    """Return for each crest a spline along `z`, from 0 to 1 a period, through `knots` hashed numbers; about −½ to ½."""
    at = z * knots
    knot = np.floor(at)
    weights = _weights(at - knot)
    return (
        sum(
            weight * _hashed(crests[:, None], np.mod(knot + k - 1, knots)[None], started, stream)
            for k, weight in enumerate(weights)
        )
        - 0.5
    )


def _drift(crests: NDArray[Any], z: NDArray[Any], knots: int, started: int, stream: int) -> NDArray[Any]:
    """Return as `_bends` a spline across the crests too, with as many knots, so that neighbours bend alike."""
    at = crests / PERIOD * knots
    knot = np.floor(at)
    return sum(
        weight[:, None] * _bends(np.mod(knot + k - 1, knots), z, knots, started, stream)
        for k, weight in enumerate(_weights(at - knot))
    )


@functools.lru_cache(maxsize=4)
def crests(started: int, high: float, carries: float, defects: float, irregularity: float) -> NDArray[np.float32]:
    """Return the table of crests [PERIOD, PERIOD·SAMPLES, 4]: offset o and height h, each before its slope along z.

    All in spacings; `high` is the height of a dune that has all the sand it can use, `carries` that of dunes that
    stand foot to foot.
    """
    number = np.arange(PERIOD)
    z = np.arange(PERIOD * SAMPLES) / (PERIOD * SAMPLES)
    # knots every 3.2, 1.2 and 1.7 down to 1 spacings, by eye: as far apart as bends of crests in photographs from above
    offset = irregularity * (1.9 * _drift(number, z, 20, started, 1) + 1.8 * _bends(number, z, 54, started, 2))
    sand = 0.5 + 2.2 * _bends(number, z, round(PERIOD / (1.7 - 0.7 * defects)), started, 3)
    ends = 1.1 * defects - 0.7  # below as much sand there is no dune
    height = np.clip(1 - irregularity * (1 - (sand - ends) / (0.9 - ends)), 0.0, None)
    height -= 0.6 * np.maximum(height - 0.8, 0.0)
    offset += (0.15 + 0.4 * defects) * (1 - np.minimum(height, 1.0))
    gap = 1 + offset - np.roll(offset, 1, axis=0)
    room = 1.3 * carries * np.maximum(gap, 0.0)
    near = np.maximum(0.4 * high - np.abs(high * height - room), 0.0)
    height = np.maximum(np.minimum(high * height, room) - near * near / (1.6 * high), 0.0)
    for _ in range(_EVENED):  # where one of these rules takes over from another, flanks would show a crease
        height = 0.25 * np.roll(height, 1, axis=1) + 0.5 * height + 0.25 * np.roll(height, -1, axis=1)
    table = np.empty((PERIOD, PERIOD * SAMPLES, 4), np.float32)
    for part, values in enumerate((offset, height)):
        table[..., 2 * part] = values
        table[..., 2 * part + 1] = (np.roll(values, -1, axis=1) - np.roll(values, 1, axis=1)) * (SAMPLES / 2)
    return table


def _shown(cells: float) -> float:
    """Return how much of dunes a grid can carry, 0 to 1, from their spacing in cells."""
    first, full = _CELLS
    return min(max((cells - first) / (full - first), 0.0), 1.0)


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants and the crests of dunes."""
    spacing = parameters.spacing / 100 * place.side
    high = _shown(spacing / place.cell) * min(parameters.height, highest(parameters, place.side)) / spacing
    high = max(high, _LEAST)
    table = crests(
        place.started, high, carried(parameters.windward), parameters.defects, parameters.irregularity
    ).reshape(-1, 4)
    return Prepared(
        {
            "spacing_m": spacing,
            "height_m": high * spacing,
            "windward": math.tan(math.radians(parameters.windward)),
            "lee": math.tan(math.radians(LEE)),
            "small_dunes": parameters.small_dunes * _shown(spacing / place.cell / SMALLER),
            # brinks are as round as the mean over a cell has them: sharper ones would show the grid's notches
            "rounded": min(_ROUNDED * math.tan(math.radians(LEE)) * place.cell / spacing, 0.1 * high),
        },
        table,
    )


@kernel(inline="always")
def _crest(table, crest, z):
    """Return offset and height of a crest at z, each with its slope along z; all in spacings."""
    at = z * f32(SAMPLES)
    whole = np.floor(at)
    t = at - whole
    first = crest * (PERIOD * SAMPLES)
    here = np.int32(whole) % (PERIOD * SAMPLES)
    there = first + (here + 1) % (PERIOD * SAMPLES)
    here += first
    # a cubic through both samples with both slopes, which are given a spacing
    o0, o1 = table[here, 0], table[there, 0]
    d0, d1 = table[here, 1] * f32(1 / SAMPLES), table[there, 1] * f32(1 / SAMPLES)
    offset = o0 + t * (d0 + t * (f32(3) * (o1 - o0) - f32(2) * d0 - d1 + t * (f32(2) * (o0 - o1) + d0 + d1)))
    bend = table[here, 1] + t * (table[there, 1] - table[here, 1])
    h0, h1 = table[here, 2], table[there, 2]
    d0, d1 = table[here, 3] * f32(1 / SAMPLES), table[there, 3] * f32(1 / SAMPLES)
    height = h0 + t * (d0 + t * (f32(3) * (h1 - h0) - f32(2) * d0 - d1 + t * (f32(2) * (h0 - h1) + d0 + d1)))
    rise = table[here, 3] + t * (table[there, 3] - table[here, 3])
    return offset, bend, height, rise


@kernel(inline="always")
def _wrapped(x):
    """Return x less whole periods, 0 … PERIOD."""
    return x - f32(PERIOD) * np.floor(x * f32(1 / PERIOD))


@kernel()
def _sand(table, x, z, windward, lee, rounded, small, strength):
    """Return the height of the highest dune at (x, z), in spacings, `strength` times as high as in the table.

    They are as long as in the table. Brinks are `rounded`, see `prepare`. `small` is the height of the small dunes
    there, which are added to windward sides.
    """
    x, z = _wrapped(x), _wrapped(z)
    s = f32(0)
    own = np.int32(np.floor(x))
    # an offset is −2.3 … 2.3 at the very most; the rest is a windward side's length
    for k in range(own - 3, own + 4):
        crest = np.int32(k + PERIOD) % PERIOD
        offset, bend, height, rise = _crest(table, crest, z)
        before = f32(k) + offset - x
        length = f32(STEEPEST) * height / windward
        if height > f32(0) and before < length and before > f32(-0.8):
            t = f32(1) - before / length
            up = strength * height * t * t * (f32(3 - BRINK) + f32(BRINK - 2) * t)
            up += small * step(0, 0.35, t) * (f32(1) - step(0.7, 1, t))
            if before < f32(0):
                up = strength * (height - before * windward * f32(BRINK / STEEPEST))
            if before < f32(4) * rounded:
                # the nearest point of the brink
                at = z
                for _ in range(3):
                    along = (bend * -before + (z - at)) / (f32(1) + bend * bend)
                    at += min(max(along, f32(-0.2)), f32(0.2))
                    offset, bend, height, rise = _crest(table, crest, at)
                    before = f32(k) + offset - x
                most = f32(_STEEPER) * lee
                climbs = min(max(strength * rise / math.sqrt(f32(1) + bend * bend), -most), most)
                away = math.copysign(math.sqrt(before * before + (z - at) * (z - at)), before)
                up = smooth_min(up, strength * height + away * math.sqrt(lee * lee - climbs * climbs), rounded)
            s = max(s, up)
    return s


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    spacing, height, windward, lee = numbers[0], numbers[1], numbers[2], numbers[3]
    small_dunes, rounded = numbers[4], numbers[5]
    for c in range(x.size):
        u, v = x[c] / spacing, z[c] / spacing
        small = f32(0)
        if small_dunes > f32(0):
            at_u, at_v, finer = f32(SMALLER) * u, f32(SMALLER) * v, f32(SMALLER) * rounded
            small = _sand(table, at_u, at_v, windward, lee, finer, f32(0), small_dunes) * f32(1 / SMALLER)
        s[c] = spacing * _sand(table, u, v, windward, lee, rounded, small, f32(1))
        cover[c] = step(0, f32(0.1) * height, s[c])


FORM = Form(
    name="dunes",
    tip="Sand: crescents and long winding crests across the wind, steep to lee, flats between.",
    parameters=Dunes,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.01,
    unused=("size",),
    remark=remark,
    has_walls=True,
    is_one_way=True,
)
