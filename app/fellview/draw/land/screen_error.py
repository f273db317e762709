"""How far on the screen levels of detail move the land from where the full grid has it: measured, not bounded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import DrawnBlocks, Sight, every_cell
from fellview.draw.land.terrain import TerrainPass
from fellview.draw.target import Size

Floats = NDArray[np.float64]

_TILE_BLOCKS = 16  # a side, of what is drawn from above at once: 17 MB of places


def screen_error_px(
    terrain: TerrainPass,
    height_map: HeightMap,
    drawn: DrawnBlocks,
    sight: Sight,
) -> NDArray[np.float32]:
    """Return by how many pixels `drawn` moves what each pixel shows of the land, float32 [row, column], 0 for sky.

    Places are the grid's vertices, at which the surfaces are farthest apart: for every pixel of the full grid's picture
    the one next to what it shows, and for every pixel of the picture with levels, which may show what a ridge of the
    full grid hides; the larger counts.
    """
    field = height_map.field
    assert field is not None and height_map.detail is not None
    matrix, size, exaggeration = sight.matrix, sight.size_px, sight.exaggeration
    shown = terrain.places(height_map, drawn, sight)
    full = terrain.places(height_map, every_cell(drawn), sight)
    exact = (exaggeration * field.heights).astype(np.float32)
    there = exact.copy()
    for rows, columns, heights in _tiles(terrain, height_map, drawn, exaggeration):
        there[rows, columns] = np.where(np.isnan(heights), there[rows, columns], heights)
    moved = np.zeros((size[1], size[0]), np.float32)
    for places in (full, shown):
        seen = places[..., 3] > 0
        row, column = (
            np.clip(np.rint(places[seen][:, axis] / cell), 0, side - 1).astype(np.intp)
            for axis, cell, side in zip((2, 0), field.cell_size, exact.shape, strict=True)
        )
        x, z = column * field.cell_size[1], row * field.cell_size[0]
        one, other = (_pixels(np.stack([x, y[row, column], z], axis=-1), matrix, size) for y in (exact, there))
        apart = np.hypot(*(one - other).T)
        # a vertex next to what is seen may itself be out of view, where a pixel means nothing
        inside = (np.abs(one - np.array(size) / 2) <= np.array(size) / 2).all(axis=-1)
        moved[seen] = np.maximum(moved[seen], np.where(inside, apart, 0.0))
    return moved


def _tiles(
    terrain: TerrainPass, height_map: HeightMap, drawn: DrawnBlocks, exaggeration: float
) -> Iterator[tuple[slice, slice, NDArray[np.float32]]]:
    """Yield rows and columns of vertices and the heights that `drawn` has there, NaN where it has none."""
    field = height_map.field
    assert field is not None
    side = _TILE_BLOCKS * BLOCK_CELLS
    tiles = drawn.blocks.astype(np.intp) // _TILE_BLOCKS
    for tile in np.unique(tiles, axis=0):
        first = side * tile
        count = np.minimum(first + side + 1, field.heights.shape[::-1]) - first
        scale = 2 / (count * field.cell_size[::-1])  # of x and z: pixels' centres are vertices
        shift = -(2 * first - 1) / count - 1
        matrix = np.zeros((4, 4))
        matrix[[0, 2], [0, 1]] = scale
        matrix[3] = *shift, 0.0, 1.0
        mine = drawn.of((tiles == tile).all(axis=1))
        places = terrain.places(height_map, mine, Sight(matrix, (int(count[0]), int(count[1])), exaggeration))
        heights = np.where(places[..., 3] > 0, places[..., 1], np.float32(np.nan))
        yield slice(first[1], first[1] + count[1]), slice(first[0], first[0] + count[0]), heights


def _pixels(points: Floats, matrix: Floats, size: Size) -> Floats:
    clip = points @ matrix[:3] + matrix[3]
    return (clip[:, :2] / np.where(clip[:, 3:] > 0, clip[:, 3:], np.nan) + 1) / 2 * np.array(size)
