"""Folders of sessions: each window its own, and what was left to the next one, in whatever state it is."""

import contextlib
import os
import shutil
import subprocess
import sys
import time

import pytest

from fellview.core.height_field import HeightField
from fellview.io import land_cache, scenes, sessions
from fellview.scene import recipe
from fellview.session.session import Session
from fellview.studio.shelf import Shelf
from tests.sampling import sampled
from tests.session.scripted import SMALL, ScriptedCompute, keep, level

HOLDER = """
import sys
from pathlib import Path
from fellview.io import sessions
claim = sessions.claim(Path(sys.argv[1]))
(claim.folder / "session.toml").write_text(sys.argv[2])
print(claim.folder, flush=True)
sys.stdin.read()
"""


class Window:
    """A window as far as its session goes."""

    def __init__(self, state, scene=None):
        self.claim = sessions.claim(state, anew=scene is not None)
        self.session = Session(lambda: None, self.claim.folder, [ScriptedCompute])
        self.restored = False
        if scene is not None:
            self.session.start(scene)
        elif not (restored := self.session.restore(self.claim.source)):
            self.session.start(SMALL)
        else:
            self.restored = restored
        keep(self.session)

    @property
    def seed(self):
        return self.session.scene.noise.seed

    def close(self):
        self.session.close()
        self.claim.release()


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


def seeded(number):
    return SMALL.replace({"noise.seed": number})


