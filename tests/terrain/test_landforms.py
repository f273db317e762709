"""Landforms have the shapes that their pages claim: angles, profiles, sizes; operators keep their algebra."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import coast, craters, dunes, form, islands, registry
from fellview.terrain.landforms import cone as cones
from fellview.terrain.landforms.shapes import smooth_max, smooth_min
from fellview.terrain.progress import Progress
from fellview.terrain.steps import landform
from tests.lands import component_sizes
from tests.sampling import sampled

relaxed = settings(deadline=None, max_examples=60)
SQUARE = Grid(rows=512, columns=512, size_x=4000.0, size_z=4000.0)
OBLONG = Grid(rows=300, columns=640, size_x=6000.0, size_z=4500.0)  # cells 9.4 m along x, 15 m along z
REGULAR = {"irregularity": 0.0}
BARE = {"side_valleys": 0.0, "tributaries": 0}  # a trough alone
metres = st.floats(-1e4, 1e4, allow_nan=False)


def lay(grid, seed=1, ground=0.0, natural=True, **values):
    """Return the heights of one landform over level `ground`, and its parameters."""
    domain = Domain(grid, seed)
    one = landform.Landform1(kind=values.pop("kind"))
    if natural:
        one = landform.natural(one, domain)
    one = one.replace(**values)
    below = np.full((grid.rows, grid.columns), ground, np.float32)
    return landform.run(one, domain, below, Progress()).astype(float), one


# what the shapes are to have, as their papers and pictures do
FLOW_FRONT, FOLDS = 0.04 * 1.35, 0.22  # of a cone's height: lava at a front; of lava's thickness: its folds
ACROSS_BEDS, ALONG_BEDS = (0.6, 0.8), (-0.8, 0.6)  # on a coast, directions x and z
STACK_WALL, SKERRY_WALL = 8.0, 0.35  # tangents of 83° and 19°
DIP = 0.22  # of a stack's top, by which one side stands higher than the middle
RIB_M, RIB_APART = 1.6, 0.0075  # out of a skerry; from rib to rib on the shelf, of the land's shorter side


def from_middle(grid, x=50.0, z=50.0):
    """Return metres from a place in % of the domain, along x and along z."""
    rows, columns = np.mgrid[: grid.rows, : grid.columns]
    return (columns / grid.columns - x / 100) * grid.size_x, (rows / grid.rows - z / 100) * grid.size_z


def slope_degrees(heights, grid):
    dz, dx = np.gradient(heights, *grid.cell_size)
    return np.degrees(np.arctan(np.hypot(dx, dz)))


def place_of(one, grid, seed=1):
    return landform._place(one, Domain(grid, seed))[0]


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


@pytest.mark.parametrize("rotation", [0.0, 70.0])
def test_dunes_fall_at_32_to_34_degrees_to_lee_and_climb_gently(rotation):
    heights, one = lay(SQUARE, kind="dunes", rotation=rotation, spacing=16.0, height=45.0)
    dz, dx = np.gradient(heights, *SQUARE.cell_size)
    downwind = dx * math.cos(math.radians(rotation)) + dz * math.sin(math.radians(rotation))
    slope = slope_degrees(heights, SQUARE)
    lee = (downwind < 0) & (slope > 20)
    # cells on the crest and at the foot straddle two slopes: leave the outermost out
    inner = lee & np.roll(lee, 1, 0) & np.roll(lee, -1, 0) & np.roll(lee, 1, 1) & np.roll(lee, -1, 1)
    assert inner.sum() > 3000
    assert np.mean((slope[inner] > 32) & (slope[inner] < 34)) > 0.6
    assert 31.5 < np.median(slope[inner]) < 34.5
    windward = slope[(downwind > 0) & (heights > 0.2 * one.height)]
    assert 8 < np.median(windward) < one.windward, "a rounded back: slower at toe and brink"
    assert np.percentile(windward, 90) == pytest.approx(one.windward, abs=2.0), "as steep as asked in its middle"
    assert np.mean(heights < 0.02 * one.height) > 0.1, "flats between"


def test_dunes_say_when_their_spacing_carries_no_such_height():
    _, one = lay(SQUARE, kind="dunes", height=400.0)
    domain = Domain(SQUARE, 1)
    assert "400 m" in landform.remark(one, domain)
    low = one.replace(height=0.9 * dunes.highest(one, 4000.0))
    assert landform.remark(low, domain) == ""
    assert lay(SQUARE, kind="dunes", height=400.0)[0].max() < 400


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


def test_shallows_lie_about_islands_and_end_in_the_deep():
    steep, one = lay(SQUARE, kind="islands")
    wide, _ = lay(SQUARE, kind="islands", shallows=0.8)
    depth = islands.SEA_FLOOR * one.height
    assert np.mean((wide < 0) & (wide > -0.15 * depth)) > 2 * np.mean((steep < 0) & (steep > -0.15 * depth))
    assert wide.min() == pytest.approx(steep.min(), rel=0.01), "as deep as before where no island is near"
    inland = steep > 0.3 * one.height
    np.testing.assert_allclose(wide[inland], steep[inland], atol=0.02 * one.height)


def test_stacks_stand_sheer_in_the_sea_and_skerries_low():
    plain, _ = lay(SQUARE, kind="coast", stacks=0.0)
    stood, one = lay(SQUARE, kind="coast", stacks=1.0)
    found = coast.rocks(one, place_of(one, SQUARE))
    risen = (stood > plain + 0.01) & (stood > 0)
    assert risen.any() and (stood >= plain - 1e-3).all()
    tall = found[:, 4] > 1
    assert tall.sum() > 5 and (~tall).sum() > 5
    assert found[tall, 3].min() > 4 * found[~tall, 3].max()
    sheer = slope_degrees(stood, SQUARE)[risen & (stood > 0.2 * one.height)]
    assert np.percentile(sheer, 80) > 60


def _alone(way_x, way_z, top, wall, ribs=0.0):
    """Return places from the middle and heights, in metres, of a rock of 20 m radius alone that no noise bends."""
    s = np.full(81, -50, np.float32)
    at = np.linspace(-20.0, 20.0, 81).astype(np.float32)
    x, z = np.float32(way_x) * at, np.float32(way_z) * at
    numbers = (np.float32(value) for value in (0, 0, 20, top, wall, ribs, 5.0))
    coast._stand(x, z, np.zeros_like(at), *numbers, s)
    return at, s


def test_stacks_slant_as_the_beds_dip_and_to_no_other_side():
    _, along = _alone(*ALONG_BEDS, 60, STACK_WALL)
    np.testing.assert_allclose(along, along[::-1], atol=1e-3)
    assert along[40] > along[30] > along[26] > 50, "a dome"
    assert along[0] < 0.2 * 60, "over a foot of what fell off it"
    _, across = _alone(*ACROSS_BEDS, 60, STACK_WALL)
    assert across[54] - across[26] == pytest.approx(60 * DIP * 2 * 0.35, rel=0.05)


def test_skerries_are_no_tables():
    """From the middle to the brink the ground falls all the way, and ribs of rock stand out of it."""
    at, back = _alone(*ALONG_BEDS, 4, SKERRY_WALL)
    half = back[40:78]  # to the foot that waves have planed
    assert (np.diff(half) < 0).all() and half[20] < 0.75 * half[0], "halfway out it has fallen by a quarter"
    _, ribbed = _alone(*ACROSS_BEDS, 4, SKERRY_WALL, ribs=1.0)
    _, smooth = _alone(*ACROSS_BEDS, 4, SKERRY_WALL)
    assert np.ptp((ribbed - smooth)[abs(at) < 10]) == pytest.approx(RIB_M, rel=0.15)


def test_ribs_stand_on_the_shelf_of_a_worn_coast_where_the_grid_shows_them():
    fine = Grid(rows=1024, columns=1024, size_x=4000.0, size_z=4000.0)
    heights, one = lay(fine, kind="coast", headlands=0.0, stacks=0.0, irregularity=0.3)
    x, _ = from_middle(fine)
    shelf = (x < -0.35 * one.shelf / 100 * 4000) & (x > -0.65 * one.shelf / 100 * 4000)
    ups = (heights[1:-1] > heights[:-2]) & (heights[1:-1] > heights[2:])
    apart = 1 / (ups & shelf[1:-1]).sum() * shelf.sum() * fine.cell_size[0]
    assert apart == pytest.approx(RIB_APART * 4000 / ACROSS_BEDS[1], rel=0.4)
    coarse = Grid(rows=64, columns=64, size_x=4000.0, size_z=4000.0)
    assert coast.prepare(one, place_of(one, coarse)).numbers["ribs_m"] == 0


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


@pytest.mark.parametrize("exponent", [1.5, 2.0, 2.5])
def test_trough_s_cross_profile_is_the_power_of_its_exponent(exponent):
    heights, one = lay(SQUARE, kind="trough", exponent=exponent, **BARE, rotation=20.0, **REGULAR)
    x, z = from_middle(SQUARE)
    across = np.abs(x * math.cos(math.radians(20)) + z * math.sin(math.radians(20)))
    half = one.size / 200 * 4000
    wall = (across > 0.15 * half) & (across < 0.9 * half)
    rise = heights[wall] + one.height
    assert np.polyfit(np.log(across[wall]), np.log(rise), 1)[0] == pytest.approx(exponent, rel=0.02)
    assert heights.min() == pytest.approx(-one.height, rel=1e-3)


def test_side_valleys_hang_above_the_trough():
    bare, one = lay(SQUARE, kind="trough", **BARE, **REGULAR)
    hung, _ = lay(SQUARE, kind="trough", **BARE | {"side_valleys": 1.0}, **REGULAR)
    x, _ = from_middle(SQUARE)
    beside = np.abs(x) > 1.1 * one.size / 200 * 4000
    cut = (hung < bare - 5) & beside
    assert cut.sum() > 2000
    assert hung[cut].min() > -0.7 * one.height, "their floors stay above the main one"


@pytest.mark.parametrize("seed", [1, 2])
def test_tributaries_join_nearly_level_and_rise_inland(seed):
    bare, one = lay(SQUARE, seed=seed, kind="trough", **BARE, **REGULAR)
    joined, _ = lay(SQUARE, seed=seed, kind="trough", **BARE | {"tributaries": 2}, **REGULAR)
    x, _ = from_middle(SQUARE)
    half = one.size / 200 * 4000
    near = (np.abs(x) > 1.02 * half) & (np.abs(x) < 1.2 * half)
    far = np.abs(x) > 2.5 * half
    cut = joined < bare - 0.3 * one.height
    assert cut[near].any() and cut[far].any()
    assert joined[near].min() < -0.7 * one.height, "level with the main floor, not hanging"
    assert joined[far].min() > joined[near].min() + 0.05 * one.height
    assert (joined <= bare + 1e-3).all() and joined.min() >= -1.02 * one.height, (
        "they cut, and no deeper than the main one"
    )


@pytest.mark.parametrize("layers", [1, 3, 6])
def test_a_canyon_s_walls_are_level_layers_of_cliff_and_slope(layers):
    heights, one = lay(SQUARE, kind="canyon", layers=layers, side_canyons=0.0, floor=20.0, **REGULAR)
    half = one.size / 200 * 4000
    row = heights[100]
    across = np.abs(from_middle(SQUARE)[0][100])
    assert row[across < 0.19 * half] == pytest.approx(-one.height, abs=1e-3), "a flat floor of a fifth of its width"
    # the rim is rounded by a quarter of `rounded_foot` at most
    assert np.abs(row[across > 1.02 * half]).max() <= form.rounded_foot(one.height) / 4 + 1e-3
    # benches, scree at 35° and cliffs of 78°, as far as there is room for them
    run, layer = 0.8 * half / layers, one.height / layers
    scree, cliff = 0.34 * layer / math.tan(math.radians(35)), 0.6 * layer / math.tan(math.radians(78))
    assert scree + cliff < 0.9 * run, "there is"
    for n in range(layers):
        foot = 0.2 * half + n * run
        for share, rise in ((0.0, 0.0), (1 - (scree + cliff) / run, 0.06), (1 - cliff / run, 0.4), (1.0, 1.0)):
            wanted = (n + rise) * layer - one.height
            got = np.interp(foot + share * run, across[256:], row[256:])
            # a cell of 7.8 m, of which one side may lie on the cliff
            assert got == pytest.approx(wanted, abs=0.5 * SQUARE.cell_size[1] * math.tan(math.radians(78)))


def test_a_river_s_bed_winds_in_the_floor_and_nowhere_else():
    dry, one = lay(SQUARE, kind="canyon", floor=30.0, side_canyons=0.0, irregularity=0.3)
    cut, _ = lay(SQUARE, kind="canyon", floor=30.0, side_canyons=0.0, irregularity=0.3, bed=12.0)
    fallen = dry - cut
    assert fallen.min() >= 0 and fallen.max() == pytest.approx(12.0, abs=0.01)
    assert (dry[fallen > 1] < -0.9 * one.height).mean() > 0.99
    beds = (fallen > 6).sum(axis=1)
    assert beds.min() > 0, "from end to end"
    middles = [np.flatnonzero(row > 6).mean() - np.flatnonzero(below < -0.99 * one.height).mean()
               for row, below in zip(fallen, dry, strict=True)]  # fmt: skip
    assert np.ptp(middles) > beds.mean(), "it swings by more than its width"


def test_side_canyons_cut_mesas_out_of_the_rim():
    plain, one = lay(SQUARE, kind="canyon", side_canyons=0.0)
    cut, _ = lay(SQUARE, kind="canyon", side_canyons=1.0)
    assert (cut <= plain + 1e-3).all()
    assert np.mean(cut < -0.3 * one.height) > 1.3 * np.mean(plain < -0.3 * one.height)
    assert cut.min() >= -1.0001 * one.height


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


def test_dunes_are_no_corduroy():
    """Crests end and are bent: over a few spacings across the wind a land looks no longer alike."""
    heights, one = lay(SQUARE, kind="dunes", irregularity=0.8)
    spacing = one.spacing / 100 * 512
    rows = heights - heights.mean(axis=1, keepdims=True)
    norm = np.sqrt((rows**2).sum(axis=1))

    def likeness(apart):
        return np.mean((rows[:-apart] * rows[apart:]).sum(axis=1) / (norm[:-apart] * norm[apart:]))

    assert likeness(round(0.1 * spacing)) > 0.8, "a crest is longer than that"
    assert likeness(round(3 * spacing)) < 0.35
    # along the wind as well: a spacing is one on the whole, never exactly
    line = np.mean([np.correlate(row, row, "full")[512:] / (row @ row) for row in rows[::8]], axis=0)
    assert line[round(4 * spacing)] < 0.5


def test_islands_sizes_follow_korcak():
    _, one = lay(SQUARE, kind="islands", islands=300)
    _, radii = islands.spread(one, place_of(one, SQUARE))
    areas = np.sort(radii**2)[::-1]
    slope = np.polyfit(np.log(areas), np.log(np.arange(1, len(areas) + 1)), 1)[0]
    assert slope == pytest.approx(-islands.AREAS, abs=0.02)


def test_islands_on_the_ground_are_few_large_and_many_small():
    heights, _ = lay(SQUARE, kind="islands", islands=80)
    areas = np.sort(component_sizes(heights > 0))[::-1]
    areas = areas[areas >= 20]
    assert len(areas) > 25
    slope = np.polyfit(np.log(areas[2:]), np.log(np.arange(3, len(areas) + 1)), 1)[0]
    assert -1.1 < slope < -0.4, "near Korčak's −0.65; joined and cut-off islands bend it"
    assert areas[0] > 10 * np.median(areas)
    assert 0.1 < np.mean(heights > 0) < 0.5


def test_a_coast_has_a_shelf_a_cliff_and_a_sea_floor():
    heights, one = lay(SQUARE, kind="coast", headlands=0.0, stacks=0.0, **REGULAR)
    x, _ = from_middle(SQUARE)
    slope = slope_degrees(heights, SQUARE)
    width = one.shelf / 100 * 4000
    assert np.median(slope[(x < -20) & (x > 20 - width)]) == pytest.approx(coast.SHELF_ANGLE, abs=0.1)
    row = heights[256]
    steepest = np.degrees(np.arctan(np.diff(row).max() / SQUARE.cell_size[1]))
    assert steepest == pytest.approx(coast.CLIFF_ANGLE, abs=1.0)
    assert heights.min() == pytest.approx(-coast.SEA_FLOOR * one.height, rel=0.02)
    assert heights.max() <= one.height * 1.001
    assert (heights[:, :200] < 0).all() and (heights[:, 260:] > 0).all()


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


# ---- operators ---------------------------------------------------------------------------------------------------


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


# ---- every kind --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", registry.names())
def test_a_landform_is_the_same_at_every_resolution(kind):
    """On 256², 512² and 1024²: the same land, sampled more finely; another seed gives another one."""
    at = {}
    for side in (256, 512, 1024):
        grid = SQUARE.replace(rows=side, columns=side)
        at[side] = lay(grid, kind=kind)[0]
    small = at[256]
    for side in (512, 1024):
        down = at[side][:: side // 256, :: side // 256]
        assert np.corrcoef(small.ravel(), down.ravel())[0, 1] > 0.999
        assert np.sqrt(np.mean((down - small) ** 2)) < 0.03 * small.std()
    # another seed fails both
    other = lay(SQUARE.replace(rows=256, columns=256), seed=2, kind=kind)[0]
    assert np.corrcoef(small.ravel(), other.ravel())[0, 1] < 0.999
    assert np.sqrt(np.mean((other - small) ** 2)) > 0.1 * small.std()


@pytest.mark.parametrize("kind", registry.names())
def test_a_landform_stops_when_it_is_cancelled(kind):
    from fellview.core.errors import Cancelled

    progress = Progress()
    progress.cancel[0] = 1
    domain = Domain(SQUARE, 1)
    with pytest.raises(Cancelled):
        landform.run(landform.Landform1(kind=kind), domain, np.zeros((512, 512), np.float32), progress)


@pytest.mark.parametrize("kind", registry.names())
def test_extreme_parameters_give_finite_heights(kind):
    grid = Grid(rows=9, columns=5, size_x=1e7, size_z=1e-3)
    for values in (
        {"size": 1.0, "height": 1e5},
        {"size": 1000.0, "height": 0.001, "x": -100.0, "z": 200.0, "rotation": 123.0},
    ):
        for size_z in (1e-3, 1e7):
            heights, _ = lay(grid.replace(size_z=size_z), natural=False, kind=kind, irregularity=1.0, **values)
            assert np.isfinite(heights).all()


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


def test_slots_are_the_same_and_an_outline_goes_with_its_seed():
    one, two = landform.Landform1(kind="islands"), landform.Landform2(kind="islands")
    domain, ground = Domain(SQUARE, 1), np.zeros((512, 512), np.float32)
    first, second = (landform.run(slot, domain, ground, Progress()) for slot in (one, two))
    assert (first != second).any(), "two slots have two outlines"
    moved = landform.run(two.replace(seed=one.seed), domain, ground, Progress())
    np.testing.assert_array_equal(first, moved)
    assert landform.Landform1.declarations().keys() == landform.Landform4.declarations().keys()


def test_recipes_without_landforms_have_none():
    text = recipe.to_text(Scene())
    old = text[: text.index("[landform1]")] + text[text.index("[perturb]") :]
    old = "\n".join(line for line in old.splitlines() if not line.startswith("landform"))
    scene, notices = recipe.from_text(old)
    assert scene == Scene() and not notices
    # a landform that is there tells that it has changed since, an empty slot does not
    text = recipe.to_text(Scene().replace({"landform1.kind": "cone"}))
    start = text.index("[revisions]")
    aged = text[:start] + "\n".join(
        line.split("=")[0] + "= 1" if line.startswith("landform") else line for line in text[start:].splitlines()
    )
    notices = recipe.from_text(aged)[1]
    assert len(notices) == 1 and "landform1 has changed" in notices[0]
    assert not any(step.active(getattr(scene, step.key)) for step in landform.STEPS)
