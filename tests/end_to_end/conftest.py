"""One window a file of tests, and what each test leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from fellview.io import scenes
from fellview.scene import recipe
from tests.end_to_end.window import SIZE, Clipboard, Viewer, xdotool
from tests.lands import RUGGED


@pytest.fixture(scope="module")
def clipboard(display):
    clipboard = Clipboard()
    yield clipboard
    clipboard.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The state and the pictures that all starts of a file of tests share."""
    root = tmp_path_factory.mktemp("window")
    return root / "state", root / "pictures"


@pytest.fixture
def own_state(folders, monkeypatch):
    monkeypatch.setenv("FELLVIEW_STATE", str(folders[0]))


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Path:
    """The scene that the window opens on: quick to compute and to draw, so that tests wait for the hand alone."""
    path = tmp_path_factory.mktemp("opened") / "quick.toml"
    quick = scenes.load(RUGGED).replace({"grid.rows": 128, "grid.columns": 160, "erosion.iterations": 5})
    path.write_text(recipe.to_text(quick))
    return path


@pytest.fixture(scope="module")
def viewer(clipboard, folders, opened):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(folders[0]))
        viewer = Viewer(clipboard, opened, "--out", folders[1])
    yield viewer
    viewer.destroy()


@pytest.fixture
def let_go(display):
    """Leave no key and no button down for the next test, whatever happened in this one."""
    yield
    xdotool("mouseup", 1, "keyup", "shift", "keyup", "l", "keyup", "w", "keyup", "backslash")


@pytest.fixture
def usual_size(viewer):
    """Give the window back at its usual size."""
    yield
    xdotool("windowsize", "--sync", viewer.window, *SIZE)
    viewer.take_focus()
