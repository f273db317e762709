"""The GPU engine: textures go back once, faults are told apart, jobs advance in slices, and the CPU takes over."""

import gc
import itertools
import queue
import re
from dataclasses import replace

import moderngl
import numpy as np
import pytest

import fellview
from fellview import cli
from fellview.compute.protocol import Advanced, Failed, Finished, Job, Lost, Previewed, Stopped
from fellview.compute.router import EngineRouter
from fellview.core.errors import Cancelled, FellviewError, InputError
from fellview.draw.land.height_map import HeightMap
from fellview.draw.renderer import Renderer
from fellview.gpu import choice
from fellview.gpu import context as contexts
from fellview.gpu.choice import SteadyPipeline, choose
from fellview.gpu.engine import TWINS, EngineLost, GpuEngine, GpuField
from fellview.gpu.passes import size_bytes
from fellview.gpu.twin import GpuLand, Iterated, Twin
from fellview.gpu.twins import fluvial
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land
from fellview.terrain.steps import perturb, smooth
from fellview.view.exaggeration import exaggerated
from fellview.view.picking import heights_at
from tests.lands import RUGGED

DOMAIN = Domain(Grid(rows=24, columns=32), 1)
SMALL = {"grid.rows": 24, "grid.columns": 32, "erosion.kind": "thermal", "smooth.iterations": 0}


@pytest.fixture
def context():
    try:
        one = contexts.standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    yield one
    one.release()


@pytest.fixture
def engine(context):
    one = GpuEngine(context)
    yield one
    one.release()


@pytest.fixture
def own_garbage():
    """Spare collections what other tests have left, which takes most of a second each time."""
    gc.freeze()
    yield
    gc.unfreeze()


def scene(**changes) -> Scene:
    return scenes.load(RUGGED).replace(SMALL | {key.replace("__", "."): one for key, one in changes.items()})


def land(seed=1, fields=()):
    rng = np.random.default_rng(seed)
    heights, *others = rng.random((1 + len(fields), 24, 32), np.float32)
    return Land(heights, dict(zip(fields, others, strict=True)))


def with_twins(**twins):
    """Return the twins of all steps, with those of some replaced."""
    return {**TWINS, **{key: (Twin(run),) for key, run in twins.items()}}


@pytest.fixture
def engine_with(context):
    """What makes engines with other twins of some steps."""
    made = []

    def make(**twins):
        made.append(GpuEngine(context, with_twins(**twins)))
        return made[-1]

    yield make
    for one in made:
        one.release()


def run(engine, below=None):
    return engine.run(perturb.STEP, perturb.Perturb(), DOMAIN, below, Progress())


def copied(passes, parameters, domain, below):
    """Hand on the fields as they are, and heights of the same texture."""
    yield 0.5
    return GpuLand(below.heights, below.fields)


def test_textures_go_back_when_nobody_holds_them_and_only_once(engine_with, own_garbage):
    engine = engine_with(perturb=copied)
    below = engine.from_cpu(land(fields=("water",)))
    before = len(engine.passes.spare)
    above = run(engine, below)
    again = run(engine, above)
    assert above.fields["water"] is below.fields["water"] and again.heights is below.heights
    del below, above
    gc.collect()
    assert len(engine.passes.spare) == before, "the last handle holds both still"
    np.testing.assert_array_equal(engine.to_cpu(again).fields["water"], land(fields=("water",)).fields["water"])
    del again
    gc.collect()
    given = [texture.glo for texture in engine.passes.spare]
    assert len(given) == before + 2 and len(set(given)) == len(given)


