"""Every step and every way of it on both engines, from the same heights: nothing is left out.

Where the output is continuous the largest difference is held, in metres on a land of some 400 m; where it jumps, the
share of cells that differ by more. What has no twin is computed by the CPU inside the GPU engine, and equal to the bit.
"""

import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.gpu.engine import TWINS, GpuEngine
from fellview.io import scenes
from fellview.noise import registry
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import hydraulic
from fellview.terrain.landforms import registry as landforms
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land
from fellview.terrain.steps import landform
from fellview.terrain.steps.edge import SHAPES
from fellview.terrain.steps.landform import SLOTS
from tests.lands import RUGGED

GRID = Grid(rows=160, columns=224, size_x=3500.0, size_z=2500.0)
AMPLITUDE_M = 400.0
FILE = GRID.replace(rows=90, columns=300)  # finer than the grid one way, coarser the other


@dataclass(frozen=True)
class Allowed:
    """What may differ: more than `metres` in at most `share` of the cells; `cpu_only` steps differ nowhere.

    Where `alike` is given, last bits grow without end: the change to the land then correlates by more than that.
    """

    metres: float = 0.0
    share: float = 0.0
    cpu_only: bool = False
    alike: float = 0.0
    grid: Grid = GRID


# 1e-5 of the range is what noise maps promise; float32 metres of 400 have a last bit of 3e-5
SMOOTH_NOISE = Allowed(metres=1e-5 * 2 * AMPLITUDE_M)
CPU_ONLY = Allowed(cpu_only=True)
# two levels of the pyramids, of which software OpenGL makes some seconds' work
CARVED = Allowed(alike=0.99, grid=GRID.replace(rows=70, columns=98))
# as noise maps, times the slopes of ridges and craters; a place on the border of two cells may fall either way
LAID = Allowed(metres=0.05, share=2e-3)

ONE_OF = {"landform2": "islands", "landform3": "cone", "landform4": "dunes"}
"""Slots of the first one's functions: one landform of theirs is walked beside all of its."""

WAYS = {
    # of each kind of noise the sum of several octaves; white noise has one, and jumps nowhere between equal coordinates
    **{("noise", kind): SMOOTH_NOISE for kind in registry.kinds()},
    # the same weights of the same cells, rounded twice, of heights up to 1000 m with a last bit of 6e-5
    ("imported", "replace"): Allowed(metres=1e-3),
    ("imported", "add"): Allowed(metres=1e-3),
    **{(slot.key, "none"): None for slot in SLOTS},
    **{("landform1", kind): LAID for kind in landforms.names()},
    **dict.fromkeys(ONE_OF.items(), LAID),
    # shifts of up to 32 cells from noise that is equal to 1e-6: one cell in some 10,000 rounds to its neighbour
    ("perturb", "demo"): Allowed(metres=0.0, share=1e-3),
    # noise equal to 1e-5 of its range bends by 1e-5 of the reach, over ground that rises some metres a cell
    ("perturb", "smooth"): Allowed(metres=2e-2),
    # a curve as steep as 3, of heights whose range is the same to the bit
    ("curve", ""): Allowed(metres=2e-3),
    # a riser is some ten times as steep as the slope it was cut from, and wanders by noise equal to 1e-5 of its range
    ("terrace", ""): Allowed(metres=2e-2),
    **{("edge", shape): Allowed(metres=1e-2) for shape in SHAPES},  # the same noise times the land's height
    ("erosion", "none"): None,  # never runs
    # in place and in raster order by definition
    ("erosion", "demo"): CPU_ONLY,
    # some 20 stages of sums of eight differences, each rounded to a last bit of 3e-5 m, in the same order
    ("erosion", "thermal"): Allowed(metres=2e-3),
    ("erosion", "fluvial"): CARVED,
    ("erosion", "hydraulic"): CARVED,
    # ribs turn with the fall line, which on nearly level discs is told from last bits
    ("crags", ""): Allowed(metres=2e-2, share=1e-3),
    # some dozen rounds that move metres by differences whose last bit is 3e-5 m
    ("scree", ""): Allowed(metres=1e-2),
    ("smooth", "demo"): CPU_ONLY,
    ("smooth", "radius"): Allowed(metres=2e-3),  # means of hundreds of cells, rounded a pass at a time
}
"""What each way of each step may differ by; a way is a choice of the step's `kind`, `mode`, `shape` or `blend`."""

