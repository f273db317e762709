"""Water in pictures: what can be told of its colours on paper, and where its shores lie."""

import numpy as np
import pytest

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import from_srgb
from fellview.draw.land.far_land import FarLand, coarser
from fellview.draw.land.height_map import HeightMap
from fellview.draw.renderer import Renderer
from fellview.draw.water import waves
from fellview.draw.water.water import WaterPass, drawn_masks
from fellview.gpu import programs
from fellview.gpu.context import is_software
from fellview.gpu.uniform_block import rgb
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Bodies, Water
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.step import Land
from tests.pictures import approve

SIDE, CELL = 65, 10.0
MIDDLE = CELL * (SIDE - 1) / 2
SIZE = (160, 90)
HEIGHT = 300.0  # of the eye
FROM_ABOVE = {"camera.x": MIDDLE, "camera.y": HEIGHT, "camera.z": MIDDLE, "camera.pitch": -90.0, "camera.yaw": 0.0}
STILL = {"water.enabled": True, "water.swash": 0.0, "water.wind": 0.0, "sky.kind": "space", "air.tone": "none"}
DOWN_AND_UP = 1.1 + 1.0  # ways through the water a metre of depth: diffuse light down, and straight up again


def land(heights):
    heights = np.asarray(heights, np.float32)
    return HeightField(heights, (CELL, CELL), Masks(Land(heights, {}), (CELL, CELL), heights))


def flat(height):
    return land(np.full((SIDE, SIDE), height))


def drawn(renderer, field, samples=1, size=SIZE, **changes):
    wanted = Scene().replace(STILL | FROM_ABOVE | {key.replace("__", "."): value for key, value in changes.items()})
    return capture.still(renderer, wanted, field, size, samples)


def mean_light(pixels):
    return from_srgb(pixels[..., :3] / 255.0).mean(axis=(0, 1))


def test_a_bed_fades_with_depth_as_beer_and_lambert_say(renderer):
    colour, clarity = "#406080", 5.0
    look = {"water__colour": colour, "water__clarity": clarity, "sun__azimuth": 0.0, "air__exposure": -1.0}
    deep = mean_light(drawn(renderer, flat(-200.0), **look))
    near, far = (mean_light(drawn(renderer, flat(-depth), **look)) for depth in (0.5, 2.5))
    thickness = -np.log(from_srgb(np.array(rgb(colour))))
    expected = np.exp(-thickness / thickness.min() / clarity * 2.0 * DOWN_AND_UP)
    np.testing.assert_allclose((far - deep) / (near - deep), expected, atol=0.02)


def test_deep_water_has_its_own_colour_but_for_what_it_reflects(renderer):
    colour = "#406080"
    # a sun that no wave mirrors to the eye
    look = {"water__colour": colour, "sun__azimuth": 0.0, "sun__elevation": 35.0, "air__exposure": -1.0}
    deep = mean_light(drawn(renderer, flat(-200.0), **look))
    ratio = from_srgb(np.array(rgb(colour)))
    np.testing.assert_allclose(deep / deep[2], ratio / ratio[2], rtol=0.05)
    brighter = mean_light(drawn(renderer, flat(-200.0), **look | {"water__colour": "#80c0ff"}))
    np.testing.assert_allclose(brighter / deep, from_srgb(np.array(rgb("#80c0ff"))) / ratio, rtol=0.05)


def cone(radius, slope=0.5):
    z, x = CELL * np.mgrid[:SIDE, :SIDE] - MIDDLE
    return land(slope * (radius - np.hypot(z, x)))


def covered(renderer, field, **changes):
    """Return which pixels show water, and how far from the middle of the land they are, in metres at height 0."""
    look = changes | {"water__clarity": 0.1, "water__colour": "#ff00ff"}
    wet, dry = (drawn(renderer, field, **look | {"water__enabled": on}).astype(int) for on in (True, False))
    row, column = np.mgrid[: SIZE[1], : SIZE[0]] + 0.5
    return abs(wet - dry)[..., :3].max(axis=-1) > 8, PIXEL_M * np.hypot(column - SIZE[0] / 2, row - SIZE[1] / 2)


PIXEL_M = 2 * HEIGHT * np.tan(np.radians(Scene().camera.field_of_view / 2)) / SIZE[1]


