"""The cubic 3t² − 2t³, which blends between lattice points, cells and kinds of ground: in kernels and in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel


@kernel(inline="always")
def cubic_fade(t):
    """Return 3t² − 2t³ of a float32 between 0 and 1."""
    return t * t * (np.float32(3) - np.float32(2) * t)


@kernel(inline="always")
def smoothstep(t):
    """Return 0 below 0, 1 above 1, and the cubic between them."""
    return cubic_fade(min(max(t, np.float32(0)), np.float32(1)))


def smoothstep_between(low: float, high: float, values: NDArray[Any]) -> NDArray[Any]:
    """Return 0 where `values`, of any shape, are below `low`, 1 above `high`, and the cubic between them, in numpy."""
    t = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))
