"""The picture that was saved last: what its notice shows of it, its file in a folder's window, its path copied."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fellview.core import foreign
from fellview.core.errors import FellviewError, InputError, one_line
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.session.session import Session
from fellview.ui.status import Saved

_SMALL = (160, 100)  # pixels at most, unscaled
_FINE = 2  # texels a pixel, for screens of twice the usual scale
_SQUARE, _SQUARES = 6, (150, 105)  # pixels a side and the two greys that are seen where a picture is transparent
# a picture of 8K is decoded apart from the window within a second, and takes 100 MB then
_SHOWN = foreign.Kind("a saved picture", foreign.PICTURE.most_bytes, ("PNG", "JPEG", "WEBP"), 16_384, 1 << 25)


def small(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return `pixels`, uint8 [row, column, rgb or more], as small as a notice shows them, uint8 [row, column, rgb]."""
    return _reduced(Image.fromarray(np.ascontiguousarray(pixels[..., :3])))


def small_of(path: Path) -> NDArray[np.uint8] | None:
    """Return the same of the picture at `path`, what is transparent over squares; none of no such or a larger one."""
    with contextlib.suppress(InputError):
        return _reduced(foreign.picture(path, _SHOWN).convert("RGBA"))
    return None


def _reduced(image: Image.Image) -> NDArray[np.uint8]:
    image.thumbnail((_FINE * _SMALL[0], _FINE * _SMALL[1]), Image.Resampling.BOX)
    if image.mode != "RGBA":
        return np.array(image)
    pixels = np.array(image)
    row, column = np.indices(pixels.shape[:2]) // (_FINE * _SQUARE)
    ground = np.where((row + column) % 2, *_SQUARES)[..., np.newaxis]
    alpha = pixels[..., 3:] / 255
    return np.rint(pixels[..., :3] * alpha + ground * (1 - alpha)).astype(np.uint8)


class SavedPicture:
    """The newest; `copy` fills the clipboard."""

    def __init__(self, session: Session, textures: Thumbnails, copy: Callable[[str], None]) -> None:
        self._session, self._textures, self._copy = session, textures, copy
        self._last: tuple[str, Path, NDArray[np.uint8] | None] | None = None

    def note(self, text: str, path: Path, picture: NDArray[np.uint8] | None) -> None:
        """Have the notice `text`, when it is shown, show `picture`, the file at `path` made small.

        It may be called in any thread.
        """
        self._last = (one_line(text), path.absolute(), picture)

    @property
    def shown(self) -> Saved | None:
        """What its notice shows; none where that is not there."""
        if self._last is None or self._last[0] not in self._session.notices:
            return None
        text, path, picture = self._last
        if picture is None:
            return Saved(text)
        rows, columns = picture.shape[:2]
        texture = self._textures.id(path)
        if texture is None:
            texture = self._textures.put(path, picture)
        share = min(_SMALL[0] / columns, _SMALL[1] / rows)
        return Saved(text, texture, (share * columns, share * rows))

    def show_in_folder(self) -> None:
        """Have the desktop show its file; `FellviewError` in one line where there is none, or no program for it."""
        path = self._path()
        words = {"darwin": ["open", "-R", str(path)], "win32": ["explorer", f"/select,{path}"]}.get(
            sys.platform, ["xdg-open", str(path.parent)]
        )
        try:
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as fault:
            raise FellviewError(f"{path.parent}: {words[0]} cannot show it: {fault.strerror or fault}") from None

    def copy_path(self) -> None:
        """Put its path on the clipboard; `FellviewError` where there is none."""
        self._copy(str(self._path()))
        self._session.notify("The path is on the clipboard", passing=True)

    def _path(self) -> Path:
        if self._last is None:
            raise FellviewError("no picture was saved yet: F12 saves one")
        return self._last[1]
