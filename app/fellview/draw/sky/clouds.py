"""Clouds: the pattern that their shadows on the ground and they themselves follow, and the pass that draws them.

Heaps of cloud stand in a layer with a level base. A column of it is as thick as the pattern is above a threshold, which
the cover sets, so that cover is the share of the sky that they take. shaders/draw/sky/cloud_shadow.glsl has the layer,
and the shadow that it throws along the sun; draw/sky/clouds.frag draws it, swollen by billows, and the thin cirrus high
above. Clouds change slowly across the sky and cost much a pixel: they are drawn into a smaller picture of their own,
once for as long as eye, sun and sky stay, and evened out by draw/sky/clouds_blur.frag; the sky pass reads it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.draw.passes import Passes
from fellview.draw.sky import cloud_pattern
from fellview.draw.sky.sky import halves
from fellview.draw.target import Size
from fellview.gpu import bindings, formats, programs, state
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.scene import Scene

_DRAFT, _RESTING = 3, 2  # pixels of the picture, along each side, to one of clouds
_MOST_TEXELS = 1 << 23  # of the picture of clouds, which takes 130 MB then: in pictures of 33 million pixels and more
_DRAFT_STEPS, _RESTING_STEPS = 24, 60  # of a sight line through the layer


_BANDS = 8  # of the picture, drawn one by one: all at once takes some tenths of a second


@dataclass(frozen=True)
class _Picture:
    """Light and alpha of clouds, and what is bound to draw them."""

    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer

    @property
    def size(self) -> Size:
        """Width and height in pixels."""
        return self.texture.size

    def release(self) -> None:
        """Give the memory back."""
        self.texture.release()
        self.framebuffer.release()


class CloudPass:
    """Draws the clouds of one scene at a time into a picture of light, alpha being what they hide.

    Each sight line goes through the layer in so many `steps` where the picture rests.
    """

    def __init__(self, context: moderngl.Context, look: UniformBlock, steps: int = _RESTING_STEPS) -> None:
        self._context = context
        self._resting_steps = steps
        self._programs = LitPrograms(context, look, "draw/sky/sky.vert", "draw/sky/clouds.frag")
        self._billows: moderngl.Texture3D | None = None
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._even = programs.program(context, "gpu/full_screen.vert", "draw/sky/clouds_blur.frag")
        self._even_array = context.vertex_array(self._even, [])
        self._drawn_into: _Picture | None = None
        self._evened: _Picture | None = None
        self._drawn: tuple[object, ...] = ()

    def picture(
        self, scene: Scene, lighting: Lighting, corner_directions: np.ndarray, size: Size, *, draft: bool = False
    ) -> Passes[moderngl.Texture | None]:
        """Return the clouds of a picture of `size`, light times alpha, and alpha; None where there are none.

        `corner_directions` (3, 3) are the world directions at the corners of the triangle over the whole picture.
        """
        if not lighting.clouded:
            return None
        finer, steps = (_DRAFT, _DRAFT_STEPS) if draft else (_RESTING, self._resting_steps)
        finer = max(finer, math.ceil(math.sqrt(size[0] * size[1] / _MOST_TEXELS)))
        width, height = (-(-side // finer) for side in size)
        view = (corner_directions.tobytes(), scene.view.exaggeration, steps)
        drawn = (lighting.clouds, lighting.before_exposure, *view)
        if self._evened is None or self._evened.size != (width, height):
            self._resize((width, height))
        if self._drawn != drawn:
            self._drawn = ()
            yield from self._draw(lighting, corner_directions, steps, cumulus=scene.sky.clouds > 0)
            self._drawn = drawn
        assert self._evened is not None
        return self._evened.texture

    def alpha(self) -> NDArray[np.float32]:
        """Return what the clouds drawn last hide of the sky, 0 to 1, float32 [row, column]."""
        assert self._evened is not None
        picture = self._evened.texture
        width, height = picture.size
        values = np.frombuffer(picture.read(), formats.NUMPY[picture.dtype])
        return values.reshape(height, width, 4)[..., 3].astype(np.float32)

    def _draw(self, lighting: Lighting, corner_directions: np.ndarray, steps: int, *, cumulus: bool) -> Passes[None]:
        assert self._drawn_into is not None and self._evened is not None
        width, height = self._evened.size
        drawn_into, evened = self._drawn_into.framebuffer, self._evened.framebuffer
        evened.clear()
        drawn_into.use()
        drawn_into.clear()
        self._context.viewport = (0, 0, width, height)
        self._context.enable_only(moderngl.NOTHING)
        first, count = halves(corner_directions, height)["ABOVE"]
        if count == 0:
            return
        program = self._programs.of(lighting, f"#define STEPS {steps}\n")
        programs.write(program, "u_corner_dir_world", corner_directions)
        program["u_pixel"] = float(np.linalg.norm(corner_directions[2] - corner_directions[0])) / (2 * height)
        if cumulus and self._billows is None:  # cirrus has none, and they take half a second to make
            self._billows = cloud_pattern.block(self._context)
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._context.vertex_array(program, [])
        edges = [first + count * number // _BANDS for number in range(_BANDS + 1)]
        for low, high in itertools.pairwise(edges):
            drawn_into.use()
            self._context.enable_only(moderngl.NOTHING)
            self._context.viewport = (0, 0, width, height)
            self._programs.of(lighting, f"#define STEPS {steps}\n")  # binds the textures of light
            if self._billows is not None:
                bindings.use(program, {"u_billows": self._billows})
            with state.rows_only(drawn_into, low, high - low):
                self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
            yield
        self._context.enable_only(moderngl.NOTHING)
        evened.use()
        bindings.use(self._even, {"u_cloud_picture": self._drawn_into.texture})
        with state.rows_only(evened, first, count):
            self._even_array.render(moderngl.TRIANGLES, vertices=3)

    def _resize(self, size: Size) -> None:
        for old in (self._drawn_into, self._evened):
            if old is not None:
                old.release()
        self._drawn_into, self._evened = self._picture(size), self._picture(size)
        self._drawn = ()

    def _picture(self, size: Size) -> _Picture:
        dtype = formats.of(self._context).drawn(4, formats.WIDE, "clouds")
        texture = self._context.texture(size, 4, dtype=dtype)
        texture.repeat_x = texture.repeat_y = False
        return _Picture(texture, self._context.framebuffer(texture))
