"""The real window, to be told by lines of JSON what no synthetic event can do: files dropped, texts on the clipboard.

{"drop": PATH}  {"clipboard": TEXT}  {"ask": NUMBER}: answered from within the loop, with what is wrong
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np

from fellview.desktop import viewer
from fellview.io import scenes
from fellview.scene import recipe

_pending = b""
_wrapped = False


def _orders() -> list[dict[str, Any]]:
    global _pending
    try:
        _pending += os.read(0, 1 << 20)
    except BlockingIOError:
        return []
    *lines, _pending = _pending.split(b"\n")
    return [json.loads(line) for line in lines]


def _wrong(one: viewer.Viewer) -> list[str]:
    """Return what no gesture may bring about: a recipe that is no recipe, heights that are no numbers, odd notices."""
    session, found = one.session, []
    again, _ = recipe.from_text(recipe.to_text(session.scene))
    if again != session.scene:
        found.append("the scene is another when it is read back")
    if session.result is not None and not np.isfinite(session.result.field.heights).all():
        found.append("heights that are no numbers")
    found += [f"a notice of unprintable letters: {text!r}"[:300] for text in session.notices if not text.isprintable()]
    return found


def _watch(one: viewer.Viewer, drawn: bool) -> None:
    """Have what is dropped come as the window's own event, while it waits for events."""
    global _wrapped
    if _wrapped:
        return
    _wrapped = True
    wait = one.window.wait

    def waited(seconds: float) -> None:
        wait(min(seconds, 0.2))
        for order in _orders():
            if "drop" in order:
                one.on_drop(Path(order["drop"]))
            elif "clipboard" in order:
                one.window.set_clipboard(order["clipboard"])
            else:
                print(json.dumps({"answer": order["ask"], "wrong": _wrong(one)}), flush=True)

    one.window.wait = waited  # type: ignore[method-assign]


if __name__ == "__main__":
    os.set_blocking(0, False)
    faulthandler.register(signal.SIGUSR1)
    viewer.run(scenes.load(Path(sys.argv[1])), (1280, 720), Path(sys.argv[2]), watch=_watch)
