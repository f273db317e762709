"""The base out of a file: a height map takes the place of the noise, or is added to it.

    h'[r, c] = b + lowest + (v(r, c) − v₀)/(v₁ − v₀)·(highest − lowest)

v are the file's values, v₀ and v₁ what its format's ends stand for (`height_file.py`), b is 0 or the land below. Cell r
of R lies at r/R of the land, as everywhere; the file covers the land, or with a cell size of its own lies with its
middle on the land's, and its border goes on beyond it. Finer land is bicubic (Catmull-Rom), coarser land the mean
under a tent, so that a file is the same land on every grid; on a grid of its own size it is exactly the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from fellview.core.errors import InputError, quoted
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch, text
from fellview.heightmaps import height_file, registry
from fellview.terrain import resample
from fellview.terrain.domain import Domain
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

MOST_CARRIED_LETTERS = 400_000
"""Of a packed file: less than half of what a recipe may have."""


@dataclass(frozen=True)
class Imported(Group):
    """Which file the land comes from, and what its numbers mean."""

    key: ClassVar[str] = "imported"
    title: ClassVar[str] = "Height map"

    enabled: bool = switch(False, tip="Takes the land from the chosen file; off leaves it to the noise.")
    path: str = text(
        "", label="File", tip=f"A height map: {registry.in_words(registry.READ_SUFFIXES)}.", action="import"
    )
    sha256: str = text("", tip="The file's fingerprint, by which a changed file is noticed.", row=False)
    blend: str = choice(
        "replace", ("replace", "add"), tip="Replace leaves nothing of the noise, add lays it over the file's land."
    )
    lowest: float = real(
        0.0,
        -100_000.0,
        100_000.0,
        slider=(-1000, 5000),
        unit="m",
        useful=(),
        tip="Height of the format's lowest value: black in a picture.",
    )
    highest: float = real(
        1000.0,
        -100_000.0,
        100_000.0,
        slider=(-1000, 5000),
        unit="m",
        useful=(),
        tip="Height of the format's highest value: white in a picture. Below the lowest it turns the land inside out.",
    )
    cell_size: float = real(
        0.0,
        0.0,
        100_000.0,
        slider=(0, 100),
        unit="m",
        useful=(),
        tip="How far the file's cells lie apart. 0 stretches it over the land, otherwise the land shows its middle.",
        more=True,
    )
    rows_reversed: bool = switch(
        False,
        label="Mirrored in z",
        tip="Begins in the south with the file's last row, as pictures need it, whose first row is the north."
        " Unity's RAW files begin in the south themselves.",
        more=True,
    )
    columns_reversed: bool = switch(
        False, label="Mirrored in x", tip="Mirrors the file's land left to right.", more=True
    )
    transposed: bool = switch(False, tip="Takes the file's columns for rows.", more=True)
    carried: bool = switch(
        False,
        label="In the recipe",
        tip="Recipes and pictures carry a small file inside, so that they open anywhere; off they only name it.",
        more=True,
    )
    content: str = text(
        "", tip="The file itself, packed, where a recipe carries it.", row=False, longest=MOST_CARRIED_LETTERS
    )


def oriented(parameters: Imported, values: Heights) -> Heights:
    """Return the view of `values` whose rows run along z and columns along x."""
    turned = values.T if parameters.transposed else values
    turned = turned[::-1] if parameters.rows_reversed else turned
    return turned[:, ::-1] if parameters.columns_reversed else turned


@dataclass(frozen=True)
class Laid:
    """A file's values (rows along z, columns along x), how they lie under a grid and how they become metres.

    `along_z` and `along_x` are the grid's first place among the cells of `values`, and its step. A height is
    (value − `first`)·`scale` + `lowest`; none of the three where values are metres already.
    """

    values: Heights
    along_z: tuple[float, float]
    along_x: tuple[float, float]
    metres: tuple[float, float, float] | None


def laid(parameters: Imported, domain: Domain) -> Laid:
    """Return the file under the grid; `InputError` where it is not as expected."""
    file = height_file.read_cached(Path(parameters.path), parameters.sha256)
    values = np.ascontiguousarray(oriented(parameters, file.values))
    grid = domain.grid
    places = []
    for cells, size, count in zip(values.shape, (grid.size_z, grid.size_x), (grid.rows, grid.columns), strict=True):
        covered = size / parameters.cell_size if parameters.cell_size else float(cells)
        places.append(((cells - covered) / 2, covered / count))
    first, last = file.span
    metres = None
    if (parameters.lowest, parameters.highest) != (first, last):  # else metres stay to the last bit
        scale = (parameters.highest - parameters.lowest) / (last - first) if last > first else 0.0
        metres = first, scale, parameters.lowest
    return Laid(values, places[0], places[1], metres)


def run(parameters: Imported, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the file's land in metres, float32 [row, column]; `InputError` where the file is not as expected."""
    file = laid(parameters, domain)
    progress.report(Imported.key, 0.5)
    rows, columns = heights.shape
    sampled = resample.window(file.values, rows, columns, file.along_z, file.along_x, progress.cancel)
    if file.metres:
        first, scale, lowest = (np.float32(number) for number in file.metres)
        sampled -= first
        sampled *= scale
        sampled += lowest
    if parameters.blend == "add":
        sampled += heights
    return sampled


