"""Places of a draft's few triangles, moved onto the full grid: what is shaded lies on the land that a still shows."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.full_grid_places import FullGridPlaces
from fellview.draw.land.land_pass import LandPass
from fellview.draw.passes import whole
from fellview.scene.scene import Scene
from fellview.view import projection
from tests.lands import rolling

SIZE = (480, 300)
SCALE = 0.3
CELLS, SIDE_M = 321, 3000.0
PERSPECTIVE = Scene().replace({
    "grid.rows": CELLS, "grid.columns": CELLS, "grid.size_x": SIDE_M, "grid.size_z": SIDE_M,
    "ground.kind": "materials", "ground.boulders": 0.0, "sky.kind": "gradient", "air.tone": "none",
    "view.exaggeration": 1.5, "view.surroundings": "plain",
    "camera.x": 1500.0, "camera.y": 700.0, "camera.z": -300.0, "camera.yaw": 8.0, "camera.pitch": -24.0,
})  # fmt: skip
PARALLEL = PERSPECTIVE.replace({"camera.projection": "orthographic", "camera.span": 1500.0})
AROUND = PERSPECTIVE.replace({"view.surroundings": "land"})


@pytest.fixture(scope="module")
def land():
    cell = SIDE_M / CELLS
    return HeightField(rolling(CELLS, CELLS, 160.0, octaves=6), (cell, cell))


def places_of_a_draft(renderer, scene):
    """Return the places of a draft's pixels on the land as drawn and as shaded, float64 [pixel, xyz and footprint]."""
    found = []
    moved = FullGridPlaces.moved

    def watched(self, places, target, bind):
        shaded = moved(self, places, target, bind)
        found.extend(np.frombuffer(each.read(), np.float32).reshape(-1, 4).astype(float) for each in (places, shaded))
        return shaded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FullGridPlaces, "moved", watched)
        whole(renderer.passes(scene, SIZE, 1, 0, scale=SCALE))
    drawn, shaded = found
    return drawn, shaded


def over_the_grid_m(places, scene, land):
    """Return how far over the triangles of the full grid, as drawn, places are."""
    across, down = places[:, 0] / land.cell_size[1], places[:, 2] / land.cell_size[0]
    column = np.clip(np.floor(across).astype(int), 0, land.columns - 2)
    row = np.clip(np.floor(down).astype(int), 0, land.rows - 2)
    x, z = across - column, down - row
    heights = land.heights.astype(float)
    corner, opposite = heights[row, column], heights[row + 1, column + 1]
    turn = np.where(x >= z, heights[row, column + 1], heights[row + 1, column])
    return places[:, 1] - scene.view.exaggeration * (
        corner + np.maximum(x, z) * (turn - corner) + np.minimum(x, z) * (opposite - turn)
    )


@pytest.mark.parametrize("scene", [PERSPECTIVE, PARALLEL, AROUND], ids=["perspective", "parallel", "around"])
def test_places_move_onto_the_grid_along_their_sight_lines(renderer, land, scene):
    renderer.show(land)
    drawn, shaded = places_of_a_draft(renderer, scene)
    seen = drawn[:, 3] > 0
    assert seen.mean() > 0.3
    assert (shaded[:, 3] == drawn[:, 3]).all() and (shaded[~seen] == drawn[~seen]).all()
    drawn, shaded = drawn[seen], shaded[seen]
    before, after = (np.abs(over_the_grid_m(each, scene, land)) / drawn[:, 3] for each in (drawn, shaded))
    assert (after > before + 0.05).mean() < 0.01  # the second step is not looked at again
    off = before > 0.02  # of a pixel's footprint
    assert off.mean() > 0.2  # of few triangles
    assert np.median(after[off]) < 0.05 * np.median(before[off])

    way = shaded[:, :3] - drawn[:, :3]
    if scene.camera.is_parallel:
        sights = np.broadcast_to(projection.forward(scene.camera), way.shape)
    else:
        sights = drawn[:, :3] - projection.eye(scene.camera)
    sights = sights / np.linalg.norm(sights, axis=1, keepdims=True)
    beside = np.linalg.norm(np.cross(way, sights), axis=1) / drawn[:, 3]
    assert beside.max() < 0.01
    assert np.linalg.norm(way, axis=1).max() <= (4.0 + 2.0) * drawn[:, 3].max() and np.abs(way).max() > 0


def test_what_hangs_down_from_the_border_stays(renderer, land):
    """There is no grid under it."""
    renderer.show(land)
    outside = {"camera.x": -200.0, "camera.y": 30.0, "camera.z": 1500.0, "camera.yaw": 90.0, "camera.pitch": 0.0}
    drawn, shaded = places_of_a_draft(renderer, AROUND.replace(outside))
    low = (drawn[:, 3] > 0) & (over_the_grid_m(drawn, AROUND, land) < -20 * drawn[:, 3])
    assert low.sum() > 100
    assert (shaded[low] == drawn[low]).all()


def test_a_draft_is_nearer_to_the_picture(renderer, land):
    renderer.show(land)
    goal = renderer.draw(PERSPECTIVE, SIZE, 4).pixels()[..., :3].astype(float)

    def error():
        one = whole(renderer.passes(PERSPECTIVE, SIZE, 1, 0, scale=SCALE)).pixels()[..., :3]
        return np.mean((one - goal) ** 2)

    nearer = error()
    renderer.draw(PERSPECTIVE.replace({"camera.yaw": 90.0}), SIZE, 1)  # what was drawn before is forgotten
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FullGridPlaces, "moved", lambda self, places, target, bind: places)
        assert nearer < 0.97 * error()


def test_no_picture_of_all_pixels_has_its_places_moved(renderer, land, monkeypatch):
    renderer.show(land)
    monkeypatch.setattr(FullGridPlaces, "moved", None)
    renderer.draw(PERSPECTIVE, SIZE, 1)
    assert renderer.draw_pass(LandPass).terrain.in_steps
