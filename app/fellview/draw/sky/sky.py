"""The sky pass: whichever sky there is, behind everything."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.gpu import bindings, programs
from fellview.gpu.uniform_block import UniformBlock


@dataclass(frozen=True)
class Parallel:
    """Where the sight lines of an orthographic view begin."""

    corners: np.ndarray
    """Places (x, y, z) at the triangle's corners, (3, 3); they interpolate linearly."""
    pixel: float
    """How long a pixel is at the land, for every metre from there."""


class SkyPass:
    """Fills the pixels that no ground covers, above the horizon and below it."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._programs = LitPrograms(context, look, "draw/sky/sky.vert", "draw/sky/sky.frag")
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def draw(
        self,
        lighting: Lighting,
        corner_directions: np.ndarray,
        clouds: moderngl.Texture | None = None,
        parallel: Parallel | None = None,
    ) -> None:
        """Draw at the far plane, `clouds` over it, a picture of any size of the same view.

        `corner_directions` (3, 3) are the world directions at the triangle's corners. An orthographic view has one
        direction, and its sight lines begin elsewhere: it is `parallel`.
        """
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        _, _, width, height = context.viewport
        for half, (first, count) in halves(corner_directions, height).items():
            if count == 0:
                continue
            kinds = {half: True, "STARRY": lighting.starry, "ORTHOGRAPHIC": parallel is not None}
            defines = "".join(f"#define {name}\n" for name, is_so in kinds.items() if is_so)
            program = self._programs.of(lighting, defines)
            if "u_corner_dir_world" in program:  # a black sky is one everywhere
                programs.write(program, "u_corner_dir_world", corner_directions)
            if parallel is not None and "u_corner_eye_world" in program:
                programs.write(program, "u_corner_eye_world", parallel.corners)
            if parallel is not None and "u_water_pixel" in program:
                program["u_water_pixel"] = parallel.pixel
            if clouds is not None and "u_cloud_picture" in program:
                bindings.use(program, {"u_cloud_picture": clouds})
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
