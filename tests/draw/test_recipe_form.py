"""The form of the ground far around a land is what the land's own recipe makes there, at every fineness of the land."""

import itertools

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land import recipe_form
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.recipe_form import BEYOND, CELLS, fitted
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.passes import whole
from fellview.gpu.passes import GridPasses
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.terrain.landforms import registry
from tests.ground_around import Alone
from tests.lands import rolling

SIDE = 96
PLAIN = {
    **dict.fromkeys(("grid.rows", "grid.columns"), SIDE),
    **dict.fromkeys(("grid.size_x", "grid.size_z"), 4000.0),
    "noise.kind": "simplex",
    "noise.frequency": 3.0,
    "noise.amplitude": 500.0,
    "noise.octaves": 5,
    **dict.fromkeys(("perturb.enabled", "erosion.enabled", "smooth.enabled", "water.enabled"), False),
    "view.surroundings": "land",
}
"""A land of noise alone, dry, whose ground goes on."""
BENT = {"perturb.enabled": True, "perturb.mode": "smooth", "perturb.reach": 6.0, "perturb.bend_frequency": 2.0}
RECIPES = ["fjords", "highlands", "rocky-coast", "alpine-range", "canyon", "moonscape"]
"""Presets around which ground goes by the recipe."""


@pytest.fixture(scope="module")
def scene():
    return Scene().replace(PLAIN)


class Around:
    """The heights around lands, as they are carried on."""

    def __init__(self, context):
        self.height_map, self.surroundings = HeightMap(context), Surroundings(context)

    def heights(self, scene, field, *, rough=False):
        """Return what tells heights in metres at places in sides of the land `field`, x and z."""
        if field is not self.height_map.field:
            self.height_map.upload(field)
        self.surroundings.carry_on(scene, self.height_map, rough=rough)
        z_m, x_m = ((side - 1) * cell for side, cell in zip(field.heights.shape, field.cell_size, strict=True))
        return lambda x, z: self.surroundings.heights_at(x * x_m, z * z_m)


@pytest.fixture(scope="module")
def around(context):
    return Around(context)


def squares(first, last, count=60):
    """Return places between `first` and `last`, two (x, z), as x [row, column] and z."""
    return np.meshgrid(*(np.linspace(low, high, count) for low, high in zip(first, last, strict=True)))


def means(values, count=6):
    """Return the means of blocks of `count`² `values`."""
    side = len(values) // count
    return values.reshape(side, count, side, count).mean(axis=(1, 3))


def alike(one, other):
    """Return the correlation of two arrays of one shape."""
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_the_form_is_that_of_a_land_twice_as_wide(around, scene):
    """Of the same recipe in the same metres: its first quarter is the land, the others what lies beyond the border."""
    _as_wide(around, scene, {})


def test_bends_go_on_too(around, scene):
    _as_wide(around, scene.replace(BENT), {"perturb.reach": BENT["perturb.reach"] / 2, "perturb.bend_frequency": 4.0})


def _as_wide(around, scene, changes):
    twice = {name: 2 * PLAIN[name] for name in ("grid.rows", "grid.columns", "grid.size_x", "grid.size_z")}
    wide = generate(scene.replace({**twice, "noise.frequency": 6.0, **changes}), "cpu")
    land = generate(scene, "cpu")
    heights = around.heights(scene, land)
    kept = (SIDE - 1) / SIDE
    for first, last in (((1.15, 0.05), (1.8, 0.95)), ((0.05, 1.15), (0.95, 1.8)), ((1.15, 1.15), (1.8, 1.8))):
        x, z = squares(first, last)
        rows, columns = (np.rint(kept * at * SIDE).astype(int) for at in (z, x))
        assert alike(means(heights(x, z)), means(wide.heights[rows, columns])) > 0.9


@pytest.mark.parametrize("kind", [name for name in registry.names() if registry.get(name).goes_on])
def test_every_landform_that_goes_on_lies_where_it_does_on_the_land(context, scene, kind):
    """So the land itself, of which the form is made anew, agrees with it."""
    grids = GridPasses(context)
    one = scene.replace({"landform1.kind": kind, "landform1.height": 600.0, "landform1.rotation": 25.0, **BENT})
    land = generate(one, "cpu")
    form = recipe_form.RecipeForm(grids)
    texture = grids.texture(SIDE, SIDE, levels=True)
    texture.write(np.ascontiguousarray(land.heights))
    texture.build_mipmaps()
    whole(form.make(recipe_form.groups_of(one), texture, land))
    assert form.agreement == pytest.approx(1.0)


