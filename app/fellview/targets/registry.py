"""Every target, each in a file of its own."""

from __future__ import annotations

from fellview.core.errors import InputError, named
from fellview.targets import blender, godot, qgis, unity, unreal
from fellview.targets.target import Target

TARGETS: tuple[Target, ...] = (
    unreal.TARGET,
    unity.TARGET,
    godot.TARGET,
    blender.TARGET,
    qgis.TARGET,
)

_BY_NAME = {one.name: one for one in TARGETS}


def target(name: str) -> Target:
    """Return the target of that name; `InputError` lists those there are."""
    if name not in _BY_NAME:
        raise InputError(f"--for {named(name)}: expected one of {', '.join(_BY_NAME)}")
    return _BY_NAME[name]
