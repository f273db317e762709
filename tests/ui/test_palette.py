"""The command palette, by keys and mouse as a window would hand them on, without a window and without OpenGL."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.studio.shelf import Variant
from fellview.ui import drawn, palette
from fellview.ui.actions import ACTIONS
from fellview.ui.palette import Entry, Palette
from fellview.ui.status import Kept, Outcome, Status
from tests.ui.person import CONTROL, ENTER, ESCAPE, Person

DOWN, UP = 264, 265
P = ord("P")
OWN = Variant("5f3a90c1", "Glen of mine", Scene())
STATUS = Status(
    presets=("alpine-range", "dunes"),
    titles={"dunes": "Desert dunes"},
    recent=(Path("/a/Käsealm.toml"),),
    own=(Kept(OWN),),
)


class Searcher(Person):
    """A person before panel and palette."""

    def __init__(self) -> None:
        self.palette = Palette()
        super().__init__()
        self.status = STATUS

    def frames(self, count: int = 1, seconds: float = 1 / 60) -> Outcome:
        for _ in range(count):
            self.host.new_frame(seconds)
            outcome = self.panel.draw(self.scene, self.home, self.status)
            area, reveal = self.panel.scene_rect, self.panel.reveal
            self.palette.draw(outcome, self.status, area, reveal, behind=self.host.behind)
            self.data = self.host.end_frame()
            self.scene = outcome.scene
            self.outcomes.append(outcome)
        return outcome

    def open(self, text: str = "") -> None:
        self.palette.toggle()
        self.host.await_text()
        self.frames(4)
        self.host.text(text)
        self.frames(3)

    def take(self, text: str) -> Outcome:
        """Open it, type and press Enter; return the frame in which something was taken."""
        self.open(text)
        self.outcomes.clear()
        self.key(ENTER)
        return next((one for one in self.outcomes if one.used is not None), self.outcomes[-1])

    @property
    def lines(self) -> list[str]:
        return [one.name for one in drawn.all_of("entry")]


@pytest.fixture
def person():
    one = Searcher()
    yield one
    one.host.close()


def test_every_action_scene_and_parameter_is_a_line():
    scene = Scene().replace({"landform2.kind": "cone"})
    lines = {one.id for one in palette.entries(scene, STATUS)}
    assert {f"action {one.id}" for one in ACTIONS if one.id != palette.ACTION} <= lines
    assert {"scene alpine-range", "scene dunes", "recent /a/Käsealm.toml"} <= lines
    for key, group in scene.groups().items():
        if key in ("landform1", "landform3", "landform4"):
            assert not any(f" {key}." in line for line in lines), "an empty slot has nothing to set"
            continue
        for name, declaration in group.declarations().items():
            assert (f"parameter {key}.{name}" in lines) == declaration.row


def test_no_two_lines_are_one():
    lines = [one.id for one in palette.entries(Scene().replace({"landform1.kind": "cone"}), STATUS)]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("talus", "parameter erosion.talus_angle"),
        ("undo", "action undo"),
        ("next seed", "action seed.next"),
        ("dun", "scene dunes"),
        ("alpine", "scene alpine-range"),
        ("kase", "recent /a/Käsealm.toml"),
        ("glen", "own 5f3a90c1"),
        ("sea lev", "parameter water.sea_level"),
        ("noise freq", "parameter noise.frequency"),
        ("azimuth", "parameter sun.azimuth"),
        ("terraces", "section terrace"),
        ("ful", "action fullscreen"),
        ("boa", "action board"),
    ],
)
def test_what_is_meant_comes_first(text, first):
    lines = palette.entries(Scene(), STATUS)
    assert palette.found(lines, text, ())[0].entry.id == first


def test_what_was_used_last_comes_first_among_what_fits():
    lines = palette.entries(Scene(), STATUS)
    ids = [one.entry.id for one in palette.found(lines, "seed", ())]
    other = next(one for one in ids[1:] if one.startswith("action"))
    assert palette.found(lines, "seed", ("action board", other))[0].entry.id == other
    assert [one.entry.id for one in palette.found(lines, "", ("scene dunes", "action undo"))[:2]] == [
        "scene dunes",
        "action undo",
    ]


def test_words_of_a_tooltip_and_of_choices_mean_a_parameter():
    lines = palette.entries(Scene(), STATUS)
    assert "parameter view.mode" in [one.entry.id for one in palette.found(lines, "curvature", ())]
    assert palette.found(lines, "qqqq", ()) == []


def test_enter_does_an_action_and_the_palette_closes(person):
    outcome = person.take("next see")
    assert outcome.actions == ["seed.next"]
    assert outcome.used == ("action seed.next",)
    assert not person.palette.shown


@pytest.mark.parametrize("presses_before", [0, 1, 4])
def test_what_is_typed_before_it_is_there_is_sought_and_taken(person, presses_before):
    person.host.key(CONTROL, True, 0)
    for _ in range(presses_before):
        person.host.key(ord("C"), True, 2)
        person.host.key(ord("C"), False, 2)
    person.host.key(P, True, 2)
    person.palette.toggle()
    person.host.await_text()
    person.host.key(P, False, 2)
    person.host.key(CONTROL, False, 2)
    for letter in "nxt seed":
        person.host.key(ord(letter.upper()), True)
        person.host.text(letter)
        person.host.key(ord(letter.upper()), False)
    person.host.key(ENTER, True)
    person.frames(20)
    assert [action for outcome in person.outcomes for action in outcome.actions] == ["seed.next"]
    assert not person.palette.shown


def test_arrow_keys_choose_and_go_round(person):
    person.open("seed")
    lines = person.lines
    for key in (DOWN, DOWN, UP):
        person.key(key)
    person.outcomes.clear()
    person.key(ENTER)
    assert person.palette.used == (lines[1],)
    person.open("")
    person.key(UP)
    assert person.lines[-1] == palette.entries(person.scene, STATUS)[-1].id, "up from the first goes to the last"


def test_a_click_takes_a_line_and_escape_takes_none(person):
    person.open("dunes")
    place = drawn.places("entry")["scene dunes"]
    person.outcomes.clear()
    person.click((place[0] + 30, place[1] + 8))
    assert [one.choose for one in person.outcomes if one.choose] == ["dunes"]
    person.open("undo")
    person.outcomes.clear()
    person.key(ESCAPE)
    assert not person.palette.shown and not any(one.actions for one in person.outcomes)
    person.frames(3)
    assert not person.host.wants_keys


def test_ctrl_p_closes_it_too(person):
    person.open("")
    person.key(P, 2)
    person.key(CONTROL)
    assert not person.palette.shown


def test_a_file_that_was_used_last_is_opened(person):
    assert person.take("käse").open == Path("/a/Käsealm.toml")


def test_a_held_action_tells_its_key(person):
    outcome = person.take("move the sun")
    assert outcome.actions == []
    assert outcome.remark.endswith("the key is L")


def test_a_parameter_is_shown_in_its_opened_section_and_marked_for_a_moment(person):
    person.scene = person.home = person.scene.replace({"erosion.kind": "thermal"})
    person.frames(2)
    person.take("view exagg")
    person.frames(3)
    _, top, _, height = person.tracks["view.exaggeration"]
    assert person.panel.sections.open["view"]
    assert 60 < top < 700 - height, "it is in sight"
    assert person.panel.wake_after is not None
    person.frames(40, seconds=0.1)
    assert person.panel.wake_after is None


def test_rarer_rows_and_landforms_are_opened_too(person):
    person.scene = person.home = person.scene.replace({"landform1.kind": "cone"})
    person.frames(2)
    person.take("noise lacunarity")
    person.frames(3)
    assert person.panel.sections.open["noise more"]
    assert "noise.lacunarity" in person.tracks
    person.take("cone rotation")
    person.frames(3)
    assert "landform1.rotation" in person.tracks


def test_what_has_no_effect_now_is_told_of_and_what_it_needs_is_shown(person):
    outcome = person.take("talus")
    assert outcome.remark.startswith("Erosion: Talus angle has an effect where Kind is ")
    person.frames(3)
    assert person.panel.sections._revealed == "erosion.kind"


def test_nothing_found_is_said(person):
    person.open("qqqq")
    person.outcomes.clear()
    person.key(ENTER)
    assert person.palette.shown and not any(one.actions for one in person.outcomes)


def test_a_line_has_no_control_characters():
    status = dataclasses.replace(STATUS, recent=(Path("/a/\x1b[31m\nb.toml"),))
    line = next(one for one in palette.entries(Scene(), status) if one.kind == "recent")
    assert isinstance(line, Entry) and line.title.isprintable()


def test_all_lines_are_of_the_shipped_scenes_too():
    for name in scenes.presets():
        assert len(palette.entries(scenes.load(name), STATUS)) > 100
