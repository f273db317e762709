"""Trough: a valley that a glacier cut, along the landform's z, with troughs that join it and hanging side valleys.

With d the distance from its winding middle, W its width between the shoulders and b the exponent,

    s = H·(|2d/W|ᵇ − 1) for d ≤ W/2,   rising gently beyond

b = 2 is the parabola; glacial valleys have 1.5 to 2.5. Side valleys have the same form, 0.45 as wide and as deep, so
that their floors hang above the main one; one or none opens on either side every 1.6 W. Tributaries are troughs 0.55 to
0.85 as wide that join at a slant from higher z down, nearly level with the main floor, as where great glaciers met.

Source: H. Svensson, "Is the cross-section of a glacial valley a parabola?", Journal of Glaciology 3 (1959),
doi:10.3189/S0022143000017032; W. L. Graf, "The geomorphology of the glacial valley cross section", Arctic and Alpine
Research 2 (1970), doi:10.1080/00040851.1970.12003590
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real, whole
from fellview.noise.hash import mix, more
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, share, smooth_min, step, wave

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
    tributaries: int = whole(
        2,
        0,
        6,
        tip="Troughs that join the first from either side. Low is one valley, high a branching fjord.",
        only=_ONLY,
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
            "rough": 0.26 * parameters.irregularity,
            "octaves": min(place.octaves(half / 0.9), 5.0),
            "tributaries": float(parameters.tributaries),
            "side_m": place.side,
        }
    )


@kernel(inline="always")
def _across(d, half, exponent, depth):
    """Return the cross profile at distance d: −depth in the middle, 0 at the shoulder, then rising gently."""
    t = d / half
    return depth * (t**exponent - f32(1)) if t < f32(1) else f32(0.25) * (t - f32(1))


@kernel(inline="always")
def _joined(s, x, z, n, half, side, exponent, started):
    """Return `s` with the n-th tributary cut in, at (x, z) where the main trough's middle is x = 0."""
    key = more(started, 21 + n)
    east = f32(1) if (n + np.int32(started & np.uint32(1))) % 2 == 0 else f32(-1)
    if east * x < f32(-0.3) * half:
        return s
    out = max(east * x, f32(0))
    slant = f32(0.3) + f32(0.8) * share(more(key, 1))
    curve = (share(more(key, 2)) - f32(0.3)) / side
    width = half * (f32(0.55) + f32(0.3) * share(more(key, 3)))
    where = (f32(n) + share(more(key, 4))) * f32(0.19) * side - f32(0.3) * side
    middle = where - out * (slant + curve * out)
    lean = slant + f32(2) * curve * out
    d = abs(z - middle) / math.sqrt(f32(1) + lean * lean)
    # level with the main floor where it opens, rising inland; gone beyond the main trough's middle
    floor = f32(0.92) * max(f32(1) - f32(0.6) * out / side, f32(0.1))
    floor *= step(-0.3, 0.4, east * x / half)
    return smooth_min(s, _across(d, width, exponent, floor), f32(0.06))


@kernel()
def _opened(cell, apart, side_valleys, started, found):
    """Fill `found` [side, cell, 3] with where side valleys open, their slants and shares, which are 0 where none is.

    There is one candidate to each side of a cell along the trough; cells are `cell` and its two neighbours.
    """
    for bank in range(2):
        for k in range(3):
            key = mix(np.uint32(mix(np.uint32(started ^ np.uint32(np.int32(cell) + (k - 1)))) ^ np.uint32(bank)))
            found[bank, k, 0] = (cell + f32(k - 1) + f32(0.2) + f32(0.6) * share(more(key, 1))) * apart
            found[bank, k, 1] = f32(1.2) * (share(more(key, 2)) - f32(0.5))
            here = share(key) < side_valleys
            found[bank, k, 2] = f32(SIDE_SHARE) * (f32(0.7) + f32(0.6) * share(more(key, 3))) if here else f32(0)


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    half, height, exponent, side_valleys = numbers[0], numbers[1], numbers[2], numbers[3]
    wander, stretch, rough, octaves = numbers[4], numbers[5], numbers[6], numbers[7]
    tributaries, side = int(numbers[8]), numbers[9]
    u, v, a, b, path, beyond = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    for c in range(x.size):
        u[c], v[c] = f32(0.9) * x[c] / half, f32(0.9) * z[c] / half
    outline(u, v, octaves, 0.38, started, a, b)
    for c in range(x.size):
        x[c] += rough * half * a[c]
        z[c] += rough * half * b[c]
        u[c], v[c] = z[c] * stretch, f32(3.5)
    wave(u, v, 2, 0.4, started, path)
    for c in range(x.size):
        u[c], v[c] = z[c] * stretch + f32(0.05), f32(3.5)
    wave(u, v, 2, 0.4, started, beyond)
    apart = f32(3.2) * half
    found = np.empty((2, 3, 3), np.float32)
    cell = f32(np.inf)
    for c in range(x.size):
        turn = wander * (beyond[c] - path[c]) * stretch / f32(0.05)
        away = x[c] - wander * path[c]
        d = away / math.sqrt(f32(1) + turn * turn)
        h = _across(abs(d), half, exponent, f32(1))
        for n in range(tributaries):
            h = _joined(h, away, z[c], n, half, side, exponent, started)
        out = max(abs(d) / half - f32(0.5), f32(0))
        if side_valleys > f32(0) and out > f32(0) and out < f32(9):
            here = np.floor(z[c] / apart)
            if here != cell:
                cell = here
                _opened(cell, apart, side_valleys, started, found)
            bank = 1 if d > f32(0) else 0
            for k in range(3):
                part = found[bank, k, 2]
                if part > f32(0):
                    # it leaves at a slant and bends, shallower with distance
                    middle = found[bank, k, 0] + half * (found[bank, k, 1] * out + f32(0.35) * b[c] * min(out, f32(2)))
                    floor = part * max(f32(1) - out / f32(7), f32(0))
                    # the valley's end rises to the land beyond the main one's shoulder
                    head = f32(0.25 / 7) * out * out
                    side_s = _across(abs(z[c] - middle), part * half, exponent, floor) + head
                    h = smooth_min(h, side_s, f32(0.05))
        s[c] = h * height
        cover[c] = step(0, f32(0.1) * height, -s[c])


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
