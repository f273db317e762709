"""Moving pictures from frames that are smaller: each is sharpened with the pictures before it.

Where frames take longer than a hand waits, as on software OpenGL, they are drawn smaller while anything moves
(`Renderer.passes`). What the picture before showed is taken along to where it is seen now, by the frame's depth, and so
it keeps the detail of all frames before (shaders/draw/frame/temporal_upsampling.frag).

Rejected: the last whole picture warped alone, which leaves holes wherever the eye comes round a ridge and smears what
moves by itself; smaller frames alone, which are blurred and have stepped outlines.
"""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw import accumulate
from fellview.draw.target import Size, Target
from fellview.gpu import bindings, programs

_SEQUENCE = accumulate.offsets(16, 1)
_WEIGHTS = (0.12, 0.5)
"""Of the frame's colour, far from the middle of its pixel and at it: by eye, and by PSNR in orbits of 0.7 and 2°;
more shows the pattern of the pixels at outlines, less leaves them behind."""


def offset(number: int) -> NDArray[np.float64]:
    """Return where in its pixel the centre of frame `number` of a movement lies, (2,) of a pixel, right and up."""
    return np.asarray(_SEQUENCE[number % len(_SEQUENCE)])


class TemporalUpsampling:
    """Keeps the picture before, and makes the next one of it and of a smaller frame."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._ranging = programs.program(context, "gpu/full_screen.vert", "draw/frame/colour_range.frag")
        self._range = context.vertex_array(self._ranging, [])
        self._mixing = programs.program(context, "gpu/full_screen.vert", "draw/frame/temporal_upsampling.frag")
        self._mix = context.vertex_array(self._mixing, [])
        self._ranges: tuple[moderngl.Texture, moderngl.Texture] | None = None
        self._ranged: moderngl.Framebuffer | None = None
        self._before: Target | None = None
        self._view_before: NDArray[np.float64] | None = None

    def take(self, picture: Target, view_projection: NDArray[np.float32]) -> None:
        """Take `picture`, drawn with `view_projection`, as the one before the next."""
        if self._before is None or self._before.size != picture.size:
            if self._before is not None:
                self._before.release()
            self._before = Target(self._context, picture.size)
        self._context.copy_framebuffer(self._before.picture, picture.picture)
        self._view_before = np.asarray(view_projection, np.float64)

    def draw(
        self,
        frame: moderngl.Texture,
        depth: moderngl.Texture,
        shift: NDArray[np.float64],
        view_projection: NDArray[np.float32],
        picture: Target,
    ) -> None:
        """Fill `picture` from a smaller `frame` of display colours, its `depth`, and the picture before.

        The frame was drawn with `view_projection` and, in clip space, `shift` beside it.
        """
        context, view = self._context, np.asarray(view_projection, np.float64)
        least, greatest = self._range_of(frame)
        known = self._before is not None and self._before.size == picture.size and self._view_before is not None
        if not known:
            self.take(picture, view_projection)  # whatever it shows counts for nothing
        assert self._before is not None and self._view_before is not None
        picture.drawn.use()
        context.viewport = (0, 0, *picture.size)
        textures = {
            "u_frame": frame,
            "u_depth": depth,
            "u_least": least,
            "u_greatest": greatest,
            "u_before": self._before.texture(),
        }
        bindings.use(self._mixing, textures)
        programs.write(self._mixing, "u_to_before", np.linalg.inv(view) @ self._view_before)
        self._mixing["u_shift"] = tuple(0.5 * float(part) for part in shift)
        self._mixing["u_weights"] = _WEIGHTS if known else (1.0, 1.0)
        self._mix.render(moderngl.TRIANGLES, vertices=3)
        self.take(picture, view_projection)

    def _range_of(self, frame: moderngl.Texture) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return the least and the greatest colours about each pixel of `frame`."""
        if self._ranges is None or self._ranged is None or self._ranges[0].size != frame.size:
            for thing in (self._ranged, *(self._ranges or ())):
                if thing is not None:
                    thing.release()
            self._ranges = self._texture(frame.size), self._texture(frame.size)
            self._ranged = self._context.framebuffer(self._ranges)
        self._ranged.use()
        self._context.viewport = (0, 0, *frame.size)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(self._ranging, {"u_frame": frame})
        self._range.render(moderngl.TRIANGLES, vertices=3)
        return self._ranges

    def _texture(self, size: Size) -> moderngl.Texture:
        texture = self._context.texture(size, 4)
        texture.repeat_x = texture.repeat_y = False
        return texture
