"""A film as a window beside the landscape, where it is set, and a timeline below, where it is played and scrubbed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from imgui_bundle import ImVec2, imgui

from fellview.core.parameters import Group
from fellview.scene.scene import Scene
from fellview.studio.films.film_file import KINDS
from fellview.studio.films.settings import Settings, Swept
from fellview.studio.shelf import Variant
from fellview.ui import drawn, rows, theme, values, widgets, windows
from fellview.ui.actions import shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.board import axes_of
from fellview.ui.drawn import Drawn
from fellview.ui.rows import Row
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

TIMELINE = 52.0
"""How much of the landscape's lower edge the timeline takes, in unscaled pixels."""

_TITLES = {
    "turntable": "Turntable",
    "flight": "Flight through the bookmarks",
    "day": "The sun through a day",
    "sweep": "Sweep of parameters",
    "morph": "Morph to a kept land",
    "erosion": "Growing erosion",
}
_LABEL = 78.0
_MARGIN = 14.0
_PLAY, _PAUSE = "▶", "❚❚"
_MOST_SWEPT = 4


@dataclass(frozen=True)
class Told:
    """What a frame is told of the film: how many frames, which is seen, and what is wrong with it or waited for.

    `at` is the number of the frame, none where the scene itself is seen.
    """

    frames: int
    rate: float
    at: int | None
    playing: bool
    kept: tuple[Variant, ...] = ()
    fault: str = ""


@dataclass
class Answer:
    """What a person did: other settings, the frame that is to be seen, a button, and whether the window stays."""

    settings: Settings
    at: int | None = None
    what: Literal["", "play", "end", "open", "save", "take"] = ""
    stays: bool = True


class FilmView:
    """Draws the window and the timeline; its rows have an active widget of their own."""

    def __init__(self) -> None:
        self._active = ActiveWidget()

    @property
    def holding(self) -> bool:
        """Return whether a row is dragged or typed into."""
        return self._active.gesture is not None or self._active.typing is not None

    def draw(self, settings: Settings, scene: Scene, told: Told, place: Rectangle) -> Answer:
        """Draw over the landscape's `place`; `scene` is what the film is of."""
        answer, active = Answer(settings), self._active
        active.begin(cast(Scene, settings))  # rows ask of what they edit for no more than values by key
        with windows.side("##film", (*place[:3], place[3] - px(TIMELINE))) as room:
            answer.stays = not windows.head("film", "Film", room, tip="Close the film.")
            wide = room - px(theme.RESET_WIDTH)  # as wide as rows, behind which an arrow may stand
            kind = _list("kind", "Motion", settings.kind, [(key, _TITLES[key]) for key in KINDS], wide)
            if kind != settings.kind:  # other settings are another film, which is planned anew
                active.outcome.scene = cast(Scene, dataclasses.replace(_edited(active), kind=kind))
            if settings.group is not None:
                self._rows(settings.group, room)
            elif settings.kind == "sweep":
                self._sweep(scene, room)
            elif settings.kind == "morph":
                self._morph(told.kept, wide)
            imgui.separator()
            by_speed = settings.kind == "flight" and settings.flight.speed > 0
            self._rows(settings.film, room, ("frames",) if by_speed else ())
            self._rows(settings.output, room)
            self._foot(answer, told, room)
        answer.settings = _edited(active)
        active.finish()
        _timeline(answer, told, place)
        return answer

    def _rows(self, group: Group, room: float, without: Sequence[str] = ()) -> None:
        """Draw a row for each parameter of `group`."""
        where = Row(group, type(group)(), room, px(_LABEL))
        for name in rows.shown(group, tuple(group.declarations())):
            if name not in without:
                rows.draw(self._active, where, name)

    def _sweep(self, scene: Scene, room: float) -> None:
        """Draw what is swept: the parameter, from which value, to which; the last row adds another."""
        settings, free = _edited(self._active), axes_of(scene)
        swept = list(settings.swept)
        for number, one in enumerate((*settings.swept, None)[:_MOST_SWEPT]):
            imgui.push_id(number)
            left = [(key, title) for key, title in free.items() if one is not None or key not in {s.key for s in swept}]
            shown = "Add a parameter…" if one is None else free.get(one.key, one.key)
            key = _list("swept", "", "" if one is None else one.key, left, room - px(28), shown)
            imgui.same_line()
            if one is None:
                imgui.dummy(ImVec2(px(22), 1))
                if key:
                    swept.append(_whole_range(scene, key))
            else:
                if widgets.button(f"×##swept {number}", px(22)):
                    swept.remove(one)
                elif key != one.key:
                    swept[number] = _whole_range(scene, key)
                else:
                    swept[number] = _ends(scene, one)
            imgui.pop_id()
        if tuple(swept) != settings.swept:
            self._active.outcome.scene = cast(Scene, dataclasses.replace(settings, swept=tuple(swept)))

    def _morph(self, kept: Sequence[Variant], room: float) -> None:
        """Draw the list of kept lands that the morph may go to."""
        settings = _edited(self._active)
        chosen = next((one.id for one in kept if one.scene == settings.to), "")
        usual = "Keep a land first" if not kept else "Choose…" if settings.to is None else settings.to.name
        id = _list("to", "To", chosen, [(one.id, one.name) for one in kept], room, "" if chosen else usual)
        if id != chosen:
            to = next(one.scene for one in kept if one.id == id)
            self._active.outcome.scene = cast(Scene, dataclasses.replace(settings, to=to))

    def _foot(self, answer: Answer, told: Told, room: float) -> None:
        text = told.fault or f"{told.frames:,} frames, {told.frames / told.rate:.1f} s"
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
        imgui.text_colored(theme.WARM if told.fault else theme.DIM, text)
        imgui.pop_text_wrap_pos()
        drawn.note(Drawn("remark", "film", words=text))
        third = (room - 2 * imgui.get_style().item_spacing.x) / 3
        for words, what, tip in (
            ("Open…", "open", "A film's file, with its scene."),
            ("Save…", "save", "The film as a file, and its scene beside it."),
            ("Take…", "take", "Draws the film into a file, in the background."),
        ):
            if widgets.button(words, third, not told.fault or what == "open"):
                answer.what = what  # type: ignore[assignment]
            widgets.tip(tip)
            imgui.same_line()
        imgui.new_line()


