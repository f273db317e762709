"""Nights without air, which the full Earth lights, across from where the sun has set.

Its light is some hundred thousand times weaker than the sun's. Eyes get used to that, and what they then see is given
here: light that the exposure of the day shows. It comes while the sun's disc sets, so that ground is never black
between the two. Shadows are the sun's until the disc has gone. So the Earth's light is soft at first, like a sky's that
is brightest about the Earth, and then more and more of it has shadows; level ground has as much either way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.draw.colour import LUMINANCE
from fellview.draw.light import exposure

# What the full Earth sends to the moon: the sun's light times an albedo of 0.3, two thirds of that towards where it
# came from, times the square of the Earth's radius over its distance, 6371 km / 384,400 km; 0.2 magnitudes bluer, as
# its seas and air are. P. R. Goode et al., "Earthshine observations of the Earth's reflectance" (2001),
# doi:10.1029/2000GL012580.
_OF_SUNLIGHT = np.array([0.93, 1.0, 1.12]) * 0.3 * 2 / 3 * (6371 / 384_400) ** 2
_STARLIGHT = 0.1  # of the Earth's light, from all over the sky: far more than there is, or its shadows were black
_AT_SUNSET = 0.5  # the share of it that is seen when the sun's disc has set: ground about as bright as a little before
_USED_AFTER_DEG = 1.2  # degrees that the sun sinks from then on until eyes have got used to it

HEIGHT_DEG = 17.0
"""How high the Earth stands: so low that craters have bright and dark sides, and so high that shadows leave ground."""


@dataclass(frozen=True)
class Earthlight:
    """Light as it is shown, rgb over pi."""

    lit: NDArray[np.float64]
    """What falls on a surface that faces the Earth, past what throws shadows."""
    sky: NDArray[np.float64]
    """Four terms of the rest, as in draw/light/sky_irradiance.glsl: (4, rgb)."""


def earthlight(
    sunlight: NDArray[np.float64], elevation: float, radius_deg: float, towards: NDArray[np.float64]
) -> Earthlight:
    """Return the light of an Earth in the `sunlight`, rgb over pi, where the sun is `elevation` degrees high.

    Its disc has a radius of `radius_deg` degrees. `towards` is the unit vector to the Earth, world xyz.
    """
    rise = float(towards[1])
    full = sunlight * _OF_SUNLIGHT
    full = full * exposure.adapted(float(LUMINANCE @ full) * (rise + _STARLIGHT))
    sunk = (-radius_deg, radius_deg, radius_deg + _USED_AFTER_DEG)
    seen = full * np.interp(-elevation, sunk, (0.0, _AT_SUNSET, 1.0))
    shadowed = np.interp(-elevation, sunk, (0.0, 0.0, 1.0))
    soft = (1 - shadowed) * 2 * rise / (1 + rise) * seen  # a surface that faces away has none of it
    stars = _STARLIGHT * seen
    sky = np.array([soft + stars, *np.outer(towards, soft)]) / 2
    sky[2] += stars / 2  # the halves of what falls on level ground
    return Earthlight(shadowed * seen, sky)
