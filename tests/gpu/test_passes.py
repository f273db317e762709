"""Passes over grids: what goes up comes down, a pass fills every cell, spare textures are used again."""

import moderngl
import numpy as np
import pytest

from fellview.core.errors import FellviewError, InputError
from fellview.core.height_field import HeightField
from fellview.gpu import context as contexts
from fellview.gpu.passes import GridPasses
from fellview.mesh.triangle_list import build_mesh


@pytest.fixture
def passes():
    try:
        context = contexts.standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    one = GridPasses(context)
    yield one
    one.release()
    context.release()


@pytest.mark.parametrize("shape", [(3, 5), (3, 5, 2), (3, 5, 4)])
def test_values_come_back_as_they_went(passes, shape):
    values = np.random.default_rng(1).random(shape, np.float32)
    np.testing.assert_array_equal(passes.read(passes.upload(values)), values)


def test_a_pass_fills_every_cell(passes):
    heights = np.random.default_rng(1).random((7, 9), np.float32)
    normals = passes.texture(7, 9, 2)
    passes.run("draw/land/normals.frag", normals, {"u_heights": passes.upload(heights)}, {"u_cell_m": (2.0, 3.0)})
    mesh = build_mesh(HeightField(heights, (3.0, 2.0)))
    assert np.isfinite(passes.read(normals)).all()
    found = {tuple(np.round(n, 5)) for n in passes.read(normals).reshape(-1, 2)}
    wanted = {tuple(np.round(n, 5)) for n in mesh.vertices[:, [3, 5]]}
    assert len(found - wanted) <= 0.05 * len(found)  # a last digit may round the other way


@pytest.mark.parametrize(("shape", "strips"), [((7, 9), 1), ((61, 9), 5), ((61, 40), 20)])
def test_in_strips_a_pass_does_what_it_does_in_one_go(passes, shape, strips):
    heights = passes.upload(np.random.default_rng(1).random(shape, np.float32))
    whole, in_strips = passes.texture(*shape, 2), passes.texture(*shape, 2)
    of = {"u_heights": heights}, {"u_cell_m": (2.0, 3.0)}
    passes.run("draw/land/normals.frag", whole, *of)
    ways = sum(1 for _ in passes.run_in_strips("draw/land/normals.frag", in_strips, *of, strip_cells=125))
    assert ways == (strips if strips > 1 else 0)
    np.testing.assert_array_equal(passes.read(in_strips), passes.read(whole))


def test_between_strips_others_may_draw(passes):
    heights = np.random.default_rng(1).random((40, 30), np.float32)
    whole, in_strips, other = (passes.texture(40, 30, 2) for _ in range(3))
    of = {"u_heights": passes.upload(heights)}, {"u_cell_m": (2.0, 3.0)}
    passes.run("draw/land/normals.frag", whole, *of)
    for _ in passes.run_in_strips("draw/land/normals.frag", in_strips, *of, strip_cells=200):
        passes.run("draw/land/normals.frag", other, {"u_heights": passes.upload(0 * heights)}, of[1])
    np.testing.assert_array_equal(passes.read(in_strips), passes.read(whole))


def test_textures_lent_for_a_while_come_back(passes):
    with passes.temporary(4, 4) as one, passes.unfinished(4, 4) as another:
        assert one is not another and one in passes.in_use
    assert passes.texture(4, 4) is one and another in passes.in_use
    with pytest.raises(ValueError, match="cut"), passes.unfinished(5, 4) as third:
        raise ValueError("cut")
    assert third in passes.spare


def test_spare_textures_are_used_again(passes):
    first = passes.texture(4, 4)
    passes.give_back(first)
    assert passes.texture(4, 4, 2) is not first
    assert passes.texture(4, 4) is first
    assert passes.texture(4, 4) is not first


def test_a_grid_that_no_texture_holds_is_refused(passes):
    with pytest.raises(InputError, match=r"grid.rows × grid.columns = 2 × 1000000: .* at most"):
        passes.texture(2, 1_000_000)


def test_points_that_meet_add_up_and_are_counted(passes):
    """Areas of a small tree: (0, 0) and (0, 1) drain to (0, 2), the last cell nowhere."""
    ways = np.full((1, 4, 4), -1, np.float32)
    ways[0, :2, :2] = 2, 0
    flow = np.array([[[1, 0.5], [1, 0.25], [1, 0], [1, 8]]], np.float32)
    out = passes.upload(flow)
    sources = {"u_way": passes.upload(ways), "u_flow": passes.upload(flow)}
    files = "kernels/fluvial/gather.vert", "kernels/fluvial/gather.frag"
    assert passes.scatter(4, *files, out, sources, count=True) == 2
    np.testing.assert_array_equal(passes.read(out)[0], [[1, 0.5], [1, 0.25], [3, 0.75], [1, 8]])


def test_cells_that_are_not_discarded_are_counted(passes):
    water, before = np.zeros((5, 6), np.float32), np.zeros((5, 6), np.float32)
    before[1, :4], before[0, 0] = 1, -1
    sources = {"u_water": passes.upload(water), "u_before": passes.upload(before)}
    assert passes.count("kernels/fluvial/sunk.frag", passes.texture(5, 6), sources) == 4


def test_textures_with_coarser_levels_are_not_handed_out_as_others(passes):
    with_levels = passes.texture(8, 8, levels=True)
    plain = passes.texture(8, 8)
    plain.filter = (moderngl.LINEAR, moderngl.LINEAR)
    passes.give_back(with_levels, plain)
    assert passes.texture(8, 8) is plain and plain.filter == (moderngl.NEAREST, moderngl.NEAREST)
    assert passes.texture(8, 8, levels=True) is with_levels
    passes.give_back(with_levels)
    passes.trim()
    assert passes.texture(8, 8, levels=True) is not with_levels
