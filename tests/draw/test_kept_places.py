"""Places of land that drafts share while light alone changes: pictures against those of a renderer that draws all."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.deferred_shading import DeferredShading
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.kept_places import Places
from fellview.draw.land.tile import Tile, border_blocks
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.target import Target
from fellview.gpu.context import is_software
from fellview.scene.scene import Scene
from tests.draw.test_passes import EVERYTHING
from tests.lands import rolling

SIZE = (96, 64)
CELL_M = 4000 / 128
NO_FIGURE = {**EVERYTHING, "view.figure": False}

pytestmark = pytest.mark.usefixtures("half_as_fine", "coarse_light")


def land(seed):
    return HeightField(rolling(128, 128, 250.0, seed=seed) + np.float32(200), (CELL_M, CELL_M))


def moving_sun(scene, number):
    return scene.replace({"sun.azimuth": 100.0 + 3 * number})


@pytest.fixture(scope="module")
def first_land():
    return land(5)


@pytest.fixture(scope="module")
def both(context):
    """Two renderers, which every test begins with the same land, at rest."""
    if not is_software(context):
        pytest.skip("land is drawn in one step")
    return Renderer(context), Renderer(context)


@pytest.fixture
def renderers(both, first_land, monkeypatch):
    """Two renderers of one land, and what compares them: the second draws the places of every draft."""
    sparing, thorough = both
    begun, begin, are = [], DeferredShading.begin, Places.are
    now = []

    def counted(shading, target, layer=0):
        begun.extend([layer] if now[-1] is sparing else [])
        return begin(shading, target, layer)

    monkeypatch.setattr(DeferredShading, "begin", counted)
    monkeypatch.setattr(Places, "are", lambda one, others: now[-1] is sparing and are(one, others))

    def draft(renderer, scene, **settings):
        now.append(renderer)
        return whole(renderer.passes(scene, SIZE, 1, 0, scale=0.5, **settings)).pixels()

    def same(scene, **settings):
        """Draw the next draft with both, compare them, and return whether the first has drawn places."""
        before = len(begun)
        expected = draft(thorough, scene, **settings)
        np.testing.assert_array_equal(draft(sparing, scene, **settings), expected)
        return len(begun) > before

    for renderer in (sparing, thorough):
        if renderer.field is not first_land:
            renderer.show(first_land)
            renderer.wait_for_masks()
        now.append(renderer)
        whole(renderer.passes(Scene().replace(NO_FIGURE), SIZE, renderer.resting_samples, 0))
    begun.clear()
    return sparing, thorough, same


@pytest.mark.parametrize("moves", ["sun", "haze"])
def test_every_second_draft_of_a_view_does_with_places_of_the_one_before(renderers, moves):
    scene, same = Scene().replace(NO_FIGURE), renderers[2]
    drawn = []
    for number in range(8):
        moved = {"haze": scene.replace({"sky.visibility": 40.0 - number}), "sun": moving_sun(scene, number)}[moves]
        drawn.append(same(moved))
    assert drawn[0] and drawn.count(False) in (3, 4), "one in two"
    assert not any(not one and not other for one, other in itertools.pairwise(drawn)), "never two in a row"


def test_a_draft_after_a_picture_at_rest_draws_its_places(renderers):
    scene, (sparing, thorough, same) = Scene().replace(NO_FIGURE), renderers
    for number in range(4):
        assert same(moving_sun(scene, number))
        for renderer in (sparing, thorough):
            whole(renderer.passes(scene, SIZE, 1, 0))


@pytest.mark.parametrize(
    "changes",
    [
        {"camera.yaw": 12.0},
        {"view.exaggeration": 1.2},
        {"view.surroundings_height": 40.0},
        {"camera.field_of_view": 50},
    ],
    ids=str,
)
def test_what_moves_places_has_them_drawn_anew(renderers, changes):
    scene, same = Scene().replace(NO_FIGURE), renderers[2]
    for number in range(6):
        seen = moving_sun(scene, number)
        assert same(seen.replace(changes) if number % 2 else seen)


@pytest.mark.parametrize(
    "stands",
    [{"view.figure": True}, {"view.stage": "slab"}, {"view.mode": "wireframe"}, {"view.surroundings": "plain"}],
)
def test_what_stands_on_the_land_and_at_its_sides_is_in_every_draft(renderers, stands):
    scene, same = Scene().replace({**EVERYTHING, "view.figure": False, **stands}), renderers[2]
    for number in range(5):
        same(moving_sun(scene, number))


def test_new_land_and_other_columns_have_places_of_their_own(renderers):
    scene, (sparing, thorough, same) = Scene().replace(NO_FIGURE), renderers
    for number in range(4):
        for renderer in (sparing, thorough):
            renderer.show(land(6 + number))
        assert same(scene)
        same(moving_sun(scene, number))
    for columns in ((0.0, 0.5), (0.0, 0.7), (0.2, 1.0), None):
        assert same(scene, columns=columns)


def test_a_draft_that_is_given_up_leaves_no_places_behind(renderers):
    scene, (sparing, thorough, same) = Scene().replace(NO_FIGURE), renderers
    same(scene)
    for stop in range(1, 30, 3):
        for renderer in (sparing, thorough):
            passes = renderer.passes(moving_sun(scene, stop), SIZE, 1, 0, scale=0.5)
            for _ in range(stop):
                next(passes)
            passes.close()
        same(moving_sun(scene, stop + 1))


def test_places_go_by_heights_and_by_how_a_grid_lies(context, first_land):
    height_map, target, seen = HeightMap(context), Target(context, SIZE), np.eye(4, dtype=np.float32)
    height_map.upload(first_land)

    def places(tile=None, **others):
        settings = {"target": target, "view_projection": seen, "exaggeration": 1.0, **others}
        return Places.of(grounds=[(height_map, tile or Tile())], **settings)

    first = places()
    assert first.are(places())
    others = [
        places(target=Target(context, SIZE)),
        places(view_projection=2 * seen),
        places(exaggeration=1.5),
        places(Tile(origin_m=(1.0, 0.0))),
        places(Tile(skirt_m=10.0)),
        places(Tile(skirt_blocks=border_blocks((4, 4)))),
        places(Tile(left_out=np.ones((4, 4), bool))),
    ]
    assert not any(first.are(other) for other in others)
    height_map.upload(land(6))
    assert not first.are(places())
