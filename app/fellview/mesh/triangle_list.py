"""Builds the triangle list of a height field, as the DirectX demo did.

Positions x = c·cell_x, y = h, z = r·cell_z. Every cell has one face normal, (v3 − v1) × (v2 − v1) of its corners
v1 = [r, c], v2 = [r, c+1], v3 = [r+1, c], not normalised; a vertex normal is the mean of its up to four cells' face
normals, normalised. Texture coordinates are (k·c/C, k·(1 − r/R)). Each cell gives two triangles, (rc, r+1 c, r+1 c+1)
and (rc, r+1 c+1, r c+1). The world is left-handed, y up; readers in other conventions convert in `io/`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField

Floats = NDArray[np.float32]

TEXTURE_REPEATS = 10.0
"""How often the demo's texture repeats across the land."""

_BYTES_A_CELL = 6 * 8 * 4  # six corners of eight float32


@dataclass(frozen=True)
class Mesh:
    """A triangle list: `vertices`, float32 (corners, 8), holds x y z, nx ny nz, u v; three corners are a triangle."""

    vertices: Floats


def positions(field: HeightField) -> Floats:
    """Return the vertex positions in metres, float32 [row, column, xyz]."""
    rows, columns = field.heights.shape
    cell_z, cell_x = np.float32(field.cell_size[0]), np.float32(field.cell_size[1])
    place = np.empty((rows, columns, 3), np.float32)
    place[..., 0] = np.arange(columns, dtype=np.float32) * cell_x
    place[..., 1] = field.heights
    place[..., 2] = (np.arange(rows, dtype=np.float32) * cell_z)[:, None]
    return place


def normals(field: HeightField) -> Floats:
    """Return the averaged, normalised face normals, float32 [row, column, xyz]."""
    place = positions(field)
    corner = place[:-1, :-1]
    face = np.cross(place[1:, :-1] - corner, place[:-1, 1:] - corner)
    total = np.zeros_like(place)
    # each face counts at its four corners; the mean's divisor falls out when the sum is normalised
    total[:-1, :-1] += face
    total[:-1, 1:] += face
    total[1:, :-1] += face
    total[1:, 1:] += face
    normal: Floats = total / np.linalg.norm(total, axis=-1, keepdims=True)
    return normal


def texture_coordinates(field: HeightField, repeats: float = TEXTURE_REPEATS) -> Floats:
    """Return texture coordinates that repeat `repeats` times across the land, float32 [row, column, uv]."""
    rows, columns = field.heights.shape
    coordinates = np.empty((rows, columns, 2), np.float32)
    coordinates[..., 0] = repeats * (np.arange(columns, dtype=np.float32) / columns)
    coordinates[..., 1] = (repeats * (1 - np.arange(rows, dtype=np.float32) / rows))[:, None]
    return coordinates


def build_mesh(field: HeightField) -> Mesh:
    """Return the triangle list of `field`; `InputError` where it does not fit into memory."""
    try:
        corners = np.concatenate([positions(field), normals(field), texture_coordinates(field)], axis=-1)
        first = corners[:-1, :-1]
        right = corners[:-1, 1:]
        below = corners[1:, :-1]
        across = corners[1:, 1:]
        vertices = np.stack([first, below, across, first, across, right], axis=2).reshape(-1, 8)
    except MemoryError:
        rows, columns = field.rows - 1, field.columns - 1
        raise InputError(
            f"mesh of {rows} × {columns} cells: its triangles alone need {rows * columns * _BYTES_A_CELL >> 20} MB of"
            " memory, more than there is; take a smaller grid"
        ) from None
    vertices.flags.writeable = False
    return Mesh(vertices)
