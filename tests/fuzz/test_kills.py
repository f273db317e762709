"""Processes that are killed while they save lose nothing of what was saved."""

from __future__ import annotations

import os
from random import SystemRandom

import pytest

from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.heightmaps.sidecar import path_of as sidecar_path
from tests.fuzz import kills


def seed() -> int:
    return 1 if os.environ.get("CI") else SystemRandom().randrange(10**9)


def held(count: int) -> None:
    drawn = seed()
    print(f"seed {drawn}")
    found = kills.kill(drawn, count)
    assert not found.lost, f"python -m tests.fuzz.kills {count} {drawn}:\n{found.summary()}"
    assert found.kills == count and found.checked == count * len(kills.SAVED)


def test_kills_while_saving_lose_nothing():
    held(3)


@pytest.mark.slow
def test_many_kills_while_saving_lose_nothing():
    held(100)


@pytest.fixture
def saved(tmp_path):
    """A folder in which all has been saved with the number 7, and told."""
    for thing in kills.SAVED.values():
        thing.save(tmp_path, 7)
    kills.let_go(tmp_path)
    (tmp_path / "told").write_text("".join(f"{name}=7\n" for name in kills.SAVED))
    return tmp_path


def lost(folder) -> list[str]:
    found = kills.Kills()
    kills.look(folder, found, "test")
    return found.lost


def test_what_was_saved_whole_is_not_lost(saved):
    assert lost(saved) == []


def test_damage_age_and_litter_are_told(saved):
    """What the tests above rest on."""
    scene = (saved / "scene.toml").read_bytes()
    (saved / "scene.toml").write_bytes(scene[: scene.rindex(b'"')])  # within a text, or the half might be a scene
    assert ["scene of 7" in text for text in lost(saved)] == [True]
    (saved / "scene.toml").unlink()
    assert ["scene of 7" in text for text in lost(saved)] == [True]
    kills.SAVED["scene"].save(saved, 5)
    assert ["scene is of 5" in text for text in lost(saved)] == [True]
    kills.SAVED["scene"].save(saved, 8)
    (saved / ".half-written").touch()
    assert ["litter" in text for text in lost(saved)] == [True]


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_cells_of_one_export_and_metres_of_another_are_recognised(saved, suffix):
    other = saved / "other"
    other.mkdir()
    kills.SAVED[f"export {suffix}"].save(other, 20)
    sidecar = sidecar_path(saved / f"map{suffix}")
    sidecar_path(other / f"map{suffix}").replace(sidecar)
    found = kills.Kills()
    kills.look(saved, found, "test")
    assert +found.torn == {f"export {suffix}": 1} and found.lost == []
