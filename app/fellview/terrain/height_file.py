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
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from fellview.core.errors import InputError
from fellview.core.height_field import Heights

SUFFIXES = (".png", ".tif", ".tiff", ".r16", ".r32", ".npy")
"""What can be read."""

LARGEST_SIDE = 13_000
"""Most cells a side: as many as Pillow opens without being told that the picture is no attack."""

_PIXEL_SCALE, _NO_DATA = 33550, 42113  # tags of GeoTIFF and GDAL
_SIZE_IN_NAME = re.compile(r"(?<!\d)(\d{1,5})x(\d{1,5})(?!\d)")


@dataclass(frozen=True)
class HeightFile:
    """A height map as its file has it.

    `values` is float32 [row, column], finite, read-only, row 0 first in the file. `span` are the values that the
    format's ends stand for: 0 and 65,535 in 16 bits, lowest and highest where values are real numbers. `metres` are the
    heights of that span where the file says so, `cell_size` (along rows' order, along columns) likewise.
    `upright` tells that the first row is the top of a picture, which lies away from a viewer who looks along +z.
    """

    values: Heights
    span: tuple[float, float]
    metres: tuple[float, float] | None
    cell_size: tuple[float, float] | None
    upright: bool
    filled: int
    """Cells that held no height; they lie as low as the lowest."""
    stray_sidecar: bool
    """Tells that the sidecar beside it was written for other bytes, and has been left out."""


def digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal; `InputError` where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror}") from None


@functools.lru_cache(maxsize=1)  # a slider of the step's reads the same file again and again
def kept(path: Path, sha256: str) -> HeightFile:
    """Return what `read` does, remembering the last; `InputError` where the file is not the one of that `sha256`."""
    if sha256 and digest(path) != sha256:
        raise InputError(f"imported.path = {str(path)!r}: the file has changed since it was chosen; choose it again")
    return read(path)


def read(path: Path) -> HeightFile:
    """Return the height map in the file; `InputError` says why there is none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected one of {', '.join(SUFFIXES)}")
    try:
        size = path.stat().st_size
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror}") from None
    facts = _sidecar(path)
    stray = "sha256" in facts and facts["sha256"] != digest(path)  # older sidecars carry none
    if stray:
        facts = {}
    cell_size = metres = no_data = None
    try:
        if suffix == ".npy":
            raw = np.load(path, mmap_mode="r", allow_pickle=False)
        elif suffix in (".r16", ".r32"):
            kind = np.dtype("<u2" if suffix == ".r16" else "<f4")
            raw = np.fromfile(path, kind).reshape(_raw_shape(path, size // kind.itemsize, size % kind.itemsize, facts))
        else:
            raw, cell_size, no_data = _picture(path)
    except (OSError, ValueError, EOFError, UnidentifiedImageError, SyntaxError) as fault:
        reason = getattr(fault, "strerror", None) or next(iter(str(fault).splitlines()), "") or "damaged"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    if raw.ndim != 2 or raw.dtype.kind not in "uif":
        raise InputError(f"{path}: {raw.ndim} axes of {raw.dtype}: expected numbers over rows and columns")
    if not 2 <= min(raw.shape) <= max(raw.shape) <= LARGEST_SIDE:
        raise InputError(
            f"{path}: {raw.shape[0]} × {raw.shape[1]} cells: expected 2 × 2 to {LARGEST_SIDE} × {LARGEST_SIDE}"
        )
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
    upright = suffix in (".png", ".tif", ".tiff") and not facts  # our own files begin at z = 0
    return HeightFile(values, span, metres, cell_size, upright, filled, stray)


def _finite(path: Path, raw: NDArray[Any], no_data: float | None) -> tuple[Heights, int]:
    with np.errstate(over="ignore"):
        values = np.array(raw, np.float32)
    missing = ~np.isfinite(values)
    if no_data is not None:
        missing |= values == np.float32(no_data)
    if missing.all():
        raise InputError(f"{path}: no cell holds a finite height")
    if missing.any():
        values[missing] = values[~missing].min()
    return values, int(missing.sum())


def _picture(path: Path) -> tuple[NDArray[Any], tuple[float, float] | None, float | None]:
    """Return the one channel of a picture, the size of its cells and the value that stands for none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            image = Image.open(path)
        except Image.DecompressionBombError:
            raise ValueError(f"more than {LARGEST_SIDE} × {LARGEST_SIDE} cells") from None
        with image:
            if len(image.getbands()) != 1 or image.mode in ("P", "1"):
                raise ValueError(f"its pixels are {image.mode}; expected one channel of grey")
            tags = getattr(image, "tag_v2", {})
            scale, no_data = tags.get(_PIXEL_SCALE), tags.get(_NO_DATA)
            values = np.asarray(image)
    cell_size = None
    # degrees are no metres: GeoTIFFs in them have cells far under a tenth
    if scale and len(scale) > 1 and all(math.isfinite(one) and one >= 0.1 for one in scale[:2]):
        cell_size = float(scale[1]), float(scale[0])
    try:
        return values, cell_size, None if no_data is None else float(str(no_data).strip("\0 "))
    except ValueError:
        return values, cell_size, None


def _sidecar(path: Path) -> dict[str, Any]:
    """Return what the sidecar beside `path` says; nothing where there is none of ours."""
    try:
        facts = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) and {"rows", "columns", "minimum_m", "maximum_m"} <= set(facts) else {}


def _told(path: Path, facts: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float] | None]:
    numbers = [facts[key] for key in ("minimum_m", "maximum_m")]
    sides = [facts.get(f"cell_size_{axis}_m") for axis in "zx"]
    if not all(isinstance(one, (int, float)) and math.isfinite(one) for one in numbers):
        raise InputError(f"{path}.json: minimum_m, maximum_m = {numbers}: expected finite heights in metres")
    if not all(isinstance(one, (int, float)) and math.isfinite(one) and one > 0 for one in sides):
        return (float(numbers[0]), float(numbers[1])), None
    return (float(numbers[0]), float(numbers[1])), (float(sides[0]), float(sides[1]))  # type: ignore[arg-type]


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
        raise ValueError(
            f"{cells} cells and {rest} bytes are not {shape[0]} × {shape[1]}; expected a square, a size in the name"
            " such as 1025x513 (columns x rows), or the sidecar"
        )
    return int(shape[0]), int(shape[1])
