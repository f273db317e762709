"""What is compiled ahead is noted, and drawn anew where kernels or shaders have changed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # what is begun in the background ignores it
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    signal.signal(signal.SIGINT, heard)
    assert process.stderr is not None
    assert "compiling" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[1]  # its end: whoever compiles has the stream too
    assert (process.returncode, rest) == (130, "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
def test_beside_a_window_it_ends_when_its_orders_do_and_leaves_no_process(cache):
    scene = scenes.load(SMALLEST)
    command = [sys.executable, "-m", "fellview", "warm-up", "--beside-window"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(scenes.to_text(scene, Path.cwd())) + "\n")
    process.stdin.flush()
    kinds = iter(process.stdout.readline, "")
    assert compiled_ahead.kind(scene) in (kind.strip() for kind in kinds)
    assert compiled_ahead.is_done(scene, cache)
    process.stdin.close()  # while it compiles for a preset
    assert process.wait(60) == 0
    latest = time.monotonic() + 60
    while _of_session(process.pid):
        assert time.monotonic() < latest
        time.sleep(0.1)


def _of_session(session):
    """Return the processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(stat.parent.name)
    return found
