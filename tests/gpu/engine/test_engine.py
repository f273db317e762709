"""The GPU engine: textures go back once, faults are told apart, and fields are read when they are asked for."""

import gc
from dataclasses import replace

import moderngl
import numpy as np
import pytest

import fellview
from fellview.core.errors import Cancelled, FellviewError, InputError
from fellview.draw.land.height_map import HeightMap
from fellview.draw.renderer import Renderer
from fellview.gpu.engine import EngineLost, GpuEngine
from fellview.gpu.passes import size_bytes
from fellview.gpu.twin import GpuLand
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress
from fellview.terrain.steps import smooth
from fellview.view.exaggeration import exaggerated
from fellview.view.picking import heights_at
from tests.gpu.engine.lands import DOMAIN, land, run, scene


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
