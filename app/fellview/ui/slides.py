"""Slides: the deck as a window beside the landscape, and captions over what is presented."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.studio import caption as captions
from fellview.studio.deck import LONGEST_CAPTION, TRANSITIONS, Deck, Showing, Slide
from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

_ROW = 55.0
_THUMBNAIL = (88.0, 49.5)  # as pictures of the process of thumbnails are shaped
_BUTTON = 22.0
_NONE_YET = "No slides yet: add what is seen, bookmarks, or kept lands with a star."
_INK = (0.96, 0.97, 0.98, 1.0)
_STRIPS = 8  # that the ground of a caption comes in by: between them it goes straight
_SMALL = 0.62  # of the caption's font, for what stands small above it
_TICKS = (("turn", "Turn slowly"), ("changes", "What differs"))
_ADD = (
    ("slides.add", "View", "Add what is seen, from this camera."),
    ("slides.bookmarks", "Bookmarks", "Add a slide for each bookmark of the scene."),
    ("slides.starred", "Starred", "Add a slide for each kept land with a star."),
)
_FILES = (
    ("slides.open", "Open…", "Open a deck in the place of this one; undo brings it back."),
    ("slides.save", "Save…", "Save the deck as one file."),
    ("slides.present", "Present", "Show the slides full screen, from the one that was clicked last."),
)


@dataclass
class Answer:
    """What a person did: the deck from now on and what that is called, an action, a slide to show, whether it stays."""

    deck: Deck
    label: str = ""
    action: str = ""
    show: int | None = None
    stays: bool = True


class SlidesView:
    """Draws the deck; holds the caption that is being typed, with the place of its slide."""

    def __init__(self) -> None:
        self._typing: tuple[int, str] | None = None
        self._speed: float | None = None  # while its slider is held

    def draw(self, deck: Deck, chosen: int | None, textures: Sequence[int | None], scene: Rectangle) -> Answer:
        """Draw over the landscape `scene`; the slide at the place `chosen` was clicked last.

        `textures` are the thumbnails of the slides, as far as there are.
        """
        answer = Answer(deck)
        with windows.side("##slides", scene, px(176) + max(len(deck), 1) * px(_ROW)) as room:
            title = f"Slides  {len(deck) or ''}"
            answer.stays = not windows.head("slides", title, room, tip="Close the list; the deck stays.")
            _buttons(answer, _ADD, room)
            imgui.begin_child("##slide rows", ImVec2(0, -px(86)))
            if not deck.slides:
                imgui.push_text_wrap_pos(0.0)
                imgui.text_colored(theme.DIM, _NONE_YET)
                imgui.pop_text_wrap_pos()
            for place, slide in enumerate(deck.slides):
                imgui.push_id(place)
                self._row(answer, place, slide, textures[place], place == chosen)
                imgui.pop_id()
            imgui.end_child()
            self._showing(answer, room)
            _buttons(answer, _FILES, room)
        return answer

    def _row(self, answer: Answer, place: int, slide: Slide, texture: int | None, chosen: bool) -> None:
        """Draw a slide: its picture, which shows it, its caption, its transition, and what moves it."""
        room = imgui.get_content_region_avail().x
        if widgets.thumbnail("##slide", _THUMBNAIL, texture, str(place + 1), lit=chosen):
            answer.show = place
        drawn.note(Drawn("entry", f"slide {place + 1}", widgets.place(), slide.caption))
        widgets.tip("Show this slide's land here.", slide.scene.name)
        space = imgui.get_style().item_spacing
        imgui.same_line()
        imgui.begin_group()
        wide = room - px(_THUMBNAIL[0]) - space.x
        self._caption(answer, place, slide, wide)
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2  # as high as the buttons beside it
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        imgui.set_next_item_width(wide - 3 * (px(_BUTTON) + space.x))
        opened = widgets.begin_list(f"##transition {place}", slide.transition.capitalize())
        imgui.pop_style_var()
        if opened:
            for one in TRANSITIONS:
                if imgui.selectable(one.capitalize(), one == slide.transition)[0] and one != slide.transition:
                    changed = dataclasses.replace(slide, transition=one)
                    answer.deck, answer.label = answer.deck.change(place, changed), "Transition"
            widgets.end_list()
        else:
            widgets.tip("How one comes to this slide.", "between other lands a flight is a morph")
        last = len(answer.deck) - 1
        for text, to, enabled, told in (
            ("▲", place - 1, place > 0, "Earlier."),
            ("▼", place + 1, place < last, "Later."),
        ):
            imgui.same_line()
            if widgets.button(f"{text}##slide {place}", px(_BUTTON), enabled):
                answer.deck, answer.label = answer.deck.move(place, to), "Move slide"
            widgets.tip(told)
        imgui.same_line()
        if widgets.button(f"×##slide {place}", px(_BUTTON)):
            answer.deck, answer.label = answer.deck.delete(place), "Delete slide"
        widgets.tip("Delete the slide; undo brings it back.")
        imgui.end_group()

    def _caption(self, answer: Answer, place: int, slide: Slide, width: float) -> None:
        """Draw the field that a slide's caption is typed into."""
        typing = self._typing is not None and self._typing[0] == place
        text = self._typing[1] if typing and self._typing is not None else slide.caption
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        imgui.set_next_item_width(width)
        _, text = imgui.input_text_with_hint("##caption", "Caption", text)
        imgui.pop_style_var()
        drawn.note(Drawn("entry", f"caption {place + 1}", widgets.place(), text))
        if imgui.is_item_active():
            self._typing = place, text[:LONGEST_CAPTION]
        elif typing:
            self._typing = None
        if imgui.is_item_deactivated_after_edit():
            changed = dataclasses.replace(slide, caption=text[:LONGEST_CAPTION])
            answer.deck, answer.label = answer.deck.change(place, changed), "Caption"

    def _showing(self, answer: Answer, room: float) -> None:
        """Draw how slides are shown."""
        showing = answer.deck.showing
        for name, text in _TICKS:
            if name != _TICKS[0][0]:
                imgui.same_line(room / 2)
            if widgets.tick(f"slides {name}", getattr(showing, name), px(18), px(theme.ROW_HEIGHT)):
                _show(answer, showing.replace(**{name: not getattr(showing, name)}))
            widgets.tip(Showing.declaration(name).tip)
            imgui.same_line()
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.TEXT, text)
        declared = Showing.declaration("turn_speed")
        speed = showing.turn_speed if self._speed is None else self._speed
        before = declared.share(speed, declared.low, declared.high)
        turns = f"Turns by {number_format.with_unit(speed, '°/s')}"
        share, let_go = widgets.share_slider("turn speed", turns, before, room)
        widgets.tip(declared.tip)
        if share != before:
            self._speed = round(float(declared.at_share(share, declared.low, declared.high)), 1)
        if let_go and self._speed is not None:
            _show(answer, showing.replace(turn_speed=self._speed))
            self._speed = None


