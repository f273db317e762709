"""What every registered kind of noise promises; a new kind is held to it unasked."""

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest

from fellview import noise
from fellview.core.errors import InputError
from fellview.noise import evaluate, fractal, grids, registry
from tests.sampling import sampled

KINDS = [registry.get(name) for name in registry.kinds()]


def _variants(kind):
    """Every combination of a kind's choices; real-valued options stay at their defaults."""
    choices = {name: one.options for name, one in kind.options.declarations().items() if one.options}
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


CASES = [
    pytest.param(kind, dimension, options, id=f"{kind.name}-{dimension}-{'-'.join(options.values())}")
    for kind in KINDS
    for dimension in kind.dimensions
    for options in _variants(kind)
]
SMOOTH_CASES = [case for case in CASES if case.values[0].has_derivatives and case.values[2].get("range") != "unit"]
GRID_CASES = [
    pytest.param(kind, dimension, id=f"{kind.name}-{dimension}")
    for kind in KINDS
    for dimension in kind.dimensions
    if dimension > 1
]


def _points(count, dimension, spread=60.0, seed=0):
    return np.random.default_rng(seed).uniform(-spread, spread, (count, dimension))


def _grid_points(rows, columns, frequency, dimension, z, w):
    points = np.empty((rows, columns, 4))
    points[..., 0] = frequency * np.arange(rows)[:, None] / rows
    points[..., 1] = frequency * np.arange(columns) / columns
    points[..., 2:] = z, w
    return points[..., :dimension].reshape(-1, dimension)


@pytest.mark.parametrize(("kind", "dimension", "options"), CASES)
def test_values_lie_in_the_declared_range_and_use_it(kind, dimension, options):
    found = noise.at(kind.name, _points(20_000, dimension), seed=4, **options)
    low, high = kind.bounds(dimension, kind.options(**options))
    if options.get("range") == "unit":
        low, high = 0.5 + 0.5 * low, 0.5 + 0.5 * high
    assert low - 1e-6 <= found.min() and found.max() <= high + 1e-6
    # a range that is declared far too wide would leave sliders and colours unused
    assert found.max() - found.min() > 0.35 * (high - low)


@pytest.mark.parametrize(("kind", "dimension", "options"), CASES)
def test_the_value_is_as_continuous_as_declared(kind, dimension, options):
    """Steps shrink with the distance exactly where the kind is continuous."""
    points = _points(4000, dimension)
    step = np.zeros(dimension)
    step[0] = 1e-6
    here = noise.at(kind.name, points, precise=True, **options)
    there = noise.at(kind.name, points + step, precise=True, **options)
    if kind.smoothness(kind.options(**options)) >= 0:
        assert np.abs(there - here).max() < 1e-4
    elif kind.natural_period == 0:
        further = noise.at(kind.name, points + 1e4 * step, precise=True, **options)  # beyond float32's rounding at 60
        assert (further != here).mean() > 0.99
    # across the lattice and the simplices' faces: the middle of two close points lies between them
    edges = np.round(points)
    if kind.smoothness(kind.options(**options)) >= 0:
        before, after = (noise.at(kind.name, edges + sign * step, precise=True, **options) for sign in (-1, 1))
        assert np.abs(after - before).max() < 1e-4


@pytest.mark.parametrize(("kind", "dimension", "options"), SMOOTH_CASES)
def test_derivatives_are_continuous_to_the_declared_order(kind, dimension, options):
    """Across lattice faces: slopes agree from order 1, curvatures from order 2; with a linear fade they must not."""
    order = kind.smoothness(kind.options(**options))
    faces = _points(2000, dimension)
    faces[:, 0] = np.round(faces[:, 0])
    small = 1e-5
    step = np.zeros(dimension)
    step[0] = small

    def slope(multiple):
        return noise.derivatives(kind.name, faces + multiple * step, **options)[1][:, 0]

    slopes = np.abs(slope(1e-3) - slope(-1e-3)).max()
    curvatures = np.abs((slope(2) - slope(1)) - (slope(-1) - slope(-2))).max() / small
    assert (slopes < 1e-5) == (order >= 1)
    if order >= 1:
        assert (curvatures < 0.05) == (order >= 2)


@pytest.mark.parametrize(("kind", "dimension", "options"), SMOOTH_CASES)
def test_derivatives_equal_differences(kind, dimension, options):
    points = _points(2000, dimension)
    points = np.floor(points) + np.clip(points - np.floor(points), 1e-3, 1 - 1e-3)  # off the creases of a linear fade
    small = 1e-6
    value, slopes = noise.derivatives(kind.name, points, seed=9, **options)
    np.testing.assert_allclose(value, noise.at(kind.name, points, seed=9, precise=True, **options), atol=1e-12)
    for axis in range(dimension):
        step = np.zeros(dimension)
        step[axis] = small
        ahead, behind = (noise.at(kind.name, points + sign * step, seed=9, precise=True, **options) for sign in (1, -1))
        np.testing.assert_allclose(slopes[:, axis], (ahead - behind) / (2 * small), atol=2e-7)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.zero_on_lattice], ids=lambda kind: kind.name)
