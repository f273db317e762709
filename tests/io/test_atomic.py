"""Files that are written whole or not at all, and what is left of those that were not."""

import os
import signal
import subprocess
import sys
import time

import pytest

from fellview.core.errors import Cancelled
from fellview.io import atomic

KILLED = """
import os, signal, sys
from pathlib import Path
from fellview.io import atomic
with atomic.writing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def age(path, hours):
    then = time.time() - 3600 * hours
    os.utime(path, (then, then), follow_symlinks=False)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_what_a_killed_writer_left_is_swept_an_hour_later(tmp_path):
    path = tmp_path / ("ä" * 120 + ".toml")  # of 245 bytes: what stands beside it may not be called longer
    path.write_text("whole")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = set(tmp_path.iterdir()) - {path}
    assert left.read_text() == "half" and path.read_text() == "whole"
    atomic.sweep([tmp_path])
    assert left.exists()  # another window may be writing it
    age(left, 1.1)
    atomic.sweep([tmp_path])
    assert list(tmp_path.iterdir()) == [path]


def test_only_what_is_ours_is_swept(tmp_path):
    ours = ".fellview-abcd_123.part"
    names = [
        "session.toml",
        ".session.toml.abcd1234",
        ".fellview-abcd_1234.part",
        ".fellview-abcd_123.part.txt",
        "x.part",
    ]
    for name in names:
        (tmp_path / name).write_text("")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / ours).write_text("")
    (tmp_path / ".fellview-linked00.part").symlink_to(tmp_path / "session.toml")
    (tmp_path / ".fellview-folder00.part").mkdir()
    (tmp_path / ours).write_text("")
    for path in tmp_path.rglob("*"):
        age(path, 48)
    kept = set(tmp_path.rglob("*")) - {tmp_path / ours}
    atomic.sweep([tmp_path, tmp_path / "missing", tmp_path / "session.toml"])
    assert set(tmp_path.rglob("*")) == kept


def test_files_that_belong_together_take_their_places_at_the_end(tmp_path):
    old, new, deep = tmp_path / "old.txt", tmp_path / "new.txt", tmp_path / "made" / "here" / "deep.txt"
    old.write_text("before")
    with atomic.all_or_none():
        for path in (old, new, deep):
            atomic.write_text(path, "after")
        with pytest.raises(KeyError), atomic.writing(tmp_path / "failed.txt") as file:
            file.write(b"half")
            raise KeyError
        assert old.read_text() == "before" and not new.exists() and not deep.exists()
    assert {path.read_text() for path in (old, new, deep)} == {"after"}
    assert {path.name for path in tmp_path.iterdir()} == {"old.txt", "new.txt", "made"}


@pytest.mark.parametrize("when", ["in the block", "at its end", "abandoned"])
def test_of_files_that_belong_together_none_is_written_where_one_is_not_wanted(tmp_path, when):
    old = tmp_path / "old.txt"
    old.write_text("before")

    def check():
        if when == "at its end":
            raise Cancelled

    def write():
        with atomic.all_or_none(check):
            atomic.write_text(old, "after")
            atomic.write_text(tmp_path / "made" / "new.txt", "after")
            if when == "in the block":
                raise Cancelled
            if when == "abandoned":
                atomic.abandon()
                assert list(tmp_path.iterdir()) == [old]
                atomic.write_text(old, "after")

    with pytest.raises(Cancelled):
        write()
    assert list(tmp_path.iterdir()) == [old] and old.read_text() == "before"


def test_a_file_alone_is_abandoned_only_with_everything(tmp_path):
    with atomic.writing(tmp_path / "first") as file:
        file.write(b"whole")
        atomic.abandon()
    with pytest.raises(Cancelled), atomic.writing(tmp_path / "second") as file:
        file.write(b"half")
        atomic.abandon_everything()
        assert [path.name for path in tmp_path.iterdir()] == ["first"]
    assert [path.name for path in tmp_path.iterdir()] == ["first"]
    atomic.write_text(tmp_path / "third", "whole")
