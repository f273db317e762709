"""The integer hash of the noise kinds that have no tables of their own, and how its bits become numbers.

Everything is 32-bit unsigned arithmetic that wraps (`uint` in GLSL 3.30), so every machine gives the same bits:

    mix(h):   h ^= h >> 16;  h *= 0x7FEB352D;  h ^= h >> 15;  h *= 0x846CA68B;  h ^= h >> 16
    start(seed) = mix(seed + 0x9E3779B9)
    hash(cell)  = mix(… mix(mix(start ^ x) ^ y) …), one `mix` a dimension, in the order x, y, z, w
    more(h, k)  = mix(h + k · 0x9E3779B9), the k-th further number of the same cell, k from 1

A cell coordinate is a signed integer whose 32 low bits are taken, so the lattice repeats after 2³² cells. A chain of
bijections was preferred to one mix of x·p + y·q: that linear form repeats along short lattice vectors.

    unit(h)   = (h >> 8) · 2⁻²⁴          in [0, 1), exact in float32
    signed(h) = (h >> 8) · 2⁻²³ − 1      in [−1, 1), exact in float32
    below(h, n) = ((h >> 16) · n) >> 16  a whole number in 0 … n − 1

Source of `mix`: C. Wellons, "Prospecting for hash functions" (2018), the low-bias 32-bit function; 0x9E3779B9 is 2³²
over the golden ratio, which keeps seed 0 and cell 0 from hashing to 0.
"""

from __future__ import annotations

import numpy as np

from fellview.core.compiled import kernel

GOLDEN = 0x9E3779B9


@kernel(inline="always")
def mix(h):
    """Return the 32 bits of h scrambled; a bijection."""
    h = np.uint32(h ^ (h >> np.uint32(16)))
    h = np.uint32(h * np.uint32(0x7FEB352D))
    h = np.uint32(h ^ (h >> np.uint32(15)))
    h = np.uint32(h * np.uint32(0x846CA68B))
    return np.uint32(h ^ (h >> np.uint32(16)))


@kernel()
def start(seed):
    """Return the hash that a seed starts from."""
    return mix(np.uint32(np.uint32(seed) + np.uint32(GOLDEN)))


def start_number(seed: int) -> int:
    """Return `start` as a plain number, without the kernel: for processes that only draw and load no numba."""
    h = (seed + GOLDEN) & 0xFFFFFFFF
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
        h = (h ^ (h >> shift)) * factor & 0xFFFFFFFF
    return h


@kernel()
def hash_cell(x, y, z, w, dimension, started):
    """Return the hash of a lattice cell from its first `dimension` coordinates; `started` is `start(seed)`."""
    h = mix(np.uint32(started ^ np.uint32(x)))
    if dimension > 1:
        h = mix(np.uint32(h ^ np.uint32(y)))
    if dimension > 2:
        h = mix(np.uint32(h ^ np.uint32(z)))
    if dimension > 3:  # time is the fourth
        h = mix(np.uint32(h ^ np.uint32(w)))
    return h


@kernel()
def more(h, k):
    """Return the k-th further hash of the same cell."""
    return mix(np.uint32(h + np.uint32(k) * np.uint32(GOLDEN)))


@kernel()
def unit(h):
    """Return 24 of the hash's bits as a number in [0, 1)."""
    return np.float64(h >> np.uint32(8)) * 2.0**-24


@kernel()
def signed(h):
    """Return 24 of the hash's bits as a number in [−1, 1)."""
    return np.float64(h >> np.uint32(8)) * 2.0**-23 - 1.0


@kernel()
def below(h, count):
    """Return a whole number from 0 to count − 1; the bias is under count / 65536."""
    return ((h >> np.uint32(16)) * np.uint32(count)) >> np.uint32(16)
