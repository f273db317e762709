"""Ground goes on beyond the border of the land: it meets it in height and slope, and is like it."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.gpu.passes import GridPasses
from tests.ground_around import CELL_M, LAND, Alone, cell_m, frames_around, middle


def between(heights, rows, columns):
    """Return `heights` between vertices, for rows and columns of one shape."""
    r, c = (
        np.minimum(np.floor(at).astype(int), side - 2) for at, side in zip((rows, columns), heights.shape, strict=True)
    )
    t, u = rows - r, columns - c
    upper = heights[r, c] * (1 - u) + heights[r, c + 1] * u
    return upper * (1 - t) + (heights[r + 1, c] * (1 - u) + heights[r + 1, c + 1] * u) * t


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_heights_and_slopes_go_on_across_the_border(context, land, scene):
    heights, inside = middle(frames_around(context, land, scene)[0], land)
    along = np.linspace(0, 1, len(inside))
    for axis in (0, 1):
        rows, columns = land.heights.shape
        last = (rows, columns)[axis] - 1
        for edge, outwards, here in ((inside[0], -1, 0), (inside[-1], 1, last)):
            at = np.full(len(along), float(here)), along * ((columns, rows)[axis] - 1)
            border = between(land.heights, *(at if axis == 0 else at[::-1]))
            found = heights if axis == 0 else heights.T
            assert found[edge, inside] == pytest.approx(border, abs=0.05)
            # one step out goes on as the step inside came: a mirror would turn back
            step_out = found[edge + outwards, inside] - found[edge, inside]
            step_in = found[edge, inside] - found[edge - outwards, inside]
            assert np.corrcoef(step_out, step_in)[0, 1] > 0.85


@pytest.mark.parametrize("number", [0, 1])
def test_a_coarser_frame_begins_where_the_finer_one_ends(frames, land, number):
    finer, coarser = frames[number : number + 2]
    fine, coarse = (frame.height_map.field.heights for frame in (finer, coarser))
    ratio = round(cell_m(coarser) / cell_m(finer))
    first = round((finer.tile.origin_m[0] - coarser.tile.origin_m[0]) / cell_m(coarser))
    count = (len(fine) - 1) // ratio + 1
    ours = coarse[first : first + count, first : first + count]
    low, high = land.height_range
    for line in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        assert ours[line] == pytest.approx(fine[::ratio, ::ratio][line], abs=0.02 * (high - low))


def test_features_cross_the_border_straight(alone, scene):
    """Ridges that slant over every border, by 40 or 50 degrees, go on as they came; mirrored ones would turn back."""
    along_m, slant, rows = 200.0, np.tan(np.radians(40)), 129
    z, x = np.meshgrid(*(CELL_M * np.arange(rows),) * 2, indexing="ij")
    for leaning in (slant, -slant):
        field = HeightField((20 * np.sin((z - leaning * x) * 2 * np.pi / along_m)).astype(np.float32), (CELL_M, CELL_M))
        alone.show(field)
        frame = alone.around(scene.replace(LAND))[0]
        heights, inside = middle(frame, field)
        out = round(0.03 * (len(inside) - 1))
        at = CELL_M * (rows - 1) * (np.arange(-out, len(inside) + out) / (len(inside) - 1))
        z_m, x_m = np.meshgrid(at, at, indexing="ij")
        expected = 20 * np.sin((z_m - leaning * x_m) * 2 * np.pi / along_m)
        around = heights[inside[0] - out : inside[-1] + out + 1, inside[0] - out : inside[-1] + out + 1]
        middles = slice(out + len(inside) // 4, out + 3 * len(inside) // 4)
        for strip in (np.s_[middles, :out], np.s_[middles, -out:], np.s_[:out, middles], np.s_[-out:, middles]):
            assert np.corrcoef(around[strip].ravel(), expected[strip].ravel())[0, 1] > 0.8


def test_slants_are_limited_to_what_folds_nothing_over(context):
    """Those that change little stay what they are; a step between two is spread over the places on both sides of it."""
    grids, most = GridPasses(context), 0.1
    slants = np.array([np.linspace(0.3, -0.4, 16), np.repeat([-0.5, 0.5], 8)], np.float32)
    limited = grids.texture(2, 16)
    grids.run("draw/land/limited_slants.frag", limited, {"u_slants": grids.upload(slants)}, {"u_most": most})
    found = grids.read(limited)
    assert found[0] == pytest.approx(slants[0])
    assert np.diff(found[1]).min() >= 0 and np.diff(found[1]).max() <= most + 1e-6
    assert found[1] == pytest.approx(-found[1, ::-1]) and found[1, -1] > 0.35


def test_ground_beyond_is_as_rough_as_the_land(alone, scene):
    """Of heights without any neighbours alike, straight lines between vertices would keep 0.67 of the deviation."""
    heights = np.random.default_rng(3).normal(0, 5, (129, 129)).astype(np.float32)
    alone.show(HeightField(heights, (CELL_M, CELL_M)))
    frame = alone.around(scene.replace(LAND | {"view.surroundings_height": 100.0}))[0]
    found, inside = middle(frame, alone.height_map.field)
    beyond = found[: inside[0] - round(0.08 * len(inside)), inside[0] : inside[-1]]
    assert 0.75 < beyond.std() / heights.std() < 1.1


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_slope_and_bend_beside_the_border_are_those_of_the_ground_there(context, scene):
    """Waves of ground that go on beyond it have crests there where a mirror has their troughs."""
    rows, waves, height_m = 513, 8, 20.0
    phase = np.linspace(0, 2 * np.pi * waves, rows)
    heights = np.tile((height_m * np.sin(phase)).astype(np.float32), (rows, 1))
    field, alone = HeightField(heights, (CELL_M, CELL_M)), Alone(context)
    alone.show(field)
    frame = alone.around(scene.replace(LAND | {"ground.kind": "materials"}), resting=True)[0]
    assert cell_m(frame) == pytest.approx(CELL_M)
    found, inside = middle(frame, field)
    shape = alone.grids.read(frame.tile.textures["u_shape"])
    row, out = inside[rows // 2], inside[0] - np.arange(1, 5)  # all but of what runs out of the land
    rise = found[row, out + 1] - found[row, out - 1]
    bend = (2 * found[row, out] - found[row, out - 1] - found[row, out + 1]) / CELL_M**2
    assert (bend < 0).all()
    assert shape[row, out, 2] == pytest.approx(bend, rel=0.2)
    assert shape[row, out, 3] == pytest.approx(np.degrees(np.arctan(rise / (2 * CELL_M))), rel=0.2)


def test_ground_that_goes_on_bends_at_the_border_as_on_level_slopes(context):
    """Where a slope ends it bends towards level ground; where it is drawn on it does not."""
    field = HeightField(np.fromfunction(lambda r, c: 2 * c + r, (33, 33), dtype=np.float32), (CELL_M, CELL_M))
    height_map, shape, grids = HeightMap(context), LandShape(context), GridPasses(context)
    height_map.upload(field)
    ends = grids.read(shape.texture(height_map, frozenset()))
    shape.goes_on = True
    on = grids.read(shape.texture(height_map, frozenset()))
    assert ends[16, 0, 2] == pytest.approx(-2 / CELL_M**2, rel=1e-3) and abs(on[..., 2]).max() < 1e-6
    assert np.array_equal(ends[1:-1, 1:-1], on[1:-1, 1:-1]) and np.array_equal(ends[..., 3], on[..., 3])


def test_no_two_places_around_are_mirror_images(frames, land):
    heights, inside = middle(frames[1], land)
    count = len(inside) - 1
    for found in (heights, heights.T):
        own = found[inside[0] : inside[-1], inside[0] : inside[-1]]
        for beyond in (found[inside[-1] :, inside[0] : inside[-1]], found[: inside[0], inside[0] : inside[-1]]):
            for copy in (beyond[:count], beyond[:count][::-1]):
                assert abs(np.corrcoef(own.ravel(), copy.ravel())[0, 1]) < 0.8


@pytest.mark.parametrize("axis", [0, 1])
def test_far_ground_comes_again_at_no_distance(alone, scene, axis):
    """Heights that rise evenly along an axis tell from which place on the land ground is taken.

    Mirrored at the land's sides, over and over, all ground two sides farther out would be the same again.
    """
    rises = np.fromfunction(lambda *at: at[axis], (97, 97)).astype(np.float32)
    dry = {"camera.y": 5000.0, "water.enabled": False}
    alone.show(HeightField(rises, (CELL_M, CELL_M)))
    alone.surroundings.carry_on(scene.replace(LAND | dry), alone.height_map)
    out, along = np.meshgrid(np.arange(0.2, 3.0, 0.03), np.arange(-4.5, 5.5, 0.03))
    places = (out, along) if axis else (along, out)

    def again(sides):
        """Return how alike ground is beyond the last border and so many sides farther out."""
        first, second = (
            alone.surroundings.heights_at(*(96 * CELL_M * (at + beyond * (at is out)) for at in places))
            for beyond in (1.0, 1.0 + sides)
        )
        return np.corrcoef(first.ravel(), second.ravel())[0, 1]

    assert max(abs(again(sides)) for sides in (1.0, 1.5, 2.0, 2.5)) < 0.35


def test_dunes_have_their_lee_sides_where_the_wind_blows_to(alone, scene):
    """Crests across x whose lee sides are three times as steep, towards x, have them so on every side of the land.

    Slopes have a negative skew there, which mirrored crests have the other way round.
    """
    x = np.arange(129) / 128
    phase = 7.3 * x + 0.4 * np.sin(5.0 * x[:, None])
    ahead = phase - np.floor(phase)
    heights = 30 * np.minimum(ahead / 0.75, (1 - ahead) / 0.25)
    alone.show(HeightField(heights.astype(np.float32), (CELL_M, CELL_M)))
    dunes = scene.replace({**LAND, "landform1.kind": "dunes", "water.enabled": False})
    frame = alone.around(dunes)[0]
    around, columns = middle(frame, alone.height_map.field)
    first, last = columns[0], columns[-1]
    away = (last - first) // 6  # from the border: there ground is far ground alone
    slopes = np.diff(around, axis=1)
    thirds = slice(0, first - away), slice(first, last), slice(last + away, None)
    for rows, across in itertools.product(thirds, thirds):
        part = slopes[rows, across]
        assert np.mean((part - part.mean()) ** 3) / part.std() ** 3 < -0.5


@pytest.mark.parametrize("water", ["lakes", "rivers"])
def test_where_there_are_lakes_or_rivers_dunes_are_mirrored(alone, land, scene, water):
    """Pieces would cut them."""
    alone.show(land)
    dunes = {**LAND, "landform1.kind": "dunes"}
    dry, wet = {"water.enabled": False}, {"water.enabled": True, "water.sea": False, f"water.{water}": True}

    def heights(changes):
        return alone.around(scene.replace(changes))[0].height_map.field.heights.copy()

    mirrored = heights(LAND | dry)
    assert not np.array_equal(heights(dunes | dry), mirrored)
    assert np.array_equal(heights(dunes | wet), mirrored)


def test_the_ground_ends_level_at_the_height_of_the_plain(frames, land):
    heights = frames[-1].height_map.field.heights
    for line in (heights[0], heights[-1], heights[:, 0], heights[:, -1]):
        assert line == pytest.approx(land.border.mean(), abs=0.01)


def test_copies_are_as_high_as_is_asked_for(alone, land, scene):
    alone.show(land)
    spread = {}
    for percent in (0.0, 20.0, 100.0):
        frame = alone.around(scene.replace(LAND | {"view.surroundings_height": percent}))[1]
        spread[percent] = frame.height_map.field.heights[:60].std()
    assert spread[0.0] < 0.01
    assert spread[20.0] == pytest.approx(0.2 * spread[100.0], rel=0.05)


def test_by_the_sea_the_ground_ends_at_the_height_of_its_bed(alone, scene):
    heights = np.fromfunction(lambda r, c: c - 64.0, (129, 129)).astype(np.float32)
    field = HeightField(heights, (CELL_M, CELL_M))
    alone.show(field)
    wet = {"water.enabled": True, "water.sea": True, "water.sea_level": -20.0}
    for more, expected in ((wet, field.border[field.border < -20].mean()), ({}, field.border.mean())):
        found = alone.around(scene.replace(LAND | more))[-1].height_map.field.heights
        assert found[0] == pytest.approx(expected, abs=0.01)


def test_a_foot_runs_out_before_low_copies_rise(alone, scene):
    """Under a hill in the middle: an eighth of a side out the ground is level, though the mirrored hill rises there."""
    z, x = np.meshgrid(np.linspace(-1, 1, 129), np.linspace(-1, 1, 129), indexing="ij")
    field = HeightField((300 * (1 - np.hypot(z, x) / 1.5)).astype(np.float32), (CELL_M, CELL_M))
    alone.show(field)
    frame = alone.around(scene.replace(LAND | {"view.surroundings_height": 0.0}))[0]
    heights, inside = middle(frame, field)
    across = heights[inside[len(inside) // 2]]
    out = round(0.125 * (len(inside) - 1))
    assert across[inside[0]] == pytest.approx(100, abs=1)
    assert across[inside[0] - out] == across[0] == pytest.approx(field.border.mean(), abs=0.01)
