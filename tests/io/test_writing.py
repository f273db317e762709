"""What is written is whole, on the disk, where the name leads to, and never over what is not to be written."""

import json
import os
import random
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fellview.core.errors import InputError, one_line
from fellview.core.height_field import HeightField
from fellview.heightmaps import height_file
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.heightmaps.sidecar import path_of as sidecar_path
from fellview.io import array_cache, atomic, heights, imports, scenes
from fellview.scene.scene import Scene

UNFINISHED = re.compile(r"\.fellview-\w{8}\.part")


def left_in(folder):
    return sorted(one.name for one in folder.iterdir())


@pytest.fixture
def events(monkeypatch):
    """What writing asks of the system, in order: the names that are renamed to, and what has to be on the disk."""
    told = []
    fsync, replace = os.fsync, Path.replace

    def asked(descriptor):
        name = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        told.append(("folder" if Path(name).is_dir() else "file", Path(name).parent.name, Path(name).name))
        fsync(descriptor)

    def renamed(self, target):
        told.append(("renamed", target.parent.name, target.name))
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", asked)
    monkeypatch.setattr(Path, "replace", renamed)
    return told


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells what file a descriptor is of")
def test_what_was_saved_is_on_the_disk_before_and_after_it_takes_its_place(tmp_path, events):
    scenes.save(tmp_path / "mine" / "land.toml", Scene())
    (new, (part, within, name), renamed, settled) = events
    assert new[:2] == ("folder", tmp_path.parent.name)  # where "mine" was made
    assert (part, within) == ("file", "mine") and UNFINISHED.fullmatch(name)
    assert renamed == ("renamed", "mine", "land.toml") and settled == ("folder", tmp_path.name, "mine")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells what file a descriptor is of")
def test_what_can_be_made_again_waits_for_no_disk(tmp_path, events):
    array_cache.write(tmp_path / "made" / "x", "", [np.zeros(3)])
    assert [what for what, *_ in events] == ["renamed"]


def test_a_name_may_be_as_long_as_a_folder_takes(tmp_path):
    name = "ä" * 125 + ".toml"  # 255 bytes
    atomic.write_text(tmp_path / name, "x")
    assert left_in(tmp_path) == [name]


def test_a_link_stays_and_the_file_that_it_leads_to_is_written(tmp_path):
    (tmp_path / "kept").mkdir()
    for name, target in (("there", "kept/land.toml"), ("chain", "there"), ("nowhere-yet", "other/new.toml")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "kept" / "land.toml").write_text("old")
    atomic.write_text(tmp_path / "chain", "new")
    atomic.write_text(tmp_path / "nowhere-yet", "first")
    assert (tmp_path / "kept" / "land.toml").read_text() == "new"
    assert (tmp_path / "other" / "new.toml").read_text() == "first"
    assert all((tmp_path / name).is_symlink() for name in ("there", "chain", "nowhere-yet"))
    assert left_in(tmp_path / "kept") == ["land.toml"]


def read_only(folder):
    path = folder / "land.png"
    path.write_text("mine")
    path.chmod(0o444)
    return path


def linked_read_only(folder):
    path = folder / "link.png"
    path.symlink_to(read_only(folder))
    return path


def circle(folder):
    path = folder / "circle.png"
    path.symlink_to("circle.png")
    return path


def queue(folder):
    path = folder / "queue.png"
    os.mkfifo(path)
    return path


def folder_there(folder):
    path = folder / "folder.png"
    path.mkdir()
    return path


def below_a_file(folder):
    (folder / "file").write_text("mine")
    return folder / "file" / "deep" / "land.png"


REFUSED = {
    "read-only": (read_only, "is read-only"),
    "link to read-only": (linked_read_only, "is read-only"),
    "circle": (circle, "circle"),
    "queue": (queue, "is no regular file"),
    "folder": (folder_there, "is a folder"),
    "below a file": (below_a_file, "Not a directory"),
    "too long": (lambda folder: folder / ("x" * 300 + ".png"), "File name too long"),
    "NUL": (lambda folder: folder / "a\0b.png", "NUL"),
    "no file system of files": (lambda folder: Path("/proc/nothing/land.png"), ""),
}


