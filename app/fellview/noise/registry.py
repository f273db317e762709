"""Every kind of noise by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fellview.core.errors import InputError
from fellview.core.height_field import Heights
from fellview.noise import classic


@dataclass(frozen=True)
class Kind:
    """One kind of noise: `grid(rows, columns, frequency, z, seed)` gives float32 [row, column]."""

    name: str
    grid: Callable[[int, int, float, float, int], Heights]


_KINDS = {"classic": Kind("classic", classic.grid)}


def kinds() -> tuple[str, ...]:
    """Return the names of all kinds."""
    return tuple(_KINDS)


def get(name: str) -> Kind:
    """Return the kind called `name`; `InputError` lists the known ones."""
    if name not in _KINDS:
        raise InputError(f"noise.kind = {name!r}: expected one of {', '.join(_KINDS)}")
    return _KINDS[name]
