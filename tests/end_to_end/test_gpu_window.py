"""The viewer with the GPU engine: heights stay on the GPU from noise to picture, and a lost engine costs a notice."""

import os
import subprocess
import sys

import pytest

from tests.end_to_end.window import NOWHERE, xdotool

WITHIN_S = 240  # a first start compiles the kernels, on a loaded machine

WATCH = """
import sys, time
from pathlib import Path
from PIL import ImageGrab
from fellview.desktop import viewer as module
from fellview.gpu.engine import GpuField, TWINS
from fellview.gpu.twin import Twin
from fellview.io import scenes
from fellview.session import store
from tests.lands import RUGGED

store.WRITE_EVERY_S = 1000.0  # a slow machine would else write the second land meanwhile, which reads it

def scene(**changes):
    base = {"grid.rows": 300, "grid.columns": 260, "erosion.kind": "thermal", "smooth.iterations": 0}
    return scenes.load(RUGGED).replace(base | {key.replace("__", "."): value for key, value in changes.items()})

class Acts:
    # calls each act once, when the land of the one before is on the screen
    def __init__(self, *acts):
        self.acts, self.since = list(acts), time.monotonic()
    def __call__(self, viewer, drawn):
        if time.monotonic() - self.since > 100:
            sys.exit(f"stuck before {self.acts[0].__name__}: {viewer.compute.engine}, {viewer.session.notices},"
                f" busy {viewer.session.busy}, settled {viewer.session.settled}, {viewer.session.advanced}")
        if drawn and viewer.session.settled and viewer.renderer.field is viewer.session.result.field:
            if not self.acts:
                viewer.window.close()
                return
            self.acts.pop(0)(viewer)
            viewer.redraw()
            self.since = time.monotonic()

def field(viewer):
    return viewer.session.result.field

def run(*acts, engine="gpu"):
    module.run(scene(), (1280, 720), None, Acts(*acts), engine=engine)
"""

STAYS = """
def change(viewer):
    assert viewer.compute.engine.startswith("gpu: "), viewer.compute.engine
    viewer.session.set(scene(noise__seed=5), "Seed")

def look(viewer):
    land = field(viewer)
    assert isinstance(land, GpuField), viewer.compute.engine
    assert "heights" not in vars(land), "drawing, framing and the status line read no heights"
    texture = land.texture_in(viewer.window.context)
    assert viewer.renderer._height_map.heights is texture, "drawn from where it was made"
    assert land.heights.shape == (300, 260) and land.heights is land.heights
    ImageGrab.grab().save(sys.argv[1])
    viewer.session.set(scene(noise__seed=6, erosion__kind="demo"), "Seed")

def demo(viewer):
    assert not isinstance(field(viewer), GpuField), "the demo's own erosion runs in the compute process"
    assert viewer.compute.engine == "cpu: Erosion (demo) runs there only", viewer.compute.engine
    viewer.session.set(scene(noise__seed=7), "Seed")

def back(viewer):
    assert isinstance(field(viewer), GpuField) and viewer.compute.engine.startswith("gpu: ")
    assert not viewer.session.notices, viewer.session.notices
    print("all seen")

run(change, look, demo, back)
"""

LOST = """
def break_twin(viewer):
    def broken(passes, parameters, domain, below):
        yield 0.1
        passes.run("kernels/none_such.frag", passes.texture(4, 4))
    TWINS["perturb"] = (Twin(broken),)
    viewer.session.set(scene(noise__seed=5), "Seed")

def survived(viewer):
    land = field(viewer)
    assert not isinstance(land, GpuField) and viewer.session.result is not None
    assert any("none_such.frag" in notice for notice in viewer.session.notices), viewer.session.notices
    assert viewer.compute.engine.startswith("cpu: perturb on the GPU"), viewer.compute.engine
    viewer.session.set(scene(noise__seed=6), "Seed")

def goes_on(viewer):
    assert viewer.session.visible.noise.seed == 6
    assert len(viewer.session.notices) == 1
    print("all seen")

run(break_twin, survived, goes_on)
"""

SOFTWARE = """
def look(viewer):
    assert viewer.compute.engine == "cpu: llvmpipe is a software renderer", viewer.compute.engine
    assert not isinstance(field(viewer), GpuField)
    print("all seen")

run(look, engine="auto")
"""


@pytest.mark.parametrize(
    "acts",
    [STAYS, pytest.param(LOST, marks=pytest.mark.slow), pytest.param(SOFTWARE, marks=pytest.mark.slow)],
    ids=["stays", "lost", "software"],
)
def test_window(display, tmp_path, acts):
    xdotool("mousemove", *NOWHERE)  # over land the status line tells the height there, which reads all along the ray
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words = [sys.executable, "-c", WATCH + acts, str(tmp_path / "screen.png")]
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=WITHIN_S)
    assert ran.returncode == 0 and "all seen" in ran.stdout, ran.stderr[-2000:]
