"""What computes lands and draws them one after the other, in an OpenGL context of its own."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from fellview.capture.shot import Taker
from fellview.core.height_field import HeightField
from fellview.draw.ground.ground_maps import GroundMapper
from fellview.draw.renderer import Renderer
from fellview.gpu import choice
from fellview.gpu import context as gpu_context
from fellview.gpu.engine import GpuField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.masks import watered


class LandRenderer:
    """A pipeline and a `renderer` of one context, and the `taker` of that renderer's shots."""

    def __init__(self, renderer: Renderer, mapper: GroundMapper, pipeline: choice.SteadyPipeline, told: list[str]):
        self.renderer, self.taker = renderer, Taker(renderer, mapper)
        self._pipeline, self._told = pipeline, told

    def land(self, scene: Scene) -> HeightField:
        """Return the land of `scene` with the masks of its water; steps of earlier lands are remembered."""
        field = self._pipeline.run(scene.terrain_groups()).field
        return watered(field.landed() if isinstance(field, GpuField) else field, scene.water)

    def take_notices(self) -> tuple[str, ...]:
        """Return what a person should know, a line each, and forget it."""
        texts = (*self._told, *self.renderer.take_notices())
        self._told.clear()
        return texts


@contextmanager
def opened(engine: str) -> Iterator[LandRenderer]:
    """Give such a one for a while, whose lands are computed by `engine`."""
    told: list[str] = []
    with gpu_context.aside() as context:
        chosen = choice.choose(engine, context)
        choice.note_refusal(engine, chosen, told.append)
        pipeline = choice.SteadyPipeline(chosen.engine_in(context), told.append)
        try:
            yield LandRenderer(Renderer(context), GroundMapper(context), pipeline, told)
        finally:
            pipeline.release()


_KEPT = ExitStack()
"""What a worker process keeps open until it ends."""


@functools.cache
def kept(engine: str) -> LandRenderer:
    """Return such a one for as long as this process runs, which is a worker's."""
    return _KEPT.enter_context(opened(engine))