def test_gradient_kinds_are_zero_on_the_lattice(kind):
    for dimension in kind.dimensions:
        lattice = np.round(_points(2000, dimension, 1e5))
        assert not noise.at(kind.name, lattice, seed=3).any()


@pytest.mark.parametrize("dimension", (1, 2, 3, 4))
def test_simplex_noise_is_zero_on_its_own_lattice(dimension):
    steps = np.round(_points(2000, dimension))
    unskew = 0.0 if dimension == 1 else (1 - 1 / np.sqrt(dimension + 1)) / dimension
    lattice = steps - unskew * steps.sum(axis=1, keepdims=True)
    assert np.abs(noise.at("simplex", lattice)).max() < 1e-6


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.tiles], ids=lambda kind: kind.name)
@pytest.mark.parametrize("period", (1, 5, 300))
def test_noise_repeats_with_the_period(kind, period):
    for dimension in kind.dimensions:
        points = np.round(_points(300, dimension) * 1024) / 1024  # exact, so that moving them rounds nothing
        settings = {"period": period, "octaves": 4, "lacunarity": 2.1, "spread": False}
        here = noise.at(kind.name, points, precise=True, **settings)
        for axis in range(dimension):
            moved = points.copy()
            moved[:, axis] += 3 * period
            np.testing.assert_allclose(noise.at(kind.name, moved, precise=True, **settings), here, atol=1e-9)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.natural_period], ids=lambda kind: kind.name)
def test_the_lattice_repeats_by_itself_after_its_natural_period(kind):
    if kind.name in ("simplex", "opensimplex"):
        return  # theirs is skewed: no whole step of it lies along an axis
    points = np.round(_points(300, max(kind.dimensions)) * 1024) / 1024
    here = noise.at(kind.name, points, precise=True)
    np.testing.assert_allclose(noise.at(kind.name, points + kind.natural_period, precise=True), here, atol=1e-5)


def test_a_period_is_refused_where_the_kind_does_not_tile():
    with pytest.raises(InputError, match="simplex noise does not tile"):
        noise.at("simplex", np.zeros((1, 2)), period=4)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_very_large_coordinates_are_safe(kind):
    for dimension in kind.dimensions:
        low, high = kind.bounds(dimension, kind.options())
        for size in (2.0**31, 2.0**33 + 0.25, 2.0**52, 1e100, 1.7e308):
            for sign in (-1, 1):
                found = noise.at(kind.name, np.full((4, dimension), sign * size))
                assert np.isfinite(found).all()
                assert low - 1e-6 <= found.min() and found.max() <= high + 1e-6
        # float64 still has fractions here, and neighbours still differ smoothly
        far = _points(500, dimension, 1.0) + 2.0**31
        assert np.isfinite(noise.at(kind.name, far)).all()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("wrong", (np.nan, np.inf, -np.inf))
def test_coordinates_that_are_not_finite_are_refused(kind, wrong):
    points = np.zeros((3, max(kind.dimensions)))
    points[1, -1] = wrong
    with pytest.raises(InputError, match="finite"):
        noise.at(kind.name, points)
    with pytest.raises(InputError, match="finite"):
        noise.grid(kind.name, 4, 4, wrong)


@sampled(
    "mode, kind, dimension",
    [(mode, *case.values) for mode in fractal.MODES for case in GRID_CASES],
    quick=2,
    each=lambda mode, kind, dimension: kind.name,
    ids=lambda value: getattr(value, "name", None),
)
def test_a_grid_equals_its_points(kind, dimension, mode):
    if mode == "derivative-damped" and not kind.has_derivatives:
        pytest.skip("no derivatives")
    for options in _variants(kind):
        for rows, columns, frequency, octaves, z in ((33, 47, 2.3, 3, 0.3), (16, 70, 6.0, 1, 0.0)):
            settings = {"seed": 11, "fractal": mode, "octaves": octaves, **options}
            found = noise.grid(kind.name, rows, columns, frequency, dimension, z=z, w=0.7, **settings)
            points = _grid_points(rows, columns, frequency, dimension, z, 0.7)
            wanted = noise.at(kind.name, points, **settings).reshape(rows, columns)
            difference = np.abs(found - wanted)
            if kind.smoothness(kind.options(**options)) >= 0 or kind.natural_period == 0:
                assert difference.max() < 3e-6
            else:  # a nearest feature is a matter of the last bit on the border of two
                assert (difference > 3e-6).mean() < 1e-3


