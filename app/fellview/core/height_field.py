"""The height field: what every step makes and every picture, mesh and export is made of."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Heights = NDArray[np.float32]


@dataclasses.dataclass(frozen=True)
class HeightField:
    """Heights in metres over a regular grid.

    `heights` is float32 [row, column], read-only; rows run along z, columns along x. `cell_size` is (z, x) in metres.
    `masks` are float32 arrays of the same shape by name.
    """

    heights: Heights
    cell_size: tuple[float, float]
    masks: Mapping[str, Heights] = dataclasses.field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of cells along z."""
        return self.heights.shape[0]

    @property
    def columns(self) -> int:
        """Number of cells along x."""
        return self.heights.shape[1]

    @property
    def size(self) -> tuple[float, float]:
        """Extent of the domain (z, x) in metres."""
        return self.rows * self.cell_size[0], self.columns * self.cell_size[1]

    @functools.cached_property
    def height_range(self) -> tuple[float, float]:
        """Lowest and highest height in metres."""
        return float(self.heights.min()), float(self.heights.max())