def test_what_the_pipeline_drops_goes_back(engine, own_garbage):
    budget = 3 * 24 * 32 * 4
    pipeline = Pipeline(engine, budget_bytes=budget)
    made = 0
    for seed in range(8):
        pipeline.run(scene(noise__seed=seed).terrain_groups())
        gc.collect()
        textures = engine.passes.in_use + engine.passes.spare
        made = made or len(textures)
    assert len(textures) <= made + 2, "later runs take the textures of earlier ones"
    held = sum(size_bytes(texture) for texture in textures if texture.components == 1)
    assert held <= budget + 8 * 24 * 32 * 4


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_heights_that_are_not_finite_are_refused_by_name(engine_with, bad):
    def spoil(passes, parameters, domain, below):
        spoilt = land().heights.copy()
        spoilt[23, 31] = bad
        yield 1.0
        return GpuLand(passes.upload(spoilt))

    engine = engine_with(perturb=spoil)
    with pytest.raises(FellviewError, match=r"^perturb: .*not finite") as refusal:
        run(engine, engine.from_cpu(land()))
    assert not isinstance(refusal.value, EngineLost)


def test_the_first_step_finds_level_ground(engine_with):
    def seen(passes, parameters, domain, below):
        yield 1.0
        assert not passes.read(below.heights).any()
        return GpuLand(below.heights)

    assert run(engine_with(perturb=seen)).extremes.high == 0


@pytest.mark.parametrize("fault", [moderngl.Error("framebuffer"), MemoryError(), FellviewError("noise.frag:3: no")])
def test_a_fault_of_opengl_loses_the_engine(engine_with, fault):
    def broken(passes, parameters, domain, below):
        yield 0.1
        raise fault

    engine = engine_with(perturb=broken)
    with pytest.raises(EngineLost, match=r"^perturb on the GPU: "):
        run(engine, engine.from_cpu(land()))


def test_an_error_that_opengl_only_notes_loses_the_engine(engine_with):
    def wrong(passes, parameters, domain, below):
        yield 0.5
        passes.context.line_width = -1.0
        return GpuLand(below.heights)

    with pytest.raises(EngineLost, match=r"^perturb on the GPU: GL_INVALID_VALUE"):
        run(engine_with(perturb=wrong))


def test_a_grid_beyond_any_texture_is_refused_and_loses_nothing(engine):
    wide = Scene().replace({"grid.rows": 8, "grid.columns": 16, "erosion.kind": "none", "smooth.iterations": 0})
    groups = wide.terrain_groups()
    groups["grid"] = replace(groups["grid"])
    object.__setattr__(groups["grid"], "columns", 1_000_000)
    with pytest.raises(InputError, match="1000000"):
        Pipeline(engine).run(groups)


def test_a_field_is_read_when_it_is_asked_for(context):
    reads = []

    class Reading(GpuEngine):
        def to_cpu(self, handle):
            reads.append(handle)
            return super().to_cpu(handle)

    field = Pipeline(Reading(context)).run(scene().terrain_groups()).field
    assert (field.rows, field.columns, field.size) == (24, 32, (4000.0, 4000.0))
    low, high = field.height_range
    assert low < high and field.block_tops.max() == high and reads == []
    assert not field.heights.flags.writeable and field.heights.min() == low and field.heights is field.heights
    assert len(reads) == 1
    landed = field.landed()
    assert type(landed) is fellview.HeightField and set(landed.masks) >= {"slope", "erosion_depth"}
    assert (landed.masks["erosion_depth"] > 0).any()


def test_points_and_border_are_read_alone(engine):
    """What the camera and the plain around the land ask of a field leaves its heights where they are."""
    field = Pipeline(engine).run(scene().terrain_groups()).field
    x, z = np.array([100.0, 3900.0, 1234.5]), np.array([200.0, 100.0, 3999.0])
    found, border = heights_at(field, x, z), field.border
    steeper = exaggerated(field, 2.0)
    np.testing.assert_allclose(heights_at(steeper, x, z), 2 * found)
    assert "heights" not in vars(field) and "heights" not in vars(steeper)
    landed = fellview.HeightField(field.heights, field.cell_size)
    np.testing.assert_array_equal(found, heights_at(landed, x, z))
    np.testing.assert_array_equal(border, landed.border)


