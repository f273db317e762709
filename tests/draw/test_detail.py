"""Levels of detail: no gap, no error the eye sees, no jump, and a cost that follows the pixels."""

import numpy as np
import pytest

from fellview.bench import draw
from fellview.bench.draw import flight
from fellview.core.height_field import HeightField
from fellview.draw.draw_pass import DrawPass
from fellview.draw.land import level_of_detail
from fellview.draw.land.block_detail import BLOCK_CELLS, LEVELS, BlockDetail
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.horizon_culling import Occluder, framed, horizon_culled
from fellview.draw.land.level_of_detail import BlockGrid, Sight
from fellview.draw.land.screen_error import screen_error_px
from fellview.draw.land.terrain import TerrainPass
from fellview.draw.registry import IN_THE_FRAME
from fellview.draw.renderer import Renderer
from fellview.gpu.uniform_block import UniformBlock
from fellview.io import scenes
from fellview.library import generate
from fellview.view import projection
from tests.drawn_land import HOLE, at_levels, corners_drawn, every_cell, surface
from tests.lands import RUGGED

SHAPES = ((2, 2), (3, 200), (65, 65), (129, 193), (130, 167))
WIDTH = 1280  # pixels: rays are a quarter of a degree apart
SIZE = (320, 180)
ASPECT = SIZE[0] / SIZE[1]


@pytest.fixture
def height_map(context):
    one = HeightMap(context)
    yield one
    one.release()


@pytest.fixture(scope="module")
def terrain(context):
    return TerrainPass(context, UniformBlock("Look", ()))


@pytest.fixture(scope="module")
def scene():
    return scenes.load(RUGGED).replace({"grid.rows": 385, "grid.columns": 400})


@pytest.fixture(scope="module")
def land(scene):
    return generate(scene)


def hills(rows, columns):
    """Return smooth hills with a rough half: every level of detail has its use."""
    z, x = np.mgrid[:rows, :columns]
    smooth = 10 * np.sin(x / 23) * np.cos(z / 31)
    rough = np.random.default_rng(rows + columns).normal(0, 0.5, (rows, columns)) * (x > columns / 2)
    return HeightField((smooth + rough).astype(np.float32), (1.5, 0.75))


def mixed_levels(shape, seed=0):
    """Return levels of blocks, whole ones and all between; neighbours may be far apart."""
    random = np.random.default_rng(seed)
    return np.where(random.random(shape) < 0.3, random.integers(0, LEVELS, shape), random.uniform(0, 6, shape))


def interpolated(heights, samples_a_cell):
    """Return heights of the full grid's triangles where `surface` has them."""
    at = (np.arange(samples_a_cell) + 0.5) / samples_a_cell
    along_x, along_z = at[None, None, None, :], at[None, :, None, None]
    h00, h01, h10, h11 = (
        part[:, None, :, None] for part in (heights[:-1, :-1], heights[:-1, 1:], heights[1:, :-1], heights[1:, 1:])
    )
    upper = h00 + along_x * (h01 - h00) + along_z * (h11 - h01)
    lower = h00 + along_z * (h10 - h00) + along_x * (h11 - h10)
    rows, columns = (samples_a_cell * (side - 1) for side in heights.shape)
    return np.where(along_x >= along_z, upper, lower).reshape(rows, columns)


@pytest.mark.parametrize("shape", SHAPES)
def test_ranges_are_the_lands_and_errors_are_bounds_that_never_fall(context, height_map, shape):
    field = hills(*shape)
    height_map.upload(field)
    found = height_map.detail
    rows, columns = found.shape
    assert (found.errors[..., 0] == 0).all() and (np.diff(found.errors, axis=-1) >= 0).all()
    exact = interpolated(field.heights.astype(np.float64), 2)
    for row in range(rows):
        for column in range(columns):
            z, x = BLOCK_CELLS * row, BLOCK_CELLS * column
            block = field.heights[z : z + BLOCK_CELLS + 1, x : x + BLOCK_CELLS + 1]
            assert (found.low[row, column], found.high[row, column]) == (block.min(), block.max())
    for level in range(1, LEVELS):
        apart = np.abs(surface(context, height_map, at_levels(height_map, np.full(found.shape, level)), 2) - exact)
        for row in range(rows):
            for column in range(columns):
                z, x = 2 * BLOCK_CELLS * row, 2 * BLOCK_CELLS * column
                worst = apart[z : z + 2 * BLOCK_CELLS, x : x + 2 * BLOCK_CELLS].max()
                # the surfaces of two levels cross between vertices in cells that the grid's end cuts: a tenth more
                assert worst <= 1.1 * found.errors[row, column, level] + 1e-4, (level, row, column)


