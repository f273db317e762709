"""Basin: a bowl of the given size and depth H, with an outline bent by noise.

s = H·(ρ² − 1) for ρ ≤ 1,   2H·(ρ − 1) beyond,   ρ = distance / radius
"""

from __future__ import annotations

import math
from typing import Any

from fellview.core.compiled import kernel
from fellview.core.parameters import Group
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, step, window


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
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    radius, height, bend, octaves = numbers[0], numbers[1], numbers[2], numbers[3]
    x /= radius
    z /= radius
    bend *= window(math.sqrt(x * x + z * z), 1.0)
    if bend > 0.0:
        bend_x, bend_z = outline(1.3 * x, 1.3 * z, octaves, 0.38, started)
        x += bend * bend_x
        z += bend * bend_z
    rho = math.sqrt(x * x + z * z)
    s = height * (rho * rho - 1.0 if rho < 1.0 else 2.0 * (rho - 1.0))
    return s, step(0.0, 0.1 * height, -s)


FORM = Form(
    name="basin",
    tip="A bowl sunk into the land.",
    parameters=Group,
    prepare=prepare,
    shape=shape,
    sign=-1,
    natural_height=0.06,
)
