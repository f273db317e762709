"""The scenes that come with it: each builds, stands its sliders, and has the form that its name promises."""

import functools
import itertools
import math

import numpy as np
import pytest

import fellview
from fellview.io import scenes
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.flow import flow
from fellview.terrain.pipeline.pipeline import remarks
from tests.sampling import sampled

LANDS = {
    "alpine-range",
    "archipelago",
    "badlands",
    "canyon",
    "dunes",
    "fjords",
    "highlands",
    "moonscape",
    "rocky-coast",
    "volcano",
}
CELLS = 256  # a side, for statistics
FEW = 48  # a side, where only whether it is finite matters
WITHIN = 0.05  # of the land's side: a camera may stand so far outside of it


@functools.cache
def land(name, **changes):
    few = {"grid.rows": CELLS, "grid.columns": CELLS}
    return fellview.generate(scenes.load(name).replace(few | changes), engine="cpu")


@functools.cache
def slopes(name):
    """Return the slope of each cell in degrees."""
    field = land(name)
    return np.degrees(np.arctan(np.hypot(*np.gradient(field.heights.astype(float), *field.cell_size))))


@functools.cache
def hollows(name, **changes):
    """Return how deep each cell lies under the lowest pass out of its hollow, in m."""
    field = land(name, **changes)
    found = flow(field.heights, field.cell_size, np.zeros(1, np.uint8))
    return drainage.inner(found.level, CELLS, CELLS) - field.heights


def level(name):
    return scenes.load(name).water.sea_level


def bodies(mask, without=None):
    """Return the sizes in cells of the parts of `mask` that hang together by sides, the largest first.

    Parts with a cell of the mask `without` are left out.
    """
    seen, sizes = ~mask, []
    for start in zip(*np.nonzero(mask), strict=True):
        if seen[start]:
            continue
        seen[start] = True
        stack, size, counts = [start], 0, True
        while stack:
            row, column = stack.pop()
            size += 1
            counts &= without is None or not without[row, column]
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if 0 <= r < mask.shape[0] and 0 <= c < mask.shape[1] and not seen[r, c]:
                    seen[r, c] = True
                    stack.append((r, c))
        sizes += [size] if counts else []
    return sorted(sizes, reverse=True)


def test_the_ten_lands_and_the_demo_are_there():
    assert set(fellview.presets()) == LANDS | {"directx-demo"}


@sampled("name", sorted(LANDS), quick=4)
def test_a_land_builds_in_metres_that_fit_its_size(name):
    field = land(name)
    assert np.isfinite(field.heights).all()
    # between the flattest and the steepest country of some kilometres that there is
    assert 0.01 < np.ptp(field.heights) / (CELLS * field.cell_size[0]) < 0.4


@pytest.mark.parametrize("name", sorted(LANDS))
def test_the_camera_stands_over_the_ground_and_the_water_by_the_land(name):
    field, camera, scene = land(name), scenes.load(name).camera, scenes.load(name)
    size = scene.grid.size_x, scene.grid.size_z
    assert all(-WITHIN * side <= at <= (1 + WITHIN) * side for at, side in zip((camera.x, camera.z), size, strict=True))
    row, column = (
        min(max(round(at / cell), 0), CELLS - 1) for at, cell in zip((camera.z, camera.x), field.cell_size, strict=True)
    )
    ground = float(field.heights[row, column])
    if scene.water.enabled and scene.water.sea:
        ground = max(ground, scene.water.sea_level)
    assert camera.y > ground + 1.5  # a person's eye


@sampled("name, factor", itertools.product(sorted(LANDS), [0.5, 2.0]), quick=3, each=lambda name, factor: factor)
def test_a_land_stands_its_sliders_at_half_and_double(name, factor):
    base = scenes.load(name).replace({"grid.rows": FEW, "grid.columns": FEW})
    for key in (
        "noise.frequency",
        "noise.amplitude",
        "landform1.height",
        "landform1.size",
        "erosion.duration",
        "erosion.talus_angle",
        "grid.size_x",
    ):
        _, name_of_it, declaration = base.find(key)
        value = min(max(factor * base.get(key), declaration.low), declaration.high)
        heights = fellview.generate(base.replace({key: value}), engine="cpu").heights
        assert np.isfinite(heights).all() and np.ptp(heights) > 0, f"{name_of_it} = {value}"


@pytest.mark.parametrize("name", ["alpine-range", "badlands"])
def test_rivers_leave_no_hollow_behind(name):
    """Scree that comes down after them dams a few."""
    assert hollows(name, **{"scree.enabled": False}).max() < 0.01 * np.ptp(land(name).heights)
    assert (hollows(name) > 5.0).mean() < 0.002


