"""A very first start compiles on two processors: one process waits for the other, and never for ever."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

from fellview.compute import warm_up
from fellview.core import garbage
from fellview.core.compiled import Kernel
from fellview.core.errors import Cancelled
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import crags, erosion

SMALL = {"grid.rows": 48, "grid.columns": 64}
RIVERS = scenes.load(scenes.OPENING_PRESET).replace(SMALL)


class Waits:
    """Sleeps no time: at the third wait something happens."""

    def __init__(self):
        self.then = lambda: None
        self.times = 0

    def __call__(self, seconds):
        self.times += 1
        if self.times == 3:
            self.then()


@pytest.fixture
def elsewhere():
    return np.ones(1, np.uint8)


@pytest.fixture
def waits():
    return Waits()


@pytest.fixture
def serial():
    return np.zeros(1, np.uint8)


@pytest.fixture
def engine(elsewhere, serial, waits):
    engine = warm_up.SharedEngine(elsewhere, np.zeros(1, np.uint8), serial, waits)
    engine.groups = RIVERS.terrain_groups()
    return engine


@pytest.fixture
def parallel_forms(monkeypatch):
    """Whether parallel forms would do on a large grid, each time that a kernel's form is asked for."""
    found, fitting = [], Kernel.fitting

    def noted(kernel, cells):
        found.append(fitting(kernel, 1 << 20) is kernel)
        return fitting(kernel, cells)

    monkeypatch.setattr(Kernel, "fitting", noted)
    return found


def test_the_opening_scene_is_compiled_by_two_and_one_without_rivers_by_one():
    assert warm_up.helps(RIVERS.terrain_groups())
    assert not warm_up.helps(Scene().replace({**SMALL, "erosion.kind": "none"}).terrain_groups())
    warm_up.compile_erosion(RIVERS.terrain_groups())  # runs on the waves that it makes up


def test_erosion_waits_until_it_is_compiled_and_the_land_is_the_same(engine, elsewhere, waits):
    order = []

    class Noting(Progress):
        """Notes which step is at work whenever it asks whether it is still wanted."""

        def check(self):
            now = (engine.step, int(elsewhere[0]))
            if now != next(reversed(order), None):
                order.append(now)

    waits.then = lambda: elsewhere.fill(0)
    field = Pipeline(engine).run(engine.groups, Noting()).field
    assert [waits for key, waits in order if key == erosion.STEP.key] == [0]
    # what follows erosion was run once while that was compiled, and once in its turn
    assert [waits for key, waits in order if key == crags.STEP.key] == [1, 0]
    assert np.array_equal(field.heights, Pipeline(CpuEngine()).run(engine.groups).field.heights)


def test_land_is_shown_without_its_erosion_where_that_has_to_wait(engine, elsewhere, waits):
    shown = []
    engine.show = shown.append
    waits.then = lambda: elsewhere.fill(0)
    Pipeline(engine).run(engine.groups)
    later = STEPS[STEPS.index(erosion.STEP) + 1 :]
    bare = RIVERS.replace({"erosion.kind": "none"} | {f"{step.key}.enabled": False for step in later})
    (heights,) = shown
    assert np.array_equal(heights, Pipeline(CpuEngine()).run(bare.terrain_groups()).field.heights)
    Pipeline(engine).run(RIVERS.replace({"noise.seed": 7}).terrain_groups())
    assert len(shown) == 1, "what need not wait is shown as it is"


def test_forms_for_one_thread_are_compiled_before_the_others(parallel_forms):
    serial_forms = []
    warm_up.compile_erosion(RIVERS.terrain_groups(), lambda: serial_forms.append(len(parallel_forms)))
    (count,) = serial_forms
    assert 0 < count < len(parallel_forms)
    assert not any(parallel_forms[:count]) and all(parallel_forms[count:])


def test_erosion_runs_in_forms_for_one_thread_until_the_others_are_compiled(engine, elsewhere, serial, parallel_forms):
    elsewhere[0], serial[0] = 0, 1
    field = Pipeline(engine).run(engine.groups).field
    assert parallel_forms and not any(parallel_forms)
    serial[0] = 0
    parallel_forms.clear()
    assert np.array_equal(field.heights, Pipeline(engine).run(engine.groups).field.heights)
    assert parallel_forms and all(parallel_forms)


def test_a_job_that_waits_can_be_cancelled(engine, waits):
    cancel = np.zeros(1, np.uint8)
    waits.then = lambda: cancel.fill(1)
    with pytest.raises(Cancelled):
        Pipeline(engine).run(engine.groups, Progress(cancel))


def test_the_share_of_the_steps_grows_from_step_to_step(engine, elsewhere):
    elsewhere[0] = 0
    shares = []

    class Noting(Progress):
        def report(self, step, fraction, iteration=0, iterations=0):
            shares.append(engine.compiled)

    Pipeline(engine).run(engine.groups, Noting())
    assert shares[0] == 0.0
    assert shares == sorted(shares) and 0.5 < shares[-1] < 1


FIRST_START = """
import gc
from fellview.core import compiled

told = []
compiled.tell_compiling(lambda name: told.append((name, gc.isenabled())))

@compiled.kernel()
def double(number):
    return 2 * number

assert compiled.none_compiled()
assert gc.isenabled()
assert double(21) == 42
assert told == [("double", False)], told
assert gc.isenabled()
double(4)
assert len(told) == 1
assert not compiled.none_compiled()
"""


def test_kernels_that_are_compiled_are_told_and_kept_and_no_garbage_is_searched_for_meanwhile(tmp_path):
    """In a process of its own, whose cache is empty; its kernels are ours by their module's name."""
    code = f"import sys; exec({FIRST_START!r}, {{'__name__': 'fellview.tests'}})"
    environment = {**os.environ, "FELLVIEW_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)


def test_imports_are_not_searched_for_garbage():
    assert gc.isenabled()
    frozen = gc.get_freeze_count()
    with garbage.unsearched():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen
    gc.unfreeze()
