"""What covers the ground: materials, their borders and colours, and their relief."""

from __future__ import annotations

import dataclasses
import gc
import itertools

import moderngl
import numpy as np
import pytest

from fellview import paths
from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.ground import cover, ground_textures, palettes
from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.io import scenes
from fellview.scene.groups.ground import MATERIALS, PALETTES, Ground
from fellview.scene.scene import Scene
from tests.drawn_ramp import CELL_M, SIDE, SIZE, WHERE, from_above, middle, ramp, seen
from tests.lands import RUGGED

# -- materials ---------------------------------------------------------------------------------------------------------


def brightness(renderer, field, changes):
    return seen(renderer, from_above(field, {**WHERE, **changes}), field)[40:80, 60:100].mean()


def test_materials_follow_slope(renderer):
    """One part at a time is white; the land of its slope is bright, and other land dark."""
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt")
    dark |= {"ground.grass_slope": 25.0, "ground.rock_slope": 45.0}  # borders are ragged: well away from both
    lands = {"base": ramp(10.0), "upper": ramp(35.0), "steep": ramp(60.0)}
    for part, (slope, field) in itertools.product(lands, lands.items()):
        shown = brightness(renderer, field, {**dark, f"ground.{part}": "snow"})
        plain = brightness(renderer, field, dark)
        assert (shown > 1.5 * plain) == (part == slope), (part, slope)


def test_snow_lies_high_but_not_on_walls_and_sand_low_but_not_on_slopes(renderer):
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt")
    level, steep = ramp(5.0), ramp(60.0)
    for part, key, value in (("high", "ground.snow_line", -2000.0), ("low", "ground.sand_height", 5000.0)):
        there, gone = {f"ground.{part}": "snow", key: value}, {f"ground.{part}": "snow"}
        assert brightness(renderer, level, {**dark, **there}) > 1.5 * brightness(renderer, level, {**dark, **gone})
        assert brightness(renderer, steep, {**dark, **there}) < 1.2 * brightness(renderer, steep, {**dark, **gone})


def test_snow_keeps_out_of_valleys_that_are_looked_straight_down_into(renderer):
    """Triangles leave valleys out there, which nobody sees by their form; what lies in them is seen."""
    z, _ = np.meshgrid(np.arange(SIDE), np.arange(SIDE), indexing="ij")
    field = HeightField((4 * CELL_M * np.cos(z * np.pi / 16)).astype(np.float32), (CELL_M, CELL_M))
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt")
    scene = from_above(field, {**WHERE, **dark, "ground.high": "snow", "ground.snow_line": 0.0})
    camera = scene.camera.replace(projection="orthographic", pitch=-90.0, span=SIZE[1] * CELL_M / 2)
    shown = seen(renderer, scene.replace({"ground.snow_softness": 5.0}).with_group(camera), field)
    rows = np.sort(shown.reshape(SIZE[1], -1).mean(axis=1))
    tenth = SIZE[1] // 10
    assert rows[-tenth:].mean() > 1.5 * rows[:tenth].mean()


def test_maps_show_heights_where_they_are_from_straight_above(renderer):
    """Contour lines and colours of heights go by the ground, and not by triangles that leave its waves out."""
    z, _ = np.meshgrid(np.arange(SIDE), np.arange(SIDE), indexing="ij")
    field = HeightField((4 * CELL_M * np.cos(z * np.pi / 16)).astype(np.float32), (CELL_M, CELL_M))
    scene = from_above(field, {"view.mode": "height"})
    camera = scene.camera.replace(projection="orthographic", pitch=-90.0, span=SIZE[1] * CELL_M / 2)
    scene = scene.with_group(camera)
    rows = seen(renderer, scene, field).reshape(SIZE[1], -1, 3).mean(axis=1)
    assert np.ptp(rows, axis=0).max() > 60
    lines = seen(renderer, scene.replace({"view.contours": True, "view.contour_interval": 40.0}), field)
    darker = (seen(renderer, scene, field) - lines).reshape(SIZE[1], -1).mean(axis=1)
    waves = (SIZE[1] / 2) / 32  # each has four lines: two at 0, and two near its top and its bottom
    assert (np.diff((darker > 10).astype(int)) == 1).sum() >= 2 * waves


