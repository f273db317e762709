import os
import stat

import numpy as np
import pytest
from PIL import Image

from fellview.core import png
from fellview.core.errors import InputError
from fellview.io import pictures, scenes
from fellview.scene import recipe
from fellview.scene.scene import Scene

PIXELS = np.full((12, 16, 4), 255, np.uint8)


@pytest.fixture
def scene():
    changes = {
        "grid.rows": 77,
        "noise.frequency": 0.1,
        "noise.seed": 2**31 - 1,
        "erosion.kind": "none",
        "sun.azimuth": 359.9,
        "sky.zenith": "#00ff7f",
        "camera.x": -1e9,
    }
    return Scene(name='Gämse "3"', sentence="Two lines,\nand a tab\t.").replace(changes)


@pytest.fixture
def picture(tmp_path, scene):
    path = tmp_path / "land.png"
    pictures.save(path, PIXELS, recipe.to_text(scene))
    return path


def test_text_round_trip(scene):
    assert recipe.from_text(recipe.to_text(scene)) == (scene, [])


def test_file_round_trip(tmp_path, scene):
    path = tmp_path / "new folder" / "land.toml"
    scenes.save(path, scene)
    assert scenes.load(path) == scene
    assert [entry.name for entry in path.parent.iterdir()] == ["land.toml"], "a temporary file was left"


def test_picture_round_trip(picture, scene):
    assert scenes.load(picture) == scene
    with Image.open(picture) as image:
        assert image.size == (16, 12) and image.mode == "RGB"


@pytest.mark.parametrize("name", scenes.presets())
def test_every_preset_loads_without_a_notice_and_says_what_it_is(name):
    scene, notices = scenes.load_with_notices(name)
    assert notices == [] and scene.name != "untitled" and scene.sentence


def test_the_opening_preset_is_there():
    assert scenes.OPENING_PRESET in scenes.presets()


def test_missing_keys_have_their_defaults():
    scene, _ = recipe.from_text("[noise]\nfrequency = 3")
    assert scene == Scene().replace({"noise.frequency": 3.0})
    assert recipe.from_text("version = 1")[0] == Scene()


@pytest.mark.parametrize("text", ["", "\n \n", "# a land\n"])
def test_a_text_with_nothing_in_it_is_no_recipe(text):
    with pytest.raises(InputError, match=r"land.toml: nothing in it; expected a recipe"):
        recipe.from_text(text, "land.toml")


REFUSED = [
    ("version = 2", "version = 2"),
    ("version = 0", "version = 0"),
    ("version = true", "version = True"),
    ("version = '1'", "version = '1'"),
    ("nose = 1", "nose"),
    ("[nose]\nlength = 1", "nose.length"),
    ("[nose]", "nose"),
    ("noise = 3", "noise"),
    ("[noise]\npitch = 1", "noise.pitch"),
    ("[noise]\nfrequency = '3'", "noise.frequency = '3'"),
    ("[noise]\nfrequency = true", "noise.frequency = True"),
    ("[noise]\nfrequency = nan", "noise.frequency = nan"),
    ("[noise]\nfrequency = inf", "noise.frequency = inf"),
    ("[noise]\nfrequency = -1", "noise.frequency = -1"),
    ("[noise]\nfrequency = [1]", "noise.frequency = [1]"),
    ("[noise]\nfrequency = 1979-05-27", "noise.frequency"),
    ("[noise.frequency]\nx = 1", "noise.frequency"),
    ("[noise]\nseed = 1.5", "noise.seed = 1.5"),
    ("[noise]\nseed = 99999999999999999999", "noise.seed = 9999"),
    ("[erosion]\nkind = 'wind'", "erosion.kind = 'wind'"),
    ("[grid]\nrows = 1", "grid.rows = 1"),
    ("[sky]\nzenith = 'blue'", "sky.zenith = 'blue'"),
    ("name = 3", "name = 3"),
    ("sentence = []", "sentence = []"),
    ("revisions = 1", "revisions = 1"),
    ("[noise", "TOML"),
    ("\x00", "TOML"),
]


@pytest.mark.parametrize(("text", "names"), REFUSED, ids=[repr(text) for text, _ in REFUSED])
def test_a_refusal_is_one_line_that_names_the_file_and_the_fault(text, names):
    with pytest.raises(InputError) as refusal:
        recipe.from_text(text, "valley.toml")
    line = str(refusal.value)
    assert line.startswith("valley.toml: ") and names in line and "\n" not in line


def test_a_newer_version_is_refused_with_a_guess_why():
    with pytest.raises(InputError, match="newer Fellview"):
        recipe.from_text(f"version = {recipe.VERSION + 1}")


