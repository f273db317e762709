"""Views whose sight lines are parallel: what they show, how hand and picture meet in them, and how they are drawn."""

import dataclasses

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land import level_of_detail
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import BlockGrid, Sight
from fellview.draw.land.screen_error import screen_error_px
from fellview.draw.land.terrain import TerrainPass
from fellview.draw.light.lighting import cut_base, goes_on
from fellview.gpu.uniform_block import UniformBlock
from fellview.io import scenes
from fellview.library import generate
from fellview.scene import recipe
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.view import framing, projection
from fellview.view.controllers import CAMERA_MOVEMENTS, Controller, through_other_lens
from fellview.view.extent import extent
from fellview.view.picking import height_at, hit
from fellview.view.scale import metres_a_pixel, scale_bar, spot_under
from tests.drawn_land import HOLE, surface
from tests.lands import RUGGED

SIZE = (320, 180)
ASPECT = SIZE[0] / SIZE[1]
MIDDLE = (160.0, 90.0)
LENS = Camera(x=100.0, y=90.0, z=-60.0, yaw=10.0, pitch=-30.0)
FLAT = LENS.replace(projection="orthographic", span=150.0)
VIEWS = [(0.0, -90.0), (30.0, -60.0), (200.0, -25.0), (275.0, 0.0)]


def hills():
    z, x = np.mgrid[:101, :121]
    return HeightField((12 * np.sin(x / 9) * np.cos(z / 7)).astype(np.float32), (2.0, 2.0))


HILLS = hills()


@pytest.fixture(scope="module")
def land():
    return generate(scenes.load(RUGGED).replace({"grid.rows": 385, "grid.columns": 400}))


def matrix_of(camera, field):
    return projection.view_projection(camera, SIZE, *projection.clip_planes(camera, field)).astype(np.float64)


def pixels(renderer, scene, field):
    renderer.show(field)
    return renderer.draw(scene, SIZE, 4).pixels()[..., :3].astype(int)


def test_an_eye_among_hills_looks_down_when_sight_lines_become_parallel():
    for x, z, pitch, expected in (
        (100.0, 100.0, 4.0, -25.0), (100.0, 100.0, -25.5, -25.5), (100.0, -60.0, 4.0, 0.0), (100.0, -60.0, -8.0, -8.0)
    ):  # fmt: skip
        flat = through_other_lens(LENS.replace(x=x, z=z, y=20.0, pitch=pitch), SIZE, HILLS)
        assert flat.pitch == expected


def test_parallel_lines_stay_parallel_and_as_long_wherever_they_are():
    random = np.random.default_rng(3)
    starts, way = random.uniform(-500, 500, (50, 3)), np.array([30.0, 7.0, -11.0])
    for yaw, pitch in VIEWS:
        camera = FLAT.replace(yaw=yaw, pitch=pitch)
        shown = [
            np.subtract(projection.project(camera, SIZE, at + way), projection.project(camera, SIZE, at))
            for at in starts
        ]
        np.testing.assert_allclose(shown, [shown[0]] * len(shown), atol=1e-9)
        assert np.hypot(*shown[0]) > 1


@pytest.mark.parametrize(("yaw", "pitch"), VIEWS)
def test_matrix_and_project_show_a_point_at_one_place(yaw, pitch):
    camera = FLAT.replace(yaw=yaw, pitch=pitch)
    points = np.random.default_rng(4).uniform(extent(HILLS).low, extent(HILLS).high, (40, 3))
    clip = np.concatenate([points, np.ones((40, 1))], axis=1) @ matrix_of(camera, HILLS)
    assert (clip[:, 3] == 1).all() and (np.abs(clip[:, 2]) < 1).all()
    found = (clip[:, :2] * [1, -1] + 1) / 2 * SIZE
    np.testing.assert_allclose(found, [projection.project(camera, SIZE, p) for p in points], atol=1e-2)


