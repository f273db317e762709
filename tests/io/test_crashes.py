"""The crash log: what is told, that it stays small, and that it never fails itself."""

from __future__ import annotations

import os

import pytest

from fellview.io import crashes
from fellview.io.crashes import CrashLog


def raised(fault):
    try:
        raise fault
    except BaseException as caught:
        return caught


def deep(levels):
    return deep(levels + 1)


def test_one_line_for_the_person_and_the_traceback_for_who_mends_it(tmp_path):
    log = CrashLog(tmp_path)
    line = log.note(raised(ZeroDivisionError("by\n\x1b[2Jzero \udcff")), "a command")
    assert line.isprintable() and line.startswith("A command failed: ZeroDivisionError: by \\x1b[2Jzero")
    assert str(log.path) in line
    text = log.path.read_text(encoding="utf-8")
    assert "a command" in text and "in raised" in text and "Traceback" in text


def test_what_fails_again_and_again_is_counted_and_fills_nothing(tmp_path):
    log = CrashLog(tmp_path)
    for _ in range(10_000):
        log.note(raised(ZeroDivisionError("again")), "drawing")
    text = log.path.read_text()
    assert text.count("Traceback") == 1
    assert "8192 times" in text
    assert len(text) < 4000


def test_one_run_of_different_errors_is_bounded_and_the_next_start_keeps_the_newest(tmp_path):
    for _run in range(3):
        log = CrashLog(tmp_path)
        for number in range(300):
            code = compile(f"raise ValueError({number} * ' long ')", f"file-{number}", "exec")
            with pytest.raises(ValueError) as caught:
                exec(code)
            log.note(caught.value, "drawing")
        assert log.path.stat().st_size <= 2 * crashes.LARGEST_BYTES
    CrashLog(tmp_path)
    text = log.path.read_text()
    assert len(text) <= crashes.LARGEST_BYTES
    assert text.startswith("== ")


def test_endless_recursion_is_told_in_a_bounded_block(tmp_path):
    log = CrashLog(tmp_path)
    with pytest.raises(RecursionError) as caught:
        deep(0)
    log.note(caught.value, "reading")
    assert "RecursionError" in log.path.read_text()
    assert log.path.stat().st_size < 8000


@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "no folder"])
def test_where_it_cannot_be_written_the_line_is_told_all_the_same(tmp_path, kind):
    folder = tmp_path / "state"
    folder.mkdir()
    other = tmp_path / "other"
    if kind == "folder":
        (folder / "crash.log").mkdir()
    elif kind == "pipe":
        os.mkfifo(folder / "crash.log")
    elif kind == "link":
        other.write_text("mine")
        (folder / "crash.log").symlink_to(other)
    else:
        folder.rmdir()
        folder.write_text("")
    log = CrashLog(folder)
    log.tell_signals()
    assert "ZeroDivisionError" in log.note(raised(ZeroDivisionError()), "a command")
    assert kind != "link" or other.read_text() == "mine"


def test_an_error_that_fails_at_its_own_text_is_told(tmp_path):
    class OddError(Exception):
        def __str__(self):
            raise ZeroDivisionError

    assert "OddError" in CrashLog(tmp_path).note(raised(OddError()), "a command")
