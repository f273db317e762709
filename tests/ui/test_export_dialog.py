"""The dialog that asks which program land is exported for, driven by events."""

from __future__ import annotations

import pytest

from fellview.targets.registry import TARGETS
from fellview.ui import drawn
from fellview.ui.export_dialog import ExportDialog
from fellview.ui.imgui_host import Host

FRAME = 1 / 60
ESCAPE = 256


@pytest.fixture
def host():
    one = Host()
    one.resize((1280, 720), (1280, 720))
    yield one
    one.close()


def run(host, dialog, count=3):
    for _ in range(count):
        host.new_frame(FRAME)
        dialog.draw()
        host.end_frame()


def click(host, dialog, name):
    left, top, width, height = dialog.place(name)
    host.mouse_move(left + width / 2, top + height / 2)
    host.mouse_button(0, True)
    host.mouse_button(0, False)
    run(host, dialog, 4)


@pytest.mark.parametrize("target", TARGETS, ids=lambda one: one.name)
def test_a_program_and_a_size_that_it_takes_are_chosen_by_name(host, tmp_path, target):
    dialog = ExportDialog(tmp_path)
    run(host, dialog)
    click(host, dialog, "target")
    click(host, dialog, target.title)
    assert dialog.target is target and dialog.side == target.size
    click(host, dialog, "side")
    smallest = dialog.sides()[0]
    target.require_size(smallest)
    click(host, dialog, str(smallest))
    assert dialog.side == smallest
    click(host, dialog, "Export")
    assert dialog.done and dialog.path == tmp_path / "exported"


def test_cancelled_it_has_no_folder(host, tmp_path):
    dialog = ExportDialog(tmp_path)
    run(host, dialog)
    host.key(ESCAPE, True)
    host.key(ESCAPE, False)
    run(host, dialog, 4)
    assert dialog.done and dialog.path is None


def test_a_file_is_no_folder(host, tmp_path):
    (tmp_path / "exported").write_text("")
    dialog = ExportDialog(tmp_path)
    run(host, dialog)
    click(host, dialog, "Export")
    assert not dialog.done and drawn.words("remark") == ("exported: no folder",)
