"""Sections of the panel: opened, closed, switched, put back; and the steps that they stand for."""

from __future__ import annotations

import itertools

import pytest

from fellview.terrain.pipeline.pipeline import STEPS
from fellview.ui import drawn, landforms, theme
from tests.ui.person import ALT, CONTROL


def test_section_reset_puts_all_back(person):
    person.scene = person.scene.replace({"perturb.distance": 3.0, "perturb.frequency": 3.0})
    person.frames()
    person.click(person.resets[0])
    assert person.scene == person.home


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


def test_every_step_has_a_switch(person):
    for key in person.scene.groups():
        person.panel.sections.open[key] = False
    person.frames(2)
    # a landform is taken away instead; rock and water are no steps, yet off or on
    assert set(person.ticks) == {step.key for step in STEPS} - set(landforms.KEYS) | {"rock", "water"}


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
