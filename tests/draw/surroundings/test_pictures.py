"""Pictures with ground around a land have no gaps, and show it up to the horizon where it is wanted."""

import dataclasses
import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.light.lighting import goes_on
from fellview.draw.renderer import Renderer
from fellview.draw.target import whole_of
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.view import projection
from tests.ground_around import CELL_M, LAND, PLACES, SIZE, Alone, assert_no_gap, covered, looked_from
from tests.sampling import sampled


@sampled(
    "place, samples, exaggeration",
    itertools.product(PLACES, [1, 4], [1.0, 3.0]),
    quick=3,
    each=lambda place, samples, exaggeration: (samples, exaggeration),
)
def test_no_gap_shows_between_land_and_frames(without_sky, land, scene, place, samples, exaggeration):
    """All sight lines that fall meet ground: nothing is left of a loud background under the horizon."""
    looked = looked_from(place, scene, land, exaggeration)
    renderer = without_sky[samples]
    renderer.show(land)
    assert_no_gap(covered(renderer, looked, samples) == 255, looked, land)


def test_beyond_the_last_grid_the_ground_is_even(renderer):
    """What lies there is one surface out to the horizon: of hills at the grid's end nothing stands out of it."""
    hilly = scenes.load("highlands").replace({"grid.rows": 64, "grid.columns": 64})
    hills = generate(hilly)
    side_m = hilly.grid.size_x
    eye = {"mode": "orbit", "x": side_m / 2, "z": -1.5 * side_m, "y": hills.height_range[1] + 3 * side_m}
    camera = hilly.camera.replace(**eye, yaw=30.0, pitch=-8.0, field_of_view=8.0)
    renderer.show(hills)
    places, _ = renderer.surfaces(hilly.with_group(camera), whole_of((400, 60)))
    away = np.linalg.norm(places[..., :3] - (camera.x, camera.y, camera.z), axis=-1)
    beyond = (places[..., 2] > 18.7 * side_m) & (places[..., 3] > 0)
    assert beyond.mean() > 0.3
    assert np.abs(np.diff(np.log(away), axis=1))[beyond[:, 1:] & beyond[:, :-1]].max() < 2e-3


MOON_RADIUS_M = 1_737_400.0


def test_ground_without_air_bends_as_the_moon_does(alone, land, scene):
    """It lies lower than under air by d²/2R, d from the border, where neither ends yet; a sea hides it and is level."""
    alone.show(land)
    wet = {"water.enabled": True, "water.sea": True, "water.sea_level": float(land.heights.min()) - 10.0}
    level, bent, by_the_sea = (
        alone.around(scene.replace(LAND | {"sky.kind": kind} | more))[2].height_map.field
        for kind, more in (("physical", {}), ("space", {}), ("space", wet))
    )
    side_m = (np.array(land.heights.shape) - 1) * CELL_M
    place_m = np.meshgrid(*(np.linspace(-5.5, 6.5, count) for count in level.heights.shape), indexing="ij")
    out = [np.maximum(np.maximum(-sides, sides - 1), 0) for sides in place_m]
    way_m = np.hypot(*(sides * side for sides, side in zip(out, side_m, strict=True)))
    near = np.maximum(*out) < 4.1
    assert (level.heights - bent.heights)[near] == pytest.approx(way_m[near] ** 2 / (2 * MOON_RADIUS_M), abs=0.01)
    last_m = way_m[0, 0] ** 2 / (2 * MOON_RADIUS_M)
    assert bent.heights[0, 0] < level.heights[0, 0] - last_m + land.heights.max() - land.border.mean()
    assert np.array_equal(by_the_sea.heights[near], level.heights[near])