@pytest.mark.parametrize("shape", SHAPES)
def test_rough_detail_has_the_ranges_of_the_land_until_it_is_measured(context, height_map, shape):
    height_map.upload(hills(*shape))
    before = height_map.detail
    other = HeightField(hills(*shape).heights[::-1] - np.float32(5.0), hills(*shape).cell_size)
    height_map.upload(other, rough=True)
    rough = height_map.detail
    height_map.measure()
    for name in ("low", "high", "unit_low"):
        np.testing.assert_array_equal(getattr(rough, name), getattr(height_map.detail, name))
    np.testing.assert_array_equal(rough.errors, before.errors)
    assert min(shape) < 3 or not np.array_equal(height_map.detail.errors, before.errors)


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_the_levels_every_inner_edge_is_shared_by_two_triangles(context, height_map, shape):
    """A gap, an overlap or a vertex on the middle of another triangle's edge would leave an edge alone."""
    field = hills(*shape)
    height_map.upload(field)
    for seed in range(4):
        levels = mixed_levels(height_map.detail.shape, seed)
        triangles = corners_drawn(context, height_map, at_levels(height_map, levels))[:, :3].reshape(-1, 3, 3)
        _, vertices = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
        vertices = vertices.reshape(-1, 3)
        real = (vertices != np.roll(vertices, 1, axis=1)).all(axis=1)
        triangles, vertices = triangles[real].astype(np.float64), vertices[real]
        one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        areas = (one[:, 2] * other[:, 0] - one[:, 0] * other[:, 2]) / 2
        wide, deep = (field.columns - 1) * field.cell_size[1], (field.rows - 1) * field.cell_size[0]
        assert areas.min() > -1e-4 and areas.sum() == pytest.approx(wide * deep, rel=1e-6), "folds or holes"
        edges = np.concatenate([vertices[:, [0, 1]], vertices[:, [1, 2]], vertices[:, [2, 0]]])
        count = vertices.max() + 1
        there, back = edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]
        assert len(np.unique(there)) == len(there), "an edge is walked twice in one sense"
        ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        alone = ends[~np.isin(there, back)]
        on_outline = [
            np.isclose(alone[:, :, axis], end).all(axis=1) for axis, end in ((0, 0), (0, wide), (2, 0), (2, deep))
        ]
        assert np.any(on_outline, axis=0).all(), "an inner edge belongs to one triangle alone"


def test_the_surface_has_no_hole_and_changes_continuously_with_the_level(context, height_map):
    height_map.upload(hills(129, 193))
    shape = height_map.detail.shape
    apart = np.where(np.indices(shape).sum(axis=0) % 2, 1.2, 0.0)  # neighbours are of different levels
    steps = np.arange(0.0, 4.75, 1 / 16)
    surfaces = [surface(context, height_map, at_levels(height_map, apart + level), 2) for level in steps]
    assert all((one != HOLE).all() for one in surfaces)
    for level, one, other in zip(steps, surfaces, surfaces[1:], strict=False):
        # morphing is over in half a level, so that an eighth of the way is one step, between two surfaces that may be
        # apart by the errors of both; strips along borders are of neither
        errors = height_map.detail.errors[..., min(int(level) + 3, LEVELS - 1)].max()
        assert np.abs(one - other).max() <= 0.4 * errors, level
    for level in (1, 2, 3):
        before, after = (
            surface(context, height_map, at_levels(height_map, apart + at), 2) for at in (level - 1e-4, level)
        )
        # but for two corners a block, a cell of the level each, where two coarser borders meet
        corners = 2 * (2**level / BLOCK_CELLS) ** 2
        assert (np.abs(before - after) > 1e-2).mean() <= corners
        assert np.abs(before - after).max() <= height_map.detail.errors[..., level + 2].max()
    same = [surface(context, height_map, at_levels(height_map, np.full(shape, at)), 2) for at in (3 - 1e-5, 3)]
    np.testing.assert_allclose(same[0], same[1], rtol=0, atol=1e-3)


