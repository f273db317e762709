"""How near pictures are to each other: what a moving frame lacks of a resting one, and how steadily frames follow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""[row, column, rgb], display colours."""

_WHITE = 255.0
_EQUAL_DB = 40.0  # from here on no difference is seen
_FINER_DB = 3.0  # than a frame of one sample: the mean of two has this less noise
MOST_DB = 99.0
"""What stands for no difference at all, of which the decibels would be infinite."""


def psnr_db(one: Pixels, other: Pixels) -> float:
    """Return the peak signal-to-noise ratio of two pictures in decibels: 20·lg(255 / root mean square difference)."""
    difference = one.astype(np.float32) - other.astype(np.float32)
    square = float(np.mean(difference * difference, dtype=np.float64))
    return min(20 * math.log10(_WHITE / math.sqrt(square)), MOST_DB) if square else MOST_DB


def change(frames: Sequence[Pixels]) -> float:
    """Return the mean absolute difference between frames that follow each other, in levels of 255; of two at least."""
    pairs = list(itertools.pairwise(frames))
    return sum(
        float(np.mean(np.abs(after.astype(np.int16) - before.astype(np.int16)), dtype=np.float64))
        for before, after in pairs
    ) / len(pairs)


def steadiness(moving: Sequence[Pixels], full: Sequence[Pixels]) -> float:
    """Return by what factor `moving` frames change more from each to the next than `full` ones of the same cameras."""
    return change(moving) / max(change(full), 1e-6)  # a picture that stands still


def is_sharp(shown: Pixels, single: Pixels, first: Pixels, resting: Pixels) -> bool:
    """Return whether a picture is one at full resolution: one of a single sample, or a mean that is finer.

    `single` is that, `first` the first frame of the `resting` picture, whose pixels have their centres elsewhere.
    """
    if max(psnr_db(shown, single), psnr_db(shown, first)) >= _EQUAL_DB:
        return True
    return psnr_db(shown, resting) >= psnr_db(single, resting) + _FINER_DB
