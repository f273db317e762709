"""Landforms laid over level ground, and what is measured of them."""

import numpy as np

from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform

SQUARE = Grid(rows=512, columns=512, size_x=4000.0, size_z=4000.0)
OBLONG = Grid(rows=300, columns=640, size_x=6000.0, size_z=4500.0)  # cells 9.4 m along x, 15 m along z
REGULAR = {"irregularity": 0.0}


def lay(grid, seed=1, ground=0.0, natural=True, **values):
    """Return the heights of one landform over level `ground`, and its parameters."""
    domain = Domain(grid, seed)
    one = landform.Landform1(kind=values.pop("kind"))
    if natural:
        one = landform.natural(one, domain)
    one = one.replace(**values)
    below = np.full((grid.rows, grid.columns), ground, np.float32)
    return landform.run(one, domain, below, Progress()).astype(float), one


def from_middle(grid, x=50.0, z=50.0):
    """Return metres from a place in % of the domain, along x and along z."""
    rows, columns = np.mgrid[: grid.rows, : grid.columns]
    return (columns / grid.columns - x / 100) * grid.size_x, (rows / grid.rows - z / 100) * grid.size_z


def slope_degrees(heights, grid):
    dz, dx = np.gradient(heights, *grid.cell_size)
    return np.degrees(np.arctan(np.hypot(dx, dz)))


def place_of(one, grid, seed=1):
    return landform._place(one, Domain(grid, seed))[0]
