"""Land exported for a program out of the window: in a process of its own, since it is computed anew at another size."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from fellview.core.errors import FellviewError
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.targets.target import Target

LIMIT_S = 3600.0
"""What an export may take: eight thousand cells a side with erosion take minutes."""

_SAYS = "fellview: "


def export(scene: Scene, target: Target, side: int, folder: Path) -> list[str]:
    """Write the land of `scene` into `folder` for `target`, and return what to tell the person, a line each.

    `FellviewError` with the process's own last line where it fails.
    """
    with tempfile.TemporaryDirectory() as place:
        recipe = Path(place) / "scene.toml"
        scenes.save(recipe, scene)
        words = ["export", str(recipe), "--for", target.name, "--size", str(side), "-o", str(folder.absolute())]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "fellview", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    told = [line.removeprefix(_SAYS) for line in done.stderr.splitlines() if line]
    if done.returncode != 0:
        raise FellviewError(told[-1] if told else f"{target.title}: export ended with status {done.returncode}")
    path, text, *_ = done.stdout.splitlines()
    return [f"Exported {path}; what to type in {target.title} stands in {Path(text).name}", *told]
