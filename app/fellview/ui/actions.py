"""Every command once: its id, title, section and keys. Keyboard, panel, hints, help and guide all read this table.

Keys are written ``Ctrl+Shift+Z``; Ctrl also means Cmd on a Mac. A letter is the one the keyboard types. Movement goes
by a key's place instead: its keys, and what drags do, are bound in `view/controllers.py`, and only told here. What a
command does stands in `desktop/commands/`, bound to its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fellview.scene import bookmarks
from fellview.view.controllers import CAMERA_MOVEMENTS, DRAGS, KEYS, WORLD_MOVEMENTS


@dataclass(frozen=True)
class Action:
    """One command. One that is `held` lasts as long as its key is down; one that `asks_text` opens a text field.

    Those of one `family`, which is a title, share a row of the help.
    """

    id: str
    title: str
    section: str
    keys: tuple[str, ...] = ()
    held: bool = False
    asks_text: bool = False
    family: str = ""


BOOKMARK, SET_BOOKMARK = "bookmark.", "bookmark.set."
"""The actions that fly to a bookmark and set it, with its number behind."""

_NUMBERS = range(1, bookmarks.MOST + 1)
_FLY, _SET = "Fly to a bookmark", "Bookmark the camera, in the recipe"

ACTIONS: tuple[Action, ...] = (
    Action("frame", "Show the whole land", "Camera", ("F",)),
    Action("camera.home", "Camera back to the scene's", "Camera", ("Home",)),
    Action("camera.top", "From above; again: back", "Camera", ("T", "Num 7")),
    Action("camera.front", "From the front", "Camera", ("Num 1",)),
    Action("camera.side", "From the side", "Camera", ("Num 3",)),
    Action("camera.projection", "Orthographic, and back", "Camera", ("Num 5",)),
    Action("views", "Good views of the land, to choose one", "Camera", ("G",)),
    *(Action(f"{BOOKMARK}{n}", f"Fly to bookmark {n}", "Camera", (str(n),), family=_FLY) for n in _NUMBERS),
    *(Action(f"{SET_BOOKMARK}{n}", f"Set bookmark {n}", "Camera", (f"Ctrl+{n}",), family=_SET) for n in _NUMBERS),
    Action("bookmarks", "List of bookmarks", "Camera", ("0",)),
    Action("sun", "Hold and drag: move the sun", "Look", ("L",), held=True),
    Action("view.next", "Next view mode", "Look", ("Z",)),
    Action("figure", "A person and a pole of 20 m under the pointer", "Look", ("K",)),
    Action("measure", "Measure from the pointer, and to there", "Look", ("M",)),
    Action("before", "Hold: the scene as it was opened", "Look", ("\\",), held=True),
    Action("compare", "Compare the land with another", "Look", ("C",)),
    Action("blink", "Blink between the land and the one compared", "Look", ("B",)),
    Action("seed.next", "Next seed", "Scene", ("R",)),
    Action("seed.previous", "Previous seed", "Scene", ("Shift+R",)),
    Action("steps", "History: every step, to go there", "Scene", ("Y",)),
    Action("randomise", "Randomise all that is not locked", "Scene", ("Ctrl+R",)),
    Action("scene.reset", "Scene as it was opened", "Scene"),
    Action("undo", "Undo", "Scene", ("Ctrl+Z",)),
    Action("redo", "Redo", "Scene", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Action("shelf.keep", "Keep the land, or the board's under the pointer", "Shelf", ("X",)),
    Action("shelf", "Shelf of kept lands on or off", "Shelf", ("Shift+X",)),
    Action("shelf.next", "Show the next kept land", "Shelf", ("Page Down",)),
    Action("shelf.previous", "Show the kept land before", "Shelf", ("Page Up",)),
    Action("shelf.star", "Star on the kept land that was chosen", "Shelf", ("Ctrl+B",)),
    Action("shelf.rename", "Rename it", "Shelf", ("F2",), asks_text=True),
    Action("shelf.right", "Move it to the right", "Shelf", ("Ctrl+Page Down",)),
    Action("shelf.left", "Move it to the left", "Shelf", ("Ctrl+Page Up",)),
    Action("shelf.duplicate", "Duplicate it", "Shelf", ("Ctrl+D",)),
    Action("shelf.delete", "Delete it from the shelf", "Shelf", ("Delete",)),
    Action("shelf.save", "Save the shelf as a project", "Shelf", ("Ctrl+Shift+S",)),
    Action("slides", "Slides: the deck, to put in order", "Slides", ("F4",)),
    Action("slides.add", "Add what is seen as a slide", "Slides", ("Shift+F4",)),
    Action("slides.present", "Present the slides", "Slides", ("F5",)),
    Action("slides.bookmarks", "Add all bookmarks as slides", "Slides"),
    Action("slides.starred", "Add the kept lands with a star as slides", "Slides"),
    Action("slides.open", "Open a deck", "Slides"),
    Action("slides.save", "Save the deck", "Slides"),
    Action("open", "Open a scene, a picture, a project or a deck", "File", ("Ctrl+O",)),
    Action("save", "Save the scene", "File", ("Ctrl+S",)),
    Action("copy", "Copy the recipe as text", "File", ("Ctrl+C",)),
    Action("copy.short", "Copy the recipe as a short text for a message", "File", ("Ctrl+M",)),
    Action("paste", "Paste a recipe or a short text", "File", ("Ctrl+V",)),
    Action("picture", "Save a picture", "File", ("F12", "P")),
    Action("picture.copy", "Copy what is seen as a picture", "File", ("Ctrl+Shift+C",)),
    Action("picture.folder", "Show the picture saved last in its folder", "File"),
    Action("picture.path", "Copy the path of the picture saved last", "File"),
    Action("picture.as", "Take a picture of any size", "File", ("Shift+F12",)),
    Action("import", "Import a height map", "File", ("Ctrl+I",)),
    Action("textures", "Choose a folder of ground textures", "File"),
    Action("export", "Export heights, maps or a mesh", "File", ("Ctrl+E",)),
    Action("page", "Export a page that shows the land in any browser", "File", ("Ctrl+Shift+E",)),
    Action("film", "Film: set, previewed and taken", "File", ("F6",)),
    Action("film.open", "Open a film's file", "File"),
    Action("film.save", "Save the film's file", "File"),
    Action("film.take", "Take the film into a file", "File"),
    Action("shots", "List of shots, every land by every camera, sun and view", "File", ("F7",)),
    Action("shots.open", "Open a list of shots", "File"),
    Action("shots.save", "Save the list of shots", "File"),
    Action("shots.take", "Take the list of shots into a folder", "File"),
    Action("panel", "Panel on or off", "Window", ("Tab",)),
    Action("palette", "Command palette: any action, scene or parameter", "Window", ("Ctrl+P",), asks_text=True),
    Action("find", "Find a parameter in the panel", "Window", ("Ctrl+F",), asks_text=True),
    Action("bare", "Nothing but the land", "Window", ("H",)),
    Action("fullscreen", "Fullscreen", "Window", ("F11",)),
    Action("board", "Board of variants", "Window", ("V",)),
    Action("map", "Map of the land beside it, or none", "Window", ("O",)),
    Action("map.whole", "Map in the land's place, and back", "Window", ("Shift+O",)),
    Action("lab", "Noise lab", "Window", ("N",)),
    Action("lab.play", "Play or pause the film, or the noise lab", "Window", ("Space",)),
    Action("help", "All keys", "Window", ("F1", "?")),
    Action("keep", "Keep what long work has reached so far", "Scene", ("Ctrl+K",)),
    Action("cancel.work", "Stop long work and go back to the land that is there", "Scene"),
    Action("cancel", "Cancel; never quits", "Window", ("Escape",)),
)

BY_ID = {action.id: action for action in ACTIONS}
BY_KEYS = {keys: action for action in ACTIONS for keys in action.keys}

DRAG_TITLES: Mapping[str, str] = {
    "orbit": "Turn about the ground under the cursor",
    "pan": "Pan",
    "look": "Look around; the wheel sets the speed",
}
"""What the help says of each kind of drag."""

MOVEMENT_TITLES: Mapping[str, tuple[str, ...]] = {
    "Fly along the camera's axes; Shift is faster": tuple(CAMERA_MOVEMENTS),
    "Down and up": tuple(WORLD_MOVEMENTS),
}
"""What the help says of the movements that keys are held for."""

PRESENTING: Mapping[str, tuple[str, ...]] = {
    "next": ("RIGHT", "DOWN", "Page Down", "Space"),
    "previous": ("LEFT", "UP", "Page Up"),
    "first": ("Home",),
    "last": ("End",),
    "turn": ("T",),
    "changes": ("I",),
    "end": ("Escape",),
}
"""The keys while slides are presented, when no others do anything, by what they do."""

_PRESENTED = (
    ("Presenting: on, back", ("next", "previous")),
    ("First, last; turn; what differs", ("first", "last", "turn", "changes")),
)
"""What the help says of them; Escape cancels there as everywhere."""

_ARROWS = ("UP", "DOWN", "LEFT", "RIGHT")

Row = tuple[str, str, str]
"""A section, a title, and its keys in one text."""


def shortcut(action_id: str) -> str:
    """Return an action's keys in words: ``F12 or P``."""
    return " or ".join(BY_ID[action_id].keys)


