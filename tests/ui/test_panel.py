"""The panel, driven by events as a window would, without a window and without OpenGL."""

from __future__ import annotations

import dataclasses
import itertools
import subprocess
import sys

import numpy as np
import pytest
from imgui_bundle import imgui

from fellview.core import number_format
from fellview.draw.overlay.legend import Legend
from fellview.draw.overlay.overlay import Overlay
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.ui import drawn, landforms, overlays, sections, theme, widgets
from fellview.ui.actions import BY_ID, BY_KEYS, rows
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.panel_edge import LEAST
from fellview.ui.status import Outcome, Status
from fellview.view.scale import Spot

FRAME = 1 / 60
CONTROL, SHIFT, ALT, ENTER, ESCAPE = 341, 340, 342, 257, 256
LEFT = 0
MOST_OF_WINDOW = 0.45 * 1280
"""How wide the panel may be in a window of the usual size."""


def _press_at(place: tuple[float, float, float, float]) -> tuple[float, float]:
    left, top, width, _ = place
    return left + width / 2, top + 8


class Person:
    """A panel in a window that is not there; finds widgets by the tracks and buttons that were drawn."""

    def __init__(self, scale: float = 1.0) -> None:
        self.host, self.panel = Host(scale=scale), Panel()
        self.host.resize((1280, 720), (1280, 720))
        self.home = self.scene = Scene()
        self.status = Status(can_undo=True, presets=("directx-demo", "alpine-range"))
        self.outcomes: list[Outcome] = []
        self.frames(4)
        self.outcomes.clear()

    def frames(self, count: int = 1, seconds: float = FRAME) -> Outcome:
        """Run frames; the session takes each scene over, as the window does."""
        for _ in range(count):
            self.host.new_frame(seconds)
            outcome = self.panel.draw(self.scene, self.home, self.status)
            self.data = self.host.end_frame()
            self.scene = outcome.scene
            self.outcomes.append(outcome)
        return outcome

    @property
    def tracks(self) -> dict[str, tuple[float, float, float, float]]:
        """Where sliders are, by key."""
        return drawn.places("track")

    @property
    def resets(self) -> list[tuple[float, float]]:
        """Where to press the arrows that put values back."""
        return [_press_at(one.place) for one in drawn.all_of("reset")]

    @property
    def buttons(self) -> dict[str, tuple[float, float]]:
        """Where to press buttons, by their texts."""
        return {text: _press_at(place) for text, place in drawn.places("button").items()}

    @property
    def ticks(self) -> dict[str, tuple[float, float]]:
        """The middles of boxes to tick, by key."""
        middles = drawn.places("tick").items()
        return {key: (left + width / 2, top + height / 2) for key, (left, top, width, height) in middles}

    def at(self, key: str, share: float) -> tuple[float, float]:
        """Return the point at `share` of a slider."""
        left, top, width, height = self.tracks[key]
        return left + share * width, top + height / 2

    def move(self, point: tuple[float, float]) -> None:
        self.host.mouse_move(*point)
        self.frames()

    def press(self, point: tuple[float, float]) -> None:
        self.move(point)
        self.host.mouse_button(LEFT, True)
        self.frames()

    def release(self) -> None:
        self.host.mouse_button(LEFT, False)
        self.frames()

    def click(self, point: tuple[float, float]) -> None:
        """Press and release between two frames."""
        self.move(point)
        self.host.mouse_button(LEFT, True)
        self.host.mouse_button(LEFT, False)
        self.frames(2)

    def key(self, key: int, modifiers: int = 0) -> None:
        self.host.key(key, True, modifiers)
        self.host.key(key, False, modifiers)
        self.frames(2)

    def type(self, text: str) -> None:
        self.frames(2)
        self.host.text(text)
        self.frames(2)
        self.key(ENTER)

    @property
    def ended(self) -> list[str]:
        return [outcome.label for outcome in self.outcomes if outcome.gesture_ended]


