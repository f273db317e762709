"""Basin: a bowl of the given size and depth H, with an outline bent by noise.

s = H·(ρ² − 1) for ρ ≤ 1,   2H·(ρ − 1) beyond,   ρ = distance / radius
"""

from __future__ import annotations

from typing import Any

from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import bent, length, step


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a basin."""
    radius = parameters.size / 200 * place.side
    return Prepared(
        {
            "radius_m": radius,
            "height_m": parameters.height,
            "bend": 0.4 * parameters.irregularity,
            "octaves": place.octaves(radius / 1.3),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    radius, height, bend, octaves = numbers[0], numbers[1], numbers[2], numbers[3]
    bent(x, z, radius, bend * radius, f32(1.3) / radius, octaves, 0.38, started, scratch)
    for c in range(x.size):
        rho = length(x[c], z[c]) / radius
        s[c] = height * (rho * rho - f32(1) if rho < f32(1) else f32(2) * (rho - f32(1)))
        cover[c] = step(0, f32(0.1) * height, -s[c])


FORM = Form(
    name="basin",
    tip="A bowl sunk into the land.",
    parameters=Group,
    prepare=prepare,
    shape=shape,
    sign=-1,
    natural_height=0.06,
)
