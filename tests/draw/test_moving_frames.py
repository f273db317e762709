"""What small frames of something that moves put off: it follows by turns, and a picture at rest shows none of it."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light import light_map as light_maps
from fellview.draw.light.light_map import LightMap
from fellview.draw.light.lighting import sun_direction
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.sky.atmosphere import Atmosphere
from fellview.draw.water.shelter_map import ShelterMap
from fellview.gpu.passes import GridPasses
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from tests.draw.test_passes import EVERYTHING
from tests.lands import rolling

SIZE = (96, 64)
CELL_M = 4000 / 128
SUN_RADIUS = np.radians(0.53) / 2


def land(seed):
    return HeightField(rolling(128, 128, 250.0, seed=seed) + np.float32(200), (CELL_M, CELL_M))


@pytest.fixture(scope="module")
def heights(context):
    """A height map of one land."""
    height_map = HeightMap(context)
    height_map.upload(land(5))
    return height_map


def at_rest(renderer, scene):
    return renderer.refine(scene, SIZE, renderer.resting_samples, 0).pixels()


@pytest.mark.usefixtures("half_as_fine", "coarse_light")
def test_a_picture_at_rest_knows_nothing_of_what_has_moved_before(context):
    """Sun, sea and heights move in a window, whose frames put off what they can."""
    scene, fresh = Scene().replace(EVERYTHING), Renderer(context)
    fresh.show(land(6))
    expected = at_rest(fresh, scene)
    renderer = Renderer(context)
    renderer.show(land(5))
    at_rest(renderer, scene)
    renderer.wait_for_masks()
    renderer.show(land(6))
    for number in range(1, 4):
        lower = {"sun.azimuth": scene.sun.azimuth + 9 * number, "sun.elevation": scene.sun.elevation - 0.3 * number}
        moved = scene.replace({**lower, "water.sea_level": scene.water.sea_level + 5 * number})
        whole(renderer.passes(moved, SIZE, 1, 0, scale=0.5))
    np.testing.assert_array_equal(at_rest(renderer, scene), expected)


# ---- light -----------------------------------------------------------------------------------------------------------


def test_shadows_follow_a_moving_sun_at_once_and_then_in_every_second_small_frame(context, heights):
    grids, light_map = GridPasses(context), LightMap(context, 128)

    def shadows(azimuth, rough=True):
        texture = whole(light_map.passes(heights, sun_direction(azimuth, 15.0), SUN_RADIUS, shaded=True, rough=rough))
        return grids.read(texture)[..., 0]

    found = [shadows(azimuth) for azimuth in (20.0, 50.0, 80.0, 110.0, 110.0, 110.0)]
    changed = [bool((one != other).any()) for one, other in itertools.pairwise(found)]
    assert changed == [False, True, False, True, False], "the second sun waits and the fourth, and then it stands still"
    assert (shadows(140.0) != found[-1]).any(), "after a rest the first is there at once"
    fresh = whole(LightMap(context, 128).passes(heights, sun_direction(170.0, 15.0), SUN_RADIUS, shaded=True))
    np.testing.assert_array_equal(shadows(170.0, rough=False), grids.read(fresh)[..., 0])


def test_heights_that_change_have_their_shadows_at_once(context):
    grids, light_map, height_map = GridPasses(context), LightMap(context, 128), HeightMap(context)
    for seed in (5, 6, 7):
        height_map.upload(land(seed))
        how = {"sun": sun_direction(20.0 * seed, 15.0), "angular_radius": SUN_RADIUS, "shaded": True}
        found = grids.read(whole(light_map.passes(height_map, rough=True, **how)))[..., 0]
        fresh = grids.read(whole(LightMap(context, 128).passes(height_map, **how)))[..., 0]
        np.testing.assert_array_equal(found, fresh)


@pytest.mark.parametrize("elevation", [3.0, 20.0, 60.0, 85.0])
def test_no_shadow_comes_from_farther_than_is_looked(context, heights, monkeypatch, elevation):
    """Along the axes, close to them and across, as it is where all of the land is looked over."""
    grids = GridPasses(context)
    for azimuth in (0.0, 0.3, 89.0, 91.0, 137.0, 225.0, 271.5):
        how = {"sun": sun_direction(azimuth, elevation), "angular_radius": SUN_RADIUS, "shaded": True}
        found = grids.read(whole(LightMap(context, 128).passes(heights, **how)))
        with monkeypatch.context() as patch:
            patch.setattr(light_maps, "_farthest", lambda relief_m, drops_m, lean, steps: steps)
            expected = grids.read(whole(LightMap(context, 128).passes(heights, **how)))
        np.testing.assert_array_equal(found, expected)


def test_the_sky_follows_a_sun_that_moves_a_little_by_turns_and_one_that_jumps_at_once(context):
    air, exact = Atmosphere(context), Atmosphere(context)
    air.update(20.0, 60.0)
    tables, totals = [], []
    for elevation in (20.2, 20.4, 20.6, 20.6):
        totals.append(air.update(elevation, 60.0, late=True).total)
        tables.append(air.sky_table())
    first, second = exact.update(20.0, 60.0).total, exact.update(20.2, 60.0).total
    for found, expected in zip(totals, (first, second, second, exact.update(20.6, 60.0).total), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(tables[3], exact.sky_table())
    assert [(one != other).any() for one, other in itertools.pairwise(tables)] == [False, True, False]
    for elevation, visibility_km, late in ((5.0, 60.0, True), (5.3, 30.0, True), (5.5, 30.0, False)):
        found = air.update(elevation, visibility_km, late=late).total
        np.testing.assert_array_equal(found, exact.update(elevation, visibility_km).total)
        np.testing.assert_array_equal(air.sky_table(), exact.sky_table())


# ---- water -----------------------------------------------------------------------------------------------------------


def test_how_sheltered_the_sea_is_waits_where_that_is_enough(context, heights):
    grids, kept, group = GridPasses(context), ShelterMap(context), Water(enabled=True, sea_level=150.0)
    first = grids.read(kept.texture(heights, group, goes_on=False, late=True))
    assert np.ptp(first) > 0, "what never was made does not wait"
    higher = group.replace(sea_level=220.0)
    np.testing.assert_array_equal(grids.read(kept.texture(heights, higher, goes_on=False, late=True)), first)
    version = kept.version
    found = grids.read(kept.texture(heights, higher, goes_on=False, late=False))
    np.testing.assert_array_equal(
        found, grids.read(ShelterMap(context).texture(heights, higher, goes_on=False, late=False))
    )
    assert (found != first).any() and kept.version > version
    assert kept.texture(heights, group.replace(sea=False), goes_on=False, late=False) is None
