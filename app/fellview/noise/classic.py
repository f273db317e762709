"""Classic noise: the DirectX terrain demo's gradient noise, and its 3-D form to the last bit.

N(x, y, z) blends, with the cubic fade 3t²−2t³, eight dot products of a gradient and the offset from its lattice point.
The gradient index is P[(x + P[(y + P[z & 255]) & 255]) & 255] with the 2002 permutation P; in 2-D
P[(x + P[y & 255]) & 255], in 1-D P[x & 255]. The 256 gradients are drawn with Microsoft's `rand()` from
the seed, afresh for each dimension: unit vectors in 3-D (see `gradients`), (rand mod 512 − 256)/256 in 1-D, two of
these normalised in 2-D. Zero on every lattice point, period 256 in each direction, within [-1, 1].

`exact_at` and `exact_grid` keep the demo's order of float32 operations, and with it every bit: its terrain truncates
noise to whole cells and compares heights, where a last bit moves a cell. The kind itself, as the registry has it, is
the same function to rounding.

Source: K. Perlin, "An image synthesizer", SIGGRAPH 1985; the permutation from "Improving noise", SIGGRAPH 2002.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.smoothstep import cubic_fade
from fellview.noise.kind import Given, Kind, lattice_reference, lattice_smoothness, only, table
from fellview.noise.options import Options, Tables, fade, padded, value_range
from fellview.noise.tables import PERMUTATION_2002, RAND_MAX, microsoft_rand

Gradients = NDArray[np.float32]


@functools.lru_cache(maxsize=64)
def gradients(seed: int) -> Gradients:
    """Return the 256 unit gradients of `seed`, float32 (256, 3).

    Two random numbers a gradient: z = 1 − 2u, then the angle 2πv about the z axis, in float32 as the demo did it.
    """
    uniform = microsoft_rand(seed, 512).astype(np.float32) / np.float32(RAND_MAX + 1)
    z = np.float32(1) - np.float32(2) * uniform[0::2]
    radius = np.sqrt(np.float32(1) - z * z)
    sine, cosine = _sine_cosine(np.float32(2) * np.float32(np.pi) * uniform[1::2])
    table = np.stack([radius * cosine, radius * sine, z], axis=1)
    table.flags.writeable = False
    return table


# Minimax coefficients of the C library that the demo's heights were recorded with (glibc's float32 sine and cosine),
# odd powers from r³ and even powers from r². Its results are one bit off the nearest float32 for one angle in eighty,
# and one bit of a gradient moves whole cells once erosion has compared heights.
_SINE = [float.fromhex(c) for c in ("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")]
_COSINE = [
    float.fromhex(c)
    for c in ("-0x1.ffffffd0c621cp-2", "0x1.55553e1068f19p-5", "-0x1.6c087e89a359dp-10", "0x1.99343027bf8c3p-16")
]


def _sine_cosine(angles: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return sine and cosine of `angles`, the same bits on every machine."""
    wide = angles.astype(np.float64)
    quarter_turns = np.rint(wide * (2 / np.pi))
    rest = wide - quarter_turns * (np.pi / 2)
    square = rest * rest
    sine = rest + rest * square * (_SINE[0] + square * (_SINE[1] + square * _SINE[2]))
    cosine = 1 + square * (_COSINE[0] + square * (_COSINE[1] + square * (_COSINE[2] + square * _COSINE[3])))
    quadrant = quarter_turns.astype(np.int64) & 3
    return (
        np.choose(quadrant, [sine, cosine, -sine, -cosine]).astype(np.float32),
        np.choose(quadrant, [cosine, -sine, -cosine, sine]).astype(np.float32),
    )


def exact_at(points: NDArray[np.float32], seed: int = 1) -> Heights:
    """Return the demo's noise at `points`, float32 (n, 3), as float32 (n,)."""
    return _at(read_only(np.ascontiguousarray(points, np.float32)), gradients(seed), PERMUTATION_2002)


