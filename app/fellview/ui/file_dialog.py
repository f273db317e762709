"""Choosing a file: the system's own dialog where there is one, else one of ours."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from imgui_bundle import ImVec2, imgui, portable_file_dialogs

from fellview import paths
from fellview.ui import drawn, theme
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import button, place, px
from fellview.ui.windows import Rectangle

Kind = Literal["open", "save"]

_SIZE = (640.0, 440.0)
_MOST_ENTRIES = 2000  # a folder of more is searched by typing the name


def native_available() -> bool:
    """Return whether the system's dialog can show: without zenity or kdialog it answers like Cancel, with no word."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(shutil.which("zenity") or shutil.which("kdialog"))


class FileDialog:
    """One question for a file. Call `draw` each frame until `done`; `answer` is then its path, none for Cancel.

    `suffixes` are the accepted ones, such as (".toml", ".png"); a name saved without any gets the first. Where
    there are none what is saved is a folder, which may be there already; systems' dialogs would only enter it, and ours
    asks.
    """

    def __init__(
        self,
        kind: Kind,
        title: str,
        folder: Path,
        suffixes: Sequence[str] = (),
        name: str = "",
        native: bool | None = None,
    ) -> None:
        self.done = False
        self.answer: Path | None = None
        self._kind, self._title, self._suffixes = kind, title, tuple(suffixes)
        self._folder = _nearest_folder(folder)
        self._name = name
        self._folder_text = str(self._folder)
        self._replace: Path | None = None
        self._fault = ""
        self._opened = False
        self._listed: tuple[Path, list[tuple[str, bool]]] | None = None
        self._places: dict[str, Rectangle] = {}
        self._native: Any = None
        if not self._saves_folder and (native_available() if native is None else native):
            self._native = self._native_dialog()

    @property
    def _saves_folder(self) -> bool:
        return self._kind == "save" and not self._suffixes

    @property
    def polls(self) -> bool:
        """Whether frames must go on without events: the system's dialog answers in a process of its own."""
        return self._native is not None and not self.done

    def draw(self) -> None:
        """Draw the dialog, or look whether the system's has answered."""
        if self.done:
            return
        if self._native is not None:
            if self._native.ready(0):
                answer = self._native.result()
                self._finish(Path(answer[0] if isinstance(answer, list) else answer) if answer else None)
            return
        self._draw_ours()

    def place(self, name: str) -> Rectangle:
        """Return where the entry or button `name` was drawn last: left, top, width, height in window units.

        For whoever drives the window from outside, such as tests. `KeyError` where it never was.
        """
        return self._places[name]

    def _native_dialog(self) -> Any:
        patterns = " ".join(f"*{suffix}" for suffix in self._suffixes) or "*"
        filters = [patterns, patterns]
        start = str(self._folder / self._name)
        if self._kind == "open":
            return portable_file_dialogs.open_file(self._title, start, filters)
        return portable_file_dialogs.save_file(self._title, start, filters)

    def _finish(self, path: Path | None) -> None:
        if path is not None and self._kind == "save" and not path.suffix and self._suffixes:
            path = path.with_name(path.name + self._suffixes[0])
        self.answer, self.done = path, True

    def _draw_ours(self) -> None:
        view = imgui.get_main_viewport()
        centre = ImVec2(view.work_pos.x + view.work_size.x / 2, view.work_pos.y + view.work_size.y / 2)
        size = ImVec2(min(px(_SIZE[0]), view.work_size.x - px(20)), min(px(_SIZE[1]), view.work_size.y - px(20)))
        name = f"{self._title}##file"
        if not self._opened:
            imgui.open_popup(name)
        imgui.set_next_window_pos(centre, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(size, imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(14), px(12)))
        shown, stays = imgui.begin_popup_modal(name, True, flags)
        imgui.pop_style_var()
        if not shown:
            if self._opened:
                self._finish(None)
            self._opened = True
            return
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2  # fields as high as the buttons beside them
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        self._where()
        self._entries(size.y - px(140))
        chosen = self._answer()
        imgui.pop_style_var()
        if not stays or (imgui.is_key_pressed(imgui.Key.escape, False) and self._replace is None):
            self._finish(None)
        elif chosen is not None:
            self._settle(chosen)
        if self.done:
            imgui.close_current_popup()
        imgui.end_popup()
        self._opened = True

    def _where(self) -> None:
        """Draw the line with the folder, which can be typed, and the way up."""
        if button("↑", px(30)):
            self._go(self._folder.parent)
        imgui.same_line()
        if button("Home", px(60)):
            self._go(Path.home())
        imgui.same_line()
        imgui.set_next_item_width(-1)
        entered, self._folder_text = imgui.input_text(
            "##folder", self._folder_text, imgui.InputTextFlags_.enter_returns_true
        )
        if entered:
            self._go(paths.named(self._folder_text))

    def _go(self, folder: Path) -> None:
        if paths.is_folder(folder):
            self._folder, self._fault = folder.resolve(), ""
            self._listed = None
        else:
            self._fault = f"{folder}: no such folder"
        self._folder_text = str(self._folder)
        self._replace = None

    def _entries(self, height: float) -> None:
        imgui.push_style_color(imgui.Col_.child_bg, (*theme.TRACK[:3], 0.55))
        imgui.begin_child("entries", ImVec2(0, height), imgui.ChildFlags_.always_use_window_padding)
        for name, is_folder in self._list():
            text = f"▸  {name}" if is_folder else f"     {name}"
            imgui.push_style_color(imgui.Col_.text, theme.TEXT if is_folder else theme.ACCENT)
            flags = imgui.SelectableFlags_.allow_double_click | imgui.SelectableFlags_.no_auto_close_popups
            pressed = imgui.selectable(text, name == self._name, flags)[0]
            imgui.pop_style_color()
            self._places[name] = place()
            drawn.note(Drawn("entry", name, place(), text))
            if not pressed:
                continue
            if is_folder:
                self._go(self._folder / name)
                break
            self._name, self._replace = name, None
            if imgui.is_mouse_double_clicked(0):
                self._settle(self._folder / name)
        imgui.end_child()
        imgui.pop_style_color()

    def _list(self) -> list[tuple[str, bool]]:
        """Return the folder's (name, is a folder), folders first; read once for each folder shown."""
        if self._listed is None or self._listed[0] != self._folder:
            try:
                found = [
                    (entry.name, entry.is_dir())
                    for entry in self._folder.iterdir()
                    if not entry.name.startswith(".")
                    and _is_text(entry.name)
                    and (entry.is_dir() or not self._suffixes or entry.suffix.lower() in self._suffixes)
                ]
            except OSError as fault:
                found, self._fault = [], f"{self._folder}: {fault.strerror}"
            found.sort(key=lambda entry: (not entry[1], entry[0].lower()))
            self._listed = self._folder, found[:_MOST_ENTRIES]
        return self._listed[1]

    def _answer(self) -> Path | None:
        """Draw the name and the buttons; return the path that was confirmed."""
        chosen = None
        imgui.dummy(ImVec2(0, px(2)))
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.DIM, "Name")
        imgui.same_line()
        imgui.set_next_item_width(-1)
        if not self._opened:
            imgui.set_keyboard_focus_here()
        entered, name = imgui.input_text("##name", self._name, imgui.InputTextFlags_.enter_returns_true)
        if name != self._name:
            self._name, self._replace, self._fault = name, None, ""
        warning = self._fault or (f"{self._replace.name} is there already." if self._replace else "")
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.WARM, warning or " ")
        drawn.note(Drawn("remark", "dialog", words=warning))
        width, space = px(110), imgui.get_style().item_spacing.x
        imgui.same_line(imgui.get_window_width() - 2 * width - space - imgui.get_style().window_padding.x - px(4))
        if button("Cancel", width):
            self._finish(None)
        imgui.same_line()
        verb = "Replace" if self._replace else self._kind.capitalize()
        pressed = button(verb, width, bool(self._name.strip()))
        self._places[verb] = place()
        if (pressed or entered) and self._name.strip():
            chosen = self._folder / paths.named(self._name.strip())
        return chosen

    def _settle(self, path: Path) -> None:
        """Take `path` as the answer, or say why it is none, or ask before an existing file is replaced."""
        if paths.is_folder(path):
            if self._saves_folder:
                self._finish(path)
            else:
                self._go(path)
                self._name = ""
        elif self._kind == "save":
            if not path.suffix and self._suffixes:
                path = path.with_name(path.name + self._suffixes[0])
            if not paths.is_folder(path.parent):
                self._fault = f"{path.parent}: no such folder"
            elif paths.is_there(path) and self._replace != path:
                self._replace = path
            else:
                self._finish(path)
        elif paths.is_there(path):
            self._finish(path)
        else:
            self._fault = f"{path.name}: no such file"


def _is_text(name: str) -> bool:
    """Return whether a name can be shown: on some disks names are any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _nearest_folder(folder: Path) -> Path:
    """Return `folder` or its nearest parent that exists."""
    folder = paths.named(str(folder)).absolute()
    while not paths.is_folder(folder) and folder != folder.parent:
        folder = folder.parent
    return folder
