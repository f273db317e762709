"""What the land is compared with: which scene, and which columns of it show."""

import pytest

from fellview.io import scenes
from fellview.studio.comparison import LIGHT, Comparison

NOW, HOME = scenes.load("highlands"), scenes.load("fjords")


def test_it_is_the_scene_as_it_was_opened_where_no_other_is_given():
    seen = NOW.replace({"camera.x": 77.0, "view.mode": "slope"})
    other = Comparison().other(seen, HOME)
    assert other.terrain_groups() == HOME.terrain_groups()
    assert (other.camera, other.view.mode) == (seen.camera, "slope")
    assert Comparison(scene=NOW).other(seen, HOME).terrain_groups() == NOW.terrain_groups()


def test_one_light_for_both_is_that_of_the_land():
    lit = Comparison(one_light=True).other(NOW, HOME)
    own = Comparison().other(NOW, HOME)
    assert all(getattr(lit, key) == getattr(NOW, key) for key in LIGHT)
    assert own.sun == HOME.sun != NOW.sun


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
