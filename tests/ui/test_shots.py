"""The window of a list of shots as it is drawn and filled in, without a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fellview.studio.shots import AXES, Shots
from fellview.ui import drawn
from fellview.ui.imgui_host import Host
from fellview.ui.shots import ShotsView

SIZE = (1280, 900)
ENTER = 257


class Hand:
    def __init__(self) -> None:
        self.host, self.view, self.shots = Host(), ShotsView(), Shots()
        self.host.resize(SIZE, SIZE)
        self.frames(4)

    def frames(self, count: int = 3) -> None:
        for _ in range(count):
            self.host.new_frame(1 / 60)
            self.shots = self.view.draw(self.shots, dict.fromkeys(AXES, ()), "", (0.0, 0.0, *SIZE)).shots
            self.host.end_frame()

    def click(self, key: str) -> None:
        left, top, width, height = drawn.places("track")[key]
        self.host.mouse_move(left + width / 2, top + height / 2)
        self.frames()
        for down in (True, False):
            self.host.mouse_button(0, down)
            self.frames()

    def type(self, text: str) -> None:
        self.host.text(text)
        self.frames()
        for down in (True, False):
            self.host.key(ENTER, down)
            self.frames()


@pytest.fixture
def hand() -> Iterator[Hand]:
    hand = Hand()
    yield hand
    hand.host.close()


def told(key: str) -> str:
    return next(one.words for one in drawn.all_of("track") if one.name == key)


def test_an_empty_text_tells_what_that_means_and_is_typed_after_a_click(hand):
    assert told("take.passes") == "none"
    hand.click("take.passes")
    hand.type("depth, normal")
    assert hand.shots.take.passes == told("take.passes") == "depth, normal"


def test_a_text_that_is_typed_takes_the_place_of_the_one_before(hand):
    hand.click("take.size")
    hand.type("640x360")
    assert hand.shots.take.size == told("take.size") == "640x360"
