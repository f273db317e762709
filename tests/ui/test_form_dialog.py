"""Our own form, driven by events."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from fellview.core.errors import InputError
from fellview.ui import drawn
from fellview.ui.form_dialog import Field, FormDialog, Page
from fellview.ui.imgui_host import Host

FRAME = 1 / 60
ENTER, ESCAPE, TAB, DOWN, UP = 257, 256, 258, 264, 265
PAGES = (
    Page("Mesh", "A mesh.", (Field("triangles", "Triangles", "12", "Few are coarse."),)),
    Page(
        "Maps",
        "Maps.",
        (
            Field("normals", "Normals", "gl", "Which way.", (("gl", "OpenGL"), ("d", "DirectX"))),
            Field("texels", "Texels", "1", "Few are coarse."),
        ),
        "Export",
    ),
)


@pytest.fixture
def host():
    one = Host()
    one.resize((1280, 720), (1280, 720))
    yield one
    one.close()


@pytest.fixture
def form():
    def accept(title, texts):
        if "x" in "".join(texts.values()):
            raise InputError("triangles = 'x': expected a whole number")
        return title, dict(texts)

    return FormDialog("Export", PAGES, accept)


def run(host, form, count=4):
    for _ in range(count):
        host.new_frame(FRAME)
        drawn.begin()
        form.draw()
        host.end_frame()


def click(host, form, kind, name):
    left, top, width, height = drawn.places(kind)[name]
    host.mouse_move(left + width / 2, top + height / 2)
    run(host, form)
    host.mouse_button(0, True)
    run(host, form, 2)
    host.mouse_button(0, False)
    run(host, form)


def test_what_stands_there_is_handed_in(host, form):
    run(host, form)
    click(host, form, "button", "Continue")
    assert form.done and form.answer == ("Mesh", {"triangles": "12"})


def test_another_page_is_handed_in_alone(host, form):
    run(host, form)
    click(host, form, "button", "Maps")
    assert "texels" in drawn.places("entry") and "triangles" not in drawn.places("entry")
    click(host, form, "entry", "normals")
    click(host, form, "entry", "DirectX")
    click(host, form, "button", "Export")
    assert form.answer == ("Maps", {"normals": "d", "texels": "1"})


def test_a_small_window_has_all_of_it_within(host, form):
    host.resize((300, 120), (300, 120))
    run(host, form)
    left, _, width, _ = drawn.places("button")["Mesh"]
    assert left >= 0 and left + width <= 300


def test_what_is_refused_is_told_and_the_form_stays(host, form):
    run(host, form)
    click(host, form, "entry", "triangles")
    host.text("x")
    run(host, form)
    host.key(ENTER, True)
    host.key(ENTER, False)
    run(host, form)
    assert not form.done and "triangles = 'x': expected a whole number" in drawn.words("remark")


@pytest.mark.parametrize("how", ["Cancel", "Escape"])
def test_a_form_that_is_left_has_no_answer(host, form, how):
    run(host, form)
    if how == "Cancel":
        click(host, form, "button", "Cancel")
    else:
        host.key(ESCAPE, True)
        host.key(ESCAPE, False)
        run(host, form)
    assert form.done and form.answer is None


def press(host, form, *keys):
    for key in keys:
        host.key(key, True)
        run(host, form, 2)
        host.key(key, False)
        run(host, form, 2)


def at_the_list(host, form):
    """Open the page with a list, and go to it by the keyboard alone."""
    run(host, form)
    click(host, form, "button", "Maps")
    press(host, form, UP)


def test_a_list_is_chosen_from_by_the_keyboard(host, form):
    at_the_list(host, form)
    press(host, form, ENTER)
    assert {"OpenGL", "DirectX"} <= set(drawn.places("entry")), "the list is open"
    press(host, form, DOWN, ENTER)
    assert "DirectX" not in drawn.places("entry") and not form.done
    press(host, form, TAB)
    host.text("4")
    run(host, form)
    press(host, form, ENTER)
    assert form.answer[0] == "Maps" and form.answer[1]["normals"] == "d"


def test_escape_closes_the_list_and_then_the_form(host, form):
    at_the_list(host, form)
    press(host, form, ENTER, DOWN, ESCAPE)
    assert "DirectX" not in drawn.places("entry") and not form.done
    press(host, form, ESCAPE)
    assert form.done and form.answer is None


def test_the_keyboard_walks_nothing_once_the_form_is_gone(host, form):
    run(host, form)
    press(host, form, ESCAPE)
    assert form.done
    host.new_frame(FRAME)
    assert not imgui.get_io().config_flags & imgui.ConfigFlags_.nav_enable_keyboard
    host.end_frame()
