"""The views that are found: free, far apart, above the ground, the same every time; and better than most."""

import itertools

import numpy as np
import pytest

import fellview
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import extent
from fellview.view.ground import floor_at
from fellview.view.picking import hit
from fellview.view.projection import ray
from fellview.viewpoints.blocked import is_blocked
from fellview.viewpoints.find import MOST, PLACES, candidates, find, score_of
from fellview.viewpoints.survey import survey

ASPECT = 16 / 9
DESIGNED = [name for name in scenes.presets() if name != "directx-demo"]  # whose camera is the demo's own


def wavy(rows=128, columns=160, cell=(20.0, 20.0), height=150.0):
    z, x = np.mgrid[:rows, :columns] / 20
    heights = height * (np.sin(x) * np.cos(0.7 * z) + 0.4 * np.sin(2.3 * x + 1.7 * z))
    return HeightField(heights.astype(np.float32), cell)


def test_views_are_far_apart_above_the_ground_and_the_best_first():
    scene, field = Scene().replace({"sun.elevation": 25.0}), wavy()
    views = find(scene, field)
    assert len(views) == MOST
    assert [view.score for view in views] == sorted((view.score for view in views), reverse=True)
    for one, other in itertools.combinations(views, 2):
        apart = np.hypot(one.camera.x - other.camera.x, one.camera.z - other.camera.z)
        assert apart > extent(field).width / 10
    for view in views:
        assert view.camera.y >= floor_at(field, view.camera.x, view.camera.z)
        assert not is_blocked(view.camera, field, ASPECT)
    assert find(scene, field) == views


def test_the_best_of_one_is_the_best_of_six():
    scene, field = Scene(), wavy()
    assert find(scene, field, 1)[0] == find(scene, field)[0]


def test_the_lens_stays_and_an_orthographic_camera_gets_its_perspective_back():
    scene = Scene().replace({"camera.projection": "orthographic", "camera.field_of_view": 30.0})
    camera = find(scene, wavy(), 1)[0].camera
    assert camera.projection == "perspective" and camera.field_of_view == 30


def test_eyes_are_above_the_sea_and_above_land_that_is_drawn_higher():
    scene = Scene().replace({"water.enabled": True, "water.sea_level": 40.0, "view.exaggeration": 2.0})
    field = wavy()
    drawn = exaggerated(field, 2.0)
    for view in find(scene, field):
        assert view.camera.y > 80
        assert view.camera.y >= floor_at(drawn, view.camera.x, view.camera.z)


@pytest.mark.parametrize(
    ("shape", "height"), [((2, 2), 0.0), ((2, 2), 4000.0), ((3, 3), 4000.0), ((2, 300), 4000.0), ((17, 5), 0.0)]
)
def test_the_smallest_lands_are_searched_too(shape, height):
    heights = np.zeros(shape, np.float32)
    heights[-1, -1] = height
    field = HeightField(heights, (50.0, 50.0))
    for view in find(Scene(), field):
        assert view.camera.y >= floor_at(field, view.camera.x, view.camera.z)


def test_a_view_against_a_wall_is_blocked_and_one_along_it_is_not():
    heights = np.zeros((128, 128), np.float32)
    heights[64:] = 300.0
    field = HeightField(heights, (10.0, 10.0))
    camera = Camera(x=640.0, y=20.0, z=620.0, yaw=0.0, pitch=0.0)
    assert is_blocked(camera, field, ASPECT)
    assert not is_blocked(camera.replace(yaw=180.0), field, ASPECT)
    assert not is_blocked(camera.replace(z=300.0), field, ASPECT)  # the wall is far enough
    assert not is_blocked(camera.replace(projection="orthographic"), field, ASPECT)


def test_scenes_are_looked_at_from_good_views_by_name():
    scene = Scene().replace({"grid.rows": 64, "grid.columns": 64})
    field = fellview.generate(scene, engine="cpu")
    found = fellview.find_views(scene, field, count=3, size=(300, 200))
    assert len(found) == 3
    for one in found:
        assert one != scene and one.with_group(scene.camera) == scene


# -- over the scenes that come with it --------------------------------------------------------------------------------


def seeded(name, seed, cells=256):
    """A scene with another seed on a small grid, and its land."""
    scene = scenes.load(name).replace({"noise.seed": seed}).with_longer_side(cells)
    return scene, fellview.generate(scene, engine="cpu")


@pytest.mark.slow
def test_cameras_of_designers_are_among_the_best_tenth_in_eight_of_ten_scenes():
    """Of all views that are judged, which are the best pitches of random places in every direction."""
    shares = {}
    for name in DESIGNED:
        scene = scenes.load(name)
        field = fellview.generate(scene, engine="cpu")
        land = survey(field, scene)
        judged = candidates(scene, field, land, ASPECT).scores
        assert judged.shape[1] == PLACES
        shares[name] = float((judged < score_of(scene, land)).mean())
        assert not is_blocked(scene.camera, exaggerated(field, scene.view.exaggeration), ASPECT), name
    assert sum(share >= 0.9 for share in shares.values()) >= 8, shares
    assert len(shares) == 10


_SIGHT_LINES = (32, 18)
_FARTHEST_WIDTHS = 2.0  # from where on the sea is all one distance


def distances(scene, field, camera):
    """How far away the ground or the sea is that each of some sight lines meets, in metres; inf in the sky."""
    width = extent(field).width
    drawn = exaggerated(field, scene.view.exaggeration)
    size = (1280, 720)
    found = np.full(_SIGHT_LINES[::-1], np.inf)
    level = float(field.border.mean())
    has_sea = scene.water.enabled and scene.water.sea
    if has_sea:
        level = scene.water.sea_level
    level *= scene.view.exaggeration
    for row, column in np.ndindex(found.shape):
        origin, way = ray(
            camera, size, ((column + 0.5) / _SIGHT_LINES[0] * size[0], (row + 0.5) / _SIGHT_LINES[1] * size[1])
        )
        met = hit(drawn, origin, way)
        if met is not None:
            found[row, column] = np.linalg.norm(met - origin)
        if way[1] < 0 and origin[1] > level:
            away = (level - origin[1]) / way[1]
            x, _, z = origin + away * way
            over_land = 0 <= x <= field.size[1] and 0 <= z <= field.size[0]
            if has_sea or not over_land:  # the plain lies around the land, and no part of it covers hollows
                found[row, column] = min(found[row, column], away, _FARTHEST_WIDTHS * width)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", scenes.presets())
def test_no_view_has_its_middle_blocked_or_lacks_a_depth(name):
    """Met by exact sight lines over the land's own cells, apart from how views are judged."""
    for seed in range(1, 9):
        scene, field = seeded(name, seed)
        views = find(scene, field)
        assert len(views) == MOST
        for view in views:
            away = distances(scene, field, view.camera)
            middle = away[
                _SIGHT_LINES[1] // 3 : -(_SIGHT_LINES[1] // 3), _SIGHT_LINES[0] // 3 : -(_SIGHT_LINES[0] // 3)
            ]
            assert np.mean(middle < extent(field).width / 25) <= 0.5, (seed, view)
            ground = np.sort(away[np.isfinite(away)])
            near, far = np.log(ground[len(ground) // 20]), np.log(ground[-1 - len(ground) // 50])
            thirds = np.histogram(np.clip(np.log(ground), near, far), bins=3, range=(near, far))[0] / away.size
            assert far - near > np.log(4) and thirds.min() > 0.01, (seed, thirds, view)
