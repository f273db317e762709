"""Shadows of the land, and the share of the sky that each place of it sees: known answers."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light.incident_light import sun_direction
from fellview.draw.light.light_map import LightMap, _make_coarse
from fellview.draw.passes import whole
from fellview.gpu.passes import GridPasses

SUN_RADIUS = np.radians(0.53) / 2
CELL_M = 10.0


def shares(
    context, heights: NDArray[np.float64], azimuth: float, elevation: float, radius=SUN_RADIUS, largest_side=512
):
    """Return the light map of `heights`: sun and sky, float32 [row, column]."""
    height_map, light_map = HeightMap(context), LightMap(context, largest_side)
    height_map.upload(HeightField(heights.astype(np.float32), (CELL_M, CELL_M)))
    texture = whole(light_map.passes(height_map, sun_direction(azimuth, elevation), radius, shaded=True))
    found = np.frombuffer(texture.read(), np.float32).reshape(*texture.size[::-1], 4)
    height_map.release()
    return found[..., 0], found[..., 1]


def towards(side: int, azimuth: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far each vertex lies from a middle one of a square land in metres: towards the sun, and across."""
    z, x = CELL_M * (np.indices((side, side)) - side // 2)
    turn = np.radians(azimuth)
    return x * np.sin(turn) + z * np.cos(turn), x * np.cos(turn) - z * np.sin(turn)


# ---- shadows of the land ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 180.0, 270.0, 30.0, 200.0, 315.0])
@pytest.mark.parametrize("elevation", [15.0, 45.0])
def test_a_cliffs_shadow_is_as_long_as_its_height_over_the_suns_tangent(context, azimuth, elevation):
    side, height_m = 192, 200.0
    z, x = np.indices((side, side)) - side // 2
    toward = np.array([np.sin(np.radians(azimuth)), np.cos(np.radians(azimuth))])
    along = CELL_M * (x * toward[0] + z * toward[1])  # metres towards the sun
    sun, _ = shares(context, np.where(along >= 0, height_m, 0.0), azimuth, elevation)
    behind = (along < 0) & (np.abs(CELL_M * (x * toward[1] - z * toward[0])) < 8 * CELL_M)
    length = height_m / np.tan(np.radians(elevation))
    edge = 3 * CELL_M  # a cell of the cliff's own steps, one of interpolation, half of the tent
    dark, lit = behind & (along > -length + edge) & (along < -edge), behind & (along < -length - edge)
    assert dark.any() and lit.any()
    assert (sun[dark] < 0.05).all()
    assert (sun[lit] > 0.95).all()
    assert (sun[along > edge] > 0.95).all(), "the top is in the sun"


def test_half_shade_is_as_wide_as_the_sun_makes_it(context):
    """Behind a wall of height h, the disc's two limbs end their shadows at h/tan(e + r) and h/tan(e - r)."""
    side, height_m, elevation, radius = 256, 300.0, 30.0, np.radians(4.0)
    column = np.arange(side)
    heights = np.tile(np.where(column >= side - 3, height_m, 0.0), (side, 1))
    sun, _ = shares(context, heights, 90.0, elevation, radius)
    seen = sun[side // 2]
    away = CELL_M * (side - 3 - column)
    near, far = (height_m / np.tan(np.radians(elevation) + part * radius) for part in (1, -1))
    part_lit = away[(seen > 0.02) & (seen < 0.98) & (away > 3 * CELL_M)]
    assert abs(part_lit.min() - near) < 4 * CELL_M and abs(part_lit.max() - far) < 4 * CELL_M
    assert (np.diff(seen[away > 30]) <= 1e-6).all(), "it only grows darker towards the wall"


@pytest.mark.parametrize("azimuth", [0.0, 17.0, 90.0, 233.0])
@pytest.mark.parametrize("elevation", [0.5, 5.0, 45.0, 90.0])
def test_a_plain_and_a_slope_in_the_sun_throw_no_shadow_on_themselves(context, azimuth, elevation):
    z, x = np.indices((70, 90))
    slopes = np.tan(np.radians(20)) * CELL_M
    for heights in (np.zeros((70, 90)), -slopes * (x * np.sin(np.radians(azimuth)) + z * np.cos(np.radians(azimuth)))):
        sun, _ = shares(context, heights, azimuth, elevation)
        assert sun.min() > 0.99


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 205.0, 315.0])
@pytest.mark.parametrize("elevation", [20.0, 30.0])
def test_the_shadow_of_a_roof_of_45_degrees_ends_where_its_crest_hides_the_sun(context, azimuth, elevation):
    """Height over the sun's tangent away from the crest: the flank behind it is in the shadow, and ground beyond it."""
    side, height_m = 161, 160.0
    along, across = towards(side, azimuth)
    sun, _ = shares(context, np.maximum(height_m - np.abs(along), 0.0), azimuth, elevation)
    end = height_m / np.tan(np.radians(elevation))
    near = np.abs(across) < 5 * CELL_M
    half_lit = -along[near & (along < -3 * CELL_M) & (np.abs(sun - 0.5) < 0.3)]
    assert half_lit.size and (np.abs(half_lit - end) < 2 * CELL_M).all()
    assert (sun[near & (along < -3 * CELL_M) & (along > -end + 2 * CELL_M)] < 0.1).all()
    assert (sun[near & ((along > 2 * CELL_M) | (along < -end - 2 * CELL_M))] > 0.9).all()


