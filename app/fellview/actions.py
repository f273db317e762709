"""Every command once: id, title, keys, function. Menus, keys and help all read this table.

Keys are written ``Ctrl+Shift+Z``; Ctrl also means Cmd on a Mac. A letter is the one the keyboard types; movement goes
by a key's place instead and is bound in `view/controllers.py`. A held action also has a function for the key's release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fellview.window import Viewer

Function = Callable[["Viewer"], None]


@dataclass(frozen=True)
class Action:
    """One command. `released` makes it one that lasts while its key is held."""

    id: str
    title: str
    section: str
    keys: tuple[str, ...]
    run: Function
    released: Function | None = None


ACTIONS: tuple[Action, ...] = (
    Action("frame", "Show the whole land", "Camera", ("F",), lambda viewer: viewer.frame_land()),
    Action("camera.home", "Camera back to the scene's", "Camera", ("Home",), lambda viewer: viewer.reset_camera()),
    Action("camera.top", "From above", "Camera", ("Num 7",), lambda viewer: viewer.look_from("top")),
    Action("camera.front", "From the front", "Camera", ("Num 1",), lambda viewer: viewer.look_from("front")),
    Action("camera.side", "From the side", "Camera", ("Num 3",), lambda viewer: viewer.look_from("side")),
    Action(
        "sun",
        "Move the sun with the mouse",
        "Look",
        ("L",),
        lambda viewer: viewer.hold_sun(True),
        lambda viewer: viewer.hold_sun(False),
    ),
    Action("view.next", "Next view mode", "Look", ("Z",), lambda viewer: viewer.next_view_mode()),
    Action(
        "before",
        "See the scene as it was opened",
        "Look",
        ("\\",),
        lambda viewer: viewer.hold_before(True),
        lambda viewer: viewer.hold_before(False),
    ),
    Action("seed.next", "Next seed", "Scene", ("R",), lambda viewer: viewer.step_seed(1)),
    Action("seed.previous", "Previous seed", "Scene", ("Shift+R",), lambda viewer: viewer.step_seed(-1)),
    Action("scene.reset", "Scene as it was opened", "Scene", (), lambda viewer: viewer.reset_scene()),
    Action("undo", "Undo", "Scene", ("Ctrl+Z",), lambda viewer: viewer.session.undo()),
    Action("redo", "Redo", "Scene", ("Ctrl+Shift+Z", "Ctrl+Y"), lambda viewer: viewer.session.redo()),
    Action("open", "Open a scene or a picture", "File", ("Ctrl+O",), lambda viewer: viewer.ask_open()),
    Action("save", "Save the scene", "File", ("Ctrl+S",), lambda viewer: viewer.ask_save()),
    Action("copy", "Copy the recipe as text", "File", ("Ctrl+C",), lambda viewer: viewer.copy_recipe()),
    Action("paste", "Paste a recipe", "File", ("Ctrl+V",), lambda viewer: viewer.paste_recipe()),
    Action("picture", "Save a picture", "File", ("F12", "P"), lambda viewer: viewer.save_picture()),
    Action("export", "Export the heights", "File", ("Ctrl+E",), lambda viewer: viewer.ask_export()),
    Action("panel", "Show or hide the panel", "Window", ("Tab",), lambda viewer: viewer.toggle_panel()),
    Action("bare", "Show or hide everything but the land", "Window", ("H",), lambda viewer: viewer.toggle_bare()),
    Action("fullscreen", "Fullscreen", "Window", ("F11",), lambda viewer: viewer.toggle_fullscreen()),
    Action("help", "All keys", "Window", ("F1", "?"), lambda viewer: viewer.toggle_help()),
    Action("cancel", "Cancel", "Window", ("Escape",), lambda viewer: viewer.cancel()),
)

BY_ID = {action.id: action for action in ACTIONS}
BY_KEYS = {keys: action for action in ACTIONS for keys in action.keys}

HINTS = (
    "Drag — turn about the ground; wheel — nearer",
    "W A S D, U J — fly; Shift — faster",
    "R — another land; L and drag — the sun",
    "F12 — picture; F1 — every key",
)
"""The four lines that greet until the first gesture."""

MOVEMENT_HELP = (
    ("Turn about the ground under the cursor", "Drag", "Camera"),
    ("Pan", "Middle drag, Shift+drag", "Camera"),
    ("Look around; the wheel sets the speed", "Right drag", "Camera"),
    ("Nearer and farther", "Wheel", "Camera"),
    ("Fly along the camera's axes; Shift is faster", "W S A D U J", "Camera"),
    ("Down and up", "Q E", "Camera"),
)
"""Rows of the help that the mouse and held keys stand for: title, keys, section."""


def help_rows() -> list[tuple[str, str, str]]:
    """Return every key for the help window: title, keys, section."""
    return [*MOVEMENT_HELP, *((one.title, "  ".join(one.keys), one.section) for one in ACTIONS if one.keys)]