def exact_grid(rows: int, columns: int, frequency: float, z: float = 0.0, seed: int = 1) -> Heights:
    """Return the demo's N(f·r/R, f·c/C, z) over a grid, float32 [row, column]."""
    return _grid(rows, columns, np.float32(frequency), np.float32(z), gradients(seed), PERMUTATION_2002)


@kernel()
def _hash(x, y, z, permutation):
    return permutation[(x + permutation[(y + permutation[z & 255]) & 255]) & 255]


@kernel(inline="always")
def _lerp(weight, low, high):
    return low + weight * (high - low)


@kernel()
def _corner(x0, y0, z0, x1, y1, z1, corner, gradients, permutation):
    """Gradient · offset at one of eight corners; bits of `corner` choose x, y, z. (x0, y0, z0) is the cell."""
    i, j, k = corner & 1, corner >> 1 & 1, corner >> 2
    gradient = gradients[_hash(x0 + i, y0 + j, z0 + k, permutation)]
    return gradient[0] * (x1 - np.float32(i)) + gradient[1] * (y1 - np.float32(j)) + gradient[2] * (z1 - np.float32(k))


@kernel(parallel=True)
def _at(points, gradients, permutation):
    noise = np.empty(points.shape[0], np.float32)
    for index in prange(points.shape[0]):
        x, y, z = points[index]
        floor_x, floor_y, floor_z = math.floor(x), math.floor(y), math.floor(z)
        x0, y0, z0 = int(floor_x), int(floor_y), int(floor_z)
        x1, y1, z1 = x - np.float32(floor_x), y - np.float32(floor_y), z - np.float32(floor_z)
        wx, wy, wz = cubic_fade(x1), cubic_fade(y1), cubic_fade(z1)
        low = high = np.float32(0)
        for k in range(2):
            base = 4 * k
            a = _lerp(
                wx,
                _corner(x0, y0, z0, x1, y1, z1, base, gradients, permutation),
                _corner(x0, y0, z0, x1, y1, z1, base + 1, gradients, permutation),
            )
            b = _lerp(
                wx,
                _corner(x0, y0, z0, x1, y1, z1, base + 2, gradients, permutation),
                _corner(x0, y0, z0, x1, y1, z1, base + 3, gradients, permutation),
            )
            along = _lerp(wy, a, b)
            if k == 0:
                low = along
            else:
                high = along
        noise[index] = _lerp(wz, low, high)
    return noise


@kernel()
def axis(count, frequency):
    """Return where `count` samples f·i/n lie in the lattice: cell, offset in it and the offset's weight."""
    cell = np.empty(count, np.int64)
    offset = np.empty(count, np.float32)
    weight = np.empty(count, np.float32)
    for i in range(count):
        position = frequency * np.float32(i) / np.float32(count)
        floor = math.floor(position)
        cell[i] = int(floor)
        offset[i] = position - np.float32(floor)
        weight[i] = cubic_fade(offset[i])
    return cell, offset, weight


