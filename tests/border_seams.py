"""How a picture changes across the border of the land, against how it changes across lines inside.

Every line is looked at alike: a strip on either side of it, and what tells the one from the other. A border that is
like any line inside lies among them. Of each line the longest stretch is taken that is all sea or all ground, and
compared with what others have of the same: an island's borders lie in the sea, which is smoother than rock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float64]

STRIP = 20
"""Pixels of a strip's width."""

FIRST, LAST = 0.05, 0.95
"""Shares of the lines inside between whose values a line is like them."""

LEAST_PIXELS = 64
"""Of a line that must be sea, or ground, for it to be compared as that: as long as the coarsest waves looked at."""

LEAST_LINES = 20
"""That are compared with one: of fewer, a twentieth is none."""

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


@dataclass(frozen=True)
class Lines:
    """What one measure tells of parallel lines of a picture: the first border, lines inside, and the last border."""

    values: NDArray[np.float64]
    """By whether it is told of the sea, and by line; nan where a line has too little of that."""
    in_sea: NDArray[np.bool_]
    """Of each line, whether most of it lies in the sea."""

    @property
    def places(self) -> NDArray[np.float64]:
        """Where each line lies among those inside: the share of them whose value is less, 0 to 1.

        Sea is compared with sea, and ground with ground; nan where too few have any.
        """
        found = np.full(len(self.in_sea), np.nan)
        for line, in_sea in enumerate(self.in_sea):
            alike = self.values[int(in_sea), 1:-1]
            alike = alike[~np.isnan(alike)]
            if len(alike) >= LEAST_LINES:
                found[line] = (alike < self.values[int(in_sea), line]).mean()
        return found

    @property
    def odd(self) -> NDArray[np.bool_]:
        """Of each line, whether few inside are as it is."""
        places = self.places
        return (places < FIRST) | (places > LAST)


def lines(picture: Picture, sea: NDArray[np.bool_], first: int, last: int) -> dict[str, Lines]:
    """Return what is told of the borders at the columns `first` and `last` of `picture` and of the lines between them.

    By the name of the measure. `sea` says which pixels show it.
    """
    columns = [first, *range(first + STRIP, last - STRIP + 1, _EVERY), last]
    values = np.full((len(MEASURES), 2, len(columns)), np.nan)
    in_sea = np.zeros(len(columns), bool)
    for line, column in enumerate(columns):
        beside = slice(column - STRIP, column + STRIP)
        runs = [_longest_run((sea[:, beside] == kind).all(axis=1)) for kind in (False, True)]
        lengths = [run.stop - run.start for run in runs]
        in_sea[line] = lengths[1] > lengths[0]
        for kind, (run, length) in enumerate(zip(runs, lengths, strict=True)):
            if length < LEAST_PIXELS and kind != in_sea[line]:
                continue
            before, after = picture[run, column - STRIP : column], picture[run, column : column + STRIP]
            values[:, kind, line] = [measure(before, after) for measure in MEASURES]
    return {measure.__name__: Lines(values[at], in_sea) for at, measure in enumerate(MEASURES)}


def _longest_run(rows: NDArray[np.bool_]) -> slice:
    """Return the longest run of `rows` that are true."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], rows, [False]])))
    if not len(ends):
        return slice(0, 0)
    longest = int(np.argmax(ends[1::2] - ends[::2]))
    return slice(int(ends[2 * longest]), int(ends[2 * longest + 1]))


def by_chance(pictures: Iterable[Iterable[Lines]], percent: float) -> int:
    """Return the number of odd values that `percent` of lands without any border have no more of.

    `pictures` are of one land along parallel lines each time, and each has two borders: in their places any two lines
    inside are taken. What is odd about a line is so in several pictures and by several measures at once, so that
    counts spread wider than those of a tenth of single values.
    """
    chances = np.ones(1)
    for picture in pictures:
        odd = np.sum([each.odd[1:-1] for each in picture], axis=0)
        of_a_line = np.bincount(odd) / len(odd)
        chances = np.convolve(np.convolve(chances, of_a_line), of_a_line)
    return int(np.searchsorted(np.cumsum(chances), percent / 100 - 1e-9))
