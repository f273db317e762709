"""Draws thumbnails: the land on a small grid, the picture small, each level finer than the one before.

Lands are computed on the CPU everywhere: on so small a grid it is quick, and the GPU stays the window's.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import Cancelled
from fellview.core.height_field import HeightField
from fellview.draw.ground import cover
from fellview.draw.light.lighting import cut_base
from fellview.draw.renderer import Renderer
from fellview.draw.water.water import drawn_masks
from fellview.gpu.context import is_software
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.thumbnails.messages import Look, Size
from fellview.variants.axes import grid_of
from fellview.view import framing
from fellview.view.exaggeration import exaggerated
from fellview.view.ground import above_all
from fellview.viewpoints.find import find

_MOST_VIEWS = 120  # as many as pictures are kept of
_BUDGET_BYTES = 96 << 20  # of remembered steps: what nine lands of 256² have in common, many times over


@dataclass(frozen=True)
class Level:
    """How fine a picture is: cells along the land's longer side, samples a pixel, and pixels a side by those wished."""

    cells: int
    samples: int
    scale: float = 1.0


LEVELS = (Level(64, 1, 0.6), Level(128, 1), Level(256, 4))
"""From the coarsest on. The last is drawn with everything around the land made anew, as pictures at rest are."""

JUDGED = len(LEVELS) - 2
"""The level from which on a picture is fine enough to judge a land by."""

_ODD = 15 / 16  # of the cells of a level: software OpenGL compiles for sides that are powers of two and for others


class Painter:
    """Draws thumbnails in one OpenGL context. `cancel` is uint8 (1,): where it is set, `Cancelled` is raised soon."""

    def __init__(self, context: Any, cancel: NDArray[np.uint8]) -> None:
        self._cancel = cancel
        self._renderer = Renderer(context)
        self._renderer.wait_for_masks()
        self._finish: Callable[[], None] = context.finish if is_software(context) else lambda: None
        self._pipeline = Pipeline(CpuEngine(), _BUDGET_BYTES)
        self._views: OrderedDict[Scene, Camera] = OrderedDict()

    def draw(
        self, scene: Scene, size: Size, level: Level, look: Look = "camera"
    ) -> tuple[NDArray[np.uint8], Camera | None]:
        """Return the picture of `scene`, uint8 [row, column, rgba], of `size` and by the scale of `level`.

        The second is the good view that it shows, where that is how it is to `look`: the one that was found for its
        first picture. `FellviewError` where its land cannot be computed.
        """
        aspect = size[0] / size[1]
        size = max(round(level.scale * size[0]), 1), max(round(level.scale * size[1]), 1)
        small = _on_grid(scene, level.cells)
        field = self._field(small)
        view = self._good_view(scene, small, field, aspect) if look == "views" else None
        if view is not None:
            small = small.with_group(view)
        small = small.with_group(_from_above(small, field, aspect) if look == "above" else above_all(small, field))
        renderer = self._renderer
        renderer.show(field)
        for number in range(renderer.frames(level.samples)):
            passes = renderer.passes(small, size, level.samples, number)
            while True:
                if self._cancel[0]:
                    passes.close()
                    raise Cancelled
                try:
                    next(passes)
                except StopIteration as end:
                    target = end.value
                    break
                self._finish()
        return target.pixels(), view

    def _good_view(self, scene: Scene, small: Scene, field: HeightField, aspect: float) -> Camera:
        """Return the best view of the land of `scene`; all of it where the ground is in the way wherever one stands."""
        view = self._views.pop(scene, None)
        if view is None:
            found = find(small, field, 1, aspect)
            drawn = exaggerated(field, scene.view.exaggeration)
            view = found[0].camera if found else framing.frame(scene.camera, drawn, aspect)
        self._views[scene] = view
        if len(self._views) > _MOST_VIEWS:
            self._views.popitem(last=False)
        return view

    def _field(self, scene: Scene) -> HeightField:
        """Return the land of `scene` with the masks that drawing it makes use of."""
        field = self._pipeline.run(scene.terrain_groups(), Progress(self._cancel)).field
        assert isinstance(field.masks, Masks)
        masks = field.masks.with_water(scene.water)
        wanted = (drawn_masks(scene.water) | cover.masks(scene)) & set(masks)
        return replace(field, masks={name: masks.make(name, self._cancel) for name in sorted(wanted)})


def _on_grid(scene: Scene, cells: int) -> Scene:
    """Return `scene` on a grid of `cells` along its longer side, or not quite, for which shaders are compiled."""
    grid = scene.grid
    even = all(side & (side - 1) == 0 for side in (grid.rows, grid.columns))
    return grid_of(scene, cells if even else round(cells * _ODD))


def _from_above(scene: Scene, field: HeightField, aspect: float) -> Camera:
    """Return a camera straight above the whole land."""
    drawn = exaggerated(field, scene.view.exaggeration)
    turned = scene.with_group(framing.top(scene.camera, drawn, aspect))  # which may have sides in view
    return framing.top(scene.camera, drawn, aspect, cut_base(turned, field))