@pytest.fixture
def person():
    one = Person()
    yield one
    one.host.close()


def test_importing_the_panel_leaves_numba_alone():
    code = "import sys, fellview.ui.panel, fellview.ui.file_dialog; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_idle_panel_changes_nothing(person):
    outcome = person.frames()
    assert outcome.scene is person.home
    assert outcome == Outcome(person.home)


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


def test_section_reset_puts_all_back(person):
    person.scene = person.scene.replace({"perturb.distance": 3.0, "perturb.frequency": 3.0})
    person.frames()
    person.click(person.resets[0])
    assert person.scene == person.home


def test_parameters_without_effect_are_hidden(person):
    person.panel.sections.open["erosion more"] = True
    person.frames()
    assert {"erosion.threshold", "erosion.iterations"} <= set(person.tracks)
    person.scene = person.scene.replace({"erosion.kind": "none"})
    person.frames()
    assert not {"erosion.threshold", "erosion.iterations"} & set(person.tracks)


@pytest.mark.parametrize("name", ["directx-demo", "alpine-range"])
def test_bold_controls_need_no_scrolling(person, name):
    """At 1280 × 720: what is used most, of the demo and of the scene that the first window opens with."""
    person.scene = person.home = scenes.load(name)
    person.frames(3)
    bold = ["noise.seed", "noise.frequency", "noise.amplitude", "sun.azimuth", "sun.elevation", "sun.ambient"]
    bold += ["perturb.distance" if person.scene.perturb.mode == "demo" else "perturb.reach"]
    bold += ["erosion.iterations" if person.scene.erosion.kind == "demo" else "erosion.duration"]
    for key in bold:
        _, top, width, height = person.tracks[key]
        assert top + height < 720 - 24 and width > 100, key
    middle = person.tracks["sun.elevation"][1] + theme.ROW_HEIGHT / 2
    assert middle + theme.PAD_DIAMETER / 2 <= 720 - 24, "the whole pad"


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


def test_every_parameter_of_every_section_is_shown_once(person):
    """A new group or parameter joins the panel by its declaration alone."""
    for key in person.scene.groups():
        person.panel.sections.open[key] = person.panel.sections.open[f"{key} more"] = True
    seen = set()
    person.host.mouse_move(150, 500)
    for _ in range(40):
        seen |= set(person.tracks)
        person.host.wheel(0, -2)
        person.frames(2)
    numbers = {
        f"{key}.{name}"
        for key, group in person.scene.groups().items()
        for name, declaration in group.declarations().items()
        if group.shows(name) and declaration.type in (int, float)
    }
    assert numbers <= seen


def test_notice_is_dismissed_by_its_cross(person):
    person.status = dataclasses.replace(person.status, notices=("one", "two"))
    person.frames(3)
    left, top, width, height = person.panel.scene_rect
    person.click((left + width - 14 - 24, top + height - 14 - 16))
    assert [1] in [outcome.dismiss for outcome in person.outcomes]


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


def test_sections_collapse(person):
    assert "perturb.distance" in person.tracks
    person.click((60, person.ticks["perturb"][1]))
    person.frames()
    assert "perturb.distance" not in person.tracks


def test_a_step_is_switched_off_and_on_in_its_header(person):
    person.click(person.ticks["perturb"])
    assert not person.scene.perturb.enabled
    person.frames()
    assert "perturb.distance" in person.tracks, "its rows stay"
    person.click(person.ticks["perturb"])
    assert person.scene == person.home
    assert person.ended == ["Perturb: off", "Perturb: on"]


def test_every_section_has_a_line_of_its_own_and_its_box_before_its_name(person):
    person.panel.sections.open.update(dict.fromkeys(person.scene.groups(), False))
    person.frames(2)
    keys = [key for key in person.scene.groups() if key not in landforms.KEYS] + ["landforms"]
    tops = sorted(person.panel.place(key)[1] for key in keys)
    assert all(below - above == theme.TITLE_HEIGHT for above, below in itertools.pairwise(tops))
    assert len({x for x, _ in person.ticks.values()}) == 1, "one column of boxes"
    for key, (x, y) in person.ticks.items():
        left, top, _, height = person.panel.place(key)
        assert x < left and top < y < top + height


