"""How a caption stands in a picture: in its lower left corner, over a soft dark ground that reads over snow as well.

All lengths go by the picture's height, so that a slide looks the same on every screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fellview.view.flight import eased
from fellview.view.projection import Size

LINE = 1.35
"""From one line to the next, in sizes of the font."""

_FONT = 1 / 30  # of the height: 24 pixels of 720, which reads from the back of a room
_LEAST_FONT_PX = 11.0
_MARGIN = 1.9  # sizes of the font, to the left and below
_FADE = 3.5  # sizes of the font, over which the ground comes in above the text
_FADE_RIGHT = 14.0  # and over which it goes behind its widest line
_WIDEST = 32.0  # sizes of the font: some sixty letters, which the eye finds its way back from
_DARKEST = 0.56  # white on it has a contrast of 4.5 to 1 over what is all white


@dataclass(frozen=True)
class Caption:
    """The `lines` of a caption in a picture, in pixels from its upper left.

    `left` and `top` are where the first line begins, `font` is the font's size, and `right` is where the widest ends.
    The ground is dark below `top` and up to `right`, and is gone at `ground_top` and `ground_right`.
    """

    lines: tuple[str, ...]
    left: float
    top: float
    font: float
    right: float
    ground_top: float
    ground_right: float

    def down(self, row: float) -> float:
        """Return how much of what is behind row `row` the ground takes away at the picture's left, 0 to 1."""
        return _DARKEST * eased((row - self.ground_top) / (_FADE * self.font))

    def across(self, column: float) -> float:
        """Return what share of that is left at a column, 0 to 1."""
        return eased((self.ground_right - column) / (_FADE_RIGHT * self.font))


def font_px(size: Size) -> float:
    """Return the size of a caption's font in a picture of `size` pixels."""
    return max(min(size[1], size[0] * 9 / 16) * _FONT, _LEAST_FONT_PX)


def placed(text: str, size: Size, width: Callable[[str], float]) -> Caption:
    """Return `text` as it stands in a picture of `size`; `width` is how wide a text is in the font of `font_px`."""
    font = font_px(size)
    margin = _MARGIN * font
    lines = wrapped(text, min(_WIDEST * font, size[0] - 2 * margin), width)
    top = size[1] - margin - len(lines) * LINE * font
    right = margin + max(map(width, lines), default=0.0)
    return Caption(lines, margin, top, font, right, top - _FADE * font, right + _FADE_RIGHT * font)


def wrapped(text: str, room: float, width: Callable[[str], float]) -> tuple[str, ...]:
    """Return `text` in lines that are no wider than `room`, broken between words, and in words that are wider."""
    lines: list[str] = []
    for paragraph in text.strip().splitlines():
        line = ""
        for word in paragraph.split():
            if line and width(f"{line} {word}") > room:
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else word
            while len(line) > 1 and width(line) > room:
                cut = next(count for count in range(len(line) - 1, 0, -1) if count == 1 or width(line[:count]) <= room)
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    return tuple(lines)
