"""Height maps in: PNG and TIFF pictures of one channel, raw .r16 and .r32, and NumPy's .npy.

Stands here and not in `io`, because a step of the pipeline reads it. Values come as the file has them; what they mean
in metres is the step's to say. Where a file of ours has its sidecar beside it, or a GeoTIFF says how far its cells lie
apart, that is told too.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import re
import struct
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.core.height_field import Heights

SUFFIXES = (".png", ".tif", ".tiff", ".r16", ".r32", ".npy")
"""What can be read."""

LARGEST_SIDE = foreign.HEIGHTS.most_a_side
"""Most cells a side."""

_PIXEL_SCALE, _NO_DATA = 33550, 42113  # tags of GeoTIFF and GDAL
_LONGEST_HEADER = 1000  # bytes: NumPy's own of an array of numbers has some 120
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
# what NumPy raises at headers that are none
_DAMAGED = (ValueError, RecursionError, MemoryError, SyntaxError, TypeError, OverflowError, tokenize.TokenError)
_SIZE_IN_NAME = re.compile(r"(?<!\d)(\d{1,5})x(\d{1,5})(?!\d)")


@dataclass(frozen=True)
class HeightFile:
    """A height map as its file has it.

    `values` is float32 [row, column], finite, read-only, row 0 first in the file. `span` are the values that the
    format's ends stand for: 0 and 65,535 in 16 bits, lowest and highest where values are real numbers. `metres` are the
    heights of that span where the file says so, `cell_size` (along rows' order, along columns) likewise.
    `north_first` tells that the first row is the northernmost, as in a picture; the land's own first lies at z = 0.
    """

    values: Heights
    span: tuple[float, float]
    metres: tuple[float, float] | None
    cell_size: tuple[float, float] | None
    north_first: bool
    filled: int
    """Cells that held no height; they lie as low as the lowest."""
    stray_sidecar: bool
    """Tells that the sidecar beside it was written for other bytes, and has been left out."""


def digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal; `InputError` where it cannot be read."""
    with foreign.opened(path, foreign.HEIGHTS) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=1)  # a slider of the step's reads the same file again and again
def kept(path: Path, sha256: str) -> HeightFile:
    """Return what `read` does, remembering the last; `InputError` where the file is not the one of that `sha256`."""
    if sha256 and digest(path) != sha256:
        raise InputError(
            f"imported.path = {quoted(str(path))}: the file has changed since it was chosen; choose it again"
        )
    return read(path)


def read(path: Path) -> HeightFile:
    """Return the height map in the file; `InputError` says why there is none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected one of {', '.join(SUFFIXES)}")
    facts = _sidecar(path)
    stray = "sha256" in facts and facts["sha256"] != digest(path)  # older sidecars carry none
    if stray:
        facts = {}
    cell_size = metres = no_data = None
    if suffix in (".png", ".tif", ".tiff"):
        raw, cell_size, no_data = _picture(path)
    else:
        with foreign.opened(path, foreign.HEIGHTS) as file:
            raw = _array(path, file) if suffix == ".npy" else _words(path, file, suffix, facts)
    whole = raw.dtype.kind in "ui"
    values, filled = _finite(path, raw, no_data)
    bits = 8 * raw.dtype.itemsize
    if whole and bits <= 16:
        low = 0.0 if raw.dtype.kind == "u" else -(2.0 ** (bits - 1))
        span = low, low + 2.0**bits - 1
    else:
        span = float(values.min()), float(values.max())
    if facts:
        metres, cell_size = _told(path, facts)
    elif not (whole and raw.dtype.kind == "u"):
        metres = span  # real numbers, and numbers with a sign, are metres already
    values.flags.writeable = False
    return HeightFile(values, span, metres, cell_size, _is_north_first(path, facts), filled, stray)


def _is_north_first(path: Path, facts: dict[str, Any]) -> bool:
    """Return whether the first row is the northernmost; sidecars that don't say are of rows from the south."""
    if not facts:
        return path.suffix.lower() != ".npy"
    told = facts.get("first_row", "south")
    if told not in ("north", "south"):
        raise InputError(f"{path}.json: first_row = {quoted(told)}: expected north or south")
    return told == "north"


def _finite(path: Path, raw: NDArray[Any], no_data: float | None) -> tuple[Heights, int]:
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.array(raw, np.float32)
        nothing = np.float32(np.nan if no_data is None else no_data)
    missing = ~np.isfinite(values) | (values == nothing)
    if missing.all():
        raise InputError(f"{path}: no cell holds a finite height")
    if missing.any():
        values[missing] = values[~missing].min()
    return values, int(missing.sum())


def _array(path: Path, file: BinaryIO) -> NDArray[Any]:
    """Return the array in a file of NumPy's own format, which is of numbers and whole; objects are never loaded."""
    try:
        version = np.lib.format.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"version {version[0]}.{version[1]} of the format")
        shape, by_columns, dtype = _HEADERS[version](file, max_header_size=_LONGEST_HEADER)
    except _DAMAGED as fault:
        reason = next(iter(str(fault).splitlines()), "") or "damaged"
        raise InputError(f"{path}: cannot be read: no array that NumPy saved: {reason}") from None
    if len(shape) != 2 or dtype.kind not in "uif" or dtype.subdtype:
        raise InputError(f"{path}: {len(shape)} axes of {dtype}: expected numbers over rows and columns")
    _require_shape(path, shape)
    values = np.fromfile(file, dtype, shape[0] * shape[1])
    if values.size < shape[0] * shape[1]:
        raise InputError(f"{path}: cut off after {values.size} cells: expected {shape[0]} × {shape[1]}")
    return values.reshape(shape, order="F" if by_columns else "C")


