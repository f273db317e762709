"""The last pass: puts a finished picture into its part of the window.

moderngl copies whole framebuffers only, and the land has the part that the panel leaves.
"""

from __future__ import annotations

import moderngl

from fellview.draw.target import Size, Target
from fellview.gpu import programs


class PresentPass:
    """Copies a target into a framebuffer, pixel by pixel."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "passes/full_screen.vert", "passes/present.frag")
        self._full_screen = context.vertex_array(self._program, [])

    def draw(self, target: Target, framebuffer: moderngl.Framebuffer, size: Size, corner: tuple[int, int]) -> None:
        """Copy `target` with its lower left pixel at `corner`; the rest of `framebuffer` is black.

        `size` is the framebuffer's: moderngl keeps the size that a window had when its context was made.
        """
        framebuffer.use()
        framebuffer.viewport = (0, 0, *size)
        if target.size != size:
            framebuffer.clear(viewport=(0, 0, *size))
        framebuffer.viewport = (*corner, *target.size)
        self._context.enable_only(moderngl.NOTHING)
        target.texture().use(0)
        self._program["u_picture"] = 0
        self._program["u_corner_px"] = corner
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
