"""The scene: every parameter of a terrain and of its picture, frozen and validated."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fellview.core.errors import InputError, named
from fellview.core.parameters import Declaration, Group, Value
from fellview.scene.bookmarks import Bookmarks
from fellview.scene.groups.air import Air
from fellview.scene.groups.camera import Camera
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.sky import Sky
from fellview.scene.groups.sun import Sun
from fellview.scene.groups.view import View
from fellview.terrain.domain import Grid
from fellview.terrain.erosion.rock import Rock
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.steps.crags import Crags
from fellview.terrain.steps.curve import Curve
from fellview.terrain.steps.edge import Edge
from fellview.terrain.steps.erosion import Erosion
from fellview.terrain.steps.imported import Imported
from fellview.terrain.steps.landform import Landform1, Landform2, Landform3, Landform4
from fellview.terrain.steps.noise import Noise
from fellview.terrain.steps.perturb import Perturb
from fellview.terrain.steps.scree import Scree
from fellview.terrain.steps.smooth import Smooth
from fellview.terrain.steps.terrace import Terrace


def _with_every_step(scene: type[Any]) -> type[Any]:
    """Add the groups of steps that `scene` does not declare, each behind that of the step before it."""
    declared: dict[str, Any] = scene.__annotations__
    for before, step in itertools.pairwise(STEPS):
        if step.key not in declared:
            place = list(declared).index(before.key) + 1
            items = list(declared.items())
            declared = dict([*items[:place], (step.key, step.parameters), *items[place:]])
            setattr(scene, step.key, field(default_factory=step.parameters))
    scene.__annotations__ = declared
    return scene


@dataclass(frozen=True)
@_with_every_step
class Scene:
    """The whole recipe. `name`, `sentence` and `bookmarks` are for people; everything else is a group of parameters.

    Declared here are the groups that other rooms read by name; those of further steps join by themselves.
    """

    name: str = "untitled"
    sentence: str = ""
    bookmarks: Bookmarks = ()
    noise: Noise = field(default_factory=Noise)
    imported: Imported = field(default_factory=Imported)
    rock: Rock = field(default_factory=Rock)
    landform1: Landform1 = field(default_factory=Landform1)
    landform2: Landform2 = field(default_factory=Landform2)
    landform3: Landform3 = field(default_factory=Landform3)
    landform4: Landform4 = field(default_factory=Landform4)
    perturb: Perturb = field(default_factory=Perturb)
    curve: Curve = field(default_factory=Curve)
    terrace: Terrace = field(default_factory=Terrace)
    edge: Edge = field(default_factory=Edge)
    erosion: Erosion = field(default_factory=Erosion)
    crags: Crags = field(default_factory=Crags)
    scree: Scree = field(default_factory=Scree)
    smooth: Smooth = field(default_factory=Smooth)
    sun: Sun = field(default_factory=Sun)
    water: Water = field(default_factory=Water)
    ground: Ground = field(default_factory=Ground)
    sky: Sky = field(default_factory=Sky)
    air: Air = field(default_factory=Air)
    view: View = field(default_factory=View)
    camera: Camera = field(default_factory=Camera)
    grid: Grid = field(default_factory=Grid)

    def __hash__(self) -> int:
        """Return the hash, worked out once: pictures are kept by scene, and looked up a hundred times a frame."""
        return self._hash

    @functools.cached_property
    def _hash(self) -> int:
        return hash((self.name, self.sentence, self.bookmarks, *self.groups().values()))

    def __getstate__(self) -> dict[str, object]:
        """Return what goes to another process, where texts have other hashes."""
        return {key: value for key, value in vars(self).copy().items() if key != "_hash"}

    def groups(self) -> dict[str, Group]:
        """Return the groups by key, in the panel's order."""
        # a copy, which is made at once: another thread may be working the hash out, which joins what is there
        return {key: value for key, value in vars(self).copy().items() if isinstance(value, Group)}

    def terrain_groups(self) -> dict[str, Group]:
        """Return the groups that decide the heights: the grid, every step's and those that steps read."""
        groups = self.groups()
        keys = [key for step in STEPS for key in (step.key, *(kind.key for kind in step.reads))]
        return {"grid": self.grid} | {key: groups[key] for key in keys}

    def get(self, key: str) -> Value:
        """Return the value of `key`, such as ``noise.frequency``."""
        group, name, _ = self.find(key)
        return getattr(group, name)  # type: ignore[no-any-return]

    def find(self, key: str) -> tuple[Group, str, Declaration]:
        """Return the group, the parameter's name and its declaration; `InputError` lists what there is."""
        return _found(self.groups(), key)

    def replace(self, changes: Mapping[str, Any]) -> Scene:
        """Return a validated scene with `changes` made, such as ``{"noise.frequency": 8.0}``."""
        groups = self.groups()
        by_group: dict[str, dict[str, Any]] = {}
        for key, value in changes.items():
            group, name, _ = _found(groups, key)
            by_group.setdefault(group.key, {})[name] = value
        changed: dict[str, Any] = {key: groups[key].replace(**values) for key, values in by_group.items()}
        return dataclasses.replace(self, **changed)

    def viewed_as(self, other: Scene) -> Scene:
        """Return the scene as one looks at `other`: from its camera, in its view mode, with its figure."""
        theirs = other.groups()
        seen = {key: group.viewed_as(theirs[key]) for key, group in self.groups().items()}
        return dataclasses.replace(self, **seen)  # type: ignore[arg-type]

    def changed_since(self, opened: Scene) -> bool:
        """Return whether more has changed since `opened` than how one looks at it."""
        theirs = opened.groups()
        texts = (self.name, self.sentence, self.bookmarks)
        return texts != (opened.name, opened.sentence, opened.bookmarks) or any(
            group is not theirs[key] and group.viewed_as(theirs[key]) != theirs[key]
            for key, group in self.groups().items()
        )

    def with_longer_side(self, cells: int) -> Scene:
        """Return the scene on a grid of `cells` cells along its longer side, as square as whole numbers make them."""
        size_z, size_x = self.grid.size_z, self.grid.size_x
        rows, columns = (max(round(cells * size / max(size_z, size_x)), 2) for size in (size_z, size_x))
        return self.with_group(self.grid.replace(rows=rows, columns=columns))

    def with_group(self, group: Group) -> Scene:
        """Return the scene with one group exchanged."""
        return dataclasses.replace(self, **{group.key: group})  # type: ignore[arg-type]


def _found(groups: Mapping[str, Group], key: str) -> tuple[Group, str, Declaration]:
    """Return which of `groups` has `key`, the parameter's name and its declaration; `InputError` where none has."""
    group_key, dot, name = key.partition(".")
    if group_key not in groups or not dot:
        raise InputError(f"{named(key)}: no such key; expected group.name with a group out of {', '.join(groups)}")
    return groups[group_key], name, groups[group_key].declaration(name)