def _words(path: Path, file: BinaryIO, suffix: str, facts: dict[str, Any]) -> NDArray[Any]:
    """Return the numbers of a file that has no header."""
    kind = np.dtype("<u2" if suffix == ".r16" else "<f4")
    cells, rest = divmod(os.fstat(file.fileno()).st_size, kind.itemsize)
    shape = _raw_shape(path, cells, rest, facts)
    _require_shape(path, shape)
    values = np.fromfile(file, kind, cells)
    if values.size < cells:
        raise InputError(f"{path}: cut off after {values.size} cells: expected {shape[0]} × {shape[1]}")
    return values.reshape(shape)


def _require_shape(path: Path, shape: tuple[int, ...]) -> None:
    if not 2 <= min(shape) <= max(shape) <= LARGEST_SIDE:
        raise InputError(
            f"{path}: {quoted(shape[0])} × {quoted(shape[1])} cells: expected 2 × 2 to {LARGEST_SIDE} × {LARGEST_SIDE}"
        )


def _picture(path: Path) -> tuple[NDArray[Any], tuple[float, float] | None, float | None]:
    """Return the one channel of a picture, the size of its cells and the value that stands for none."""
    image = foreign.picture(path, foreign.HEIGHTS)
    if len(image.getbands()) != 1 or image.mode in ("P", "1"):
        raise InputError(f"{path}: its pixels are {image.mode}; expected one channel of grey")
    _require_shape(path, (image.height, image.width))
    scale = _numbers(image, _PIXEL_SCALE)
    # degrees are no metres: GeoTIFFs in them have cells far under a tenth
    apart = len(scale) > 1 and all(math.isfinite(one) and one >= 0.1 for one in scale[:2])
    empty = _numbers(image, _NO_DATA)
    return np.asarray(image), (scale[1], scale[0]) if apart else None, empty[0] if empty else None


def _numbers(image: Image.Image, tag: int) -> list[float]:
    """Return what a TIFF says under `tag` as numbers, of whatever type it wrote them; none where they are none."""
    try:
        told = getattr(image, "tag_v2", {}).get(tag)
        each = told if isinstance(told, tuple) else (told,)
        return [float(one.strip("\0 ") if isinstance(one, str) else one) for one in each]
    except (TypeError, ValueError, ArithmeticError, LookupError, struct.error):
        return []


def _sidecar(path: Path) -> dict[str, Any]:
    """Return what the sidecar beside `path` says; nothing where there is none, or one of another program.

    `InputError` where there is one that cannot be read: without it the numbers would mean something else.
    """
    beside = path.with_name(path.name + ".json")
    if not os.path.lexists(beside):
        return {}
    try:
        facts = json.loads(foreign.text(beside, foreign.SIDECAR))
    except InputError:
        raise
    except (ValueError, RecursionError) as fault:
        reason = "nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise InputError(f"{beside}: no JSON: {reason}; expected the sidecar of {path.name}, or none") from None
    return facts if isinstance(facts, dict) and {"rows", "columns", "minimum_m", "maximum_m"} <= set(facts) else {}


def _told(path: Path, facts: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float] | None]:
    low, high = (_finite_number(facts[key]) for key in ("minimum_m", "maximum_m"))
    if low is None or high is None:
        told = quoted([facts["minimum_m"], facts["maximum_m"]])
        raise InputError(f"{path}.json: minimum_m, maximum_m = {told}: expected finite heights in metres")
    along_z, along_x = (_finite_number(facts.get(f"cell_size_{axis}_m")) or 0.0 for axis in "zx")
    return (low, high), (along_z, along_x) if along_z > 0 and along_x > 0 else None


def _finite_number(told: Any) -> float | None:
    if isinstance(told, bool) or not isinstance(told, (int, float)):
        return None
    try:
        number = float(told)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _raw_shape(path: Path, cells: int, rest: int, facts: dict[str, Any]) -> tuple[int, int]:
    """Return rows and columns of a file without a header: from the sidecar, from its name (columns x rows), square."""
    named = _SIZE_IN_NAME.search(path.stem)
    side = math.isqrt(cells)
    if facts:
        shape = facts["rows"], facts["columns"]
    elif named:
        shape = int(named[2]), int(named[1])
    else:
        shape = side, side
    if rest or not all(isinstance(one, int) for one in shape) or shape[0] * shape[1] != cells:
        told = f"{quoted(shape[0])} × {quoted(shape[1])}"
        raise InputError(
            f"{path}: {cells} cells and {rest} bytes are not {told}; expected a square, a size in the name such as"
            " 1025x513 (columns x rows), or the sidecar"
        )
    return int(shape[0]), int(shape[1])