@pytest.mark.parametrize(("kind", "dimension"), GRID_CASES)
def test_a_grid_finer_in_its_lattice_than_in_its_samples(kind, dimension):
    found = noise.grid(kind.name, 8, 9, 1234.5, dimension, z=0.25)
    wanted = noise.at(kind.name, _grid_points(8, 9, 1234.5, dimension, 0.25, 0.0)).reshape(8, 9)
    np.testing.assert_allclose(found, wanted, atol=3e-6)


@pytest.mark.parametrize(("kind", "dimension"), GRID_CASES)
def test_a_tiling_grid_meets_itself(kind, dimension):
    if not kind.tiles:
        pytest.skip("does not tile")
    once = noise.grid(kind.name, 32, 32, 4.0, dimension, octaves=2, period=4)
    twice = noise.grid(kind.name, 64, 64, 8.0, dimension, octaves=2, period=4)
    np.testing.assert_allclose(twice, np.tile(once, (2, 2)), atol=2e-6)


@pytest.mark.parametrize(("kind", "dimension"), GRID_CASES)
def test_the_same_seed_gives_the_same_bits_and_another_seed_another_land(kind, dimension):
    one, again, other = (noise.grid(kind.name, 40, 40, 5.5, dimension, seed=seed, octaves=2) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one, again)
    assert np.corrcoef(one.ravel(), other.ravel())[0, 1] < 0.3


def test_results_do_not_depend_on_the_number_of_threads():
    program = (
        "import sys, numpy as np; from fellview import noise\n"
        "from fellview.core import compiled; compiled._numba().set_num_threads(int(sys.argv[1]))\n"
        "for kind in ('improved', 'simplex', 'worley'):\n"
        "    sys.stdout.buffer.write(noise.grid(kind, 100, 90, 7.3, octaves=2).tobytes())\n"
    )
    one, two = (
        subprocess.run([sys.executable, "-c", program, count], check=True, capture_output=True).stdout
        for count in ("1", "2")
    )
    assert len(one) == 3 * 100 * 90 * 4
    assert one == two


def test_simplex_noise_has_no_direction_of_its_own():
    """The share of spectral power within 15° of the axes, over that within 15° of the diagonals, in the ring that holds
    most of it. Even in all directions is 1; noise on squares prefers some."""
    side, frequency, seeds = 256, 32, 24
    frequencies = np.fft.fftfreq(side, 1 / side)
    radius = np.hypot(frequencies[:, None], frequencies)
    angle = np.degrees(np.arctan2(frequencies[:, None], frequencies)) % 90
    ring = (radius > 0.4 * frequency) & (radius < 1.6 * frequency)
    axes, diagonals = ring & ((angle < 15) | (angle > 75)), ring & (angle > 30) & (angle < 60)

    def bias(kind, dimension):
        power = np.zeros((side, side))
        for seed in range(1, seeds + 1):
            power += np.abs(np.fft.fft2(noise.grid(kind, side, side, frequency, dimension, seed=seed))) ** 2
        return power[axes].mean() / power[diagonals].mean()

    measured = {name: bias(name, 2) for name in ("simplex", "opensimplex", "value")}
    assert abs(np.log(measured["simplex"])) < np.log(1.25), measured
    assert abs(np.log(measured["opensimplex"])) < np.log(1.25), measured
    assert abs(np.log(measured["value"])) > abs(np.log(measured["simplex"])), measured


@pytest.mark.parametrize("mode", fractal.MODES)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.has_derivatives], ids=lambda kind: kind.name)
def test_sums_stay_in_the_range_of_their_mode(kind, mode):
    found = noise.at(kind.name, _points(4000, max(kind.dimensions)), fractal=mode, octaves=6)
    low = {"turbulence": 0.0, "ridged": 0.0, "hybrid": -0.3 / 1.7}.get(mode, -1.0)
    # the bounds of improved noise pass 1 by a few hundredths
    assert low - 0.07 <= found.min() and found.max() <= 1.07


def test_one_octave_of_a_plain_sum_is_the_noise():
    points = _points(100, 3)
    np.testing.assert_array_equal(
        noise.at("improved", points, octaves=1, gain=0.3, lacunarity=3.0), noise.at("improved", points)
    )


def test_octaves_do_not_share_their_zeros():
    lattice = np.round(_points(200, 2))
    assert not noise.at("improved", lattice, octaves=4, spread=False).any()
    assert np.abs(noise.at("improved", lattice, octaves=4)).mean() > 0.02


