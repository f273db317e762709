"""Pictures compared: decibels, steadiness from frame to frame, and what counts as sharp."""

import math

import numpy as np
import pytest

from fellview.bench import fidelity

RANDOM = np.random.default_rng(7)


def _grey(level, side=8):
    return np.full((side, side, 3), level, np.uint8)


def _noisy(picture, by):
    return np.clip(picture + RANDOM.normal(0, by, picture.shape), 0, 255).astype(np.uint8)


def test_psnr_is_that_of_the_definition():
    assert fidelity.psnr_db(_grey(100), _grey(105)) == pytest.approx(20 * math.log10(255 / 5))
    assert fidelity.psnr_db(_grey(0), _grey(255)) == pytest.approx(0.0)
    assert fidelity.psnr_db(_grey(9), _grey(9)) == fidelity.MOST_DB
    assert fidelity.psnr_db(_grey(200), _grey(0)) == fidelity.psnr_db(_grey(0), _grey(200)), "unsigned bytes wrap"


def test_change_is_the_mean_over_the_way():
    assert fidelity.change([_grey(10), _grey(20), _grey(16)]) == pytest.approx((10 + 4) / 2)


def test_frames_that_flicker_are_less_steady():
    way = [_grey(level) for level in (10, 20, 30)]
    assert fidelity.steadiness(way, way) == pytest.approx(1.0)
    assert fidelity.steadiness([_grey(10), _grey(30), _grey(10)], way) == pytest.approx(2.0)
    assert math.isfinite(fidelity.steadiness(way, [_grey(1), _grey(1)]))


def test_sharp_is_a_full_frame_or_what_is_finer():
    resting = RANDOM.integers(60, 200, (64, 64, 3)).astype(np.uint8)
    single, first = _noisy(resting, 12), _noisy(resting, 12)
    assert fidelity.is_sharp(single, single, first, resting)
    assert fidelity.is_sharp(first, single, first, resting)
    assert fidelity.is_sharp(_noisy(resting, 6), single, first, resting), "a mean of many"
    assert not fidelity.is_sharp(_noisy(resting, 11), single, first, resting), "another frame, as near as a full one"
    coarse = resting[::2, ::2].repeat(2, 0).repeat(2, 1)
    assert not fidelity.is_sharp(coarse, single, first, resting)
