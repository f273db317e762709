"""Pictures, films and slides out of the real window, by mouse and keys, up to the files that come of them.

One window serves all tests, in this order.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from PIL import Image

from fellview.capture import capture
from fellview.capture import film as films
from fellview.desktop import exporting, picture_page
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.studio.deck import Deck
from fellview.studio.films import film_file
from fellview.studio.films.film import Film, Timing
from fellview.studio.films.settings import Settings
from fellview.studio.films.turntable import Turntable
from fellview.ui import drawn
from fellview.ui.film import FilmView, Told
from fellview.ui.form_dialog import FormDialog
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.slides import SlidesView
from fellview.ui.status import Status
from tests.end_to_end.window import (
    LAND,
    PRESS_S,
    SIZE,
    STARTS_WITHIN_S,
    WITHIN_S,
    Viewer,
    alike,
    differ,
    on,
    places,
    screen,
    until,
    xdotool,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_state", "let_go")]

FRAMES, FRAME_SIZE = 4, (96, 54)
_BESIDE_NOTICES = LAND[0], slice(LAND[1].start, 720)  # those of the tests before go in their own time
Place = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """The person's own folder, in which dialogs begin."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def viewer(clipboard, folders, opened, home, tmp_path_factory):
    tools = tmp_path_factory.mktemp("tools")  # no zenity: the dialogs are to be our own
    for name in filter(shutil.which, ("xdotool", "xclip")):
        (tools / name).symlink_to(str(shutil.which(name)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(folders[0]))
        patch.setenv("HOME", str(home))
        patch.setenv("PATH", str(tools))
        viewer = Viewer(clipboard, opened, "--out", folders[1])
    yield viewer
    viewer.destroy()


def click(viewer: Viewer, place: Place) -> None:
    viewer.point(on(place, 0.5))
    xdotool("click", 1, "sleep", PRESS_S)


def laid_out(scene: Scene, draw: Callable[[], object], clicked: tuple[str, ...] = ()) -> dict[str, Place]:
    """Return where buttons and fields are that `draw` draws over the panel, once those `clicked` have been."""
    host, panel = Host(scale=1.0), Panel()
    status = Status(rows=scene.grid.rows, columns=scene.grid.columns, engine="CPU")
    host.resize(SIZE, SIZE)
    found: dict[str, Place] = {}

    def run() -> None:
        for _ in range(4):
            host.new_frame(1 / 60)
            panel.draw(scene, scene, status)
            draw()
            host.end_frame()
        found.clear()
        found.update({**drawn.places("button"), **drawn.places("entry")})

    run()
    for name in clicked:
        host.mouse_move(*on(found[name], 0.5))
        run()
        for down in (True, False):
            host.mouse_button(0, down)
            run()
    host.close()
    return found


def name_a_file(viewer: Viewer, path: Path) -> None:
    """Give the file dialog that has just been asked for the whole `path`."""
    middle = (slice(300, 400), slice(700, 900))
    until(lambda: screen(middle).mean() < 60 and np.ptp(screen(middle)) < 60, "the dialog")
    xdotool("sleep", 2 * PRESS_S, "key", "ctrl+a")
    xdotool("type", "--delay", 30, path)
    viewer.key("Return")


def test_a_transparent_picture_of_twice_the_size_comes_with_its_passes(viewer, folders):
    before, pictures = viewer.scene(), folders[1]
    pages = (*exporting.pages(pictures), picture_page.page(pictures, capture.USUAL_NAME))
    closed, opened = (
        laid_out(before, FormDialog("Export", pages, lambda title, texts: None, picture_page.PICTURE).draw, clicked)
        for clicked in ((), ("behind",))
    )
    viewer.key("shift+F12")
    xdotool("sleep", 1)
    click(viewer, closed["behind"])
    click(viewer, opened["Nothing"])
    click(viewer, closed["passes"])
    xdotool("type", "--delay", 40, "depth, heights")
    viewer.key("Return")
    found = until(
        lambda: (files := sorted(pictures.glob("[!.]*"))) and len(files) == 3 and files, "three files", STARTS_WITHIN_S
    )
    depth, heights, picture = sorted(found, key=lambda path: (path.suffix, path.name))
    width, height = map(round, places(before)[1][2:])
    with Image.open(picture) as image:
        assert image.size == (2 * width, 2 * height) and image.mode == "RGBA"
        alpha = np.asarray(image)[..., 3]
    assert alpha[0].max() == 0 and alpha[-1].min() == 255, "sky above, land below"
    assert scenes.load(picture) == before
    metres = {
        path: OpenEXR.File(str(path), separate_channels=True).channels()[channel].pixels
        for path, channel in ((depth, "depth.Z"), (heights, "heights.Y"))
    }
    sky, field = metres[depth] == np.float32(1e10), generate(before)
    assert (alpha[sky] == 0).mean() > 0.99 and (alpha[~sky] == 255).mean() > 0.99, (
        "but for pixels that have some of both"
    )
    seen = metres[heights][~sky]
    assert field.heights.min() - 0.1 <= seen.min() and seen.max() <= field.heights.max() + 0.1
    assert np.ptp(seen) > np.ptp(field.heights) / 4 and metres[depth][~sky].max() < 2 * max(field.size)


@pytest.mark.skipif(shutil.which("xclip") is None, reason="xclip is missing: sudo apt-get install xclip")
def test_what_is_seen_is_copied_as_a_picture_with_its_recipe(viewer, home):
    before = viewer.scene()
    seen, copied = viewer.rest()[LAND], home / "copied.png"
    viewer.key("ctrl+shift+c")

    def is_copied() -> bool:
        words = ["xclip", "-selection", "clipboard", "-target", "image/png", "-o"]
        copied.write_bytes(subprocess.run(words, capture_output=True, check=False, timeout=WITHIN_S).stdout)
        return copied.stat().st_size > 0

    until(is_copied, "a picture on the clipboard")
    assert scenes.load(copied) == before
    left, top, width, height = map(round, places(before)[1])
    with Image.open(copied) as image:
        assert image.size == (width, height) and image.mode == "RGB"
        part = np.asarray(image)[LAND[0].start - top : LAND[0].stop - top, LAND[1].start - left : LAND[1].stop - left]
    below = slice(20, None)  # of a badge in the upper corner
    assert alike(part[below], seen[below])


def test_a_film_is_opened_played_and_taken(viewer, home):
    scene = viewer.scene()
    film = Film(scene, Turntable(), Timing(frames=FRAMES, samples=1), FRAME_SIZE)
    for path, text in film_file.texts(home / "turn.toml", film).items():
        path.write_text(text, encoding="utf-8")
    seen = viewer.rest()[_BESIDE_NOTICES]
    rect = places(scene)[1]
    told = Told(FRAMES, 30.0, None, False)
    buttons = laid_out(scene, lambda: FilmView().draw(Settings(), scene, told, rect))
    viewer.key("F6")
    xdotool("sleep", 1)
    click(viewer, buttons["Open…"])
    name_a_file(viewer, home / "turn.toml")
    viewer.rest()
    click(viewer, buttons["Take…"])
    name_a_file(viewer, home / "turn.webp")
    until((home / "turn.webp").exists, "the film", STARTS_WITHIN_S)
    with Image.open(home / "turn.webp") as image:
        assert image.n_frames == FRAMES and image.size == FRAME_SIZE
        frames = []
        for number in range(FRAMES):
            image.seek(number)
            frames.append(np.asarray(image.convert("RGB")))
    films.take(home / "again", film)
    for number, frame in enumerate(frames):
        with Image.open(sorted((home / "again").glob("*.png"))[number]) as image:
            assert np.abs(frame.astype(int) - np.asarray(image.convert("RGB"))).mean() < 4, f"frame {number}"
    viewer.key("Escape")
    viewer.shows(seen, _BESIDE_NOTICES)


def test_slides_are_added_presented_with_nothing_else_on_the_screen_and_written_as_a_page(viewer, home):
    scene = viewer.scene()
    rect = places(scene)[1]
    buttons = laid_out(scene, lambda: SlidesView().draw(Deck(), None, (), rect))
    viewer.key("F4")
    xdotool("sleep", 1)
    click(viewer, buttons["View"])
    viewer.key("r")
    viewer.scene(lambda other: other.noise.seed != scene.noise.seed, "another land")
    click(viewer, buttons["View"])
    viewer.park()
    panel = (slice(0, 600), slice(0, 300))
    with_panel = screen(panel)
    viewer.key("F5")
    until(lambda: differ(screen(panel), with_panel), "a screen without the panel")
    last = viewer.rest()
    viewer.key("Home")
    until(lambda: differ(screen(LAND), last[LAND]), "the first slide")
    first = viewer.rest()
    viewer.key("Right")
    viewer.shows(last[LAND])
    assert differ(first[LAND], last[LAND])
    viewer.key("Escape")
    until(lambda: not differ(screen(panel), with_panel), "the panel again")
    viewer.key("ctrl+shift+e")
    name_a_file(viewer, home / "talk.html")
    until((home / "talk.html").exists, "the page", STARTS_WITHIN_S)
    facts = (home / "talk.html").read_text(encoding="utf-8").partition('id="facts">')[2].partition("</script>")[0]
    assert [one["land"] for one in json.loads(facts)["slides"]] == [0, 1]
