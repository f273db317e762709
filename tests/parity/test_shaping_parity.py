"""Steps that bend, reshape and smooth the land give the same on the GPU as on the CPU."""

import numpy as np
import pytest

from fellview.gpu.twin import GpuLand
from fellview.gpu.twins import curve as curve_twin
from fellview.gpu.twins import edge as edge_twin
from fellview.gpu.twins import perturb_smooth as perturb_twin
from fellview.gpu.twins import smooth_radius as smooth_twin
from fellview.gpu.twins import terrace as terrace_twin
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.steps import curve, edge, perturb, smooth, terrace
from fellview.terrain.steps.curve import Curve
from fellview.terrain.steps.edge import Edge
from fellview.terrain.steps.perturb import Perturb
from fellview.terrain.steps.smooth import Smooth
from fellview.terrain.steps.terrace import Terrace
from tests.lands import rolling
from tests.parity.twins import finished

CASES = [
    (perturb.STEP, perturb_twin.TWIN, Perturb(mode="smooth")),
    (perturb.STEP, perturb_twin.TWIN, Perturb(mode="smooth", reach=25.0, bend_frequency=16.0, octaves=8)),
    (curve.STEP, curve_twin.TWIN, Curve(enabled=True)),
    (curve.STEP, curve_twin.TWIN, Curve(enabled=True, lower=60.0, middle=40.0, upper=90.0)),
    (terrace.STEP, terrace_twin.TWIN, Terrace(enabled=True, irregularity=0.0)),
    (terrace.STEP, terrace_twin.TWIN, Terrace(enabled=True, strength=1.0, sharpness=1.0, irregularity=1.0)),
    *((edge.STEP, edge_twin.TWIN, Edge(enabled=True, shape=shape)) for shape in edge.SHAPES),
    (smooth.STEP, smooth_twin.TWIN, Smooth(mode="radius", radius=0.05)),
    (smooth.STEP, smooth_twin.TWIN, Smooth(mode="radius")),
    (smooth.STEP, smooth_twin.TWIN, Smooth(mode="radius", radius=25.0)),
]
# rounding of heights and of places, times the steepest slope that a step makes: a riser is ten times the land's
TOLERANCE = 2e-4


@pytest.mark.parametrize(("rows", "columns"), [(96, 130), (67, 33), (2, 3)])
@pytest.mark.parametrize(("step", "twin", "parameters"), CASES, ids=lambda value: getattr(value, "key", ""))
def test_the_twin_gives_the_same_land(passes, step, twin, parameters, rows, columns):
    domain = Domain(Grid(rows=rows, columns=columns, size_x=300.0, size_z=200.0), 7)
    heights = rolling(rows, columns, 30.0)
    there, fractions = finished(twin.run(passes, parameters, domain, GpuLand(passes.upload(heights))))
    assert twin.covers(parameters)
    assert fractions == sorted(fractions) and all(0 < fraction <= 1 for fraction in fractions)
    here = step.run(parameters, domain, heights, Progress())
    np.testing.assert_allclose(passes.read(there.heights), here, rtol=0, atol=TOLERANCE * np.ptp(heights))


@pytest.mark.parametrize(("step", "twin", "parameters"), CASES, ids=lambda value: getattr(value, "key", ""))
def test_a_twin_that_is_closed_half_way_leaves_its_input_alone(passes, step, twin, parameters):
    domain = Domain(Grid(rows=20, columns=30), 7)
    heights = rolling(20, 30, 30.0)
    below = passes.upload(heights)
    work = twin.run(passes, parameters, domain, GpuLand(below))
    next(work, None)
    work.close()
    np.testing.assert_array_equal(passes.read(below), heights)
    finished(twin.run(passes, parameters, domain, GpuLand(below)))
    np.testing.assert_array_equal(passes.read(below), heights)
