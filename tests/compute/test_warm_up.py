"""At a very first start other processes compile ahead what the one that answers sliders takes."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

from fellview.compute import warm_up
from fellview.core import compiled, garbage
from fellview.core.compiled import Kernel
from fellview.core.errors import FellviewError
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.progress import Progress

SMALL = {"grid.rows": 48, "grid.columns": 64}
RIVERS = scenes.load(scenes.OPENING_PRESET).replace(SMALL)


@pytest.fixture
def parallel_forms(monkeypatch):
    """Whether it runs in that form, each time that a kernel is called which has a parallel one."""
    found, call = [], Kernel.__call__

    def noted(kernel, *arguments):
        if kernel._options.get("parallel"):
            found.append(not compiled._serial_alone)
        return call(kernel, *arguments)

    monkeypatch.setattr(Kernel, "__call__", noted)
    return found


def test_two_processes_compile_what_the_first_leaves_to_them():
    steps, erosion = warm_up.shares(RIVERS.terrain_groups())
    active = [step.key for step in STEPS if step.active(RIVERS.terrain_groups()[step.key])]
    assert erosion == ("erosion", warm_up.MASKS, warm_up.ALL_FORMS)
    here = {step.key for step in warm_up.BEGINNING}
    assert {"noise", "perturb"} <= here and not {"landform1", "erosion", "crags", "scree"} & here
    assert list(steps) == [key for key in active if key not in {*here, "erosion"}], "in running order"
    bare = {"erosion.kind": "none", "perturb.distance": 0.0, "smooth.iterations": 0}
    assert warm_up.shares(Scene().replace(bare).terrain_groups()) == [(warm_up.MASKS, warm_up.ALL_FORMS)]


def test_forms_for_one_thread_are_compiled_before_the_others(parallel_forms):
    there = {}
    steps, erosion = warm_up.shares(RIVERS.terrain_groups())
    for share in (steps, erosion):
        warm_up.compile_ahead(RIVERS.terrain_groups(), share, lambda what: there.update({what: len(parallel_forms)}))
    assert list(there) == [*steps, *erosion]
    count = there["erosion"]
    assert 0 < count < len(parallel_forms)
    assert not any(parallel_forms[:count]) and all(parallel_forms[count:])


def test_what_cannot_run_keeps_nothing_else_from_being_compiled(monkeypatch):
    def fails(*arguments):
        raise FellviewError("no such thing")

    monkeypatch.setattr(CpuEngine, "run", fails)
    there = []
    warm_up.compile_ahead(RIVERS.terrain_groups(), ("perturb", "scree"), there.append)
    assert there == ["perturb", "scree"]


def test_erosion_runs_in_forms_for_one_thread_until_the_others_are_compiled(parallel_forms):
    all_forms = np.ones(1, np.uint8)
    engine = warm_up.SharedEngine(all_forms)
    field = Pipeline(engine).run(RIVERS.terrain_groups()).field
    assert parallel_forms and not any(parallel_forms)
    all_forms[0] = 0
    parallel_forms.clear()
    assert np.array_equal(field.heights, Pipeline(engine).run(RIVERS.terrain_groups()).field.heights)
    Pipeline(warm_up.SharedEngine(all_forms)).run(RIVERS.terrain_groups())
    assert parallel_forms and all(parallel_forms)


def test_the_share_of_the_steps_grows_from_step_to_step():
    engine = warm_up.SharedEngine(np.zeros(1, np.uint8))
    engine.groups = RIVERS.terrain_groups()
    shares = []

    class Noting(Progress):
        def report(self, step, fraction, iteration=0, iterations=0):
            shares.append(engine.compiled)

    Pipeline(engine).run(engine.groups, Noting())
    assert shares[0] == 0.0
    assert shares == sorted(shares) and 0.5 < shares[-1] < 1


COMPILED_AHEAD = """
from fellview.compute import warm_up
from fellview.core import compiled
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline

groups = Scene().replace({"crags.enabled": True, "crags.size": 20.0, "crags.slope": 20.0}).terrain_groups()
for share in warm_up.shares(groups):
    warm_up.compile_ahead(groups, share, lambda what: None)
pipeline = Pipeline(CpuEngine())
pipeline.steps = warm_up.BEGINNING
with compiled.in_one_thread():
    pipeline.run(groups)

told = []
compiled.tell_compiling(told.append)
coarse = {**groups, "grid": groups["grid"].replace(rows=64, columns=64)}
pipeline.steps = STEPS
with compiled.in_one_thread():
    pipeline.run(coarse)
dict(pipeline.run(groups).field.masks.with_water(Water(lakes=True, rivers=True)))
assert not told, told
"""


@pytest.mark.slow
def test_nothing_is_left_to_compile_but_what_every_land_begins_with(tmp_path):
    environment = {**os.environ, "FELLVIEW_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", COMPILED_AHEAD], check=True, env=environment, timeout=600)


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
