"""The framebuffer that pictures are drawn into, on the screen's behalf or for a file.

A window's own framebuffer stays without samples: read back, a multisampled window comes unsmoothed and a headless one
as garbage. So everything is drawn here and resolved, and screen and command line share one path.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.gpu import formats

Size = tuple[int, int]
"""Width and height in pixels."""

LARGEST_SIDE = 16384
"""Most pixels a side of a picture; what every OpenGL 3.3 machine of the last ten years can draw into."""


def require_size(size: Size) -> None:
    """Raise `InputError` where a picture of `size` cannot be drawn."""
    if not all(1 <= side <= LARGEST_SIDE for side in size):
        raise InputError(f"--size {size[0]}x{size[1]}: expected 1x1 to {LARGEST_SIDE}x{LARGEST_SIDE}")


@dataclass(frozen=True)
class Region:
    """A part of a picture that is drawn by itself; all but its `size` belongs to the `whole`. Lengths in pixels.

    `left` and `bottom` say where it lies, from the picture's left and lower border. They are even, so that shaders'
    quads of pixels are those of the whole.
    """

    left: int
    bottom: int
    size: Size
    whole: Size

    @property
    def viewport(self) -> tuple[int, int, int, int]:
        """The picture's viewport in a framebuffer of the region's size."""
        return -self.left, -self.bottom, *self.whole

    @property
    def corner(self) -> tuple[int, int]:
        """Where its first pixel lies in the picture: `u_corner_px` of shaders that go by the picture's pixels."""
        return self.left, self.bottom

    def cropped(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return `matrix`, from the world to the picture's clip space for row vectors, to the region's clip space."""
        cropped = matrix.copy()
        for axis, first in enumerate(self.corner):
            side, of_all = self.size[axis], self.whole[axis]
            middle = (2 * first + side) / of_all - 1
            cropped[:, axis] = (matrix[:, axis] - middle * matrix[:, 3]) * of_all / side
        return cropped

    def rows_of(self, first: int, count: int) -> tuple[int, int]:
        """Return which of `count` rows of the picture, from row `first` on, it has: its own first one, and how many."""
        low, high = (min(max(row - self.bottom, 0), self.size[1]) for row in (first, first + count))
        return low, high - low


def whole_of(size: Size) -> Region:
    """Return the region that is all of a picture of `size`."""
    return Region(0, 0, size, size)


def largest_side(context: moderngl.Context) -> int:
    """Return how many pixels a side a picture may have in `context`."""
    return int(min(context.info["GL_MAX_TEXTURE_SIZE"], context.info["GL_MAX_RENDERBUFFER_SIZE"]))


def _too_large(size: Size, most: int) -> str:
    return f"picture of {size[0]} × {size[1]} pixels: this OpenGL draws at most {most} a side"


def columns_of(share: tuple[float, float], width: int) -> tuple[int, int]:
    """Return the first of the columns between two shares of a `width` in pixels, and how many they are, at least 1."""
    first = min(math.floor(share[0] * width), width - 1)
    return first, max(math.ceil(share[1] * width) - first, 1)


class Target:
    """A colour and depth framebuffer of one size; with `samples` above 1 it is multisampled and resolved.

    With `light` its colours are half floats, or the next best. One of a sample that is `read_deep` has its depth as a
    texture, and one of `surfaces` takes places and normals in single floats instead of colours.
    """

    def __init__(
        self,
        context: moderngl.Context,
        size: Size,
        samples: int = 1,
        *,
        light: bool = False,
        read_deep: bool = False,
        surfaces: bool = False,
    ) -> None:
        if max(size) > (largest := largest_side(context)):
            raise InputError(_too_large(size, largest))
        self.size = size
        found = formats.of(context)
        dtype = "f4" if surfaces else found.drawn(4, formats.LIGHT, "light") if light else "f1"
        self.samples = min(samples, context.max_samples) if samples > 1 else 1
        if self.samples > 1 and not found.multisamples(dtype, self.samples):
            found.tell(f"This OpenGL has no pictures of {self.samples} samples a pixel; edges are drawn with one")
            self.samples = 1
        self._context = context
        self._columns: tuple[int, int] | None = None
        self._picture = context.texture(size, 4, dtype=dtype)
        self._picture.repeat_x = self._picture.repeat_y = False
        self.depth: moderngl.Texture | None = None
        """The depth of each pixel, for reading; not filtered."""
        self.lasts = False
        """Whether the next picture leaves what was drawn as it is, so that nobody need copy it."""
        if self.samples > 1:
            self._resolved = context.framebuffer(self._picture)
            colour = context.renderbuffer(size, 4, samples=self.samples, dtype=dtype)
            self.drawn = context.framebuffer(colour, context.depth_renderbuffer(size, samples=self.samples))
        elif surfaces:
            both = [self._picture, context.texture(size, 4, dtype="f4")]
            self.drawn = self._resolved = context.framebuffer(both, context.depth_renderbuffer(size))
        elif read_deep:
            self.depth = context.depth_texture(size)
            self.depth.compare_func = ""
            self.depth.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self.depth.repeat_x = self.depth.repeat_y = False
            self.drawn = self._resolved = context.framebuffer(self._picture, self.depth)
        else:
            self.drawn = self._resolved = context.framebuffer(self._picture, context.depth_renderbuffer(size))

    def show(self, region: Region) -> None:
        """Have what is drawn from now on be that `region`, of this target's size, of a picture.

        `InputError` where that is larger than a viewport may be.
        """
        if max(region.whole) > (most := min(self._context.info["GL_MAX_VIEWPORT_DIMS"])):
            raise InputError(_too_large(region.whole, most))
        self.drawn.viewport = region.viewport  # type: ignore[assignment] # moderngl's own types refuse a tuple

    def clear(self, *, depth: bool = True) -> None:
        """Clear what is drawn into and bind it, of `depth` to the far plane; else depth stays as it is."""
        drawn: Any = self.drawn  # moderngl's own types refuse what its setters take
        drawn.use()
        drawn.depth_mask = depth
        drawn.clear(depth=1.0)
        drawn.depth_mask = True

    @property
    def columns(self) -> tuple[int, int] | None:
        """The first column that is drawn and how many are; none for all."""
        return self._columns

    def draw_columns(self, share: tuple[float, float] | None) -> None:
        """Have no other columns drawn from now on than those between two shares of the width; none for all.

        A framebuffer has its scissor box wherever it is bound again: whoever sets one takes it away.
        """
        self._columns = None if share is None else columns_of(share, self.size[0])
        for framebuffer in {self.drawn, self._resolved}:
            self.limit_columns(framebuffer)

    def limit_columns(self, framebuffer: Any) -> None:  # moderngl's own types refuse what its setters take
        """Have no other columns of a `framebuffer` as large drawn than of this."""
        columns = self._columns
        framebuffer.scissor = None if columns is None else (columns[0], 0, columns[1], self.size[1])

    def resolve(self) -> None:
        """Bring what was drawn into the picture; call it once after drawing."""
        if self._resolved is not self.drawn:
            self._context.copy_framebuffer(self._resolved, self.drawn)

    @property
    def picture(self) -> moderngl.Framebuffer:
        """What was resolved, to be drawn over."""
        return self._resolved

    def texture(self) -> moderngl.Texture:
        """Return the picture as a texture."""
        return self._picture

    def write(self, pixels: NDArray[np.uint8]) -> None:
        """Take `pixels`, as `pixels` returns them, for the picture; its colours are of 8 bits."""
        self._picture.write(np.ascontiguousarray(pixels[::-1]))

    def pixels(self, *, transparent: bool = False) -> NDArray[np.uint8]:
        """Return the picture, uint8 [row, column, rgba], the top row first and opaque.

        A `transparent` one was drawn times alpha; its colours are returned as they are, and 0 where nothing is.
        """
        width, height = self.size
        data = self._resolved.read(components=4, alignment=1)
        picture = np.frombuffer(data, np.uint8).reshape(height, width, 4)[::-1].copy()
        if transparent:
            alpha = picture[..., 3:].astype(np.uint16)
            picture[..., :3] = np.minimum((picture[..., :3] * np.uint16(255) + alpha // 2) // np.maximum(alpha, 1), 255)
        else:
            picture[..., 3] = 255
        return picture

    def floats(self) -> NDArray[np.float32]:
        """Return the picture as it was drawn, light or colours, float32 [row, column, rgba], the top row first."""
        width, height = self.size
        data = self._resolved.read(components=4, dtype="f4")
        return np.frombuffer(data, np.float32).reshape(height, width, 4)[::-1]

    def surfaces(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return places, xyz in metres and 1 or all 0 where nothing is, and normals, float32 [row, column, 4].

        The top row comes first.
        """
        width, height = self.size
        parts = [self._resolved.read(components=4, attachment=number, dtype="f4") for number in range(2)]
        places, normals = (np.frombuffer(part, np.float32).reshape(height, width, 4)[::-1] for part in parts)
        return places, normals

    def release(self) -> None:
        """Give the memory back."""
        for framebuffer in {self.drawn, self._resolved}:
            for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
                if attachment is not None:
                    attachment.release()
            framebuffer.release()
