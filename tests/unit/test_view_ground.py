"""Eyes that ground or sea would cover are lifted over it."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.view.exaggeration import exaggerated
from fellview.view.ground import above_all, above_sea, clearance

LAND = HeightField(np.full((65, 65), 30.0, np.float32), (10.0, 10.0))
SEA = {"water.enabled": True, "water.sea_level": 50.0}


def scene(**camera):
    return Scene().replace({f"camera.{key}": value for key, value in {"mode": "orbit", "x": 320, **camera}.items()})


@pytest.mark.parametrize("times", [1.0, 2.0])
def test_an_eye_under_the_ground_stands_on_it(times):
    there = scene(y=10.0, z=320).replace({"view.exaggeration": times})
    assert above_all(there, LAND).y == pytest.approx(30.0 * times + clearance(exaggerated(LAND, times)))
    high = scene(y=200.0, z=320)
    assert above_all(high, LAND) is high.camera


@pytest.mark.parametrize("times", [1.0, 2.0])
def test_an_eye_under_the_sea_comes_up_over_land_and_past_it(times):
    for z in (320.0, -5000.0):
        there = scene(y=40.0, z=z).replace({**SEA, "view.exaggeration": times})
        drawn = exaggerated(LAND, times)
        assert above_sea(there.camera, there, drawn).y == pytest.approx(50.0 * times + clearance(drawn))


def test_beside_a_slab_and_without_a_sea_an_eye_may_be_lower():
    beside = scene(y=10.0, z=-500.0).replace({**SEA, "view.stage": "slab"})
    assert above_sea(beside.camera, beside, LAND) is beside.camera
    over = scene(y=40.0, z=320.0).replace({**SEA, "view.stage": "slab"})
    assert above_sea(over.camera, over, LAND).y > 50.0
    for change in ({"water.enabled": False}, {"water.sea": False}):
        dry = scene(y=40.0, z=320.0).replace({**SEA, **change})
        assert above_sea(dry.camera, dry, LAND) is dry.camera


def test_cameras_that_go_through_the_land_are_left_alone():
    for change in ({"camera.mode": "demo"}, {"camera.projection": "orthographic"}):
        there = scene(y=-10.0, z=320.0).replace({**SEA, **change})
        assert above_all(there, LAND) is there.camera
