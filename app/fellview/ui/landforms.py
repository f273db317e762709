"""The panel's one section for all landform slots: those in use, what may be added, and where they stand in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from imgui_bundle import ImVec2, imgui

from fellview.core import wording
from fellview.core.parameters import Group, Value
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain
from fellview.terrain.landforms import registry
from fellview.terrain.steps import landform
from fellview.terrain.steps.landform import SLOTS, Landform
from fellview.ui import theme, widgets
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.widgets import px

TITLE = "Landforms"
KEYS = tuple(slot.key for slot in SLOTS)

_UP, _DOWN, _REMOVE = "▴", "▾", "×"


@dataclass(frozen=True)
class _Section(Group):
    key: ClassVar[str] = "landforms"
    title: ClassVar[str] = TITLE


SECTION = _Section()
"""Stands for all slots in the section's title line; it has no parameters of its own."""


def slots(scene: Scene) -> dict[str, Landform]:
    """Return the slots of `scene` by key."""
    groups = scene.groups()
    return {key: group for key in KEYS if isinstance(group := groups[key], Landform)}


def used(scene: Scene) -> list[str]:
    """Return the keys of the slots in use, in running order."""
    return [key for key, slot in slots(scene).items() if slot.kind != landform.NONE]


def named(scene: Scene) -> str:
    """Return the kinds of the slots in use, in running order, as words in a line."""
    return ", ".join(wording.spoken(slots(scene)[key].kind).lower() for key in used(scene))


def added(scene: Scene, kind: str) -> Mapping[str, Value]:
    """Return the changes that put a landform of `kind` into the first free slot, of a size that suits the land."""
    key = next(key for key in KEYS if key not in used(scene))
    empty = type(slots(scene)[key])
    own = landform.natural(empty(kind=kind), Domain(scene.grid, scene.noise.seed))
    return _as_changes(key, own)


def removed(scene: Scene, key: str) -> Mapping[str, Value]:
    """Return the changes that empty the slot `key`."""
    return _as_changes(key, type(slots(scene)[key])())


def exchanged(scene: Scene, one: str, other: str) -> Mapping[str, Value]:
    """Return the changes that exchange two slots, outlines and all."""
    both = slots(scene)
    return {**_as_changes(one, both[other]), **_as_changes(other, both[one])}


def _as_changes(key: str, group: Group) -> Mapping[str, Value]:
    return {f"{key}.{name}": value for name, value in group.values().items()}


def draw(active: ActiveWidget, chosen: str, room: float) -> str:
    """Draw the list of slots and the way to add one; return the key of the slot whose rows are shown, or nothing."""
    scene = active.outcome.scene
    keys = used(scene)
    if chosen not in keys:
        chosen = ""
    square, space = px(22), px(2)
    for place, key in enumerate(keys):
        kind = slots(scene)[key].kind
        imgui.push_id(key)
        width = room - 3 * (square + space)
        if widgets.button(f"{place + 1}  {wording.spoken(kind)}", width, lit=key == chosen):
            chosen = "" if key == chosen else key
        widgets.tip(registry.get(kind).tip, "a click shows its parameters, another hides them")
        for icon, other, what in (
            (_UP, place - 1, "Lay it earlier, under the one above."),
            (_DOWN, place + 1, "Lay it later, over the one below."),
        ):
            imgui.same_line(0, space)
            if widgets.button(f"{icon}##{what}", square, 0 <= other < len(keys)):
                active.click(exchanged(scene, key, keys[other]), f"{TITLE}: order")
                chosen = keys[other]
            widgets.tip(what)
        imgui.same_line(0, space)
        if widgets.button(f"{_REMOVE}##remove", square):
            active.click(removed(scene, key), f"{TITLE}: remove {wording.spoken(kind).lower()}")
        widgets.tip("Take it away.")
        imgui.pop_id()
    if len(keys) < len(KEYS):
        chosen = _add(active, scene, chosen, room)
    if chosen and keys:
        imgui.dummy(ImVec2(0, px(1)))
    return chosen if chosen in used(active.outcome.scene) else ""


def _add(active: ActiveWidget, scene: Scene, chosen: str, room: float) -> str:
    """Draw the list of landforms to add; return the slot that is shown then."""
    imgui.set_next_item_width(room)
    padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
    opened = widgets.begin_list("##add", "Add a landform")
    imgui.pop_style_var()
    if not opened:
        widgets.tip("Put a tableland, a volcano, dunes, a coast ... over the noise.", f"{len(KEYS)} at most")
        return chosen
    for kind in registry.names():
        if imgui.selectable(wording.spoken(kind), False)[0]:
            chosen = next(key for key in KEYS if key not in used(scene))
            active.click(added(scene, kind), f"{TITLE}: add {wording.spoken(kind).lower()}")
        widgets.tip(registry.get(kind).tip)
    widgets.end_list()
    return chosen
