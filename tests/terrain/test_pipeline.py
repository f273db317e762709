import dataclasses
import tracemalloc

import numpy as np
import pytest

from fellview.core.errors import Cancelled, FellviewError, InputError
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline import pipeline as module
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step
from fellview.terrain.steps import smooth

SMALL = {"grid.rows": 24, "grid.columns": 32}
FIELD_BYTES = 24 * 32 * 4
GROUPS = Scene().terrain_groups()
ALL = [step.key for step in STEPS if step.active(GROUPS[step.key])]


class CountingEngine(CpuEngine):
    """Notes which steps ran since it was last asked."""

    def __init__(self):
        self._ran = []

    def run(self, step, parameters, domain, below, progress):
        self._ran.append(step.key)
        return super().run(step, parameters, domain, below, progress)

    def ran(self):
        ran, self._ran = self._ran, []
        return ran


class SlowEngine(CpuEngine):
    """Takes as long for each step as it was told, on its own clock."""

    def __init__(self, seconds):
        self._seconds = iter(seconds)
        self.now_s = 0.0

    def run(self, step, parameters, domain, below, progress):
        self.now_s += next(self._seconds)
        return super().run(step, parameters, domain, below, progress)


@pytest.fixture
def scene():
    return Scene().replace(SMALL)


@pytest.fixture
def pipeline():
    return Pipeline(CountingEngine())


def heights(pipeline, scene, progress=None):
    return pipeline.run(scene.terrain_groups(), progress).field.heights


# The first step that each group's change reruns; a look group reruns nothing.
CHANGES = [
    ("grid.rows", 25, "noise"),
    ("noise.seed", 2, "noise"),
    ("noise.frequency", 3.0, "noise"),
    ("landform1.kind", "plateau", "landform1"),
    ("landform2.kind", "cone", "landform2"),
    ("landform3.kind", "craters", "landform3"),
    ("landform4.kind", "basin", "landform4"),
    ("perturb.distance", 5.0, "perturb"),
    ("curve.enabled", True, "curve"),
    ("terrace.enabled", True, "terrace"),
    ("edge.enabled", True, "edge"),
    ("erosion.iterations", 3, "erosion"),
    ("smooth.iterations", 2, "smooth"),
    ("sun.azimuth", 10.0, None),
    ("ground.tint", "#123456", None),
    ("sky.visibility", 3.0, None),
    ("camera.yaw", 90.0, None),
    ("view.mode", "normals", None),
]


@pytest.mark.parametrize(("key", "value", "first"), CHANGES, ids=[key for key, _, _ in CHANGES])
def test_a_change_reruns_its_step_and_what_comes_after_it(pipeline, scene, key, value, first):
    before = heights(pipeline, scene)
    assert pipeline.engine.ran() == ALL
    changed = scene.replace({key: value})
    heights(pipeline, changed)
    order = [step.key for step in STEPS]
    later = STEPS[order.index(first) :] if first else ()
    assert pipeline.engine.ran() == [step.key for step in later if step.active(changed.terrain_groups()[step.key])]
    assert heights(pipeline, scene) is before
    assert pipeline.engine.ran() == []


def test_every_active_step_is_among_the_changes(scene):
    assert {key.partition(".")[0] for key, _, first in CHANGES if first} >= {"grid", *ALL}


def test_the_result_says_what_was_remembered(pipeline, scene):
    pipeline.run(scene.terrain_groups())
    times = pipeline.run(scene.replace({"smooth.iterations": 3}).terrain_groups()).times
    assert [time.step for time in times] == ALL
    assert [time.remembered for time in times] == [True, True, True, False]


def test_results_are_read_only(pipeline, scene):
    with pytest.raises(ValueError, match="read-only"):
        heights(pipeline, scene)[0, 0] = 1


INACTIVE = {"perturb.distance": 0.0, "erosion.kind": "none", "smooth.iterations": 0}


