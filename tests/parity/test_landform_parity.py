"""Landforms: the GLSL twins give the heights that the CPU gives."""

import numpy as np
import pytest

from fellview.core.errors import FellviewError
from fellview.core.progress import Progress
from fellview.gpu import context as contexts
from fellview.gpu.grid_passes import GridPasses
from fellview.gpu.twin import GpuLand
from fellview.gpu.twins.landform import TWIN
from fellview.terrain import landform
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import registry
from fellview.terrain.landforms.form import BLENDS

# cells longer along x than along z, and a domain that is not square
GRID = Grid(rows=120, columns=150, size_x=4000.0, size_z=2500.0)
TURNED = {"x": 43.0, "z": 61.0, "rotation": 33.0, "irregularity": 0.8}


@pytest.fixture(scope="module")
def passes():
    try:
        context = contexts.standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    one = GridPasses(context)
    yield one
    one.release()
    context.release()


def on_both(passes, parameters, domain):
    """Return what CPU and GPU lay over the same rough ground."""
    ground = np.random.default_rng(2).normal(0, 20, (domain.grid.rows, domain.grid.columns)).astype(np.float32)
    cpu = landform.run(parameters, domain, ground, Progress())
    work = TWIN.run(passes, parameters, domain, GpuLand(passes.upload(ground)))
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cpu, passes.read(end.value.heights)


def natural(domain, **values):
    return landform.natural(landform.Landform1(**values), domain)


@pytest.mark.parametrize("kind", registry.names())
@pytest.mark.parametrize("seed", [1, 7])
def test_twins_agree(passes, kind, seed):
    domain = Domain(GRID, seed)
    cpu, gpu = on_both(passes, natural(domain, kind=kind, **TURNED), domain)
    apart = np.abs(cpu - gpu) / np.ptp(cpu)
    # a place on the border of two cells of a noise or of a list may fall either way
    assert (apart > 1e-4).mean() < 2e-3, np.sort(apart.ravel())[-5:]
    assert np.median(apart) < 2e-6


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("kind", ["plateau", "basin", "islands"])
def test_blends_agree(passes, kind, blend):
    domain = Domain(GRID, 3)
    cpu, gpu = on_both(passes, natural(domain, kind=kind, blend=blend, smoothness=40.0, base=15.0), domain)
    assert (np.abs(cpu - gpu) > 1e-4 * np.ptp(cpu)).mean() < 2e-3
