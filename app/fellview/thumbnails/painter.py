"""Draws thumbnails: the land on a small grid, the picture small, the second level finer than the first.

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
from fellview.draw.frame import FrameOptions
from fellview.draw.ground import cover
from fellview.draw.ground.boulders import BoulderPass
from fellview.draw.light.lighting import cut_base, goes_on
from fellview.draw.renderer import Renderer
from fellview.draw.target import Target
from fellview.draw.water.water import drawn_masks
from fellview.gpu.context import is_software
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.masks import Masks, watered
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
    """How fine a picture is: cells along the land's longer side, and samples along a side of each pixel.

    A picture of one sample is drawn as while something moves, with the light around the land as it was.
    """

    cells: int
    samples: int


LEVELS = (Level(128, 1), Level(256, 2))
"""From the coarser on. The first can be judged by: one of 64 cells before it took two thirds as long."""

_COARSER_LIGHT = 2  # than in a window: in pictures a quarter as large a side nobody sees it

_ODD = 15 / 16  # of the cells of a level: software OpenGL compiles for sides that are powers of two and for others


class Painter:
    """Draws thumbnails in one OpenGL context. `cancel` is uint8 (1,): where it is set, `Cancelled` is raised soon."""

    def __init__(self, context: Any, cancel: NDArray[np.uint8]) -> None:
        self._cancel = cancel
        self._renderer = Renderer(context, coarser=_COARSER_LIGHT)
        self._renderer.wait_for_masks()
        self._renderer.draw_pass(BoulderPass).waits = True
        self._finish: Callable[[], None] = context.finish if is_software(context) else lambda: None
        self._pipeline = Pipeline(CpuEngine(), _BUDGET_BYTES)
        self._views: OrderedDict[Scene, Camera] = OrderedDict()
        self._has_around = False  # what is around the land: where it was never made, moving pictures have none

    def draw(
        self, scene: Scene, size: Size, level: Level, look: Look = "camera"
    ) -> tuple[NDArray[np.uint8], Camera | None]:
        """Return the picture of `scene`, uint8 [row, column, rgba], of `size` (width, height) and as fine as `level`.

        The second is the good view that it shows, where that is how it is to `look`: the one that was found for its
        first picture. `FellviewError` where its land cannot be computed.
        """
        aspect = size[0] / size[1]
        small = _on_grid(scene, level.cells)
        field = self._field(small)
        view = self._good_view(scene, small, field, aspect) if look == "views" else None
        if view is not None:
            small = small.with_group(view)
        small = small.with_group(_from_above(small, field, aspect) if look == "above" else above_all(small, field))
        self._renderer.show(field)
        return _mean(self._drawn(small, size, level.samples), level.samples), view

    def _drawn(self, scene: Scene, size: Size, samples: int) -> NDArray[np.uint8]:
        """Return the picture of `scene` with so many pixels along a side of each wished one.

        Vertices take longest in so small a picture: one frame of more pixels has them once, a mean of frames each time.
        """
        large = samples * size[0], samples * size[1]
        options = FrameOptions(resting=samples > 1 or not self._has_around)
        passes = self._renderer.passes(scene, large, 1, 0, options=options)
        while True:
            if self._cancel[0]:
                passes.close()
                raise Cancelled
            try:
                next(passes)
            except StopIteration as end:
                drawn: Target = end.value
                self._has_around = self._has_around or goes_on(scene)
                return drawn.pixels()
            self._finish()

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
        field = watered(self._pipeline.run(scene.terrain_groups(), Progress(self._cancel)).field, scene.water)
        masks = field.masks
        assert isinstance(masks, Masks)
        wanted = (drawn_masks(scene.water) | cover.masks(scene)) & set(masks)
        return replace(field, masks={name: masks.make(name, self._cancel) for name in sorted(wanted)})


def _mean(pixels: NDArray[np.uint8], samples: int) -> NDArray[np.uint8]:
    """Return a picture [row, column, rgba] with one pixel in the place of so many along each side."""
    rows, columns, channels = pixels.shape
    blocks = pixels.reshape(rows // samples, samples, columns // samples, samples, channels)
    rounded: NDArray[np.uint8] = ((blocks.sum(axis=(1, 3), dtype=np.uint32) + samples**2 // 2) // samples**2).astype(
        np.uint8
    )
    return rounded


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
