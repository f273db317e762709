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
from fellview.gpu import bindings, formats, programs

_SEQUENCE = accumulate.offsets(16, 1)
_WEIGHTS = (0.12, 0.5)
"""Of the frame's colour: far from the middle of its pixel, and at it. Each move blurs what is kept, so that there the
frame's own is worth more. With up to 0.8 there, the more the place moves, and a reach of 1.5 pixels, pixels' middles
show as dots, and by PSNR orbits of 1.5° a frame at 0.24 of the pixels a side have 0.08 dB less to 0.03 more. With 0.05
far from there they have up to 0.08 more, and dots show where light changes. In a view that stands, more would show how
pixels' middles wander."""

_OTHER_LAND = (0.6, 0.8)
"""The same where the land is another than in the picture before, as under a slider: that shows through where ridges
have been. By PSNR of the first and the sixth land of a drag, fjords have 26.4 dB and 26.4 with them, 24.5 and 25.6 with
the weights above, 26.5 and 26.3 without any picture before; a canyon 26.4 and 26.9, 24.7 and 26.9, 26.2 and 26.2. That
is with a reach of 1.5 pixels; 1.75 change it by 0.05 at most."""

_REACH_PX = 1.75  # of a frame's colour from the middle of its pixel, in pixels of the picture


def offset(number: int) -> NDArray[np.float64]:
    """Return where in its pixel the centre of frame `number` of a movement lies, (2,) of a pixel, right and up."""
    return np.asarray(_SEQUENCE[number % len(_SEQUENCE)])


class TemporalUpsampling:
    """Keeps the picture before, and makes the next one of it and of a smaller frame."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._bounding = programs.program(context, "gpu/full_screen.vert", "draw/frame/history_bounds.frag")
        self._bound = context.vertex_array(self._bounding, [])
        self._mixing = programs.program(context, "gpu/full_screen.vert", "draw/frame/temporal_upsampling.frag")
        self._mix = context.vertex_array(self._mixing, [])
        self._bounds: tuple[moderngl.Texture, moderngl.Texture] | None = None
        self._bounded: moderngl.Framebuffer | None = None
        self._pictures: list[Target] = []
        """The one before, if `_view_before` says what of, and the one that is drawn next."""
        self._left: list[Target] = []  # those of the size before, one of which may still be shown
        self._view_before: NDArray[np.float64] | None = None
        self._land_before = 0

    def take(self, picture: Target, view_projection: NDArray[np.float32], land: int) -> None:
        """Take `picture`, drawn of that `land` with `view_projection`, as the one before the next."""
        _, other = self._of_size(picture.size)
        self._context.copy_framebuffer(other.picture, picture.picture)
        self._keep(view_projection, land)

    def draw(
        self,
        frame: moderngl.Texture,
        depth: moderngl.Texture,
        shift: NDArray[np.float64],
        view_projection: NDArray[np.float32],
        land: int,
        size: Size,
        columns: tuple[float, float] | None = None,
        layer_m: float | None = None,
    ) -> Target:
        """Return a picture of `size` from a smaller `frame` of display colours, its `depth`, and the picture before.

        The frame was drawn with `view_projection` and, in clip space, `shift` beside it; `land` numbers what heights it
        shows. The picture stays as it is until the next but one is drawn. Of `columns`, shares of the width, only those
        are made. What is seen beside the land is a level layer `layer_m` high, as clouds are, or nothing that comes
        nearer.
        """
        context, view = self._context, np.asarray(view_projection, np.float64)
        before, picture = self._of_size(size)
        view_before = self._view_before
        to_before = np.linalg.inv(view) @ (view if view_before is None else view_before)
        shifted = 0.5 * float(shift[0]), 0.5 * float(shift[1])
        colour_range, motion = self._bounds_of(frame, depth, to_before, shifted, _depth_of(layer_m, view))
        picture.draw_columns(columns)
        picture.drawn.use()
        context.viewport = (0, 0, *size)
        textures = {"u_frame": frame, "u_range": colour_range, "u_motion": motion, "u_before": before.texture()}
        bindings.use(self._mixing, textures)
        small = frame.size
        weights = _WEIGHTS if land == self._land_before else _OTHER_LAND
        numbers = {
            "u_pixel": (1 / size[0], 1 / size[1]),
            "u_frame_px": small,
            "u_beside": (size[0] / small[0] / _REACH_PX, size[1] / small[1] / _REACH_PX),
            "u_shift": shifted,
            "u_weights": (1.0, 1.0) if view_before is None else weights,
        }
        bindings.write(self._mixing, numbers)
        self._mix.render(moderngl.TRIANGLES, vertices=3)
        picture.draw_columns(None)
        self._keep(view_projection, land)
        return picture

    def _of_size(self, size: Size) -> list[Target]:
        """Return the picture before and the one to be drawn, of which one of another size counts for nothing."""
        if not self._pictures or self._pictures[0].size != size:
            for each in self._left:
                each.release()
            self._left = self._pictures
            self._pictures = [Target(self._context, size), Target(self._context, size)]
            for each in self._pictures:
                each.lasts = True
            self._view_before = None
        return self._pictures

    def _keep(self, view_projection: NDArray[np.float32], land: int) -> None:
        """Have the picture just drawn be the one before the next."""
        self._pictures.reverse()
        self._view_before, self._land_before = np.asarray(view_projection, np.float64), land

    def _bounds_of(
        self,
        frame: moderngl.Texture,
        depth: moderngl.Texture,
        to_before: NDArray[np.float64],
        shift: tuple[float, float],
        layer: tuple[float, float, float, float],
    ) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return the range of colours about each pixel of `frame`, and by how much its place was seen elsewhere."""
        if self._bounds is None or self._bounded is None or self._bounds[0].size != frame.size:
            for thing in (self._bounded, *(self._bounds or ())):
                if thing is not None:
                    thing.release()
            motion_type = formats.of(self._context).drawn(2, formats.WIDE, "motion")
            self._bounds = self._texture(frame.size, 4, "f1"), self._texture(frame.size, 2, motion_type)
            self._bounded = self._context.framebuffer(self._bounds)
        self._bounded.use()
        self._context.viewport = (0, 0, *frame.size)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(self._bounding, {"u_frame": frame, "u_depth": depth})
        bindings.write(self._bounding, {"u_shift": shift, "u_layer": layer})
        programs.write(self._bounding, "u_to_before", to_before)
        self._bound.render(moderngl.TRIANGLES, vertices=3)
        return self._bounds

    def _texture(self, size: Size, components: int, dtype: str) -> moderngl.Texture:
        texture = self._context.texture(size, components, dtype=dtype)
        texture.repeat_x = texture.repeat_y = False
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return texture


def _depth_of(height_m: float | None, view_projection: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return the depth in clip space of a level layer by x, y and 1, and the greatest: that of what has no end.

    Without a layer it is that of the far plane everywhere.
    """
    if height_m is None:
        return 0.0, 0.0, 1.0, 1.0
    to_world = np.linalg.inv(view_projection)
    x, y, z, one = to_world[:, 1] - height_m * to_world[:, 3]  # times (x, y, z, 1) they are 0 on the layer
    return -x / z, -y / z, -one / z, -to_world[3, 3] / to_world[2, 3]
