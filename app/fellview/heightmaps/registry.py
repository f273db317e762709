"""Every format of height maps, each in a file of its own."""

from __future__ import annotations

from pathlib import Path

from fellview.core.errors import InputError
from fellview.heightmaps import asc, exr, hgt, npy, png, raw, tiff
from fellview.heightmaps.height_format import HeightFormat, Read, Write

# the first that is written is also that of a name without a suffix
FORMATS: tuple[HeightFormat, ...] = (
    npy.FORMAT,
    png.FORMAT,
    tiff.FORMAT,
    raw.R16,
    raw.R32,
    raw.RAW,
    exr.FORMAT,
    asc.FORMAT,
    hgt.FORMAT,
)

_READ = {suffix: one for one in FORMATS if one.read for suffix in one.suffixes}
_WRITTEN = {suffix: one for one in FORMATS if one.write for suffix in one.suffixes}

READ_SUFFIXES = tuple(_READ)
"""What height maps are read from."""
WRITTEN_SUFFIXES = tuple(_WRITTEN)
"""What heights are written as."""


def reader(path: Path) -> tuple[HeightFormat, Read]:
    """Return the format of `path` by its suffix, and what reads it; `InputError` where none of that suffix is read."""
    found = _by_suffix(path, _READ)
    assert found.read is not None
    return found, found.read


def writer(path: Path) -> tuple[HeightFormat, Write]:
    """Return the format of `path` by its suffix, and what writes it; `InputError` where none is written so."""
    found = _by_suffix(path, _WRITTEN)
    assert found.write is not None
    return found, found.write


def _by_suffix(path: Path, formats: dict[str, HeightFormat]) -> HeightFormat:
    found = formats.get(path.suffix.lower())
    if found is None:
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected one of {', '.join(formats)}")
    return found


def in_words(suffixes: tuple[str, ...]) -> str:
    """Return the titles of the formats of `suffixes` in words: ``NPY, PNG or R16``."""
    *others, last = dict.fromkeys(one.title for suffix in suffixes for one in FORMATS if suffix in one.suffixes)
    return f"{', '.join(others)} or {last}"