def test_the_height_map_draws_from_the_fields_texture(context, engine):
    height_map = HeightMap(context)
    field = Pipeline(engine).run(scene().terrain_groups()).field
    height_map.upload(field)
    assert height_map.heights is field.texture_in(context) and "heights" not in vars(field)
    drawn = height_map.normals.read()
    plain = fellview.HeightField(field.heights, field.cell_size)
    height_map.upload(plain)
    assert height_map.heights is not field.texture_in(context) and height_map.normals.read() == drawn
    height_map.release()
    np.testing.assert_array_equal(engine.passes.read(field.texture_in(context)), plain.heights)


def test_a_picture_is_the_same_after_more_land_was_computed(context, engine):
    """Passes and pictures share a context, its numbered bindings too."""
    renderer = Renderer(context)
    field = Pipeline(engine).run(scene().terrain_groups()).field
    renderer.show(field)
    picture = renderer.draw(scene(), (160, 100), 1).pixels()
    Pipeline(engine).run(scene(noise__seed=5, erosion__kind="hydraulic").terrain_groups())
    assert picture[..., :3].std() > 10
    np.testing.assert_array_equal(renderer.draw(scene(), (160, 100), 1).pixels(), picture)


# -- choice ------------------------------------------------------------------------------------------------------------


def test_auto_is_the_cpu_on_software_and_the_gpu_on_hardware(context, monkeypatch):
    class Hardware:
        info = context.info | {"GL_RENDERER": "Some Card/PCIe"}
        texture, framebuffer = context.texture, context.framebuffer

    assert choose("auto", context).text == "cpu: llvmpipe is a software renderer"
    assert choose("gpu", context).text == "gpu: llvmpipe"
    assert choose("cpu", context).text == "cpu: asked for"
    monkeypatch.delenv("LIBGL_ALWAYS_SOFTWARE")
    assert choose("auto", Hardware()).text == "gpu: Some Card"


def test_without_float_targets_it_is_the_cpu(context):
    class Poor:
        info = context.info

        def texture(self, size, components, dtype):
            return context.texture(size, components, dtype=dtype)

        def framebuffer(self, texture):
            if texture.components == 2:
                raise moderngl.Error("the framebuffer is not complete")
            return context.framebuffer(texture)

    assert choose("gpu", Poor()).text == "cpu: llvmpipe cannot draw into RG32F textures"


def broken(passes, parameters, domain, below):
    """Lose the engine after a slice."""
    yield 0.1
    raise moderngl.Error("lost")


@pytest.fixture
def broken_scree(monkeypatch):
    """The library and the command line make engines of their own, with the twins that there are."""
    monkeypatch.setitem(TWINS, "erosion", (Twin(broken),))


def test_the_library_computes_on_either_engine(monkeypatch):
    cpu = fellview.generate(scene(), engine="cpu")
    gpu = fellview.generate(scene(), engine="gpu")
    assert not np.array_equal(cpu.heights, gpu.heights), "another engine was at work"
    np.testing.assert_allclose(gpu.heights, cpu.heights, atol=0.05 * np.ptp(cpu.heights))


def test_the_library_goes_over_to_the_cpu_with_a_warning(broken_scree):
    with pytest.warns(UserWarning, match=r"erosion on the GPU: .*lost; computed on the CPU instead"):
        field = fellview.generate(scene(), engine="gpu")
    np.testing.assert_array_equal(field.heights, fellview.generate(scene(), engine="cpu").heights)


def test_an_engine_that_is_lost_among_rivers_is_made_good_from_the_start(engine_with):
    """Nothing that rivers had carved on the GPU by then is in the land."""
    carved, notices = [], []

    def breaks(passes, parameters, domain, below):
        work = fluvial.run(passes, parameters, domain, below)
        ends = None
        while len(carved) < 5:
            at = work.send(ends)
            ends = yield at
            if isinstance(at, Iterated):
                carved.append(at.iteration)
        work.close()
        raise moderngl.Error("lost")

    groups = scene(erosion__kind="fluvial").terrain_groups()
    field = SteadyPipeline(engine_with(erosion=breaks), notices.append).run(groups).field
    assert len(carved) == 5
    (notice,) = notices
    assert re.fullmatch("erosion on the GPU: .*lost; computed on the CPU instead", notice)
    np.testing.assert_array_equal(field.heights, Pipeline(CpuEngine()).run(groups).field.heights)


