"""Around a land that ends in the sea lie islands."""

import numpy as np
import pytest

from tests.ground_around import LAND, middle
from tests.lands import component_sizes

IN_THE_SEA = LAND | {"water.enabled": True, "water.sea": True, "water.sea_level": 0.0}


def around(frame, land):
    """Return the heights of `frame`, and for each how many sides out of `land` along an axis at most it lies."""
    heights, inside = middle(frame, land)
    rows, columns = np.indices(heights.shape)
    least, most = np.minimum(rows, columns), np.maximum(rows, columns)
    return heights, np.maximum(np.maximum(inside[0] - least, most - inside[-1]), 0) / (len(inside) - 1)


def test_around_an_island_lie_islands_of_all_sizes_that_thin_out(alone, scene, island):
    """Their shelves are about as much of them as its own, they lie where they are not cut, and end in the same bed."""
    alone.show(island)
    _, near, far = alone.around(scene.replace(IN_THE_SEA))
    (heights, out), (far_heights, far_out) = (around(frame, island) for frame in (near, far))
    dry = (heights > 0) & (out > 0)
    assert not dry[out < 0.05].any()
    sizes = component_sizes(dry)
    assert len(sizes) > 8
    assert sizes.max() > 4 * np.median(sizes)
    far_dry = far_heights > 0
    assert far_dry[(far_out > 0.1) & (far_out < 2)].mean() > 2 * far_dry[(far_out > 2.5) & (far_out < 4.5)].mean()
    shallow = (heights < 0) & (heights > -10) & (out > 0)
    assert shallow.sum() > 0.5 * dry.sum()
    assert far_heights[0] == pytest.approx(island.border.mean(), abs=0.01)


def test_islands_are_as_high_as_is_asked_for_and_elsewhere_with_another_seed(alone, scene, island):
    alone.show(island)

    def heights(**changes):
        frame = alone.around(scene.replace(IN_THE_SEA | {key.replace("__", "."): v for key, v in changes.items()}))[1]
        found, out = around(frame, island)
        return np.where(out > 0.1, found, -60.0)

    low, high = (heights(view__surroundings_height=percent) for percent in (20.0, 100.0))
    assert (high > 0)[low > 0].all()
    assert 2 < high.max() / low.max() <= 5
    assert not (heights(view__surroundings_height=0.0) > 0).any()
    assert (heights(view__surroundings_height=20.0, noise__seed=77) > 0)[low > 0].mean() < 0.5


def test_where_there_are_lakes_or_rivers_an_island_is_mirrored(alone, scene, island):
    """Islands made of it have none."""
    alone.show(island)
    with_lakes = alone.around(scene.replace(IN_THE_SEA | {"water.lakes": True}))[1].height_map.field.heights.copy()
    assert not np.array_equal(with_lakes, alone.around(scene.replace(IN_THE_SEA))[1].height_map.field.heights)
