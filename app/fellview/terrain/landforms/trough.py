"""Trough: a valley that a glacier cut, along the landform's z, with hanging valleys on its sides.

With d the distance from its winding middle, W its width between the shoulders and b the exponent,

    s = H·(|2d/W|ᵇ − 1) for d ≤ W/2,   rising gently beyond

b = 2 is the parabola; glacial valleys have 1.5 to 2.5. Side valleys have the same form, 0.45 as wide and as deep, so
that their floors hang above the main one; one or none opens on either side every 1.6 W.

Source: H. Svensson, "Is the cross-section of a glacial valley a parabola?", Journal of Glaciology 3 (1959),
doi:10.3189/S0022143000017032; W. L. Graf, "The geomorphology of the glacial valley cross section", Arctic and Alpine
Research 2 (1970), doi:10.1080/00040851.1970.12003590
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
from fellview.terrain.landforms.shapes import outline, smooth_min, step

_ONLY = {"kind": ("trough",)}
SIDE_SHARE = 0.45  # of width and depth that a side valley has


@dataclass(frozen=True)
class Trough(Group):
    """What only a trough has."""

    exponent: float = real(
        2.0, 1.0, 6.0, slider=(1, 4), tip="Its cross profile. Low is a V, 2 a U, high a box.", only=_ONLY
    )
    side_valleys: float = real(
        0.6, 0.0, 1.0, tip="How often a hanging valley opens on its sides. Low is a bare wall.", only=_ONLY
    )


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a trough."""
    half = parameters.size / 200 * place.side
    return Prepared(
        {
            "half_m": half,
            "height_m": parameters.height,
            "exponent": parameters.exponent,
            "side_valleys": parameters.side_valleys,
            "wander_m": 0.34 * parameters.irregularity * place.side,
            "stretch": 2.4 / place.side,
            "rough": 0.16 * parameters.irregularity,
            "octaves": place.octaves(half / 0.9),
        }
    )


@kernel(inline="always")
def _across(d, half, exponent, depth):
    """Return the cross profile at distance d: −depth in the middle, 0 at the shoulder, then rising gently."""
    t = d / half
    return depth * (t**exponent - 1.0) if t < 1.0 else 0.25 * (t - 1.0)


@kernel()
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    half, height, exponent, side_valleys = numbers[0], numbers[1], numbers[2], numbers[3]
    wander, stretch, rough, octaves = numbers[4], numbers[5], numbers[6], numbers[7]
    bend_x, bend_z = outline(0.9 * x / half, 0.9 * z / half, octaves, 0.38, started)
    x += rough * half * bend_x
    z += rough * half * bend_z
    path, _ = outline(z * stretch, 3.5, 2.0, 0.4, started)
    beyond, _ = outline((z + 0.05 / stretch) * stretch, 3.5, 2.0, 0.4, started)
    turn = wander * (beyond - path) * stretch / 0.05
    d = (x - wander * path) / math.sqrt(1.0 + turn * turn)
    s = _across(abs(d), half, exponent, 1.0)
    # side valleys: cells along the trough, one candidate to a cell and side
    apart = 3.2 * half
    cell = math.floor(z / apart)
    side = np.uint32(1) if d > 0.0 else np.uint32(0)
    out = max(abs(d) / half - 0.5, 0.0)
    for k in range(-1, 2):
        h = mix(np.uint32(mix(np.uint32(started ^ np.uint32(np.int64(cell) + k))) ^ side))
        if unit(h) < side_valleys:
            # it leaves at a slant and bends, shallower with distance
            where = (cell + k + 0.2 + 0.6 * unit(more(h, 1))) * apart
            slant = 1.2 * (unit(more(h, 2)) - 0.5)
            middle = where + half * (slant * out + 0.35 * bend_z * min(out, 2.0))
            share = SIDE_SHARE * (0.7 + 0.6 * unit(more(h, 3)))
            floor = share * min(max(1.0 - out / 7.0, 0.0), 1.0)
            head = 0.25 * out * out / 7.0  # the valley's end rises to the land beyond the main one's shoulder
            s = smooth_min(s, _across(abs(z - middle), share * half, exponent, floor) + head, 0.05)
    s *= height
    return s, step(0.0, 0.1 * height, -s)


FORM = Form(
    name="trough",
    tip="A U-shaped valley that a glacier left, along its direction, with hanging side valleys.",
    parameters=Trough,
    prepare=prepare,
    shape=shape,
    sign=-1,
    natural_height=0.1,
    natural_size=28.0,
)