def test_nothing_moves_under_a_pointer_that_switches_steps(person):
    before = {key: person.panel.place(key) for key in person.ticks}
    for key in ("curve", "terrace", "edge", "crags", "perturb"):
        person.click(person.ticks[key])
        person.frames(40)
    scene = person.scene
    assert scene.curve.enabled and scene.terrace.enabled and scene.edge.enabled and scene.crags.enabled
    assert not scene.perturb.enabled
    assert {key: person.panel.place(key)[1] for key in before} == {key: place[1] for key, place in before.items()}


def test_an_opened_section_moves_nothing_above_it(person):
    person.host.resize((1280, 2000), (1280, 2000))
    person.frames(3)
    keys = [key for key in person.scene.groups() if key not in landforms.KEYS]
    for key in ("terrace", "smooth", "noise more", "erosion more", "sun more"):
        before = {one: person.panel.place(one)[1] for one in keys}
        left, top, width, height = person.panel.place(key)
        person.click((left + width / 2, top + height / 2))
        person.frames()
        after = {one: person.panel.place(one)[1] for one in keys}
        assert {one: after[one] for one in keys if before[one] <= top} == {
            one: before[one] for one in keys if before[one] <= top
        }
        assert after["grid"] > before["grid"], "what is below makes room"


def test_an_import_closes_the_sections_of_what_it_switches_off(person):
    """Once: what a person opens then stays open."""
    rows = {"perturb.distance", "noise.frequency"}
    assert rows <= person.tracks.keys()
    person.scene = person.scene.replace(
        {"imported.enabled": True, "imported.path": "/dem.tif", "perturb.enabled": False, "erosion.enabled": False}
    )
    person.frames(3)
    assert person.tracks.keys() & rows == {"noise.frequency"}
    left, top, width, height = person.panel.place("perturb")
    person.click((left + width / 2, top + height / 2))
    person.frames(3)
    assert rows <= person.tracks.keys()


def test_a_section_that_closes_at_the_foot_stays_under_the_pointer(person):
    """Were the list only shorter, all of it would come down, and the next click would meet another title."""
    person.panel.sections.open.update(dict.fromkeys(person.scene.groups(), True))
    person.host.mouse_move(150, 500)
    person.frames(3)
    person.host.wheel(0, -1000)
    person.frames(5)
    left, top, width, height = person.panel.place("grid")
    assert top < 696
    person.click((left + width / 2, top + height / 2))
    person.frames(5)
    assert person.panel.place("grid")[1] == top
    person.click((left + width / 2, top + height / 2))
    person.frames()
    assert "grid.rows" in person.tracks, "the same place opens it again"


def test_all_sections_close_and_open_at_once(person):
    left, top, width, height = person.panel.place("fold")
    button = (left + width / 2, top + height / 2)
    person.click(button)
    assert set(person.tracks) == {"noise.seed"}
    person.click(button)
    assert {"noise.gain", "terrace.spacing", "grid.rows", "camera.x"} <= set(person.panel.active.places)
    assert all(person.panel.sections.open[key] for key in person.scene.groups() if key not in landforms.KEYS)


@pytest.mark.parametrize("modifier", [CONTROL, ALT])
def test_a_click_on_a_title_does_all_with_ctrl_or_alt_and_stays_where_it_is(person, modifier):
    left, top, width, height = person.panel.place("erosion")
    person.host.key(modifier, True, 0)
    person.click((left + width / 2, top + height / 2))
    person.frames(2)
    assert set(person.tracks) == {"noise.seed"}
    person.panel.sections.open.update(dict.fromkeys(person.scene.groups(), False))
    person.frames(2)
    left, top, width, height = person.panel.place("smooth")
    person.click((left + width / 2, top + height / 2))
    person.host.key(modifier, False, 0)
    person.frames(3)
    assert all(person.panel.sections.open[key] for key in person.scene.groups() if key not in landforms.KEYS)
    assert person.panel.place("smooth")[1] == pytest.approx(top, abs=1)


