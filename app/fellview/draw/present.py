"""The last pass: keeps the newest finished picture and puts it into its part of the window.

Where the next one is drawn into the same target while this one is on the screen, it is kept apart. moderngl copies
whole framebuffers only, and the land has the part that the panel leaves.
"""

from __future__ import annotations

import moderngl

from fellview.draw.target import Size, Target, columns_of
from fellview.gpu import bindings, programs, state

Part = tuple[int, int, int, int]
"""Left, bottom, width and height in pixels."""


class Copying:
    """Copies parts of pictures into parts of the bound framebuffer, with the nearest pixel's colour for each."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "draw/frame/present.vert", "draw/frame/present.frag")
        self._rectangle = context.vertex_array(self._program, [])

    def copy(self, picture: Target, part: Part, place: Part) -> None:
        """Copy `part` of `picture` to `place`, scaled where they are of different sizes.

        The viewport is `place` afterwards.
        """
        left, bottom, width, height = part
        if min(width, height, *place[2:]) < 1:
            return
        wide, high = picture.size
        self._context.viewport = place
        self._context.enable_only(moderngl.NOTHING)
        texture = picture.texture()
        usual = texture.filter
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)  # with others software OpenGL takes twice as long
        bindings.use(self._program, {"u_picture": texture})
        self._program["u_part"] = left / wide, bottom / high, (left + width) / wide, (bottom + height) / high
        self._rectangle.render(moderngl.TRIANGLE_STRIP, vertices=4)
        texture.filter = usual


class PresentPass:
    """Copies a picture into a framebuffer, pixel by pixel."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._copying = Copying(context)
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
        part: Part,
        columns: tuple[float, float] | None = None,
    ) -> None:
        """Put the picture into `part` of `framebuffer`; the rest is black.

        `size` is the framebuffer's: moderngl keeps the size that a window had when its context was made. Where the
        picture is of another size yet, it is as high as the part, and its middle is in the middle: what a camera shows
        up and down is the same in any width. Of `columns`, shares of the part's width, only those are drawn, over what
        is there.
        """
        with state.kept(self._context):
            if self.kept is None:
                if columns is None:
                    framebuffer.clear(viewport=(0, 0, *size))
            elif columns is None:
                self._draw(framebuffer, self.kept, size, part, clears=True)
            else:
                first, count = columns_of(columns, part[2])
                with state.columns_only(framebuffer, part[0] + first, count, size[1]):
                    self._draw(framebuffer, self.kept, size, part, clears=False)

    def _draw(self, framebuffer: moderngl.Framebuffer, kept: Target, size: Size, part: Part, *, clears: bool) -> None:
        framebuffer.use()
        left, bottom, width, height = part
        wide, high = kept.size
        # of a picture that is too wide the middle; one that is too narrow stands in the middle
        taken = min(wide, round(width * high / height))
        shown = min(width, round(wide * height / high))
        place = (left + (width - shown) // 2, bottom, shown, height)
        if clears:
            for beside in around(place, size):
                framebuffer.clear(viewport=beside)
        self._copying.copy(kept, ((wide - taken) // 2, 0, taken, high), place)


def around(part: Part, size: Size) -> list[Part]:
    """Return the parts of a picture of this `size` that are left beside `part` of it."""
    left, bottom, width, height = part
    right, top = left + width, bottom + height
    beside = [
        (0, 0, left, size[1]),
        (right, 0, size[0] - right, size[1]),
        (left, 0, width, bottom),
        (left, top, width, size[1] - top),
    ]
    return [each for each in beside if min(each[2:]) > 0]
