"""Which blocks of the land are drawn, and how finely: culled to the view, and as coarse as the eye cannot tell.

A block's level is a number with a fraction; the vertex shader (shaders/draw/land/terrain.vert) changes the surface
continuously with it, so that nothing pops. It follows from how many pixels the block's error of a level may cover on
the screen. A flat array of blocks and numpy take the place of a tree: an 8192² land has 16,384 of them.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.block_detail import BLOCK_CELLS, LEVELS, UNIT_CELLS, BlockDetail
from fellview.draw.land.horizon_culling import Occluder, framed, horizon_culled

Floats = NDArray[np.float64]

ERROR_PX = 0.75
"""How far the land drawn may be from the full grid, in pixels, where nobody asks for less."""

NEIGHBOUR_STEP = 2.0
"""Most levels between neighbours: border cells of a fine block reach over to the vertices of a coarse border, and
would become slivers."""

_LARGEST_OCTAVES = 6.0  # above the error asked for; where that is too many triangles still, so be it
_SEARCH_STEPS = 1 << 10  # that 6 octaves are told in: to 0.4 % of the error
_TINY = float(np.finfo(np.float32).tiny)
_TRIANGLES = 2 * BLOCK_CELLS**2  # of a block at level 0


@dataclass(frozen=True, eq=False)
class BlockGrid:
    """The blocks of one ground, and where they stand."""

    detail: BlockDetail
    vertices: tuple[int, int]
    """Rows and columns of the ground's vertices."""
    cell_m: tuple[float, float]
    """A cell's (z, x)."""
    origin_m: tuple[float, float] = (0.0, 0.0)
    """Of the first vertex, (x, z)."""
    left_out: NDArray[np.bool_] | None = None
    """Blocks that are not drawn, [row, column]."""
    rim_m: float = 0.0
    """How much farther out blocks on the border reach than their cells."""
    base_m: float | None = None
    """The drawn height of a slab's base, down to which blocks on the border reach."""

    def occluder(self, exaggeration: float = 1.0) -> Occluder:
        """Return what the ground hides others with, drawn `exaggeration` times as high."""
        lowest_m, left_out = self.detail.framed_low, self.left_out
        if left_out is not None:  # what is not drawn hides nothing
            a_side = BLOCK_CELLS // UNIT_CELLS
            rows, columns = self.detail.unit_low.shape
            gone = left_out.repeat(a_side, axis=0).repeat(a_side, axis=1)[:rows, :columns]
            lowest_m = framed(np.where(gone, np.float32(-np.inf), self.detail.unit_low))
        unit_m = UNIT_CELLS * self.cell_m[0], UNIT_CELLS * self.cell_m[1]
        return Occluder(lowest_m, unit_m, self.origin_m, exaggeration)

    def boxes(self, exaggeration: float) -> tuple[Floats, Floats]:
        """Return centres and half sizes of the blocks' boxes without the rim, xyz from the first vertex in metres,
        (blocks, 3)."""
        detail, (rows, columns) = self.detail, self.detail.shape
        z, x = (
            np.minimum(np.arange(count + 1) * BLOCK_CELLS, side - 1) * cell
            for count, side, cell in zip((rows, columns), self.vertices, self.cell_m, strict=True)
        )
        low, high = np.empty((rows, columns, 3)), np.empty((rows, columns, 3))
        low[..., 0], high[..., 0] = x[:-1], x[1:]
        low[..., 1], high[..., 1] = exaggeration * detail.low, exaggeration * detail.high
        low[..., 2], high[..., 2] = z[:-1, None], z[1:, None]
        if self.base_m is not None:
            for border in (low[0], low[-1], low[:, 0], low[:, -1]):
                border[..., 1] = np.minimum(border[..., 1], self.base_m)
        return ((low + high) / 2).reshape(-1, 3), ((high - low) / 2).reshape(-1, 3)

    def with_rim(self, centre: Floats, half: Floats) -> tuple[Floats, Floats]:
        """Return the boxes (blocks, 3) with those on the border as much farther outwards as the rim is."""
        if self.rim_m <= 0:
            return centre, half
        rows, columns = self.detail.shape
        row, column = np.divmod(np.arange(len(centre)), columns)
        low, high = centre - half, centre + half
        for axis, number, count in ((0, column, columns), (2, row, rows)):
            low[number == 0, axis] -= self.rim_m
            high[number == count - 1, axis] += self.rim_m
        return (low + high) / 2, (high - low) / 2


