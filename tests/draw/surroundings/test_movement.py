"""The ground around a land follows it, coarser while something moves, and is made when it is asked for only."""

import dataclasses
import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land import surroundings_ring
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.land.surroundings_frame import Frame
from fellview.draw.renderer import Renderer
from fellview.mesh import triangle_list
from tests.ground_around import CELL_M, LAND, LOW_M, NO_SKY, SIZE, Alone, cell_m, covered


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_fine_heights_come_when_it_rests(context, land, scene):
    """While the land is edited in a window, the coarser frame reaches up to it; that has no hole then."""
    alone = Alone(context)
    alone.surroundings.waits = True
    there = scene.replace(LAND)
    alone.show(land)
    assert alone.around(there) == ()
    counts = [len(alone.around(there, resting=True)), len(alone.around(there))]
    alone.show(HeightField(land.heights + np.float32(20), land.cell_size))
    moving = alone.around(there)
    counts += [len(moving), len(alone.around(there, resting=True))]
    assert counts == [3, 3, 2, 3]
    blocks = round(cell_m(moving[0]) ** -1 * (land.columns - 1) * CELL_M) // 64
    assert moving[0].tile.left_out.sum() == blocks**2


def test_a_picture_rests_at_once_where_only_the_eye_has_moved_but_not_on_other_land(context, land, scene):
    alone, there = Alone(context), scene.replace(LAND)
    alone.surroundings.waits = True
    alone.show(land)
    coarse = [alone.surroundings.is_coarse(there)]
    for frame in ({"resting": True}, {"small": True}):
        alone.around(there.with_group(there.camera.turned(30.0)), **frame)
        coarse.append(alone.surroundings.is_coarse(there))
    assert coarse == [False, False, False], "before anything is made there is nothing to be seen"
    alone.show(HeightField(land.heights + np.float32(20), land.cell_size))
    alone.around(there, small=True)
    assert alone.surroundings.is_coarse(there) and not alone.surroundings.is_coarse(scene)


def test_a_draft_has_the_ground_that_rested_until_the_land_changes(context, land, scene):
    """One grid of each ring, from where the ring begins on: what moves keeps its outline when the picture sharpens."""
    alone, there = Alone(context), scene.replace(LAND)
    alone.surroundings.waits = True
    alone.show(land)
    at_rest = alone.around(there, resting=True)
    turned = there.with_group(there.camera.turned(30.0)).replace({"sun.azimuth": 20.0})
    moving = alone.around(turned, small=True)
    assert [one.height_map for one in moving] == [one.height_map for one in at_rest[-2:]]
    assert moving[0].tile.left_out.sum() < at_rest[-2].tile.left_out.sum(), "it reaches up to the land"
    alone.show(HeightField(land.heights + np.float32(20), land.cell_size))
    on_other_land = alone.around(turned, small=True)
    assert on_other_land[0].height_map is not moving[0].height_map
    assert cell_m(on_other_land[0]) > cell_m(moving[0])


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_small_pictures_go_without_the_near_frame(context, land, scene):
    alone = Alone(context, coarser=2)
    alone.show(land)
    found = alone.around(scene.replace(LAND), resting=True)
    assert len(found) == 2
    blocks = round(cell_m(found[0]) ** -1 * (land.columns - 1) * CELL_M) // 64
    assert found[0].tile.left_out.sum() == blocks**2, "the next one begins elsewhere than at the land"


def test_from_high_up_ground_is_as_fine_far_out_and_goes_on_farther(context, land, scene):
    """When nothing moves: a moving frame has one grid of each ring, and from lower there is none of both."""
    alone, low = Alone(context), scene.replace(LAND)
    high = low.replace({"camera.y": 2.0 * LOW_M})
    alone.show(land)
    cells, ends = {}, {}
    for name, one, moves in (("low", low, False), ("high", high, False), ("moving", high, True)):
        frames = alone.around(one, resting=not moves, small=moves)
        cells[name] = [round((land.columns - 1) * CELL_M / cell_m(frame)) for frame in frames]
        ends[name] = -frames[-1].tile.origin_m[0] / ((land.columns - 1) * CELL_M)
    near, far, outermost = surroundings_ring.RINGS
    fine = [one.cells for one in (*near[1:], *far[1:], *outermost[1:])]
    moving = [near[-1].cells, far[-1].cells, outermost[-1].cells]
    assert cells == {"low": [*fine[:2], far[0].cells], "high": fine, "moving": moving}
    assert ends == pytest.approx({"low": far[0].last, "high": outermost[0].last, "moving": outermost[0].last})