# -- search ------------------------------------------------------------------------------------------------------------


def seek(person: Person, text: str) -> set[str]:
    """Type `text` into the search field; return the keys of the sliders that are shown then, without the bar's."""
    person.panel.find()
    person.host.await_text()
    person.frames(4)
    person.host.text(text)
    person.frames(4)
    return set(person.tracks) - {"noise.seed"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("talus", {"erosion.talus_angle"}),  # a label, behind "More"
        ("noise.gain", {"noise.gain"}),  # a key
        ("TERRACES spacing", {"terrace.spacing"}),  # a section's title and a label, of a section that is closed
        ("tears", {"perturb.distance"}),  # a tooltip
        ("gain perturb", set()),
        ("ectave", set()),  # a word is found by its beginning
    ],
)
def test_what_is_sought_shows_alone(person, text, found):
    person.home = person.scene = person.scene.replace({"erosion.kind": "thermal"})
    assert seek(person, text) == found


def test_a_row_that_was_found_is_as_usable_as_ever(person):
    seek(person, "noise.gain")
    person.press(person.at("noise.gain", 0.5))
    person.move(person.at("noise.gain", 0.9))
    person.release()
    assert person.scene.noise.gain == 0.9
    assert set(person.tracks) - {"noise.seed"} == {"noise.gain"}, "the search goes on"
    person.host.key(CONTROL, True, 0)
    person.click(person.at("noise.gain", 0.5))
    person.host.key(CONTROL, False, 0)
    person.type("0.25")
    assert person.scene.noise.gain == 0.25
    assert person.ended == ["Noise: gain"] * 2


def test_esc_shows_all_again_in_and_beside_the_field(person):
    before = set(person.tracks)
    for beside in (False, True):
        seek(person, "distance")
        assert person.panel.holding, "Esc is the search's"
        if beside:
            person.click(person.at("perturb.distance", 0.5))
            person.frames(40)
            assert not person.host.wants_text
        person.key(ESCAPE)
        assert set(person.tracks) == before
        assert not person.panel.holding and not person.host.wants_text
    assert not any(outcome.cancelled for outcome in person.outcomes)


def test_esc_in_a_rows_text_field_leaves_the_search(person):
    seek(person, "noise.gain")
    person.host.key(CONTROL, True, 0)
    person.click(person.at("noise.gain", 0.5))
    person.host.key(CONTROL, False, 0)
    person.frames(2)
    person.key(ESCAPE)
    assert set(person.tracks) == {"noise.seed", "noise.gain"}


def test_the_sections_stand_as_before_when_a_search_ends(person):
    person.host.mouse_move(150, 500)
    person.frames()
    person.host.wheel(0, -3)
    person.frames(4)
    before = dict(person.tracks)
    seek(person, "gain")
    person.key(ESCAPE)
    person.frames(2)
    assert person.tracks == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("quux", ["Nothing in use matches “quux”."]),
        ("uplift", ["Nothing in use matches “uplift”.", "Under other choices there is Erosion: uplift."]),
        ("noise seed", ["The seed stands above."]),
    ],
)
def test_a_search_that_finds_nothing_says_so(person, text, told):
    assert seek(person, text) == set()
    assert [one.words for one in drawn.all_of("remark") if one.name == "panel"] == told


def test_landforms_are_found_by_their_kind(person):
    person.scene = person.home = person.scene.replace(landforms.added(person.scene, "cone"))
    assert "landform1.height" in seek(person, "cone height")