def test_the_shore_of_a_round_island_is_round(renderer):
    wet, away = covered(renderer, cone(60.0))
    assert PIXEL_M < CELL / 3, "it would be within a cell of anything"
    assert wet[away > 60 + 1.5 * PIXEL_M].all() and not wet[away < 60 - 1.5 * PIXEL_M].any()


def bowl():
    """A round basin with a floor at -40 m that spills at -10 m, over a flank that falls far below that."""
    z, x = CELL * np.mgrid[:SIDE, :SIDE] - MIDDLE
    away = np.hypot(z, x)
    heights = np.where(away < 120, -0.5 * (80 - away), 20 - 0.5 * (away - 120))
    out = np.s_[SIDE // 2 :, SIDE // 2]
    heights[out] = np.minimum(heights[out], -10.0)
    return land(heights)


def test_a_lake_ends_at_its_level_and_does_not_flood_the_flank_beyond_its_rim(renderer):
    wet, away = covered(renderer, bowl(), water__sea=False, water__lakes=True)
    shore = 60.0 * HEIGHT / (HEIGHT + 10)  # as far as the eye sees it move inwards, 10 m down
    assert wet[away < shore - 1.5 * PIXEL_M].all() and not wet[away > shore + CELL + 1.5 * PIXEL_M].any()


def test_water_that_is_switched_off_leaves_the_picture_alone(renderer):
    field = cone(60.0)
    off = {"water__enabled": False, "water__sea_level": 30.0, "water__lakes": True}
    assert (drawn(renderer, field, **off) == drawn(renderer, field, water__enabled=False)).all()
    dry = {"water__sea": False, "water__lakes": False, "water__rivers": False}
    assert (drawn(renderer, field, **dry) == drawn(renderer, field, water__enabled=False)).all()


def pool(gap_m):
    """A basin 20 m deep, 200 m wide and with beaches, in a dam that has a gap to the sea around."""
    z, x = CELL * np.mgrid[:SIDE, :SIDE] - MIDDLE
    away = np.hypot(z, x)
    heights = np.minimum(15.0 - abs(away - 180.0) * 0.2, 6.0)
    return land(np.where((abs(x) < gap_m / 2) & (z < 0), -15.0, heights))


def test_foam_is_only_where_waves_of_the_sea_reach(renderer):
    look = {"water__wind": 8.0, "camera__y": 200.0, "sun__elevation": 60.0}

    def foam(field):
        """Return how much brighter the middle of the picture is with surf than without."""
        surf, none = (drawn(renderer, field, **look, water__swash=swash, samples=4) for swash in (2.0, 0.0))
        return mean_light(surf)[0] - mean_light(none)[0]

    closed, opened = foam(pool(0.0)), foam(pool(120.0))
    assert opened > 0.004
    assert closed < 0.1 * opened


def test_a_lake_from_above_is_not_one_even_colour(renderer):
    """Clouds of what it carries are seen in deep water, and leave its mean as it is."""
    z, x = CELL * np.mgrid[:SIDE, :SIDE] - MIDDLE
    basin = land(np.minimum(np.hypot(z, x) * 0.5 - 150.0, 5.0))
    look = {"water__colour": "#206070", "sun__azimuth": 0.0, "sun__elevation": 35.0}
    lake, sea = (
        from_srgb(drawn(renderer, basin, **look, water__sea=on, water__lakes=not on)[20:70, 40:120, :3] / 255.0).mean(
            axis=2
        )
        for on in (False, True)
    )
    murk = lake / sea  # which both have the same waves
    assert 0.05 < murk.std() / murk.mean() < 0.4
    assert 0.6 < murk.mean() < 1.6, "a lake is not as wide as a cloud of it"


EYES = {
    "at the waterline": {"camera__y": 0.05, "camera__pitch": 0.0},
    "under water": {"camera__y": -4.0, "camera__pitch": 10.0},
    "from above": {},
    "towards the horizon": {"camera__y": 20.0, "camera__x": -500.0, "camera__yaw": 90.0, "camera__pitch": -1.0},
}


@pytest.mark.parametrize("sky", ["physical", "gradient", "space"])
@pytest.mark.parametrize("eye", EYES)
def test_every_pixel_is_a_number(renderer, eye, sky):
    for more in ({}, {"water__wind": 15.0, "water__swash": 2.0}, {"sun__elevation": 0.1, "sun__shadows": True}):
        look = {"sky__kind": sky, "air__tone": "filmic", "water__lakes": True, "water__rivers": True}
        drawn(renderer, bowl(), **look | EYES[eye] | more)
        texture = renderer.frame.texture()
        assert np.isfinite(np.frombuffer(texture.read(), np.float16).astype(float)).all(), more


def test_only_masks_of_what_is_switched_on_are_asked_for():
    assert drawn_masks(Water(lakes=True, rivers=True)) == frozenset()
    assert drawn_masks(Water(enabled=True)) == frozenset()
    assert drawn_masks(Water(enabled=True, lakes=True)) == {"lake_depth"}
    assert drawn_masks(Water(enabled=True, lakes=True, rivers=True)) <= set(Bodies.NAMES)


def test_lakes_stay_as_they_were_until_their_masks_come(renderer):
    lake = {"water__sea": False, "water__lakes": True}
    there = drawn(renderer, bowl(), **lake)
    bare = HeightField(bowl().heights, (CELL, CELL))
    np.testing.assert_array_equal(drawn(renderer, bare, **lake), there)
    full = dict(bowl().masks)
    dry = HeightField(bowl().heights, (CELL, CELL), full | {"lake_depth": np.zeros_like(bare.heights)})
    assert (drawn(renderer, dry, **lake) != there).any()


def test_waves_stand_still_in_pictures_and_move_with_the_windows_time(renderer):
    windy = {"water__wind": 8.0, "water__animate": True, "camera__y": 5.0, "camera__pitch": -20.0}
    wanted = Scene().replace(STILL | FROM_ABOVE | {key.replace("__", "."): value for key, value in windy.items()})
    first = drawn(renderer, flat(-50.0), **windy)
    renderer.seconds = 1.0
    assert (renderer.draw(wanted, SIZE, 1).pixels() != first).any()
    assert (drawn(renderer, flat(-50.0), **windy) == first).all()


def wall():
    """A plain 20 m under the sea, and across it a wall that stands up out of it by 100 m."""
    z, _ = CELL * np.mgrid[:SIDE, :SIDE]
    return land(np.where(z > MIDDLE, 100.0, -20.0))


@pytest.mark.parametrize("samples", [4, 1], ids=["resting", "moving"])
def test_still_water_mirrors_land_in_its_own_colour(renderer, samples):
    """Of a red wall the water before it turns red, and without it is as blue as the sky."""
    low = {"camera__y": 8.0, "camera__z": 100.0, "camera__pitch": -4.0, "sky__kind": "physical", "air__tone": "filmic"}
    low |= {"ground__tint": "#ff0000", "ground__bare_tint": "#ff0000", "sun__azimuth": 180.0, "water__wind": 1.0}
    before, without = (
        mean_light(drawn(renderer, field, samples, **low)[60:75, 60:100]) for field in (wall(), flat(-20.0))
    )
    assert before[0] / before[2] > 2 * without[0] / without[2]


def test_mirrored_land_takes_up_the_sun_of_a_moving_frame_when_it_rests(renderer, context, monkeypatch):
    """On software OpenGL, where it takes as long as a tenth of such a frame; heights come at once."""
    lit, draw = [], FarLand._draw
    monkeypatch.setattr(FarLand, "_draw", lambda *arguments: (lit.append(1), draw(*arguments)))
    shore, counts = wall(), []
    for field, samples, azimuth in ((shore, 4, 180), (shore, 1, 170), (shore, 4, 170), (flat(-9.0), 1, 160)):
        drawn(renderer, field, samples, sun__azimuth=azimuth)
        counts.append(len(lit))
    assert counts == ([1, 2, 3, 4] if not is_software(context) else [1, 1, 2, 3])


def test_levels_of_the_mirrored_land_keep_a_lone_stack_and_its_light():
    around, stack = (0.2, 0.3, 0.9, 0.0), (0.8, 0.1, 0.1, 64.0)
    cells = np.full((16, 16, 4), around, np.float32)
    cells[5, 9] = stack
    levels = list(coarser(cells))
    assert [level.shape for level in levels] == [(side, side, 4) for side in (8, 4, 2, 1)]
    for number, level in enumerate(levels, start=1):
        highest = level[..., 3].max()
        assert 64 / 4**number < highest < 64, "higher than the mean, and no higher than it is"
        assert level[..., :3].min() >= 0.1 and level[..., :3].max() <= 0.9
    assert levels[0][2, 4, 0] > 0.75, "where the stack is its light counts"


def test_levels_of_odd_sides_have_the_sizes_that_opengl_counts():
    assert [level.shape[:2] for level in coarser(np.zeros((5, 12, 4), np.float32))] == [(2, 6), (1, 3), (1, 1)]


def straight_river(width=34.0, turn=0.47):
    """Return the masks of a river aslant over the grid, so wide in metres and turned so many radians from x."""
    z, x = CELL * np.mgrid[:SIDE, :SIDE] - MIDDLE
    aside = z * np.cos(turn) - x * np.sin(turn)
    near = abs(aside) < width / 2 + CELL / 2
    zero = np.zeros((SIDE, SIDE), np.float32)
    return {
        "river_width": np.where(near, width, zero).astype(np.float32),
        "river_to_z": np.where(near, -aside * np.cos(turn), zero).astype(np.float32),
        "river_to_x": np.where(near, aside * np.sin(turn), zero).astype(np.float32),
    }


RIVERS_ALONE = {"water.enabled": True, "water.rivers": True, "water.sea": False}


def test_the_bank_of_a_river_is_as_straight_as_its_course(context):
    """Aslant over the grid, where a bank of whole cells has steps: within half a texel of where it is."""
    width, turn = 34.0, np.radians(27.0)
    height_map = HeightMap(context)
    level = np.full((SIDE, SIDE), 5, np.float32)
    height_map.upload(HeightField(level, (CELL, CELL), straight_river(width, turn)))
    scene = Scene().replace(RIVERS_ALONE)
    texture = WaterPass(context).prepare(scene, height_map, 0.0, SIZE).textures["u_rivers"]
    found = np.frombuffer(texture.read(), np.uint8).reshape(texture.height, texture.width, 4) / 255
    finer = texture.width // SIDE
    row, column = (np.mgrid[: texture.height, : texture.width] + 0.5) / finer - 0.5
    true = width / 2 - abs((CELL * row - MIDDLE) * np.cos(turn) - (CELL * column - MIDDLE) * np.sin(turn))
    margin = 2.5 * CELL
    inner = np.s_[8 * finer : -8 * finer, 8 * finer : -8 * finer]  # the course ends at the grid's edge
    at_bank = abs(true[inner]) < 0.8 * margin
    bank = (2 * found[..., 0] - 1) * margin
    assert abs(bank[inner] - np.minimum(true[inner], width / 2))[at_bank].max() < CELL / finer / 2
    course = np.pi * found[inner][..., 3][true[inner] > 0]
    assert abs(np.sin(course - turn)).max() < np.sin(np.radians(2.0)), "whichever way it runs"


def test_snow_covers_brooks_and_banks_and_leaves_wide_rivers_open(renderer):
    turn = 0.47
    row, column = np.mgrid[: SIZE[1], : SIZE[0]] + 0.5
    over_m, right_m = PIXEL_M * (SIZE[1] / 2 - row), PIXEL_M * (column - SIZE[0] / 2)
    away_m = abs(over_m * np.cos(turn) - right_m * np.sin(turn))

    def changed(width, snow_line):
        """Return by how much a river of `width` changes light at most, over it and on its banks."""
        field = HeightField(np.full((SIDE, SIDE), 5, np.float32), (CELL, CELL), straight_river(width, turn))
        look = {"ground__kind": "materials", "ground__palette": "alpine"}
        look |= {"ground__snow_line": snow_line, "ground__snow_softness": 100.0}
        wet, dry = (
            from_srgb(drawn(renderer, field, **look, water__sea=False, water__rivers=on)[..., :3] / 255.0)
            for on in (True, False)
        )
        off = abs(wet - dry).max(axis=2)
        return off[away_m < width / 4].max(), off[(away_m > width / 2 + 4) & (away_m < width / 2 + 2 * CELL)].max()

    for width in (5.0, 60.0):
        assert min(changed(width, snow_line=2000.0)) > 0.02, "in summer they are there"
    assert max(changed(5.0, snow_line=-400.0)) < 0.01
    water, banks = changed(60.0, snow_line=-400.0)
    assert water > 0.3
    assert banks < 0.02


def test_rivers_come_piece_by_piece_while_something_moves_and_at_once_when_it_rests(context):
    height_map, water = HeightMap(context), WaterPass(context)
    water.waits = True
    level, scene = np.full((SIDE, SIDE), 5, np.float32), Scene().replace(RIVERS_ALONE)

    def rivers(draft):
        maps = water.prepare(scene, height_map, 0.0, SIZE, draft=draft)
        return maps.has_rivers, maps.textures["u_rivers"].read()

    height_map.upload(HeightField(level, (CELL, CELL), straight_river()))
    frames = [rivers(draft=True)[0] for _ in range(20)]
    assert frames[:2] == [False, False]
    assert frames[-1]
    _, first = rivers(draft=True)
    height_map.upload(HeightField(level, (CELL, CELL), straight_river(turn=1.0)))
    assert rivers(draft=True) == (True, first), "what was there stands meanwhile"
    _, second = rivers(draft=False)
    assert second != first
    alone = WaterPass(context).prepare(scene, height_map, 0.0, SIZE)
    assert alone.textures["u_rivers"].read() == second


OPEN = STILL | {
    "water.wind": 6.0, "sky.kind": "physical", "sky.visibility": 250.0, "air.tone": "filmic", "sun.elevation": 16.0,
    "sun.azimuth": 20.0, "camera.x": MIDDLE, "camera.z": MIDDLE, "camera.field_of_view": 40.0,
}  # fmt: skip


def open_sea(renderer, size, **camera):
    wanted = Scene().replace(OPEN | {f"camera.{key}": value for key, value in camera.items()})
    return from_srgb(capture.still(renderer, wanted, flat(-200.0), size, 4)[..., :3] / 255.0).mean(axis=2)


def test_gusts_at_one_distance_have_nothing_in_common_with_those_at_another(renderer):
    """Tiles in rows along the sight draw rays from the horizon down: profiles across it then correlate by 0.74."""
    eye_m, pitch, (columns, rows) = 1500.0, np.radians(-12.0), (640, 360)
    across_wind = np.degrees(np.pi / 2 - waves.WIND_DIRECTION) - 90.0
    light = open_sea(renderer, (columns, rows), y=eye_m, pitch=np.degrees(pitch), yaw=across_wind)
    up = np.tan(np.radians(20.0)) * (1 - (2 * np.arange(rows) + 1) / rows)
    across = np.tan(np.radians(20.0)) * ((2 * np.arange(columns) + 1) - columns) / rows
    falls = -(np.sin(pitch) + up * np.cos(pitch))
    ahead_m = eye_m / np.maximum(falls, 1e-6) * (np.cos(pitch) - up * np.sin(pitch))
    beside_m = np.linspace(-2200.0, 2200.0, 200)
    profiles = []
    for near_m in (4e3, 6e3, 8e3, 10e3):
        there = np.flatnonzero((falls > 0) & (ahead_m >= near_m) & (ahead_m < near_m + 2e3))
        profile = np.mean([np.interp(beside_m, across * eye_m / falls[row], light[row]) for row in there], axis=0)
        profiles.append(profile - np.polynomial.Polynomial.fit(beside_m, profile, 5)(beside_m))  # the mirrored sky's
    assert np.corrcoef(profiles)[np.triu_indices(4, 1)].mean() < 0.35


def test_glitter_of_a_lake_has_none_of_the_small_patches_that_gusts_make_at_sea(renderer):
    """Patches of some tens of metres, bright and dark, look like waves that no lake has."""
    cell_m, rim_m = 40.0, 5.0
    z, x = cell_m * (np.mgrid[:SIDE, :SIDE] - SIDE // 2)
    heights = np.minimum(np.hypot(z, x) * 0.5 - 500.0, rim_m).astype(np.float32)
    sizes = (cell_m, cell_m)
    basin = HeightField(heights, sizes, Masks(Land(heights, {}), sizes, heights))
    middle_m = cell_m * (SIDE // 2)
    look = {
        "camera__x": middle_m, "camera__y": 500.0, "camera__z": middle_m - 1200.0, "camera__pitch": -23.0,
        "camera__field_of_view": 30.0, "sun__azimuth": 0.0, "sun__elevation": 15.0, "water__wind": 3.0,
        "air__exposure": -4.0,
    }  # fmt: skip

    def patchy(kind):
        """Return the deviation of light from its mean over 15 by 7 pixels, some 60 m by 60, in shares of that."""
        wet = {"water__sea": kind == "sea", "water__lakes": kind == "lake"}
        light = from_srgb(drawn(renderer, basin, samples=4, size=(320, 180), **look, **wet)[..., :3] / 255.0).mean(
            axis=2
        )
        around = np.lib.stride_tricks.sliding_window_view(light, (7, 15)).mean(axis=(2, 3))
        return float((light[40:100, 140:180] / around[37:97, 133:173]).std())

    assert patchy("lake") < 0.5 * patchy("sea")


def test_the_sea_ends_in_a_line_that_is_fainter_the_more_air_is_before_it(renderer):
    def step(eye_m):
        light = open_sea(renderer, (64, 64), y=eye_m, pitch=0.0, yaw=200.0).mean(axis=1)
        return light[31] / light[32] - 1.0  # above it over below

    low, high = step(20.0), step(3000.0)
    assert low > 0.2, "from 20 m the horizon is 17 km away"
    assert 0.02 < high < 0.5 * low, "and from 3,000 m 211 km"


COAST = {
    "water__swash": 1.0, "water__wind": 5.0, "sky__kind": "physical", "air__tone": "filmic", "sun__elevation": 30.0,
    "camera__x": 200.0, "camera__z": 120.0, "camera__y": 25.0, "camera__pitch": -12.0, "camera__yaw": 20.0,
}  # fmt: skip


def test_a_coast_looks_as_approved(renderer):
    z, x = CELL * np.mgrid[:SIDE, :SIDE]
    field = land(0.12 * (z - 320) + 14 * np.sin(x / 70) + 6 * np.sin(x / 33 + z / 60))
    approve("water-coast", drawn(renderer, field, samples=4, **COAST))


def test_lakes_and_rivers_look_as_approved(renderer):
    z, x = CELL * np.mgrid[:SIDE, :SIDE]
    field = land(
        0.15 * z
        + 18 * np.sin(x / 60 + z / 150)
        + 10 * np.cos(z / 70) * np.cos(x / 90)
        - 45 * np.exp(-(((x - 330) / 110) ** 2) - ((z - 330) / 80) ** 2)
    )
    look = COAST | {
        "water__sea": False,
        "water__lakes": True,
        "water__rivers": True,
        "water__river_width": 12.0,
        "water__river_share": 4.0,
    }
    high = {"camera__y": 260.0, "camera__x": MIDDLE, "camera__z": -150.0, "camera__pitch": -32.0, "camera__yaw": 0.0}
    approve("water-inland", drawn(renderer, field, samples=4, **look | high))


def test_no_program_is_made_when_lakes_and_rivers_come_or_a_picture_begins_to_rest(context):
    field = cone(radius=250.0)
    scene = Scene().replace(STILL | FROM_ABOVE | {"water.lakes": True, "water.rivers": True})
    renderer = Renderer(context)
    renderer.show(HeightField(field.heights, field.cell_size))
    renderer.draw(scene, SIZE, 1)
    made = []
    with programs.told(lambda built: made.append(built.fragment)):
        renderer.show(field.with_masks({name: field.masks[name] for name in drawn_masks(scene.water)}))
        renderer.draw(scene, SIZE, 1)
        list(renderer.passes(scene, SIZE, renderer.resting_samples, 0))
    assert not {"draw/land/terrain.frag", "draw/sky/sky.frag", "draw/land/far_land.frag"} & set(made)


def test_when_the_sea_rises_over_the_eye_only_what_is_behind_the_land_is_drawn_otherwise(context):
    """The compiler takes seconds for the land, and a slider of the sea's level would wait for it."""
    renderer = Renderer(context)
    coast = np.linspace(-60.0, 200.0, SIDE, dtype=np.float32) * np.ones((SIDE, 1), np.float32)
    renderer.show(land(coast))
    eye = {"camera.y": 60.0, "camera.pitch": 0.0, "water.sea": True, "ground.boulders": 0.5, "sky.kind": "physical"}
    over = Scene().replace(STILL | FROM_ABOVE | eye)
    renderer.draw(over, SIZE, 1)
    made = []
    with programs.told(lambda built: made.append(built.fragment)):
        renderer.draw(over.replace({"water.sea_level": 90.0}), SIZE, 1)
    assert set(made) == {"draw/sky/sky.frag"}


def test_what_stands_in_for_water_to_come_shows_none(context):
    renderer, field = Renderer(context), cone(radius=250.0)  # a new one: the water of another land stays until then
    bare = HeightField(field.heights, field.cell_size, {})
    with_none = {"water__lakes": False, "water__rivers": False, "water__sea": False}
    with_some = {"water__lakes": True, "water__rivers": True, "water__sea": False}
    np.testing.assert_allclose(drawn(renderer, bare, **with_some), drawn(renderer, bare, **with_none), atol=2)


# ---- where the sea hides its bed -------------------------------------------------------------------------------------


def mask_of(maps):
    """Return where there may be water, and where there is nothing but deep sea, bool [row, column, 2]."""
    columns, rows = maps.near.size
    return np.frombuffer(maps.near.read(alignment=1), np.uint8).reshape(rows, columns, 2) > 0


@pytest.mark.parametrize(
    ("clarity", "swash", "deep_m"), [(10.0, 0.0, 30.0), (40.0, 0.5, 120.0), (1.0, 2.0, 60.0)], ids=str
)
def test_the_sea_is_deep_where_all_ground_about_a_place_lies_far_enough_under_it(context, clarity, swash, deep_m):
    """`deep_m` is three times as deep as it is clear, and thirty times as deep as its waves run up."""
    z, x = np.mgrid[:SIDE, :SIDE] / (SIDE - 1)
    heights = (400 * np.sin(5 * z) * np.cos(7 * x)).astype(np.float32)
    height_map = HeightMap(context)
    height_map.upload(HeightField(heights, (CELL, CELL)))
    only_sea = {"water.enabled": True, "water.lakes": False, "water.rivers": False, "water.sea_level": 50.0}
    scene = Scene().replace(only_sea | {"water.clarity": clarity, "water.swash": swash})
    found = mask_of(WaterPass(context).prepare(scene, height_map, 0.0, SIZE))[..., 1]
    edged = np.pad(heights, (1, 4), mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(edged, (6, 6))[::4, ::4].max(axis=(2, 3))
    expected = around[: len(found), : len(found)] < 50.0 - deep_m
    assert 0.05 < expected.mean() < 0.95
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("exaggeration", [0.5, 1.0, 3.0])
def test_the_height_that_no_water_reaches_is_over_all_ground_that_may_be_wet(context, exaggeration):
    """By no more than the ground rises from one texel of that mask to the next; lakes may lie anywhere."""
    slope_m = 0.2  # from vertex to vertex
    heights = np.tile(slope_m * np.arange(SIDE, dtype=np.float32), (SIDE, 1))
    height_map, water = HeightMap(context), WaterPass(context)
    height_map.upload(HeightField(heights, (CELL, CELL)))
    only_sea = {"water.enabled": True, "water.lakes": False, "water.rivers": False, "water.swash": 2.0}
    scene = Scene().replace(only_sea | {"water.sea_level": 0.5, "view.exaggeration": exaggeration})
    maps = water.prepare(scene, height_map, 0.0, SIZE)
    wet = mask_of(maps)[0, :, 0]
    assert 0 < wet.sum() < len(wet)
    highest_m = slope_m * np.maximum(4 * np.arange(len(wet)) - 1, 0)[wet].max()  # a texel goes by its lowest vertex
    assert 0 <= maps.dry_m / exaggeration - highest_m <= 4 * slope_m
    with_lakes = scene.replace({"water.lakes": True})
    assert water.prepare(with_lakes, height_map, 0.0, SIZE).dry_m > 1e5


# ---- where there is none ---------------------------------------------------------------------------------------------


def test_ground_that_no_water_reaches_has_its_own_surface_and_a_mask_of_nothing(context):
    heights = np.random.default_rng(3).uniform(20, 400, (SIDE, SIDE)).astype(np.float32)
    height_map, water = HeightMap(context), WaterPass(context)
    height_map.upload(HeightField(heights, (CELL, CELL)))
    scene = Scene().replace({"water.enabled": True, "water.lakes": True, "water.rivers": True, "water.swash": 0.5})
    versions = []
    for sea_m in (-30.0, 150.0, -40.0):
        maps = water.prepare(scene.replace({"water.sea_level": sea_m}), height_map, 0.0, SIZE, draft=True)
        surface = np.frombuffer(maps.surface.read(), np.float32).reshape(SIDE, SIDE)
        np.testing.assert_array_equal(surface, np.maximum(heights, np.float32(sea_m)))
        assert mask_of(maps).any() == (sea_m > 0)
        versions.append(maps.version)
    assert len(set(versions)) == 3, "whoever made something of the surface sees that it has changed"
