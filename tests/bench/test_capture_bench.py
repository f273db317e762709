"""What `fellview bench capture` measures is named and chosen, and pages need no browser to be measured."""

import subprocess
from pathlib import Path

import pytest

from fellview.bench import browser, capture
from fellview.core.errors import InputError
from fellview.io import scenes


@pytest.fixture
def written(monkeypatch):
    """The scenes whose pages were asked for; each is written with a thousand bytes."""
    names = []

    def run(words, **options):
        names.append(words[words.index("page") + 1])
        Path(words[-1]).write_bytes(bytes(1000))
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(capture.subprocess, "run", run)
    monkeypatch.setattr(browser, "program", lambda: None)
    return names


def test_every_scene_has_its_page_measured_and_says_where_no_browser_is_there(tmp_path, written):
    found = capture.measure(tmp_path, only=["pages"])
    assert written == list(scenes.presets()) and len(found) == len(written)
    assert all(more == {"file_mb": 0.001, "first_picture_s": "no chromium"} for _, _, more in found)


def test_scenes_are_chosen(tmp_path, written):
    (name, seconds, _), *others = capture.measure(tmp_path, ["dunes"], ["pages"])
    assert written == ["dunes"] and name == "capture: page of dunes" and seconds[0] >= 0 and not others


@pytest.mark.parametrize("words", [{"only": ["films"]}, {"chosen_scenes": ["dune"]}])
def test_another_word_is_refused_with_those_there_are(words, tmp_path):
    with pytest.raises(InputError, match="expected one of"):
        capture.measure(tmp_path, **words)
