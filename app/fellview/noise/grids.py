"""Noise by name over a regular grid: the same numbers as at the grid's points, several hundred times as fast.

Row r and column c of an R × C grid lie at (f·r/R, f·c/C, z, w). Lattice kinds go through `lattice_grid.py`; simplex
kinds and Worley through row kernels of their own; warped sums and lattices finer than the grid through the points.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.errors import InputError, quoted
from fellview.core.height_field import Heights
from fellview.noise import fractal, row_grid, simplex_grid, white_grid, worley_grid
from fellview.noise.evaluate import Request, request, warped
from fellview.noise.fractal import Octave
from fellview.noise.kind import Given
from fellview.noise.lattice_grid import LatticeGrid, lattice_points
from fellview.noise.octave_sum import OctaveSum
from fellview.noise.registry import get
from fellview.noise.row_grid import RowsOf

_ROWS: Mapping[str, RowsOf] = {
    "white": white_grid.rows_of,
    "simplex": simplex_grid.rows_of,
    "opensimplex": simplex_grid.smooth_rows_of,
    "worley": worley_grid.rows_of,
}
"""Kinds with a row kernel; lattice kinds have theirs from their corner, and others are filled point by point."""

_FARTHEST = 2.0**30  # cells; the grids' lattice indices and their sums stay within 32 bits
_POINTS_AT_ONCE = 1 << 16  # a few megabytes of coordinates and results


def grid(
    kind: str,
    rows: int,
    columns: int,
    frequency: float,
    dimension: int | None = None,
    seed: int = 1,
    z: float = 0.0,
    w: float = 0.0,
    *,
    tables: Given | None = None,
    amplitude: float = 1.0,
    cancel: NDArray[np.uint8] | None = None,
    **settings: Any,
) -> Heights:
    """Return the noise of `kind` over a grid, float32 [row, column].

    `frequency` is in cycles over the grid; `dimension` is 3 unless the kind has two only; the result is multiplied by
    `amplitude`; `settings` and `tables` as in `evaluate.at`. Octaves finer than two samples a cycle are left out with a
    `UserWarning`. When `cancel` (uint8 (1,)) turns non-zero the rest of the result is undefined. `InputError` for
    anything wrong.
    """
    if dimension is None:
        dimension = min(3, max(get(kind).dimensions))
    asked = request(kind, dimension, seed, tables, settings)
    octaves = fractal.octaves(asked.sum)
    _check(rows, columns, {"frequency": frequency, "z": z, "w": w, "amplitude": amplitude}, dimension)
    count = len(octaves)
    if asked.kind.natural_period:
        count = fractal.within_nyquist(frequency, asked.sum.lacunarity, count, rows, columns)
    if count < len(octaves):
        warnings.warn(
            f"{len(octaves) - count} of {len(octaves)} octaves are finer than the {rows} × {columns} grid"
            " (two samples a cycle) and were left out",
            stacklevel=2,
        )
    return _filled(asked, rows, columns, frequency, octaves[:count], z, w, amplitude, cancel)


def kept(
    kind: str,
    rows: int,
    columns: int,
    frequency: float,
    count: int,
    dimension: int,
    seed: int,
    *,
    amplitude: float,
    cancel: NDArray[np.uint8],
    **settings: Any,
) -> Heights:
    """Return what `grid` does from the first `count` octaves of the sum, without a warning."""
    asked = request(kind, dimension, seed, None, settings)
    _check(rows, columns, {"frequency": frequency, "amplitude": amplitude}, dimension)
    return _filled(asked, rows, columns, frequency, fractal.octaves(asked.sum)[:count], 0.0, 0.0, amplitude, cancel)


def _check(rows: int, columns: int, numbers: Mapping[str, float], dimension: int) -> None:
    if dimension == 1:
        raise InputError("dimension = 1: a grid has 2 or more; expected 2, 3 or 4")
    for name, size in (("rows", rows), ("columns", columns)):
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise InputError(f"{name} = {size!r}: expected a whole number, 1 or more")
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise InputError(f"noise.{name} = {quoted(number)}: expected a finite number")
    if numbers["frequency"] < 0:
        raise InputError(f"noise.frequency = {numbers['frequency']!r}: expected 0 or more cycles")


def _filled(
    asked: Request,
    rows: int,
    columns: int,
    frequency: float,
    octaves: list[Octave],
    z: float,
    w: float,
    amplitude: float,
    cancel: NDArray[np.uint8] | None,
) -> Heights:
    out = np.empty((rows, columns), np.float32)
    cancel = np.zeros(1, np.uint8) if cancel is None else cancel
    wanted = OctaveSum(asked, octaves, frequency, z, w, amplitude)
    # one band a thread: each band spreads its first lattice rows afresh
    bands = compiled.threads()
    if asked.sum.warp or _too_fine(rows, columns, frequency, octaves, z, w):
        _by_points(out, wanted, bands, cancel)
    else:
        _fill(asked.kind.name)(out, wanted, bands, cancel)
    return out


@functools.cache
def _fill(kind: str) -> Callable[..., None]:
    """Return what fills a grid with sums of octaves of a kind: its own rows, its lattice, or its points."""
    corner = get(kind).corner
    if corner is not None:
        return LatticeGrid(kind, corner).fill
    return functools.partial(row_grid.fill, _ROWS[kind]) if kind in _ROWS else _by_points


def _too_fine(rows: int, columns: int, frequency: float, octaves: list[Octave], z: float, w: float) -> bool:
    """Return whether the points are the better way: more lattice points than samples, or cells beyond 32 bits."""
    reach = max(abs(coordinate) * octave.factor for octave in octaves for coordinate in (frequency, z, w))
    return lattice_points(frequency, octaves) > 2 * (rows + 2) * (columns + 2) or reach > _FARTHEST


def _by_points(out: Heights, wanted: OctaveSum, bands: int, cancel: NDArray[np.uint8]) -> None:
    """Fill `out` by the points' reference, a few rows at a time."""
    rows, columns = out.shape
    asked, frequency = wanted.asked, wanted.frequency
    step = max(1, _POINTS_AT_ONCE // columns)
    for first in range(0, rows, step):
        if cancel[0]:
            return
        last = min(first + step, rows)
        points = np.empty((last - first, columns, 4))
        points[..., 0] = frequency * np.arange(first, last)[:, None] / rows
        points[..., 1] = frequency * np.arange(columns) / columns
        points[..., 2:] = wanted.z, wanted.w
        flat = np.ascontiguousarray(points[..., : asked.dimension].reshape(-1, asked.dimension))
        noise = warped(asked, flat, wanted.octaves).reshape(last - first, columns)
        out[first:last] = wanted.amplitude * (0.5 + 0.5 * noise if asked.unit_range else noise)
