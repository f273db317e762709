"""When a hand is taken to rest: after its last change, at once where it has let go, never right after a press."""

import pytest

from fellview.desktop import hand_at_rest
from fellview.desktop.hand_at_rest import HandAtRest


class Gestures:
    """A hand that has held a button for so long, and let go when."""

    held_for_s = 1000.0
    let_go_at = 0.0
    holds_something = False


@pytest.fixture
def clock(monkeypatch):
    """Return the time in a list, which tests set."""
    now = [1000.0]
    monkeypatch.setattr(hand_at_rest.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def gestures():
    return Gestures()


@pytest.fixture
def hand(gestures, clock):
    return HandAtRest(gestures)


def test_a_hand_rests_some_time_after_its_last_change(hand, clock):
    assert hand.seconds(waits=False) == pytest.approx(hand_at_rest.REST_S)
    clock[0] += 0.15
    hand.note_change()
    clock[0] += 0.15
    assert 0 < hand.seconds(waits=False) == pytest.approx(hand_at_rest.REST_S - 0.15)
    clock[0] += 0.15
    assert hand.seconds(waits=False) < 0 < hand.long_seconds


def test_who_waits_for_a_picture_in_full_rests_sooner_and_who_has_let_go_at_once(hand, gestures, clock):
    waiting = hand.seconds(waits=True)
    assert 0 < waiting < hand.seconds(waits=False)
    gestures.let_go_at = clock[0]
    assert hand.seconds(waits=True) == 0 < hand.seconds(waits=False)
    gestures.holds_something = True
    assert hand.seconds(waits=True) == waiting, "it has pressed again"


def test_long_after_the_land_was_let_go_a_wheel_goes_on(hand, gestures, clock):
    gestures.let_go_at = clock[0]
    clock[0] += 0.5
    hand.note_change()
    assert hand.seconds(waits=True) > 0


def test_a_hand_that_has_just_pressed_is_about_to_move_whatever_rested_before(hand, gestures, clock):
    clock[0] += 10.0
    assert hand.seconds(waits=True) < 0 and not hand.is_about_to_move
    gestures.held_for_s = 0.05
    assert hand.is_about_to_move
    assert hand.seconds(waits=True) == hand.seconds(waits=False) == pytest.approx(hand_at_rest._PRESSED_S - 0.05)


def test_a_shorter_rest_is_one_for_everyone(hand):
    hand.after_s = 0.0
    assert hand.seconds(waits=True) == hand.seconds(waits=False) == 0