def test_the_command_line_says_so_too(broken_scree, tmp_path, capsys):
    words = ["export", str(RUGGED), "--engine", "gpu", "-o", str(tmp_path / "land.npy")]
    words += [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    assert cli.main(words) == 0
    err = capsys.readouterr().err
    assert err.startswith("fellview: erosion on the GPU") and "computed on the CPU instead" in err
    np.testing.assert_array_equal(np.load(tmp_path / "land.npy"), fellview.generate(scene(), engine="cpu").heights)


def test_without_opengl_the_cpu_computes(monkeypatch):
    def none():
        raise FellviewError("OpenGL: no context")

    choice.here.cache_clear()
    monkeypatch.setattr(contexts, "standalone", none)
    try:
        with pytest.warns(UserWarning, match="OpenGL: no context; computed on the CPU instead"):
            fellview.generate(scene(), engine="gpu")
        assert choice.here("auto").text == "cpu: OpenGL: no context"
    finally:
        choice.here.cache_clear()


def test_info_says_which_engine_and_why(capsys):
    for words, text in (([], "cpu: llvmpipe is a software renderer"), (["--engine", "gpu"], "gpu: llvmpipe")):
        assert cli.main(["info", *words]) == 0
        assert f"Engine           {text}" in capsys.readouterr().out


# -- in the window -----------------------------------------------------------------------------------------------------


class NoProcess:
    """Stands in for the compute process and notes its jobs."""

    process_id = 1

    def __init__(self, listener):
        self.jobs, self.cancels, self.closed, self.masks = [], 0, False, []

    def submit(self, job):
        self.jobs.append(job)

    def cancel(self):
        self.cancels += 1

    def keep(self):
        pass

    def give_up_masks(self):
        self.masks.clear()

    def make_masks(self, *order):
        self.masks.append(order)

    def close(self):
        self.closed = True


class Clock:
    """Seconds that pass as a test has them."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def computing(context, engine, **named):
    events = queue.SimpleQueue()
    one = EngineRouter(events.put, NoProcess, **named)
    one.events = events
    one.use(choose("gpu", context), engine)
    return one


@pytest.fixture
def compute(context, engine):
    return computing(context, engine)


def said(compute):
    found = []
    while not compute.events.empty():
        found.append(compute.events.get())
    return found


def advance(compute, budget_s=0.001):
    turns = 0
    while compute.busy:
        compute.advance(budget_s)
        turns += 1
    return turns


def test_a_job_advances_in_slices_to_the_engines_result(compute, engine):
    groups = scene().terrain_groups()
    compute.submit(Job(groups))
    assert compute.busy and said(compute) == [], "nothing is done before the first slice"
    assert advance(compute, 0.0) > 3
    *advances, end = said(compute)
    assert isinstance(end, Finished) and end.groups == groups and all(isinstance(one, Advanced) for one in advances)
    whole = Pipeline(engine).run(groups).field
    np.testing.assert_array_equal(end.result.field.heights, whole.heights)
    assert compute.process.jobs == [] and compute.engine == "gpu: llvmpipe" and compute.name == "GPU"


def test_what_takes_long_is_shown_coarse_first(context, engine):
    compute = computing(context, engine, at_once_s=0.0)
    groups = scene(grid__rows=160, grid__columns=200, perturb__mode="smooth").terrain_groups()
    compute.submit(Job(groups))
    advance(compute)
    shown = [event for event in said(compute) if not isinstance(event, Advanced)]
    assert [type(event) for event in shown] == [Previewed, Finished] and shown[0].groups == shown[1].groups == groups
    coarse, whole = shown[0].field, shown[1].result.field
    assert coarse.columns < whole.columns == 200 and coarse.size == whole.size
    assert coarse.texture_in(engine.passes.context) is not None and "heights" not in vars(coarse)
    step = whole.columns // coarse.columns
    assert np.corrcoef(coarse.heights.ravel(), whole.heights[::step, ::step].ravel())[0, 1] > 0.95


def test_a_coarse_land_that_cannot_be_does_not_hold_up_the_land(context, engine_with):
    run = TWINS["perturb"][-1].run

    def only_fine(passes, parameters, domain, below):
        if domain.grid.columns < 200:
            raise InputError("perturb: no such land")
        return (yield from run(passes, parameters, domain, below))

    compute = computing(context, engine_with(perturb=only_fine), at_once_s=0.0)
    compute.submit(Job(scene(grid__rows=160, grid__columns=200, perturb__mode="smooth").terrain_groups()))
    advance(compute)
    assert [type(event) for event in said(compute) if not isinstance(event, Advanced)] == [Finished]


@pytest.mark.parametrize("kind", ["thermal", "fluvial", "hydraulic"])
def test_what_is_reached_can_be_kept(context, engine, kind):
    compute = computing(context, engine, clock=itertools.count().__next__)  # long enough ago for every report
    groups = scene(erosion__kind=kind, erosion__duration=400.0, grid__rows=40, grid__columns=48).terrain_groups()
    compute.submit(Job(groups))
    at = None
    while not (at and at.iteration):
        assert compute.busy, "it ended first"
        compute.advance(0.0)
        at = next((event for event in reversed(said(compute)) if isinstance(event, Advanced)), at)
    assert at.step == "erosion" and at.iteration < at.iterations
    compute.keep()
    advance(compute)
    end = said(compute)[-1]
    kept = end.groups["erosion"].stop_after
    assert at.iteration <= kept < at.iterations
    assert end.groups == {**groups, "erosion": groups["erosion"].replace(stop_after=kept)}


def test_masks_are_made_by_the_process_of_what_is_read_back(compute):
    wanted = frozenset({"slope", "water_depth"})
    groups = scene(erosion__kind="hydraulic").terrain_groups()
    compute.submit(Job(groups, wanted))
    advance(compute)
    field = said(compute)[-1].result.field
    ((job, of, read, base, cell_size),) = compute.process.masks
    assert job.masks == wanted and of == groups and cell_size == field.cell_size
    np.testing.assert_array_equal(read.heights, field.heights)
    np.testing.assert_array_equal(np.maximum(base - read.heights, 0), field.masks["erosion_depth"])
    assert set(read.fields) == {"water_depth", "sediment", "water_speed"}
    compute.submit(Job(scene(erosion__kind="none").terrain_groups()))
    assert compute.process.masks == [], "given up"


def test_waiting_for_the_device_counts_as_the_steps_time(context, clock):
    """OpenGL only notes what it is told, so a step's slices alone say little of what it costs."""

    class Slow:
        def __getattr__(self, name):
            return getattr(context, name)

        def finish(self):
            clock.now += 0.25

    timed = computing(context, GpuEngine(Slow()), clock=clock)
    timed.submit(Job(scene(erosion__duration=400.0).terrain_groups()))
    advance(timed, 0.0)
    times = {time.step: time.milliseconds for time in said(timed)[-1].result.times}
    assert times["erosion"] >= 250


def test_quick_slices_of_one_step_do_not_hold_up_frames_in_the_next(context, engine_with, clock):
    def steps_of(cost_s):
        def run(passes, parameters, domain, below):
            for step in range(1000):
                clock.now += cost_s
                yield step / 1000
            return GpuLand(passes.upload(land().heights))

        return run

    timed = computing(context, engine_with(perturb=steps_of(1e-6), erosion=steps_of(0.004)), clock=clock)
    timed.submit(Job(scene().terrain_groups()))
    longest = 0.0
    while timed.busy:
        start = clock.now
        timed.advance(0.01)
        longest = max(longest, clock.now - start)
    assert longest <= 0.014


@pytest.mark.parametrize("asked", ["gpu", "cpu"])
def test_the_first_job_waits_for_the_engine_that_was_asked_for(context, engine, asked):
    one = EngineRouter(queue.SimpleQueue().put, NoProcess, holds=True)
    job = Job(scene().terrain_groups())
    one.submit(job)
    assert not one.busy and one.process.jobs == []
    one.use(choose(asked, context), engine if asked == "gpu" else None)
    assert one.busy == (asked == "gpu") and one.process.jobs == ([] if asked == "gpu" else [job])


def test_slices_keep_to_the_budget(context, engine_with, clock):
    def slow(passes, parameters, domain, below):
        for step in range(100):
            clock.now += 0.002  # what the graphics device takes for a slice
            yield step / 100
        return GpuLand(passes.upload(land().heights))

    timed = computing(context, engine_with(erosion=slow), clock=clock)
    timed.submit(Job(scene().terrain_groups()))
    longest = 0.0
    while timed.busy:
        start = clock.now
        timed.advance(0.01)
        longest = max(longest, clock.now - start)
    assert 0.004 <= longest <= 0.014, "the guess of a wait may be doubled once"


def test_a_cancelled_job_stops_with_its_next_slice_and_the_next_one_works(compute):
    compute.submit(Job(scene().terrain_groups()))
    compute.advance(0.0)
    compute.cancel()
    assert advance(compute) <= 2
    assert isinstance(said(compute)[-1], Stopped)
    compute.submit(Job(scene().terrain_groups()))
    advance(compute)
    assert isinstance(said(compute)[-1], Finished)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"erosion.kind": "demo"}, "Erosion (demo) runs there only"),
        ({"smooth.iterations": 2}, "Smoothing (demo) runs there only"),
    ],
)
def test_what_only_the_cpu_computes_goes_to_the_process_whole(compute, changes, reason):
    job = Job(scene().replace(changes).terrain_groups())
    compute.submit(job)
    assert compute.process.jobs == [job] and not compute.busy
    assert compute.engine == f"cpu: {reason}" and compute.name == "CPU"


