"""The panel's edge, which its width is dragged by."""

from __future__ import annotations

import dataclasses

import pytest
from imgui_bundle import imgui

from fellview.scene.scene import Scene
from fellview.ui import theme
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.panel_edge import LEAST
from fellview.ui.status import Status
from tests.ui.person import ESCAPE, FRAME, MOST_OF_WINDOW, Person


def edge(person: Person) -> tuple[float, float]:
    return person.panel.scene_rect[0] - 2, 400.0


def test_the_edge_is_dragged_between_two_widths(person):
    left = person.panel.scene_rect[0]
    person.status = dataclasses.replace(person.status, hints=("Drag — turn",))
    person.press(edge(person))
    assert person.host.cursor == "resize_ew"
    person.move((left + 98, 300))
    person.frames(2)
    assert imgui.internal.find_window_by_name("##hints").pos.x > left + 100, "nothing of the land's lies on the panel"
    assert person.panel.scene_rect[0] == left, "the land is drawn anew at the end, and not at every width"
    assert person.tracks["noise.gain"][2] == pytest.approx(296, abs=1), "the panel follows at once"
    person.release()
    person.frames(2)
    assert person.panel.scene_rect[0] == pytest.approx(left + 100, abs=1)
    for to, width in ((5000, MOST_OF_WINDOW), (0, LEAST)):
        person.press(edge(person))
        person.move((to, 300))
        person.release()
        person.frames(2)
        assert person.panel.scene_rect[0] == pytest.approx(width, abs=1)
    widths = [outcome.panel_width for outcome in person.outcomes if outcome.panel_width is not None]
    assert widths == pytest.approx([theme.PANEL_WIDTH + 100, MOST_OF_WINDOW, LEAST], abs=1)
    assert person.scene == person.home and person.ended == []


def test_the_width_outlives_a_window_that_is_too_narrow_for_it(person):
    person.press(edge(person))
    person.move((500, 300))
    person.release()
    person.frames(2)
    wide = person.panel.scene_rect[0]
    for size in ((1280, 720), (1000, 600), (400, 300), (1920, 1080)):
        person.host.resize(size, size)
        person.frames(2)
        assert person.panel.scene_rect[0] == (wide if size[0] > 1200 else pytest.approx(0.45 * size[0], abs=1))
    person.host.content_scale(2.0)
    person.frames(2)
    assert person.panel.scene_rect[0] == pytest.approx(0.45 * 1920, abs=1)
    person.host.content_scale(1.0)
    person.frames(2)
    assert person.panel.scene_rect[0] == wide


def test_a_double_click_on_the_edge_goes_back_to_the_usual_width(person):
    usual = person.panel.scene_rect[0]
    person.press(edge(person))
    person.move((500, 300))
    person.release()
    person.frames(60)
    person.click(edge(person))
    person.click(edge(person))
    person.frames(2)
    assert person.panel.scene_rect[0] == usual
    assert [one.panel_width for one in person.outcomes if one.panel_width][-1] == theme.PANEL_WIDTH


def test_esc_puts_the_edge_back(person):
    left = person.panel.scene_rect[0]
    person.press(edge(person))
    person.move((500, 300))
    assert person.panel.holding
    person.key(ESCAPE)
    person.release()
    person.frames(2)
    assert person.panel.scene_rect[0] == left
    assert not any(outcome.panel_width for outcome in person.outcomes)


def test_a_kept_width_is_brought_between_the_limits():
    host = Host()
    host.resize((1920, 1080), (1920, 1080))
    for kept, width in ((400.0, 400), (1e9, 640), (-5.0, LEAST), (None, theme.PANEL_WIDTH)):
        panel = Panel(kept)
        host.new_frame(FRAME)
        panel.draw(Scene(), Scene(), Status())
        host.end_frame()
        assert panel.scene_rect[0] == width
    host.close()
