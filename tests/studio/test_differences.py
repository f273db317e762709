"""What differs between two scenes: which parameters are told, and in what words."""

import pytest

import fellview
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.studio.differences import differences, text

BASE = Scene()


def told(changes, base=BASE, **how):
    return {one.key: one for one in differences(base, base.replace(changes), **how)}


def test_equal_scenes_differ_in_nothing():
    assert differences(BASE, BASE) == ()
    assert text(()) == ""


def test_a_difference_has_title_both_values_and_units():
    found = told({"noise.frequency": 8.0}, BASE.replace({"noise.frequency": 15.0}))["noise.frequency"]
    assert (found.old, found.new) == (15.0, 8.0)
    assert found.title == "Noise: frequency"
    assert found.change == "15 cycles → 8 cycles"


@pytest.mark.parametrize(
    ("changes", "change"),
    [
        ({"sun.elevation": 12.5}, "° → 12.5°"),
        ({"noise.kind": "perlin-1985"}, "→ Perlin 1985"),
        ({"perturb.enabled": False}, "on → off"),
    ],
)
def test_values_are_told_as_in_the_panel(changes, change):
    (found,) = told(changes).values()
    assert change in found.change


def test_values_that_read_alike_are_told_in_full():
    base = BASE.replace({"noise.frequency": 8.0})
    found = told({"noise.frequency": 8.0000001}, base)["noise.frequency"]
    assert found.old_text != found.new_text


def test_what_has_no_effect_in_either_scene_is_left_out():
    assert not told({"terrace.strength": 0.123})  # terraces are off
    assert set(told({"terrace.strength": 0.123, "terrace.enabled": True})) == {"terrace.enabled", "terrace.strength"}
    assert not told({"perturb.distance": 3.0}, BASE.replace({"perturb.mode": "smooth"}))


def test_how_one_looks_at_it_is_told_only_where_it_is_asked_for():
    changes = {"camera.x": 12.0, "view.mode": "slope", "sun.azimuth": 77.0}
    assert set(told(changes)) == set(changes)
    assert set(told(changes, looks=False)) == {"sun.azimuth"}


def test_lines_come_in_the_order_of_the_panel_and_in_columns():
    new = BASE.replace({"grid.rows": 48, "sun.elevation": 5.0, "noise.seed": 7})
    found = differences(BASE, new)
    assert [one.key for one in found] == ["noise.seed", "sun.elevation", "grid.rows"]
    lines = text(found).splitlines()
    assert len(lines) == 3 and len({line.index(one.title) for line, one in zip(lines, found, strict=True)}) == 1


def test_taking_all_that_differs_across_gives_the_other_land():
    one, other = (scenes.load(name) for name in ("alpine-range", "dunes"))
    merged = one.replace({each.key: each.new for each in differences(one, other)})
    assert not differences(merged, other)


def test_a_long_text_is_told_by_its_end():
    path = "/somewhere/" + "deep/" * 30 + "land.tif"
    found = told({"imported.enabled": True, "imported.path": path})["imported.path"]
    assert found.new == path and found.new_text.endswith("land.tif") and len(found.new_text) < 60
    assert found.old_text == '""'


def test_the_library_tells_the_same():
    one, other = fellview.load("highlands"), fellview.load("highlands").replace({"noise.seed": 9})
    assert fellview.diff(one, other) == differences(one, other)
