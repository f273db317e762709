"""The command palette, short texts and the map of the land in the real window, by mouse and keys.

One window serves all tests, in this order.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from fellview.io import scenes, short_texts
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.end_to_end.window import LAND, SIZE, WITHIN_S, alike, differ, screen, until, xdotool

_PASTED = (
    "import copykitten, sys; p, w, h = copykitten.paste_image(); sys.stdout.buffer.write(b'%d %d\\n' % (w, h) + p)"
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_state", "let_go")]


def typed(text):
    xdotool("type", "--delay", 40, text)


def map_part():
    """Return where the map stands beside the land: a window that is not there lays it out likewise."""
    host, panel = Host(), Panel()
    host.resize(SIZE, SIZE)
    for _ in range(3):
        host.new_frame(1 / 60)
        panel.draw(scenes.load("dunes"), scenes.load("dunes"), Status(map_where="beside"))
        host.end_frame()
    host.close()
    left, top, width, height = (round(one) for one in panel.map_rect)
    return left, top, width, height


def test_escape_takes_nothing_from_the_palette(viewer):
    before = viewer.scene()
    viewer.key("ctrl+p")
    typed("dunes")
    viewer.key("Escape")
    assert viewer.scene() == before


def test_a_short_text_is_copied_and_pasted(viewer, clipboard):
    before = viewer.scene()
    clipboard.put("nothing")
    viewer.key("ctrl+m")
    text = until(lambda: (found := clipboard.get()) != "nothing" and found, "a short text on the clipboard")
    assert short_texts.from_text(text)[0] == before
    viewer.key("r")
    viewer.scene(lambda scene: scene.noise.seed == before.noise.seed + 1, "the next seed")
    other = viewer.rest()[LAND]
    clipboard.put(f"`{text}`\n")
    viewer.key("ctrl+v")
    viewer.changed(other)  # before anything else is put on the clipboard
    viewer.scene(lambda scene: scene == before, "the scene of the short text")


def pasted():
    """Return the picture on the clipboard, uint8 [row, column, rgba], as others get it; none without one."""
    done = subprocess.run([sys.executable, "-c", _PASTED], check=False, capture_output=True, timeout=WITHIN_S)
    if done.returncode:
        assert b"CopykittenError" in done.stderr, done.stderr.decode()
        return None
    size, _, pixels = done.stdout.partition(b"\n")
    width, height = map(int, size.split())
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 4)


def test_what_is_seen_is_copied_as_a_picture(viewer, clipboard):
    clipboard.put("no picture")
    seen = viewer.rest()
    viewer.key("ctrl+shift+c")
    picture = until(lambda: [found] if (found := pasted()) is not None else None, "a picture on the clipboard")[0]
    beside = SIZE[0] - picture.shape[1]  # the panel, which is not in it
    upper = slice(60, 400)  # a remark above, notices below
    assert beside > 0 and (picture[..., 3] == 255).all()
    assert np.abs(picture[upper, :, :3].astype(int) - seen[upper, beside:]).mean() < 2


def test_a_click_on_the_map_aims_and_a_drag_draws_a_profile(viewer):
    left, top, width, height = map_part()
    part = slice(top + 50, top + 250), slice(left + 20, left + 300)
    before = screen(part)
    viewer.key("o")
    until(lambda: differ(screen(part), before) and len(np.unique(screen(part).reshape(-1, 3), axis=0)) > 60, "the map")
    camera = viewer.scene().camera
    viewer.point((left + 120, top + 150))
    xdotool("click", 1)
    aimed = viewer.scene(lambda scene: scene.camera != camera, "another camera").camera
    assert (aimed.yaw, aimed.pitch) == (camera.yaw, camera.pitch) or (aimed.x, aimed.z) == (camera.x, camera.z)
    below = slice(top + height - 300, top + height - 5), slice(left + 10, left + width - 10)
    without = screen(below)
    viewer.drag((left + 60, top + 100), (left + 200, top + 220))
    until(lambda: differ(screen(below), without), "the profile")
    assert viewer.scene().camera == aimed, "a drag on the map moves no camera"
    viewer.key("Escape")
    viewer.key("o")
    until(lambda: alike(screen(part), before) or differ(screen(part), without), "the land in its place")
