"""A picture of clouds: light times alpha, and alpha, which is what they hide."""

from __future__ import annotations

import moderngl

from fellview.draw.target import Size
from fellview.gpu import formats


class CloudPicture:
    """Such a texture of one size, and what is bound to draw it."""

    def __init__(self, context: moderngl.Context, size: Size) -> None:
        dtype = formats.of(context).drawn(4, formats.WIDE, "clouds")
        self.texture = context.texture(size, 4, dtype=dtype)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.framebuffer = context.framebuffer(self.texture)

    @property
    def size(self) -> Size:
        """Width and height in pixels."""
        return self.texture.size

    def release(self) -> None:
        """Give the memory back."""
        self.texture.release()
        self.framebuffer.release()
