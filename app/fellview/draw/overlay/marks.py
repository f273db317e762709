"""Scale bar, north arrow and legend over a finished picture, in the window and in files alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.core import number_format
from fellview.draw.draw_pass import DrawPass
from fellview.draw.frame import Frame
from fellview.draw.overlay.legend import Legend
from fellview.draw.target import Region, Size
from fellview.gpu import bindings, programs, state
from fellview.gpu.uniform_block import UniformBlock
from fellview.view.exaggeration import exaggerated
from fellview.view.scale import scale_bar

# Pillow is imported with the first mark, which most pictures have none of
if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

Pixels = NDArray[np.uint8]

_UNIT_OF_HEIGHT = 1 / 720  # a unit is a pixel in a picture of 720 rows: all sizes below are in units
_LEAST_UNIT = 0.75  # in small pictures letters stay readable
_MARGIN, _FONT, _GAP = 22, 15, 6
_BAR, _TICK, _LINE = 4, 10, 2.0
_ARROW, _ARROW_WIDE, _LETTER = 26, 10, 13
_FLATTEST = 0.35  # the arrow lies on the ground, but never so flat that its letter covers it
_SHADE, _SHADE_BLUR = 190, 3.0
_WHITE, _DARK = (255, 255, 255, 255), (24, 28, 32, 255)
_LEGEND_WIDE, _LEGEND_PAD, _LEGEND_BAR = 260, 12, 12
_LEGEND_GROUND, _LEGEND_ROUND = (18, 21, 25, 222), 7
_DIM = (170, 178, 186, 255)
_SMOOTHING, _SMOOTH_ROWS = 4, 2160  # drawn so many times as large; in pictures of more rows, less


class MarksPass(DrawPass):
    """Blends the marks of a scene over a picture."""

    name = "marks"

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        super().__init__(context, look)
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/overlay/marks.frag")
        self._full_screen = context.vertex_array(self._program, [])
        self._shown: dict[str, tuple[object, moderngl.Texture]] = {}

    def wanted(self, frame: Frame) -> bool:
        """Return whether the scene asks for any of them, over land."""
        view = frame.scene.view
        return frame.field is not None and (view.scale_bar or view.north_arrow or _legend(frame) is not None)

    def draw(self, frame: Frame) -> None:
        """Draw bar and arrow into the lower left corner of the picture, and the legend into the upper left."""
        scene, field, size, legend = frame.scene, frame.field, frame.size, _legend(frame)
        view, camera = scene.view, scene.camera
        if field is None:
            return
        bar = scale_bar(exaggerated(field, view.exaggeration), camera, size) if view.scale_bar else None
        heading = (camera.yaw, camera.pitch) if view.north_arrow else None
        if bar is not None or heading is not None:
            self._blend("marks", (bar, heading, size), lambda: marks(bar, heading, size), 0, frame.region)
        if legend is not None:
            self._blend("legend", (legend, size), lambda: key(legend, size), size[1], frame.region)

    def _blend(self, name: str, wanted: object, make: Callable[[], Pixels], top: int, region: Region) -> None:
        """Blend what `make` makes, anew where something else is `wanted`, over the left of the picture of a `region`.

        Its upper edge lies at `top`, in pixels from below, or its lower edge at 0.
        """
        kept = self._shown.get(name)
        if kept is None or kept[0] != wanted:
            if kept is not None:
                kept[1].release()
            pixels = make()
            texture = self._context.texture((pixels.shape[1], pixels.shape[0]), 4, pixels[::-1].tobytes())
            kept = self._shown[name] = wanted, texture
        context, texture = self._context, kept[1]
        left, low = -region.left, max(top - texture.height, 0) - region.bottom
        context.viewport = (left, low, *texture.size)
        context.enable_only(moderngl.BLEND)
        context.blend_func = state.OVER
        bindings.use(self._program, {"u_marks": texture})
        self._program["u_corner"] = (float(left), float(low))
        self._full_screen.render(moderngl.TRIANGLES, vertices=3)
        context.enable_only(moderngl.NOTHING)


def _legend(frame: Frame) -> Legend | None:
    return frame.cover.legend if frame.scene.view.legend else None


def key(legend: Legend, size: Size) -> Pixels:
    """Return what lies over the upper left corner of a picture of `size` with `legend`, uint8 [row, column, rgba]."""
    from PIL import Image, ImageDraw, ImageFont

    smoothing = _smoothing(size)
    unit = max(size[1] * _UNIT_OF_HEIGHT, _LEAST_UNIT) * smoothing
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), round(_LETTER * unit))
    line, pad, margin = 1.35 * _LETTER * unit, _LEGEND_PAD * unit, _MARGIN * unit
    wide = max(min(_LEGEND_WIDE * unit, size[0] * smoothing - 2 * (margin + pad)), smoothing)
    notes = _wrapped(legend.note, font, wide)
    under = (1 + any(word for *_, word in legend.ticks)) if legend.colours else 0
    bar = (_LEGEND_BAR + _GAP) * unit if legend.colours else 0.0
    high = (1 + under + len(notes)) * line + bar + 2 * pad
    whole = [math.ceil((margin + part) / smoothing) * smoothing for part in (wide + 2 * pad, high)]
    image = Image.new("RGBA", (max(whole[0], smoothing), whole[1]), (*_LEGEND_GROUND[:3], 0))
    pen = ImageDraw.Draw(image)
    box = (margin, margin, margin + wide + 2 * pad, margin + high)
    pen.rounded_rectangle(box, _LEGEND_ROUND * unit, fill=_LEGEND_GROUND)
    left, y = margin + pad, margin + pad
    pen.text((left, y), legend.title, fill=_WHITE, font=font)
    y += line
    if legend.colours:
        step = wide / len(legend.colours)
        for index, colour in enumerate(legend.colours):
            pen.rectangle((left + index * step, y, left + (index + 1) * step, y + _LEGEND_BAR * unit), fill=colour)
        y += bar
        used = -math.inf
        for share, value, measured_in, word in legend.ticks:
            texts = (number_format.measure(value, measured_in), word)
            room = max(font.getlength(text) for text in texts)
            x = min(max(left + share * wide - room / 2, left), left + wide - room)
            if x < used:
                continue
            used = x + room + _GAP * unit
            for row, text in enumerate(texts):
                inset = share * (room - font.getlength(text))
                pen.text((x + inset, y + row * line), text, fill=_DIM if row else _WHITE, font=font)
        y += under * line
    for text in notes:
        pen.text((left, y), text, fill=_DIM, font=font)
        y += line
    small = image.reduce(smoothing)
    return np.asarray(small.crop((0, 0, min(small.width, size[0]), min(small.height, size[1]))))


def _smoothing(size: Size) -> int:
    """Return how many times as large marks of a picture of `size` are drawn: of a large one they would take gigabytes.

    Its letters are smooth as they are.
    """
    return max(min(_SMOOTHING, _SMOOTHING * _SMOOTH_ROWS // size[1]), 1)


def _wrapped(text: str, font: ImageFont.FreeTypeFont, wide: float) -> list[str]:
    """Return the lines of `text`, none wider than `wide` unless a word is."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def marks(bar: tuple[float, float] | None, heading: tuple[float, float] | None, size: Size) -> Pixels:
    """Return what lies over the lower left corner of a picture of `size`, uint8 [row, column, rgba].

    `bar` is a length in metres and in pixels; `heading` is yaw and pitch of the camera in degrees, for north at +z.
    """
    from PIL import Image, ImageDraw, ImageFilter, ImageFont

    smoothing = _smoothing(size)
    unit = max(size[1] * _UNIT_OF_HEIGHT, _LEAST_UNIT) * smoothing
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), round(_FONT * unit))
    margin = _MARGIN * unit
    length = bar[1] * smoothing if bar else 0.0
    low = margin + (_TICK + _GAP + _FONT) * unit if bar else margin - _GAP * unit
    wide = math.ceil((margin + max(length, 2 * _ARROW * unit) + margin) / smoothing) * smoothing
    high = math.ceil((low + (2 * (_ARROW + _LETTER) * unit if heading else 0) + margin) / smoothing) * smoothing
    shape = Image.new("L", (wide, high), 0)
    pen = ImageDraw.Draw(shape)
    if bar:
        foot = high - margin
        pen.rectangle((margin, foot - _BAR * unit, margin + length, foot), fill=255)
        for x in (margin, margin + length / 2, margin + length):
            tall = _TICK * unit if x != margin + length / 2 else 0.75 * _TICK * unit
            pen.rectangle((x - _LINE * unit / 2, foot - tall, x + _LINE * unit / 2, foot), fill=255)
        text = (margin, foot - (_TICK + _GAP) * unit)
        pen.text(text, number_format.length(bar[0]), fill=255, font=font, anchor="ls")
    if heading:
        _arrow(pen, (margin + _ARROW * unit, high - low - (_ARROW + _LETTER / 2) * unit), heading, unit)
    # a soft dark edge, so that white is read on snow and on sky
    shade = shape.filter(ImageFilter.GaussianBlur(_SHADE_BLUR * unit / 2)).point(lambda value: min(3 * value, _SHADE))
    picture = Image.new("RGBA", shape.size, (*_DARK[:3], 0))
    picture.putalpha(shade)
    picture = Image.alpha_composite(
        picture, Image.merge("RGBA", [*Image.new("RGB", shape.size, _WHITE[:3]).split(), shape])
    )
    small = picture.reduce(smoothing)
    return np.asarray(small.crop((0, 0, min(small.width, size[0]), small.height)))[-size[1] :]


