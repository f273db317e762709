"""Layers of rock as the ground shows them: a colour for every height in the pile, and where the ground lies in it.

The masks `rock_layer` and `rock_hardness` have one value a cell, and a cliff of several layers may be one cell wide. So
the pile itself is looked up at every pixel's height: same layers, same places (`terrain/erosion/rock.py`), on either
engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.height_map import HeightMap
from fellview.gpu import formats, mipmaps
from fellview.gpu.passes import GridPasses
from fellview.gpu.twins import rock as gpu_rock
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock

_BEDS_M, _BED_TURNS = np.array([0.29, 0.53, 1.0, 2.73]), np.array([0.0, 2.4, 1.3, 4.1])
"""Waves a bed height, and where they start: those of BED_WAVES in shaders/draw/ground/beds.glsl."""
_BEDS_SHARE = np.array([0.5, 0.45, 0.4, 0.35])
_FINE_BEDS = 0.5  # how strong beds are within a layer, beside the layers

_HARD, _OWN = 0.6, 0.9  # how far hardness, and how far each layer's own number, move it between dark and light
_HUE = (0.07, 0.0, -0.07)  # how far red and blue of a layer are moved at most, one against the other
_RAGGED = 0.03  # of a layer's thickness: how far noise of one deviation moves a contact up or down

Colours = NDArray[np.float32]


def numbers(looks: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return of `Strata.looks` the layers' own numbers, 0 to 1, and their mean hardness, one value a layer, -1 to 1.

    Hardness passes from one layer into the next, and colours end at contacts.
    """
    own, hardness = looks.astype(np.float64)
    layer = np.concatenate([[0], np.cumsum(np.diff(own) != 0)])
    return own, (np.bincount(layer, hardness) / np.bincount(layer))[layer]


def beds(heights_m: NDArray[Any], bed_m: float) -> NDArray[Any]:
    """Return how light beds are at `heights_m`, -1 to 1; the twin of beds() in shaders/draw/ground/beds.glsl."""
    total = np.sin(2 * np.pi * heights_m[:, None] / bed_m * _BEDS_M + _BED_TURNS) @ _BEDS_SHARE
    return 1.35 * total / (0.35 + np.abs(total))


def tints(layers: rock.Strata, dark_light: tuple[tuple[float, ...], ...], strata: float, bed_m: float) -> Colours:
    """Return what rock multiplies its colour by at every sample of the pile, (samples, 3).

    Hard layers are light and soft ones dark, as `dark_light` of the palette has it, and no two quite alike; within them
    lie beds `bed_m` high, as strong as `strata`.
    """
    own, hardness = numbers(layers.looks())
    heights = layers.first_m + layers.sample_m * np.arange(len(own), dtype=np.float64)
    tone = _HARD * hardness + _OWN * (own - 0.5) + _FINE_BEDS * strata * beds(heights, bed_m)
    tone = np.clip(tone, -1, 1)[:, None]
    dark, light = np.array(dark_light)
    tint = np.where(tone > 0, 1 + tone * (light - 1), 1 - tone * (dark - 1))
    # another digit of the number: hue does not follow tone
    hue = 2 * np.modf(7 * own)[0][:, None] - 1
    return (tint * (1 + hue * np.array(_HUE))).astype(np.float32)


class RockLayers:
    """Keeps the two textures of the pile under the height map that is shown, in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._grids = GridPasses(context)
        self._colours: moderngl.Texture | None = None
        self._places: moderngl.Texture | None = None
        self._key: tuple[object, ...] = ()
        self.version = 0
        """Grows whenever they are made anew."""
        self._numbers: dict[str, tuple[float, ...]] = {}

    def textures(
        self,
        scene: Scene,
        height_map: HeightMap,
        kind: object,
        colours: Callable[[rock.Strata], Colours],
        lowest_m: float = math.inf,
    ) -> tuple[dict[str, moderngl.Texture], dict[str, tuple[float, ...]]] | None:
        """Return textures and numbers by their names in shaders/draw/ground/rock_layers.glsl, or None without rock.

        `colours` gives those of a pile, and `kind` is another where they are. The pile reaches down to the lowest
        ground, or to `lowest_m` where that is lower.
        """
        field = height_map.field
        assert field is not None
        domain = Domain(scene.grid, scene.noise.seed, (scene.rock,))
        stride = height_map.stride
        key = (height_map.version, stride, domain, kind, lowest_m)
        if key != self._key:
            lowest, highest = field.height_range
            layers = rock.strata(domain, min(lowest, lowest_m), highest)
            if layers is None:
                return None
            self._make(layers, domain, (-(-field.rows // stride), -(-field.columns // stride)), colours(layers))
            self._key = key
            self.version += 1
            samples = layers.looks().shape[1]
            ragged = _RAGGED * scene.rock.thickness / layers.sample_m
            self._numbers = {"u_layer": (1 / layers.sample_m, ragged, 1 / samples)}
        assert self._colours is not None and self._places is not None
        return {"u_layer_colours": self._colours, "u_layer_places": self._places}, self._numbers

    def _make(self, layers: rock.Strata, domain: Domain, shape: tuple[int, int], colours: Colours) -> None:
        """Make both for places of `shape` (rows, columns) all over the domain."""
        if self._places is not None:
            self._grids.give_back(self._places)
        self._places = gpu_rock.places(self._grids, layers, domain, *shape, 0.0)
        self._places.filter = (moderngl.LINEAR, moderngl.LINEAR)
        if self._colours is None:
            dtype = formats.of(self._context).drawn(4, formats.PRECISE, "the colours of layers")
            self._colours = mipmaps.empty(self._context, (len(colours), 1), 4, dtype)
        opaque = np.pad(colours, ((0, 0), (0, 1)), constant_values=1.0)
        self._colours.write(formats.packed(opaque, self._colours.dtype))
        mipmaps.build(self._colours)  # layers thinner than a pixel are the mean of what it covers
