"""Steps that bend, reshape and smooth the land: what each promises."""

import math

import numpy as np
import pytest

from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.steps import curve, edge, perturb, smooth, terrace
from fellview.terrain.steps.curve import Curve
from fellview.terrain.steps.edge import Edge
from fellview.terrain.steps.perturb import Perturb
from fellview.terrain.steps.smooth import Smooth
from fellview.terrain.steps.terrace import Terrace
from tests.lands import rolling


def run(step, parameters, heights, size_x=200.0, size_z=200.0, seed=5):
    rows, columns = heights.shape
    domain = Domain(Grid(rows=rows, columns=columns, size_x=size_x, size_z=size_z), seed)
    return step.run(parameters, domain, heights, Progress())


def roughness(heights):
    """Return the largest second difference along rows."""
    return np.abs(np.diff(heights, 2, axis=1)).max()


def ramp(rows, columns, height):
    return np.broadcast_to(np.linspace(0, height, columns, dtype=np.float32), (rows, columns)).copy()


# ---- smooth perturbation -------------------------------------------------------------------------------------------


def test_a_reach_of_nothing_moves_nothing():
    heights = rolling(40, 56, 20.0)
    np.testing.assert_array_equal(run(perturb.STEP, Perturb(mode="smooth", reach=0.0), heights), heights)


def test_the_bend_grows_evenly_with_the_reach():
    heights = rolling(96, 96, 20.0)
    moves = [
        np.abs(run(perturb.STEP, Perturb(mode="smooth", reach=reach), heights) - heights).mean() for reach in (0.1, 0.2)
    ]
    assert moves[1] == pytest.approx(2 * moves[0], rel=0.05)


def test_smooth_ground_bends_without_tears():
    heights = rolling(256, 256, 20.0, octaves=1)
    gentle = Perturb(mode="smooth", reach=5.0, bend_frequency=2.0, octaves=1)
    bent, torn = (run(perturb.STEP, group, heights) for group in (gentle, Perturb()))
    assert roughness(bent) < 8 * roughness(heights), "bending draws slopes together"
    assert roughness(torn) > 5 * roughness(bent)


def test_a_bent_land_stays_within_the_old_heights_but_for_the_cubics_overshoot():
    heights = rolling(64, 64, 20.0)
    bent = run(perturb.STEP, Perturb(mode="smooth", reach=25.0), heights)
    slack = 0.08 * np.ptp(heights)
    assert heights.min() - slack <= bent.min() and bent.max() <= heights.max() + slack


def test_no_point_is_read_from_outside():
    plane = np.add.outer(np.arange(33), np.arange(48)).astype(np.float32)
    moved = run(perturb.STEP, Perturb(mode="smooth", reach=100.0), plane)
    assert moved.min() >= 0 and moved.max() <= plane.max()


