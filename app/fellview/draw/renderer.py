"""Puts the passes together: one scene and one height field in, one picture out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw import accumulate, stopwatch
from fellview.draw.accumulate import Accumulator
from fellview.draw.ground.boulders import BoulderPass
from fellview.draw.ground.cover import Cover
from fellview.draw.land.far_land import FarLand
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import Drawn
from fellview.draw.land.screen_error import moved_px
from fellview.draw.land.surroundings import Around, Surroundings
from fellview.draw.land.terrain import TerrainPass
from fellview.draw.land.tile import Piece, border_blocks
from fellview.draw.light.lighting import LightPass, cut_base, goes_on, is_linear
from fellview.draw.light.tone import TonePass
from fellview.draw.overlay.legend import Legend
from fellview.draw.overlay.marks import MarksPass
from fellview.draw.passes import Passes, leaving_state, whole
from fellview.draw.sky.clouds import CloudPass
from fellview.draw.sky.sky import Parallel, SkyPass
from fellview.draw.stage.figure import FigurePass
from fellview.draw.stage.slab import SlabPass
from fellview.draw.target import Size, Target
from fellview.draw.water.water import WaterPass
from fellview.gpu import formats, state
from fellview.gpu.context import is_software
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.groups.air import Air
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.sky import Sky
from fellview.scene.groups.sun import Sun
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.view import projection
from fellview.view.exaggeration import exaggerated
from fellview.view.framing import HeightsAt

# Samples a pixel of a window's picture that rests, and of a picture saved from it: on llvmpipe, where a frame of a
# window takes some tenths of a second, as many as are there after a second or two.
_SOFTWARE_RESTING, _HARDWARE_RESTING = 16, 64
_SIGHT_RADII = 20.0  # of the land, from which the sky's parallel sight lines begin: near enough for float32's digits
_LOOK_GROUPS = (Sun, Ground, Sky, Air, View, Water)
_FULL_SCREEN_CORNERS = (
    (-1.0, -1.0),
    (3.0, -1.0),
    (-1.0, 3.0),
)  # of the triangle that covers the viewport, in clip space


class Renderer:
    """Draws scenes in one OpenGL context; keeps the passes, the height map and the look's uniform block."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._look = UniformBlock("Look", _LOOK_GROUPS)
        self._look_buffer = self._look.buffer(context)
        self._height_map = HeightMap(context)
        self._terrain = TerrainPass(context, self._look)
        self._boulders = BoulderPass(context, self._look)
        self._slab = SlabPass(context, self._look)
        self._figure = FigurePass(context, self._look)
        self._cover = Cover(context)
        self._surroundings = Surroundings(context)
        self._sky = SkyPass(context, self._look)
        self._clouds = CloudPass(context, self._look)
        self._light = LightPass(context)
        self._water = WaterPass(context)
        self._far_land = FarLand(context, self._look)
        self.seconds = 0.0
        """The time that moving water stands at; pictures have the time 0."""
        self._tone = TonePass(context, self._look)
        self._marks = MarksPass(context)
        self._sum = Accumulator(context)
        self.error_px = 0.0
        """How many pixels levels of detail may have moved the land in the last frame."""
        self._last: tuple[Drawn, NDArray[np.float64], Size, float] | None = None
        self._targets: dict[tuple[int, bool], Target] = {}
        software = is_software(context)
        self.resting_samples = _SOFTWARE_RESTING if software else _HARDWARE_RESTING
        """Samples a pixel that a picture at rest is worth."""
        self._multisamples = accumulate.SOFTWARE_MULTISAMPLES if software else accumulate.HARDWARE_MULTISAMPLES
        if self._multisamples > 1 and not formats.of(context).multisamples("f2", self._multisamples):
            self._multisamples = 1  # a few more frames make as many samples

    @property
    def field(self) -> HeightField | None:
        """The height field that is shown."""
        return self._height_map.field

    def wait_for_masks(self) -> None:
        """Have no mask computed while drawing from now on: they come with the height field, later.

        What ground around the land is made of and its light wait until nothing moves.
        """
        self._cover.wait_for_masks()
        self._surroundings.waits = True

    def leave_textures(self) -> None:
        """Draw the ground without pictures of a person's own from now on."""
        self._cover.leaves_textures = True

    @property
    def legend(self) -> Legend | None:
        """How to read the view that was drawn last; none where that is just the ground."""
        return self._cover.legend

    def take_notices(self) -> list[str]:
        """Return what a person should know of what was drawn, each line once."""
        notices, self._cover.notices = self._cover.notices, []
        return notices + formats.of(self._context).take_notices()

    def recover(self) -> None:
        """Put OpenGL back to what every pass begins with, where an error has left one in its middle."""
        context: Any = self._context  # moderngl's own types refuse what its setters take
        context.wireframe = False
        context.depth_func = "<"
        context.blend_func = moderngl.DEFAULT_BLENDING
        framebuffers: list[Any] = [each for one in self._targets.values() for each in (one.drawn, one.picture)]
        for framebuffer in framebuffers:
            framebuffer.scissor, framebuffer.depth_mask = None, True

    def show(self, field: HeightField) -> None:
        """Draw `field` from now on."""
        shown = self._height_map.field
        if shown is not None and field.has_heights_of(shown):
            self._height_map.field = field  # its masks have come
        else:
            with self._pass("normals and levels of detail"):
                self._height_map.upload(field)

    def ground_around(self, scene: Scene, field: HeightField) -> HeightsAt | None:
        """Return the heights as drawn of the ground around `field`, -inf where there is none, at places x and z.

        None where `scene` shows the land alone, and where `field` is not shown.
        """
        shown = self._height_map.field
        if not goes_on(scene) or shown is None or not field.has_heights_of(shown) or min(field.rows, field.columns) < 2:
            return None
        self._surroundings.carry_on(scene, self._height_map)
        return lambda x, z: scene.view.exaggeration * self._surroundings.heights_at(x, z)

    def frames(self, samples: int) -> int:
        """Return how many frames make `samples` samples a pixel."""
        return accumulate.plan(samples, self._multisamples)[0]

    def draw(self, scene: Scene, size: Size, samples: int, full: bool = False) -> Target:
        """Return a target of `size` with the picture, of so many samples a pixel; the next call draws into it again.

        Land and sky are drawn as light into half floats, resolved, and mapped to tones; a scene without tone mapping
        is drawn in display colours at once. More samples than one frame has are frames whose pixels' centres lie
        elsewhere, and their mean. Where it is `full`, every cell of the land is drawn with two triangles, however
        small they are.
        """
        return [self.refine(scene, size, samples, number, full) for number in range(self.frames(samples))][-1]

    def refine(self, scene: Scene, size: Size, samples: int, number: int, full: bool = False) -> Target:
        """Draw frame `number` of those that make `samples`; return a target with the mean of those up to it.

        Frames come in order, from 0, and nothing else is drawn between them.
        """
        return whole(self.passes(scene, size, samples, number, full))

    def passes(
        self,
        scene: Scene,
        size: Size,
        samples: int,
        number: int,
        full: bool = False,
        mean: Accumulator | None = None,
    ) -> Passes[Target]:
        """Do as `refine` does, pass by pass; nothing else is drawn by this renderer before the last.

        A `mean` of its own lets other pictures be drawn between its frames. Each pass leaves the state of OpenGL as it
        found it.
        """
        drawing = self._marked(scene, size, samples, number, full, mean or self._sum)
        return (yield from leaving_state(self._context, drawing))

    def _marked(
        self, scene: Scene, size: Size, samples: int, number: int, full: bool, mean: Accumulator
    ) -> Passes[Target]:
        """Return a target with the mean of frames up to `number`, and the marks over it."""
        picture = yield from self._refined(scene, size, samples, number, full, mean)
        legend = self.legend if scene.view.legend else None
        if self.field is not None and (scene.view.scale_bar or scene.view.north_arrow or legend is not None):
            with self._pass("marks"):
                self._marks.draw(scene, self.field, picture, legend)
        return picture

    def moved_px(self) -> NDArray[np.float32]:
        """Return by how many pixels levels of detail moved what each pixel of the last frame shows, [row, column]."""
        assert self._last is not None
        drawn, matrix, size, exaggeration = self._last
        return moved_px(self._terrain, self._height_map, drawn, matrix, size, exaggeration)

    def accumulator(self) -> Accumulator:
        """Return what adds up the frames of a picture that others are drawn between; whoever has it releases it."""
        return Accumulator(self._context)

    def _refined(
        self, scene: Scene, size: Size, samples: int, number: int, full: bool, mean: Accumulator
    ) -> Passes[Target]:
        """Do as `passes` does, but for the marks over the picture."""
        frames, multisamples = accumulate.plan(samples, self._multisamples)
        frame = yield from self._frame(scene, size, multisamples, number, frames, full=full)
        yield
        linear = is_linear(scene)
        if frames == 1 and not linear:
            return frame
        picture = self._target(size, 1, light=False)
        if frames == 1:
            with self._pass("tone"):
                self._tone.draw(frame.texture(), picture)
            return picture
        with self._pass("sum of frames"):
            if number == 0:
                mean.begin(size)
            mean.add(frame.texture())  # and no way out before the end, or it would count twice
        if linear:
            assert mean.sum is not None
            with self._pass("tone"):
                self._tone.draw(mean.sum, picture, mean.frames)
        else:
            mean.mean_into(picture)
        return picture

    def _frame(
        self, scene: Scene, size: Size, multisamples: int, number: int, frames: int, *, full: bool
    ) -> Passes[Target]:
        """Return a target with frame `number` of the `frames` of a mean."""
        offset = accumulate.offsets(frames, multisamples)[number]
        resting = frames * multisamples > 1
        self._look_buffer.write(self._look.packed(scene.groups()))
        self._look.bind(self._look_buffer)  # another renderer of this context may have bound its own
        with self._pass("water's maps"):
            water = self._water.prepare(scene, self._height_map, self.seconds, size, draft=not resting)
        yield
        lighting = self._light.prepare(scene, self._height_map, size=size, draft=not resting, water=water)
        yield
        with self._pass("land that water mirrors"):
            lighting = self._far_land.mirrored(scene, self._height_map, lighting)
        yield
        base_m = cut_base(scene, self.field)
        with self._pass("ground's maps"):
            self._cover.prepare(scene, self._height_map, base_m, number, frames)
        yield
        with self._pass("surroundings' maps"):
            around = self._surroundings.prepare(scene, self._height_map, self._cover, lighting, resting=resting)
        yield
        with stopwatch.part("clouds"):
            clouds = None  # an orthographic view has no sky to see them in
            if not scene.camera.is_parallel:
                directions = _corner_directions(scene, size)
                clouds = yield from self._clouds.picture(scene, lighting, directions, size, draft=not resting)
        yield
        target = self._target(size, multisamples, light=lighting.linear)
        target.drawn.use()
        self._context.viewport = (0, 0, *size)
        camera = scene.camera
        shift = -2 * np.asarray(offset) / size  # in clip space; what a pixel's centre meets moves the other way
        field = self.field
        target.drawn.clear(depth=1.0)
        if field is not None:
            exaggeration = scene.view.exaggeration
            near, far = projection.clip_planes(
                camera, exaggerated(field, exaggeration), base_m, around[-1].reach_m if around else 0.0
            )
            matrix = projection.view_projection(camera, size, near, far, shift)
            unshifted = projection.view_projection(camera, size, near, far)
            drawn = yield from self._terrain.passes(
                self._height_map,
                lighting,
                matrix,
                scene.view.mode,
                exaggeration,
                full,
                resting=resting,
                base_m=base_m,
                cover=self._cover,
                target=target,
                piece=self._among(around),
                unshifted=unshifted,
            )
            if drawn is not None:
                self.error_px = drawn.error_px
                self._last = drawn, np.asarray(matrix, np.float64), size, exaggeration
                yield
                with stopwatch.part("surroundings"):
                    yield from self._draw_around(scene, around, matrix, unshifted, target, resting=resting)
                if base_m is not None:
                    target.drawn.use()
                    with self._pass("slab"):
                        self._slab.draw(self._height_map, lighting, matrix, exaggeration, drawn, self._cover, base_m)
                    yield
                shadows = scene.sun.shadows and scene.sun.elevation > 0
                target.drawn.use()
                with self._pass("boulders"):
                    self._boulders.draw(self._height_map, lighting, camera, matrix, exaggeration, self._cover, shadows)
                yield
            target.drawn.use()
            with self._pass("figure"):
                self._figure.draw(scene, field, lighting, matrix, size)
        target.drawn.use()
        with self._pass("sky"):
            directions = _corner_directions(scene, size, shift)
            self._sky.draw(lighting, directions, clouds, _parallel(scene, field, size, shift))
        target.resolve()
        return target

    def _among(self, around: tuple[Around, ...]) -> Piece | None:
        """Return how the land lies among what is `around` it."""
        detail = self._height_map.detail
        if not around or detail is None:
            return None
        return Piece(hangs=border_blocks(detail.shape), hang_m=around[0].piece.hang_m)

    def _draw_around(
        self,
        scene: Scene,
        around: tuple[Around, ...],
        matrix: np.ndarray,
        unshifted: np.ndarray,
        target: Target,
        *,
        resting: bool,
    ) -> Passes[None]:
        """Draw what is `around` the land, which is there already and hides most of it."""
        for each in around:
            target.drawn.use()
            with self._light.elsewhere(each.lighting):
                yield from self._terrain.passes(
                    each.height_map,
                    each.lighting,
                    matrix,
                    scene.view.mode,
                    scene.view.exaggeration,
                    resting=resting,
                    cover=self._cover,
                    target=target,
                    piece=each.piece,
                    before=(self._height_map,),
                    unshifted=unshifted,
                )

    @contextmanager
    def _pass(self, name: str) -> Iterator[None]:
        """Time the pass `name`, and have it leave the state of OpenGL as it found it."""
        with stopwatch.part(name), state.kept(self._context):
            yield

    def _target(self, size: Size, samples: int, *, light: bool) -> Target:
        """Keep one target a sample count and kind: moving and resting frames alternate at one size."""
        kept = self._targets.get((samples, light))
        if kept is None or kept.size != size:
            if kept is not None:
                kept.release()
            kept = self._targets[samples, light] = Target(self._context, size, samples, light=light)
        return kept


