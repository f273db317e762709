"""Draws thumbnails: the land on a small grid, the picture small, each level finer than the one before.

Lands are computed on the CPU everywhere: on so small a grid it is quick, and the GPU stays the window's.
"""

from __future__ import annotations

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
from fellview.thumbnails.messages import Size
from fellview.variants.axes import grid_of
from fellview.view import framing
from fellview.view.exaggeration import exaggerated
from fellview.view.ground import above_all

_BUDGET_BYTES = 96 << 20  # of remembered steps: what nine lands of 256² have in common, many times over


@dataclass(frozen=True)
class Level:
    """How fine a picture is: cells along the land's longer side, samples a pixel, and pixels a side by those wished."""

    cells: int
    samples: int
    scale: float = 1.0


LEVELS = (Level(64, 1, 0.6), Level(128, 1), Level(256, 4))
"""From the coarsest on. The last is drawn with everything around the land made anew, as pictures at rest are."""

_ODD = 15 / 16  # of the cells of a level: software OpenGL compiles for sides that are powers of two and for others


class Painter:
    """Draws thumbnails in one OpenGL context. `cancel` is uint8 (1,): where it is set, `Cancelled` is raised soon."""

    def __init__(self, context: Any, cancel: NDArray[np.uint8]) -> None:
        self._cancel = cancel
        self._renderer = Renderer(context)
        self._renderer.wait_for_masks()
        self._finish: Callable[[], None] = context.finish if is_software(context) else lambda: None
        self._pipeline = Pipeline(CpuEngine(), _BUDGET_BYTES)

    def draw(self, scene: Scene, size: Size, level: Level, from_above: bool = False) -> NDArray[np.uint8]:
        """Return the picture of `scene`, uint8 [row, column, rgba], of `size` and by the scale of `level`.

        `FellviewError` where its land cannot be computed.
        """
        size = max(round(level.scale * size[0]), 1), max(round(level.scale * size[1]), 1)
        small = _on_grid(scene, level.cells)
        field = self._field(small)
        small = small.with_group(_from_above(small, field, size) if from_above else above_all(small, field))
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
        return target.pixels()  # type: ignore[no-any-return]

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


def _from_above(scene: Scene, field: HeightField, size: Size) -> Camera:
    """Return a camera straight above the whole land."""
    drawn = exaggerated(field, scene.view.exaggeration)
    aspect = size[0] / size[1]
    turned = scene.with_group(framing.top(scene.camera, drawn, aspect))  # which may have sides in view
    return framing.top(scene.camera, drawn, aspect, cut_base(turned, field))
