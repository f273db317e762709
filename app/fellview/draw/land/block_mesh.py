"""The triangles that blocks of ground are drawn with: a list a level of detail, shared by all blocks of it."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.block_detail import BLOCK_CELLS

_STRIP_CELLS = 8  # wide: columns of triangles in which a renderer still has the vertices of the row before
_INSTANCE_FLOATS = 7  # block column and row, level, the levels of four borders


def block_indices(level: int = 0) -> np.ndarray:
    """Return the triangle list of one block, uint16, where every 2^level-th vertex is drawn.

    Vertex [i, j] has index i·(64/2^level + 1) + j, i along rows. Triangles are the mesh's: (rc, r+1 c, r+1 c+1) and
    (rc, r+1 c+1, r c+1). They come row by row in strips of columns: on llvmpipe 3 to 7 % faster than in whole rows.
    """
    side = (BLOCK_CELLS >> level) + 1
    first = np.arange(side * side, dtype=np.uint16).reshape(side, side)
    corner, right, below, across = first[:-1, :-1], first[:-1, 1:], first[1:, :-1], first[1:, 1:]
    triangles = np.stack([corner, below, across, corner, across, right], axis=-1)
    strips = [triangles[:, first : first + _STRIP_CELLS] for first in range(0, side - 1, _STRIP_CELLS)]
    return np.concatenate([strip.ravel() for strip in strips])


def skirt_indices(level: int = 0) -> np.ndarray:
    """Return the triangle list of a block's skirt, which hangs down from its four sides, uint16.

    Past the block's own vertices come 64/2^level + 1 a side: at the least and the greatest x, the least and the
    greatest z (shaders/draw/land/terrain.vert).
    """
    side = (BLOCK_CELLS >> level) + 1
    number = np.arange(side * side, dtype=np.uint16).reshape(side, side)
    upper = np.stack([number[:, 0], number[:, -1], number[0], number[-1]])
    lower = side * side + np.arange(4 * side, dtype=np.uint16).reshape(4, side)
    one, other, under, across = upper[:, :-1], upper[:, 1:], lower[:, :-1], lower[:, 1:]
    return np.stack([one, under, across, one, across, other], axis=-1).ravel()


class BlockMesh:
    """The triangles of one level of detail, drawn with one program for many blocks at once."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, level: int) -> None:
        self._context, self._program = context, program
        self._level = level
        self._instances = context.buffer(reserve=4 * _INSTANCE_FLOATS, dynamic=True)
        self._block = self._array(block_indices(level))
        self._skirts: moderngl.VertexArray | None = None

    def draw(self, blocks: NDArray[np.float32], *, skirts: bool = False) -> None:
        """Draw `blocks`, as `DrawnBlocks.by_level` has them; or their skirts."""
        self._instances.orphan(max(blocks.nbytes, self._instances.size))
        self._instances.write(blocks)
        if skirts and self._skirts is None:
            self._skirts = self._array(skirt_indices(self._level))
        (self._skirts if skirts and self._skirts else self._block).render(moderngl.TRIANGLES, instances=len(blocks))

    def _array(self, indices: np.ndarray) -> moderngl.VertexArray:
        return self._context.vertex_array(
            self._program,
            [(self._instances, "2f 1f 4f/i", "in_block", "in_level", "in_border_levels")],
            index_buffer=self._context.buffer(indices.tobytes()),
            index_element_size=2,
        )
