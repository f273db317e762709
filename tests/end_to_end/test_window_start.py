"""The first frames of the real window: it is up before there is land, and shows land before any is computed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.end_to_end.window import STARTS_WITHIN_S

# a computer that never answers: what comes on the screen was there before
FRAMES = """
import json, sys
from fellview.compute import ComputeProcess
from fellview.io import scenes
from fellview.viewer import run
from fellview.window import wake
class Silent(ComputeProcess):
    def submit(self, job): pass
frames = []
def watch(viewer, drawn):
    if drawn:
        frames.append([viewer.renderer.field is not None, viewer._status().running])
        if frames[-1][0] or len(frames) == 5:
            viewer.window.close()
    wake()
if __name__ == "__main__":
    scene = scenes.load(scenes.OPENING_PRESET).replace(json.loads(sys.argv[1]))
    run(scene, (640, 360), None, watch, process=Silent)
    print(json.dumps(frames))
"""


@pytest.fixture
def frames(display, tmp_path):
    """Returns a function that starts the window on the opening scene with changes, and gives what frames had."""

    def start(changes):
        program = tmp_path / "frames.py"
        program.write_text(FRAMES)
        done = subprocess.run(
            [sys.executable, program, json.dumps(changes)],
            env=os.environ | {"FELLVIEW_STATE": str(tmp_path / "state")},
            capture_output=True,
            text=True,
            timeout=STARTS_WITHIN_S,
            check=True,
        )
        return json.loads(done.stdout)

    return start


def test_the_window_is_up_first_and_shows_the_opening_land_at_once(frames, tmp_path):
    pictures = Path(os.environ["XDG_PICTURES_DIR"]) / "Fellview"
    unfinished = [folder / ".fellview-abcd1234.part" for folder in (tmp_path / "state", pictures)]
    for path in unfinished:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
        os.utime(path, (time.time() - 7200,) * 2)
    seen = frames({})
    assert not any(path.exists() for path in unfinished), "what windows that were killed were writing"
    assert seen[0] == [False, "starting"]
    assert seen[1] == [True, "starting"]


def test_without_a_land_to_show_the_window_says_that_it_works(frames):
    seen = frames({"noise.seed": 4321})
    assert seen == [[False, "starting"]] * 5