@pytest.mark.parametrize("away", [-3000.0, 0.0, 5.0, 40_000.0])
def test_the_planes_hold_all_of_the_land_wherever_the_eye_is(away):
    for yaw, pitch in VIEWS:
        camera = FLAT.replace(yaw=yaw, pitch=pitch, mode="demo")
        x, y, z = projection.eye(camera) - away * projection.forward(camera)
        near, far = projection.clip_planes(camera.replace(x=x, y=y, z=z), HILLS, base=-40.0, around_m=700.0)
        box = extent(HILLS)
        for corner in np.ndindex(2, 2, 2):
            low, high = np.minimum(box.low, [0, -40.0, 0]) - [700.0, 0, 700.0], box.high
            at = np.where(corner, high, low)
            assert near < (at - [x, y, z]) @ projection.forward(camera) < far


@pytest.mark.parametrize(
    "start", [LENS, LENS.replace(z=60.0, pitch=-75.0, field_of_view=20.0), LENS.replace(x=0.0, yaw=40.0)]
)
def test_what_is_in_the_middle_stays_there_and_as_large_through_the_other_lens(start):
    point = hit(HILLS, *projection.ray(start, SIZE, MIDDLE))
    flat = through_other_lens(start, SIZE, HILLS)
    assert flat.is_parallel
    assert projection.project(flat, SIZE, point) == pytest.approx(MIDDLE, abs=1e-6)
    assert metres_a_pixel(flat, SIZE, point) == pytest.approx(metres_a_pixel(start, SIZE, point), rel=1e-9)
    back = through_other_lens(flat, SIZE, HILLS)
    np.testing.assert_allclose(projection.eye(back), projection.eye(start), atol=1e-6)
    assert (back.projection, back.yaw, back.pitch) == ("perspective", start.yaw, start.pitch)


def test_a_view_up_to_the_sky_becomes_a_level_one():
    flat = through_other_lens(LENS.replace(pitch=20.0), SIZE, HILLS)
    assert flat.pitch == 0 and flat.span > 0


@pytest.mark.parametrize(("yaw", "pitch"), [*VIEWS[:2], (200.0, -40.0)])  # slopes are of 34° at most
def test_the_ground_under_a_cursor_is_the_ground_that_was_shown_there(yaw, pitch):
    camera = framing.fitted(FLAT.replace(yaw=yaw, pitch=pitch), HILLS, ASPECT)
    for x, z in np.random.default_rng(5).uniform(5, 190, (20, 2)):
        cursor = projection.project(camera, SIZE, (x, height_at(HILLS, x, z), z))
        spot = spot_under(HILLS, HILLS, camera, SIZE, cursor)
        assert projection.project(camera, SIZE, (spot.x, spot.height, spot.z)) == pytest.approx(cursor, abs=1e-4)
        assert (spot.x, spot.z) == pytest.approx((x, z), abs=1e-4)


def test_on_a_map_the_scale_bar_is_true_everywhere():
    camera = framing.top(FLAT, HILLS, ASPECT)
    metres, length = scale_bar(HILLS, camera, SIZE)
    for x, z in ((0.0, 0.0), (120.0, 100.0), (200.0, 190.0)):
        one, other = (projection.project(camera, SIZE, (at, height_at(HILLS, at, z), z)) for at in (x, x + metres))
        assert np.subtract(other, one) == pytest.approx((length, 0.0), abs=1e-6)


def test_framed_land_fills_the_picture_and_is_all_in_it():
    box = extent(HILLS)
    corners = [np.where(corner, box.high, box.low) for corner in np.ndindex(2, 2, 2)]
    for size in (SIZE, (72, 180)):
        for view in (framing.fitted, framing.top, framing.front, framing.side):
            camera = view(FLAT.replace(yaw=30.0), HILLS, size[0] / size[1])
            shown = np.array([projection.project(camera, size, at) for at in corners]) / size
            assert shown.min() >= 0.0249 and shown.max() <= 0.9751
            assert np.ptp(shown, axis=0).max() == pytest.approx(0.95)


