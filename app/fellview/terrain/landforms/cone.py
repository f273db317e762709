"""Cone: a volcano with concave flanks, radial gullies, tongues of lava in folds, and a crater with a rim.

The slope's tangent dies away from the rim outwards, from t₁ at the rim's radius r₀ to t₀ at the foot, as on the cones
that Milne took from photographs:

    s = L·(t₁·exp(−(r − r₀)/L) − t₀),   L = H/(t₁ − t₀),   foot at r₀ + L·ln(t₁/t₀)

So the height and the two angles, true degrees, decide how wide it is, and there is no size: 1,000 m with 33° at the top
and 8° at the foot reach 3.0 km from rim to foot. The crater's radius r₀ is a share q of the whole, so that the foot
lies at L·ln(t₁/t₀)/(1 − q). Its bowl is a parabola of depth 0.5 r₀ (a wall of 45° below the rim), at most 0.8 H.

Stiff lava piles up at its front, and its skin is pushed into folds across the tongue, bowed downhill: ogives.

Sources: the profile: J. Milne, "On the form of volcanoes", Geological Magazine 5 (1878),
doi:10.1017/S0016756800150526; the folds: J. H. Fink, "Surface folding and viscosity of rhyolite flows", Geology 8
(1980), doi:10.1130/0091-7613(1980)8<250:SFAVOR>2.0.CO;2
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32 as f32
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared, draws
from fellview.terrain.landforms.shapes import bent, length, pair, ridged, smooth_min, step, window

_ONLY = {"kind": ("cone",)}
_BOWL = 0.5  # depth over the rim's radius: the parabola's wall stands at tan 45° = 2 · depth / radius
_DEEPEST = 0.8  # of the height
_SECTORS = 9  # each with one tongue of lava or none: some 4 at once
_THICK = 0.04  # of the height: 40 m on 1,000 m; flows of andesite are some tens of metres thick
_THIN, _FRONT = 0.55, 1.35  # of that: where lava comes out, and at its front, where it was stiff and cold
_FOLD = 0.022  # of the foot's radius: from fold to fold across a tongue, 120 m on a cone of 5.5 km
_FOLDS = 0.22  # of lava's thickness: how high the sum of both sorts swings, at most 1.8 times this, by eye
_BOWED = 0.9  # of half a tongue's width: how far its middle, which flows faster, has carried them ahead of its sides
_OTHER_FOLD = 0.62  # one over the length of the second sort of folds
_FOLD_CELLS = (4.0, 6.0)  # a fold: from where on a grid shows it, and in full
_SEEN = 12.0  # exp(−12) of a bowl of 1,000 m is 6 mm: farther from the rim it is not lowered
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
    gullies: float = real(
        0.5,
        0.0,
        1.0,
        tip="How deep water has cut its flanks, where it is irregular. Low is a fresh cone, high a worn one.",
        only=_ONLY,
    )
    lava: float = real(
        0.4, 0.0, 1.0, tip="How often a tongue of lava lies on its flanks. Low is none, high all around.", only=_ONLY
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
    fold = _FOLD * outer
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
            "octaves": min(place.octaves(outer / 1.7), 5.0),
            "gully_octaves": min(place.octaves(outer / 8), 3.0),
            "gully": 0.5 * parameters.gullies,
            "folds": _FOLDS * min(max((fold / place.cell - _FOLD_CELLS[0]) / (_FOLD_CELLS[1] - _FOLD_CELLS[0]), 0), 1),
        },
        _tongues(parameters.lava, place),
    )


def _tongues(lava: float, place: Place) -> NDArray[np.float32]:
    """Return a tongue of lava or none for each sector: where it begins and ends, its middle and its width.

    Begin and end are shares of the way from the rim to the foot, the middle is a share of the sector, and the width a
    factor, 0 where there is no tongue.
    """
    here, begins, long, middle, wide = (draws(place.started, _SECTORS, stream) for stream in range(3, 8))
    begins = 0.35 * begins
    width = np.where(here < lava, 0.7 + 0.6 * wide, 0.0)
    return np.stack([begins, begins + 0.35 + 0.5 * long, 0.25 + 0.5 * middle, width], axis=-1).astype(np.float32)


@kernel()
def _thickness(x, z, bend, rim, outer, folds, table):
    """Return how thick lava lies at (x, z), 0 … 1 and a little over at fronts."""
    r = length(x, z)
    t = (r - rim) / (outer - rim)
    if t < f32(0) or t > f32(1.3):
        return f32(0)
    turn = (math.atan2(z, x) / f32(2 * math.pi) + f32(0.5)) * f32(_SECTORS) + f32(0.45) * bend * t
    sector = np.floor(turn)
    thick = f32(0)
    for k in range(-1, 2):
        tongue = (np.int32(sector) + k + 2 * _SECTORS) % _SECTORS
        begins, ends, middle = table[tongue, 0], table[tongue, 1], sector + f32(k) + table[tongue, 2]
        # in lobes, for it came in many pulses
        half = outer * (f32(0.016) + f32(0.075) * t) * table[tongue, 3]
        half *= f32(1) + f32(0.16) * math.sin(f32(40) * t + f32(9) * middle)
        away = abs(turn - middle) * r * f32(2 * math.pi / _SECTORS)
        if away < half and t > begins:
            away /= half
            onward = max(t - ends, f32(0)) * outer / half
            # levees of cooled lava along its sides and around its blunt front, steep outwards; between them it sank
            out = min(length(away, onward), f32(1))
            bank = min(f32(5) * (f32(1) - out), f32(1)) * (f32(0.45) + f32(0.55) * out * out)
            bank *= f32(_THIN) + f32(_FRONT - _THIN) * min((t - begins) / (ends - begins), f32(1))
            ahead = (t * (outer - rim) + f32(_BOWED) * half * away * away) / (f32(_FOLD) * outer) + bend
            # two lengths, so that no fold is like the next
            fold = math.sin(f32(2 * math.pi) * ahead) + f32(0.8) * math.sin(f32(2 * math.pi * _OTHER_FOLD) * ahead)
            bank *= f32(1) + folds * (f32(1) - out) * fold
            thick = max(thick, bank * step(0, 0.08, t - begins))
    return thick


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    rim, outer, falls, top, foot = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    height, depth, irregularity = numbers[5], numbers[6], numbers[7]
    octaves, gully_octaves, gully, folds = numbers[8], numbers[9], numbers[10], numbers[11]
    bend = f32(0.13) * irregularity * outer
    first, last = bent(x, z, outer, bend, f32(1.7) / outer, octaves, 0.45, started, scratch)
    u, v, a, b, gullies = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for c in range(x.size):
        r = length(x[c], z[c])
        flank = falls * (top * math.exp(-max(r - rim, -rim) / falls) - foot)
        bowl = height - depth * (f32(1) - (r / rim) * (r / rim)) if rim > f32(0) else flank
        s[c] = smooth_min(flank, bowl, f32(0.25) * depth)
    if irregularity > f32(0) and last > first:
        for c in range(first, last):
            r = max(length(x[c], z[c]), f32(1e-6) * outer)
            way_x, way_z = x[c] / r, z[c] / r
            t = min(max((r - rim) / (outer - rim), f32(0)), f32(1))
            spread = f32(2.6) + f32(2.4) * t
            # bends of the ground turn the gullies too
            across = f32(0.33) * irregularity * (a[c] * way_z - b[c] * way_x)
            u[c], v[c] = spread * (way_x - across * way_z), spread * (way_z + across * way_x)
        ridged(u[first:last], v[first:last], gully_octaves, started, gullies[first:last])
        for c in range(first, last):
            r = max(length(x[c], z[c]), f32(1e-6) * outer)
            way_x, way_z = x[c] / r, z[c] / r
            t = min(max((r - rim) / (outer - rim), f32(0)), f32(1))
            fade = irregularity * window(r, outer)
            # the rim stands lower on some sides, gullies run straight down and join on the way
            near = (r - rim) / (f32(0.6) * rim + f32(0.02) * outer)
            if near * near < f32(_SEEN):
                breach, _ = pair(f32(1.4) * way_x + f32(5), f32(1.4) * way_z, started)
                inside = min(r / (rim + f32(0.01) * outer), f32(1))
                s[c] -= fade * f32(0.7) * depth * max(breach, f32(-0.3)) * inside * inside * math.exp(-near * near)
            worn = t * (f32(1) - t) * (f32(1) - t) * f32(4)
            v[c] = fade * gully * height * (f32(0.55) - gullies[c]) * worn
    else:
        v[:] = f32(0)
    # lava fills the gullies that it runs over
    for c in range(first, last):
        thick = _thickness(x[c], z[c], a[c], rim, outer, folds, table)
        s[c] += f32(_THICK) * height * thick - v[c] * (f32(1) - f32(0.8) * min(f32(1.6) * thick, f32(1)))
    for c in range(x.size):
        cover[c] = step(0, f32(0.1) * height, s[c])


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
