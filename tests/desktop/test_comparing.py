"""The window's land compared with another one: which pictures are drawn and shown, and what a person does there."""

import dataclasses

import pytest

from fellview.studio.comparison import NOW, Comparison, Side
from fellview.ui.comparison import Answer
from fellview.ui.status import Order
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL

WHOLE = (0.0, 1.0)


@pytest.fixture
def viewer(context, tmp_path):
    """A window at rest whose seed has been changed since it was opened."""
    with opened(context, SMALL, tmp_path) as viewer:
        viewer.layout.panel_shown = False
        viewer.renderer.resting_samples = 2  # of which two frames are made
        rest(viewer)
        viewer.session.set(viewer.session.scene.replace({"noise.seed": 40}), "Seed")
        viewer.compute.process.finish()
        rest(viewer)
        yield viewer


def rest(viewer):
    """Have the loop turn until the pictures are there."""
    viewer.pictures.hand.after_s = 0.0
    for _ in range(400):
        turn(viewer)
        pictures = viewer.pictures
        if pictures.frames_shown > 3 and not pictures.under_way and pictures.refine_in is None and pictures.up_to_date:
            return
    raise AssertionError("no rest")


def compare(viewer, **how):
    """Compare with the land as it was opened where no other is given, and have both computed and drawn."""
    viewer.comparing._take_up(Comparison(**how))
    turn(viewer)
    while viewer.session.busy or viewer.session.compared is None:
        viewer.compute.process.finish()
        turn(viewer)
    viewer.redraw()
    rest(viewer)


def drawn_columns(viewer, monkeypatch):
    """Return what grows by the columns of each picture that is begun from now on: of this land, and of the other."""
    found = []
    for name, renderer in (("now", viewer.renderer), ("other", viewer.other._drawn_by())):

        def passes(*values, name=name, before=renderer.passes, **named):
            found.append((name, named.get("columns")))
            return before(*values, **named)

        monkeypatch.setattr(renderer, "passes", passes)
    return found


def columns(viewer):
    return [part for _, part in viewer.pictures.shown]


def test_both_lands_are_seen_to_either_side_of_the_line(viewer):
    compare(viewer, line=0.25)
    assert viewer.session.compared.heights[0, 0] == SMALL.noise.seed
    assert columns(viewer) == [None, (0.0, 0.25)]
    assert viewer.other.refined == viewer.renderer.frames(viewer.renderer.resting_samples)


def test_until_the_other_land_is_there_this_one_is_seen_alone(viewer):
    viewer.comparing.toggle()
    turn(viewer, 3)
    assert columns(viewer) == [None] and viewer.session.compared is None


def test_to_drag_the_line_and_to_blink_draws_neither_land(viewer, monkeypatch):
    compare(viewer)
    found = drawn_columns(viewer, monkeypatch)
    viewer.other.comparison = viewer.other.comparison.with_line(0.8)
    viewer.redraw()
    turn(viewer, 4)
    assert columns(viewer) == [None, (0.0, 0.8)]
    for shown in ([viewer.other.present], [viewer.pictures.present]):
        viewer.act("blink")
        turn(viewer, 4)
        assert [picture for picture, _ in viewer.pictures.shown] == shown
    assert not found


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"line": 0.25}, {("now", (0.25, 1.0)), ("other", (0.0, 0.25))}),
        ({"way": "blink"}, {("now", None)}),
        ({"way": "blink", "flipped": True}, {("other", None)}),
    ],
)
def test_while_the_camera_moves_each_is_drawn_where_it_is_seen_alone(viewer, monkeypatch, how, expected):
    compare(viewer, **how)
    found, count = drawn_columns(viewer, monkeypatch), viewer.pictures.count
    camera = viewer.session.scene.camera
    viewer.session.set_camera(camera.replace(yaw=camera.yaw + 5))
    viewer.redraw()
    while viewer.pictures.count == count:
        turn(viewer)
    assert set(found) == expected


def test_what_changes_this_land_alone_leaves_the_picture_of_the_other(viewer, monkeypatch):
    compare(viewer)
    found = drawn_columns(viewer, monkeypatch)
    viewer.session.set(viewer.session.scene.replace({"sun.azimuth": 12.0}), "Sun")
    viewer.redraw()
    rest(viewer)
    assert found and {name for name, _ in found} == {"now"}


def test_one_light_makes_the_other_follow_the_sun(viewer):
    compare(viewer, one_light=True)
    viewer.session.set(viewer.session.scene.replace({"sun.azimuth": 12.0}), "Sun")
    viewer.redraw()
    rest(viewer)
    assert viewer.other.shows.scene.sun.azimuth == 12.0


def test_a_value_is_taken_over_in_one_undo_step(viewer):
    compare(viewer)
    found = viewer.comparing._found()
    assert [(one.key, one.old, one.new) for one in found] == [("noise.seed", SMALL.noise.seed, 40)]
    viewer.comparing._answer = Answer(viewer.other.comparison, take=found)
    viewer.comparing.apply()
    assert viewer.session.scene.noise.seed == SMALL.noise.seed and viewer.session.undo_label == "Noise: seed"
    viewer.act("undo")
    assert viewer.session.scene.noise.seed == 40


