"""Lakes around a land whose far ground has a form of its own: they lie in that ground's hollows (`hollows.py`).

Ground is looked at in blocks, each as high as its lowest vertex on the finest grid there is: a lake that stands below
the passes between blocks stands below all of the ground's, and reaches nowhere but over its own blocks.

Lakes mirrored with the land's detail lie in no hollow there. Water leaves by the land, whose own lakes end before its
border as it does by that, and by the end of the grid, so that no lake crosses either. As much of the ground is wet as
of the land at most: rivers have cut the passes of that, and without them more would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from fellview.core.height_field import Heights
from fellview.draw.land import hollows
from fellview.gpu.passes import GridPasses
from fellview.terrain.hydrology.water import Water

_LEAST_BLOCKS = 8  # of a lake: of fewer it is seen to have corners


@dataclass(frozen=True)
class Ground:
    """The heights of a grid around a land."""

    heights: Heights
    last: float
    """Sides of the land beyond each border up to which it reaches."""
    cells: int
    """Cells a side of the land."""


@dataclass(frozen=True)
class Lakes:
    """Levels in metres of blocks, R32F, far down where there is no lake."""

    levels: moderngl.Texture
    last: float
    """Sides of the land beyond each border up to which they reach."""
    blocks: int
    """A side of the land."""
    version: int


class LakesAround:
    """Keeps the lakes on one grid around a land, in one OpenGL context."""

    def __init__(self, grids: GridPasses) -> None:
        self._grids = grids
        self._made_of: object = None
        self.found: Lakes | None = None

    def make(self, of: object, grounds: Sequence[Ground], inner: float, water: Water, most_share: float) -> None:
        """Find the lakes of `water` on the finest of `grounds`, from `inner` sides of the land beyond its border on.

        The first of `grounds` is the coarsest, with a vertex a block, and reaches the farthest. Where nothing has
        changed of what `of` names, they stay. Of the ground at most `most_share` is wet.
        """
        key = of, len(grounds), water.lake_fill, water.lake_area, water.lake_depth, most_share
        if key == self._made_of:
            return
        self._made_of = key
        first = grounds[0]
        heights = lowest(grounds)
        leaves = np.ones(heights.shape, bool)
        leaves[1:-1, 1:-1] = False
        start = round((first.last - inner) * first.cells)
        end = round((first.last + 1 + inner) * first.cells) + 1
        leaves[start:end, start:end] = True
        levels = hollows.lakes(
            heights,
            leaves,
            fill=water.lake_fill / 100,
            least_cells=max(water.lake_area / 100 * first.cells**2, _LEAST_BLOCKS),
            least_depth_m=water.lake_depth,
            most_share=most_share,
        )
        texture = self._grids.upload(levels)
        before, self.found = (
            self.found,
            Lakes(texture, first.last, first.cells, self.found.version + 1 if self.found else 1),
        )
        if before is not None:
            self._grids.give_back(before.levels)


def lowest(grounds: Sequence[Ground]) -> Heights:
    """Return the lowest height of each block, of the last of `grounds` that reaches there, float32 [row, column].

    A block is from a vertex of the first of them, the coarsest, up to the next.
    """
    first = grounds[0]
    found = first.heights[:-1, :-1].copy()
    for one in grounds[1:]:
        finer = one.cells // first.cells
        side = (len(one.heights) - 1) // finer
        start = round((first.last - one.last) * first.cells)
        within = one.heights[: side * finer, : side * finer]
        rows = np.minimum.reduce([within[k::finer] for k in range(finer)])
        found[start : start + side, start : start + side] = np.minimum.reduce([rows[:, k::finer] for k in range(finer)])
    return found