SWITCHED_OFF = {f"{key}.enabled": False for key in ALL if key != "noise"}


@pytest.mark.parametrize(("key", "value"), [*INACTIVE.items(), *SWITCHED_OFF.items()])
def test_an_inactive_step_passes_through(pipeline, scene, key, value):
    heights(pipeline, scene.replace({key: value}))
    off = key.partition(".")[0]
    assert pipeline.engine.ran() == [name for name in ALL if name != off]


def test_with_all_later_steps_off_the_noise_remains(pipeline, scene):
    noise = heights(pipeline, scene.replace(INACTIVE))
    assert pipeline.engine.ran() == ["noise"]
    heights(pipeline, scene.replace(INACTIVE | {"erosion.threshold": 2.0}))
    assert pipeline.engine.ran() == [], "a parameter of a step that is off reruns nothing"
    assert noise.shape == (24, 32) and noise.std() > 0


def test_without_noise_the_land_is_a_plain_and_later_steps_still_run(pipeline, scene):
    assert not heights(pipeline, scene.replace({"noise.enabled": False})).any()
    assert pipeline.engine.ran() == ALL


def test_wear_counts_from_what_all_steps_before_erosion_made(pipeline, scene):
    shaped = INACTIVE | {"terrace.enabled": True, "edge.enabled": True, "curve.enabled": True}
    masks = pipeline.run(scene.replace(shaped).terrain_groups()).field.masks
    assert not masks["erosion_depth"].any() and not masks["deposition_depth"].any()


@pytest.mark.parametrize("change", [{"erosion.iterations": 0}, {"erosion.threshold": 0.0}])
def test_erosion_that_cannot_move_anything_does_not_run(pipeline, scene, change):
    heights(pipeline, scene.replace(change))
    assert "erosion" not in pipeline.engine.ran()


def test_least_recently_used_results_go_first(scene):
    pipeline = Pipeline(CountingEngine(), budget_bytes=3 * FIELD_BYTES)
    only_noise = scene.replace(INACTIVE)
    first, second, third, fourth = (only_noise.replace({"noise.seed": seed}) for seed in range(4))
    for one in (first, second, third):
        heights(pipeline, one)
    heights(pipeline, first)  # now the second is the oldest
    assert len(pipeline.engine.ran()) == 3
    heights(pipeline, fourth)
    pipeline.engine.ran()
    for one in (first, third, fourth):
        heights(pipeline, one)
    assert pipeline.engine.ran() == []
    heights(pipeline, second)
    assert pipeline.engine.ran() == ["noise"]


def test_a_budget_below_one_result_keeps_the_newest(scene):
    pipeline = Pipeline(CountingEngine(), budget_bytes=1)
    heights(pipeline, scene)
    pipeline.engine.ran()
    heights(pipeline, scene.replace({"smooth.iterations": 2}))
    assert pipeline.engine.ran() == ALL


def test_a_run_costs_the_same_however_many_results_are_kept(scene, monkeypatch):
    pipeline, hashed = Pipeline(CpuEngine()), []
    usual = type(scene.noise).__hash__

    def counted(group):
        hashed.append(group)
        return usual(group)

    monkeypatch.setattr(type(scene.noise), "__hash__", counted)
    counts = []
    for seed in range(30):
        hashed.clear()
        pipeline.run(scene.replace({"noise.seed": seed}).terrain_groups())
        counts.append(len(hashed))
    assert counts[-1] == counts[0] > 0, counts


def test_a_cancelled_run_raises_and_nothing_runs(pipeline, scene):
    with pytest.raises(Cancelled):
        heights(pipeline, scene, Progress(cancel=np.ones(1, np.uint8)))
    assert pipeline.engine.ran() == []


@pytest.mark.parametrize("at", ALL)
def test_a_cancelled_step_leaves_no_half_result(pipeline, scene, at):
    cancel = np.zeros(1, np.uint8)

    def stop_at(step, fraction):
        cancel[0] = step == at

    with pytest.raises(Cancelled):
        heights(pipeline, scene, Progress(cancel, stop_at))
    whole = heights(Pipeline(CpuEngine()), scene)
    np.testing.assert_array_equal(heights(pipeline, scene), whole)


