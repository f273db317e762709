"""The sky pass: whichever sky there is, behind everything."""

from __future__ import annotations

import moderngl
import numpy as np

from fellview.draw.lighting import Lighting, LitPrograms
from fellview.gpu import programs
from fellview.gpu.uniform_block import UniformBlock

_CLOUDS_UNIT = 12  # beyond those of light and water


class SkyPass:
    """Fills the pixels that no ground covers, above the horizon and below it."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._programs = LitPrograms(context, look, "passes/sky.vert", "passes/sky.frag")
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def draw(self, lighting: Lighting, corner_directions: np.ndarray, clouds: moderngl.Texture | None = None) -> None:
        """Draw at the far plane, `clouds` over it, a picture of any size of the same view.

        `corner_directions` (3, 3) are the world directions at the triangle's corners.
        """
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        _, _, width, height = context.viewport
        for half, (first, count) in halves(corner_directions, height).items():
            if count == 0:
                continue
            program = self._programs.of(lighting, f"#define {half}\n" + ("#define STARRY\n" if lighting.starry else ""))
            if "u_corner_dir_world" in program:  # a black sky is one everywhere
                programs.write(program, "u_corner_dir_world", corner_directions)
            if clouds is not None and "u_cloud_picture" in program:
                program["u_cloud_picture"] = _CLOUDS_UNIT
                clouds.use(_CLOUDS_UNIT)
                program["u_picture_size"] = float(width), float(height)
            if program.glo not in self._arrays:
                self._arrays[program.glo] = context.vertex_array(program, [])
            context.scissor = 0, first, width, count
            self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
        context.scissor = None
        context.depth_func = "<"


def halves(corner_directions: np.ndarray, height: int) -> dict[str, tuple[int, int]]:
    """Return first row and number of rows, from below, of the pixels that look ABOVE the horizon and BELOW it.

    Cameras do not roll, so that a row looks up or down as a whole; `corner_directions` (3, 3) are as in `SkyPass.draw`.
    Each half has a program of its own, since software OpenGL runs through both sides of every branch.
    """
    low, high = corner_directions[[0, 2], 1]  # at -1 and 3 of clip space
    rises = low + (high - low) * (np.arange(height) + 0.5) / (2 * height) >= 0
    above = int(rises.sum())
    first = int(rises.argmax()) if above else height
    return {"ABOVE": (first, above), "BELOW": (above if first == 0 else 0, height - above)}
