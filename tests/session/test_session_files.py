"""What the session opens, and what it keeps on disk: nothing is lost."""

import pytest

from fellview.io import scenes
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.session.session import Session
from tests.session.scripted import SMALL, ScriptedCompute, compute, keep, seed

# -- files and text --------------------------------------------------------------------------------------------------


def test_opening_tells_of_changed_steps(session, tmp_path):
    path = tmp_path / "old.toml"
    text = recipe.to_text(SMALL)
    assert "erosion = 2" in text
    path.write_text(text.replace("erosion = 2", "erosion = 99"))
    session.open(*scenes.load_with_notices(path))
    assert len(session.notices) == 1 and "erosion" in session.notices[0]


# -- keeping ---------------------------------------------------------------------------------------------------------


def another(session):
    """A session that starts where `session` ended."""
    return Session(lambda: None, session.folder, [ScriptedCompute])


def test_the_session_comes_back(session):
    session.open(scenes.load("directx-demo"))
    seed(session, 77)
    session.set_camera(session.scene.camera.replace(x=0.1, yaw=33.3))
    session.close()
    assert compute(session).closed
    later = another(session)
    assert later.restore()
    assert (later.scene, later.home) == (session.scene, session.home)
    assert (later.undo_label, later.notices) == ("", [])
    assert compute(later).job == session.scene.terrain_groups()


def test_closing_during_a_gesture_keeps_what_is_seen(session):
    session.begin_gesture("Seed")
    seed(session, 5)
    session.close()
    later = another(session)
    assert later.restore() and later.scene.noise.seed == 5


def test_the_first_start_finds_nothing_and_says_nothing(tmp_path, session):
    fresh = Session(lambda: None, tmp_path / "nothing", [ScriptedCompute])
    assert not fresh.restore()
    assert fresh.notices == []


UNREADABLE = [b"version = 99\n", b"[noise\n", b"\xff\xfe\x00", None]


def spoil(path, content):
    if content is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("content", UNREADABLE)
def test_an_unreadable_session_is_a_notice(session, content):
    session.close()
    spoil(session.folder / "session.toml", content)
    later = another(session)
    assert not later.restore()
    assert len(later.notices) == 1
    assert "session.toml" in later.notices[0] and "\n" not in later.notices[0]
    assert later.scene == Scene()


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_session_comes_back_without_its_home(session, content):
    seed(session, 5)
    session.close()
    spoil(session.folder / "home.toml", content)
    later = another(session)
    assert later.restore()
    assert later.scene == later.home == session.scene


def test_a_session_that_nobody_saw_is_not_kept(session):
    session.close()
    later = another(session)
    later.start(scenes.load("directx-demo"))
    later.close(keep=False)
    assert compute(later).closed
    assert scenes.load(session.folder / "session.toml") == SMALL


def test_the_session_is_written_every_few_seconds_and_only_when_it_changed(session, clock):
    path = session.folder / "session.toml"
    keep(session)
    assert scenes.load(path) == SMALL
    seed(session, 2)
    clock.now += 1
    keep(session)
    assert scenes.load(path) == SMALL
    clock.now += 3
    keep(session)
    assert scenes.load(path) == session.scene
    path.unlink()
    clock.now += 60
    keep(session)
    assert not path.exists()


def test_a_session_that_cannot_be_written_is_one_notice(clock, tmp_path):
    (tmp_path / "file").write_text("")
    session = Session(lambda: None, tmp_path / "file" / "state", [ScriptedCompute], clock)
    session.start(SMALL)
    for number in range(2, 5):
        seed(session, number)
        clock.now += 10
        keep(session)
    assert len(session.notices) == 1 and str(session.folder) in session.notices[0]


def test_a_notice_of_what_was_done_passes_and_one_of_what_went_wrong_stays(session, clock):
    session.notify("wrong")
    session.notify("done", passing=True)
    assert session.passes_in and not session.let_pass()
    clock.now += session.passes_in / 2
    session.notify("done", passing=True)  # said anew, it stays as long as the first time
    clock.now += session.passes_in - 0.1
    assert not session.let_pass()
    clock.now += 0.2
    assert session.let_pass()
    assert (session.notices, session.passes_in) == (["wrong"], None)
