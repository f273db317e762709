"""Places that a draft's pixels show, moved from its coarse mesh onto the full grid."""

import moderngl
import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.full_grid_places import FullGridPlaces
from fellview.draw.land.height_map import HeightMap
from fellview.scene.scene import Scene
from fellview.view import projection
from tests.lands import rolling

SIDE, CELL_M = 128, 20.0
SIZE = (48, 32)
NUMBERS = {"u_cell_m": (CELL_M, CELL_M), "u_origin_m": (0.0, 0.0), "u_exaggeration": 1.5}
BELOW_M = np.float32(6.0)  # that the coarse mesh is under the ground
CAMERAS = {
    "perspective": {"camera.projection": "perspective"},
    "parallel": {"camera.projection": "orthographic", "camera.span": 900.0},
}


def height_m(heights, x, z):
    """Return the drawn height between vertices at places in metres."""
    column, row = x / CELL_M, z / CELL_M
    j, i = column.astype(int), row.astype(int)
    s, t = column - j, row - i
    upper = (1 - s) * heights[i, j] + s * heights[i, j + 1]
    lower = (1 - s) * heights[i + 1, j] + s * heights[i + 1, j + 1]
    return 1.5 * ((1 - t) * upper + t * lower)


def sight(matrix):
    """Return near and far ends of the sight lines through pixels' middles, each [row from below, column, xyz]."""
    column, row = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    x, y = (2 * column + 1) / SIZE[0] - 1, (2 * row + 1) / SIZE[1] - 1
    ends = []
    for depth in (-1.0, 1.0):
        world = np.stack([x, y, np.full_like(x, depth), np.ones_like(x)], -1) @ np.linalg.inv(matrix.astype(np.float64))
        ends.append(world[..., :3] / world[..., 3:])
    return ends


def met(ends, ground):
    """Return where sight lines first come under `ground`, a function of x and z; NaN where they do not."""
    shares = np.linspace(0.0, 1.0, 8001)[:, None, None]
    places = np.full((SIZE[1], SIZE[0], 3), np.nan)
    last = (SIDE - 1) * CELL_M
    for row in range(SIZE[1]):
        line = ends[0][row] + shares * (ends[1][row] - ends[0][row])
        inside = ((line[..., [0, 2]] > 2 * CELL_M) & (line[..., [0, 2]] < last - 2 * CELL_M)).all(-1)
        x, z = (np.where(inside, line[..., axis], 3 * CELL_M) for axis in (0, 2))
        under = inside & (line[..., 1] < ground(x, z))
        first = under.argmax(axis=0)
        found = under.any(axis=0)
        places[row, found] = line[first[found], np.flatnonzero(found)]
    return places


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_places_come_onto_the_ground_where_their_sight_lines_meet_it(context, camera):
    heights = rolling(SIDE, SIDE, 200.0, octaves=3)
    height_map = HeightMap(context)
    height_map.upload(HeightField(heights, (CELL_M, CELL_M)))
    scene = Scene().replace(
        {"camera.x": 1270.0, "camera.y": 900.0, "camera.z": 100.0, "camera.yaw": 0.0, "camera.pitch": -40.0, **camera}
    )
    matrix = projection.view_projection(scene.camera, SIZE, 10.0, 5000.0)
    ends = sight(matrix)
    coarse = met(ends, lambda x, z: height_m(heights, x, z) - BELOW_M)
    goal = met(ends, lambda x, z: height_m(heights, x, z))
    seen = np.isfinite(coarse).all(axis=-1)
    assert seen.mean() > 0.3
    places = np.where(seen[..., None], np.concatenate([coarse, np.ones((*seen.shape, 1))], axis=-1), 0.0)
    given = context.texture(SIZE, 4, places.astype(np.float32).tobytes(), dtype="f4")
    given.filter = (moderngl.NEAREST, moderngl.NEAREST)
    depth = context.depth_texture(SIZE)
    drawn = context.framebuffer(context.texture(SIZE, 4, dtype="f4"), depth)
    drawn.use()
    drawn.clear(depth=0.25)
    FullGridPlaces(context).draw(given, height_map, NUMBERS, matrix)
    found = np.frombuffer(drawn.read(components=4, dtype="f4"), np.float32).reshape(SIZE[1], SIZE[0], 4)
    depths = np.frombuffer(depth.read(), np.float32).reshape(SIZE[1], SIZE[0])
    assert not found[~seen].any() and (depths[~seen] == pytest.approx(0.25, abs=1e-6))

    both = seen & np.isfinite(goal).all(axis=-1)
    before, after = (np.linalg.norm(each[both] - goal[both], axis=-1) for each in (coarse, found[..., :3]))
    assert np.median(before) > 3.0 and np.median(after) < 0.7, "as near as the lines were walked"
    assert (after < before + 1.0).mean() > 0.98
    clip = np.concatenate([found[..., :3], np.ones((*seen.shape, 1))], axis=-1) @ matrix.astype(np.float64)
    np.testing.assert_allclose(depths[seen], (0.5 * clip[..., 2] / clip[..., 3] + 0.5)[seen], atol=1e-5)
    column, row = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    pixels = (clip[..., :2] / clip[..., 3:] + 1) / 2 * SIZE - 0.5
    assert abs(pixels[seen] - np.stack([column, row], -1)[seen]).max() < 0.05, "places stay on their sight lines"


def test_what_hangs_down_from_the_border_stays(context):
    """Such sides are far below the ground beside them, on purpose."""
    height_map = HeightMap(context)
    height_map.upload(HeightField(rolling(SIDE, SIDE, 200.0, octaves=3), (CELL_M, CELL_M)))
    matrix = projection.view_projection(Scene().camera.replace(x=1270.0, y=900.0, z=-500.0), SIZE, 10.0, 5000.0)
    x = np.linspace(0.0, (SIDE - 1) * CELL_M, SIZE[0])
    places = np.ones((SIZE[1], SIZE[0], 4), np.float32)
    places[..., 0], places[..., 1], places[..., 2] = x, np.linspace(-300.0, 100.0, SIZE[1])[:, None], 0.0
    given = context.texture(SIZE, 4, places.tobytes(), dtype="f4")
    drawn = context.framebuffer(context.texture(SIZE, 4, dtype="f4"), context.depth_renderbuffer(SIZE))
    drawn.use()
    drawn.clear()
    FullGridPlaces(context).draw(given, height_map, NUMBERS, matrix)
    found = np.frombuffer(drawn.read(components=4, dtype="f4"), np.float32).reshape(places.shape)
    np.testing.assert_array_equal(found, places)