def rows() -> list[Row]:
    """Return all that keys and mouse do: section, title, keys; a section's rows stand together."""
    drags = [("Camera", title, _drags(kind)) for kind, title in DRAG_TITLES.items()]
    wheel = ("Camera", "Nearer and farther", "Wheel")
    movements = [("Camera", title, _movement_keys(names)) for title, names in MOVEMENT_TITLES.items()]
    actions = [(one.section, one.title, "  ".join(one.keys)) for one in ACTIONS if one.keys and not one.family]
    actions += [(one.section, one.family, _family_keys(one.family)) for one in ACTIONS if one.family]
    actions += [("Slides", title, "  ".join(_presenting_keys(names))) for title, names in _PRESENTED]
    told = dict.fromkeys([*drags, wheel, *movements, *actions])  # each once
    sections = list(dict.fromkeys(section for section, *_ in told))
    return sorted(told, key=lambda row: sections.index(row[0]))


def hints() -> tuple[str, ...]:
    """Return the four lines that greet until the first gesture: keys, a dash, what they do."""
    fly, lift = _letters(("forward", "left", "back", "right")), _letters(("up", "down"))
    first = {action.id: action.keys[0] for action in ACTIONS if action.keys}
    return (
        "Drag — turn about the ground; the wheel comes nearer",
        f"{' '.join(fly)}, {' '.join(lift)} — fly; Shift is faster",
        f"{first['seed.next']} — another land; hold {first['sun']} and drag for the sun",
        f"{first['picture']} — save a picture; {first['help']} shows every key",
    )


