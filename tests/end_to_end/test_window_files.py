"""Files under the hand, in the real window: dialogs by keyboard and by mouse, up to the scene that comes of them.

One window serves all tests, in this order.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fellview.capture import capture
from fellview.desktop import exporting, picture_page
from fellview.desktop.exporting import HEIGHTS
from fellview.heightmaps import height_file
from fellview.heightmaps.registry import READ_SUFFIXES
from fellview.io import imports, scenes
from fellview.library import generate
from fellview.scene import recipe
from fellview.scene.groups.ground import MATERIALS
from fellview.scene.scene import Scene
from fellview.ui import drawn
from fellview.ui.file_dialog import FileDialog
from fellview.ui.form_dialog import FormDialog
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.end_to_end.window import LAND, PRESS_S, SIZE, STARTS_WITHIN_S, Viewer, on, screen, until, xdotool

pytestmark = pytest.mark.usefixtures("own_state", "let_go")

HANDS = ("keyboard", "mouse")
EACH_HAND = pytest.mark.parametrize("hand", ["keyboard", pytest.param("mouse", marks=pytest.mark.slow)])
IN_PANEL = (160, 400)
Place = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """The person's own folder, in which dialogs begin."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def viewer(clipboard, folders, opened, home, tmp_path_factory):
    tools = tmp_path_factory.mktemp("tools")  # no zenity: the dialogs are to be our own
    (tools / "xdotool").symlink_to(str(shutil.which("xdotool")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(folders[0]))
        patch.setenv("HOME", str(home))
        patch.setenv("PATH", str(tools))
        viewer = Viewer(clipboard, opened, "--out", folders[1])
    yield viewer
    viewer.destroy()


class Replica:
    """Panel and dialog laid out anew, as they stand in a window of the usual size, and moved by the same hand."""

    def __init__(self, scene: Scene, dialog: FileDialog | None = None, recent: tuple[Path, ...] = ()) -> None:
        self._host, self.panel = Host(scale=1.0), Panel()
        self._host.resize(SIZE, SIZE)
        self._scene, self._dialog = scene, dialog
        lists = {"presets": scenes.presets(), "titles": scenes.titles(), "recent": recent}
        self._status = Status(rows=2, columns=2, engine="CPU", **lists)
        self.run()

    def run(self, frames: int = 4) -> None:
        for _ in range(frames):
            self._host.new_frame(1 / 60)
            self.panel.draw(self._scene, self._scene, self._status)
            if self._dialog is not None:
                self._dialog.draw()
            self._host.end_frame()

    def point(self, at: tuple[float, float]) -> None:
        self._host.mouse_move(*at)
        self.run()

    def click(self) -> None:
        for down in (True, False):
            self._host.mouse_button(0, down)
            self.run()

    def wheel(self) -> None:
        self._host.wheel(0, -1)
        self.run(10)

    def close(self) -> None:
        self._host.close()


def click(viewer: Viewer, place: Place) -> None:
    viewer.point(on(place, 0.5))
    xdotool("click", 1, "sleep", PRESS_S)


def click_rows(viewer: Viewer, scene: Scene, *keys: str) -> Place:
    """Click what `keys` name in the panel, one after the other, scroll to where each is, and return the last place."""
    replica = Replica(scene)
    place = (0.0, 0.0, 0.0, 0.0)
    for key in keys:
        replica.point(IN_PANEL)
        viewer.point(IN_PANEL)
        notches = 0
        while (place := replica.panel.place(key))[1] + place[3] > SIZE[1] - 40:
            replica.wheel()
            notches += 1
        if notches:
            xdotool("click", "--repeat", notches, "--delay", 20, 5, "sleep", PRESS_S)
        replica.point(on(place, 0.5))
        replica.click()
        click(viewer, place)
    replica.close()
    return place


def answer(viewer: Viewer, hand: str, dialog: FileDialog, name: str, verb: str = "Open") -> None:
    """Give the dialog that has just been asked for, as `dialog` lays it out, the file `name` of its folder."""
    middle = (slice(300, 400), slice(700, 900))
    until(lambda: screen(middle).mean() < 60 and np.ptp(screen(middle)) < 60, "the dialog")
    time.sleep(2 * PRESS_S)  # until its field has the keyboard
    if hand == "keyboard":
        viewer.key("ctrl+a")
        xdotool("type", "--delay", 30, name)
        viewer.key("Return")
        return
    replica = Replica(Scene(), dialog)
    if verb == "Open":
        click(viewer, dialog.place(name))
    click(viewer, dialog.place(verb))
    replica.close()
    viewer.park()


def fill_in(viewer: Viewer, home: Path, hand: str, page: str, verb: str) -> None:
    """Hand the export's form in, which has just been asked for, with what stands on a `page`."""
    time.sleep(1)
    if hand == "keyboard":
        viewer.key("Return")
        return
    pages = (*exporting.pages(home / "exported"), picture_page.page(home, capture.USUAL_NAME))
    replica = Replica(Scene(), FormDialog("Export", pages, lambda title, texts: None))
    for name in (page, verb):
        there = drawn.places("button")[name]
        click(viewer, there)
        replica.point(on(there, 0.5))
        replica.click()
    replica.close()
    viewer.park()


def undone(viewer: Viewer, before: Scene, after: Scene) -> None:
    """Assert that what has changed is one step of undo, there and back."""
    viewer.key("ctrl+z")
    assert viewer.scene(lambda scene: replace(scene, camera=before.camera) == before, "the scene from before")
    viewer.key("ctrl+shift+z")
    assert viewer.scene(lambda scene: replace(scene, camera=after.camera) == after, "the scene again")
    viewer.key("ctrl+z")
    viewer.scene(lambda scene: replace(scene, camera=before.camera) == before, "the scene from before")


@EACH_HAND
def test_a_scene_is_opened_out_of_the_dialog(viewer, home, hand):
    before = viewer.scene()
    wanted = before.replace({"noise.seed": before.noise.seed + 7, "sun.elevation": 33.0, "camera.yaw": 10.0})
    wanted = replace(wanted, name=f"From the {hand}")
    scenes.save(home / "other.toml", wanted)
    viewer.key("ctrl+o")
    answer(viewer, hand, FileDialog("open", "Open a scene", home, (".toml", ".png"), native=False), "other.toml")
    assert viewer.scene(lambda scene: scene != before, "another scene") == wanted
    undone(viewer, before, wanted)


@pytest.mark.slow
def test_land_is_exported_for_a_program_at_a_size_that_it_takes(viewer, home):
    viewer.key("ctrl+e")
    fill_in(viewer, home, "mouse", "Unreal Engine", "Export")
    folder = home / "exported"
    until(lambda: list(folder.glob("*-unreal.txt")), "the text, written last", STARTS_WITHIN_S)
    (path,) = folder.glob("*-unreal.png")
    with Image.open(path) as image:
        assert image.size == (1009, 1009) and image.mode == "I;16"


@EACH_HAND
def test_a_height_map_is_imported_out_of_the_dialog(viewer, home, hand):
    before = viewer.scene()
    rows, columns = np.mgrid[:24, :36]
    Image.fromarray((1000 * rows + 7 * columns**2).astype(np.uint16)).save(home / "heights-36.png")
    viewer.key("ctrl+i")
    dialog = FileDialog("open", "Import a height map", home, READ_SUFFIXES, native=False)
    answer(viewer, hand, dialog, "heights-36.png")
    after = viewer.scene(lambda scene: scene.imported.enabled, "an imported land")
    assert after.imported.path == str(home / "heights-36.png")
    assert after.imported.sha256 == height_file.digest(home / "heights-36.png")
    assert replace(after, camera=before.camera) == imports.chosen(before, home / "heights-36.png")[0]
    undone(viewer, before, after)


@EACH_HAND
def test_heights_are_exported_out_of_the_dialog(viewer, home, hand):
    before = viewer.scene()
    viewer.key("ctrl+e")
    fill_in(viewer, home, hand, HEIGHTS, "Continue")
    dialog = FileDialog("save", "Export as PNG", home, (".png",), "heights.png", native=False)
    name = "mine.npy" if hand == "keyboard" else "heights.png"
    answer(viewer, hand, dialog, name, "Save")
    until(lambda: (home / f"{name}.json").exists() and (home / name).exists(), "the file", STARTS_WITHIN_S)
    heights = generate(before).heights
    written = height_file.read(home / name)
    assert written.metres == pytest.approx((heights.min(), heights.max()))
    if hand == "keyboard":
        assert np.array_equal(written.values, heights)
    # an import frames the land once that is there, which may be now
    assert replace(viewer.scene(), camera=before.camera) == before


@pytest.mark.slow
def test_a_page_is_exported_out_of_the_dialog(viewer, home):
    before = viewer.scene()
    viewer.key("ctrl+shift+e")
    answer(viewer, "keyboard", FileDialog("save", "", home, (".html",), native=False), "mine.html", "Save")
    until((home / "mine.html").exists, "the page", STARTS_WITHIN_S)
    said = re.search(r'id="facts">(.*?)</script>', (home / "mine.html").read_text())[1]
    (land,) = json.loads(said)["lands"]
    assert recipe.from_text(land["recipe"])[0] == before


@pytest.mark.slow
def test_textures_are_chosen_out_of_the_dialog(viewer, clipboard, home):
    before = viewer.scene().replace({"ground.kind": "materials"})
    picture = viewer.rest()[LAND]
    clipboard.put(recipe.to_text(before))
    viewer.key("ctrl+v")
    viewer.changed(picture)
    viewer.scene(lambda scene: scene == before, "the pasted scene")
    Image.new("RGB", (8, 8), (200, 40, 40)).save(home / "rock.png")

    def ask():  # by the palette: an import before has closed sections, so that no row stands where it did
        viewer.rest()
        viewer.key("ctrl+p")
        viewer.rest()
        xdotool("type", "--delay", 60, "ground textures")
        viewer.key("Return")

    ask()
    for hand in HANDS:
        names = ", ".join(MATERIALS)
        answer(viewer, hand, FileDialog("open", f"A folder of {names}", home, (".png",), native=False), "rock.png")
        after = viewer.scene(lambda scene: scene.ground.textures, "textures")
        assert after == before.replace({"ground.textures": str(home)})
        undone(viewer, before, after)
        ask()
    viewer.key("Escape")


def test_after_a_crash_the_scene_is_there_and_a_recent_file_is_chosen_from_the_list(viewer, clipboard, folders, home):
    """What ends the program at once, such as a fault inside a library, costs nothing that was kept before."""
    wanted = scenes.load(home / "other.toml")
    viewer.key("r")
    now = viewer.scene()
    kept = folders[0].rglob
    until(lambda: any(scenes.load(path) == now for path in kept("session.toml")), "the session on the disk", 10)
    viewer.process.send_signal(signal.SIGSEGV)
    viewer.process.wait()
    assert "Segmentation fault" in (folders[0] / "crash.log").read_text()
    again = Viewer(clipboard, "--out", folders[1])
    try:
        assert again.scene() == now
        replica = Replica(now, recent=(home / "other.toml",))
        click(again, replica.panel.place("scene"))
        replica.point(on(replica.panel.place("scene"), 0.5))
        replica.click()
        click(again, replica.panel.place(str(home / "other.toml")))
        replica.close()
        assert again.scene(lambda scene: scene == wanted, "the recent scene")
        undone(again, now, wanted)
        again.process.send_signal(signal.SIGTERM)
        again.ends()
    finally:
        again.destroy()
