"""Pictures on the clipboard, for which GLFW has no call: it knows text alone."""

from __future__ import annotations

import os
import shutil
import subprocess

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import FellviewError, one_line
from fellview.io import pictures

_TOOLS = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-target", "image/png")),
)
"""Programs of Linux desktops, each with the variable that tells of its desktop.

They hold the very PNG, its recipe inside, until something else is copied, even when the window is closed.
"""
_WITHIN_S = 5.0  # they answer within milliseconds, unless the desktop does not


def put_picture(pixels: NDArray[np.uint8], recipe: str, taken: str = "") -> None:
    """Put `pixels`, uint8 [row, column, rgba], on the clipboard as a PNG, opaque; it may take some tenths of a second.

    It carries its `recipe` and how it was `taken` where the way there leaves them. `FellviewError` in one line where
    there is no way to.
    """
    for variable, words in _TOOLS:
        if os.environ.get(variable) and shutil.which(words[0]):
            return _pipe(words, pictures.to_bytes(pixels, recipe, taken))
    import copykitten

    opaque = pixels.copy()
    opaque[..., 3] = 255
    try:
        # without `detach`, which empties whatever a file of one name in /tmp leads to: it is there while the window is
        copykitten.copy_image(opaque.tobytes(), pixels.shape[1], pixels.shape[0])
    except copykitten.CopykittenError as fault:
        raise FellviewError(_unable(str(fault))) from None


def _pipe(words: tuple[str, ...], png: bytes) -> None:
    """Hand `png` to the program `words`, which stays behind with it."""
    try:
        # what stays behind would hold a pipe open for as long
        subprocess.run(
            words, input=png, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_WITHIN_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as fault:
        raise FellviewError(_unable(str(fault))) from None


def _unable(why: str) -> str:
    tools = " or ".join(words[0] for _, words in _TOOLS)
    return f"the picture is not on the clipboard: {one_line(why)}; on Linux {tools} would take it, and F12 saves it"
