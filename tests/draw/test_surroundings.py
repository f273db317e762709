"""The land that goes on beyond its border: it meets the land, is lit as that is, and is not there unless asked for."""

import dataclasses
import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.land_shape import LandShape
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.light.lighting import LightPass, goes_on
from fellview.draw.registry import IN_THE_FRAME
from fellview.draw.renderer import Renderer
from fellview.draw.sky.sky import SkyPass
from fellview.draw.water.water import WaterPass
from fellview.gpu.passes import GridPasses
from fellview.io import scenes
from fellview.mesh import triangle_list
from fellview.scene.scene import Scene
from fellview.view import projection
from fellview.view.ground import above_ground
from tests.lands import RUGGED, component_sizes, rolling
from tests.sampling import sampled

pytestmark = pytest.mark.usefixtures("half_as_fine")

SIZE = (240, 136)
LAND = {"view.surroundings": "land"}
CELL_M = 10.0


@pytest.fixture(scope="module")
def land():
    return HeightField(rolling(97, 129, 150.0), (CELL_M, CELL_M))


@pytest.fixture(scope="module")
def scene():
    """A scene without ground around its land, and without shadows, which cost twice as much as all the rest of it."""
    return scenes.load(RUGGED).replace({"view.surroundings": "plain", "sun.shadows": False})


class Alone:
    """The pass of what is around the land, with those that it needs, and no picture."""

    def __init__(self, context, coarser=1):
        self.height_map, self.cover = HeightMap(context), Cover(context)
        self.surroundings = Surroundings(context, coarser)
        self.water, self.light, self.grids = WaterPass(context), LightPass(context), GridPasses(context)
        self.lighting = None

    def show(self, field):
        self.height_map.upload(field)

    def around(self, scene, *, resting=False, small=False):
        """Return the frames around the land that is shown, the finest first; `lighting` is then the land's."""
        water = self.water.prepare(scene, self.height_map, 0.0, SIZE, draft=not resting)
        self.lighting = self.light.prepare(
            scene, self.height_map, size=SIZE, draft=not resting, small=small, water=water
        )
        self.cover.prepare(scene, self.height_map)
        found = self.height_map, self.cover, self.lighting
        return self.surroundings.prepare(scene, *found, resting=resting, small=small)

    def shares(self, lighting):
        """Return the light map that `lighting` has, [row, column, (sun, sky)]."""
        return self.grids.read(lighting.light_map)


@pytest.fixture(scope="module")
def alone(context):
    return Alone(context)


def frames_around(context, land, scene):
    alone = Alone(context)
    alone.show(land)
    return alone.around(scene.replace(LAND))


@pytest.fixture(scope="module")
def frames(context, land, scene):
    """The frames around `land`, the finest first."""
    return frames_around(context, land, scene)


def cell_m(frame):
    """Return how wide a cell of `frame` is."""
    return frame.height_map.field.cell_size[1]


def middle(frame, land):
    """Return the heights of `frame`, and its rows and columns from the first on the border of `land` to the last."""
    first = round(-frame.tile.origin_m[0] / cell_m(frame))
    cells = round((land.columns - 1) * land.cell_size[1] / cell_m(frame))
    return frame.height_map.field.heights, np.arange(first, first + cells + 1)


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


def test_no_two_places_around_are_mirror_images(frames, land):
    heights, inside = middle(frames[1], land)
    count = len(inside) - 1
    for found in (heights, heights.T):
        own = found[inside[0] : inside[-1], inside[0] : inside[-1]]
        for beyond in (found[inside[-1] :, inside[0] : inside[-1]], found[: inside[0], inside[0] : inside[-1]]):
            for copy in (beyond[:count], beyond[:count][::-1]):
                assert abs(np.corrcoef(own.ravel(), copy.ravel())[0, 1]) < 0.8


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


@pytest.fixture(scope="module")
def island():
    """A hill of 200 m with a shelf around it in a sea 60 m deep, in which its border lies; the sea's level is 0."""
    z, x = np.meshgrid(np.linspace(-1, 1, 129), np.linspace(-1, 1, 129), indexing="ij")
    out = np.hypot(z, x)
    heights = np.interp(out, [0.0, 0.4, 0.7, 0.9], [200.0, 2.0, -8.0, -60.0])
    return HeightField(heights.astype(np.float32), (CELL_M, CELL_M))


IN_THE_SEA = LAND | {"water.enabled": True, "water.sea": True, "water.sea_level": 0.0}


