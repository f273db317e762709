"""Pictures on the clipboard: what is handed to a desktop's own program, and to the library where there is none."""

import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import FellviewError
from fellview.desktop import clipboard
from fellview.io import pictures

PIXELS = np.random.default_rng(3).integers(0, 256, (3, 5, 4), np.uint8)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are those of Linux desktops")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Give what puts a shell script on the path in the place of all other programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in ("WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(variable, raising=False)

    def add(name, lines):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)

    return add


@pytest.fixture
def library(monkeypatch):
    """Give what the library is called with, in its place."""

    class CopykittenError(Exception):
        pass

    given = []
    module = SimpleNamespace(copy_image=lambda *arguments: given.append(arguments), CopykittenError=CopykittenError)
    monkeypatch.setitem(sys.modules, "copykitten", module)
    return SimpleNamespace(given=given, module=module)


@pytest.mark.parametrize(
    ("variables", "name"),
    [(["WAYLAND_DISPLAY", "DISPLAY"], "wl-copy"), (["DISPLAY"], "xclip")],
)
def test_a_desktops_own_program_gets_the_picture_with_its_recipe(
    tmp_path, monkeypatch, programs, library, variables, name
):
    for variable in variables:
        monkeypatch.setenv(variable, ":1")
    for each in ("wl-copy", "xclip"):
        programs(each, f'echo "$@" > {tmp_path}/{each}.words; /bin/cat > {tmp_path}/{each}.png')
    clipboard.put_picture(PIXELS, "a recipe", "16 samples")
    assert [one.stem for one in tmp_path.glob("*.png")] == [name] and not library.given
    assert "image/png" in (tmp_path / f"{name}.words").read_text()
    with Image.open(tmp_path / f"{name}.png") as picture:
        np.testing.assert_array_equal(np.asarray(picture), PIXELS[..., :3])
    assert pictures.read_recipe(tmp_path / f"{name}.png") == "a recipe"
    assert pictures.read_taken(tmp_path / f"{name}.png")[1] == "16 samples"


def test_without_such_a_program_the_library_gets_it_opaque(monkeypatch, programs, library):
    monkeypatch.setenv("DISPLAY", ":1")
    clipboard.put_picture(PIXELS, "a recipe")
    ((content, width, height),) = library.given
    found = np.frombuffer(content, np.uint8).reshape(height, width, 4)
    np.testing.assert_array_equal(found[..., :3], PIXELS[..., :3])
    assert (found[..., 3] == 255).all()


def test_a_clipboard_that_cannot_be_reached_is_told_of_in_one_line(monkeypatch, programs, library):
    def refuse(*arguments):
        raise library.module.CopykittenError("no\nserver")

    monkeypatch.setattr(library.module, "copy_image", refuse)
    with pytest.raises(FellviewError, match=r"^the picture is not on the clipboard: no\\nserver.*wl-copy or xclip"):
        clipboard.put_picture(PIXELS, "a recipe")
    monkeypatch.setenv("DISPLAY", ":1")
    programs("xclip", "exit 1")
    with pytest.raises(FellviewError, match=r"xclip.* exit status 1"):
        clipboard.put_picture(PIXELS, "a recipe")
