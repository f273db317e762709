"""What the land is compared with: which scene, and which columns of it show."""

import pytest

from fellview.io import scenes
from fellview.studio.comparison import BEFORE, LIGHT, NOW, Comparison, Side

SCENE, HOME, OTHER = scenes.load("highlands"), scenes.load("fjords"), scenes.load("volcano")
SEEN = SCENE.replace({"camera.x": 77.0, "view.mode": "slope"})
KEPT = Side("Kept", OTHER)


@pytest.mark.parametrize(
    ("comparison", "old", "new"),
    [
        (Comparison(), HOME, SCENE),
        (Comparison(old=KEPT), OTHER, SCENE),
        (Comparison(new=KEPT), HOME, OTHER),
        (Comparison(old=KEPT, new=BEFORE), OTHER, HOME),
        (Comparison(old=KEPT, new=Side("File", SCENE)), OTHER, SCENE),
    ],
)
def test_any_two_are_looked_at_as_the_scene_is(comparison, old, new):
    found = comparison.scenes(SEEN, HOME)
    assert found == (old.viewed_as(SEEN), new.viewed_as(SEEN))
    assert all((one.camera, one.view.mode) == (SEEN.camera, "slope") for one in found)


def test_what_is_seen_instead_of_the_scene_is_the_new_one_where_that_is_another():
    assert Comparison(old=KEPT, new=NOW).instead(HOME) is None
    assert Comparison(new=BEFORE).instead(HOME) is HOME
    assert Comparison(new=Side("Now", OTHER)).instead(HOME) is OTHER  # kept under that name


def test_one_light_for_both_is_that_of_the_new_land():
    lit, _ = Comparison(one_light=True).scenes(SCENE, HOME)
    own, _ = Comparison().scenes(SCENE, HOME)
    assert all(getattr(lit, key) == getattr(SCENE, key) for key in LIGHT)
    assert own.sun == HOME.sun != SCENE.sun
    assert Comparison(new=KEPT, one_light=True).scenes(SCENE, HOME)[0].sun == OTHER.sun


@pytest.mark.parametrize(
    ("comparison", "now", "other"),
    [
        (Comparison(line=0.25), (0.25, 1.0), (0.0, 0.25)),
        (Comparison(way="blink"), (0.0, 1.0), None),
        (Comparison(way="blink", flipped=True), None, (0.0, 1.0)),
        (Comparison(way="difference", flipped=True), (0.0, 1.0), None),
    ],
)
def test_each_land_shows_where_its_way_has_it(comparison, now, other):
    assert comparison.shown == (now, other)


def test_the_line_stays_where_it_can_be_taken_hold_of():
    assert 0 < Comparison().with_line(-3.0).line < 0.1 and 0.9 < Comparison().with_line(3.0).line < 1
