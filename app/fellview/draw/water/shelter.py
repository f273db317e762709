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

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Cell = TypeVar("_Cell", bound=np.generic)

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
    energy = np.zeros(wet.shape, np.float32)
    for turned, way_m in ((False, cell_m[0]), (True, cell_m[1])):
        for back in (False, True):
            _carry(
                _seen(energy, turned=turned, back=back),
                _seen(wet, turned=turned, back=back),
                np.float32(way_m / full_m),
            )
    return 1 - np.sqrt(np.minimum(energy[inside], 1.0))


def _seen(grid: NDArray[_Cell], *, turned: bool, back: bool) -> NDArray[_Cell]:
    """Return a view of `grid` whose first row is the one that waves of a direction come to first."""
    rows = grid.T if turned else grid
    return rows[::-1] if back else rows


def _carry(energy: NDArray[np.float32], wet: NDArray[np.bool_], grows: np.float32) -> None:
    """Raise `energy` to what waves bring that come to its first row and go on from row to row."""
    coming = np.empty((len(_WAYS), energy.shape[1] + 2), np.float32)
    coming[:, 1:-1] = wet[0]  # beyond the border
    left, straight, right = (_WAYS[:, way, None] for way in range(3))
    for row, sea in zip(energy, wet, strict=True):
        coming[:, 0], coming[:, -1] = coming[:, 1], coming[:, -2]
        here = left * coming[:, :-2] + straight * coming[:, 1:-1] + right * coming[:, 2:] + grows
        np.maximum(row, here.max(axis=0), out=row)
        np.multiply(np.minimum(here, 1.0), sea, out=coming[:, 1:-1])
