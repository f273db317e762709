"""Every scene as a whole on both engines and on three grids: one land, whoever computes it and however finely.

What steps differ by alone says little of scenes: where a later step decides by what rounding or the grid left of an
earlier one, a last digit becomes another landscape.
"""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS

ACROSS_ENGINES = 0.9999
ACROSS_GRIDS = 0.995
CELLS = (256, 512, 1024)  # a side

LONGEST_LIVED = "badlands"  # its rivers have the most time to make another landscape of a last digit: runs each time

opengl = pytest.mark.usefixtures("context")  # which skips where there is none


def each_time(name: str) -> object:
    return pytest.param(name, marks=() if name == LONGEST_LIVED else pytest.mark.slow)


def on(name: str, cells: int) -> Scene:
    return scenes.load(name).replace({"grid.rows": cells, "grid.columns": cells})


def counts_in_cells(scene: Scene) -> bool:
    groups = scene.terrain_groups()
    return any(step.active(groups[step.key]) and step.in_cells(groups[step.key]) for step in STEPS)


@functools.cache
def of_cpu(name: str, cells: int) -> NDArray[np.float32]:
    return generate(on(name, cells), "cpu").heights


def of_gpu(name: str, cells: int) -> NDArray[np.float32]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of the CPU that computes instead
        return generate(on(name, cells), "gpu").heights


def correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.corrcoef(one.ravel().astype(np.float64), other.ravel().astype(np.float64))[0, 1])


@opengl
def test_the_longest_lived_scene_is_one_land_on_both_engines() -> None:
    """On few cells: its network is drawn on the coarsest of them."""
    assert correlation(of_gpu(LONGEST_LIVED, 128), of_cpu(LONGEST_LIVED, 128)) >= ACROSS_ENGINES


@opengl
@pytest.mark.slow
@pytest.mark.parametrize("name", scenes.presets())
def test_a_scene_is_one_land_on_both_engines(name: str) -> None:
    assert correlation(of_gpu(name, CELLS[0]), of_cpu(name, CELLS[0])) >= ACROSS_ENGINES


@pytest.mark.parametrize(
    "name", [each_time(name) for name in scenes.presets() if not counts_in_cells(scenes.load(name))]
)
def test_a_scene_is_one_land_on_all_grids(name: str) -> None:
    coarse, middle, fine = (of_cpu(name, cells) for cells in CELLS)
    assert correlation(coarse, middle[::2, ::2]) >= ACROSS_GRIDS
    assert correlation(middle, fine[::2, ::2]) >= ACROSS_GRIDS