def test_alps_are_steep_with_flats_only_in_valleys():
    alps = slopes("alpine-range")
    assert 30 < np.median(alps) < 45  # flanks of the High Alps lie about 35°
    area = land("alpine-range").masks["drainage_area"]
    floors = area > 0.002 * area.size * math.prod(land("alpine-range").cell_size)
    assert np.median(alps[floors]) < 0.8 * np.median(alps)


def rises(name, heights):
    """Return the angle in degrees at which the camera sees each cell, and which cells it has in front."""
    field, camera = land(name), scenes.load(name).camera
    z, x = (np.arange(CELLS) * cell - at for cell, at in zip(field.cell_size, (camera.z, camera.x), strict=True))
    z, x = np.meshgrid(z, x, indexing="ij")
    yaw = math.radians(camera.yaw)
    ahead = x * math.sin(yaw) + z * math.cos(yaw)
    seen = ahead > np.hypot(x, z) * math.cos(math.radians(camera.field_of_view / 2))
    return np.degrees(np.arctan2(heights - camera.y, np.hypot(x, z))), seen


def test_the_camera_looks_up_at_the_alps():
    up, seen = rises("alpine-range", land("alpine-range").heights)
    assert up[seen].max() > 12  # as to a summit a kilometre above, five away


def test_the_volcanos_rim_is_seen_as_an_ellipse():
    """From higher than its near side by an angle whose sine is what a circle's height is to its width."""
    heights, scene = land("volcano").heights, scenes.load("volcano")
    down, seen = rises("volcano", heights)
    near_middle = np.hypot(*np.meshgrid(*(np.arange(CELLS) / CELLS - 0.5,) * 2)) < scene.landform1.crater / 100
    rim = seen & near_middle & (heights > np.percentile(heights[near_middle], 90))
    assert rim.sum() > 20 and -20 < down[rim].mean() < -5


def test_highlands_are_rounded():
    hills = slopes("highlands")
    assert np.percentile(hills, 25) > 5 and np.median(hills) < 15
    assert np.percentile(hills, 99) < 35


def test_highlands_hold_lochs_far_longer_than_wide():
    lochs = land("highlands").masks["lake_depth"] > 0
    assert 0.02 < lochs.mean() < 0.2
    cell = land("highlands").cell_size[0]
    assert bodies(lochs)[0] * cell**2 > 1e6  # the largest covers a square kilometre
    # half of the water is nearer to the shore than 250 m
    inner = lochs
    for _ in range(round(250 / cell)):
        inner = inner & np.roll(inner, 1, 0) & np.roll(inner, -1, 0) & np.roll(inner, 1, 1) & np.roll(inner, -1, 1)
    assert inner.sum() < 0.5 * lochs.sum()


