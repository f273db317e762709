"""The tone pass: light in a float picture becomes the colours of a screen."""

from __future__ import annotations

import moderngl

from fellview.draw.accumulate import TRANSPARENT
from fellview.draw.target import Target
from fellview.gpu import bindings, programs
from fellview.gpu.uniform_block import UniformBlock


class TonePass:
    """Maps a target of light into a target of display colours of the same size."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self._look = look
        self._arrays: dict[bool, moderngl.VertexArray] = {}
        self._array(transparent=False)

    def draw(
        self,
        light: moderngl.Texture,
        picture: Target,
        frames: int = 1,
        corner_px: tuple[int, int] = (0, 0),
        *,
        transparent: bool = False,
    ) -> None:
        """Fill `picture`, of one sample, from `light`, the sum of so many frames.

        Where that is a region of a larger picture, `corner_px` says where its first pixel lies in that. Where it is
        `transparent`, light comes times alpha, and so do the colours.
        """
        array = self._array(transparent=transparent)
        picture.drawn.use()
        self._context.viewport = (0, 0, *picture.size)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(array.program, {"u_light": light})
        bindings.write(array.program, {"u_frames": float(frames), "u_corner_px": corner_px})
        array.render(moderngl.TRIANGLES, vertices=3)

    def _array(self, *, transparent: bool) -> moderngl.VertexArray:
        if transparent not in self._arrays:
            # the light in the picture is exposed already, and here only taken out of it again
            blocks = [self._look.glsl, "const vec4 light_exposure = vec4(1.0);", *TRANSPARENT[:transparent]]
            program = programs.program(self._context, "gpu/full_screen.vert", "draw/light/tone.frag", blocks)
            self._arrays[transparent] = self._context.vertex_array(program, [])
        return self._arrays[transparent]
