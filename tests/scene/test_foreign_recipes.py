"""Recipes from anyone: what makes a reader of TOML work for hours, and what a terminal would take for commands."""

import re

import numpy as np
import pytest

import fellview
from fellview.core.errors import FellviewError, InputError, one_line, quoted
from fellview.io import imports, pictures, scenes
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.terrain.steps.noise import Noise

RED = "\x1b[31m\n"
MANY = 100_000


def refused(text, *parts):
    """Assert that the recipe is refused in one short printable line, and return it."""
    with pytest.raises(InputError) as caught:
        recipe.from_text(text, "a.toml")
    line = str(caught.value)
    assert line.startswith("a.toml: ") and line.isprintable() and len(line) < 500
    assert all(part in line for part in parts), line
    return line


@pytest.mark.parametrize(
    "key",
    [".".join(["a"] * MANY), " . ".join(["a"] * MANY), '"b".' * MANY + "a", "'b'.\"c\"." * MANY + "a"],
    ids=["bare", "spaced", "quoted", "both"],
)
@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "[[{}]]", "[noise]\nseed = {{ {} = 1 }}"])
def test_keys_of_many_parts_are_refused_before_they_are_read(key, line):
    refused(line.format(key), "parts: expected at most 16")


@pytest.mark.parametrize(
    "value", ["[" * MANY, "[" * MANY + "]" * MANY, "{a=" * MANY, "[{a=" * MANY + "1" + "}]" * MANY]
)
def test_values_in_values_are_refused_before_they_are_read(value):
    refused(f"a = {value}", "deep: expected at most 16")


@pytest.mark.parametrize(
    "text",
    [
        "sentence = '" + "a.b" * 1000 + "[" * 100 + "'",
        'sentence = """' + "a.b\n" * 500 + "[" * 100 + '"""',
        "sentence = '''" + "a.b\n" * 500 + "{" * 100 + "'''",
        '# "\n' + "# " + "a." * 1000 + "[" * 100 + "\nname = 'A'",
        "sentence = \"a \\\" [[[[[[[[[[[[[[[[[[[[[[\"  # ''' a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
        "revisions = { a = [" + "1.5, " * 10_000 + "] }",
    ],
)
def test_what_is_said_in_texts_and_comments_is_no_key(text):
    scene, _ = recipe.from_text(text)
    assert scene.groups() == Scene().groups()


def test_every_preset_is_far_from_the_limits():
    for name in scenes.presets():
        text = recipe.to_text(scenes.load(name))
        assert len(text) < 100_000 and recipe.from_text(text)[0] == scenes.load(name)


@pytest.mark.parametrize(
    "text",
    [
        "[noise]\nseed = " + "9" * 5000,
        "[noise]\nseed = 0x" + "f" * 5000,
        "[noise]\namplitude = -0x" + "f" * 5000,
        "version = 0x" + "f" * 5000,
        "name = 0x" + "f" * 5000,
        "revisions = 0x" + "f" * 5000,
        "[noise]\nseed = [0x" + "f" * 5000 + "]",
        "name = '" + "a" * 10_001 + "'",
        "[imported]\npath = '" + "a" * 10_001 + "'",
        "a" * 900_000 + " = 1",
        "[noise]\n" + "a" * 900_000 + " = 1",
        "[noise]\nkind = '" + "a" * 900_000 + "'",
        "#" * 1_000_001,
        f'[noise]\n"{quoted(RED)[1:-1]}" = 1'.replace("\\x1b", "\\u001b"),
        '["\\u001b[31m\\nred"]\na = 1',
        '"\\u001b[31m\\nred" = 1',
        '[noise]\nkind = "\\u001b[31m\\u009b\\u202e\\nred"',
        '[noise]\nseed = { "\\u001b[31m\\n" = 1 }',
        "name = '\ud800'",
        "\x1b[31m",
    ],
)
def test_what_a_recipe_has_of_its_own_is_shown_short_and_escaped(text):
    refused(text)


@pytest.mark.parametrize("key", ["noise.amplitude", "landform1.height", "camera.x", "water.sea_level"])
def test_a_value_of_no_meaning_is_named_with_its_group(key):
    group, _, name = key.partition(".")
    refused(f"[{group}]\n{name} = nan", f"{key} = nan: expected")


@pytest.mark.parametrize("name", ["frequency", "amplitude"])
def test_the_library_names_a_value_of_no_meaning_with_its_group(name):
    with pytest.raises(InputError, match=rf"noise\.{name} = nan: expected a finite number"):
        fellview.noise.grid("classic", rows=4, columns=4, **{"frequency": 1.0, name: float("nan")})


