"""What a person can have the viewer do: a function for each id of the table of actions, bound where it is written.

    @command("seed.next")
    def next_seed(desk: SceneDesk) -> None: ...

A command that lasts while its key is held has a second function, for the key's release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from fellview.desktop.commands.desk import Desk
from fellview.ui.actions import BY_ID, Action

Function = Callable[[Desk], None]
_Bound = TypeVar("_Bound", bound=Function)


@dataclass(frozen=True)
class Command:
    """What an action does, and what ends it where it is held."""

    run: Function | None = None
    release: Function | None = None


COMMANDS: dict[str, Command] = {}
"""The functions by the id of their action."""


def command(action_id: str, table: dict[str, Command] = COMMANDS) -> Callable[[_Bound], _Bound]:
    """Return what binds a function to an action, in `table`."""

    def bind(function: _Bound) -> _Bound:
        bound = table.get(action_id, Command())
        if bound.run is not None:
            raise ValueError(f"action {action_id!r} is bound twice, to {_name(bound.run)} and {_name(function)}")
        table[action_id] = replace(bound, run=function)
        return function

    return bind


def released(action_id: str, table: dict[str, Command] = COMMANDS) -> Callable[[_Bound], _Bound]:
    """Return what binds a function to the release of a held action's key, in `table`."""

    def bind(function: _Bound) -> _Bound:
        bound = table.get(action_id, Command())
        if bound.release is not None:
            raise ValueError(f"the release of {action_id!r} is bound twice")
        table[action_id] = replace(bound, release=function)
        return function

    return bind


def check(actions: Mapping[str, Action] = BY_ID, bound: Mapping[str, Command] = COMMANDS) -> None:
    """Raise `ValueError`, which names them all, where an action has no function or a function no action."""
    faults = [f"{one!r} is bound to a function, but not in the table of actions" for one in bound.keys() - actions]
    for one, action in actions.items():
        functions = bound.get(one, Command())
        if functions.run is None:
            faults.append(f"action {one!r} has no function")
        if action.held != (functions.release is not None):
            faults.append(f"action {one!r}: only a held one has a function for its release, and each has one")
    if faults:
        raise ValueError("; ".join(sorted(faults)))


def run(action_id: str, desk: Desk, table: Mapping[str, Command] = COMMANDS) -> None:
    """Have an action done."""
    function = table[action_id].run
    assert function is not None
    function(desk)


def release(action_id: str, desk: Desk, table: Mapping[str, Command] = COMMANDS) -> None:
    """End what a held action's key began."""
    function = table[action_id].release
    if function is not None:
        function(desk)


def _name(function: object) -> str:
    return getattr(function, "__qualname__", repr(function))
