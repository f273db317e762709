"""The land as water mirrors it: its light and its height on a coarse grid, with mip levels to look for it in.

A reflection is blurred by waves, and what it shows is looked for in few steps: coarse colours are enough, and a wide
step reads as wide a piece of land, so that no peak is missed between two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.ground import palettes
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.gpu import bindings, formats, mipmaps
from fellview.gpu.context import is_software
from fellview.gpu.passes import GridPasses
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.groups.ground import Ground
from fellview.scene.scene import Scene

LARGEST = 256
"""Most cells a side: half of a common grid's, in which hills keep their shape. With its levels it takes 9 ms of
processor time on llvmpipe, when heights or light change.
"""

_HIGHEST = 0.65  # the share of the highest of four cells in a coarser level; by eye, as round stacks are mirrored


class FarLand:
    """Keeps the texture of one land in one OpenGL context."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context, self._software = context, is_software(context)
        self._programs = LitPrograms(context, look, "gpu/full_screen.vert", "draw/land/far_land.frag")
        self._grids = GridPasses(context)
        self._between = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR, moderngl.LINEAR))
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._texture: moderngl.Texture | None = None
        self._made: tuple[object, ...] = ()

    def mirrored(self, scene: Scene, height_map: HeightMap, lighting: Lighting, *, draft: bool = False) -> Lighting:
        """Return `lighting` with the land in it, made anew where heights, light or ground have changed.

        As it is where there is no water. In a `draft`, while something moves, light and ground stay as they were where
        OpenGL is software, until heights change. Until there is water to be seen all is left as it was.
        """
        if lighting.water is None:
            return lighting
        assert height_map.heights is not None
        size = tuple(min(side, LARGEST) for side in height_map.heights.size)
        if self._texture is None or self._texture.size != size:
            self._forget()
            dtype = formats.of(self._context).drawn(4, formats.WIDE, "the land that water mirrors")
            self._texture = mipmaps.empty(self._context, size, 4, dtype)
            self._texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
        heights = (height_map.version, height_map.stride, lighting.water.version, scene.view.exaggeration)
        made = (*heights, lighting.kind, lighting.linear, scene.sun, scene.ground, scene.sky)
        counts = len(heights) if draft and self._software else len(made)
        if lighting.water.is_there and made[:counts] != self._made[:counts]:
            self._made = made
            self._draw(scene.ground, height_map, lighting)
            dtype = self._texture.dtype
            mipmaps.write(self._texture, [formats.packed(values, dtype) for values in coarser(_read(self._texture))])
        return dataclasses.replace(lighting, far_land=self._texture)

    def _draw(self, ground: Ground, height_map: HeightMap, lighting: Lighting) -> None:
        assert self._texture is not None and height_map.heights is not None and height_map.normals is not None
        self._grids.target(self._texture)
        program = self._programs.of(lighting)
        assert lighting.water is not None
        surface = lighting.water.surface
        bindings.use(program, {"u_heights": height_map.heights, "u_normals": height_map.normals, "u_surface": surface})
        between = {"u_heights": self._between, "u_surface": self._between}
        bindings.use(program, between)
        colours, borders = palettes.plain_parts(ground)
        program["u_borders"] = borders
        program["u_snow_softness"] = ground.snow_softness
        program["u_size"] = self._texture.size
        program["u_part_colours"] = colours
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._context.vertex_array(program, [])
        self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
        bindings.clear(program, between)

    def _forget(self) -> None:
        self._grids.release()
        if self._texture is not None:
            self._texture.release()
        self._made = ()


def coarser(land: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """Yield the levels of `land`, float32 [row, column, (r, g, b, height in m)], each of half as many cells a side.

    A height is nearer to the highest of four than to their mean: what rises alone is mirrored, and a mean would sink it
    in the water around. The light is the mean by height, for the lower cells stand behind the higher.
    """
    while max(land.shape[:2]) > 1:
        rows, columns = (max(side // 2, 1) for side in land.shape[:2])
        # as OpenGL counts: of an odd number of cells the last is left out
        parts = [land[r : 2 * rows : 2, c : 2 * columns : 2] for r in (0, 1) for c in (0, 1)]
        parts = [part for part in parts if part.shape[:2] == (rows, columns)]
        four = np.stack(parts)
        heights = four[..., 3]
        over = heights - heights.min(axis=0) + 1.0
        light = (four[..., :3] * over[..., None]).sum(axis=0) / over.sum(axis=0)[..., None]
        height = _HIGHEST * heights.max(axis=0) + (1 - _HIGHEST) * heights.mean(axis=0)
        land = np.concatenate([light, height[..., None]], axis=-1)
        yield land


def _read(texture: moderngl.Texture) -> NDArray[np.float32]:
    columns, rows = texture.size
    values = np.frombuffer(texture.read(), formats.NUMPY[texture.dtype])
    return values.reshape(rows, columns, 4).astype(np.float32)