def clashes(actions: Iterable[Action] = ACTIONS, movement_keys: Iterable[str] = tuple(KEYS)) -> list[str]:
    """Return a line for every key that stands for two things; movement keys are theirs with Shift, too."""
    owners: dict[str, list[str]] = {}
    for key in movement_keys:
        owners[key], owners[f"Shift+{key}"] = ["movement"], ["movement"]
    for action in actions:
        for keys in action.keys:
            owners.setdefault(keys, []).append(action.id)
    return [f"{keys} stands for {' and '.join(several)}" for keys, several in owners.items() if len(several) > 1]


def _letters(movements: Iterable[str]) -> list[str]:
    """Return the letters that `movements` go by, in their order."""
    return [key for movement in movements for key, moved in KEYS.items() if moved == movement and key not in _ARROWS]


def _family_keys(family: str) -> str:
    """Return the keys of a family in one text: ``1 … 9``."""
    keys = [key for action in ACTIONS if action.family == family for key in action.keys]
    return f"{keys[0]} … {keys[-1]}"


def _presenting_keys(names: Iterable[str]) -> list[str]:
    """Return a key for each of what is done while slides are presented, in words."""
    return [PRESENTING[name][0].title() for name in names]


def _movement_keys(movements: Iterable[str]) -> str:
    """Return the keys of `movements` in one text, in the keyboard's table's order: ``W S, arrows``."""
    keys = [key for key, movement in KEYS.items() if movement in movements]
    letters = " ".join(key for key in keys if key not in _ARROWS)
    return f"{letters}, arrows" if any(key in _ARROWS for key in keys) else letters


def _drags(kind: str) -> str:
    """Return the drags of a `kind` in one text, plain ones first: ``Middle drag, Shift+drag``.

    The left button goes without saying; so does a modifier without which a drag means the same.
    """
    bound = [
        (button, modifier)
        for (button, modifier), what in DRAGS.items()
        if what == kind and (not modifier or DRAGS.get((button, "")) != kind)
    ]
    words = []
    for button, modifier in sorted(bound, key=lambda one: bool(one[1])):
        drag = "drag" if button == "left" else f"{button} drag"
        words.append(f"{modifier.capitalize()}+{drag}" if modifier else drag.capitalize())
    return ", ".join(words)
