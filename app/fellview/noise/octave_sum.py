"""A sum of octaves over a regular grid: what is asked for, in the numbers that every kind's grid is filled from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.noise import fractal
from fellview.noise.evaluate import Request
from fellview.noise.fractal import Octave


@dataclass(frozen=True)
class OctaveSum:
    """Octaves of `asked` over a grid of `frequency` cycles, at `z` and `w`, times `amplitude`."""

    asked: Request
    octaves: list[Octave]
    frequency: float
    z: float
    w: float
    amplitude: float

    @property
    def mode(self) -> int:
        """The kernels' code of how octaves add up."""
        return fractal.MODES.index(self.asked.sum.fractal)

    @property
    def scale(self) -> float:
        """What the sum is multiplied by."""
        return 0.5 * self.amplitude if self.asked.unit_range else self.amplitude

    @property
    def bias(self) -> np.float32:
        """What is added to the sum then."""
        return np.float32(0.5 * self.amplitude if self.asked.unit_range else 0.0)

    @property
    def amplitudes(self) -> NDArray[np.float32]:
        """How strong each octave is, `scale` included, float32 (octaves,)."""
        return np.array([self.scale * octave.amplitude for octave in self.octaves], np.float32)

    @property
    def factors(self) -> NDArray[np.float64]:
        """How much finer each octave is than the sum, float64 (octaves,)."""
        return np.array([octave.factor for octave in self.octaves])

    @property
    def shifts(self) -> NDArray[np.float64]:
        """Where each octave is read at the origin, float64 (octaves, 4)."""
        return np.array([octave.shift for octave in self.octaves])

    @property
    def depths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where each octave's slice lies along z and along w, in cells, float64 (octaves,)."""
        return self.z * self.factors + self.shifts[:, 2], self.w * self.factors + self.shifts[:, 3]

    def positions(self, count: int, axis: int) -> NDArray[np.float64]:
        """Return where the grid's `count` rows (axis 0) or columns (1) lie in each octave, float64 (octaves, count)."""
        return self.frequency * self.factors[:, None] * np.arange(count) / count + self.shifts[:, axis, None]

    def cells(self, count: int, axis: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the lattice cells of those positions, int64, and the offsets within them, float64."""
        positions = self.positions(count, axis)
        cell = np.floor(positions)
        return cell.astype(np.int64), positions - cell