def _show(answer: Answer, showing: Showing) -> None:
    answer.deck, answer.label = dataclasses.replace(answer.deck, showing=showing), "How slides are shown"


def _buttons(answer: Answer, buttons: Sequence[tuple[str, str, str]], room: float) -> None:
    space = imgui.get_style().item_spacing.x
    width = (room - space * (len(buttons) - 1)) / len(buttons)
    for number, (action, text, told) in enumerate(buttons):
        if number:
            imgui.same_line()
        if widgets.button(text, width):
            answer.action = action
        widgets.tip(told, shortcut(action))


# -- presented -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """What stands over a slide: its caption, what differs from the slide before, and what it waits for.

    `strength` is how strongly the caption shows, 0 to 1.
    """

    caption: str
    changes: tuple[str, ...] = ()
    wait: str = ""
    strength: float = 1.0


def present(words: Words, size: tuple[int, int]) -> None:
    """Draw `words` over what is presented in a window of `size`."""
    wide, high = float(size[0]), float(size[1])
    canvas, font, size_px = imgui.get_background_draw_list(), imgui.get_font(), captions.font_px(size)
    small = size_px * _SMALL

    def width(text: str, font_px: float = size_px) -> float:
        return float(imgui.calc_text_size(text).x) * font_px / imgui.get_font_size()

    placed = captions.placed(words.caption, size, width)
    drawn.note(Drawn("remark", "caption", words=words.caption))
    shown = bool(words.caption.strip()) or bool(words.changes)
    if shown and words.strength > 0:
        above = len(words.changes) * captions.LINE * small + (0.6 * small if words.changes else 0.0)
        beside = max((width(line, small) for line in words.changes), default=0.0)
        further = max(placed.left + beside - placed.right, 0.0)
        behind = dataclasses.replace(
            placed,
            top=placed.top - above,
            ground_top=placed.ground_top - above,
            right=placed.right + further,
            ground_right=placed.ground_right + further,
        )
        _ground(canvas, behind, size, words.strength)
        ink, dim = theme.packed(_INK, words.strength), theme.packed(_INK, 0.8 * words.strength)
        for number, line in enumerate(placed.lines):
            at = ImVec2(placed.left, placed.top + number * captions.LINE * size_px)
            canvas.add_text(font, size_px, at, ink, line)
        for number, line in enumerate(words.changes):
            at = ImVec2(placed.left, placed.top - above + number * captions.LINE * small)
            canvas.add_text(font, small, at, dim, line)
    if words.wait:
        drawn.note(Drawn("remark", "wait", words=words.wait))
        left, top, room = wide - width(words.wait, small) - placed.left, high - 1.9 * size_px, 0.5 * small
        end = ImVec2(left + width(words.wait, small) + room, top + small + room)
        canvas.add_rect_filled(ImVec2(left - room, top - room), end, theme.packed((0.0, 0.0, 0.0, 1.0), 0.56), room)
        canvas.add_text(font, small, ImVec2(left, top), theme.packed(_INK, 0.9), words.wait)


def _ground(canvas: imgui.ImDrawList, placed: captions.Caption, size: tuple[int, int], strength: float) -> None:
    """Draw the soft dark ground behind a caption, in rectangles whose corners are as dark as they are to be."""
    rows = [*_steps(placed.ground_top, placed.top), float(size[1])]
    columns = [0.0, *_steps(placed.right, placed.ground_right)]

    def dark(row: float, column: float) -> int:
        return theme.packed((0.0, 0.0, 0.0, 1.0), placed.down(row) * placed.across(column) * strength)

    for (upper, lower), (left, right) in itertools.product(itertools.pairwise(rows), itertools.pairwise(columns)):
        corners = dark(upper, left), dark(upper, right), dark(lower, right), dark(lower, left)
        canvas.add_rect_filled_multi_color(ImVec2(left, upper), ImVec2(right, lower), *corners)


def _steps(first: float, last: float) -> list[float]:
    return [first + (last - first) * number / _STRIPS for number in range(_STRIPS + 1)]