def test_the_source_of_a_notice_is_escaped_where_it_is_printed(tmp_path, capsys):
    from fellview import cli

    path = tmp_path / f"{RED}.toml"
    path.write_text(
        "[grid]\nrows = 4\ncolumns = 4\n[noise]\nenabled = false\n[smooth]\nenabled = false\n[revisions]\nerosion = 9\n"
    )
    assert cli.main(["export", str(path), "-o", str(tmp_path / f"{RED}.npy")]) == 0
    out, err = capsys.readouterr()
    assert "erosion has changed" in err and r"\x1b[31m\n.npy" in out
    assert all(text.count("\n") == 1 and text.replace("\n", "").isprintable() for text in (out, err))


def test_errors_are_one_printable_line_whoever_raises_them():
    text = str(FellviewError(f"a{RED}b\ud800\u202e\u2028 − ×…"))
    assert text == "a\\x1b[31m\\nb\\ud800\\u202e\\u2028 − ×…"
    assert len(str(InputError("a" * 10_000))) < 1000
    assert one_line(one_line(RED)) == one_line(RED)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.25, "0.25"),
        ("fast", "'fast'"),
        (-(2**63), "-9223372036854775808"),
        (-(10**300), "-10**300"),
        ("ab" * 1000, "'abababababababababababababababababababab…abababababababababab' (2,000 characters)"),
        ({"a": [[[[[[1]]]]]]}, "{'a': [[[...]]]}"),
    ],
)
def test_values_are_shown_as_python_writes_them_and_short(value, told):
    assert quoted(value) == told


def test_texts_that_no_file_can_hold_are_refused():
    for wrong in ("\udcff.npy", "a" * 10_001):
        with pytest.raises(
            InputError, match=r"imported\.path = .*: expected a text in Unicode of at most 10,000 characters"
        ):
            Scene().replace({"imported.path": wrong})
    with pytest.raises(InputError, match=r"noise\.seed = .{20}"):
        Noise.declaration("seed").parsed("noise.seed", "9" * 5000)


# -- pictures that are sent on


@pytest.fixture
def homely(tmp_path):
    """A scene with a height map and textures in folders of a person's own."""
    home = tmp_path / "home" / "me" / "secret-valley"
    (home / "textures").mkdir(parents=True)
    np.save(home / "dem.npy", np.arange(12.0).reshape(3, 4))
    scene, _ = imports.chosen(Scene(), home / "dem.npy")
    return scene.replace({"ground.textures": str(home / "textures")})


def _recipe_in_picture(path, scene):
    from fellview.capture import capture

    path.parent.mkdir(exist_ok=True)
    capture.save(path, scene, np.zeros((4, 4, 4), np.uint8))
    return pictures.read_recipe(path)


def test_a_picture_carries_no_path_out_of_its_folder(tmp_path, homely):
    path = tmp_path / "shown" / "land.png"
    text = _recipe_in_picture(path, homely)
    assert not re.search(r"home|secret|me/|\.\.|" + re.escape(str(tmp_path)), text)
    assert 'path = "dem.npy"' in text and homely.imported.sha256 in text and 'textures = "textures"' in text
    scene, notices = scenes.load_with_notices(path)
    assert not scene.imported.enabled and len(notices) == 1
    assert "dem.npy: cannot be read: No such file" in notices[0] and "opens without it" in notices[0]
    # beside the picture it is found again, and known by its fingerprint
    (path.parent / "dem.npy").write_bytes((tmp_path / "home" / "me" / "secret-valley" / "dem.npy").read_bytes())
    scene, notices = scenes.load_with_notices(path)
    assert not notices and scene.imported.replace(path="") == homely.imported.replace(path="")
    np.save(path.parent / "dem.npy", np.zeros((3, 4)))
    assert "has changed since it was chosen" in scenes.load_with_notices(path)[1][0]


def test_a_picture_above_its_files_names_them_from_there(tmp_path, homely):
    text = _recipe_in_picture(tmp_path / "home" / "land.png", homely)
    assert 'path = "me/secret-valley/dem.npy"' in text and 'textures = "me/secret-valley/textures"' in text
    assert scenes.load_with_notices(tmp_path / "home" / "land.png") == (homely, [])


def test_a_path_of_another_system_is_a_path(tmp_path):
    scene = Scene().replace({"imported.path": "/x/C:\\Users\\me\\dem.tif"})
    assert 'path = "dem.tif"' in _recipe_in_picture(tmp_path / "shown" / "land.png", scene)


def test_a_scene_file_keeps_the_way_to_its_files(tmp_path, homely):
    scenes.save(tmp_path / "land.toml", homely)
    assert scenes.load_with_notices(tmp_path / "land.toml") == (homely, [])
