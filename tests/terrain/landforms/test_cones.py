"""Cones have the angles of their flanks, and lava on them."""

import math

import numpy as np
import pytest

from fellview.terrain.landforms import cone as cones
from tests.terrain.landforms.laid import OBLONG, REGULAR, SQUARE, from_middle, lay, slope_degrees

# what lava is to have, as papers and pictures have it
FLOW_FRONT, FOLDS = 0.04 * 1.35, 0.22  # of a cone's height: lava at a front; of lava's thickness: its folds


@pytest.mark.parametrize("grid", [SQUARE, OBLONG], ids=["square", "oblong"])
def test_cone_flanks_are_33_degrees_at_the_top_and_8_at_the_foot(grid):
    # deep ground, so that the foot stands free
    heights, one = lay(grid, ground=-500.0, kind="cone", blend="maximum", lava=0.0, **REGULAR)
    rim, foot, _ = cones.radii(one)
    r = np.hypot(*from_middle(grid))
    slope = slope_degrees(heights, grid)
    flank = (r > 1.3 * rim) & (r < foot)  # the rim itself is rounded
    decay, at_middle = np.polyfit(r[flank], np.log(np.tan(np.radians(slope[flank]))), 1)
    assert decay < 0, "concave: gentler with distance"
    assert math.degrees(math.atan(math.exp(at_middle + decay * rim))) == pytest.approx(33, abs=0.3)
    assert math.degrees(math.atan(math.exp(at_middle + decay * foot))) == pytest.approx(8, abs=0.1)
    assert np.median(slope[np.abs(r - foot) < 20]) == pytest.approx(8, abs=0.2)
    assert slope[flank].max() > 29
    assert heights.max() == pytest.approx(one.height, rel=0.05)
    middle = heights[grid.rows // 2, grid.columns // 2]
    assert middle == pytest.approx(one.height - rim / 2, rel=0.01), "a parabola whose wall stands at 45°"


def test_a_cone_of_twice_the_height_is_twice_as_wide():
    reach = [np.sum(lay(SQUARE, kind="cone", height=h, **REGULAR)[0] > 0.06 * h) for h in (150.0, 300.0)]
    assert reach[1] / reach[0] == pytest.approx(4, rel=0.05)


def test_lava_lies_on_the_flanks_as_tongues_with_banks():
    bare, one = lay(SQUARE, kind="cone", lava=0.0, gullies=0.0, **REGULAR)
    flown, _ = lay(SQUARE, kind="cone", lava=1.0, gullies=0.0, **REGULAR)
    thick = flown - bare
    rim, foot, _ = cones.radii(one)
    r = np.hypot(*from_middle(SQUARE))
    assert thick.min() > -1e-3
    # highest at a front where a bank is whole, a fifth of the half width from its edge, 0.45 + 0.55 · 0.8², on a fold
    bank = 0.802 * FLOW_FRONT * one.height
    assert 0.97 * bank < thick.max() < (1 + 1.8 * FOLDS * 0.2) * bank
    lies = thick > 1
    assert r[lies].min() > rim and r[lies].max() < 1.3 * foot
    assert 0.03 < lies[(r > rim) & (r < foot)].mean() < 0.4, "tongues, no sheet"
