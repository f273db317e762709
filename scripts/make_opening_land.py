"""Computes the land that the very first window opens with anew: assets/opening-land.arrays.

To be run where the opening scene or a step of it has changed; a test tells.
"""

from __future__ import annotations

from fellview import library
from fellview.io import land_cache, scenes


def main() -> None:
    """Write the file."""
    scene = scenes.load(scenes.OPENING_PRESET)
    land_cache.store_opening(scene.terrain_groups(), library.generate(scene, engine="cpu"))


if __name__ == "__main__":
    main()
