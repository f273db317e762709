"""The cubic 3t² − 2t³ for kernels, which blends between lattice points, resampled cells and two kinds of ground."""

from __future__ import annotations

import numpy as np

from fellview.core.compiled import kernel


@kernel(inline="always")
def cubic_fade(t):
    """Return 3t² − 2t³ of a float32 between 0 and 1."""
    return t * t * (np.float32(3) - np.float32(2) * t)


@kernel(inline="always")
def smoothstep(t):
    """Return 0 below 0, 1 above 1, and the cubic between them."""
    return cubic_fade(min(max(t, np.float32(0)), np.float32(1)))
