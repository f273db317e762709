"""Pictures for a file: drawn without panel and window decoration, the recipe inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError, quoted
from fellview.core.height_field import HeightField
from fellview.draw.frame import FrameOptions
from fellview.draw.passes import Passes, whole
from fellview.draw.renderer import Renderer
from fellview.draw.target import Region, Size, Target, require_size
from fellview.gpu import context as gpu_context
from fellview.io import pictures, scenes
from fellview.scene.scene import Scene
from fellview.view.ground import above_all

Pixels = NDArray[np.uint8]

SAMPLES = (1, 256)
BAND_PIXELS = 1 << 22
"""Most pixels that are drawn at once: OpenGL takes some 60 bytes for each of them, a quarter of a gigabyte for all."""
_BAND_ROWS = 64  # of which bands have a multiple: pixels are shaded in squares, which are then those of the whole

PLACEHOLDERS = ("{scene}", "{seed}", "{size}", "{number}")
"""What a picture's name may have in it, and is filled in."""
USUAL_NAME = "{scene}-{seed}-{size}-{number}"

_MOST_NAMES = 9999
_SIZE = re.compile(r"(\d{1,6})[xX](\d{1,6})", re.ASCII)

_LONGEST_NAME = 40
"""Most letters of a scene's name in a file's name, which may have 255 bytes; a letter can have four."""


def picture(
    scene: Scene,
    field: HeightField,
    size: Size,
    samples: int = 4,
    notice: Callable[[str], None] = lambda text: None,
) -> NDArray[np.uint8]:
    """Return `scene` drawn over `field` without a window, uint8 [row, column, rgba].

    `notice` is told in one line of what could not be drawn as asked.
    """
    require_size(size)
    with gpu_context.aside() as context:
        renderer = Renderer(context)
        pixels = still(renderer, scene, field, size, samples)
        for text in renderer.take_notices():
            notice(text)
        return pixels