def test_progress_goes_from_nothing_to_all_in_each_step(pipeline, scene):
    seen = []
    heights(pipeline, scene, Progress(report=lambda step, fraction: seen.append((step, fraction))))
    assert list(dict.fromkeys(step for step, _ in seen)) == ALL
    for key in ALL:
        fractions = [fraction for step, fraction in seen if step == key]
        assert fractions[0] == 0 and fractions == sorted(fractions) and fractions[-1] <= 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_step_that_gives_no_finite_heights_is_refused_by_name(bad):
    def spoil(parameters, domain, heights, progress):
        spoilt = heights.copy()
        spoilt[1, 2] = bad
        return spoilt

    step = Step(smooth.Smooth, spoil, active=lambda parameters: True)
    with pytest.raises(FellviewError, match=r"^smooth: .*not finite"):
        CpuEngine().run(step, smooth.Smooth(), Domain(Grid(rows=4, columns=4), 1), None, Progress())


def test_a_grid_beyond_the_free_memory_is_refused_with_what_would_fit(scene):
    pipeline = Pipeline(CountingEngine(), free_bytes=lambda: 1 << 20)
    with pytest.raises(InputError, match=r"grid\.rows × grid\.columns = 4096 × 4096.*at most \d+ × \d+"):
        heights(pipeline, scene.replace({"grid.rows": 4096, "grid.columns": 4096}))
    assert pipeline.engine.ran() == []


def test_another_revision_of_a_step_is_another_result(pipeline, scene):
    heights(pipeline, scene)
    pipeline.engine.ran()
    newer = tuple(dataclasses.replace(step, revision=step.revision + (step.key == "erosion")) for step in STEPS)
    pipeline.steps = newer
    heights(pipeline, scene)
    assert pipeline.engine.ran() == ["erosion", "smooth"]


# -- what a preview needs --------------------------------------------------------------------------------------------


FREE = {"perturb.distance": 0.0, "erosion.kind": "fluvial", "smooth.iterations": 0}  # nothing in cells


@pytest.mark.parametrize(
    "in_cells",
    [
        {"perturb.distance": 3.0},
        {"erosion.kind": "demo"},
        {"smooth.iterations": 1},
        {"noise.kind": "white"},
    ],
)
def test_what_counts_in_cells_is_never_shown_coarse(pipeline, in_cells):
    scene = Scene().replace({"grid.rows": 2048, "grid.columns": 2048} | FREE)
    assert pipeline.coarse(scene.terrain_groups(), 0.03, 0.06) is not None
    assert pipeline.coarse(scene.replace(in_cells).terrain_groups(), 0.03, 0.06) is None


def test_a_coarse_grid_is_the_same_land_in_fewer_cells(pipeline):
    scene = Scene().replace({"grid.rows": 1024, "grid.columns": 2048, "grid.size_x": 300.0} | FREE)
    groups = scene.terrain_groups()
    coarse = pipeline.coarse(groups, 0.03, 0.06)
    grid = coarse["grid"]
    assert {key: group for key, group in coarse.items() if key != "grid"} == {
        key: group for key, group in groups.items() if key != "grid"
    }
    assert (grid.size_x, grid.size_z) == (scene.grid.size_x, scene.grid.size_z)
    assert grid.columns == 2 * grid.rows < 2048
    assert pipeline.expected_s(coarse) <= 0.06
    cell_s = 0.06 / (grid.rows * grid.columns)  # drawing it alone would take all that time
    quicker = pipeline.coarse(groups, 0.03, 0.06, cell_s)["grid"]
    assert quicker.columns < grid.columns and quicker.rows * quicker.columns * cell_s < 0.06


