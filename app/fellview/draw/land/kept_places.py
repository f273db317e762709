"""What places of land go by that a draft draws: while a hand changes the light alone, those of the next are the same.

Where land is drawn in two steps, its places take a quarter of a draft's time. Of the drafts of one view every second
does with those of the one before, and with the same part of a pixel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.tile import Tile
from fellview.draw.target import Target


@dataclass(frozen=True, eq=False)
class Places:
    """All that places and depth in a target go by: `things` count by what they are, `numbers` by their values."""

    things: tuple[object, ...]
    numbers: tuple[object, ...]

    @classmethod
    def of(
        cls,
        target: Target,
        view_projection: NDArray[np.float32],
        exaggeration: float,
        grounds: Iterable[tuple[HeightMap, Tile]],
        stones: tuple[float, ...] = (),
    ) -> Places:
        """Return what those of `grounds` go by, of which the height maps may have other heights later.

        So do those of `stones` on them, which numbers tell apart.
        """
        things: list[object] = [target]
        numbers: list[object] = [target.columns, view_projection.tobytes(), exaggeration, stones]
        for height_map, tile in grounds:
            things += [height_map.heights, height_map.detail, tile.left_out]
            skirts = None if tile.skirt_blocks is None else (tile.skirt_blocks.shape, tile.skirt_blocks.tobytes())
            hang = tile.skirt_m, tile.skirt_foot_m, tile.rim_m, tile.rim_sinks_m
            numbers += [height_map.version, tile.origin_m, tile.hole, skirts, hang]
        return cls(tuple(things), tuple(numbers))

    def are(self, others: Places) -> bool:
        """Return whether `others` are the same."""
        if len(self.things) != len(others.things) or self.numbers != others.numbers:
            return False
        return all(one is other for one, other in zip(self.things, others.things, strict=True))
