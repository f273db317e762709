"""The land cache: what can be shown before a kernel has run: the last session's land, kept ones, the opening scene's.

A file of such a land (`array_cache.py`) belongs to all that decides heights: the grid, every parameter and the
revisions of the steps at work. To any other recipe it gives nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group
from fellview.io import array_cache, sessions
from fellview.terrain.domain import Grid, group_of
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.step import Step

_MOST_CELLS = 1024 * 1024  # 4 MB: 5 ms of a processor, and as long again or more until a disk has them
_MOST_READ = 2048 * 2048  # larger land on a GPU takes longer to read back than a window may stand still
MOST_KEPT_BYTES = 2_000_000_000
"""On disk, of lands that are kept on shelves: fifty of 1024² cells with eight masks each, and a few more."""

_SHIPPED_SIDE = 256  # cells: 130 kB, and as fine as a picture of the whole land shows it while the rest is made
_TOP = 65535


def _last(folder: Path) -> Path:
    return folder / "land.arrays"


def _opening() -> Path:
    return paths.assets() / "opening-land.arrays"


def key(groups: Mapping[str, Group], steps: Sequence[Step] = STEPS) -> str:
    """Return what tells the land that `steps` make of `groups` from all others."""
    values = {name: group.values() for name, group in sorted(groups.items())}
    revisions = {step.key: step.revision for step in steps if step.active(groups[step.key])}
    return hashlib.sha256(json.dumps([values, revisions]).encode()).hexdigest()


def is_small_enough(field: HeightField) -> bool:
    """Return whether `field` has few enough cells to be stored; its heights need not be there to tell."""
    return field.rows * field.columns <= _MOST_READ


def store(folder: Path, groups: Mapping[str, Group], field: HeightField, most_cells: int = _MOST_CELLS) -> None:
    """Write the land of `groups` into the session's `folder`, in place of the one before.

    Land of more than `most_cells` loses every second one until it has no more, land of very many is left out.
    `InputError` where nothing can be written.
    """
    if is_small_enough(field):
        array_cache.write(_last(folder), key(groups), [_thinned(field, most_cells)])


@dataclass(frozen=True)
class Whole:
    """A land with the masks that drawing it was found to need.

    Those that were `asked` for are more where the land has no such masks; those of water are made by `water`.
    """

    field: HeightField
    asked: frozenset[str]
    water: Water


def store_whole(folder: Path, groups: Mapping[str, Group], land: Whole) -> None:
    """Write the land of `groups` with its masks into the session's `folder`, in place of the one before.

    Land of more cells than a window's start should wait for is left out. `InputError` where nothing can be written.
    """
    if land.field.rows * land.field.columns <= _MOST_CELLS:
        _write(sessions.whole_land(folder), key(groups), land)


def load_whole(folder: Path, groups: Mapping[str, Group]) -> Whole | None:
    """Return the land of `groups` that `store_whole` wrote; none where there is none, or a damaged one."""
    return _read(sessions.whole_land(folder), key(groups), groups)


def remove_whole(folder: Path) -> None:
    """Remove what `store_whole` wrote into `folder`, where that can be."""
    with contextlib.suppress(OSError):
        sessions.whole_land(folder).unlink(missing_ok=True)


def store_kept(folder: Path, groups: Mapping[str, Group], land: Whole) -> None:
    """Write the land of `groups` into `folder`, in a file of its own.

    Land of very many cells is left out. The files that were used longest ago are removed beyond `MOST_KEPT_BYTES`.
    `InputError` where nothing can be written.
    """
    if not is_small_enough(land.field):
        return
    name = key(groups)
    _write(_kept(folder, name), name, land)
    with contextlib.suppress(OSError):
        _make_room(folder)


def load_kept(folder: Path, groups: Mapping[str, Group]) -> Whole | None:
    """Return the land of `groups` that `store_kept` wrote into `folder`; none where there is none, or a damaged one."""
    name = key(groups)
    path = _kept(folder, name)
    land = _read(path, name, groups)
    if land is not None:
        with contextlib.suppress(OSError):
            os.utime(path)
    return land


def _write(path: Path, name: str, land: Whole) -> None:
    field = land.field
    names = sorted(field.masks)
    told = json.dumps({"masks": names, "asked": sorted(land.asked), "water": land.water.values()}).encode()
    arrays: list[NDArray[Any]] = [np.frombuffer(told, np.uint8), field.heights, *(field.masks[one] for one in names)]
    array_cache.write(path, name, arrays)


def _read(path: Path, name: str, groups: Mapping[str, Group]) -> Whole | None:
    arrays = array_cache.read(path, name)
    if arrays is None:
        return None
    told, heights, *masks = arrays
    try:
        said = json.loads(told.tobytes())
        by_name = dict(zip(said["masks"], masks, strict=True))
        asked, water = frozenset(said["asked"]), Water(**said["water"])
    except (ValueError, KeyError, TypeError):  # `InputError` is a ValueError
        return None
    return Whole(HeightField(heights, group_of(groups, Grid).cell_size, by_name), asked, water)


def _kept(folder: Path, name: str) -> Path:
    return folder / f"{name[:32]}.arrays"


def _make_room(folder: Path) -> None:
    """Remove the files in `folder` that were used longest ago, until the others have room."""
    files = sorted(((one.stat(), one) for one in folder.glob("*.arrays")), key=lambda one: -one[0].st_mtime)
    taken = 0
    for status, path in files:
        taken += status.st_size
        if taken > MOST_KEPT_BYTES:
            path.unlink()


def store_opening(groups: Mapping[str, Group], field: HeightField) -> None:
    """Write the opening scene's land into the assets, in 16 bits from its lowest to its highest height."""
    heights = _thinned(field, _SHIPPED_SIDE**2)
    low, high = float(heights.min()), float(heights.max())
    values = np.rint((heights - low) * (_TOP / ((high - low) or 1.0))).astype("<u2")
    array_cache.write(_opening(), key(groups), [values, np.array([low, high], "<f4")])


def load(folder: Path, groups: Mapping[str, Group]) -> HeightField | None:
    """Return the land of `groups`, maybe on a coarser grid, where the session's `folder` or the assets have it."""
    name = key(groups)
    arrays = array_cache.read(_last(folder), name) or array_cache.read(_opening(), name)
    if arrays is None:
        return None
    heights = arrays[0]
    if heights.dtype != np.float32:
        low, high = arrays[1]
        heights = heights * np.float32((high - low) / _TOP) + low
        heights.flags.writeable = False
    grid = group_of(groups, Grid)
    return HeightField(heights, grid.replace(rows=heights.shape[0], columns=heights.shape[1]).cell_size)


def _thinned(field: HeightField, most_cells: int) -> np.ndarray:
    """Return the heights at every nth cell, n a power of two, of which there are at most `most_cells`.

    Cell r of R lies at r/R of the land, so that these are the very places of the coarser grid.
    """
    step = 1
    while (field.rows // step) * (field.columns // step) > most_cells:
        step *= 2
    rows, columns = field.rows // step * step, field.columns // step * step
    return field.heights[:rows:step, :columns:step]
