"""Every kind of erosion by name, in the order in which menus show them."""

from __future__ import annotations

from fellview.terrain.erosion import (
    demo,
    fluvial,
    hydraulic,
    thermal,
)
from fellview.terrain.erosion.kind import Kind

_MODULES = (
    demo,
    thermal,
    fluvial,
    hydraulic,
)
_KINDS = {module.KIND.name: module.KIND for module in _MODULES}


def names() -> tuple[str, ...]:
    """Return the names of all kinds."""
    return tuple(_KINDS)


def get(name: str) -> Kind:
    """Return the kind called `name`."""
    return _KINDS[name]


def every() -> tuple[Kind, ...]:
    """Return all kinds."""
    return tuple(_KINDS.values())


def having(parameter: str) -> tuple[str, ...]:
    """Return the names of the kinds that have `parameter`."""
    return tuple(kind.name for kind in every() if parameter in kind.parameters.declarations())
