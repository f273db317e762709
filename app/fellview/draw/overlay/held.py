"""The panel as it was drawn last, for frames in which only the land beside it changes.

On software OpenGL the panel takes a seventh of a moving frame; its picture takes a tenth of that. What reaches over the
land, such as hints, is drawn anew, as the land under it is another one.
"""

from __future__ import annotations

import moderngl

from fellview.draw.overlay.overlay import DrawData, Overlay
from fellview.draw.present import Copying, Part, around
from fellview.draw.target import Size, Target
from fellview.gpu import state


class HeldOverlay:
    """Keeps a picture of what `overlay` draws."""

    def __init__(self, context: moderngl.Context, overlay: Overlay) -> None:
        self._context, self._overlay = context, overlay
        self._copying = Copying(context)
        self._picture: Target | None = None

    def take(self, data: DrawData, size: Size) -> None:
        """Draw `data` into the picture, which is as large as the window's framebuffer, `size`."""
        if self._picture is None or self._picture.size != size:
            self.release()
            self._picture = Target(self._context, size)
        with state.kept(self._context):
            self._picture.drawn.clear()
            self._overlay.draw(data, self._picture.drawn)

    def holds(self, size: Size) -> bool:
        """Return whether there is a picture of a window of this `size`."""
        return self._picture is not None and self._picture.size == size

    def draw(self, framebuffer: moderngl.Framebuffer, land: Part) -> None:
        """Draw over `framebuffer` what was taken: around the land's part of it the picture, over the land the rest."""
        assert self._picture is not None, "nothing was taken"
        left, bottom, width, height = land
        with state.kept(self._context):
            framebuffer.use()
            for part in around(land, self._picture.size):
                self._copying.copy(self._picture, part, part)
        self._overlay.draw_again(framebuffer, (left, bottom, left + width, bottom + height))

    def release(self) -> None:
        """Give the picture's memory back."""
        if self._picture is not None:
            self._picture.release()
            self._picture = None
