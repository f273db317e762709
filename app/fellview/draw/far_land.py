"""The land as water mirrors it: its light and its height on a coarse grid, with mip levels to look for it in.

A reflection is blurred by waves, and what it shows is looked for in few steps: coarse colours are enough, and a wide
step reads the mean of as wide a piece of land, so that no peak is missed between two.
"""

from __future__ import annotations

import dataclasses

import moderngl

from fellview.draw import palettes
from fellview.draw.height_map import HeightMap
from fellview.draw.lighting import Lighting, LitPrograms
from fellview.gpu.grid_passes import GridPasses
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.look import Ground
from fellview.scene.scene import Scene

LARGEST = 256
"""Most cells a side: an eighth of the grid that is common has hills in a few cells, and 4 ms of drawing are less than
a tenth of a frame on software OpenGL."""


class FarLand:
    """Keeps the texture of one land in one OpenGL context."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._programs = LitPrograms(context, look, "passes/full_screen.vert", "passes/far_land.frag")
        self._grids = GridPasses(context)
        self._between = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR, moderngl.LINEAR))
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._texture: moderngl.Texture | None = None
        self._made: tuple[object, ...] = ()

    def mirrored(self, scene: Scene, height_map: HeightMap, lighting: Lighting) -> Lighting:
        """Return `lighting` with the land in it, made anew where heights, light or ground have changed.

        As it is where there is no water.
        """
        if lighting.water is None:
            return lighting
        assert height_map.heights is not None
        size = tuple(min(side, LARGEST) for side in height_map.heights.size)
        if self._texture is None or self._texture.size != size:
            self._forget()
            self._texture = self._context.texture(size, 4, dtype="f2")
            self._texture.repeat_x = self._texture.repeat_y = False
            self._texture.build_mipmaps()
            self._texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
        groups = (scene.sun, scene.ground, scene.sky, scene.view.exaggeration)
        made = (height_map.version, lighting.water.version, lighting.kind, lighting.linear, *groups)
        if made != self._made:
            self._made = made
            self._draw(scene.ground, height_map, lighting)
            self._texture.build_mipmaps()
        return dataclasses.replace(lighting, far_land=self._texture)

    def _draw(self, ground: Ground, height_map: HeightMap, lighting: Lighting) -> None:
        assert self._texture is not None and height_map.heights is not None and height_map.normals is not None
        self._grids.target(self._texture)
        program = self._programs.of(lighting)
        assert lighting.water is not None
        textures = {
            "u_heights": height_map.heights,
            "u_normals": height_map.normals,
            "u_surface": lighting.water.surface,
        }
        colours, borders = palettes.plain_parts(ground)
        self._grids.bind(program, textures, {"u_borders": borders, "u_size": self._texture.size})
        self._between.use(0)
        self._between.use(2)
        program["u_part_colours"] = colours
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._context.vertex_array(program, [])
        self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
        self._between.clear(0)
        self._between.clear(2)

    def _forget(self) -> None:
        self._grids.release()
        if self._texture is not None:
            self._texture.release()
        self._made = ()
