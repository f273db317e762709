"""The look that a window draws until shaders are compiled: of any scene, and of few shaders."""

import numpy as np
import pytest

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.colour import LUMINANCE
from fellview.draw.ground.plain_picture import PlainScene
from fellview.draw.light.estimate import estimate
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.simple_look import simple
from fellview.gpu import programs
from fellview.io import scenes
from fellview.library import generate
from tests.sampling import sampled

pytestmark = pytest.mark.usefixtures("half_as_fine", "coarse_light")

SIZE = (96, 64)
CELLS = 128  # a side
MOST_PROGRAMS = 3  # of land and sky: each takes software OpenGL some tenths of a second
LEVEL, HUE = 0.08, 0.1  # of display colours from 0 to 1, by which pictures in both looks differ on the mean


def mean_colour(renderer: Renderer, scene, field: HeightField) -> np.ndarray:
    return capture.still(renderer, scene, field, SIZE, samples=1)[..., :3].mean((0, 1)) / 255


@sampled("preset", scenes.presets(), quick=1)
def test_picture_has_about_the_mean_colour_of_the_full_one(preset, renderer):
    scene = scenes.load(preset)
    if preset != "directx-demo":
        scene = scene.replace({"grid.rows": CELLS, "grid.columns": CELLS})
    field = generate(scene, "cpu")
    drawn, wanted = (mean_colour(renderer, one, field) for one in (simple(scene), scene))
    differs = drawn - wanted
    level = float(LUMINANCE @ differs)
    assert abs(level) < LEVEL
    assert np.abs(differs - level).max() < HUE


@pytest.mark.parametrize("preset", scenes.presets())
def test_estimated_light_shows_every_hour(preset):
    scene = scenes.load(preset)
    shown = []
    for elevation in (90.0, 20.0, 0.5, -3.0, -20.0):
        light = estimate(scene.replace({"sun.elevation": elevation}))
        assert (light.shade <= light.level + 1e-12).all()
        shown.append(float(LUMINANCE @ light.shown(0.2 * light.level)))
    assert np.isfinite(shown).all() and min(shown) > 0.003, (
        "a level of the screen, and some more in the light of a night"
    )
    assert shown[0] > shown[1] > max(shown[2:])
    for elevation in (90.0, -20.0):
        assert simple(scene.replace({"sun.elevation": elevation})).name == scene.name


def test_snow_and_sea_lie_where_the_scene_has_them():
    scene = scenes.load("fjords").replace(
        {"water.sea_level": 0.0, "ground.snow_line": 100.0, "ground.sand_height": -1e4}
    )
    look = simple(scene)
    assert isinstance(look, PlainScene) and look.colours is not None
    heights = np.repeat(np.float32([-50.0, 20.0, 2000.0]), 40)[:, None] * np.ones((1, 8), np.float32)
    picture = look.colours.picture(HeightField(heights, (1e4, 1e4))).astype(float)
    rows = len(picture)
    sea, land, snow = (picture[int(rows * share)].mean(0) for share in (1 / 6, 3 / 6, 5 / 6))
    assert sea[2] > sea[0] + 30, "the sea is blue"
    assert snow.min() > land.max() + 30, "snow is bright"
    bare = simple(scene.replace({"water.enabled": False, "ground.snow_line": 20_000.0}))
    assert isinstance(bare, PlainScene) and bare.colours is not None
    plain = bare.colours.picture(HeightField(heights, (1e4, 1e4)))
    assert np.ptp(plain[[int(rows * share) for share in (1 / 6, 3 / 6, 5 / 6)]].astype(int), axis=0).max() == 0


@pytest.mark.parametrize("cells", (32, 64, 100, 700, 1024))
def test_even_hillside_has_the_same_ground_and_snow_at_every_fineness(cells):
    scene = scenes.load("fjords").replace({"water.enabled": False, "ground.snow_line": 4000.0})
    look = simple(scene)
    assert isinstance(look, PlainScene) and look.colours is not None
    side_m = 10_000.0

    def picture(count: int) -> np.ndarray:
        """Return the picture of a hillside at the slope where ground turns into rock, so that both show in it."""
        along = np.tan(np.radians(look.colours.borders[1])) * side_m * np.arange(count) / count
        heights = np.broadcast_to(along.astype(np.float32), (count, count))
        return look.colours.picture(HeightField(heights, (side_m / count, side_m / count))).astype(int)

    wanted, found = picture(512), picture(cells)
    short_of_last = np.s_[:, : -512 // cells - 1]  # where heights of a coarse land end
    assert np.ptp(wanted[short_of_last][..., 0]) > 50, "there is snow, and land without"
    assert np.abs(found - wanted)[short_of_last].max() <= 1


def test_what_is_drawn_on_level_ground_leaves_none_and_has_made_all_programs(context):
    scene = simple(scenes.load(scenes.OPENING_PRESET))
    renderer = Renderer(context)
    renderer.draw(scene, SIZE, 1)
    made = []
    with programs.told(lambda built: made.append(built.fragment)):
        rehearsal = renderer.on_level_ground(scene, renderer.passes(scene, SIZE, 1, 0, scale=0.5))
        while next(rehearsal, ...) is not ...:
            assert renderer.field is None
        assert renderer.field is None
    assert 0 < sum(name.startswith(("draw/land/", "draw/sky/")) for name in made) <= MOST_PROGRAMS
    rng = np.random.default_rng(1)
    renderer.show(HeightField(rng.uniform(0, 100, (64, 64)).astype(np.float32), (30.0, 30.0)))
    with programs.told(lambda built: pytest.fail(f"made {built.fragment}")):
        whole(renderer.passes(scene, SIZE, 1, 0, scale=0.5))
