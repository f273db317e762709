"""What a kind of noise is: its declaration, its facts and its kernels, as the registry lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import compiled
from fellview.core.compiled import Kernel
from fellview.core.errors import InputError
from fellview.noise import hash, lattice
from fellview.noise.options import FADES, NO_TABLES, Options, Tables

Points = NDArray[np.float64]
Given = Mapping[str, NDArray[Any]]

HASH_PERIOD = 2**32
"""Cells after which the integer hash repeats."""

_POINTS_A_THREAD = 1024  # some 50 µs of the cheapest kind: about what it takes to wake a thread


@dataclass(frozen=True)
class Kind:
    """One kind of noise.

    `bounds(dimension, options)` are the lowest and highest value that can occur (before `range` maps them);
    `smoothness(options)` is how many derivatives are continuous, −1 where the value itself jumps. `natural_period` is
    the cells after which the lattice repeats by itself, 0 where there is no lattice. `glsl` names the twin: the file
    `kernels/noise/<glsl>.glsl` and the function in it, with the dimension appended (`noise_value_3`).

    `flat_dimension` is the dimension whose slice a map or terrain is made of.

    `evaluate(points, options, tables, seed, period)` is the reference: float64 (n, 1 + d) with the value and then its
    derivatives, or (n, 1) for kinds without. `tables(seed, dimension, given)` makes the look-up tables, in which
    `given` replaces those that it names. `corner` is the lattice kinds' kernel.
    """

    name: str
    title: str
    tip: str
    options: type[Options]
    dimensions: tuple[int, ...]
    glsl: str
    bounds: Callable[[int, Any], tuple[float, float]]
    smoothness: Callable[[Any], int]
    evaluate: Callable[[Points, Any, Tables, int, int], NDArray[np.float64]]
    tables: Callable[[int, int, Given], Tables]
    flat_dimension: int = 3
    has_derivatives: bool = True
    zero_on_lattice: bool = False
    natural_period: int = HASH_PERIOD
    tiles: bool = True
    corner: Kernel | None = None


def no_tables(seed: int, dimension: int, given: Given) -> Tables:
    """Return the empty tables of a kind that hashes; `InputError` where `given` names any."""
    only(given)
    return NO_TABLES


def only(given: Given, *accepted: str) -> None:
    """Refuse tables of other names than `accepted`, by `InputError`."""
    for name in given:
        if name not in accepted:
            raise InputError(f"tables[{name!r}]: expected one of {', '.join(accepted) or 'none'}")


def table(given: Given, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Return the given table `name` as `dtype`; `InputError` where its shape is not `shape`."""
    array = np.asarray(given[name], dtype)
    if array.shape != shape:
        raise InputError(f"tables[{name!r}]: shape {array.shape}, expected {shape}")
    return np.ascontiguousarray(array)


def started(seed: int) -> np.uint32:
    """Return the hash that `seed` starts from, as the kernels take it."""
    return np.uint32(hash.start(np.uint32(seed)))


def each_point(fill: Kernel, points: Points, *arguments: Any) -> None:
    """Run `fill(first, last, points, *arguments)` over all points (n, d), on as many threads as they are worth."""
    compiled.in_bands(len(points), _POINTS_A_THREAD, fill, points, *arguments)


def lattice_reference(name: str, corner: Kernel) -> Callable[[Points, Any, Tables, int, int], NDArray[np.float64]]:
    """Return the `evaluate` of a lattice kind, from `corner` alone; one compiled kernel a dimension."""
    by_dimension = {d: lattice.points.bound(f"{name}_{d}", corner=corner, DIMENSION=d) for d in (1, 2, 3, 4)}

    def evaluate(points: Points, options: Any, tables: Tables, seed: int, period: int) -> NDArray[np.float64]:
        count, dimension = points.shape
        out = np.empty((count, 1 + dimension))
        each_point(
            by_dimension[dimension],
            points,
            fade_code(options),
            period,
            tables.permutation,
            tables.vectors,
            started(seed),
            out,
        )
        return out

    return evaluate


def fade_code(options: Any) -> int:
    """Return the kernels' code of a lattice kind's fade."""
    return FADES.index(options.fade)


def lattice_smoothness(options: Any) -> int:
    """Return how many derivatives the fade keeps continuous: linear 0, cubic 1, quintic 2."""
    return fade_code(options)
