"""Sheets for looking at each scene from all sides: where their eyes stand, and that they come to be."""

import subprocess
import sys
from importlib import util

import numpy as np
import pytest
from PIL import Image

from fellview import paths
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.view import projection
from tests.lands import rolling

SCRIPTS = paths.assets().parent / "scripts"
ASPECT = 16 / 9
CELL_M = 25.0


@pytest.fixture(scope="module")
def wide_views():
    if not SCRIPTS.is_dir():
        pytest.skip("scripts stand in the source tree only")
    spec = util.spec_from_file_location("wide_views", SCRIPTS / "wide_views.py")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def land():
    return HeightField(rolling(97, 129, 150.0), (CELL_M, CELL_M))


@pytest.fixture(scope="module")
def scene():
    return scenes.load("archipelago").replace({"water.sea_level": 20.0})


@pytest.fixture(scope="module")
def views(wide_views, scene, land):
    return {one.label: one.scene for one in wide_views.places(scene, land, ASPECT)}


def test_nine_places_are_not_the_own_camera(views, scene):
    own, *others = views.values()
    assert own == scene
    assert len({(other.camera, other.sun) for other in others} - {(own.camera, own.sun)}) == 9


def test_eyes_at_the_borders_are_outside_and_see_the_middle_of_the_land(views, land):
    size = 160, 90
    middle = np.array([64.0 * CELL_M, float(land.heights.mean()), 48.0 * CELL_M])
    inward = [one.camera for label, one in views.items() if label.endswith("inward")]
    assert len(inward) == 4
    for camera in inward:
        assert not (0 < camera.x < 128 * CELL_M and 0 < camera.z < 96 * CELL_M)
        right, up, forward = projection.axes(camera.yaw, camera.pitch) @ (middle - projection.eye(camera))
        half_height = np.tan(np.radians(camera.field_of_view / 2)) * forward
        assert forward > 0
        assert abs(right) < half_height * size[0] / size[1]
        assert abs(up) < half_height


def test_a_person_stands_on_dry_ground_and_looks_out(views, land, scene):
    camera = next(one.camera for label, one in views.items() if label == "from 2 m")
    ground_m = land.heights[round(camera.z / CELL_M), round(camera.x / CELL_M)]
    assert camera.y > scene.water.sea_level
    assert camera.y - 2.0 == pytest.approx(ground_m, abs=0.3 * CELL_M)
    ways_out_m = {90: 128 * CELL_M - camera.x, 270: camera.x, 0: 96 * CELL_M - camera.z, 180: camera.z}
    assert ways_out_m[camera.yaw] == min(ways_out_m.values())


@pytest.mark.slow
def test_a_sheet_has_fourteen_pictures(tmp_path):
    if not SCRIPTS.is_dir():
        pytest.skip("scripts stand in the source tree only")
    options = ["-o", str(tmp_path), "--cells", "32", "--size", "48x27", "--samples", "1"]
    subprocess.run([sys.executable, SCRIPTS / "scene_sheets.py", "wide", "moonscape", *options], check=True)
    page = np.asarray(Image.open(tmp_path / "moonscape.jpg"))
    assert page.shape[:2] == (4 * (27 + 26 + 6) + 6, 4 * (48 + 6) + 6)
    assert page[6:33, 6:54].std() > 5
