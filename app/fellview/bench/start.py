"""A window's start, seen from within its process, which is run as ``python -m fellview.bench.start CLOCK``.

CLOCK is what the clock was when it was launched. As in the program itself, hardly anything is read before the window
is there, which is why this is a module of its own.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from fellview.bench import windows

if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

_WINDOW = (1280, 720)


def _started(launched: float) -> dict[str, float]:
    """Return the seconds from the launch to frames.

    The first, with the last session's picture where there is one, with the panel, with a progress line, with land that
    was drawn, and with it in full.
    """
    from fellview.core import garbage

    with garbage.unsearched():  # as the command does
        from fellview import paths
        from fellview.compute.child import Child
        from fellview.io import last_picture

        child = Child(waits=last_picture.is_left(paths.state_folder()))
        from fellview.desktop.first_frame import open_with_last_picture

        first = open_with_last_picture(_WINDOW, child)
        seen = {"window": time.monotonic() - launched}
        is_first = first.claim.source is None
        if first.present.kept is not None:
            seen["picture"] = seen["window"]
        from fellview.desktop.viewer import run

    def watch(viewer: Viewer, drawn: bool) -> None:
        now = time.monotonic() - launched
        if not drawn:
            return
        seen.setdefault("panel", now)
        if viewer.session.advanced:
            seen.setdefault("progress", now)
        if viewer.renderer.field is not None:
            seen.setdefault("terrain", now)
        if viewer.session.settled and viewer.pictures.up_to_date:
            seen.setdefault("full", now)
        if "full" in seen and (is_first or viewer.pictures.seen() is not None):
            viewer.window.close()

    run(None, _WINDOW, None, watch, child=child, first=first)
    seen.setdefault("progress", seen["terrain"])
    return seen


if __name__ == "__main__":
    sys.exit(windows.main(lambda: _started(float(sys.argv[1]))))