def test_what_is_typed_right_after_ctrl_f_is_sought_and_no_command(person):
    """The field has the keyboard some frames later, and a frame on software OpenGL takes a tenth of a second."""
    assert BY_KEYS["Ctrl+F"].id == "find"
    person.panel.find()
    person.host.await_text()
    assert person.host.wants_keys
    person.host.text("noise.")
    person.frames()
    person.host.text("gain")
    assert person.host.wants_keys
    person.frames(6)
    assert set(person.tracks) == {"noise.seed", "noise.gain"}
    assert person.host.wants_keys


def test_a_field_that_never_opens_gives_the_keys_back(person):
    person.host.await_text()
    person.host.text("lost")
    person.frames(8)
    assert not person.host.wants_keys
    person.panel.find()
    person.frames(6)
    assert "noise.octaves" in person.tracks, "nothing is sought"


# -- the panel's edge --------------------------------------------------------------------------------------------------


def edge(person: Person) -> tuple[float, float]:
    return person.panel.scene_rect[0] - 2, 400.0


def test_the_edge_is_dragged_between_two_widths(person):
    left = person.panel.scene_rect[0]
    person.status = dataclasses.replace(person.status, hints=("Drag — turn",))
    person.press(edge(person))
    assert person.host.cursor == "resize_ew"
    person.move((left + 98, 300))
    person.frames(2)
    assert imgui.internal.find_window_by_name("##hints").pos.x > left + 100, "nothing of the land's lies on the panel"
    assert person.panel.scene_rect[0] == left, "the land is drawn anew at the end, and not at every width"
    assert person.tracks["noise.gain"][2] == pytest.approx(296, abs=1), "the panel follows at once"
    person.release()
    person.frames(2)
    assert person.panel.scene_rect[0] == pytest.approx(left + 100, abs=1)
    for to, width in ((5000, MOST_OF_WINDOW), (0, LEAST)):
        person.press(edge(person))
        person.move((to, 300))
        person.release()
        person.frames(2)
        assert person.panel.scene_rect[0] == pytest.approx(width, abs=1)
    widths = [outcome.panel_width for outcome in person.outcomes if outcome.panel_width is not None]
    assert widths == pytest.approx([theme.PANEL_WIDTH + 100, MOST_OF_WINDOW, LEAST], abs=1)
    assert person.scene == person.home and person.ended == []


def test_the_width_outlives_a_window_that_is_too_narrow_for_it(person):
    person.press(edge(person))
    person.move((500, 300))
    person.release()
    person.frames(2)
    wide = person.panel.scene_rect[0]
    for size in ((1280, 720), (1000, 600), (400, 300), (1920, 1080)):
        person.host.resize(size, size)
        person.frames(2)
        assert person.panel.scene_rect[0] == (wide if size[0] > 1200 else pytest.approx(0.45 * size[0], abs=1))
    person.host.content_scale(2.0)
    person.frames(2)
    assert person.panel.scene_rect[0] == pytest.approx(0.45 * 1920, abs=1)
    person.host.content_scale(1.0)
    person.frames(2)
    assert person.panel.scene_rect[0] == wide


def test_a_double_click_on_the_edge_goes_back_to_the_usual_width(person):
    usual = person.panel.scene_rect[0]
    person.press(edge(person))
    person.move((500, 300))
    person.release()
    person.frames(60)
    person.click(edge(person))
    person.click(edge(person))
    person.frames(2)
    assert person.panel.scene_rect[0] == usual
    assert [one.panel_width for one in person.outcomes if one.panel_width][-1] == theme.PANEL_WIDTH


def test_esc_puts_the_edge_back(person):
    left = person.panel.scene_rect[0]
    person.press(edge(person))
    person.move((500, 300))
    assert person.panel.holding
    person.key(ESCAPE)
    person.release()
    person.frames(2)
    assert person.panel.scene_rect[0] == left
    assert not any(outcome.panel_width for outcome in person.outcomes)


def test_a_kept_width_is_brought_between_the_limits():
    host = Host()
    host.resize((1920, 1080), (1920, 1080))
    for kept, width in ((400.0, 400), (1e9, 640), (-5.0, LEAST), (None, theme.PANEL_WIDTH)):
        panel = Panel(kept)
        host.new_frame(FRAME)
        panel.draw(Scene(), Scene(), Status())
        host.end_frame()
        assert panel.scene_rect[0] == width
    host.close()


