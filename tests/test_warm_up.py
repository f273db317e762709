"""What is compiled ahead is noted, and drawn anew where kernels or shaders have changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from fellview import cli, warm_up
from fellview.draw import compiled_ahead
from fellview.io import scenes

SMALLEST = "directx-demo"


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FELLVIEW_CACHE", str(tmp_path))  # of the processes that it starts
    return tmp_path


def test_nothing_is_done_in_an_empty_or_damaged_cache(cache):
    scene = scenes.load(SMALLEST)
    assert not compiled_ahead.is_done(scene, cache)
    for content in (b"", b"\xff\xfe\n", b"another digest\n" + compiled_ahead.kind(scene).encode()):
        (cache / "warm-up.txt").write_bytes(content)
        assert not compiled_ahead.is_done(scene, cache)


def test_what_is_noted_is_done_beside_what_was(cache):
    compiled_ahead.note([compiled_ahead.kind(scenes.load(SMALLEST))], cache)
    compiled_ahead.note([compiled_ahead.PRESETS], cache)
    assert compiled_ahead.is_done(scenes.load(SMALLEST), cache) and compiled_ahead.presets_are_done(cache)
    assert not compiled_ahead.is_done(scenes.load(scenes.OPENING_PRESET), cache)


def test_scenes_that_take_other_shaders_are_of_another_kind():
    scene = scenes.load(scenes.OPENING_PRESET)
    same = scene.replace({"noise.seed": 5, "sun.azimuth": 10.0, "camera.yaw": 3.0, "grid.rows": 512})
    assert compiled_ahead.kind(same) == compiled_ahead.kind(scene)
    for change in ({"water.lakes": not scene.water.lakes}, {"view.mode": "slope"}, {"grid.rows": 1000}):
        assert compiled_ahead.kind(scene.replace(change)) != compiled_ahead.kind(scene), change


def test_a_preset_that_cannot_be_drawn_is_told_and_not_noted(cache):
    told = []
    (fault,) = warm_up.run(["no such preset"], lambda what, fraction: told.append(fraction), cache)
    assert "no such preset" in fault
    assert told[0] == 0 and told[-1] == 1
    assert not (cache / "warm-up.txt").read_text().splitlines()[1:]


@pytest.mark.slow
def test_presets_that_are_done_are_noted_until_a_shader_changes(cache):
    assert warm_up.run([SMALLEST], folder=cache) == []
    scene = scenes.load(SMALLEST)
    assert compiled_ahead.is_done(scene, cache)
    assert not compiled_ahead.is_done(scenes.load(scenes.OPENING_PRESET), cache)
    assert list(cache.rglob("*.kernel")), "kernels are compiled"
    note = cache / "warm-up.txt"
    digest, *kinds = note.read_text().splitlines()
    note.write_text("\n".join([digest[::-1], *kinds]))
    assert not compiled_ahead.is_done(scene, cache)


def test_the_opening_scene_is_not_compiled_twice(monkeypatch, capsys):
    monkeypatch.setattr(compiled_ahead, "is_done", lambda scene: scene == scenes.load(scenes.OPENING_PRESET))
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