MOST_CELLS = 2048
"""Most cells a side of the grid that a file chooses: of larger ones every second cell, or third, ..."""


def described(path: Path, domain_size: tuple[float, float]) -> tuple[dict[str, object], str]:
    """Return what a recipe says of the file at `path`, by key, and a line for a person where that is a guess.

    `domain_size` (z, x) in metres is the land's so far; it keeps its width unless the file knows better, and takes the
    file's shape, and its grid where that is not too fine.
    """
    sha256 = height_file.digest(path)
    file = height_file.read_cached(path, sha256)
    rows, columns = file.values.shape
    cell = file.cell_size or (domain_size[1] / columns,) * 2
    size_z, size_x = file.size or (rows * cell[0], columns * cell[1])
    low, high = file.metres or (0.0, round(0.15 * size_x, 1))  # hills as high as a seventh of the land is wide
    remarks = [] if file.metres else [f"no heights in metres; taken as {low:g} to {high:g} m"]
    if file.remark:
        remarks.append(file.remark)
    if file.stray_sidecar:
        remarks.append(f"{path.name}.json belongs to another file and is left out")
    if file.filled:
        remarks.append(f"{file.filled} cells hold no height and are filled from those around them")
    values = {
        "enabled": True,
        "path": str(path),
        "sha256": sha256,
        "blend": "replace",
        "lowest": low,
        "highest": high,
        "cell_size": 0.0,
        "rows_reversed": file.north_first,
        "columns_reversed": False,
        "transposed": False,
    }
    changes: dict[str, object] = {f"imported.{name}": value for name, value in values.items()}
    every = -(-max(rows, columns) // MOST_CELLS)
    changes |= {"grid.size_z": size_z, "grid.size_x": size_x}
    changes |= {"grid.rows": max(round(rows / every), 2), "grid.columns": max(round(columns / every), 2)}
    return changes, "; ".join(remarks)


def require_file(parameters: Imported) -> None:
    """Raise `InputError` where the file is missing, or not the one that was chosen."""
    path = Path(parameters.path)
    found = height_file.digest(path)
    if parameters.sha256 and found != parameters.sha256:
        raise InputError(
            f"imported.path = {quoted(parameters.path)}: the file has changed since it was chosen; choose it again"
        )


STEP = Step(
    Imported,
    run,
    active=lambda parameters: parameters.enabled and bool(parameters.path),
    revision=2,
    scratch_bytes=lambda parameters: 8,  # between the two axes of resampling, on a grid of the file's size
)