def _corner_directions(scene: Scene, size: Size, shift: np.ndarray | float = 0.0) -> np.ndarray:
    """Return the world directions at the corners of the full-screen triangle, (3, 3); they interpolate linearly."""
    width, height = size
    if scene.camera.is_parallel:
        return np.tile(projection.forward(scene.camera), (3, 1))
    forward, right, up = projection.forward(scene.camera), projection.right(scene.camera), projection.up(scene.camera)
    rise = np.tan(np.radians(scene.camera.field_of_view) / 2)
    corners = np.array(_FULL_SCREEN_CORNERS) - shift
    return np.array([forward + x * rise * width / height * right + y * rise * up for x, y in corners])


def _parallel(scene: Scene, field: HeightField | None, size: Size, shift: np.ndarray) -> Parallel | None:
    """Return where the sight lines of an orthographic view begin; None for a perspective."""
    camera = scene.camera
    if not camera.is_parallel:
        return None
    place, half_height = projection.light_goes_to(camera, field, _SIGHT_RADII)
    right, up = (
        camera.span / 2 * projection.aspect_of(size) * projection.right(camera),
        camera.span / 2 * projection.up(camera),
    )
    corners = np.array([place + x * right + y * up for x, y in np.array(_FULL_SCREEN_CORNERS) - shift])
    return Parallel(corners, 2 * half_height / size[1])
