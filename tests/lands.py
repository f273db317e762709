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


def component_sizes(mask):
    """Return the numbers of cells of the 4-connected parts of `mask`."""
    label = np.where(mask, np.arange(mask.size).reshape(mask.shape), -1)
    while True:
        wider = label.copy()
        for axis in (0, 1):
            for way in (1, -1):
                moved = np.roll(label, way, axis)
                edge = [slice(None)] * 2
                edge[axis] = 0 if way == 1 else -1
                moved[tuple(edge)] = -1
                wider = np.where(mask, np.maximum(wider, moved), -1)
        if (wider == label).all():
            return np.unique(label[mask], return_counts=True)[1]
        label = np.where(mask, wider.ravel()[wider], -1)  # a label is a cell of the same part: follow its own
