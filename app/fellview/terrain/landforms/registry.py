"""Every landform by name, in the order in which menus show them."""

from __future__ import annotations

import functools

from fellview.core.compiled import Kernel
from fellview.terrain.landforms import (
    basin,
    canyon,
    coast,
    cone,
    craters,
    dunes,
    form,
    islands,
    plateau,
    ramp,
    ridge,
    trough,
)
from fellview.terrain.landforms.form import Form

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
_FORMS = {module.FORM.name: module.FORM for module in _MODULES}


def names() -> tuple[str, ...]:
    """Return the names of all landforms."""
    return tuple(_FORMS)


def get(name: str) -> Form:
    """Return the landform called `name`."""
    return _FORMS[name]


@functools.cache
def lay(name: str) -> Kernel:
    """Return the kernel that lays the landform called `name`."""
    return form.lay.bound(name, shape=_FORMS[name].shape)
