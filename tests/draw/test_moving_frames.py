"""What small frames of something that moves put off: it follows by turns, and a picture at rest shows none of it."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.frame import FrameOptions
from fellview.draw.land import height_map as height_maps
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.light import light_map as light_maps
from fellview.draw.light.incident_light import sun_direction
from fellview.draw.light.light_map import LightMap
from fellview.draw.light.lighting import LightPass
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
@pytest.mark.parametrize("draft_vertices", [512, 32])
def test_a_picture_at_rest_knows_nothing_of_what_has_moved_before(context, monkeypatch, draft_vertices):
    """Sun, sea and heights move in a window, whose frames put off what they can."""
    monkeypatch.setattr(height_maps, "DRAFT_VERTICES", draft_vertices)  # of a land of 128
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


@pytest.mark.usefixtures("half_as_fine", "coarse_light")
def test_a_hurried_first_frame_shows_in_the_mean_of_all_by_next_to_nothing(context):
    scene, renderer = Scene().replace(EVERYTHING), Renderer(context)
    renderer.show(land(6))
    samples = renderer.resting_samples

    def frames(hurried):
        shown, errors = [], []
        for number in range(renderer.frames(samples)):
            first = hurried and number == 0
            options = FrameOptions(hurried=first)
            picture = whole(renderer.passes(scene, SIZE, samples, number, options=options)).pixels()
            shown.append(picture[..., :3].astype(float))
            errors.append(renderer.error_px)
        return shown[0], shown[-1], errors

    (first, mean, errors), (hurried_first, hurried_mean, hurried_errors) = frames(False), frames(True)
    assert 0 < np.abs(hurried_first - first).mean() < 4
    assert np.abs(hurried_mean - mean).mean() < 0.4
    assert hurried_errors[0] > errors[0] and hurried_errors[1:] == errors[1:]


# ---- maps of the land ------------------------------------------------------------------------------------------------


def read(texture, components, dtype):
    values = np.frombuffer(texture.read(), dtype)
    return values.reshape(texture.height, texture.width, components).astype(np.float32)


def maps_of(height_map, shape):
    """Return normals, and what materials know of places, [row, column, value]."""
    return read(height_map.normals, 2, np.float32), read(shape.texture(height_map, frozenset()), 4, np.float16)


def test_maps_of_a_draft_are_those_of_a_picture_at_rest_at_fewer_vertices(context, monkeypatch):
    monkeypatch.setattr(height_maps, "DRAFT_VERTICES", 32)
    height_map, shape = HeightMap(context), LandShape(context)
    height_map.take(land(5))
    height_map.work_out(draft=True)
    assert height_map.stride == 4
    normals, shapes = maps_of(height_map, shape)
    height_map.work_out(draft=False)
    fine_normals, fine_shapes = maps_of(height_map, shape)
    np.testing.assert_array_equal(normals, fine_normals[::4, ::4])
    np.testing.assert_array_equal(shapes, fine_shapes[1::4, 1::4])
    height_map.work_out(draft=True)
    assert height_map.stride == 1, "what is there already stays"
    fresh = HeightMap(context)
    fresh.upload(land(5))
    np.testing.assert_array_equal(fine_normals, read(fresh.normals, 2, np.float32))


def test_a_draft_takes_the_errors_of_the_last_large_land_and_its_own_heights(context, monkeypatch):
    monkeypatch.setattr(height_maps, "DRAFT_VERTICES", 32)
    height_map, small = HeightMap(context), HeightField(np.zeros((48, 48), np.float32), (CELL_M, CELL_M))
    height_map.take(land(5))
    height_map.work_out(draft=False)
    first = height_map.detail
    for one, draft in ((small, True), (land(6), True)):
        height_map.take(one)
        height_map.work_out(draft=draft)
    rough = height_map.detail
    height_map.work_out(draft=False)
    np.testing.assert_array_equal(rough.errors, first.errors)
    np.testing.assert_array_equal(rough.low, height_map.detail.low)
    assert (height_map.detail.errors != first.errors).any()


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


def test_a_draft_has_the_fine_light_map_where_that_is_there(context, heights):
    scene, light = Scene().replace({"sun.shadows": True, "sun.elevation": 15.0}), LightPass(context)

    def light_map(azimuth, **kind):
        return light.prepare(scene.replace({"sun.azimuth": azimuth}), heights, size=SIZE, **kind).light_map

    moving = {"draft": True, "small": True}
    coarse, fine = light_map(40.0, **moving), light_map(40.0)
    assert coarse is not fine and light_map(40.0, **moving) is fine
    assert light_map(70.0, **moving) is not fine, "of another sun"
    assert light_map(40.0, **moving) is fine, "which has left it as it was"


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
