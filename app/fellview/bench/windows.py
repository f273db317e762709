"""Processes of their own in which windows are measured: started from one side, and on the other with a script as hand.

A module that measures so is run as ``python -m fellview.bench.NAME WORDS``: it calls `main`, and prints one JSON value.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fellview.core.errors import FellviewError

# the rest is imported where it is run: the compute process imports this module again, as the one it was started from
if TYPE_CHECKING:
    from fellview.bench.desk import Desk
    from fellview.desktop.viewer import Viewer
    from fellview.scene.scene import Scene


def child(module: str, words: Sequence[str], environment: Mapping[str, str], limit_s: float) -> Any:
    """Run a `module` of this room with `words` in a process of its own; return what it printed.

    `environment` is what it finds beside this process's own. `FellviewError` where it fails, or takes over `limit_s`.
    """
    command = [sys.executable, "-m", f"fellview.bench.{module}", *words]
    try:
        done = subprocess.run(
            command, env=os.environ | environment, capture_output=True, text=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise FellviewError(f"bench {module}: no answer within {limit_s:g} s") from None
    if done.returncode:
        raise FellviewError((done.stderr.strip().splitlines() or [f"bench {module}: the viewer failed"])[-1])
    return json.loads(done.stdout.splitlines()[-1])


def scripted(scene: Scene, size: tuple[int, int], script: Callable[[Desk], Generator[None]]) -> None:
    """Open the window on `scene` and go through `script`, a step a turn of its loop; its end closes the window."""
    from fellview.bench.desk import Desk
    from fellview.desktop.viewer import run

    def whole(viewer: Viewer) -> Generator[None]:
        desk = Desk(viewer)
        yield from script(desk)
        desk.hand.leave()
        viewer.window.close()

    under_way: list[Generator[None]] = []

    def watch(viewer: Viewer, drawn: bool) -> None:
        if not under_way:
            under_way.append(whole(viewer))
        next(under_way[0], None)

    run(scene, size, None, watch)


def main(measure: Callable[[], Any]) -> int:
    """Print what `measure` returns, or why there is none; return the process's exit status."""
    try:
        print(json.dumps(measure()))
    except FellviewError as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0