# -- what is seen ------------------------------------------------------------------------------------------------------


def tooltip() -> tuple[float, float, float, float] | None:
    """Return left, top, right, bottom of the tooltip that is shown."""
    window = imgui.internal.find_window_by_name("##Tooltip_00")
    if window is None or not window.active:
        return None
    return window.pos.x, window.pos.y, window.pos.x + window.size.x, window.pos.y + window.size.y


@pytest.mark.parametrize("size", [(1280, 720), (1000, 600), (400, 300)])
def test_tooltips_stand_beside_the_rows(person, size):
    """Neither the slider nor the next one is covered, and nothing is cut off."""
    person.host.resize(size, size)
    person.frames(4)
    shown = 0
    for key, (left, top, width, height) in tuple(person.tracks.items()):
        if top + height > size[1] - 30 or key == "noise.seed":
            continue
        person.move((left + width / 2, top + height / 2))
        person.frames(12, seconds=0.1)
        box = tooltip()
        assert box is not None, key
        shown += 1
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1], key
        beside = box[0] >= person.panel.scene_rect[0]
        assert beside or box[3] <= top or box[1] >= top + height, key
        assert beside or size[0] == 400, "beside it wherever there is room"
        person.move((size[0] - 20, size[1] - 60))
        person.frames(3, seconds=0.1)
    assert shown >= 2


@pytest.fixture(scope="module")
def overlay(context):
    one = Overlay(context)
    yield one
    one.release()


def picture_of(context, overlay, data, updates, size=(1280, 720)) -> np.ndarray:
    """Return `data` as pixels, rows from above."""
    target = context.framebuffer([context.texture(size, 4)])
    target.clear(0.0, 0.0, 0.0, 1.0)
    overlay.draw(dataclasses.replace(data, textures=tuple(updates)), target)
    pixels = np.frombuffer(target.read(components=3), np.uint8).reshape(size[1], size[0], 3)[::-1]
    target.color_attachments[0].release()
    target.release()
    return pixels


def contrast(pixels: np.ndarray) -> float:
    """Return the contrast of the brightest to the most frequent of the pixels' luminances, as WCAG 2 has it."""
    linear = np.where(pixels <= 10, pixels / 255 / 12.92, ((pixels / 255 + 0.055) / 1.055) ** 2.4)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    ground = np.median(luminance)
    return float((luminance.max() + 0.05) / (ground + 0.05))


def test_rows_of_what_is_switched_off_are_readable_and_look_off(context, overlay):
    host, panel, updates = Host(), Panel(), []
    host.resize((1280, 720), (1280, 720))
    seen = []
    for on in (True, False):
        scene = Scene().replace({"noise.enabled": on})
        for _ in range(4):
            host.new_frame(FRAME)
            panel.draw(scene, scene, Status())
            data = host.end_frame()
            updates += data.textures
        seen.append(picture_of(context, overlay, data, updates))
        updates = []
    for key in ("noise.frequency", "noise.amplitude", "noise.octaves", "noise.gain"):
        left, top, width, height = map(round, panel.place(key))
        for on, pixels in zip((True, False), seen, strict=True):
            label = pixels[top : top + height, 10 : left - 4]
            value = pixels[top : top + height - 7, left + 4 : left + width - 4]
            assert contrast(label) >= 4.5 and contrast(value) >= 4.5, (key, on)
        groove = [pixels[top + height - 2, left + 4 : left + width - 4].astype(int) for pixels in seen]
        assert np.ptp(groove[0], axis=-1).max() > 60 > 40 > np.ptp(groove[1], axis=-1).max(), (
            "no colour where it is off"
        )
    host.close()


