"""Contact sheets: one scene drawn many times, a parameter or two varied, each picture labelled.

fellview sheet highlands --vary noise.frequency=2:16:4 --vary noise.seed=1,2,3 -o sheet.png
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
from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.core.parameters import Declaration, Value
from fellview.draw.renderer import Renderer
from fellview.draw.target import Size
from fellview.gpu import choice
from fellview.gpu import context as gpu_context
from fellview.scene.scene import Scene

MOST_PICTURES = 400
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
    logarithmic = declaration.scale == "log" and low > 0 and high > 0
    spaced = np.geomspace(low, high, count) if logarithmic else np.linspace(low, high, count)
    return Variation(key, declaration, tuple(declaration.validated(key, declaration.clamped(one)) for one in spaced))


def _require_few(key: str, digits: str) -> int:
    """Return the number that `digits` stand for; `InputError` where no sheet has so many pictures."""
    digits = digits.lstrip("0")
    if len(digits) > _LONGEST_COUNT or int(digits) > MOST_PICTURES:
        shown = digits if len(digits) <= _LONGEST_COUNT else f"a number of {len(digits)} digits of"
        raise InputError(f"--vary {key}: {shown} pictures; expected at most {MOST_PICTURES}")
    return int(digits)


def sheet(
    scene: Scene,
    variations: Sequence[Variation],
    size: Size,
    samples: int,
    report: Callable[[str, float], None],
    engine: str = "auto",
    notice: Callable[[str], None] = lambda text: None,
) -> NDArray[np.uint8]:
    """Return the sheet, uint8 [row, column, rgb]; `size` is one picture's.

    Two variations span columns and rows; one, or more than two, run on in lines of about the same number. `notice` is
    told in one line where the CPU does what the GPU was to do, or a picture could not be drawn as asked.
    """
    capture.require_size(size)
    count = math.prod(len(one.values) for one in variations)
    if count > MOST_PICTURES:
        raise InputError(f"--vary: {count} pictures; expected at most {MOST_PICTURES}")
    combinations = list(itertools.product(*(one.values for one in reversed(variations))))
    across = len(variations[0].values) if len(variations) == 2 else math.ceil(math.sqrt(len(combinations)))
    down = math.ceil(len(combinations) / across)
    step_x, step_y = size[0] + _GAP, size[1] + _LABEL_HEIGHT + _GAP
    page = Image.new("RGB", (across * step_x + _GAP, down * step_y + _GAP), _PAPER)
    pen = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), _FONT_SIZE)
    with gpu_context.aside() as context:
        chosen_engine = choice.choose(engine, context)
        choice.note_refusal(engine, chosen_engine, notice)
        pipeline = choice.SteadyPipeline(chosen_engine.engine_in(context), notice)
        try:
            renderer = Renderer(context)
            for number, values in enumerate(combinations):
                chosen = list(zip(variations, reversed(values), strict=True))
                varied = scene.replace({one.key: value for one, value in chosen})
                field = pipeline.run(varied.terrain_groups()).field
                picture = Image.fromarray(capture.still(renderer, varied, field, size, samples)[..., :3])
                for text in renderer.take_notices():
                    notice(text)
                corner = (_GAP + number % across * step_x, _GAP + number // across * step_y)
                page.paste(picture, corner)
                label = ",  ".join(one.label(value) for one, value in chosen)
                pen.text((corner[0] + 2, corner[1] + size[1] + 4), label, fill=_INK, font=font)
                report("sheet", (number + 1) / len(combinations))
        finally:
            pipeline.release()
    return np.asarray(page)
