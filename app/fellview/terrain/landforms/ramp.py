"""Ramp: the land rises along the landform's x, from 0 to the height H over the length S, and is flat before and behind.

    s = smooth_min(smooth_max(H·(x/S + 1/2), 0, k), H, k),   k = H/10

The slope between is H/S in true metres.
"""

from __future__ import annotations

from typing import Any

from fellview.core.compiled import kernel
from fellview.core.parameters import Group
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, smooth_max, smooth_min


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
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    length, height, bend, frequency, octaves = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    bend_x, _ = outline(x * frequency, z * frequency, octaves, 0.42, started)
    line = height * ((x + bend * bend_x) / length + 0.5)
    s = smooth_min(smooth_max(line, 0.0, 0.1 * height), height, 0.1 * height)
    return s, s / height


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
