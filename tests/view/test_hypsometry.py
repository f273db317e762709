import numpy as np
import pytest

from fellview.view.hypsometry import hypsometry


def test_a_ramp_has_as_much_land_at_every_height():
    heights = np.repeat(np.linspace(-20, 80, 641, dtype=np.float32)[:-1, None], 7, axis=1)
    found = hypsometry(heights, 64)
    assert (found.lowest, found.highest) == (-20, pytest.approx(80, abs=0.2))
    assert found.mean == pytest.approx(30, abs=0.1)
    np.testing.assert_allclose(found.shares, 1 / 64, rtol=0.15)
    np.testing.assert_allclose(found.above, np.linspace(1, 0, 65), atol=0.01)
    assert found.integral == pytest.approx(0.5, abs=0.01)


def test_shares_are_all_of_the_land_and_the_curve_falls_from_all_to_nothing():
    heights = np.random.default_rng(3).gamma(2.0, 50.0, (60, 90)).astype(np.float32)
    found = hypsometry(heights)
    assert found.shares.sum() == pytest.approx(1)
    assert (found.above[0], found.above[-1]) == (pytest.approx(1), 0)
    assert np.all(np.diff(found.above) <= 0)
    for edge, above in zip(found.edges[:-1], found.above[:-1], strict=True):
        assert above == pytest.approx(np.mean(heights >= edge), abs=2 / heights.size)


def test_a_plain_with_a_hill_has_a_lower_integral_than_an_upland_with_a_hole():
    hill = np.zeros((50, 50), np.float32)
    hill[:5, :5] = 100
    assert hypsometry(hill).integral < 0.05 < 0.95 < hypsometry(100 - hill).integral


def test_level_land_has_no_relief_and_is_no_division_by_zero():
    found = hypsometry(np.full((8, 8), 12.0, np.float32))
    assert (found.lowest, found.mean, found.highest) == (12, 12, 12)
    assert found.above[0] == 1 and found.integral == 0.5
    assert np.all(np.diff(found.edges) >= 0)
