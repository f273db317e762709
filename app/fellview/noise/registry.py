"""Every kind of noise by name, in the order in which menus show them."""

from __future__ import annotations

from fellview.core.errors import InputError
from fellview.noise import (
    axis,
    classic,
    improved,
    opensimplex,
    perlin_1985,
    simplex,
    value,
    white,
    worley,
)
from fellview.noise.kind import Kind

_MODULES = (
    white,
    value,
    perlin_1985,
    classic,
    improved,
    axis,
    simplex,
    opensimplex,
    worley,
)
_KINDS = {module.KIND.name: module.KIND for module in _MODULES}


def kinds() -> tuple[str, ...]:
    """Return the names of all kinds."""
    return tuple(_KINDS)


def get(name: str) -> Kind:
    """Return the kind called `name`; `InputError` lists the known ones."""
    if name not in _KINDS:
        raise InputError(f"noise.kind = {name!r}: expected one of {', '.join(_KINDS)}")
    return _KINDS[name]
