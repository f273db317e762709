"""Measures how soon two lands are compared: frames of a wipe and a blink beside those of one land, and the difference.

Frames have all pixels of the land's part of a window of 1280×720, and the camera turns by a degree between two.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from fellview.core.height_field import HeightField
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.studio import height_difference
from fellview.studio.comparison import Comparison, Share

_SIZE = (940, 696)
_CELLS = 1024
_RUNS, _FIRST = 9, 2  # frames that are measured, and those before that make what is kept
_OTHER_SEED = 5

Measured = tuple[str, list[float], dict[str, Any]]


def measure_all() -> list[Measured]:
    """Return (name, seconds of each run, more figures) of each measurement."""
    scene = scenes.load("highlands").with_longer_side(_CELLS)
    other = scene.replace({"noise.seed": _OTHER_SEED})
    lands = [generate(one, "cpu") for one in (scene, other)]
    with gpu_context.aside() as context:
        pair = [(Renderer(context), one, land) for one, land in zip((scene, other), lands, strict=True)]
        for renderer, _, land in pair:
            renderer.show(land)
        alone = _frames(context, pair, ((0.0, 1.0), None))
        found: list[Measured] = [("explore: a frame of one land that turns", alone, {})]
        for name, comparison in (
            ("a wipe", Comparison()),
            ("a wipe at a quarter", Comparison(line=0.25)),
            ("a blink", Comparison(way="blink", flipped=True)),
        ):
            seconds = _frames(context, pair, comparison.shown)
            more = {"times_one_land": round(median(seconds) / median(alone), 2)}
            found.append((f"explore: a frame of {name} that turns", seconds, more))
        found += _difference(context, pair[0][0], scene, lands)
    return found


def _frames(
    context: Any,
    pair: list[tuple[Renderer, Scene, HeightField]],
    shown: tuple[Share | None, Share | None],
) -> list[float]:
    """Return the seconds of each frame in which the columns of `shown` are drawn of either land."""
    seconds = []
    for number in range(_FIRST + _RUNS):
        begun = time.monotonic()
        for (renderer, scene, _), columns in zip(pair, shown, strict=True):
            if columns is not None:
                part = None if columns == (0.0, 1.0) else columns
                whole(renderer.passes(scene.with_group(scene.camera.turned(number)), _SIZE, 1, 0, columns=part))
        context.finish()
        seconds.append(time.monotonic() - begun)
    return seconds[_FIRST:]


def _difference(context: Any, renderer: Renderer, scene: Scene, lands: list[HeightField]) -> list[Measured]:
    """Return what the first picture of a view mode takes, and what that of the difference to another land takes."""

    def slope() -> HeightField:
        return lands[0]

    def difference() -> HeightField:
        return height_difference.with_difference(lands[1], lands[0])

    modes: tuple[tuple[str, Callable[[], HeightField]], ...] = (("slope", slope), ("difference", difference))
    times: dict[str, list[float]] = {mode: [] for mode, _ in modes}
    for _ in range(_FIRST + _RUNS):
        for mode, land in modes:
            seen = scene.replace({"view.mode": mode})
            whole(renderer.passes(scene.replace({"view.mode": "height"}), _SIZE, 1, 0))
            context.finish()
            begun = time.monotonic()
            renderer.show(land())
            whole(renderer.passes(seen, _SIZE, 1, 0))
            context.finish()
            times[mode].append(time.monotonic() - begun)
    slope_s, difference_s = (times[mode][_FIRST:] for mode, _ in modes)
    more = {"more_ms": round(1000 * (median(difference_s) - median(slope_s)))}
    return [
        ("explore: the first picture of a view mode", slope_s, {}),
        ("explore: the first picture of a difference", difference_s, more),
    ]