@pytest.mark.parametrize(("make", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_must_not_be_replaced_is_refused_and_left_alone(tmp_path, make, reason):
    path = make(tmp_path)
    before = left_in(tmp_path)
    for write in (lambda: atomic.write_text(path, "new"), lambda: atomic.require_writable(path)):
        with pytest.raises(InputError) as refusal:
            write()
        text = str(refusal.value)
        assert text.startswith(one_line(f"{path}: cannot be written: ")) and reason in text and "\n" not in text
        assert left_in(tmp_path) == before
    for name in ("land.png", "file"):
        assert name not in before or (tmp_path / name).read_text() == "mine"


def test_a_place_that_can_be_written_is_not_touched_by_asking(tmp_path):
    (tmp_path / "there.png").write_text("mine")
    atomic.require_writable(tmp_path / "there.png", tmp_path / "new" / "deep" / "land.png")
    assert left_in(tmp_path) == ["there.png"] and (tmp_path / "there.png").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_file_keeps_its_mode(tmp_path):
    path = tmp_path / "land.toml"
    for mode in (0o600, 0o664, 0o755):
        path.write_text("old")
        path.chmod(mode)
        with atomic.writing(path) as file:
            (part,) = (one for one in tmp_path.iterdir() if one != path)
            assert stat.S_IMODE(part.stat().st_mode) == mode  # nobody reads meanwhile what is private
            file.write(b"new")
        assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_text() == "new"


# -- heights and what is told of them --------------------------------------------------------------------------------


LOW, HIGH = (HeightField(np.linspace(0, top, 12, dtype=np.float32).reshape(3, 4), (1.0, 1.0)) for top in (100, 900))


def test_a_sidecar_of_other_heights_is_left_out_with_a_notice(tmp_path, monkeypatch):
    path = tmp_path / "land-4x3.r16"
    heights.export(path, LOW, "")
    assert height_file.read(path).metres == (0.0, 100.0)
    replace = Path.replace

    def fails_on_heights(self, target):
        if target == path:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fails_on_heights)
    path.write_bytes(path.read_bytes()[::-1])  # other bytes of the same size
    with pytest.raises(InputError, match="cannot be written"):
        heights.export(path, HIGH, "")
    assert left_in(tmp_path) == [path.name, path.name + ".json"]
    file = height_file.read(path)
    assert file.metres is None and file.stray_sidecar and file.values.shape == (3, 4)
    _, notices = imports.chosen(Scene(), path)
    assert f"{path.name}.json belongs to another file" in notices[0]


@pytest.mark.parametrize("suffix", WRITTEN_SUFFIXES)
def test_a_sidecar_from_before_fingerprints_is_trusted(tmp_path, suffix):
    path = tmp_path / f"land{suffix}"
    heights.export(path, LOW, "")
    sidecar = sidecar_path(path)
    facts = json.loads(sidecar.read_text())
    del facts["sha256"]
    sidecar.write_text(json.dumps(facts))
    file = height_file.read(path)
    assert file.metres == (0.0, 100.0) and not file.stray_sidecar and file.values.shape == (3, 4)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from fellview.core.height_field import HeightField
from fellview.io import atomic, heights
folder = Path(sys.argv[1])
fields = [HeightField(np.full((300, 400), height, np.float32) + np.eye(300, 400, dtype=np.float32), (1.0, 1.0))
          for height in (0, 500)]
print("ready", flush=True)
while True:
    for number, field in enumerate(fields):
        heights.export(folder / "land.npy", field, "")
        atomic.write_text(folder / "land.toml", str(number) * 100_000)
"""


def test_whenever_the_writer_is_killed_the_old_or_the_new_is_there(tmp_path):
    path, text = tmp_path / "land.npy", tmp_path / "land.toml"
    moments = random.Random(7)
    pairs = set()
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE) as writer:
            writer.stdout.readline()
            deadline = time.monotonic() + 20
            while not text.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(moments.uniform(0, 0.1))
            writer.kill()
        assert text.read_text() in ("0" * 100_000, "1" * 100_000)
        file = height_file.read(path)
        height = float(file.values[0, 1])
        assert height in (0, 500) and (file.values == np.float32(height) + np.eye(300, 400, dtype=np.float32)).all()
        assert file.metres == (height, height + 1)
        pairs.add(file.stray_sidecar)
        assert all(UNFINISHED.fullmatch(name) for name in left_in(tmp_path) if not name.startswith("land"))
    assert False in pairs
