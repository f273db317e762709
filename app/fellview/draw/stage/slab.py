"""The slab pass: the sides of the land where it is cut out and set on a floor (draw/stage/studio.glsl draws that).

An orthographic view of a landscape has them, too, where nothing lies around it.
"""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.light.lighting import LitPrograms
from fellview.gpu import bindings, programs
from fellview.gpu.uniform_block import UniformBlock

_INSTANCE_FLOATS = 8  # block column and row, level, the levels of four borders, the side


class SlabPass(DrawPass):
    """Draws the sides from the land's border down to the base, block by block as the land itself is drawn."""

    name = "slab"

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self._programs = LitPrograms(context, look, "draw/stage/slab.vert", "draw/stage/slab.frag")
        self._instances = context.buffer(reserve=4 * _INSTANCE_FLOATS, dynamic=True)
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def wanted(self, frame: Frame) -> bool:
        """Return whether the land is cut open."""
        return frame.base_m is not None and frame.drawn is not None

    def draw(self, frame: Frame) -> None:
        """Draw the sides under those blocks of land that were drawn and lie on its border."""
        height_map, field, drawn = frame.height_map, frame.field, frame.drawn
        if field is None or drawn is None or height_map.heights is None or height_map.detail is None:
            return
        self._context.enable_only(moderngl.DEPTH_TEST)
        program = self._programs.of(frame.lighting, frame.cover.cut.defines)
        frame.cover.bind_cut(program)
        bindings.use(program, {"u_heights": height_map.heights})
        program["u_cell_m"] = (field.cell_size[1], field.cell_size[0])
        program["u_exaggeration"] = frame.scene.view.exaggeration
        program["u_base_m"] = frame.base_m
        programs.write(program, "u_view_projection", frame.view_projection)
        if program.glo not in self._arrays:
            names = ("in_block", "in_level", "in_border_levels", "in_side")
            self._arrays[program.glo] = self._context.vertex_array(
                program, [(self._instances, "2f 1f 4f 1f/i", *names)]
            )
        for level, blocks in drawn.by_level:
            data = on_border(blocks, height_map.detail.shape)
            if len(data) == 0:
                continue
            self._instances.orphan(max(data.nbytes, self._instances.size))
            self._instances.write(data.tobytes())
            vertices = 2 * ((BLOCK_CELLS >> level) + 1)
            self._arrays[program.glo].render(moderngl.TRIANGLE_STRIP, vertices=vertices, instances=len(data))


def on_border(blocks: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return the instances of sides under `blocks`, as `DrawnBlocks.by_level` has them: float32 (sides, 8).

    A corner block has two. `shape` is the rows and columns of all blocks.
    """
    column, row = blocks[:, 0], blocks[:, 1]
    sides = (column == 0, column == shape[1] - 1, row == 0, row == shape[0] - 1)
    return np.concatenate(
        [np.column_stack([blocks[here], np.full(here.sum(), side, np.float32)]) for side, here in enumerate(sides)]
    )
