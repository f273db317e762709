"""The sky pass: whichever sky there is, behind everything."""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.draw.lighting import Lighting, LitPrograms
from fellview.gpu import programs
from fellview.gpu.uniform_block import UniformBlock


class SkyPass:
    """Fills the pixels that no ground covers."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._programs = LitPrograms(context, look, "passes/sky.vert", "passes/sky.frag")
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def draw(self, lighting: Lighting, corner_directions: np.ndarray) -> None:
        """Draw at the far plane; `corner_directions` (3, 3) are the world directions at the triangle's corners."""
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        program = self._programs.of(lighting)
        programs.write(program, "u_corner_dir_world", corner_directions)
        if program.glo not in self._arrays:
            self._arrays[program.glo] = context.vertex_array(program, [])
        self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
        context.depth_func = "<"
