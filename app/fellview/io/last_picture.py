"""The last picture: what a window showed when it was closed, on the screen before the next one has land to draw.

It lies in the session's folder (`array_cache.py`) and belongs to the very text of the session's scene: reading that
takes the recipe and all parameters, which are read while the picture is on the screen.
"""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io import array_cache, sessions
from fellview.version import VERSION

_CHANNELS = 4


@dataclass(frozen=True)
class LastPicture:
    """What was seen of the land: `pixels`, uint8 [row, column, rgba] from the top, and where in the window.

    `part` is left, bottom, width and height in pixels of a framebuffer of the size `framebuffer`.
    """

    pixels: NDArray[np.uint8]
    part: tuple[int, int, int, int]
    framebuffer: tuple[int, int]


def _place(folder: Path) -> Path:
    return folder / "picture.arrays"


def is_left(state: Path) -> bool:
    """Return whether a session in the state folder has a last picture, be it the one of the window to come or not."""
    return any(_place(folder).exists() for folder in sessions.folders(state))


def _key(folder: Path) -> str:
    """Return what tells the session in `folder` from all others; `InputError` where none can be read."""
    text = foreign.content(folder / sessions.SESSION, foreign.RECIPE)
    return hashlib.sha256(VERSION.encode() + b"\n" + text).hexdigest()


def store(folder: Path, picture: LastPicture) -> None:
    """Write `picture` beside the session in `folder`, whose last it is; nothing where that cannot be."""
    with contextlib.suppress(InputError, OSError):  # the next window opens without it
        placed = np.array([*picture.part, *picture.framebuffer], np.int32)
        array_cache.write(_place(folder), _key(folder), [picture.pixels, placed])


def load(folder: Path) -> LastPicture | None:
    """Return the last picture of the session in `folder`; none where there is none, a damaged one, or another scene."""
    try:
        found = array_cache.read(_place(folder), _key(folder))
    except (InputError, OSError):
        return None
    if found is None or len(found) != 2:
        return None
    pixels, placed = found
    if pixels.dtype != np.uint8 or placed.dtype != np.int32 or placed.shape != (6,):
        return None
    left, bottom, width, height, wide, high = map(int, placed)
    fits = min(left, bottom) >= 0 and min(width, height) >= 1 and left + width <= wide and bottom + height <= high
    if not fits or pixels.shape != (height, width, _CHANNELS):
        return None
    return LastPicture(pixels, (left, bottom, width, height), (wide, high))
