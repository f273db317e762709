"""Locks on parameters and groups: what each click leaves locked."""

from fellview.scene import locks
from fellview.scene.scene import Scene

NOISE = Scene().noise.declarations()


def test_a_group_locks_all_that_is_in_it():
    locked = locks.toggled(frozenset({"noise.seed", "sun"}), "noise")
    assert locked == {"noise", "sun"}
    assert all(locks.is_locked(locked, f"noise.{name}") for name in NOISE)
    assert not locks.is_locked(locked, "erosion.kind")
    assert locks.toggled(locked, "noise") == {"sun"}


def test_one_parameter_of_a_locked_group_can_be_let_go():
    locked = locks.toggled(frozenset({"noise"}), "noise.seed")
    assert not locks.is_locked(locked, "noise.seed")
    assert all(locks.is_locked(locked, f"noise.{name}") for name in NOISE if name != "seed")
    assert locks.toggled(locked, "noise.seed") == {"noise"}


def test_camera_and_light_are_locked_from_the_first():
    assert all(locks.is_locked(locks.USUAL, key) for key in ("camera", "camera.yaw", "sun.elevation", "sky", "air"))
    assert not locks.is_locked(locks.USUAL, "noise.frequency")
    assert locks.known(locks.USUAL) == locks.USUAL
