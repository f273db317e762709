"""Passes: what each pixel of a picture shows in numbers, for compositing: depth, normals, positions, heights, masks.

They are of what a pixel's centre shows: land, ground around it, stones, figures, and a slab's sides. Where water
stands, they are the ground's under it. The sky has the depth 1e10, as Blender writes it, and 0 in all others.

Channels are named as programs for compositing take layers apart: the layer before the last dot, and a letter behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError, named
from fellview.core.height_field import HeightField
from fellview.draw.ground.ground_maps import GroundMapper
from fellview.draw.passes import whole
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.view import projection

Floats = NDArray[np.float32]

SKY_DEPTH_M = 1e10
OF_SURFACES = ("depth", "normal", "position", "heights", "materials")
"""Passes that every scene has; masks of the land come on top, by their names."""


def require(names: Sequence[str], field: HeightField | None = None) -> None:
    """Raise `InputError` where one of `names` is no pass; with a `field`, where that land has no such mask."""
    there = (*OF_SURFACES, *(FIELDS if field is None else field.masks))
    for name in names:
        if name not in there:
            raise InputError(f"--passes {named(name)}: expected some of {', '.join(there)}")


@dataclass(frozen=True)
class _OverLand:
    """Values [row, column] at the vertices of the land, between which they are read."""

    values: NDArray[np.float32] | NDArray[np.uint8]
    categorical: bool = False

    def at(self, across: Floats, along: Floats) -> Floats:
        """Return the values at places in cells along columns and rows, which lie within the land."""
        if self.categorical:
            return self.values[np.rint(along).astype(np.intp), np.rint(across).astype(np.intp)].astype(np.float32)
        row, column = (np.floor(each).astype(np.intp) for each in (along, across))
        below, right = (
            np.minimum(each + 1, side - 1) for each, side in zip((row, column), self.values.shape, strict=True)
        )
        down, over = along - row, across - column
        upper = self.values[row, column] * (1 - over) + self.values[row, right] * over
        lower = self.values[below, column] * (1 - over) + self.values[below, right] * over
        return (upper * (1 - down) + lower * down).astype(np.float32)


class Passes:
    """The passes `names` of `scene` over `field`, seen by the scene's camera; `mapper` tells the ground's materials.

    `InputError` where one is none.
    """

    def __init__(self, mapper: GroundMapper, scene: Scene, field: HeightField, names: Sequence[str]) -> None:
        require(names, field)
        self._scene, self._field = scene, field
        self._channels: dict[str, dict[str, int]] = {}  # of passes that surfaces have, by the axis
        self._over_land: dict[str, dict[str, _OverLand]] = {}
        for name in names:
            if name == "materials":
                found = whole(mapper.passes(scene, field, 1))
                weights = found.weights[::-1]  # maps begin in the north
                self._over_land[name] = {
                    f"{name}_{layer}.Y": _OverLand(weights[..., number]) for number, layer in enumerate(found.layers)
                }
            elif name in OF_SURFACES:
                letters = {"depth": "Z", "heights": "Y"}.get(name, "XYZ")
                self._channels[name] = {f"{name}.{letter}": axis for axis, letter in enumerate(letters)}
            else:
                mask = _OverLand(field.masks[name], FIELDS[name].categorical)
                self._over_land[name] = {f"{name}.Y": mask}
        self.names = tuple(names)

    def channels(self, name: str) -> tuple[str, ...]:
        """Return the channels of the pass `name`."""
        return tuple(self._channels.get(name) or self._over_land[name])

    def rows(self, places: Floats, normals: Floats) -> dict[str, Floats]:
        """Return the channels of pixels that show `places` with `normals`, both float32 [row, column, 4]."""
        camera, field = self._scene.camera, self._field
        shows = places[..., 3] > 0
        forward, eye = projection.forward(camera), projection.eye(camera)
        found: dict[str, Floats] = {}
        for name, channels in self._channels.items():
            values: Floats
            if name == "depth":
                ahead = places[..., :3] @ forward - eye @ forward
                values = np.where(shows, ahead, SKY_DEPTH_M).astype(np.float32)[..., None]
            elif name == "heights":
                values = places[..., 1:2] / self._scene.view.exaggeration
            else:
                values = places if name == "position" else normals
            found |= {channel: values[..., axis] for channel, axis in channels.items()}
        if not self._over_land:
            return found
        across, along = places[..., 0] / field.cell_size[1], places[..., 2] / field.cell_size[0]
        inside = shows & (across >= 0) & (along >= 0) & (across <= field.columns - 1) & (along <= field.rows - 1)
        for name, maps in self._over_land.items():
            for channel, of_land in maps.items():
                values = np.zeros(shows.shape, np.float32)
                values[inside] = of_land.at(across[inside], along[inside])
                found[channel] = values / np.float32(255) if name == "materials" else values
        return found
