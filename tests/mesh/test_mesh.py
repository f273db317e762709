"""The triangle list: what the reference program printed, and what the geometry must be."""

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.mesh import triangle_list
from tests import golden_data

SHAPES = ((2, 2), (2, 9), (9, 2), (33, 20))


def rough(rows, columns, cell_size=(3.0, 2.0)):
    heights = np.random.default_rng(rows * 100 + columns).uniform(-20, 20, (rows, columns)).astype(np.float32)
    return HeightField(heights, cell_size)


def triangles(field):
    """Return the corners, float64 [triangle, corner, xyz]."""
    return triangle_list.build_mesh(field).vertices[:, :3].astype(np.float64).reshape(-1, 3, 3)


@pytest.fixture(scope="module")
def golden():
    return golden_data.load("terrain_mesh_17x23")


@pytest.fixture(scope="module")
def field(golden):
    size_z, size_x = golden["size_z"].item(), golden["size_x"].item()
    return HeightField(golden["height"], (size_z / golden["rows"].item(), size_x / golden["cols"].item()))


def test_positions_are_the_demos(golden, field):
    np.testing.assert_array_equal(triangle_list.positions(field), golden["positions"])


def test_normals_are_the_demos(golden, field):
    np.testing.assert_allclose(triangle_list.normals(field), golden["normals"], rtol=0, atol=1e-6)


def test_texture_coordinates_are_the_demos(golden, field):
    np.testing.assert_allclose(
        triangle_list.texture_coordinates(field), golden["texture_coordinates"], rtol=0, atol=1e-5
    )


def test_the_triangle_list_is_the_demos_in_the_demos_order(golden, field):
    vertices = triangle_list.build_mesh(field).vertices
    assert vertices.dtype == np.float32 and vertices.shape == golden["vertices"].shape
    np.testing.assert_array_equal(vertices[:, :3], golden["vertices"][:, :3])
    np.testing.assert_allclose(vertices[:, 3:6], golden["vertices"][:, 3:6], rtol=0, atol=1e-6)
    np.testing.assert_allclose(vertices[:, 6:], golden["vertices"][:, 6:], rtol=0, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_triangle_runs_clockwise_seen_from_above(shape):
    first, second, third = np.moveaxis(triangles(rough(*shape)), 1, 0)
    one, other = second - first, third - first
    # with x to the right and z up the map, the turn from one side to the other is negative where it is clockwise
    turn = one[:, 0] * other[:, 2] - one[:, 2] * other[:, 0]
    assert (turn < 0).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_triangles_cover_the_land_once(shape):
    field = rough(*shape)
    first, second, third = np.moveaxis(triangles(field)[..., [0, 2]], 1, 0)
    one, other = second - first, third - first
    area = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2
    rows, columns = shape
    assert len(area) == 2 * (rows - 1) * (columns - 1)
    np.testing.assert_allclose(area, field.cell_size[0] * field.cell_size[1] / 2, rtol=1e-5)
    middles = {tuple(np.round(middle, 3)) for middle in (first + second + third) / 3}
    assert len(middles) == len(area), "a triangle comes twice"


def test_flat_ground_faces_up():
    normals = triangle_list.normals(HeightField(np.full((5, 7), 12.5, np.float32), (0.1, 40.0)))
    np.testing.assert_array_equal(normals, np.broadcast_to(np.float32([0, 1, 0]), normals.shape))


@pytest.mark.parametrize(("slope_x", "slope_z"), [(1.0, 0.0), (0.0, -2.0), (-0.5, 0.25)])
def test_an_inclined_plane_has_its_own_normal_everywhere(slope_x, slope_z):
    z, x = np.mgrid[:6, :8] * np.array([3.0, 2.0])[:, None, None]
    field = HeightField((slope_x * x + slope_z * z).astype(np.float32), (3.0, 2.0))
    expected = np.array([-slope_x, 1.0, -slope_z]) / np.linalg.norm([slope_x, 1.0, slope_z])
    normals = triangle_list.normals(field)
    np.testing.assert_allclose(normals, np.broadcast_to(expected, normals.shape), rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_normals_have_length_one_and_never_face_down(shape):
    normals = triangle_list.normals(rough(*shape))
    np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1, rtol=0, atol=1e-6)
    assert (normals[..., 1] > 0).all()


def test_heights_and_cell_sizes_stand_where_they_belong():
    field = rough(4, 6, cell_size=(5.0, 0.5))
    place = triangle_list.positions(field)
    np.testing.assert_array_equal(place[..., 1], field.heights)
    assert tuple(place[3, 0, [0, 2]]) == (0.0, 15.0), "rows run along z"
    assert tuple(place[0, 5, [0, 2]]) == (2.5, 0.0), "columns run along x"


def test_the_texture_repeats_as_often_as_asked():
    coordinates = triangle_list.texture_coordinates(rough(4, 8), repeats=4.0)
    assert tuple(coordinates[0, 0]) == (0.0, 4.0)
    assert tuple(coordinates[1, 2]) == (1.0, 3.0)


def test_a_mesh_is_read_only():
    assert not triangle_list.build_mesh(rough(2, 2)).vertices.flags.writeable


@pytest.mark.parametrize("where", ["concatenate", "stack"])
def test_a_mesh_too_large_for_memory_is_refused_in_one_line(monkeypatch, where):
    def no_memory(*_, **__):
        raise MemoryError("Unable to allocate 1.5 GiB")

    field = HeightField(np.zeros((1025, 2049), np.float32), (1.0, 1.0))
    monkeypatch.setattr(np, where, no_memory)
    with pytest.raises(InputError) as refusal:
        triangle_list.build_mesh(field)
    text = str(refusal.value)
    assert "1024 × 2048 cells" in text and "384 MB" in text and "smaller grid" in text and "\n" not in text
