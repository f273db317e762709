"""Every command once: id, title, keys, function. Menus, keys and help all read this table.

Keys are written ``Ctrl+Shift+Z``; Ctrl also means Cmd on a Mac. A letter is the one the keyboard types; movement goes
by a key's place instead and is bound in `view/controllers.py`. A held action also has a function for the key's release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fellview.desktop import commands

if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

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
    Action("frame", "Show the whole land", "Camera", ("F",), commands.frame_land),
    Action("camera.home", "Camera back to the scene's", "Camera", ("Home",), commands.reset_camera),
    Action("camera.top", "From above; again: back", "Camera", ("T", "Num 7"), commands.look_from_top),
    Action("camera.front", "From the front", "Camera", ("Num 1",), commands.look_from_front),
    Action("camera.side", "From the side", "Camera", ("Num 3",), commands.look_from_side),
    Action("camera.projection", "Orthographic, and back", "Camera", ("Num 5",), commands.change_projection),
    Action("sun", "Hold and drag: move the sun", "Look", ("L",), commands.hold_sun, commands.release_sun),
    Action("view.next", "Next view mode", "Look", ("Z",), commands.next_view_mode),
    Action("figure", "A person and a pole of 20 m under the pointer", "Look", ("K",), commands.set_figure),
    Action("measure", "Measure from the pointer, and to there", "Look", ("M",), commands.measure),
    Action(
        "before", "Hold: the scene as it was opened", "Look", ("\\",), commands.hold_before, commands.release_before
    ),
    Action("seed.next", "Next seed", "Scene", ("R",), commands.next_seed),
    Action("seed.previous", "Previous seed", "Scene", ("Shift+R",), commands.previous_seed),
    Action("scene.reset", "Scene as it was opened", "Scene", (), commands.reset_scene),
    Action("undo", "Undo", "Scene", ("Ctrl+Z",), commands.undo),
    Action("redo", "Redo", "Scene", ("Ctrl+Shift+Z", "Ctrl+Y"), commands.redo),
    Action("open", "Open a scene or a picture", "File", ("Ctrl+O",), commands.open_scene),
    Action("save", "Save the scene", "File", ("Ctrl+S",), commands.save_scene),
    Action("copy", "Copy the recipe as text", "File", ("Ctrl+C",), commands.copy_recipe),
    Action("paste", "Paste a recipe", "File", ("Ctrl+V",), commands.paste_recipe),
    Action("picture", "Save a picture", "File", ("F12", "P"), commands.save_picture),
    Action("import", "Import a height map", "File", ("Ctrl+I",), commands.import_heights),
    Action("textures", "Choose a folder of ground textures", "File", (), commands.choose_textures),
    Action("export", "Export the heights", "File", ("Ctrl+E",), commands.export_heights),
    Action("panel", "Panel on or off", "Window", ("Tab",), commands.toggle_panel),
    Action("find", "Find a parameter in the panel", "Window", ("Ctrl+F",), commands.find_parameter),
    Action("bare", "Nothing but the land", "Window", ("H",), commands.toggle_bare),
    Action("fullscreen", "Fullscreen", "Window", ("F11",), commands.toggle_fullscreen),
    Action("lab", "Noise lab", "Window", ("N",), commands.toggle_lab),
    Action("lab.play", "Noise lab: play or pause", "Window", ("Space",), commands.play_lab),
    Action("help", "All keys", "Window", ("F1", "?"), commands.toggle_help),
    Action("keep", "Keep what long work has reached so far", "Scene", ("Ctrl+K",), commands.keep_so_far),
    Action("cancel.work", "Stop long work and go back to the land that is there", "Scene", (), commands.cancel_work),
    Action("cancel", "Cancel; never quits", "Window", ("Escape",), commands.cancel),
)

BY_ID = {action.id: action for action in ACTIONS}
BY_KEYS = {keys: action for action in ACTIONS for keys in action.keys}

HINTS = (
    "Drag — turn about the ground; the wheel comes nearer",
    "W A S D, U J — fly; Shift is faster",
    "R — another land; hold L and drag for the sun",
    "F12 — save a picture; F1 shows every key",
)
"""The four lines that greet until the first gesture: keys, a dash, what they do."""

MOVEMENT_HELP = (
    ("Turn about the ground under the cursor", "Drag", "Camera"),
    ("Pan", "Middle drag, Shift+drag", "Camera"),
    ("Look around; the wheel sets the speed", "Right drag", "Camera"),
    ("Nearer and farther", "Wheel", "Camera"),
    ("Fly along the camera's axes; Shift is faster", "W S A D U J, arrows", "Camera"),
    ("Down and up", "Q E", "Camera"),
)
"""Rows of the help that the mouse and held keys stand for: title, keys, section."""


def help_rows() -> list[tuple[str, str, str]]:
    """Return every key for the help window: title, keys, section; a section's rows stand together."""
    rows = [*MOVEMENT_HELP, *((one.title, "  ".join(one.keys), one.section) for one in ACTIONS if one.keys)]
    sections = list(dict.fromkeys(section for *_, section in rows))
    return sorted(rows, key=lambda row: sections.index(row[2]))
