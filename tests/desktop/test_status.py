"""What the window tells the panel: the work under way and done, by the titles that the panel has."""

import threading

import pytest

from fellview.compute.protocol import Advanced, Finished
from fellview.terrain.pipeline.pipeline import STEPS, Result, StepTime
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL, level


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer)
        yield viewer


def test_work_under_way_is_told_by_the_steps_titles(viewer):
    assert viewer.status().running is None
    viewer.act("seed.next")
    turn(viewer)
    assert viewer.status().running == "starting"
    for step in STEPS:
        for compiling, told in ((False, "{}"), (True, "preparing {} (first start only)")):
            viewer.compute.process.say(Advanced(step.key, 0.4, compiling=compiling))
            turn(viewer)
            assert viewer.status().running == told.format(step.parameters.title)


def test_an_export_is_told_of_while_the_land_rests_and_escape_ends_it(viewer):
    told, ended = threading.Event(), threading.Event()

    def write(work):
        work.report("landform3", 0.25)
        told.set()
        ended.wait(10)
        return ["Exported land.glb"]

    viewer.writer.write("land.glb", write)
    assert told.wait(10)
    status = viewer.status()
    assert (status.running, status.fraction) == ("exporting land.glb · Landform 3", 0.25)
    assert status.can_cancel and not status.can_keep and not status.is_of_land
    viewer.act("seed.next")
    turn(viewer)
    assert viewer.status().running == "starting", "Esc would end that"
    assert viewer.status().is_of_land
    groups = viewer.compute.process.job
    viewer.compute.process.say(Finished(groups, Result(level(groups), ())))
    turn(viewer)
    assert viewer.status().running == "exporting land.glb · Landform 3"
    viewer.act("cancel")
    assert viewer.status().running is None
    assert "land.glb: given up, nothing is written" in viewer.status().notices
    ended.set()


def test_what_came_while_nobody_was_there_passes_once_a_hand_is_back(viewer):
    turn(viewer)
    viewer.session.notify("Exported land.glb", passing=True, unseen=True)
    turn(viewer, 3)
    assert viewer.session.passes_in is None, "its own frames are no hand"
    viewer.host.mouse_move(100, 100)
    turn(viewer)
    assert viewer.session.passes_in > 0


def test_what_steps_took_is_told_by_their_titles(viewer):
    viewer.act("seed.next")
    turn(viewer)
    groups = viewer.compute.process.job
    times = (StepTime("noise", 12.0, False), StepTime("landform3", 0.4, True))
    viewer.compute.process.say(Finished(groups, Result(level(groups), times)))
    turn(viewer)
    assert viewer.status().steps == (("Noise", 12.0, False), ("Landform 3", 0.4, True))
