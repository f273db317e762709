"""The first frames of the real window: it is up before there is land, and shows land before any is computed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fellview.bench import windows
from fellview.io import scenes, sessions
from fellview.scene import recipe
from fellview.scene.groups.ground import MATERIALS
from tests.end_to_end.window import STARTS_WITHIN_S

# a computer that never answers: what comes on the screen was there before
FRAMES = """
import json, sys
from fellview.compute.process import ComputeProcess
from fellview.io import scenes
from fellview.desktop.viewer import run
from fellview.desktop.window import wake
class Silent(ComputeProcess):
    def submit(self, job): pass
frames = []
def watch(viewer, drawn):
    if drawn:
        frames.append([viewer.pictures.count, viewer.renderer.field is not None, viewer.status().running])
        if viewer.pictures.count == 2 or len(frames) == 20:
            viewer.window.close()
    wake()
if __name__ == "__main__":
    scene = scenes.load(scenes.OPENING_PRESET).replace(json.loads(sys.argv[1]))
    run(scene, (640, 360), None, watch, process=Silent)
    print(json.dumps(frames))
"""

# what the command does, with a window that ends once there is something to see
SAFE = """
import json, sys
from pathlib import Path
from fellview import cli, paths
from fellview.compute.process import ComputeProcess
from fellview.desktop import viewer
from fellview.desktop.window import wake
class Silent(ComputeProcess):
    def submit(self, job): pass
names = []
def watch(viewer, drawn):
    session = viewer.session
    if drawn and viewer.renderer.field is not None:
        names.append(session.scene.name)
        session.set(session.scene.replace({"ground.textures": textures}), "Textures")
        session.keep()
    if len(names) == 3:
        folders = [str(paths.state_folder()), str(paths.cache_folder()), str(session.folder)]
        print(json.dumps([names[0], session.scene.ground.textures, session.notices, folders]))
        viewer.window.close()
    wake()
if __name__ == "__main__":
    textures = sys.argv.pop()
    run = viewer.run
    viewer.run = lambda *given, **named: run(*given, **named, watch=watch, process=Silent)
    sys.exit(cli.main(sys.argv[1:]))
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
    assert seen[0] == [0, False, "starting"], "the window does not wait for its first picture"
    assert seen[-1] == [1, True, "starting"], "no picture before the land's"


def test_without_a_land_to_show_the_window_says_that_it_works(frames):
    seen = frames({"noise.seed": 4321})
    assert {(land, running) for _, land, running in seen} == {(False, "starting")}


def _all_of(folder):
    """Return names, bytes and times of all that lies in `folder`."""
    return {path: (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*")}


def test_safe_starts_without_session_caches_and_textures_and_leaves_them_alone(display, tmp_path):
    state, cache, textures = tmp_path / "state", tmp_path / "cache", tmp_path / "textures"
    textures.mkdir()
    for name in MATERIALS:
        (textures / f"{name}.png").write_bytes(b"no picture")
    claim = sessions.claim(state)
    (claim.folder / sessions.SESSION).write_text(recipe.to_text(scenes.load("highlands")))
    claim.release()
    (cache / "made").mkdir(parents=True)
    (cache / "made" / ".fellview-abcd1234.part").write_bytes(b"half")
    (cache / "made" / "ground-materials.arrays").write_bytes(b"damaged")
    program = tmp_path / "safe.py"
    program.write_text(SAFE)
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.utime(path, (time.time() - 7200,) * 2)
    before = _all_of(tmp_path)
    done = subprocess.run(
        [sys.executable, program, "--safe", textures],
        env=os.environ | {"FELLVIEW_STATE": str(state), "FELLVIEW_CACHE": str(cache)},
        capture_output=True,
        text=True,
        timeout=STARTS_WITHIN_S,
        check=True,
    )
    name, asked, notices, folders = json.loads(done.stdout)
    assert name == scenes.load(scenes.OPENING_PRESET).name
    assert asked == str(textures), "it stays in the recipe"
    assert len(notices) == 1 and "Started without" in notices[0], "none of textures that are no pictures"
    assert not any(Path(folder).is_relative_to(tmp_path) or Path(folder).exists() for folder in folders)
    assert _all_of(tmp_path) == before


@pytest.mark.slow
def test_a_window_opens_with_what_the_last_one_was_closed_with(display, tmp_path):
    started = {"FELLVIEW_STATE": str(tmp_path), "FELLVIEW_WARM_UP": "no"}
    # the first may end in the simple look
    seen = [windows.child("start", (repr(time.monotonic()),), started, STARTS_WITHIN_S) for _ in range(3)]
    assert "picture" not in seen[0]
    assert seen[2]["picture"] == seen[2]["window"] < seen[2]["panel"] <= seen[2]["terrain"] <= seen[2]["full"]