def matrix_of(camera, field):
    near, far = projection.clip_planes(camera, field)
    return projection.view_projection(camera, SIZE, near, far).astype(np.float64)


def pixels_of(points, matrix):
    clip = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix
    inside = (np.abs(clip[..., :3]) <= clip[..., 3:]).all(axis=-1)
    return np.array(SIZE) * clip[..., :2] / np.where(clip[..., 3:] == 0, 1, clip[..., 3:]) / 2, inside


def test_nothing_seen_of_the_land_is_farther_from_its_place_on_the_screen_than_the_error_allowed(
    context, height_map, terrain, scene, land
):
    height_map.upload(land)
    exact = surface(context, height_map, every_cell(height_map), 1)
    z, x = np.mgrid[: land.rows - 1, : land.columns - 1] + 0.5
    ground = np.stack([x * land.cell_size[1], exact, z * land.cell_size[0]], axis=-1).astype(np.float64)
    coarse = 0
    for camera in flight(land, scene.camera, 9, ASPECT):
        matrix = matrix_of(camera, land)
        drawn = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(matrix, SIZE))
        found = surface(context, height_map, drawn, 1)
        _, inside = pixels_of(ground, matrix)
        # a box that touches the view is drawn, and nothing else is missing
        assert (found != HOLE)[inside].all()
        apart = screen_error_px(terrain, height_map, drawn, Sight(matrix, SIZE))
        # a border follows the coarser of its blocks, so that the other's cells beside it may miss their own bound
        assert np.quantile(apart, 0.999) <= level_of_detail.ERROR_PX and apart.max() <= 2 * level_of_detail.ERROR_PX
        coarse += int((drawn.levels >= 1).sum())
    assert coarse > 50, "the test is of levels of detail, not of the full grid"


def test_a_spike_that_a_level_leaves_out_is_moved_by_its_height_on_the_screen(height_map, terrain, scene):
    spike = np.zeros((65, 65), np.float32)
    spike[33, 31] = 2.0  # odd: level 1 has no vertex there
    field = HeightField(spike, (1.0, 1.0))
    height_map.upload(field)
    parts = np.zeros((1, 2)), np.ones(1), np.ones((1, 4))
    drawn = level_of_detail.DrawnBlocks(*(each.astype(np.float32) for each in parts))
    camera = scene.camera.replace(mode="orbit", x=31.0, y=0.5, z=-67.0, yaw=0.0, pitch=0.0, field_of_view=40.0)
    sight = Sight(matrix_of(camera, field), SIZE)
    apart = screen_error_px(terrain, height_map, drawn, sight)
    pixels_a_metre = SIZE[1] / 2 / np.tan(np.radians(20)) / 100
    assert apart.max() == pytest.approx(2 * pixels_a_metre, rel=1e-3)
    row, column = np.unravel_index(apart.argmax(), apart.shape)  # rows from below; the spike from -0.5 m
    assert abs(column - SIZE[0] / 2) <= pixels_a_metre
    assert -1 <= (row + 0.5 - SIZE[1] / 2) / pixels_a_metre <= 2
    whole = level_of_detail.every_cell(drawn)
    assert (screen_error_px(terrain, height_map, whole, sight) == 0).all()


def blocks_of(height_map, field):
    return BlockGrid(height_map.detail, field.heights.shape, field.cell_size)


def boxes_of(detail, field):
    """Return centres and half sizes of the boxes around the blocks of `field`, xyz in metres, (blocks, 3)."""
    row, column = np.indices(detail.shape)
    (z0, z1), (x0, x1) = (
        (np.minimum(BLOCK_CELLS * (number + end), side - 1) * cell for end in (0, 1))
        for number, side, cell in zip((row, column), field.heights.shape, field.cell_size, strict=True)
    )
    low = np.stack([x0, detail.low, z0], axis=-1).reshape(-1, 3)
    high = np.stack([x1, detail.high, z1], axis=-1).reshape(-1, 3)
    return (low + high) / 2, (high - low) / 2


