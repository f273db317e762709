"""The ground around a land is lit as the land is, with shadows that cross the border."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from tests.ground_around import CELL_M, LAND, Alone


def test_shadows_of_the_land_fall_on_what_is_around_it(alone, scene):
    """A wall of 600 m throws its shadow 600 m / tan 30° away from the sun, over the border and on."""
    heights = np.zeros((129, 129), np.float32)
    heights[:, 58:62] = 600.0
    field = HeightField(heights, (CELL_M, CELL_M))
    alone.show(field)
    sun = {"sun.shadows": True, "sun.azimuth": 270.0, "sun.elevation": 30.0}
    frame = alone.around(scene.replace(LAND | sun | {"view.surroundings_height": 0.0}))[0]
    light = alone.shares(frame.lighting)[..., 0]
    side_m = 128 * CELL_M
    # metres out of the border, along a row through the middle
    out_m = ((np.arange(light.shape[1]) + 0.5) / light.shape[1] * 2 - 1.5) * side_m
    row = light[len(light) // 2]
    reach_m = 61 * CELL_M + 600 / np.tan(np.radians(30)) - side_m
    assert reach_m > 300
    assert row[(out_m > 20) & (out_m < reach_m - 45)].max() < 0.3
    assert row[(out_m > reach_m + 60) & (out_m < 600)].min() > 0.9


def test_shadows_of_what_is_around_it_fall_on_the_land(alone, scene):
    """A wall just inside the border goes on outside of it as another one, whose shadow the land's own map lacks."""
    heights = np.zeros((129, 129), np.float32)
    heights[:, 30:34] = 150.0
    field = HeightField(heights, (CELL_M, CELL_M))
    alone.show(field)
    sun = {"sun.shadows": True, "sun.azimuth": 270.0, "sun.elevation": 12.0}
    lit = scene.replace(LAND | sun)
    frames = alone.around(lit)
    there = alone.surroundings.over_land(lit, alone.lighting, frames)
    own, ours = alone.shares(alone.lighting)[..., 0], alone.shares(there)[..., 0]
    at = np.array([0.05, 0.4, 0.95])  # before the wall, behind it, and where its shadow has ended
    for light, expected in ((own, [1, 0, 1]), (ours, [0, 0, 1])):
        assert light[len(light) // 2, (light.shape[1] * at).astype(int)] == pytest.approx(expected, abs=0.02)
    turned = lit.replace({"sun.azimuth": 250.0})
    frames = alone.around(turned, small=True)  # whose near grid is not lit by that sun
    assert alone.surroundings.over_land(turned, alone.lighting, frames) is alone.lighting
    unlit = lit.replace({"sun.shadows": False})
    frames = alone.around(unlit)
    assert alone.surroundings.over_land(unlit, alone.lighting, frames) is alone.lighting


LOW_IN_THE_SOUTH = {"sun.shadows": True, "sun.elevation": 8.0, "sun.azimuth": 180.0}


def test_shadows_fall_into_a_grid_from_the_one_around_it(alone, land, scene):
    """Along its outer border its light is that of the grid around it, and farther in its own."""
    alone.show(land)
    near, outer, *_ = alone.around(scene.replace(LAND | LOW_IN_THE_SOUTH), resting=True)
    light, around = (alone.shares(one.lighting) for one in (near, outer))
    own = alone.grids.read(alone.surroundings._rings[0]._fine[0]._lit)
    z, x, sides = near.lighting.map_place[1], near.lighting.map_place[0], light.shape[:2]
    texel = (np.arange(sides[1]) + 0.5) / sides[1]
    x_m = (texel - near.lighting.map_place[2]) / x
    z_m = (0.5 / sides[0] - near.lighting.map_place[3]) / z
    place = outer.lighting.map_place
    row = int((z_m * place[1] + place[3]) * around.shape[0])
    columns = ((x_m * place[0] + place[2]) * around.shape[1]).astype(int)
    apart, own_apart = (abs(each[0, :, 0] - around[row, columns, 0]).mean() for each in (light, own))
    assert apart < 0.05 < 0.15 < own_apart
    middle = np.s_[sides[0] // 3 : -(sides[0] // 3), sides[1] // 3 : -(sides[1] // 3)]
    assert light[middle] == pytest.approx(own[middle], abs=1e-3)


def test_light_passes_across_the_border(alone, land, scene):
    """The light map of the frame agrees with the land's own, where the land's own shadows fall."""
    alone.show(land)
    frame = alone.around(scene.replace(LAND | {"sun.shadows": True, "sun.elevation": 25.0}))[0]
    own, around = alone.shares(alone.lighting), alone.shares(frame.lighting)
    at = np.linspace(0.2, 0.8, 40)
    z, x = np.meshgrid(at, at, indexing="ij")
    ours = own[(z * own.shape[0]).astype(int), (x * own.shape[1]).astype(int)]
    theirs = around[
        ((z + 0.5) / 2 * around.shape[0]).astype(int),
        ((x + 0.5) / 2 * around.shape[1]).astype(int),
    ]
    # a mirrored map would have its shadows on the other side of every hill
    assert np.corrcoef(ours[..., 0].ravel(), theirs[..., 0].ravel())[0, 1] > 0.75
    assert abs(ours - theirs).mean(axis=(0, 1)) == pytest.approx([0, 0, 0, 0], abs=0.15)


@pytest.mark.usefixtures("coarse_light")
def test_while_something_moves_light_around_waits(context, land, scene, changed):
    """In a window; without waiting it follows at once."""
    lit = scene.replace(LAND | {"sun.shadows": True})
    alone = Alone(context)

    def shares(**how):
        return [alone.shares(frame.lighting) for frame in alone.around(lit, **how)]

    alone.show(changed)
    expected = shares()
    alone.surroundings.waits = True
    alone.show(land)
    before = shares(resting=True)
    alone.show(changed)
    outermost = shares()[-1]
    assert np.array_equal(outermost, before[-1]) and not np.array_equal(outermost, expected[-1])
    for found, coming in zip(shares(resting=True), expected, strict=True):
        assert np.array_equal(found, coming)


@pytest.mark.usefixtures("coarse_light")
def test_in_small_frames_light_around_follows_the_sun_by_turns(context, land, scene):
    lit = scene.replace(LAND | {"sun.shadows": True, "sun.elevation": 12.0})
    alone = Alone(context)
    alone.surroundings.waits = True
    alone.show(land)

    def shares(one, **how):
        return [alone.shares(frame.lighting) for frame in alone.around(one, **how)]

    def settled(one):
        fresh = Alone(context)
        fresh.show(land)
        fresh.around(one, resting=True)  # or its heights were worked out at every second vertex
        return [fresh.shares(frame.lighting) for frame in fresh.around(one, small=True)]

    alone.around(lit, resting=True)
    before = settled(lit)
    moved = lit.replace({"sun.azimuth": lit.sun.azimuth + 40})
    changed = []
    for _ in range(4):
        found = shares(moved, small=True)
        changed.append([not np.array_equal(one, other) for one, other in zip(found, before, strict=True)])
        changed[-1].append(alone.lighting.has_new_shadows)
        before = found
    assert np.sum(changed, axis=0).tolist() == [1, 1, 1], "that of each ground around, and the land's"
    assert np.sum(changed, axis=1).max() == 1, "and only one of them in a frame"
    for found, coming in zip(before, settled(moved), strict=True):
        np.testing.assert_array_equal(found, coming)
