"""A profile: the heights of the ground along a straight line over it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fellview.core.height_field import HeightField
from fellview.view.extent import Vector
from fellview.view.picking import heights_at

Place = tuple[float, float]
"""x and z in metres."""

SAMPLES = 257


@dataclass(frozen=True)
class Profile:
    """Metres along the line from its start, (n,), and the heights there, (n,)."""

    along: Vector
    heights: Vector


def profile(field: HeightField, start: Place, end: Place, samples: int = SAMPLES) -> Profile:
    """Return the heights of `field` at so many places from `start` to `end`, evenly apart and both included."""
    x, z = (np.linspace(one, other, samples) for one, other in zip(start, end, strict=True))
    return Profile(np.linspace(0.0, math.dist(start, end), samples), heights_at(field, x, z))
