"""Coast: land along the landform's x, sea behind; headlands with cliffs, bays with beaches, a wave-cut shelf, stacks.

With d the distance inland from the shore, along x, which headlands push out, G = |∇d| of their outline, S the shelf's
slope, C the cliff's, c its height,

    land   s = smooth_min(d/G·tan C, c + 0.06 d)        c = H on headlands, 0.15 H in bays, where C is that of a beach
    sea    s = d·tan S to the shelf's edge, then 14° down to a floor at −0.6 H

Waves plane rock at slopes of 1° to 3° from the foot of the cliff; 1.5° here. Beds that dip stand out of the shelf as
ribs aslant to the shore, gentle on one side and steep on the other. Narrow clefts, geos, run into cliffs along lines of
weakness, where a second noise is 0. Stacks stand on the shelf before headlands, as sheer as what is left of a cliff, on
a foot of what fell off them; their tops are ragged domes that slant as the beds dip. Skerries lie about and farther
out, low enough for waves to wash: backs of the same beds, whose ribs they show. All outlines are bent by the same
noise, so that buttresses and clefts run through cliffs and stacks. The water line is at s = 0.

Source: A. S. Trenhaile, "The geomorphology of rock coasts" (1987)
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
from fellview.core.parameters import Group, real
from fellview.noise.hash import more
from fellview.terrain.landforms.form import Form, Place, Prepared, mixed, near_columns, tiled, waves
from fellview.terrain.landforms.shapes import length, outline, smooth_max, smooth_min, step, wave

_ONLY = {"kind": ("coast",)}
SHELF_ANGLE = 1.5  # degrees
CLIFF_ANGLE = 76.0
_BEACH_ANGLE = 9.0  # of the land behind a bay
_DEEP_ANGLE = 14.0  # beyond the shelf
SEA_FLOOR = 0.6  # of the height, below the water
_WAVES = 2.6  # headlands along the domain's shorter side
_OUT = 1.3  # of `headlands`: how far a headland's noise of 1 pushes out
_OCTAVES, _GAIN = 3, 0.45  # of headlands
_LONG = 0.25  # of the frequency along the shore: that across it
_AHEAD = 0.02  # of a headland's wave, for slopes
_STACK = 0.016  # of the shorter side: the widest stack's radius
_APART = 4.0  # radii of the widest stack, from one candidate to the next
_MOST = 64  # candidates a side; more only where a land is far longer than wide
_STACK_WALL = 8.0  # tangent: 83°
_SKERRY_WALL = 0.35  # tangent: 19°
_SKERRY = 0.09  # of the height: the highest skerry
_BACK = 0.9  # of a skerry's top: how much lower its brink lies than its middle
_BACK_RAGGED = 0.6  # of a skerry's top: what a bend of 1 adds
_BACK_SLANTS = 0.3  # of a skerry's top: how much higher it stands where beds come up, and lower where they go down
_FOOT = 1.25  # radii of a stack, to the edge of the rock at its foot
_PLANED = 0.01  # of a stack's height: how high that lies
_BENT = 0.3  # of the shore's bends: a stack's, lest it break up
_DOME = 0.28  # of a stack's top: how much lower its brink lies than its middle
_RAGGED = 0.4  # of a stack's top: what a bend of 1 adds; most bends are within 0.7
_TOP_RIBS = 2.0  # of the shelf's: how high beds stand out of a stack's top, which no wave planes
_BACK_RIBS = 1.6  # and out of a skerry, which few do
_SLANTS = 0.22  # of a stack's top, as of a skerry's
_FALLEN = 0.14  # of a stack's height: how high what fell off it leans against its wall
_FALLEN_SLOPE = 0.65  # tangent: 33°
_GEO = 0.035  # of the shorter side: how far clefts reach into cliffs
_CLEFT = 5.0  # one over the bend at which a cleft ends: some 25 m wide where the bends' waves are 230 m long
_RIB = 0.0075  # of the shorter side: from rib to rib on the shelf
_RIB_HEIGHT = 0.12  # of that
_RIB_CELLS = (4.0, 6.0)  # a rib: from where on a grid shows them, and in full
_RIB_X, _RIB_Z = 0.6, 0.8  # across ribs
_GENTLE = 0.65  # of a rib that climbs


@dataclass(frozen=True)
class Coast(Group):
    """What only a coast has."""

    headlands: float = real(
        16.0,
        0.0,
        60.0,
        unit="%",
        tip="How far headlands reach out. Low is a straight shore, high deep bays.",
        only=_ONLY,
    )
    shelf: float = real(
        7.0, 0.5, 50.0, unit="%", tip="Width of the rock that the waves have planed, of the land.", only=_ONLY
    )
    stacks: float = real(
        0.6, 0.0, 1.0, tip="How often pillars of rock and low skerries stand in the sea. Low is none.", only=_ONLY
    )


@functools.lru_cache(maxsize=4)
def rocks(parameters: Any, place: Place) -> NDArray[np.float64]:
    """Return the stacks and skerries (n, 5): x, z, radius, height, all in metres, and the tangent of their walls.

    A lattice has a candidate to a cell. On the shelf's inner half and before a headland it may become a stack, anywhere
    on the shelf and a little beyond a skerry.
    """
    widest = _STACK * place.side
    apart = max(_APART * widest, 2 * place.reach / _MOST)
    first, last = (np.floor((np.array(place.middle) + way * place.reach) / apart) for way in (-1, 1))
    sides = [np.arange(low, high + 1) for low, high in zip(first, last, strict=True)]
    column, row = (cells.ravel() for cells in np.meshgrid(*sides, indexing="ij"))
    # a cell's own numbers, wherever the land lies
    h = mixed(np.uint32(place.started) ^ column.astype(np.int64).astype(np.uint32))
    h = mixed(h ^ row.astype(np.int64).astype(np.uint32))
    own = (mixed(np.add.outer(h, np.arange(5, dtype=np.uint32))) >> np.uint32(8)) * 2.0**-24
    x, z = (column + 0.15 + 0.7 * own[:, 0]) * apart, (row + 0.15 + 0.7 * own[:, 1]) * apart
    frequency, headlands = _WAVES / place.side, parameters.headlands / 100 * place.side
    reach, beyond = (
        waves(_LONG * frequency * x, frequency * z + ahead, _OCTAVES, _GAIN, place.started)[0] for ahead in (0, _AHEAD)
    )
    grows = np.hypot(1, headlands * _OUT * frequency / _AHEAD * (beyond - reach))
    out = -(x + headlands * _OUT * reach) / grows  # metres from the shore
    exposed = np.clip((reach + 0.28) / 0.48, 0, 1) if headlands else np.ones_like(reach)
    radius = widest * (0.35 + 0.65 * own[:, 2])
    width = parameters.shelf / 100 * place.side
    near, far = (out > 1.3 * radius) & (out < 0.6 * width + 2 * radius), (out > 0.5 * radius) & (out < 1.8 * width)
    stack = near & (own[:, 3] < parameters.stacks) & (exposed > 0.5)
    skerry = far & (own[:, 3] < 0.6 * parameters.stacks) & ~stack
    top = parameters.height * np.where(stack, exposed * (0.45 + 0.5 * own[:, 4]), _SKERRY * (0.3 + 0.7 * own[:, 4]))
    found = np.stack([x, z, radius, top, np.where(stack, _STACK_WALL, _SKERRY_WALL)], axis=-1)
    return found[stack | skerry]


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a coast, and its stacks and skerries."""
    shelf = parameters.shelf / 100 * place.side
    found = rocks(parameters, place)
    bend = 0.08 * parameters.irregularity * place.side
    rib = _RIB * place.side
    shown = min(max((rib / place.cell - _RIB_CELLS[0]) / (_RIB_CELLS[1] - _RIB_CELLS[0]), 0.0), 1.0)
    entries = np.zeros((max(len(found), 1), 2, 4), np.float32)  # one of radius 0 where there is none
    entries.reshape(-1, 8)[: len(found), :5] = found
    entries[:, 1, 0] = np.maximum(entries[:, 1, 0], _SKERRY_WALL)
    # down to the sea's floor, wherever the bends take it
    entries[:, 1, 1] = _FOOT * entries[:, 0, 2] + SEA_FLOOR * parameters.height / _SKERRY_WALL + 2 * _BENT * bend
    table, spans, listed = tiled(place, entries[:, 0, :2].astype(float), entries[:, 1, 1].astype(float), entries)
    return Prepared(
        {
            "height_m": parameters.height,
            "headlands_m": parameters.headlands / 100 * place.side,
            "frequency": _WAVES / place.side,
            "bend_m": bend,
            "bend_frequency": 7 / place.side,
            "octaves": min(place.octaves(place.side / 7), 6.0),
            "shelf_m": shelf,
            "shelf": math.tan(math.radians(SHELF_ANGLE)),
            "cliff": math.tan(math.radians(CLIFF_ANGLE)),
            "beach": math.tan(math.radians(_BEACH_ANGLE)),
            "deep": math.tan(math.radians(_DEEP_ANGLE)),
            **listed,
            "geo_m": _GEO * parameters.irregularity * place.side,
            "ribs_m": _RIB_HEIGHT * rib * parameters.irregularity * shown,
            "rib_m": rib,
        },
        table,
        spans,
    )


