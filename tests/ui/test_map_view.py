"""The map's pane, by the pointer as a window would hand it on, without a window and without OpenGL."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.overlay.legend import Legend
from fellview.scene.scene import Scene
from fellview.ui import drawn
from fellview.ui.imgui_host import Host
from fellview.ui.map_view import MapDone, MapShown, MapView
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from fellview.view.hypsometry import hypsometry
from fellview.view.profile import profile

FIELD = HeightField(np.random.default_rng(2).uniform(-30, 900, (60, 80)).astype(np.float32), (10.0, 10.0))
SHOWN = MapShown(
    (("hillshade", "Hillshade"), ("slope", "Slope")),
    "hillshade",
    (600.0, 800.0),
    texture=7,
    eye=(-100.0, 50.0),
    footprint=((0.0, 0.0), (-500.0, 4000.0), (4000.0, 4000.0), (300.0, 0.0)),
    hypsometry=hypsometry(FIELD.heights),
)


class Person:
    """Someone before the map in a part of a window that is not there."""

    def __init__(self, area: tuple[float, float, float, float]) -> None:
        self.host, self.view, self.area, self.shown = Host(), MapView(), area, SHOWN
        self.host.resize((1920, 1080), (1920, 1080))
        self.done: list[MapDone] = []
        self.frames(3)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.host.new_frame(1 / 60)
            self.done.append(self.view.draw(self.shown, self.area))
            self.host.end_frame()

    def at(self, x: float, z: float) -> tuple[float, float]:
        """Return where the map shows the place at (x, z) in metres."""
        left, top, width, height = drawn.places("button")["map"]
        return left + x / 800 * width, top + (1 - z / 600) * height

    def press(self, x: float, z: float) -> None:
        self.move(x, z)
        self.host.mouse_button(0, True)
        self.frames()

    def move(self, x: float, z: float) -> None:
        self.host.mouse_move(*self.at(x, z))
        self.frames()

    def release(self) -> None:
        self.host.mouse_button(0, False)
        self.frames(2)


@pytest.fixture(params=[(900.0, 0.0, 380.0, 690.0), (340.0, 0.0, 940.0, 690.0), (0.0, 0.0, 320.0, 300.0)])
def person(request):
    one = Person(request.param)
    yield one
    one.host.close()


def near(place, x, z):
    return place == (pytest.approx(x, abs=8), pytest.approx(z, abs=8))


def test_a_click_aims_at_its_place_and_draws_no_line(person):
    person.press(200, 450)
    person.release()
    aims = [one.aim for one in person.done if one.aim]
    assert len(aims) == 1 and near(aims[0], 200, 450)
    assert not any(one.line for one in person.done)


def test_a_drag_draws_a_line_as_it_goes_and_aims_nowhere(person):
    person.press(100, 100)
    person.move(400, 300)
    person.move(700, 500)
    person.release()
    lines = [one.line for one in person.done if one.line]
    assert near(lines[0][1], 400, 300)
    assert near(lines[-1][0], 100, 100) and near(lines[-1][1], 700, 500)
    assert not any(one.aim for one in person.done)


def test_a_line_ends_at_the_land_s_border(person):
    person.press(100, 100)
    person.host.mouse_move(5, 1070)
    person.frames()
    person.release()
    (x, z) = [one.line for one in person.done if one.line][-1][1]
    assert 0 <= x <= 800 and 0 <= z <= 600


def test_the_map_has_the_shape_of_the_land(person):
    width, height = person.view.picture_size
    assert width / height == pytest.approx(800 / 600)


def test_what_is_shown_is_in_the_pane(person):
    person.shown = dataclasses.replace(
        SHOWN,
        line=((100.0, 100.0), (700.0, 500.0)),
        profile=profile(FIELD, (100, 100), (700, 500)),
        told="721.1 m",
        legend=Legend("Slope", "", ((0, 0, 0), (255, 0, 0)), ((0.0, 0.0, "°", ""), (1.0, 60.0, "°", ""))),
    )
    person.frames(3)
    said = {one.name: one.words for one in drawn.all_of("remark")}
    assert said["profile"] == "721.1 m"
    assert said["heights"].startswith("lowest −") and "highest " in said["heights"]
    left, top, width, height = drawn.places("button")["map"]
    assert left >= person.area[0] and left + width <= person.area[0] + person.area[2]
    assert top + height <= person.area[1] + person.area[3]


def test_without_a_line_it_says_how_to_have_one(person):
    assert "A click aims the camera, a drag draws a profile." in drawn.words("remark")


def test_what_the_map_waits_for_is_said_and_no_land_is_no_fault(person):
    person.shown = MapShown(SHOWN.kinds, "slope", (600.0, 800.0), wait="computing the land…")
    person.frames(2)
    assert "computing the land…" in drawn.words("remark")


def test_its_buttons_are_actions(person):
    for name, action in (("Enlarge", "map.whole"), ("×", "map")):
        left, top, width, height = drawn.places("button")[name]
        person.host.mouse_move(left + width / 2, top + height / 2)
        person.frames()
        person.host.mouse_button(0, True)
        person.frames()
        person.release()
        assert [one for done in person.done for one in done.actions][-1] == action


def test_the_panel_leaves_the_map_its_part_of_the_window():
    host, panel = Host(), Panel()
    try:
        for size in ((1280, 720), (1920, 1080), (700, 500)):
            host.resize(size, size)
            rects = {}
            for where in ("", "beside", "whole"):
                for _ in range(2):
                    host.new_frame(1 / 60)
                    panel.draw(Scene(), Scene(), Status(map_where=where))
                    host.end_frame()
                rects[where] = panel.scene_rect, panel.map_rect
            (left, top, width, height), _ = rects[""]
            land, beside = rects["beside"]
            assert land[:2] == (left, top) and land[0] + land[2] == beside[0]
            assert land[2] + beside[2] == width and land[3] == beside[3] == height
            assert land[2] >= 0.39 * width
            assert rects["whole"] == (rects[""][0], rects[""][0])
    finally:
        host.close()
