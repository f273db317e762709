"""The land with all its triangles or fewer: every vertex is the land's, and the error stated is the one there is."""

import sys

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.mesh import land_mesh
from fellview.mesh.land_mesh import Wanted, meshes
from tests.lands import rolling


def hills(rows=40, columns=65, cell_size=(3.0, 2.0)):
    return HeightField(rolling(rows, columns, 60.0), cell_size)


def off_by_hand(field, mesh):
    """Return how far the triangles lie over each height, [row, column], looked at place by place."""
    rows, columns = field.heights.shape
    row, column = np.indices((rows, columns))
    off = np.full((rows, columns), np.nan)
    for triangle in mesh.triangles:
        (r, c), heights = mesh.places[triangle].T, field.heights[tuple(mesh.places[triangle].T)]
        solved = np.linalg.solve(
            np.stack([np.ones(3), r, c]), np.stack([np.ones(row.size), row.ravel(), column.ravel()])
        )
        inside = (solved > -1e-9).all(axis=0).reshape(rows, columns)
        off[inside] = (heights @ solved).reshape(rows, columns)[inside] - field.heights[inside]
    return off


def upwards(mesh):
    """Return the vertical part of the triangles' normals by their corners' order, right-handed."""
    corners = mesh.positions[mesh.triangles].astype(np.float64)
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1]


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(triangles=200), Wanted(error_m=1.5), Wanted(200, 20.0)])
def test_vertices_are_the_lands_and_triangles_cover_it_face_up(wanted):
    field = hills()
    (mesh,) = meshes(field, wanted)
    row, column = mesh.places.T
    np.testing.assert_array_equal(mesh.positions[:, 1], field.heights[row, column])
    np.testing.assert_allclose(mesh.positions[:, 0], 2.0 * column)
    np.testing.assert_allclose(mesh.positions[:, 2], -3.0 * row)
    up = upwards(mesh)
    assert (up > 0).all()
    assert np.sum(up) / 2 == pytest.approx(39 * 3.0 * 64 * 2.0), "seen from above they are the land, once"
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)


def test_a_whole_mesh_has_two_triangles_a_cell_and_no_error():
    (mesh,) = meshes(hills(), Wanted())
    assert len(mesh.triangles) == 2 * 39 * 64 and len(mesh.places) == 40 * 65
    assert mesh.error_m == mesh.mean_error_m == 0


@pytest.mark.parametrize("budget", [2, 3, 50, 501, 100_000])
def test_a_budget_is_kept(budget):
    (mesh,) = meshes(hills(), Wanted(triangles=budget))
    assert min(budget, 2 * 39 * 64) - 2 < len(mesh.triangles) <= budget


@pytest.mark.parametrize("bound", [0.0, 0.5, 5.0])
def test_an_error_bound_is_kept_and_the_error_is_the_measured_one(bound):
    field = hills()
    (mesh,) = meshes(field, Wanted(error_m=bound))
    off = off_by_hand(field, mesh)
    assert mesh.error_m <= bound + 1e-4
    assert mesh.error_m == pytest.approx(np.abs(off).max(), abs=1e-4)
    assert mesh.mean_error_m == pytest.approx(np.sqrt(np.mean(off**2)), abs=1e-4)


def test_a_finer_bound_takes_more_triangles():
    counts = [len(meshes(hills(), Wanted(error_m=bound))[0].triangles) for bound in (10.0, 3.0, 1.0)]
    assert counts == sorted(counts) and counts[0] < counts[-1] / 3


def test_deviations_reach_every_height_however_work_is_shared_out(monkeypatch):
    field = hills()
    (mesh,) = meshes(field, Wanted(triangles=60))
    whole = land_mesh.deviations(field.heights, mesh.places, mesh.triangles)
    monkeypatch.setattr(land_mesh, "_CHUNK", 7)
    monkeypatch.setattr(land_mesh, "_PLACES", 50)
    np.testing.assert_allclose(land_mesh.deviations(field.heights, mesh.places, mesh.triangles), whole, atol=1e-4)
    assert np.isfinite(whole).all()


def test_levels_have_a_quarter_of_the_triangles_each():
    found = meshes(hills(), Wanted(triangles=1600, levels=3))
    counts = [len(each.triangles) for each in found]
    assert counts[0] <= 1600 and counts[1] <= counts[0] // 4 and counts[2] <= counts[1] // 4
    assert found[0].error_m < found[1].error_m < found[2].error_m


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(triangles=100)])
def test_the_border_runs_once_around(wanted):
    (mesh,) = meshes(hills(), wanted)
    around = mesh.places[mesh.border]
    assert (around[0] == 0).all() and len(np.unique(mesh.border)) == len(mesh.border)
    steps = np.roll(around, -1, axis=0) - around
    assert ((steps == 0).sum(axis=1) == 1).all(), "every step goes along a side"
    assert np.abs(steps).sum() == 2 * (39 + 64)
    # counter-clockwise: the land lies to the left
    column, row = around[:, 1], around[:, 0]
    assert np.sum(column * np.roll(row, -1) - np.roll(column, -1) * row) / 2 == 39 * 64


@pytest.mark.parametrize("texels", [1, 3])
def test_texture_coordinates_meet_the_texels_that_lie_on_vertices(texels):
    field = hills()
    (mesh,) = meshes(field, Wanted())
    size = np.array([texels * 64 + 1, texels * 39 + 1])
    texel = mesh.texture_coordinates(field, texels) * size - 0.5
    np.testing.assert_allclose(texel[:, 0], texels * mesh.places[:, 1], atol=1e-3)
    np.testing.assert_allclose(texel[:, 1], texels * (39 - mesh.places[:, 0]), atol=1e-3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("triangles", 1),
        ("triangles", 10**9),
        ("error_m", -1.0),
        ("error_m", float("nan")),
        ("levels", 0),
        ("levels", 9),
    ],
)
def test_what_is_out_of_range_is_refused(name, value):
    with pytest.raises(InputError, match=rf"{name.removesuffix('_m')} = {value}: expected .* to "):
        Wanted(**{name: value})


def test_without_pydelatin_fewer_triangles_are_refused_and_the_whole_grid_is_not(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydelatin", None)
    assert len(meshes(hills(), Wanted())) == 1
    with pytest.raises(InputError, match=r'triangles = 50: .*pydelatin.*pip install "fellview\[mesh\]"'):
        meshes(hills(), Wanted(triangles=50))
    with pytest.raises(InputError, match=r"error = 2\.0: .*pydelatin"):
        meshes(hills(), Wanted(error_m=2.0))
