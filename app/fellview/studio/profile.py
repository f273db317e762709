"""A profile: the heights of a land along a straight line."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fellview.core.height_field import HeightField
from fellview.view.picking import heights_at

_SAMPLES = 160

Place = tuple[float, float]
"""x and z in metres."""


@dataclass(frozen=True)
class Profile:
    """Heights in metres at even distances along `length_m` metres."""

    length_m: float
    heights: tuple[float, ...]

    @property
    def extremes(self) -> tuple[float, float]:
        """The lowest and the highest of them."""
        return min(self.heights), max(self.heights)


def profile(field: HeightField, start: Place, end: Place, samples: int = _SAMPLES) -> Profile:
    """Return the profile of `field` from `start` to `end`; beyond its edge heights go on level."""
    x, z = (np.linspace(one, other, samples) for one, other in zip(start, end, strict=True))
    return Profile(math.dist(start, end), tuple(heights_at(field, x, z).tolist()))
