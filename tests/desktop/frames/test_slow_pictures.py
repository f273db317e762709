"""What is drawn, given up and begun anew while pictures are slow and land is under way."""

import itertools

from fellview.compute.protocol import Stopped
from fellview.desktop import frames, hand_at_rest, pace
from fellview.desktop.window import Key
from tests.desktop.frames.slow import Slow, aim, compute, press, reseed, until_finished
from tests.headless_window import turn


def test_a_picture_comes_to_its_end_though_keys_come_without_end(viewer, slow):
    """As a held key's repeats do where a frame takes longer than the time between two."""
    wait, down = viewer.window.wait, itertools.cycle((True, False))

    def wait_and_press(seconds):
        wait(seconds)
        viewer.on_key(Key(ord("Y"), "", "Y", next(down), False, 0))

    viewer.window.wait = wait_and_press
    aim(viewer, 2.0)
    turn(viewer, 4 * Slow.PASSES)
    assert slow.finished and slow.finished[0].camera.yaw == 2.0


def test_a_picture_that_a_command_puts_out_of_date_is_given_up(viewer, slow):
    home = viewer.session.home.camera
    slow.at_pass[3] = lambda: press(viewer, "Home")
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    assert [scene.camera.yaw for scene in slow.begun] == [2.0, home.yaw]
    assert [scene.camera.yaw for scene in slow.finished] == [home.yaw]
    assert slow.passes_drawn < 2 * slow.PASSES


def test_nothing_is_refined_after_a_press_until_the_hand_has_moved_or_let_go_or_holds_still(viewer, slow, monkeypatch):
    """What it moves would wait for a pass, and a window's at rest take up to 70 ms."""
    monkeypatch.setattr(hand_at_rest, "_PRESSED_S", 1000.0)
    viewer.pictures.hand.after_s = 0.0
    viewer.host.mouse_move(20, 150)  # over the panel
    turn(viewer, 2)
    slow.at_pass[slow.passes_drawn + 3] = lambda: (viewer.host.mouse_button(0, True), slow.log.append("pressed"))
    turn(viewer, Slow.PASSES)
    assert "pass" not in slow.after("pressed")[2:], "but the pass that was being drawn"
    turn(viewer, Slow.PASSES)
    assert "pass" not in slow.after("pressed")[2:] and viewer.pictures.refine_in > 900
    viewer.host.mouse_button(0, False)
    turn(viewer, 4)
    assert "pass" in slow.after("pressed")[2:]
    viewer.host.mouse_button(0, True)
    turn(viewer, 4)
    slow.log.clear()
    monkeypatch.setattr(hand_at_rest, "_PRESSED_S", 0.0)
    turn(viewer, 4)
    assert "pass" in slow.log, "and where the hand only holds"


def test_land_that_is_under_way_is_drawn_once_it_has_come_and_not_before(viewer, slow):
    viewer.pictures.hand.after_s = 60.0
    reseed(viewer, 7)
    turn(viewer, 10)
    assert 7 not in [scene.noise.seed for scene in slow.begun], "the land would be the one before"
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    compute(viewer).preview()
    until_finished(viewer, slow, 2)
    assert viewer.renderer.field.heights[0, 0] == 7
    compute(viewer).finish()
    until_finished(viewer, slow, 3)
    turn(viewer, 2 * slow.PASSES)
    assert viewer.pictures.drawn_groups["noise"].seed == 7 and len(slow.finished) == 3


def test_no_frame_of_the_panel_comes_before_land_that_the_hand_waits_for_but_before_a_view_it_does(
    viewer, slow, monkeypatch
):
    for room in (frames, pace):
        monkeypatch.setattr(room, "BUSY_TICK_S", 60.0)
    viewer.pictures.hand.after_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    slow.log.clear()
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert slow.log.index("finished") < slow.log.index("shown")
    slow.log.clear()
    aim(viewer, 2.0)
    until_finished(viewer, slow, 2)
    assert slow.log.index("shown") < slow.log.index("finished")


def test_a_picture_of_a_preview_is_drawn_to_its_end_and_then_the_land_that_has_come_meanwhile(viewer, slow):
    """It is there sooner than one of the land itself."""
    viewer.pictures.hand.after_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    slow.at_pass[3] = compute(viewer).finish
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert slow.passes_drawn == slow.PASSES and not viewer.pictures.up_to_date
    until_finished(viewer, slow, 2)
    assert slow.passes_drawn == 2 * slow.PASSES
    assert viewer.session.settled and viewer.pictures.up_to_date


def test_newer_land_is_ordered_once_the_picture_of_the_one_on_its_way_is_drawn(viewer, slow):
    """Or it would be computed on the cores that draw what the hand waits for."""
    viewer.pictures.hand.after_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    passes, submit = [], compute(viewer).submit

    def note(job):
        passes.append(slow.passes_drawn)
        submit(job)

    def newer():
        reseed(viewer, 8)
        compute(viewer).say(Stopped())

    compute(viewer).submit = note
    slow.at_pass[3] = newer
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert passes == [slow.PASSES] and compute(viewer).job["noise"].seed == 8


def test_a_picture_that_rests_is_given_up_for_land_under_way(viewer, slow):
    viewer.pictures.hand.after_s = 0.0
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    slow.at_pass[slow.PASSES + 3] = lambda: reseed(viewer, 7)
    turn(viewer, 2 * slow.PASSES)
    assert len(slow.finished) == 1 and slow.passes_drawn <= slow.PASSES + 5


def test_the_next_job_does_not_wait_for_a_slow_picture(viewer, slow):
    reseed(viewer, 7)
    turn(viewer)
    compute(viewer).preview()
    slow.at_pass[2] = lambda: reseed(viewer, 8)
    slow.at_pass[4] = lambda: compute(viewer).say(Stopped())
    until_finished(viewer, slow, 1)
    assert compute(viewer).job["noise"].seed == 8


def test_commands_one_after_the_other_do_not_keep_pictures_from_coming(viewer, slow):
    for number in range(5, 500, 6):  # another place to look from in the middle of every picture
        slow.at_pass[number] = lambda yaw=number: viewer.attempt(lambda: aim(viewer, yaw))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 3)
    assert len(slow.begun) <= 2 * len(slow.finished) + 2


def test_pictures_of_a_drag_are_all_finished(viewer, slow):
    for number in range(500):
        slow.at_pass[number] = lambda number=number: aim(viewer, 2.0 + 0.01 * number)
    aim(viewer, 2.0)
    until_finished(viewer, slow, 4)
    assert slow.begun[:4] == slow.finished[:4]
    yaws = [scene.camera.yaw for scene in slow.finished]
    assert yaws == sorted(set(yaws)), "each shows where the drag had come"


def test_a_picture_that_rests_is_given_up_at_once(viewer, slow):
    viewer.pictures.hand.after_s = 0.0
    slow.at_pass[2 * slow.PASSES + 3] = lambda: aim(viewer, 3.0)
    aim(viewer, 2.0)
    until_finished(viewer, slow, 3)
    assert [scene.camera.yaw for scene in slow.begun[:4]] == [2.0, 2.0, 2.0, 3.0], "one that moves, two that rest"
    assert [scene.camera.yaw for scene in slow.finished[:3]] == [2.0, 2.0, 3.0]
