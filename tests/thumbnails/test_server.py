"""What the process of thumbnails does with wishes: level by level, the newest one, stopped and gone on with."""

from __future__ import annotations

import numpy as np
import pytest

from fellview import variants
from fellview.core.errors import Cancelled, FellviewError
from fellview.io import scenes
from fellview.scene.groups.camera import Camera
from fellview.thumbnails.messages import Disperse, Drawn, Failed, Found, Measured, Wish
from fellview.thumbnails.painter import LEVELS
from fellview.thumbnails.server import Server
from fellview.variants.disperse import Spread

BASE = scenes.load("badlands").replace({"grid.rows": 16, "grid.columns": 16})
THREE = tuple(variants.seeds(BASE, 3))
SIZE = (8, 4)


class Painter:
    """Draws pictures of one value, and stops or refuses where it is told to."""

    def __init__(self) -> None:
        self.drawn: list[tuple[int, int]] = []
        self.stops_at: tuple[int, int] | None = None
        self.refuses: int | None = None

    def draw(self, scene, size, level, look):
        place, number = THREE.index(scene), LEVELS.index(level)
        if (number, place) == self.stops_at:
            raise Cancelled
        if place == self.refuses:
            raise FellviewError("no land")
        self.drawn.append((number, place))
        camera = Camera(x=place) if look == "views" else None
        return np.full((size[1], size[0], 4), 10 * number + place, np.uint8), camera


@pytest.fixture
def desk():
    painter, answers = Painter(), []
    server = Server(painter, np.zeros(1, np.uint8), answers.append)
    return painter, server, answers


def go_on(server, times):
    for _ in range(times):
        server.go_on()


def test_all_come_coarse_before_one_comes_finer(desk):
    painter, server, answers = desk
    server.begin(Wish(1, THREE, SIZE))
    go_on(server, 3 * len(LEVELS))
    assert painter.drawn == [(level, place) for level in range(len(LEVELS)) for place in range(3)]
    assert all(isinstance(one, Drawn) and one.number == 1 for one in answers)
    assert np.frombuffer(answers[4].pixels, np.uint8).reshape(SIZE[1], SIZE[0], 4)[0, 0, 0] == 11
    assert server.has_work
    server.go_on()
    assert not server.has_work


def test_good_views_tell_their_cameras(desk):
    _, server, answers = desk
    server.begin(Wish(1, THREE, SIZE, "views"))
    go_on(server, 3 * len(LEVELS) + 1)
    assert [one.camera.x for one in answers[:3]] == [0, 1, 2] and not server.has_work


def test_what_is_stopped_is_the_next_again(desk):
    painter, server, answers = desk
    server.begin(Wish(1, THREE, SIZE))
    server.go_on()
    painter.stops_at = (0, 1)
    with pytest.raises(Cancelled):
        server.go_on()
    painter.stops_at = None
    go_on(server, 2)
    assert [one.place for one in answers] == [0, 1, 2]


def test_a_newer_wish_takes_the_place_of_the_older_and_has_what_was_drawn(desk):
    painter, server, answers = desk
    server.begin(Wish(1, THREE, SIZE))
    go_on(server, 2)
    server.begin(Wish(2, THREE[:1], SIZE))
    go_on(server, 2)
    assert painter.drawn == [(0, 0), (0, 1), (1, 0)]
    assert [(one.number, one.place, one.level) for one in answers[2:]] == [(2, 0, 0), (2, 0, 1)]


def test_a_land_that_cannot_be_is_told_once_and_the_others_come(desk):
    painter, server, answers = desk
    painter.refuses = 1
    server.begin(Wish(1, THREE, SIZE))
    go_on(server, 2 * len(LEVELS) + 1)
    assert answers[1] == Failed(1, 1, "no land")
    assert painter.drawn == [(level, place) for level in range(len(LEVELS)) for place in (0, 2)]


def test_a_spread_tells_how_far_it_is_and_finds_what_the_library_finds(desk, monkeypatch):
    _, server, answers = desk
    monkeypatch.setattr("fellview.thumbnails.server.CANDIDATES", 6)
    monkeypatch.setattr("fellview.thumbnails.server.SHOWN", 3)
    server.begin(Disperse(4, Spread(BASE, 0.3)))
    server.go_on()
    assert [one.fraction for one in answers[:-1]] == pytest.approx([number / 6 for number in range(1, 7)])
    assert all(isinstance(one, Measured) for one in answers[:-1])
    assert answers[-1] == Found(4, tuple(variants.disperse(BASE, 3, 6, 0.3, BASE.noise.seed)))
    assert not server.has_work


def test_a_stopped_spread_goes_on_where_it_was(desk, monkeypatch):
    _, server, answers = desk
    monkeypatch.setattr("fellview.thumbnails.server.CANDIDATES", 6)
    monkeypatch.setattr("fellview.thumbnails.server.SHOWN", 3)
    cancel = server.cancel

    def stop_at_four(answer):
        answers.append(answer)
        if isinstance(answer, Measured) and answer.fraction == pytest.approx(4 / 6):
            cancel[0] = 1

    server.answer = stop_at_four
    server.begin(Disperse(4, Spread(BASE, 0.3)))
    with pytest.raises(Cancelled):
        server.go_on()
    cancel[0] = 0
    server.go_on()
    told = [one.fraction for one in answers if isinstance(one, Measured)]
    assert told == pytest.approx([number / 6 for number in range(1, 7)])