def test_a_low_island_far_below_is_no_beach(renderer):
    """Of 35 m at 60 m a pixel, from straight above: triangles may lie in the sea there, what it is made of may not."""
    pixel_m = 60.0
    z, x = np.meshgrid(np.linspace(-1, 1, SIDE), np.linspace(-1, 1, SIDE), indexing="ij")
    field = HeightField((40 * np.exp(-8 * (z**2 + x**2)) - 5).astype(np.float32), (pixel_m, pixel_m))
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt")
    scene = from_above(field, {**WHERE, **dark, "ground.low": "snow"})
    up_m = pixel_m * SIZE[1] / 2 / np.tan(np.radians(scene.camera.field_of_view / 2))
    scene = scene.with_group(scene.camera.replace(y=up_m))
    beach, none, everywhere = (
        seen(renderer, scene.replace({"ground.sand_height": height_m}), field)[56:64, 76:84].mean()
        for height_m in (6.0, -1000.0, 1000.0)
    )
    assert everywhere > 1.5 * none
    assert beach == pytest.approx(none, abs=1)


def test_snow_lies_in_drifts_and_not_cell_by_cell(renderer):
    """On a slope of 45° whose cells lie at 25° to 60°, it does not stop and begin with each of them."""
    field = ramp(45.0)
    uneven = np.random.default_rng(5).normal(0.0, 3.0, field.heights.shape).astype(np.float32)
    rough = HeightField(field.heights + uneven, field.cell_size)
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt")
    dark |= {"ground.high": "snow", "ground.snow_line": -2000.0, "sun.light": "#000000", "sun.ambient": 1.0}
    white = seen(renderer, from_above(rough, {**WHERE, **dark}), rough)[20:100, 40:120].mean(axis=-1) > 128
    borders = (white[1:] != white[:-1]).mean() + (white[:, 1:] != white[:, :-1]).mean()
    assert 0.3 < white.mean() < 0.98
    assert borders < 0.25


def without(monkeypatch, material, part):
    """Have `material` drawn without a part of its look from now on."""
    monkeypatch.setitem(cover.LOOKS, material, dataclasses.replace(cover.LOOKS[material], **{part: 0.0}))


def test_rock_at_mid_distance_has_slabs_that_average_out_from_afar(renderer, monkeypatch):
    """At 1 m a pixel a wall is lit in pieces as wide as slabs; from afar it is as bright as without them."""
    field = ramp(50.0)
    rock = only("rock") | RAKING | {"ground.palette": "alpine", "ground.strata": 0.0, "sun.elevation": 50.0}

    def at(width_m):
        return grey(renderer, near(field, rock, width_m), field, SIZE)

    close, far = at(160.0), at(600.0)
    without(monkeypatch, "rock", "slabs")
    pieces = (close - at(160.0)).reshape(30, 4, 40, 4).mean(axis=(1, 3))  # of 4 m
    assert pieces.std() > 4.0
    assert np.corrcoef(pieces[:, 1:].ravel(), pieces[:, :-1].ravel())[0, 1] > 0.5, "wider than that"
    assert far[20:100, 40:120].mean() == pytest.approx(at(600.0)[20:100, 40:120].mean(), rel=0.05)


def test_bare_clay_is_rough_here_and_smooth_there(renderer, monkeypatch):
    field = ramp(5.0)
    clay = only("soil") | RAKING | {"ground.palette": "badlands", "ground.strata": 0.0}
    clay |= {"ground.relief": 0.0, "ground.boulders": 0.0}

    def roughness():
        """Return how rough the ground is in each of 12 pieces of 5 m."""
        seen_from_above = grey(renderer, near(field, clay, 20.0), field, SIZE)
        fine = np.abs(np.diff(seen_from_above, axis=1))[:, :156]
        return fine.reshape(3, 40, 4, 39).mean(axis=(1, 3))

    varied = roughness()
    without(monkeypatch, "soil", "crust")
    even = roughness()
    assert varied.std() / varied.mean() > 1.5 * even.std() / even.mean()


def test_deposits_lie_where_erosion_left_them(renderer):
    heights = ramp(5.0).heights
    left = np.full_like(heights, 3.0)
    masks = {"erosion_depth": np.zeros_like(heights), "deposition_depth": left}
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt") | {"ground.deposit": "snow"}
    with_masks = brightness(renderer, HeightField(heights, (CELL_M, CELL_M), masks), dark)
    without = brightness(renderer, HeightField(heights.copy(), (CELL_M, CELL_M)), dark)
    assert with_masks > 1.5 * without


