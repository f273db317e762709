import gc

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import extent
from fellview.view.ground import above_ground, clearance, floor_at
from fellview.view.picking import height_at, hit


def field_of(heights, cell=(1.0, 1.0)):
    return HeightField(np.asarray(heights, np.float32), cell)


def test_height_at_vertices_is_theirs_with_rows_along_z():
    field = field_of([[0, 1, 2], [10, 11, 12]], cell=(5.0, 3.0))
    assert height_at(field, 6.0, 0.0) == 2
    assert height_at(field, 0.0, 5.0) == 10
    assert height_at(field, 3.0, 5.0) == 11


def test_height_follows_the_drawn_diagonal():
    # only [0, 1] is high; the cell is split from [0, 0] to [1, 1], so the diagonal and what is beyond it stay flat
    field = field_of([[0, 4], [0, 0]])
    assert height_at(field, 0.5, 0.5) == 0
    assert height_at(field, 0.25, 0.75) == 0
    assert height_at(field, 0.75, 0.25) == pytest.approx(2)


def test_height_outside_is_that_of_the_nearest_edge():
    field = field_of([[0, 1], [2, 3]])
    assert height_at(field, -9, -9) == 0
    assert height_at(field, 9, 9) == 3
    assert height_at(field, 9, -9) == 1


def test_a_vertical_ray_meets_the_ground_below():
    field = field_of([[0, 4], [0, 0]])
    np.testing.assert_allclose(hit(field, np.array([0.75, 9, 0.25]), np.array([0, -1, 0])), (0.75, 2, 0.25))


def test_a_slanted_ray_meets_flat_ground_where_geometry_says():
    field = field_of(np.full((30, 40), 7.0), cell=(2.0, 3.0))
    point = hit(field, np.array([10.0, 17.0, 5.0]), np.array([3.0, -1.0, 2.0]))
    np.testing.assert_allclose(point, (40, 7, 25), rtol=1e-12)


def test_the_nearest_of_two_ridges_is_met():
    heights = np.zeros((21, 5))
    heights[8], heights[14] = 5, 9
    point = hit(field_of(heights), np.array([2.0, 4.0, -10.0]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(point, (2, 4, 7.8))  # the near flank rises from 0 to 5 between rows 7 and 8


def test_a_single_vertex_spike_is_not_stepped_over():
    heights = np.zeros((1025, 1025))
    heights[700, 300] = 50
    # grazes the spike a quarter of a cell below its tip, from far outside
    point = hit(field_of(heights), np.array([300.0, 37.5, -9000.0]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(point, (300, 37.5, 699.75), atol=1e-6)


@pytest.mark.parametrize(
    ("origin", "direction"),
    [
        ((5, 20, 5), (0, 1, 0)),  # away
        ((5, 20, 5), (1, 0, 0)),  # level, above everything
        ((-50, 20, 5), (0, -1, 0)),  # down beside the land
        ((-50, 20, 5), (-1, -1, 0)),  # down and away
        ((5, -20, 5), (0, 1, 0)),  # from beneath: back faces are not drawn
        ((5, -20, 5), (0, -1, 0)),
    ],
)
def test_rays_that_meet_nothing(origin, direction):
    field = field_of(np.sin(np.arange(11 * 11)).reshape(11, 11))
    assert hit(field, np.array(origin, float), np.array(direction, float)) is None


def test_ground_met_from_beneath_is_looked_through():
    heights = np.zeros((21, 5))
    heights[5], heights[15] = 4, 9
    # starts under the first ridge, leaves it upwards, then meets the second one from above
    point = hit(field_of(heights), np.array([2.0, 2.0, 5.0]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(point, (2, 2, 14 + 2 / 9))


def test_the_smallest_land_is_one_cell():
    field = field_of([[1, 1], [1, 1]])
    np.testing.assert_allclose(hit(field, np.array([0.5, 5, 0.5]), np.array([0, -1, 0])), (0.5, 1, 0.5))


def test_extent_is_the_vertices_box_and_is_measured_once():
    field = field_of([[0, 1, -2], [10, 11, 12]], cell=(5.0, 3.0))
    box = extent(field)
    np.testing.assert_array_equal(box.low, (0, -2, 0))
    np.testing.assert_array_equal(box.high, (6, 12, 5))
    assert extent(field) is box


def test_extent_of_a_new_field_is_never_an_old_ones():
    for height in range(50):
        field = field_of(np.full((4, 4), height))
        assert extent(field).high[1] == height
        assert extent(HeightField(field.heights, (2.0, 2.0))).high[0] == 6  # the same array, other cells
        del field
        gc.collect(0)


def test_distance_at_least_is_never_more_than_the_distance():
    random = np.random.default_rng(1)
    field = field_of(random.normal(size=(150, 201)) * 8, cell=(2.0, 1.0))
    row, column = np.mgrid[:150, :201]
    ground = np.stack([column * 1.0, field.heights, row * 2.0], axis=-1).reshape(-1, 3)
    for _ in range(200):
        point = random.uniform((-100, -10, -100), (300, 100, 400))
        if point[1] > height_at(field, point[0], point[2]):
            assert extent(field).distance_at_least(point) <= np.linalg.norm(ground - point, axis=1).min() + 1e-9
    assert extent(field).distance_at_least(np.array([100.0, 1000.0, 100.0])) == pytest.approx(
        1000 - field.heights.max(), rel=0.02
    )


def test_clearance_is_small_and_never_over_a_persons_eyes():
    assert clearance(field_of(np.zeros((201, 201)))) == pytest.approx(0.2)
    assert clearance(field_of(np.zeros((3, 3)), cell=(20_000.0, 20_000.0))) == 2


def test_the_floor_follows_the_ground_and_falls_off_outside_without_a_cliff():
    field = field_of([[0, 0, 50], [0, 0, 50]], cell=(50.0, 50.0))
    gap = clearance(field)
    assert floor_at(field, 100, 25) == pytest.approx(50 + gap)
    assert floor_at(field, 75, 25) == pytest.approx(25 + gap)
    assert floor_at(field, 110, 25) == pytest.approx(40 + gap)
    assert floor_at(field, 1000, 25) == pytest.approx(0 + gap)
    line = [floor_at(field, x, 25) for x in np.linspace(90, 200, 1101)]
    assert np.abs(np.diff(line)).max() < 0.11  # metres of height for 0.1 m of way


def test_above_ground_lifts_only_what_is_below():
    field = field_of(np.full((11, 11), 3.0))
    high, low = Camera(x=5, y=9, z=5), Camera(x=5, y=-9, z=5)
    assert above_ground(high, field) is high
    assert above_ground(low, field).y == pytest.approx(3 + clearance(field))
