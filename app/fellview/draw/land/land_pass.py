"""The land pass: the land itself, and then the ground around it, most of which the land hides."""

from __future__ import annotations

import functools

import moderngl

from fellview.draw import stopwatch
from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.land.terrain import TerrainPass
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.passes import Passes
from fellview.gpu.uniform_block import UniformBlock


class LandPass(DrawPass):
    """Draws the land, and what is around it."""

    name = None

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self.terrain = TerrainPass(context, look)

    def wanted(self, frame: Frame) -> bool:
        """Return whether there is land."""
        return frame.field is not None

    def draw(self, frame: Frame) -> Passes[None]:
        """Draw both, and leave in `frame.drawn` which blocks of the land were drawn."""
        view = frame.scene.view
        ground = functools.partial(
            self.terrain.passes,
            view_projection=frame.view_projection,
            mode=view.mode,
            exaggeration=view.exaggeration,
            resting=frame.resting and not frame.hurried,
            scale=frame.scale,
            cover=frame.cover,
            target=frame.target,
            unshifted=frame.unshifted,
        )
        frame.drawn = yield from ground(
            frame.height_map, frame.lighting, full=frame.full, base_m=frame.base_m, tile=_among(frame)
        )
        if frame.drawn is None:
            return
        yield
        with stopwatch.part("surroundings"):
            for each in frame.around:
                frame.target.drawn.use()
                with frame.light.elsewhere(each.lighting):
                    yield from ground(each.height_map, each.lighting, tile=each.tile, before=(frame.height_map,))


def _among(frame: Frame) -> Tile | None:
    """Return how the land lies among what is around it."""
    detail = frame.height_map.detail
    if not frame.around or detail is None:
        return None
    beside = frame.around[0].tile
    skirts = border_blocks(detail.shape)
    return Tile(skirt_blocks=skirts, skirt_m=beside.skirt_m, skirt_foot_m=beside.skirt_foot_m)
