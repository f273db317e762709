"""The mean of many frames, each with its pixels' centres elsewhere: what makes a picture that rests finer.

Frames are added as they stand before tone mapping, in 32-bit floats: light as draw/light/reversible_tone_map.glsl
squeezes it, so that an edge against the sun is averaged as multisampling averages it, or display colours. Alpha is
added up, too.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.target import Size, Target
from fellview.gpu import bindings, formats, programs

HARDWARE_MULTISAMPLES, SOFTWARE_MULTISAMPLES = 4, 1
"""Samples of one frame where several are wanted. On llvmpipe sixteen frames of one sample, whose land is drawn in two
steps, take half the processor's time of four frames of four, and come nearer to references of 64."""

TRANSPARENT = ("#define TRANSPARENT\n",)
"""What shaders of pictures are compiled with that have nothing behind what is drawn, and so are times alpha."""

_PLASTIC = 1.32471795724474602596  # the root of x³ = x + 1
_MULTISAMPLED_SPAN = 0.5  # of a pixel: four samples stand apart by that already, and a whole pixel would blur


def plan(samples: int, multisamples: int) -> tuple[int, int]:
    """Return how many frames make `samples` samples a pixel, and how many samples each of them has.

    That is `multisamples` where they come out even, and else 1.
    """
    if samples % multisamples == 0:
        return samples // multisamples, multisamples
    return samples, 1


def offsets(frames: int, multisamples: int) -> NDArray[np.float64]:
    """Return where in the pixel each frame's centre lies, (frames, 2) of a pixel, right and up; their mean is 0.

    They are the R2 sequence, whose beginnings fill a square evenly; M. Roberts, "The unreasonable effectiveness of
    quasirandom sequences" (2018).
    """
    steps = np.array([1 / _PLASTIC, 1 / _PLASTIC**2])
    places = np.mod(0.5 + np.arange(frames)[:, None] * steps, 1.0)
    return (places - places.mean(axis=0)) * (_MULTISAMPLED_SPAN if multisamples > 1 else 1.0)


class Accumulator:
    """The sum of frames of one size, and their mean."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._adding = programs.program(context, "gpu/full_screen.vert", "draw/frame/accumulate.frag")
        self._add = context.vertex_array(self._adding, [])
        self._averages: dict[bool, moderngl.VertexArray] = {}
        self._average(transparent=False)
        self._framebuffer: moderngl.Framebuffer | None = None
        self.sum: moderngl.Texture | None = None
        """The sum, RGBA32F; none before the first frame."""
        self.frames = 0

    def begin(self, size: Size) -> None:
        """Forget all frames; the next ones have `size`."""
        if self.sum is None or self._framebuffer is None or self.sum.size != size:
            self.release()
            dtype = formats.of(self._context).drawn(4, formats.PRECISE, "the sum of frames")
            self.sum = self._context.texture(size, 4, dtype=dtype)
            self._framebuffer = self._context.framebuffer(self.sum)
        self._framebuffer.use()  # or the scissor box of another one held
        self._framebuffer.clear()
        self.frames = 0

    def add(self, frame: moderngl.Texture) -> None:
        """Add the picture `frame`."""
        assert self._framebuffer is not None
        context: Any = self._context  # moderngl's own types refuse what its setters take
        self._framebuffer.use()
        context.viewport = (0, 0, *frame.size)
        context.enable_only(moderngl.BLEND)
        context.blend_func = moderngl.ONE, moderngl.ONE
        bindings.use(self._adding, {"u_frame": frame})
        self._add.render(moderngl.TRIANGLES, vertices=3)
        context.blend_func = moderngl.DEFAULT_BLENDING
        context.enable_only(moderngl.NOTHING)
        self.frames += 1

    def mean_into(self, picture: Target, *, transparent: bool = False) -> None:
        """Fill `picture`, of one sample, with the mean of display colours; where it is `transparent`, times alpha."""
        assert self.sum is not None
        average = self._average(transparent=transparent)
        picture.drawn.use()
        self._context.viewport = (0, 0, *picture.size)
        self._context.enable_only(moderngl.NOTHING)
        bindings.use(average.program, {"u_sum": self.sum})
        average.program["u_frames"] = float(self.frames)
        average.render(moderngl.TRIANGLES, vertices=3)

    def _average(self, *, transparent: bool) -> moderngl.VertexArray:
        if transparent not in self._averages:
            program = programs.program(
                self._context, "gpu/full_screen.vert", "draw/frame/mean.frag", TRANSPARENT[:transparent]
            )
            self._averages[transparent] = self._context.vertex_array(program, [])
        return self._averages[transparent]

    def release(self) -> None:
        """Give the memory back."""
        for thing in (self._framebuffer, self.sum):
            if thing is not None:
                thing.release()
        self._framebuffer = self.sum = None
