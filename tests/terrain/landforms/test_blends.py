"""What blends a landform with the ground and the one before keeps its algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fellview.terrain.domain import Domain
from fellview.terrain.landforms.shapes import smooth_max, smooth_min
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform
from tests.terrain.landforms.laid import REGULAR, SQUARE, from_middle, lay

relaxed = settings(deadline=None, max_examples=60)
metres = st.floats(-1e4, 1e4, allow_nan=False)


@given(metres, metres, st.floats(1e-3, 1e3))
@relaxed
def test_smooth_extremes_keep_their_bounds_and_do_not_mind_the_order(a, b, k):
    most, least = smooth_max(a, b, k), smooth_min(a, b, k)
    slack = 1e-9 * (abs(a) + abs(b) + k)
    assert max(a, b) - slack <= most <= max(a, b) + k / 4 + slack
    assert min(a, b) - k / 4 - slack <= least <= min(a, b) + slack
    assert smooth_max(b, a, k) == most and smooth_min(b, a, k) == least
    assert most == pytest.approx(-smooth_min(-a, -b, k), abs=slack)
    if abs(a - b) >= k:
        assert most == max(a, b)


@given(metres, metres)
@relaxed
def test_smooth_extremes_become_the_plain_ones(a, b):
    assert smooth_max(a, b, 0.0) == max(a, b)
    assert smooth_max(a, b, 1e-9) == pytest.approx(max(a, b), abs=1e-9)
    assert smooth_min(a, b, 0.0) == min(a, b)


def test_blends_do_as_they_say():
    flat, _ = lay(SQUARE, kind="plateau", size=70.0, height=400.0)
    top, outside = flat > 399.5, flat < 0.001
    for blend, on_top, beyond in (
        ("add", 430, 30),
        ("maximum", 400, 30),
        ("minimum", 30, None),
        ("replace", 400, 30),
        ("mask", 430, 0),
    ):
        heights, _ = lay(SQUARE, kind="plateau", ground=30.0, blend=blend, size=70.0, height=400.0)
        assert heights[top] == pytest.approx(on_top, abs=0.6), blend
        if beyond is not None:
            assert heights[outside] == pytest.approx(beyond, abs=0.5), blend
    raised, _ = lay(SQUARE, kind="plateau", ground=30.0, blend="maximum", base=100.0, size=70.0, height=400.0)
    assert raised[top] == pytest.approx(500, abs=0.5)


def test_operators_mix_from_slot_to_slot():
    """A hill added, a taller one by maximum, by smooth maximum, then all kept within a mask only."""
    domain = Domain(SQUARE, 1)
    ground = np.full((512, 512), 10.0, np.float32)
    hill = {"kind": "plateau", "size": 60.0, "height": 100.0, **REGULAR}
    added = landform.run(landform.Landform1(**hill, blend="add"), domain, ground, Progress())
    plain = landform.Landform2(**hill | {"size": 30.0, "height": 300.0}, blend="maximum")
    most = landform.run(plain, domain, added, Progress())
    soft = landform.run(plain.replace(smoothness=80.0), domain, added, Progress())
    masked = landform.run(
        landform.Landform3(**hill | {"size": 40.0, "height": 0.001}, blend="mask"), domain, soft, Progress()
    )
    r = np.hypot(*from_middle(SQUARE))
    top, shoulder, beyond = r < 300, (r > 800) & (r < 950), r > 1400
    assert added[top] == pytest.approx(110, abs=0.5) and added[beyond] == pytest.approx(10, abs=0.01)
    assert most[top] == pytest.approx(300, abs=0.5) and most[shoulder] == pytest.approx(110, abs=0.5)
    assert (soft >= most - 1e-3).all() and (soft <= most + 80 / 4 + 1e-3).all()
    assert (soft - most).max() > 15, "rounded where the two meet"
    inner, outer = r < 790, r > 810
    np.testing.assert_allclose(masked[inner], soft[inner], atol=0.01)
    assert np.abs(masked[outer]).max() < 0.01, "nothing is left outside the mask"
