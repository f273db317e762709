"""A list of shots as a window beside the landscape: what is multiplied, how each is taken, and how many they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from imgui_bundle import ImVec2, imgui

from fellview.scene.scene import Scene
from fellview.studio.shots import Entry, Shots, Take
from fellview.ui import drawn, rows, theme, widgets, windows
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.drawn import Drawn
from fellview.ui.rows import Row
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

_TITLES = {"variants": "Lands", "cameras": "Cameras", "suns": "Suns", "views": "Views"}
_LABEL = 88.0
_FOOT = 60.0


@dataclass
class Answer:
    """What a person did: other shots, a button, and whether the window stays."""

    shots: Shots
    what: Literal["", "open", "save", "take"] = ""
    stays: bool = True


class ShotsView:
    """Draws the window; its rows have an active widget of their own."""

    def __init__(self) -> None:
        self._active = ActiveWidget()

    @property
    def holding(self) -> bool:
        """Return whether a row is dragged or typed into."""
        return self._active.gesture is not None or self._active.typing is not None

    def draw(self, shots: Shots, offered: Mapping[str, Sequence[Entry]], fault: str, scene: Rectangle) -> Answer:
        """Draw over the landscape `scene`; `offered` are the entries that each list may get."""
        answer, active = Answer(shots), self._active
        active.begin(cast(Scene, shots))  # rows ask of what they edit for no more than values by key
        with windows.side("##shots", scene) as room:
            answer.stays = not windows.head("shots", "List of shots", room)
            lines = sum(max(len(several), 0) + 2 for several in shots.entries.values())
            step = px(theme.ROW_HEIGHT + 2) + imgui.get_style().item_spacing.y
            taken = (len(Take.declarations()) + 1) * step + px(_FOOT)
            most = windows.highest(scene) - imgui.get_cursor_pos_y() - taken
            imgui.begin_child("##entries", ImVec2(0, max(min(lines * step, most), 3 * step)))
            for axis in shots.entries:
                self._axis(axis, offered[axis])
            imgui.end_child()
            imgui.separator()
            where = Row(shots.take, Take(), room, px(_LABEL))
            for name in Take.declarations():
                rows.draw(active, where, name)
            _foot(answer, shots, fault, room)
        answer.shots = cast(Shots, active.outcome.scene)
        active.finish()
        return answer

    def _axis(self, axis: str, offered: Sequence[Entry]) -> None:
        """Draw one of the lists that are multiplied, and the list that adds to it."""
        shots = cast(Shots, self._active.outcome.scene)
        several, wide = shots.entries[axis], imgui.get_content_region_avail().x
        imgui.push_id(axis)
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.ACCENT, _TITLES[axis])
        imgui.same_line()
        imgui.text_colored(theme.DIM, str(len(several)) if several else "as the scene has it")
        for number, one in enumerate(several):
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.TEXT, f"   {one.name}")
            drawn.note(Drawn("entry", f"{axis} {number + 1}", widgets.place(), one.name))
            imgui.same_line(wide - px(22))
            if widgets.button(f"×##{axis} {number + 1}", px(22)):
                shots = shots.without_entry(axis, number)
        imgui.set_next_item_width(wide)
        padding = (px(theme.ROW_HEIGHT) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        opened = widgets.begin_list(f"##add {axis}", "Add…")
        imgui.pop_style_var()
        if opened:
            for number, one in enumerate(offered):
                if imgui.selectable(f"{one.name}##{number}", False)[0]:
                    shots = shots.with_entry(axis, one)
                drawn.note(Drawn("entry", f"add {axis} {number + 1}", widgets.place(), one.name))
            widgets.end_list()
        imgui.pop_id()
        self._active.outcome.scene = cast(Scene, shots)


def _foot(answer: Answer, shots: Shots, fault: str, room: float) -> None:
    counts = " × ".join(str(len(several)) for several in shots.entries.values() if several)
    pictures = f"{shots.count:,} picture{'s' if shots.count > 1 else ''}"
    text = fault or (f"{counts} = {pictures}" if " × " in counts else pictures)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
    imgui.text_colored(theme.WARM if fault else theme.DIM, text)
    imgui.pop_text_wrap_pos()
    drawn.note(Drawn("remark", "shots", words=text))
    third = (room - 2 * imgui.get_style().item_spacing.x) / 3
    for words, what, tip in (
        ("Open…", "open", "A list's file, with its scene."),
        ("Save…", "save", "The list as a file for fellview shots, and its scenes beside it."),
        ("Take…", "take", "Takes all that are not in the folder yet, in the background."),
    ):
        if widgets.button(words, third, not fault or what == "open"):
            answer.what = what  # type: ignore[assignment]
        widgets.tip(tip)
        imgui.same_line()
    imgui.new_line()
