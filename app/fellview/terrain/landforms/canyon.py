"""Canyon: a winding gorge along the landform's z, with side canyons, in level layers of cliff and slope.

With e the distance from its winding middle over half its width W from rim to rim, f the floor's share of W, and g
ridged noise that draws spurs and alcoves into the walls, the height over the floor is, in shares of the depth H,

    P = T((e − f)/(1 − f) + g),   s = H·(P − 1)

T leaves 0 and 1 where they are and makes n layers of equal height, each a stair: a bench that climbs 6 % of the layer,
scree at 35° for the next 34 %, and a cliff of 78° for the rest. What run these leave is the bench's; where W is too
small for that, a tenth of the run is bench and the others steepen alike. Layers stand at the same height everywhere, as
strata do. Side canyons leave at a slant and are narrower, so that their walls are steeper, and their floors climb to
the rim. A bed may wind in the floor, half of it level at its depth and the rest banks.

Source: layers of stronger and weaker rock as cliffs and slopes: C. E. Dutton, "Tertiary history of the Grand Cañon
district", U.S. Geological Survey Monograph 2 (1882)
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
from fellview.terrain.landforms.shapes import outline, ridged, share, step, wave

_ONLY = {"kind": ("canyon",)}
BENCH_RISE, SCREE_RISE = 0.06, 0.34  # of a layer's height, that bench and scree climb
SCREE_ANGLE, CLIFF_ANGLE = 35.0, 78.0  # degrees: broken rock at rest; walls of sandstone and limestone
_LEAST_BENCH = 0.1  # of a layer's run
_LEAST_PART = 1e-3  # of it, for scree and for a cliff: layers that are low on a wide canyon are steps of numbers still
_BED_WIDTH = 0.3  # of the floor's half: the bed's half, with its banks
_LEAST_FLOOR = 0.1  # %: a bed in a narrower one would wind faster than noise has numbers for
_SWINGS = 0.6  # of the floor's half: how far a bend of 1 takes the bed aside, of which most are within 0.7
_BENDS = 0.16  # of a bend a half floor along: a river's, some twelve of its own widths long


@dataclass(frozen=True)
class Canyon(Group):
    """What only a canyon has."""

    layers: int = whole(
        4, 1, 12, tip="Cliffs one above the other. Low is one wall, high a staircase of thin beds.", only=_ONLY
    )
    side_canyons: float = real(
        0.8, 0.0, 1.0, tip="How often a canyon opens on its sides. Low is one gorge, high a maze of mesas.", only=_ONLY
    )
    floor: float = real(
        8.0,
        0.0,
        80.0,
        unit="%",
        tip="The floor's width, of the canyon's. Low is a slot, high a broad plain.",
        only=_ONLY,
    )
    bed: float = real(
        0.0,
        0.0,
        1000.0,
        slider=(0, 50),
        unit="m",
        label="River bed",
        tip="How deep a river's bed winds in the floor. 0 has none, high keeps the river in one channel.",
        only=_ONLY,
    )


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a canyon."""
    half = parameters.size / 200 * place.side
    layer, run = parameters.height / parameters.layers, half * (1 - parameters.floor / 100) / parameters.layers
    scree = SCREE_RISE * layer / math.tan(math.radians(SCREE_ANGLE))
    cliff = (1 - BENCH_RISE - SCREE_RISE) * layer / math.tan(math.radians(CLIFF_ANGLE))
    fits = min((1 - _LEAST_BENCH) * run / (scree + cliff), 1.0) if run else 1.0
    begins = min(1 - fits * cliff / run if run else 0.5, 1 - _LEAST_PART)
    bench = min(1 - fits * (scree + cliff) / run if run else _LEAST_BENCH, begins - _LEAST_PART)
    return Prepared(
        {
            "half_m": half,
            "height_m": parameters.height,
            "layers": float(parameters.layers),
            "side_canyons": parameters.side_canyons,
            "floor": parameters.floor / 100,
            "wander_m": 0.3 * parameters.irregularity * place.side,
            "stretch": 2.9 / place.side,
            "rough": 0.3 * parameters.irregularity,
            "octaves": min(place.octaves(half / 0.8), 5.0),
            "spurs": 1.2 * parameters.irregularity,
            "spur_octaves": min(place.octaves(half / 1.1), 4.0),
            "bench": bench,
            "cliff": begins,
            "bed_m": parameters.bed if parameters.floor >= _LEAST_FLOOR else 0.0,
        }
    )


@kernel(inline="always")
def _layered(t, layers, bench, cliff):
    """Return how high, 0 … 1, a wall stands at the share t, 0 … 1, of its run; benches end, cliffs begin in layers."""
    scaled = min(max(t, f32(0)), f32(1)) * layers
    whole = min(np.floor(scaled), layers - f32(1))
    rest = scaled - whole
    climbs = f32(BENCH_RISE) * min(rest / bench, f32(1))
    climbs += f32(SCREE_RISE) * min(max((rest - bench) / (cliff - bench), f32(0)), f32(1))
    climbs += f32(1 - BENCH_RISE - SCREE_RISE) * max((rest - cliff) / (f32(1) - cliff), f32(0))
    return (whole + climbs) / layers


