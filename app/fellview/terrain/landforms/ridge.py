"""Ridge line: a winding crest along the landform's x, with peaks, saddles, and spurs between gullies.

With d the distance from the crest line z = c(x), and the crest's height e(x), which ends half the size to either side,

    s = e(x) − d·tan F − g,   e(x) = H·(1 − |2x/S|³)

F is the flanks' angle in true degrees where irregularity is 0. g is ridged noise drawn out downhill, so that gullies
run from the crest to the foot; on the crest it makes peaks and saddles, at the foot it is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy import float32 as f32

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import length, outline, ridged, step, wave, window, within


@dataclass(frozen=True)
class Ridge(Group):
    """What only a ridge line has."""

    flank: float = real(
        31.0,
        5.0,
        60.0,
        unit="°",
        tip="How steep its sides fall. Low is a broad down, high a wall of rock.",
        only={"kind": ("ridge",)},
    )


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants of a ridge line."""
    half = parameters.size / 200 * place.side
    flank = math.tan(math.radians(parameters.flank))
    width = max(parameters.height / flank, 1e-3 * half)  # from crest to foot
    return Prepared(
        {
            "half_m": half,
            "height_m": parameters.height,
            "flank": flank,
            "width_m": width,
            "irregularity": parameters.irregularity,
            "octaves": place.octaves(half / 2.2),
            "gully_octaves": min(place.octaves(0.5 * width), 4.0),
        }
    )


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    half, height, flank, width, irregularity = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    octaves, gully_octaves = numbers[5], numbers[6]
    first, last = within(x, z, f32(1.9) * half)
    for c in range(x.size):
        s[c] = height * (f32(1) - (abs(x[c]) / half) ** 3) - abs(z[c]) * flank
    if irregularity > f32(0) and last > first:
        u, v = scratch[0, first:last], scratch[1, first:last]
        a, b, crest, peaks = (
            scratch[2, first:last],
            scratch[3, first:last],
            scratch[4, first:last],
            scratch[5, first:last],
        )
        worn, gullies = scratch[6, first:last], scratch[7, first:last]
        x, z, s_near = x[first:last], z[first:last], s[first:last]
        for c in range(x.size):
            worn[c] = irregularity * window(length(x[c], z[c]), half)
            u[c], v[c] = f32(2.2) * x[c] / half, f32(2.2) * z[c] / half
        outline(u, v, octaves, 0.45, started, a, b)
        for c in range(x.size):
            u[c], v[c] = f32(1.6) * x[c] / half + f32(40), f32(0.5)
        wave(u, v, 2, 0.5, started, crest)
        for c in range(x.size):
            x[c] += f32(0.12) * worn[c] * half * a[c]
            z[c] += worn[c] * half * (f32(0.15) * b[c] + f32(0.4) * crest[c])
            u[c], v[c] = f32(3.3) * x[c] / half, f32(7.5)
        wave(u, v, 2, 0.5, started, peaks)
        for c in range(x.size):
            t = min(abs(z[c]) / width, f32(1.5))
            # drawn out downhill and turned by the bends; the shift by side keeps the two flanks apart
            side = f32(31.7) if z[c] > f32(0) else f32(0)
            u[c] = f32(1.9) * x[c] / width + side + f32(0.3) * a[c]
            v[c] = f32(0.7) * t + f32(0.3) * b[c]
        ridged(u, v, gully_octaves, started, gullies)
        for c in range(x.size):
            d = abs(z[c])
            end = abs(x[c]) / half
            t = min(d / width, f32(1.5))
            between = max(t * (f32(1.25) - t), f32(0)) * f32(2.56)
            notch = f32(0.4) * (f32(0.4) + peaks[c]) * max(f32(1) - t, f32(0))
            rough = f32(0.36) * between * (gullies[c] - f32(0.4)) - notch
            s_near[c] = height * (f32(1) - end * end * end) - d * flank + worn[c] * height * rough
    for c in range(s.size):
        cover[c] = step(0, f32(0.1) * height, s[c])


FORM = Form(
    name="ridge",
    tip="A mountain chain: a winding crest with spurs and gullies.",
    parameters=Ridge,
    prepare=prepare,
    shape=shape,
    sign=1,
    natural_height=0.13,
    natural_size=90.0,
)
