"""Craters have the profile of their page, whatever they are dug into, and sizes that follow the power law."""

import itertools

import numpy as np
import pytest

from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import craters, form, registry
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform
from tests.sampling import sampled
from tests.terrain.landforms.laid import REGULAR, SQUARE, from_middle, lay, place_of


def test_a_fresh_crater_has_the_moon_s_depth_rim_and_ejecta():
    heights, _ = lay(SQUARE, kind="craters", craters=1, ageing=0.0, peaks_above=100.0, size=40.0, **REGULAR)
    radius, width = 800.0, 1600.0
    r = np.hypot(*from_middle(SQUARE))
    floor, rim = heights.min(), heights.max()
    assert rim == pytest.approx(0.036 * width, rel=0.1)
    assert rim - floor == pytest.approx(0.2 * width, rel=0.05)
    assert r.flat[heights.argmax()] == pytest.approx(radius, rel=0.03)
    blanket = (r > 1.2 * radius) & (r < 1.95 * radius)
    exponent = np.polyfit(np.log(r[blanket]), np.log(heights[blanket]), 1)[0]
    assert exponent == pytest.approx(-3, abs=0.05)
    assert np.abs(heights[r > 2.51 * radius]).max() < 1e-3


def known_crater(h, rho, away, plane, radius, fresh, floor, ragged=0.0):
    """Return the ground h with a crater in it, by the formulas of its page in float64; `away` (n, 2) leads outwards."""

    def faded(low, high):
        t = np.clip((rho - low) / (high - low), 0, 1)
        return t * t * (3 - 2 * t)

    def extreme(one, other, k, sign):
        plain = np.maximum(sign * one, sign * other) * sign
        return plain + sign * np.maximum(k - np.abs(one - other), 0) ** 2 / (4 * k + 1e-30)

    rim, deep, slumped = craters.RIM * radius * fresh, craters.DEPTH * radius * fresh, rho
    theta = np.arctan2(away[:, 1], away[:, 0])
    if floor < 1:
        level = craters.TREADS * fresh * faded(0.55, 0.68) * (1 - faded(0.93, 1))
        level *= (1 + craters.ENDS * ragged * np.sin(3 * theta)) / (1 + craters.ENDS * ragged)
        bends = craters.BENDS[0] * np.cos(3 * theta) + craters.BENDS[1] * np.sin(2 * theta)
        turns = 2 * np.pi * craters.TERRACES
        slumped = rho - level * np.sin(turns * rho + 2 * np.pi * ragged * bends) / turns
    p = extreme(rim - deep * (1 - slumped**2), rim / np.maximum(rho, 0.3) ** 3, deep * (0.02 + 0.6 * (1 - fresh)), -1)
    if floor < 1:
        p = extreme(p, rim - deep * floor, 0.15 * deep * floor, 1)
        p = p + craters.PEAK * deep * floor * np.exp(-rho * rho / 0.03)
    return plane + (h - plane) * faded(0.9, 1.5) + p * (1 - faded(2, craters.REACH))


def test_terraces_of_ragged_craters_bend_and_end():
    """All around a circle a wall has one height in a regular crater, and not in a ragged one."""
    turns = np.linspace(0, 2 * np.pi, 360)
    x, z = (600 * np.stack([np.cos(turns), np.sin(turns)])).astype(np.float32)
    wall = np.zeros((2, 360), np.float32)
    crater = 800.0, 1.0, 0.0, 0.0, 0.0, 0.6, 1.0  # radius, freshness, plane, floor, depth
    for ragged, heights in zip((0.0, 1.0), wall, strict=True):
        craters._dig(x, z, *map(np.float32, (*crater, ragged)), heights)
    assert np.ptp(wall[0]) < 1e-2 and 8 < np.ptp(wall[1]) < 800 * craters.DEPTH / craters.TERRACES


