"""Moving pictures from frames that are smaller: each is sharpened with the pictures before it.

Where frames take longer than a hand waits, as on software OpenGL, they are drawn smaller while anything moves
(`Renderer.passes`). What the picture before showed is taken along to where it is seen now, by the frame's depth, and so
it keeps the detail of all frames before (shaders/draw/frame/temporal_upsampling.frag). An eye that only turns sees
nothing that was hidden from it: then what was shown is trusted more, the longer it has been in view, and most what a
turn began with, which every picture takes from there. At 0.24 of the pixels a side, after 60 frames of a turn by 0.1°
from a picture at rest, PSNR against 16 samples is 29.3 dB in the alpine range (25.3 as for an eye that moves, 27.9 of
all pixels with one sample), and 34.6 in the badlands (28.2, 35.9); by 1.5° a frame from a single sample 23.7 (23.2)
and 28.6 (27.3).

Rejected: the filter of Catmull and Rom instead of a linear one in a turn, up to 0.4 dB more for some 10 ms; the same
trust where an eye that moves sees places at the depth they had, which the depths of small frames are too coarse to tell
(0.3 to 0.6 dB; 1 to 2 with those of all pixels, which take a pass of their own); the last whole picture warped alone,
which leaves holes wherever the eye comes round a ridge and smears what moves by itself; smaller frames alone, which are
blurred and have stepped outlines.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Shown:
    """What a picture shows, whatever way it looks."""

    land: int
    """Numbers the heights."""
    from_here: object
    """Equal where all that is seen from a place is as before: the eye's place, light, time and the rest."""


def offset(number: int) -> NDArray[np.float64]:
    """Return where in its pixel the centre of frame `number` of a movement lies, (2,) of a pixel, right and up."""
    return np.asarray(_SEQUENCE[number % len(_SEQUENCE)])


class TemporalUpsampling:
    """Keeps the picture before, and makes the next one of it and of a smaller frame."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._bounding = programs.program(context, "gpu/full_screen.vert", "draw/frame/history_bounds.frag")
        self._bound = context.vertex_array(self._bounding, [])
        self._moved, self._turned = (
            programs.program(context, "gpu/full_screen.vert", "draw/frame/temporal_upsampling.frag", [lines])
            for lines in ("", "#define TURNED\n")
        )
        self._mix = {each: context.vertex_array(each, []) for each in (self._moved, self._turned)}
        self._bounds: tuple[moderngl.Texture, moderngl.Texture] | None = None
        self._bounded: moderngl.Framebuffer | None = None
        self._pictures: list[Target] = []
        """The one before, if `_view_before` says what of, and two others."""
        self._first: tuple[Target, NDArray[np.float64]] | None = None
        """The one that a turn began with, and what it was drawn with."""
        self._left: list[Target] = []  # those of the size before, one of which may still be shown
        self._view_before: NDArray[np.float64] | None = None
        self._shown_before: Shown | None = None

    def take(self, picture: Target, view_projection: NDArray[np.float32], shown: Shown) -> None:
        """Take `picture`, drawn with `view_projection` of what is `shown`, as the one before the next."""
        self._have_size(picture.size)
        self._first = None
        taken = self._free()
        self._context.copy_framebuffer(taken.picture, picture.picture)
        self._keep(taken, view_projection, shown)

    def draw(
        self,
        frame: moderngl.Texture,
        depth: moderngl.Texture,
        shift: NDArray[np.float64],
        view_projection: NDArray[np.float32],
        shown: Shown,
        size: Size,
        columns: tuple[float, float] | None = None,
        layer_m: float | None = None,
    ) -> Target:
        """Return a picture of `size` from a smaller `frame` of display colours, its `depth`, and the picture before.

        The frame was drawn with `view_projection` and, in clip space, `shift` beside it, of what is `shown`. The
        picture stays as it is until the next but one is drawn. Of `columns`, shares of the width, only those are made.
        What is seen beside the land is a level layer `layer_m` high, as clouds are, or nothing that comes nearer.
        """
        context, view = self._context, np.asarray(view_projection, np.float64)
        self._have_size(size)
        before, view_before = self._pictures[0], self._view_before
        to_before = np.linalg.inv(view) @ (view if view_before is None else view_before)
        shifted = 0.5 * float(shift[0]), 0.5 * float(shift[1])
        colour_range, motion = self._bounds_of(frame, depth, to_before, shifted, _depth_of(layer_m, view))
        textures = {"u_frame": frame, "u_range": colour_range, "u_motion": motion, "u_before": before.texture()}
        if view_before is not None and shown == self._shown_before:
            mixing = self._turned
            first, view_first = self._first = self._first or (before, view_before)
            textures["u_first"] = first.texture()
            programs.write(mixing, "u_to_first", _turn(view, view_first))
        else:
            mixing, self._first = self._moved, None
        picture = self._free()
        picture.draw_columns(columns)
        picture.drawn.use()
        context.viewport = (0, 0, *size)
        bindings.use(mixing, textures)
        small, land = frame.size, None if self._shown_before is None else self._shown_before.land
        weights = _WEIGHTS if shown.land == land else _OTHER_LAND
        numbers = {
            "u_pixel": (1 / size[0], 1 / size[1]),
            "u_frame_px": small,
            "u_beside": (size[0] / small[0] / _REACH_PX, size[1] / small[1] / _REACH_PX),
            "u_shift": shifted,
            "u_weights": (1.0, 1.0) if view_before is None else weights,
        }
        bindings.write(mixing, numbers)
        self._mix[mixing].render(moderngl.TRIANGLES, vertices=3)
        picture.draw_columns(None)
        self._keep(picture, view_projection, shown)
        return picture

    def _have_size(self, size: Size) -> None:
        """Have pictures of `size`; those before of another count for nothing."""
        if self._pictures and self._pictures[0].size == size:
            return
        for each in self._left:
            each.release()
        self._left = self._pictures
        self._pictures = [Target(self._context, size) for _ in range(3)]
        for each in self._pictures:
            each.lasts = True
        self._view_before = self._first = None

    def _free(self) -> Target:
        """Return the picture that may be drawn over: longest ago the one before, and not what a turn began with."""
        first = None if self._first is None else self._first[0]
        return next(one for one in self._pictures[1:] if one is not first)

    def _keep(self, picture: Target, view_projection: NDArray[np.float32], shown: Shown) -> None:
        """Have the `picture` just drawn be the one before the next."""
        self._pictures = [picture, *(one for one in self._pictures if one is not picture)]
        self._view_before, self._shown_before = np.asarray(view_projection, np.float64), shown

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


def _turn(view: NDArray[np.float64], first: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix, for row vectors, from a place, and 1, to that in the `first` view, times its last number.

    Places are in textures' coordinates. Both views are from one eye, so that any depth tells: it is the far plane's.
    """
    to_first = np.linalg.inv(view) @ first
    flat = np.stack([to_first[0], to_first[1], to_first[2] + to_first[3]])[:, [0, 1, 3]]
    to_clip = np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-1.0, -1.0, 1.0]])
    return np.asarray(to_clip @ flat @ np.linalg.inv(to_clip), np.float64)
