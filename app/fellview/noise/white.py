"""White noise: every point has its own number, without memory of its neighbours.

N(p) = signed(h) with h chained over the bits of the float32 coordinates: h ← mix(h ^ bits(float32(a) + 0)) for a = x,
y, …, from start(seed) (see hash.py). Adding 0 makes −0 and 0 one point. It has no lattice and no frequency: any change
of a coordinate gives another number, uniform in [−1, 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange
from fellview.noise.hash import mix, signed
from fellview.noise.kind import Kind, Points, no_tables, started
from fellview.noise.options import Ranged, Tables


@kernel()
def chain(h, coordinate):
    """Return the hash h carried on by a coordinate's float32 bits."""
    return mix(np.uint32(h ^ np.float32(np.float32(coordinate) + np.float32(0)).view(np.uint32)))


@kernel(parallel=True)
def _points(points, started, out):
    for n in prange(points.shape[0]):
        h = started
        for axis in range(points.shape[1]):
            h = chain(h, points[n, axis])
        out[n, 0] = signed(h)


def evaluate(points: Points, options: Ranged, tables: Tables, seed: int, period: int) -> NDArray[np.float64]:
    """Return the noise at points (n, d), float64 (n, 1)."""
    out = np.empty((len(points), 1))
    _points(points, started(seed), out)
    return out


KIND = Kind(
    name="white",
    title="White",
    tip="Every sample on its own: no hills, only grain.",
    options=Ranged,
    dimensions=(1, 2, 3, 4),
    glsl="white",
    flat_dimension=2,
    bounds=lambda dimension, options: (-1.0, 1.0),
    smoothness=lambda options: -1,
    evaluate=evaluate,
    tables=no_tables,
    has_derivatives=False,
    natural_period=0,
    tiles=False,
)
