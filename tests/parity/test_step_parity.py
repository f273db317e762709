"""Every step and every way of it on both engines, from the same heights: nothing is left out.

Where the output is continuous the largest difference is held, in metres on a land of some 400 m; where it jumps, the
share of cells that differ by more. What has no twin is computed by the CPU inside the GPU engine, and equal to the bit.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

from fellview.bench import parity
from fellview.bench.parity import CASES, GRID, ONE_OF, WAYS
from fellview.core.height_field import HeightField
from fellview.gpu.engine import TWINS, GpuEngine
from fellview.io import scenes
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import hydraulic
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps.landform import SLOTS
from tests.lands import RUGGED


@pytest.fixture(scope="module")
def engine(context):
    one = GpuEngine(context)
    yield one
    one.release()


every_way = pytest.mark.parametrize(
    ("step", "name", "option"), CASES, ids=[f"{step.key}-{option}" for step, _, option in CASES]
)


def test_what_is_listed_is_a_way_of_a_step():
    assert {(step.key, option) for step, _, option in CASES} >= set(WAYS)


def test_every_twin_is_of_a_step():
    assert set(TWINS) <= {step.key for step in STEPS}


def test_slots_share_what_is_walked_for_the_first():
    steps = {step.key: step for step in STEPS}
    first = steps["landform1"]
    assert {"landform1", *ONE_OF} == {slot.key for slot in SLOTS}
    for key in ONE_OF:
        assert steps[key].run is first.run and TWINS[key] == TWINS["landform1"]
        ours, theirs = steps[key].parameters.declarations(), first.parameters.declarations()
        assert ours["kind"].options == theirs["kind"].options


@every_way
def test_step(engine, step, name, option, tmp_path):
    case = parity.step_case(step, name, option, tmp_path)
    if option == "none":
        assert not case.active
        return
    assert case.active
    allowed, below = case.allowed, case.below
    on_gpu = None if below is None else engine.from_cpu(below)
    cpu = case.on_cpu()
    gpu = engine.to_cpu(engine.run(step, case.parameters, case.domain, on_gpu, Progress()))
    assert gpu.fields.keys() == cpu.fields.keys()
    assert (engine.twin_of(step, case.parameters) is None) == allowed.cpu_only
    apart = case.apart(cpu, gpu)
    print(f"{step.key} {option}: {apart}")
    assert case.holds(apart)
    if below is not None:
        np.testing.assert_array_equal(engine.to_cpu(on_gpu).heights, below.heights)  # left alone
        assert apart.moved_m > 100 * allowed.metres, "the step does something that its allowance does not hide"


RECIPES = {
    "rugged": (RUGGED, {}),
    "demo": ("directx-demo", {}),
    "scree": (RUGGED, {"erosion.kind": "thermal", "smooth.iterations": 0}),
    "ridges": (RUGGED, {"noise.fractal": "ridged", "noise.kind": "simplex", "erosion.kind": "thermal"}),
    "rivers": (RUGGED, {"erosion.kind": "fluvial"}),
    "rain": (RUGGED, {"erosion.kind": "hydraulic"}),
    "crags": (RUGGED, {"erosion.kind": "thermal", "crags.enabled": True, "crags.slope": 15.0}),
    "fans": (RUGGED, {"smooth.iterations": 0, "scree.enabled": True, "scree.walls": 25.0, "scree.angle": 20.0}),
    "islands": (RUGGED, {"landform1.kind": "islands", "landform2.kind": "cone", "erosion.kind": "thermal"}),
}


def sorted_shares(values, bins):
    return np.histogram(values, bins)[0] / values.size


def test_noise_that_is_off_is_a_plain(engine):
    parameters = STEPS[0].parameters(enabled=False)
    handle = engine.run(STEPS[0], parameters, Domain(GRID, 12), None, Progress())
    assert engine.to_cpu(handle).heights.shape == (GRID.rows, GRID.columns)
    assert (handle.extremes.low, handle.extremes.high) == (0, 0)


class Keeping(Progress):
    """Progress that is told to keep what there is once a step has come to the iteration `at`."""

    def __init__(self, at):
        super().__init__()
        self._at = at

    def report(self, step, fraction, iteration=0, iterations=0):
        assert 0 <= iteration <= iterations and 0 <= fraction <= 1
        self.keep[0] = iteration >= self._at


@pytest.mark.parametrize("kind", ["thermal", "fluvial", "hydraulic"])
def test_what_is_kept_is_what_stopping_there_gives(engine, kind):
    """On the GPU to the bit; so `stop_after` in a recipe says the whole of it."""
    scene = scenes.load(RUGGED).replace({"erosion.kind": kind, "grid.rows": 48, "grid.columns": 70})
    pipeline = Pipeline(engine)
    kept = pipeline.run(scene.terrain_groups(), Keeping(at=2))
    reached = kept.changed["erosion"].stop_after
    assert reached >= 2
    again = pipeline.run({**scene.terrain_groups(), **kept.changed})
    assert all(time.remembered for time in again.times)
    afresh = Pipeline(engine).run({**scene.terrain_groups(), **kept.changed}).field
    np.testing.assert_array_equal(kept.field.heights, afresh.heights)
    assert not np.array_equal(kept.field.heights, pipeline.run(scene.terrain_groups()).field.heights)


@pytest.mark.parametrize("recipe", RECIPES)
def test_whole_run(engine, recipe):
    """Where last bits grow, as in steps that compare heights, cells differ; what a land is like must not."""
    preset, changes = RECIPES[recipe]
    scene = scenes.load(preset).replace({"grid.rows": 96, "grid.columns": 128, **changes})
    cpu = Pipeline(CpuEngine()).run(scene.terrain_groups()).field
    gpu = Pipeline(engine).run(scene.terrain_groups()).field
    span = np.ptp(cpu.heights)
    area = cpu.cell_size[0] * cpu.cell_size[1]
    # mass: the mean height, to 1/1000 of the range
    assert abs(float(cpu.heights.mean(dtype=np.float64) - gpu.heights.mean(dtype=np.float64))) < 1e-3 * span
    # hypsometric curve: height by share of the land
    curves = [np.quantile(field.heights, np.linspace(0.01, 0.99, 50)) for field in (cpu, gpu)]
    assert np.abs(curves[0] - curves[1]).max() < 5e-3 * span
    # slopes and drainage areas: the shares that fall into each bin
    slopes = [sorted_shares(masks.slope(field.heights, field.cell_size), np.arange(0, 95, 5)) for field in (cpu, gpu)]
    assert np.abs(slopes[0] - slopes[1]).max() < 0.01
    bins = area * 2.0 ** np.arange(-0.5, 17)
    drained = [sorted_shares(masks.drainage_area(field.heights, field.cell_size), bins) for field in (cpu, gpu)]
    assert np.abs(drained[0] - drained[1]).max() < 0.01
    # what erosion did, from the base that each engine made
    done = [field.masks["deposition_depth"] - field.masks["erosion_depth"] for field in (cpu, gpu)]
    assert np.corrcoef(done[0].ravel(), done[1].ravel())[0, 1] > 0.99
    assert set(gpu.masks) == set(cpu.masks)
    for name in set(cpu.masks) & {field.name for field in hydraulic.FIELDS}:
        assert gpu.masks[name].mean() == pytest.approx(cpu.masks[name].mean(), rel=0.05)
    assert gpu.height_range == (gpu.heights.min(), gpu.heights.max())
    np.testing.assert_array_equal(gpu.block_tops, HeightField(gpu.heights, gpu.cell_size).block_tops)


OLDEST = """
import tempfile
from pathlib import Path

from fellview.terrain.progress import Progress
from fellview.gpu import context
from fellview.gpu.engine import GpuEngine
from fellview.bench.parity import CASES, WAYS
from tests.parity.test_step_parity import test_step

one = context.standalone()
assert context.version_text(one) == "3.3", context.version_text(one)
engine = GpuEngine(one)
with tempfile.TemporaryDirectory() as folder:
    for step, name, option in CASES:
        if (step.key, option) in WAYS and not WAYS[step.key, option].cpu_only:
            test_step(engine, step, name, option, Path(folder))
"""


@pytest.mark.slow
def test_oldest_opengl_takes_every_twin(engine):
    environment = os.environ | {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    ran = subprocess.run([sys.executable, "-c", OLDEST], env=environment, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr[-2000:]