def test_what_the_relief_is_said_to_hide_is_seen_in_no_pixel(height_map, terrain, scene, land):
    """And low over the ground that is most of what is not seen."""
    height_map.upload(land)
    side_m = BLOCK_CELLS * np.array(land.cell_size[::-1])
    unseen = hidden_ones = 0
    for camera in flight(land, scene.camera, 13, ASPECT):
        matrix = matrix_of(camera, land)
        arguments = blocks_of(height_map, land), Sight(matrix, SIZE)
        blocks = level_of_detail.select_blocks(*arguments, error_px=0.0)
        places = terrain.places(height_map, blocks, arguments[1])
        seen = np.zeros(height_map.detail.shape[::-1], bool)
        shown = (places[places[..., 3] > 0][:, [0, 2]] / side_m).astype(int)
        seen[tuple(np.minimum(shown, np.array(seen.shape) - 1).T)] = True
        seen = seen[tuple(blocks.blocks.astype(int).T)]
        centre, half = boxes_of(height_map.detail, land)
        mine = np.ravel_multi_index(blocks.blocks.astype(int).T[::-1], height_map.detail.shape)
        ground = [blocks_of(height_map, land).occluder()]
        found = horizon_culled(ground, centre[mine], half[mine], matrix, WIDTH)
        assert not (found & seen).any()
        if camera.pitch > -10:
            unseen, hidden_ones = unseen + int((~seen).sum()), hidden_ones + int(found.sum())
        under = matrix_of(camera.replace(y=land.height_range[0] - 10, x=2000.0, z=2000.0), land)
        assert not horizon_culled(ground, centre, half, under, WIDTH).any(), "from under the ground"
    assert hidden_ones > unseen / 2 > 10


def test_other_ground_hides_what_is_behind_it_where_it_lies(scene):
    """A wall of 100 m between an eye at 10 m and boxes of 50 m: one behind it, and one beside."""
    camera = scene.camera.replace(x=0.0, y=10.0, z=0.0, yaw=0.0, pitch=0.0)
    matrix = np.asarray(projection.view_projection(camera, SIZE, 1.0, 1e4), np.float64)
    plain = Occluder(framed(np.zeros((200, 200), np.float32)), (10.0, 10.0), (-1000.0, -1000.0))
    wall = Occluder(framed(np.full((2, 20), 50.0, np.float32)), (10.0, 10.0), (-100.0, 100.0), 2.0)
    centre, half = np.array([[0.0, 25.0, 400.0], [700.0, 25.0, 400.0]]), np.full((2, 3), 25.0)
    assert horizon_culled([plain], centre, half, matrix, WIDTH).tolist() == [False, False]
    assert horizon_culled([plain, wall], centre, half, matrix, WIDTH).tolist() == [True, False]
    higher = centre + np.array([0.0, 400.0, 0.0])
    assert horizon_culled([wall, plain], higher, half, matrix, WIDTH).tolist() == [False, False]


def test_blocks_are_chosen_anew_only_where_something_has_changed(context, scene, land):
    """Not in every frame of a mean, which are moved by parts of a pixel."""
    found = []

    class Noting(DrawPass):
        """Keeps each choice of blocks that frames are drawn with."""

        name = None

        def draw(self, frame):
            if not any(frame.drawn is one for one in found):
                found.append(frame.drawn)

    renderer = Renderer(context, (*IN_THE_FRAME, Noting))
    renderer.show(land)
    one = scene.with_group(flight(land, scene.camera, 13, ASPECT)[3])
    other = one.replace({"camera.yaw": one.camera.yaw + 1})
    for seen, count in ((one, 1), (one, 1), (other, 2), (one.replace({"view.exaggeration": 2.0}), 3)):
        renderer.draw(seen, SIZE, 8)
        assert len(found) == count
    renderer.show(HeightField(land.heights + 1, land.cell_size))
    renderer.draw(one, SIZE, 8)
    assert len(found) == 4