def _edited(active: ActiveWidget) -> Settings:
    return cast(Settings, active.outcome.scene)


def _list(name: str, label: str, chosen: str, entries: Sequence[tuple[str, str]], room: float, shown: str = "") -> str:
    """Draw a list of `entries`, (key, words), behind a `label`; return the key of the one that is chosen."""
    start = imgui.get_cursor_pos_x()
    if label:
        rows.label(label, px(_LABEL))
    imgui.set_next_item_width(room - (imgui.get_cursor_pos_x() - start))
    padding = (px(theme.ROW_HEIGHT) - imgui.get_font_size()) / 2
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
    opened = widgets.begin_list(f"##{name}", shown or dict(entries).get(chosen, ""))
    imgui.pop_style_var()
    if opened:
        for key, words in entries:
            if imgui.selectable(f"{words}##{key}", key == chosen)[0]:
                chosen = key
            drawn.note(Drawn("entry", f"{name} {key}", widgets.place(), words))
        widgets.end_list()
    return chosen


def _whole_range(scene: Scene, key: str) -> Swept:
    """Return the sweep of a parameter from the low end of its slider to the high one."""
    declaration = scene.find(key)[2]
    low, high = declaration.slider
    return Swept(key, declaration.clamped(low), declaration.clamped(high))


def _ends(scene: Scene, one: Swept) -> Swept:
    """Draw the fields of the values that a parameter goes from and to; return it with what was typed."""
    declaration = scene.find(one.key)[2]
    for name, word in (("low", "from"), ("high", "to")):
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.DIM, word)
        imgui.same_line()
        imgui.set_next_item_width(px(64))
        value = float(cast(float, getattr(one, name)))
        _, text = imgui.input_text(f"##{name}", values.editable(value), imgui.InputTextFlags_.auto_select_all)
        drawn.note(Drawn("track", f"sweep {name} {one.key}", widgets.place(), text))
        if imgui.is_item_deactivated_after_edit() and (new := values.typed(declaration, text)) is not None:
            one = dataclasses.replace(one, **{name: new})  # type: ignore[arg-type]
        imgui.same_line()
    imgui.text_colored(theme.DIM, declaration.unit)
    return one


def _timeline(answer: Answer, told: Told, place: Rectangle) -> None:
    """Draw the timeline over the landscape's lower edge."""
    left, top, width, height = place
    wide, high = width - px(2 * _MARGIN), px(TIMELINE - _MARGIN)
    imgui.set_next_window_pos(ImVec2(left + px(_MARGIN), top + height - high - px(_MARGIN / 2)))
    imgui.set_next_window_size(ImVec2(max(wide, 1.0), high))
    imgui.set_next_window_bg_alpha(0.94)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(8), px(7)))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, px(7))
    if imgui.begin("##timeline", None, windows.FLOATING)[0]:
        if widgets.button(f"{_PAUSE if told.playing else _PLAY}##play", px(34), not told.fault):
            answer.what = "play"
        widgets.tip("Play or pause.", shortcut("lab.play"))
        imgui.same_line()
        ends = px(96)
        room = imgui.get_content_region_avail().x - ends - imgui.get_style().item_spacing.x
        last = max(told.frames - 1, 1)
        at = told.at or 0
        seen = f"frame {at + 1:,} of {told.frames:,}   ·   {at / told.rate:.1f} s"
        share, _ = widgets.share_slider(
            "timeline", "drag to see the film" if told.at is None else seen, at / last, room
        )
        drawn.note(Drawn("track", "timeline", widgets.place(), seen))
        if imgui.is_item_active() and not told.fault:
            answer.at = round(share * last)
        imgui.same_line()
        if widgets.button("Back##film", ends, told.at is not None):
            answer.what = "end"
        widgets.tip("Shows the scene itself again.")
    imgui.end()
    imgui.pop_style_var(2)
