"""Lengths on Earth: what a degree, and a pixel of a map of the whole world, measure in metres at a latitude.

On the WGS 84 ellipsoid with semi-major axis a and eccentricity e a degree along a meridian and along a parallel is

    M(φ) = π/180·a(1 − e²)/(1 − e² sin²φ)^1.5        P(φ) = π/180·a cos φ/(1 − e² sin²φ)^0.5

Source: NGA.STND.0036, World Geodetic System 1984; J. P. Snyder, "Map Projections: A Working Manual", USGS Professional
Paper 1395 (1987), doi:10.3133/pp1395, equations 4-18 to 4-21 and 7-4 for the spherical Mercator projection.
"""

from __future__ import annotations

import math

_AXIS_M = 6_378_137.0
_ECCENTRICITY_2 = 0.006_694_379_990_14

WORLD_M = 2 * math.pi * _AXIS_M
"""How wide the whole world is in the web's Mercator projection."""

_STEEPEST = 89.0  # degrees: a parallel has no length at a pole


def degree_m(latitude: float) -> tuple[float, float]:
    """Return what a degree measures in metres at `latitude`, along the meridian and along the parallel."""
    phi = math.radians(min(max(latitude, -_STEEPEST), _STEEPEST))
    flat = 1 - _ECCENTRICITY_2 * math.sin(phi) ** 2
    along = math.radians(_AXIS_M * (1 - _ECCENTRICITY_2) / flat**1.5)
    return along, math.radians(_AXIS_M * math.cos(phi) / math.sqrt(flat))


def mercator_scale(northing_m: float) -> float:
    """Return how long a metre of the web's Mercator projection is on the ground, `northing_m` from the equator."""
    return 1 / math.cosh(northing_m / _AXIS_M)


def tile_pixel_m(zoom: int, row: int, pixels: int) -> float:
    """Return how wide a pixel in the middle of a tile of so many `pixels` is in metres; row 0 is the northernmost."""
    northing = WORLD_M * (0.5 - (row + 0.5) / 2**zoom)
    return WORLD_M / 2**zoom / pixels * mercator_scale(northing)