def bands(size: Size, most_pixels: int = BAND_PIXELS) -> list[Region]:
    """Return the parts, each as wide as a picture of `size`, that it is drawn in one after the other, the top first."""
    width, height = size
    rows = max(most_pixels // width // _BAND_ROWS, 1) * _BAND_ROWS
    if width * height <= most_pixels:
        rows = height
    return [Region(0, low, (width, min(rows, height - low)), size) for low in range(0, height, rows)][::-1]


class Still:
    """A picture for a file that is drawn by `renderer` frame by frame, between which it may draw others.

    It is drawn band by band, so that a large one takes no more of OpenGL's memory than a small one, and each band is
    handed to `take`, the top first, or kept in `pixels` where nobody takes it. As in the window the eye is lifted where
    ground or sea would cover it.
    """

    def __init__(
        self,
        renderer: Renderer,
        scene: Scene,
        field: HeightField,
        size: Size,
        samples: int,
        take: Callable[[Pixels], None] | None = None,
        *,
        transparent: bool = False,
        most_pixels: int = BAND_PIXELS,
    ) -> None:
        self.field = field
        self.pixels: Pixels | None = None
        """The picture, uint8 [row, column, rgba], once all frames are drawn."""
        self._renderer, self._size, self._samples = renderer, size, samples
        self.scene = scene.with_group(above_all(scene, field))
        """What is drawn."""
        self._transparent = transparent
        if transparent:  # there is nothing that its border could fade into
            self.scene = self.scene.with_group(scene.view.replace(border=0.0))
        self._mean = renderer.accumulator()
        self.bands = bands(size, most_pixels)
        self._kept: list[Pixels] = []
        self._take = take or self._kept.append
        self._number = self.bands_done = 0

    def passes(self) -> Passes[Target]:
        """Draw the next frame pass by pass; where that is given up, it is still the next.

        `FellviewError` where OpenGL is lost or has no memory left.
        """
        renderer = self._renderer
        renderer.show(self.field)
        renderer.seconds = 0.0  # so that a recipe gives one picture, whenever it is drawn
        yield
        target = yield from renderer.passes(
            self.scene,
            self._size,
            self._samples,
            self._number,
            options=FrameOptions(transparent=self._transparent),
            mean=self._mean,
            region=self.bands[self.bands_done],
        )
        self._number += 1
        if self._number == renderer.frames(self._samples):
            renderer.require_sound()
            self._number, self.bands_done = 0, self.bands_done + 1
            self._take(target.pixels(transparent=self._transparent))
            if self.bands_done == len(self.bands):
                self.pixels = np.concatenate(self._kept) if self._kept else None
                self.release()
        return target

    def is_like(self, other: Still) -> bool:
        """Return whether `other` becomes the same picture."""
        return self.field is other.field and self._drawn == other._drawn

    @property
    def _drawn(self) -> tuple[Scene, Size, int, bool]:
        return self.scene, self._size, self._samples, self._transparent

    @property
    def share_done(self) -> float:
        """How much of it is drawn, 0 to 1."""
        return (self.bands_done + self._number / self._renderer.frames(self._samples)) / len(self.bands)

    def draw_frame(self) -> None:
        """Draw the next frame in one go."""
        whole(self.passes())

    def drawn(self) -> NDArray[np.uint8]:
        """Return the picture, of which all frames are drawn that are not yet."""
        while self.pixels is None:
            self.draw_frame()
        return self.pixels

    def release(self) -> None:
        """Give the memory back."""
        self._mean.release()
        self._kept = []


def still(renderer: Renderer, scene: Scene, field: HeightField, size: Size, samples: int) -> NDArray[np.uint8]:
    """Return `scene` drawn by `renderer` over `field`, uint8 [row, column, rgba]."""
    return Still(renderer, scene, field, size, samples).drawn()


def save(path: Path, scene: Scene, pixels: NDArray[np.uint8], taken: str = "") -> None:
    """Write `pixels` with the recipe of `scene` to `path`, and how they were `taken`: `Shot.text`."""
    pictures.save(path, pixels, scenes.to_text(scene, path.parent, shared=True), taken)


def stamped_path(folder: Path, scene: Scene, suffix: str, now: datetime | None = None) -> Path:
    """Return a file name in `folder` that nobody has taken: the scene's name and the time, which is `now`."""
    stem = f"{_words(scene.name) or 'scene'}-{now or datetime.now():%Y%m%d-%H%M%S}"
    for number in range(1, 1000):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
        if not path.exists():
            return path
    raise InputError(f"{folder}: a thousand pictures of this second already")


def named_path(folder: Path, name: str, scene: Scene, size: Size) -> Path:
    """Return the path in `folder` of the `name` with `PLACEHOLDERS` filled in, one that nobody has taken.

    A name without a number gets one where that is needed. `InputError` where there is another placeholder in it, and
    where no file may have the name.
    """
    stem, dot, suffix = name.rpartition(".")
    usual = f"{stem}{dot}{suffix}" if "{number}" in name else f"{stem}-{{number}}{dot}{suffix}"
    for number in range(1, _MOST_NAMES + 1):
        path = folder / filled(name if number == 1 else usual, scene, size, number)
        try:
            taken = path.exists()
        except OSError as fault:
            raise InputError(f"name = {quoted(name)}: {fault.strerror}") from None
        if not taken:
            return path
    raise InputError(f"{folder / name}: {_MOST_NAMES:,} such pictures already")


def filled(name: str, scene: Scene, size: Size, number: int, more: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return `name` with `PLACEHOLDERS` filled in, and with `more`, texts by their placeholders.

    `InputError` where there is another placeholder in it.
    """
    given = {
        "{scene}": _words(scene.name) or "scene",
        "{seed}": str(scene.noise.seed),
        "{size}": f"{size[0]}x{size[1]}",
        "{number}": f"{number:03}",
        **{key: _words(text) for key, text in more.items()},
    }
    pattern = re.compile("|".join(map(re.escape, given)))
    if any(brace in pattern.sub("", name) for brace in "{}"):
        raise InputError(f"name = {quoted(name)}: expected none but {', '.join(given)} in it")
    return pattern.sub(lambda found: given[found[0]], name)


def size_of(text: str) -> Size:
    """Return width and height of ``1920x1080``; `InputError` where it is none."""
    sides = _SIZE.fullmatch(text)
    if sides is None:
        raise InputError(f"size = {quoted(text)}: expected WIDTHxHEIGHT in pixels, such as 1920x1080")
    return int(sides[1]), int(sides[2])


def _words(name: str) -> str:
    """Return `name` as a part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")[:_LONGEST_NAME]
