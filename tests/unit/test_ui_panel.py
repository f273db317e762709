"""The panel, driven by events as a window would, without a window and without OpenGL."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest
from imgui_bundle import imgui

from fellview.actions import BY_ID, help_rows
from fellview.core import written
from fellview.draw.maps import Legend
from fellview.io import heights, scenes
from fellview.scene.scene import Scene
from fellview.terrain.pipeline import STEPS
from fellview.ui import landforms, overlays, theme, widgets
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Outcome, Status
from fellview.view.scale import Spot

FRAME = 1 / 60
CONTROL, SHIFT, ENTER, ESCAPE = 341, 340, 257, 256
LEFT = 0


class Person:
    """A panel in a window that is not there; finds widgets by the tracks and buttons that were drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, scale: float = 1.0) -> None:
        self.host, self.panel = Host(scale=scale), Panel()
        self.host.resize((1280, 720), (1280, 720))
        self.home = self.scene = Scene()
        self.status = Status(can_undo=True, presets=("directx-demo", "alpine-range"))
        self.outcomes: list[Outcome] = []
        self.tracks: dict[str, tuple[float, float, float, float]] = {}
        self.resets: list[tuple[float, float]] = []
        draw_track, reset_arrow, button = widgets._draw_track, widgets.reset_arrow, widgets.button
        tick = widgets.tick
        self.ticks: dict[str, tuple[float, float]] = {}
        self.buttons: dict[str, tuple[float, float]] = {}

        def seen_track(one, corner, width, height, *rest):
            self.tracks[one.key] = (corner.x, corner.y, width, height)
            draw_track(one, corner, width, height, *rest)

        def seen_reset(width):
            corner = imgui.get_cursor_screen_pos()
            self.resets.append((corner.x + width / 2, corner.y + 8))
            return reset_arrow(width)

        def seen_button(text, width, *rest, **named):
            corner = imgui.get_cursor_screen_pos()
            self.buttons[text.partition("##")[0]] = (corner.x + width / 2, corner.y + 8)
            return button(text, width, *rest, **named)

        def seen_tick(key, on, width, height):
            corner = imgui.get_cursor_screen_pos()
            self.ticks[key] = (corner.x + width / 2, corner.y + height / 2)
            return tick(key, on, width, height)

        monkeypatch.setattr(widgets, "tick", seen_tick)
        begin_list = widgets.begin_list
        self.add_at = (0.0, 0.0)

        def seen_list(name, shown):
            if name == "##add":
                corner = imgui.get_cursor_screen_pos()
                self.add_at = (corner.x + 30, corner.y + 8)
            return begin_list(name, shown)

        monkeypatch.setattr(widgets, "begin_list", seen_list)
        monkeypatch.setattr(widgets, "_draw_track", seen_track)
        monkeypatch.setattr(widgets, "reset_arrow", seen_reset)
        monkeypatch.setattr(widgets, "button", seen_button)
        self.frames(4)
        self.outcomes.clear()

    def frames(self, count: int = 1, seconds: float = FRAME) -> Outcome:
        """Run frames; the session takes each scene over, as the window does."""
        for _ in range(count):
            self.host.new_frame(seconds)
            self.tracks.clear()
            self.resets.clear()
            self.buttons.clear()
            self.ticks.clear()
            outcome = self.panel.draw(self.scene, self.home, self.status)
            self.data = self.host.end_frame()
            self.scene = outcome.scene
            self.outcomes.append(outcome)
        return outcome

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
def person(monkeypatch):
    one = Person(monkeypatch)
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
    assert "erosion.threshold" in person.tracks
    person.scene = person.scene.replace({"erosion.kind": "none"})
    person.frames()
    assert not {"erosion.threshold", "erosion.iterations"} & set(person.tracks)


def test_bold_controls_need_no_scrolling(person):
    bold = ("noise.seed", "noise.frequency", "noise.amplitude", "perturb.distance", "erosion.iterations", "sun.ambient")
    for key in bold:
        _, top, width, height = person.tracks[key]
        assert top + height < 720 - 24 and width > 100


