"""The session put together: what the recipe, the jobs and the files have to do with one another."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from fellview.compute.protocol import Advanced, Masked, Stopped
from fellview.desktop import commands
from fellview.io import scenes
from fellview.scene import recipe
from fellview.session.session import Session
from tests.session.scripted import ASIDE, SMALL, ScriptedCompute, compute, finish, keep, seed, shown_seed

# -- what is computed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", [{"sun.azimuth": 10.0}, {"view.mode": "normals"}, {"camera.x": 3.0}, {"sky.visibility": 3.0}]
)
def test_a_look_computes_nothing(session, change):
    begun = len(compute(session).jobs)
    session.set(session.scene.replace(change), "Look")
    assert session.settled and len(compute(session).jobs) == begun


def test_undo_computes_what_it_brings_back(session):
    seed(session, 2)
    finish(session)
    session.undo()
    finish(session)
    assert shown_seed(session) == 1 and session.settled


def test_cancel_goes_back_to_the_land_that_is_there_in_one_undo_step(session):
    session.set(session.scene.replace({"sun.azimuth": 7.0}), "Sun")
    session.begin_gesture("Seed")
    seed(session, 2)
    seed(session, 3)
    session.set_camera(session.scene.camera.replace(x=55.0))
    assert session.can_cancel
    session.cancel_job()
    assert session.scene.noise.seed == 1 and session.undo_label == "Cancel"
    assert (session.scene.sun.azimuth, session.scene.camera.x) == (7.0, 55.0)  # no part of what is computed
    assert compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert session.settled and shown_seed(session) == 1 and not session.can_cancel
    session.undo()
    assert session.scene.noise.seed == 3 and session.busy


def test_there_is_nothing_to_cancel_before_the_first_land(tmp_path):
    fresh = Session(lambda: None, tmp_path / "state", [ScriptedCompute])
    fresh.start(SMALL)
    assert fresh.busy and not fresh.can_cancel
    fresh.cancel_job()
    assert compute(fresh).cancels == 0


def test_what_is_kept_is_written_into_the_recipe_as_an_undo_step(session):
    session.set(session.scene.replace({"erosion.iterations": 100}), "Iterations")
    compute(session).say(Advanced("erosion", 0.3, 30, 100))
    session.poll()
    session.keep_so_far()
    assert compute(session).keeps == 1
    begun, groups = len(compute(session).jobs), compute(session).job
    compute(session).finish({**groups, "erosion": groups["erosion"].replace(iterations=31)})
    session.poll()
    assert session.scene.erosion.iterations == 31 and session.undo_label == "Keep so far"
    assert session.settled and len(compute(session).jobs) == begun  # it is what it says: nothing to compute
    session.undo()
    assert session.scene.erosion.iterations == 100 and session.busy


# -- before ----------------------------------------------------------------------------------------------------------


def test_before_shows_the_scene_as_it_was_opened_and_comes_back(session):
    seed(session, 2)
    finish(session)
    session.set_camera(session.scene.camera.replace(x=55.0))
    now = session.scene
    session.set(session.scene.replace({"view.mode": "slope"}), "View mode")
    now = session.scene
    session.show_before(True)
    assert session.visible == replace(SMALL, camera=now.camera, view=now.view)
    assert session.scene == now
    finish(session)
    assert shown_seed(session) == 1 and session.settled
    session.show_before(False)
    finish(session)
    assert session.visible == now and shown_seed(session) == 2
    assert session.undo_label == "Seed"


def test_before_let_go_at_once_ends_with_the_present_scene(session):
    seed(session, 2)
    finish(session)
    session.show_before(True)
    session.show_before(False)
    while session.busy:
        finish(session)
    assert shown_seed(session) == 2


def test_the_scene_as_it_was_opened_is_looked_at_as_before(session):
    seed(session, 2)
    session.set(session.scene.replace({**ASIDE, "camera.x": 3.0}), "View mode")
    commands.scene.reset_scene(SimpleNamespace(session=session))
    assert session.scene == SMALL.replace({**ASIDE, "camera.x": 3.0}) and session.undo_label == "Scene as opened"
    commands.scene.reset_scene(SimpleNamespace(session=session))
    session.undo()
    assert session.scene.noise.seed == 2 and session.undo_label == "Seed"


# -- files -----------------------------------------------------------------------------------------------------------


def test_opening_tells_of_changed_steps(session, tmp_path):
    path = tmp_path / "old.toml"
    text = recipe.to_text(SMALL)
    assert "erosion = 3" in text
    path.write_text(text.replace("erosion = 3", "erosion = 99"))
    session.open(*scenes.load_with_notices(path))
    assert len(session.notices) == 1 and "erosion" in session.notices[0]


def another(session):
    """A session that starts where `session` ended."""
    return Session(lambda: None, session.folder, [ScriptedCompute])


def test_the_session_comes_back(session):
    session.open(scenes.load("directx-demo"))
    seed(session, 77)
    session.set_camera(session.scene.camera.replace(x=0.1, yaw=33.3))
    session.close()
    assert compute(session).closed
    later = another(session)
    assert later.restore()
    assert (later.scene, later.home) == (session.scene, session.home)
    assert (later.undo_label, later.notices) == ("", [])
    assert compute(later).job == session.scene.terrain_groups()


def test_closing_during_a_gesture_keeps_what_is_seen(session):
    session.begin_gesture("Seed")
    seed(session, 5)
    session.close()
    later = another(session)
    assert later.restore() and later.scene.noise.seed == 5


def test_a_session_that_nobody_saw_is_not_kept(session):
    session.close()
    later = another(session)
    later.start(scenes.load("directx-demo"))
    later.close(keep=False)
    assert compute(later).closed
    assert scenes.load(session.folder / "session.toml") == SMALL


# -- kept lands --------------------------------------------------------------------------------------------------------


def finish_with_masks(session, names):
    """Have the job under way end with its heights, and its masks follow."""
    job = compute(session).job
    finish(session)
    values = session.result.field.heights
    compute(session).say(Masked(job, dict.fromkeys(names, values + 1)))
    session.poll()


def test_a_kept_land_that_was_seen_is_there_at_once_with_its_masks(session):
    names = {"lake_depth", "slope"}
    session.want_masks(frozenset({*names, "scree_depth"}))  # which this land has not
    finish_with_masks(session, names)
    for number in (5, 6):
        seed(session, number)
        finish_with_masks(session, names)
        session.set_shelf(session.shelf.keep(session.scene), "Keep")
        keep(session)
    jobs = len(compute(session).jobs)
    session.show(session.shelf.variants[0])
    assert session.complete and shown_seed(session) == 5 and len(compute(session).jobs) == jobs
    assert session.result.field.masks.keys() == names
    session.undo()
    assert session.complete and shown_seed(session) == 6 and len(compute(session).jobs) == jobs
    seed(session, 7)
    assert session.busy and len(compute(session).jobs) == jobs + 1, "what is not kept is computed"


def test_masks_that_a_kept_land_lacks_are_made(session):
    session.set_shelf(session.shelf.keep(session.scene), "Keep")
    keep(session)
    seed(session, 5)
    finish(session)
    session.show(session.shelf.variants[0])
    assert session.complete and not session.busy
    session.want_masks(frozenset({"slope"}))
    assert session.busy and shown_seed(session) == 1, "the land is there while its mask is made"
    assert compute(session).masks[-1] == {"slope"}


def test_a_kept_land_takes_the_place_of_one_under_way(session):
    session.set_shelf(session.shelf.keep(session.scene), "Keep")
    keep(session)
    seed(session, 5)
    session.show(session.shelf.variants[0])
    assert shown_seed(session) == 1 and compute(session).cancels == 1
    compute(session).say(Stopped())
    session.poll()
    assert session.complete and shown_seed(session) == 1
