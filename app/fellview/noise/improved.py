"""Improved Perlin noise of 2002: twelve edge gradients, quintic fade, one permutation.

The gradient of (x, y, z) is chosen by the low four bits of P[P[P[x] + y] + z], every index modulo 256: the twelve
vectors to the edges of a cube, four of them twice. In four dimensions, with one more step P[… + w], the low five bits
choose among the 32 edges of a hypercube, and the result is scaled by 2/3, which brings a cell's middle to the same 1 as
in three. One and two dimensions are the slice through the missing coordinates at 0. Zero on every lattice point, period
256.

Seed 1 is the published permutation; any other seed shuffles it: for i = 255 … 1 entry i changes places with entry
(rand · (i + 1)) >> 15, by Microsoft's `rand()`.

Source: K. Perlin, "Improving noise", SIGGRAPH 2002, and its reference implementation's table of gradients.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.noise.kind import Given, Kind, lattice_reference, lattice_smoothness, only, table
from fellview.noise.options import Options, Tables, fade, value_range
from fellview.noise.tables import PERMUTATION_2002, microsoft_rand


@dataclass(frozen=True)
class Improved(Options):
    """Options of improved noise."""

    fade: str = fade("quintic")
    range: str = value_range()


@kernel()
def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return no value and the gradient of a lattice point."""
    h = permutation[(permutation[(permutation[x & 255] + y) & 255] + z) & 255]
    if dimension > 3:  # time is the fourth
        h = permutation[(h + w) & 255]
    index = h & (vectors.shape[0] - 1)
    return 0.0, vectors[index, 0], vectors[index, 1], vectors[index, 2], vectors[index, 3]


def edges_3d() -> NDArray[np.float64]:
    """Return the 16 gradients (16, 4) of three dimensions, in the order of the reference's low four bits.

    Bits 0 and 1 are the signs of two axes: x y for indices 0–3, x z for 4–7, y z for 8–11; 12 and 14 repeat x y with
    the axes exchanged, 13 and 15 repeat y z.
    """
    vectors = np.zeros((16, 4))
    for h in range(16):
        first = 0 if h < 8 else 1
        second = 1 if h < 4 else (0 if h in (12, 14) else 2)
        vectors[h, first] = -1 if h & 1 else 1
        vectors[h, second] = -1 if h & 2 else 1
    return vectors


def edges_4d() -> NDArray[np.float64]:
    """Return the 32 gradients (32, 4) of four dimensions: bits 3 and 4 name the axes, bits 2, 1, 0 their signs.

    The axes are x y z, w x y, z w x, y z w; a set bit is +.
    """
    vectors = np.zeros((32, 4))
    for h in range(32):
        axes = ((0, 1, 2), (3, 0, 1), (2, 3, 0), (1, 2, 3))[h >> 3]
        for axis, bit in zip(axes, (4, 2, 1), strict=True):
            vectors[h, axis] = 1 if h & bit else -1
    return vectors


@functools.lru_cache(maxsize=64)
def permutation(seed: int) -> NDArray[np.int32]:
    """Return the permutation of `seed`, int32 (256,)."""
    entries = PERMUTATION_2002.astype(np.int32)
    if seed != 1:
        for i, number in zip(range(255, 0, -1), microsoft_rand(seed, 255), strict=True):
            j = int(number) * (i + 1) >> 15
            entries[[i, j]] = entries[[j, i]]
    entries.flags.writeable = False
    return entries


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the permutation of `seed`, or the given one (256,), and the gradients."""
    only(given, "permutation")
    vectors = edges_4d() * (2 / 3) if dimension == 4 else edges_3d()
    vectors[:, dimension:] = 0  # a slice through 0 never meets the missing coordinates
    chosen = table(given, "permutation", (256,), np.int32) if given else permutation(seed)
    return Tables(chosen, vectors)


_MOST = {1: 0.5, 2: 1.0, 3: 1.0649, 4: 1.0436}
"""Largest |N| by dimension, with the best gradients at every corner, maximised numerically over the cell, for the
linear fade, which gives most (3-D: cubic 1.0449, quintic 1.0364)."""

KIND = Kind(
    name="improved",
    title="Improved Perlin",
    tip="Perlin's gradient noise of 2002: even, rolling hills.",
    options=Improved,
    dimensions=(1, 2, 3, 4),
    glsl="improved",
    bounds=lambda dimension, options: (-_MOST[dimension], _MOST[dimension]),
    smoothness=lattice_smoothness,
    evaluate=lattice_reference("improved", corner),
    tables=tables,
    zero_on_lattice=True,
    natural_period=256,
    corner=corner,
)