def test_sun_pad_is_round_and_keeps_the_sun_up_to_the_rim(person):
    _, top, _, height = person.tracks["sun.elevation"]
    centre = (10 + 48.0, top + height / 2)
    person.click((centre[0] + 46, centre[1] - 46))
    assert person.scene == person.home, "the square's corner takes no press"
    person.press((centre[0] + 24, centre[1]))
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
    person.panel._open["grid"] = True
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


def test_the_scene_list_marks_what_was_changed_and_not_how_one_looks_at_it(person, monkeypatch):
    names = []
    draw = widgets.begin_list

    def seen(name, shown):
        if name == "##scene":
            names.append(shown)
        return draw(name, shown)

    monkeypatch.setattr(widgets, "begin_list", seen)
    for change, mark in (({}, ""), ({"view.mode": "slope", "view.figure": True}, ""), ({"view.stage": "slab"}, " •")):
        person.scene = person.home.replace(change)
        person.frames()
        assert names[-1] == person.home.name + mark


def test_every_parameter_of_every_section_is_shown_once(person):
    """A new group or parameter joins the panel by its declaration alone."""
    for key in person.scene.groups():
        person.panel._open[key] = person.panel._open[f"{key} more"] = True
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
        person.panel._open[key] = key == "ground"
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
        person.panel._open[key] = key == "erosion"
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


def test_unused_steps_share_a_line_until_they_are_switched_on(person):
    _, first = person.ticks["curve"]
    assert {person.ticks[key][1] for key in ("curve", "terrace", "edge")} == {first}
    person.click(person.ticks["terrace"])
    assert person.scene.terrace.enabled
    person.frames()
    assert "terrace.spacing" in person.tracks, "a section opens when its step is switched on"
    assert len({person.ticks[key][1] for key in ("curve", "terrace", "edge")}) == 3


def test_every_step_has_a_switch(person):
    for key in person.scene.groups():
        person.panel._open[key] = False
    person.frames(2)
    # a landform is taken away instead; rock and water are no steps, yet off or on
    assert set(person.ticks) == {step.key for step in STEPS} - set(landforms.KEYS) | {"rock", "water"}


def test_camera_position_is_dragged_in_steps_of_the_land(person):
    for key in person.scene.groups():
        person.panel._open[key] = key == "camera"
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
    person.panel._open = dict.fromkeys(person.scene.groups(), False) | {"landforms": True}
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
    person.panel._open = dict.fromkeys(person.scene.groups(), False) | {"landforms": True}
    person.frames(2)
    left, top = person.add_at
    person.click((left, top))
    person.frames(2)
    person.click((left, top + 24))
    assert person.scene.landform1.kind == "plateau"
    assert person.scene.landform1.height == pytest.approx(14), "0.07 of 200 m"
    assert person.ended == ["Landforms: add plateau"]


def test_help_has_every_section_once_and_needs_no_scrolling(person):
    sections = [section for *_, section in help_rows()]
    assert [one for one, before in zip(sections, [None, *sections[:-1]], strict=True) if one != before] == list(
        dict.fromkeys(sections)
    )
    for _ in range(4):
        person.host.new_frame(FRAME)
        person.panel.draw(person.scene, person.home, person.status)
        overlays.help_window(help_rows(), person.panel.scene_rect)
        person.host.end_frame()
    assert imgui.internal.find_window_by_name("Keys and mouse").scroll_max.y == 0


def test_words_say_what_there_is(person, monkeypatch):
    """Ground below 0 is not high, nor is a hill's width its height, and no mesh is exported."""
    assert overlays._land(Status(under=Spot(10.0, 20.0, -808.4, 12.0)))[1] == "−808.4 m elevation"
    told = []
    monkeypatch.setattr(widgets, "tip", lambda *words: told.append(" ".join(words)))
    person.frames()
    export = next(words for words in told if words.startswith("Save the heights"))
    assert "mesh" not in export
    assert all(suffix.lstrip(".").upper() in export for suffix in heights.SUFFIXES)
    assert person.panel._notes(person.scene)["noise.frequency"] == "hills 13.3 m wide"


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
    assert written.measure(value, unit) == text
