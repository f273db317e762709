"""The window's first frame: what the last one showed, on the screen while the rest of the program is read.

Reading the modules takes longer than opening a window, and a first picture as long again. So this one needs few.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fellview import paths
from fellview.desktop.window import Window, open_window
from fellview.draw.present import Part, PresentPass
from fellview.draw.target import Target
from fellview.io import array_cache, last_picture, sessions

if TYPE_CHECKING:
    from fellview.compute.child import Child


@dataclass(frozen=True)
class FirstFrame:
    """A window that is on the screen, the session's folder that it has claimed, and the picture in a part of it."""

    claim: sessions.Claim
    window: Window
    present: PresentPass
    part: Part


def open_with_last_picture(size: tuple[int, int], child: Child | None = None) -> FirstFrame:
    """Open a window of that size in its units, which shows the last session's picture, or black where there is none.

    `child` is begun in the second case: where all was drawn the last time, the land is there, too, and nothing is to be
    computed. `FellviewError` says in one line why there is no window.
    """
    with contextlib.ExitStack() as undone:
        claim = sessions.claim(paths.state_folder())
        undone.callback(claim.release)
        kept = None if claim.source is None else last_picture.load(claim.source)
        if child is not None and kept is None:
            child.begin()
        shown = _show(claim, kept, open_window(size))
        undone.pop_all()
    # while the modules are read
    array_cache.read_ahead(
        [*([] if claim.source is None else [sessions.whole_land(claim.source)]), *array_cache.kept()]
    )
    return shown


def _show(claim: sessions.Claim, kept: last_picture.LastPicture | None, window: Window) -> FirstFrame:
    """Draw the first frame."""
    present = PresentPass(window.context)
    framebuffer = window.extent().framebuffer
    part: Part = (0, 0, *framebuffer)
    if kept is not None and kept.framebuffer == framebuffer:
        part = kept.part
        target = Target(window.context, part[2:])
        target.write(kept.pixels)
        present.kept = target
    present.draw(window.fbo, framebuffer, part)
    window.show_frame()
    return FirstFrame(claim, window, present, part)
