"""What the tests of the ground around a land share."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from tests.ground_around import CELL_M, LOW_M, NO_SKY, Alone, frames_around
from tests.lands import RUGGED, rolling


@pytest.fixture(scope="module", autouse=True)
def _half_as_fine(half_as_fine):
    """Those who want it as fine as it is in pictures say so."""


@pytest.fixture(scope="module")
def land():
    return HeightField(rolling(97, 129, 150.0), (CELL_M, CELL_M))


@pytest.fixture(scope="module")
def scene():
    """A scene without ground around its land, and without shadows, which cost twice as much as all the rest of it.

    Its eye is so low that it sees no farther than it would from the ground.
    """
    return scenes.load(RUGGED).replace({"view.surroundings": "plain", "sun.shadows": False, "camera.y": LOW_M})


@pytest.fixture(scope="module")
def alone(context):
    return Alone(context)


@pytest.fixture(scope="module")
def frames(context, land, scene):
    """The frames around `land`, the finest first."""
    return frames_around(context, land, scene)


@pytest.fixture(scope="module")
def island():
    """A hill of 200 m with a shelf around it in a sea 60 m deep, in which its border lies; the sea's level is 0."""
    z, x = np.meshgrid(np.linspace(-1, 1, 129), np.linspace(-1, 1, 129), indexing="ij")
    out = np.hypot(z, x)
    heights = np.interp(out, [0.0, 0.4, 0.7, 0.9], [200.0, 2.0, -8.0, -60.0])
    return HeightField(heights.astype(np.float32), (CELL_M, CELL_M))


OTHERS = {
    "other heights": (97, 129, CELL_M),
    "a coarse grid": (25, 33, 4 * CELL_M),
    "another size": (97, 129, 2 * CELL_M),
}
"""Rows, columns and metres a cell of lands with other hills than `land`."""


@pytest.fixture(params=OTHERS.values(), ids=OTHERS)
def changed(request):
    rows, columns, cell_m = request.param
    return HeightField(rolling(rows, columns, 300.0, seed=9), (cell_m, cell_m))


@pytest.fixture(scope="module")
def without_sky(context):
    """Renderers that leave the sky out, by the samples of a frame."""
    return {samples: Renderer(context, NO_SKY, multisamples=samples) for samples in (1, 4)}