def test_the_grip_never_crosses_the_words_of_a_slider(context, overlay):
    """From one end to the other, the pixels of value and note are the same."""
    host = Host()
    host.resize((300, 100), (300, 100))
    pictures, updates = [], []
    for fraction in [None, *np.linspace(0, 1, 41)]:
        one = widgets.Track("key", "label", (), "−13,333.33 cycles/yg", "", fraction or 0.0, None, None, "jagged gÄ")
        host.new_frame(FRAME)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((300, 100))
        imgui.begin("one", None, imgui.WindowFlags_.no_decoration)
        imgui.set_cursor_screen_pos(imgui.ImVec2(10, 20))
        widgets.track(ActiveWidget(), one, 240, theme.ROW_HEIGHT)
        imgui.end()
        data = host.end_frame()
        updates = [*updates, *data.textures]
        if fraction is not None:
            pictures.append(picture_of(context, overlay, data, updates, (300, 100))[20:42, 14:246])
            updates = []
    host.close()
    words = np.any(pictures[20][: 22 - 6] > 120, axis=-1)
    assert words.sum() > 300, "there are words"
    rows = np.flatnonzero(words.any(axis=1))
    assert all(np.array_equal(one[: rows[-1] + 1], pictures[0][: rows[-1] + 1]) for one in pictures)
    assert not np.array_equal(pictures[0], pictures[-1]), "the grip moves"


def test_every_step_has_a_switch(person):
    for key in person.scene.groups():
        person.panel.sections.open[key] = False
    person.frames(2)
    # a landform is taken away instead; rock and water are no steps, yet off or on
    assert set(person.ticks) == {step.key for step in STEPS} - set(landforms.KEYS) | {"rock", "water"}


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


def test_every_label_has_room(person):
    """A label that is cut off at its end leaves a person guessing."""
    person.host.new_frame(FRAME)
    wide = {
        f"{key}.{name}": declared.label
        for key, group in Scene().groups().items()
        for name, declared in group.declarations().items()
        if imgui.calc_text_size(declared.label).x > widgets.px(theme.LABEL_WIDTH - 4)
    }
    person.host.end_frame()
    assert wide == {}


@pytest.mark.parametrize("name", scenes.presets())
def test_the_most_used_controls_show_without_scrolling(person, name):
    """Of every scene, at 1280 × 720: noise, how far it is bent, and erosion."""
    person.scene = person.home = scenes.load(name)
    person.frames(3)
    foot = 720 - 24
    for key in ("noise.seed", "noise.frequency", "noise.amplitude"):
        assert person.tracks[key][1] + person.tracks[key][3] < foot
    if person.scene.perturb.enabled:
        reach = next(key for key in person.tracks if key in ("perturb.distance", "perturb.reach"))
        assert person.tracks[reach][1] + person.tracks[reach][3] < foot
    assert person.ticks["erosion"][1] < foot


def test_a_narrow_window_leaves_room_for_the_land(person):
    person.host.resize((400, 300), (400, 300))
    person.frames(3)
    left, _, width, _ = person.panel.scene_rect
    assert left + width == 400 and width >= 0.5 * 400
    person.host.resize((1280, 720), (1280, 720))
    person.frames(3)
    assert person.panel.scene_rect[0] == pytest.approx(theme.PANEL_WIDTH, abs=4)


def test_hints_stand_over_scale_bar_and_north_arrow(person):
    person.status = dataclasses.replace(person.status, hints=("Drag — turn",))
    tops = []
    for on in (False, True):
        person.scene = person.scene.replace({"view.scale_bar": on, "view.north_arrow": on})
        person.frames(3)
        window = imgui.internal.find_window_by_name("##hints")
        tops.append(window.pos.y + window.size.y)
    _, _, _, high = person.panel.scene_rect
    unit = high / 720
    # the bar's letters and the needle stand within the lower 22 + 10 + 6 + 15 and 2 (26 + 13) units
    assert tops[0] - tops[1] >= (53 + 78) * unit - 15


