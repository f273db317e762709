"""Numbers as people read and type them, and where they lie on a slider."""

from __future__ import annotations

import math
import re

from fellview.core.parameters import Declaration, Value

_NUMBER = re.compile(r"\s*([+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\S*)", re.IGNORECASE)
_SLIDER_STEPS = 400  # about two a pixel of a track: fewer would be felt, more would show digits that nobody aimed at
_LARGEST_SLIDER_SPAN = 1e6  # beyond it one pixel is thousands of units: such numbers are dragged in a field instead


def editable(value: float) -> str:
    """Return `value` as a text field starts with it: all digits that a scene file keeps, no separators."""
    return str(value) if isinstance(value, int) else f"{value:.7g}"


def typed(declaration: Declaration, text: str) -> Value | None:
    """Return what the typed `text` stands for, brought into the declared limits; none where it is no number.

    A unit behind the number is ignored, ``k`` stands for thousands, and a lone comma that cannot separate thousands
    is a decimal comma.
    """
    found = _NUMBER.match(text.replace("−", "-"))
    if found is None:
        return None
    digits, suffix = found.groups()
    if digits.count(",") == 1 and "." not in digits and len(digits.partition(",")[2]) != 3:
        digits = digits.replace(",", ".")
    digits = digits.replace(",", "")
    if suffix.lower().startswith("k") and not declaration.unit.startswith("k"):
        digits = f"{float(digits) * 1000:.10g}"
    if declaration.wraps:
        return declaration.clamped(_wrapped(float(digits), declaration.low, declaration.high))
    if declaration.type is int and re.fullmatch(r"[+-]?\d+", digits):
        return int(min(max(int(digits), declaration.low), declaration.high))  # exact, where a float has seven digits
    return declaration.clamped(float(digits))


def on_slider(declaration: Declaration) -> bool:
    """Return whether the slider's range is one that a track can show."""
    low, high = declaration.slider
    return high > low and (declaration.scale == "log" or high - low <= _LARGEST_SLIDER_SPAN)


def to_fraction(declaration: Declaration, value: float) -> float:
    """Return where `value` lies on the slider, 0 to 1; values beyond the slider lie at its ends."""
    low, high = declaration.slider
    if _logarithmic(declaration):
        fraction = math.log(max(value, low) / low) / math.log(high / low)
    else:
        fraction = (value - low) / (high - low)
    return min(max(fraction, 0.0), 1.0)


def from_fraction(declaration: Declaration, fraction: float, fine: bool = False) -> Value:
    """Return the value at `fraction` of the slider, on a round number; `fine` keeps one digit more.

    A wrapping parameter takes any fraction, others are held at the slider's ends.
    """
    low, high = declaration.slider
    if not declaration.wraps:
        fraction = min(max(fraction, 0.0), 1.0)
    if _logarithmic(declaration):
        value = float(f"{low * (high / low) ** fraction:.{4 if fine else 3}g}")
    else:
        step = 10.0 ** math.ceil(math.log10((high - low) / _SLIDER_STEPS)) * (0.1 if fine else 1.0)
        value = round((low + (high - low) * fraction) / step) * step
    if declaration.wraps:
        value = _wrapped(value, low, high)
    return declaration.clamped(min(max(value, low), high))


def _logarithmic(declaration: Declaration) -> bool:
    return declaration.scale == "log" and declaration.slider[0] > 0


def _wrapped(value: float, low: float, high: float) -> float:
    """Return `value` in [low, high): 360° is 0°."""
    return value if low <= value < high else low + (value - low) % (high - low)
