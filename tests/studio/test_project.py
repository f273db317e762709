"""Project files: a shelf comes back from them, whatever wrote them, and what is none is told in one line."""

from pathlib import Path

import numpy as np
import pytest

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.studio import project
from fellview.studio.shelf import Shelf

FOLDER = Path(__file__).parents[1] / "golden"
FIRST = FOLDER / "projects" / "version-1.toml"
SMALL = Scene(name="Small").replace({"grid.rows": 16, "grid.columns": 16})


@pytest.fixture
def shelf():
    kept = Shelf().keep(scenes.load("fjords")).keep(SMALL, 'He said "so"\n# [x]').keep(SMALL.replace({"noise.seed": 3}))
    return kept.star(kept.variants[1].id, True)


def picture(number):
    return np.random.default_rng(number).integers(0, 256, (20, 32, 3), np.uint8)


def pictures(shelf):
    return {one.id: picture(number) for number, one in enumerate(shelf.variants)}


def test_a_shelf_comes_back_with_its_thumbnails(shelf, tmp_path):
    path = tmp_path / "new" / "lands.toml"
    project.save(path, shelf, pictures(shelf))
    found = project.load(path)
    assert (found.shelf, found.notices) == (shelf, ())
    assert all(np.array_equal(found.thumbnails[id], pixels) for id, pixels in pictures(shelf).items())
    assert project.is_project(path)
    assert sorted(one.name for one in path.parent.iterdir()) == ["lands-thumbnails", "lands.toml"]


@pytest.mark.parametrize("name", scenes.presets())
def test_every_scene_comes_back_equal_though_defaults_are_left_out(name):
    kept = Shelf().keep(scenes.load(name))
    text = project.to_text(kept)
    assert project.from_text(text, "project", FOLDER) == (kept, [])
    assert len(text) < 4000, "a recipe is to be read by people"


def test_an_empty_shelf_comes_back(tmp_path):
    project.save(tmp_path / "none.toml", Shelf(), {})
    assert project.load(tmp_path / "none.toml") == project.Project(Shelf())


def test_thumbnails_go_with_their_variants_and_nothing_else_does(shelf, tmp_path):
    path = tmp_path / "lands.toml"
    project.save(path, shelf, pictures(shelf))
    folder = project.thumbnails_folder(path)
    (folder / "mine.png").write_bytes(b"mine")
    (folder / f"{shelf.variants[1].id}.png").write_bytes(b"damaged")
    fewer = shelf.delete(shelf.variants[0].id)
    project.save(path, fewer, {})
    assert sorted(one.name for one in folder.iterdir()) == sorted(
        ["mine.png", *(f"{one.id}.png" for one in fewer.variants)]
    )
    assert project.load(path).thumbnails.keys() == {shelf.variants[2].id}, "a damaged one is left out"


def test_files_are_named_from_where_the_project_lies(tmp_path):
    textured = SMALL.with_group(SMALL.ground.replace(textures=str(tmp_path / "stones")))
    kept = Shelf().keep(textured)
    path = tmp_path / "projects" / "lands.toml"
    project.save(path, kept, {})
    assert 'textures = "../stones"' in path.read_text()
    assert project.load(path).shelf == kept
    moved = tmp_path / "elsewhere" / "projects" / "lands.toml"
    moved.parent.mkdir(parents=True)
    path.rename(moved)
    there = project.load(moved).shelf.variants[0].scene.ground.textures
    assert there == str(tmp_path / "elsewhere" / "stones")


def test_a_height_map_that_is_missing_is_not_forgotten(tmp_path):
    gone = SMALL.replace({"imported.enabled": True, "imported.path": str(tmp_path / "gone.npy")})
    kept = Shelf().keep(gone)
    project.save(tmp_path / "lands.toml", kept, {})
    assert project.load(tmp_path / "lands.toml").shelf == kept


def test_what_another_step_revision_wrote_is_told(shelf):
    text = project.to_text(shelf).replace("landform1 = 5", "landform1 = 4")
    _, notices = project.from_text(text, "lands.toml", FOLDER)
    assert notices == ["lands.toml: variant 1: landform1 has changed since this was saved, so the heights may differ"]


def test_the_first_version_opens_as_it_was_written():
    """The file is never written anew: every later version has to read it."""
    kept = project.load(FIRST).shelf
    assert [(one.id, one.name, one.star) for one in kept.variants] == [
        ("0000000a", "Rolling highlands 1", False),
        ("0000000b", "High tide", True),
    ]
    assert kept.variants[0].scene == scenes.load("highlands")
    then = {"water.sea_level": 3.0, "sun.azimuth": 77.0, "view.surroundings": "plain"}
    assert kept.variants[1].scene == scenes.load("rocky-coast").replace(then)


VARIANT = '[[variants]]\nid = "0000000a"\nname = "x"\n[variants.scene]\nversion = 1\n'
STARRED = VARIANT.replace("[variants.scene]", "star = 3\n[variants.scene]")
WRONG = {
    "project = 99\n": "project = 99: expected 1 to 1; a newer Fellview wrote it?",
    'project = "1"\n': "project = '1': expected 1 to 1",
    "version = 1\n": "not a project: expected project = 1 to 1 in it",
    "project = 1\nshelf = 3\n": "shelf: no such key; expected project, fellview, variants",
    "project = 1\nvariants = 3\n": "variants = 3: expected a list of tables",
    "project = 1\nvariants = [3]\n": "variant 1: expected a table with id, name, star, scene",
    f"project = 1\n{VARIANT.replace('0000000a', '../../etc')}": "variant 1: id = '../../etc': expected eight digits",
    f"project = 1\n{STARRED}": "variant 1: star = 3: expected true or false",
    f"project = 1\n{VARIANT}[variants.scene.noise]\nseed = -1\n": "1: noise.seed = -1: expected a whole number, 0",
    f"project = 1\n{VARIANT}[variants.scene.nose]\nseed = 1\n": "variant 1: nose.seed: no such key",
    f"project = 1\n{VARIANT}{VARIANT}": "two lands of one id",
    "project = 1\n[": "not a project in TOML:",
    f"project = 1\nx = {'[' * 40}{']' * 40}\n": "not a project in TOML: brackets 40 deep",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_one_line_that_names_it(text, tmp_path):
    path = tmp_path / "lands.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        project.load(path)
    told = str(refused.value)
    assert told.startswith(f"{path}: ") and WRONG[text] in told and "\n" not in told


def test_a_scene_is_no_project_and_no_picture_is(tmp_path):
    scenes.save(tmp_path / "scene.toml", SMALL)
    assert not project.is_project(tmp_path / "scene.toml")
    assert not project.is_project(tmp_path / "picture.png")
    with pytest.raises(InputError, match="not a project: expected project = "):
        project.load(tmp_path / "scene.toml")


def test_what_could_not_be_read_again_is_not_written(monkeypatch, shelf, tmp_path):
    monkeypatch.setattr(foreign, "PROJECT", foreign.Kind("a project", 1000))
    with pytest.raises(InputError, match="expected a project of at most"):
        project.save(tmp_path / "lands.toml", shelf, {})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match=r"lands: no suffix: expected \.toml"):
        project.save(tmp_path / "lands", Shelf(), {})
