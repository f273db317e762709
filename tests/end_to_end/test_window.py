"""The scene under the hand, in the real window: opened, pasted, slid, typed, undone, saved.

One window serves all tests, in this order.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab

from fellview.io import scenes
from fellview.scene import recipe
from fellview.ui import theme
from tests.end_to_end.window import (
    FRAME_S,
    LAND,
    PANEL,
    SIZE,
    alike,
    children,
    differ,
    kept,
    on,
    places,
    screen,
    until,
    xdotool,
)

pytestmark = pytest.mark.usefixtures("own_state", "let_go")


def test_the_first_start_opens_on_the_scene_asked_for(viewer, folders, opened):
    opening = scenes.load(opened)
    until(lambda: kept(folders[0]).exists(), "the session's file")
    now = viewer.scene()
    assert replace(now, camera=opening.camera) == opening
    assert scenes.load(kept(folders[0], "home.toml")) == opening
    assert viewer.geometry == SIZE
    picture = screen()
    assert picture[PANEL].mean() < 100 < picture[LAND].mean()
    assert (picture[:, -1] != 0).any(axis=-1).all()  # to the window's edge


def test_numba_is_loaded_in_the_compute_process_alone(viewer):
    assert "llvmlite" not in Path(f"/proc/{viewer.process.pid}/maps").read_text()
    assert any("llvmlite" in Path(f"/proc/{child}/maps").read_text() for child in viewer.children)


def test_a_recipe_is_pasted_as_text(viewer, clipboard):
    # the home scene is this one from now on
    wanted = viewer.scene().replace({"grid.rows": 120, "grid.columns": 150, "erosion.iterations": 3})
    before = screen(LAND)
    clipboard.put(recipe.to_text(wanted))
    viewer.key("ctrl+v")
    viewer.changed(before)
    viewer.rest()
    now = viewer.scene(lambda scene: scene.grid == wanted.grid, "the pasted grid")
    assert replace(now, camera=wanted.camera) == wanted


@pytest.mark.slow
def test_garbage_on_the_clipboard_is_a_notice(viewer, clipboard):
    before = viewer.scene()
    viewer.rest()
    until(lambda: viewer.notices() == 0, "an end of the notice of the copying")
    clipboard.put("hello: no recipe\n")
    viewer.key("ctrl+v")
    until(lambda: viewer.notices() == 1, "a notice")
    assert viewer.scene() == before
    time.sleep(1)
    until(lambda: viewer.notices() == 1, "an end of the notice of the copying alone")
    viewer.rest()
    viewer.dismiss()
    until(lambda: viewer.notices() == 0, "no notice left")


def test_a_slider_moves_the_land_and_undo_brings_it_back(viewer):
    before, picture = viewer.scene(), viewer.rest()
    place = places(before)[0]["noise.frequency"]
    left, top, width, height = map(round, place)
    slider = (slice(top, top + height), slice(left, left + width))
    viewer.drag(on(place, 0.2), on(place, 0.8))
    viewer.changed(picture[LAND])
    viewer.changed(picture[slider], slider)
    slid_picture = viewer.rest()  # all of the drag was taken in
    slid = viewer.scene(lambda scene: scene.noise.frequency > before.noise.frequency, "a higher frequency")
    assert slid.replace({"noise.frequency": before.noise.frequency}) == replace(before, camera=slid.camera)
    viewer.key("ctrl+z")
    undone = viewer.scene(lambda scene: scene.noise == before.noise, "the frequency from before")
    viewer.shows(picture[LAND]) if undone.camera == before.camera else viewer.changed(slid_picture[LAND])
    viewer.key("ctrl+shift+z")
    assert viewer.scene(lambda scene: scene.noise != before.noise, "the frequency again").noise == slid.noise
    viewer.key("ctrl+z")
    viewer.scene(lambda scene: scene.noise == before.noise, "the frequency from before")


def test_a_value_is_typed_and_the_arrow_puts_it_back(viewer):
    before = viewer.scene()
    place = places(before)[0]["noise.frequency"]
    viewer.open_field(place)
    viewer.key("ctrl+a", "8", "period", "5", "Return")
    typed = viewer.scene(lambda scene: scene.noise.frequency == 8.5, "the typed frequency")
    assert typed.replace({"noise.frequency": before.noise.frequency}) == replace(before, camera=typed.camera)
    # letters went to the field: no key of the scene did anything
    left, top, width, height = place
    viewer.point((left + width + theme.RESET_WIDTH / 2, top + height / 2))
    xdotool("click", 1)
    viewer.park()
    home = viewer.scene(lambda scene: scene.noise.frequency != 8.5, "the frequency put back")
    assert home.noise == before.noise
    viewer.key("ctrl+z", "ctrl+z")  # one for the arrow, one for the typing
    viewer.scene(lambda scene: scene.noise == before.noise, "the frequency of before the typing")
    viewer.key("ctrl+y")
    viewer.scene(lambda scene: scene.noise.frequency == 8.5, "the typed frequency again")
    viewer.key("ctrl+z")


def test_esc_takes_a_drag_back_and_never_quits(viewer):
    before = viewer.scene()
    place = places(before)[0]["noise.amplitude"]
    viewer.drag(on(place, 0.3), on(place, 0.6), release=False)
    viewer.key("Escape")
    xdotool("sleep", FRAME_S, "mouseup", 1)
    viewer.park()
    viewer.scene(lambda scene: scene.noise == before.noise, "the amplitude from before")
    viewer.open_field(place)
    viewer.key("3", "Escape", "Escape", "Escape")
    viewer.park()
    viewer.rest()
    assert viewer.process.poll() is None
    assert viewer.scene().noise == before.noise


@pytest.mark.slow
def test_r_gives_another_land_and_shift_r_the_one_before(viewer):
    viewer.key("Home")
    before, picture = viewer.scene(), viewer.rest()[LAND]
    viewer.key("r")
    viewer.changed(picture)
    assert viewer.scene(lambda scene: scene != before, "another seed").noise.seed == before.noise.seed + 1
    viewer.key("shift+r")
    viewer.scene(lambda scene: scene.noise.seed == before.noise.seed, "the seed from before")
    viewer.key("Home")
    viewer.shows(picture)


@pytest.mark.slow
def test_before_is_seen_while_its_key_is_held(viewer):
    first = viewer.rest()[LAND]
    viewer.key("r", "r", "r")
    viewer.changed(first)
    later = viewer.rest()[LAND]
    now = viewer.scene()
    with viewer.holding("backslash"):
        until(lambda: differ(screen(LAND), later), "the scene as it was opened")
        viewer.shows(first) if now.camera == viewer.scene().camera else None
    viewer.shows(later)
    assert viewer.scene() == now
    viewer.key("ctrl+z", "ctrl+z", "ctrl+z", "Home")
    viewer.shows(first)


def test_l_and_a_drag_move_the_sun_and_leave_the_camera(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    with viewer.holding("l"):
        viewer.drag((700, 350), (900, 300))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.sun != before.sun, "another sun")
    assert after.sun.azimuth != before.sun.azimuth and after.sun.elevation > before.sun.elevation
    assert replace(after, sun=before.sun) == before
    viewer.key("ctrl+z")
    assert viewer.scene(lambda scene: scene.sun == before.sun, "the sun from before") == before


@pytest.mark.slow
def test_z_goes_through_all_views_and_comes_back(viewer):
    modes = viewer.scene().view.declaration("mode").options
    pictures = [viewer.rest()[LAND]]
    for mode in modes[1:]:
        viewer.key("z")
        viewer.scene(lambda scene, mode=mode: scene.view.mode == mode, mode)
        pictures.append(viewer.rest()[LAND])
    assert all(differ(one, other) for one, other in itertools.pairwise(pictures))
    viewer.key("z")
    viewer.shows(pictures[0])


def test_a_picture_is_saved_without_the_panel_and_opens_as_the_same_scene(viewer, folders):
    before = viewer.scene()
    viewer.key("F12")
    path = until(lambda: next(folders[1].glob("*.png"), None), "a picture in the folder")
    assert isinstance(path, Path)
    saved = np.asarray(ImageGrab.Image.open(path).convert("RGB"))
    left, top, width, height = map(round, places(before)[1])
    assert saved.shape == (height, width, 3)
    assert scenes.load(path) == before
    shown = viewer.rest()[top : top + height, left : left + width]
    upper = slice(60, 400)  # a remark above, notices below
    assert np.abs(saved[upper].astype(int) - shown[upper]).mean() < 2
    assert [entry.name for entry in folders[1].iterdir()] == [path.name]
    viewer.key("p")
    until(lambda: len(list(folders[1].glob("*.png"))) == 2, "a second picture")


def test_killing_the_compute_process_costs_a_notice(viewer):
    before = viewer.scene()
    until(lambda: viewer.notices() == 0, "an end of the notices of the copying and of pictures saved before")
    picture = viewer.rest()[LAND]
    dead = [child for child in viewer.children if "llvmlite" in Path(f"/proc/{child}/maps").read_text()]
    assert len(dead) == 1
    os.kill(dead[0], signal.SIGKILL)
    until(lambda: viewer.notices() == 1, "a notice")
    assert alike(screen(LAND), picture)
    place = places(before)[0]["noise.amplitude"]
    viewer.drag(on(place, 0.9), on(place, 0.7))
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene(lambda scene: scene.noise != before.noise, "another amplitude")
    assert viewer.notices() <= 2  # the copying brings its own
    assert replace(after, noise=before.noise, camera=before.camera) == before
    viewer.children = children(viewer.process.pid)


def test_the_session_is_on_disk_soon_after_a_change(viewer, folders):
    viewer.key("r")
    now = viewer.scene()
    until(lambda: scenes.load(kept(folders[0])) == now, "the scene in the session's file", 10)
    left = {entry.name for entry in kept(folders[0]).parent.iterdir() if entry.suffix != ".toml"}
    assert left <= {"land.arrays", "lock"}, "no file that was written beside stays"


def test_the_palette_does_an_action_by_a_few_letters(viewer):
    before = viewer.scene()
    viewer.key("ctrl+p")
    xdotool("type", "--delay", 1, "nxt seed")
    viewer.key("Return")
    viewer.scene(lambda scene: scene.noise.seed == before.noise.seed + 1, "the next seed")
