"""Pictures of a deck: a numbered one a slide, with its recipe inside, and with its caption where that is wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.capture import land_renderer
from fellview.capture import shot as shots
from fellview.capture.shot import Shot, Taken
from fellview.core.errors import FellviewError, InputError
from fellview.draw.target import Region, Size
from fellview.io import atomic, imports, pictures
from fellview.studio import caption
from fellview.studio.deck import Deck

Pixels = NDArray[np.uint8]

_INK = (245, 247, 250)


def files(folder: Path, deck: Deck) -> list[Path]:
    """Return the picture of each slide in `folder`."""
    return [folder / f"slide-{number:03}.png" for number in range(1, len(deck) + 1)]


def take(
    folder: Path,
    deck: Deck,
    shot: Shot,
    engine: str = "auto",
    *,
    captions: bool = False,
    report: Callable[[str, float], None] = lambda step, fraction: None,
    notice: Callable[[str], None] = lambda text: None,
) -> Iterator[Taken]:
    """Draw the pictures of `deck` into `folder`, and yield what has become of each; those of earlier ones go.

    A slide that fails ends no other. `report` is told how far it is, and `notice` in one line what could not be drawn
    as asked. `InputError` where there are no slides, where no picture can be taken so, or anything but a picture that
    carries a recipe lies in the place of one.
    """
    if not deck.slides:
        raise InputError("the deck: 0 slides: expected at least one")
    shot.require()
    found = files(folder, deck)
    for path in found:
        _require_replaceable(path)
    atomic.require_writable(*found)
    with land_renderer.opened(engine) as tools:
        for number, (path, slide) in enumerate(zip(found, deck.slides, strict=True), start=1):
            report(f"slide {number} of {len(deck)}", (number - 1) / len(deck))
            try:
                scene, missing = imports.found(slide.scene, Path.cwd())
                if missing:
                    raise InputError(missing[0])
                written = Written(slide.caption, shot.size) if captions and slide.caption.strip() else None
                finish = shots.as_drawn if written is None else written.over
                taken = tools.taker.take(path, scene, tools.land(scene), shot, finish=finish, notice=notice)
            except FellviewError as fault:
                yield Taken(failed=f"slide {number}: {fault}")
            else:
                yield Taken(taken, notices=tools.take_notices())


def _require_replaceable(path: Path) -> None:
    if os.path.lexists(path):
        try:
            pictures.read_recipe(path)
        except InputError:
            raise InputError(f"{path}: is there already, and is something else: it is not replaced") from None


class Written:
    """A caption drawn into pictures of `size`."""

    def __init__(self, text: str, size: Size) -> None:
        from PIL import Image, ImageDraw, ImageFont

        font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), caption.font_px(size))
        placed = caption.placed(text, size, font.getlength)
        self._top = max(round(placed.ground_top), 0)
        rows = size[1] - self._top
        down = [placed.down(row + 0.5) for row in range(self._top, size[1])]
        across = [placed.across(column + 0.5) for column in range(size[0])]
        self._kept = 1 - np.outer(down, across).astype(np.float32)[..., np.newaxis]
        mask = Image.new("L", (size[0], rows))
        pen = ImageDraw.Draw(mask)
        for number, line in enumerate(placed.lines):
            pen.text((placed.left, placed.top - self._top + number * caption.LINE * placed.font), line, 255, font)
        self._letters = np.asarray(mask, np.float32)[..., np.newaxis] / 255

    def over(self, pixels: Pixels, region: Region) -> Pixels:
        """Return `pixels` of the band `region`, uint8 [row, column, rgba], with what stands in it of the caption."""
        first = region.whole[1] - region.bottom - len(pixels)  # the band's uppermost row in the picture
        inside = slice(max(self._top - first, 0), len(pixels))
        rows = slice(max(first - self._top, 0), max(first + len(pixels) - self._top, 0))
        letters = self._letters[rows]
        seen = pixels[inside, :, :3] * self._kept[rows] * (1 - letters) + np.array(_INK) * letters
        drawn = pixels.copy()
        drawn[inside, :, :3] = np.rint(seen)
        return drawn
