"""Reshapes the heights by a curve: the land keeps its lowest and highest point and the order of all others.

    n = (h − lowest) / (highest − lowest),   h' = lowest + C(n)·(highest − lowest)

C is the monotone cubic through (0, 0), (¼, a), (½, b), (¾, c), (1, 1), so it never turns down and has no kink. Points
out of order are raised to the one before. Its slope at a point between two chords d and e is their harmonic mean
2de/(d + e); at an end it is that of the parabola through three points, brought to between 0 and 3 chords.

References: F. N. Fritsch, R. E. Carlson, "Monotone piecewise cubic interpolation", SIAM Journal on Numerical Analysis
17 (1980), doi:10.1137/0717021; F. N. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic
interpolants", SIAM Journal on Scientific and Statistical Computing 5 (1984), doi:10.1137/0905021.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, real, switch
from fellview.terrain.domain import Domain
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

SEGMENTS = 4


@dataclass(frozen=True)
class Curve(Group):
    """Where ground of each height goes, in shares of the land's relief."""

    key: ClassVar[str] = "curve"
    title: ClassVar[str] = "Curve"

    enabled: bool = switch(False, tip="Moves lowlands, slopes and heights up or down, each by a slider of its own.")
    lower: float = real(
        10.0,
        0.0,
        100.0,
        unit="%",
        label="Lowlands",
        tip="Where ground at 25 % of the relief goes. Low spreads wide plains, high cuts narrow gorges.",
    )
    middle: float = real(
        35.0,
        0.0,
        100.0,
        unit="%",
        label="Slopes",
        tip="Where ground at 50 % goes. Low leaves few mountains, high a plateau with valleys.",
    )
    upper: float = real(
        68.0,
        0.0,
        100.0,
        unit="%",
        label="Heights",
        tip="Where ground at 75 % goes. Low draws out sharp summits, high flattens the tops.",
    )


def segments(parameters: Curve) -> NDArray[np.float32]:
    """Return the curve's cubics, float32 (4, 4): segment s is Σ cₖ·tᵏ for t = 4n − s from 0 to 1."""
    given = (0.0, parameters.lower / 100, parameters.middle / 100, parameters.upper / 100, 1.0)
    values = list(accumulate(given, max))
    chords = [after - before for before, after in pairwise(values)]
    slopes = [_at_end(chords[0], chords[1])]
    slopes += [2 * d * e / (d + e) if d * e > 0 else 0.0 for d, e in pairwise(chords)]
    slopes.append(_at_end(chords[-1], chords[-2]))
    cubics = [
        (value, m0, 3 * chord - 2 * m0 - m1, m0 + m1 - 2 * chord)
        for value, chord, (m0, m1) in zip(values, chords, pairwise(slopes), strict=False)
    ]
    return np.array(cubics, np.float32)


def _at_end(outer: float, inner: float) -> float:
    """Return the slope at an end: the parabola's, kept between 0 and three times the outer chord."""
    return min(max((3 * outer - inner) / 2, 0.0), 3 * outer)


@kernel(parallel=True)
def _reshape(heights, lowest, relief, cubics, out, cancel):
    rows, columns = heights.shape
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            n = min(max((heights[r, c] - lowest) / relief, np.float32(0)), np.float32(1)) * np.float32(SEGMENTS)
            s = min(int(n), SEGMENTS - 1)
            t = n - np.float32(s)
            share = cubics[s, 0] + t * (cubics[s, 1] + t * (cubics[s, 2] + t * cubics[s, 3]))
            out[r, c] = lowest + share * relief


def run(parameters: Curve, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the reshaped heights, float32 [row, column]."""
    lowest, highest = heights.min(), heights.max()
    relief = highest - lowest
    if not relief > 0:
        return heights.copy()  # flat land has no middle
    reshaped = np.empty_like(heights)
    _reshape(read_only(heights), lowest, relief, segments(parameters), reshaped, progress.cancel)
    return reshaped


def active(parameters: Curve) -> bool:
    """Return whether any height moves."""
    return parameters.enabled and (parameters.lower, parameters.middle, parameters.upper) != (25.0, 50.0, 75.0)


STEP = Step(Curve, run, active)
