"""A parameter that is sought: what shows, and how a search ends."""

from __future__ import annotations

import pytest

from fellview.ui import drawn, landforms
from fellview.ui.actions import BY_KEYS
from tests.ui.person import CONTROL, ESCAPE, Person


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
