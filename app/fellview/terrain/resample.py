"""Heights on coarser and finer grids of the same land, for what is computed on a pyramid.

Cell r of R lies at r/R of the domain, as the noise is sampled. Coarser grids take a tent of one coarse cell to either
side, so that a coarse grid is nearly the same whichever finer one it came from; finer grids are bicubic (Catmull-Rom).
Beyond its last cell a grid goes on straight, so that no step appears along the far edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.smoothstep import cubic_fade
from fellview.terrain.hydrology.drainage import mixed

# Swaying by up to as many half cells tears nothing: the fade rises by at most 1.5 over its unit, and numbers by 2.
_SWIRL_CELLS = np.float32(3)


@kernel(parallel=True)
def _along_columns(values, first, weights, out, cancel):
    rows, columns = values.shape
    for r in prange(out.shape[0]):
        for c in range(columns):
            out[r, c] = 0
        for tap in range(weights.shape[1]):
            if cancel[0]:
                break
            weight = weights[r, tap]
            source = values[min(max(first[r] + tap, 0), rows - 1)]
            for c in range(columns):
                out[r, c] += weight * source[c]


@kernel(parallel=True)
def _along_rows(values, first, weights, out, cancel):
    taps = weights.shape[1]
    columns = values.shape[1]
    for r in prange(out.shape[0]):
        if cancel[0]:
            continue
        for c in range(out.shape[1]):
            total = np.float32(0)
            for tap in range(taps):
                total += weights[c, tap] * values[r, min(max(first[c] + tap, 0), columns - 1)]
            out[r, c] = total


def _tent(fine: int, coarse: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the first source cell and the weights of each of `coarse` cells out of `fine`."""
    ratio = fine / coarse
    centres = np.arange(coarse) * ratio
    first = np.ceil(centres - ratio).astype(np.int64)
    taps = np.arange(int(2 * ratio) + 2)
    at = first[:, None] + taps
    weights = np.maximum(0, 1 - np.abs(at - centres[:, None]) / ratio)
    weights[(at < 0) | (at >= fine)] = 0
    return first, (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def coarser(values: Heights, rows: int, columns: int, cancel: NDArray[np.uint8]) -> Heights:
    """Return `values` on `rows` × `columns` cells, no more than it has."""
    if (rows, columns) == values.shape:
        return values
    between = np.empty((rows, values.shape[1]), np.float32)
    _along_columns(read_only(values), *_tent(values.shape[0], rows), between, cancel)
    out = np.empty((rows, columns), np.float32)
    _along_rows(read_only(between), *_tent(values.shape[1], columns), out, cancel)
    return out


@kernel(inline="always")
def cubic(t):
    """Return the four Catmull-Rom weights at `t` between the second and the third point."""
    half, one = np.float32(0.5), np.float32(1)
    s = one - t
    return (
        -half * t * s * s,
        one - half * t * t * (np.float32(5) - np.float32(3) * t),
        one - half * s * s * (np.float32(5) - np.float32(3) * s),
        -half * s * t * t,
    )


@kernel()
def _uniform(r, c, salt):
    """Return a hash of (r, c) in [−1, 1)."""
    x = mixed(mixed(np.uint32(r) * np.uint32(0x9E3779B9) + np.uint32(salt)) + np.uint32(c))
    return np.float32(np.int32(x)) * np.float32(2.0**-31)


@kernel()
def _draw_swirls(swirls, salt):
    """Fill the complex `swirls` with random displacements, the real part along z."""
    for r in range(swirls.shape[0]):
        for c in range(swirls.shape[1]):
            swirls[r, c] = complex(_uniform(r, c, salt), _uniform(r, c, salt + 1))


@kernel()
def _swirl(y, x, salt):
    """Return a smooth random number in [−1, 1] at (y, x), one a unit, blended with the cubic fade."""
    r, c = int(np.floor(y)), int(np.floor(x))
    v, u = np.float32(y - r), np.float32(x - c)
    v, u = cubic_fade(v), cubic_fade(u)
    top = _uniform(r, c, salt) * (1 - u) + _uniform(r, c + 1, salt) * u
    low = _uniform(r + 1, c, salt) * (1 - u) + _uniform(r + 1, c + 1, salt) * u
    return top * (1 - v) + low * v


@kernel(parallel=True)
def _sample(sources, swirls, sway, outs, cancel):
    """Sample `sources`, which have two cells more on every side, bicubically at the swayed cells of `outs`."""
    fields, rows, columns = outs.shape
    height, width = sources.shape[1] - 4, sources.shape[2] - 4
    for r in prange(rows):
        if cancel[0]:
            continue
        for c in range(columns):
            y = np.float32(r) * np.float32(height / rows)
            x = np.float32(c) * np.float32(width / columns)
            v, u = y / _SWIRL_CELLS, x / _SWIRL_CELLS
            m, n = int(v), int(u)
            v, u = cubic_fade(v - np.float32(m)), cubic_fade(u - np.float32(n))
            top, low = (
                swirls[m, n] + u * (swirls[m, n + 1] - swirls[m, n]),
                swirls[m + 1, n] + u * (swirls[m + 1, n + 1] - swirls[m + 1, n]),
            )
            y = min(max(y + sway * (top.real + v * (low.real - top.real)), np.float32(0)), np.float32(height))
            x = min(max(x + sway * (top.imag + v * (low.imag - top.imag)), np.float32(0)), np.float32(width))
            i, k = min(int(y), height - 1), min(int(x), width - 1)
            across = cubic(x - np.float32(k))
            along = cubic(y - np.float32(i))
            for field in range(fields):
                total = np.float32(0)
                for tap in range(4):
                    line = sources[field, i + 1 + tap]
                    total += along[tap] * (
                        (across[0] * line[k + 1] + across[1] * line[k + 2])
                        + (across[2] * line[k + 3] + across[3] * line[k + 4])
                    )
                outs[field, r, c] = total


def _extended(values: Heights) -> Heights:
    """Return `values` with two cells more on every side, going on straight from the two outermost."""
    for _ in range(2):
        above, below = 2 * values[:1] - values[1:2], 2 * values[-1:] - values[-2:-1]
        values = np.concatenate([above, values, below])
        left, right = 2 * values[:, :1] - values[:, 1:2], 2 * values[:, -1:] - values[:, -2:-1]
        values = np.concatenate([left, values, right], axis=1)
    return values


def _bicubic(coarse: int, fine: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the first source cell, two cells more before it, and the four weights of each of `fine` cells."""
    at = np.arange(fine) * (coarse / fine)
    first = np.minimum(at.astype(np.int64), coarse - 1)
    t = at - first
    weights = [
        -0.5 * t * (1 - t) ** 2,
        1 - 0.5 * t * t * (5 - 3 * t),
        1 - 0.5 * (1 - t) ** 2 * (2 + 3 * t),
        -0.5 * (1 - t) * t * t,
    ]
    return first + 1, np.stack(weights, axis=1).astype(np.float32)


def finer(values: Heights, rows: int, columns: int, cancel: NDArray[np.uint8]) -> Heights:
    """Return `values` on `rows` × `columns` cells."""
    source = _extended(values)
    between = np.empty((source.shape[0], columns), np.float32)
    _along_rows(read_only(source), *_bicubic(values.shape[1], columns), between, cancel)
    out = np.empty((rows, columns), np.float32)
    _along_columns(read_only(between), *_bicubic(values.shape[0], rows), out, cancel)
    return out


def finer_swayed(
    fields: Sequence[NDArray[Any]], rows: int, columns: int, sway: float, salt: int, cancel: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """Return `fields`, all of one shape, on `rows` × `columns` cells, float32 [field, row, column].

    They are displaced at random by up to `sway` of their own cells, all alike and smoothly over `_SWIRL_CELLS`, which
    bends what a coarse grid drew straight.
    """
    sources = np.stack([_extended(field.astype(np.float32)) for field in fields])
    swirls = np.empty([int(side / _SWIRL_CELLS) + 2 for side in fields[0].shape], np.complex64)
    _draw_swirls(swirls, np.int64(salt))
    outs = np.empty((len(fields), rows, columns), np.float32)
    _sample(sources, swirls, np.float32(sway), outs, cancel)
    return outs


@kernel(parallel=True)
def _fractal(out, frequency_z, frequency_x, octaves, salt):
    rows, columns = out.shape
    for r in prange(rows):
        for c in range(columns):
            z, x = np.float32(r / rows * frequency_z), np.float32(c / columns * frequency_x)
            total, weight = np.float32(0), np.float32(1)
            for octave in range(octaves):
                total += weight * _swirl(z, x, salt + octave)
                # turned by the angle of the 3-4-5 triangle, so that the lattices of the octaves never line up
                z, x = np.float32(1.6) * z + np.float32(1.2) * x, np.float32(1.6) * x - np.float32(1.2) * z
                weight *= np.float32(0.7)
            out[r, c] = total


def fractal(rows: int, columns: int, frequency: tuple[float, float], octaves: int, salt: int) -> Heights:
    """Return a smooth random field of mean about 0 and deviation 1; `frequency` (z, x) is the coarsest octave's."""
    out = np.empty((rows, columns), np.float32)
    _fractal(out, np.float32(frequency[0]), np.float32(frequency[1]), octaves, np.int64(salt))
    out -= out.mean()
    return out / max(out.std(), np.float32(1e-6))


def places(origin: float, step: float, count: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the first source cell (count,) and the weights (count, taps) of cells at origin, origin + step, ..."""
    at = origin + step * np.arange(count)
    if step <= 1:
        first = np.floor(at).astype(np.int64)
        t = at - first
        weights = np.stack([*(_CATMULL_ROM @ np.stack([t**0, t, t**2, t**3]))], axis=1)
        return first - 1, weights.astype(np.float32)
    first = np.ceil(at - step).astype(np.int64)
    taps = first[:, None] + np.arange(int(2 * step) + 2)
    weights = np.maximum(0, 1 - np.abs(taps - at[:, None]) / step)
    return first, (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


_CATMULL_ROM = 0.5 * np.array([[0, -1, 2, -1], [2, 0, -5, 3], [0, 1, 4, -3], [0, 0, -1, 1]])
"""Weights of four points by the powers of the place between the second and the third."""


def window(
    values: Heights,
    rows: int,
    columns: int,
    along_z: tuple[float, float],
    along_x: tuple[float, float],
    cancel: NDArray[np.uint8],
) -> Heights:
    """Return `rows` × `columns` new cells; `along_z` and `along_x` are the first cell's place in `values` and the step.

    Places are counted in cells of `values`, whose border goes on beyond it. Steps of up to one cell are bicubic, longer
    ones take a tent of one step to either side.
    """
    between = np.empty((rows, values.shape[1]), np.float32)
    _along_columns(read_only(values), *places(*along_z, rows), between, cancel)
    out = np.empty((rows, columns), np.float32)
    _along_rows(read_only(between), *places(*along_x, columns), out, cancel)
    return out
