"""One of the rings around a land: a coarse grid of it, and the fine ones that stand for that when nothing moves."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl

from fellview.draw.land.surroundings_frame import Frame
from fellview.draw.land.surroundings_lakes import LakesAround
from fellview.draw.land.surroundings_plan import Extent, How
from fellview.gpu.passes import GridPasses
from fellview.terrain.hydrology.water import Water

_NEAR = (
    Extent(0.5, 1.5, 128, (256, 512), 80, 512, 32, 2),
    Extent(0.0, 0.5, 512, (1024, 2048), 256, 512, 512, 1),
    Extent(0.5, 1.5, 256, (512, 1024), 160, 512, 128, 2),
)
_FAR = Extent(1.5, 5.5, 32, (256, 512), 80, 128, 16), Extent(1.5, 5.5, 128, (768, 2048), 160, 256, 32)
_OUTERMOST = Extent(5.5, 17.5, 16, (256, 512), 80, 32, 16), Extent(5.5, 17.5, 32, (512, 1024), 80, 128, 32)
RINGS = _NEAR, _FAR, _OUTERMOST
"""From the land outwards: of each the coarse grid, and the fine ones.

Before the near ring's fine grids are there, its coarse one reaches up to the land, and in drafts the outer fine one
does afterwards. From above the ground changes its look where cells get four times as large at once. The light map of
the nearest has cells as large as the land's own; rivers' texels are 27 m in it around a land of 14 km. What is farther
is made fine where it is looked down at, and else lies too flat to be told from the coarse. The outermost is for an eye
that looks down, or that sees that far on a round world."""


class Ring:
    """The grids of one ring around a land, in one OpenGL context, and the lakes in its hollows.

    They are of the extents `coarse` and `fine`, the nearest first; their light is `coarser`.
    """

    def __init__(
        self, context: moderngl.Context, grids: GridPasses, coarser: int, coarse: Extent, *fine: Extent
    ) -> None:
        self._context, self._grids, self._coarser = context, grids, coarser
        self._fine_extents = fine
        self.coarse = Frame(context, grids, coarser, coarse)
        self._fine: list[Frame] = []
        self._lakes = LakesAround(grids)

    def lacks(self, how: How) -> Sequence[Frame]:
        """Return the fine grids that are not made of `how`."""
        made = self._fine or [Frame(self._context, self._grids, self._coarser, one) for one in self._fine_extents]
        self._fine = made
        return [frame for frame in made if not frame.is_of(how)]

    def drawn(self, how: How | None) -> list[Frame]:
        """Return the grids that are drawn of a ring of `how`, the nearest first: the fine ones, once all are made."""
        return list(self._fine) if self.is_fine(how) else [self.coarse]

    def moving(self, how: How | None) -> Frame:
        """Return the grid that a draft has of a ring of `how`: the outermost that is drawn, which reaches in as well.

        With as many triangles it has more of the outlines that the picture at rest shows than the coarse one.
        """
        return self.drawn(how)[-1]

    def is_fine(self, how: How | None) -> bool:
        """Return whether the fine grids are made of `how`."""
        return bool(self._fine) and all(frame.is_of(how) for frame in self._fine)

    def find_lakes(self, how: How, inner: float, water: Water, most_share: float) -> None:
        """Find the lakes of `water` in the hollows of ground of `how` from `inner` sides of the land on.

        Of the ground at most `most_share` is wet.
        """
        grids = [self.coarse, *reversed([frame for frame in self._fine if frame.is_of(how)])]
        self._lakes.make(how.up_to(self.coarse.last), [frame.ground for frame in grids], inner, water, most_share)
        for frame in grids:
            frame.take_lakes(self._lakes.found)
