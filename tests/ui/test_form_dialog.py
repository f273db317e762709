"""Our own form, driven by events."""

from __future__ import annotations

import pytest

from fellview.core.errors import InputError
from fellview.ui import drawn
from fellview.ui.form_dialog import Field, FormDialog, Page
from fellview.ui.imgui_host import Host

FRAME = 1 / 60
ENTER, ESCAPE, BACKSPACE = 257, 256, 259
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
