"""Waves against Cox and Munk, Pierson and Moskowitz, and what a tile and its mip levels must keep."""

import numpy as np
import pytest

from fellview.draw.water import waves


@pytest.fixture(scope="module")
def tile():
    return waves.tile()


@pytest.fixture(scope="module")
def levels(tile):
    return [values.astype(float) for values in waves.levels(tile)]


@pytest.mark.parametrize("fetch_m", [60.0, 1.5e3, 100e3])
@pytest.mark.parametrize("wind", [0.0, 1.0, 4.0, 12.0, 20.0])
def test_all_slopes_together_are_as_steep_as_cox_and_munk_saw_them(wind, fetch_m):
    *sizes, finer = waves.steepness(wind, fetch_m)
    assert np.square(sizes).sum() + finer == pytest.approx(0.003 + 5.12e-3 * wind, rel=1e-6)


def test_a_full_sea_has_the_peak_that_pierson_and_moskowitz_measured():
    """Their peak lies at 0.877 g / U, where U is the wind; its wave number is that frequency's in deep water."""
    assert waves.peak_wave_number(10.0, 5e6) == pytest.approx((0.877 * 9.81 / 10.0) ** 2 / 9.81, rel=0.1)


def test_a_short_way_for_the_wind_raises_short_waves_only():
    sea, lake, river = (waves.steepness(5.0, fetch_m) for fetch_m in (100e3, 1.5e3, 60.0))
    assert sea[0] > 3 * lake[0] > 0 and lake[1] > 3 * river[1]
    assert waves.steepness(12.0, 100e3)[0] > 2 * waves.steepness(3.0, 100e3)[0]


def test_the_tile_repeats_without_a_seam(tile):
    """What lies across its border changes as much as what lies across any row within."""
    for values in np.moveaxis(tile, -1, 0):
        for axis in (0, 1):
            steps = np.abs(np.diff(values, axis=axis, append=values.take([0], axis)))
            assert steps.take(-1, axis).mean() < 1.5 * steps.mean()


def test_slopes_of_the_tile_have_a_variance_of_one_and_belong_to_one_surface(tile):
    along, across = tile[..., 0], tile[..., 1]
    assert along.var() + across.var() == pytest.approx(1.0) and tile[..., :2].mean() == pytest.approx(0.0, abs=1e-9)
    assert along.var() > 1.2 * across.var(), "wind makes waves along it steeper"
    cycles = 2j * np.pi * np.fft.fftfreq(waves.SIDE)
    curl = np.fft.fft2(along) * cycles[:, None] - np.fft.fft2(across) * cycles[None, :]
    assert abs(curl).max() < 1e-6 * abs(np.fft.fft2(along) * cycles[:, None]).max()


def test_the_tile_has_no_wave_too_long_to_hide_its_repeats_and_none_too_short_to_read(tile):
    power = np.abs(np.fft.fft2(tile[..., 0])) ** 2
    along = np.fft.fftfreq(waves.SIDE, 1 / waves.SIDE)
    cycles = np.hypot(along[:, None], along[None, :])
    outside = (cycles < 0.8 * waves.LONGEST) | (cycles > 1.2 * waves.SHORTEST)
    assert power[outside].sum() < 1e-9 * power.sum()


def test_what_a_mean_loses_in_slopes_it_has_as_lost_variance(levels):
    for level in levels:
        slopes = (level[..., :2] - 128) * waves.MOST_SLOPE / 127.5
        kept = np.square(slopes).sum(axis=-1).mean()
        assert kept + waves.MOST_LOST / 255 * level[..., 2].mean() == pytest.approx(1.0, abs=0.01)


def test_far_water_has_no_slopes_left(levels):
    assert levels[0][..., 2].max() == 0.0, "nothing is lost where every texel is seen"
    assert levels[-1].shape == (1, 1, 4) and levels[-1][0, 0].tolist() == pytest.approx(
        [128, 128, 255 / waves.MOST_LOST, 128], abs=1
    )


def test_waves_move_at_the_speed_of_their_length():
    """A size's place moves by the phase speed, between those of the longest and the shortest of its band."""
    still, later = waves.layers(0.0), waves.layers(1.0)
    for size_m, one, other, (long_m, short_m) in zip(
        waves.TILES_M, still, later, ((52.0, 5.5), (5.5, 0.8), (0.8, 0.059)), strict=True
    ):
        moved_m = (one[2] - other[2]) % 1.0 * size_m
        assert np.sqrt(9.81 * short_m / (2 * np.pi)) < moved_m < np.sqrt(9.81 * long_m / (2 * np.pi))
        assert np.hypot(*one[:2]) == pytest.approx(1 / size_m)


@pytest.mark.parametrize("wind", [10.0, 14.0, 18.0])
def test_as_much_noise_lies_over_the_whitecaps_threshold_as_monahan_saw_of_them(tile, wind):
    share, over = waves.whitecaps(wind)
    assert (tile[..., 2] > over).mean() == pytest.approx(3.84e-6 * wind**3.41, rel=0.35, abs=5e-4)
    assert share < waves.whitecaps(wind + 1.0)[0] and waves.whitecaps(0.0)[0] == 0.0
