"""A scene as a value: what counts as a change of it."""

import dataclasses
import math
import pickle

import pytest

from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene


def test_a_scene_has_changed_by_all_that_undo_takes_back_and_by_its_words():
    scene = Scene()
    assert not scene.changed_since(Scene())
    for key, change in (("noise.seed", 5), ("grid.rows", 64), ("view.exaggeration", 2.0), ("sun.elevation", 11.0)):
        assert scene.replace({key: change}).changed_since(scene), key
    for key, change in (("camera.yaw", 40.0), ("view.mode", "slope"), ("view.figure", True)):
        assert not scene.replace({key: change}).changed_since(scene), key
    assert dataclasses.replace(scene, name="other").changed_since(scene)
    assert dataclasses.replace(scene, sentence="Of another kind.").changed_since(scene)


def test_equal_scenes_are_one_key_and_a_hash_stays_in_its_process():
    scene, equal, other = Scene(), Scene(), Scene().replace({"noise.seed": 9})
    assert {scene: 1}[equal] == 1 and other not in {scene: 1}
    assert hash(scene) != hash(other) and hash(other.replace({"noise.seed": scene.noise.seed})) == hash(scene)
    assert pickle.dumps(scene) == pickle.dumps(Scene()) and pickle.loads(pickle.dumps(scene)) == scene


@pytest.mark.parametrize("yaw", [-360.0, -1.0, 0.0, 349.0, 360.0])
def test_a_camera_turns_on_and_on_within_its_range(yaw):
    camera = Camera(yaw=yaw)
    for degrees in (20.0, 359.0, -725.0):
        turned = camera.turned(degrees)
        assert math.isclose(math.cos(math.radians(turned.yaw - yaw - degrees)), 1.0)
        assert turned == camera.replace(yaw=turned.yaw), "nothing else has changed"