@dataclass(frozen=True, eq=False)
class Sight:
    """How ground is looked at."""

    matrix: Floats
    """From the world to clip space, for row vectors."""
    size_px: tuple[int, int]
    """The viewport's width and height."""
    exaggeration: float = 1.0
    """How many times as high ground is drawn."""

    def from_first_vertex(self, grid: BlockGrid) -> Floats:
        """Return the matrix for places from where the first vertex of `grid` is."""
        moved, (x_m, z_m) = self.matrix.copy(), grid.origin_m
        moved[3] += x_m * self.matrix[0] + z_m * self.matrix[2]
        return moved


@dataclass(frozen=True)
class DrawnBlocks:
    """The blocks to draw, nearest first, float32."""

    blocks: NDArray[np.float32]
    """Column and row, (blocks, 2)."""
    levels: NDArray[np.float32]
    """Level of detail, (blocks,)."""
    border_levels: NDArray[np.float32]
    """Levels of the borders at the least and the greatest x, the least and the greatest z, (blocks, 4)."""
    error_px: float = 0.0
    """How many pixels the surface may be from where the full grid has it: more than was asked for where that would be
    too many triangles. A block on whose border a coarser one rules may be off by as much again."""

    def of(self, mine: NDArray[np.bool_]) -> DrawnBlocks:
        """Return those blocks that are `mine` (blocks,)."""
        return dataclasses.replace(
            self, blocks=self.blocks[mine], levels=self.levels[mine], border_levels=self.border_levels[mine]
        )

    @functools.cached_property
    def by_level(self) -> list[tuple[int, NDArray[np.float32]]]:
        """The whole levels of blocks, and what a vertex shader reads of each block of them: column, row, level and
        those of the borders, (blocks, 7)."""
        whole = self.levels.astype(np.intp)
        order = np.argsort(whole, kind="stable")
        rows = np.concatenate([self.blocks, self.levels[:, None], self.border_levels], axis=1, dtype=np.float32)[order]
        ends = np.cumsum(np.bincount(whole, minlength=LEVELS)).tolist()
        firsts = [0, *ends[:-1]]
        spans = enumerate(zip(firsts, ends, strict=True))
        return [(level, rows[first:end]) for level, (first, end) in spans if first < end]

    def parts(self, triangles: float) -> list[DrawnBlocks]:
        """Return the blocks in parts of about so many triangles, nearest first; there is one at least."""
        before = np.cumsum(_TRIANGLES * 4.0 ** -np.floor(self.levels)) // triangles
        return [self.of(before == number) for number in sorted(set(before.tolist()))] or [self]