def test_the_difference_is_a_view_mode_and_ends_with_its_way(viewer):
    compare(viewer, way="difference")
    assert viewer.session.scene.view.mode == "difference"
    mask = viewer.renderer.field.masks["height_difference"]
    assert (mask == 40 - SMALL.noise.seed).all()
    assert viewer.renderer.legend.title == "Difference in height"
    viewer.comparing._take_up(dataclasses.replace(viewer.other.comparison, way="wipe"))
    assert viewer.session.scene.view.mode == "textured"


def test_the_view_mode_alone_compares_with_the_land_as_it_was_opened(viewer):
    viewer.session.set(viewer.session.scene.replace({"view.mode": "difference"}), "View mode")
    turn(viewer, 2)
    viewer.compute.process.finish()
    rest(viewer)
    assert not viewer.comparing.shown
    assert (viewer.renderer.field.masks["height_difference"] == 40 - SMALL.noise.seed).all()


def test_a_view_mode_chosen_elsewhere_is_followed(viewer):
    compare(viewer)
    viewer.session.set(viewer.session.scene.replace({"view.mode": "difference"}), "View mode")
    turn(viewer)
    assert viewer.other.comparison.way == "difference"
    viewer.act("view.next")
    turn(viewer)
    assert viewer.other.comparison.way == "blink"


def test_escape_ends_the_comparison_and_forgets_the_other_land(viewer):
    compare(viewer)
    viewer.act("cancel")
    turn(viewer, 2)
    assert not viewer.comparing.shown and viewer.session.compared is None and columns(viewer) == [None]


def test_a_kept_land_may_be_compared_with(viewer):
    session = viewer.session
    session.set_shelf(session.shelf.keep(session.scene.replace({"noise.seed": 7})), "Keep")
    viewer.comparing.toggle()
    others = viewer.comparing._told(viewer.other.comparison).others
    assert [one.title for one in others] == ["Before", session.shelf.variants[0].name]
    viewer.shelf.obey(Order("compare", session.shelf.variants[0].id))
    compare(viewer, old=viewer.other.comparison.old)
    assert session.compared.heights[0, 0] == 7


def test_two_lands_are_compared_of_which_neither_is_worked_on(viewer):
    now = viewer.session.scene
    compare(viewer, old=Side("A", SMALL.replace({"noise.seed": 7})), new=Side("B", SMALL.replace({"noise.seed": 8})))
    assert viewer.session.compared.heights[0, 0] == 7 and viewer.session.land.heights[0, 0] == 8
    assert viewer.session.scene == now and viewer.pictures.seen() is None
    assert [(one.old, one.new) for one in viewer.comparing._found()] == [(7, 8)]


def test_what_is_changed_is_seen_at_once_in_place_of_another_land(viewer):
    compare(viewer, new=Side("B", SMALL.replace({"noise.seed": 8})))
    camera = viewer.session.scene.camera
    viewer.session.set_camera(camera.replace(yaw=camera.yaw + 5))
    turn(viewer)
    assert viewer.other.comparison.new.title == "B"
    viewer.session.set(viewer.session.scene.replace({"noise.seed": 41}), "Seed")
    viewer.redraw()
    turn(viewer, 2)
    assert viewer.other.comparison.new == NOW and viewer.session.visible is viewer.session.scene


def test_what_waits_for_the_land_does_not_wait_for_another_one(viewer):
    compare(viewer, new=Side("B", SMALL.replace({"noise.seed": 8})))
    done = []
    viewer.when_settled(lambda: done.append(viewer.session.land.heights[0, 0]))
    turn(viewer)
    viewer.compute.process.finish()
    turn(viewer, 2)
    assert done == [40]


def test_a_value_taken_over_by_another_land_makes_that_the_one_that_is_worked_on(viewer):
    old, new = (SMALL.replace({"noise.seed": 7, "noise.octaves": octaves}) for octaves in (4, 5))
    compare(viewer, old=Side("A", old), new=Side("B", new))
    found = viewer.comparing._found()
    viewer.comparing._answer = Answer(viewer.other.comparison, take=found)
    viewer.comparing.apply()
    assert viewer.session.scene.noise == old.noise and viewer.other.comparison.new == NOW
    viewer.act("undo")
    assert viewer.session.scene.noise.seed == 40


def test_no_land_is_called_by_its_name_before_its_picture_is_there(viewer):
    viewer.comparing.compare(Comparison(way="blink", flipped=True))
    assert "computed" in viewer.comparing._told(viewer.other.comparison).wait
    turn(viewer, 2)
    viewer.compute.process.finish()
    viewer.session.poll()
    assert "drawn" in viewer.comparing._told(viewer.other.comparison).wait
    viewer.redraw()
    rest(viewer)
    assert not viewer.comparing._told(viewer.other.comparison).wait