def around(frame, land):
    """Return the heights of `frame`, and for each how many sides out of `land` along an axis at most it lies."""
    heights, inside = middle(frame, land)
    rows, columns = np.indices(heights.shape)
    least, most = np.minimum(rows, columns), np.maximum(rows, columns)
    return heights, np.maximum(np.maximum(inside[0] - least, most - inside[-1]), 0) / (len(inside) - 1)


def test_around_an_island_lie_islands_of_all_sizes_that_thin_out(alone, scene, island):
    """Their shelves are about as much of them as its own, they lie where they are not cut, and end in the same bed."""
    alone.show(island)
    _, near, far = alone.around(scene.replace(IN_THE_SEA))
    (heights, out), (far_heights, far_out) = (around(frame, island) for frame in (near, far))
    dry = (heights > 0) & (out > 0)
    assert not dry[out < 0.05].any()
    sizes = component_sizes(dry)
    assert len(sizes) > 8
    assert sizes.max() > 4 * np.median(sizes)
    far_dry = far_heights > 0
    assert far_dry[(far_out > 0.1) & (far_out < 2)].mean() > 2 * far_dry[(far_out > 2.5) & (far_out < 4.5)].mean()
    shallow = (heights < 0) & (heights > -10) & (out > 0)
    assert shallow.sum() > 0.5 * dry.sum()
    assert far_heights[0] == pytest.approx(island.border.mean(), abs=0.01)


def test_islands_are_as_high_as_is_asked_for_and_elsewhere_with_another_seed(alone, scene, island):
    alone.show(island)

    def heights(**changes):
        frame = alone.around(scene.replace(IN_THE_SEA | {key.replace("__", "."): v for key, v in changes.items()}))[1]
        found, out = around(frame, island)
        return np.where(out > 0.1, found, -60.0)

    low, high = (heights(view__surroundings_height=percent) for percent in (20.0, 100.0))
    assert (high > 0)[low > 0].all()
    assert 2 < high.max() / low.max() <= 5
    assert not (heights(view__surroundings_height=0.0) > 0).any()
    assert (heights(view__surroundings_height=20.0, noise__seed=77) > 0)[low > 0].mean() < 0.5


def test_where_there_are_lakes_or_rivers_an_island_is_mirrored(alone, scene, island):
    """Islands made of it have none."""
    alone.show(island)
    with_lakes = alone.around(scene.replace(IN_THE_SEA | {"water.lakes": True}))[1].height_map.field.heights.copy()
    assert not np.array_equal(with_lakes, alone.around(scene.replace(IN_THE_SEA))[1].height_map.field.heights)


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


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_small_pictures_go_without_the_near_frame(context, land, scene):
    alone = Alone(context, coarser=2)
    alone.show(land)
    found = alone.around(scene.replace(LAND), resting=True)
    assert len(found) == 2
    blocks = round(cell_m(found[0]) ** -1 * (land.columns - 1) * CELL_M) // 64
    assert found[0].tile.left_out.sum() == blocks**2, "the next one begins elsewhere than at the land"


PLACES = [
    (640, 300, 480, 0, -20),
    (640, 300, 480, 225, -10),
    (30, 200, 30, 200, -30),  # at a corner of the land, outwards
    (1240, 250, 480, 270, -15),  # along it, inwards
    (-300, 400, 500, 90, -25),  # from outside
    (640, 3000, 480, 45, -89),
    (640, 6000, -4000, 10, -40),
]


NO_SKY = tuple(one for one in IN_THE_FRAME if one is not SkyPass)


@pytest.fixture(scope="module")
def without_sky(context):
    """Renderers that leave the sky out, by the samples of a frame."""
    return {samples: Renderer(context, NO_SKY, multisamples=samples) for samples in (1, 4)}


def covered(renderer, scene, samples=1):
    """Return the alpha of a frame, uint8 [row, column]."""
    frame = renderer.refine(scene, SIZE, samples, 0)
    assert frame is renderer.frame, "it is one frame, and in display colours"
    return np.frombuffer(frame.picture.read(components=4), np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1, :, 3]


