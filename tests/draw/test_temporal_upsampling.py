"""Pictures of what moves, drawn smaller and sharpened with those before: near the whole picture, and without ghosts."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.land.land_pass import LandPass
from fellview.draw.land.terrain import draft_error_px
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.scene.scene import Scene
from tests.lands import rolling

SIZE = (240, 150)
SCALE = 0.5
SEEN = {
    "grid.rows": 256, "grid.columns": 256, "grid.size_x": 4000.0, "grid.size_z": 4000.0,
    "ground.kind": "materials", "ground.boulders": 0.0, "sun.shadows": True, "sky.kind": "physical",
    "air.tone": "filmic", "camera.x": 2000.0, "camera.y": 560.0, "camera.z": 900.0, "camera.yaw": 10.0,
    "camera.pitch": -14.0,
}  # fmt: skip
VIEWS = {
    "perspective": SEEN,
    "parallel": {**SEEN, "camera.projection": "orthographic"},
    "display colours": {**SEEN, "sky.kind": "gradient", "air.tone": "none"},
}


@pytest.fixture(scope="module")
def land():
    return HeightField(rolling(256, 256, 300.0, octaves=6) + np.float32(200), (4000 / 256, 4000 / 256))


def fresh(context, land):
    renderer = Renderer(context)
    renderer.show(land)
    return renderer


def moving(renderer, scene, scale=SCALE):
    return whole(renderer.passes(scene, SIZE, 1, 0, scale=scale)).pixels()


def turned(scene, degrees):
    return scene.with_group(scene.camera.replace(yaw=scene.camera.yaw + degrees))


def psnr(one, other):
    return 10 * np.log10(255**2 / np.mean((one.astype(float) - other) ** 2))


@pytest.mark.parametrize("changes", VIEWS.values(), ids=VIEWS)
def test_a_view_that_stands_comes_near_the_picture_of_all_its_pixels(context, land, changes):
    scene, renderer = Scene().replace(changes), fresh(context, land)
    first = moving(renderer, scene)
    later = [moving(renderer, scene) for _ in range(16)][-1]
    goal = renderer.draw(scene, SIZE, 16).pixels()
    assert psnr(later, goal) > psnr(first, goal) + 0.8


@pytest.mark.parametrize("degrees", [0.5, 2.0])
def test_an_eye_that_turns_sees_more_than_the_small_frame_shows(context, land, degrees):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    views = [turned(scene, degrees * number) for number in range(12)]
    pictures = [moving(renderer, view) for view in views]
    alone = [moving(fresh(context, land), view) for view in views[-2:]]
    goals = [renderer.draw(view, SIZE, 16).pixels() for view in views[-2:]]
    with_those_before = np.mean([psnr(one, goal) for one, goal in zip(pictures[-2:], goals, strict=True)])
    assert with_those_before > np.mean([psnr(one, goal) for one, goal in zip(alone, goals, strict=True)]) + 0.3


def test_larger_frames_have_a_finer_mesh_too(context, land):
    """Blocks around the land by their errors, and the land by the pixels that splits change, each in a frame's own."""
    scene, renderer, least_px = Scene().replace(SEEN), fresh(context, land), []
    for scale in (0.28, 0.4, 0.5):
        moving(renderer, scene, scale)
        least_px.append(renderer.draw_pass(LandPass).terrain.draft_mesh.newest.least_px)
    assert least_px[0] > 1.2 * least_px[1] > 1.2 * least_px[2] > 0
    errors_px = [draft_error_px(scale) for scale in (0.28, 0.4, 0.5)]
    assert errors_px[0] > 1.2 * errors_px[1] > 1.2 * errors_px[2] > 0


