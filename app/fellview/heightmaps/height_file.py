"""Height maps in, of whatever format: the file's numbers, and what they mean as far as that is known.

Stands here and not in `io`, because a step of the pipeline reads it. Values come as the file has them; what they mean
in metres is the step's to say. Where a file of ours has its sidecar beside it, or a GeoTIFF says how far its cells lie
apart, that is told too.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.core.height_field import Heights
from fellview.heightmaps import holes, registry, sidecar


@dataclass(frozen=True)
class HeightFile:
    """A height map as its file has it.

    `values` is float32 [row, column], finite, read-only, row 0 first in the file. `span` are the values that the
    format's ends stand for: 0 and 65,535 in 16 bits, lowest and highest where values are real numbers. `metres` are the
    heights of that span where the file says so, `cell_size` (along rows' order, along columns) likewise, and `size`
    (z, x) where a sidecar tells the land's to the last bit. `north_first` tells that the first row is the
    northernmost, as in a picture; the land's own first lies at z = 0. `on_earth` tells that 0 m is the sea's level,
    since the file says where on Earth it lies, or is of a format for such. `recipe` is the text that a sidecar has of
    the scene it was written from.
    """

    values: Heights
    span: tuple[float, float]
    metres: tuple[float, float] | None
    cell_size: tuple[float, float] | None
    size: tuple[float, float] | None
    north_first: bool
    filled: int
    """Cells that held no height, and have one of those around them."""
    remark: str
    """What had to be guessed, for a person."""
    stray_sidecar: bool
    """Tells that the sidecar beside it was written for other bytes, and has been left out."""
    on_earth: bool = False
    recipe: str = ""


def digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal; `InputError` where it cannot be read."""
    with foreign.opened(path, foreign.HEIGHTS) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=1)  # a slider of the step's reads the same file again and again
def read_cached(path: Path, sha256: str) -> HeightFile:
    """Return what `read` does, remembering the last; `InputError` where the file is not the one of that `sha256`."""
    if sha256 and digest(path) != sha256:
        raise InputError(
            f"imported.path = {quoted(str(path))}: the file has changed since it was chosen; choose it again"
        )
    return read(path)


def read(path: Path) -> HeightFile:
    """Return the height map in the file; `InputError` says why there is none."""
    of_format, read_numbers = registry.reader(path)
    facts = sidecar.read(path)
    stray = "sha256" in facts and facts["sha256"] != digest(path)  # older sidecars carry none
    if stray:
        facts = {}
    numbers = read_numbers(path, facts)
    cell_size, size, metres = numbers.cell_size, None, None
    kind, bits = numbers.dtype.kind, 8 * numbers.dtype.itemsize
    values, filled = _finite(path, numbers.values, numbers.no_data)
    if kind in "ui" and bits <= 16:
        low = 0.0 if kind == "u" else -(2.0 ** (bits - 1))
        span = low, low + 2.0**bits - 1
    else:
        span = float(values.min()), float(values.max())
    if facts:
        metres, cell_size, size = _told(path, facts, span)
    elif numbers.metres_each is not None:
        metres = span[0] * numbers.metres_each, span[1] * numbers.metres_each
    elif kind != "u":
        metres = span  # real numbers, and numbers with a sign, are metres already
    values.flags.writeable = False
    north_first = _is_north_first(path, numbers.first_row or of_format.first_row, facts)
    told = facts.get("recipe")
    return HeightFile(
        values,
        span,
        metres,
        cell_size,
        size,
        north_first,
        filled,
        numbers.remark,
        stray,
        numbers.on_earth,
        told if isinstance(told, str) else "",
    )


def _is_north_first(path: Path, first_row: str, facts: Mapping[str, Any]) -> bool:
    """Return whether the first row is the northernmost; sidecars that don't say are of rows from the south."""
    if not facts:
        return first_row == "north"
    told = facts.get("first_row", "south")
    if told not in ("north", "south"):
        raise InputError(f"{path}.json: first_row = {quoted(told)}: expected north or south")
    return bool(told == "north")


def _finite(path: Path, raw: NDArray[Any], no_data: float | None) -> tuple[Heights, int]:
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.array(raw, np.float32)
        nothing = np.float32(np.nan if no_data is None else no_data)
    missing = ~np.isfinite(values) | (values == nothing)
    if missing.all():
        raise InputError(f"{path}: no cell holds a finite height")
    if missing.any():
        values = holes.filled(values, missing)
    return values, int(missing.sum())


def _told(
    path: Path, facts: Mapping[str, Any], span: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float] | None, tuple[float, float] | None]:
    """Return what a sidecar says: the heights in metres of the values `span`, the cells' size and the land's."""
    low, high = (_finite_number(facts[key]) for key in ("minimum_m", "maximum_m"))
    if low is None or high is None:
        told = quoted([facts["minimum_m"], facts["maximum_m"]])
        raise InputError(f"{path}.json: minimum_m, maximum_m = {told}: expected finite heights in metres")
    first, last = (_finite_number(facts.get(key)) for key in ("minimum_number", "maximum_number"))
    metres = low, high
    if first is not None and last is not None and (first, last) != span and last > first:
        metres_each = (high - low) / (last - first)
        metres = low + (span[0] - first) * metres_each, low + (span[1] - first) * metres_each
    return metres, _both(facts, "cell_size_{}_m"), _both(facts, "size_{}_m")


def _both(facts: Mapping[str, Any], key: str) -> tuple[float, float] | None:
    """Return the lengths in metres that a sidecar has under `key` along z and x; none where they are none."""
    along_z, along_x = (_finite_number(facts.get(key.format(axis))) or 0.0 for axis in "zx")
    return (along_z, along_x) if along_z > 0 and along_x > 0 else None


def _finite_number(told: Any) -> float | None:
    if isinstance(told, bool) or not isinstance(told, (int, float)):
        return None
    try:
        number = float(told)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