def test_old_craters_are_softer_and_large_ones_have_a_peak():
    fresh, _ = lay(SQUARE, kind="craters", craters=1, ageing=0.0, size=40.0, peaks_above=100.0, **REGULAR)
    old, _ = lay(SQUARE, kind="craters", craters=1, ageing=1.0, size=40.0, peaks_above=100.0, **REGULAR)
    assert np.ptp(old) < 0.85 * np.ptp(fresh)
    complex_, _ = lay(SQUARE, kind="craters", craters=1, ageing=0.0, size=40.0, peaks_above=15.0, **REGULAR)
    r = np.hypot(*from_middle(SQUARE))
    ring = complex_[np.abs(r - 350) < 20]
    assert complex_[256, 256] > ring.max() + 20, "a central peak above the floor"
    assert np.ptp(ring) < 3, "a flat floor around it"
    assert np.ptp(complex_) < np.ptp(fresh), "shallower than a simple one of its width"


def _walls(peaks_above):
    """Return the slopes, in degrees, of a fresh crater's wall from ρ = 0.6 to 0.9, outwards."""
    heights, _ = lay(SQUARE, kind="craters", craters=1, ageing=0.0, size=60.0, peaks_above=peaks_above, **REGULAR)
    row, x = heights[256], from_middle(SQUARE)[0][256]
    wall = (x > 0.6 * 1200) & (x < 0.9 * 1200)
    return np.degrees(np.arctan(np.gradient(row, SQUARE.cell_size[1])))[wall]


def test_walls_of_large_craters_have_slumped_in_terraces():
    terraced, smooth = _walls(30.0), _walls(100.0)
    treads = (terraced[1:-1] < terraced[:-2]) & (terraced[1:-1] <= terraced[2:]) & (terraced[1:-1] < 8)
    assert treads.sum() == 3  # at 5/8, 6/8 and 7/8
    assert terraced.min() > 0, "no wall falls outwards"
    assert smooth.min() > 20 and (np.diff(smooth) > 0).all()


@pytest.mark.parametrize("peaks_above", [5.0, 15.0, 100.0])
def test_a_crater_has_the_profile_of_its_page(peaks_above):
    parameters = {"kind": "craters", "craters": 1, "ageing": 0.0, "peaks_above": peaks_above, "size": 40.0}
    heights, one = lay(SQUARE, **parameters, **REGULAR)
    found = craters.impacts(one, place_of(one, SQUARE))
    rho = np.hypot(*from_middle(SQUARE)) / found.radii[0]
    near = rho < craters.REACH
    away = np.stack(from_middle(SQUARE), axis=-1)[near]
    known = known_crater(np.zeros(near.sum()), rho[near], away, 0.0, found.radii[0], found.fresh[0], found.floors[0])
    np.testing.assert_allclose(known, heights[near], atol=1e-4 * found.radii[0])


@pytest.mark.parametrize("irregularity", [0.0, 0.7])
def test_younger_craters_know_the_ground_that_they_are_dug_into(irregularity):
    """Planes are fitted to what older craters left, central peaks with them: else small craters pit the peaks."""
    values = {"craters": 80, "peaks_above": 8.0, "size": 50.0, "depth": 1.3, "irregularity": irregularity}
    one = landform.natural(landform.Landform1(kind="craters"), Domain(SQUARE, 1)).replace(**values)
    found = craters.impacts(one, place_of(one, SQUARE))
    cross = 0.7 * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    points = found.centres[:, None] + cross * found.radii[:, None, None]
    heights = np.zeros((80, 5))
    for n, (centre, radius) in enumerate(zip(found.centres, found.radii, strict=True)):
        own = heights[n]
        plane = own.mean(), (own[1] - own[2]) / (1.4 * radius), (own[3] - own[4]) / (1.4 * radius)
        np.testing.assert_allclose(found.planes[n], plane, atol=1e-3)
        younger = points[n + 1 :].reshape(-1, 2) - centre
        rho = np.hypot(*younger.T) / radius
        hit = rho < craters.REACH
        crater = one.depth * radius, found.fresh[n], found.floors[n], irregularity
        ground = heights[n + 1 :].reshape(-1)  # a view
        level = plane[0] + younger[hit] @ plane[1:]
        ground[hit] = known_crater(ground[hit], rho[hit], younger[hit], level, *crater)
    assert (found.floors < 1).sum() > 5 and np.ptp(found.planes[:, 0]) > 50


