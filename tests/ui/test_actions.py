"""The table of actions is the only place that knows a shortcut, and no two things have the same one."""

import re
from pathlib import Path

import pytest

from fellview.ui import actions
from fellview.ui.actions import ACTIONS, BY_ID, BY_KEYS, Action
from fellview.view.controllers import CAMERA_MOVEMENTS, DRAGS, KEYS, WORLD_MOVEMENTS

PACKAGE = Path(actions.__file__).parents[1]


def test_no_two_things_have_the_same_id_or_key():
    assert len(BY_ID) == len(ACTIONS)
    assert actions.clashes() == []


@pytest.mark.parametrize("keys", ["F12", "W", "Shift+W", "UP"])
def test_a_clash_is_found(keys):
    """W moves, and faster with Shift."""
    assert actions.clashes([*ACTIONS, Action("another", "Another", "Scene", (keys,))]) != []


@pytest.mark.parametrize("keys", ["Ctrl+W", "Ctrl+Shift+W", "F9"])
def test_movement_leaves_ctrl_alone(keys):
    assert actions.clashes([*ACTIONS, Action("another", "Another", "Scene", (keys,))]) == []


def test_rows_tell_every_key_every_movement_and_every_drag():
    told = [keys for *_, keys in actions.rows()]
    alone = {keys for keys, action in BY_KEYS.items() if not action.family}
    assert alone <= {one for keys in told for one in keys.split("  ")}
    assert told.count("1 … 9") == told.count("Ctrl+1 … Ctrl+9") == 1, "a row for all of a family"
    moving = {one for keys in told for one in keys.replace(",", "").split()}
    assert {key for key in KEYS if len(key) == 1} | {"arrows"} <= moving
    assert {name for names in actions.MOVEMENT_TITLES.values() for name in names} == {
        *CAMERA_MOVEMENTS,
        *WORLD_MOVEMENTS,
    }
    assert set(actions.DRAG_TITLES) == set(DRAGS.values())
    assert ("Camera", "Pan", "Middle drag, Shift+drag") in actions.rows()
    assert ("Camera", "Turn about the ground under the cursor", "Drag") in actions.rows(), "Alt changes nothing"


def test_a_rows_section_stands_together():
    sections = [section for section, *_ in actions.rows()]
    assert sections == sorted(sections, key=sections.index)


def test_hints_name_keys_that_are_bound():
    assert len(actions.hints()) == 4
    assert all(" — " in line for line in actions.hints())


def test_no_other_file_of_the_panel_writes_a_shortcut_down():
    shortcuts = [keys for keys in BY_KEYS if "+" in keys or re.fullmatch(r"F\d\d", keys)]
    pattern = re.compile(rf"""["' ]({"|".join(map(re.escape, shortcuts))})["'; ]""")
    for path in (PACKAGE / "ui").glob("*.py"):
        if path.name != "actions.py":
            lines = [line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines()]
            assert not [line for line in lines if pattern.search(line)], path.name
