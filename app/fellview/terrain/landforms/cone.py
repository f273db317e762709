"""Cone: a volcano with concave flanks, radial gullies, and a crater with a rim.

The slope's tangent dies away from the rim outwards, from t₁ at the rim's radius r₀ to t₀ at the foot, as on the cones
that Milne took from photographs:

    s = L·(t₁·exp(−(r − r₀)/L) − t₀),   L = H/(t₁ − t₀),   foot at r₀ + L·ln(t₁/t₀)

So the height and the two angles, true degrees, decide how wide it is, and there is no size: 1,000 m with 33° at the top
and 8° at the foot reach 3.0 km from rim to foot. The crater's radius r₀ is a share q of the whole, so that the foot
lies at L·ln(t₁/t₀)/(1 − q). Its bowl is a parabola of depth 0.5 r₀ (a wall of 45° below the rim), at most 0.8 H.

Source: J. Milne, "On the form of volcanoes", Geological Magazine 5 (1878), doi:10.1017/S0016756800150526
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, pair, ridged, smooth_min, step, window

_ONLY = {"kind": ("cone",)}
_BOWL = 0.5  # depth over the rim's radius: the parabola's wall stands at tan 45° = 2 · depth / radius
_DEEPEST = 0.8  # of the height
_LEAST_FALL = 0.02  # tangents at top and foot are at least so far apart


@dataclass(frozen=True)
class Cone(Group):
    """What only a cone has."""

    top_angle: float = real(
        33.0, 10.0, 45.0, unit="°", tip="Slope below the rim. Low is a shield, high a steep peak.", only=_ONLY
    )
    foot_angle: float = real(
        8.0, 1.0, 30.0, unit="°", tip="Slope at the foot. Low sweeps far out, high ends abruptly.", only=_ONLY
    )
    crater: float = real(
        13.0, 0.0, 70.0, unit="%", tip="Crater's width, of the cone's. Low is a peak, high a caldera.", only=_ONLY
    )


def radii(parameters: Any) -> tuple[float, float, float]:
    """Return the radius of the rim, that of the foot, and the length L, in metres."""
    top = math.tan(math.radians(parameters.top_angle))
    foot = min(math.tan(math.radians(parameters.foot_angle)), top - _LEAST_FALL)
    length = parameters.height / (top - foot)
    outer = length * math.log(top / foot) / (1 - parameters.crater / 100)
    return parameters.crater / 100 * outer, outer, length


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a cone."""
    rim, outer, length = radii(parameters)
    top = math.tan(math.radians(parameters.top_angle))
    return Prepared(
        {
            "rim_m": rim,
            "outer_m": outer,
            "length_m": length,
            "top": top,
            "foot": top - parameters.height / length,
            "height_m": parameters.height,
            "depth_m": min(_BOWL * rim, _DEEPEST * parameters.height),
            "irregularity": parameters.irregularity,
            "octaves": place.octaves(outer / 1.7),
            "gully_octaves": min(place.octaves(outer / 8), 3.0),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    rim, outer, length, top, foot = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    height, depth, irregularity = numbers[5], numbers[6], numbers[7]
    octaves, gully_octaves = numbers[8], numbers[9]
    irregularity *= window(math.sqrt(x * x + z * z), outer)
    bend_x = bend_z = 0.0
    if irregularity > 0.0:
        bend_x, bend_z = outline(1.7 * x / outer, 1.7 * z / outer, octaves, 0.45, started)
    x += 0.13 * irregularity * outer * bend_x
    z += 0.13 * irregularity * outer * bend_z
    r = math.sqrt(x * x + z * z)
    way_x, way_z = x / max(r, 1e-6 * outer), z / max(r, 1e-6 * outer)
    flank = length * (top * math.exp(-max(r - rim, -rim) / length) - foot)
    bowl = height - depth * (1.0 - (r / rim) * (r / rim)) if rim > 0.0 else flank
    s = smooth_min(flank, bowl, 0.25 * depth)
    # the rim stands lower on some sides, gullies run straight down and join on the way
    if irregularity > 0.0:
        near = (r - rim) / (0.6 * rim + 0.02 * outer)
        breach, _ = pair(1.4 * way_x + 5.0, 1.4 * way_z, started)
        inside = min(r / (rim + 0.01 * outer), 1.0)
        s -= irregularity * 0.7 * depth * max(breach, -0.3) * inside * inside * math.exp(-near * near)
        t = min(max((r - rim) / (outer - rim), 0.0), 1.0)
        spread = 2.6 + 2.4 * t
        # bends of the ground turn the gullies too
        across = 1.1 * (bend_x * way_z - bend_z * way_x)
        gullies = ridged(
            spread * (way_x - 0.3 * across * way_z), spread * (way_z + 0.3 * across * way_x), gully_octaves, started
        )
        s -= irregularity * 0.2 * height * (gullies - 0.1) * t * (1.0 - t) * (1.0 - t) * 4.0
    return s, step(0.0, 0.1 * height, s)


FORM = Form(
    name="cone",
    tip="A volcano: concave flanks, gullies, a crater. As wide as its height and angles make it.",
    parameters=Cone,
    prepare=prepare,
    shape=shape,
    sign=1,
    natural_height=0.13,
    unused=("size",),
)
