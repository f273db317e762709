"""What is compiled ahead is noted, and drawn anew where kernels or shaders have changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from fellview import cli, warm_up
from fellview.io import scenes

SMALLEST = "directx-demo"


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path))  # of the processes that it starts
    return tmp_path


def test_nothing_is_done_in_an_empty_or_damaged_cache(cache):
    assert not warm_up.is_done(SMALLEST, cache)
    for content in (b"", b"\xff\xfe\n", b"another digest\n" + SMALLEST.encode()):
        (cache / "warm-up.txt").write_bytes(content)
        assert not warm_up.is_done(SMALLEST, cache)


def test_a_preset_that_cannot_be_drawn_is_told_and_not_noted(cache):
    told = []
    (fault,) = warm_up.run(["no such preset"], lambda what, fraction: told.append(fraction), cache)
    assert "no such preset" in fault
    assert told[0] == 0 and told[-1] == 1
    assert not warm_up.is_done("no such preset", cache)


@pytest.mark.slow
def test_presets_that_are_done_are_noted_until_a_shader_changes(cache):
    assert warm_up.run([SMALLEST], folder=cache) == []
    assert warm_up.is_done(SMALLEST, cache) and not warm_up.is_done(scenes.OPENING_PRESET, cache)
    assert list(cache.rglob("*.kernel")), "kernels are compiled"
    note = cache / "warm-up.txt"
    digest, *names = note.read_text().splitlines()
    note.write_text("\n".join([digest[::-1], *names]))
    assert not warm_up.is_done(SMALLEST, cache)


def test_the_opening_scene_is_not_compiled_twice(monkeypatch, capsys):
    monkeypatch.setattr(warm_up, "is_done", lambda preset: preset == scenes.OPENING_PRESET)
    assert cli.main(["warm-up", "--opening"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_ctrl_c_ends_it_and_leaves_no_process_and_no_traceback(cache):
    command = [sys.executable, "-m", "fellview", "warm-up", "--opening"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    assert "compiling" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[1]  # its end: whoever compiles has the stream too
    assert (process.returncode, rest) == (130, "")
