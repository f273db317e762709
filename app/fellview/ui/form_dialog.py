"""A form: pages of fields, of which one page is handed in, and a line that says what is wrong with it.

Tab and the arrow keys go from field to field, Enter and Space open a list, and in it the arrows choose and Enter takes;
Esc closes the list, or else the form. Enter in a field that is typed into hands the form in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from fellview.core.errors import FellviewError
from fellview.ui import drawn, theme
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import begin_list, button, end_list, place, px, tip

_WIDTH, _PAGES, _LABEL = 620.0, 150.0, 170.0
_BESIDE = 20.0  # pixels of the window that the form leaves free


@dataclass(frozen=True)
class Field:
    """One line to fill in: its name, what it is called, what stands there first, and a tooltip.

    With `choices`, each a text and what it is called, one of those is chosen; otherwise anything is typed. `empty` says
    what an empty field means.
    """

    name: str
    label: str
    value: str
    tip: str
    choices: tuple[tuple[str, str], ...] = ()
    empty: str = ""


@dataclass(frozen=True)
class Page:
    """A page of the form: what its button says, a tooltip, its fields, and what handing it in is called."""

    title: str
    tip: str
    fields: tuple[Field, ...]
    verb: str = "Continue"


class FormDialog:
    """One form. Call `draw` each frame until `done`; `answer` is then what `accept` made of it, None for Cancel.

    `accept(title, texts)` is given the page's title and its fields' texts by name, and raises `FellviewError` where
    they will not do; that line is shown, and the form stays. `page` is the title of the page that it opens on. In each
    frame `show` is given the same, and returns whether it shows in the landscape what they ask for.
    """

    polls = False
    """It changes by events alone."""

    def __init__(
        self,
        title: str,
        pages: Sequence[Page],
        accept: Callable[[str, Mapping[str, str]], Any],
        page: str = "",
        show: Callable[[str, Mapping[str, str]], bool] = lambda title, texts: False,
    ) -> None:
        self.done = False
        self.answer: Any = None
        self._title, self._pages, self._accept, self._show = title, tuple(pages), accept, show
        self._page = next((one for one in self._pages if one.title == page), self._pages[0])
        self._focus = _first_typed(self._page)  # the field that the next frame gives the keyboard to
        self._texts = {page.title: {field.name: field.value for field in page.fields} for page in pages}
        self._fault = ""
        self._opened = False
        self._list = ""  # the field whose list was open in the last frame
        self._listed = ""  # and in this one

    def draw(self) -> None:
        """Draw the form."""
        if self.done:
            return
        imgui.get_io().config_flags |= imgui.ConfigFlags_.nav_enable_keyboard
        self._list, self._listed = self._listed, ""
        view = imgui.get_main_viewport()
        left = ImVec2(view.work_pos.x + px(_BESIDE / 2), view.work_pos.y + view.work_size.y / 2)
        widest, highest = (max(length - px(_BESIDE), 1.0) for length in (view.work_size.x, view.work_size.y))
        shows = self._show(self._page.title, self._stripped())
        theme.dim_behind(0.0 if shows else theme.DIM_BEHIND)
        name = f"{self._title}##form"
        if not self._opened:
            imgui.open_popup(name)
        imgui.set_next_window_pos(left, imgui.Cond_.always, ImVec2(0.0, 0.5))  # over the panel, beside the land
        width = min(px(_WIDTH), widest)
        imgui.set_next_window_size_constraints(ImVec2(width, 0), ImVec2(width, highest))
        imgui.set_next_window_size(ImVec2(width, 0), imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(14), px(12)))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, px(1))
        shown, stays = imgui.begin_popup_modal(name, True, flags)
        imgui.pop_style_var(2)
        if not shown:
            self.done = self._opened
            self._opened = True
            theme.dim_behind()
            return
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2  # fields as high as buttons
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        self._choose_page()
        imgui.same_line(0, px(16))
        imgui.begin_group()
        entered = self._fill_in()
        imgui.end_group()
        pressed = self._buttons()
        imgui.pop_style_var()
        if not stays or (imgui.is_key_pressed(imgui.Key.escape, False) and not self._list):
            self.done = True
        elif entered or pressed:
            self._hand_in()
        if self.done:
            imgui.close_current_popup()
            theme.dim_behind()
        imgui.end_popup()
        self._opened = True

    def _choose_page(self) -> None:
        imgui.begin_group()
        for page in self._pages:
            if button(page.title, px(_PAGES), lit=page is self._page):
                self._page, self._fault, self._focus = page, "", _first_typed(page)
            tip(page.tip)
        imgui.end_group()

    def _fill_in(self) -> bool:
        """Draw the fields; return whether Enter was pressed in one."""
        entered = False
        for field in self._page.fields:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.TEXT, field.label)
            imgui.same_line(px(_LABEL))
            imgui.set_next_item_width(-1)
            entered |= self._choose(field) if field.choices else self._type(field)
        return entered

    def _choose(self, field: Field) -> bool:
        """Draw a list to choose from."""
        texts = self._texts[self._page.title]
        called = dict(field.choices)
        opened = begin_list(f"##{self._page.title}-{field.name}", called[texts[field.name]])
        if not opened:
            drawn.note(Drawn("entry", field.name, place(), texts[field.name]))
            tip(field.tip)
            return False
        self._listed = field.name
        for text, words in field.choices:
            if imgui.selectable(words, text == texts[field.name])[0]:
                texts[field.name], self._fault = text, ""
            if text == texts[field.name] and self._list != field.name:
                imgui.set_item_default_focus()  # where the arrow keys begin
            drawn.note(Drawn("entry", words, place(), text))
        end_list()
        return False

    def _type(self, field: Field) -> bool:
        """Draw a field to type into; return whether Enter was pressed in it."""
        texts = self._texts[self._page.title]
        if field.name == self._focus:
            imgui.set_keyboard_focus_here()
            self._focus = ""
        flags = imgui.InputTextFlags_.enter_returns_true
        name = f"##{self._page.title}-{field.name}"
        done, text = imgui.input_text_with_hint(name, field.empty, texts[field.name], flags)
        drawn.note(Drawn("entry", field.name, place(), text))
        tip(field.tip)
        if text != texts[field.name]:
            texts[field.name], self._fault = text, ""
        if done:
            self._focus = field.name  # Enter takes the keyboard away
        return bool(done)

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
        return button(self._page.verb, width)

    def _hand_in(self) -> None:
        try:
            self.answer = self._accept(self._page.title, self._stripped())
        except FellviewError as fault:
            self._fault = str(fault)
        else:
            self.done = True

    def _stripped(self) -> dict[str, str]:
        """Return the texts of the page's fields, by name."""
        return {name: text.strip() for name, text in self._texts[self._page.title].items()}


def _first_typed(page: Page) -> str:
    """Return the name of the first field that is typed into; nothing where there is none."""
    return next((field.name for field in page.fields if not field.choices), "")
