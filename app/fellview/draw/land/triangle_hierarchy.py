"""Which triangles stand for a land in one view: few for how near their surface comes to it.

Squares of the land are halved into right triangles again and again, each from the middle of its longest side
(W. Evans, D. Kirkpatrick and G. Townsend, "Right-Triangulated Irregular Networks", Algorithmica 2001). A triangle is
split where what this changes is seen. What the bound for a split covers contains what those of all splits below it
cover (P. Lindstrom and V. Pascucci, "Terrain Simplification Simplified", IEEE TVCG 2002): so both triangles at a side
are split or neither is, and there are no gaps. A vertex that joins lies in the middle of the side that it splits, and
leaves it by and by as the view changes: nothing pops.

Blocks of one level of detail each, as frames of all pixels have them (`level_of_detail.py`), need several times as many
triangles for the same shape, but none of those is chosen by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.level_of_detail import Sight

Floats = NDArray[np.float32]
Indices = NDArray[np.int32]

SQUARE_CELLS = BLOCK_CELLS
"""Cells a side of the squares that are halved: those of blocks, which tell what is seen."""

_DEPTHS = 2 * SQUARE_CELLS.bit_length() - 2  # times that a square's halves are halved until every vertex has joined
_STEPS = SQUARE_CELLS >> (np.arange(_DEPTHS) // 2 + 1)
_REACH = (np.where(np.arange(_DEPTHS) % 2, 2, 3) * _STEPS - 1).astype(np.float32)
"""How many cells away from a vertex that joins at each depth all lies that depends on it: vertices within a square of
two steps a side have those on its sides around them, a step away, and these have four more of half the step."""

_CULLED = 8  # depths at which what is out of view is told; later that costs more than it saves
_ALWAYS = np.float32(1e9)  # square metres that splits change which are wanted wherever they are seen
_SAMPLED = 251  # one of so many vertices tells how many are wanted: a prime, so that each row has others
_TRIANGLES_A_SAMPLE = 2.4 * _SAMPLED  # two a vertex, and those that join for the sake of others
_NEAREST_M = np.float32(1e-3)
_LEAST = np.float32(1e-6)  # pixels


@dataclass(frozen=True, eq=False)
class Mesh:
    """A land's triangles."""

    places: Floats
    """Of the vertices, xyz as drawn, (vertices, 3)."""
    triangles: Indices
    """Their vertices, clockwise seen from above, neighbours near each other in the list, (triangles, 3)."""
    border: Indices
    """The ends of the triangles' sides along the land's border, (sides, 2)."""
    least_px: float
    """How many pixels splits that are left out would change at most: the area between both surfaces."""


class _Affine(NamedTuple):
    """A function of places, as one of x and z at the middle of all heights, and what it differs by around there."""

    x: np.float32
    z: np.float32
    one: np.float32
    over_heights: np.float32
    a_metre: np.float32

    def at(self, x_m: Floats, z_m: Floats) -> Floats:
        """Return its values at places."""
        return self.x * x_m + (self.z * z_m + self.one)

    def spread(self, reach_m: np.float32 | Floats) -> np.float32 | Floats:
        """Return by how much it differs at most, at any height, up to `reach_m` along x and z from a place."""
        return self.over_heights + reach_m * self.a_metre