def select_blocks(
    grid: BlockGrid,
    sight: Sight,
    error_px: float = ERROR_PX,
    most_triangles: float = np.inf,
    before: Sequence[Occluder] | None = (),
) -> DrawnBlocks:
    """Return the blocks of `grid` that `sight` meets, at the coarsest levels whose errors stay under `error_px`.

    An error of 0 has all cells drawn. What the relief hides is as coarse as its neighbours let it be: no level rises
    over the heights of its block, and so it stays hidden.

    Where that would be `most_triangles` and more, the error is larger. A block between two levels counts as between
    two numbers of triangles, so that this too is continuous, though it is drawn with the finer one's: up to four times
    as many, and about twice for a land.

    Other ground that may be `before` it hides blocks, too; with None nothing counts as hidden.

    Blocks that are in view within a pixel are there, so that views moved by less can share them.
    """
    detail, size_px, exaggeration = grid.detail, sight.size_px, sight.exaggeration
    centre, half = grid.boxes(exaggeration)
    matrix = sight.from_first_vertex(grid)
    seen = _seen(grid, centre, half, matrix, size_px)
    depth = _depth(centre, matrix)
    if error_px == 0:  # flat land too
        return _drawn(np.zeros(detail.shape), seen, depth)
    behind = np.zeros_like(seen)
    if before is not None:
        x_m, z_m = grid.origin_m
        occluders = [
            dataclasses.replace(each, origin_m=(each.origin_m[0] - x_m, each.origin_m[1] - z_m))
            for each in (grid.occluder(exaggeration), *before)
        ]
        behind[seen] = horizon_culled(occluders, centre[seen], half[seen], matrix, size_px[0])
    marks = detail.marks
    pixels = exaggeration * _pixels_a_metre(centre, half, matrix, size_px)
    shown = seen & ~behind
    error_px = _affordable(error_px, marks[:, shown], pixels[shown], most_triangles)
    levels = np.where(behind, LEVELS - 1.0, _levels(marks, error_px / pixels)).reshape(detail.shape)
    for _ in range(int(LEVELS / NEIGHBOUR_STEP)):
        levels = np.minimum(levels, _of_neighbours(levels, np.minimum).min(axis=-1) + NEIGHBOUR_STEP)
    return dataclasses.replace(_drawn(levels, seen, depth), error_px=error_px)


def seen_blocks(grid: BlockGrid, sight: Sight) -> NDArray[np.bool_]:
    """Return which blocks of `grid` the view of `sight` meets, [row, column]."""
    centre, half = grid.boxes(sight.exaggeration)
    return _seen(grid, centre, half, sight.from_first_vertex(grid), sight.size_px).reshape(grid.detail.shape)


def within(drawn: DrawnBlocks, grid: BlockGrid, sight: Sight, skirt_m: float) -> DrawnBlocks:
    """Return those of the blocks `drawn` of `grid` that may be in view in the part of their picture that `sight` is of.

    Skirts hang down `skirt_m`.
    """
    centre, half = grid.with_rim(*grid.boxes(sight.exaggeration))
    hangs = np.array([0.0, skirt_m / 2, 0.0])
    seen = _in_view(centre - hangs, half + hangs, sight.from_first_vertex(grid), sight.size_px)
    columns, rows = drawn.blocks.astype(np.intp).T
    return drawn.of(seen.reshape(grid.detail.shape)[rows, columns])


def every_cell(drawn: DrawnBlocks) -> DrawnBlocks:
    """Return the blocks of `drawn` with every cell of theirs."""
    return DrawnBlocks(drawn.blocks, np.zeros_like(drawn.levels), np.zeros_like(drawn.border_levels))


def _bounds(centre: Floats, half: Floats, column: Floats) -> tuple[Floats, Floats]:
    """Return value at the centre and reach of the affine function `column` (4,) over every box."""
    return centre @ column[:3] + column[3], half @ np.abs(column[:3])


