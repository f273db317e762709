"""The board as plain data: which variants are to be seen, from where, and what is marked of them.

`board_head.py` draws what chooses the pictures, `board_view.py` the pictures themselves.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fellview.core import number_format
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.thumbnails.messages import Look
from fellview.ui import values
from fellview.variants import axes, chance
from fellview.variants.disperse import Spread

KINDS = {"along": "Along", "plane": "Plane", "seeds": "Seeds", "dispersed": "Different"}
"""What pictures differ by, and how the board calls it."""

Chance = Literal["dispersed", "like", "mixed"]
"""How scenes are made by chance: far from each other, close to a marked one, out of two marked ones."""

SIDES = (3, 4, 5)
_IN_A_ROW = 4  # of dispersed and mixed ones
_FIRST_AXES = ("erosion.duration", "noise.amplitude", "noise.frequency")  # the first two of these that have an effect


@dataclass(frozen=True)
class Axis:
    """A parameter's key and the range that the board goes along."""

    key: str
    low: float
    high: float


@dataclass(frozen=True)
class Board:
    """The board as the person left it.

    `first_seed` is that of the first picture over seeds. `found` are the scenes that were made `by` chance, and
    `wanted` what they are dispersed around where that is to be done anew. `marked` are scenes, the last one last.
    """

    shown: bool = False
    kind: str = "along"
    across: Axis | None = None
    up: Axis | None = None
    side: int = SIDES[0]
    first_seed: int = 0
    look: Look = "camera"
    amount: float = chance.AMOUNT
    found: tuple[Scene, ...] = ()
    by: Chance = "dispersed"
    wanted: Spread | None = None
    marked: tuple[Scene, ...] = ()
    under: Scene | None = None
    """The scene whose picture is shown large."""


@dataclass(frozen=True)
class Cell:
    """One picture: its scene, and what stands below it."""

    scene: Scene
    label: str


@dataclass(frozen=True)
class Pictures:
    """What has been drawn: textures by scene, the large one's, the fraction that is measured, and faults by scene.

    `cameras` are the good views that were found, by scene.
    """

    textures: Mapping[Scene, int]
    large: tuple[Scene, int] | None = None
    measured: float | None = None
    faults: Mapping[Scene, str] = dataclasses.field(default_factory=dict)
    cameras: Mapping[Scene, Camera] = dataclasses.field(default_factory=dict)

    def finest(self, scene: Scene) -> int | None:
        """Return the texture of the finest picture of `scene` that there is."""
        if self.large is not None and self.large[0] == scene:
            return self.large[1]
        return self.textures.get(scene)


def opened(board: Board, scene: Scene) -> Board:
    """Return `board` shown over `scene`, with axes that have an effect there."""
    free = axes_of(scene)
    named = [key for key in (*_FIRST_AXES, *free) if key in free]
    across = board.across if board.across and board.across.key in free else _axis(scene, named[0])
    others = [key for key in named if key != across.key]
    up = board.up if board.up and board.up.key in free and board.up.key != across.key else _axis(scene, others[0])
    return dataclasses.replace(board, shown=True, across=across, up=up, first_seed=scene.noise.seed)


def _axis(scene: Scene, key: str) -> Axis:
    """Return the axis that begins with the useful range of `key`, and reaches the scene's own value."""
    low, high = axes.usual_range(scene, key)
    own = float(scene.get(key))
    return Axis(key, min(low, own), max(high, own))


def axes_of(scene: Scene) -> dict[str, str]:
    """Return every parameter that can be an axis: how it is called, by its key."""
    return {
        f"{group.key}.{name}": f"{group.title}: {declaration.label.lower()}"
        for group in chance.at_work(scene)
        for name, declaration in group.declarations().items()
        if declaration.type in (int, float) and values.on_slider(declaration) and declaration.row and group.shows(name)
    }


@functools.lru_cache(maxsize=4)  # asked for in every frame and every turn of the loop: 15 ms of dispersed ones
def cells(board: Board, scene: Scene) -> tuple[list[Cell], int]:
    """Return the pictures of `board` over `scene`, row by row, and how many stand in a row."""
    side = board.side
    if board.look == "views":  # from which each has its own, wherever the scene is looked at from
        scene = scene.with_group(Camera(field_of_view=scene.camera.field_of_view, mode=scene.camera.mode))
    if board.kind == "seeds":
        base = scene.replace({"noise.seed": board.first_seed})
        return [Cell(one, f"seed {one.noise.seed:,}") for one in axes.seeds(base, side * side)], side
    if board.kind == "dispersed":
        seen = [one.viewed_as(scene) for one in board.found]
        return [Cell(one, chance.most_changed(one, scene)) for one in seen], _IN_A_ROW
    assert board.across is not None and board.up is not None
    across, up = board.across, board.up
    if board.kind == "along":
        found = axes.along(scene, across.key, across.low, across.high, side * side)
        return [Cell(one, told(one, across.key)) for one in found], side
    found = axes.plane(scene, across.key, up.key, (across.low, across.high), (up.low, up.high), side, side)
    return [Cell(one, f"{told(one, across.key)},  {told(one, up.key)}") for one in found], side


def told(scene: Scene, key: str) -> str:
    """Return the value of `key` with its unit, on three digits."""
    _, _, declaration = scene.find(key)
    value = float(f"{float(scene.get(key)):.3g}")
    return number_format.with_unit(round(value) if declaration.type is int else value, declaration.unit)


def own_place(axis: Axis, scene: Scene, count: int) -> float | None:
    """Return where the scene's own value lies among `count` ones along `axis`, 0 at its low end; None beyond it."""
    value = float(scene.get(axis.key))
    _, _, declaration = scene.find(axis.key)
    return (count - 1) * declaration.share(value, axis.low, axis.high) if axis.low <= value <= axis.high else None


def adopted(cell: Cell, scene: Scene, pictures: Pictures, look: Look) -> Scene:
    """Return what `cell` makes of `scene`: seen as before, or from the good view that its picture shows."""
    taken = cell.scene.viewed_as(scene)
    camera = pictures.cameras.get(cell.scene)
    return taken.with_group(camera) if look == "views" and camera is not None else taken


def nearest_first(count: int, in_a_row: int) -> list[int]:
    """Return places of a grid, those nearest to its middle first."""
    rows = math.ceil(count / in_a_row)
    middle = (in_a_row - 1) / 2, (rows - 1) / 2
    places = range(count)
    return sorted(places, key=lambda at: math.hypot(at % in_a_row - middle[0], at // in_a_row - middle[1]))


def with_axis(board: Board, scene: Scene, name: str, key: str) -> Board:
    """Return `board` with the parameter `key` as the axis `name`, "across" or "up"; axes that meet change places."""
    other = "up" if name == "across" else "across"
    chosen = _axis(scene, key)
    if getattr(board, other) is not None and getattr(board, other).key == key:
        return changed(board, {name: getattr(board, other), other: getattr(board, name)})
    return changed(board, {name: chosen})


def changed(board: Board, changes: Mapping[str, Any]) -> Board:
    """Return `board` with fields changed by name."""
    return dataclasses.replace(board, **changes)
