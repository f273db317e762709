"""The tone pass: light in a float picture becomes the colours of a screen."""

from __future__ import annotations

import moderngl

from fellview.draw.target import Target
from fellview.gpu import bindings, programs
from fellview.gpu.uniform_block import UniformBlock


class TonePass:
    """Maps a target of light into a target of display colours of the same size."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        # the light in the picture is exposed already, and here only taken out of it again
        blocks = [look.glsl, "const vec4 light_exposure = vec4(1.0);"]
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/light/tone.frag", blocks)
        self._full_screen = context.vertex_array(self._program, [])

    def draw(self, light: moderngl.Texture, picture: Target, frames: int = 1) -> None:
        """Fill `picture`, of one sample, from `light`, the sum of so many frames."""
        picture.drawn.use()
        self._context.viewport = (0, 0, *picture.size)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(self._program, {"u_light": light})
        self._program["u_frames"] = float(frames)
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
