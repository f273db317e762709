"""The land drawn in two steps, and the sky in halves, against the same drawn in one."""

import numpy as np
import pytest

from fellview.capture import capture
from fellview.draw.land.land_pass import LandPass
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.sky.sky import halves
from fellview.io import scenes
from fellview.library import generate
from fellview.view import framing
from tests.sampling import sampled

SIZE = (640, 360)  # many pixels a triangle, so that quads differ at outlines only
WATER = {"water.enabled": True, "water.lakes": True, "water.rivers": True, "water.swash": 2.0}
LOOKS = {
    "demo's texture": {},
    "materials": {"ground.kind": "materials", "ground.snow_line": 200.0},
    "water": WATER,
    "rivers alone": WATER | {"water.sea": False, "water.lakes": False},
    "water drawn higher, in display colours": WATER
    | {"view.exaggeration": 2.0, "sky.kind": "gradient", "air.tone": "none"},
    "a border in the sea": WATER | {"view.border": 20.0},
    "a slab with water": WATER | {"view.stage": "slab"},
    "slopes with contour lines": {"view.mode": "slope", "view.contours": True},
}


@pytest.fixture(scope="module")
def opening():
    return scenes.load(scenes.MEASURED).replace({"grid.rows": 128, "grid.columns": 128})


@pytest.fixture(scope="module")
def land(opening):
    return generate(opening, "cpu")


def apart(renderer, scene, land):
    """Return how far a picture in two steps is from that in one, by pixel, in levels of 255."""
    pictures = []
    renderer.show(land)
    terrain = renderer.draw_pass(LandPass).terrain
    for terrain.in_steps in (False, True):
        pictures.append(renderer.draw(scene, SIZE, 1, full=True).pixels()[..., :3].astype(int))
    assert np.ptp(pictures[0]) > 50
    return abs(pictures[0] - pictures[1]).max(axis=-1)


@sampled("look", LOOKS, quick=4)
def test_in_two_steps_the_land_looks_as_in_one(renderer, opening, land, look):
    """But for texture levels at outlines."""
    assert (apart(renderer, opening.replace(LOOKS[look]), land) > 25).mean() < 0.02


@pytest.mark.parametrize("kind", ["sea", "lakes", "rivers"])
def test_no_water_is_missed_where_land_is_told_to_be_dry(renderer, opening, land, kind):
    """From above, where there are no outlines, with water that nobody can miss."""
    others = {f"water.{name}": name == kind for name in ("sea", "lakes", "rivers")}
    bright = {"water.colour": "#ff00ff", "water.clarity": 0.1, "water.wind": 0.0, "water.river_width": 4.0}
    scene = opening.replace(WATER | others | bright | {"water.lake_fill": 100.0, "air.mist": 0.0})
    scene = scene.with_group(framing.fitted(scene.camera.replace(yaw=0.0, pitch=-90.0), land, SIZE[0] / SIZE[1]))
    off = apart(renderer, scene, land)
    wet, dry = (
        renderer.draw(scene.replace({"water.enabled": on}), SIZE, 1, full=True).pixels()[..., :3].astype(int)
        for on in (True, False)
    )
    shown = abs(wet - dry).max(axis=-1) > 8
    assert shown.mean() > 0.002, "there is none"
    assert (off[shown] > 8).sum() < 0.02 * shown.sum()


@pytest.mark.parametrize(
    "display", [{}, {"sky.kind": "gradient", "air.tone": "none"}], ids=["light", "display colours"]
)
def test_deep_sea_is_drawn_without_its_bed_as_it_is_with_it(renderer, opening, land, display):
    """From above, where there are no outlines, over beds as bright as snow."""
    wet = {"water.enabled": True, "water.lakes": False, "water.rivers": False, "water.clarity": 4.0, "water.swash": 0.2}
    bright = {"ground.kind": "materials", "ground.snow_line": -1e4, "air.mist": 0.0}
    low, high = land.height_range
    scene = opening.replace(wet | bright | display | {"water.sea_level": low + 0.7 * (high - low)})
    scene = scene.with_group(framing.fitted(scene.camera.replace(yaw=0.0, pitch=-90.0), land, SIZE[0] / SIZE[1]))
    assert (apart(renderer, scene, land) > 2).mean() < 0.002


@pytest.mark.parametrize("sea_m", [-1e4, 60.0], ids=["dry", "by the sea"])
def test_a_draft_in_two_steps_looks_as_in_one_with_all_ground_around_it(context, opening, land, sea_m):
    """Places of all ground are there before any of it is lit: each ground has its own."""
    wet = {"water.enabled": sea_m > 0, "water.lakes": False, "water.rivers": False, "water.sea_level": sea_m}
    scene = opening.replace(wet | {"view.surroundings": "land", "ground.kind": "materials"})
    pictures = []
    for in_steps in (False, True):
        renderer = Renderer(context)
        renderer.show(land)
        renderer.draw_pass(LandPass).terrain.in_steps = in_steps
        draft = whole(renderer.passes(scene, SIZE, 1, 0, scale=0.5))
        assert len(renderer.around) > 1
        pictures.append(draft.pixels()[..., :3].astype(int))
    assert (abs(pictures[0] - pictures[1]).max(axis=-1) > 25).mean() < 0.02


def test_a_land_drawn_in_two_steps_follows_the_size_of_the_picture(renderer, opening, land):
    renderer.show(land)
    first = capture.still(renderer, opening, land, SIZE, 1)
    capture.still(renderer, opening, land, (64, 36), 1)
    assert np.array_equal(capture.still(renderer, opening, land, SIZE, 1), first)


@pytest.mark.parametrize(("low", "high"), [(-1.0, 3.0), (3.0, -1.0), (-0.2, 5.0), (0.5, 2.0), (-4.0, -1.0), (0.0, 0.0)])
def test_halves_of_the_sky_are_all_rows_that_rise_and_all_that_fall(low, high):
    """`low` and `high` are how directions rise at the corners at -1 and 3 of clip space."""
    height = 90
    corners = np.array([[0.0, low, 1.0], [1.0, low, 1.0], [0.0, high, 1.0]])
    rises = low + (high - low) * ((2 * (np.arange(height) + 0.5) / height - 1) + 1) / 4
    found = halves(corners, height)
    for half, rows in (("ABOVE", rises >= 0), ("BELOW", rises < 0)):
        first, count = found[half]
        assert np.array_equal(np.flatnonzero(rows), np.arange(first, first + count))