def test_what_would_not_bury_grass_is_no_deposit(renderer):
    """However little erosion did: the largest change of a land is not much by itself."""
    heights = ramp(5.0).heights
    dark = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "basalt") | {"ground.deposit": "snow"}
    shown = {}
    for left_m in (0.0, 0.2, 5.0):
        masks = {"erosion_depth": np.zeros_like(heights), "deposition_depth": np.full_like(heights, left_m)}
        shown[left_m] = brightness(renderer, HeightField(heights.copy(), (CELL_M, CELL_M), masks), dark)
    assert shown[0.2] == pytest.approx(shown[0.0], rel=0.01)
    assert shown[5.0] > 1.5 * shown[0.0]


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_gives_every_part_a_material_with_colours(name):
    palette = palettes.chosen(Ground(palette=name))
    assert len(palette.parts) == len(palettes.PARTS)
    for part in palette.parts:
        assert part.material in MATERIALS
        for code in (part.colour, part.other):
            assert len(bytes.fromhex(code.removeprefix("#"))) == 3


def test_from_afar_ground_has_the_colour_of_its_part(renderer):
    """Textures only vary it: drawn in an even light, level sand is the palette's sand, whatever its grains."""
    field = ramp(0.0)
    parts = dict.fromkeys((f"ground.{part}" for part in palettes.PARTS), "palette")
    changes = {**WHERE, **parts, "ground.palette": "desert", "sun.light": "#ffffff", "sun.ambient": 0.0}
    pixels = seen(renderer, from_above(field, changes), field)[40:80, 60:100].mean(axis=(0, 1))
    one, other = (np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)])
                  for code in (palettes.chosen(Ground(palette="desert")).parts[0].colour,
                               palettes.chosen(Ground(palette="desert")).parts[0].other))  # fmt: skip
    assert np.abs(pixels - (one + other) / 2).max() < 12


# -- relief ------------------------------------------------------------------------------------------------------------

ALBEDO = {"sun.light": "#000000", "sun.ambient": 1.0}  # light from everywhere: what is seen is the ground's own colour
RAKING = {"sun.elevation": 25.0, "sun.azimuth": 270.0, "sun.ambient": 0.0}  # from low x


def only(material):
    return {f"ground.{part}": material for part in palettes.PARTS}