def test_badlands_are_cut_by_gullies_every_20_to_100_m():
    field = land("badlands")
    lines = field.heights[:: CELLS // 32]
    gullies = (lines[:, 1:-1] < lines[:, :-2]) & (lines[:, 1:-1] <= lines[:, 2:])
    apart = field.cell_size[1] * (CELLS - 2) / gullies.sum(axis=1).mean()
    assert 20 < apart < 100
    walls = field.heights > np.percentile(field.heights, 33)  # a third of the land is the wash and its side arms
    assert np.median(slopes("badlands")[walls]) > 30


def test_mesas_share_their_tops_and_stand_in_cliffs():
    heights = land("canyon").heights
    top = np.percentile(heights, 75)
    upper = heights > top - 0.33 * np.ptp(heights)
    assert (abs(heights - top) < 0.1 * np.ptp(heights))[upper].mean() > 0.6
    tables = [size for size in bodies(heights > top - 0.2 * np.ptp(heights)) if size > CELLS]
    assert len(tables) >= 4, "mesas, each on its own"
    wall = slopes("canyon") > 45
    assert 0.08 < wall.mean() < 0.3
    # a floor, wide and flat, well below
    assert (heights < top - 0.7 * np.ptp(heights)).mean() > 0.08


def test_dunes_have_lee_slopes_of_dry_sand_and_gentle_windward_ones():
    field = fellview.generate(scenes.load("dunes"), engine="cpu")  # whose lee slopes take some ten cells
    down_x, down_z = (np.gradient(field.heights.astype(float), *field.cell_size))[::-1]
    angles = np.degrees(np.arctan(np.hypot(down_x, down_z)))
    lee = angles[angles > 28]  # no windward side is so steep
    assert 32 <= np.median(lee) <= 34
    assert 0.06 < lee.size / angles.size < 0.35  # a sea of sand whose dunes stood foot to foot has some 0.18
    assert 9 < np.median(angles[(angles > 5) & (angles < 20)]) < 16  # 10 to 15 are common
    # the lee looks one way: that of the wind
    turn = math.radians(scenes.load("dunes").landform1.rotation)
    along = -(down_x * math.cos(turn) - down_z * math.sin(turn))
    assert (along[angles > 28] > 0).mean() > 0.95 or (along[angles > 28] < 0).mean() > 0.95


def test_the_archipelago_has_few_large_and_many_small_islands():
    sizes = bodies(land("archipelago").heights > level("archipelago"))
    assert len(sizes) > 30
    assert sizes[0] > 20 * np.median(sizes)
    assert 0.1 < sum(sizes) / CELLS**2 < 0.5


def test_the_archipelago_has_shallows_and_a_deep_sea():
    depths = level("archipelago") - land("archipelago").heights
    sea = depths > 0
    assert 0.15 < (depths[sea] < 12).mean() < 0.5  # sand shines through
    assert (depths[sea] > 50).mean() > 0.3
    shallow = bodies(sea & (depths < 3))
    assert len([size for size in shallow if size > 4]) > 20, "reefs and bars all over, no one shelf"


def test_fjords_are_deep_narrow_and_one_with_the_sea():
    heights = land("fjords").heights - level("fjords")
    sea = heights < 0
    assert 0.1 < sea.mean() < 0.45
    assert bodies(sea)[0] > 0.6 * sea.sum()
    assert heights.min() < -200 and heights.max() > 600
    # narrow: half of the water is nearer to land than a twentieth of the domain
    reach, near = CELLS // 20, ~sea
    for _ in range(reach):
        near = near | np.roll(near, 1, 0) | np.roll(near, -1, 0) | np.roll(near, 1, 1) | np.roll(near, -1, 1)
    assert near[sea].mean() > 0.5


def test_the_volcano_is_concave_from_the_foot_to_the_rim():
    field, scene = land("volcano"), scenes.load("volcano")
    form, side = scene.landform1, scene.grid.size_x
    z, x = (np.arange(CELLS) * field.cell_size[0] - share / 100 * side for share in (form.z, form.x))
    away = np.hypot(*np.meshgrid(z, x, indexing="ij"))
    edges = np.arange(0.0, 0.5 * side, side / 40)
    profile = np.array([field.heights[(away >= low) & (away < low + side / 40)].mean() for low in edges])
    rim = int(np.argmax(profile))
    fall = np.degrees(np.arctan(-np.diff(profile[rim:]) / (side / 40)))
    assert 26 < fall[:3].max() < 36
    foot = fall[(edges[rim:-1] > 3500) & (edges[rim:-1] < 4500)]
    assert 3 < foot.mean() < 13
    assert np.polyfit(edges[rim : rim + 12], profile[rim : rim + 12], 2)[0] > 0  # concave
    centre = field.heights[away < side / 80].mean()
    assert profile[rim] - centre > 100  # the crater


def test_the_coast_has_cliffs_a_shelf_and_stacks():
    heights = land("rocky-coast").heights - level("rocky-coast")
    sea = heights < 0
    assert 0.25 < sea.mean() < 0.65
    assert len(bodies(~sea)) > 3  # the land, and rocks before it
    near = (abs(heights) < 30) & (slopes("rocky-coast") > 50)
    assert near.sum() > CELLS / 2  # cliffs along a good part of the shore
    shallow = (heights < 0) & (heights > -8)
    assert shallow.mean() > 0.03
    stacks = [size for size in bodies(heights > 15) if size > 3][1:]
    assert len(stacks) > 6
    assert max(stacks) * math.prod(land("rocky-coast").cell_size) < 80**2  # pillars, no islands
    assert len(bodies(heights > 0, without=heights > 15)) > 5  # and skerries


def test_the_moon_is_craters_and_no_valleys():
    assert (hollows("moonscape") > 3).mean() > 0.15  # rims hold: rain would stand in them
    assert np.percentile(slopes("moonscape"), 99.5) < 45


def test_the_moons_craters_are_few_large_and_many_small_ones():
    """As many are wider than D as D⁻² tells, so than an area A as A⁻¹; fewer, for large ones swallow small ones."""
    without_hills = {"noise.enabled": False, "landform4.kind": "none"}  # which dam hollows of many craters
    sizes = np.array(bodies(hollows("moonscape", **without_hills) > 3))
    assert (sizes > 12).sum() > 60
    assert 0.6 < math.log((sizes > 16).sum() / (sizes > 256).sum()) / math.log(256 / 16) < 1.2


@pytest.mark.parametrize("name", scenes.presets())
def test_a_preset_asks_for_nothing_that_its_steps_leave_out(name):
    """It would open with a notice that nobody can do anything about."""
    assert remarks(scenes.load(name).terrain_groups()) == ()
