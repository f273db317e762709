"""The framebuffer that pictures are drawn into, on the screen's behalf or for a file.

A window's own framebuffer stays without samples: read back, a multisampled window comes unsmoothed and a headless one
as garbage. So everything is drawn here and resolved, and screen and command line share one path.
"""

from __future__ import annotations

import math

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.gpu import formats

Size = tuple[int, int]
"""Width and height in pixels."""


def largest_side(context: moderngl.Context) -> int:
    """Return how many pixels a side a picture may have in `context`."""
    return int(min(context.info["GL_MAX_TEXTURE_SIZE"], context.info["GL_MAX_RENDERBUFFER_SIZE"]))


def columns_of(share: tuple[float, float], width: int) -> tuple[int, int]:
    """Return the first of the columns between two shares of a `width` in pixels, and how many they are, at least 1."""
    first = min(math.floor(share[0] * width), width - 1)
    return first, max(math.ceil(share[1] * width) - first, 1)


class Target:
    """A colour and depth framebuffer of one size; with `samples` above 1 it is multisampled and resolved.

    With `light` its colours are half floats, or the next best. One of a sample that is `read_deep` has its depth as a
    texture.
    """

    def __init__(
        self, context: moderngl.Context, size: Size, samples: int = 1, *, light: bool = False, read_deep: bool = False
    ) -> None:
        if max(size) > (largest := largest_side(context)):
            raise InputError(f"picture of {size[0]} × {size[1]} pixels: this OpenGL draws at most {largest} a side")
        self.size = size
        found = formats.of(context)
        dtype = found.drawn(4, formats.LIGHT, "light") if light else "f1"
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
        elif read_deep:
            self.depth = context.depth_texture(size)
            self.depth.compare_func = ""
            self.depth.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self.depth.repeat_x = self.depth.repeat_y = False
            self.drawn = self._resolved = context.framebuffer(self._picture, self.depth)
        else:
            self.drawn = self._resolved = context.framebuffer(self._picture, context.depth_renderbuffer(size))

    @property
    def columns(self) -> tuple[int, int] | None:
        """The first column that is drawn and how many are; none for all."""
        return self._columns

    def draw_columns(self, share: tuple[float, float] | None) -> None:
        """Have no other columns drawn from now on than those between two shares of the width; none for all.

        A framebuffer has its scissor box wherever it is bound again: whoever sets one takes it away.
        """
        width, height = self.size
        self._columns = None if share is None else columns_of(share, width)
        box = None if self._columns is None else (self._columns[0], 0, self._columns[1], height)
        for framebuffer in {self.drawn, self._resolved}:
            framebuffer.scissor = box  # type: ignore[assignment] # moderngl's own types refuse what its setters take

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

    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture, uint8 [row, column, rgba], the top row first and opaque."""
        width, height = self.size
        data = self._resolved.read(components=4, alignment=1)
        picture = np.frombuffer(data, np.uint8).reshape(height, width, 4)[::-1].copy()
        picture[..., 3] = 255
        return picture

    def release(self) -> None:
        """Give the memory back."""
        for framebuffer in {self.drawn, self._resolved}:
            for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
                if attachment is not None:
                    attachment.release()
            framebuffer.release()