def backdate(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_the_next_window_goes_on_where_the_last_one_ended(state):
    first = Window(state, seeded(5))
    first.close()
    second = Window(state)
    assert (second.restored, second.seed, second.claim.folder) == (True, 5, first.claim.folder)
    assert second.claim.others == () and second.claim.tell() == ""
    second.close()


def test_two_windows_keep_their_own_and_the_last_one_closed_comes_next(state):
    first, second = Window(state, seeded(5)), Window(state, seeded(6))
    third = Window(state)
    assert not third.restored, "both are open"
    for window, seed in ((second, 60), (first, 50), (third, 70)):
        window.session.set(seeded(seed), "Seed")
    third.close()
    second.close()
    first.close()
    for number, window in enumerate((third, second, first)):
        backdate(window.claim.folder / sessions.SESSION, 30 - 10 * number)
    following = [Window(state) for _ in range(4)]
    assert [(one.restored, one.seed) for one in following] == [(True, 50), (True, 60), (True, 70), (False, 1)]
    for one in following:
        one.close()


def test_what_else_was_left_is_told_once_and_offered_until_it_is_opened(state):
    for seed in (5, 6, 7):
        window = Window(state, seeded(seed))
        if seed == 5:
            window.session.set_shelf(Shelf().keep(seeded(seed)), "Keep")
        window.close()
        backdate(window.claim.folder / sessions.SESSION, 100 - seed)
    first = Window(state)
    assert first.seed == 7
    assert [scenes.load(one.path).noise.seed for one in first.claim.others] == [6, 5]
    assert all("small (20" in one.title for one in first.claim.others)
    assert ["with its shelf" in one.title for one in first.claim.others] == [False, True]
    told = first.claim.tell()
    assert told.count("small (20") == 2 and "\n" not in told
    second = Window(state)  # beside the first
    assert second.seed == 6 and len(second.claim.others) == 1 and second.claim.tell() == ""
    second.session.open(scenes.load(second.claim.others[0].path))
    assert second.seed == 5
    second.close()
    first.close()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_killed_window_holds_its_session_until_its_end(state):
    text = recipe.to_text(seeded(9))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(state), text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    folder = holder.stdout.readline().strip()
    beside = Window(state)
    assert not beside.restored and str(beside.claim.folder) != folder
    holder.kill()
    holder.communicate()
    after = Window(state)
    assert (after.restored, after.seed, str(after.claim.folder)) == (True, 9, folder)
    after.close()
    beside.close()


def test_a_window_that_nobody_saw_leaves_nothing(state):
    claim = sessions.claim(state, anew=True)
    claim.release()
    assert sessions.folders(state) == []
    left = Window(state, seeded(5))
    left.close()
    claim = sessions.claim(state)
    claim.release()
    assert Window(state).seed == 5


def test_each_window_has_its_own_land(state):
    windows = [Window(state, seeded(seed)) for seed in (5, 6)]
    for window in windows:
        groups = window.session.scene.terrain_groups()
        land_cache.store(window.claim.folder, groups, level(groups))
    for window in windows:
        window.close()
    for _ in windows:
        window = Window(state)
        assert isinstance(window.session.land, HeightField)
        assert (window.session.land.heights == window.seed).all()


def test_what_former_versions_left_is_taken_over_once(state):
    state.mkdir()
    (state / "session.toml").write_text(recipe.to_text(seeded(5)))
    (state / "home.toml").write_text(recipe.to_text(seeded(4)))
    land_cache.store(state, seeded(5).terrain_groups(), level(seeded(5).terrain_groups()))
    window = Window(state)
    assert (window.restored, window.seed, window.session.home.noise.seed) == (True, 5, 4)
    assert window.session.land is not None
    assert [one.name for one in state.iterdir()] == ["sessions"]
    window.close()
    assert Window(state).seed == 5


def test_sessions_do_not_pile_up_and_open_ones_stay(state):
    windows = [Window(state, seeded(seed)) for seed in range(sessions.KEPT + 4)]
    oldest = windows[0]
    for window in windows[1:]:
        window.close()
    for age, window in enumerate(reversed(windows)):
        backdate(window.claim.folder / sessions.SESSION, 10 * age)
    sessions.sweep(state)
    newest = [window.claim.folder for window in reversed(windows)][: sessions.KEPT]
    assert sessions.folders(state) == [*newest, oldest.claim.folder]
    oldest.claim.release()
    sessions.sweep(state)
    assert sessions.folders(state) == newest


# -- in any state ------------------------------------------------------------------------------------------------------


def folder(path):
    path.mkdir()
    (path / "session.toml").write_text("")


def sparse(path):
    with path.open("wb") as file:
        file.truncate(1 << 30)


SPOILT = {
    "a folder": folder,
    "a pipe": os.mkfifo if hasattr(os, "mkfifo") else folder,
    "a device without end": lambda path: path.symlink_to("/dev/zero"),
    "a device without anything": lambda path: path.symlink_to("/dev/null"),
    "a loop of links": lambda path: path.symlink_to(path.name),
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a gigabyte": sparse,
    "no text": lambda path: path.write_bytes(bytes(range(256))),
    "not UTF-8": lambda path: path.write_bytes(b'name = "\xff"\n'),
    "a newer version": lambda path: path.write_text("version = 99\n"),
    "half of it": lambda path: path.write_text(recipe.to_text(SMALL)[:700]),
    "arrays in arrays": lambda path: path.write_text("version = " + "[" * 100_000),
    "a key of many parts": lambda path: path.write_text(".".join("a" * 100_000) + " = 1"),
    "a number of many digits": lambda path: path.write_text("[noise]\nseed = " + "9" * 5000),
    "tables for values": lambda path: path.write_text("[noise.frequency.x]\ny = 1\n"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_session_in_any_state_starts_and_is_moved_aside(state, kind):
    window = Window(state, seeded(5))
    window.close()
    path = window.claim.folder / sessions.SESSION
    path.unlink()
    SPOILT[kind](path)
    after = Window(state)
    assert not after.restored and after.session.scene == SMALL
    (notice,) = after.session.notices
    aside = path.with_name("session-unread1.toml")
    assert str(aside) in notice and "\n" not in notice and os.path.lexists(aside)
    after.session.set(seeded(6), "Seed")
    after.close()
    assert Window(state).seed == 6


@sampled(
    "name, kind",
    [
        (name, kind)
        for name in ("home.toml", "locks.toml", "shelf.toml", "land.arrays", "told", "lock")
        for kind in SPOILT
    ],
    quick=6,
)
def test_whatever_else_lies_in_its_folder_a_session_starts(state, name, kind):
    for seed in (4, 5):
        window = Window(state, seeded(seed))
        window.close()
        backdate(window.claim.folder / sessions.SESSION, 100 - seed)
    path = window.claim.folder / name
    path.unlink(missing_ok=True)
    SPOILT[kind](path)
    after = Window(state)
    assert after.restored and after.seed == 5
    after.claim.tell()
    after.session.set(seeded(6), "Seed")
    after.close()
    told = after.session.notices
    assert all("shelf" in one and "\n" not in one for one in told) and len(told) <= (name == "shelf.toml"), told
    assert Window(state).seed == 6
    sessions.sweep(state)


@pytest.mark.parametrize("kind", SPOILT)
@pytest.mark.parametrize("name", ["", "sessions"])
def test_whatever_the_state_folder_is_the_window_opens(state, name, kind):
    if name:
        state.mkdir()
    SPOILT[kind](state / name if name else state)
    window = Window(state, seeded(5))
    assert window.session.scene == seeded(5)
    window.close()
    after = Window(state)
    assert after.restored == (kind in ("a folder", "a link to nowhere"))
    assert after.restored or after.session.notices
    after.close()


def test_a_session_that_cannot_be_written_to_is_read(state, monkeypatch):
    window = Window(state, seeded(5))
    window.close()

    def refuses(path, flags, *rest, **named):
        if flags & (os.O_RDWR | os.O_CREAT | os.O_WRONLY):
            raise OSError(30, "Read-only file system", str(path))
        return opens(path, flags, *rest, **named)

    def refuses_too(*_, **__):
        raise OSError(30, "Read-only file system")

    opens = os.open
    monkeypatch.setattr(os, "open", refuses)
    for name in ("replace", "rename", "unlink", "mkdir"):
        monkeypatch.setattr(os, name, refuses_too)
    after = Window(state)
    assert after.restored and after.seed == 5
    after.session.set(seeded(6), "Seed")
    after.close()
    assert after.session.notices and all("Read-only" in notice for notice in after.session.notices)
    monkeypatch.undo()
    assert Window(state).seed == 5


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="to root everything is readable")
def test_a_session_that_may_not_be_read_starts(state):
    window = Window(state, seeded(5))
    window.close()
    path = window.claim.folder / sessions.SESSION
    path.chmod(0)
    after = Window(state)
    assert not after.restored and len(after.session.notices) == 1
    after.close()
    with contextlib.suppress(OSError):
        shutil.rmtree(state)


# -- the shelf ---------------------------------------------------------------------------------------------------------


def shelved(window, number):
    window.session.set_shelf(window.session.shelf.keep(seeded(number)), "Keep")


def test_the_shelf_goes_on_in_the_next_window_and_undo_begins_anew(state):
    first = Window(state, seeded(5))
    shelved(first, 6)
    shelved(first, 7)
    kept = first.session.shelf
    first.close()
    second = Window(state)
    assert (second.session.shelf, second.session.undo_label) == (kept, "")
    second.close()


def test_a_shelf_is_there_though_its_scene_cannot_be_read(state):
    first = Window(state, seeded(5))
    shelved(first, 6)
    kept = first.session.shelf
    first.close()
    (first.claim.folder / "session.toml").write_text("version = 99\n")
    claim = sessions.claim(state)
    session = Session(lambda: None, claim.folder, [ScriptedCompute])
    assert not session.restore(claim.source)
    session.start(SMALL, session.store.load_shelf(claim.source))
    assert session.shelf == kept
    session.close()
    claim.release()


def test_a_shelf_is_there_though_its_session_could_not_be_written(state):
    first = Window(state, seeded(5))
    shelved(first, 6)
    kept = first.session.shelf
    first.session.close()
    (first.claim.folder / "session.toml").unlink()  # as on a disk that was full until then
    first.claim.release()
    claim = sessions.claim(state)
    assert claim.folder == claim.source == first.claim.folder
    session = Session(lambda: None, claim.folder, [ScriptedCompute])
    assert not session.restore(claim.source)
    assert session.store.load_shelf(claim.source) == kept
    session.close(keep=False)
    claim.release()


def test_what_was_moved_aside_stays_though_nothing_is_written_after_it(state):
    first = Window(state, seeded(5))
    first.close()
    (first.claim.folder / "session.toml").write_text("version = 99\n")
    claim = sessions.claim(state)
    session = Session(lambda: None, claim.folder, [ScriptedCompute])
    assert not session.restore(claim.source)
    session.close(keep=False)
    claim.release()
    assert (claim.folder / "session-unread1.toml").read_text() == "version = 99\n"


def test_a_kept_land_is_shown_in_one_step(state):
    window = Window(state, seeded(5))
    shelved(window, 6)
    window.session.show(window.session.shelf.variants[0])
    assert (window.seed, window.session.home, window.session.undo_label) == (6, seeded(6), "Show small 1")
    window.session.undo()
    assert (window.seed, len(window.session.shelf)) == (5, 1)
    window.close()


def test_sessions_with_a_shelf_stay_longer(state):
    old = Window(state, seeded(1))
    shelved(old, 2)
    old.close()
    backdate(old.claim.folder / "session.toml", 1000)
    windows = [Window(state, seeded(number)) for number in range(sessions.KEPT + 2)]
    for window in windows:
        window.close()
    sessions.sweep(state)
    left = sessions.folders(state)
    assert old.claim.folder in left and len(left) == sessions.KEPT + 1
