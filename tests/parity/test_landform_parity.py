"""Landforms meet the ground alike on both engines; `test_step_parity.py` walks their kinds."""

import itertools

import numpy as np
import pytest

from fellview.gpu.twin import GpuLand
from fellview.gpu.twins.landform import TWIN
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms.form import BLENDS
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform
from tests.parity.twins import finished
from tests.sampling import sampled

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


@sampled(
    "kind, blend", itertools.product(["plateau", "basin", "islands"], BLENDS), quick=1, each=lambda kind, blend: blend
)
def test_blends_agree(passes, kind, blend):
    domain = Domain(GRID, 3)
    cpu, gpu = on_both(passes, natural(domain, kind=kind, blend=blend, smoothness=40.0, base=15.0), domain)
    assert (np.abs(cpu - gpu) > 1e-4 * np.ptp(cpu)).mean() < 2e-3


# what the walk over all kinds, which takes their defaults, leaves out
@pytest.mark.parametrize(
    "values",
    [
        {"kind": "craters", "craters": 300, "small_craters": 1.0, "peaks_above": 10.0},
        {"kind": "dunes", "small_dunes": 1.0, "defects": 0.8, "rotation": 33.0, "irregularity": 1.0},
        {"kind": "islands", "shallows": 0.8},
        {"kind": "canyon", "bed": 12.0, "floor": 20.0},
        {"kind": "coast", "stacks": 1.0, "rotation": 33.0, "x": 40.0},
    ],
    ids=lambda values: values["kind"],
)
def test_what_landforms_may_have_agrees(passes, values):
    domain = Domain(GRID, 3)
    cpu, gpu = on_both(passes, natural(domain, **values), domain)
    assert (np.abs(cpu - gpu) > 1e-4 * np.ptp(cpu)).mean() < 2e-3


@pytest.mark.parametrize(("kind", "blend"), [("ridge", "minimum"), ("basin", "maximum")])
def test_forms_agree_a_million_of_their_sizes_away(passes, kind, blend):
    domain = Domain(Grid(rows=40, columns=50, size_x=1e6, size_z=1.0), 3)
    parameters = landform.Landform1(kind=kind, blend=blend, irregularity=0.0, height=50.0)
    cpu, gpu = on_both(passes, parameters, domain)
    assert np.abs(cpu).max() == 1e6 == np.abs(gpu).max()
    np.testing.assert_allclose(gpu, cpu, rtol=1e-4)
