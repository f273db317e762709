"""What sets one grid of ground apart from another that lies beside it in the same picture."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tile:
    """One grid among others: where it lies, what of it is left out, and which of its blocks have skirts."""

    origin_m: tuple[float, float] = (0.0, 0.0)
    """Of its first vertex, along x and z."""
    left_out: NDArray[np.bool_] | None = None
    """Blocks that another grid has, [row, column]."""
    skirt_blocks: NDArray[np.bool_] | None = None
    """Blocks with skirts, sides that hang down, [row, column]."""
    skirt_m: float = 0.0
    """How far, as drawn."""
    skirt_foot_m: float = -math.inf
    """The height, as drawn, below which those of a draft do not hang, who then hang on the grid's own borders alone."""
    hole: tuple[float, float] = (-1.0, -1.0)
    """The first and the last vertex, along either axis, of blocks `left_out` in the middle: borders, too."""
    rim_m: float = 0.0
    """How far out the sides on the grid's own border lie instead, if above 0,"""
    rim_sinks_m: float = 0.0
    """and how much lower than that border, before heights are exaggerated."""
    across_first: tuple[float, float] = (0.0, 0.0)
    """`origin_m` over the grid's size."""
    across_land: tuple[float, float, float, float] = (1.0, 1.0, 0.0, 0.0)
    """From places across the grid to those across the land: factors and offsets."""
    textures: Mapping[str, moderngl.Texture] = dataclasses.field(default_factory=dict)
    """What takes the place of the land's own textures, by name."""


def border_blocks(shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the blocks on the border of a grid of `shape` blocks, bool [row, column]."""
    blocks = np.ones(shape, bool)
    blocks[1:-1, 1:-1] = False
    return blocks
