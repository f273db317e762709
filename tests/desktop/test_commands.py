"""Every action has a function, and every function an action."""

import pytest

from fellview.desktop import commands
from fellview.desktop.commands.registry import COMMANDS, Command, check, command, released
from fellview.ui.actions import BY_ID, Action


def test_the_table_and_the_functions_fit():
    check()
    assert set(COMMANDS) == set(BY_ID)


def act(desk):
    desk.append("acted")


@pytest.mark.parametrize(
    ("action", "bound", "told"),
    [
        (Action("toy", "A toy", "Scene"), {}, "'toy' has no function"),
        (Action("toy", "A toy", "Scene", held=True), {"toy": Command(act)}, "release"),
        (Action("toy", "A toy", "Scene"), {"toy": Command(act, act)}, "release"),
        (Action("toy", "A toy", "Scene"), {"toy": Command(act), "other": Command(act)}, "'other' is bound"),
    ],
)
def test_what_does_not_fit_is_named(action, bound, told):
    with pytest.raises(ValueError, match=told):
        check({action.id: action}, bound)
    check({"toy": Action("toy", "A toy", "Scene")}, {"toy": Command(act)})


def test_a_function_is_bound_once_and_run_by_its_id():
    table = {}
    command("toy", table)(act)
    released("toy", table)(lambda desk: desk.append("released"))
    done = []
    commands.run("toy", done, table)
    commands.release("toy", done, table)
    assert done == ["acted", "released"]
    for bind in (command, released):
        with pytest.raises(ValueError, match="bound twice"):
            bind("toy", table)(act)
