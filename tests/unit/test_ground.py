"""What covers the ground: materials and their borders, maps whose colours are known, and a person's own textures."""

from __future__ import annotations

import importlib.util
import itertools
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from fellview import capture, paths
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw import boulders, colour_maps, cover, ground_textures, maps, palettes, rock_layers
from fellview.draw.land_shape import LandShape
from fellview.draw.renderer import Renderer
from fellview.draw.rock_layers import RockLayers
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.look import MATERIALS, PALETTES, Camera, Ground, View
from fellview.scene.scene import Scene
from fellview.terrain import rock
from fellview.terrain.domain import Domain
from fellview.view import framing, projection
from tests.lands import RUGGED

SIZE = (160, 120)
MODES = View.declaration("mode").options
SIDE, CELL_M = 65, 10.0


@pytest.fixture(scope="module")
def renderer():
    return Renderer(gpu_context.standalone())


@pytest.fixture(scope="module")
def eroded():
    """A land of 128² with the masks of its erosion."""
    scene = scenes.load(RUGGED).replace({"grid.rows": 128, "grid.columns": 128})
    return generate(scene, "cpu")


def ramp(degrees, side=SIDE):
    """Return land that rises along x at an angle."""
    row = np.tan(np.radians(degrees)) * CELL_M * np.arange(side)
    return HeightField(np.tile(row, (side, 1)).astype(np.float32), (CELL_M, CELL_M))


def from_above(field, changes=None, height_share=1.0):
    """Return a scene that looks straight down on the middle of `field`, in display colours under an even light."""
    even = {"sky.kind": "gradient", "air.tone": "none", "sun.elevation": 90.0, "sky.visibility": 1000.0}
    scene = Scene().replace({**even, **(changes or {})})
    camera = framing.top(scene.camera, field, SIZE[0] / SIZE[1])
    return scene.with_group(camera.replace(y=height_share * camera.y))


def seen(renderer, scene, field, samples=1):
    return capture.still(renderer, scene, field, SIZE, samples)[..., :3].astype(int)


def middle(pixels):
    return pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]


# -- maps --------------------------------------------------------------------------------------------------------------


def test_a_ramp_of_45_degrees_has_the_colour_of_its_slope(renderer):
    field = ramp(45.0)
    table = colour_maps.between(maps._OWN["slope"])
    wanted = table[round(45.0 / maps.STEEPEST_DEG * 255)][:3].astype(int)
    assert np.abs(middle(seen(renderer, from_above(field, {"view.mode": "slope"}), field)) - wanted).max() <= 2


def test_level_ground_has_the_colour_of_up_as_its_normal(renderer):
    field = ramp(0.0)
    shown = middle(seen(renderer, from_above(field, {"view.mode": "normals"}), field))
    assert np.abs(shown - [128, 255, 128]).max() <= 1


@pytest.mark.parametrize("name", ["viridis", "terrain", "grey"])
def test_heights_run_through_the_colours(renderer, name):
    """Level steps, since relief shades slopes: the middle one has the colour of its height."""
    rows = np.repeat([0.0, 30.0, 100.0], [20, 25, 20])
    field = HeightField(np.tile(rows[:, None], (1, SIDE)).astype(np.float32), (CELL_M, CELL_M))
    shown = middle(seen(renderer, from_above(field, {"view.mode": "height", "view.colours": name}), field))
    assert np.abs(shown - colour_maps.table(name)[round(0.3 * 255)][:3]).max() <= 3


@pytest.mark.parametrize("mode", View.declarations()["mode"].options)
def test_every_view_but_the_ground_itself_says_how_to_read_it(renderer, eroded, mode):
    """Values that stand beside colours are those that the shader gives them."""
    scene = from_above(eroded, {"view.mode": mode})
    seen(renderer, scene, eroded)
    legend = renderer.legend
    if mode == "textured":
        assert legend is None
        return
    assert legend.title and (legend.note or legend.colours)
    assert bool(legend.colours) == bool(legend.ticks) == (mode in maps.VALUES)
    shares, values = [tick[0] for tick in legend.ticks], [tick[1] for tick in legend.ticks]
    assert shares == sorted(shares) and values == sorted(values)
    if mode == "height":
        assert (values[0], values[-1]) == pytest.approx(eroded.height_range)


