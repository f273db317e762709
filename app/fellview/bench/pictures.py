"""How far pictures are apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 5
"""Pixels a side."""


def differences(actual: NDArray[np.uint8], expected: NDArray[np.uint8]) -> tuple[float, float]:
    """Return the mean absolute difference and the largest mean absolute difference in a block, in levels of 255."""
    apart = np.abs(actual.astype(np.float64) - expected)
    per_pixel = apart.max(axis=2)
    block = min(BLOCK, *per_pixel.shape)
    windows = np.lib.stride_tricks.sliding_window_view(per_pixel, (block, block))
    return float(apart.mean()), float(windows.mean(axis=(2, 3)).max())
