"""A picture of a whole land in the plain colours of what it is made of, which takes the place of the demo's texture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.core.smoothstep import smoothstep_between
from fellview.draw.light.incident_light import sun_direction
from fellview.gpu.uniform_block import rgb
from fellview.scene.groups.sun import Sun
from fellview.scene.scene import Scene

_TEXELS = 512  # a side, as many as the demo's texture has: for others software OpenGL may compile shaders again


@dataclass(frozen=True)
class PlainColours:
    """The display colours, 0 to 1, of what a land is made of, and where each lies."""

    parts: tuple[tuple[float, ...], ...]
    """Base, upper, steep, high and low, as `palettes.plain_parts` has them."""
    borders: tuple[float, ...]
    """Degrees of slope to upper and to steep, heights in metres of snow and of sand."""
    snow_softness_m: float
    sun: Sun
    """The light that it is drawn in."""
    water: tuple[float, ...] = ()
    sea_level_m: float = -np.inf
    """Under which all looks like `water`, level as it is."""

    def picture(self, field: HeightField) -> NDArray[np.uint8]:
        """Return the picture of `field`, uint8 [row, column, rgb]. Twin: shaders/draw/ground/plain_ground.glsl."""
        size = min(field.rows, _TEXELS), min(field.columns, _TEXELS)
        heights = _resized(np.asarray(field.heights, np.float32), size)
        # a slope is of the land's own cells: between texels inside one cell there is none, and all of it at its border
        down, along = (
            _resized(np.gradient(heights, count / texels * cell_m, axis=axis), (_TEXELS, _TEXELS))
            for axis, (count, texels, cell_m) in enumerate(
                zip((field.rows, field.columns), size, field.cell_size, strict=True)
            )
        )
        heights = _resized(heights, (_TEXELS, _TEXELS))
        upright = 1 / np.sqrt(1 + down**2 + along**2)
        slope = np.degrees(np.arccos(upright))
        base, upper, steep, high, low = (np.array(part, np.float32) for part in self.parts)
        to_upper, to_steep, snow_m, sand_m = self.borders
        colour = _mixed(base, upper, smoothstep_between(-5, 5, slope - to_upper))
        colour = _mixed(colour, steep, smoothstep_between(-4, 4, slope - to_steep))
        sand = (1 - smoothstep_between(-4, 4, heights - sand_m)) * (1 - smoothstep_between(14, 24, slope))
        colour = _mixed(colour, low, sand)
        over_line = (heights - snow_m) / self.snow_softness_m - 0.9 * down * upright
        colour = _mixed(
            colour, high, smoothstep_between(-0.3, 0.3, over_line) * (1 - smoothstep_between(40, 50, slope))
        )
        if self.water:
            towards = sun_direction(self.sun.azimuth, self.sun.elevation)
            facing = np.maximum(upright * (towards[1] - towards[0] * along - towards[2] * down), 0)
            light = self.sun.ambient * np.array(rgb(self.sun.shade)) + facing[..., None] * np.array(rgb(self.sun.light))
            under = heights < self.sea_level_m
            colour[under] = np.array(self.water) / np.maximum(light[under], 1e-3)
        return np.rint(255 * np.clip(colour, 0, 1)).astype(np.uint8)


@dataclass(frozen=True)
class PlainScene(Scene):
    """A scene whose ground, of the demo's kind, is drawn with the picture of its land in plain colours."""

    colours: PlainColours | None = None


class PlainPicture:
    """Keeps the picture that was drawn last as a texture."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._of: tuple[PlainColours, HeightField] | None = None
        self._texture: moderngl.Texture | None = None

    def texture(self, colours: PlainColours, field: HeightField) -> moderngl.Texture:
        """Return the texture, which lies once over all of `field`, its last row first."""
        if self._of is None or self._of[0] != colours or not field.has_heights_of(self._of[1]) or self._texture is None:
            if self._texture is not None:
                self._texture.release()
            picture = colours.picture(field)[::-1]
            size = picture.shape[1], picture.shape[0]
            self._texture = self._context.texture(size, 3, np.ascontiguousarray(picture).tobytes(), alignment=1)
            self._texture.build_mipmaps()
            self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._of = colours, field
        return self._texture


def _resized(values: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return `values` of a land on a grid of `size`, linear between cells; the last of them lasts to the land's end."""
    for axis, wanted in enumerate(size):
        count = values.shape[axis]
        place = np.arange(wanted, dtype=np.float32) * np.float32(count / wanted)
        first = place.astype(int)
        share = np.expand_dims(place - first.astype(np.float32), 1 - axis)
        before, after = (values.take(cells, axis) for cells in (first, np.minimum(first + 1, count - 1)))
        values = before + share * (after - before)
    return values


def _mixed(one: NDArray[Any], other: NDArray[Any], share: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(one + (other - one) * share[..., None])
