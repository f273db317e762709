"""Sliders, and what else a value is set with: dragged, typed, put back, chosen."""

from __future__ import annotations

import dataclasses

import pytest

from fellview.core import number_format
from fellview.ui import theme
from tests.ui.person import CONTROL, ENTER, ESCAPE, FRAME, LEFT, SHIFT


def test_drag_changes_the_scene_and_ends_once(person):
    person.press(person.at("noise.gain", 0.5))
    person.move(person.at("noise.gain", 0.7))
    assert person.frames().gesture
    assert person.scene.noise.gain == 0.7
    person.move(person.at("noise.gain", 0.9))
    assert person.ended == []
    person.release()
    person.frames(60)
    assert person.scene.noise.gain == 0.9
    assert person.ended == ["Noise: gain"]
    assert not person.frames().gesture


def test_drag_beyond_the_end_stays_within_the_slider_and_comes_back_where_it_left(person):
    person.press(person.at("noise.frequency", 0.9))
    left, top, width, _ = person.tracks["noise.frequency"]
    person.move((left + width + 300, top))
    assert person.scene.noise.frequency == 64.0
    person.move((left + width * 0.5, top))
    assert person.scene.noise.frequency == pytest.approx(32**0.5, rel=0.02)  # the middle of 0.5 to 64, logarithmic


def test_shift_drag_is_ten_times_finer(person):
    person.host.key(SHIFT, True, 0)
    start = person.scene.perturb.distance
    person.press(person.at("perturb.distance", 0.2))
    assert person.scene.perturb.distance == start, "a fine press does not jump"
    left, top, width, _ = person.tracks["perturb.distance"]
    person.move((left + 0.2 * width + width / 2, top + 2))
    assert person.scene.perturb.distance == pytest.approx(start + 64 * 0.05, abs=0.06)


def test_double_click_types_and_leaves_no_other_trace(person):
    person.click(person.at("noise.gain", 0.9))
    assert person.scene.noise.gain == 0.9
    person.click(person.at("noise.gain", 0.9))
    assert person.scene.noise.gain == 0.5
    assert any(outcome.cancelled for outcome in person.outcomes)
    assert person.ended == []
    person.frames(2)
    assert person.host.wants_text
    person.type("0,25")
    assert person.scene.noise.gain == 0.25
    assert person.ended == ["Noise: gain"]


def test_a_double_click_counts_however_long_its_frames_take(person):
    """While a frame is drawn no event comes in: the second press seems late by the frames of press and release."""
    slow_s = 0.7  # of a full picture on software OpenGL
    person.move(person.at("noise.gain", 0.9))
    for down, took_s in ((True, FRAME), (False, slow_s), (True, slow_s)):
        person.host.mouse_button(LEFT, down)
        person.host.new_frame(took_s, took_s)
        person.scene = person.panel.draw(person.scene, person.home, person.status).scene
        person.host.end_frame()
    person.frames(3)
    assert person.host.wants_text, "the second press opens the text field"
    person.key(ENTER)
    assert person.scene.noise.gain == 0.5, "the field starts with the value from before the first click"


def test_single_click_ends_when_no_second_follows(person):
    person.click(person.at("noise.gain", 0.9))
    assert person.frames().gesture and person.panel.wake_after
    person.frames(1, seconds=0.5)
    assert person.ended == ["Noise: gain"]
    assert person.panel.wake_after is None


def test_click_on_another_slider_is_a_gesture_of_its_own(person):
    person.click(person.at("noise.gain", 0.9))
    person.click(person.at("perturb.distance", 0.25))
    person.frames(40)
    assert (person.scene.noise.gain, person.scene.perturb.distance) == (0.9, 16.0)
    assert person.ended == ["Noise: gain", "Perturb: distance"]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("noise.frequency", "1e9", 4096.0),
        ("noise.frequency", "-3", 0.01),
        ("noise.octaves", "99", 16),
        ("noise.amplitude", "1.5k", 1500.0),
        ("noise.amplitude", "2,500 m", 2500.0),
        ("noise.gain", "0.1", 0.1),
        ("noise.gain", "nonsense", 0.5),
        ("noise.seed", "2147483647", 2**31 - 1),
        ("sun.azimuth", "370", 10.0),
    ],
)
def test_control_click_types_and_clamps(person, key, text, value):
    person.host.key(CONTROL, True, 0)
    person.frames()
    person.click(person.at(key, 0.6))
    person.host.key(CONTROL, False, 0)
    person.type(text)
    assert person.scene.get(key) == value


