"""Plateau: a flat top behind a cliff, over a slope of scree.

With d the distance inward from the foot, T the scree's angle of repose, C the cliff's angle, H the height, and the
scree as high as 0.4 H,

    s = smooth_min(max(d·tan T, 0.4 H + (d − 0.4 H/tan T)·tan C), H),   on −∞ < d

The foot is a circle of the given size, bent by noise; where irregularity is 0 the angles are true degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import bent, length, smooth_min, step

SCREE_ANGLE = 33.0  # degrees: where loose rock comes to rest
SCREE_SHARE = 0.4  # of the height; cliffs of tablelands stand on scree of a third to a half


@dataclass(frozen=True)
class Plateau(Group):
    """What only a plateau has."""

    cliff: float = real(
        68.0,
        35.0,
        85.0,
        unit="°",
        tip="How steep the upper wall stands. Low is a mound with a flat top, high a tableland with cliffs.",
        only={"kind": ("plateau",)},
    )


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a plateau."""
    radius = parameters.size / 200 * place.side
    return Prepared(
        {
            "radius_m": radius,
            "height_m": parameters.height,
            "bend_m": 0.45 * parameters.irregularity * radius,
            "frequency": 1.3 / radius,
            "octaves": place.octaves(radius / 1.3),
            "scree": math.tan(math.radians(SCREE_ANGLE)),
            "cliff": math.tan(math.radians(parameters.cliff)),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    radius, height, bend, frequency = numbers[0], numbers[1], numbers[2], numbers[3]
    octaves, scree, cliff = numbers[4], numbers[5], numbers[6]
    bent(x, z, radius, bend, frequency, octaves, 0.45, started, scratch)
    scree_height = f32(SCREE_SHARE) * height
    for c in range(x.size):
        d = radius - length(x[c], z[c])
        wall = max(d * scree, scree_height + (d - scree_height / scree) * cliff)
        s[c] = smooth_min(wall, height, f32(0.06) * height)
        cover[c] = step(0, f32(0.1) * height, s[c])


FORM = Form(
    name="plateau",
    tip="A tableland: flat top, cliff, scree.",
    parameters=Plateau,
    prepare=prepare,
    shape=shape,
    sign=1,
    natural_height=0.07,
)