def test_inside_and_at_the_border_the_form_is_the_lands_own():
    rng = np.random.default_rng(5)
    side, first = round((1 + 2 * BEYOND) * CELLS), round(BEYOND * CELLS)
    recipe = 300 * rolling(side, side, 1.0)
    inside = np.s_[first : first + CELLS + 1, first : first + CELLS + 1]
    land = (0.6 * recipe[inside] + 40 + rng.normal(0, 5, (CELLS + 1, CELLS + 1))).astype(np.float32)
    form, agreement = fitted(recipe, land)
    assert form[inside] == pytest.approx(land, abs=1e-3) and agreement == 1.0
    far = np.s_[: first // 3]
    step = np.polyfit(recipe[far].ravel(), form[far].ravel(), 1)
    assert step[0] == pytest.approx(0.6, rel=0.1), "far out it has the land's relief"


@pytest.mark.parametrize("amplitude", [0.0, 80.0])
def test_land_that_its_recipe_does_not_tell_of_is_mirrored(amplitude):
    side = round((1 + 2 * BEYOND) * CELLS)
    _, agreement = fitted(rolling(side, side, 300.0), rolling(CELLS + 1, CELLS + 1, amplitude, seed=4))
    assert agreement == 0.0


@pytest.mark.parametrize(
    "changes",
    [
        {"landform1.kind": "islands"},
        {"edge.enabled": True},
        {"perturb.enabled": True, "perturb.mode": "demo"},
        {"noise.kind": "white"},
        {"noise.enabled": False},
        {"erosion.enabled": True, "erosion.kind": "fluvial", "erosion.uplift": 1.0},
        {"view.surroundings_height": 0.0},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_where_the_recipe_tells_nothing_of_it_ground_does_not_go_by_it(around, scene, changes):
    """Another seed then changes nothing around the same land."""
    land = HeightField(rolling(SIDE, SIDE, 200.0), (40.0, 40.0))
    places = squares((-1.2, -1.2), (2.2, 2.2))
    one, other = (around.heights(scene.replace({**changes, "noise.seed": seed}), land)(*places) for seed in (1, 2))
    assert np.array_equal(one, other)


def test_ground_follows_an_edit_of_the_recipe(context, around, scene):
    """With the land of another seed come other forms, the very ones that a fresh start would have; drafts' too."""
    places = squares((-1.2, -1.2), (2.2, 2.2))
    around.heights(scene, generate(scene, "cpu"))
    other = scene.replace({"noise.seed": 77})
    land = generate(other, "cpu")
    found = around.heights(other, land, rough=True)(*places)
    assert np.array_equal(found, Around(context).heights(other, land, rough=True)(*places))
    assert abs(alike(found, around.heights(scene, generate(scene, "cpu"))(*places))) < 0.5


def test_a_scene_ahead_of_its_land_changes_no_frame_of_a_movement(context, scene):
    """Until the land of the edit is there; at rest the ground around is that of the scene."""
    around, land = Around(context), generate(scene, "cpu")
    places = squares((-1.2, -1.2), (2.2, 2.2))
    around.heights(scene, land, rough=True)
    made = around.surroundings.made
    ahead = scene.replace({"noise.frequency": 3.3})
    around.surroundings.carry_on(ahead, around.height_map, rough=True)
    assert around.surroundings.made == made
    around.surroundings.carry_on(ahead, around.height_map)
    assert around.surroundings.made == made + 1
    again = Around(context).heights(ahead, land)(*places)
    side_m = (SIDE - 1) * land.cell_size[0]
    assert np.array_equal(around.surroundings.heights_at(*(side_m * at for at in places)), again)


@pytest.mark.usefixtures("as_fine_as_drawn")
def test_ground_that_is_given_up_leaves_nothing_in_what_comes_after(context, scene):
    """Pass by pass: the recipe is another's already, and then again the one of the coarse ground that is there."""
    land, ahead = generate(scene, "cpu"), scene.replace({"noise.frequency": 3.3})
    places = [(SIDE - 1) * land.cell_size[0] * at for at in squares((-1.2, -1.2), (2.2, 2.2))]
    alone = Alone(context)
    alone.show(land)
    alone.around(scene, resting=True)
    expected = alone.surroundings.heights_at(*places)
    for passes in (2, 4, 6):
        alone = Alone(context)
        alone.show(land)
        alone.surroundings.carry_on(scene, alone.height_map, rough=True)
        given_up = alone.passes_around(ahead, resting=True)
        assert sum(1 for _ in itertools.islice(given_up, passes)) == passes
        given_up.close()
        alone.around(scene, resting=True)
        assert np.array_equal(alone.surroundings.heights_at(*places), expected)


def test_great_shapes_stay_where_they_are_when_the_hand_rests(around, scene):
    """Ground around a draft has the forms of that around the full land."""
    fine = scene.replace({"grid.rows": 4 * SIDE, "grid.columns": 4 * SIDE})
    land, draft = generate(fine, "cpu"), generate(scene, "cpu")
    places = squares((-1.2, -1.2), (2.2, 2.2), 90)
    before = around.heights(scene, draft, rough=True)(*places)
    longer = (1 - 1 / SIDE) / (1 - 1 / (4 * SIDE))  # the full land's sides, up to the last vertex
    after = around.heights(fine, land)(*(longer * at for at in places))
    low, high = land.height_range
    assert np.sqrt(np.mean((means(after) - means(before)) ** 2)) < 0.03 * (high - low)


def test_walls_come_when_nothing_moves_and_stay_then(around, scene):
    """Where the great shapes of a moving frame lie, as steep as they are on the land, until that is another."""
    gorge = {"landform1.kind": "canyon", "landform1.height": 500.0, "landform1.size": 15.0, "noise.amplitude": 20.0}
    canyon = scene.replace(gorge)
    land = generate(canyon, "cpu")
    places = squares((-0.1, 1.12), (1.1, 2.32), 192)
    moving = around.heights(canyon, land, rough=True)(*places)
    resting = around.heights(canyon, land)(*places)
    side_m = (SIDE - 1) * land.cell_size[0]
    step_m = (places[1][1, 0] - places[1][0, 0]) * side_m

    def steep(heights):
        return np.quantile(np.hypot(*np.gradient(heights, step_m)), 0.97)

    assert steep(resting) > 1.2 * steep(moving)
    assert alike(means(resting, 8), means(moving, 8)) > 0.97
    made = around.surroundings.made
    around.surroundings.carry_on(canyon, around.height_map, rough=True)
    assert around.surroundings.made == made, "a camera's movement makes none"
    around.height_map.upload(HeightField(land.heights + np.float32(1), land.cell_size))
    around.surroundings.carry_on(canyon, around.height_map, rough=True)
    assert around.surroundings.made == made + 1
    assert steep(around.surroundings.heights_at(*(side_m * at for at in places))) < 1.1 * steep(moving)


def test_dunes_have_nothing_of_the_mirror(around, scene):
    """Their lee sides are where the wind blows to on every side of the land, as on it; none is drawn over another."""
    sand = {"landform1.kind": "dunes", "landform1.height": 120.0, "landform1.spacing": 18.0, "noise.amplitude": 2.0}
    dunes = scene.replace(sand | dict.fromkeys(("grid.rows", "grid.columns"), 192))
    heights = around.heights(dunes, generate(dunes, "cpu"))

    def skew(first, last):
        slopes = np.diff(heights(*squares(first, last, 192)), axis=1)
        return np.mean((slopes - slopes.mean()) ** 3) / slopes.std() ** 3

    assert skew((0.0, 0.0), (1.0, 1.0)) < -1.0
    for first, last in (((-1.2, 0.0), (-0.1, 1.0)), ((1.1, 0.0), (2.2, 1.0)), ((0.0, -1.2), (1.0, -0.1))):
        assert skew(first, last) < -0.8


@pytest.mark.slow
@pytest.mark.parametrize("preset", RECIPES)
def test_great_shapes_do_not_repeat_beyond_the_border(around, preset, monkeypatch):
    """Ground some way outside is no more like that as far inside than both sides of lines inside are; a mirror's is."""
    scene = scenes.load(preset).replace(dict.fromkeys(("grid.rows", "grid.columns"), 128))
    land = generate(scene, "cpu")
    own, inside = repeats(around.heights(scene, land))
    monkeypatch.setattr(recipe_form, "goes_on", lambda scene: False)
    mirrored, _ = repeats(around.heights(scene, land))
    assert own < inside + 0.15 and own < mirrored - 0.2


@pytest.mark.parametrize("rivers", [False, True], ids=["dry", "with rivers"])
@pytest.mark.parametrize("rough", [True, False], ids=["in drafts", "at rest"])
def test_great_shapes_turn_back_nowhere_and_stay_as_the_eye_rises(around, scene, rough, rivers):
    """In drafts so once the land has rested: on the horizon nobody looks for them sooner."""
    scene = scene.replace({"water.enabled": rivers, "water.rivers": rivers, "water.sea": False})
    land = generate(scene, "cpu")
    away, along = np.meshgrid(np.linspace(0.2, 2.0, 60), np.linspace(-0.5, 1.5, 60), indexing="ij")

    def far(camera_m):
        """Return wide means of far ground, and of what lies as far before the end of the near form."""
        heights = around.heights(scene.replace({"camera.y": camera_m}), land, rough=rough)
        line = 1 + BEYOND
        return means(heights(line + away, along)), means(heights(line - away, along))

    around.heights(scene, land)
    (low, before_low), (high, before_high) = far(2000.0), far(8000.0)
    assert abs(alike(low, before_low)) < 0.4 and abs(alike(high, before_high)) < 0.4
    assert alike(low, high) > 0.95


def repeats(heights):
    """Return how alike ground is 0.12 to 0.45 sides before and behind the four borders, and lines in the middle."""
    away, along = np.meshgrid(np.linspace(0.12, 0.45, 34), np.linspace(0.0, 1.0, 65), indexing="ij")

    def across(line):
        x = alike(heights(line + away, along), heights(line - away, along))
        return x, alike(heights(along, line + away), heights(along, line - away))

    return np.mean([across(0.0), across(1.0)]), np.mean([across(line) for line in (0.45, 0.5, 0.55)])
