"""Foreign files are read apart from the window, whatever they do; and which were opened last."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import InputError
from fellview.desktop import commands
from fellview.desktop.reading import FileReader, TextureReader
from fellview.draw.ground import ground_textures
from fellview.io import recent, scenes
from fellview.io.reading import Reading
from fellview.io.recent import Recent
from fellview.scene import recipe
from tests.headless_window import opened, turn
from tests.session.scripted import SMALL

WITHIN_S = 20.0


def until(condition):
    end = time.monotonic() + WITHIN_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def turn_until(viewer, condition):
    """Have the loop turn until something is so."""

    def so():
        viewer.turn()
        return condition()

    until(so)


def drop(viewer, path):
    viewer.on_drop(path)
    viewer.turn()  # what came is carried out between two frames


class Gate:
    """A reader that waits at a gate, as one does whose disk does not answer."""

    def __init__(self, read):
        self.opened, self.entered, self._read = threading.Event(), threading.Event(), read

    def __call__(self, *arguments):
        self.entered.set()
        assert self.opened.wait(WITHIN_S)
        return self._read(*arguments)


@pytest.fixture
def viewer(context, tmp_path, monkeypatch):
    monkeypatch.setenv("FELLVIEW_STATE", str(tmp_path / "state"))
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        yield viewer


@pytest.fixture
def gate():
    """Files at the gate are read when it is open."""
    one = Gate(Path.suffix.fget)
    yield one
    one.opened.set()


def at(gate, path):
    """Return `path` as that of a file which does not answer before the gate is open."""

    class Waiting(type(path)):
        suffix = property(gate)  # the first thing that is asked of it

    return Waiting(path)


def saved(folder, name, seed):
    scene = replace(SMALL.replace({"noise.seed": seed}), name=name)
    scenes.save(folder / name, scene)
    return folder / name, scene


# -- one file --------------------------------------------------------------------------------------------------------


def test_a_result_and_what_reading_raises_come_to_whoever_asked():
    woken = []
    done = Reading("a file", lambda: 7, lambda: woken.append(True))
    until(lambda: done.over)
    assert done.result() == 7 and woken == [True]
    failed = Reading("a file", lambda: 1 // 0, lambda: None)
    until(lambda: failed.over)
    with pytest.raises(ZeroDivisionError):
        failed.result()


def test_a_file_that_takes_too_long_is_given_up_by_name():
    gate = Gate(lambda: 7)
    assert not Reading("slow.toml", gate, lambda: None).over
    slow = Reading("slow.toml", gate, lambda: None, limit_s=0.5)
    assert not slow.over
    until(lambda: slow.over)
    with pytest.raises(InputError, match=r"slow\.toml.*within 0\.5 s"):
        slow.result()
    gate.opened.set()


# -- in the window ---------------------------------------------------------------------------------------------------


def test_the_window_goes_on_while_a_file_is_read_and_then_has_it(viewer, gate, tmp_path):
    path, wanted = saved(tmp_path, "slow.toml", 5)
    swaps = viewer.window.swaps
    drop(viewer, at(gate, path))
    assert gate.entered.is_set() and viewer.session.scene == SMALL
    turn(viewer, 2)
    assert viewer.window.swaps > swaps
    status = viewer.status()
    assert status.running == "reading slow.toml" and status.can_cancel
    commands.scene.next_view_mode(viewer)  # the hand goes on, too
    gate.opened.set()
    turn_until(viewer, lambda: viewer.session.scene == wanted)
    assert viewer.session.undo_label == "Open slow.toml"
    assert viewer.status().running != "reading slow.toml"


def test_the_newest_of_two_files_wins(viewer, gate, tmp_path):
    first, _ = saved(tmp_path, "first.toml", 5)
    second, wanted = saved(tmp_path, "second.toml", 6)
    drop(viewer, at(gate, first))
    drop(viewer, at(gate, second))
    gate.opened.set()
    turn_until(viewer, lambda: viewer.session.scene == wanted)
    turn(viewer, 5)
    commands.scene.undo(viewer)
    assert viewer.session.scene == SMALL


@pytest.mark.parametrize("way", ["escape", "button", "time"])
def test_a_file_that_hangs_is_given_up(viewer, gate, tmp_path, way):
    path, _ = saved(tmp_path, "hangs.toml", 5)
    if way == "time":
        viewer.reader = FileReader(viewer.session, viewer.faults, viewer.redraw, limit_s=0.5)
    drop(viewer, at(gate, path))
    assert viewer.session.notices == []
    if way == "time":
        turn_until(viewer, lambda: viewer.session.notices)
    else:
        viewer.attempt(lambda: (commands.window.cancel if way == "escape" else commands.scene.cancel_work)(viewer))
    turn(viewer)
    assert len(viewer.session.notices) == 1
    assert "hangs.toml" in viewer.session.notices[0] and "given up" in viewer.session.notices[0]
    gate.opened.set()
    turn(viewer, 5)
    assert viewer.session.scene == SMALL
    assert viewer.status().running is None or "reading" not in str(viewer.status().running)


def test_a_height_map_comes_to_the_scene_as_it_is_when_read(viewer, gate, tmp_path):
    path = tmp_path / "heights.png"
    Image.fromarray(np.arange(48 * 32, dtype=np.uint16).reshape(48, 32)).save(path)
    drop(viewer, at(gate, path))
    commands.scene.next_seed(viewer)
    gate.opened.set()
    turn_until(viewer, lambda: viewer.session.scene.imported.enabled)
    assert viewer.session.scene.noise.seed == SMALL.noise.seed + 1
    assert viewer.session.undo_label == "Import"


def test_foreign_text_on_the_clipboard_changes_nothing(viewer):
    wanted = SMALL.replace({"noise.seed": 9, "camera.x": 4.0})
    good = recipe.to_text(wanted)
    for text, told in (("3.2", "pasted text"), (good.replace("seed = 9", "seed = nan"), "noise.seed")):
        viewer.window.clipboard = lambda text=text: text
        commands.files.paste_recipe(viewer)
        turn_until(viewer, lambda: viewer.reader.under_way is None)
        assert told in viewer.session.notices[-1]
        assert viewer.session.scene == SMALL
    viewer.window.clipboard = lambda: good
    commands.files.paste_recipe(viewer)
    turn_until(viewer, lambda: viewer.reader.under_way is None)
    assert viewer.session.scene == wanted
    commands.scene.undo(viewer)
    assert viewer.session.scene == SMALL


def test_textures_are_read_apart_and_pictures_wait_for_them(viewer, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    Image.new("RGB", (8, 8), (250, 0, 0)).save(folder / "rock.png")
    gate = Gate(ground_textures.take)
    viewer.textures = TextureReader(viewer.faults, viewer.pictures.draw_anew, take=gate)
    viewer.session.set(SMALL.replace({"ground.kind": "materials", "ground.textures": str(folder)}), "Textures")
    swaps, count, saves = viewer.window.swaps, viewer.pictures.count, []
    viewer.redraw()
    # pictures are drawn pass by pass
    turn_until(viewer, lambda: viewer.pictures.count > count and viewer.window.swaps > swaps)
    assert gate.entered.is_set()
    assert viewer.renderer.replaced_materials == frozenset()
    viewer.when_settled(lambda: saves.append(viewer.renderer.replaced_materials))
    turn(viewer, 3)
    assert saves == []
    gate.opened.set()
    turn_until(viewer, lambda: viewer.renderer.replaced_materials == {"rock"})
    assert viewer.session.notices == []


def test_textures_that_hang_are_left_out_with_a_notice(viewer, tmp_path):
    gate = Gate(ground_textures.take)
    viewer.textures = TextureReader(viewer.faults, viewer.pictures.draw_anew, take=gate, limit_s=0.5)
    folder = str(tmp_path / "hangs")
    viewer.session.set(SMALL.replace({"ground.kind": "materials", "ground.textures": folder}), "Textures")
    turn(viewer, 2)
    assert gate.entered.is_set()
    turn_until(viewer, lambda: viewer.session.notices)
    assert len(viewer.session.notices) == 1 and "hangs" in viewer.session.notices[0]
    gate.opened.set()


def test_names_that_are_no_text_are_shown_as_escapes(viewer, tmp_path):
    path = tmp_path / os.fsdecode(b"b\xffd\n##.toml")
    path.write_bytes(b"[")
    drop(viewer, path)
    turn_until(viewer, lambda: viewer.reader.under_way is None)
    viewer.session.notify(f"Saved {path}")
    viewer.redraw()
    turn(viewer, 3)
    assert len(viewer.session.notices) == 2
    assert all("b\\udcffd\\n##.toml" in text for text in viewer.session.notices)
    assert not viewer.faults.crashes.path.exists()


# -- the newest files ------------------------------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path):
    one = Recent(tmp_path / "state", lambda: None)
    yield one
    one.close()


def named(folder, count):
    paths = [folder / f"{number}.toml" for number in range(count)]
    for path in paths:
        path.write_text("")
    return paths


def test_the_newest_eight_come_first_and_outlive_a_start(known, tmp_path):
    paths = named(tmp_path, 11)
    for path in [*paths, paths[5]]:
        known.note(path)
    wanted = (paths[5], *(paths[number] for number in (10, 9, 8, 7, 6, 4, 3)))
    until(lambda: known.paths == wanted)
    known.close()
    again = Recent(tmp_path / "state", lambda: None)
    until(lambda: again.paths == wanted)
    again.close()
    assert len(wanted) == recent.MOST


def test_files_that_are_gone_are_left_out_and_come_back(known, tmp_path):
    first, second = named(tmp_path, 2)
    known.note(first)
    known.note(second)
    until(lambda: known.paths == (second, first))
    second.unlink()
    known.look()
    until(lambda: known.paths == (first,))
    second.write_text("")
    known.look()
    until(lambda: known.paths == (second, first))


def test_two_windows_remember_both_files(known, tmp_path):
    first, second = named(tmp_path, 2)
    other = Recent(tmp_path / "state", lambda: None)
    known.note(first)
    until(lambda: known.paths == (first,))
    other.note(second)
    until(lambda: other.paths == (second, first))
    other.close()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"{}", b"7", json.dumps([7, None, "relative", "/nul\0", {}]).encode()],
    ids=["empty", "cut", "no text", "deep", "object", "number", "no paths"],
)
def test_a_damaged_list_is_an_empty_one_and_is_written_anew(tmp_path, content):
    state = tmp_path / "state"
    state.mkdir()
    (state / "recent.json").write_bytes(content)
    known = Recent(state, lambda: None)
    (path,) = named(tmp_path, 1)
    known.note(path)
    until(lambda: known.paths == (path,))
    known.close()


def test_a_pipe_in_the_place_of_the_list_is_no_list(tmp_path):
    os.mkfifo(tmp_path / "recent.json")
    before = set(threading.enumerate())
    known = Recent(tmp_path, lambda: None)
    known.close()
    assert known.paths == () and not set(threading.enumerate()) - before


def test_opened_and_saved_scenes_are_in_the_windows_list(viewer, tmp_path):
    path, wanted = saved(tmp_path, "opened.toml", 5)
    drop(viewer, path)
    turn_until(viewer, lambda: viewer.session.scene == wanted)
    until(lambda: viewer.status().recent == (path,))
    commands.files.open_source(viewer, "dunes")
    commands.files.save_scene(viewer)
    viewer.dialogs.answer(tmp_path / "saved.toml")()
    until(lambda: viewer.status().recent == (tmp_path / "saved.toml", path))
