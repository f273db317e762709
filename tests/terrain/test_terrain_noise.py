"""The terrain's base: every kind and mode from the step's parameters."""

import numpy as np
import pytest

from fellview import noise as noises
from fellview.core.errors import Cancelled
from fellview.noise import classic, fractal, registry
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.steps import noise


def _run(parameters, rows=48, columns=64, progress=None):
    domain = Domain(Grid(rows=rows, columns=columns), parameters.seed)
    return noise.run(parameters, domain, np.zeros((rows, columns), np.float32), progress or Progress())


@pytest.mark.parametrize("kind", registry.kinds())
@pytest.mark.parametrize("mode", fractal.MODES)
def test_every_kind_and_mode_makes_land(kind, mode):
    heights = _run(noise.Noise(kind=kind, fractal=mode, frequency=4.0, octaves=3, amplitude=50.0))
    assert heights.dtype == np.float32
    assert heights.shape == (48, 64)
    assert np.isfinite(heights).all()
    assert np.ptp(heights) > 5


@pytest.mark.parametrize("kind", registry.kinds())
def test_the_base_is_the_public_noise_in_metres(kind):
    parameters = noise.Noise(kind=kind, frequency=5.0, octaves=2, amplitude=30.0, seed=8)
    octaves = 2 if registry.get(kind).natural_period else 1
    wanted = noises.grid(kind, 48, 64, 5.0, registry.get(kind).flat_dimension, seed=8, octaves=octaves)
    np.testing.assert_allclose(_run(parameters), 30 * wanted, atol=2e-4)


def test_one_octave_of_classic_noise_is_the_demos_to_the_last_bit():
    parameters = noise.Noise(frequency=15.0, amplitude=10.0, lacunarity=3.0, gain=0.2)
    np.testing.assert_array_equal(_run(parameters), classic.exact_grid(48, 64, 15.0) * np.float32(10))
    # the same function to rounding as the kind itself
    np.testing.assert_allclose(_run(parameters), 10 * noises.grid("classic", 48, 64, 15.0), atol=1e-5)


def test_options_that_a_kind_lacks_are_not_shown_and_change_nothing():
    worley, improved = noise.Noise(kind="worley"), noise.Noise(kind="improved")
    assert worley.shows("metric") and worley.shows("jitter") and not worley.shows("fade") and not worley.shows("range")
    assert improved.shows("fade") and improved.shows("tile") and not improved.shows("output")
    assert not noise.Noise(kind="white").shows("frequency")
    assert not noise.Noise(kind="simplex").shows("tile")
    np.testing.assert_array_equal(_run(improved), _run(improved.replace(metric="chebyshev", jitter=0.0)))


def test_a_linear_fade_shows_creases_that_the_kinds_own_does_not():
    own, linear = (_run(noise.Noise(kind="improved", frequency=3.0, fade=fade)) for fade in ("own", "linear"))
    assert np.abs(np.diff(linear, 2)).max() > 2 * np.abs(np.diff(own, 2)).max()


@pytest.mark.parametrize("kind", [name for name in registry.kinds() if registry.get(name).tiles])
def test_a_tiling_land_meets_itself(kind):
    heights = _run(noise.Noise(kind=kind, frequency=3.4, octaves=3, tile=True), 128, 128)
    inside = np.abs(np.diff(heights, axis=0)).max()
    assert np.abs(heights[0] - heights[-1]).max() <= 1.5 * inside
    assert np.abs(heights[:, 0] - heights[:, -1]).max() <= 1.5 * np.abs(np.diff(heights, axis=1)).max()


def test_octaves_finer_than_the_grid_are_cut_and_told():
    parameters = noise.Noise(kind="improved", frequency=4.0, octaves=8)
    coarse, fine = Grid(rows=64, columns=64), Grid(rows=2048, columns=2048)
    assert noise.cut_octaves(parameters, coarse) == 4  # 4, 8, 16 and 32 cycles have two samples each
    assert noise.cut_octaves(parameters, fine) == 0
    assert noise.remark(parameters, Domain(fine, 1)) == ""
    assert noise.remark(parameters, Domain(coarse, 1)).startswith("noise: 4 of 8 octaves left out")
    assert noise.cut_octaves(noise.Noise(kind="white", octaves=8), coarse) == 0
    # what is left looks the same at every resolution
    few, many = _run(parameters, 64, 64), _run(parameters, 512, 512)[::8, ::8]
    assert np.corrcoef(few.ravel(), many.ravel())[0, 1] > 0.98


def test_damping_needs_slopes_and_falls_back_to_the_plain_sum():
    plain, damped = (_run(noise.Noise(kind="worley", octaves=3, fractal=mode)) for mode in ("fbm", "derivative-damped"))
    np.testing.assert_array_equal(plain, damped)


def test_a_cancelled_base_stops():
    progress = Progress()
    progress.cancel[0] = 1
    with pytest.raises(Cancelled):
        _run(noise.Noise(kind="improved"), progress=progress)