def test_every_older_version_has_its_migration():
    assert set(recipe._MIGRATIONS) == set(range(1, recipe.VERSION))


def test_a_step_that_has_changed_since_is_told(scene):
    scene = scene.replace({"erosion.enabled": True, "erosion.kind": "demo", "erosion.iterations": 5})
    text = recipe.to_text(scene)
    assert "erosion = 3" in text
    read, notices = recipe.from_text(text.replace("erosion = 3", "erosion = 7"), "old.toml")
    assert read == scene
    assert len(notices) == 1 and notices[0].startswith("old.toml: erosion has changed")


def test_an_unknown_revision_does_not_stop_a_recipe():
    assert recipe.from_text("[revisions]\nglaciers = 4")[1] == []


def refusal_of(source):
    with pytest.raises(InputError) as refusal:
        scenes.load(source)
    line = str(refusal.value)
    assert source.name in line and "\n" not in line
    return line


def test_a_picture_truncated_anywhere_is_refused_or_gives_the_whole_recipe(picture, scene):
    whole = picture.read_bytes()
    pixels = whole.index(b"IDAT")  # the recipe stands before them, and Pillow needs no check sum after the last
    for end in range(len(whole)):
        picture.write_bytes(whole[:end])
        try:
            assert scenes.load(picture) == scene and end > pixels
        except InputError as refusal:
            assert str(picture) in str(refusal)


def test_a_foreign_picture_is_refused(tmp_path):
    path = tmp_path / "holiday.png"
    Image.new("RGB", (4, 4)).save(path)
    assert "expected" in (told := refusal_of(path)) and "a picture that Fellview saved, with its recipe" in told


def test_a_picture_whose_recipe_is_not_one_is_refused(tmp_path):
    path = tmp_path / "odd.png"
    pictures.save(path, PIXELS, "[noise]\nfrequency = -3")
    assert "noise.frequency = -3" in refusal_of(path)


def test_something_else_by_a_pictures_name_is_refused(tmp_path):
    path = tmp_path / "notes.png"
    path.write_text("not a picture")
    refusal_of(path)


def test_text_in_no_known_encoding_is_refused(tmp_path):
    path = tmp_path / "land.toml"
    path.write_bytes(b'name = "\xff\xfe"')
    refusal_of(path)


@pytest.mark.parametrize("name", ["absent.toml", "absent.png", "absent", "land.jpg"])
def test_what_is_not_there_is_refused(tmp_path, name):
    refusal_of(tmp_path / name)


def test_a_folder_is_refused(tmp_path):
    folder = tmp_path / "land.toml"
    folder.mkdir()
    refusal_of(folder)


def writers(scene):
    return {".toml": lambda path: scenes.save(path, scene), ".png": lambda path: pictures.save(path, PIXELS, "")}


@pytest.mark.parametrize("suffix", [".toml", ".png"])
def test_a_path_that_cannot_be_written_is_refused_and_left_alone(tmp_path, scene, suffix):
    write = writers(scene)[suffix]
    file = tmp_path / "file"
    file.write_text("mine")
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    for path in (file / f"land{suffix}", folder):
        with pytest.raises(InputError) as refusal:
            write(path)
        assert str(path) in str(refusal.value) and "cannot be written" in str(refusal.value)
    assert file.read_text() == "mine" and sorted(tmp_path.iterdir()) == [file, folder]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path, scene):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(InputError, match="cannot be written"):
            scenes.save(tmp_path / "land.toml", scene)
    finally:
        tmp_path.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("suffix", [".toml", ".png"])
def test_another_suffix_is_refused(tmp_path, scene, suffix):
    with pytest.raises(InputError, match=f"expected {suffix}"):
        writers(scene)[suffix](tmp_path / "land.jpg")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_file(tmp_path, scene, monkeypatch):
    path = tmp_path / "land.png"
    path.write_bytes(b"old")

    def full(self, pixels):
        self._file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(png.RowWriter, "write", full)
    with pytest.raises(InputError, match="No space left"):
        pictures.save(path, PIXELS, "")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_written_file_has_the_mode_that_the_users_mask_allows(tmp_path, scene):
    mask = os.umask(0o027)
    try:
        scenes.save(tmp_path / "land.toml", scene)
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "land.toml").stat().st_mode) == 0o640


def test_keys_are_found_by_group_and_name(scene):
    assert scene.get("noise.frequency") == 0.1
    for key in ("noise", "noise.", "nose.length", ".frequency", "name"):
        with pytest.raises(InputError, match="no such"):
            scene.get(key)