def test_flying_over_the_land_shows_no_sky_through_it_and_the_picture_of_the_full_grid(renderer, scene, land):
    renderer.show(land)
    scene = scene.replace({"sky.zenith": "#ff00ff", "sky.horizon": "#ff00ff", "sky.visibility": 1e6})
    for camera in flight(land, scene.camera, 13, ASPECT):
        seen = scene.with_group(camera)
        found, full = (renderer.draw(seen, SIZE, 1, whole).pixels()[..., :3].astype(int) for whole in (False, True))
        sky, full_sky = ((one == (255, 0, 255)).all(axis=-1) for one in (found, full))
        near_sky = np.zeros_like(full_sky)
        for down in (-2, -1, 0, 1, 2):
            for right in (-2, -1, 0, 1, 2):
                near_sky |= np.roll(full_sky, (down, right), axis=(0, 1))
        assert not (sky & ~near_sky).any(), "sky shows through the land"
        # where one pixel hides another by less than a pixel, both pictures are right: half of what a pixel's shift does
        shifted = np.abs(np.roll(full, 1, axis=0) - full)[~near_sky].mean()
        assert np.abs(found - full)[~near_sky].mean() <= shifted / 2


def test_nothing_pops_while_the_camera_moves_a_little(renderer, scene, land):
    """From one frame to the next the picture changes as much as that of the full grid does."""
    renderer.show(land)
    first, last = flight(land, scene.camera, 13, ASPECT)[2:4]
    frames = 25
    changes = {}
    for whole in (False, True):
        before, changes[whole] = None, []
        for share in np.linspace(0, 0.2, frames):
            numbers = {n: (1 - share) * getattr(first, n) + share * getattr(last, n) for n in ("x", "y", "z", "pitch")}
            picture = renderer.draw(scene.with_group(first.replace(**numbers)), SIZE, 1, whole).pixels().astype(int)
            if before is not None:
                changes[whole].append(np.abs(picture - before).mean())
            before = picture
    found, full = np.array(changes[False]), np.array(changes[True])
    assert (found <= 1.3 * full + 0.1).all() and found.max() <= 1.5 * np.median(found) + 0.1


def test_flat_land_is_two_triangles_a_block_and_the_full_grid_where_it_is_asked_for(height_map, scene):
    flat = HeightField(np.full((193, 257), 7.0, np.float32), (1.0, 1.0))
    height_map.upload(flat)
    camera = flight(flat, scene.camera, 5, ASPECT)[0]
    arguments = blocks_of(height_map, flat), Sight(matrix_of(camera, flat), SIZE)
    assert (level_of_detail.select_blocks(*arguments).levels == LEVELS - 1).all()
    drawn = level_of_detail.select_blocks(*arguments, error_px=0.0)
    assert len(drawn.levels) == 12 and (drawn.levels == 0).all() and (drawn.border_levels == 0).all()


def test_what_is_out_of_view_is_not_drawn_and_what_is_near_comes_first(height_map, scene, land):
    height_map.upload(land)
    camera = flight(land, scene.camera, 13, ASPECT)[6]
    for yaw, turned in ((45.0, False), (225.0, True)):
        matrix = matrix_of(camera.replace(yaw=yaw), land)
        drawn = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(matrix, SIZE))
        assert 0 < len(drawn.levels) < np.prod(height_map.detail.shape)
        middles = (drawn.blocks + 0.5) * BLOCK_CELLS * land.cell_size[::-1]
        ahead = (middles - [camera.x, camera.z]).sum(axis=1) * (-1 if turned else 1)
        assert (np.diff(ahead) > -BLOCK_CELLS * max(land.cell_size)).all()
    away = matrix_of(camera.replace(x=-1e4, z=-1e4, yaw=225.0), land)
    found = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(away, SIZE))
    assert len(found.levels) == 0


def test_triangles_stay_within_what_is_asked_for(height_map, scene, land):
    height_map.upload(land)
    for camera in flight(land, scene.camera, 9, ASPECT):
        matrix = matrix_of(camera, land)
        for most in (10_000, 100_000):
            drawn = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(matrix, SIZE), most_triangles=most)
            # between two levels the finer one is drawn
            assert (2 * (BLOCK_CELLS >> drawn.levels.astype(int)) ** 2).sum() <= 4 * most


