"""The land pass: the land itself, and then the ground around it, most of which the land hides."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

from fellview.draw import stopwatch
from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.land.kept_places import Places
from fellview.draw.land.surroundings_frame import Around
from fellview.draw.land.terrain import Begun, Ground, GroundView, TerrainPass
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.overlay import view_modes
from fellview.draw.passes import Passes
from fellview.gpu.uniform_block import UniformBlock
from fellview.view.figure import standing


class LandPass(DrawPass):
    """Draws the land, and what is around it: of a draft where software OpenGL does so in two steps, only the first.

    Vertices are worked out by the thread that draws, and while it does so for what is around the land, others draw the
    land's places. A frame of all pixels keeps them busy by itself, and would need room for the places of each ground.
    """

    name = None

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self.terrain = TerrainPass(context, look)
        self._wanted: Places | None = None  # those of the draft under way, where another may do with them
        self._kept: Places | None = None  # and those that are drawn

    def wanted(self, frame: Frame) -> bool:
        """Return whether there is land."""
        return frame.field is not None

    @property
    def has_places(self) -> bool:
        """Whether the last draft has left places that the next one can do with."""
        return self._kept is not None

    def keeps_depth(self, frame: Frame) -> bool:
        """Return whether `frame` is a draft with the places of the one before, so that it draws their light alone.

        Slab, person and pole would be in the depth that is left, and would not be drawn again.
        """
        self._wanted, field = None, frame.field
        if frame.of is not None and frame.base_m is None and field is not None:
            self._wanted = None if standing(frame.scene, field, frame.size) else self._places_of(frame)
        if self._wanted is None or self._kept is None or not self._wanted.are(self._kept):
            self._kept = None
        return self.has_places

    def draw(self, frame: Frame) -> Passes[None]:
        """Draw both, and leave in `frame.drawn` which blocks of the land were drawn."""
        settings = frame.scene.view
        view = GroundView(
            frame.view_projection,
            view_modes.drawing(settings.mode),
            settings.exaggeration,
            full=frame.options.full,
            resting=not frame.options.is_coarse,
            hurried=frame.options.hurried,
            scale=frame.scale,
            cover=frame.cover,
            target=frame.target,
            unshifted=frame.unshifted,
        )
        around_view = dataclasses.replace(view, full=False)
        has_places = self.has_places

        def begun_around(each: Around, layer: int) -> Passes[Begun | None]:
            frame.target.drawn.use()
            ground = Ground(
                each.height_map,
                each.lighting,
                each.tile,
                before=(frame.height_map,),
                layer=layer,
                has_places=has_places,
            )
            with _lit_as(frame, each):
                return (yield from self.terrain.begin(ground, around_view))

        own = Ground(frame.height_map, frame.lighting, _among(frame), frame.base_m, has_places=has_places)
        land = yield from self.terrain.begin(own, view)
        if land is None:
            return
        frame.drawn = land.drawn
        if frame.of is not None:
            frame.begun = [(land, None)]
            for number, each in enumerate(frame.around):
                yield
                ground = yield from begun_around(each, 1 + number)
                if ground is not None:
                    frame.begun.append((ground, each))
            self._kept = self._kept or (self._wanted if land.only_places else None)
            return
        yield from land.shade()
        for each in frame.around:
            yield
            ground = yield from begun_around(each, 0)
            if ground is not None:
                yield from _shaded(frame, ground, each)

    @staticmethod
    def _places_of(frame: Frame) -> Places:
        grounds = [(frame.height_map, _among(frame)), *((each.height_map, each.tile) for each in frame.around)]
        water, boulders = frame.lighting.water, frame.cover.boulders
        stones = (boulders, float(water.version) if water else 0.0) if boulders else ()  # none stands in water
        return Places.of(frame.target, frame.view_projection, frame.scene.view.exaggeration, grounds, stones)


class LandLightPass(DrawPass):
    """Draws the light of the land, and of what is around it, of which a draft has drawn places."""

    name = None

    def wanted(self, frame: Frame) -> bool:
        """Return whether there is such land."""
        return bool(frame.begun)

    def draw(self, frame: Frame) -> Passes[None]:
        """Draw it."""
        for ground, around in frame.begun:
            yield from _shaded(frame, ground, around)


def _shaded(frame: Frame, ground: Begun, around: Around | None) -> Passes[None]:
    """Draw the light of `ground`, which is the land's or that of what is `around` it."""
    with _lit_as(frame, around):
        yield from ground.shade()


@contextmanager
def _lit_as(frame: Frame, around: Around | None) -> Iterator[None]:
    """Let light lie as it does on what is `around` the land, and count what is drawn as that."""
    if around is None:
        yield
        return
    with stopwatch.part("surroundings"), frame.light.elsewhere(around.lighting):
        yield


def _among(frame: Frame) -> Tile:
    """Return how the land lies among what is around it."""
    detail = frame.height_map.detail
    if not frame.around or detail is None:
        return Tile()
    beside = frame.around[0].tile
    skirts = border_blocks(detail.shape)
    return Tile(skirt_blocks=skirts, skirt_m=beside.skirt_m, skirt_foot_m=beside.skirt_foot_m)
