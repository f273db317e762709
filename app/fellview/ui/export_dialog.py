"""Choosing the program that land is exported for, how large, and into which folder."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import ImVec2, imgui

from fellview.targets.registry import TARGETS
from fellview.targets.target import Target
from fellview.ui import drawn, theme
from fellview.ui.drawn import Drawn
from fellview.ui.overlays import Rectangle
from fellview.ui.widgets import begin_list, button, end_list, place, px

_WIDTH = 560.0
_USUAL_SIDES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)  # offered where a program takes any


class ExportDialog:
    """One question for a target. Call `draw` each frame until `done`; `path` is then the folder, none for Cancel.

    `target` and `side` are what was chosen.
    """

    polls = False
    """It changes by events alone."""

    def __init__(self, folder: Path) -> None:
        self.done = False
        self.path: Path | None = None
        self.target: Target = TARGETS[0]
        self.side = self.target.size
        self._folder = str(folder / "exported")
        self._fault = ""
        self._opened = False
        self._places: dict[str, Rectangle] = {}

    def place(self, name: str) -> Rectangle:
        """Return where the list, entry or button `name` was drawn last: left, top, width, height in window units.

        For whoever drives the window from outside, such as tests. `KeyError` where it never was.
        """
        return self._places[name]

    def sides(self) -> tuple[int, ...]:
        """Return the sizes that the chosen program takes, of any the usual ones."""
        return self.target.sizes or tuple(side for side in _USUAL_SIDES if self.target.takes(side))

    def draw(self) -> None:
        """Draw the dialog."""
        if self.done:
            return
        view = imgui.get_main_viewport()
        centre = ImVec2(view.work_pos.x + view.work_size.x / 2, view.work_pos.y + view.work_size.y / 2)
        name = "Export for a program##export"
        if not self._opened:
            imgui.open_popup(name)
        imgui.set_next_window_pos(centre, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(min(px(_WIDTH), view.work_size.x - px(20)), 0), imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(14), px(12)))
        shown, stays = imgui.begin_popup_modal(name, True, flags)
        imgui.pop_style_var()
        if shown:
            padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
            imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
            self._choices()
            self._answer()
            imgui.pop_style_var()
            if not stays or imgui.is_key_pressed(imgui.Key.escape, False):
                self.done = True
            if self.done:
                imgui.close_current_popup()
            imgui.end_popup()
        elif self._opened:
            self.done = True
        self._opened = True

    def _choices(self) -> None:
        """Draw the lists of programs and sizes, and the folder."""
        self._label("Program")
        if self._begin("target", self.target.title):
            for one in TARGETS:
                if self._entry(one.title, one is self.target):
                    self.target, self.side, self._fault = one, one.size, ""
            end_list()
        self._label("Cells a side")
        if self._begin("side", str(self.side)):
            for side in self.sides():
                if self._entry(str(side), side == self.side):
                    self.side = side
            end_list()
        self._label("Folder")
        imgui.set_next_item_width(-1)
        _, self._folder = imgui.input_text("##folder", self._folder)
        imgui.text_colored(theme.DIM, f"A {self.target.suffix} file, and a text of what to type there.")

    def _label(self, text: str) -> None:
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.DIM, text)
        imgui.same_line(px(110))

    def _begin(self, name: str, shown: str) -> bool:
        imgui.set_next_item_width(-1)
        opened = begin_list(f"##{name}", shown)
        if not opened:
            self._places[name] = place()
        return opened

    def _entry(self, text: str, chosen: bool) -> bool:
        pressed = bool(imgui.selectable(text, chosen)[0])
        self._places[text] = place()
        return pressed

    def _answer(self) -> None:
        """Draw the buttons, and take the answer or say why it is none."""
        imgui.text_colored(theme.WARM, self._fault or " ")
        drawn.note(Drawn("remark", "dialog", words=self._fault))
        width, space = px(110), imgui.get_style().item_spacing.x
        imgui.same_line(imgui.get_window_width() - 2 * width - space - imgui.get_style().window_padding.x - px(4))
        if button("Cancel", width):
            self.done = True
        imgui.same_line()
        pressed = button("Export", width, bool(self._folder.strip()))
        self._places["Export"] = place()
        if pressed:
            folder = Path(self._folder.strip()).expanduser()
            if folder.exists() and not folder.is_dir():
                self._fault = f"{folder.name}: no folder"
            else:
                self.path, self.done = folder, True
