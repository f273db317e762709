"""Value noise: a random height on every lattice point, blended between.

N = Σ Π w · v_q with v = signed(hash(q)) (see hash.py, lattice.py), quintic fade unless chosen otherwise.
With a table T of 256 values 0…255 given as `values`, v = 2·T[T[T[x] + y] + z]/255 − 1 instead, every index modulo 256
(the first d steps of that chain in d dimensions); T may repeat values.

Source of the table form: the lattice of K. Perlin, "Improving noise", SIGGRAPH 2002, with the hash as the height.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fellview.core.compiled import kernel
from fellview.noise.hash import hash_cell, signed
from fellview.noise.kind import Given, Kind, lattice_reference, lattice_smoothness, only, table
from fellview.noise.options import NO_TABLES, Options, Tables, fade, value_range


@dataclass(frozen=True)
class Value(Options):
    """Options of value noise."""

    fade: str = fade("quintic")
    range: str = value_range()


@kernel()
def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return the value of a lattice point, and no gradient."""
    if permutation.size == 1:
        return signed(hash_cell(x, y, z, w, dimension, started)), 0.0, 0.0, 0.0, 0.0
    h = permutation[x & 255]
    if dimension > 1:
        h = permutation[(h + y) & 255]
    if dimension > 2:
        h = permutation[(h + z) & 255]
    if dimension > 3:  # time is the fourth
        h = permutation[(h + w) & 255]
    return 2.0 * h / 255.0 - 1.0, 0.0, 0.0, 0.0, 0.0


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return nothing to look up, or the given `values` (256,)."""
    only(given, "values")
    if not given:
        return NO_TABLES
    return Tables(table(given, "values", (256,), np.int32), NO_TABLES.vectors)


KIND = Kind(
    name="value",
    title="Value",
    tip="Heights on a lattice, blended: soft, blocky hills.",
    options=Value,
    dimensions=(1, 2, 3, 4),
    glsl="value",
    flat_dimension=2,
    bounds=lambda dimension, options: (-1.0, 1.0),
    smoothness=lattice_smoothness,
    evaluate=lattice_reference("value", corner),
    tables=tables,
    corner=corner,
)