def test_an_eye_that_rises_has_far_heights_made_anew_alone(context, land, scene, monkeypatch):
    begun = []
    begin = Frame.begin
    monkeypatch.setattr(Frame, "begin", lambda self, *of, **how: (begun.append(self.last), begin(self, *of, **how))[1])
    alone, low = Alone(context), scene.replace(LAND)
    high = low.replace({"camera.y": 2.0 * LOW_M})
    alone.show(land)
    before = alone.around(low, resting=True)
    begun.clear()
    found = alone.around(high, resting=True)
    near, far, outermost = surroundings_ring.RINGS
    assert sorted(begun) == [*[far[0].last] * 2, *[outermost[0].last] * 2]
    fresh = Alone(context)
    fresh.show(land)
    for frame, one in zip(found, fresh.around(high, resting=True), strict=True):
        assert np.array_equal(frame.height_map.field.heights, one.height_map.field.heights)
    assert all(one.height_map is other.height_map for one, other in zip(found, before[: len(near) - 1], strict=False))


def test_ground_that_is_drawn_lower_comes_from_what_is_there(context, land, scene, monkeypatch):
    taken, take = [], Surroundings._take
    monkeypatch.setattr(Surroundings, "_take", lambda self, *of: (taken.append(self), take(self, *of))[1])
    alone, there = Alone(context), scene.replace(LAND)
    alone.show(land)
    before = [frame.height_map.field.heights for frame in alone.around(there, resting=True)]
    lower = there.replace({"view.surroundings_height": 0.5 * there.view.surroundings_height})
    found = alone.around(lower, resting=True)
    assert len(taken) == 1
    fresh = Alone(context)
    fresh.show(land)
    for frame, one, old in zip(found, fresh.around(lower, resting=True), before, strict=True):
        assert np.array_equal(frame.height_map.field.heights, one.height_map.field.heights)
        assert not np.array_equal(frame.height_map.field.heights, old)


@pytest.mark.parametrize("every", [29, pytest.param(5, marks=pytest.mark.slow)])
def test_what_has_been_made_before_it_is_given_up_is_not_made_again(context, land, scene, monkeypatch, every):
    """It may be given up after any pass; what comes then is as if it had never been."""
    made = []
    upload = HeightMap.upload
    monkeypatch.setattr(HeightMap, "upload", lambda self, *of, **how: (made.append(self), upload(self, *of, **how))[1])
    there, undisturbed = scene.replace(LAND | {"sun.shadows": True}), Alone(context)
    undisturbed.show(land)
    made.clear()
    expected, count = undisturbed.around(there, resting=True), len(made)
    passes = 1
    while passes:
        alone = Alone(context)
        alone.show(land)
        made.clear()
        given_up = alone.passes_around(there, resting=True)
        done = sum(1 for _ in itertools.islice(given_up, passes))
        given_up.close()
        found = alone.around(there, resting=True)
        assert len(made) == count
        for frame, one in zip(found, expected, strict=True):
            assert np.array_equal(frame.height_map.field.heights, one.height_map.field.heights)
            assert np.array_equal(alone.shares(frame.lighting), undisturbed.shares(one.lighting))
        passes = passes + every if done == passes else 0


def test_while_something_moves_every_second_vertex_is_worked_out(context, land, scene):
    """Those between lie on splines, until it rests: then all are as if nothing had moved."""
    alone, fresh, there = Alone(context, coarser=2), Alone(context, coarser=2), scene.replace(LAND)
    alone.show(land)
    fresh.show(land)
    rough = [frame.height_map.field.heights for frame in alone.around(there, small=True)]
    alone.around(there, resting=True)
    fresh.around(there, resting=True)
    settled, never_moved = (
        [frame.height_map.field.heights for frame in one.around(there, small=True)] for one in (alone, fresh)
    )
    assert all(np.array_equal(still, expected) for still, expected in zip(settled, never_moved, strict=True))
    for moving, still, most in zip(rough, settled, (0.1, 0.2), strict=True):  # far cells are as wide as hills
        assert abs(moving - still).max() > 0 and abs(moving - still).mean() < most * still.std()
        row = moving[200]
        assert row[201] == pytest.approx((9 * (row[200] + row[202]) - row[198] - row[204]) / 16, abs=1e-3)


