"""Dunes: wind blows along the landform's x; sand climbs gently and falls off sharp crests bent like crescents.

Every dune is a crescent, one to a cell of a jittered lattice whose rows lie across the wind, and the land is the
highest of them. With v = z/w across its half width w, its crest, of height h and bent by b, stands at

    x_c = b·v² + o·v,   h_c = h·(1 − v²),   s = h_c − tan W·(x_c − x)/G to windward,   h_c − tan L·(x − x_c)/G to lee

where o turns it and G = |∇(x − x_c)|, so that the angles W and L are true degrees on slanting horns too. Wide dunes
(`defects` low) meet side by side in long scalloped ridges which fork where rows run into each other; narrow ones stand
alone as barchans, with gaps and flats between. All cells are shifted along the wind by a slow noise. No dune is higher
than its spacing λ carries:

    h ≤ 0.95·λ / (1/tan W + 1/tan L)

0.14 λ at 11.5° and 33°. The windward foot is rounded over 0.3 of its height.

Source: angles, and barchans that merge into transverse ridges with the supply of sand: N. Lancaster, "Geomorphology of
desert dunes" (1995); the crest's parabola is a choice
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
from fellview.terrain.landforms.shapes import eighth, smooth_max, step, wave

_ONLY = {"kind": ("dunes",)}
LEE = 33.0  # degrees: dry sand at rest, 32 to 34
_TOE = 0.3  # of the height, rounded to windward
_FILLED = 0.95  # most of a spacing that a dune covers
_CELL = 1.7  # spacings across the wind, of a lattice cell


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


def highest(parameters: Any, side: float) -> float:
    """Return the height in metres that the spacing carries."""
    run = 1 / math.tan(math.radians(parameters.windward)) + 1 / math.tan(math.radians(LEE))
    return _FILLED * parameters.spacing / 100 * side / run


def remark(parameters: Any, place: Place) -> str:
    """Return a line for a person where dunes are lower than asked for, else an empty text."""
    most = highest(parameters, place.side)
    if parameters.height <= most:
        return ""
    return f"dunes: {most:.3g} m high at most at this spacing, lower than {parameters.height:.5g} m"


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of dunes."""
    spacing = parameters.spacing / 100 * place.side
    return Prepared(
        {
            "spacing_m": spacing,
            "height_m": min(parameters.height, highest(parameters, place.side)),
            "windward": math.tan(math.radians(parameters.windward)),
            "lee": math.tan(math.radians(LEE)),
            "defects": parameters.defects,
            "irregularity": parameters.irregularity,
            "octaves": min(place.octaves(spacing), 2.0),
        }
    )


@kernel()
def _drift(x, z, shift_x, shift_z, amount, octaves, started, u, v, out):
    """Fill `out` with how far, in spacings, the lattice is moved along the wind at a row's places plus a shift."""
    for c in range(x.size):
        u[c] = f32(0.13) * (x[c] + f32(shift_x))
        v[c] = f32(0.27) * (z[c] + f32(shift_z))
    wave(u, v, octaves, 0.35, started, out)
    for c in range(x.size):
        out[c] *= amount


@kernel()
def _crescents(x, z, i, j, high, windward, lee, defects, irregularity, slope_x, slope_z, started, s):
    """Raise `s` to the dunes of the lattice cells i, j away from those that a row's places lie in; in spacings."""
    for c in range(x.size):
        cell_x, cell_z = np.floor(x[c]) + f32(i), np.floor(z[c] / f32(_CELL)) + f32(j)
        row = mix(np.uint32(started ^ np.uint32(np.int32(cell_x))))
        h = mix(np.uint32(row ^ np.uint32(np.int32(cell_z))))
        k = more(h, 1)
        loose = irregularity * (f32(0.3) + f32(0.7) * defects)
        # rows are staggered, as crescents feed those behind their horns
        odd = f32(np.int32(cell_x) & np.int32(1))
        middle_x = cell_x + f32(0.5) + f32(0.7) * loose * (eighth(h) - f32(0.5))
        middle_z = (cell_z + f32(0.25) + f32(0.5) * odd + f32(0.7) * loose * (eighth(h >> 8) - f32(0.5))) * f32(_CELL)
        large = f32(1) - f32(0.65) * irregularity * eighth(h >> 16) * eighth(h >> 16)
        half = f32(_CELL) * (f32(1.05) - f32(0.5) * defects) * (f32(0.5) + f32(0.5) * large)
        bow = (f32(0.18) + f32(0.34) * defects) * (f32(0.7) + f32(0.6) * eighth(h >> 24))
        oblique = f32(0.5) * irregularity * (eighth(k) - f32(0.5))
        # some cells are left empty
        here = f32(1) if eighth(k >> 8) >= f32(0.3) * defects * irregularity else f32(0)
        q = (z[c] - middle_z) / half
        top = high * large * here * max(f32(1) - q * q, f32(0))
        d = x[c] - middle_x - bow * q * q - oblique * q
        slant = slope_z[c] - (f32(2) * bow * q + oblique) / half
        steep = math.sqrt(slope_x[c] * slope_x[c] + slant * slant)
        up = smooth_max(top + d * windward / steep, f32(0), f32(_TOE) * top)
        s[c] = max(s[c], min(up, max(top - d * lee / steep, f32(0))))


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    spacing, height, windward, lee = numbers[0], numbers[1], numbers[2], numbers[3]
    defects, irregularity, octaves = numbers[4], numbers[5], numbers[6]
    u, v, drift, slope_x, slope_z = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for c in range(x.size):
        x[c] /= spacing
        z[c] /= spacing
        s[c] = f32(0)
    amount = f32(0.9) * irregularity
    step_size = f32(0.03)
    _drift(x, z, f32(0), f32(0), amount, octaves, started, u, v, drift)
    _drift(x, z, step_size, f32(0), amount, octaves, started, u, v, slope_x)
    _drift(x, z, f32(0), step_size, amount, octaves, started, u, v, slope_z)
    for c in range(x.size):
        slope_x[c] = f32(1) + (slope_x[c] - drift[c]) / step_size
        slope_z[c] = (slope_z[c] - drift[c]) / step_size
        x[c] += drift[c]
    high = height / spacing
    for i in range(-1, 2):
        for j in range(-1, 2):
            _crescents(x, z, i, j, high, windward, lee, defects, irregularity, slope_x, slope_z, started, s)
    for c in range(x.size):
        s[c] *= spacing
        cover[c] = step(0, f32(0.1) * height, s[c])


FORM = Form(
    name="dunes",
    tip="Sand: crescents and long scalloped crests across the wind, steep to lee, flats between.",
    parameters=Dunes,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.01,
    unused=("size",),
    remark=remark,
)