def test_a_job_that_cannot_be_done_fails_and_the_engine_stays(context, engine_with):
    def spoil(passes, parameters, domain, below):
        yield 1.0
        return GpuLand(passes.upload(np.full((24, 32), np.nan, np.float32)))

    compute = computing(context, engine_with(perturb=spoil))
    compute.submit(Job(scene().terrain_groups()))
    advance(compute)
    failed = said(compute)[-1]
    assert isinstance(failed, Failed) and "not finite" in failed.reason and compute.engine == "gpu: llvmpipe"


def test_a_lost_engine_is_told_once_and_what_is_shown_stays(context, engine_with):
    compute = computing(context, engine_with(erosion=broken))
    compute.submit(Job(scene(erosion__kind="none").terrain_groups()))
    advance(compute)
    shown = said(compute)[-1].result.field
    compute.submit(Job(scene(erosion__kind="thermal").terrain_groups()))
    advance(compute)
    lost = [event for event in said(compute) if not isinstance(event, Advanced)]
    assert len(lost) == 1 and isinstance(lost[0], Lost) and "erosion on the GPU" in lost[0].reason
    assert compute.engine.startswith("cpu: erosion on the GPU") and compute.name == "GPU"
    compute.close()
    assert compute.process.closed and not compute.busy
    assert isinstance(shown, GpuField) and np.isfinite(shown.heights).all(), "its texture is still there"


def test_closing_a_job_gives_its_textures_back(engine, own_garbage):
    work = Pipeline(engine).begin(scene().terrain_groups())
    for _ in range(4):
        next(work)
    work.close()
    gc.collect()
    assert engine.passes.in_use == ()


def test_a_cancelled_run_raises(engine):
    with pytest.raises(Cancelled):
        Pipeline(engine).run(scene().terrain_groups(), Progress(cancel=np.ones(1, np.uint8)))


def test_steps_without_a_twin_are_the_cpus_to_the_bit(engine):
    below, parameters = land(fields=("water",)), smooth.Smooth(iterations=2)
    found = engine.to_cpu(engine.run(smooth.STEP, parameters, DOMAIN, engine.from_cpu(below), Progress()))
    expected = CpuEngine().run(smooth.STEP, parameters, DOMAIN, below, Progress())
    np.testing.assert_array_equal(found.heights, expected.heights)
    np.testing.assert_array_equal(found.fields["water"], below.fields["water"])