def test_in_a_draft_of_new_land_what_the_camera_sees_follows_it_alone(context, land, scene):
    """Whatever it does not see is as before, until it turns there or rests."""
    higher = HeightField(land.heights + np.float32(20), land.cell_size)
    there = scene.replace(LAND).with_group(scene.camera.replace(x=300.0, z=300.0, yaw=30.0, pitch=-5.0))
    turned = there.with_group(there.camera.turned(120.0))

    def heights(alone, one=there, **how):
        return [frame.height_map.field.heights for frame in alone.around(one, **how)]

    def drawn(alone, field):
        alone.show(field)
        return heights(alone, small=True, aspect=1.5)

    alone, followed = Alone(context, coarser=2), Alone(context, coarser=2)
    first = drawn(alone, land)
    assert all(map(np.array_equal, first, drawn(followed, land))), "before anything is there all of it is made"
    found, made = drawn(alone, higher), alone.surroundings.made
    followed.show(higher)
    for one, before, all_of_it in zip(found, first, heights(followed, small=True), strict=True):
        follows, stays = np.isclose(one, all_of_it, atol=1e-3), np.isclose(one, before, atol=1e-3)
        assert 0.15 < follows.mean() < 0.6 and stays.mean() > 0.3 and (follows | stays).mean() > 0.95
        sides = one.shape[0] // 2, one.shape[1] // 2
        assert follows[sides[0] + 60 :, sides[1] + 40][: sides[0] // 2].all(), "ahead"
        assert not follows[: sides[0] - 60, sides[1]].any(), "behind"
    heights(alone, small=True, aspect=1.5)
    assert alone.surroundings.made == made
    expected = heights(followed, small=True)
    assert all(map(np.array_equal, heights(alone, turned, small=True, aspect=1.5), expected))
    assert all(map(np.array_equal, heights(alone, there, small=True, aspect=1.5), expected))
    assert alone.surroundings.made == made + 1
    drawn(alone, HeightField(land.heights + np.float32(40), land.cell_size))
    drawn(alone, higher)
    assert all(map(np.array_equal, heights(alone, resting=True), heights(followed, resting=True)))


def test_it_is_made_anew_when_heights_change_and_then_only(alone, land, scene):
    there = scene.replace(LAND)
    alone.show(land)
    alone.around(there)
    made = alone.surroundings.made
    alone.around(there.replace({"sun.azimuth": 20.0, "camera.yaw": 40.0, "ground.tint": "#808080"}))
    assert alone.surroundings.made == made
    alone.show(HeightField(land.heights + np.float32(20), land.cell_size))
    alone.around(there)
    assert alone.surroundings.made == made + 1


@pytest.mark.parametrize("small", [True, False])
def test_what_was_begun_and_given_up_leaves_nothing_behind(alone, land, scene, small):
    """As when a picture is given up in the middle, and its look or its land is taken back."""
    there, lower = scene.replace(LAND), scene.replace(LAND | {"view.surroundings_height": 40.0})

    def heights(one):
        return [frame.height_map.field.heights for frame in alone.around(one, small=small)]

    alone.show(land)
    expected, others = heights(there), heights(lower)
    assert not np.array_equal(expected[0], others[0])
    assert all(map(np.array_equal, heights(there), expected))
    alone.surroundings.begin(lower, alone.height_map, resting=True, small=small)
    assert all(map(np.array_equal, heights(there), expected))
    alone.surroundings.begin(there, alone.height_map, resting=True, small=small)
    alone.show(HeightField(land.heights + np.float32(20), land.cell_size))
    higher = heights(there)
    assert higher[0].max() == pytest.approx(expected[0].max() + 20, abs=2)


def test_a_draft_has_the_slopes_of_every_second_vertex(context, land, scene):
    """And at rest those of all, whatever a draft had."""
    there, alone = scene.replace(LAND), Alone(context)

    def slopes(**how):
        found = alone.around(there, **how)[-1].height_map
        return alone.grids.read(found.normals), found.field

    alone.show(land)
    slopes(resting=True)
    alone.show(HeightField(1.1 * land.heights, land.cell_size))
    draft, field = slopes(small=True)
    z, x = field.cell_size
    every_second = HeightField(field.heights[::2, ::2], (2 * z, 2 * x))
    for found, heights in ((draft, every_second), slopes(resting=True)):
        assert np.allclose(found, triangle_list.normals(heights)[..., ::2], atol=1e-3)


@pytest.mark.usefixtures("as_fine_as_drawn", "coarse_light")
def test_while_something_moves_heights_around_fit(context, land, scene, changed):
    """In a window, where light and what ground is made of come when it rests: few pixels are the sky's in one only."""
    camera = scene.camera.replace(mode="orbit", x=600.0, y=220.0, z=-30.0, yaw=10, pitch=-8, field_of_view=70.0)
    plain = {"sky.kind": "gradient", "air.tone": "none", "sun.shadows": True}
    there = dataclasses.replace(scene.replace(LAND | plain), camera=camera)

    def outline(one):
        return covered(one, there)

    fresh = Renderer(context, NO_SKY)
    fresh.show(changed)
    expected = outline(fresh)
    fresh.wait_for_masks()
    fresh.show(land)
    fresh.refine(there, SIZE, 4, 0)
    other = outline(fresh)
    fresh.show(changed)
    moving = outline(fresh)
    assert (moving != expected).sum() <= 9 < (expected != other).sum() / 2  # coarse ground has a skyline of its own
