"""Stones on the ground: where they lie, what shapes they have, and what shadows they throw."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

from fellview.capture import capture
from fellview.draw.ground import boulders, cover
from fellview.draw.land.land_pass import LandPass
from fellview.draw.passes import whole
from fellview.scene.groups.camera import Camera
from tests.drawn_ramp import SIZE, WHERE, from_above, ramp, seen

LAND_M = (5000.0, 5000.0)


def test_stones_stand_still_while_the_camera_moves_and_turns():
    """Whoever is in both views is the same stone."""
    camera = Camera(x=2500.0, y=2.0, z=2500.0)
    one, other = (
        {tuple(stone) for stone in boulders.scattered(each, 1.6, LAND_M, 1.0).round(3).tolist()}
        for each in (camera, camera.replace(x=2520.0, z=2511.0, yaw=15.0))
    )
    assert len(one) > 50 and len(other) > 50
    # the second view has all stones of the first that it reaches
    nearby = {stone for stone in one if np.hypot(stone[0] - 2525, stone[1] - 2535) < 12}
    assert nearby and nearby <= other


@pytest.mark.parametrize("pitch", [-90.0, -30.0, 0.0])
def test_stones_are_bounded_and_lie_within_their_reach(pitch):
    camera = Camera(x=2500.0, y=2.0, z=2500.0, pitch=pitch, field_of_view=150.0)
    stones = boulders.scattered(camera, 3.0, LAND_M, 1.0)
    assert 0 < len(stones) < boulders.MOST
    assert (np.hypot(stones[:, 0] - 2500, stones[:, 1] - 2500) <= stones[:, 3]).all()
    assert stones[:, 2].min() >= 0.1 and stones[:, 2].max() <= 10.0
    fewer = boulders.scattered(camera, 3.0, LAND_M, 0.2)
    assert 0 < len(fewer) < 0.4 * len(stones)
    assert not len(boulders.scattered(camera, 3.0, LAND_M, 0.0))


def test_no_stone_stands_beside_the_land():
    stones = boulders.scattered(Camera(x=0.0, y=2.0, z=0.0, pitch=-90.0), 1.6, (60.0, 40.0), 1.0)
    assert len(stones) and (stones[:, :2] > 0).all() and (stones[:, :2] < (60.0, 40.0)).all()


def test_stones_that_are_seen_small_are_left_out_where_that_is_asked_for():
    """They grow in from where they would be as small, and the others are the same stones."""
    camera = Camera(x=2500.0, y=2.0, z=2500.0)
    stones, large = (boulders.scattered(camera, 1.6, LAND_M, 1.0, *far) for far in ((), (40.0,)))
    away_m = np.hypot(stones[:, 0] - 2500, stones[:, 1] - 2500)
    expected = stones[away_m < 40.0 * stones[:, 2]]
    assert 20 < len(expected) < 0.2 * len(stones)
    assert {tuple(one) for one in large[:, [0, 1, 2]].tolist()} == {tuple(one) for one in expected[:, :3].tolist()}
    assert large[:, 3] == pytest.approx(np.minimum(expected[:, 3], 40.0 * expected[:, 2]))


@pytest.mark.parametrize("shape", range(boulders.SHAPES))
def test_rocks_are_closed_and_face_outward(shape):
    points, triangles = boulders.rock(shape)
    corners = points[triangles.astype(int)].astype(float)
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("ij,ij->i", outward, corners.mean(axis=1)) > 0).all()
    edges = {(int(a), int(b)) for one in triangles for a, b in zip(one, np.roll(one, -1), strict=True)}
    assert edges == {(b, a) for a, b in edges}


def test_stones_show_near_the_eye_on_gentle_ground_and_not_on_walls(renderer):
    changed = {}
    for degrees in (8.0, 55.0):
        field = ramp(degrees, 129)
        scene = from_above(field, {**WHERE, "sun.elevation": 40.0, "ground.boulders": 1.0})
        height = float(field.heights[64, 64])
        near = scene.with_group(scene.camera.replace(x=640.0, y=height + 25.0, z=640.0, pitch=-90.0))
        bare = near.replace({"ground.boulders": 0.0})
        changed[degrees] = (seen(renderer, near, field) != seen(renderer, bare, field)).any(axis=2).mean()
    assert changed[8.0] > 0.0005 and changed[55.0] == 0


@pytest.mark.slow
def test_frames_of_one_view_scatter_stones_once_and_a_picture_that_waits_has_none(renderer, monkeypatch):
    views = []
    scattered = boulders.scattered
    monkeypatch.setattr(boulders, "scattered", lambda *wanted: views.append(wanted) or scattered(*wanted))
    field = ramp(8.0, 65)
    scene = from_above(field, {**WHERE, "ground.boulders": 1.0})
    near = scene.with_group(scene.camera.replace(x=320.0, y=float(field.heights[32, 32]) + 25.0, z=320.0))
    renderer.show(field)
    stones = renderer.draw_pass(boulders.BoulderPass)
    monkeypatch.setattr(stones, "waits", True)
    renderer.draw(near, SIZE, 1)
    assert not views
    for yaw, count in ((0.0, 1), (20.0, 2)):
        renderer.draw(near.with_group(near.camera.replace(yaw=yaw)), SIZE, 4)
        assert len(views) == count


def test_drafts_have_the_large_stones_and_keep_them_while_only_the_light_changes(renderer):
    """They are where a picture at rest has them, also in drafts that have the places of those before."""
    field = ramp(12.0, 129)
    light = {"sun.elevation": 35.0, "sun.shadows": False, "sun.ambient": 0.3}
    scene = from_above(field, {**WHERE, **light, "ground.boulders": 1.0})
    above = float(field.heights[64, 64]) + 9.0
    scene = scene.with_group(scene.camera.replace(x=640.0, y=above, z=640.0, pitch=-90.0, yaw=0.0))
    bare = scene.replace({"ground.boulders": 0.0})
    size = (640, 480)
    renderer.show(field)

    def drafts(one, count):
        for number in range(count):
            picture = whole(renderer.passes(one.replace({"sun.azimuth": 3.0 * number}), size, 1, 0, scale=0.25))
        return picture.pixels()[..., :3].astype(int)

    def changed(one, other):
        return np.abs(one - other).max(axis=2) > 16

    rest = [capture.still(renderer, one, field, size, 4)[..., :3].astype(int) for one in (scene, bare)]
    stones = changed(*rest)
    for axis in (0, 1):  # the inner parts of large ones
        stones = np.all([np.roll(stones, by, axis) for by in range(-4, 5)], axis=0)
    assert stones.sum() > 100
    for count in (8, 9):  # of two drafts one has the places of the other
        found = changed(drafts(scene, count), drafts(bare, count))
        assert found[stones].mean() > 0.7
        assert renderer.draw_pass(LandPass).has_places
    gone = drafts(bare, 9)
    at_rest = capture.still(renderer, bare.replace({"sun.azimuth": 24.0}), field, size, 4)[..., :3].astype(int)
    softer = changed(gone, at_rest)
    assert softer[stones].mean() < softer.mean() + 0.1, "stones leave nothing behind"


@contextmanager
def stones_alone(renderer):
    """Have stones take no light from the ground."""
    stones = renderer.draw_pass(boulders.BoulderPass)
    stones.darkens = False
    yield
    stones.darkens = True


@pytest.mark.parametrize("azimuth, toward", [(90.0, -1), (270.0, 1)])
def test_stones_throw_shadows_away_from_the_sun(renderer, azimuth, toward):
    """What shadows take is dark, and lies on the far side of the stones, which shadows leave as they are."""
    size = (480, 360)
    field = ramp(12.0, 129)
    light = {"sun.elevation": 35.0, "sun.azimuth": azimuth, "sun.ambient": 0.1, "sun.shadows": True}
    scene = from_above(field, {**WHERE, **light, "ground.boulders": 0.6})
    above = float(field.heights[64, 64]) + 40.0  # few, so that what lies near a shadow threw it
    scene = scene.with_group(scene.camera.replace(x=640.0, y=above, z=640.0, pitch=-90.0, yaw=0.0))

    def drawn(changes):
        return capture.still(renderer, scene.replace(changes), field, size, 1)[..., :3].astype(int)

    full, bare = drawn({}), drawn({"ground.boulders": 0.0})
    unshaded = drawn({"sun.shadows": False})  # on a plane none but theirs
    with stones_alone(renderer):
        stone = (drawn({}) != bare).any(axis=2)
    shadow = full.sum(axis=2) < 0.7 * unshaded.sum(axis=2)
    assert stone.sum() > 100 and shadow.sum() > 50
    reach = np.arange(1, 9)  # up to 0.7 m
    rows, columns = (axis[:, None] for axis in np.nonzero(shadow[:, 25:-25]))
    sunward, leeward = (stone[rows, columns + 25 + side * toward * reach].any(axis=1).mean() for side in (-1, 1))
    assert sunward > leeward + 0.3


def test_stones_keep_the_sky_from_the_ground_about_them(renderer):
    """Without any shadow the ground is darker than bare ground in rings about stones, and nowhere else."""
    field = ramp(12.0, 129)
    scene = from_above(field, {**WHERE, "sun.elevation": 35.0, "sun.shadows": False, "ground.boulders": 1.0})
    above = float(field.heights[64, 64]) + 12.0
    scene = scene.with_group(scene.camera.replace(x=640.0, y=above, z=640.0, pitch=-90.0, yaw=0.0))

    def drawn(changes):
        return capture.still(renderer, scene.replace(changes), field, (480, 360), 1)[..., :3].astype(int)

    full, bare = drawn({}), drawn({"ground.boulders": 0.0})
    with stones_alone(renderer):
        alone = drawn({})
    stone, ring = (alone != bare).any(axis=2), (full != alone).any(axis=2)
    assert stone.sum() > 100 and ring.sum() > 100
    assert (full[ring].sum(axis=1) < bare[ring].sum(axis=1)).mean() > 0.95
    near = stone.copy()
    for axis in (0, 1):
        near = np.any([np.roll(near, shift, axis) for shift in range(-40, 41, 2)], axis=0)
    assert near[ring].mean() > 0.95


def test_under_a_sun_that_is_down_stones_throw_no_shadows(context, renderer):
    """They are drawn for their contact with the ground and for themselves, and a third time where the sun is up."""
    field = ramp(0.0, 129)
    scene = from_above(field, {**WHERE, "sun.elevation": -5.0, "sun.shadows": True, "ground.boulders": 1.0})
    scene = scene.with_group(scene.camera.replace(x=640.0, y=20.0, z=640.0, pitch=-90.0, yaw=0.0))

    def triangles(**changes):
        there = scene.replace({key.replace("__", "."): value for key, value in changes.items()})
        seen(renderer, there, field)  # with what is made once
        with context.query(primitives=True) as counter:
            seen(renderer, there, field)
        return counter.primitives

    down, up = (
        triangles(sun__elevation=elevation) - triangles(sun__elevation=elevation, ground__boulders=0.0)
        for elevation in (-5.0, 5.0)
    )
    # but for a few of the land's, which is drawn otherwise about stones
    assert down > 0 and up / down == pytest.approx(3 / 2, rel=1e-4)


def test_small_stones_are_strewn_on_near_ground_and_cost_nothing_far_away(renderer):
    """They show where a pixel covers 3 cm, and where it covers two metres the picture is the same without them.

    In views along parallel lines, which have no larger ones.
    """
    field = ramp(3.0, 129)
    scene = from_above(field, {**WHERE, "ground.base": "sand", "ground.boulders": 0.3, "sun.elevation": 40.0})
    above = scene.camera.replace(x=640.0, y=float(field.heights[64, 64]) + 600.0, z=640.0, pitch=-90.0)
    changed = {}
    for pixel_m in (0.03, 2.0):
        each = scene.with_group(above.replace(projection="orthographic", span=pixel_m * SIZE[1]))
        stony, bare = (seen(renderer, one, field) for one in (each, each.replace({"ground.boulders": 0.0})))
        changed[pixel_m] = (stony != bare).any(axis=2).mean()
    assert changed[0.03] > 0.002 and changed[2.0] == 0


@pytest.mark.parametrize("multisamples", [1, 4])
@pytest.mark.parametrize("frames", [4, 16, 64])
def test_frames_of_a_mean_are_sharper_than_one_alone_and_leave_no_gap_along_a_pixel(frames, multisamples):
    """Along a slanting pixel the frames' shares overlap; a round pixel's side is no finer than their root parts it."""
    alone, one = cover.footprint(0, 1, multisamples), cover.footprint(3, frames, multisamples)
    assert one[0] < alone[0] == 0.7 and one[1] < alone[1] == 1
    assert one[0] * one[1] * frames >= 0.5 and one[1] >= frames**-0.5
    assert alone[3] == 0 < one[3] and one[2] == 3


def test_near_ground_in_a_mean_of_many_frames_is_as_sharp_as_in_a_reference(renderer):
    """At about a decimetre a pixel, 16 frames have the gradients of 144: soft textures would take a tenth of them."""
    field = ramp(3.0, 129)
    scene = from_above(field, {**WHERE, "ground.base": "soil", "ground.relief": 1.0, "sun.elevation": 30.0})
    eye = {"x": 640.0, "y": float(field.heights[64, 64]) + 8.0, "z": 640.0, "pitch": -25.0, "field_of_view": 45.0}
    scene = scene.with_group(scene.camera.replace(projection="perspective", **eye))

    def contrast(samples):
        near = seen(renderer, scene, field, samples)[SIZE[1] // 2 :].mean(axis=2)
        return float((np.diff(near, axis=1) ** 2).mean())

    assert contrast(16) == pytest.approx(contrast(144), rel=0.05)


def test_no_stone_lies_where_standing_water_is(renderer):
    """The water is drawn on the land, so that a stone under it would show on top."""
    field = ramp(8.0, 129)
    changes = {**WHERE, "sun.elevation": 40.0, "sun.shadows": True, "water.enabled": True, "water.sea_level": -1000.0}
    scene = from_above(field, changes)
    height = float(field.heights[64, 64])
    dry = scene.with_group(scene.camera.replace(x=640.0, y=height + 25.0, z=640.0, pitch=-90.0))
    drowned = dry.replace({"water.sea_level": height + 5.0})

    def stones(scene):  # small ones, of the ground itself, are as many at both
        few, many = (seen(renderer, scene.replace({"ground.boulders": share}), field) for share in (0.3, 1.0))
        return (few != many).any(axis=2).mean()

    assert stones(dry) > 0.0005 and stones(drowned) == 0
