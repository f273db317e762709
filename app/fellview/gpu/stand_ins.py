"""Textures of one value that stand in for others that are not there yet.

Software OpenGL compiles a program for the textures that it reads: their format and filters, whether they have coarser
levels, and whether their sides are powers of two. A stand-in is alike in all of that, so that nothing has to be
compiled when the texture itself comes.
"""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import mipmaps

_EVEN, _ODD = 2, 3  # the shortest sides that have coarser levels: a power of two, and none


def values(value: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the few values, float32 [row, column], of a stand-in for a texture of `size` (columns, rows)."""
    columns, rows = (_EVEN if side & (side - 1) == 0 else _ODD for side in size)
    return np.full((rows, columns), value, np.float32)


def empty(context: moderngl.Context, size: tuple[int, int]) -> moderngl.Texture:
    """Return a texture of zeros, four bytes each and coarser levels, for one of `size` (columns, rows)."""
    rows, columns = values(0.0, size).shape
    texture = mipmaps.empty(context, (columns, rows), 4, finest=bytes(4 * rows * columns))
    mipmaps.build(texture)
    return texture