def test_small_grids_and_remembered_lands_need_no_preview(pipeline):
    assert pipeline.coarse(Scene().replace(SMALL | FREE).terrain_groups(), 0.03, 0.06) is None
    scene = Scene().replace({"grid.rows": 256, "grid.columns": 256} | FREE)
    heights(pipeline, scene)
    assert pipeline.expected_s(scene.terrain_groups()) == 0
    assert pipeline.coarse(scene.terrain_groups(), 0.0, 0.0) is None
    assert pipeline.coarse(scene.terrain_groups(), 60.0, 1e-9, 1.0) is None


def test_land_that_takes_long_to_draw_comes_coarse_first_however_soon_it_is_there(pipeline):
    groups = Scene().replace({"grid.rows": 512, "grid.columns": 512} | FREE).terrain_groups()
    assert pipeline.coarse(groups, 60.0, 0.06) is None
    assert pipeline.coarse(groups, 60.0, 0.06, 1e-6)["grid"].rows == 128


def test_costs_are_learned_by_step_and_kind_and_the_first_run_counts_until_the_second(scene):
    scene = scene.replace(INACTIVE)
    engine = SlowEngine([100.0, 0.5])  # the first run compiles for 100 s, the next takes half one
    pipeline = Pipeline(engine, clock=lambda: engine.now_s)
    other = scene.replace({"noise.seed": 9})
    heights(pipeline, scene.replace({"noise.seed": 0}))
    assert pipeline.expected_s(other.terrain_groups()) == pytest.approx(100.0)
    heights(pipeline, scene.replace({"noise.seed": 1}))
    assert pipeline.expected_s(other.terrain_groups()) == pytest.approx(0.5)
    larger = other.replace({"grid.rows": 48, "grid.columns": 64})
    assert pipeline.expected_s(larger.terrain_groups()) == pytest.approx(2.0)
    another_kind = other.replace({"noise.kind": "value"})
    assert pipeline.expected_s(another_kind.terrain_groups()) < 0.01


def test_a_kept_step_is_remembered_under_the_recipe_that_gives_it(pipeline, scene):
    class Keeping(Progress):
        def report(self, step, fraction, iteration=0, iterations=0):
            self.keep[0] = 0 < iteration < iterations

    asked = scene.replace({"erosion.iterations": 10_000}).terrain_groups()
    monkeyed = {**asked, "grid": asked["grid"].replace(rows=300, columns=300)}
    kept = pipeline.run(monkeyed, Keeping())
    assert set(kept.changed) == {"erosion"} and 0 < kept.changed["erosion"].iterations < 10_000
    pipeline.engine.ran()
    again = pipeline.run({**monkeyed, **kept.changed})
    assert pipeline.engine.ran() == [] and again.field.heights is kept.field.heights
    anew = Pipeline(CpuEngine()).run({**monkeyed, **kept.changed})
    assert np.array_equal(anew.field.heights, kept.field.heights) and not anew.changed


@pytest.mark.parametrize("kind", ["demo", "thermal", "fluvial"])
def test_the_stated_peak_bounds_what_a_run_holds(kind):
    scene = Scene().replace({"grid.rows": 512, "grid.columns": 512, "erosion.kind": kind})
    Pipeline(CpuEngine()).run(scene.replace({"grid.rows": 64, "grid.columns": 64}).terrain_groups())
    tracemalloc.start()
    try:
        Pipeline(CpuEngine()).run(scene.terrain_groups())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    stated = module.peak_bytes(scene.terrain_groups())
    assert 0.5 * stated < peak < 1.1 * stated


def test_what_the_caller_holds_beside_counts_too(scene):
    groups = scene.terrain_groups()
    pipeline = Pipeline(CountingEngine(), free_bytes=lambda: module.peak_bytes(groups))
    module.require_memory(groups, module.peak_bytes(groups))
    with pytest.raises(InputError, match=r"at most \d+ × \d+"):
        pipeline.run(groups, beside_bytes=4)