# ---- smoothing by a radius -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [0.1, 0.4, 1.0, 3.3])
@pytest.mark.parametrize(("rows", "columns", "size_x", "size_z"), [(256, 256, 200, 200), (128, 300, 300.0, 150.0)])
def test_a_spike_spreads_to_the_gaussians_variance(radius, rows, columns, size_x, size_z):
    spike = np.zeros((rows, columns), np.float32)
    spike[rows // 2, columns // 2] = 1000.0
    spread = run(smooth.STEP, Smooth(mode="radius", radius=radius), spike, size_x, size_z).astype(np.float64)
    assert spread.sum() == pytest.approx(1000, rel=1e-4)
    deviation_m = radius / 100 * math.sqrt(size_x * size_z)
    for axis, side, length in ((0, rows, size_z), (1, columns, size_x)):
        metres = (np.arange(side) - side // 2) * length / side
        profile = spread.sum(axis=1 - axis) / spread.sum()
        assert math.sqrt((profile * metres**2).sum()) == pytest.approx(deviation_m, rel=2e-3)


def test_the_spread_is_nearly_the_gaussian_and_round():
    side, radius = 257, 4.0
    spike = np.zeros((side, side), np.float32)
    spike[128, 128] = 1.0
    spread = run(smooth.STEP, Smooth(mode="radius", radius=radius), spike)
    cells = radius / 100 * side
    away = np.hypot(*np.meshgrid(np.arange(side) - 128, np.arange(side) - 128))
    gaussian = np.exp(-((away / cells) ** 2) / 2) / (2 * math.pi * cells**2)
    assert np.abs(spread - gaussian).max() < 0.12 * gaussian.max()


def test_the_mean_stays_and_the_largest_radius_leaves_little_else():
    heights = rolling(64, 96, 20.0)
    after = run(smooth.STEP, Smooth(mode="radius", radius=25.0), heights)
    assert after.mean() == pytest.approx(heights.mean(), abs=1e-3)
    assert after.std() < 0.2 * heights.std()


def test_a_larger_radius_is_smoother_without_jumps():
    heights = rolling(128, 128, 20.0)
    rough = [
        np.diff(run(smooth.STEP, Smooth(mode="radius", radius=radius), heights), axis=1).std()
        for radius in np.linspace(0.2, 4, 39)
    ]
    falls = np.diff(rough)
    assert (falls < 0).all() and falls.min() > -0.12 * rough[0]


# ---- terraces ------------------------------------------------------------------------------------------------------


def test_a_ramp_becomes_as_many_levels_as_spacings():
    parameters = Terrace(enabled=True, spacing=10.0, strength=1.0, sharpness=1.0, irregularity=0.0)
    cut = run(terrace.STEP, parameters, ramp(8, 2000, 100.0))
    levels, counts = np.unique(np.round(cut[4], 3), return_counts=True)
    benches = levels[counts > 50]
    np.testing.assert_allclose(benches, np.arange(0, 101, 10), atol=1e-3)
    assert counts[counts > 50].sum() > 0.85 * 2000, "risers take a tenth"


@pytest.mark.parametrize("sharpness", [0.0, 0.5, 1.0])
def test_terraces_have_no_kink_and_never_turn_down(sharpness):
    parameters = Terrace(enabled=True, spacing=10.0, strength=0.7, sharpness=sharpness, irregularity=0.0)
    slopes = [np.diff(run(terrace.STEP, parameters, ramp(4, n, 40.0))[1].astype(np.float64)) * n for n in (2000, 8000)]
    assert all((each > -0.1).all() for each in slopes)
    jumps = [np.abs(np.diff(each)).max() for each in slopes]
    assert jumps[1] < 0.5 * jumps[0], "a kink would jump as far on the finer grid"


def test_irregular_layers_differ_in_thickness_and_leave_the_contours():
    parameters = Terrace(enabled=True, spacing=10.0, strength=1.0, sharpness=1.0, irregularity=1.0)
    cut = run(terrace.STEP, parameters, ramp(400, 1000, 100.0))
    levels, counts = np.unique(np.round(cut, 2), return_counts=True)
    thick = np.diff(levels[counts > 4000])
    assert thick.min() > 2.9 and np.ptp(thick) > 2
    assert np.abs(cut[0] - cut[200]).max() > 5, "risers run straight down the rows"


def test_full_strength_without_sharpness_still_rolls():
    parameters = Terrace(enabled=True, spacing=10.0, strength=1.0, sharpness=0.0, irregularity=0.0)
    cut = run(terrace.STEP, parameters, ramp(4, 2000, 40.0))
    assert np.abs(cut - ramp(4, 2000, 40.0)).max() == pytest.approx(0.962, abs=0.01)  # 10·max|3t² − 2t³ − t|


# ---- height curve --------------------------------------------------------------------------------------------------

CURVES = [(10, 35, 68), (0, 0, 100), (100, 0, 50), (25, 50, 75), (0, 100, 100), (80, 81, 82)]


@pytest.mark.parametrize("points", CURVES, ids=str)
def test_the_curve_rises_keeps_its_ends_and_has_no_kink(points):
    lower, middle, upper = points
    heights = ramp(4, 4001, 50.0) - 20
    after = run(curve.STEP, Curve(enabled=True, lower=lower, middle=middle, upper=upper), heights)[0]
    assert (after[0], after[-1]) == (pytest.approx(-20), pytest.approx(30, abs=1e-4))
    slopes = np.diff(after.astype(np.float64)) * 80
    assert (slopes > -2e-3).all()
    assert np.abs(np.diff(slopes)).max() < 0.1, "slopes are up to three, and jump where two pieces meet badly"
    quarter, half = lower, max(lower, middle)
    for at, share in ((1000, quarter), (2000, half), (3000, max(half, upper))):
        assert after[at] == pytest.approx(-20 + share / 2, abs=1e-3)


def test_even_points_are_no_curve_and_flat_land_has_none():
    even = Curve(enabled=True, lower=25.0, middle=50.0, upper=75.0)
    assert not curve.STEP.active(even)
    heights = rolling(40, 56, 20.0)
    np.testing.assert_allclose(run(curve.STEP, even, heights), heights, atol=1e-4)
    flat = np.full((5, 6), 7.0, np.float32)
    np.testing.assert_array_equal(run(curve.STEP, Curve(enabled=True), flat), flat)


# ---- edge ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("irregularity", [0.0, 1.0])
@pytest.mark.parametrize("shape", edge.SHAPES)
@pytest.mark.parametrize("size", [(64, 96), (2, 2), (31, 5)], ids=str)
def test_the_whole_border_lies_at_the_floor(shape, irregularity, size):
    parameters = Edge(enabled=True, shape=shape, floor=-33.0, irregularity=irregularity)
    sunk = run(edge.STEP, parameters, rolling(*size, 20.0))
    border = np.concatenate([sunk[0], sunk[-1], sunk[:, 0], sunk[:, -1]])
    np.testing.assert_allclose(border, -33.0, atol=1e-3)


@pytest.mark.parametrize("shape", edge.SHAPES)
def test_an_even_edge_leaves_the_land_beyond_its_width(shape):
    heights = rolling(101, 101, 20.0)
    sunk = run(edge.STEP, Edge(enabled=True, shape=shape, width=10.0, irregularity=0.0), heights)
    z, x = np.abs(np.meshgrid(np.linspace(-1, 1, 101), np.linspace(-1, 1, 101), indexing="ij"))
    away = {"round": np.hypot(z, x), "square": (z**4 + x**4) ** 0.25, "borders": np.maximum(z, x)}[shape]
    np.testing.assert_allclose(sunk[away < 0.79], heights[away < 0.79], atol=1e-4)
    assert (np.abs(sunk - heights)[(away > 0.9) & (np.abs(heights + 10) > 1)] > 0.1).all()


def test_bays_leave_no_even_outline():
    plain = np.full((128, 128), 10.0, np.float32)
    sunk = run(edge.STEP, Edge(enabled=True, floor=-10.0), plain)
    shore = np.diff(np.signbit(sunk[64:]).astype(int), axis=0)
    z, x = np.nonzero(shore)
    radii = np.hypot(z, x - 63.5)
    assert radii.std() > 1.5, "the outline is a circle"