@kernel()
def _opened(cell, apart, side_canyons, started, found):
    """Fill `found` [side, cell, 4] with side canyons: 1 / length, in half widths, where they open, slants and widths.

    There is one candidate to each side of a cell along the middle; cells are `cell` and two neighbours either way.
    """
    for bank in range(2):
        for k in range(5):
            key = mix(np.uint32(mix(np.uint32(started ^ np.uint32(np.int32(cell) + (k - 2)))) ^ np.uint32(bank)))
            found[bank, k, 0] = f32(1) / (f32(1.5) + f32(2.5) * share(more(key, 1)))
            found[bank, k, 1] = (cell + f32(k - 2) + share(more(key, 2))) * apart
            found[bank, k, 2] = f32(1.6) * (share(more(key, 3)) - f32(0.5))
            found[bank, k, 3] = f32(0.55) + f32(0.4) * share(more(key, 4))
            if share(key) >= side_canyons:
                found[bank, k, 0] = f32(np.inf)


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    half, height, layers, side_canyons, floor = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    wander, stretch, rough, octaves = numbers[5], numbers[6], numbers[7], numbers[8]
    spurs, spur_octaves, bench, cliff, bed = numbers[9], numbers[10], numbers[11], numbers[12], numbers[13]
    u, v, a, b, path, beyond, crests, winds = (
        scratch[0],
        scratch[1],
        scratch[2],
        scratch[3],
        scratch[4],
        scratch[5],
        scratch[6],
        scratch[7],
    )
    for c in range(x.size):
        u[c], v[c] = f32(0.8) * x[c] / half, f32(0.8) * z[c] / half
    outline(u, v, octaves, 0.42, started, a, b)
    for c in range(x.size):
        x[c] += rough * half * a[c]
        z[c] += rough * half * b[c]
        u[c], v[c] = f32(1.1) * x[c] / half, f32(1.1) * z[c] / half
    ridged(u, v, spur_octaves, more(started, 5), crests)
    for c in range(x.size):
        u[c], v[c] = z[c] * stretch, f32(3.5)
    wave(u, v, 2, 0.45, started, path)
    for c in range(x.size):
        u[c], v[c] = z[c] * stretch + f32(0.05), f32(3.5)
    wave(u, v, 2, 0.45, started, beyond)
    winds[:] = f32(0)
    if bed > f32(0) and floor > f32(0):
        for c in range(x.size):
            u[c], v[c] = z[c] * f32(_BENDS) / (floor * half), f32(7.5)
        wave(u, v, 2, 0.4, more(started, 9), winds)
    apart = f32(2.2) * half
    found = np.empty((2, 5, 4), np.float32)
    cell = f32(np.inf)
    for c in range(x.size):
        turn = wander * (beyond[c] - path[c]) * stretch / f32(0.05)
        away = x[c] - wander * path[c]
        d = away / (half * math.sqrt(f32(1) + turn * turn))
        t = (abs(d) - floor) / (f32(1) - floor)
        if side_canyons > f32(0):
            here = np.floor(z[c] / apart)
            if here != cell:
                cell = here
                _opened(cell, apart, side_canyons, started, found)
            bank = 1 if d > f32(0) else 0
            for k in range(5):
                out = abs(d) * found[bank, k, 0]
                if out < f32(1):
                    middle = found[bank, k, 1] + half * found[bank, k, 2] * abs(d)
                    e = abs(z[c] - middle) / (half * found[bank, k, 3] * (f32(1) - f32(0.45) * out))
                    # narrow at the floor, which climbs to the rim
                    t = min(t, out * out + max(e - f32(0.12), f32(0)))
        inside = min(max(t, f32(0)), f32(1))
        t += spurs * (crests[c] - f32(0.42)) * f32(2) * inside * (f32(1.15) - inside)
        s[c] = height * (_layered(t, layers, bench, cliff) - f32(1) + f32(0.1) * max(t - f32(1), f32(0)))
        if bed > f32(0) and floor > f32(0):
            aside = abs(d / floor - f32(_SWINGS) * winds[c])
            s[c] -= bed * (f32(1) - step(_BED_WIDTH / 2, _BED_WIDTH, aside))
        cover[c] = step(0, f32(0.1) * height, -s[c])


FORM = Form(
    name="canyon",
    tip="A winding gorge in level layers, with side canyons between mesas.",
    parameters=Canyon,
    prepare=prepare,
    shape=shape,
    sign=-1,
    natural_height=0.09,
    natural_size=38.0,
    has_walls=True,
)
