"""The window's side of the processes of thumbnails: a wish is shared, the newest takes the place of the one before."""

from __future__ import annotations

import os
import signal
import time

import pytest

from fellview import variants
from fellview.io import scenes
from fellview.thumbnails.messages import Disperse, Failed, Found, Pause, Wish
from fellview.thumbnails.process import ThumbnailProcesses
from fellview.variants.disperse import Spread

BASE = scenes.load("badlands").replace({"grid.rows": 16, "grid.columns": 16})
FIVE = tuple(variants.seeds(BASE, 5))
SIZE = (8, 4)
WITHIN_S = 60.0


def serve(connection):
    """Answer every order at once: for each picture which process was asked for it."""
    while True:
        match connection.recv():
            case Wish() as wish:
                for place in wish.places or (-1,):
                    connection.send(Failed(wish.number, place, str(os.getpid())))
            case Disperse() as wish:
                connection.send(Found(wish.number, ()))
            case Pause() as pause:
                connection.send(Failed(0, int(pause.held), str(os.getpid())))


class Window:
    def __init__(self) -> None:
        self.woken = 0
        self.processes = ThumbnailProcesses(self.wake, 2, serve)

    def wake(self) -> None:
        self.woken += 1

    def answers(self, number: int, count: int) -> list:
        """The next so many answers to an order."""
        found, end = [], time.monotonic() + WITHIN_S
        while len(found) < count:
            assert time.monotonic() < end, found
            found += [one for one in self.processes.take() if one.number == number]
            time.sleep(0.01)
        return found


@pytest.fixture
def window():
    one = Window()
    yield one
    one.processes.close()


def by_process(answers) -> list[list[int]]:
    """The places that each process was asked for."""
    asked: dict[str, list[int]] = {}
    for one in answers:
        asked.setdefault(one.text, []).append(one.place)
    return sorted(asked.values())


def test_processes_share_a_wish_and_have_the_same_part_of_it_again(window):
    for number in (1, 2):
        window.processes.wish(Wish(number, FIVE, SIZE))
        answers = window.answers(number, 5)
        assert by_process(answers) == [[0, 2, 4], [1, 3]]
    assert window.woken >= 10


def test_no_more_are_started_than_there_are_pictures_but_all_give_up_what_they_had(window):
    window.processes.wish(Wish(1, FIVE[:1], SIZE))
    assert by_process(window.answers(1, 1)) == [[0]]
    window.processes.wish(Wish(2, FIVE[:2], SIZE))
    assert by_process(window.answers(2, 2)) == [[0], [1]]
    window.processes.wish(Wish(3, FIVE[:1], SIZE))
    assert by_process(window.answers(3, 2)) == [[-1], [0]]


def test_one_alone_measures_for_a_spread(window):
    window.processes.wish(Wish(1, FIVE, SIZE))
    window.answers(1, 5)
    window.processes.wish(Disperse(2, Spread(BASE, 0.5)))
    answers = window.answers(2, 2)
    assert Found(2, ()) in answers and [one.place for one in answers if isinstance(one, Failed)] == [-1]


def test_all_are_paused_and_one_that_is_started_later_is_so_too(window):
    window.processes.wish(Wish(1, FIVE[:1], SIZE))
    window.processes.pause(True)
    window.processes.wish(Wish(2, FIVE, SIZE))
    told = by_process(window.answers(0, 3))
    assert told == [[0, 1], [1]]


def test_one_that_has_died_is_started_anew_with_the_next_wish(window):
    window.processes.wish(Wish(1, FIVE, SIZE))
    victim = int(next(one.text for one in window.answers(1, 5) if one.place == 1))
    os.kill(victim, signal.SIGKILL)
    end = time.monotonic() + WITHIN_S
    while True:  # until the death has been noticed
        window.processes.wish(Wish(2, FIVE, SIZE))
        answers = [one for one in window.processes.take() if one.number == 2 and one.place == 1]
        if any(int(one.text) != victim for one in answers):
            break
        assert time.monotonic() < end
        time.sleep(0.05)
