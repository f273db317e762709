"""How sheltered the sea is: at each place, how much lower waves stand than on the open sea.

The energy E of waves, the square of their height over that of the open sea's, is carried over a coarse grid in twenty
directions, a row or a column of cells at a time, and what a place has is the most that comes from any of them, since
waves turn to the shore:

    E' = a E(left) + b E(straight) + c E(right) + dx / F        and 0 on land

- The weights turn a direction by up to 45° and spread what it carries, which takes waves around rocks and headlands and
  into bays that open sideways, and weakens them in narrow channels.
- Over a way dx the wind raises them again: their energy grows as the fetch until, after F, it is the open sea's.
- Beyond the border of the land the sea is open, where there is any. A land that goes on there is mirrored first, for
  some cells: a pool that the border cuts were open else.

So a hollow below the sea's level that no way leads to has no waves but those that are raised on it. Rejected: waves no
higher than depths on their way let stand, which left shelves without the foam that drifts in over them.

References: K. Hasselmann et al., "Measurements of wind-wave growth and swell decay during the Joint North Sea Wave
Project" (1973): H = 0.0016 √(g F) U / g; W. J. Pierson, L. Moskowitz (1964), doi:10.1029/JZ069i024p05181: 0.24 U² / g
on the open sea, so F = 22,500 U² / g.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GRAVITY = 9.81
_FULL_FETCH = (0.24 / 0.0016) ** 2  # in U² / g
_LEAST_WIND = 0.1  # m/s: none at all would raise waves without end
# a, b and c by direction: waves move aside by -0.8 to 0.8 of a cell, with a variance of about a quarter of one
_WAYS = np.array([(0.8, 0.2, 0), (0.5, 0.5, 0), (0.25, 0.5, 0.25), (0, 0.5, 0.5), (0, 0.2, 0.8)], np.float32)


def sheltered(
    wet: NDArray[np.bool_], cell_m: tuple[float, float], wind: float, mirrored: int = 0
) -> NDArray[np.float32]:
    """Return how much lower than the open sea's waves are, 0 on it to 1 where there are none, float32 [row, column].

    `wet` is where there is sea, cells are `cell_m` (z, x) wide, and the `wind` is in m/s. Beyond the border lie as many
    cells as are `mirrored`, at most those that there are, and then open sea. The first land behind the sea
    has what comes to it, so that readings between cells hold on the shore.
    """
    full_m = _FULL_FETCH * max(wind, _LEAST_WIND) ** 2 / _GRAVITY
    inside = tuple(slice(mirrored, mirrored + side) for side in wet.shape)
    wet = np.pad(wet, mirrored, mode="symmetric")
    rows, columns = (_carried(one, np.float32(way_m / full_m)) for one, way_m in zip((wet, wet.T), cell_m, strict=True))
    return 1 - np.sqrt(np.minimum(np.maximum(rows, columns.T)[inside], 1.0))


def _carried(wet: NDArray[np.bool_], grows: np.float32) -> NDArray[np.float32]:
    """Return the most energy that waves bring that go on from row to row, those from the first and from the last."""
    both = np.stack([wet, wet[::-1]])  # each with the row first that its waves come to first
    brought = np.empty(both.shape, np.float32)
    coming = np.empty((2, len(_WAYS), wet.shape[1] + 2), np.float32)
    coming[..., 1:-1] = both[:, :1]  # beyond the border
    left, straight, right = (_WAYS[:, way, None] for way in range(3))
    for number in range(len(wet)):
        coming[..., 0], coming[..., -1] = coming[..., 1], coming[..., -2]
        here = left * coming[..., :-2]
        here += straight * coming[..., 1:-1]
        here += right * coming[..., 2:]
        here += grows
        here.max(axis=1, out=brought[:, number])
        np.multiply(np.minimum(here, 1.0), both[:, number, None], out=coming[..., 1:-1])
    return np.maximum(brought[0], brought[1, ::-1])
