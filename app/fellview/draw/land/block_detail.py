"""What levels of detail need to know of the land, block by block, reduced on the GPU from the height texture."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import over_blocks
from fellview.draw.land.horizon_culling import framed
from fellview.gpu import bindings, formats, programs

BLOCK_CELLS = 64
"""Cells a side of a block: its 65² vertices fit a 16-bit index buffer with room to spare."""

LEVELS = 7
"""Levels of detail: level l draws every 2^l-th vertex, and level 6 two triangles a block."""

UNIT_CELLS = 8
"""Cells a side of a unit, of which 8² make a block: each of two passes looks at so many."""

# Of the way from one level's error to the next, in which border vertices slide; the rest moves heights. Sliding blocks
# are drawn with the triangles of the finer level, though they show the coarser: at a quarter, a third of all.
_SLIDE = 0.1
_FLOATS = 4  # a texel
_HALF_ROUNDS = 2.0**-10  # of a number, what a half float may be off after two passes, each by 2^-11


@dataclass(frozen=True)
class BlockDetail:
    """Height range and errors of the blocks of a land in metres; the leading axes are block row and column."""

    low: NDArray[np.float32]
    high: NDArray[np.float32]
    errors: NDArray[np.float32]
    """The farthest that the full grid is from what a level draws, or what a finer one does, [row, column, level]."""
    unit_low: NDArray[np.float32]
    """Lowest heights of units of UNIT_CELLS cells a side in metres, [row, column]."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of blocks."""
        return self.low.shape[0], self.low.shape[1]

    @functools.cached_property
    def marks(self) -> NDArray[np.float64]:
        """The errors in metres at which blocks reach the levels 0, ½, 1, ... 6, (13, blocks), never falling.

        At l + ½ the surface is that of level l + 1, whose vertices are drawn alone from l + 1 on.
        """
        of_level = self.errors.reshape(-1, LEVELS).T.astype(np.float64)
        marks = np.empty((2 * LEVELS - 1, of_level.shape[1]))
        marks[1::2] = of_level[1:]
        marks[0:-1:2] = of_level[:-1] + _SLIDE * (of_level[1:] - of_level[:-1])
        marks[-1] = (1 + _SLIDE) * of_level[-1]
        return marks

    @functools.cached_property
    def framed_low(self) -> NDArray[np.float32]:
        """`unit_low` as `Occluder` has it."""
        return framed(self.unit_low)


def with_errors(heights: NDArray[np.float32], errors: NDArray[np.float32]) -> BlockDetail:
    """Return what `heights` in metres, float32 [row, column], hold in blocks; their `errors` are taken as told.

    A tenth of the time of `BlockDetailPass` on software OpenGL, where heights are in memory anyway.
    """
    unit_low, unit_high = (over_blocks(heights, (UNIT_CELLS, UNIT_CELLS), each) for each in (np.minimum, np.maximum))
    rows, columns = (np.arange(0, count, BLOCK_CELLS // UNIT_CELLS) for count in unit_low.shape)
    low = np.minimum.reduceat(np.minimum.reduceat(unit_low, rows, axis=0), columns, axis=1)
    high = np.maximum.reduceat(np.maximum.reduceat(unit_high, rows, axis=0), columns, axis=1)
    return BlockDetail(low, high, errors, unit_low)


class BlockDetailPass:
    """Makes `BlockDetail` from height textures: two passes, whose units' and blocks' figures are read back."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._units = _pass(context, "draw/land/block_detail_8.frag")
        self._blocks = _pass(context, "draw/land/block_detail_64.frag")
        self._size: tuple[int, int] | None = None
        self._targets: list[tuple[moderngl.Texture, moderngl.Texture, moderngl.Framebuffer]] = []

    def measure(self, heights: moderngl.Texture) -> BlockDetail:
        """Return what `heights` (R32F, a texel a vertex) hold in blocks; it waits for the GPU."""
        columns, rows = heights.size
        if self._size != heights.size:
            self.release()
            self._size = heights.size
            for cells in (UNIT_CELLS, BLOCK_CELLS):
                size = -(-(columns - 1) // cells), -(-(rows - 1) // cells)
                dtype = formats.of(self._context).drawn(_FLOATS, formats.PRECISE, "levels of detail")
                pair = [self._context.texture(size, _FLOATS, dtype=dtype) for _ in range(2)]
                self._targets.append((pair[0], pair[1], self._context.framebuffer(pair)))
        (units, unit_errors, units_drawn), (blocks, block_errors, blocks_drawn) = self._targets
        self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        units_drawn.use()
        bindings.use(self._units.program, {"u_heights": heights})
        self._units.render(moderngl.TRIANGLES, vertices=3)
        blocks_drawn.use()
        bindings.use(self._blocks.program, {"u_units_range_errors": units, "u_units_errors": unit_errors})
        self._blocks.render(moderngl.TRIANGLES, vertices=3)
        shape = (blocks.height, blocks.width, _FLOATS)
        first, rest = (
            np.frombuffer(one.read(), formats.NUMPY[one.dtype]).reshape(shape).astype(np.float32)
            for one in (blocks, block_errors)
        )
        none = np.zeros((*shape[:2], 1), np.float32)
        low, high = first[..., 0], first[..., 1]
        unit_low = np.frombuffer(units.read(), formats.NUMPY[units.dtype]).reshape(units.height, units.width, _FLOATS)
        unit_low = unit_low[..., 0].astype(np.float32)
        if blocks.dtype != "f4":  # rounded: bounds that hold all the same
            slack = np.float32(_HALF_ROUNDS) * np.maximum(np.abs(low), np.abs(high))
            low, high = low - slack, high + slack
            unit_low = unit_low - np.float32(_HALF_ROUNDS) * np.abs(unit_low)
            first, rest = (np.float32(1 + _HALF_ROUNDS) * part for part in (first, rest))
        return BlockDetail(low, high, np.concatenate([none, first[..., 2:], rest], axis=-1), unit_low)

    def release(self) -> None:
        """Give the textures back."""
        for one, other, framebuffer in self._targets:
            for thing in (framebuffer, one, other):
                thing.release()
        self._targets, self._size = [], None


def _pass(context: moderngl.Context, fragment: str) -> moderngl.VertexArray:
    return context.vertex_array(programs.program(context, "gpu/full_screen.vert", fragment), [])