@pytest.mark.parametrize("azimuth", [0.0, 20.0, 90.0, 300.0])
@pytest.mark.parametrize("vertices", [2, 4])  # a cell of the light map
def test_a_light_map_coarser_than_a_ridge_keeps_the_length_of_its_shadow(context, azimuth, vertices):
    """A ridge of two vertices' half width, whose mean over a cell is far below its crest.

    The shadow's length is its area over the ridge's length, as its edge wavers with the crest's vertices. Means alone
    left 0.6 of it on cells of two vertices and 0.25 on cells of four.
    """
    side, height_m, half_m = 512, 150.0, 2 * CELL_M
    along, across = towards(side, azimuth)
    heights = np.maximum(height_m * (1 - np.abs(along) / half_m), 0.0)

    def length(largest_side: int) -> float:
        sun, _ = shares(context, heights, azimuth, 30.0, largest_side=largest_side)
        share = side // sun.shape[0]
        place, aside = (part.reshape(sun.shape[0], share, -1, share).mean((1, 3)) for part in (along, across))
        behind = (place < 0) & (place > -3 * height_m) & (np.abs(aside) < 100 * CELL_M)
        return float((1 - sun[behind]).sum() * (share * CELL_M) ** 2 / (200 * CELL_M))

    full = length(side)
    assert full == pytest.approx(height_m / np.tan(np.radians(30.0)), rel=0.25)
    assert length(side // vertices) == pytest.approx(full, rel=0.15)


def test_a_coarser_light_map_leaves_slopes_and_smooth_hills_as_lit_as_they_are(context):
    """What keeps the crests of ridges must not stand rows of cells on a slope in each other's way."""
    z, x = np.indices((256, 256))
    for azimuth, elevation in ((70.0, 3.0), (250.0, 22.0)):
        rise = np.tan(np.radians(20)) * CELL_M
        slope = -rise * (x * np.sin(np.radians(azimuth)) + z * np.cos(np.radians(azimuth)))
        slope *= -1.0 if elevation > 20 else 1.0  # that one looks away from the sun, which still reaches it
        sun, _ = shares(context, slope, azimuth, elevation, largest_side=64)
        assert sun.min() > 0.99
    waves = 40 * (np.sin(x / 20) + np.cos(z / 23))
    fine, coarse = (shares(context, waves, 40.0, 12.0, largest_side=side)[0].mean() for side in (256, 64))
    assert coarse == pytest.approx(fine, abs=0.03)


def test_a_slope_steeper_than_the_sun_that_looks_away_is_dark(context):
    _, x = np.indices((64, 64))
    sun, _ = shares(context, np.tan(np.radians(40)) * CELL_M * x, 90.0, 30.0)
    assert sun[:, :60].max() < 0.05


# ---- the share of the sky --------------------------------------------------------------------------------------------


def test_a_plain_and_a_lone_slope_see_all_the_sky_that_is_theirs(context):
    _, x = np.indices((64, 64))
    for heights in (np.zeros((64, 64)), 0.7 * CELL_M * x):
        _, sky = shares(context, heights, 0.0, 45.0)
        np.testing.assert_allclose(sky[8:-8, 8:-8], 1.0, atol=0.02)


def test_the_share_of_sky_of_a_finer_map_is_taken_over_where_that_is_of_the_same_heights(context):
    finer, height_map = LightMap(context, 512), HeightMap(context)
    draft = LightMap(context, 256, finer=finer)

    def sky(light_map):
        texture = whole(light_map.passes(height_map, sun_direction(90.0, 30.0), SUN_RADIUS, shaded=True))
        return np.frombuffer(texture.read(), np.float32).reshape(*texture.size[::-1], 4)[..., 1]

    z, x = np.indices((256, 256))
    hills = (500 * np.sin(0.05 * x) * np.sin(0.04 * z)).astype(np.float32)
    for heights, whole_first in ((hills, False), (-hills, True), (hills, False)):
        height_map.upload(HeightField(heights, (CELL_M, CELL_M)))
        if whole_first:
            sky(finer)
        alike = LightMap(context, 256) if whole_first else LightMap(context, 256, finer=LightMap(context, 512))
        np.testing.assert_array_equal(sky(draft), sky(alike))
        assert draft.shares_sky == whole_first
    height_map.release()


def test_rough_light_keeps_the_share_of_sky_until_the_finer_map_or_a_picture_in_full_has_another(context):
    finer, height_map = LightMap(context, 512), HeightMap(context)
    draft = LightMap(context, 256, finer=finer)
    z, x = np.indices((256, 256))
    hills = (500 * np.sin(0.05 * x) * np.sin(0.04 * z)).astype(np.float32)

    def shares_of(light_map, **how):
        texture = whole(light_map.passes(height_map, sun_direction(90.0, 30.0), SUN_RADIUS, shaded=True, **how))
        sun, sky = np.moveaxis(np.frombuffer(texture.read(), np.float32).reshape(*texture.size[::-1], 4)[..., :2], 2, 0)
        return sun.copy(), sky.copy()

    height_map.upload(HeightField(hills, (CELL_M, CELL_M)))
    shares_of(finer)
    _, before = shares_of(draft, rough=True)
    for finer_first in (False, True):
        hills = -hills
        height_map.upload(HeightField(hills, (CELL_M, CELL_M)))
        sun, sky = shares_of(draft, rough=True)
        np.testing.assert_array_equal(sky, before)
        if finer_first:
            shares_of(finer)
        after_sun, after = shares_of(draft, rough=finer_first)
        np.testing.assert_array_equal(sun, after_sun)
        _, fresh = shares_of(LightMap(context, 256, finer=None if finer_first else LightMap(context, 512)))
        np.testing.assert_array_equal(after, fresh)
        assert np.abs(after - before).max() > 0.02
        before = after
    height_map.release()


@pytest.mark.parametrize("depth", [0.25, 0.5, 1.0])
def test_the_floor_of_a_round_pit_sees_the_analytic_share(context, depth):
    """The middle of a bowl, a cap of a sphere, sees the rim at elevation h all around: cos² h of the sky's light.

    With depth d in rim radii, tan h = d; the half sphere (d = 1) leaves 1/2. Its rim is a sharp edge, which the light
    map looks for to 2 % of its distance, on heights of a cell's width that round it off.
    """
    side = 129
    z, x = np.indices((side, side)) - side // 2
    rim = 50.0
    ball = rim * (1 + depth**2) / (2 * depth)
    far = np.minimum(np.hypot(x, z), rim)
    heights = CELL_M * (ball - np.sqrt(np.maximum(ball**2 - far**2, 0.0)))
    _, sky = shares(context, heights, 0.0, 45.0)
    assert sky[side // 2, side // 2] == pytest.approx(1 / (1 + depth**2), abs=0.03)


def test_a_trench_sees_less_of_the_sky_the_deeper_it_is(context):
    _, x = np.indices((65, 65))
    found = [shares(context, np.where(np.abs(x - 32) < 5, -depth, 0.0), 0.0, 45.0)[1][32, 32] for depth in (0, 50, 200)]
    assert found[0] > found[1] > found[2] > 0


# ---- coarse heights --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [96, 100])
def test_coarse_heights_are_the_mean_and_the_highest_of_the_vertices_of_a_cell(context, side):
    """Whole vertices are read as they are, and parts of them as they are filtered."""
    grids, fine = GridPasses(context), np.random.default_rng(7).uniform(0, 900, (side, side)).astype(np.float32)
    heights = grids.upload(fine)
    heights.filter = (moderngl.LINEAR, moderngl.LINEAR)
    coarse = grids.texture(24, 24, 2)
    whole(_make_coarse(grids, heights, coarse, 2.0))
    mean, highest = np.moveaxis(grids.read(coarse), -1, 0)
    assert heights.filter == (moderngl.LINEAR, moderngl.LINEAR)
    if side % 24 == 0:
        cells = fine.reshape(24, side // 24, 24, side // 24)
        np.testing.assert_allclose(mean, 2 * cells.mean((1, 3)), rtol=1e-6)
        np.testing.assert_array_equal(highest, 2 * cells.max((1, 3)))
    else:
        assert (np.ptp(mean) > 0) and not np.isin(highest / 2, fine).all()
    grids.release()
