"""Errors that nobody foresaw, wherever they come: the window stays, a notice tells, and nothing made is lost."""

from __future__ import annotations

import itertools
import threading
import time

import numpy as np
import pytest
from imgui_bundle import imgui

from fellview.desktop import commands
from fellview.desktop.input import Input
from fellview.desktop.noise_lab import LabDesk
from fellview.desktop.window import Key
from fellview.draw.sky.sky import SkyPass
from fellview.io import scenes
from fellview.ui import drawn
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_STATE", str(tmp_path / "state"))
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        assert viewer.session.notices == []
        yield viewer


def failing(fault=RecursionError):
    def fail(*arguments, **named):
        raise fault("out of the blue")

    return fail


def told(viewer, *words):
    """Assert that there is one notice, of all `words`, and that the crash log has the traceback."""
    assert len(viewer.session.notices) == 1, viewer.session.notices
    (notice,) = viewer.session.notices
    assert all(word in notice for word in words), notice
    assert "out of the blue" in (viewer.faults.crashes.path).read_text()


def works(viewer):
    """Assert that the window goes on: a change is taken in, drawn, and taken back."""
    before, swaps = viewer.session.scene, viewer.window.swaps
    commands.scene.next_seed(viewer)
    assert viewer.session.scene != before
    viewer.redraw()
    turn(viewer, 6)
    assert viewer.window.swaps > swaps
    commands.scene.undo(viewer)
    assert viewer.session.scene == before


@pytest.mark.parametrize("fault", [RecursionError, ZeroDivisionError, MemoryError, AssertionError, KeyError])
def test_a_command_that_fails(viewer, fault):
    viewer.window.events.append(lambda: viewer.attempt(failing(fault)))
    turn(viewer)
    told(viewer, fault.__name__)
    works(viewer)


def test_a_dropped_file_that_its_reader_fails_at(viewer, tmp_path):
    class Path(type(tmp_path)):
        suffix = property(failing())  # the reader looks at it first

    path = Path(tmp_path / "bad.toml")
    path.write_text("")
    viewer.window.events.append(lambda: viewer.on_drop(path))
    before = viewer.session.scene
    turn(viewer)
    told(viewer, "RecursionError")
    assert viewer.session.scene == before
    works(viewer)


def test_a_callback_of_the_window_that_fails(viewer):
    viewer.window.events.append(failing())
    turn(viewer)
    told(viewer, "RecursionError")
    works(viewer)


def test_a_held_key_whose_release_fails(viewer):
    def release(action_id):
        viewer.attempt(failing())

    viewer.input = Input(viewer.host, viewer.session, viewer.queue, viewer.layout, viewer.act, release)
    viewer.on_key(Key(ord("L"), "L", "L", True, False, 0))
    turn(viewer)
    assert viewer.input.sun_held
    for _ in range(2):  # only the first loss of the focus lets the key go
        viewer.on_focus(False)
        turn(viewer)
    told(viewer, "RecursionError")
    works(viewer)


@pytest.mark.parametrize("part", ["poll", "keep", "let_pass", "want_masks"])
def test_a_part_of_the_session_that_fails(viewer, monkeypatch, part):
    with monkeypatch.context() as patch:
        patch.setattr(viewer.session, part, failing())
        turn(viewer)
    told(viewer, "RecursionError")
    works(viewer)


def test_a_land_that_cannot_be_drawn_leaves_the_panel_and_is_not_tried_for_ever(viewer, monkeypatch):
    tried, swaps = [], viewer.window.swaps
    with monkeypatch.context() as patch:
        patch.setattr(viewer.renderer, "passes", lambda *_, **__: tried.append(1) or failing()())
        viewer.pictures.draw_anew()
        turn(viewer, 6)
        assert len(tried) == 1 and viewer.window.swaps >= swaps + 3
        assert "Picture" in drawn.places("button"), "the panel is drawn"
        told(viewer, "Drawing the land", "RecursionError")
        viewer.act("seed.next")  # another land is tried
        viewer.redraw()
        turn(viewer, 6)
        assert len(tried) == 2
    viewer.act("undo")
    viewer.pictures.draw_anew()
    turn(viewer, 6)
    assert viewer.renderer.field is not None and viewer.pictures.drawn_groups
    works(viewer)