@kernel()
def row(out, x0, x1, wx, cells, offsets, weights, z, gradients, permutation):
    """Fill `out` with the noise along one row; x and the columns are given as `axis` returns them.

    Samples of one lattice cell in a row share gradients, hash and every weight but one. The order of the float32
    operations is that of `_at`, so both give the same bits: the demo truncates noise to whole cells, where a last bit
    can move a cell.
    """
    columns = out.size
    floor_z = math.floor(z)
    z0 = int(floor_z)
    z1 = z - np.float32(floor_z)
    wz = cubic_fade(z1)
    layers = 1 if z1 == np.float32(0) else 2  # the upper layer has no weight on a lattice plane
    start = 0
    while start < columns:
        y0 = cells[start]
        stop = start + 1
        while stop < columns and cells[stop] == y0:
            stop += 1
        for k in range(layers):
            zk = z1 - np.float32(k)
            g00 = gradients[_hash(x0, y0, z0 + k, permutation)]
            g10 = gradients[_hash(x0 + 1, y0, z0 + k, permutation)]
            g01 = gradients[_hash(x0, y0 + 1, z0 + k, permutation)]
            g11 = gradients[_hash(x0 + 1, y0 + 1, z0 + k, permutation)]
            a00, b00, c00 = g00[0] * x1, g00[1], g00[2] * zk
            a10, b10, c10 = g10[0] * (x1 - np.float32(1)), g10[1], g10[2] * zk
            a01, b01, c01 = g01[0] * x1, g01[1], g01[2] * zk
            a11, b11, c11 = g11[0] * (x1 - np.float32(1)), g11[1], g11[2] * zk
            for c in range(start, stop):
                y1 = offsets[c]
                y2 = y1 - np.float32(1)
                near = _lerp(wx, a00 + b00 * y1 + c00, a10 + b10 * y1 + c10)
                far = _lerp(wx, a01 + b01 * y2 + c01, a11 + b11 * y2 + c11)
                along = _lerp(weights[c], near, far)
                if k == 0:
                    out[c] = along
                else:
                    out[c] = _lerp(wz, out[c], along)
        start = stop


@kernel(parallel=True)
def _grid(rows, columns, frequency, z, gradients, permutation):
    noise = np.empty((rows, columns), np.float32)
    x0, x1, wx = axis(rows, frequency)
    cells, offsets, weights = axis(columns, frequency)
    for r in prange(rows):
        row(noise[r], x0[r], x1[r], wx[r], cells, offsets, weights, z, gradients, permutation)
    return noise


@dataclass(frozen=True)
class Classic(Options):
    """Options of classic noise."""

    fade: str = fade("cubic")
    range: str = value_range()


@kernel()
def corner(x, y, z, w, dimension, permutation, vectors, started):
    """Return no value and the gradient of a lattice point."""
    index = 0
    if dimension > 2:
        index = permutation[z & 255]
    if dimension > 1:
        index = permutation[(y + index) & 255]
    index = permutation[(x + index) & 255]
    return 0.0, vectors[index, 0], vectors[index, 1], vectors[index, 2], 0.0


@functools.lru_cache(maxsize=64)
def _flat_gradients(seed: int, dimension: int) -> NDArray[np.float64]:
    """Return the 256 gradients of one or two dimensions, float64 (256, 4)."""
    drawn = (microsoft_rand(seed, 256 * dimension) % 512 - 256).reshape(256, dimension) / 256
    if dimension == 2:
        length = np.sqrt((drawn * drawn).sum(axis=1, keepdims=True))
        drawn = np.divide(drawn, length, out=np.zeros_like(drawn), where=length > 0)
    return padded(drawn)


def tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the tables of `seed`; `given` may hold `permutation` (256,) and `gradients` (256, d)."""
    only(given, "permutation", "gradients")
    if "gradients" in given:
        shape = (256,) if dimension == 1 else (256, dimension)
        vectors = padded(table(given, "gradients", shape, np.float64))
    else:
        vectors = padded(gradients(seed)) if dimension == 3 else _flat_gradients(seed, dimension)
    if "permutation" in given:
        return Tables(table(given, "permutation", (256,), np.int32), vectors)
    return Tables(PERMUTATION_2002.astype(np.int32), vectors)


# A unit gradient gives most at a cell's middle, √d/2 (a 1-D gradient is at most 1 long): computed over the whole cell.
KIND = Kind(
    name="classic",
    title="Classic",
    tip="The DirectX demo's noise: rolling hills.",
    options=Classic,
    dimensions=(1, 2, 3),
    glsl="classic",
    bounds=lambda dimension, options: (-math.sqrt(dimension) / 2, math.sqrt(dimension) / 2),
    smoothness=lattice_smoothness,
    evaluate=lattice_reference("classic", corner),
    tables=tables,
    zero_on_lattice=True,
    natural_period=256,
    corner=corner,
)
