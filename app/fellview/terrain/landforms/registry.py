"""Every landform by name, in the order in which menus show them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from fellview.core.compiled import Kernel
from fellview.terrain.landforms import (
    basin,
    canyon,
    coast,
    cone,
    craters,
    craters_beyond,
    dunes,
    form,
    islands,
    plateau,
    ramp,
    ridge,
    trough,
)
from fellview.terrain.landforms.form import Form, Place, Prepared

_MODULES = (
    plateau,
    ramp,
    ridge,
    basin,
    cone,
    craters,
    dunes,
    trough,
    canyon,
    coast,
    islands,
)
_BEYOND = {craters.FORM.name: craters_beyond.prepare}
_FORMS = {module.FORM.name: module.FORM for module in _MODULES}


def names() -> tuple[str, ...]:
    """Return the names of all landforms."""
    return tuple(_FORMS)


def get(name: str) -> Form:
    """Return the landform called `name`."""
    return _FORMS[name]


def prepare(name: str, beyond: float) -> Callable[[Any, Place], Prepared]:
    """Return what prepares the landform called `name` on its domain and `beyond` sides of that outside of it.

    What is made of a list, which fills the domain alone, is prepared in another way there, for coarse grids.
    """
    if beyond and name in _BEYOND:
        return functools.partial(_BEYOND[name], beyond=beyond)
    return _FORMS[name].prepare


@functools.cache
def lay(name: str) -> Kernel:
    """Return the kernel that lays the landform called `name`."""
    return form.lay.bound(name, shape=_FORMS[name].shape)