@pytest.mark.parametrize(
    ("called", "number"),
    [("begin_combo", 1), ("button", 4), ("input_text_with_hint", 1), ("invisible_button", 2), ("invisible_button", 20)],
)
def test_a_panel_that_fails_in_its_middle_is_drawn_again(viewer, monkeypatch, called, number):
    """In the list of scenes, the bar, the search field, a section's title and a row within lists and styles."""
    with monkeypatch.context() as patch:
        function, calls = getattr(imgui, called), itertools.count(1)
        patch.setattr(imgui, called, lambda *given: failing()() if next(calls) == number else function(*given))
        viewer.redraw()
        swaps = viewer.window.swaps
        turn(viewer)
        assert viewer.window.swaps == swaps + 1  # the land is there without it
        assert next(calls) > number
    told(viewer, "Drawing the panel")
    turn(viewer, 3)
    works(viewer)
    assert len(viewer.session.notices) == 1


def test_a_panel_that_always_fails_slows_the_loop_down_and_leaves_the_log_small(viewer, monkeypatch):
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    with monkeypatch.context() as patch:
        patch.setattr(imgui, "begin_combo", failing())
        for _ in range(40):
            viewer.redraw()
            turn(viewer)
    assert len(pauses) > 30 and max(pauses) == 1.0 and pauses == sorted(pauses)
    assert viewer.faults.crashes.path.stat().st_size < 8000
    viewer.redraw()
    turn(viewer, 3)
    works(viewer)


def test_an_error_in_the_middle_of_a_pass_leaves_no_trace_in_later_pictures(viewer, monkeypatch):
    viewer.pictures.hand.after_s = 60.0  # nothing is refined
    viewer.pictures.draw_anew()
    turn(viewer, 6)
    picture = viewer.pictures.present.kept.pixels()
    context = viewer.window.context

    def fail(*arguments):
        context.scissor, context.wireframe, context.fbo.depth_mask = (0, 0, 9, 9), True, False
        raise RecursionError("out of the blue")

    with monkeypatch.context() as patch:
        patch.setattr(viewer.renderer.draw_pass(SkyPass), "draw", fail)
        viewer.pictures.draw_anew()
        turn(viewer, 6)
    told(viewer, "Drawing the land")
    viewer.pictures.draw_anew()
    turn(viewer, 6)
    assert np.array_equal(viewer.pictures.present.kept.pixels(), picture)


def test_the_noise_lab_that_fails_is_closed(viewer):
    viewer.layout.lab = LabDesk(failing(), viewer.overlay)
    viewer.act("lab")
    viewer.redraw()
    turn(viewer)
    told(viewer, "Drawing the noise lab")
    assert not viewer.layout.lab.state.shown
    works(viewer)


def test_a_thread_that_fails_is_told_of(viewer, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", viewer.faults.note_thread)
    thread = threading.Thread(target=failing(), name="a thread of ours")
    thread.start()
    thread.join()
    turn(viewer)
    told(viewer, "A thread of ours", "RecursionError")
    works(viewer)


def test_what_ends_the_program_keeps_the_session_first(viewer, monkeypatch):
    commands.scene.next_seed(viewer)
    wanted = viewer.session.scene
    monkeypatch.setattr(imgui, "destroy_context", failing())
    viewer.close()
    assert "out of the blue" in viewer.faults.crashes.path.read_text()
    assert scenes.load(viewer.session.folder / "session.toml") == wanted


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_what_is_meant_to_end_the_program_does(viewer, end):
    viewer.window.events.append(failing(end))
    with pytest.raises(end):
        viewer.turn()
