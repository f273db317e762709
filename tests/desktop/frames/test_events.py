"""Keys and presses act while a slow picture is drawn, each once and in order."""

import time

import pytest

from fellview.desktop.window import Key
from tests.desktop.frames.slow import Slow, aim, press, until_finished
from tests.headless_window import turn


def test_repeats_of_a_held_key_ask_for_no_frame_at_once(viewer):
    viewer.on_key(Key(ord("Y"), "", "Y", True, False, 0))
    turn(viewer, 8)
    viewer.on_key(Key(ord("Y"), "", "Y", True, True, 0))
    viewer.on_text("y")
    assert len(viewer.queue) == 0 and not viewer.host.hurried


def test_a_press_in_the_middle_of_a_slow_picture_shows_before_its_end(viewer, slow):
    slow.at_pass[3] = lambda: (press(viewer, "F1"), slow.log.append("pressed"))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    after = slow.after("pressed")
    assert viewer.layout.help_shown
    assert after.index("shown") < after.index("finished")
    assert "pass" not in after[: after.index("shown")], "drawn on before the press was answered"
    assert len(slow.begun) == 1, "the picture still shows the scene as it is, and goes on"


def test_no_event_acts_while_a_pass_is_drawn(viewer, slow):
    seen = []
    slow.at_pass[3] = lambda: (press(viewer, "F1"), seen.append(viewer.layout.help_shown))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    assert seen == [False] and viewer.layout.help_shown


def test_keys_of_one_slow_picture_act_each_once_in_order_where_the_pointer_was(viewer, slow):
    press(viewer, "Num 7")
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    set_before, log = viewer.session.set, []
    viewer.session.set = lambda scene, label: (set_before(scene, label), log.append(scene.view))
    count = len(slow.finished)

    def keys():
        for x in (380, 380, 520):
            viewer.host.mouse_move(x, 200)
            press(viewer, "K")
        viewer.host.mouse_move(600, 300)

    slow.at_pass[slow.passes_drawn + 3] = keys
    aim(viewer, 2.0)
    until_finished(viewer, slow, count + 1)
    views = [view for view in log if view is not None]
    changes = [one for one, before in zip(views, [None, *views], strict=False) if one != before]
    assert [view.figure for view in changes[-3:]] == [True, False, True]
    assert changes[-1].figure_x != changes[-3].figure_x


def test_a_key_waits_for_the_press_before_it(viewer, slow):
    acted = []
    viewer.host.mouse_move(100, 200)
    turn(viewer, 4)
    viewer.host.mouse_button(0, True)
    viewer.queue.add(lambda: acted.append(viewer.host.presses_seen))
    presses = viewer.host.presses
    viewer.queue.carry_out()
    assert not acted
    turn(viewer, 4)
    assert acted == [presses]
    viewer.host.mouse_button(0, False)


def test_what_is_typed_right_behind_a_double_click_goes_into_the_field_that_it_opens(viewer):
    left, top, width, height = viewer.layout.panel.place("noise.amplitude")
    viewer.host.mouse_move(left + 0.3 * width, top + height / 2)
    turn(viewer, 4)
    for down in (True, False, True, False):
        viewer.host.mouse_button(0, down)
    viewer.on_key(Key(ord("Y"), "", "Y", True, False, 0))
    viewer.on_text("7")
    viewer.on_key(Key(ord("Y"), "", "Y", False, False, 0))
    turn(viewer, 16)
    assert not viewer.beside.shown, "no key is for an action"
    assert viewer.layout.panel.active.typing is not None and viewer.layout.panel.active.typing.text == "7"
    press(viewer, "Escape")
    turn(viewer, 4)
    assert viewer.layout.panel.active.typing is None


def test_escape_in_the_middle_of_a_picture_takes_a_drag_back_and_nothing_else(viewer):
    before, compute, passes = viewer.session.scene.noise, viewer.compute.process, viewer.renderer.passes
    left, top, width, height = viewer.layout.panel.place("noise.amplitude")
    viewer.host.mouse_move(left + 0.3 * width, top + height / 2)
    turn(viewer, 4)
    viewer.host.mouse_button(0, True)
    for share in (0.5, 0.6):
        viewer.host.mouse_move(left + share * width, top + height / 2)
        turn(viewer, 4)
        if share == 0.5:
            compute.finish()  # the land of half the drag is there, and that of its end is being computed
    assert viewer.session.scene.noise != before and viewer.session.can_cancel

    def pressed_before_the_last(*arguments, **settings):
        viewer.renderer.passes = passes
        target = yield from passes(*arguments, **settings)
        viewer.window.events.append(lambda: press(viewer, "Escape"))
        time.sleep(Slow.PASS_S)
        yield
        return target

    viewer.renderer.passes = pressed_before_the_last
    aim(viewer, 2.0)
    viewer.pictures.seconds = 0.0  # the frame waits for its picture
    turn(viewer, 8)
    viewer.host.mouse_button(0, False)
    turn(viewer, 4)
    assert viewer.session.scene.noise == before


@pytest.mark.parametrize("gesture", ["drag", "wheel over the panel", "a press in the panel", "a key"])
def test_the_greeting_goes_with_the_first_gesture(viewer, gesture):
    assert viewer.status().hints
    x = 400 if gesture == "drag" else 60
    viewer.host.mouse_move(x, 200)
    turn(viewer, 4)
    assert viewer.status().hints, "to look is no gesture"
    if gesture == "wheel over the panel":
        viewer.host.wheel(0.0, -1.0)
    elif gesture == "a key":
        press(viewer, "F1")
    else:
        viewer.host.mouse_button(0, True)
    turn(viewer, 3)
    assert not viewer.status().hints
    viewer.host.mouse_button(0, False)