def test_a_legend_has_the_colours_at_their_values(renderer):
    field = ramp(45.0)
    shown = middle(seen(renderer, from_above(field, {"view.mode": "slope"}), field))
    legend = renderer.legend
    (_, low, unit, _), (_, high, _, _) = legend.ticks[0], legend.ticks[-1]
    share = (45.0 - low) / (high - low)
    assert unit == "°"
    assert np.abs(np.array(legend.colours[round(share * (len(legend.colours) - 1))]) - shown).max() <= 6


def test_a_legend_tells_how_far_contour_lines_lie_apart(renderer):
    field = ramp(45.0)
    seen(renderer, from_above(field, {"view.contours": True, "view.contour_interval": 12.5}), field)
    assert "12.5 m apart, heavy ones 62.5 m" in renderer.legend.note


def test_erosion_shows_what_was_taken_and_what_was_left(renderer):
    heights = np.zeros((SIDE, SIDE), np.float32)
    half = np.zeros_like(heights)
    half[:, : SIDE // 2] = 5.0
    # x runs to the right from above
    field = HeightField(heights, (CELL_M, CELL_M), {"erosion_depth": half, "deposition_depth": half[:, ::-1].copy()})
    pixels = seen(renderer, from_above(field, {"view.mode": "erosion"}), field)
    left, right = pixels[60, 50], pixels[60, 110]
    lost, gained = (colour_maps.between(maps._OWN["erosion"])[end][:3].astype(int) for end in (0, -1))
    sides = sorted([np.abs(left - lost).max() + np.abs(right - gained).max(),
                    np.abs(left - gained).max() + np.abs(right - lost).max()])  # fmt: skip
    assert sides[0] <= 4 < sides[1]


def test_masks_that_come_later_are_drawn(renderer):
    heights = np.zeros((SIDE, SIDE), np.float32)
    bare = HeightField(heights, (CELL_M, CELL_M))
    area = np.full_like(heights, 1e5)
    scene = from_above(bare, {"view.mode": "drainage"})
    before = middle(seen(renderer, scene, bare))
    after = middle(seen(renderer, scene, HeightField(heights, (CELL_M, CELL_M), {"drainage_area": area})))
    assert np.abs(before - after).max() > 50


def test_each_map_names_the_masks_that_it_needs():
    assert cover.wanted_masks(View(mode="drainage")) == {"drainage_area"}
    assert cover.wanted_masks(View(mode="erosion")) == {"erosion_depth", "deposition_depth"}
    assert not cover.wanted_masks(View()) and not cover.useful_masks(Ground(), View())
    assert "drainage_area" in cover.useful_masks(Ground(kind="materials"), View())
    assert not cover.useful_masks(Ground(kind="materials"), View(mode="slope"))


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_contour_lines_lie_where_the_ground_has_their_height_and_keep_their_width(renderer, share):
    field = ramp(20.0)
    changes = {"view.mode": "slope", "view.contours": True, "view.contour_interval": 50.0}
    scene = from_above(field, changes, share)
    pixels = seen(renderer, scene, field)
    plain = seen(renderer, scene.replace({"view.contours": False}), field)
    row = 1 - pixels[60].sum(axis=1) / plain[60].sum(axis=1)
    high = field.height_range[1]
    near, far = projection.clip_planes(scene.camera, field)
    matrix = projection.view_projection(scene.camera, SIZE, near, far)
    found = 0
    for height in np.arange(50.0, high, 50.0):
        place = np.array([height / np.tan(np.radians(20.0)), height, 0.5 * SIDE * CELL_M, 1.0]) @ matrix
        column = (place[0] / place[3] + 1) / 2 * SIZE[0] - 0.5
        if not 3 < column < SIZE[0] - 4:
            continue
        around = np.arange(int(column) - 3, int(column) + 5)
        assert abs((row[around] * around).sum() / row[around].sum() - column) < 0.75
        wide = row[around].sum()  # in pixels of full ink; every fifth line is heavier
        assert wide == pytest.approx(0.8 * 2.2 if height % 250 == 0 else 0.55 * 1.2, rel=0.3)
        found += 1
    assert found >= 2


def test_crowded_contour_lines_fade_and_do_not_beat(renderer):
    field = ramp(45.0)
    changes = {"view.mode": "slope", "view.contours": True, "view.contour_interval": 0.01}
    pixels = seen(renderer, from_above(field, changes), field)[40:80, 60:100]
    assert np.ptp(pixels, axis=(0, 1)).max() <= 3


def test_the_checker_has_squares_of_its_size(renderer):
    field = ramp(0.0, 257)
    pixels = seen(renderer, from_above(field, {"view.mode": "checker"}), field)[60, :, 0]
    bright = pixels > pixels.mean()
    turns = np.flatnonzero(bright[1:] != bright[:-1])
    across = np.ptp(turns) / (len(turns) - 1) / SIZE[0]
    scene = from_above(field)
    rise = np.tan(np.radians(scene.camera.field_of_view) / 2)
    seen_m = 2 * rise * SIZE[0] / SIZE[1] * scene.camera.y
    assert across * seen_m == pytest.approx(maps.square(field), rel=0.1)


@pytest.mark.parametrize(
    "value, wanted", [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (49.0, 20.0), (99.0, 50.0), (0.07, 0.05)]
)
def test_intervals_are_round(value, wanted):
    assert maps.round_below(value) == pytest.approx(wanted)


# -- every mode --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["demo", "materials"])
def test_no_pixel_is_undefined(renderer, eroded, mode, kind):
    """Light is read as it stands before tone mapping, where what is no number would still be none."""
    changes = {"view.mode": mode, "view.contours": True, "ground.kind": kind, "ground.strata": 0.7}
    scene = scenes.load(RUGGED).replace(changes)
    scene = scene.with_group(framing.frame(scene.camera, eroded, SIZE[0] / SIZE[1]))
    pixels = seen(renderer, scene, eroded)
    assert pixels[60:, 40:120].max() > 30
    light = renderer._targets.get((1, True))
    if light is not None:
        assert np.isfinite(np.frombuffer(light.texture().read(), np.float16)).all()


@pytest.mark.parametrize("preset", scenes.presets())
def test_no_scene_has_an_undefined_pixel(renderer, eroded, preset):
    """As each scene looks, on one land, with all that the ground can have: layers, relief, stones and their shadows."""
    looks = scenes.load(preset)
    scene = scenes.load(RUGGED).replace({"grid.rows": 128, "grid.columns": 128})
    for group in (looks.sun, looks.water, looks.ground, looks.sky, looks.air):
        scene = scene.with_group(group)
    more = {"rock.enabled": True, "ground.kind": "materials", "ground.boulders": 1.0, "ground.relief": 2.0}
    scene = scene.replace({**more, "sun.shadows": True, "sky.kind": "physical", "air.tone": "filmic"})
    scene = scene.with_group(framing.frame(scene.camera, eroded, SIZE[0] / SIZE[1]))
    with np.errstate(all="raise", under="ignore"):
        pixels = seen(renderer, scene, eroded)
    assert np.ptp(pixels) > 10
    light = renderer._targets[(1, True)]
    assert np.isfinite(np.frombuffer(light.texture().read(), np.float16)).all()


@pytest.mark.parametrize("elevation", [-5.0, 0.05, 40.0, 90.0])
def test_no_slab_has_an_undefined_pixel(renderer, eroded, elevation):
    """With water, layers, person and pole, wherever the sun is."""
    figure = {"view.figure": True, "view.figure_x": eroded.size[1] / 2, "view.figure_z": eroded.size[0] / 2}
    more = {"view.stage": "slab", "sun.shadows": True, "sky.kind": "physical", "air.tone": "filmic", **figure}
    sea = {"water.enabled": True, "water.sea_level": float(np.median(eroded.heights)), "rock.enabled": True}
    scene = scenes.load(RUGGED).replace({**more, **sea, "sun.elevation": elevation, "ground.kind": "materials"})
    scene = scene.with_group(framing.frame(scene.camera.replace(yaw=35.0, pitch=-25.0), eroded, SIZE[0] / SIZE[1]))
    with np.errstate(all="raise", under="ignore"):
        assert np.ptp(seen(renderer, scene, eroded)) > 10
    light = renderer._targets[1, True]
    assert np.isfinite(np.frombuffer(light.texture().read(), np.float16)).all()


@pytest.mark.parametrize("shape", [(2, 2), (2, 65), (65, 2)])
@pytest.mark.parametrize("mode", ["textured", "curvature", "drainage", "checker", "rock"])
def test_the_smallest_lands_are_drawn(renderer, shape, mode):
    field = HeightField(np.zeros(shape, np.float32), (CELL_M, CELL_M))
    changes = {"view.mode": mode, "ground.kind": "materials", "view.contours": True, "rock.enabled": True}
    scene = from_above(ramp(0.0), changes)
    seen(renderer, scene, field)


def test_no_two_textures_share_a_unit_and_all_stay_within_those_of_every_opengl(renderer, eroded):
    """With all there is: layers of rock, water of every kind, clouds, and a slab."""
    water = {"water.enabled": True, "water.lakes": True, "water.rivers": True, "sky.clouds": 0.5}
    changes = {"ground.kind": "materials", "view.contours": True, "rock.enabled": True, **water}
    for stage in ("landscape", "slab"):
        seen(renderer, scenes.load(RUGGED).replace({**changes, "view.stage": stage}), eroded)
    terrain, slab, sky = renderer._terrain, renderer._slab, renderer._sky
    passes = (terrain._programs, terrain._places._lit, slab._programs, sky._programs)
    programs = [program for one in passes for program in one._programs.values()]
    assert len(programs) > 4
    for program in programs:
        samplers = [name for name in program if name.startswith("u_") and _is_sampler(program[name])]
        units = [program[name].value for name in samplers]
        assert len(samplers) <= 16 and len(set(units)) == len(units), dict(zip(samplers, units, strict=True))


def _is_sampler(member):
    return getattr(member, "gl_type", 0) in (0x8B5E, 0x8DC1)  # GL_SAMPLER_2D, GL_SAMPLER_2D_ARRAY


def test_what_heights_decide_is_made_when_they_change_and_not_when_the_camera_moves(renderer, eroded, monkeypatch):
    made = []
    whole = LandShape._make
    monkeypatch.setattr(LandShape, "_make", lambda *arguments: (made.append(1), whole(*arguments)))
    scene = scenes.load(RUGGED).replace({"ground.kind": "materials"})
    again = HeightField(eroded.heights.copy(), eroded.cell_size, eroded.masks)
    for number in range(3):
        seen(renderer, scene.replace({"camera.yaw": 10.0 * number, "ground.snow_line": 100.0 * number}), again)
    assert len(made) == 1


# -- materials ---------------------------------------------------------------------------------------------------------

WHERE = {"ground.kind": "materials", "ground.variation": 0.0, "ground.wetness": 0.0, "ground.snow_line": 20_000.0}
WHERE |= {"ground.relief": 0.0}  # which moves borders to ledges and ribs


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


# -- layers of rock ----------------------------------------------------------------------------------------------------

LAYERS = {"rock.enabled": True, "rock.thickness": 80.0, "rock.irregularity": 0.8}


def laid(changes, degrees=55.0):
    """Return a ramp, and a scene with layers of rock whose grid is the ramp's, seen from above."""
    field = ramp(degrees)
    size = {"grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL_M, "grid.size_z": SIDE * CELL_M}
    return field, from_above(field, {**LAYERS, **size, **changes})


@pytest.mark.parametrize("bent", [{}, {"rock.tilt": 20.0, "rock.tilt_azimuth": 30.0}, {"rock.undulation": 60.0}])
def test_the_map_of_rock_shows_the_layers_of_the_masks(renderer, bent):
    """Every cell has the colour that its layer's number stands for, wherever tilt and folds have put it."""
    field, scene = laid({"view.mode": "rock", **bent})
    domain = Domain(scene.grid, scene.noise.seed, (scene.rock,))
    layer = rock.fields(domain, field.heights, np.zeros(1, np.uint8))["rock_layer"]
    pixels = seen(renderer, scene, field)
    near, far = projection.clip_planes(scene.camera, field)
    matrix = projection.view_projection(scene.camera, SIZE, near, far)
    by_layer: dict[float, list[np.ndarray]] = {}
    for r, c in itertools.product(range(8, SIDE - 8, 3), repeat=2):
        if np.ptp(layer[r - 1 : r + 2, c - 1 : c + 2]):
            continue  # a contact
        place = np.array([c * CELL_M, field.heights[r, c], r * CELL_M, 1.0]) @ matrix
        column, row = (0.5 + 0.5 * place[:2] / place[3] * (1, -1)) * SIZE
        by_layer.setdefault(float(layer[r, c]), []).append(pixels[int(row), int(column)])
    assert len(by_layer) >= 5
    means = []
    for colours in by_layer.values():
        means.append(np.median(colours, axis=0))
        assert (
            np.mean(np.abs(np.array(colours) - means[-1]).max(axis=1) <= 8) > 0.8
        )  # beside contacts a pixel covers both
    assert all(np.abs(a - b).max() > 3 for a, b in itertools.combinations(means, 2))


def test_without_layers_the_map_of_rock_is_paper(renderer):
    field, scene = laid({"view.mode": "rock", "rock.enabled": False}, 0.0)
    assert np.ptp(middle(seen(renderer, scene, field))) < 12


@pytest.mark.parametrize("palette", PALETTES)
def test_hard_layers_are_lighter_and_soft_ones_redder(palette):
    scene = Scene().replace({**LAYERS, "rock.thickness": 5.0})
    pile = rock.strata(Domain(scene.grid, scene.noise.seed, (scene.rock,)), 0.0, 1000.0)
    assert pile is not None
    tints = rock_layers.tints(pile, palettes.chosen(Ground(palette=palette)).beds, 0.0, 30.0)
    hard = rock_layers.numbers(pile.looks())[1] > 0
    assert tints[hard].mean() > 1.1 * tints[~hard].mean()
    redness = tints[:, 0] / tints[:, 2]
    assert redness[~hard].mean() >= redness[hard].mean()


def test_layers_show_on_bare_rock_and_not_on_sand(renderer):
    varied = {}
    for degrees, material in ((60.0, "rock"), (5.0, "sand")):
        field, scene = laid({**WHERE, "ground.palette": "desert"}, degrees)
        plain = scene.replace({"rock.enabled": False})
        shown, bare = (seen(renderer, one, field)[40:80, 60:100].astype(float) for one in (scene, plain))
        varied[material] = np.abs(shown - bare).mean()
    assert varied["rock"] > 5 and varied["sand"] < 2


def test_layers_change_with_the_rock_and_not_with_the_camera(renderer, monkeypatch):
    made = []
    whole = RockLayers._make
    monkeypatch.setattr(RockLayers, "_make", lambda *arguments: (made.append(1), whole(*arguments)))
    field, scene = laid(WHERE)
    for number in range(3):
        seen(renderer, scene.replace({"camera.yaw": 10.0 * number, "sun.elevation": 50.0 + number}), field)
    assert len(made) == 1
    seen(renderer, scene.replace({"rock.thickness": 30.0}), field)
    assert len(made) == 2


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
    for table in (cover._LYING, cover._STANDING, cover._CHARACTER):
        assert set(table) == set(MATERIALS)
    walls = {palettes.chosen(Ground(palette=name)).walls for name in PALETTES}
    used = walls | set(cover._LYING.values()) | {cover._STREWN}
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


# -- textures ----------------------------------------------------------------------------------------------------------


def _script():
    path = paths.assets().parent / "scripts" / "make_textures.py"
    if not path.exists():
        pytest.skip("scripts stand in the source tree only")
    spec = importlib.util.spec_from_file_location("make_textures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_textures_are_small_and_all_there():
    files = [paths.assets() / "textures" / f"{name}.png" for name in MATERIALS]
    assert sum(path.stat().st_size for path in files) < 4 << 20


@pytest.mark.parametrize("name", MATERIALS)
def test_textures_tile(name):
    """Across the seam neighbours differ no more than elsewhere."""
    pixels = ground_textures.read(paths.assets() / "textures" / f"{name}.png").astype(float).mean(axis=2)
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean()
        seam = np.abs(np.take(pixels, 0, axis) - np.take(pixels, -1, axis)).mean()
        assert seam < 1.5 * steps


def test_the_script_makes_the_same_textures_again():
    script = _script()
    number = list(script.RECIPES).index("snow")
    made = np.asarray(script.tiling("snow", number).convert("RGB"))
    kept = ground_textures.read(paths.assets() / "textures" / "snow.png")
    assert np.abs(made.astype(int) - kept).max() <= 24  # a step of tone, where another FFT rounds the other way
    assert (made != kept).mean() < 0.01


def test_the_script_makes_the_same_reliefs_again():
    script = _script()
    number = list(script.RELIEFS).index("ripples")
    with Image.open(paths.assets() / "textures" / "reliefs" / "ripples.png") as picture:
        kept = np.asarray(picture).astype(int)
    assert np.abs(np.asarray(script.relief("ripples", number)).astype(int) - kept).max() <= 16  # a step
    assert tuple(script.RELIEFS) == ground_textures.RELIEFS


def test_patches_are_what_the_shader_takes_them_for():
    layers = ground_textures.patches().astype(float)
    assert layers.mean(axis=(0, 1)) == pytest.approx(np.full(4, 127.5), abs=1)
    assert layers.std(axis=(0, 1)) == pytest.approx(np.full(4, 42.0), rel=0.03)


def _picture(mode, size):
    values = np.random.default_rng(1).random((size[1], size[0]))
    if mode == "I;16":
        return Image.fromarray((values * 65535).astype(np.uint16))
    if mode == "F":
        return Image.fromarray(values.astype(np.float32))
    if mode == "I":
        return Image.fromarray((values * 65535).astype(np.int32))
    if mode == "LAB":
        return Image.merge("LAB", [_picture("L", size), *(Image.new("L", size, 128) for _ in "ab")])
    return Image.fromarray((values * 255).astype(np.uint8)).convert(mode)


@pytest.mark.parametrize("mode, suffix", [("L", "png"), ("RGB", "jpg"), ("RGBA", "png"), ("P", "png"), ("1", "png"),
                                          ("I;16", "png"), ("F", "tif"), ("CMYK", "jpg"), ("LA", "png"),
                                          ("CMYK", "tif"), ("YCbCr", "jpg"), ("LAB", "tif"), ("I", "tif"),
                                          ("P", "gif"), ("RGB", "webp"), ("RGB", "bmp"), ("1", "tif")])  # fmt: skip
@pytest.mark.parametrize("size", [(1, 4096), (300, 200)])
def test_pictures_of_any_kind_and_size_are_taken(tmp_path, mode, suffix, size):
    path = tmp_path / f"rock.{suffix}"
    _picture(mode, size).save(path)
    assert ground_textures.found(str(tmp_path)) == {"rock": path}
    layer = ground_textures.read(path)
    assert layer.shape == (ground_textures.SIZE, ground_textures.SIZE, 3)
    if size[0] > 1:
        assert layer.mean() == pytest.approx(127.5, abs=20)


def test_of_a_moving_picture_the_first_frame_is_taken(tmp_path):
    frames = [Image.new("RGB", (32, 32), colour) for colour in ((200, 30, 20), (20, 30, 200))]
    for suffix in ("gif", "png", "webp", "tif"):
        path = tmp_path / f"rock.{suffix}"
        frames[0].save(path, save_all=True, append_images=frames[1:])
        red, _, blue = ground_textures.read(path).reshape(-1, 3).mean(axis=0)
        assert red > 150 and blue < 60, suffix


def test_clear_parts_lie_on_grey_whatever_hides_in_them(tmp_path):
    path = tmp_path / "rock.png"
    Image.new("RGBA", (16, 16), (255, 0, 0, 0)).save(path)
    assert np.abs(ground_textures.read(path).astype(int) - 128).max() <= 1


def test_a_picture_that_no_memory_holds_is_refused_by_its_size(tmp_path):
    """Told from its header alone: 20,000 × 20,000 pixels in 45 bytes."""
    header = struct.pack(">4sIIBBBBB", b"IHDR", 20_000, 20_000, 8, 2, 0, 0, 0)
    path = tmp_path / "rock.png"
    chunks = (header, b"IDAT")
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in chunks)
    )
    with pytest.raises(InputError, match=r"rock\.png: .*pixels: expected at most \d+ a side"):
        ground_textures.read(path)


@pytest.mark.parametrize("fault", ["cut off", "no numbers", "too wide", "a folder", "a link to nothing"])
def test_what_is_no_texture_is_refused_with_its_name_and_the_reason(tmp_path, fault):
    path = tmp_path / ("rock.tif" if fault == "no numbers" else "rock.png")
    if fault == "cut off":
        _picture("RGB", (300, 200)).save(path)
        path.write_bytes(path.read_bytes()[:5000])
    elif fault == "no numbers":
        Image.fromarray(np.full((8, 8), np.nan, np.float32)).save(path)
    elif fault == "too wide":
        Image.new("1", (20_000, 2)).save(path)
    elif fault == "a folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "gone.png")
    with pytest.raises(InputError, match=r"rock\.") as refused:
        ground_textures.read(path)
    assert "\n" not in str(refused.value)


def test_a_persons_picture_takes_the_place_of_a_material_and_keeps_its_colour(renderer, tmp_path):
    Image.new("RGB", (40, 30), (40, 60, 220)).save(tmp_path / "sand.png")
    field = ramp(0.0)
    changes = {**WHERE, "ground.palette": "desert", "sun.light": "#ffffff", "sun.ambient": 0.0}
    scene = from_above(field, {**changes, "ground.textures": str(tmp_path)})
    shown = seen(renderer, scene, field)[40:80, 60:100].mean(axis=(0, 1))
    assert not renderer.take_notices()
    assert np.abs(shown - [40, 60, 220]).max() < 12


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_a_broken_picture_is_refused_in_a_line_and_the_land_is_drawn(renderer, tmp_path, content):
    (tmp_path / "rock.png").write_bytes(content)
    field = ramp(0.0)
    scene = from_above(field, {**WHERE, "ground.textures": str(tmp_path)})
    seen(renderer, scene, field)
    (notice,) = renderer.take_notices()
    assert "rock.png" in notice and "rock keeps its own" in notice and "\n" not in notice
    seen(renderer, scene, field)
    assert not renderer.take_notices()  # told once


@pytest.mark.parametrize("make", [lambda folder: None, lambda folder: folder.mkdir()])
def test_a_folder_without_textures_is_refused_in_a_line(renderer, tmp_path, make):
    folder = tmp_path / "mine"
    make(folder)
    field = ramp(0.0)
    seen(renderer, from_above(field, {**WHERE, "ground.textures": str(folder)}), field)
    (notice,) = renderer.take_notices()
    assert "ground.textures" in notice and "the ground keeps its own" in notice


def test_a_recipe_names_textures_from_where_it_lies(tmp_path):
    scene = Scene().replace({"ground.textures": str(tmp_path / "textures" / "mine")})
    (tmp_path / "a").mkdir()
    scenes.save(tmp_path / "a" / "one.toml", scene)
    text = (tmp_path / "a" / "one.toml").read_text(encoding="utf-8")
    assert 'textures = "../textures/mine"' in text
    assert scenes.load(tmp_path / "a" / "one.toml").ground.textures == str(tmp_path / "textures" / "mine")


def test_a_person_without_materials_reads_no_textures(renderer, eroded, monkeypatch):
    monkeypatch.setattr(ground_textures, "load", lambda *_: pytest.fail("nobody asked for materials"))
    fresh = Renderer(renderer._context)
    seen(fresh, scenes.load("directx-demo"), eroded)


# -- stones ------------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("azimuth, toward", [(90.0, -1), (270.0, 1)])
def test_stones_throw_shadows_away_from_the_sun(renderer, monkeypatch, azimuth, toward):
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
    monkeypatch.setattr(boulders.BoulderPass, "_multiply", lambda *_: None)
    stone = (drawn({}) != bare).any(axis=2)
    shadow = full.sum(axis=2) < 0.7 * unshaded.sum(axis=2)
    assert stone.sum() > 100 and shadow.sum() > 50
    reach = np.arange(1, 9)  # up to 0.7 m
    rows, columns = (axis[:, None] for axis in np.nonzero(shadow[:, 25:-25]))
    sunward, leeward = (stone[rows, columns + 25 + side * toward * reach].any(axis=1).mean() for side in (-1, 1))
    assert sunward > leeward + 0.3


def test_stones_keep_the_sky_from_the_ground_about_them(renderer, monkeypatch):
    """Without any shadow the ground is darker than bare ground in rings about stones, and nowhere else."""
    field = ramp(12.0, 129)
    scene = from_above(field, {**WHERE, "sun.elevation": 35.0, "sun.shadows": False, "ground.boulders": 1.0})
    above = float(field.heights[64, 64]) + 12.0
    scene = scene.with_group(scene.camera.replace(x=640.0, y=above, z=640.0, pitch=-90.0, yaw=0.0))

    def drawn(changes):
        return capture.still(renderer, scene.replace(changes), field, (480, 360), 1)[..., :3].astype(int)

    full, bare = drawn({}), drawn({"ground.boulders": 0.0})
    monkeypatch.setattr(boulders.BoulderPass, "_multiply", lambda *_: None)
    stones_alone = drawn({})
    stone, ring = (stones_alone != bare).any(axis=2), (full != stones_alone).any(axis=2)
    assert stone.sum() > 100 and ring.sum() > 100
    assert (full[ring].sum(axis=1) < bare[ring].sum(axis=1)).mean() > 0.95
    near = stone.copy()
    for axis in (0, 1):
        near = np.any([np.roll(near, shift, axis) for shift in range(-40, 41, 2)], axis=0)
    assert near[ring].mean() > 0.95


def test_under_a_sun_that_is_down_stones_throw_no_shadows(renderer, monkeypatch):
    """Of the passes that darken the ground only that of their contact with it is left."""
    field = ramp(0.0, 129)
    scene = from_above(field, {**WHERE, "sun.elevation": -5.0, "sun.shadows": True, "ground.boulders": 1.0})
    scene = scene.with_group(scene.camera.replace(x=640.0, y=20.0, z=640.0, pitch=-90.0, yaw=0.0))
    darkened = []
    monkeypatch.setattr(boulders.BoulderPass, "_multiply", lambda _, arrays: darkened.append(arrays))
    for elevation in (-5.0, 5.0):
        seen(renderer, scene.replace({"sun.elevation": elevation}), field)
        assert len(darkened) == (1 if elevation < 0 else 3)


def test_small_stones_are_strewn_on_near_ground_and_cost_nothing_far_away(renderer, monkeypatch):
    """They show where a pixel covers 3 cm, and where it covers a metre the picture is the same without them."""
    field = ramp(3.0, 129)
    scene = from_above(field, {**WHERE, "ground.base": "sand", "ground.boulders": 0.3, "sun.elevation": 40.0})
    ground_m = float(field.heights[64, 64])
    changed = {}
    for above_m in (10.0, 600.0):
        each = scene.with_group(scene.camera.replace(x=640.0, y=ground_m + above_m, z=640.0, pitch=-90.0))
        with monkeypatch.context() as patch:
            stony = seen(renderer, each, field)
            patch.setitem(cover._STANDING, "sand", (*cover._STANDING["sand"][:3], 0.0))
            changed[above_m] = (seen(renderer, each, field) != stony).any(axis=2).mean()
    assert changed[10.0] > 0.002 and changed[600.0] == 0


@pytest.mark.parametrize("frames", [4, 16, 64])
def test_frames_of_a_mean_are_sharper_than_one_alone_and_leave_no_gap_along_a_pixel(frames):
    """Along a slanting pixel the frames' shares overlap; a round pixel's side is no finer than their root parts it."""
    alone, one = cover._footprint(0, 1), cover._footprint(3, frames)
    assert one[0] < alone[0] and one[1] < alone[1] == 1
    assert one[0] * one[1] * frames >= 0.5 and one[1] >= frames**-0.5
    assert alone[3] == 0 < one[3] and one[2] == 3


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