def near(field, changes, width_m, size=SIZE):
    """Return a scene that looks straight down on `width_m` of the middle of `field`."""
    scene = from_above(field, {**WHERE, "ground.relief": 1.0, **changes})
    rise = width_m * size[1] / size[0] / 2 / np.tan(np.radians(scene.camera.field_of_view) / 2)
    x, z = (count * cell / 2 for count, cell in zip(field.heights.shape[::-1], field.cell_size[::-1], strict=True))
    ground_m = float(field.heights[field.rows // 2, field.columns // 2])
    return scene.with_group(scene.camera.replace(x=x, y=ground_m + rise, z=z, pitch=-90.0, yaw=0.0))


def grey(renderer, scene, field, size):
    return capture.still(renderer, scene, field, size, 1)[..., :3].mean(axis=2)


@pytest.mark.parametrize("name", ground_textures.RELIEFS)
def test_reliefs_tile_and_lean_no_way(name):
    """Across the seam neighbours differ no more than elsewhere; slopes, heights and hollows are none on the whole."""
    heights = ground_textures.relief_heights(paths.assets() / "textures" / "reliefs" / f"{name}.png")
    layer = ground_textures.relief(heights).astype(float)
    assert layer.mean(axis=(0, 1)) == pytest.approx(np.zeros(4), abs=1e-3)
    assert layer[..., 2:].std(axis=(0, 1)) == pytest.approx(np.ones(2), rel=0.1)
    assert (np.abs(layer[..., :2]) > 0.98 * ground_textures.STEEPEST).mean() < 0.05  # few slopes are cut off
    for axis in (0, 1):
        steps = np.abs(np.diff(layer, axis=axis)).mean()
        assert np.abs(np.take(layer, 0, axis) - np.take(layer, -1, axis)).mean() < 1.5 * steps


def test_every_material_knows_its_relief():
    assert set(cover.LOOKS) == set(MATERIALS)
    walls = {palettes.chosen(Ground(palette=name)).walls for name in PALETTES}
    used = walls | {look.lying for look in cover.LOOKS.values()} | {cover.STREWN}
    assert used == set(ground_textures.RELIEFS) == set(ground_textures.RELIEF_M)


@pytest.mark.parametrize("degrees, material", [(0.0, "grass"), (0.0, "regolith"), (0.0, "basalt"), (55.0, "rock")])
def test_relief_averages_to_the_mean_colour_from_afar_and_does_not_glitter(renderer, degrees, material):
    """Where a pixel covers 80 m of it, twice the relief looks as none does, in colour and in raking light."""
    row = np.tan(np.radians(degrees)) * 200.0 * np.arange(SIDE)
    field = HeightField(np.tile(row, (SIDE, 1)).astype(np.float32), (200.0, 200.0))
    for light, most in ((ALBEDO, 3), (RAKING, 8)):
        scene = from_above(field, {**WHERE, **only(material), **light})
        without, strong = (seen(renderer, scene.replace({"ground.relief": much}), field)[30:90, 50:110]
                           for much in (0.0, 2.0))  # fmt: skip
        assert np.abs(strong.mean(axis=(0, 1)) - without.mean(axis=(0, 1))).max() <= 1.5
        assert np.abs(strong - without).max() <= most


@pytest.mark.parametrize("degrees, material, width_m", [(0.0, "grass", 60.0), (55.0, "rock", 300.0)])
def test_relief_models_the_ground_nearby_as_strongly_as_asked(renderer, degrees, material, width_m):
    field = ramp(degrees)
    contrast = []
    for much in (0.0, 1.0, 2.0):
        scene = near(field, {**only(material), **RAKING, "ground.relief": much}, width_m)
        light = grey(renderer, scene, field, SIZE)
        contrast.append(light.std() / light.mean())
    assert contrast[0] + 0.05 < contrast[1] < contrast[2]


@pytest.mark.parametrize("material", ["basalt", "rock", "grass"])
def test_relief_is_not_drawn_out_into_streaks_where_the_sight_line_grazes_it(renderer, material):
    """Seen from 2 m its light hardly varies along level ground 15 m and more away; seen steeply it does as ever."""
    field = ramp(0.0)

    def varies(eye_m, pitch, rows):
        """Return how much the relief changes the light of rows of a picture, as a share of what it is without."""
        plain, with_relief = (
            grey(renderer, scene.with_group(scene.camera.replace(y=eye_m, pitch=pitch)), field, SIZE)[rows]
            for scene in (near(field, {**only(material), **RAKING, "ground.relief": much}, 60.0) for much in (0.0, 1.0))
        )
        return (with_relief - plain).std() / plain.mean()

    assert varies(2.0, 0.0, slice(64, 78)) < 0.3 * varies(20.0, -80.0, slice(20, 100))


def waves(light, width_m):
    """Return how strong every wave in a picture `width_m` wide is, and how often a metre along x and down rows."""
    window = np.hanning(light.shape[0])[:, None] * np.hanning(light.shape[1])
    power = np.abs(np.fft.rfft2((light / light.mean() - 1) * window)) ** 2
    metre = width_m / light.shape[1]
    down, along = np.fft.fftfreq(light.shape[0], metre), np.fft.rfftfreq(light.shape[1], metre)
    return power, *np.meshgrid(along, down)


@pytest.mark.parametrize("width_m, wave_m", [(30.0, 37.0 / 26), (3.0, 3.7 / 26)])
@pytest.mark.parametrize("wind", [0.0, 60.0])
def test_ripples_have_their_length_in_metres_and_lie_across_the_wind(renderer, width_m, wave_m, wind):
    size = (320, 240)
    dunes = {"landform1.kind": "dunes", "landform1.rotation": wind}
    field = ramp(0.0)
    light = {**RAKING, "sun.azimuth": (270.0 - wind) % 360, "ground.palette": "desert"}  # +x is 90°, +z is 0°
    scene = near(field, {**only("sand"), **dunes, **light}, width_m, size)
    power, along, down = waves(grey(renderer, scene, field, size), width_m)
    often = np.hypot(along, down)
    strongest = np.where(often > 1 / (2 * wave_m), power, 0).argmax()
    assert 1 / often.flat[strongest] == pytest.approx(wave_m, rel=0.3)
    blows = np.cos(np.radians(wind)) * along - np.sin(np.radians(wind)) * down  # rows run down, +z up
    assert abs(blows.flat[strongest]) > np.cos(np.radians(20)) * often.flat[strongest]


def test_slip_faces_have_no_ripples(renderer):
    """Of the waves of 1 to 2 m there, a hundredth: faint tongues that ran down."""
    strength = {}
    for degrees in (12.0, 33.0):
        field = ramp(degrees)
        scene = near(field, {**only("sand"), **RAKING, "sun.elevation": 40.0, "ground.palette": "desert"}, 25.0)
        power, along, down = waves(grey(renderer, scene, field, SIZE), 25.0)
        often = np.hypot(along, down)
        strength[degrees] = power[(often > 0.5) & (often < 1)].max()
    assert strength[33.0] < 0.02 * strength[12.0]


def test_the_wind_of_ripples_is_that_of_the_dunes():
    assert cover.wind_degrees(Scene()) == cover.wind_degrees(Scene().replace({"landform1.rotation": 77.0}))
    dunes = {"landform1.kind": "dunes", "landform1.rotation": 33.0}
    assert cover.wind_degrees(Scene().replace(dunes)) == 33.0
    assert cover.wind_degrees(Scene().replace({**dunes, "landform3.kind": "dunes", "landform3.rotation": 44.0})) == 44.0


def test_borders_follow_the_relief_and_cover_as_much_as_without_it(renderer):
    """At the slope where rock begins half the ground is rock: nearby in ribs and on risers, from afar evenly mixed."""
    dark = {**only("basalt"), "ground.steep": "snow", "ground.grass_slope": 80.0, **ALBEDO}
    shares = {}
    for rock_slope in (34.0, 40.0, 46.0):
        field = ramp(40.0)
        scene = near(field, {**dark, "ground.rock_slope": rock_slope}, 400.0)
        light = grey(renderer, scene, field, SIZE)
        ends = [grey(renderer, scene.replace({"ground.rock_slope": end}), field, SIZE).mean() for end in (89.0, 1.0)]
        shares[rock_slope] = (light.mean() - ends[0]) / (ends[1] - ends[0])
        if rock_slope == 40.0:
            middling = np.abs(light - np.mean(ends)) < 0.25 * (ends[1] - ends[0])
    assert shares[34.0] > 0.65 > shares[40.0] > 0.35 > shares[46.0]
    assert middling.mean() < 0.35  # a border, no fog


# -- every ground ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 2), (2, 65), (65, 2)])
@pytest.mark.parametrize("mode", ["textured", "curvature", "drainage", "checker", "rock"])
def test_the_smallest_lands_are_drawn(renderer, shape, mode):
    field = HeightField(np.zeros(shape, np.float32), (CELL_M, CELL_M))
    changes = {"view.mode": mode, "ground.kind": "materials", "view.contours": True, "rock.enabled": True}
    pixels = seen(renderer, from_above(field, changes), field)
    assert np.abs(middle(pixels) - pixels[2, 2]).max() > 3, "of another colour than what lies around it"


def test_no_two_textures_share_a_unit_and_all_stay_within_those_of_every_opengl(context, renderer, eroded):
    """With all there is: layers of rock, water of every kind, clouds, and a slab."""
    water = {"water.enabled": True, "water.lakes": True, "water.rivers": True, "sky.clouds": 0.5}
    changes = {"ground.kind": "materials", "view.contours": True, "rock.enabled": True, **water}
    for stage in ("landscape", "slab"):
        seen(renderer, scenes.load(RUGGED).replace({**changes, "view.stage": stage}), eroded)
    programs = [each for each in gc.get_objects() if type(each) is moderngl.Program and each.ctx is context]
    assert len(programs) > 20
    for program in programs:
        samplers = [name for name in program if name.startswith("u_") and _is_sampler(program[name])]
        units = [program[name].value for name in samplers]
        assert len(samplers) <= 16 and len(set(units)) == len(units), dict(zip(samplers, units, strict=True))


def _is_sampler(member):
    return getattr(member, "gl_type", 0) in (0x8B5E, 0x8DC1)  # GL_SAMPLER_2D, GL_SAMPLER_2D_ARRAY


def test_what_heights_decide_is_made_when_they_change_and_not_when_the_camera_moves(context, eroded):
    ground, height_map = Cover(context), HeightMap(context)
    scene = scenes.load(RUGGED).replace({"ground.kind": "materials"})
    again = HeightField(eroded.heights.copy(), eroded.cell_size, eroded.masks)
    for shown, version in ((eroded, 1), (again, 2)):
        height_map.upload(shown)
        for number in range(3):
            moved = scene.replace({"camera.yaw": 10.0 * number, "ground.snow_line": 100.0 * number})
            ground.prepare(moved, height_map)
            assert ground.of_vertices["u_shape"].version == version
