"""The sky pass: a gradient from the horizon to the zenith, behind everything."""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.gpu import programs
from fellview.gpu.uniform_block import UniformBlock


class SkyPass:
    """Fills the pixels that no ground covers."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._program = programs.program(context, "passes/sky.vert", "passes/sky.frag", [look.glsl])
        look.attach(self._program)
        self._full_screen = context.vertex_array(self._program, [])

    def draw(self, corner_directions: np.ndarray) -> None:
        """Draw at the far plane; `corner_directions` (3, 3) are the world directions at the triangle's corners."""
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        programs.write(self._program, "u_corner_dir_world", corner_directions)
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
        context.depth_func = "<"
