"""Draws one land under every view mode, as one labelled sheet.

    .venv/bin/python scripts/view_modes.py highlands view-modes.png [480x270]

Other scripts call `sheet`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview.capture import capture, contact_sheet
from fellview.io import scenes
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene

_SAMPLES = 4


def sheet(scene: Scene, size: tuple[int, int] = (480, 270), engine: str = "auto") -> NDArray[np.uint8]:
    """Return the sheet of `scene`, uint8 [row, column, rgb]; `size` is one picture's, width and height in pixels."""
    modes = ",".join(mode for mode in View.declaration("mode").options if mode != "difference")  # from another land
    variation = contact_sheet.variation(scene, f"view.mode={modes}")
    pictures, across = contact_sheet.combinations(scene, [variation])
    return contact_sheet.sheet(pictures, across, size, _SAMPLES, lambda step, fraction: None, engine)


def main() -> None:
    """Write the sheet that the command line asks for."""
    name, out, *size = sys.argv[1:]
    width, height = (int(side) for side in (size[0] if size else "480x270").split("x"))
    scene = scenes.load(name)
    capture.save(Path(out), scene, sheet(scene, (width, height)))


if __name__ == "__main__":
    main()
