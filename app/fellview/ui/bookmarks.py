"""The bookmarks as a window beside the landscape: a thumbnail, the number and the name of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from imgui_bundle import ImVec2, imgui

from fellview.scene.bookmarks import LONGEST_NAME, MOST, Bookmark, Bookmarks, numbered
from fellview.scene.groups.camera import Camera
from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.actions import BOOKMARK, SET_BOOKMARK, shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

THUMBNAIL = (100.0, 62.0)
"""Width and height of a thumbnail in unscaled pixels."""

_GAP = 8.0
_HEAD, _FOOT = 46.0, 26.0


@dataclass
class Answer:
    """What a person did with the bookmark of a `number`, `name` being its new one, and whether the window stays."""

    what: Literal["", "fly", "set", "rename", "delete"] = ""
    number: int = 0
    name: str = ""
    stays: bool = True


class BookmarksView:
    """Draws the list; holds what is being typed, and for which bookmark."""

    def __init__(self) -> None:
        self._typed: tuple[int, str] | None = None

    def draw(self, marked: Bookmarks, camera: Camera, textures: Mapping[int, int], scene: Rectangle) -> Answer:
        """Draw over the landscape `scene`; `textures` are the thumbnails by number, `camera` is the one now."""
        answer = Answer()
        free = next((number for number in range(1, MOST + 1) if numbered(marked, number) is None), None)
        rows = max(len(marked), 1) * px(THUMBNAIL[1] + _GAP)
        with windows.side("##bookmarks", scene, px(_HEAD) + rows + (px(_FOOT) if free else 0.0)) as room:
            answer.stays = not windows.head("bookmarks", "Bookmarks", room, "click flies there")
            left = imgui.get_content_region_avail().y - (px(_FOOT) if free else 0.0)
            imgui.begin_child("##rows", ImVec2(0, max(left, px(THUMBNAIL[1]))))
            if not marked:
                imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
                imgui.text_colored(theme.DIM, "None yet. One remembers the camera, to fly back to it.")
                imgui.pop_text_wrap_pos()
            for one in marked:
                self._row(answer, one, one.camera == camera, textures.get(one.number))
            imgui.end_child()
            if free and widgets.button(f"Bookmark the camera as {free}##add", room):
                answer.what, answer.number = "set", free
            if free:
                widgets.tip("Has the scene remember the camera as it is.", shortcut(f"{SET_BOOKMARK}{free}"))
        return answer

    def _row(self, answer: Answer, one: Bookmark, is_now: bool, texture: int | None) -> None:
        """Draw a bookmark, and take in what is done with it."""
        imgui.push_id(one.number)
        corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        self._thumbnail(answer, one, is_now, texture)
        left, wide = corner.x + px(THUMBNAIL[0] + _GAP), room - px(THUMBNAIL[0] + _GAP)
        imgui.set_cursor_screen_pos(ImVec2(left, corner.y + px(4)))
        self._name(answer, one, wide)
        imgui.set_cursor_screen_pos(ImVec2(left, corner.y + px(34)))
        half = (wide - imgui.get_style().item_spacing.x) / 2
        for text, what, tip, keys in (
            ("Set anew", "set", "Remembers the camera as it is now.", shortcut(f"{SET_BOOKMARK}{one.number}")),
            ("Delete", "delete", "Takes the bookmark out of the scene.", ""),
        ):
            if widgets.button(f"{text}##{one.number}", half):
                answer.what, answer.number = what, one.number  # type: ignore[assignment]
            widgets.tip(tip, keys)
            imgui.same_line()
        imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + px(THUMBNAIL[1] + _GAP)))
        imgui.dummy(ImVec2(0, 0))
        imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + px(THUMBNAIL[1] + _GAP)))
        imgui.pop_id()

    def _thumbnail(self, answer: Answer, one: Bookmark, is_now: bool, texture: int | None) -> None:
        if widgets.thumbnail("##fly", THUMBNAIL, texture, str(one.number), lit=is_now):
            answer.what, answer.number = "fly", one.number
        drawn.note(Drawn("entry", f"bookmark {one.number}", widgets.place(), one.name))
        widgets.tip("Click flies there.", shortcut(f"{BOOKMARK}{one.number}"))

    def _name(self, answer: Answer, one: Bookmark, wide: float) -> None:
        """Draw the field of its name, which is taken when Enter or a click elsewhere ends the typing."""
        shown = self._typed[1] if self._typed is not None and self._typed[0] == one.number else one.name
        imgui.set_next_item_width(wide)
        _, typed = imgui.input_text("##name", shown)
        drawn.note(Drawn("track", f"bookmark name {one.number}", widgets.place(), typed))
        if imgui.is_item_active():
            self._typed = one.number, typed
        elif imgui.is_item_deactivated():
            name, self._typed = typed.strip()[:LONGEST_NAME], None
            if name and name != one.name and not imgui.is_key_pressed(imgui.Key.escape, False):
                answer.what, answer.number, answer.name = "rename", one.number, name
