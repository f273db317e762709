"""Landforms meet the ground alike on both engines; `test_step_parity.py` walks their kinds."""

import numpy as np
import pytest

from fellview.core.progress import Progress
from fellview.gpu.twin import GpuLand
from fellview.gpu.twins.landform import TWIN
from fellview.terrain import landform
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms.form import BLENDS
from tests.parity.twins import finished

# cells longer along x than along z, and a domain that is not square
GRID = Grid(rows=120, columns=150, size_x=4000.0, size_z=2500.0)


def on_both(passes, parameters, domain):
    """Return what CPU and GPU lay over the same rough ground."""
    ground = np.random.default_rng(2).normal(0, 20, (domain.grid.rows, domain.grid.columns)).astype(np.float32)
    cpu = landform.run(parameters, domain, ground, Progress())
    made, _ = finished(TWIN.run(passes, parameters, domain, GpuLand(passes.upload(ground))))
    return cpu, passes.read(made.heights)


def natural(domain, **values):
    return landform.natural(landform.Landform1(**values), domain)


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("kind", ["plateau", "basin", "islands"])
def test_blends_agree(passes, kind, blend):
    domain = Domain(GRID, 3)
    cpu, gpu = on_both(passes, natural(domain, kind=kind, blend=blend, smoothness=40.0, base=15.0), domain)
    assert (np.abs(cpu - gpu) > 1e-4 * np.ptp(cpu)).mean() < 2e-3
