"""The process that compiles beside the window: what it is asked for, what its answers mean, and how it ends."""

import json
import sys
import threading
import time

import pytest

from fellview import paths
from fellview.desktop.background_warm_up import VARIABLE, BackgroundWarmUp
from fellview.draw import compiled_ahead
from fellview.io import scenes

SCENE = scenes.load(scenes.OPENING_PRESET)
WITHIN_S = 60  # a loaded machine starts Python in three

# answers every order with its kind, and leaves a file when its orders end
ANSWERS = """
import json, sys
from pathlib import Path
from fellview.draw import compiled_ahead
from fellview.io import scenes
for line in sys.stdin:
    print(compiled_ahead.kind(scenes.from_text(json.loads(line), "order", Path())[0]), flush=True)
Path(sys.argv[1]).touch()
"""


@pytest.fixture(autouse=True)
def nothing_is_compiled(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(paths, "cache_folder", lambda: tmp_path)


def until(condition):
    latest = time.monotonic() + WITHIN_S
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.01)


def test_a_scene_is_there_once_the_process_says_so_and_the_process_ends_with_its_orders(tmp_path):
    woken, ended = threading.Event(), tmp_path / "ended"
    warm_up = BackgroundWarmUp(woken.set, wanted=True, command=[sys.executable, "-c", ANSWERS, str(ended)])
    assert not warm_up.has(SCENE)
    assert woken.wait(WITHIN_S) and warm_up.has(SCENE)
    other = SCENE.replace({"water.lakes": not SCENE.water.lakes})
    assert not warm_up.has(other)
    until(lambda: warm_up.has(other))
    assert not ended.exists()
    warm_up.close()
    until(ended.exists)


@pytest.mark.parametrize("command", [[sys.executable, "-c", ""], ["/nowhere/python"]], ids=["ends", "is missing"])
def test_nobody_waits_for_a_process_that_does_not_answer(command):
    warm_up = BackgroundWarmUp(lambda: None, wanted=True, command=command)
    until(lambda: warm_up.has(SCENE))
    warm_up.close()


@pytest.mark.parametrize("case", ["not wanted", "told so", "done before"])
def test_no_process_is_started_where_there_is_nothing_to_do(case, monkeypatch):
    if case == "told so":
        monkeypatch.setenv(VARIABLE, "no")
    if case == "done before":
        compiled_ahead.note([compiled_ahead.kind(SCENE), compiled_ahead.PRESETS])
    warm_up = BackgroundWarmUp(lambda: None, wanted=case != "not wanted", command=["/nowhere/python"])
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("started"))
    assert warm_up.has(SCENE)
    warm_up.see_to_presets()


def test_presets_are_seen_to_where_they_are_not_compiled(tmp_path):
    began = tmp_path / "began"
    command = [sys.executable, "-c", f"from pathlib import Path; Path({json.dumps(str(began))}).touch()"]
    warm_up = BackgroundWarmUp(lambda: None, wanted=True, command=command)
    compiled_ahead.note([compiled_ahead.kind(SCENE)])
    assert warm_up.has(SCENE) and not began.exists()
    warm_up.see_to_presets()
    until(began.exists)
