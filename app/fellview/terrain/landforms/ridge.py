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

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, ridged, step, window


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
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    half, height, flank, width, irregularity = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    octaves, gully_octaves = numbers[5], numbers[6]
    irregularity *= window(math.sqrt(x * x + z * z), half)
    bend_x = bend_z = 0.0
    if irregularity > 0.0:
        bend_x, bend_z = outline(2.2 * x / half, 2.2 * z / half, octaves, 0.45, started)
        crest, _ = outline(1.6 * x / half + 40.0, 0.5, 2.0, 0.5, started)
        x += 0.12 * irregularity * half * bend_x
        z += irregularity * half * (0.15 * bend_z + 0.4 * crest)
    d = abs(z)
    end = abs(x) / half
    e = height * (1.0 - end * end * end)
    s = e - d * flank
    if irregularity > 0.0:
        peaks, _ = outline(3.3 * x / half, 7.5, 2.0, 0.5, started)
        t = min(d / width, 1.5)
        # drawn out downhill and turned by the bends; the shift by side keeps the two flanks apart
        side = 31.7 if z > 0.0 else 0.0
        gullies = ridged(1.9 * x / width + side + 0.3 * bend_x, 0.7 * t + 0.3 * bend_z, gully_octaves, started)
        between = max(t * (1.25 - t), 0.0) * 2.56
        s += irregularity * height * (0.36 * between * (gullies - 0.4) - 0.4 * (0.4 + peaks) * max(1.0 - t, 0.0))
    return s, step(0.0, 0.1 * height, s)


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
