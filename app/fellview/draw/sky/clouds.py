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

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.draw.passes import Passes
from fellview.draw.sky import cloud_pattern
from fellview.draw.sky.cloud_history import LARGEST_BLOCK, CloudHistory, of_part
from fellview.draw.sky.cloud_picture import CloudPicture
from fellview.draw.sky.sky import corner_directions, halves
from fellview.draw.target import Size
from fellview.gpu import bindings, formats, programs, state
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.scene import Scene
from fellview.view import projection

_DRAFT, _RESTING = 3, 2  # pixels of the picture, along each side, to one of clouds
_MOST_TEXELS = 1 << 23  # of the picture of clouds, which takes 130 MB then: in pictures of 33 million pixels and more
_DRAFT_STEPS, _RESTING_STEPS = 24, 60  # of a sight line through the layer
_BANDS, _BAND_PIXELS = 8, 9_000  # of the picture, and the fewest pixels of one: all at once takes some 0.3 s


class CloudPass(DrawPass):
    """Draws the clouds of one scene at a time into a picture of light, alpha being what they hide.

    Each sight line goes through the layer in so many `steps` where the picture rests.
    """

    name = "clouds"

    def __init__(self, context: moderngl.Context, look: UniformBlock, steps: int = _RESTING_STEPS) -> None:
        super().__init__(context, look)
        self._resting_steps = steps
        self._programs = LitPrograms(context, look, "draw/sky/sky.vert", "draw/sky/clouds.frag")
        self._billows: moderngl.Texture3D | None = None
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._even = programs.program(context, "gpu/full_screen.vert", "draw/sky/clouds_blur.frag")
        self._even_array = context.vertex_array(self._even, [])
        self._drawn_into: CloudPicture | None = None
        self._evened: CloudPicture | None = None
        self._drawn: tuple[object, ...] = ()  # what the one that is evened out is of
        self._history: CloudHistory | None = None

    def wanted(self, frame: Frame) -> bool:
        """Return whether there is a sky to see them in: an orthographic view has none."""
        return not frame.scene.camera.is_parallel and not frame.options.transparent

    def draw(self, frame: Frame) -> Passes[None]:
        """Leave their picture in `frame.clouds`."""
        directions = corner_directions(frame.scene, frame.seen_size)
        if frame.of is not None:
            drawing = self.moving(frame.scene, frame.lighting, directions, frame.of, frame.scale)
        else:
            coarse = frame.options.is_coarse
            drawing = self.picture(frame.scene, frame.lighting, directions, frame.size, draft=coarse)
        frame.clouds = yield from drawing

    def picture(
        self, scene: Scene, lighting: Lighting, corner_directions: np.ndarray, size: Size, *, draft: bool = False
    ) -> Passes[moderngl.Texture | None]:
        """Return the clouds of a picture of `size`, light times alpha, and alpha; None where there are none.

        `corner_directions` (3, 3) are the world directions at the corners of the triangle over the whole picture.
        """
        if not lighting.clouded:
            return None
        finer, steps = (_DRAFT, _DRAFT_STEPS) if draft else (_RESTING, self._resting_steps)
        clouds = _smaller(size, finer)
        view = (corner_directions.tobytes(), scene.view.exaggeration, steps)
        drawn = (lighting.clouds, lighting.before_exposure, *view)
        if self._drawn_into is None or self._drawn_into.size != clouds:
            self._release(self._drawn_into)
            self._drawn_into, self._drawn = CloudPicture(self._context, clouds), ()
        if self._drawn != drawn:
            self._drawn = ()
            yield from self._draw(self._drawn_into, scene, lighting, corner_directions, steps)
            self._even_out(self._drawn_into, _above(corner_directions, clouds))
            self._drawn = drawn
        assert self._evened is not None
        return self._evened.texture

    def moving(
        self, scene: Scene, lighting: Lighting, corner_directions: np.ndarray, size: Size, scale: float
    ) -> Passes[moderngl.Texture | None]:
        """Return the same for something that moves, whose frames have `scale` times the pixels a side.

        Each brings some of the pixels, so that clouds cost what they would in a picture as small as the frame.
        """
        block = min(max(round(1 / scale), 1), LARGEST_BLOCK)
        if block == 1 or not lighting.clouded:
            return (yield from self.picture(scene, lighting, corner_directions, size, draft=True))
        self._history = history = self._history or CloudHistory(self._context)
        of = {name: group for name, group in scene.groups().items() if name != "camera"}, lighting.clouds_m
        eye, clouds = np.asarray(projection.eye(scene.camera)), _smaller(size, _DRAFT)
        part = history.part(clouds, block)
        if history.is_whole(of, eye, corner_directions, block) and self._drawn == (history,):
            assert self._evened is not None
            return self._evened.texture
        first = history.first(block)
        corners = of_part(corner_directions, clouds, part.size, first, block)
        yield from self._draw(part, scene, lighting, corners, _DRAFT_STEPS, (*first, block))
        rows, rise_m = _above(corner_directions, clouds), lighting.clouds_m - eye[1]
        self._even_out(history.add(of, eye, corner_directions, rise_m, block, rows), rows)
        self._drawn = (history,)
        assert self._evened is not None
        return self._evened.texture

    def alpha(self) -> NDArray[np.float32]:
        """Return what the clouds drawn last hide of the sky, 0 to 1, float32 [row, column]."""
        assert self._evened is not None
        picture = self._evened.texture
        width, height = picture.size
        values = np.frombuffer(picture.read(), formats.NUMPY[picture.dtype])
        return values.reshape(height, width, 4)[..., 3].astype(np.float32)

    def _draw(
        self,
        into: CloudPicture,
        scene: Scene,
        lighting: Lighting,
        corner_directions: np.ndarray,
        steps: int,
        every: tuple[int, int, int] = (0, 0, 1),
    ) -> Passes[None]:
        """Draw clouds as steps along sight lines have them, before they are evened out.

        Of the part of a picture `every` says which pixels: the first, and from one to the next.
        """
        drawn_into = into.framebuffer
        drawn_into.use()
        drawn_into.clear()
        self._context.viewport = (0, 0, *into.size)
        self._context.enable_only(moderngl.NOTHING)
        first, count = _above(corner_directions, into.size)
        if count == 0:
            return
        program = self._programs.of(lighting, f"#define STEPS {steps}\n")
        programs.write(program, "u_corner_dir_world", corner_directions)
        across = float(np.linalg.norm(corner_directions[2] - corner_directions[0])) / (2 * into.size[1])
        program["u_pixel"] = across / every[2]
        program["u_every"] = every
        if scene.sky.clouds > 0 and self._billows is None:  # cirrus has none, and they take half a second to make
            self._billows = cloud_pattern.block(self._context)
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._context.vertex_array(program, [])
        bands = min(max(into.size[0] * count // _BAND_PIXELS, 1), _BANDS)
        edges = [first + count * number // bands for number in range(bands + 1)]
        for low, high in itertools.pairwise(edges):
            drawn_into.use()
            self._context.enable_only(moderngl.NOTHING)
            self._context.viewport = (0, 0, *into.size)
            self._programs.of(lighting, f"#define STEPS {steps}\n")  # binds the textures of light
            if self._billows is not None:
                bindings.use(program, {"u_billows": self._billows})
            with state.rows_only(drawn_into, low, high - low):
                self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
            yield

    def _even_out(self, drawn: CloudPicture, rows: tuple[int, int]) -> None:
        """Make of the clouds that were `drawn` those that are seen, in `rows`: the first, and how many."""
        if self._evened is None or self._evened.size != drawn.size:
            self._release(self._evened)
            self._evened = CloudPicture(self._context, drawn.size)
        evened = self._evened.framebuffer
        evened.clear()
        self._context.viewport = (0, 0, *drawn.size)
        self._context.enable_only(moderngl.NOTHING)
        evened.use()
        bindings.use(self._even, {"u_cloud_picture": drawn.texture})
        with state.rows_only(evened, *rows):
            self._even_array.render(moderngl.TRIANGLES, vertices=3)

    @staticmethod
    def _release(picture: CloudPicture | None) -> None:
        if picture is not None:
            picture.release()


def _smaller(size: Size, finer: int) -> Size:
    """Return the size of the clouds of a picture of `size`, which has `finer` times their pixels a side, or more."""
    finer = max(finer, math.ceil(math.sqrt(size[0] * size[1] / _MOST_TEXELS)))
    return -(-size[0] // finer), -(-size[1] // finer)


def _above(corner_directions: np.ndarray, size: Size) -> tuple[int, int]:
    """Return the first of the rows that look above the horizon, and how many there are."""
    return halves(corner_directions, size[1])["ABOVE"]