@kernel(inline="always")
def _rib(across):
    """Return how high, −½ … ½, the shelf's rock stands at the place `across` its ribs, in ribs."""
    share = across - np.floor(across)
    return min(share / f32(_GENTLE), (f32(1) - share) / f32(1 - _GENTLE)) - f32(0.5)


@kernel()
def _stand(x, z, bends, middle_x, middle_z, radius, top, wall, ribs, rib, s):
    """Raise heights `s` at a piece of a row to a stack or skerry: `bends` make tops ragged, beds stand out `ribs`."""
    for c in range(x.size):
        off_x, off_z = x[c] - middle_x, z[c] - middle_z
        away = length(off_x, off_z)
        rise = (radius - away) * wall
        share = min(away / radius, f32(1))
        bed = ribs * _rib((f32(_RIB_X) * x[c] + f32(_RIB_Z) * z[c]) / rib)
        lean = min(max((f32(_RIB_X) * off_x + f32(_RIB_Z) * off_z) / radius, f32(-1)), f32(1))
        # the rock that waves have planed about its foot
        foot = min((f32(_FOOT) * radius - away) * f32(_SKERRY_WALL), f32(_PLANED) * top)
        if wall > f32(1):
            fallen = f32(_FALLEN) * top
            foot = max(foot, fallen + (radius - away) * f32(_FALLEN_SLOPE))
            foot = min(foot, fallen)
            crown = top * (f32(1) - f32(_DOME) * share * share + f32(_RAGGED) * bends[c] + f32(_SLANTS) * lean)
            stands = smooth_min(rise, crown + f32(_TOP_RIBS) * bed, f32(0.05) * top)
        else:
            ragged = f32(_BACK_RAGGED) * bends[c] + f32(_BACK_SLANTS) * lean
            crown = top * (f32(1) - f32(_BACK) * share * share + ragged)
            stands = smooth_min(rise, crown, f32(0.5) * top)
            stands += f32(_BACK_RIBS) * bed * min(max(f32(1) + stands / top, f32(0)), f32(1))
        s[c] = max(s[c], max(foot, stands))


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    height, headlands, frequency, bend, bend_frequency = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    octaves, width, shelf, cliff, beach, deep = numbers[5], numbers[6], numbers[7], numbers[8], numbers[9], numbers[10]
    first, count = int(numbers[14]), int(numbers[15])
    geo, ribs, rib = numbers[16], numbers[17], numbers[18]
    u, v, out, a, b, beyond = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    for c in range(x.size):
        u[c], v[c] = f32(_LONG) * x[c] * frequency, z[c] * frequency
    wave(u, v, _OCTAVES, _GAIN, started, out)
    for c in range(x.size):
        u[c], v[c] = f32(_LONG) * x[c] * frequency, z[c] * frequency + f32(_AHEAD)
    wave(u, v, _OCTAVES, _GAIN, started, beyond)
    for c in range(x.size):
        u[c], v[c] = x[c] * bend_frequency, z[c] * bend_frequency
    outline(u, v, octaves, 0.46, more(started, 9), a, b)
    for c in range(x.size):
        d = x[c] + headlands * f32(_OUT) * out[c] + bend * a[c]
        lean = headlands * f32(_OUT) * frequency / f32(_AHEAD) * (beyond[c] - out[c])
        exposed = step(-0.28, 0.2, out[c]) if headlands > f32(0) else f32(1)
        d -= geo * exposed * max(f32(1) - f32(_CLEFT) * abs(b[c]), f32(0))
        exposed += (f32(1) - exposed) * step(0, f32(8) * width, d)  # behind the bays the land rises too
        high = height * (f32(0.15) + f32(0.85) * exposed)
        wall = (beach + (cliff - beach) * exposed) / math.sqrt(f32(1) + lean * lean)
        top = high * (f32(0.8) + f32(0.2) * min(max(d / (f32(6) * width), f32(0)), f32(1)))
        land = smooth_min(d * wall, top, f32(0.12) * high)
        sea = min(d * shelf, -width * shelf + (d + width) * deep)
        if ribs > f32(0) and d < f32(0) and d > -width:
            across = (f32(_RIB_X) * x[c] + f32(_RIB_Z) * z[c] + f32(0.5) * bend * b[c]) / rib
            sea += ribs * min(d / (f32(-0.1) * width), f32(1)) * (f32(1) + d / width) * _rib(across)
        s[c] = land if d > f32(0) else smooth_max(sea, -f32(SEA_FLOOR) * height, f32(0.2) * height)
    for c in range(x.size):
        u[c], v[c] = x[c] + f32(_BENT) * bend * a[c], z[c] + f32(_BENT) * bend * b[c]
    # where along the row each one lies: what is bent moves by less than two of the noise's units
    pace_x, pace_z = x[min(1, x.size - 1)] - x[0], z[min(1, x.size - 1)] - z[0]
    pace = max(length(pace_x, pace_z), f32(1e-20))
    for n in range(first, first + count):
        middle_x, middle_z, radius, top = table[2 * n, 0], table[2 * n, 1], table[2 * n, 2], table[2 * n, 3]
        along = ((middle_x - x[0]) * pace_x + (middle_z - z[0]) * pace_z) / pace
        across = ((middle_x - x[0]) * pace_z - (middle_z - z[0]) * pace_x) / pace
        near, last = near_columns(-along, pace, x.size, across, table[2 * n + 1, 1])
        if last > near and radius > f32(0):
            _stand(
                *(u[near:last], v[near:last], a[near:last]),
                *(middle_x, middle_z, radius, top, table[2 * n + 1, 0], ribs, rib, s[near:last]),
            )
    for c in range(x.size):
        cover[c] = step(f32(-0.02) * height, f32(0.15) * height, s[c])


FORM = Form(
    name="coast",
    tip="Land behind cliffs and bays, a shelf that the waves cut, stacks. The sea lies at the base.",
    parameters=Coast,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.06,
    unused=("size",),
    has_walls=True,
)
