"""The noise lab in the real window: opened, played, paused, white at one click, left, by keys and mouse."""

from __future__ import annotations

import numpy as np
import pytest

from fellview.draw.overlay.noise_lab import Shown
from fellview.io import scenes
from fellview.ui.imgui_host import Host
from fellview.ui.noise_lab import Lab, NoiseLab
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.end_to_end.window import LAND, SIZE, Box, Pixels, Viewer, differ, screen, until, xdotool

PLACES = ("map.left", "map.right", "white", "copy", "play")


@pytest.fixture(scope="module")
def viewer(clipboard, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(tmp_path_factory.mktemp("state")))
        one = Viewer(clipboard, "view", "directx-demo")
        yield one
        one.destroy()


@pytest.fixture(scope="module")
def places():
    """Where the parts of the lab are: a window that is not there lays itself out as the real one does."""
    host, panel, lab = Host(), Panel(), NoiseLab()
    host.resize(SIZE, SIZE)
    scene = scenes.load("directx-demo")
    shown = tuple(Shown(one, -1.0, 1.0, 0) for one in Lab(shown=True).slices(scene.noise))
    for _ in range(4):
        host.new_frame(1 / 60)
        panel.draw(scene, scene, Status(lab=True), True, lambda *where: lab.draw(*where, Lab(shown=True), shown))
        host.end_frame()
    yield {name: lab.place(name) for name in PLACES}
    host.close()


def box(place: tuple[float, float, float, float]) -> Box:
    left, top, width, height = (round(one) for one in place)
    return slice(top + 4, top + height - 4), slice(left + 4, left + width - 4)


def click(viewer: Viewer, place: tuple[float, float, float, float]) -> None:
    viewer.point((place[0] + place[2] / 2, place[1] + place[3] / 2))
    xdotool("click", 1)
    viewer.park()


def alike(one: Pixels, other: Pixels) -> float:
    """Return how alike two pictures are: 1 the same, 0 unrelated."""
    greys = [picture.mean(axis=-1).ravel() - picture.mean() for picture in (one, other)]
    return float(greys[0] @ greys[1]) / max(float(np.linalg.norm(greys[0]) * np.linalg.norm(greys[1])), 1e-9)


def is_white(picture: Pixels) -> bool:
    """Return whether neighbours have nothing to do with each other."""
    return bool(picture.std() > 40 and abs(alike(picture[:, 1:], picture[:, :-1])) < 0.2)


@pytest.mark.slow
def test_noise_lab_from_open_to_close(viewer, places):
    left, right = box(places["map.left"]), box(places["map.right"])
    viewer.rest()  # a window that shares its processor with others may pause before its picture is refined
    camera = viewer.scene().camera
    viewer.park()
    land = viewer.rest()[LAND]

    viewer.key("n")
    until(lambda: alike(screen(left)[:, 1:], screen(left)[:, :-1]) > 0.9, "the scene's noise")
    until(lambda: is_white(screen(right)), "white noise beside it")

    click(viewer, places["copy"])
    until(lambda: alike(screen(right), screen(left)) > 0.9, "the scene's noise on both sides")
    click(viewer, places["white"])
    until(lambda: is_white(screen(right)), "white noise at one click")

    still = viewer.rest()
    viewer.key("space")
    viewer.changed(still[left], left)
    viewer.changed(still[right], right)
    viewer.key("space")
    paused = viewer.rest()
    assert differ(paused[left], still[left]), "paused where it was"

    viewer.drag((places["map.left"][0] + 60, places["map.left"][1] + 60), (places["map.left"][0] + 90, 160))
    xdotool("click", 4)
    viewer.key("w")
    assert viewer.scene().camera == camera, "the lab's mouse and keys leave the camera alone"

    viewer.key("Escape")
    viewer.shows(land)
    viewer.key("n")
    viewer.changed(land)
    viewer.key("n")
    viewer.shows(land)
    assert viewer.scene().noise == scenes.load("directx-demo").noise

    viewer.key("n", "space")
    viewer.changed(land)
    viewer.press_close()
    viewer.ends()
