"""Good views in the real window: G shows them, a click looks from one, Esc closes them; and bookmarks flown to."""

from __future__ import annotations

import pytest

from fellview.scene.bookmarks import rounded
from fellview.view.ground import floor_at
from tests.end_to_end.window import LAND, PRESS_S, SIZE, screen, until, xdotool
from tests.end_to_end.window import land as land_of

pytestmark = pytest.mark.usefixtures("own_state", "let_go")

PANEL_WIDTH, LINE = 340, 26  # pixels: of the panel, and of the status line below the strip
THUMBNAILS = (slice(SIZE[1] - LINE - 120, SIZE[1] - LINE - 30), slice(PANEL_WIDTH + 40, SIZE[0] - 40))
BELOW_THEM = (slice(SIZE[1] - LINE - 18, SIZE[1] - LINE - 15), THUMBNAILS[1])  # the strip's own ground


def is_open() -> bool:
    ground = screen(BELOW_THEM)
    return ground.max() < 60 and ground.std() < 6


def lively(columns: slice) -> bool:
    """Return whether something is drawn in `columns` of the strip: a picture has more levels than a plain ground."""
    return float(screen()[THUMBNAILS[0], columns].std()) > 12


def test_g_shows_thumbnails_a_click_flies_there_and_esc_closes_them(viewer):
    before, without = viewer.scene(), viewer.rest()
    viewer.key("g")
    width = (THUMBNAILS[1].stop - THUMBNAILS[1].start) // 6
    parts = [
        slice(THUMBNAILS[1].start + number * width, THUMBNAILS[1].start + (number + 1) * width) for number in range(6)
    ]
    until(lambda: is_open() and all(lively(part) for part in parts), "six thumbnails", 60)
    picture = screen(LAND)
    xdotool("mousemove", parts[3].start + width // 2, (THUMBNAILS[0].start + THUMBNAILS[0].stop) // 2, "sleep", PRESS_S)
    xdotool("click", 1)
    viewer.park()
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.camera != before.camera, "another camera")
    assert after.with_group(before.camera) == before, "only the camera has changed"
    assert after.camera.y >= floor_at(land_of(after), after.camera.x, after.camera.z)
    viewer.key("Escape")
    until(lambda: not is_open(), "the strip's end")
    viewer.key("Home")
    viewer.scene(lambda scene: scene.camera == before.camera, "the scene's own camera")
    viewer.shows(without[LAND])


def test_a_bookmark_is_set_and_flown_back_to(viewer):
    first = viewer.scene().camera
    viewer.key("ctrl+4")
    marked = viewer.scene(lambda scene: scene.bookmarks, "a bookmark")
    assert [(one.number, one.camera) for one in marked.bookmarks] == [(4, rounded(first))]
    viewer.key("f")
    viewer.scene(lambda scene: scene.camera != first, "another camera")
    elsewhere = viewer.rest()[LAND]
    viewer.key("4")
    viewer.changed(elsewhere)
    viewer.rest()  # every key would end the flight, so it is over before the recipe is asked for
    after = viewer.scene(lambda scene: scene.camera == rounded(first), "the bookmark's camera")
    assert after.bookmarks == marked.bookmarks
    viewer.key("ctrl+z")
    viewer.scene(lambda scene: not scene.bookmarks, "no bookmark")