def test_escape_in_a_text_field_leaves_the_value(person):
    person.host.key(CONTROL, True, 0)
    person.click(person.at("noise.gain", 0.6))
    person.host.key(CONTROL, False, 0)
    person.frames(2)
    person.host.text("0.9")
    person.frames(2)
    person.key(ESCAPE)
    assert person.scene.noise.gain == 0.5
    assert not person.host.wants_text


def test_escape_during_a_drag_restores_it(person):
    person.press(person.at("noise.gain", 0.5))
    person.move(person.at("noise.gain", 0.8))
    assert person.scene.noise.gain == 0.8
    person.key(ESCAPE)
    assert person.scene == person.home
    assert [outcome.cancelled for outcome in person.outcomes].count(True) == 1
    person.move(person.at("noise.gain", 0.2))
    person.release()
    assert person.scene == person.home, "the rest of the drag is not another one"
    assert person.ended == []


def test_losing_the_keyboard_ends_a_drag(person):
    person.press(person.at("noise.gain", 0.5))
    person.move(person.at("noise.gain", 0.8))
    person.host.focus(False)
    person.frames(3)
    assert person.ended == ["Noise: gain"]


def test_reset_arrow_shows_where_a_value_differs_and_puts_it_back(person):
    assert person.resets == []
    person.scene = person.scene.replace({"noise.gain": 0.9})
    person.frames()
    assert len(person.resets) == 2, "one for the section, one for the row"
    person.click(person.resets[1])
    assert person.scene == person.home
    assert person.ended == ["Noise: gain"]


def test_sun_pad_is_round_and_keeps_the_sun_up_to_the_rim(person):
    _, top, _, height = person.tracks["sun.elevation"]
    radius = theme.PAD_DIAMETER / 2
    centre = (10 + radius, top + height / 2)
    person.click((centre[0] + radius - 2, centre[1] - radius + 2))
    assert person.scene == person.home, "the square's corner takes no press"
    person.press((centre[0] + radius / 2, centre[1]))
    assert (person.scene.sun.azimuth, person.scene.sun.elevation) == (90.0, pytest.approx(42, abs=3))
    person.move((centre[0], centre[1] + 500))
    assert (person.scene.sun.azimuth, person.scene.sun.elevation) == (pytest.approx(180, abs=1), -5.0)
    person.move((centre[0] - 30, centre[1] - 1))
    person.move((centre[0] - 3, centre[1] - 30))
    person.move((centre[0] + 3, centre[1] - 30))
    assert 0 <= person.scene.sun.azimuth < 10
    person.release()
    assert person.ended == ["Sun: position"]


def test_detail_sets_rows_and_columns_together(person):
    person.panel.sections.open["grid"] = True
    person.status = dataclasses.replace(person.status)
    person.frames()
    person.host.mouse_move(150, 500)
    person.frames()
    person.host.wheel(0, -100)
    person.frames(30)
    person.press(person.at("grid.detail", 0.3))
    grid = person.scene.grid
    assert grid.rows == grid.columns == 16
    person.release()
    person.frames(40)
    assert person.ended == ["Grid: detail"]


def test_colour_is_picked_by_dragging_and_typed(person):
    for key in person.scene.groups():
        person.panel.sections.open[key] = key == "ground"
    person.frames(2)
    left, top, _, height = person.tracks["ground.tint"]
    person.click((left - 20, top + height / 2))
    person.frames(2)
    assert person.host.wants_keys
    person.press((left + 60, top + 100))
    person.move((left + 90, top + 140))
    assert person.frames().gesture
    person.release()
    assert person.scene.ground.tint != "#ffffff"
    assert person.ended == ["Ground: tint"]
    person.key(ESCAPE)
    person.frames(2)
    assert not person.host.wants_keys, "Esc closes the picker"
    person.click(person.at("ground.tint", 0.5))
    person.type("1a2B3c")
    assert person.scene.ground.tint == "#1a2b3c"


def test_choice_is_made_from_a_list(person):
    for key in person.scene.groups():
        person.panel.sections.open[key] = key == "erosion"
    person.frames(2)
    left, top, _, _ = person.tracks["erosion.iterations"]
    person.click((left + 40, top - 14))
    person.frames(2)
    person.click((left + 40, top + 10))
    assert person.scene.erosion.kind == "none"
    assert person.ended == ["Erosion: kind"]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (-301.5, "m", "−302 m"),
        (60, "°", "60°"),
        (0.0123, "1/m", "0.0123/m"),
        (1e7, "m²", "10 km²"),
        (1e4, "m²", "10,000 m²"),
    ],
)
def test_what_stands_beside_colours(value, unit, text):
    assert number_format.measure(value, unit) == text
