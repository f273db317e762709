"""Which sliders are dragged, and what is worked out of a drag."""

import numpy as np
import pytest

from fellview.bench import hand, sliders
from fellview.bench.desk import Shown, slid_by
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.ui import values


@pytest.mark.parametrize("preset", scenes.presets())
def test_sliders_are_of_what_the_scene_uses(preset):
    scene = scenes.load(preset)
    of_land, of_look = sliders.of_terrain(scene, 20), sliders.of_look(scene, 12)
    assert len(of_land) == 20 and len(of_look) == 12
    assert {key.partition(".")[0] for key in of_land} <= scene.terrain_groups().keys() - {"grid"}
    assert {key.partition(".")[0] for key in of_look} >= {"sun", "air", "ground"}
    assert ("water" in {key.partition(".")[0] for key in of_look}) == scene.water.enabled
    for key in {*of_land, *of_look}:
        _, _, declaration = scene.find(key)
        assert values.on_slider(declaration)
        start, far = sliders.place(scene, key), sliders.reach(declaration, hand.SLIDE_REACH)
        assert 0 <= start <= 1
        moved = {values.from_fraction(declaration, start + far * way) for way in (0.5, 1, -0.5, -1)}
        assert moved - {scene.get(key)}, f"{key} does not move"


def test_all_groups_have_their_turn_and_sliders_come_again():
    of_land = sliders.of_terrain(scenes.load("canyon"), 10)
    assert len({key.partition(".")[0] for key in of_land}) == 10
    demo = sliders.of_terrain(scenes.load("directx-demo"), 20)
    assert demo[:4] == [key for key in demo if demo.count(key) > 1][:4] and demo[0] in demo[1:]


def _land():
    return HeightField(np.zeros((2, 2), np.float32), (1.0, 1.0))


def test_a_drag_has_a_first_changed_picture_and_the_full_land():
    before, coarse, full = _land(), _land(), _land()
    groups = scenes.load("canyon").groups()
    begun = 100.0
    first, last = begun + hand.SLIDE_FIRST_S, begun + hand.SLIDE_LAST_S
    shown = [
        Shown(begun + 0.01, before, groups, True),
        Shown(first + 0.1, coarse, groups, False),
        Shown(last - 0.05, coarse, groups, True),  # of a value on the way
        Shown(last + 0.4, coarse, groups, False),
        Shown(last + 0.9, full, groups, True),
    ]
    slid = slid_by("noise.frequency", 1.0, before, begun, shown)
    assert slid == (pytest.approx(0.1), pytest.approx(0.9))
    assert slid_by("noise.frequency", 1.0, full, begun, shown[:1])[0] == pytest.approx(0.01 - hand.SLIDE_FIRST_S)
    assert slid_by("noise.frequency", 1.0, before, begun, shown[:1])[0] is None


def test_a_last_move_that_changes_nothing_waits_for_no_picture():
    before, full, groups, begun = _land(), _land(), scenes.load("directx-demo").groups(), 100.0
    shown = [Shown(begun + hand.SLIDE_FIRST_S + 0.2, full, groups, True)]
    assert slid_by("noise.octaves", 6, before, begun, shown) == (pytest.approx(0.2), 0.0)
    shown.append(Shown(begun + hand.SLIDE_LAST_S - 0.01, before, groups, False))
    assert slid_by("noise.octaves", 6, before, begun, shown)[1] > 60, "of what comes after it nothing has come"


def test_a_look_slider_is_answered_by_its_value():
    scene = scenes.load("canyon")
    dawn = scene.replace({"sun.elevation": 3.0})
    land, begun = _land(), 10.0
    shown = [Shown(begun + 1, land, scene.groups(), False), Shown(begun + 2, land, dawn.groups(), True)]
    first, full = slid_by("sun.elevation", scene.sun.elevation, None, begun, shown)
    assert first == pytest.approx(2 - hand.SLIDE_FIRST_S) and full == pytest.approx(2 - hand.SLIDE_LAST_S)
