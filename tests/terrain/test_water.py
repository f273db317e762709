"""Lakes, rivers and the sea on lands whose water can be told on paper."""

import numpy as np
import pytest

from fellview.core.errors import Cancelled
from fellview.scene.scene import Scene
from fellview.terrain.hydrology import drainage, water
from fellview.terrain.hydrology.flow import flow
from fellview.terrain.hydrology.water import Bodies, Water
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline

GO, STOP = np.zeros(1, np.uint8), np.ones(1, np.uint8)
CELL = (10.0, 10.0)


def rough(rows=70, columns=90, seed=3):
    return (100 * np.random.default_rng(seed).random((rows, columns))).astype(np.float32)


def neighbours(values, fill):
    """Return the eight neighbours of every cell, (8, rows, columns)."""
    wide = np.pad(values, 1, constant_values=fill)
    rows, columns = values.shape
    return np.stack([wide[r : r + rows, c : c + columns] for r in range(3) for c in range(3) if (r, c) != (1, 1)])


def crater(rows=81, columns=81, notch=None):
    """A cone whose crater has a level rim at 100 m and a floor at 40 m; `notch` lowers one place of the rim."""
    r, c = np.mgrid[:rows, :columns] - np.array([rows // 2, columns // 2])[:, None, None]
    away = np.hypot(r, c)
    heights = np.where(away <= 15, 40 + 4 * away, 100 - 4 * (away - 15)).astype(np.float32)
    if notch is not None:
        turn = np.arctan2(r, c)
        heights[abs(turn) < 0.1] = np.minimum(heights, notch)[abs(turn) < 0.1]
    return heights


def bodies(heights, cell=CELL, **changes):
    made = Bodies(
        heights, cell, Water(**{"lakes": True, "rivers": True, "lake_area": 0.0, "lake_depth": 0.0} | changes)
    )
    return {name: made.make(name, GO) for name in Bodies.NAMES}


def level_of(heights):
    return drainage.inner(flow(heights, CELL, GO).level, *heights.shape)


def test_a_filled_land_has_no_pit_and_is_the_least_such():
    heights = rough()
    level = level_of(heights)
    assert (level >= heights).all()
    inner = np.s_[1:-1, 1:-1]
    lowest_beside = neighbours(level, np.inf).min(axis=0)
    assert (lowest_beside <= level)[inner].all(), "something would have to climb"
    np.testing.assert_array_equal(level[0], heights[0])  # water leaves over the edge
    least = np.where(np.pad(np.ones((68, 88), bool), 1), np.float32(1e9), heights)
    while True:  # sinks from above until nothing moves: slow, and plainly right
        lower = np.maximum(heights, np.minimum(least, neighbours(least, np.inf).min(axis=0)))
        lower[[0, -1]], lower[:, [0, -1]] = heights[[0, -1]], heights[:, [0, -1]]
        if (lower == least).all():
            break
        least = lower
    np.testing.assert_allclose(level, least, atol=1e-3)


@pytest.mark.parametrize("notch", [None, 82.0, 61.5])
def test_a_crater_fills_to_the_lowest_point_of_its_rim(notch):
    heights = crater(notch=notch)
    depth = bodies(heights)["lake_depth"]
    wet = depth > 0
    rim = heights[np.hypot(*(np.mgrid[:81, :81] - 40)) >= 14].max() if notch is None else notch
    surface = (heights + depth)[wet]
    # a rim of cells has its lowest pass where the grid has it: within a cell's step of 4 m
    assert np.ptp(surface) < 1e-4 and surface[0] == pytest.approx(rim, abs=4.0 if notch is None else 1e-4)
    assert wet[40, 40] and not wet[0].any()


def test_a_lake_filled_in_part_stands_that_far_up_its_depth():
    heights = crater(notch=80.0)
    for fill in (25.0, 50.0, 100.0):
        depth = bodies(heights, lake_fill=fill)["lake_depth"]
        assert depth.max() == pytest.approx(fill / 100 * 40.0, rel=1e-5)
    assert not bodies(heights, lake_fill=0.0)["lake_depth"].any()


def test_only_lakes_that_are_large_and_deep_enough_count():
    heights = np.full((60, 60), 50, np.float32)
    heights[10:14, 10:14] = 40  # 16 cells, 10 m
    heights[30:50, 30:50] = 48  # 400 cells, 2 m
    small, large = (12, 12), (40, 40)
    kept = {
        (area, least): (bool(depth[small]), bool(depth[large]))
        for area, least in ((0.0, 0.0), (1.0, 0.0), (0.0, 5.0))
        for depth in [bodies(heights, lake_area=area, lake_depth=least)["lake_depth"]]
    }
    assert kept == {(0.0, 0.0): (True, True), (1.0, 0.0): (False, True), (0.0, 5.0): (True, False)}


def test_all_that_drains_into_a_confluence_runs_on_below_it():
    heights = rough()
    found = flow(heights, CELL, GO)
    rows, columns = heights.shape
    given = np.ones(found.area.size, np.int64)
    for i in found.order[::-1]:
        direction = found.directions[i]
        if direction < drainage.ROOT:
            given[i + drainage.offset.dispatcher(np.int64(direction), columns + 2)] += found.area[i]
    inner = drainage.inner(found.area, rows, columns)
    np.testing.assert_array_equal(drainage.inner(given, rows, columns), inner)
    edge = np.ones(heights.shape, bool)
    edge[1:-1, 1:-1] = False
    assert inner[edge].sum() == heights.size


def test_width_and_depth_follow_the_laws_of_hydraulic_geometry():
    area = np.array([1e6, 4e6, 1e8], np.float32)
    width, depth = water.river_size(area, Water())
    discharge = area * 1e-3 / 3600  # 1 mm an hour
    np.testing.assert_allclose(width, 7.2 * discharge**0.5, rtol=1e-5)
    np.testing.assert_allclose(depth, 0.27 * discharge**0.4, rtol=1e-5)
    assert (
        width[1] == pytest.approx(2 * width[0]) and water.river_size(area, Water(river_width=3.0))[0][0] == 3 * width[0]
    )


def valley(rows=64, columns=65, fall=1.0):
    """A straight valley along the middle column, down to row 0."""
    r, c = np.mgrid[:rows, :columns].astype(np.float32)
    return fall * r + 5 * abs(c - columns // 2)


@pytest.mark.parametrize("scale", [0.3, 10.0])
def test_a_river_covers_its_own_width_of_ground_however_wide_cells_are(scale):
    made = bodies(valley(), river_share=5.0, river_width=scale)
    rows = np.arange(10, 40)
    width = made["river_width"].max(axis=1)[rows]
    covered = made["river_cover"].sum(axis=1)[rows] * CELL[1]
    assert width.max() / CELL[1] > 1.5 if scale > 1 else width.max() / CELL[1] < 0.4
    np.testing.assert_allclose(covered, width, rtol=0.12)
    assert (made["river_cover"] == made["river_cover"][:, ::-1]).all()


def test_a_rivers_surface_nowhere_rises_downstream():
    z, x = np.mgrid[:80, :80] / 80
    land = (200 * z + 40 * np.sin(9 * x) * np.cos(7 * z) + 20 * np.sin(23 * x + 3 * z)).astype(np.float32)
    found = flow(land, CELL, GO)
    surface = np.empty(found.order.size, np.float32)
    number = np.full(found.area.size, -1, np.int32)
    below = np.empty_like(found.order)
    rest = [np.empty(found.order.size, np.float32) for _ in range(3)]
    count = water._follow(
        *(found.order, found.directions, found.area, found.level, 80, 1.0, number, below),
        *(rest[0], rest[1], surface, rest[2]),
    )
    assert count == land.size
    runs = below >= 0
    assert (surface[below[runs]] <= surface[runs]).all()
    np.testing.assert_allclose(surface, found.level[found.order], atol=1e-3)


def test_a_lake_filled_in_part_has_no_outlet_and_a_full_one_has():
    heights = crater(161, 161, notch=60.0)
    out = np.s_[80, 110:150]  # where the notch leads down the cone's side
    full, half = (bodies(heights, lake_fill=fill, river_share=1.0)["river_cover"][out] for fill in (100.0, 50.0))
    assert full.min() > 0 and half.max() == 0


@pytest.mark.parametrize("scale", [0.3, 10.0])
def test_the_way_to_the_centre_line_ends_on_it(scale):
    made = bodies(valley(), river_share=5.0, river_width=scale)
    has = made["river_cover"] > 0
    z, x = np.nonzero(has)
    middle = (x + made["river_to_x"][has] / CELL[1])[(z > 5) & (z < 40)]
    np.testing.assert_allclose(middle, 32.0, atol=1e-4)
    assert not made["river_to_x"][~has].any() and not made["river_to_z"][~has].any()


def test_the_sea_lies_over_what_is_below_its_level():
    heights = crater()
    made = bodies(heights, sea_level=50.0, lakes=False, rivers=False)
    np.testing.assert_array_equal(made["sea_depth"], np.maximum(50 - heights, 0))
    np.testing.assert_array_equal(made["water_surface"], np.maximum(heights, 50))
    assert not bodies(heights, sea=False)["sea_depth"].any()


def test_the_highest_water_is_the_surface():
    heights = crater(notch=80.0)
    made = bodies(heights, sea_level=30.0)
    lake = made["lake_depth"] > 0
    np.testing.assert_allclose(made["water_surface"][lake], 80.0, rtol=1e-6)
    np.testing.assert_array_equal(made["water_surface"][made["sea_depth"] > 0].min(), 30.0)
    assert np.isfinite(made["water_surface"]).all()


def test_making_masks_stops_when_it_is_told_to():
    made = Bodies(rough(), CELL, Water(lakes=True, rivers=True))
    for name in ("lake_depth", "river_cover"):
        with pytest.raises(Cancelled):
            made.make(name, STOP)
    assert made.make("river_cover", GO).any()


def fluvial(side):
    changes = {
        "grid.rows": side, "grid.columns": side, "grid.size_x": 8000.0, "grid.size_z": 8000.0,
        "noise.kind": "simplex", "noise.frequency": 2.5, "noise.amplitude": 900.0, "noise.octaves": 5,
        "noise.gain": 0.4,
        "erosion.kind": "none", "perturb.distance": 0.0, "smooth.iterations": 0,
    }  # fmt: skip
    field = Pipeline(CpuEngine()).run(Scene().replace(changes).terrain_groups()).field
    return field, field.masks.with_water(Water(lakes=True, rivers=True, river_share=2.0))


def test_lakes_and_rivers_are_the_same_on_every_grid():
    lakes, rivers = [], []
    for side in (256, 512, 1024):
        field, masks = fluvial(side)
        lakes.append(float((masks["lake_depth"] > 0).mean()))
        share = field.cell_size[0] * masks["river_cover"].sum() * field.cell_size[0]
        rivers.append(float(share))  # m² of river
    assert min(lakes) > 0.01
    for values in (lakes, rivers):
        assert values == pytest.approx([values[-1]] * 3, rel=0.12), (lakes, rivers)


def test_masks_of_water_change_with_water_alone_and_the_seas_level_leaves_lakes_alone():
    _, masks = fluvial(64)
    lake, cover, slope = masks["lake_depth"], masks["river_cover"], masks["slope"]
    higher = masks.with_water(Water(lakes=True, rivers=True, river_share=2.0, sea_level=300.0, colour="#102030"))
    assert higher["lake_depth"] is lake and higher["river_cover"] is cover and higher["slope"] is slope
    assert higher["sea_depth"].max() > masks["sea_depth"].max()
    other = higher.with_water(Water(lakes=True, rivers=True, river_share=4.0))
    assert other["slope"] is slope and other["river_cover"].sum() < cover.sum()
    assert masks.with_water(Water(lakes=True, rivers=True, river_share=2.0, wind=9.0, clarity=1.0)) is masks
