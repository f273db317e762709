"""Compiles what windows draw before they are measured, so that these show the full look from their first frame on.

A window of software OpenGL that finds nothing compiled shows a simple look meanwhile, and what it is measured at is
then of that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from fellview import warm_up
from fellview.core.errors import FellviewError
from fellview.draw import compiled_ahead
from fellview.io import scenes
from fellview.scene.scene import Scene


def compile_ahead(measured: Sequence[Scene], tell: Callable[[str], None] = lambda text: None) -> None:
    """Compile the kernels and shaders of the scenes `measured`, as `fellview warm-up` does, where they are not yet.

    `tell` is told before, since that takes minutes, and what share of it is done. `FellviewError` where that fails.
    """
    cold = {compiled_ahead.kind(scene): scene for scene in measured if not compiled_ahead.is_done(scene)}
    if not cold:
        return
    names = ", ".join(dict.fromkeys(scene.name for scene in cold.values()))
    tell(f"compiling kernels and shaders ahead, as `fellview warm-up` does, which takes minutes: {names}")
    with tempfile.TemporaryDirectory(prefix="fellview-") as folder:
        paths = {str(Path(folder) / f"{kind}.toml"): scene for kind, scene in cold.items()}
        for path, scene in paths.items():
            scenes.save(Path(path), scene)
        faults = warm_up.run(list(paths), lambda what, share: tell(f"compiled {100 * share:.0f} %"))
    if faults:
        path = next(path for path in paths if faults[0].startswith(path))
        reason = f"{paths[path].name}{faults[0].removeprefix(path)}"
        raise FellviewError(f"what is measured cannot be compiled ahead, nor by `fellview warm-up`: {reason}")
