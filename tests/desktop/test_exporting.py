"""Exports out of the window run in a process of their own."""

from __future__ import annotations

import pytest

from fellview.core.errors import FellviewError
from fellview.desktop import exporting
from fellview.io import scenes
from fellview.targets.registry import target

pytestmark = pytest.mark.slow


def test_the_land_is_written_and_told_of(tmp_path):
    scene = scenes.load("directx-demo").replace({"erosion.enabled": False})
    told = exporting.export(scene, target("unity"), 33, tmp_path / "out")
    (path,) = (tmp_path / "out").glob("*.raw")
    (text,) = (tmp_path / "out").glob("*.txt")
    assert path.stat().st_size == 33 * 33 * 2
    assert told[0] == f"Exported {path}; what to type in Unity stands in {text.name}"


def test_what_is_wrong_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FellviewError, match="cannot be written"):
        exporting.export(scenes.load("directx-demo"), target("unity"), 33, tmp_path / "file" / "out")
