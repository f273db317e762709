"""Pictures for a file: drawn without panel and window decoration, the recipe inside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.passes import Passes, whole
from fellview.draw.renderer import Renderer
from fellview.draw.target import Size, Target
from fellview.gpu import context as gpu_context
from fellview.io import pictures, scenes
from fellview.scene.scene import Scene
from fellview.view.ground import above_all

SAMPLES = (1, 64)
LARGEST_SIDE = 8192
"""Most pixels a side; what every OpenGL 3.3 machine of the last ten years can draw into."""

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


class Still:
    """A picture for a file that is drawn by `renderer` frame by frame, between which it may draw others.

    As in the window the eye is lifted where ground or sea would cover it.
    """

    def __init__(self, renderer: Renderer, scene: Scene, field: HeightField, size: Size, samples: int) -> None:
        self.field = field
        self.pixels: NDArray[np.uint8] | None = None
        """The picture, uint8 [row, column, rgba], once all frames are drawn."""
        self._renderer, self._size, self._samples = renderer, size, samples
        self._scene = scene.with_group(above_all(scene, field))
        self._mean = renderer.accumulator()
        self._number = 0

    def passes(self) -> Passes[Target]:
        """Draw the next frame pass by pass; where that is given up, it is still the next."""
        renderer = self._renderer
        renderer.show(self.field)
        renderer.seconds = 0.0  # so that a recipe gives one picture, whenever it is drawn
        yield
        target = yield from renderer.passes(self._scene, self._size, self._samples, self._number, mean=self._mean)
        self._number += 1
        if self._number == renderer.frames(self._samples):
            self.pixels = target.pixels()
            self.release()
        return target

    def drawn(self) -> NDArray[np.uint8]:
        """Return the picture, of which all frames are drawn that are not yet."""
        while self.pixels is None:
            whole(self.passes())
        return self.pixels

    def release(self) -> None:
        """Give the memory back."""
        self._mean.release()


def still(renderer: Renderer, scene: Scene, field: HeightField, size: Size, samples: int) -> NDArray[np.uint8]:
    """Return `scene` drawn by `renderer` over `field`, uint8 [row, column, rgba]."""
    return Still(renderer, scene, field, size, samples).drawn()


def require_size(size: Size) -> None:
    """Raise `InputError` where a picture of `size` cannot be drawn."""
    if not all(1 <= side <= LARGEST_SIDE for side in size):
        raise InputError(f"--size {size[0]}x{size[1]}: expected 1x1 to {LARGEST_SIDE}x{LARGEST_SIDE}")


def save(path: Path, scene: Scene, pixels: NDArray[np.uint8]) -> None:
    """Write `pixels` with the recipe of `scene` to `path`."""
    pictures.save(path, pixels, scenes.to_text(scene, path.parent, shared=True))


def stamped_path(folder: Path, scene: Scene, suffix: str, now: datetime | None = None) -> Path:
    """Return a file name in `folder` that nobody has taken: the scene's name and the time, which is `now`."""
    words = "".join(letter if letter.isalnum() else "-" for letter in scene.name.lower()).strip("-") or "scene"
    stem = f"{words[:_LONGEST_NAME]}-{now or datetime.now():%Y%m%d-%H%M%S}"
    for number in range(1, 1000):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
        if not path.exists():
            return path
    raise InputError(f"{folder}: a thousand pictures of this second already")
