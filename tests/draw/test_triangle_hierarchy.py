"""The triangles of a draft's land: no gaps, few for what they show, none where nothing is seen, and no jumps."""

import itertools

import numpy as np
import pytest

from fellview.draw.land.level_of_detail import Sight
from fellview.draw.land.triangle_hierarchy import SQUARE_CELLS, TriangleHierarchy
from fellview.io import scenes
from fellview.view import projection
from tests.lands import rolling

SHAPES = ((2, 2), (3, 200), (65, 65), (64, 128), (129, 193), (130, 167))
CELL_M = (4.0, 5.0)
SIZE = (320, 180)


def rough(rows, columns, seed=0):
    """Return hills in metres, half of them with steps."""
    heights = rolling(rows, columns, 40.0) + np.random.default_rng(seed).normal(0, 2, (rows, columns)) * (
        np.arange(columns) > columns / 2
    )
    return heights.astype(np.float32)


def sight(shape, *, above=1.5, pitch=-40.0, yaw=180.0, size=SIZE, exaggeration=1.0):
    """Look at the middle of a land of `shape` from so many of its sides away, so that all of it is in view."""
    side_m = max(count * cell for count, cell in zip(shape, CELL_M, strict=True))
    camera = scenes.load("directx-demo").camera.replace(mode="orbit", pitch=pitch, yaw=yaw, field_of_view=60.0)
    forward = projection.ray(camera, size, (size[0] / 2, size[1] / 2))[1]
    middle = np.array([shape[1] * CELL_M[1] / 2, 0.0, shape[0] * CELL_M[0] / 2])
    x, y, z = middle - (above + 0.2) * side_m * np.asarray(forward)
    matrix = projection.view_projection(camera.replace(x=x, y=y, z=z), size, 0.1, 20 * side_m)
    return Sight(np.asarray(matrix, np.float64), size, exaggeration)