def test_warping_bends_and_two_levels_bend_further():
    points = _points(2000, 2)
    plain, one, two = (
        noise.at("simplex", points, warp=warp, warp_levels=levels) for warp, levels in ((0.0, 1), (0.5, 1), (0.5, 2))
    )
    assert np.abs(plain - one).mean() > 0.05
    assert np.abs(one - two).mean() > 0.05
    bent = noise.grid("simplex", 20, 30, 3.0, 2, warp=0.5, warp_levels=2)
    wanted = noise.at("simplex", _grid_points(20, 30, 3.0, 2, 0, 0), warp=0.5, warp_levels=2).reshape(20, 30)
    np.testing.assert_allclose(bent, wanted, atol=2e-6)


@pytest.mark.parametrize(
    ("frequency", "lacunarity", "octaves", "side", "kept"),
    (
        (4.0, 2.0, 8, 2048, 8),  # 4 · 2⁷ = 512, four samples a cycle
        (4.0, 2.0, 9, 2048, 9),  # 1024 is the limit itself
        (4.0, 2.0, 12, 2048, 9),
        (600.0, 2.0, 5, 512, 1),
        (3.0, 1.0, 5, 512, 5),
    ),
)
def test_octaves_past_two_samples_a_cycle_are_cut(frequency, lacunarity, octaves, side, kept):
    assert fractal.within_nyquist(frequency, lacunarity, octaves, side, 2 * side) == kept


def test_a_grid_says_that_it_cut_octaves_and_keeps_the_others_as_they_were():
    with pytest.warns(UserWarning, match="2 of 4 octaves"):
        found = noise.grid("improved", 32, 32, 7.0, octaves=4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = noise.grid("improved", 256, 256, 7.0, octaves=4)
    assert np.corrcoef(found.ravel(), fine[::8, ::8].ravel())[0, 1] > 0.9


def test_the_amplitude_is_a_factor():
    once = noise.grid("improved", 20, 20, 2.0, octaves=3)
    np.testing.assert_allclose(noise.grid("improved", 20, 20, 2.0, octaves=3, amplitude=250.0), 250 * once, atol=1e-4)


def test_a_cancelled_grid_returns_early():
    assert noise.grid("improved", 64, 64, 3.0, cancel=np.ones(1, np.uint8)).shape == (64, 64)


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    (
        (("perlin", 4, 4, 1.0), {}, "perlin.*expected one of white, value"),
        (("improved", 0, 4, 1.0), {}, "rows = 0"),
        (("improved", 4, 2.5, 1.0), {}, "columns = 2.5"),
        (("improved", 4, 4, -1.0), {}, "frequency = -1.0"),
        (("improved", 4, 4, 1.0, 5), {}, "dimension = 5: improved noise has 1, 2, 3, 4"),
        (("improved", 4, 4, 1.0, 1), {}, "dimension = 1"),
        (("improved", 4, 4, 1.0, 3, -1), {}, "seed = -1"),
        (("improved", 4, 4, 1.0), {"metric": "euclidean"}, "metric: improved noise has no such option"),
        (("worley", 4, 4, 1.0), {"metric": "round"}, "one of euclidean"),
        (("worley", 4, 4, 1.0), {"fractal": "derivative-damped"}, "no derivatives"),
        (("improved", 4, 4, 1.0), {"octaves": 17}, "1 to 16"),
    ),
)
def test_wrong_input_is_refused_in_one_line(arguments, settings, message):
    with pytest.raises(InputError, match=message) as refusal:
        noise.grid(*arguments, **settings)
    assert "\n" not in str(refusal.value)


def test_points_of_the_wrong_shape_or_type_are_refused():
    for wrong in (np.zeros(3), np.zeros((2, 2), complex), [["a", "b"]]):
        with pytest.raises(InputError, match="expected real numbers"):
            noise.at("value", wrong)
    assert noise.at("value", np.empty((0, 2))).shape == (0,)


def test_every_kind_names_its_twin_once():
    assert len({kind.glsl for kind in KINDS}) == len(KINDS)


def test_importing_noise_leaves_numba_alone():
    program = "import sys, fellview.noise; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_nothing_is_lost_between_the_settings_and_the_request():
    """Every option of every kind and of the sum reaches the request under its own name."""
    for kind in KINDS:
        names = {*kind.options.declarations(), *fractal.Fractal.declarations()}
        defaults = {**kind.options().values(), **fractal.Fractal().values()}
        asked = evaluate.request(kind.name, kind.dimensions[0], 1, None, defaults)
        assert {**asked.options.values(), **asked.sum.values()}.keys() == names
    assert grids.grid is noise.grid
