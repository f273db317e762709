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

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.noise.hash import mix, more, unit
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, smooth_max, smooth_min, step

_ONLY = {"kind": ("coast",)}
SHELF_ANGLE = 1.5  # degrees
CLIFF_ANGLE = 72.0
_BEACH_ANGLE = 9.0  # of the land behind a bay
_DEEP_ANGLE = 14.0  # beyond the shelf
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
            "bend_m": 0.06 * parameters.irregularity * place.side,
            "bend_frequency": 9 / place.side,
            "octaves": place.octaves(place.side / 9),
            "shelf_m": shelf,
            "stacks": parameters.stacks,
            "stack_m": 0.014 * place.side,
            "shelf": math.tan(math.radians(SHELF_ANGLE)),
            "cliff": math.tan(math.radians(CLIFF_ANGLE)),
            "beach": math.tan(math.radians(_BEACH_ANGLE)),
            "deep": math.tan(math.radians(_DEEP_ANGLE)),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    height, headlands, frequency, bend, bend_frequency = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    octaves, width, stacks, stack = numbers[5], numbers[6], numbers[7], numbers[8]
    shelf, cliff, beach, deep = numbers[9], numbers[10], numbers[11], numbers[12]
    out, _ = outline(0.25 * x * frequency, z * frequency, 2.0, 0.5, started)
    bend_x, bend_z = outline(x * bend_frequency, z * bend_frequency, octaves, 0.5, more(started, 9))
    d = x + headlands * 1.3 * out + bend * bend_x
    exposed = step(-0.28, 0.2, out) if headlands > 0.0 else 1.0
    exposed += (1.0 - exposed) * step(0.0, 8.0 * width, d)  # behind the bays the land rises too
    c = height * (0.15 + 0.85 * exposed)
    wall = beach + (cliff - beach) * exposed
    top = c * (0.8 + 0.2 * min(max(d / (6.0 * width), 0.0), 1.0))
    land = smooth_min(d * wall, top, 0.12 * c)
    sea = min(d * shelf, -width * shelf + (d + width) * deep)
    s = land if d > 0.0 else smooth_max(sea, -SEA_FLOOR * height, 0.2 * height)
    # stacks: cells along the shore, one candidate to a cell
    z += bend * bend_z
    apart = 5.0 * stack
    cell = math.floor(z / apart)
    for k in range(-1, 2):
        h = mix(np.uint32(more(started, 7) ^ np.uint32(np.int64(cell) + k)))
        if unit(h) < stacks:
            own = stack * (0.5 + 0.8 * unit(more(h, 1)))
            away = d + own + width * (0.1 + 0.6 * unit(more(h, 2)))
            along = z - (cell + k + 0.2 + 0.6 * unit(more(h, 3))) * apart
            rise = (own - math.sqrt(away * away + along * along)) * 4.5
            most = c * exposed * (0.35 + 0.5 * unit(more(h, 4)))
            s = max(s, smooth_min(rise, most, 0.2 * most))
    return s, step(-0.02 * height, 0.15 * height, s)


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
