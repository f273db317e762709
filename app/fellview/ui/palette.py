"""The command palette: every action, scene and parameter in one list, which a few typed letters narrow.

It holds what is typed, which line is chosen, and what was used last, which comes first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from imgui_bundle import ImVec2, imgui

from fellview.core import wording
from fellview.core.errors import one_line
from fellview.io import settings
from fellview.scene.scene import Scene
from fellview.ui import drawn, landforms, matcher, search, theme, widgets
from fellview.ui.actions import ACTIONS, BOOKMARK, BY_ID, shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.status import Outcome, Status
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

Kind = Literal["action", "scene", "own", "recent", "section", "parameter"]

ACTION = "palette"
"""The action that opens it, which is no line of its own."""

_SHOWN = 10  # lines at once
_WIDTH, _LINE, _TOP, _MARGIN, _FOOT = 560.0, 26.0, 46.0, 10.0, 28.0
_SECTION = 0.5  # of what a letter counts in a title it counts in the section's
_ABOUT = 0.3  # a word found in what else is said of a line: only where it begins a word there
_RECENT, _FADES = 2.0, 0.8  # what the line used last gains; of that the one before, and so on
_FLAGS = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings


@dataclass(frozen=True)
class Entry:
    """A line: what it does or shows, the section it belongs to, its keys or value, and other words that mean it."""

    kind: Kind
    name: str
    title: str
    section: str
    note: str = ""
    about: str = ""

    @property
    def id(self) -> str:
        """What tells it from all others, now and in later sessions."""
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Found:
    """A line that is meant, and the places of the letters in its title that are marked."""

    entry: Entry
    places: tuple[int, ...] = ()


def entries(scene: Scene, status: Status) -> tuple[Entry, ...]:
    """Return all lines: actions, scenes, files used last, sections and parameters, in that order."""
    return (*_actions(scene), *_scenes(status), *_parameters(scene))


def _actions(scene: Scene) -> Iterator[Entry]:
    """Iterate over the actions; bookmarks that are set are found by their names, too."""
    names = {f"{BOOKMARK}{one.number}": one.name for one in scene.bookmarks}
    for action in ACTIONS:
        if action.id != ACTION:
            title = f"{action.title}: {names[action.id]}" if action.id in names else action.title
            yield Entry("action", action.id, title, action.section, shortcut(action.id))


def _scenes(status: Status) -> Iterator[Entry]:
    for name in status.presets:
        yield Entry("scene", name, status.titles.get(name) or wording.spoken(name), "Scene", about=f" {name}")
    for one in status.own:
        yield Entry("own", one.variant.id, one.variant.name, "Own scene")
    for path in status.recent:
        yield Entry("recent", str(path), one_line(path.name), "Used last", about=f" {one_line(str(path)).lower()}")


def _parameters(scene: Scene) -> Iterator[Entry]:
    """Iterate over the sections and their parameters; of landforms those of the slots in use."""
    used = landforms.used(scene)
    yield Entry("section", landforms.SECTION.key, landforms.TITLE, "Section", landforms.named(scene))
    for key, group in scene.groups().items():
        title = group.title
        if key in landforms.KEYS:
            if key not in used:
                continue
            title = f"{group.title}: {wording.spoken(str(getattr(group, 'kind', ''))).lower()}"
        else:
            yield Entry("section", key, title, "Section")
        for name, declaration in group.declarations().items():
            if declaration.row:
                note = wording.in_words(declaration, getattr(group, name))
                about = search.about(group, name)
                yield Entry("parameter", f"{key}.{name}", declaration.label, title, note, about)


def found(lines: Sequence[Entry], text: str, used: Sequence[str]) -> list[Found]:
    """Return those of `lines` that `text` means, the best first; of those that fit alike the ones `used` last.

    `used` are the ids of lines, the newest first. Without a text all are meant.
    """
    words = text.lower().split()
    gains = {one: _RECENT * _FADES**place for place, one in enumerate(used)}
    scored = []
    for entry in lines:
        fits = _fits(entry, words)
        if fits is not None:
            scored.append((fits.score + gains.get(entry.id, 0.0), Found(entry, fits.places)))
    if not words:
        scored = [(gains.get(one.entry.id, 0.0), one) for _, one in scored]
    return [one for _, one in sorted(scored, key=lambda pair: -pair[0])]  # which keeps the order of equal ones


def _fits(entry: Entry, words: Sequence[str]) -> matcher.Match | None:
    """Return how `words` are found in the title, or else in the section or in what else is said of it."""
    in_title = matcher.match(words, entry.title)
    if in_title is not None:
        return in_title
    score, places = 0.0, set[int]()
    for word in words:
        if (one := matcher.match((word,), entry.title)) is not None:
            score += one.score
            places.update(one.places)
        elif (one := matcher.match((word,), entry.section)) is not None:
            score += _SECTION * one.score
        elif f" {word}" in entry.about:
            score += _ABOUT * len(word)
        else:
            return None
    return matcher.Match(score, tuple(sorted(places)))


class Palette:
    """Draws the palette while it is `shown`; `used` are the ids of the lines that were taken last, the newest first."""

    def __init__(self, used: Sequence[str] = ()) -> None:
        self.shown = False
        self.used = tuple(used)
        self._opened = False
        self._text = ""
        self._chosen = self._first = 0  # of what is found: the line that Enter takes, and the upmost that is seen
        self._lines: tuple[Entry, ...] = ()
        self._found: list[Found] = []

    def toggle(self) -> None:
        """Open it with nothing typed, or close it."""
        self.shown, self._opened = not self.shown, False
        self._text = ""

    def draw(
        self, outcome: Outcome, status: Status, area: Rectangle, reveal: Callable[[str], str], *, behind: bool = False
    ) -> None:
        """Draw it in the upper part of `area`; have what is taken done by `outcome`, or shown by `reveal`.

        That is given the key of a parameter or a section, and returns a remark. It does not open while events are
        `behind`: it would take keys that were pressed before it, such as those that have opened it.
        """
        if not self.shown or (behind and not self._opened):
            return
        if not self._opened:
            imgui.open_popup("##palette")
            self._lines = entries(outcome.scene, status)
            self._seek("")
        left, top, room, height = area
        width = min(px(_WIDTH), room - px(16))
        imgui.set_next_window_pos(ImVec2(left + (room - width) / 2, top + min(px(_TOP), height / 8)))
        imgui.set_next_window_size(ImVec2(width, 0))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_MARGIN), px(_MARGIN)))
        shown = imgui.begin_popup("##palette", _FLAGS)
        imgui.pop_style_var()
        if not shown:
            self.shown = not self._opened
            self._opened = True
            return
        taken = self._contents(width - px(2 * _MARGIN))
        toggled = imgui.get_io().key_ctrl and imgui.is_key_pressed(imgui.Key.p, False)
        ended = self._opened and (toggled or imgui.is_key_pressed(imgui.Key.escape, False))
        self._opened = True
        if taken is not None or ended:
            self.shown = False
            imgui.close_current_popup()
        imgui.end_popup()
        if taken is not None:
            self._take(taken, outcome, reveal)

    def _seek(self, text: str) -> None:
        self._text, self._chosen, self._first = text, 0, 0
        self._found = found(self._lines, text, self.used)

    def _contents(self, width: float) -> Entry | None:
        """Draw the field, the lines and what is said below them; return the line that was taken."""
        hint = "An action, a scene or a parameter"
        text = widgets.search_field("##palette text", self._text, hint, "", width, not self._opened)
        if text != self._text:
            self._seek(text)
        imgui.dummy(ImVec2(1, px(2)))
        taken = self._by_keys()
        for place, one in enumerate(self._found[self._first : self._first + _SHOWN], self._first):
            if self._line(place, one, width):
                taken = one.entry
        if not self._found:
            imgui.dummy(ImVec2(1, px(1)))
            imgui.text_colored(theme.DIM, f"Nothing is called “{self._text.strip()}”.")
        self._scroll()
        corner = imgui.get_cursor_screen_pos()
        imgui.dummy(ImVec2(1, px(_FOOT - _MARGIN)))
        canvas, y = imgui.get_window_draw_list(), corner.y + px(6)
        canvas.add_text(
            ImVec2(corner.x + px(2), y), theme.packed(theme.FAINT), "↑ ↓ choose   Enter takes it   Esc closes"
        )
        count = f"{len(self._found)} of {len(self._lines)}"
        at = corner.x + width - imgui.calc_text_size(count).x - px(2)
        canvas.add_text(ImVec2(at, y), theme.packed(theme.FAINT), count)
        return taken

    def _by_keys(self) -> Entry | None:
        """Move the choice by the arrow keys; return what Enter takes."""
        last = len(self._found) - 1
        for key, step in (
            (imgui.Key.down_arrow, 1),
            (imgui.Key.up_arrow, -1),
            (imgui.Key.page_down, _SHOWN),
            (imgui.Key.page_up, -_SHOWN),
        ):
            if imgui.is_key_pressed(key, True):
                around = abs(step) == 1 and not 0 <= self._chosen + step <= last  # from the last to the first
                self._chosen = (last if step < 0 else 0) if around else min(max(self._chosen + step, 0), max(last, 0))
                self._first = min(max(self._first, self._chosen - _SHOWN + 1), self._chosen)
        entered = imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
        return self._found[self._chosen].entry if entered and self._found and self._opened else None

    def _scroll(self) -> None:
        """Move the lines by the wheel."""
        turned = imgui.get_io().mouse_wheel if imgui.is_window_hovered() else 0.0
        if turned:
            self._first = min(max(self._first - round(3 * turned), 0), max(len(self._found) - _SHOWN, 0))

    def _line(self, place: int, one: Found, width: float) -> bool:
        """Draw a line; return whether it was clicked."""
        entry, corner, height = one.entry, imgui.get_cursor_screen_pos(), px(_LINE)
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0, 0))
        pressed = imgui.invisible_button(f"##{entry.id}", ImVec2(width, height))
        imgui.pop_style_var()
        moved = imgui.get_io().mouse_delta
        if imgui.is_item_hovered() and (moved.x or moved.y):
            self._chosen = place
        drawn.note(Drawn("entry", entry.id, (corner.x, corner.y, width, height), entry.title))
        canvas, end = imgui.get_window_draw_list(), ImVec2(corner.x + width, corner.y + height)
        if place == self._chosen:
            canvas.add_rect_filled(corner, end, theme.packed(theme.FILL), px(4))
        y = corner.y + (height - imgui.get_font_size()) / 2
        note = one_line(entry.note)
        right = end.x - px(8) - imgui.calc_text_size(note).x
        canvas.push_clip_rect(corner, ImVec2(right - px(8), end.y), True)
        x = corner.x + px(8)
        for marked, letters in itertools.groupby(enumerate(entry.title), lambda pair: pair[0] in one.places):
            part = "".join(letter for _, letter in letters)
            canvas.add_text(ImVec2(x, y), theme.packed(theme.WARM if marked else theme.TEXT), part)
            x += imgui.calc_text_size(part).x
        canvas.add_text(ImVec2(x + px(12), y), theme.packed(theme.DIM), entry.section)
        canvas.pop_clip_rect()
        canvas.add_text(ImVec2(right, y), theme.packed(theme.NOTE), note)
        return pressed

    def _take(self, entry: Entry, outcome: Outcome, reveal: Callable[[str], str]) -> None:
        """Have `entry` done."""
        self.used = outcome.used = (entry.id, *(one for one in self.used if one != entry.id))[: settings.MOST_USED]
        match entry.kind:
            case "action" if BY_ID[entry.name].held:
                outcome.remark = f"{entry.title}: the key is {shortcut(entry.name)}"
            case "action":
                outcome.actions.append(entry.name)
            case "scene":
                outcome.choose = entry.name
            case "own":
                outcome.own = entry.name
            case "recent":
                outcome.open = Path(entry.name)
            case _:
                outcome.remark = reveal(entry.name)
