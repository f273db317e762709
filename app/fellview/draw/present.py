"""The last pass: keeps the newest finished picture and puts it into its part of the window.

Where the next one is drawn into the same target while this one is on the screen, it is kept apart. moderngl copies
whole framebuffers only, and the land has the part that the panel leaves.
"""

from __future__ import annotations

import moderngl

from fellview.draw.target import Size, Target, columns_of
from fellview.gpu import bindings, programs, state


class PresentPass:
    """Copies a picture into a framebuffer, pixel by pixel."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/frame/present.frag")
        self._full_screen = context.vertex_array(self._program, [])
        self.kept: Target | None = None
        """The picture."""
        self._copy: Target | None = None

    def keep(self, target: Target) -> None:
        """Take a finished picture in."""
        if target.lasts:
            self.kept = target
            return
        if self._copy is None or self._copy.size != target.size:
            if self._copy is not None:
                self._copy.release()
            self._copy = Target(self._context, target.size)
        self._context.copy_framebuffer(self._copy.picture, target.picture)
        self.kept = self._copy

    def draw(
        self,
        framebuffer: moderngl.Framebuffer,
        size: Size,
        part: tuple[int, int, int, int],
        columns: tuple[float, float] | None = None,
    ) -> None:
        """Put the picture into `part` of `framebuffer` (left, bottom, width, height); the rest is black.

        `size` is the framebuffer's: moderngl keeps the size that a window had when its context was made. Where the
        picture is of another size yet, it is as high as the part, and its middle is in the middle: what a camera shows
        up and down is the same in any width. Of `columns`, shares of the part's width, only those are drawn, over what
        is there.
        """
        with state.kept(self._context):
            if columns is None:
                self._clear(framebuffer, size)
                self._draw(framebuffer, size, part)
            elif self.kept is not None:
                first, count = columns_of(columns, part[2])
                with state.columns_only(framebuffer, part[0] + first, count, size[1]):
                    self._draw(framebuffer, size, part)

    def _clear(self, framebuffer: moderngl.Framebuffer, size: Size) -> None:
        framebuffer.use()
        framebuffer.viewport = (0, 0, *size)
        if self.kept is None or self.kept.size != size:
            framebuffer.clear(viewport=(0, 0, *size))

    def _draw(self, framebuffer: moderngl.Framebuffer, size: Size, part: tuple[int, int, int, int]) -> None:
        framebuffer.use()
        framebuffer.viewport = (0, 0, *size)
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
