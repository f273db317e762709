"""Our own file dialog, driven by events."""

from __future__ import annotations

import pytest

from fellview.ui import drawn
from fellview.ui.file_dialog import FileDialog
from fellview.ui.imgui_host import Host

FRAME = 1 / 60
ENTER, ESCAPE = 257, 256


PASTED = "a" * 3000


@pytest.fixture
def host():
    one = Host(lambda: PASTED, lambda text: None)
    one.resize((1280, 720), (1280, 720))
    yield one
    one.close()


def run(host, dialog, count=3):
    for _ in range(count):
        host.new_frame(FRAME)
        dialog.draw()
        host.end_frame()


def key(host, dialog, number):
    host.key(number, True)
    host.key(number, False)
    run(host, dialog, 4)


def chord(host, dialog, letter, *held):
    """Press a letter with modifiers, given as GLFW's (key, bit)."""
    bits = sum(bit for _, bit in held)
    for number, bit in held:
        host.key(number, True, bits - bit)
    host.key(ord(letter), True, bits)
    run(host, dialog, 2)
    host.key(ord(letter), False, bits)
    for number, _bit in held:
        host.key(number, False, bits)
    run(host, dialog, 2)


def test_a_name_is_typed_and_gets_its_suffix(host, tmp_path):
    dialog = FileDialog("save", "Save", tmp_path, (".toml", ".png"), native=False)
    run(host, dialog)
    assert host.wants_keys
    host.text("hills")
    run(host, dialog)
    key(host, dialog, ENTER)
    assert dialog.done and dialog.answer == tmp_path / "hills.toml"


def test_an_existing_file_is_replaced_only_when_asked_twice(host, tmp_path):
    (tmp_path / "hills.toml").write_text("kept")
    dialog = FileDialog("save", "Save", tmp_path, (".toml",), "hills.toml", native=False)
    run(host, dialog)
    key(host, dialog, ENTER)
    assert not dialog.done and drawn.words("remark") == ("hills.toml is there already.",)
    left, top, width, height = dialog.place("Replace")
    host.mouse_move(left + width / 2, top + height / 2)
    host.mouse_button(0, True)
    host.mouse_button(0, False)
    run(host, dialog, 4)
    assert dialog.answer == tmp_path / "hills.toml"


def test_only_files_that_are_there_can_be_opened(host, tmp_path):
    dialog = FileDialog("open", "Open", tmp_path, (".toml",), "nothing.toml", native=False)
    run(host, dialog)
    key(host, dialog, ENTER)
    assert not dialog.done and drawn.words("remark") == ("nothing.toml: no such file",)


@pytest.mark.parametrize("name", ["a" * 300, "~nobody-of-this-name/hills.toml"], ids=["too long", "of nobody"])
def test_a_name_that_no_file_can_have_is_told_and_the_dialog_stays(host, tmp_path, name):
    dialog = FileDialog("open", "Open", tmp_path, (".toml",), name, native=False)
    run(host, dialog)
    key(host, dialog, ENTER)
    assert not dialog.done and drawn.words("remark")[0].endswith(": no such file")


def test_a_name_that_no_file_can_have_is_left_to_what_writes(host, tmp_path):
    dialog = FileDialog("save", "Save", tmp_path, (".toml",), "a" * 300, native=False)
    run(host, dialog)
    key(host, dialog, ENTER)
    assert dialog.answer == tmp_path / ("a" * 300 + ".toml")


def test_the_folder_of_a_dialog_may_be_none(host, tmp_path):
    dialog = FileDialog("save", "Save", tmp_path / ("a" * 300) / "b", (".toml",), "hills", native=False)
    run(host, dialog)
    key(host, dialog, ENTER)
    assert dialog.answer == tmp_path / "hills.toml"


def test_lists_folders_first_and_accepted_files_only(host, tmp_path):
    for name in ("b.toml", "A.toml", "note.txt", ".hidden.toml"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder").mkdir()
    dialog = FileDialog("open", "Open", tmp_path / "gone", (".toml",), native=False)
    run(host, dialog)
    assert [one.name for one in drawn.all_of("entry")] == ["folder", "A.toml", "b.toml"]
    assert [one.words.startswith("▸") for one in drawn.all_of("entry")] == [True, False, False]


def test_escape_is_cancel(host, tmp_path):
    dialog = FileDialog("open", "Open", tmp_path, native=False)
    run(host, dialog)
    key(host, dialog, ESCAPE)
    assert dialog.done and dialog.answer is None


@pytest.mark.parametrize("redo", [("Y", (341, 2)), ("Z", (341, 2), (340, 1))])
def test_a_long_text_that_was_pasted_is_undone_and_the_dialog_outlives_its_redo(host, tmp_path, redo):
    dialog = FileDialog("save", "Save", tmp_path, (".toml",), native=False)
    run(host, dialog)
    chord(host, dialog, "V", (341, 2))
    host.text("x")
    run(host, dialog)
    for _ in range(2):
        chord(host, dialog, "Z", (341, 2))
    for _ in range(2):
        chord(host, dialog, *redo)
    host.text("hills")
    run(host, dialog)
    key(host, dialog, ENTER)
    assert dialog.answer == tmp_path / "hills.toml"


def test_a_folder_that_is_there_is_an_answer_where_a_folder_is_saved(host, tmp_path):
    """Frames that are there go on in theirs; a native dialog would only enter it."""
    (tmp_path / "frames").mkdir()
    dialog = FileDialog("save", "Take the film", tmp_path, (), "frames", native=True)
    run(host, dialog)
    assert not dialog.polls
    key(host, dialog, ENTER)
    assert dialog.done and dialog.answer == tmp_path / "frames"
