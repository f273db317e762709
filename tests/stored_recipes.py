"""Recipes as they were once written, one a scene, and a few heights of the lands that they gave."""

from pathlib import Path

import fellview
from fellview.io import scenes

FOLDER = Path(__file__).parent / "golden" / "recipes"
HEIGHTS = FOLDER / "heights.npz"
"""By scene, float32 [row, column]: every `STEP`-th height of a land of `CELLS` cells a side."""

CELLS, STEP = 64, 4


def names():
    """Return the scenes that must not change: the presets, and the one that is measured."""
    return (*scenes.presets(), scenes.MEASURED.stem)


def preset(name):
    return scenes.load(scenes.MEASURED if name == scenes.MEASURED.stem else name)


def recipe_path(name):
    return FOLDER / f"{name}.toml"


def coarse_heights(scene):
    few = {"grid.rows": CELLS, "grid.columns": CELLS}
    return fellview.generate(scene.replace(few), engine="cpu").heights[::STEP, ::STEP]
