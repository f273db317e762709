"""Scenes along one parameter, over a plane of two, and over seeds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from fellview.core.errors import InputError, named
from fellview.core.parameters import Declaration, Value
from fellview.scene.scene import Scene

MOST = 400
"""Most variants that are made at once."""

_LARGEST_SEED = 2**31 - 1


def axis(scene: Scene, key: str) -> Declaration:
    """Return the declaration of `key`; `InputError` where it is no number, or one that has no range to go along."""
    _, _, declaration = scene.find(key)
    if declaration.type not in (int, float):
        raise InputError(f"{named(key)}: cannot be an axis; expected a parameter that is a number")
    return declaration


def usual_range(scene: Scene, key: str) -> tuple[float, float]:
    """Return the range that an axis along `key` begins with: its useful one, and the slider's where it has none."""
    declaration = axis(scene, key)
    low, high = declaration.useful or declaration.slider
    return float(low), float(high)


def values(scene: Scene, key: str, low: float, high: float, count: int) -> tuple[Value, ...]:
    """Return `count` values of `key` from `low` to `high`, evenly on the parameter's own scale.

    `InputError` where one of the two is out of the declared limits, or `count` is not 1 to `MOST`.
    """
    declaration = axis(scene, key)
    for value in (low, high):
        declaration.validated(key, round(value) if declaration.type is int else value)
    require_count(count)
    return declaration.spread(low, high, count)


def require_count(count: int) -> None:
    """Raise `InputError` where nobody can make so many variants at once."""
    if not 1 <= count <= MOST:
        raise InputError(f"count = {count}: expected 1 to {MOST} variants")


def along(scene: Scene, key: str, low: float | None = None, high: float | None = None, count: int = 9) -> list[Scene]:
    """Return `count` scenes with the parameter `key` from `low` to `high`, which are its useful range by default."""
    usual = usual_range(scene, key)
    first, last = usual[0] if low is None else low, usual[1] if high is None else high
    return [scene.replace({key: value}) for value in values(scene, key, first, last, count)]


def plane(
    scene: Scene,
    across: str,
    up: str,
    across_range: Sequence[float] | None = None,
    up_range: Sequence[float] | None = None,
    columns: int = 3,
    rows: int = 3,
) -> list[Scene]:
    """Return scenes over the plane of two parameters, row by row: `across` rises to the right, `up` upwards.

    The first row is the upper one. Ranges are the useful ones by default.
    """
    if across == up:
        raise InputError(f"{named(up)}: is both axes; expected two different parameters")
    require_count(columns * rows)
    low, high = across_range or usual_range(scene, across)
    bottom, top = up_range or usual_range(scene, up)
    chosen = values(scene, up, top, bottom, rows), values(scene, across, low, high, columns)
    return [scene.replace({up: one, across: other}) for one, other in itertools.product(*chosen)]


def seeds(scene: Scene, count: int = 9) -> list[Scene]:
    """Return `count` scenes with the seeds from the scene's own on."""
    require_count(count)
    first = scene.noise.seed
    return [scene.replace({"noise.seed": (first + number) % (_LARGEST_SEED + 1)}) for number in range(count)]


def grid_of(scene: Scene, side: int) -> Scene:
    """Return `scene` on a grid of about `side` cells along its longer side, never a finer one than its own.

    A land whose steps count in cells has its own grid, since on another it is another land.
    """
    from fellview.terrain.pipeline.pipeline import STEPS

    grid = scene.grid
    in_cells = any(
        step.active(group) and step.in_cells(group) for step in STEPS for group in (getattr(scene, step.key),)
    )
    longest = max(grid.rows, grid.columns)
    if in_cells or side >= longest:
        return scene
    return scene.with_longer_side(side)
