"""Slides presented: what keys do, how one comes from land to land, and that nothing else changes."""

import pytest

from fellview.compute.protocol import Masked
from fellview.desktop.window import Key
from fellview.scene.groups.camera import Camera
from fellview.studio.deck import Deck, Showing, Slide
from fellview.ui import drawn
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL

OTHER = SMALL.replace({"noise.seed": 40})
NEAR = SMALL.with_group(SMALL.camera.replace(yaw=(SMALL.camera.yaw + 20) % 360))
SLIDES = Deck(
    (Slide(SMALL, "One"), Slide(NEAR, "Two"), Slide(OTHER, "Three", "wipe"), Slide(SMALL, "Four", "morph")),
    Showing(seconds=0.2),
)


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        viewer.now, viewer.pictures.hand.after_s = 0.0, 0.0
        viewer.presenting._clock = lambda: viewer.now
        settle(viewer)
        yield viewer


def settle(viewer, until=lambda viewer: viewer.pictures.up_to_date):
    """Have the loop turn, and what is asked for be computed, until that is so."""
    for _ in range(300):
        process = viewer.compute.process
        if viewer.session.jobs._job is not None:
            process.finish()
            process.say(Masked(process.job, {}))
        turn(viewer)
        if until(viewer) and viewer.session.settled:
            return
    raise AssertionError("it never came")


def press(viewer, chord):
    viewer.on_key(Key(0, "", chord, True, False, 0))
    viewer.on_key(Key(0, "", chord, False, False, 0))
    turn(viewer)


def arrive(viewer, place):
    """Have time pass until the slide at `place` is there alone."""

    def there(viewer):
        viewer.now += 0.15
        shown = viewer.presenting
        return shown.place == place and shown._way is None and not shown._covers and viewer.pictures.up_to_date

    settle(viewer, there)


def seen(viewer):
    return viewer.session.visible


def test_keys_lead_through_the_slides_and_back_to_the_scene(viewer):
    viewer.session.set_deck(SLIDES, "Slides")
    before = viewer.session.scene
    viewer.act("slides.present")
    arrive(viewer, 0)
    assert viewer.window.fullscreen and viewer.layout.area_pixels() == viewer.window.size
    assert drawn.words("remark") == ("One",) and not drawn.places("track"), "nothing but the caption"
    for chord, place in (("RIGHT", 1), ("Space", 2), ("Page Down", 3), ("LEFT", 2), ("Home", 0), ("End", 3)):
        press(viewer, chord)
        arrive(viewer, place)
        wanted = SLIDES.slides[place].scene
        assert seen(viewer).terrain_groups() == wanted.terrain_groups() == viewer.session.jobs.result_groups
        assert seen(viewer).camera == wanted.camera
        turn(viewer)
        assert drawn.words("remark")[0] == SLIDES.slides[place].caption
    press(viewer, "RIGHT")
    assert viewer.presenting.place == 3 and viewer.presenting._wanted is None, "behind the last one there is none"
    press(viewer, "R")
    press(viewer, "Escape")
    settle(viewer)
    assert not viewer.presenting.shown and not viewer.window.fullscreen and not viewer.layout.bare
    assert viewer.session.scene == before and seen(viewer) == before, "the scene that is worked on is what it was"


def test_the_next_land_is_there_before_it_is_asked_for(viewer):
    viewer.session.set_deck(Deck((SLIDES.slides[0], SLIDES.slides[2])), "Slides")
    viewer.act("slides.present")
    arrive(viewer, 0)
    settle(viewer, lambda viewer: viewer.session.compared_complete and viewer.other.present is not None)
    jobs = len(viewer.compute.process.jobs)
    press(viewer, "RIGHT")
    turn(viewer)
    assert viewer.presenting._way is not None, "it waits for nothing"
    arrive(viewer, 1)
    groups = OTHER.terrain_groups()
    assert all(job != groups for job in viewer.compute.process.jobs[jobs:]), "and is not computed again"


def test_a_flight_ends_where_the_slide_looks_from_and_a_cut_is_there_at_once(viewer):
    far = SMALL.with_group(Camera(x=5.0, y=600.0, z=5.0))
    viewer.session.set_deck(Deck((Slide(SMALL), Slide(far), Slide(NEAR, "", "cut"))), "Slides")
    viewer.act("slides.present")
    arrive(viewer, 0)
    press(viewer, "RIGHT")
    viewer.now += 0.4
    turn(viewer)
    middle = seen(viewer).camera
    assert middle not in (SMALL.camera, far.camera), "under way"
    arrive(viewer, 1)
    assert seen(viewer).camera == far.camera
    press(viewer, "RIGHT")
    turn(viewer)
    assert viewer.presenting.place == 2 and viewer.presenting._way is None


def test_a_morph_takes_the_sea_to_its_new_level_without_a_jump_and_computes_nothing(viewer):
    low = SMALL.replace({"water.enabled": True, "water.sea_level": 20.0, "water.lakes": True, "water.lake_fill": 40.0})
    high = low.replace({"noise.seed": 40, "water.sea_level": 120.0, "water.lake_fill": 90.0})
    viewer.session.set_deck(Deck((Slide(low), Slide(high, "", "morph")), Showing(seconds=1.0)), "Slides")
    viewer.act("slides.present")
    arrive(viewer, 0)
    press(viewer, "RIGHT")
    settle(viewer, lambda viewer: viewer.presenting._way is not None)
    began, jobs, levels = viewer.presenting._way.began, len(viewer.compute.process.jobs), [20.0]
    for share in (0.25, 0.5, 0.75, 0.999):
        viewer.now = began + share
        turn(viewer)
        levels.append(seen(viewer).water.sea_level)
        assert seen(viewer).water.lake_fill == 40.0, "which another land's lakes would have to be found for"
    assert levels == sorted(levels) and levels[2] == pytest.approx(70.0) and levels[-1] == pytest.approx(120.0, abs=0.1)
    assert len(viewer.compute.process.jobs) == jobs
    arrive(viewer, 1)
    assert seen(viewer).water == high.water


def test_the_pointer_is_hidden_where_it_rests_and_shown_where_it_moves_and_afterwards(viewer):
    def pointed(x, after_s):
        viewer.now += after_s
        viewer.host.mouse_move(x, 50)
        turn(viewer)
        return viewer.window.cursor

    viewer.now = 100.0
    assert pointed(10, 60.0), "nothing is presented"
    viewer.session.set_deck(SLIDES, "Slides")
    viewer.act("slides.present")
    assert pointed(10, 1.0)
    assert not pointed(10, 1.5)
    assert pointed(11, 5.0)
    assert not pointed(11, 2.5)
    press(viewer, "Escape")
    assert viewer.window.cursor


def test_the_camera_goes_slowly_round_and_stays_where_that_is_not_wanted(viewer):
    viewer.session.set_deck(Deck((Slide(SMALL),), Showing(turn=True, turn_speed=3.0)), "Slides")
    viewer.act("slides.present")
    arrive(viewer, 0)
    start = viewer.now
    viewer.presenting._turned_since = start
    viewer.now = start + 10
    turn(viewer)
    turn(viewer)
    assert (seen(viewer).camera.yaw - SMALL.camera.yaw) % 360 == pytest.approx(30.0, abs=0.01)
    press(viewer, "T")
    viewer.now += 10
    turn(viewer)
    assert seen(viewer).camera == SMALL.camera and not viewer.presenting.animated
