"""The panel, driven by events as a window would, without a window and without OpenGL."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest
from imgui_bundle import imgui

from fellview.ui import drawn, sections
from fellview.ui.actions import BY_ID
from fellview.ui.status import Outcome, Saved, Status
from fellview.view.scale import Spot
from tests.ui.person import FRAME


def test_importing_the_panel_leaves_numba_alone():
    code = "import sys, fellview.ui.panel, fellview.ui.file_dialog; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_idle_panel_changes_nothing(person):
    outcome = person.frames()
    assert outcome.scene is person.home
    assert outcome == Outcome(person.home)


def test_parameters_without_effect_are_hidden(person):
    person.panel.sections.open["erosion more"] = True
    person.frames()
    assert {"erosion.threshold", "erosion.iterations"} <= set(person.tracks)
    person.scene = person.scene.replace({"erosion.kind": "none"})
    person.frames()
    assert not {"erosion.threshold", "erosion.iterations"} & set(person.tracks)


def test_fast_clicks_on_buttons_are_not_lost(person):
    for text, action in (("Picture", "picture"), ("Export", "export"), ("↶", "undo"), ("+", "seed.next")):
        person.outcomes.clear()
        person.click(person.buttons[text])
        assert [one for outcome in person.outcomes for one in outcome.actions] == [action]


def test_disabled_redo_does_nothing(person):
    person.click(person.buttons["↷"])
    assert not any(outcome.actions for outcome in person.outcomes)


def test_long_work_has_a_bar_to_keep_or_cancel_it(person):
    working = dataclasses.replace(
        person.status, running="erosion", fraction=0.4, iteration=40, iterations=100, running_s=0.1, seconds_left=6.2
    )
    person.status = dataclasses.replace(working, can_cancel=True, can_keep=True)
    person.frames(3)
    assert "Cancel" not in person.buttons  # a bar would only flash
    person.status = dataclasses.replace(person.status, running_s=2.0)
    person.frames(3)
    for button, action in (("Keep so far", "keep"), ("Cancel", "cancel.work")):
        person.outcomes.clear()
        person.click(person.buttons[button])
        assert [one for outcome in person.outcomes for one in outcome.actions] == [action]
        assert action in BY_ID
    left, top, width, height = person.panel.scene_rect
    x, y = person.buttons["Cancel"]
    assert left < x < left + width and top + 0.8 * height < y < top + height
    person.status = dataclasses.replace(working, running_s=2.0)
    person.outcomes.clear()
    person.click(person.buttons["Keep so far"])
    person.click(person.buttons["Cancel"])
    assert not any(outcome.actions for outcome in person.outcomes), "neither is possible"


def test_the_bar_of_a_file_that_is_written_has_nothing_to_keep(person):
    person.status = dataclasses.replace(
        person.status, running="exporting land.glb", fraction=0.4, running_s=2.0, can_cancel=True, is_of_land=False
    )
    person.frames(3)
    assert "Keep so far" not in person.buttons
    person.outcomes.clear()
    person.click(person.buttons["Cancel"])
    assert [one for outcome in person.outcomes for one in outcome.actions] == ["cancel.work"]


@pytest.mark.parametrize("size", [(400, 300), (640, 480)])
def test_in_a_narrow_window_work_can_be_kept_or_cancelled(person, size):
    person.host.resize(size, size)
    person.status = dataclasses.replace(
        person.status, running="erosion", fraction=0.4, iteration=1400, iterations=5100, running_s=2.0,
        seconds_left=100.0, can_cancel=True, can_keep=True,
    )  # fmt: skip
    person.frames(4)
    for button, action in (("Keep so far", "keep"), ("Cancel", "cancel.work")):
        x, y = person.buttons[button]
        assert 50 < x < size[0] - 50 and 0 < y < size[1], "the whole button is in the window"
        person.outcomes.clear()
        person.click(person.buttons[button])
        assert [one for outcome in person.outcomes for one in outcome.actions] == [action]


def test_in_a_narrow_window_the_bar_has_all_its_buttons(person):
    person.host.resize((400, 300), (400, 300))
    person.frames(4)
    left = person.panel.scene_rect[0]
    for text in ("Before", "Picture", "Export", "Noise lab", "−", "+", "⚄"):
        assert 8 < person.buttons[text][0] < left - 8
    apart = person.buttons["Picture"][0] - person.buttons["Before"][0]
    assert apart > imgui.calc_text_size("Noise lab").x, "words stand whole"
    for text, action in (("Export", "export"), ("Noise lab", "lab"), ("+", "seed.next")):
        person.outcomes.clear()
        person.click(person.buttons[text])
        assert [one for outcome in person.outcomes for one in outcome.actions] == [action]


def test_before_holds_while_the_button_is_held(person):
    person.press(person.buttons["Before"])
    assert person.frames().before
    person.release()
    assert not person.frames().before


def test_dice_throws_another_seed(person):
    person.click(person.buttons["⚄"])
    assert person.scene.noise.seed != person.home.noise.seed
    assert person.ended == ["Seed"]


def test_scene_list_chooses_a_preset(person):
    person.click((100, 20))
    person.frames(2)
    person.click((60, 50))
    assert "directx-demo" in [outcome.choose for outcome in person.outcomes]


def test_the_scene_list_marks_what_was_changed_and_not_how_one_looks_at_it(person):
    for change, mark in (({}, ""), ({"view.mode": "slope", "view.figure": True}, ""), ({"view.stage": "slab"}, " •")):
        person.scene = person.home.replace(change)
        person.frames()
        (shown,) = (one.words for one in drawn.all_of("list") if one.name == "##scene")
        assert shown == person.home.name + mark


def test_notice_is_dismissed_by_its_cross(person):
    person.status = dataclasses.replace(person.status, notices=("one", "two"))
    person.frames(3)
    left, top, width, height = person.panel.scene_rect
    person.click((left + width - 14 - 24, top + height - 14 - 16))
    assert [1] in [outcome.dismiss for outcome in person.outcomes]


def test_the_notice_of_a_saved_picture_offers_what_can_be_done_with_it(person):
    saved = Saved("two", 7, (160.0, 90.0))
    person.status = dataclasses.replace(person.status, notices=("one", "two"), saved=saved)
    person.frames(3)
    for action, words in (("picture.folder", "Show in folder"), ("picture.path", "Copy path")):
        left, top, width, height = drawn.places("button")[words]
        person.click((left + width / 2, top + height / 2))
        assert [action] in [outcome.actions for outcome in person.outcomes]
    person.status = dataclasses.replace(person.status, notices=("one",))
    person.frames(3)
    assert "Copy path" not in drawn.places("button"), "none without its notice"


def test_camera_position_is_dragged_in_steps_of_the_land(person):
    for key in person.scene.groups():
        person.panel.sections.open[key] = key == "camera"
    person.frames(2)
    person.press(person.at("camera.x", 0.5))
    left, top, width, height = person.tracks["camera.x"]
    person.move((left + width / 2 + 50, top + height / 2))
    person.release()
    assert person.scene.camera.x == pytest.approx(120, abs=1), "a tenth of 200 m for 50 pixels"
    assert person.ended == ["Camera: x"]


def test_hiding_the_panel_gives_its_room_to_the_scene(person):
    left = person.panel.scene_rect[0]
    assert left > 300
    person.host.new_frame(FRAME)
    person.panel.draw(person.scene, person.home, person.status, show_panel=False)
    person.host.end_frame()
    assert person.panel.scene_rect[0] == 0
    assert person.panel.scene_rect[2] == 1280


@pytest.mark.parametrize("running", ["preparing Landform 3 (first start only)", "reading Hills.PNG"])
def test_long_work_is_named_as_it_is_told_with_a_capital(person, running):
    person.status = dataclasses.replace(person.status, running=running, fraction=0.4, running_s=60.0)
    person.frames()
    told = {one.name: one.words for one in drawn.all_of("remark")}
    assert told["work"] == running[0].upper() + running[1:]
    assert told["status"] == f"{running} 40%"


def test_words_say_what_there_is(person):
    """Ground below 0 is not high, nor is a hill's width its height, and meshes have keys of their own."""
    person.status = Status(under=Spot(10.0, 20.0, -808.4, 12.0))
    person.frames()
    line = next(one.words for one in drawn.all_of("remark") if one.name == "status")
    assert "   −808.4 m elevation   " in line
    assert any("heights, maps of the ground or a mesh" in words for words in drawn.words("tip"))
    assert sections.notes(person.scene)["noise.frequency"] == "hills 13.3 m wide"


def padlock(name):
    (one,) = [one for one in drawn.all_of("lock") if one.name == name]
    return (one.place[0] + one.place[2] / 2, one.place[1] + one.place[3] / 2), one.words


def test_a_padlock_locks_a_parameter_or_its_group(person):
    assert padlock("noise.frequency")[1] == padlock("noise")[1] == "open"
    person.click(padlock("noise.frequency")[0])
    (locked,) = [outcome.locked for outcome in person.outcomes if outcome.locked is not None]
    assert locked == {"noise.frequency"} and person.scene == person.home
    person.status = Status(locked=locked)
    person.frames()
    assert padlock("noise.frequency")[1] == "locked" and padlock("noise")[1] == "open"
    person.outcomes.clear()
    person.click(padlock("noise")[0])
    (locked,) = [outcome.locked for outcome in person.outcomes if outcome.locked is not None]
    assert locked == {"noise"} and person.panel.sections.open["noise"]
    person.status = Status(locked=locked)
    person.frames()
    assert padlock("noise.amplitude")[1] == "locked"


def test_randomise_is_asked_for_in_the_bar(person):
    person.click(person.buttons["Randomise"])
    assert [outcome.actions for outcome in person.outcomes if outcome.actions] == [["randomise"]]
