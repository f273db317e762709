"""Morph: one scene becomes another: heights are blended on one grid, numbers of the look go over, the rest switches."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Declaration, Group, Value
from fellview.scene.scene import Scene
from fellview.studio.films.film import Blend, Frame, Plan, Setting
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.terrain.resample import coarser, finer
from fellview.terrain.step import Land
from fellview.view.flight import eased

_NEVER = np.zeros(1, np.uint8)  # of what nobody cancels
_LEFT_BY_STEPS = {name: one for name, one in FIELDS.items() if one not in masks.FIELDS}


@dataclass(frozen=True)
class Morph:
    """From a scene to the scene `to`, setting off and ending slowly."""

    closed: ClassVar[bool] = False

    to: Scene

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return None: it may take as long as one likes."""
        return None

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the way from `scene`."""

        def at(share: float) -> Frame:
            blend = eased(share)
            if share in (0.0, 1.0):
                return Frame(self.to if share else scene)
            return Frame(between(scene, self.to, blend), Blend(scene, self.to, blend))

        return at


def between(one: Scene, other: Scene, share: float) -> Scene:
    """Return the scene at a `share` of the way from `one` to `other`, on the grid of `one`.

    Numbers and colours of the look go over, and so does the land's size; the rest switches half way.
    """
    nearer, theirs = (one if share < 0.5 else other), other.groups()
    land = one.terrain_groups()
    groups = {key: _between(group, theirs[key], share) for key, group in one.groups().items() if key not in land}
    sizes = _between(one.grid.replace(rows=2, columns=2), other.grid.replace(rows=2, columns=2), share)
    grid = sizes.replace(rows=one.grid.rows, columns=one.grid.columns)
    return dataclasses.replace(nearer, **groups, grid=grid)  # type: ignore[arg-type]


def _between(one: Group, other: Group, share: float) -> Group:
    values = other.values()
    declared = one.declarations()
    return one.replace(**{name: _value(declared[name], old, values[name], share) for name, old in one.values().items()})


def _value(declaration: Declaration, old: Value, new: Value, share: float) -> Value:
    if isinstance(old, str) and isinstance(new, str) and declaration.colour:
        levels = (np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)]) for text in (old, new))
        first, last = levels
        return "#" + "".join(f"{round(level):02x}" for level in first + (last - first) * share)
    if isinstance(old, (bool, str)) or isinstance(new, (bool, str)) or old == new:
        return old if share < 0.5 else new
    if declaration.wraps:
        return (old + ((new - old + 180) % 360 - 180) * share) % 360  # the shorter way round
    return declaration.at_share(share, old, new)


def blended(one: HeightField, other: HeightField, share: float) -> HeightField:
    """Return the land a `share` of the way from `one` to `other`, on the grid of `one`, with its masks.

    Both cover the whole of it, whatever their sizes, which go over too. What steps have left on the ground is blended
    like heights; kinds of things, such as layers of rock, switch half way.
    """

    def base(field: HeightField) -> Heights:
        return field.heights + field.masks[masks.EROSION_DEPTH.name] - field.masks[masks.DEPOSITION_DEPTH.name]

    def left(field: HeightField, name: str) -> Heights:
        return field.masks[name] if name in field.masks else np.zeros_like(field.heights)

    fields = {}
    for name, declared in _LEFT_BY_STEPS.items():
        if name in one.masks or name in other.masks:
            weight = float(share >= 0.5) if declared.categorical else share
            fields[name] = _mixed(left(one, name), left(other, name), weight)
    size_z, size_x = (ours + (theirs - ours) * share for ours, theirs in zip(one.size, other.size, strict=True))
    cell_size = (size_z / one.rows, size_x / one.columns)
    heights = _mixed(one.heights, other.heights, share)
    land = Land(heights, fields)
    return HeightField(heights, cell_size, masks.Masks(land, cell_size, _mixed(base(one), base(other), share)))


def blended_alike(one: HeightField, other: HeightField, share: float) -> HeightField | None:
    """Return the land a `share` of the way from `one` to `other`, with the masks that both have; none of other grids.

    It takes no kernel, and so can be made while a window draws. Masks of what is nowhere on a land switch half way.
    """
    if one.heights.shape != other.heights.shape:
        return None
    size_z, size_x = (ours + (theirs - ours) * share for ours, theirs in zip(one.size, other.size, strict=True))
    nearer = one if share < 0.5 else other
    found = {}
    for name in set(one.masks) & set(other.masks):
        both = one.masks[name], other.masks[name]
        whole = all(np.isfinite(each).all() for each in both)
        found[name] = _mixed(both[0], both[1], share) if whole else nearer.masks[name]
    cell_size = (size_z / one.rows, size_x / one.columns)
    return HeightField(_mixed(one.heights, other.heights, share), cell_size, found)


def _mixed(ours: Heights, theirs: Heights, share: float) -> Heights:
    """Return values a `share` of the way from `ours` to `theirs`, which are brought to the same cells, read-only."""
    if theirs.shape != ours.shape:
        fewer = [min(sides) for sides in zip(ours.shape, theirs.shape, strict=True)]
        theirs = finer(coarser(theirs, fewer[0], fewer[1], _NEVER), ours.shape[0], ours.shape[1], _NEVER)
    mixed: Heights = ours + np.float32(share) * (theirs - ours)
    mixed.flags.writeable = False
    return mixed