class TestHand:
    cursor = (200.0, 110.0)

    def grabbed(self):
        return hit(HILLS, *projection.ray(FLAT, SIZE, self.cursor))

    def test_the_wheel_shows_less_about_the_point_under_the_cursor(self):
        controller, point = Controller(), self.grabbed()
        near = controller.wheel(FLAT, SIZE, 3, self.cursor, HILLS)
        assert near.span == pytest.approx(FLAT.span * 0.9**3)
        assert projection.project(near, SIZE, point) == pytest.approx(self.cursor, abs=1e-5)
        back = controller.wheel(near, SIZE, -3, self.cursor, HILLS)
        assert back.span == pytest.approx(FLAT.span)
        np.testing.assert_allclose(projection.eye(back), projection.eye(FLAT), atol=1e-5)

    def test_no_number_of_notches_leaves_the_limits(self):
        camera = FLAT
        for notches in (1e9, -1e9, -1e9, -1e9):
            camera = Controller().wheel(camera, SIZE, notches, MIDDLE, HILLS)
            assert np.isfinite(projection.eye(camera)).all()

    def test_a_pan_holds_the_ground_under_the_cursor(self):
        controller, point = Controller(), self.grabbed()
        controller.begin_drag("pan", FLAT, SIZE, self.cursor, HILLS)
        camera = controller.drag(FLAT, SIZE, (90.0, 60.0), HILLS)
        assert projection.project(camera, SIZE, point) == pytest.approx((90.0, 60.0), abs=1e-5)

    @pytest.mark.parametrize("kind", ["orbit", "look"])
    def test_a_turn_is_about_the_ground_under_the_cursor_and_never_from_beneath(self, kind):
        controller, point, camera = Controller(), self.grabbed(), FLAT
        controller.begin_drag(kind, FLAT, SIZE, self.cursor, HILLS)
        for to in ((230.0, 90.0), (300.0, -400.0), (10.0, 900.0)):
            camera = controller.drag(camera, SIZE, to, HILLS)
            assert projection.project(camera, SIZE, point) == pytest.approx(self.cursor, abs=1e-4)
            assert -89 <= camera.pitch <= 0
        assert camera.yaw != FLAT.yaw

    def test_keys_cross_the_view_in_two_seconds(self):
        for movement in CAMERA_MOVEMENTS:
            controller = Controller()
            controller.press(movement)
            moved = controller.advance(FLAT.replace(pitch=-90.0), 0.1, HILLS)
            way = projection.eye(moved) - projection.eye(FLAT)
            assert np.linalg.norm(way) == pytest.approx(FLAT.span / 20)
            if movement in ("forward", "up"):  # on a map both are up the picture
                at = projection.project(moved, SIZE, projection.eye(FLAT))
                assert at == pytest.approx((MIDDLE[0], MIDDLE[1] + SIZE[1] / 20))


def test_recipes_keep_the_projection_and_older_ones_have_a_lens():
    scene = Scene().replace({"camera.projection": "orthographic", "camera.span": 1234.5})
    text = recipe.to_text(scene)
    assert recipe.from_text(text)[0] == scene
    older = "\n".join(line for line in text.splitlines() if not line.startswith(("projection", "span")))
    assert recipe.from_text(older)[0].camera.projection == "perspective"


def test_no_block_in_view_is_left_out_and_levels_are_as_fine_as_pixels(context, land):
    height_map, terrain = HeightMap(context), TerrainPass(context, UniformBlock("Look", ()))
    height_map.upload(land)
    coarse = 0
    for yaw, pitch in VIEWS:
        for share in (1.0, 0.2):
            camera = framing.fitted(FLAT.replace(yaw=yaw, pitch=pitch), land, ASPECT)
            camera = camera.replace(span=share * camera.span)
            matrix = matrix_of(camera, land)
            blocks = BlockGrid(height_map.detail, land.heights.shape, land.cell_size)
            drawn = level_of_detail.select_blocks(blocks, Sight(matrix, SIZE))
            found = surface(context, height_map, drawn, 1)
            z, x = np.mgrid[: land.rows - 1, : land.columns - 1] + 0.5
            heights = 0.5 * (land.heights[:-1, :-1] + land.heights[1:, 1:])
            ground = np.stack([x * land.cell_size[1], heights, z * land.cell_size[0], np.ones_like(x)], axis=-1)
            inside = (np.abs(ground @ matrix) <= 1).all(axis=-1)
            assert inside.any() and (found != HOLE)[inside].all()
            apart = screen_error_px(terrain, height_map, drawn, Sight(matrix, SIZE))
            assert np.quantile(apart, 0.999) <= level_of_detail.ERROR_PX and apart.max() <= 2 * level_of_detail.ERROR_PX
            coarse += int((drawn.levels >= 1).sum())
    assert coarse > 50, "the test is of levels of detail, not of the full grid"