class TriangleHierarchy:
    """A land's heights, and for each vertex how much of the surface changes where it joins."""

    def __init__(self, heights: Floats, cell_m: tuple[float, float]) -> None:
        """Take `heights` in metres, float32 [row, column]; cells are (z, x) in metres."""
        rows, columns = heights.shape
        self._last, self._cell_m = (rows - 1, columns - 1), cell_m
        squares = (-(-(side - 1) // SQUARE_CELLS) for side in heights.shape)
        self._squares = next(squares), next(squares)
        beyond = [count * SQUARE_CELLS + 1 - side for count, side in zip(self._squares, heights.shape, strict=True)]
        padded = np.pad(heights, [(0, each) for each in beyond], mode="edge")
        self._columns = padded.shape[1]
        self._heights = padded.ravel()
        self._areas = max(cell_m) * _areas(padded, self._last).ravel()
        self._range_m = float(heights.min()), float(heights.max())
        self._samples, self._depths, self._places = self._sampled()
        self._drawn = self._heights.copy()
        self._used = np.zeros(padded.size, bool)
        self._numbers = np.zeros(padded.size, np.int32)

    def mesh(self, sight: Sight, seen: NDArray[np.bool_], least_px: float, most_triangles: float) -> Mesh:
        """Return the triangles for `sight` of the squares that are `seen`, [row, column], and none of others.

        Splits that are left out would change fewer than `least_px` pixels, or where that would be more than about
        `most_triangles`, more.
        """
        bounds = _Bounds(sight, self._range_m)
        least = self._affordable(bounds, seen, least_px, most_triangles)
        apex, left, right = self._halves(bounds, seen)
        bits = max((len(apex) - 1).bit_length(), 1)
        order = np.arange(len(apex), dtype=np.uint32)
        leaves, orders = [], []
        for depth in range(_DEPTHS + 1):
            middle = (left + right) >> 1
            if depth < _DEPTHS:
                changed = self._changed(bounds, middle, depth)
                split = changed > least
            else:
                split = np.zeros(len(middle), bool)
            stays, chosen = np.flatnonzero(~split), np.flatnonzero(split)
            leaves.append([each.take(stays) for each in (apex, left, right)])
            orders.append(_first_bits(order.take(stays), bits + depth))
            if not len(chosen):
                break
            apex, left, right, middle = (each.take(chosen) for each in (apex, left, right, middle))
            share = np.minimum(changed.take(chosen) / np.maximum(least, _LEAST) - np.float32(1), np.float32(1))
            side = (self._drawn.take(left) + self._drawn.take(right)) * np.float32(0.5)
            self._drawn[middle] = side + share * (self._heights.take(middle) - side)
            self._used[middle] = True
            order = np.left_shift(order.take(chosen), np.uint32(1))
            left, right = np.concatenate([apex, right]), np.concatenate([left, apex])
            apex, order = np.concatenate([middle, middle]), np.concatenate([order, order + np.uint32(1)])
        triangles = np.stack([np.concatenate(each) for each in zip(*leaves, strict=True)])
        return self._mesh(triangles, np.concatenate(orders), sight.exaggeration, float(least))

    def _halves(self, bounds: _Bounds, seen: NDArray[np.bool_]) -> Indices:
        """Return the two triangles of each square that is `seen`, the nearest first, (3, triangles).

        Of each come the right angle and the ends of the side across from it.
        """
        row, column = (each.astype(np.int32) for each in np.nonzero(seen))
        half = SQUARE_CELLS / 2
        z_m, x_m = ((SQUARE_CELLS * at + half) * cell for at, cell in zip((row, column), self._cell_m, strict=True))
        nearest = np.argsort(bounds.depth(x_m, z_m), kind="stable")
        row, column = row[nearest], column[nearest]
        first = SQUARE_CELLS * (row * np.int32(self._columns) + column)
        down, across = np.int32(SQUARE_CELLS * self._columns), np.int32(SQUARE_CELLS)
        corners = np.stack([first, first + across, first + down, first + down + across])
        self._used[corners] = True
        even = (row + column) % 2 == 0  # whose longest sides run from the first vertex to the last
        one = np.where(even, corners[[2, 3, 0]], corners[[0, 2, 1]])
        other = np.where(even, corners[[1, 0, 3]], corners[[3, 1, 2]])
        return np.stack([one, other], axis=-1).reshape(3, -1)

    def _changed(self, bounds: _Bounds, vertices: Indices, depth: int | NDArray[np.intp]) -> Floats:
        """Return how many pixels change at most where `vertices` join at a `depth`, or what depends on them does."""
        row = vertices // np.int32(self._columns)
        x_m = (vertices - row * np.int32(self._columns)).astype(np.float32) * np.float32(self._cell_m[1])
        z_m = row.astype(np.float32) * np.float32(self._cell_m[0])
        cell_m = max(self._cell_m)
        seen = bounds.pixels_a_square_metre(x_m, z_m, np.float32(cell_m) * _REACH[depth])
        if np.ndim(depth) or depth < _CULLED:
            seen *= bounds.in_view(x_m, z_m, np.float32(cell_m) * _REACH[depth])
        return self._areas.take(vertices) * seen

    def _sampled(self) -> tuple[Indices, NDArray[np.intp], NDArray[np.intp]]:
        """Return some vertices that may join, at which depths they do, and in which squares, counted by rows."""
        samples = np.arange(0, self._areas.size, _SAMPLED, dtype=np.int32)
        samples = samples[self._areas.take(samples) > 0]
        row, column = np.divmod(samples, self._columns)
        either = row | column
        step = either & ~(either - 1)  # the last bit that is set
        within = (row & column & step) > 0
        depths = 2 * (_DEPTHS // 2 - 1 - np.log2(step).astype(np.intp)) + ~within
        down, across = (
            np.minimum(at // SQUARE_CELLS, count - 1) for at, count in zip((row, column), self._squares, strict=True)
        )
        return samples, depths, down * self._squares[1] + across

    def _affordable(
        self, bounds: _Bounds, seen: NDArray[np.bool_], least_px: float, most_triangles: float
    ) -> np.float32:
        """Return how many pixels a split is to change at least: `least_px`, or what leaves few enough triangles."""
        most = int(most_triangles / _TRIANGLES_A_SAMPLE)
        if most < len(self._samples):
            changed = self._changed(bounds, self._samples, self._depths) * seen.ravel()[self._places]
            least_px = max(least_px, float(np.partition(changed, len(changed) - 1 - most)[len(changed) - 1 - most]))
        return np.float32(least_px)

    def _mesh(self, leaves: Indices, order: NDArray[np.uint16], exaggeration: float, least_px: float) -> Mesh:
        """Return the mesh of `leaves`, which come in that `order`, and use none of the vertices any more."""
        used = np.flatnonzero(self._used)
        self._used[used] = False
        self._numbers[used] = np.arange(len(used), dtype=np.int32)
        row, column = np.divmod(used, self._columns)
        row, column = (np.minimum(at, last) for at, last in zip((row, column), self._last, strict=True))
        places = np.empty((len(used), 3), np.float32)
        places[:, 0] = column * self._cell_m[1]
        places[:, 1] = np.float32(exaggeration) * self._drawn[used]
        places[:, 2] = row * self._cell_m[0]
        triangles = self._numbers.take(leaves.take(np.argsort(order, kind="stable"), axis=1)).T
        border = [
            _sides(at == end, along)
            for at, along, last in ((row, column, self._last[0]), (column, row, self._last[1]))
            for end in (0, last)
        ]
        return Mesh(places, triangles, np.concatenate(border), least_px)


class _Bounds:
    """How large heights are seen at most over squares of ground: the larger the square, the larger."""

    def __init__(self, sight: Sight, range_m: tuple[float, float]) -> None:
        matrix, w = sight.matrix, sight.matrix[:, 3]
        low_m, high_m = sorted(sight.exaggeration * each for each in range_m)
        self._middle_m, self._half_m = (low_m + high_m) / 2, (high_m - low_m) / 2
        self._w, self._depth = self._of(w), self._of(matrix[:, 2] + w)
        # at the sides a pixel farther out, as views moved by less share a mesh
        self._sides = [self._of(matrix[:, axis] / (1 + 2 / sight.size_px[axis])) for axis in (0, 1)]
        # the height y moves the place X/w by (X_y w - X w_y)/w², and |X| is less than w in view
        moved = [(abs(matrix[1, axis]) + abs(matrix[1, 3])) * sight.size_px[axis] / 2 for axis in (0, 1)]
        self._moved = np.float32(sight.exaggeration * (moved[0] ** 2 + moved[1] ** 2))

    def _of(self, column: NDArray[np.float64]) -> _Affine:
        x, y, z, one = column.tolist()
        numbers = x, z, one + y * self._middle_m, abs(y) * self._half_m, abs(x) + abs(z)
        return _Affine(*map(np.float32, numbers))

    def depth(self, x_m: NDArray[np.floating], z_m: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return what grows with the distance from the eye."""
        return self._depth.x * x_m + self._depth.z * z_m

    def pixels_a_square_metre(self, x_m: Floats, z_m: Floats, reach_m: np.float32 | Floats) -> Floats:
        """Return over how many pixels a metre of height and one along goes at most, up to `reach_m` from places."""
        nearest = np.maximum(self._w.at(x_m, z_m) - self._w.spread(reach_m), _NEAREST_M)
        return self._moved / (nearest * nearest)

    def in_view(self, x_m: Floats, z_m: Floats, reach_m: np.float32 | Floats) -> NDArray[np.bool_]:
        """Return whether anything up to `reach_m` from places may be in view: between the sides of the picture."""
        w, spread = self._w.at(x_m, z_m), self._w.spread(reach_m)
        within = [np.abs(side.at(x_m, z_m)) - w <= spread + side.spread(reach_m) for side in self._sides]
        return within[0] & within[1]


def _first_bits(numbers: NDArray[np.uint32], bits: int) -> NDArray[np.uint16]:
    """Return the first 16 of so many bits, or all and zeros after them: numpy sorts those fastest."""
    shifted = numbers >> np.uint32(bits - 16) if bits > 16 else numbers << np.uint32(16 - bits)
    return shifted.astype(np.uint16)


def _sides(mine: NDArray[np.bool_], along: NDArray[np.intp]) -> Indices:
    """Return the sides between those vertices that are `mine`, in their order `along` a border, (sides, 2)."""
    vertices = np.flatnonzero(mine)
    vertices = vertices[np.argsort(along[vertices], kind="stable")]
    near = np.diff(along[vertices]) <= SQUARE_CELLS  # no squares in between, which are not seen
    return np.stack([vertices[:-1], vertices[1:]], axis=-1)[near].astype(np.int32)


def _areas(heights: Floats, last: tuple[int, int]) -> Floats:
    """Return for each vertex what changes at most when it joins, or one that depends on it does, float32.

    That is how far it moves in metres, times the cells along the side that it halves. What lies past the `last` row and
    column lies on them. Triangles that reach over those are always split.
    """
    areas = np.zeros_like(heights)
    step = 1
    while step < SQUARE_CELLS:
        _join_on_sides(heights, areas, last, step)
        _join_on_sides(heights.T, areas.T, last[::-1], step)
        _join_within(heights, areas, last, step)
        step *= 2
    return areas


def _join_on_sides(heights: Floats, areas: Floats, last: tuple[int, int], step: int) -> None:
    """Write what changes with vertices between two that stand 2 `step` apart along the first axis."""
    two = 2 * step
    side = (heights[:-two:two, ::two] + heights[two::two, ::two]) * np.float32(0.5)
    own = np.float32(two) * np.abs(heights[step::two, ::two] - side)
    _at_the_end(own, last, (step, 0), step)
    if step > 1:
        half = step // 2
        within = areas[half::step, half::step]
        both = np.maximum(within[::2], within[1::2])
        np.maximum(own[:, :-1], both[:, ::2], out=own[:, :-1])
        np.maximum(own[:, 1:], both[:, 1::2], out=own[:, 1:])
    areas[step::two, ::two] = own


def _join_within(heights: Floats, areas: Floats, last: tuple[int, int], step: int) -> None:
    """Write what changes with vertices in the middle of squares of 2 `step` a side."""
    two = 2 * step
    own = heights[step::two, step::two].copy()
    down = (heights[:-two:two, :-two:two] + heights[two::two, two::two]) * np.float32(0.5)
    up = (heights[:-two:two, two::two] + heights[two::two, :-two:two]) * np.float32(0.5)
    for first in (0, 1):  # which diagonal is a side goes like a chessboard
        own[first::2, ::2] -= (up if first else down)[first::2, ::2]
        own[first::2, 1::2] -= (down if first else up)[first::2, 1::2]
    np.abs(own, out=own)
    own *= np.float32(math.sqrt(2) * two)
    _at_the_end(own, last, (step, step), step)
    middle = slice(step, None, two)
    for beside in (slice(0, -two, two), slice(two, None, two)):
        np.maximum(own, areas[middle, beside], out=own)
        np.maximum(own, areas[beside, middle], out=own)
    areas[step::two, step::two] = own


def _at_the_end(own: Floats, last: tuple[int, int], first: tuple[int, int], step: int) -> None:
    """Have what reaches over the `last` row or column always split, and what lies past them never."""
    for which, start, end in zip((own, own.T), first, last, strict=True):
        at = start + 2 * step * np.arange(len(which))
        outermost = -(-end // SQUARE_CELLS) * SQUARE_CELLS
        over = (at - step < end) & (np.minimum(at + step, outermost) > end + 1)
        if over.any():
            which[over] = _ALWAYS
        past = at - step >= end
        if past.any():
            which[past] = 0.0
