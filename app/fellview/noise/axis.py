"""Axis-gradient noise: 2-D gradient noise whose gradients are the four axis vectors.

The gradient of (x, y) is G[below(hash(x, y), 4)] (see hash.py) with G = (1, 0), (−1, 0), (0, 1), (0, −1). With a
bounded grid of indices given as `gradient_index` (n, m), it is G[gradient_index[x mod n, y mod m]] instead, and
`gradients` (4, 2) may replace G. Quintic fade; zero on every lattice point. Only half the directions of Perlin's
gradients occur, so it looks woven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fellview.core.compiled import kernel
from fellview.core.errors import InputError
from fellview.noise.hash import below, hash_cell
from fellview.noise.kind import Given, Kind, lattice_reference, lattice_smoothness, only, table
from fellview.noise.options import NO_TABLES, Options, Tables, fade, padded, value_range

AXES = padded(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]))


@dataclass(frozen=True)
class Axis(Options):
    """Options of axis-gradient noise."""

    fade: str = fade("quintic")
    range: str = value_range()


@kernel()
def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return no value and the gradient of a lattice point; `permutation` is n, m and the n × m indices, or empty."""
    if permutation.size == 1:
        index = np.int64(below(hash_cell(x, y, z, w, dimension, started), 4))
    else:
        rows, columns = np.int64(permutation[0]), np.int64(permutation[1])
        index = np.int64(permutation[2 + (x % rows) * columns + y % columns])
    return 0.0, vectors[index, 0], vectors[index, 1], 0.0, 0.0


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the four gradients, and the given `gradient_index` (n, m), each below 4, where there is one."""
    only(given, "gradient_index", "gradients")
    vectors = padded(table(given, "gradients", (4, 2), np.float64)) if "gradients" in given else AXES
    if "gradient_index" not in given:
        return Tables(NO_TABLES.permutation, vectors)
    index = np.asarray(given["gradient_index"], np.int32)
    if index.ndim != 2 or not index.size or index.min() < 0 or index.max() > 3:
        raise InputError(f"tables['gradient_index']: shape {index.shape}, expected (n, m) with entries 0 to 3")
    return Tables(np.concatenate([np.array(index.shape, np.int32), index.ravel()]), vectors)


KIND = Kind(
    name="axis",
    title="Axis gradient",
    tip="Gradients along the axes only: a woven look.",
    options=Axis,
    dimensions=(2,),
    glsl="axis",
    # maximised numerically over the cell for the linear fade, which gives most (cubic 0.544, quintic 0.536)
    flat_dimension=2,
    bounds=lambda dimension, options: (-0.5626, 0.5626),
    smoothness=lattice_smoothness,
    evaluate=lattice_reference("axis", corner),
    tables=tables,
    zero_on_lattice=True,
    corner=corner,
)
