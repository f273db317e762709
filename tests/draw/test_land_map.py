"""The map of a land as a picture: which way round, what is light, and what its colours stand for."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.overlay.land_map import hillshade, land_map, pooled
from fellview.terrain.field import Field
from fellview.terrain.pipeline.masks import DRAINAGE_AREA, SLOPE
from fellview.terrain.pipeline.pipeline import FIELDS

PEAK = np.zeros((64, 96), np.float32)
PEAK[48, 24] = 500.0  # in the north-west: rows run north, columns east


def cone(rows=96, columns=96):
    z, x = np.mgrid[:rows, :columns]
    return np.maximum(400 - 10 * np.hypot(x - columns / 2, z - rows / 2), 0).astype(np.float32)


def test_north_is_up_and_east_is_right():
    pixels = land_map(HeightField(PEAK, (10.0, 10.0)), 400, colours="grey").pixels
    assert pixels.shape == (64, 96, 4)
    light = pixels[..., 0]
    row, column = np.unravel_index(light.argmax(), light.shape)
    assert (abs(row - 15) <= 1, abs(column - 24) <= 1) == (True, True)
    assert np.all(pixels[..., 3] == 255)


def test_slopes_to_the_north_west_are_light_and_those_to_the_south_east_dark():
    light = hillshade(cone(), (10.0, 10.0))
    north_west, south_east, level = light[64, 32], light[32, 64], light[2, 2]
    assert north_west > level > south_east
    assert light[32, 32] == pytest.approx(light[64, 64], abs=0.05), "across the light both sides are alike"


def test_gentle_land_is_shaded_as_steep_land_is():
    gentle, steep = (hillshade(cone() * times, (10.0, 10.0)) for times in (0.1, 0.4))
    assert np.ptp(gentle) > 0.6 * np.ptp(steep)


def test_level_land_and_the_smallest_land_have_a_map():
    for shape in ((2, 2), (1, 5), (64, 64)):
        pixels = land_map(HeightField(np.full(shape, 7.0, np.float32), (1.0, 1.0)), 32).pixels
        assert pixels[..., :3].min() > 100


def test_water_is_blue_below_the_sea_and_deeper_water_darker():
    found = land_map(HeightField(cone(), (10.0, 10.0)), 400, sea_level=150.0).pixels.astype(int)
    assert found[2, 2, 2] > found[2, 2, 0] + 30
    assert abs(found[48, 48, 2] - found[48, 48, 0]) < 40
    at_shore = found[48, 48 + 27]
    assert at_shore.sum() > found[2, 2].sum()


@pytest.mark.parametrize("longest", [20, 33, 64, 100])
def test_no_side_is_longer_than_asked_for(longest):
    pixels = land_map(HeightField(cone(128, 200), (10.0, 10.0)), longest).pixels
    assert max(pixels.shape[:2]) <= longest
    assert pixels.shape[1] / pixels.shape[0] == pytest.approx(200 / 128, rel=0.1)


def test_pooling_takes_means_keeps_rivers_and_mixes_no_kinds():
    values = np.arange(36, dtype=np.float32).reshape(6, 6)
    np.testing.assert_array_equal(pooled(values, 3), [[7, 10], [25, 28]])
    np.testing.assert_array_equal(pooled(values, 3, DRAINAGE_AREA), [[14, 17], [32, 35]])
    kinds = Field("kinds", "Kinds", "1", "", categorical=True)
    assert set(pooled(values, 3, kinds).ravel()) <= set(values.ravel())
    assert pooled(values, 4).shape == (1, 1)


@pytest.mark.parametrize("name", FIELDS)
def test_every_mask_has_a_map_with_its_colours_told(name):
    values = np.random.default_rng(1).uniform(0, 50, (64, 64)).astype(np.float32)
    for one in (values, np.zeros_like(values)):
        found = land_map(HeightField(cone(64, 64), (10.0, 10.0)), 64, (FIELDS[name], one))
        assert found.legend.title == FIELDS[name].title
        shares = [share for share, *_ in found.legend.ticks]
        assert shares == sorted(shares) and len(found.legend.colours) > 2
        assert all(np.isfinite(value) for _, value, *_ in found.legend.ticks)


def test_a_mask_is_in_the_colours_of_its_legend():
    steep = np.full((64, 64), 60.0, np.float32)
    level = HeightField(np.zeros((64, 64), np.float32), (10.0, 10.0))
    found = land_map(level, 64, (SLOPE, steep))
    np.testing.assert_allclose(found.pixels[5, 5, :3], found.legend.colours[-1], atol=3)
