"""Colours for values: named rows of anchors, evenly spaced from the lowest value to the highest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

COLOUR_MAPS: dict[str, tuple[str, ...]] = {
    "grey": ("#0a0a0a", "#f5f5f5"),
    # ten samples of matplotlib's viridis (S. van der Walt, N. Smith, 2015, CC0)
    "viridis": (
        "#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
    ),
    # deep water to the middle, then shore, grass, rock, snow
    "terrain": ("#16314f", "#1f4e79", "#3a7ca5", "#8fc1cf", "#dccf9b", "#7f9f53", "#55783f", "#8c7a5b", "#f2f2f0"),
}  # fmt: skip


def table(name: str, entries: int = 256) -> NDArray[np.uint8]:
    """Return the colours of `name`, uint8 (entries, rgba), by straight lines between the anchors."""
    return between(COLOUR_MAPS[name], entries)


def between(codes: Sequence[str], entries: int = 256) -> NDArray[np.uint8]:
    """Return the same for anchors such as ``#0a0a0a``."""
    anchors = np.array([[int(code[i : i + 2], 16) for i in (1, 3, 5)] for code in codes], np.float64)
    places = np.linspace(0, len(anchors) - 1, entries)
    parts = [np.interp(places, np.arange(len(anchors)), anchors[:, part]) for part in range(3)]
    return np.stack([*parts, np.full(entries, 255.0)], axis=1).round().astype(np.uint8)
