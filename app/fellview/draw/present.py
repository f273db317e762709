"""The last pass: keeps the newest finished picture and puts it into its part of the window.

It is kept apart, as the next one is drawn into the same target while this one is on the screen. moderngl copies whole
framebuffers only, and the land has the part that the panel leaves.
"""

from __future__ import annotations

import moderngl

from fellview.draw.target import Size, Target
from fellview.gpu import bindings, programs, state


class PresentPass:
    """Copies a picture into a framebuffer, pixel by pixel."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/frame/present.frag")
        self._full_screen = context.vertex_array(self._program, [])
        self.kept: Target | None = None
        """The picture."""

    def keep(self, target: Target) -> None:
        """Take a finished picture in."""
        if self.kept is None or self.kept.size != target.size:
            if self.kept is not None:
                self.kept.release()
            self.kept = Target(self._context, target.size)
        self._context.copy_framebuffer(self.kept.picture, target.picture)

    def draw(self, framebuffer: moderngl.Framebuffer, size: Size, part: tuple[int, int, int, int]) -> None:
        """Put the picture into `part` of `framebuffer` (left, bottom, width, height); the rest is black.

        `size` is the framebuffer's: moderngl keeps the size that a window had when its context was made. Where the
        picture is of another size yet, it is as high as the part, and its middle is in the middle: what a camera shows
        up and down is the same in any width.
        """
        with state.kept(self._context):
            self._draw(framebuffer, size, part)

    def _draw(self, framebuffer: moderngl.Framebuffer, size: Size, part: tuple[int, int, int, int]) -> None:
        framebuffer.use()
        framebuffer.viewport = (0, 0, *size)
        if self.kept is None or self.kept.size != size:
            framebuffer.clear(viewport=(0, 0, *size))
        if self.kept is None:
            return
        left, bottom, width, height = part
        (wide, high), middle = self.kept.size, left + width / 2
        reach = min(width, wide * height / high) / 2
        first, last = round(middle - reach), round(middle + reach)
        framebuffer.viewport = (first, bottom, max(last - first, 1), height)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(self._program, {"u_picture": self.kept.texture()})
        self._program["u_corner_px"] = middle - wide * height / high / 2, bottom
        self._program["u_scale"] = high / height
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
