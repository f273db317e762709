"""Contact sheets: one scene drawn many times, parameters varied or all by chance, or a shelf of scenes, labelled.

fellview sheet highlands --vary noise.frequency=2:16:4 --vary noise.seed=1,2,3 -o sheet.png
fellview sheet highlands --disperse 12 -o sheet.png
fellview sheet --shelf lands.toml -o sheet.png
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from fellview import paths
from fellview.batch.batch import Batch, InProcess
from fellview.capture import capture, land_renderer
from fellview.core.errors import InputError
from fellview.core.parameters import Declaration, Value
from fellview.draw.target import Size, require_size
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf
from fellview.variants.axes import MOST as MOST_PICTURES
from fellview.variants.chance import most_changed

_LONGEST_COUNT = 12  # digits of a number that anyone has to read
_GAP = 6  # pixels between pictures
_LABEL_HEIGHT = 26
_FONT_SIZE = 15
_PAPER, _INK = (24, 27, 32), (222, 226, 232)


@dataclass(frozen=True)
class Variation:
    """One parameter and the values that it takes in turn."""

    key: str
    declaration: Declaration
    values: tuple[Value, ...]

    def label(self, value: Value) -> str:
        """Return what stands under a picture."""
        shown = f"{value:.4g}" if isinstance(value, float) else str(value)
        unit = f" {self.declaration.unit}" if self.declaration.unit else ""
        return f"{self.declaration.label} {shown}{unit}"


@dataclass(frozen=True)
class Labelled:
    """A scene and what stands under its picture."""

    scene: Scene
    label: str


def variation(scene: Scene, text: str) -> Variation:
    """Return the variation that ``group.name=1,2,3`` or ``group.name=low:high:count`` stands for.

    A range is cut evenly on the parameter's own scale. `InputError` names what is wrong, more values than a sheet has
    pictures among it: none is made before they are counted.
    """
    key, equals, values = text.partition("=")
    if not equals or not values:
        raise InputError(f"--vary {text}: expected group.name=value,value,... or group.name=low:high:count")
    _, _, declaration = scene.find(key)
    parts = values.split(":")
    if len(parts) == 1 or declaration.type not in (int, float):
        _require_few(key, str(values.count(",") + 1))
        return Variation(key, declaration, tuple(declaration.parsed(key, one) for one in values.split(",")))
    if len(parts) != 3 or not re.fullmatch(r"\s*0*[1-9][0-9]*\s*", parts[2]):
        raise InputError(f"--vary {text}: expected {key}=low:high:count")
    count = _require_few(key, parts[2].strip())
    low, high = (float(declaration.parsed(key, part)) for part in parts[:2])
    return Variation(key, declaration, declaration.spread(low, high, count))


def _require_few(key: str, digits: str) -> int:
    """Return the number that `digits` stand for; `InputError` where no sheet has so many pictures."""
    digits = digits.lstrip("0")
    if len(digits) > _LONGEST_COUNT or int(digits) > MOST_PICTURES:
        shown = digits if len(digits) <= _LONGEST_COUNT else f"a number of {len(digits)} digits of"
        raise InputError(f"--vary {key}: {shown} pictures; expected at most {MOST_PICTURES}")
    return int(digits)


def combinations(scene: Scene, variations: Sequence[Variation]) -> tuple[list[Labelled], int]:
    """Return every combination of `variations`, and how many stand in a line; `InputError` where those are too many.

    Two variations span columns and rows; one, or more than two, run on in lines of about the same number.
    """
    count = math.prod(len(one.values) for one in variations)
    if count > MOST_PICTURES:
        raise InputError(f"--vary: {count} pictures; expected at most {MOST_PICTURES}")
    found = []
    for values in itertools.product(*(one.values for one in reversed(variations))):
        chosen = list(zip(variations, reversed(values), strict=True))
        label = ",  ".join(one.label(value) for one, value in chosen)
        found.append(Labelled(scene.replace({one.key: value for one, value in chosen}), label))
    return found, len(variations[0].values) if len(variations) == 2 else in_lines(count)


def in_lines(count: int) -> int:
    """Return how many of `count` pictures stand in a line where lines are about as many."""
    return math.ceil(math.sqrt(count))


def numbered(scenes: Sequence[Scene], scene: Scene) -> list[Labelled]:
    """Return variants of `scene` by chance, each with its number and what has changed most."""
    return [Labelled(one, f"{number}  {most_changed(one, scene)}") for number, one in enumerate(scenes, start=1)]


def shelved(shelf: Shelf) -> list[Labelled]:
    """Return the kept lands of `shelf`, each with its number, its name and its star."""
    return [
        Labelled(one.scene, f"{number}  {one.name}{'  ★' if one.star else ''}")
        for number, one in enumerate(shelf.variants, start=1)
    ]


def sheet(
    pictures: Sequence[Labelled],
    across: int,
    size: Size,
    samples: int,
    report: Callable[[str, float], None],
    engine: str = "auto",
    notice: Callable[[str], None] = lambda text: None,
    batch: Batch | None = None,
) -> NDArray[np.uint8]:
    """Return the sheet of `pictures`, `across` in a line, uint8 [row, column, rgb]; `size` is one picture's.

    The others are those of `drawn`.
    """
    found = drawn([one.scene for one in pictures], size, samples, report, engine, notice, batch)
    return laid_out(found, [one.label for one in pictures], across)


def laid_out(pictures: Sequence[NDArray[np.uint8]], labels: Sequence[str], across: int) -> NDArray[np.uint8]:
    """Return the sheet of `pictures`, uint8 [row, column, rgb] and of one size, `across` in a line."""
    size = pictures[0].shape[1], pictures[0].shape[0]
    down = math.ceil(len(pictures) / across)
    step_x, step_y = size[0] + _GAP, size[1] + _LABEL_HEIGHT + _GAP
    page = Image.new("RGB", (across * step_x + _GAP, down * step_y + _GAP), _PAPER)
    pen = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), _FONT_SIZE)
    for number, (label, pixels) in enumerate(zip(labels, pictures, strict=True)):
        corner = (_GAP + number % across * step_x, _GAP + number // across * step_y)
        page.paste(Image.fromarray(pixels), corner)
        pen.text((corner[0] + 2, corner[1] + size[1] + 4), _fitting(label, font, size[0]), fill=_INK, font=font)
    return np.asarray(page)


def drawn(
    scenes: Sequence[Scene],
    size: Size,
    samples: int,
    report: Callable[[str, float], None],
    engine: str = "auto",
    notice: Callable[[str], None] = lambda text: None,
    batch: Batch | None = None,
) -> list[NDArray[np.uint8]]:
    """Return the pictures of `scenes`, each of `size`, uint8 [row, column, rgb].

    `notice` is told in one line where the CPU does what the GPU was to do, or a picture could not be drawn as asked.
    `batch` draws them, this process where nothing is said.
    """
    require_size(size)
    orders = [_Order(one, size, samples, engine) for one in scenes]

    def told(fraction: float) -> None:
        report("drawing", fraction)

    if batch is None or isinstance(batch, InProcess):  # which ends what it has opened
        with land_renderer.opened(engine) as tools:
            found = InProcess().map(lambda order: _draw(tools, order), orders, told)
    else:
        found = batch.map(_draw_anywhere, orders, told)
    for text in dict.fromkeys(text for _, texts in found for text in texts):
        notice(text)
    return [pixels for pixels, _ in found]


def _fitting(label: str, font: ImageFont.FreeTypeFont, width: int) -> str:
    """Return as much of `label` as is `width` pixels wide."""
    if font.getlength(label) <= width:
        return label
    while label and font.getlength(label + "…") > width:
        label = label[:-1]
    return label.rstrip(" ,") + "…"


@dataclass(frozen=True)
class _Order:
    """One picture that is to be drawn, wherever that is."""

    scene: Scene
    size: Size
    samples: int
    engine: str


_Drawn = tuple[NDArray[np.uint8], tuple[str, ...]]
"""A picture, uint8 [row, column, rgb], and what a person should know of it, a line each."""


def _draw(tools: land_renderer.LandRenderer, order: _Order) -> _Drawn:
    pixels = capture.still(tools.renderer, order.scene, tools.land(order.scene), order.size, order.samples)[..., :3]
    return pixels, tools.take_notices()


def _draw_anywhere(order: _Order) -> _Drawn:
    """Return the picture of `order`, drawn by this process."""
    return _draw(land_renderer.kept(order.engine), order)
