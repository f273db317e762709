"""Lakes, rivers and surf go on beyond the border of a land."""

import dataclasses

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from tests.ground_around import CELL_M, LAND, SIZE, cell_m, middle
from tests.lands import rolling


def test_waves_reach_no_pool_beyond_the_border(alone, scene):
    """They come into a sound that goes on beyond it, and not into a hollow with land all around."""
    z, x = np.meshgrid(np.linspace(-1, 1, 129), np.linspace(0, 1, 129), indexing="ij")
    heights = np.where((x > 0.8) | (np.hypot(z, x - 0.1) < 0.06), -20.0, 30.0)
    field = HeightField(heights.astype(np.float32), (CELL_M, CELL_M))
    alone.show(field)
    wet = {"water.enabled": True, "water.sea": True, "water.sea_level": 0.0, "water.lakes": False, "water.wind": 8.0}
    frame = alone.around(scene.replace(LAND | wet | {"view.surroundings_height": 100.0}), resting=True)[0]
    lakes = alone.grids.read(frame.lighting.water.textures["u_lakes"])
    ground = frame.height_map.field.heights

    def at(texels, x_sides):
        return texels[len(texels) // 2, int((x_sides + 0.5) / 2 * len(texels))]

    assert at(ground, -0.1) < 0 and at(ground, 1.1) < 0
    assert 2 + at(lakes, -0.1) / 1e6 < 0.3
    assert 2 + at(lakes, 1.1) / 1e6 > 0.7


def test_lakes_go_on_with_their_ground(alone, scene):
    """The level of a lake that reaches the border stands in the frame as high as in the land beside it."""
    heights = np.fromfunction(lambda r, c: 30 + 0.2 * abs(c - 64), (129, 129), dtype=np.float32).astype(np.float32)
    depth = np.where(heights < 34, 34 - heights, 0).astype(np.float32)
    field = HeightField(heights, (CELL_M, CELL_M), {"lake_depth": depth})
    alone.show(field)
    wet = {"water.enabled": True, "water.sea": False, "water.lakes": True, "water.rivers": False}
    frame = alone.around(scene.replace(LAND | wet))[0]
    levels = alone.grids.read(frame.lighting.water.textures["u_lakes"])
    _, inside = middle(frame, field)
    beside = levels[inside[0] - 2, inside]
    assert beside[len(inside) // 2] == pytest.approx(34.0, abs=0.3)
    assert beside[2] < -1e5, "there is none on the slopes"


NOISE = {"noise.kind": "simplex", "noise.frequency": 3.0, "noise.amplitude": 200.0, "noise.octaves": 4}
STEPS = dict.fromkeys(("perturb.enabled", "erosion.enabled", "smooth.enabled"), False)
WET = {"water.enabled": True, "water.sea": False, "water.lakes": True, "water.rivers": True}


@pytest.fixture(scope="module")
def told():
    """A scene whose recipe says what lies beyond the border of `rolling` land of its seed."""
    return Scene().replace({**NOISE, **STEPS, **LAND, **WET, "camera.y": 500.0})


def rivers_of(frame):
    """Return how much of each texel of `frame` is river, 0 to 255, and how many texels a cell has."""
    rivers = frame.lighting.water.textures["u_rivers"]
    cover = np.frombuffer(rivers.read(), np.uint8).reshape(rivers.height, rivers.width, 4)[..., 2]
    return cover, rivers.width // frame.height_map.field.columns


@pytest.fixture(scope="module")
def crossed(told):
    """Land as the recipe has it, and a river over all of its middle that leaves it at both ends."""
    rows = columns = 129
    to_x = np.fromfunction(lambda r, c: (64 - c) * CELL_M, (rows, columns)).astype(np.float32)
    width = np.where(abs(to_x) < 4 * CELL_M, 60, 0).astype(np.float32)
    masks = {"river_width": width, "river_to_x": to_x * (width > 0), "river_to_z": np.zeros_like(width)}
    masks["lake_depth"] = np.zeros((rows, columns), np.float32)
    return HeightField(rolling(rows, columns, 200.0, seed=told.noise.seed), (CELL_M, CELL_M), masks)


def test_where_far_ground_has_the_recipes_form_rivers_run_on_in_valleys_of_their_own(alone, told, crossed):
    """At rest they lie lower than the ground beside them, from the border on and far out."""
    alone.show(crossed)
    frame = alone.around(told, resting=True)[0]
    cover, finer = rivers_of(frame)
    vertices, inside = middle(frame, crossed)
    middle_texel = finer * (inside[0] + inside[-1]) // 2
    for border in (inside[0] - 1, inside[-1] + 1):
        row = cover[finer * border]
        assert row[middle_texel - 3 * finer : middle_texel + 3 * finer].max() > 128
    row, column = (np.asarray(at) // finer for at in np.nonzero(cover > 200))
    away = 6
    out = np.maximum(inside[0] - np.minimum(row, column), np.maximum(row, column) - inside[-1])
    lies = (out > 0) & (np.minimum(row, column) >= away) & (np.maximum(row, column) < len(vertices) - away)
    assert out.max() > 0.2 * len(inside)
    row, column = row[lies], column[lies]
    around = [vertices[row + z, column + x] for z, x in ((away, 0), (-away, 0), (0, away), (0, -away))]
    assert np.median(np.mean(around, axis=0) - vertices[row, column]) > 1.0
    assert (np.max(around, axis=0) > vertices[row, column]).mean() > 0.9


def test_where_far_ground_has_the_recipes_form_a_drafts_rivers_end_beside_the_border(alone, told, crossed):
    """Mirrored ones would run uphill there, and valleys take long."""
    flipped = dataclasses.replace(crossed, heights=-np.flip(crossed.heights, 0))
    for field in (crossed, flipped):
        alone.show(field)
        frame = alone.around(told, small=True)[0]
        cover, finer = rivers_of(frame)
        _, inside = middle(frame, field)
        away = len(inside) // 10  # wider than the strip
        first, last = finer * (inside[0] - away), finer * (inside[-1] + away)
        beyond = cover > 0
        assert beyond[finer * inside[0] : finer * inside[-1], finer * inside[0] : finer * inside[-1]].any()
        beyond[first:last, first:last] = False
        assert beyond.any() == (field is flipped), "the recipe does not tell of that land, and rivers are mirrored"


@pytest.mark.parametrize("share", [0.0, 0.05])
def test_where_far_ground_has_the_recipes_form_lakes_lie_in_its_hollows(alone, told, share):
    """Each is level, as wide as the ground below it and cut by nothing; no more ground is wet than of the land."""
    heights = rolling(129, 129, 200.0, seed=told.noise.seed)
    depth = np.where(heights < np.quantile(heights, share), 1, 0).astype(np.float32)
    depth[[0, -1]] = depth[:, [0, -1]] = 0
    masks = {"lake_depth": depth} | dict.fromkeys(("river_width", "river_to_x", "river_to_z"), 0 * depth)
    field = HeightField(heights, (CELL_M, CELL_M), masks)
    alone.show(field)
    wet_share = []
    for number, frame in enumerate(alone.around(told, resting=True)):
        levels = alone.grids.read(frame.lighting.water.textures["u_lakes"])
        ground, (first, last) = frame.height_map.field.heights, frame.tile.hole
        beyond = np.ones(ground.shape, bool)
        beyond[first : last + 1, first : last + 1] = False
        wet = (levels > ground) & beyond
        wet_share.append(wet[beyond].mean())
        for step in (np.s_[1:, :], np.s_[:-1, :]), (np.s_[:, 1:], np.s_[:, :-1]):
            for here, there in (step, step[::-1]):
                on_shore = wet[here] & ~wet[there] & beyond[there]
                assert (ground[there][on_shore] >= levels[here][on_shore]).all()
                both = wet[here] & wet[there]
                assert np.array_equal(levels[here][both], levels[there][both])
        for beside in () if number == 1 else (first - 1, last + 1):  # the fine ones have the same lakes
            assert not wet[beside, first : last + 1].any() and not wet[first : last + 1, beside].any()
    assert (max(wet_share) > 0) == (share > 0)
    assert np.mean(wet_share[:2]) <= 1.5 * share


def test_a_river_goes_on_where_it_leaves_the_land(alone, renderer, scene):
    """Its bank is as far away just beyond the border as just within it, and far out it has run dry."""
    rows = columns = 129
    heights = np.fromfunction(lambda r, c: 30 + 0.2 * abs(c - 64), (rows, columns), dtype=np.float32)
    to_x = np.fromfunction(lambda r, c: (64 - c) * CELL_M, (rows, columns)).astype(np.float32)
    width = np.where(abs(to_x) < 4 * CELL_M, 60, 0).astype(np.float32)
    masks = {"river_width": width, "river_to_x": to_x * (width > 0), "river_to_z": np.zeros_like(width)}
    field = HeightField(heights.astype(np.float32), (CELL_M, CELL_M), masks)
    alone.show(field)
    wet = {"water.enabled": True, "water.sea": False, "water.lakes": False, "water.rivers": True}
    frame, far, _ = alone.around(scene.replace(LAND | wet))
    rivers = frame.lighting.water.textures["u_rivers"]
    cover = np.frombuffer(rivers.read(), np.uint8).reshape(rivers.height, rivers.width, 4)[..., 2] / 255.0
    vertices, inside = middle(frame, field)
    finer = rivers.width // len(vertices)
    across = slice(finer * inside[0], finer * (inside[-1] + 1))
    for row in (finer * inside[0] - 4, finer * inside[-1] + 8):  # before the border and past the other one
        wide = cover[row, across]
        assert wide.sum() * cell_m(frame) / finer == pytest.approx(60.0, rel=0.2)
        assert (wide * np.arange(len(wide))).sum() / wide.sum() == pytest.approx(len(wide) / 2, abs=finer)
    rivers = far.lighting.water.textures["u_rivers"]
    cover = np.frombuffer(rivers.read(), np.uint8).reshape(rivers.height, rivers.width, 4)[..., 2]
    assert cover[:8].max() == 0 < cover.max()
    dry = scene.replace(LAND | wet | {"water.rivers": False})
    renderer.show(field)
    shown = [renderer.draw(one, SIZE, 1).pixels() for one in (scene.replace(LAND | wet), dry)]
    assert not np.array_equal(*shown)
