"""A form: pages of text fields, of which one page is handed in, and a line that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from fellview.core.errors import FellviewError
from fellview.ui import drawn, theme
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import button, place, px, tip

_WIDTH, _LABEL, _FIELD = 460.0, 190.0, 240.0


@dataclass(frozen=True)
class Field:
    """One line to fill in: its name, what it is called, what stands there first, and a tooltip."""

    name: str
    label: str
    value: str
    tip: str


@dataclass(frozen=True)
class Page:
    """A page of the form: what its button says, a tooltip, and its fields."""

    title: str
    tip: str
    fields: tuple[Field, ...]


class FormDialog:
    """One form. Call `draw` each frame until `done`; `answer` is then what `accept` made of it, None for Cancel.

    `accept(title, texts)` is given the page's title and its fields' texts by name, and raises `FellviewError` where
    they will not do; that line is shown, and the form stays.
    """

    def __init__(self, title: str, pages: Sequence[Page], accept: Callable[[str, Mapping[str, str]], Any]) -> None:
        self.done = False
        self.answer: Any = None
        self._title, self._pages, self._accept = title, tuple(pages), accept
        self._page = self._pages[0]
        self._focus = self._page.fields[0].name  # the field that the next frame gives the keyboard to
        self._texts = {page.title: {field.name: field.value for field in page.fields} for page in pages}
        self._fault = ""
        self._opened = False

    def draw(self) -> None:
        """Draw the form."""
        if self.done:
            return
        view = imgui.get_main_viewport()
        centre = ImVec2(view.work_pos.x + view.work_size.x / 2, view.work_pos.y + view.work_size.y / 2)
        name = f"{self._title}##form"
        if not self._opened:
            imgui.open_popup(name)
        imgui.set_next_window_pos(centre, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(px(_WIDTH), 0), imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(14), px(12)))
        shown, stays = imgui.begin_popup_modal(name, True, flags)
        imgui.pop_style_var()
        if not shown:
            self.done = self._opened
            self._opened = True
            return
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2  # fields as high as buttons
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        self._choose_page()
        entered = self._fill_in()
        pressed = self._buttons()
        imgui.pop_style_var()
        if not stays or imgui.is_key_pressed(imgui.Key.escape, False):
            self.done = True
        elif entered or pressed:
            self._hand_in()
        if self.done:
            imgui.close_current_popup()
        imgui.end_popup()
        self._opened = True

    def _choose_page(self) -> None:
        space = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - (len(self._pages) - 1) * space) / len(self._pages)
        for number, page in enumerate(self._pages):
            if number:
                imgui.same_line()
            if button(page.title, width, lit=page is self._page):
                self._page, self._fault, self._focus = page, "", page.fields[0].name
            tip(page.tip)
        imgui.dummy(ImVec2(0, px(4)))

    def _fill_in(self) -> bool:
        """Draw the fields; return whether Enter was pressed in one."""
        texts, entered = self._texts[self._page.title], False
        for field in self._page.fields:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.TEXT, field.label)
            imgui.same_line(px(_LABEL))
            imgui.set_next_item_width(px(_FIELD))
            if field.name == self._focus:
                imgui.set_keyboard_focus_here()
                self._focus = ""
            flags = imgui.InputTextFlags_.enter_returns_true
            done, text = imgui.input_text(f"##{self._page.title}-{field.name}", texts[field.name], flags)
            drawn.note(Drawn("entry", field.name, place(), text))
            tip(field.tip)
            if text != texts[field.name]:
                texts[field.name], self._fault = text, ""
            if done:
                entered, self._focus = True, field.name  # Enter takes the keyboard away
        return entered

    def _buttons(self) -> bool:
        """Draw what is wrong and the buttons; return whether the form was handed in."""
        imgui.push_text_wrap_pos(0.0)
        imgui.text_colored(theme.WARM, self._fault or " ")
        imgui.pop_text_wrap_pos()
        drawn.note(Drawn("remark", "dialog", words=self._fault))
        width = px(110)
        left = imgui.get_window_width() - 2 * width - imgui.get_style().item_spacing.x
        imgui.set_cursor_pos_x(left - imgui.get_style().window_padding.x)
        if button("Cancel", width):
            self.done = True
        imgui.same_line()
        return button("Continue", width)

    def _hand_in(self) -> None:
        texts = {name: text.strip() for name, text in self._texts[self._page.title].items()}
        try:
            self.answer = self._accept(self._page.title, texts)
        except FellviewError as fault:
            self._fault = str(fault)
        else:
            self.done = True
