"""Store scenes as tests/scene/test_stored_recipes.py reads them: their recipes and a few of their heights.

    python scripts/store_recipes.py NAME ...

A stored recipe stands for all those that people have kept: take a scene in when it is new or when its preset has been
changed on purpose, never because a test says that an old recipe gives another land.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fellview.scene import recipe
from tests.stored_recipes import HEIGHTS, coarse_heights, preset, recipe_path


def main(names: list[str]) -> None:
    """Write the recipes of `names`, and their heights beside those that are stored."""
    heights = dict(np.load(HEIGHTS)) if HEIGHTS.exists() else {}
    for name in names:
        recipe_path(name).write_text(recipe.to_text(preset(name)), encoding="utf-8")
        heights[name] = coarse_heights(preset(name))
    np.savez_compressed(HEIGHTS, **{name: heights[name] for name in sorted(heights)})


if __name__ == "__main__":
    main(sys.argv[1:])
