"""Eyes that ground or water would cover are lifted over it."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.step import Land
from fellview.view.exaggeration import exaggerated
from fellview.view.ground import above_all, above_water, clearance

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
        lifted = 50.0 * times + clearance(exaggerated(LAND, times))
        assert above_water(there.camera, there, LAND).y == pytest.approx(lifted)


def test_beside_a_slab_and_without_a_sea_an_eye_may_be_lower():
    beside = scene(y=10.0, z=-500.0).replace({**SEA, "view.stage": "slab"})
    assert above_water(beside.camera, beside, LAND) is beside.camera
    over = scene(y=40.0, z=320.0).replace({**SEA, "view.stage": "slab"})
    assert above_water(over.camera, over, LAND).y > 50.0
    for change in ({"water.enabled": False}, {"water.sea": False}):
        dry = scene(y=40.0, z=320.0).replace({**SEA, **change})
        assert above_water(dry.camera, dry, LAND) is dry.camera


def test_cameras_that_go_through_the_land_are_left_alone():
    for change in ({"camera.mode": "demo"}, {"camera.projection": "orthographic"}):
        there = scene(y=-10.0, z=320.0).replace({**SEA, **change})
        assert above_all(there, LAND) is there.camera


def bowl():
    """Return a bowl of 0 to 60 m whose rim is cut down to 40 m: a lake of that level fills it."""
    down, across = np.mgrid[-32:33, -32:33]
    heights = np.minimum(60.0 * np.hypot(down, across) / 32, 60.0).astype(np.float32)
    heights[32, 32:] = np.minimum(heights[32, 32:], 40.0)
    return HeightField(heights, (10.0, 10.0), Masks(Land(heights, {}), (10.0, 10.0), heights))


LAKES = {"water.enabled": True, "water.sea": False, "water.lakes": True}


@pytest.mark.parametrize("times", [1.0, 2.0])
def test_an_eye_under_a_lake_comes_up_and_one_on_its_shore_stays(times):
    land = bowl()
    lifted = 40.0 * times + clearance(exaggerated(land, times))
    under = scene(y=5.0, z=320.0).replace({**LAKES, "view.exaggeration": times})
    assert above_all(under, land).y == pytest.approx(lifted)
    on_shore = scene(x=320.0 + 250.0, y=5.0, z=320.0 - 100.0).replace({**LAKES, "view.exaggeration": times})
    ground = above_all(on_shore.replace({"water.lakes": False}), land).y
    assert lifted < ground == above_all(on_shore, land).y


def test_an_eye_stays_under_what_is_no_lake():
    land = bowl()
    dry = scene(y=5.0, z=320.0).replace({**LAKES, "water.lakes": False})
    assert above_all(dry, land) is dry.camera
    yet_to_come = scene(y=5.0, z=320.0).replace(LAKES)
    assert above_all(yet_to_come, HeightField(land.heights, land.cell_size)) is yet_to_come.camera
    both = yet_to_come.replace({"water.sea": True, "water.sea_level": 50.0})
    assert above_all(both, land).y == pytest.approx(50.0 + clearance(land))
    beside = scene(x=-500.0, y=5.0, z=320.0).replace(LAKES)
    assert above_all(beside, land) is beside.camera