def squares(shape):
    return tuple(-(-(side - 1) // SQUARE_CELLS) for side in shape)


def chosen(heights, looked=None, *, seen=None, least_px=1.0, most=np.inf):
    """Return the mesh of `heights` for a view of all of it."""
    seen = np.ones(squares(heights.shape), bool) if seen is None else seen
    most = min(most, 1e9)
    return TriangleHierarchy(heights, CELL_M).mesh(looked or sight(heights.shape), seen, least_px, most)


def surface(mesh, shape):
    """Return the heights of `mesh` at the grid's vertices; NaN where it has none."""
    found = np.full(shape, np.nan)
    x, y, z = np.moveaxis(mesh.places[mesh.triangles].astype(np.float64), -1, 0)
    x, z = (np.rint(at / cell_m).astype(int) for at, cell_m in ((x, CELL_M[1]), (z, CELL_M[0])))
    spans = np.stack([np.ptp(z, axis=1), np.ptp(x, axis=1)], axis=-1)
    for rows, columns in np.unique(spans, axis=0):  # all triangles of one size at once, with all vertices about them
        these = (spans == (rows, columns)).all(axis=1)
        (x0, x1, x2), (y0, y1, y2), (z0, z1, z2) = (at[these].T[..., None, None] for at in (x, y, z))
        down, across = np.mgrid[: rows + 1, : columns + 1]
        at_z, at_x = np.minimum(np.minimum(z0, z1), z2) + down, np.minimum(np.minimum(x0, x1), x2) + across
        area = (x1 - x0) * (z2 - z0) - (x2 - x0) * (z1 - z0)
        one = (at_x - x0) * (z2 - z0) - (x2 - x0) * (at_z - z0)
        other = (x1 - x0) * (at_z - z0) - (at_x - x0) * (z1 - z0)
        sign = np.sign(area)
        inside = (sign * one >= 0) & (sign * other >= 0) & (sign * (area - one - other) >= 0) & (area != 0)
        heights = y0 + (one * (y1 - y0) + other * (y2 - y0)) / np.where(area == 0, 1, area)
        found[at_z[inside], at_x[inside]] = heights[inside]
    return found


@pytest.mark.parametrize("least_px", [1e-4, 0.2, 2.0, 40.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_triangles_cover_the_land_once_and_share_their_sides(shape, least_px):
    """A gap, a fold or a vertex on the middle of another triangle's side would leave a side alone or an area apart."""
    mesh = chosen(rough(*shape), least_px=least_px)
    triangles = mesh.places[mesh.triangles].astype(np.float64)
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    areas = (one[:, 2] * other[:, 0] - one[:, 0] * other[:, 2]) / 2
    wide, deep = (shape[1] - 1) * CELL_M[1], (shape[0] - 1) * CELL_M[0]
    assert areas.min() > -1e-3 and areas.sum() == pytest.approx(wide * deep, rel=1e-5)
    _, vertices = np.unique(mesh.places, axis=0, return_inverse=True)
    corners = vertices[mesh.triangles]
    corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    there, back = (sides[:, [a, b]] @ (vertices.max() + 1, 1) for a, b in ((0, 1), (1, 0)))
    places = np.unique(mesh.places, axis=0)[sides[~np.isin(there, back)]]
    on_border = [np.isclose(places[..., axis], end).all(axis=1) for axis, end in ((0, 0), (0, wide), (2, 0), (2, deep))]
    assert np.any(on_border, axis=0).all(), "a side within the land belongs to one triangle alone"


@pytest.mark.parametrize("shape", SHAPES)
def test_where_every_split_counts_the_surface_is_the_land(shape):
    heights = rough(*shape)
    mesh = chosen(heights, sight(shape, exaggeration=2.0), least_px=1e-7)
    np.testing.assert_allclose(surface(mesh, shape), 2 * heights, atol=1e-3)
    assert len(mesh.border) >= 2 * sum(shape) - 4


@pytest.mark.parametrize("most", [1_000, 8_000, 30_000])
def test_there_are_about_as_many_triangles_as_there_may_be(most):
    heights = rough(513, 513)
    mesh = chosen(heights, least_px=0.0, most=most)
    assert 0.4 * most < len(mesh.triangles) < 1.6 * most
    assert mesh.least_px > chosen(heights, least_px=0.0, most=2 * most).least_px


def test_squares_that_are_not_seen_have_no_triangles_and_leave_no_sides():
    heights = rough(257, 257)
    seen = np.zeros((4, 4), bool)
    seen[0, ::3] = True
    mesh = chosen(heights, seen=seen)
    columns = mesh.places[:, 0] / CELL_M[1] / SQUARE_CELLS
    assert mesh.places[:, 2].max() <= SQUARE_CELLS * CELL_M[0]
    assert not ((columns > 1) & (columns < 3)).any()
    one, other = (columns[mesh.border[:, end]] for end in (0, 1))
    assert len(mesh.border) and (np.abs(one - other) <= 1).all()
    assert not len(chosen(heights, seen=np.zeros((4, 4), bool)).triangles)


def test_behind_the_eye_nothing_is_split():
    """It stands in the middle and looks along the least x: squares away from there keep two triangles each."""
    heights = rough(513, 513)
    eye = {"mode": "orbit", "x": 256 * CELL_M[1], "y": 80.0, "z": 256 * CELL_M[0], "pitch": -10.0}
    camera = scenes.load("directx-demo").camera.replace(**eye, yaw=90.0)
    matrix = np.asarray(projection.view_projection(camera, SIZE, 0.1, 1e4), np.float64)
    mesh = chosen(heights, Sight(matrix, SIZE), least_px=0.5)
    square = mesh.places[mesh.triangles].mean(axis=1)[:, 0] // (SQUARE_CELLS * CELL_M[1])
    behind = square > 5 if matrix[0, 3] < 0 else square < 2
    assert behind.sum() == 2 * 2 * 8
    assert len(mesh.triangles) > 50 * behind.sum()


def test_nothing_pops_while_the_eye_comes_nearer():
    """The surface moves the less, the smaller a step of the eye is: a vertex that jumped would move as far in any."""
    heights = rough(129, 129)
    hierarchy = TriangleHierarchy(heights, CELL_M)
    seen = np.ones((2, 2), bool)

    def largest_move(steps):
        ways = np.linspace(2.0, 1.5, steps + 1)
        found = [
            surface(hierarchy.mesh(sight(heights.shape, above=way), seen, 2.0, 1e9), heights.shape) for way in ways
        ]
        return max(np.abs(after - before).max() for before, after in itertools.pairwise(found))

    assert largest_move(32) < 0.35 * largest_move(4)


def test_level_land_has_two_triangles_a_square():
    mesh = chosen(np.full((193, 129), 7.0, np.float32), least_px=0.0)
    assert len(mesh.triangles) == 2 * 6
    assert (mesh.places[:, 1] == 7.0).all()
