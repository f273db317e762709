"""How much of a land lies how high: the histogram of its heights and its hypsometric curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import Heights

BINS = 64


@dataclass(frozen=True)
class Hypsometry:
    """Lowest, mean and highest height in metres; `edges` (n + 1) of bins of heights, and of the land's area the
    `shares` (n) in each and the shares `above` (n + 1) each edge.

    (A. N. Strahler, Hypsometric (area-altitude) analysis of erosional topography, GSA Bulletin 63, 1952,
    doi:10.1130/0016-7606(1952)63[1117:HAAOET]2.0.CO;2)
    """

    lowest: float
    mean: float
    highest: float
    edges: NDArray[np.float64]
    shares: NDArray[np.float64]
    above: NDArray[np.float64]

    @property
    def integral(self) -> float:
        """The area under the curve of relative heights, 0 to 1: high for uplands, low for plains with single hills."""
        relief = self.highest - self.lowest
        return (self.mean - self.lowest) / relief if relief > 0 else 0.5


def hypsometry(heights: Heights, bins: int = BINS) -> Hypsometry:
    """Return how `heights`, float32 [row, column], are spread over so many `bins` from the lowest to the highest."""
    lowest, highest = float(heights.min()), float(heights.max())
    per_metre = bins / max(highest - lowest, 1e-6)
    places = ((heights - np.float32(lowest)) * np.float32(per_metre)).astype(np.int32)
    counts = np.bincount(np.minimum(places, bins - 1).ravel(), minlength=bins)
    shares = counts / heights.size
    above = np.concatenate([np.cumsum(shares[::-1])[::-1], [0.0]])
    edges = np.linspace(lowest, max(highest, lowest + 1e-6), bins + 1)
    return Hypsometry(lowest, float(heights.mean(dtype=np.float64)), highest, edges, shares, above)