def test_the_error_of_blocks_that_are_too_many_is_the_least_step_that_they_can_afford():
    random, tried = np.random.default_rng(3), 0
    for _ in range(100):
        blocks = int(random.integers(1, 300))
        errors = np.sort(random.exponential(1.0, (1, blocks, LEVELS)), axis=-1).astype(np.float32)
        marks = BlockDetail(errors[..., 0], errors[..., -1], errors, errors[..., 0]).marks
        pixels, most = 10 ** random.uniform(-2, 2, blocks), 10 ** random.uniform(2, 6)

        def triangles(error_px, marks=marks, pixels=pixels):
            return (2 * BLOCK_CELLS**2 * 4.0 ** -level_of_detail._levels(marks, error_px / pixels)).sum()

        found = level_of_detail._affordable(1.0, marks, pixels, most)
        if found == 1.0:
            assert triangles(1.0) <= most * (1 + 1e-9)
            continue
        tried += 1
        step = 2 ** (6 / 1024)  # of 1024 in 6 octaves; beyond those it may stay too many
        assert triangles(found) <= most * (1 + 1e-9) or found == 64
        assert triangles(found / step) > most * (1 - 1e-9)
    assert tried > 30


def test_exaggerated_land_is_drawn_as_finely_as_land_of_such_heights(height_map, scene, land):
    taller = HeightField(3 * land.heights, land.cell_size)
    camera = flight(taller, scene.camera, 9, ASPECT)[3]
    matrix = matrix_of(camera, taller)
    height_map.upload(land)
    found = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(matrix, SIZE, 3.0))
    height_map.upload(taller)
    expected = level_of_detail.select_blocks(blocks_of(height_map, land), Sight(matrix, SIZE))
    np.testing.assert_array_equal(found.blocks, expected.blocks)
    np.testing.assert_allclose(found.levels, expected.levels, rtol=0, atol=1e-3)


def test_the_benchmark_tells_of_a_flight_its_worst_frame_and_error(renderer, context):
    # without all there is, whose shaders take long to compile
    sizes = {"flight_sides": (32,), "whole_side": 16, "flight_frames": 3, "size": (32, 18)}
    plan = draw.Plan(**sizes, everything_frames=2, everything={})
    whole, flown = draw.flights(renderer, context.finish, plan)[:2]
    assert len(flown[1]) == 3 and flown[2]["worst_ms"] == pytest.approx(1000 * max(flown[1]), abs=1e-3)
    assert whole[2]["ratio"] == 1.0 and flown[2]["ratio"] == pytest.approx(max(flown[1]) / max(whole[1]), abs=1e-3)
    assert whole[2]["measured_error_px"] == 0.0 <= flown[2]["measured_error_px"] <= 2 * flown[2]["worst_error_px"] < 10


@pytest.mark.slow
def test_the_benchmark_compares_the_flights_worst_frames():
    plan = draw.Plan(
        size=(32, 18),
        sides=(16,),
        flight_sides=(16, 32),
        whole_side=16,
        scene_side=16,
        flight_frames=4,
        everything_frames=2,
        runs=2,
        passes=((64, 36, 32),),
    )
    found = {name: (seconds, figures) for name, seconds, figures in draw.measure(plan)}
    whole, flown = found["draw: flight over 16², every cell"], found["draw: flight over 32²"]
    assert len(flown[0]) == 4 and flown[1]["worst_ms"] == pytest.approx(1000 * max(flown[0]), abs=1e-3)
    assert whole[1]["ratio"] == 1.0 and flown[1]["ratio"] == pytest.approx(max(flown[0]) / max(whole[0]), abs=1e-3)
    assert all("renderer" in figures for _, figures in found.values())
    assert whole[1]["worst_error_px"] == whole[1]["measured_error_px"] == 0.0
    assert 0 <= flown[1]["measured_error_px"] <= 2 * flown[1]["worst_error_px"] < 10
    whole, flown = (found[f"draw: flight over {land}, everything"] for land in ("16², every cell", "32²"))
    assert whole[1]["ratio"] == 1.0 and flown[1]["ratio"] == pytest.approx(max(flown[0]) / max(whole[0]), abs=1e-3)
    assert min(found["draw: 16², upload and normals"][0]) > 2e-5, "what is shown already takes microseconds"
    passes = {name.removeprefix("passes: 64×36, 32², ") for name in found if name.startswith("passes: 64×36, 32², ")}
    assert passes >= {
        "sky", "land places", "ground", "light map", "occlusion", "water", "boulders", "figure", "tone", "overlay",
        "marks", "normals", "levels of detail", "ground's textures", "ground's maps", "water's maps", "sky's tables",
    }  # fmt: skip
    shares = [figures["share"] for _, figures in found.values() if "share" in figures]
    assert sum(shares) == pytest.approx(1.0, abs=0.02)