def _in_view(centre: Floats, half: Floats, matrix: Floats, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Tell which boxes are not wholly past one of the frustum's six planes, those at the sides a pixel farther out."""
    seen = np.ones(len(centre), bool)
    for axis, beyond in enumerate((2 / size_px[0], 2 / size_px[1], 0.0)):  # 2 of clip space are the picture's width
        for side in (1.0, -1.0):
            value, reach = _bounds(centre, half, (1 + beyond) * matrix[:, 3] + side * matrix[:, axis])
            seen &= value + reach >= 0
    return seen


def _seen(grid: BlockGrid, centre: Floats, half: Floats, matrix: Floats, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Tell which blocks, whose boxes those are, are in view and not left out."""
    seen = _in_view(*grid.with_rim(centre, half), matrix, size_px)
    return seen if grid.left_out is None else seen & ~grid.left_out.ravel()


def _depth(centre: Floats, matrix: Floats) -> Floats:
    """Return what grows with the distance from the eye, in any projection."""
    z, w = centre @ matrix[:3, 2] + matrix[3, 2], centre @ matrix[:3, 3] + matrix[3, 3]
    return z + w


def _pixels_a_metre(centre: Floats, half: Floats, matrix: Floats, size_px: tuple[int, int]) -> Floats:
    """Return over how many pixels one metre of height goes in every box, at most.

    A point's place on the screen is X/w; it moves with the height y by (X_y w - X w_y)/w², of which the numerator is an
    affine function. From straight above it is 0: there heights do not show.
    """
    w, reach = _bounds(centre, half, matrix[:, 3])
    nearest = np.maximum(w - reach, _TINY)  # a box about the eye has no bound
    moved = []
    for axis, side in enumerate(size_px):
        column = matrix[1, axis] * matrix[:, 3] - matrix[1, 3] * matrix[:, axis]
        value, spread = _bounds(centre, half, column)
        moved.append((np.abs(value) + spread) * side / 2)
    return np.maximum(np.hypot(*moved) / nearest**2, _TINY)


def _levels(marks: Floats, allowed_m: Floats) -> Floats:
    """Return the levels at which blocks of such `marks` (`BlockDetail.marks`) have the error `allowed_m` (blocks,)."""
    passed = np.add.reduce(allowed_m >= marks, axis=0, dtype=np.intp)
    last, blocks = len(marks) - 1, marks.shape[1]
    flat, block = marks.ravel(), np.arange(blocks)
    before = flat.take(np.maximum(passed - 1, 0) * blocks + block)
    after = flat.take(np.minimum(passed, last) * blocks + block)
    share = (allowed_m - before) / np.maximum(after - before, _TINY)  # far beyond its ends, where there are no two
    return np.minimum(np.maximum((passed - 1 + share) / 2, 0.0), LEVELS - 1.0)


def _affordable(error_px: float, marks: Floats, pixels: Floats, most_triangles: float) -> float:
    """Return the least error in pixels, `error_px` or more, at which the blocks have few enough triangles.

    Octaves of triangles go nearly straight with those of the error, so that few steps have to be tried.
    """
    allowed_m = error_px / pixels

    def over(step: int) -> float:
        """Return by how many octaves there are too many triangles."""
        levels = _levels(marks, 2.0 ** (_LARGEST_OCTAVES * step / _SEARCH_STEPS) * allowed_m)
        return float(np.log2(max(_TRIANGLES * np.exp2(-2 * levels).sum() / most_triangles, _TINY)))

    low, over_low = 0, over(0)
    if over_low <= 0:
        return error_px
    high, over_high = _SEARCH_STEPS, -_LARGEST_OCTAVES
    moved = 0.0
    while high - low > 1:  # the Illinois variant of false position: an end that stays twice counts half
        share = over_low / (over_low - over_high)
        step = min(max(round(low + share * (high - low)), low + 1), high - 1)
        found = over(step)
        again, moved = found * moved > 0, found
        if found > 0:
            low, over_low = step, found
            over_high *= 0.5 if again else 1.0
        else:
            high, over_high = step, found
            over_low *= 0.5 if again else 1.0
    return float(error_px * 2.0 ** (_LARGEST_OCTAVES * high / _SEARCH_STEPS))


def _of_neighbours(levels: Floats, least: np.ufunc) -> Floats:
    """Return `least` of every block's level and that of its neighbour at the least and the greatest x, then z."""
    result = np.repeat(levels[..., None], 4, axis=-1)
    least(levels[:, 1:], levels[:, :-1], out=result[:, 1:, 0])
    least(levels[:, :-1], levels[:, 1:], out=result[:, :-1, 1])
    least(levels[1:], levels[:-1], out=result[1:, :, 2])
    least(levels[:-1], levels[1:], out=result[:-1, :, 3])
    return result


def _drawn(levels: Floats, seen: NDArray[np.bool_], depth: Floats) -> DrawnBlocks:
    """Return the blocks that are `seen`, the least `depth` first; of two neighbours the coarser rules the border."""
    single = levels.astype(np.float32)
    order = np.flatnonzero(seen)
    order = order[np.argsort(depth[order])]
    rows, columns = np.divmod(order, levels.shape[1])
    return DrawnBlocks(
        np.stack([columns, rows], axis=-1).astype(np.float32),
        single.reshape(-1)[order],
        _of_neighbours(levels, np.maximum).astype(np.float32).reshape(-1, 4)[order],
    )