@pytest.mark.parametrize("height_m, frames", [(200.0, 3), (1_500.0, 4), (9_000.0, 4)])
def test_the_horizon_without_air_is_that_of_the_moon(renderer, alone, scene, height_m, frames):
    """An eye over level ground sees it up to the dip of the horizon, sqrt(2h/R) under the level, and black over it."""
    field = HeightField(np.zeros((129, 129), np.float32), (100.0, 100.0))
    camera = scene.camera.replace(mode="orbit", x=6400, y=height_m, z=6400, yaw=20, pitch=-3, field_of_view=20.0)
    sun = {"sun.elevation": 60.0, "sun.azimuth": 20.0}
    looked = dataclasses.replace(scene.replace(LAND | sun | {"sky.kind": "space"}), camera=camera)
    alone.show(field)
    assert len(alone.around(looked)) == frames
    renderer.show(field)
    light = renderer.draw(looked, SIZE, 1).pixels()[:, SIZE[0] // 2, :3].max(axis=-1)
    falls = [-projection.ray(looked.camera, SIZE, (SIZE[0] // 2, row + 0.5))[1][1] for row in range(SIZE[1])]
    dip, rows = np.sqrt(2 * height_m / MOON_RADIUS_M), np.arange(SIZE[1])
    horizon = np.interp(dip, falls, rows)
    assert light[rows < horizon - 2].max() < 60, "stars at most"
    assert light[rows > horizon + 2].min() > 60


def test_without_it_nothing_is_made_and_no_pixel_is_another(context, land, scene):
    """Neither before it was shown nor after."""
    assert Scene().view.surroundings == "plain"
    alone = Alone(context)
    alone.show(land)
    assert alone.around(scene) == () and alone.surroundings.made == 0
    assert len(alone.around(scene.replace(LAND))) == 3 and alone.surroundings.made == 1
    fresh, lit = Renderer(context), scene.replace({"sun.shadows": True})
    fresh.show(land)
    before = fresh.draw(lit, SIZE, 1).pixels()
    other = fresh.draw(lit.replace(LAND), SIZE, 1).pixels()
    assert (other != before).any()
    assert np.array_equal(fresh.draw(lit, SIZE, 1).pixels(), before)


def test_the_land_itself_looks_as_before(renderer, land, scene):
    """From straight above, where all that is seen is the land; but for shadows that fall on it from beyond."""
    camera = scene.camera.replace(mode="orbit", x=640, y=700, z=480, yaw=0, pitch=-90, field_of_view=40.0)
    above = dataclasses.replace(scene.replace({"sun.shadows": False}), camera=camera)
    renderer.show(land)
    one, other = (renderer.draw(above.replace(more), SIZE, 1).pixels().astype(int) for more in ({}, LAND))
    assert abs(one - other).max() <= 1


def test_the_ground_around_is_told_as_it_is_drawn(renderer, land, scene):
    """At the land's border it is as high as that, and far out as the plain."""
    twice = scene.replace(LAND | {"view.exaggeration": 2.0})
    renderer.show(land)
    renderer.draw(twice, SIZE, 1)
    around = renderer.ground_around(twice, land)
    z = np.linspace(0, 96 * CELL_M, 13)
    border = 2 * land.heights[np.rint(z / CELL_M).astype(int), 0]
    assert around(np.full(13, -0.1), z) == pytest.approx(border, abs=20)
    assert around(np.array([-6900.0]), np.array([480.0])) == pytest.approx(2 * land.border.mean(), abs=1.0)
    assert np.isneginf(around(np.array([-9000.0]), np.array([480.0])))
    assert renderer.ground_around(scene, land) is None, "there is a plain"
    assert renderer.ground_around(twice, HeightField(land.heights.copy(), land.cell_size)) is None, "another land"


@pytest.mark.parametrize(
    "study",
    [{"view.stage": "slab"}, {"view.contours": True}, *({"view.mode": m} for m in ("height", "slope", "wireframe"))],
)
def test_slabs_and_views_for_study_show_the_land_alone(renderer, land, scene, study):
    alone = scene.replace({**study, "sun.shadows": True})
    assert not goes_on(alone.replace(LAND))
    renderer.show(land)
    one, other = (renderer.draw(alone.replace(more), SIZE, 1).pixels() for more in ({}, LAND))
    assert np.array_equal(one, other)


def test_an_eye_under_the_ground_outside_sees_the_land(renderer, land, scene):
    """Hills around would hide all of it, and show their undersides."""
    camera = scene.camera.replace(mode="orbit", x=-400, y=-1000.0, z=480, yaw=90, pitch=5)
    low = dataclasses.replace(scene.replace({"sun.shadows": True}), camera=camera)
    renderer.show(land)
    one, other = (renderer.draw(low.replace(more), SIZE, 1).pixels() for more in ({}, LAND))
    assert np.array_equal(one, other)
