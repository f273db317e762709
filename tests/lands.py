"""Lands to try steps on: the same land in metres on every grid."""

import numpy as np

from fellview.io import scenes
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.steps import noise
from fellview.terrain.steps.noise import Noise

RUGGED = scenes.MEASURED
"""A scene that stays as it is, whatever becomes of the presets: noise, the demo's perturbation and erosion, a sky."""


def rolling(rows, columns, amplitude, octaves=4, frequency=3.0, seed=5):
    """Return smooth hills, float32 [row, column], whose finest octave every grid of 64 cells a side shows."""
    parameters = Noise(kind="simplex", frequency=frequency, amplitude=amplitude, octaves=octaves, seed=seed)
    grid = Grid(rows=rows, columns=columns)
    return noise.run(parameters, Domain(grid, seed), np.zeros((rows, columns), np.float32), Progress())