@pytest.mark.parametrize("size", [(1280, 720), (400, 300)])
def test_what_floats_over_the_land_stays_on_it(person, size):
    """Badges and the legend, however long their words are: they would hide the panel."""
    person.host.resize(size, size)
    legend = Legend("Slope", "A word " * 30, ((0, 0, 0), (255, 255, 255)), ((0.0, 0.0, "°", ""), (1.0, 60.0, "°", "x")))
    person.status = dataclasses.replace(person.status, badges=("noise: octaves left out " * 9,), legend=legend)
    person.frames(4)
    left, _, width, _ = person.panel.scene_rect
    for name in ("##badges", "##legend"):
        window = imgui.internal.find_window_by_name(name)
        if window is None:
            assert name == "##legend" and size[0] == 400, "a legend needs room"
            continue
        assert window.pos.x >= left and window.pos.x + window.size.x <= left + width + 1, name
    both = [imgui.internal.find_window_by_name(name) for name in ("##badges", "##legend")]
    if None not in both:
        badges, shown = both
        assert badges.pos.x >= shown.pos.x + shown.size.x or badges.pos.y >= shown.pos.y + shown.size.y


def test_landforms_are_added_ordered_and_taken_away(person):
    """All slots are one section; empty ones take no room, and a slot's rows show when it is chosen."""
    assert not any(key.startswith("landform") for key in person.tracks)
    first = landforms.added(person.scene, "cone")
    person.scene = person.scene.replace(first)
    person.scene = person.scene.replace(landforms.added(person.scene, "dunes"))
    assert landforms.used(person.scene) == ["landform1", "landform2"]
    person.panel.sections.open = dict.fromkeys(person.scene.groups(), False) | {"landforms": True}
    person.frames(2)
    assert not any(key.startswith("landform") for key in person.tracks), "rows show when they are asked for"
    person.click(person.buttons["1  Cone"])
    assert "landform1.top_angle" in person.tracks and "landform1.size" not in person.tracks, "angles make it as wide"
    assert not any(key.startswith("landform2") for key in person.tracks), "one slot at a time"
    person.click(person.buttons["2  Dunes"])
    assert "landform2.spacing" in person.tracks and "landform1.top_angle" not in person.tracks
    person.click(person.buttons["2  Dunes"])
    assert not any(key.startswith("landform") for key in person.tracks), "a second click hides them"
    person.scene = person.scene.replace(landforms.exchanged(person.scene, "landform1", "landform2"))
    assert (person.scene.landform1.kind, person.scene.landform2.kind) == ("dunes", "cone")
    assert person.scene.landform2.values() == {name.partition(".")[2]: value for name, value in first.items()}
    person.frames(2)
    person.click(person.buttons["×"])  # of the last in the list
    assert landforms.used(person.scene) == ["landform1"]
    assert person.ended == ["Landforms: remove cone"]
    assert person.scene.landform2 == person.home.landform2


def test_a_landform_is_chosen_from_the_list_and_suits_the_land(person):
    person.panel.sections.open = dict.fromkeys(person.scene.groups(), False) | {"landforms": True}
    person.frames(2)
    left, top, _, _ = drawn.places("list")["##add"]
    left, top = left + 30, top + 8
    person.click((left, top))
    person.frames(2)
    person.click((left, top + 24))
    assert person.scene.landform1.kind == "plateau"
    assert person.scene.landform1.height == pytest.approx(14), "0.07 of 200 m"
    assert person.ended == ["Landforms: add plateau"]


def test_help_has_every_section_once_and_needs_no_scrolling(person):
    sections = [section for section, *_ in rows()]
    assert [one for one, before in zip(sections, [None, *sections[:-1]], strict=True) if one != before] == list(
        dict.fromkeys(sections)
    )
    for _ in range(4):
        person.host.new_frame(FRAME)
        person.panel.draw(person.scene, person.home, person.status)
        overlays.help_window(rows(), person.panel.room)
        person.host.end_frame()
    assert imgui.internal.find_window_by_name("Keys and mouse").scroll_max.y == 0


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
