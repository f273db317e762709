"""The terrain pass: one block of 64×64 cells, two triangles a cell, drawn by instances over the height texture."""

from __future__ import annotations

import moderngl
import numpy as np
from PIL import Image

from fellview import paths
from fellview.draw.height_map import HeightMap
from fellview.draw.lighting import Lighting, LitPrograms
from fellview.gpu import programs
from fellview.gpu.uniform_block import UniformBlock

BLOCK_CELLS = 64
"""Cells a side of a block: its 65² vertices fit a 16-bit index buffer with room to spare."""


def block_indices() -> np.ndarray:
    """Return the triangle list of one block, uint16; vertex [i, j] has index i·65 + j, i along rows.

    Triangles are the mesh's: (rc, r+1 c, r+1 c+1) and (rc, r+1 c+1, r c+1).
    """
    side = BLOCK_CELLS + 1
    first = np.arange(side * side, dtype=np.uint16).reshape(side, side)
    corner, right, below, across = first[:-1, :-1], first[:-1, 1:], first[1:, :-1], first[1:, 1:]
    return np.stack([corner, below, across, corner, across, right], axis=-1).ravel()


class TerrainPass:
    """Draws the height map as an indexed triangle list."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._programs = LitPrograms(context, look, "passes/terrain.vert", "passes/terrain.frag")
        self._indices = context.buffer(block_indices().tobytes())
        self._blocks: dict[int, moderngl.VertexArray] = {}
        with Image.open(paths.assets() / "textures" / "ground.png") as image:
            ground = image.convert("RGB")
        self._ground = context.texture(ground.size, 3, ground.tobytes())
        self._ground.build_mipmaps()
        self._ground.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)

    def draw(
        self,
        height_map: HeightMap,
        lighting: Lighting,
        view_projection: np.ndarray,
        mode: str,
    ) -> None:
        """Draw into the bound framebuffer; `mode` is the view mode."""
        field = height_map.field
        if field is None or height_map.heights is None or height_map.normals is None:
            return
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        context.front_face = "cw"  # as in the demo: (rc, r+1 c, r+1 c+1) runs clockwise seen from above
        height_map.heights.use(0)
        height_map.normals.use(1)
        self._ground.use(2)
        program = self._programs.of(lighting)
        if program.glo not in self._blocks:
            self._blocks[program.glo] = context.vertex_array(
                program, [], index_buffer=self._indices, index_element_size=2
            )
        program["u_heights"] = 0
        program["u_normals"] = 1
        program["u_ground"] = 2
        program["u_cell_m"] = (field.cell_size[1], field.cell_size[0])
        programs.write(program, "u_view_projection", view_projection)
        blocks_x = -(-(field.columns - 1) // BLOCK_CELLS)
        blocks_z = -(-(field.rows - 1) // BLOCK_CELLS)
        program["u_blocks_x"] = blocks_x
        context.wireframe = mode == "wireframe"
        try:
            self._blocks[program.glo].render(moderngl.TRIANGLES, instances=blocks_x * blocks_z)
        finally:
            context.wireframe = False
