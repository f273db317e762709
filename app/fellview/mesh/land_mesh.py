"""The land as vertices and triangles for other programs: the whole grid, or fewer triangles, with the error they leave.

Positions are (x east, y up, −z north) in metres from the land's south-west corner at height 0: right-handed, y up, as
glTF has it. Triangles run counter-clockwise seen from above. Every vertex is one of the grid's, with its very height;
where there are fewer, Garland and Heckbert's greedy insertion has chosen them: of all heights that the triangles miss,
the one that is farthest off becomes the next vertex.

Source: M. Garland, P. Heckbert, "Fast polygonal approximation of terrains and height fields" (1995), CMU-CS-95-181.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField, Heights
from fellview.mesh import triangle_list

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]

LEAST_TRIANGLES, MOST_TRIANGLES = 2, 100_000_000
LEAST_ERROR_M, MOST_ERROR_M = 0.0, 10_000.0
MOST_LEVELS = 8
LEVEL_SHARE = 4
"""How many times fewer triangles each next level of a mesh has: seen from twice as far, they are as large again."""

_EXACT = 1e-6  # m, an error that pydelatin takes for none
_CHUNK = 1 << 17  # triangles that are looked at in one go
_PLACES = 1 << 18  # and places: 100 MB of numbers
_BYTES_A_VERTEX = 100  # of a whole grid with normals, while it is made


@dataclass(frozen=True)
class Wanted:
    """What a mesh may have: the most `triangles`, the largest `error_m` in metres, and how many `levels`.

    None leaves it open; with both open the mesh is the whole grid. `InputError` names what is out of range.
    """

    triangles: int | None = None
    error_m: float | None = None
    levels: int = 1

    def __post_init__(self) -> None:
        if self.triangles is not None and not LEAST_TRIANGLES <= self.triangles <= MOST_TRIANGLES:
            raise InputError(f"triangles = {self.triangles}: expected {LEAST_TRIANGLES} to {MOST_TRIANGLES}")
        if self.error_m is not None and not LEAST_ERROR_M <= self.error_m <= MOST_ERROR_M:
            raise InputError(f"error = {self.error_m}: expected {LEAST_ERROR_M:g} to {MOST_ERROR_M:g} m")
        if not 1 <= self.levels <= MOST_LEVELS:
            raise InputError(f"levels = {self.levels}: expected 1 to {MOST_LEVELS}")

    @property
    def whole(self) -> bool:
        """Return whether every cell is two triangles."""
        return self.triangles is None and self.error_m is None


@dataclass(frozen=True)
class LandMesh:
    """Vertices of the land and the triangles between them.

    `places` intp (vertices, 2) are the vertices' row and column in the grid, `positions` and `normals` float32
    (vertices, 3), `triangles` uint32 (triangles, 3). No height of the grid is more than `error_m` off the triangles,
    and `mean_error_m` is the root of their mean square, both in metres straight up or down and as measured.
    """

    places: NDArray[np.intp]
    positions: Floats
    normals: Floats
    triangles: Indices
    error_m: float = 0.0
    mean_error_m: float = 0.0

    def texture_coordinates(self, field: HeightField, texels: int = 1) -> Floats:
        """Return where each vertex is on a picture of `field` with `texels` a cell, float32 (vertices, uv).

        Such a picture has texels·(n − 1) + 1 texels a side, north at its top; texel k·texels lies on vertex k. u goes
        to the right and v down, as in glTF.
        """
        last = np.array([field.rows - 1, field.columns - 1])
        texel = texels * self.places + 0.5
        texel[:, 0] = texels * last[0] + 1 - texel[:, 0]
        return (texel / (texels * last + 1))[:, ::-1].astype(np.float32)

    @property
    def border(self) -> NDArray[np.intp]:
        """The vertices around the land, counter-clockwise seen from above, from the south-west corner on."""
        row, column = self.places.T
        last_row, last_column = self.places.max(axis=0)
        sides = (
            (row == 0, column),
            (column == last_column, row),
            (row == last_row, -column),
            (column == 0, -row),
        )
        around = []
        for on_side, along in sides:
            some = np.flatnonzero(on_side)
            around.append(some[np.argsort(along[some])][:-1])  # the last corner begins the next side
        return np.concatenate(around)


def meshes(field: HeightField, wanted: Wanted) -> list[LandMesh]:
    """Return the mesh of `field` and its coarser levels, each with a quarter of the triangles of the one before.

    `InputError` where memory is short, or where fewer triangles are wanted and pydelatin is not installed.
    """
    try:
        normals = triangle_list.normals(field)
        found = [_whole(field, normals) if wanted.whole else _fewer(field, normals, wanted.triangles, wanted.error_m)]
        while len(found) < wanted.levels:
            budget = max(len(found[-1].triangles) // LEVEL_SHARE, LEAST_TRIANGLES)
            found.append(_fewer(field, normals, budget, None))
        return found
    except MemoryError:
        raise InputError(
            f"mesh of {field.rows - 1} × {field.columns - 1} cells: needs some"
            f" {field.rows * field.columns * _BYTES_A_VERTEX >> 20} MB of memory, more than there is; take a smaller"
            " grid"
        ) from None


def _whole(field: HeightField, normals: Floats) -> LandMesh:
    """Return the mesh of every cell, two triangles each as they are drawn (see `triangle_list`)."""
    rows, columns = field.heights.shape
    number = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    corner, right, below, across = number[:-1, :-1], number[:-1, 1:], number[1:, :-1], number[1:, 1:]
    triangles = np.stack([corner, across, below, corner, right, across], axis=-1).reshape(-1, 3)
    places = np.indices((rows, columns)).reshape(2, -1).T
    return _land_mesh(field, normals, places, triangles)


def _fewer(field: HeightField, normals: Floats, triangles: int | None, error_m: float | None) -> LandMesh:
    """Return a mesh of at most so many triangles, or one that is at most `error_m` off; of both, what ends first."""
    try:
        Delatin = importlib.import_module("pydelatin").Delatin  # noqa: N806 - a class
    except ImportError:
        name, value = ("triangles", triangles) if error_m is None else ("error", error_m)
        raise InputError(
            f"{name} = {value}: a mesh of fewer triangles than the grid's needs pydelatin, which is not installed:"
            ' pip install "fellview[mesh]"'
        ) from None
    # it counts rows against its y; the last vertex may bring two triangles, one more than were left
    most = {"max_triangles": max(triangles - 1, 1)} if triangles is not None else {}
    found = Delatin(np.ascontiguousarray(field.heights[::-1]), max_error=max(error_m or 0.0, _EXACT), **most)
    places = np.rint(found.vertices[:, 1::-1]).astype(np.intp)
    return _land_mesh(field, normals, places, found.triangles.astype(np.uint32))


def _land_mesh(field: HeightField, normals: Floats, places: NDArray[np.intp], triangles: Indices) -> LandMesh:
    row, column = places.T
    heights = field.heights[row, column]
    positions = np.stack([column * field.cell_size[1], heights, -row * field.cell_size[0]], axis=-1)
    turned = normals[row, column] * np.array([1, 1, -1], np.float32)
    off = deviations(field.heights, places, triangles) if len(places) < field.heights.size else np.zeros(1)
    return LandMesh(
        places,
        positions.astype(np.float32),
        turned,
        triangles,
        float(np.abs(off).max()),
        float(np.sqrt(np.mean(off.astype(np.float64) ** 2))),
    )


def deviations(heights: Heights, places: NDArray[np.intp], triangles: Indices) -> Heights:
    """Return by how many metres the triangles between vertices at `places` lie over `heights`, float32 [row, column].

    Where no triangle is, it is NaN.
    """
    off = np.full(heights.shape, np.nan, np.float32)
    for some in np.array_split(triangles, -(-len(triangles) // _CHUNK)):
        _measure(heights, places[some], off)
    return off


def _measure(heights: Heights, corners: NDArray[np.intp], off: Heights) -> None:
    """Fill `off` under the triangles with `corners` [triangle, corner, row and column], row by row of each."""
    # twice the area of the triangle between an edge and a place, above 0 inside: begins + by_row·row + by_column·column
    edge = np.roll(corners, -1, axis=1) - corners
    by_row, by_column = edge[..., 1], -edge[..., 0]
    begins = -by_row * corners[..., 0] - by_column * corners[..., 1]
    first = corners[..., 0].min(axis=1)
    of, row = _repeated(np.ptp(corners[..., 0], axis=1) + 1)
    row += first[of]
    at_0, step = begins[of] + by_row[of] * row[:, None], by_column[of]
    # an edge along the row bounds nothing in it
    least = np.where(step > 0, -(at_0 // np.where(step > 0, step, 1)), 0).max(axis=1)
    most = np.where(step < 0, at_0 // np.where(step < 0, -step, 1), heights.shape[1] - 1).min(axis=1)
    counts = np.maximum(most - least + 1, 0)
    ends = np.searchsorted(np.cumsum(counts), np.arange(0, counts.sum(), _PLACES)[1:])
    for some in np.split(np.arange(len(counts)), ends):
        which, column = _repeated(counts[some])
        column += least[some][which]
        rows, triangle = row[some][which], of[some][which]
        area = begins[triangle] + by_row[triangle] * rows[:, None] + by_column[triangle] * column[:, None]
        share = np.roll(area, 2, axis=1) / area.sum(axis=1, keepdims=True)  # of the corner across from each edge
        corner = corners[triangle]
        there = (share * heights[corner[..., 0], corner[..., 1]]).sum(axis=1)
        off[rows, column] = there - heights[rows, column]


def _repeated(counts: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return each number of `counts` as often as it says, and beside it how many of its kind came before."""
    numbers = np.repeat(np.arange(len(counts)), counts)
    return numbers, np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
