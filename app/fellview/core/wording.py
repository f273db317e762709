"""Values and choices in words, as the panel shows them and lists of what differs tell them."""

from __future__ import annotations

from fellview.core import number_format
from fellview.core.parameters import Declaration, Value

_SPELLED = {"fbm": "fBm", "f2-f1": "F2 − F1", "opensimplex": "OpenSimplex", "webp": "WebP", "mp4": "MP4"}


def spoken(word: str) -> str:
    """Return a choice's word as the panel shows it: ``perlin-1985`` → ``Perlin 1985``."""
    if word in _SPELLED:
        return _SPELLED[word]
    return word[:1].upper() + word[1:].replace("-", " ").replace("_", " ")


def in_words(declaration: Declaration, value: Value) -> str:
    """Return a parameter's `value` in words: ``15 cycles``, ``on``, ``Perlin 1985``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return spoken(value) if declaration.options else value
    return number_format.with_unit(value, declaration.unit)
