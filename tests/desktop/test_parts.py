"""The viewer's parts by themselves: no window, no session that computes."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from fellview.core.errors import InputError
from fellview.desktop.dialogs import Dialogs
from fellview.desktop.events import EventQueue
from fellview.desktop.faults import Faults
from fellview.desktop.input import Input
from fellview.desktop.window import Key
from fellview.io.crashes import CrashLog


class FakeHost:
    """What events are fed to, with a count of presses and the pointer's place."""

    def __init__(self):
        self.presses = self.presses_seen = 0
        self.place = (1.0, 2.0)
        self.wants_keys = False
        self.pointer = SimpleNamespace(owner=None)
        self.taken = []

    def key(self, number, down, modifiers):
        self.taken.append(number)

    def text(self, text):
        self.taken.append(text)


@pytest.fixture
def host():
    return FakeHost()


@pytest.fixture
def queue(host):
    return EventQueue(host)


def test_events_wait_for_the_press_before_them_and_know_where_the_pointer_was(host, queue):
    places = []
    queue.add(lambda: places.append(queue.place))
    host.place, host.presses = (3.0, 4.0), 1
    queue.add(lambda: places.append(queue.place))
    host.place = None
    queue.carry_out()
    assert places == [(1.0, 2.0)] and len(queue) == 1
    host.presses_seen = 1
    queue.carry_out()
    assert places == [(1.0, 2.0), (3.0, 4.0)] and len(queue) == 0
    assert queue.place is None, "between events it is where the pointer is"


@pytest.fixture
def done():
    return []


@pytest.fixture
def gestures(host, queue, done):
    layout = SimpleNamespace(land_covered=False)
    return Input(
        host, SimpleNamespace(), queue, layout, lambda one: done.append(one), lambda one: done.append(f"{one} ends")
    )


def key(letter, down=True, modifiers=0, chord=None):
    return Key(ord(letter), letter, chord or letter, down, False, modifiers)


def test_a_letter_is_an_action_and_a_held_one_ends_with_its_key(gestures, queue, done):
    for one in (key("L"), key("R"), key("R", False), key("L", False)):
        gestures.on_key(one)
    assert done == [], "nothing acts within a frame"
    queue.carry_out()
    assert done == ["sun", "seed.next", "sun ends"]
    assert not gestures.greeting


def test_a_movements_key_moves_and_with_ctrl_it_does_not(gestures, queue, done):
    gestures.on_key(key("W", modifiers=2, chord="Ctrl+W"))
    queue.carry_out()
    assert not gestures.controller.moving
    gestures.on_key(key("W"))
    queue.carry_out()
    assert gestures.controller.moving and gestures.moves_on_land and done == []
    gestures.let_all_go()
    assert not gestures.controller.moving


def test_no_key_acts_while_a_text_field_has_the_keyboard(gestures, host, queue, done):
    host.wants_keys = True
    gestures.on_key(key("R"))
    gestures.on_text("?")
    queue.carry_out()
    assert done == []


def test_what_is_typed_waits_for_the_field_that_a_key_before_it_opens_and_for_nothing_else(gestures, host, queue, done):
    gestures.on_key(key("R"))
    gestures.on_text("r")
    assert host.taken == [ord("R"), "r"], "in their order with the pointer's presses"
    gestures.on_key(key("P", modifiers=2, chord="Ctrl+P"))
    gestures.on_text("n")
    gestures.on_key(key("X", False))
    assert host.taken == [ord("R"), "r", ord("P")], "the palette is to be there before them"
    queue.carry_out()
    assert host.taken == [ord("R"), "r", ord("P"), "n", ord("X")] and done == ["seed.next", "palette"]
    gestures.on_text("x")
    assert host.taken[-1] == "x"


def test_one_question_at_a_time_and_its_answer_says_where_the_next_one_opens():
    dialogs, answers = Dialogs(lambda: None), []
    dialogs.ask(SimpleNamespace(polls=True), answers.append)
    dialogs.ask(SimpleNamespace(polls=False), lambda path: pytest.fail("asked while another question was open"))
    assert dialogs.polls
    dialogs.answer(Path("/a/b.toml"))()
    assert answers == [Path("/a/b.toml")] and dialogs.folder == Path("/a") and not dialogs.polls
    assert dialogs.answer(Path("/a/c.toml")) is None, "nothing is asked any more"


def test_a_refusal_is_told_and_a_crash_is_logged_too(tmp_path):
    told, redrawn = [], []
    faults = Faults(CrashLog(tmp_path), told.append, lambda: redrawn.append(True))
    with faults.guarded("a command"):
        raise InputError("no such file")
    faults.end_turn()
    assert told == ["no such file"] and faults.failed_turns == 0 and not faults.crashes.path.exists()
    with faults.guarded("a command"):
        raise KeyError("out of the blue")
    faults.end_turn()
    assert len(told) == 2 and faults.failed_turns == 1 and redrawn
    assert "out of the blue" in faults.crashes.path.read_text()
    faults.begin_turn()
    faults.end_turn()
    assert faults.failed_turns == 0


def test_a_dialog_is_drawn_until_it_is_done_and_what_it_was_answered_is_handed_on():
    dialogs, answers = Dialogs(lambda: None), []
    folder = dialogs.folder
    form = SimpleNamespace(done=False, answer=None, polls=False, draw=lambda: None)
    dialogs.ask(form, answers.append)
    assert dialogs.draw() is None
    form.done, form.answer = True, {"triangles": 12}
    dialogs.draw()()
    assert answers == [{"triangles": 12}] and dialogs.folder == folder
    dialogs.ask(SimpleNamespace(done=True, answer=None, draw=lambda: None), answers.append)
    assert dialogs.draw() is None and len(answers) == 1, "Cancel"
