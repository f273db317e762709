"""A draft's land with triangles of its own: nearer to the picture than by blocks, and drawn wherever those are."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.block_detail import BLOCK_CELLS
from fellview.draw.land.draft_mesh import DraftMesh
from fellview.draw.land.land_pass import LandPass
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from fellview.scene.scene import Scene
from tests.ground_around import CELL_M, NO_SKY, PLACES, assert_no_gap, looked_from
from tests.ground_around import SIZE as AROUND
from tests.lands import RUGGED, rolling
from tests.sampling import sampled

SIZE = (480, 300)
SEEN = {
    "grid.rows": 769, "grid.columns": 769, "grid.size_x": 6000.0, "grid.size_z": 6000.0,
    "ground.kind": "materials", "ground.boulders": 0.0, "sky.kind": "gradient", "air.tone": "none",
    "camera.x": 3000.0, "camera.y": 620.0, "camera.z": 900.0, "camera.yaw": 10.0, "camera.pitch": -14.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def scene():
    return Scene().replace(SEEN)


@pytest.fixture(scope="module")
def land():
    """Plateaus that end in walls."""
    heights = 200 * np.tanh(rolling(769, 769, 300.0, octaves=6) / 25)
    return HeightField(heights.astype(np.float32), (6000 / 769, 6000 / 769))


def draft(renderer, scene, size=SIZE, scale=0.25):
    return whole(renderer.passes(scene, size, 1, 0, scale=scale)).pixels()[..., :3].astype(float)


def by_either(context, monkeypatch, scene, land, size, scale):
    """Return of drafts with triangles of their own, and with blocks, how far they are from the picture (mean squares),
    and how many triangles those are."""
    found, goal = [], None
    for takes in (True, False):
        monkeypatch.setattr(DraftMesh, "takes", lambda self, height_map, takes=takes: takes)
        renderer = Renderer(context)
        renderer.show(land)
        one = draft(renderer, scene, size, scale)
        assert (meshed(renderer) is not None) is takes
        if takes:
            count = len(meshed(renderer).triangles)
        else:
            count = sum(len(rows) * 2 * (BLOCK_CELLS >> level) ** 2 for level, rows in renderer._last[0].by_level)
        goal = renderer.draw(scene, size, 4).pixels()[..., :3] if goal is None else goal
        found.append((np.mean((one - goal) ** 2), count))
    return found


def meshed(renderer):
    """Return the triangles that drafts have chosen last, none where blocks are drawn."""
    return renderer.draw_pass(LandPass).terrain.draft_mesh.newest


def test_a_draft_is_nearer_to_the_picture_than_with_blocks(context, monkeypatch, scene, land):
    """Of land with walls, and with a third of the triangles."""
    (own, few), (blocks, many) = by_either(context, monkeypatch, scene, land, (960, 600), 0.25)
    assert own < blocks and few < 0.4 * many, (few, many)


def test_triangles_are_chosen_anew_for_another_view_and_other_heights_alone(renderer, scene, land):
    renderer.show(land)
    draft(renderer, scene)
    first = meshed(renderer)
    draft(renderer, scene.replace({"sun.azimuth": 10.0}))
    assert meshed(renderer) is first
    draft(renderer, scene.replace({"camera.yaw": 40.0}))
    other = meshed(renderer)
    assert other is not first
    renderer.show(HeightField(-land.heights, land.cell_size))
    draft(renderer, scene.replace({"camera.yaw": 40.0}))
    assert not np.array_equal(meshed(renderer).places, other.places)


@pytest.mark.parametrize("changes", [{"view.stage": "slab"}, {"view.mode": "wireframe"}], ids=["slab", "wireframe"])
def test_what_blocks_are_needed_for_is_drawn_with_them(context, scene, land, changes):
    renderer = Renderer(context)
    renderer.show(land)
    assert np.ptp(draft(renderer, scene.replace(changes))) > 50
    assert meshed(renderer) is None


def test_a_view_of_the_sky_alone_has_no_triangles(renderer, scene, land):
    renderer.show(land)
    up = scene.replace({"camera.pitch": 80.0, "camera.y": 5000.0})
    assert draft(renderer, up).shape == (*SIZE[::-1], 3)
    assert not len(meshed(renderer).triangles)


@pytest.mark.parametrize("shape", [(2, 2), (5, 300), (65, 64)])
def test_lands_of_any_size_are_drawn_as_with_blocks(context, monkeypatch, scene, shape):
    field = HeightField(rolling(*shape, 100.0), tuple(6000 / side for side in shape))
    small = scene.replace({"grid.rows": shape[0], "grid.columns": shape[1], "camera.pitch": -30.0})
    (own, _), (blocks, _) = by_either(context, monkeypatch, small, field, SIZE, 0.5)
    assert own < 1.25 * blocks


@sampled("place, exaggeration", itertools.product(PLACES, [1.0, 3.0]), quick=3)
def test_no_gap_shows_between_land_and_ground_around_it(context, place, exaggeration):
    """Some triangles end beside those of what is around: all sight lines that fall meet ground."""
    hills = rolling(97, 129, 150.0) + 5 * np.sin(np.arange(129, dtype=np.float32)) ** 3
    land = HeightField(hills, (CELL_M, CELL_M))
    scene = scenes.load(RUGGED).replace({"sun.shadows": False})
    looked = looked_from(place, scene, land, exaggeration)
    renderer = Renderer(context, NO_SKY)
    renderer.show(land)
    whole(renderer.passes(looked, (2 * AROUND[0], 2 * AROUND[1]), 1, 0, scale=0.5))
    assert renderer.frame.size == AROUND and len(renderer.around) > 1 and meshed(renderer) is not None
    alpha = np.frombuffer(renderer.frame.picture.read(components=4), np.uint8).reshape(*AROUND[::-1], 4)[::-1, :, 3]
    assert_no_gap(alpha == 255, looked, land)
