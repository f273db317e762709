"""Random fields that steps bend or fray the land with: the same land in metres on every grid.

    N(r, c) = Σ aᵢ · S(fᵢ·r/R, fᵢ·c/C),   fᵢ = f·2ⁱ,   aᵢ ∝ gainⁱ,   Σ aᵢ = 1

S is two-dimensional simplex noise, which shows no lattice in the light. Octaves finer than two samples a cycle are left
out, and the others keep their strength. N lies within ±1; its standard deviation is about a third.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import Heights
from fellview.noise import fractal, grids, hash

KIND, DIMENSION = "simplex", 2
LACUNARITY = 2.0


@dataclass(frozen=True)
class FractalField:
    """One random field: `frequency` in cycles across the land, and a `seed` that `seed_of` made."""

    frequency: float
    octaves: int
    gain: float
    seed: int

    def kept(self, rows: int, columns: int) -> int:
        """Return how many octaves a grid shows."""
        return fractal.within_nyquist(self.frequency, LACUNARITY, self.octaves, rows, columns)

    def share(self, rows: int, columns: int) -> float:
        """Return the part of the whole sum's amplitude that a grid shows, up to 1."""
        weights = [self.gain**octave for octave in range(self.octaves)]
        return sum(weights[: self.kept(rows, columns)]) / sum(weights)

    def drawn(self, rows: int, columns: int, amplitude: float, cancel: NDArray[np.uint8]) -> Heights:
        """Return the field times `amplitude`, float32 [row, column]."""
        return grids.kept(
            KIND,
            rows,
            columns,
            self.frequency,
            self.kept(rows, columns),
            DIMENSION,
            self.seed,
            amplitude=amplitude,
            cancel=cancel,
            octaves=self.octaves,
            lacunarity=LACUNARITY,
            gain=self.gain,
        )


def seed_of(seed: int, purpose: int) -> int:
    """Return the seed of the field for `purpose` in a scene of `seed`, so that no field repeats another or the base."""
    return hash.start_number(hash.start_number(seed) ^ purpose)
