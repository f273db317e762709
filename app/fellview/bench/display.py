"""A display to open windows on: the one that there is, or an X server of one's own."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator

from fellview.core.errors import FellviewError

_STARTS_WITHIN_S = 60


@contextlib.contextmanager
def display(size: tuple[int, int]) -> Iterator[None]:
    """Have a display while this lasts: where there is none, Xvfb with a screen of `size` pixels, which DISPLAY names.

    `FellviewError` where there is neither.
    """
    has_one = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if has_one or not sys.platform.startswith("linux"):
        yield
        return
    if shutil.which("Xvfb") is None:
        raise FellviewError("no window: DISPLAY names no display, and Xvfb, which would do, is not installed")
    reading, writing = os.pipe()
    screen = f"{size[0]}x{size[1]}x24"
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(words, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    before = {name: os.environ.get(name) for name in ("DISPLAY", "XDG_SESSION_TYPE")}
    try:
        with os.fdopen(reading) as number:
            ready, _, _ = select.select([number], [], [], _STARTS_WITHIN_S)
            name = number.readline().strip() if ready else ""
        if not name:
            raise FellviewError("no window: Xvfb did not start")
        os.environ |= {"DISPLAY": f":{name}", "XDG_SESSION_TYPE": "x11"}
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        server.terminate()
        server.wait()