def test_where_the_eye_stands_along_the_view_changes_nothing(renderer, land):
    scene = scenes.load(RUGGED)
    camera = framing.fitted(FLAT.replace(yaw=30.0, pitch=-35.0), land, ASPECT)
    pictures = []
    for away in (0.0, 900.0, -900.0):
        x, y, z = projection.eye(camera) - away * projection.forward(camera)
        pictures.append(pixels(renderer, dataclasses.replace(scene, camera=camera.replace(x=x, y=y, z=z)), land))
    for other in pictures[1:]:
        assert np.abs(other - pictures[0]).mean() < 0.5


def test_air_and_clouds_do_not_dim_a_map(renderer, land):
    scene = scenes.load(RUGGED)
    scene = dataclasses.replace(scene, camera=framing.top(FLAT, land, ASPECT))
    clear, thick = (
        pixels(renderer, scene.replace({"air.mist": mist, "view.surroundings": "plain"}), land) for mist in (0.0, 1.0)
    )
    np.testing.assert_array_equal(clear, thick)
    dim = pixels(renderer, scene.replace({"air.mist": 1.0, "camera.projection": "perspective"}), land)
    assert clear.std() > 2 * dim.std(), "the same mist hides the land from an eye"


def test_the_ground_stays_as_it_is_drawn_through_a_lens_from_far_off(renderer, land):
    """With the same light a long lens from afar and parallel sight lines show the same picture."""
    scene = scenes.load(RUGGED).replace({"view.stage": "slab", "view.surroundings": "plain"})
    flat = framing.fitted(FLAT.replace(yaw=40.0, pitch=-40.0, field_of_view=1.0), land, ASPECT, -500.0)
    long = through_other_lens(flat, SIZE, land)
    one, other = (pixels(renderer, dataclasses.replace(scene, camera=each), land) for each in (flat, long))
    # at 57 heights of the picture, places half a picture before the middle are a hundredth larger
    assert np.abs(one - other).mean() < 6
    assert np.abs(one - other)[60:120, 100:220].mean() < 4


def near_side(camera, field, height_m):
    """Return the pixels (row, column) of places at one height on the side of `field` that +z looks at."""
    x = np.linspace(0.1, 0.9, 9) * (field.columns - 1) * field.cell_size[1]
    places = [projection.project(camera, SIZE, (at, height_m, 0.0)) for at in x]
    return tuple(np.floor(np.array(places)[:, ::-1]).astype(int).T)


BLACK_SKY = {"sky.kind": "space", "sun.azimuth": 200.0, "sun.elevation": 40.0}


@pytest.mark.parametrize("pitch", [-40.0, -10.0, 0.0])
def test_a_land_alone_has_sides_down_to_its_base(renderer, pitch):
    scene = Scene().replace(BLACK_SKY)
    view = framing.fitted if pitch < 0 else framing.front
    camera = view(FLAT.replace(yaw=0.0, pitch=pitch), HILLS, ASPECT, -40.0)
    scene = scene.with_group(camera)
    base = cut_base(scene, HILLS)
    assert base < extent(HILLS).low[1]
    shown = pixels(renderer, scene, HILLS)
    for height in (base + 2.0, -13.0):  # under the lowest ground
        assert shown[near_side(camera, HILLS, height)].sum(axis=-1).min() > 20
    below = near_side(camera, HILLS, base - 3.0)
    assert shown[below].max() == 0
    assert cut_base(scene.replace({"camera.projection": "perspective"}), HILLS) is None