def test_what_rested_stays_sharp_when_it_begins_to_move(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    alone = moving(renderer, scene)
    rested = renderer.draw(scene, SIZE, 16).pixels()
    goal = renderer.draw(turned(scene, 0.2), SIZE, 16).pixels()
    renderer.draw(scene, SIZE, 16)
    assert psnr(moving(renderer, turned(scene, 0.2)), goal) > psnr(alone, rested) + 2


def test_another_view_leaves_nothing_of_the_one_before(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    for _ in range(4):
        moving(renderer, scene)
    away = turned(scene, 100.0)
    goal = renderer.draw(away, SIZE, 16).pixels()
    for _ in range(4):
        moving(renderer, scene)
    assert psnr(moving(renderer, away), goal) > psnr(moving(fresh(context, land), away), goal) - 0.5


def test_land_that_changes_leaves_little_of_the_land_before(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    others = [HeightField(np.roll(land.heights, 12 * number, axis=1), land.cell_size) for number in (1, 2, 3)]
    for _ in range(4):
        moving(renderer, scene)
    for other in others:
        renderer.show(other)
        found, alone = moving(renderer, scene), moving(fresh(context, other), scene)
        goal = fresh(context, other).draw(scene, SIZE, 16).pixels()
        assert psnr(found, goal) > psnr(alone, goal) - 1.0


def test_light_that_changes_leaves_no_trace_after_four_frames(context, land):
    scene = Scene().replace(SEEN)
    dark = scene.with_group(scene.sun.replace(azimuth=(scene.sun.azimuth + 150) % 360, elevation=4.0))
    renderer = fresh(context, land)
    for _ in range(4):
        moving(renderer, scene)
    found = [moving(renderer, dark) for _ in range(4)][-1]
    goal = renderer.draw(dark, SIZE, 16).pixels()
    alone = moving(fresh(context, land), dark)
    assert abs(found.mean() - goal.mean()) < 3 and psnr(found, goal) > psnr(alone, goal) - 1.0


def test_whole_pictures_are_what_they_are_after_any_movement(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    expected = renderer.draw(scene, SIZE, 4).pixels()
    moving(renderer, turned(scene, 5.0))
    np.testing.assert_array_equal(renderer.draw(scene, SIZE, 4).pixels(), expected)
    np.testing.assert_array_equal(moving(renderer, scene, 1.0), renderer.refine(scene, SIZE, 1, 0).pixels())


def test_marks_over_it_are_sharp_and_stay_behind(context, land):
    scene, renderer = Scene().replace({**SEEN, "view.scale_bar": True, "view.north_arrow": True}), fresh(context, land)
    bare = scene.with_group(scene.view.replace(scale_bar=False, north_arrow=False))
    marked, goal = moving(renderer, scene), renderer.refine(scene, SIZE, 1, 0).pixels()
    white = (goal > 250).all(axis=-1) & ~(renderer.refine(bare, SIZE, 1, 0).pixels() > 250).all(axis=-1)
    assert white.sum() > 50 and (marked[white] > 250).all()
    expected = moving(fresh(context, land), bare)
    assert psnr(moving(renderer, bare), expected) > 25 and not (moving(renderer, bare)[white] > 250).all(axis=-1).any()


def test_a_window_of_another_size_begins_anew(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    moving(renderer, scene)
    wide = (SIZE[0] + 40, SIZE[1])
    target = whole(renderer.passes(scene, wide, 1, 0, scale=SCALE))
    assert target.size == wide
    goal = renderer.draw(scene, wide, 4).pixels()
    assert abs(target.pixels().mean() - goal.mean()) < 3


def rested(renderer, scene):
    moving(renderer, scene)  # pictures are kept from the first movement on
    return renderer.draw(scene, SIZE, 16).pixels()


def swung(renderer, scene, degrees, frames):
    """Return the last picture of an eye that has rested and then turned by so many degrees a frame."""
    rested(renderer, scene)
    return [moving(renderer, turned(scene, degrees * (number + 1))) for number in range(frames)][-1]


def test_an_eye_that_turns_goes_on_to_see_sharply_what_it_has_rested_on(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    found = swung(renderer, scene, 0.2, 12)
    end = turned(scene, 2.4)
    goal, single = rested(renderer, end), renderer.draw(end, SIZE, 1).pixels()
    assert psnr(found, goal) > psnr(single, goal)


def test_what_has_left_the_view_is_sharp_when_it_comes_back(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    goal = rested(renderer, scene)
    away = [turned(scene, degrees) for degrees in (8.0, 16.0, 24.0, 16.0, 8.0)]
    for view in away:
        moving(renderer, view)
    single = fresh(context, land).draw(scene, SIZE, 1).pixels()
    assert psnr(moving(renderer, scene), goal) > psnr(single, goal)


@pytest.mark.parametrize("changes", [{"camera.z": 1000.0}, {"camera.y": 700.0}])
def test_an_eye_that_moves_trusts_frames_as_ever(context, land, changes):
    """Parallax hides and shows; whatever the turn began with is forgotten."""
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    swung(renderer, scene, 1.0, 3)
    there = turned(scene, 4.0).replace(changes)
    found, alone = moving(renderer, there), moving(fresh(context, land), there)
    goal = rested(renderer, there)
    assert psnr(found, goal) > psnr(alone, goal) - 0.7


def test_light_that_changes_while_the_eye_turns_leaves_no_trace(context, land):
    scene, renderer = Scene().replace(SEEN), fresh(context, land)
    swung(renderer, scene, 1.0, 3)
    dark = scene.with_group(scene.sun.replace(azimuth=(scene.sun.azimuth + 150) % 360, elevation=4.0))
    for number in range(4):
        found = moving(renderer, turned(dark, 4.0 + number))
    end = turned(dark, 7.0)
    goal, alone = rested(renderer, end), moving(fresh(context, land), end)
    assert abs(found.mean() - goal.mean()) < 3 and psnr(found, goal) > psnr(alone, goal) - 1.0


def test_parallel_sight_lines_show_other_places_when_they_turn(context, land):
    scene, renderer = Scene().replace(VIEWS["parallel"]), fresh(context, land)
    found, end = swung(renderer, scene, 4.0, 3), turned(scene, 12.0)
    goal, alone = rested(renderer, end), moving(fresh(context, land), end)
    assert psnr(found, goal) > psnr(alone, goal) - 0.7


def test_what_is_beside_the_columns_drawn_does_not_come_in_as_the_eye_turns(context, land):
    scene, renderer, left = Scene().replace(SEEN), fresh(context, land), (0.0, 0.5)
    rested(renderer, turned(scene, 90.0))  # which all that is not drawn goes on to show
    for number in range(renderer.frames(16)):
        whole(renderer.passes(scene, SIZE, 16, number, columns=left))
    views = [turned(scene, 4.0 * number) for number in range(1, 5)]
    found = [whole(renderer.passes(view, SIZE, 1, 0, scale=SCALE, columns=left)).pixels() for view in views][-1]
    goal, alone = rested(fresh(context, land), views[-1]), moving(fresh(context, land), views[-1])
    drawn = np.s_[:, : SIZE[0] // 2]
    assert psnr(found[drawn], goal[drawn]) > psnr(alone[drawn], goal[drawn]) - 0.7
