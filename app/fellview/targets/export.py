"""Land written for a target: the height map at a size that it takes, its sidecar, and a text of what to type there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fellview.core.height_field import HeightField
from fellview.io import heights, scenes
from fellview.io.atomic import require_writable, write_text
from fellview.io.heights import USUAL, Options
from fellview.scene.scene import Scene
from fellview.targets.target import WORDS, Entry, Target, Written
from fellview.terrain.pipeline import pipeline

Beside = Callable[[Scene, HeightField, Path, str], tuple[Sequence[Path], Sequence[str]]]
"""Writes more of a land: scene, its land, the folder, and what names begin with; returns the files and remarks."""

_LEAST_RANGE_M = 1.0  # of words: engines divide by it, and flat land has none
_LONGEST_NAME = 40  # characters


@dataclass(frozen=True)
class Exported:
    """What was written: the files, the height map first, what to type, the same as text, and remarks for a person."""

    files: tuple[Path, ...]
    entries: tuple[Entry, ...]
    text: str
    remarks: tuple[str, ...]


def sized(scene: Scene, target: Target, side: int) -> Scene:
    """Return `scene` on the grid that `target` takes with `side` cells along its longer side.

    `InputError` where it takes no such side.
    """
    target.require_size(side)
    grid = scene.grid
    rows = columns = side
    if not target.square:  # cells as square as whole numbers of them can be
        longer = max(grid.size_x, grid.size_z)
        columns, rows = (_taken(target, side * size / longer) for size in (grid.size_x, grid.size_z))
    return scene.with_group(grid.replace(rows=rows, columns=columns))


def _taken(target: Target, cells: float) -> int:
    """Return the number nearest to `cells` that `target` takes."""
    nearest = round(cells)
    both = ((nearest - step, nearest + step) for step in range(nearest + target.size))
    return next(one for pair in both for one in pair if one > 1 and target.takes(one))


def paths(scene: Scene, target: Target, folder: Path) -> tuple[Path, Path]:
    """Return where the height map of `scene` goes in `folder`, and the text of what to type."""
    words = "".join(letter if letter.isalnum() else "-" for letter in scene.name.lower()).strip("-") or "land"
    stem = f"{words[:_LONGEST_NAME]}-{target.name}"
    return folder / f"{stem}{target.suffix}", folder / f"{stem}.txt"


def export(
    scene: Scene,
    target: Target,
    folder: Path,
    generate: Callable[[Scene], HeightField],
    side: int = 0,
    options: Options = USUAL,
    beside: Beside = lambda scene, field, folder, stem: ([], []),
) -> Exported:
    """Write the land of `scene` into `folder` as `target` takes it, computed anew on a grid of `side` cells.

    `side` 0 is the target's own. `beside` may write more of the same land under names that begin with a stem, and
    returns the files and remarks. `InputError` where it takes no such side, or nothing can be written.
    """
    placed = sized(scene, target, side or target.size)
    path, text_path = paths(scene, target, folder)
    require_writable(path, text_path)
    field = generate(placed)
    low, high = field.height_range
    if target.bits == WORDS and options.range is None:
        options = replace(options, range=(low, max(high, low + _LEAST_RANGE_M)))
    options = replace(options, bits=target.bits, channel=target.channel)
    if scene.water.enabled and scene.water.sea:
        options = replace(options, sea_level=scene.water.sea_level)
    coded, told = heights.export(path, field, scenes.to_text(placed, folder), options=options)
    low, high = coded.range or (low, high)
    written = Written(path.name, field.rows, field.columns, field.cell_size, coded, low, high)
    entries = target.entries(written)
    more, told_of_more = beside(placed, field, folder, path.stem)
    text = _text(target, written, entries, more)
    write_text(text_path, text)
    return Exported(
        (path, text_path, *more),
        entries,
        text,
        (*told, *told_of_more, *_changed_land(scene, placed), *pipeline.remarks(placed.terrain_groups())),
    )


def _changed_land(scene: Scene, placed: Scene) -> list[str]:
    """Return a line on the steps at work that count in cells, where there are some and the grid is another."""
    groups = scene.terrain_groups()
    at_work = [one for one in pipeline.STEPS if one.active(groups[one.key]) and one.in_cells(groups[one.key])]
    before, after = (f"{one.grid.columns} × {one.grid.rows}" for one in (scene, placed))
    if not at_work or before == after:
        return []
    titles = ", ".join(one.parameters.title for one in at_work)
    return [f"steps that count in cells ({titles}) make another land on {after} of them than on {before}"]


def _text(target: Target, written: Written, entries: tuple[Entry, ...], more: Sequence[Path]) -> str:
    """Return what a person types for `target`, and where; with `more` files what to do with those."""
    width = max(len(one.label) for one in entries)
    span_z, span_x = written.span
    return "\n".join(
        [
            f"{written.name} for {target.title}",
            "",
            *target.steps,
            "",
            *(f"  {one.label:{width}}  {one.text}{' ' if one.unit else ''}{one.unit}" for one in entries),
            "",
            f"{written.columns} × {written.rows} heights, {span_x:.9g} × {span_z:.9g} m from the first to the last,"
            f" {written.low:.9g} to {written.high:.9g} m high.",
            *(["", *target.map_steps] if more else []),
            "",
        ]
    )