def height(bar: bool, heading: bool, rows: float) -> float:
    """Return how many of a picture's `rows` its marks take from below."""
    if not (bar or heading):
        return 0.0
    low = _MARGIN + _TICK + _GAP + _FONT if bar else _MARGIN - _GAP
    high = low + (2 * (_ARROW + _LETTER) if heading else 0)
    return high * max(rows * _UNIT_OF_HEIGHT, _LEAST_UNIT)


def _arrow(pen: ImageDraw.ImageDraw, middle: tuple[float, float], heading: tuple[float, float], unit: float) -> None:
    """Draw a needle on the ground that points to +z, its letter before it; middle in pixels of `pen`."""
    from PIL import ImageFont

    yaw, pitch = np.radians(heading)
    flat = max(abs(math.sin(pitch)), _FLATTEST)

    def place(ahead: float, aside: float) -> tuple[float, float]:
        """Return where a point of the needle is seen, from units ahead and to the right of its middle."""
        across, away = aside * math.cos(yaw) - ahead * math.sin(yaw), aside * math.sin(yaw) + ahead * math.cos(yaw)
        return middle[0] + unit * across, middle[1] - unit * flat * away

    half, wide = 0.72 * _ARROW, _ARROW_WIDE
    pen.polygon([place(half, 0), place(-half, wide), place(-0.5 * half, 0), place(-half, -wide)], fill=255)
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), round(_LETTER * unit))
    tip = place(half, 0)
    gap = 0.75 * _LETTER * unit
    away = np.array(tip) - middle
    letter = np.array(tip) + gap * away / max(float(np.linalg.norm(away)), 1e-9)
    pen.text((float(letter[0]), float(letter[1])), "N", fill=255, font=font, anchor="mm")
