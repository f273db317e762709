"""Puts the passes together: one scene and one height field in, one picture out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw import accumulate, stopwatch, temporal_upsampling
from fellview.draw.accumulate import Accumulator
from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame, FrameOptions
from fellview.draw.ground.cover import Cover
from fellview.draw.land.far_land import FarLand
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_pass import LandPass
from fellview.draw.land.level_of_detail import DrawnBlocks, Sight
from fellview.draw.land.screen_error import screen_error_px
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.land.surroundings_frame import Around
from fellview.draw.light.lighting import LightPass, cut_base, goes_on, is_linear
from fellview.draw.light.tone import TonePass
from fellview.draw.overlay.legend import Legend
from fellview.draw.passes import Passes, leaving_state, whole
from fellview.draw.registry import IN_THE_FRAME, OVER_THE_PICTURE
from fellview.draw.target import Region, Size, Target, whole_of
from fellview.draw.temporal_upsampling import Shown, TemporalUpsampling
from fellview.draw.water.water import WaterPass
from fellview.gpu import formats, stand_ins, state
from fellview.gpu.context import is_software, require_sound
from fellview.gpu.uniform_block import UniformBlock
from fellview.scene.groups.air import Air
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.sky import Sky
from fellview.scene.groups.sun import Sun
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.view.framing import HeightsAt
from fellview.view.projection import aspect_of

# Samples a pixel of a window's picture that rests, and of a picture saved from it: on llvmpipe, where a frame of a
# window takes some tenths of a second, as many as are there after a second or two.
_SOFTWARE_RESTING, _HARDWARE_RESTING = 16, 64
LOOK_GROUPS = (Sun, Ground, Sky, Air, View, Water)
"""The groups whose parameters shaders read from the block `Look`."""

_BRIGHTEST = np.float32(60000.0)  # as in draw/light/reversible_tone_map.glsl
_BESIDE_PX = 4  # that a frame is drawn wider than its columns, of which larger pictures are made
_LEVEL_CELLS = 64  # a side of land that only stands in for another

_USUAL = FrameOptions()

_Kind = TypeVar("_Kind", bound=DrawPass)


class Renderer:
    """Draws scenes in one OpenGL context; keeps the passes, the height map and the look's uniform block.

    `in_the_frame` are the draw passes of every frame, and `multisamples` the samples a pixel of one, as many as are
    worth it where nothing is said. Pictures of some hundred pixels a side do with light maps a few times `coarser`.
    With `undefined`, which is for looking for faults, light that is no number is drawn as that number, and frames are
    floats whatever they show.
    """

    def __init__(
        self,
        context: moderngl.Context,
        in_the_frame: Sequence[type[DrawPass]] = IN_THE_FRAME,
        *,
        multisamples: int | None = None,
        coarser: int = 1,
        undefined: float | None = None,
    ) -> None:
        self._context = context
        self._floats = undefined is not None
        self._look = UniformBlock("Look", LOOK_GROUPS)
        if undefined is not None:
            self._look.glsl += f"\n#define UNDEFINED {undefined:.1f}\n"
        self._look_buffer = self._look.buffer(context)
        self._height_map = HeightMap(context)
        self._in_the_frame = [each(context, self._look) for each in in_the_frame]
        self._over_the_picture = [each(context, self._look) for each in OVER_THE_PICTURE]
        self._cover = Cover(context)
        self._surroundings = Surroundings(context, coarser)
        self._light = LightPass(context, coarser)
        self._water = WaterPass(context)
        self._far_land = FarLand(context, self._look)
        self.seconds = 0.0
        """The time that moving water stands at; pictures have the time 0."""
        self._tone = TonePass(context, self._look)
        self._sum = Accumulator(context)
        self.frame: Target | None = None
        """The last frame as it was drawn: light, where tones are mapped after it."""
        self.around: tuple[Around, ...] = ()
        """The ground around the land in the last frame, the nearest first."""
        self.error_px = 0.0
        """How many pixels levels of detail may have moved the land in the last frame that was drawn with them."""
        self._last: tuple[DrawnBlocks, Sight] | None = None
        self._targets: dict[tuple[int, bool, bool], Target] = {}
        self._upsampling: TemporalUpsampling | None = None
        self._columns: tuple[float, float] | None = None
        self._moved = 0  # which part of a pixel the last draft has shown
        self._fields = self._new_shadows = 0  # how often others were shown, and how often shadows cast while it moves
        self._stayed = self._had_new_shadows = False  # whether that is the one before's; what the last draft had
        self._view: tuple[object, ...] = ()  # of the last draft
        software = is_software(context)
        self.resting_samples = _SOFTWARE_RESTING if software else _HARDWARE_RESTING
        """Samples a pixel that a picture at rest is worth."""
        self._multisamples = multisamples or (
            accumulate.SOFTWARE_MULTISAMPLES if software else accumulate.HARDWARE_MULTISAMPLES
        )
        if self._multisamples > 1 and not formats.of(context).multisamples("f2", self._multisamples):
            self._multisamples = 1  # a few more frames make as many samples

    @property
    def field(self) -> HeightField | None:
        """The height field that is shown."""
        return self._height_map.field

    def draw_pass(self, kind: type[_Kind]) -> _Kind:
        """Return this renderer's pass of a `kind`, one of those in `registry.py`."""
        return next(one for one in (*self._in_the_frame, *self._over_the_picture) if isinstance(one, kind))

    def wait_for_masks(self) -> None:
        """Have no mask computed while drawing from now on: they come with the height field, later.

        What ground around the land is made of and its light wait until nothing moves, and so does how sheltered the
        sea is.
        """
        self._cover.wait_for_masks()
        self._surroundings.waits = self._water.waits = True

    def leave_textures(self) -> None:
        """Draw the ground without pictures of a person's own from now on."""
        self._cover.leaves_textures = True

    @property
    def replaced_materials(self) -> frozenset[str]:
        """The materials that are drawn with pictures of a person's own."""
        return self._cover.replaced

    @property
    def legend(self) -> Legend | None:
        """How to read the view that was drawn last; none where that is just the ground."""
        return self._cover.legend

    def keep_far_ground(self, *, is_looked_down_at: bool) -> None:
        """Have far ground be under every eye as it is under a high one, or as it is under a low one.

        That is for pictures that are put together, or follow each other.
        """
        self._surroundings.is_looked_down_at = is_looked_down_at

    def take_notices(self) -> list[str]:
        """Return what a person should know of what was drawn, each line once."""
        notices, self._cover.notices = self._cover.notices, []
        return notices + formats.of(self._context).take_notices()

    def require_sound(self) -> None:
        """Raise `FellviewError` where OpenGL has told that it is lost or out of memory."""
        require_sound(self._context)

    def show(self, field: HeightField) -> None:
        """Draw `field` from now on."""
        shown = self._height_map.field
        self._fields += field is not shown
        if shown is not None and field.has_heights_of(shown):
            self._height_map.field = field  # its masks have come
        else:
            with self._pass("heights"):
                self._height_map.take(field)

    def ground_around(self, scene: Scene, field: HeightField) -> HeightsAt | None:
        """Return the heights as drawn of the ground around `field`, -inf where there is none, at places x and z.

        None where `scene` shows the land alone, and where `field` is not shown.
        """
        shown = self._height_map.field
        if not goes_on(scene) or shown is None or not field.has_heights_of(shown) or min(field.rows, field.columns) < 2:
            return None
        self._surroundings.carry_on(scene, self._height_map)
        return lambda x, z: scene.view.exaggeration * self._surroundings.heights_at(x, z)

    def rests_at_once(self, scene: Scene) -> bool:
        """Return whether a picture of `scene` that rests has nothing to wait for that takes as long as some frames.

        The ground around other land has: its fine heights, its water and its light.
        """
        return not self._surroundings.is_coarse(scene)

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
        return whole(self.passes(scene, size, samples, number, options=FrameOptions(full=full)))

    def passes(
        self,
        scene: Scene,
        size: Size,
        samples: int,
        number: int,
        *,
        options: FrameOptions = _USUAL,
        mean: Accumulator | None = None,
        scale: float = 1.0,
        columns: tuple[float, float] | None = None,
        region: Region | None = None,
    ) -> Passes[Target]:
        """Do as `refine` does, pass by pass; nothing else is drawn by this renderer before the last.

        A `mean` of its own lets other pictures be drawn between its frames. The one frame of something that moves may
        have `scale` times the picture's pixels a side: below 1 it is coarser, too, and made finer by the pictures
        before. Of `columns`, shares of the width, only those are drawn, where another picture hides the rest; a
        `region` of a picture is drawn into a target of its size. Each pass leaves the state of OpenGL as it found it.
        """
        self._columns = columns
        small = max(round(scale * size[0]), 1), max(round(scale * size[1]), 1)
        if small == size or self.field is None:
            frame = self._refined(scene, region or whole_of(size), samples, number, mean or self._sum, options)
            drawing = self._marked(frame, kept=mean is None)
        else:
            drawing = self._marked(self._upsampled(scene, size, small))
        return (yield from leaving_state(self._context, drawing))

    def surfaces(self, scene: Scene, region: Region) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return where that stands which the pixels of a `region` show at their centres, and its normals.

        They are as in `Target.surfaces`. Water is not among what they show, but the ground under it, nor is the sky.
        """
        self._columns = None
        drawing = self._frame(scene, region, 1, 0, 1, FrameOptions(surfaces=True))
        target = whole(leaving_state(self._context, drawing)).target
        found = target.surfaces()
        target.release()
        return found

    def light(self, scene: Scene, size: Size, samples: int, *, clear_air: bool = False) -> NDArray[np.float32]:
        """Return the picture before tones are mapped, float32 [row, column, rgb], the top row first.

        It is exposed light, of which 1 is about what paper in the sun sends, or where `scene` is drawn in display
        colours those. In `clear_air` nothing is between the eye and the land.
        """
        self._columns, self._light.clear_air = None, clear_air
        frames, multisamples = accumulate.plan(samples, self._multisamples)
        total = np.zeros((size[1], size[0], 3), np.float32)
        try:
            for number in range(frames):
                drawing = self._frame(scene, whole_of(size), multisamples, number, frames, FrameOptions(resting=True))
                total += whole(leaving_state(self._context, drawing)).target.floats()[..., :3]
        finally:
            self._light.clear_air = False
        mean = total / np.float32(frames)
        if not is_linear(scene):
            return mean
        # as draw/light/reversible_tone_map.glsl squeezed it
        return np.asarray(mean / np.maximum(1 - mean.max(axis=-1, keepdims=True), 1 / _BRIGHTEST), np.float32)

    @property
    def light_pass(self) -> LightPass:
        """What the last frame's light was worked out with."""
        return self._light

    def _marked(self, drawing: Passes[Frame], *, kept: bool = False) -> Passes[Target]:
        """Return the target of a frame with the marks over it; without them it is `kept` for what moves next."""
        try:
            frame = yield from drawing
        finally:
            for each in self._targets.values():
                each.draw_columns(None)
        if kept and self._upsampling is not None and self.field is not None:
            with self._pass("temporal upsampling"):
                self._upsampling.take(frame.target, frame.unshifted, self._shown(frame.scene))
        if frame.target.lasts and any(one.wanted(frame) for one in self._over_the_picture):
            copy = self._target(frame.region.size, 1, light=False)
            self._context.copy_framebuffer(copy.picture, frame.target.picture)
            frame.target = copy
        yield from self._drawn(self._over_the_picture, frame, frame.target.picture)
        return frame.target

    def _shown(self, scene: Scene) -> Shown:
        """Return what a picture of `scene` shows, whatever way it looks.

        Parallel sight lines have no place, and where only some columns are drawn, what is beside them is of no picture.
        """
        if self._columns is None and not scene.camera.is_parallel:
            scene = scene.with_group(scene.camera.replace(yaw=0.0, pitch=0.0))
        rest = scene, self.seconds, self._columns, self._fields, self._new_shadows
        return Shown(self._height_map.version, rest)

    def _upsampled(self, scene: Scene, size: Size, small: Size) -> Passes[Frame]:
        """Return the frame of a picture of `size` made of a frame that is `small` and of the pictures before."""
        self._upsampling = self._upsampling or TemporalUpsampling(self._context)
        frame = yield from self._frame(scene, whole_of(small), 1, self._moved, 1, _USUAL, of=size)
        yield
        drawn, toned = frame.target, frame.target
        assert drawn.depth is not None
        if is_linear(scene):
            toned = self._target(small, 1, light=False, draft=True)
            toned.draw_columns(self._wider(small[0]))
            with self._pass("tone"):
                self._tone.draw(drawn.texture(), toned)
        with self._pass("temporal upsampling"):
            picture = self._upsampling.draw(
                toned.texture(),
                drawn.depth,
                frame.shift,
                frame.unshifted,
                self._shown(scene),
                size,
                self._columns,
                frame.clouds_m,
            )
        return dataclasses.replace(frame, region=whole_of(size), target=picture, shift=np.zeros(2), of=None)

    def on_level_ground(self, scene: Scene, passes: Passes[Target]) -> Passes[Target]:
        """Draw `passes` as if `scene` had level land, and no land is shown in between or afterwards.

        What they take the first time is done then.
        """
        sides = stand_ins.values(0.0, (scene.grid.columns, scene.grid.rows)).shape
        rows, columns = (_LEVEL_CELLS // side * side for side in sides)  # powers of two, or none, as those of the grid
        level = HeightField(np.zeros((rows, columns), np.float32), (1.0, 1.0))
        self.show(level)
        try:
            while True:
                self._height_map.field = level
                try:
                    next(passes)
                except StopIteration as end:
                    drawing: Target = end.value
                    return drawing
                self._height_map.field = None
                yield
        finally:
            self._height_map.field = None
            passes.close()

    def screen_error_px(self) -> NDArray[np.float32]:
        """Return by how many pixels levels of detail moved what each pixel of the last frame shows, [row, column]."""
        assert self._last is not None
        return screen_error_px(self.draw_pass(LandPass).terrain, self._height_map, *self._last)

    def accumulator(self) -> Accumulator:
        """Return what adds up the frames of a picture that others are drawn between; whoever has it releases it."""
        return Accumulator(self._context)

    def _refined(
        self,
        scene: Scene,
        region: Region,
        samples: int,
        number: int,
        mean: Accumulator,
        options: FrameOptions,
    ) -> Passes[Frame]:
        """Return the frame, its target that with the mean of frames up to it, in display colours."""
        frames, multisamples = accumulate.plan(samples, self._multisamples)
        frame = yield from self._frame(scene, region, multisamples, number, frames, options)
        yield
        linear, transparent = is_linear(scene), options.transparent
        if frames == 1 and not linear:
            return frame
        drawn, picture = frame.target, self._target(region.size, 1, light=False)
        picture.draw_columns(self._columns)
        frame.target = picture
        if frames == 1:
            with self._pass("tone"):
                self._tone.draw(drawn.texture(), picture, corner_px=region.corner, transparent=transparent)
            return frame
        with self._pass("sum of frames"):
            if number == 0:
                mean.begin(region.size)
            mean.add(drawn.texture())  # and no way out before the end, or it would count twice
        if linear:
            assert mean.sum is not None
            with self._pass("tone"):
                self._tone.draw(mean.sum, picture, mean.frames, region.corner, transparent=transparent)
        else:
            mean.mean_into(picture, transparent=transparent)
        return frame

    def _frame(
        self,
        scene: Scene,
        region: Region,
        multisamples: int,
        number: int,
        frames: int,
        options: FrameOptions,
        of: Size | None = None,
    ) -> Passes[Frame]:
        """Return frame `number` of the `frames` of a mean, or that draft of a moving picture `of` a larger size.

        One of surfaces has a target of its own.
        """
        size, surfaces = region.whole, options.surfaces
        draft, aspect = of is not None, aspect_of(of or size)
        resting = options.resting or frames * multisamples > 1 or surfaces
        options = dataclasses.replace(options, resting=resting, transparent=options.transparent or surfaces)
        self._look_buffer.write(self._look.packed(scene.groups()))
        self._look.bind(self._look_buffer)  # another renderer of this context may have bound its own
        with self._pass("normals"):
            self._height_map.draw_normals(draft=draft)
        self._cover.load_textures(scene)  # which keeps the processor busy while OpenGL draws
        with self._pass("levels of detail"):
            self._height_map.work_out(draft=draft)
        with self._pass("surroundings' maps"):
            self._surroundings.begin(scene, self._height_map, resting=resting, small=draft, aspect=aspect)
        if resting:  # what moves has a piece of them made with its maps
            with stopwatch.part("water's maps"):
                yield from leaving_state(self._context, self._water.make_rivers(scene, self._height_map))
        with self._pass("water's maps"):
            water = self._water.prepare(scene, self._height_map, self.seconds, of or size, draft=not resting)
        yield
        lighting = self._light.prepare(scene, self._height_map, size=size, draft=not resting, small=draft, water=water)
        yield
        with self._pass("land that water mirrors"):
            lighting = self._far_land.mirrored(scene, self._height_map, lighting, draft=not resting)
        yield
        base_m = cut_base(scene, self.field)
        with self._pass("ground's maps"):
            self._cover.go_on(goes_on(scene))
            self._cover.prepare(scene, self._height_map, base_m, number, frames, multisamples)
        yield
        with stopwatch.part("surroundings' maps"):
            around = yield from self._surroundings.prepare(
                scene, self._height_map, self._cover, lighting, resting=resting, small=draft, aspect=aspect
            )
            lighting = self._surroundings.over_land(scene, lighting, around)
        yield
        if surfaces:
            lighting = dataclasses.replace(lighting, surface=True)
            around = tuple(each.of_surfaces() for each in around)
            target = Target(self._context, region.size, surfaces=True)
        else:
            target = self._target(region.size, multisamples, light=lighting.linear or self._floats, draft=draft)
            target.draw_columns(self._wider(size[0]))
        target.show(region)
        if draft:
            self._move(scene, region.whole, has_new_shadows=lighting.has_new_shadows)
            offset = temporal_upsampling.offset(self._moved)
        else:
            offset = accumulate.offsets(frames, multisamples)[number]
        frame = Frame(
            scene,
            region,
            target,
            self._height_map,
            lighting,
            self._light,
            self._cover,
            around,
            base_m,
            shift=-2 * np.asarray(offset) / size,  # what a pixel's centre meets moves the other way
            options=options,
            of=of,
        )
        target.clear(depth=not any(one.keeps_depth(frame) for one in self._in_the_frame))
        yield from self._drawn(self._in_the_frame, frame, target.drawn)
        target.resolve()
        self.frame, self.around = target, around
        if frame.drawn is not None:
            self.error_px = frame.drawn.error_px
            matrix = np.asarray(frame.view_projection, np.float64)
            self._last = frame.drawn, Sight(matrix, size, scene.view.exaggeration)
        return frame

    def _move(self, scene: Scene, size: Size, *, has_new_shadows: bool) -> None:
        """Have a draft of `size` show the next part of its pixels, or stay where land has the places of the last.

        Of the drafts of one view every second stays. Those whose shadows are cast anew take longest otherwise, and so
        these are the ones.
        """
        view = scene.camera, scene.view, size, self._height_map.version
        has_places = any(isinstance(one, LandPass) and one.has_places for one in self._in_the_frame)
        stays = has_places and view == self._view and not self._stayed
        self._stayed = stays and (has_new_shadows or not self._had_new_shadows)
        self._moved += not self._stayed
        self._new_shadows += has_new_shadows
        self._view, self._had_new_shadows = view, has_new_shadows

    def _wider(self, width: int) -> tuple[float, float] | None:
        """Return the columns that are drawn of a frame `width` pixels wide: those that are shown, and some beside."""
        if self._columns is None:
            return None
        first, last = self._columns
        return max(first - _BESIDE_PX / width, 0.0), min(last + _BESIDE_PX / width, 1.0)

    def _drawn(self, draw_passes: Sequence[DrawPass], frame: Frame, into: moderngl.Framebuffer) -> Passes[None]:
        """Draw those of `draw_passes` that are wanted, one after the other."""
        first = True
        for one in draw_passes:
            if not one.wanted(frame):
                continue
            if not first:
                yield
            first = False
            into.use()
            self._context.viewport = frame.region.viewport
            with stopwatch.part(one.name) if one.name else nullcontext():
                with state.kept(self._context):
                    more = one.draw(frame)
                if more is not None:
                    yield from more

    @contextmanager
    def _pass(self, name: str) -> Iterator[None]:
        """Time the pass `name`, and have it leave the state of OpenGL as it found it."""
        with stopwatch.part(name), state.kept(self._context):
            yield

    def _target(self, size: Size, samples: int, *, light: bool, draft: bool = False) -> Target:
        """Keep one target a sample count and kind: moving and resting frames alternate."""
        kept = self._targets.get((samples, light, draft))
        if kept is None or kept.size != size:
            if kept is not None:
                kept.release()
            kept = Target(self._context, size, samples, light=light, read_deep=draft)
            self._targets[samples, light, draft] = kept
        return kept
