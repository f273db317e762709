"""The last pass: puts a finished picture into its part of the window.

moderngl copies whole framebuffers only, and the land has the part that the panel leaves.
"""

from __future__ import annotations

import moderngl

from fellview.draw.target import Target
from fellview.gpu import programs


class PresentPass:
    """Copies a target into a framebuffer, pixel by pixel."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "passes/full_screen.vert", "passes/present.frag")
        self._full_screen = context.vertex_array(self._program, [])

    def draw(self, target: Target, framebuffer: moderngl.Framebuffer, corner: tuple[int, int]) -> None:
        """Copy `target` with its lower left pixel at `corner`; the rest of `framebuffer` is black."""
        framebuffer.use()
        framebuffer.viewport = (0, 0, *framebuffer.size)
        if target.size != framebuffer.size:
            framebuffer.clear()
        framebuffer.viewport = (*corner, *target.size)
        self._context.enable_only(moderngl.NOTHING)
        target.texture().use(0)
        self._program["u_picture"] = 0
        self._program["u_corner_px"] = corner
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