MORE = {
    "noise": {"octaves": 5, "frequency": 3.2, "amplitude": AMPLITUDE_M},
    "erosion": {"threshold": 5.0, "iterations": 3},
    "smooth": {"iterations": 2},
    "curve": {"enabled": True},
    "terrace": {"enabled": True},
    "edge": {"enabled": True},
    "crags": {"enabled": True, "size": 300.0, "strength": 40.0, "slope": 15.0, "ledge_height": 120.0, "ledges": 0.8},
    "scree": {"enabled": True, "walls": 25.0, "angle": 20.0},
    "imported": {"enabled": True},
    **{slot.key: {"x": 43.0, "z": 61.0, "rotation": 33.0, "irregularity": 0.8} for slot in SLOTS},
}


@pytest.fixture(scope="module")
def engine(context):
    one = GpuEngine(context)
    yield one
    one.release()


def ways(step):
    """Return the choices of a step's `kind`, `mode`, `shape` or `blend`, or one empty text."""
    declared = step.parameters.declarations()
    name = next((name for name in ("kind", "mode", "shape", "blend") if name in declared), None)
    options = ("none", ONE_OF[step.key]) if step.key in ONE_OF else declared[name].options if name else ("",)
    return [(name, option) for option in options]


CASES = [(step, name, option) for step in STEPS for name, option in ways(step)]
every_way = pytest.mark.parametrize(
    ("step", "name", "option"), CASES, ids=[f"{step.key}-{option}" for step, _, option in CASES]
)


def test_every_way_of_every_step_is_listed():
    assert {(step.key, option) for step, _, option in CASES} == set(WAYS)


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


def ground(grid=GRID, seed=3):
    """Return heights that no twin made."""
    rng = np.random.default_rng(seed)
    z, x = np.mgrid[: grid.rows, : grid.columns] * (GRID.rows / grid.rows / 20.0)
    rough = rng.normal(0, 4, (grid.rows, grid.columns))
    return (200 * np.sin(x) * np.cos(0.7 * z) + 60 * np.sin(3.1 * x + z) + rough).astype(np.float32)


@every_way
def test_step(engine, step, name, option, tmp_path):
    allowed = WAYS[step.key, option]
    parameters = step.parameters(**({name: option} if name else {}), **MORE.get(step.key, {}))
    if allowed is None:
        assert not step.active(parameters)
        return
    domain = Domain(allowed.grid, 12)
    if "path" in step.parameters.declarations():
        np.save(tmp_path / "land.npy", ground(FILE, seed=4))
        parameters = parameters.replace(path=str(tmp_path / "land.npy"))
    if step.parameters in SLOTS:
        parameters = landform.natural(parameters, domain)
    assert step.active(parameters)
    below = None if step is STEPS[0] else Land(ground(allowed.grid))
    on_gpu = None if below is None else engine.from_cpu(below)
    cpu = CpuEngine().run(step, parameters, domain, below, Progress())
    gpu = engine.to_cpu(engine.run(step, parameters, domain, on_gpu, Progress()))
    assert gpu.fields.keys() == cpu.fields.keys()
    assert (engine.twin_of(step, parameters) is None) == allowed.cpu_only
    if allowed.alike:
        done = [(land.heights - below.heights).ravel() for land in (cpu, gpu)]
        print(f"{step.key} {option}: changes correlate by {np.corrcoef(*done)[0, 1]:.5f}")
        assert np.corrcoef(*done)[0, 1] > allowed.alike
        np.testing.assert_array_equal(engine.to_cpu(on_gpu).heights, below.heights)
        return
    apart = np.abs(gpu.heights.astype(np.float64) - cpu.heights)
    differing = np.count_nonzero(apart > allowed.metres) / apart.size
    print(f"{step.key} {option}: largest {apart.max():.2e} m, {differing:.2e} of the cells beyond what is allowed")
    assert differing <= allowed.share
    if below is not None:
        np.testing.assert_array_equal(engine.to_cpu(on_gpu).heights, below.heights)  # left alone
        moved = np.abs(cpu.heights - below.heights).max()
        assert moved > 100 * allowed.metres, "the step does something that its allowance does not hide"


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
from tests.parity.test_step_parity import CASES, WAYS, test_step

one = context.standalone()
assert context.version_text(one) == "3.3", context.version_text(one)
engine = GpuEngine(one)
with tempfile.TemporaryDirectory() as folder:
    for step, name, option in CASES:
        if WAYS[step.key, option] is not None and not WAYS[step.key, option].cpu_only:
            test_step(engine, step, name, option, Path(folder))
"""


@pytest.mark.slow
def test_oldest_opengl_takes_every_twin(engine):
    environment = os.environ | {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    ran = subprocess.run([sys.executable, "-c", OLDEST], env=environment, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr[-2000:]
