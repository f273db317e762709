"""Ramp: the land rises along the landform's x, from 0 to the height H over the length S, and is flat before and behind.

    s = smooth_min(smooth_max(H·(x/S + 1/2), 0, k), H, k),   k = H/10

The slope between is H/S in true metres where irregularity is 0. Spurs and gullies, ridged noise drawn out downhill,
grow with irregularity, and die out at the foot and at the brow.
"""

from __future__ import annotations

from typing import Any

from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import ridged, smooth_max, smooth_min, wave


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a ramp."""
    length = parameters.size / 100 * place.side
    wavelength = 0.6 * place.side
    return Prepared(
        {
            "length_m": length,
            "height_m": parameters.height,
            "bend_m": 0.16 * parameters.irregularity * (length + 0.5 * place.side),
            "frequency": 1 / wavelength,
            "octaves": min(place.octaves(wavelength), 5.0),
            "spurs": 0.9 * parameters.irregularity,
            "spur_frequency": 1.6 / length,
            "spur_octaves": min(place.octaves(length / 1.6), 5.0),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    length, height, bend, frequency, octaves = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    spurs, spur_frequency, spur_octaves = numbers[5], numbers[6], numbers[7]
    u, v, a, crests = scratch[0], scratch[1], scratch[2], scratch[3]
    for c in range(x.size):
        u[c], v[c] = frequency * x[c], frequency * z[c]
    wave(u, v, octaves, 0.42, started, a)
    for c in range(x.size):
        # drawn out downhill
        u[c], v[c] = spur_frequency * (f32(0.45) * x[c] + f32(0.5) * bend * a[c]), spur_frequency * z[c]
    ridged(u, v, spur_octaves, started, crests)
    for c in range(x.size):
        t = (x[c] + bend * a[c]) / length + f32(0.5)
        between = max(t * (f32(1) - t), f32(0)) * f32(4)
        line = height * (t + spurs * between * (crests[c] - f32(0.4)))
        s[c] = smooth_min(smooth_max(line, f32(0), f32(0.1) * height), height, f32(0.1) * height)
        cover[c] = s[c] / height


FORM = Form(
    name="ramp",
    tip="Low land that rises to high land, along its direction.",
    parameters=Group,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.1,
    natural_size=30.0,
)
