"""Short texts of shipped scenes: their revisions are kept, and short texts are taken wherever a scene is."""

import dataclasses

import pytest

import fellview
from fellview.core.errors import InputError
from fellview.io import scenes, short_texts
from fellview.scene import recipe


@pytest.mark.parametrize("name", scenes.presets())
def test_a_shipped_scene_is_its_newest_kept_revision(name):
    newest = short_texts.revisions().get(name, 0)
    same = newest and short_texts.kept(name, newest) == scenes.load(name)
    assert same, (
        f"{name} has changed: run scripts/keep_scenes.py, so that short texts of revision {newest} stay as they are"
    )


def test_every_kept_revision_is_there_from_the_first():
    newest = short_texts.revisions()
    files = {path.name for path in short_texts.folder().iterdir()}
    assert files == {f"{name}@{one}.toml" for name, last in newest.items() for one in range(1, last + 1)}
    assert set(newest) >= set(scenes.presets())


def test_an_old_revision_opens_the_old_scene(tmp_path, monkeypatch):
    monkeypatch.setattr(short_texts, "folder", lambda: tmp_path)
    for cached in (short_texts.revisions, short_texts.kept):
        cached.cache_clear()
    try:
        old = scenes.load("dunes")
        (tmp_path / "dunes@1.toml").write_text(recipe.to_text(old))
        text = short_texts.to_text(old.replace({"noise.seed": 99}))
        new = old.replace({"noise.amplitude": 400.0})
        (tmp_path / "dunes@2.toml").write_text(recipe.to_text(new))
        short_texts.revisions.cache_clear()
        assert scenes.load(text) == old.replace({"noise.seed": 99})
        assert short_texts.to_text(new).startswith("fv1-dunes-2-")
    finally:
        short_texts.revisions.cache_clear()
        short_texts.kept.cache_clear()


def test_the_scene_that_is_nearest_is_named():
    scene = fellview.load("canyon").replace({"noise.seed": 5, "sun.azimuth": 10.0})
    text = short_texts.to_text(scene)
    assert text.startswith("fv1-canyon-")
    assert fellview.load(text) == scene


def test_a_short_text_is_taken_as_a_pasted_recipe_is(tmp_path):
    scene = fellview.load("fjords").replace({"noise.seed": 5})
    assert scenes.from_text(f"`{short_texts.to_text(scene)}`", "pasted text", tmp_path) == (scene, [])


def test_what_is_not_there_is_refused_in_one_line():
    text = short_texts.to_text(fellview.load("fjords"))
    for wrong in (text[:-1], text.replace("fjords", "fiords")):
        with pytest.raises(InputError, match="damaged"):
            fellview.load(wrong)


def test_revisions_and_scenes_of_a_newer_version_are_refused_by_name():
    with pytest.raises(InputError, match="revision 99 of dunes: expected 1 to"):
        short_texts.kept("dunes", 99)
    with pytest.raises(InputError, match="scene 'glacier': no such scene; expected one of alpine-range"):
        short_texts.kept("glacier", 1)


def test_files_of_ones_own_are_not_in_it():
    scene = fellview.load("dunes")
    own = scene.replace({"ground.textures": "/home/someone/rocks", "imported.path": "/home/someone/dem.tif"})
    assert fellview.load(short_texts.to_text(own)) == scene
    land = dataclasses.replace(scene, imported=scene.imported.replace(enabled=True, path="/home/someone/dem.tif"))
    with pytest.raises(InputError, match=r"imported.path = 'dem.tif': a short text holds no file"):
        short_texts.to_text(land)