def test_small_craters_lie_all_over_and_go_down_to_a_few_cells():
    values = {"kind": "craters", "craters": 100, "ageing": 0.5, **REGULAR}
    bare, _ = lay(SQUARE, **values)
    pitted, _ = lay(SQUARE, small_craters=1.0, **values)
    change = pitted - bare
    squares = np.abs(change).reshape(16, 32, 16, 32).mean(axis=(1, 3))
    assert squares.min() > 0.2 * squares.mean(), "in every square of the land"
    inner = change[1:-1, 1:-1]
    lows = np.all([inner < change[1 + i : 511 + i, 1 + j : 511 + j] for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))], 0)
    assert (lows & (inner < -0.5)).sum() > 1000


def test_craters_sizes_follow_the_power_law_and_the_young_lie_over_the_old():
    heights, one = lay(SQUARE, kind="craters", **REGULAR)
    found = craters.impacts(one, place_of(one, SQUARE))
    radii = np.sort(found.radii)[::-1]
    slope = np.polyfit(np.log(radii), np.log(np.arange(1, len(radii) + 1)), 1)[0]
    assert slope == pytest.approx(-2, abs=0.02)
    assert (np.diff(found.fresh) >= 0).all(), "from the oldest to the youngest"
    # a young crater's floor is whole, whatever lay there
    x, z = from_middle(SQUARE)
    whole = 0
    for n in range(1, len(found.radii)):
        younger = np.hypot(*(found.centres[n + 1 :] - found.centres[n]).T) - craters.REACH * found.radii[n + 1 :]
        near = np.hypot(x - found.centres[n, 0], z - found.centres[n, 1]) < 0.2 * found.radii[n]
        if near.sum() > 4 and (younger > 0.2 * found.radii[n]).all() and found.floors[n] == 1:
            floor = found.planes[n, 0] + (craters.RIM - craters.DEPTH) * found.radii[n] * found.fresh[n]
            assert np.median(heights[near]) == pytest.approx(floor, abs=0.03 * found.radii[n])
            whole += 1
    assert whole > 5


@sampled(
    "values, shape",
    itertools.product(
        [
            {"size": 1.0},
            {"size": 1000.0, "irregularity": 1.0, "ageing": 1.0, "peaks_above": 1.0},
            {"size": 200.0, "x": 200.0, "z": -100.0, "depth": 5.0, "ageing": 0.0, "peaks_above": 100.0},
        ],
        [(64, 64), (3, 200), (200, 2)],
    ),
    quick=3,
)
@pytest.mark.slow
def test_four_thousand_craters_stay_within_their_own_relief(values, shape):
    grid = Grid(rows=shape[0], columns=shape[1], size_x=3000.0, size_z=2000.0)
    heights, one = lay(grid, kind="craters", craters=4000, **values)
    assert np.isfinite(heights).all()
    found = craters.impacts(one, place_of(one, grid))
    # each crater moves the ground by no more than its own depth and the peak, and the sums of the largest dominate
    deep = craters.DEPTH * found.radii.max() * one.depth
    assert np.abs(heights).max() < 4 * deep


def test_a_list_laid_along_rows_is_the_same_whatever_the_row_is_cut_to():
    """A narrow piece of land has the craters that the whole has there: none is lost at a row's ends."""
    whole = SQUARE.replace(rows=128, columns=128)
    domain = Domain(whole, 1)
    one = landform.natural(landform.Landform1(kind="craters", craters=1000), domain)
    prepared = landform.laid(one, domain)
    full = landform.run(one, domain, np.zeros((128, 128), np.float32), Progress())
    x0, z0, x_column, z_column, x_row, z_row = prepared.frame
    for first in (1, 37, 90, 127):
        frame = (x0 + first * x_column, z0 + first * z_column, x_column, z_column, x_row, z_row)
        below = np.zeros((128, 128 - first), np.float32)
        part = form.run(
            registry.lay("craters"),
            prepared.prepared,
            frame,
            prepared.started,
            0,
            0,
            (0.0, 0.0, 0.0),
            below,
            Progress(),
        )
        np.testing.assert_allclose(part, full[:, first:], atol=2e-3)