def test_sides_end_at_the_sea(renderer):
    scene = Scene().replace({**BLACK_SKY, "water.enabled": True, "water.sea_level": -20.0, "water.wind": 0.0})
    camera = framing.fitted(FLAT.replace(yaw=0.0, pitch=-15.0), HILLS, ASPECT, -40.0)
    scene = scene.with_group(camera)
    assert cut_base(scene, HILLS) == -20.0
    shown = pixels(renderer, scene, HILLS)
    rock, sea = (shown[near_side(camera, HILLS, height)] for height in (-15.0, -27.0))
    assert (rock[:, 0] > rock[:, 2]).all() and (sea[:, 2] > sea[:, 0]).all(), "one is brown, the other blue"


@pytest.mark.parametrize("view", [framing.front, framing.side])
@pytest.mark.parametrize("around", ["plain", "land", "sea"])
def test_an_elevation_shows_the_land_alone(renderer, view, around):
    """Above its outline is a black sky, and so it is beyond its sides and under its base; what is left is the land."""
    beyond = {"view.surroundings": "land" if around == "land" else "plain", "water.enabled": around == "sea"}
    scene = Scene().replace(BLACK_SKY | beyond | {"water.sea_level": -4.0, "sun.ambient": 0.5})
    ramp = HeightField(np.linspace(10, 30, 101 * 121, dtype=np.float32).reshape(101, 121), (2.0, 2.0))
    camera = view(LENS, ramp, ASPECT, cut_base(scene.with_group(view(LENS, ramp, ASPECT)), ramp))
    shown = pixels(renderer, scene.with_group(camera), ramp).sum(axis=-1)
    rows, columns = np.nonzero(shown > 6)
    corners = [(x, y, z) for x in (0, 240) for y in (cut_base(scene.with_group(camera), ramp), 30) for z in (0, 200)]
    outline = np.array([projection.project(camera, SIZE, corner) for corner in corners])
    assert (columns.min(), rows.min()) == pytest.approx(outline.min(axis=0), abs=1.5)
    assert (columns.max() + 1, rows.max() + 1) == pytest.approx(outline.max(axis=0), abs=1.5)


@pytest.mark.parametrize(
    ("view", "in_sea", "beside"),
    [  # in (x, z): through the sea out at the other side, and from the side on to a ridge under it
        (framing.front, ((20.0, 0.0), (220.0, 0.0)), (-3.0, 0.0)),
        (framing.side, ((240.0, 40.0), (240.0, 160.0)), (240.0, -3.0)),
    ],
)
def test_in_an_elevation_the_sea_ends_at_the_sides_of_the_land(renderer, view, in_sea, beside):
    ridge = np.where(abs(np.arange(121) - 60) < 20, 10.0, -20.0)
    field = HeightField(np.tile(ridge, (101, 1)).astype(np.float32), (2.0, 2.0))
    scene = Scene().replace({**BLACK_SKY, "water.enabled": True, "water.sea_level": 0.0, "water.wind": 0.0})
    camera = view(LENS, field, ASPECT, -60.0)
    shown = pixels(renderer, scene.with_group(camera), field)

    def at(place, height):
        column, row = projection.project(camera, SIZE, (place[0], height, place[1]))
        return shown[int(row), int(column)]

    for place in in_sea:
        red, _, blue = at(place, -8.0)
        assert blue > red + 10
    assert at(beside, -8.0).max() == 0


def test_land_around_is_shown_as_long_as_it_hides_nothing():
    scene = Scene().replace({"view.surroundings": "land"})
    for pitch, around in ((-90.0, True), (-21.0, True), (-19.0, False), (0.0, False)):
        there = scene.with_group(FLAT.replace(pitch=pitch))
        assert goes_on(there) == around == (cut_base(there, HILLS) is None)
    study = scene.with_group(FLAT.replace(pitch=-60.0)).replace({"view.mode": "slope"})
    assert not goes_on(study) and cut_base(study, HILLS) is not None
