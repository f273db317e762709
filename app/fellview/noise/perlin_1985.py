"""Perlin's noise of 1985: random gradients on a lattice, cubic fade, and a permutation shuffled with the gradients.

The gradient of lattice point (x, y, z) is G[P[P[x] + y] + z] in 3-D, G[P[P[x] + y]] in 2-D and G[P[x]]
in 1-D: the last coordinate of 3-D is added without a look-up. Lattice indices are taken modulo 256; the tables hold 256
entries doubled, plus two, 514 in all. Zero on every lattice point, period 256.

Without given tables they are drawn from the seed by Microsoft's `rand()` in the order of the 1985 program: for each of
256 entries one number for 1-D, two for 2-D and three for 3-D, each (rand mod 512 − 256)/256, the latter two normalised;
then for i = 255 … 1 entry i of the permutation changes places with entry rand mod 256.

Source: K. Perlin, "An image synthesizer", SIGGRAPH 1985.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.noise.kind import Given, Kind, lattice_reference, lattice_smoothness, only, table
from fellview.noise.options import Options, Tables, fade, padded, value_range
from fellview.noise.tables import microsoft_rand

ENTRIES = 256
TABLE = 2 * ENTRIES + 2  # doubled so that P[x] + y needs no modulo, and two more for the far corner


@dataclass(frozen=True)
class Perlin1985(Options):
    """Options of the 1985 noise."""

    fade: str = fade("cubic")
    range: str = value_range()


@kernel()
def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return no value and the gradient of a lattice point."""
    index = permutation[x & 255]
    if dimension > 1:
        index = permutation[index + (y & 255)]
    if dimension > 2:
        index = index + (z & 255)
    return 0.0, vectors[index, 0], vectors[index, 1], vectors[index, 2], 0.0


@functools.lru_cache(maxsize=64)
def _drawn(seed: int) -> tuple[NDArray[np.int32], dict[int, NDArray[np.float64]]]:
    """Return the permutation (514,) and the gradients (514, 4) by dimension that `seed` draws."""
    per_entry = 1 + 2 + 3
    numbers = microsoft_rand(seed, per_entry * ENTRIES + ENTRIES - 1)
    parts = (numbers[: per_entry * ENTRIES].reshape(ENTRIES, per_entry) % 512 - 256) / 256
    gradients = {}
    for dimension, columns in ((1, parts[:, :1]), (2, parts[:, 1:3]), (3, parts[:, 3:])):
        if dimension > 1:
            length = np.sqrt((columns * columns).sum(axis=1, keepdims=True))
            columns = np.divide(columns, length, out=np.zeros_like(columns), where=length > 0)
        gradients[dimension] = padded(_doubled(columns))
    permutation = np.arange(ENTRIES, dtype=np.int32)
    for i, number in zip(range(ENTRIES - 1, 0, -1), numbers[per_entry * ENTRIES :], strict=True):
        j = number % ENTRIES
        permutation[[i, j]] = permutation[[j, i]]
    return _doubled(permutation), gradients


def _doubled(entries: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([entries, entries, entries[:2]])


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the tables that `seed` draws; `given` may hold `permutation` (514,) and `gradients` (514, d)."""
    only(given, "permutation", "gradients")
    permutation, gradients = _drawn(seed)
    vectors = gradients[dimension]
    if "permutation" in given:
        permutation = table(given, "permutation", (TABLE,), np.int32)
    if "gradients" in given:
        shape = (TABLE,) if dimension == 1 else (TABLE, dimension)
        vectors = padded(table(given, "gradients", shape, np.float64))
    return Tables(permutation, vectors)


# A unit gradient gives most at a cell's middle, √d/2 (a 1-D gradient is at most 1 long): computed over the whole cell.
KIND = Kind(
    name="perlin-1985",
    title="Perlin 1985",
    tip="The first gradient noise: rolling hills with faint lines along the lattice.",
    options=Perlin1985,
    dimensions=(1, 2, 3),
    glsl="perlin_1985",
    bounds=lambda dimension, options: (-math.sqrt(dimension) / 2, math.sqrt(dimension) / 2),
    smoothness=lattice_smoothness,
    evaluate=lattice_reference("perlin_1985", corner),
    tables=tables,
    zero_on_lattice=True,
    natural_period=ENTRIES,
    corner=corner,
)
