"""Dunes: wind blows along the landform's x; sand climbs gently and falls off a sharp crest.

Crests are the lines on which a phase φ, in cycles, is whole. Its slow part is the argument of a complex noise A:

    φ = x/λ + arg(A)/2π,   A = 1 + 6·defects·(n₁ + i·n₂)

Where A is 0 a crest ends or forks, as it does between real dunes. With the local wavelength λ' = λ/|∇φ|λ and the angles
W to windward and L to lee, a dune of height h covers the shares

    w = h / (0.85·tan W·λ'),   l = h / (tan L·λ'),   h = min(height·m, 0.95·λ' / (1/(0.85·tan W) + 1/tan L))

of its cycle, after a flat of 1 − w − l. So angles are true degrees wherever λ' hardly changes, low dunes leave flats
between, and none is higher than its spacing carries: 0.11 of it at 11.5° and 33°. m, from noise, lowers some crests.
The windward foot is rounded over 0.3 of its width.

Source: phase as the argument of a narrow band: T. Tricard et al., "Procedural phasor noise", ACM Transactions on
Graphics 38 (2019), doi:10.1145/3306346.3322990; angles: N. Lancaster, "Geomorphology of desert dunes" (1995)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real
from fellview.terrain.landforms.form import Form, Place, Prepared
from fellview.terrain.landforms.shapes import outline, pair, step

_ONLY = {"kind": ("dunes",)}
LEE = 33.0  # degrees: dry sand at rest, 32 to 34
_TOE = 0.3  # of the windward side, rounded
_FILLED = 0.95  # most of a cycle that a dune covers


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
        0.6,
        0.0,
        1.0,
        tip="How often crests end and fork. Low is a field of long ridges, high single dunes.",
        only=_ONLY,
    )


def highest(parameters: Any, side: float) -> float:
    """Return the height in metres that the spacing carries."""
    run = 1 / ((1 - _TOE / 2) * math.tan(math.radians(parameters.windward))) + 1 / math.tan(math.radians(LEE))
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
            "height_m": parameters.height,
            "windward": math.tan(math.radians(parameters.windward)),
            "lee": math.tan(math.radians(LEE)),
            "defects": 6.0 * parameters.defects,
            "irregularity": parameters.irregularity,
            "octaves": min(place.octaves(spacing), 2.0),
        }
    )


@kernel()
def _band(x, z, defects, irregularity, octaves, started):
    """Return the complex noise at (x, z) in spacings, turned on by the bends of the crests."""
    a, b = pair(0.31 * x, 0.19 * z, started)
    bend, _ = outline(0.21 * x + 50.0, 0.33 * z, octaves, 0.35, started)
    a, b = 1.0 + defects * a, defects * b
    turn = 8.0 * irregularity * bend
    cos, sin = math.cos(turn), math.sin(turn)
    return a * cos - b * sin, a * sin + b * cos


@kernel()
def shape(x, z, numbers, table, spans, started):
    """Return height and cover at (x, z)."""
    spacing, height, windward, lee = numbers[0], numbers[1], numbers[2], numbers[3]
    defects, irregularity, octaves = numbers[4], numbers[5], numbers[6]
    x /= spacing
    z /= spacing
    tau = 6.283185307179586
    a, b = _band(x, z, defects, irregularity, octaves, started)
    ax, bx = _band(x + 0.03, z, defects, irregularity, octaves, started)
    az, bz = _band(x, z + 0.03, defects, irregularity, octaves, started)
    # the change of the argument over 0.03 spacings
    kx = 1.0 + math.atan2(a * bx - b * ax, a * ax + b * bx) / (0.03 * tau)
    kz = math.atan2(a * bz - b * az, a * az + b * bz) / (0.03 * tau)
    phase = x + math.atan2(b, a) / tau
    cycle = spacing / max(math.sqrt(kx * kx + kz * kz), 0.2)
    low, _ = pair(0.23 * x, 0.23 * z + 90.0, started)
    runs = 1.0 / (0.85 * windward) + 1.0 / lee
    h = min(height * (1.0 - 0.5 * irregularity * min(abs(low) * 1.5, 1.0)), 0.95 * cycle / runs)
    up, down = h / (0.85 * windward * cycle), h / (lee * cycle)
    t = phase - math.floor(phase)
    if t > 1.0 - down:
        s = h * (1.0 - t) / down
    else:
        t = max(t - (1.0 - up - down), 0.0) / up
        s = h * (t * t / 0.6 if t < 0.3 else t - 0.15) / 0.85
    return s, step(0.0, 0.1 * height, s)


FORM = Form(
    name="dunes",
    tip="Sand: sharp winding crests across the wind, steep to lee, flats between.",
    parameters=Dunes,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.01,
    unused=("size",),
    remark=remark,
)
