"""The places of a draft's pixels, moved onto the triangles of the full grid before they are shaded.

A draft has few triangles, so that its pixels were lit where those are: up to some pixels off, and what they showed went
when others were chosen. How a place moves stands in shaders/draw/land/full_grid_places.frag.
"""

from __future__ import annotations

from collections.abc import Callable

import moderngl

from fellview.draw.light import light_block
from fellview.draw.target import Target
from fellview.gpu import bindings, programs


class FullGridPlaces:
    """Moves places, into a texture of its own."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        files = "gpu/full_screen.vert", "draw/land/full_grid_places.frag"
        self._program = programs.program(context, *files, [light_block.GLSL])
        self._array = context.vertex_array(self._program, [])
        self._moved: moderngl.Texture | None = None
        self._framebuffer: moderngl.Framebuffer | None = None

    def moved(
        self, places: moderngl.Texture, target: Target, bind: Callable[[moderngl.Program], None]
    ) -> moderngl.Texture:
        """Return `places` of the pixels of `target`, rgba32f, moved onto the grid whose heights and size `bind` sets.

        The light's block is that of the frame. The texture is written anew the next time.
        """
        moved, framebuffer = self._of_size(places.size)
        target.limit_columns(framebuffer)
        framebuffer.use()
        self._context.enable_only(moderngl.NOTHING)
        bind(self._program)
        bindings.use(self._program, {"u_places": places})
        self._array.render(moderngl.TRIANGLES, vertices=3)
        return moved

    def _of_size(self, size: tuple[int, int]) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        """Return what is drawn into, for places of `size`; that of another goes."""
        if self._moved is not None and self._framebuffer is not None:
            if self._moved.size == size:
                return self._moved, self._framebuffer
            self._framebuffer.release()
            self._moved.release()
        self._moved = self._context.texture(size, 4, dtype="f4")
        self._moved.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._framebuffer = self._context.framebuffer(self._moved)
        return self._moved, self._framebuffer
