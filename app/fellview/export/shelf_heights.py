"""Heights of a whole shelf as files whose numbers mean the same: one range for all, from lowest to highest."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps import registry, sidecar
from fellview.io import heights, scenes
from fellview.io.atomic import require_writable
from fellview.io.heights import Options
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf, stems


def export(
    folder: Path, shelf: Shelf, suffix: str, generate: Callable[[Scene], HeightField], options: Options
) -> tuple[list[Path], tuple[float, float], list[str]]:
    """Write the heights of all lands on `shelf` into `folder`, as the format of `suffix` has them, with sidecars.

    All have the range of `options`, or where that is none, that from the lowest height of all to the highest. Returns
    the files, the range in metres, and remarks for a person. `generate` gives a scene's land. `InputError` where the
    format cannot do it; nothing is written before all lands are there.
    """
    files = [folder / f"{stem}{suffix}" for stem in stems(shelf)]
    if not files:
        raise InputError("the shelf: no land is kept: expected at least one")
    of_format, _ = registry.writer(files[0])
    heights.require_georeference(of_format, options.georeference)
    require_writable(*files, *(sidecar.path_of(path) for path in files))
    with tempfile.TemporaryDirectory() as place:  # two hundred lands of 2048² cells would take three gigabytes
        kept = [Path(place) / f"{number}.npy" for number in range(len(files))]
        cells, ranges = [], []
        for path, one in zip(kept, shelf.variants, strict=True):
            field = generate(one.scene)
            np.save(path, field.heights)
            cells.append(field.cell_size)
            ranges.append(field.height_range)
        shared = options.range or (min(low for low, _ in ranges), max(high for _, high in ranges))
        told: list[str] = []
        for path, stored, cell_size, one in zip(files, kept, cells, shelf.variants, strict=True):
            water = one.scene.water
            how = dataclasses.replace(
                options, range=shared, sea_level=water.sea_level if water.enabled and water.sea else None
            )
            field = HeightField(np.load(stored, mmap_mode="r"), cell_size)
            _, remarks = heights.export(path, field, scenes.to_text(one.scene, path.parent), options=how)
            told += [f"{one.name}: {remark}" for remark in remarks]
    return files, shared, told