@sampled(
    "place, samples, exaggeration",
    itertools.product(PLACES, [1, 4], [1.0, 3.0]),
    quick=3,
    each=lambda place, samples, exaggeration: (samples, exaggeration),
)
def test_no_gap_shows_between_land_and_frames(without_sky, land, scene, place, samples, exaggeration):
    """All sight lines that fall meet ground: nothing is left of a loud background under the horizon."""
    x, y, z, yaw, pitch = place
    camera = scene.camera.replace(mode="orbit", x=x, y=exaggeration * y, z=z, yaw=yaw, pitch=pitch, field_of_view=60.0)
    plain = {"sky.kind": "gradient", "air.tone": "none", "sun.ambient": 1.0, "view.exaggeration": exaggeration}
    looked = dataclasses.replace(scene.replace(plain | LAND), camera=above_ground(camera, land))
    renderer = without_sky[samples]
    renderer.show(land)
    solid = covered(renderer, looked, samples) == 255
    falls = np.array(
        [
            [projection.ray(looked.camera, SIZE, (column + 0.5, row + 0.5))[1][1] for column in range(0, SIZE[0], 8)]
            for row in range(SIZE[1])
        ]
    )
    rim_m = 60 * max(land.size)
    falls_onto_it = falls < -0.02 - 1.1 * looked.camera.y / rim_m
    assert falls_onto_it.mean() > 0.3
    assert solid[:, ::8][falls_onto_it].all()
    assert solid[falls_onto_it.all(axis=1)].all()


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


def test_while_something_moves_every_second_vertex_is_worked_out(context, land, scene):
    """Those between lie on splines, until it rests: then all are as if nothing had moved."""
    alone, fresh, there = Alone(context), Alone(context), scene.replace(LAND)
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


OTHERS = {
    "other heights": (97, 129, CELL_M),
    "a coarse grid": (25, 33, 4 * CELL_M),
    "another size": (97, 129, 2 * CELL_M),
}
"""Rows, columns and metres a cell of lands with other hills than `land`."""


@pytest.fixture(params=OTHERS.values(), ids=OTHERS)
def changed(request):
    rows, columns, cell_m = request.param
    return HeightField(rolling(rows, columns, 300.0, seed=9), (cell_m, cell_m))


@pytest.mark.usefixtures("as_fine_as_drawn", "coarse_light")
def test_while_something_moves_heights_around_fit(context, land, scene, changed):
    """In a window, where light and what ground is made of come when it rests: few pixels are the sky's in one only."""
    camera = scene.camera.replace(mode="orbit", x=600.0, y=330.0, z=-30.0, yaw=10, pitch=-8, field_of_view=70.0)
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
    assert (moving != expected).sum() <= 3 < (expected != other).sum()  # coarse ground has a skyline of its own


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


def test_the_ground_around_is_told_as_it_is_drawn(renderer, land, scene):
    """At the land's border it is as high as that, and far out as the plain."""
    twice = scene.replace(LAND | {"view.exaggeration": 2.0})
    renderer.show(land)
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


def test_where_far_ground_has_the_recipes_form_water_ends_beside_the_border(alone):
    """On that form mirrored lakes would lie aslant, and rivers run uphill; the sea is level everywhere."""
    noise = {"noise.kind": "simplex", "noise.frequency": 3.0, "noise.amplitude": 200.0, "noise.octaves": 4}
    steps = dict.fromkeys(("perturb.enabled", "erosion.enabled", "smooth.enabled"), False)
    wet = {"water.enabled": True, "water.sea": False, "water.lakes": True, "water.rivers": True}
    told = Scene().replace({**noise, **steps, **LAND, **wet})
    rows = columns = 129
    to_x = np.fromfunction(lambda r, c: (64 - c) * CELL_M, (rows, columns)).astype(np.float32)
    width = np.where(abs(to_x) < 4 * CELL_M, 60, 0).astype(np.float32)
    masks = {"river_width": width, "river_to_x": to_x * (width > 0), "river_to_z": np.zeros_like(width)}
    masks["lake_depth"] = np.full((rows, columns), 5, np.float32)
    heights = rolling(rows, columns, 200.0, seed=told.noise.seed)
    for lies_as_told in (True, False):
        field = HeightField(heights if lies_as_told else -np.flip(heights, 0), (CELL_M, CELL_M), masks)
        alone.show(field)
        frame = alone.around(told)[0]
        textures = frame.lighting.water.textures
        lakes, rivers = (alone.grids.read(textures["u_lakes"]), textures["u_rivers"])
        cover = np.frombuffer(rivers.read(), np.uint8).reshape(rivers.height, rivers.width, 4)[..., 2]
        _, inside = middle(frame, field)
        away = len(inside) // 10  # wider than the strip
        finer = rivers.width // len(lakes)
        first, last = inside[0] - away, inside[-1] + away
        for values, many in ((lakes > -1e5, 1), (cover > 0, finer)):
            beyond = values.copy()
            beyond[many * first : many * last, many * first : many * last] = False
            assert values[many * inside[0] : many * inside[-1], many * inside[0] : many * inside[-1]].any()
            assert beyond.any() != lies_as_told


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
