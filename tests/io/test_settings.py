"""What the window keeps of itself."""

from __future__ import annotations

import os

import pytest

from fellview.core.errors import InputError
from fellview.io import settings
from fellview.io.settings import Settings


def test_what_is_kept_is_loaded(tmp_path):
    folder = tmp_path / "not there yet"
    assert settings.load(folder) == Settings()
    used = ("action undo", "parameter noise.frequency", 'recent /a/"Käse"\\alm.toml')
    for kept in (Settings(412.5), Settings(300.0, used), Settings(None, used), Settings()):
        settings.keep(folder, kept)
        assert settings.load(folder) == kept


def test_a_change_leaves_the_rest_as_it_is(tmp_path):
    settings.keep(tmp_path, Settings(300.0, ("action undo",)))
    settings.change(tmp_path, used=("action redo",))
    settings.change(tmp_path, panel_width=412.5)
    assert settings.load(tmp_path) == Settings(412.5, ("action redo",))


def test_only_lines_of_a_palette_are_kept(tmp_path):
    settings.keep(tmp_path, Settings(None, ("x" * 201, "a\x1b[31m", *(f"action {one}" for one in range(50)))))
    assert settings.load(tmp_path).used == tuple(f"action {one}" for one in range(20))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"panel_width = nan",
        b"panel_width = 1" + 400 * b"0",
        b"panel_width = 1" + 5000 * b"0",
        b'panel_width = "wide"',
        b"panel_width = [1]",
        b"used = 3",
        b"used = [[], 1, {a = 2}]",
        b"another = 3",
        b"\xff\xfe\x00",
        b"a = " + 2000 * b"[",
        b"not toml",
        b"# " + 20_000 * b"x" + b"\npanel_width = 300",
    ],
)
def test_what_cannot_be_read_is_as_if_it_had_not_been_kept(tmp_path, content):
    (tmp_path / "ui.toml").write_bytes(content)
    assert settings.load(tmp_path) == Settings()


def test_no_pipe_and_no_folder_is_waited_for(tmp_path):
    os.mkfifo(tmp_path / "ui.toml")
    assert settings.load(tmp_path) == Settings()
    (tmp_path / "other" / "ui.toml").mkdir(parents=True)
    assert settings.load(tmp_path / "other") == Settings()
    with pytest.raises(InputError, match=r"ui\.toml"):
        settings.keep(tmp_path / "other", Settings(300.0))
