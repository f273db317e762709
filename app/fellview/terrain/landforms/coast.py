"""Coast: land along the landform's x, sea behind; headlands with cliffs, bays with beaches, a wave-cut shelf, stacks.

With d the distance inland from the shore, which headlands push out, S the shelf's slope, C the cliff's, c its height,

    land   s = smooth_min(d·tan C, c + 0.06 d)          c = H on headlands, 0.15 H in bays, where C is that of a beach
    sea    s = d·tan S to the shelf's edge, then 14° down to a floor at −0.6 H

Waves plane rock at slopes of 1° to 3° from the foot of the cliff; 1.5° here. Stacks stand on the shelf before
headlands. The water line is at s = 0.

Source: A. S. Trenhaile, "The geomorphology of rock coasts" (1987)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.noise.hash import mix, more
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import length, outline, share, smooth_max, smooth_min, step, wave

_ONLY = {"kind": ("coast",)}
SHELF_ANGLE = 1.5  # degrees
CLIFF_ANGLE = 72.0
_BEACH_ANGLE = 9.0  # of the land behind a bay
_DEEP_ANGLE = 14.0  # beyond the shelf
_APART = 6.0  # radii of the widest stack, from one candidate to the next
_STACK_WALL = 4.5  # tangent of a stack's wall: 77°
SEA_FLOOR = 0.6  # of the height, below the water


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
        0.6, 0.0, 1.0, tip="How often a pillar of rock stands before a headland. Low is none.", only=_ONLY
    )


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a coast."""
    shelf = parameters.shelf / 100 * place.side
    return Prepared(
        {
            "height_m": parameters.height,
            "headlands_m": parameters.headlands / 100 * place.side,
            "frequency": 2.6 / place.side,
            "bend_m": 0.08 * parameters.irregularity * place.side,
            "bend_frequency": 7 / place.side,
            "octaves": min(place.octaves(place.side / 7), 5.0),
            "shelf_m": shelf,
            "stacks": parameters.stacks,
            "stack_m": 0.015 * place.side,
            "shelf": math.tan(math.radians(SHELF_ANGLE)),
            "cliff": math.tan(math.radians(CLIFF_ANGLE)),
            "beach": math.tan(math.radians(_BEACH_ANGLE)),
            "deep": math.tan(math.radians(_DEEP_ANGLE)),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    height, headlands, frequency, bend, bend_frequency = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    octaves, width, stacks, stack = numbers[5], numbers[6], numbers[7], numbers[8]
    shelf, cliff, beach, deep = numbers[9], numbers[10], numbers[11], numbers[12]
    u, v, out, a, b = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for c in range(x.size):
        u[c], v[c] = f32(0.25) * x[c] * frequency, z[c] * frequency
    wave(u, v, 3, 0.45, started, out)
    for c in range(x.size):
        u[c], v[c] = x[c] * bend_frequency, z[c] * bend_frequency
    outline(u, v, octaves, 0.38, more(started, 9), a, b)
    apart = f32(_APART) * stack
    for c in range(x.size):
        straight = x[c] + headlands * f32(1.3) * out[c]
        d = straight + bend * a[c]
        exposed = step(-0.28, 0.2, out[c]) if headlands > f32(0) else f32(1)
        exposed += (f32(1) - exposed) * step(0, f32(8) * width, d)  # behind the bays the land rises too
        high = height * (f32(0.15) + f32(0.85) * exposed)
        wall = beach + (cliff - beach) * exposed
        top = high * (f32(0.8) + f32(0.2) * min(max(d / (f32(6) * width), f32(0)), f32(1)))
        land = smooth_min(d * wall, top, f32(0.12) * high)
        sea = min(d * shelf, -width * shelf + (d + width) * deep)
        h = land if d > f32(0) else smooth_max(sea, -f32(SEA_FLOOR) * height, f32(0.2) * height)
        # stacks: cells along the shore, one candidate to a cell; bent less than the shore, lest they break up
        along = z[c] + f32(0.3) * bend * b[c]
        cell = np.floor(along / apart)
        if d < f32(0) and d > f32(-2) * (width + f32(2) * stack):
            for k in range(-1, 2):
                key = mix(np.uint32(more(started, 7) ^ np.uint32(np.int32(cell) + k)))
                if share(key) < stacks:
                    own = stack * (f32(0.4) + f32(0.8) * share(more(key, 1)))
                    away = (
                        straight + f32(0.3) * bend * a[c] + own + width * (f32(0.15) + f32(0.6) * share(more(key, 2)))
                    )
                    aside = along - (cell + f32(k) + f32(0.2) + f32(0.6) * share(more(key, 3))) * apart
                    rise = (own - length(away, aside)) * f32(_STACK_WALL)
                    most = high * exposed * (f32(0.35) + f32(0.5) * share(more(key, 4)))
                    h = max(h, smooth_min(rise, most, f32(0.2) * most))
        s[c] = h
        cover[c] = step(f32(-0.02) * height, f32(0.15) * height, h)


FORM = Form(
    name="coast",
    tip="Land behind cliffs and bays, a shelf that the waves cut, stacks. The sea lies at the base.",
    parameters=Coast,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.06,
    unused=("size",),
)
