"""How a picture changes across the border of the land, against how it changes across lines inside.

Every line is looked at alike: a strip on either side of it, and what tells the one from the other. A border that is
like any line inside lies among them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float64]

STRIP = 20
"""Pixels of a strip's width."""

_EVERY = 2  # pixels from one line inside to the next
_FINE = 1 / 8  # cycles a pixel along the line: what is finer is grain, what is coarser form
_COARSE = 1 / 64


def gradient(before: Picture, after: Picture) -> float:
    """Return the mean step over the line itself."""
    return float(np.abs(after[:, 0] - before[:, -1]).mean())


def brightness(before: Picture, after: Picture) -> float:
    """Return how much brighter the one strip is."""
    return float(after.mean() - before.mean())


def roughness(before: Picture, after: Picture) -> float:
    """Return how much rougher it is along the line, as a logarithm."""
    return float(np.log(_rough(after) / _rough(before)))


def spectrum(before: Picture, after: Picture) -> float:
    """Return how much more of its variance is fine, as a logarithm."""
    return float(np.log(_fine(after) / _fine(before)))


MEASURES: tuple[Callable[[Picture, Picture], float], ...] = (gradient, brightness, roughness, spectrum)


def _rough(strip: Picture) -> float:
    return float(np.abs(np.diff(strip, axis=0)).mean()) + 1e-3


def _fine(strip: Picture) -> float:
    rows = strip - strip.mean(axis=0)
    power = (np.abs(np.fft.rfft(rows * np.hanning(len(rows))[:, None], axis=0)) ** 2).mean(axis=1)
    cycles = np.fft.rfftfreq(len(rows))
    fine, coarse = power[cycles > _FINE].sum(), power[(cycles > _COARSE) & (cycles <= _FINE)].sum()
    return float((fine + 1e-3) / (coarse + 1e-3))


def places(picture: Picture, first: int, last: int) -> dict[str, tuple[float, float]]:
    """Return where the borders at the columns `first` and `last` of `picture` lie among the lines between them.

    Shares of those lines, 0 to 1, whose value is less, by the name of the measure.
    """
    found = {}
    for measure in MEASURES:

        def across(column: int, measure: Callable[[Picture, Picture], float] = measure) -> float:
            return measure(picture[:, column - STRIP : column], picture[:, column : column + STRIP])

        inside = np.array([across(column) for column in range(first + STRIP, last - STRIP + 1, _EVERY)])
        one, other = (float((inside < across(column)).mean()) for column in (first, last))
        found[measure.__name__] = one, other
    return found
