"""Plateaus, ramps and ridges keep their angles, and basins are as large as asked."""

import math

import numpy as np
import pytest

from tests.terrain.landforms.laid import OBLONG, REGULAR, SQUARE, from_middle, lay, slope_degrees


def test_plateau_ramp_and_ridge_keep_their_angles():
    heights, one = lay(SQUARE, kind="plateau", size=70.0, height=400.0, **REGULAR)
    slope = slope_degrees(heights, SQUARE)
    scree = (heights > 40) & (heights < 140)
    assert np.median(slope[scree]) == pytest.approx(33, abs=0.5)
    assert np.median(slope[(heights > 200) & (heights < 340)]) == pytest.approx(one.cliff, abs=1.5)
    assert np.percentile(heights, 99) == pytest.approx(400, abs=0.1)
    heights, one = lay(OBLONG, kind="ramp", rotation=90.0, **REGULAR)
    wanted = math.degrees(math.atan(one.height / (one.size / 100 * 4500)))
    assert np.median(slope_degrees(heights, OBLONG)[125:175]) == pytest.approx(wanted, abs=0.1)
    heights, one = lay(SQUARE, kind="ridge", **REGULAR)
    slope = slope_degrees(heights, SQUARE)
    x, _ = from_middle(SQUARE)
    flank = (heights > 0.3 * one.height) & (heights < 0.7 * one.height) & (np.abs(x) < 300)
    assert np.median(slope[flank]) == pytest.approx(one.flank, abs=0.5)


def test_basin_is_as_deep_and_as_wide_as_asked():
    heights, one = lay(SQUARE, kind="basin", **REGULAR)
    assert heights.min() == pytest.approx(-one.height, rel=1e-3)
    within = heights < -0.1 * one.height
    assert math.sqrt(within.sum() * 4 / math.pi) * 4000 / 512 == pytest.approx(0.95 * 0.5 * 4000, rel=0.02)
