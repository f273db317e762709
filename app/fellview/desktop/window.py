"""The window: moderngl-window's GLFW window, its events in plain words, and all that GLFW is asked for.

It opens before most modules are read, so that this one needs none of `ui`.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import moderngl

from fellview.core.errors import FellviewError
from fellview.gpu import context as gpu_context

if TYPE_CHECKING:
    from fellview.ui.imgui_host import Host


def _share_library() -> None:
    """Have GLFW's binding load the library that Dear ImGui's brings: with another, its own would not load later."""
    found = importlib.util.find_spec("imgui_bundle")
    folders = found.submodule_search_locations if found is not None else None
    name = {"darwin": "libglfw.3.dylib", "win32": "glfw3.dll"}.get(sys.platform, "libglfw.so.3")
    library = Path(folders[0]) / name if folders else Path()
    if library.is_file():
        os.environ.setdefault("PYGLFW_LIBRARY", str(library))
    else:
        import imgui_bundle  # noqa: F401 - says itself which it takes


_share_library()

import glfw  # noqa: E402
from moderngl_window.context.glfw import Window as GlfwWindow  # noqa: E402

glfw.ERROR_REPORTING = "ignore"  # from the first call on: failures are told as exceptions, and `wake` has none

LEFT_BUTTON, F1_KEY, PRESSED, RELEASED = glfw.MOUSE_BUTTON_LEFT, glfw.KEY_F1, glfw.PRESS, glfw.RELEASE

BUTTONS = ("left", "right", "middle")
"""Mouse buttons by their number."""

_KEY_NAMES = {
    glfw.KEY_ESCAPE: "Escape",
    glfw.KEY_SPACE: "Space",
    glfw.KEY_TAB: "Tab",
    glfw.KEY_HOME: "Home",
    glfw.KEY_END: "End",
    glfw.KEY_PAGE_UP: "Page Up",
    glfw.KEY_PAGE_DOWN: "Page Down",
    glfw.KEY_DELETE: "Delete",
    glfw.KEY_UP: "UP",
    glfw.KEY_DOWN: "DOWN",
    glfw.KEY_LEFT: "LEFT",
    glfw.KEY_RIGHT: "RIGHT",
    **{glfw.KEY_F1 + number: f"F{number + 1}" for number in range(12)},
    **{glfw.KEY_KP_0 + number: f"Num {number}" for number in range(10)},
}
_CURSORS = {
    "text": glfw.IBEAM_CURSOR,
    "hand": glfw.HAND_CURSOR,
    "resize_ew": glfw.HRESIZE_CURSOR,
    "resize_ns": glfw.VRESIZE_CURSOR,
}
_ASKS = 4  # for the sizes of a window, one of which may change while the other is told
_USUAL_REFRESH_RATE = 60  # frames a second, where the screen does not say


@dataclass(frozen=True)
class Key:
    """One press, repeat or release of a key.

    `place` names the key by where it is (in the US layout), `chord` by what it types, with modifiers, as the table of
    actions writes it. `number` and `modifiers` are GLFW's.
    """

    number: int
    place: str
    chord: str
    down: bool
    repeated: bool
    modifiers: int

    @property
    def shift(self) -> bool:
        """Return whether Shift is down with it."""
        return bool(self.modifiers & glfw.MOD_SHIFT)

    @property
    def commanding(self) -> bool:
        """Return whether Ctrl, Cmd or Alt is down with it."""
        return bool(self.modifiers & (glfw.MOD_CONTROL | glfw.MOD_SUPER | glfw.MOD_ALT))

    @property
    def is_shift(self) -> bool:
        """Return whether the key is a Shift key itself."""
        return self.number in (glfw.KEY_LEFT_SHIFT, glfw.KEY_RIGHT_SHIFT)


@dataclass(frozen=True)
class Extent:
    """How large a window is: in the units of mouse events, its framebuffer in pixels, and its screen's content scale.

    A window may be resized at any time, so whoever draws a frame asks once.
    """

    size: tuple[int, int]
    framebuffer: tuple[int, int]
    scale: float

    def pixels(self, part: tuple[float, float, float, float], largest: int) -> tuple[int, int, int, int]:
        """Return a part of the window (left, top, width, height in its units) as left, bottom, width and height in
        pixels of the framebuffer, each side 1 to `largest`.
        """
        (across, down), (width, height) = self.size, self.framebuffer
        left, top, wide, high = part
        across_px, down_px = width / max(across, 1), height / max(down, 1)  # a minimised window has no size
        first, last = round(left * across_px), round((left + wide) * across_px)
        bottom, upper = height - round((top + high) * down_px), height - round(top * down_px)
        return first, bottom, min(max(last - first, 1), largest), min(max(upper - bottom, 1), largest)


class Listener(Protocol):
    """What the window tells its events to; `host` takes the pointer's directly."""

    @property
    def host(self) -> Host:
        """What takes the pointer's."""

    def on_key(self, key: Key) -> None:
        """Take a key in."""

    def on_text(self, text: str) -> None:
        """Take typed text in."""

    def on_button_modifiers(self, modifier: str) -> None:
        """Take in which modifier ("shift", "alt" or "") was down at a button's press."""

    def on_focus(self, focused: bool) -> None:
        """Take the keyboard's coming or going in."""

    def on_resize(self) -> None:
        """Take a new size or scale in."""

    def on_drop(self, path: Path) -> None:
        """Take in that a file was dropped."""

    def redraw(self) -> None:
        """Draw again, as the screen was damaged."""


class Window(GlfwWindow):  # type: ignore[misc]
    """moderngl-window's GLFW window, with what its events leave out: key places, fractions, focus, dropped files."""

    def __init__(self, **settings: Any) -> None:
        self.listener: Listener | None = None
        """Who is told of events; none are taken in before there is one."""
        self._shape = "arrow"
        self._cursors: dict[str, Any] = {}
        super().__init__(**settings)
        self.exit_key = None  # Escape cancels; it never quits
        self.fullscreen_key = None  # F11 is in the table of actions
        handle = self._window
        glfw.set_drop_callback(handle, self._dropped)  # type: ignore[arg-type] # the binding hands over a list
        glfw.set_window_refresh_callback(handle, lambda _: self._tell(lambda listener: listener.redraw()))
        glfw.set_window_content_scale_callback(handle, lambda *_: self._tell(lambda listener: listener.on_resize()))
        glfw.set_framebuffer_size_callback(handle, lambda *_: self._tell(lambda listener: listener.on_resize()))

    # -- facts ---------------------------------------------------------------------------------------------------------

    @property
    def context(self) -> moderngl.Context:
        """The OpenGL context."""
        return self.ctx

    def extent(self) -> Extent:
        """Return how large the window is now.

        Asked of GLFW itself: at 192 dpi the library's own idea of the size stays at what was requested.
        """
        handle = self._window
        for _ in range(_ASKS):
            size, framebuffer = glfw.get_window_size(handle), glfw.get_framebuffer_size(handle)
            if glfw.get_window_size(handle) == size:
                break  # or the window was resized between the two
        return Extent(size, framebuffer, glfw.get_window_content_scale(handle)[1])

    @functools.cached_property
    def frame_s(self) -> float:
        """Seconds between two frames of the screen."""
        monitor = glfw.get_primary_monitor()
        mode = glfw.get_video_mode(monitor) if monitor else None
        return 1 / (mode.refresh_rate if mode and mode.refresh_rate > 0 else _USUAL_REFRESH_RATE)

    def clipboard(self) -> str:
        """Return the clipboard's text."""
        return _text(glfw.get_clipboard_string(self._window))

    def set_clipboard(self, text: str) -> None:
        """Put `text` on the clipboard."""
        glfw.set_clipboard_string(self._window, text)

    def show_cursor(self, shape: str) -> None:
        """Give the pointer a `shape` by Dear ImGui's name; the arrow for those that the system lacks."""
        if shape != self._shape:
            self._shape = shape
            if shape not in self._cursors:
                number = _CURSORS.get(shape)
                self._cursors[shape] = glfw.create_standard_cursor(number) if number is not None else None
            glfw.set_cursor(self._window, self._cursors[shape])

    def wait(self, seconds: float) -> None:
        """Take events in; sleep until one comes, for at most `seconds`."""
        if seconds > 0:
            glfw.wait_events_timeout(seconds)
        else:
            glfw.poll_events()

    def show_frame(self) -> None:
        """Put what was drawn on the screen, and take no events in."""
        glfw.swap_buffers(self._window)

    def hide(self) -> None:
        """Take the window off the screen; it can still be drawn in."""
        glfw.hide_window(self._window)

    # -- events --------------------------------------------------------------------------------------------------------

    def glfw_key_event_callback(self, window: Any, key: int, scancode: int, action: int, mods: int) -> None:
        """Pass a key on."""
        place = _KEY_NAMES.get(key) or (chr(key) if glfw.KEY_SPACE <= key <= glfw.KEY_GRAVE_ACCENT else "")
        chord = _chord(key, place, scancode, mods)
        told = Key(key, place, chord, action != glfw.RELEASE, action == glfw.REPEAT, mods)
        self._tell(lambda listener: listener.on_key(told))

    def glfw_char_callback(self, window: Any, codepoint: int) -> None:
        """Pass a typed character on."""
        self._tell(lambda listener: listener.on_text(chr(codepoint)))

    def glfw_mouse_event_callback(self, window: Any, xpos: float, ypos: float) -> None:
        """Pass the pointer's place on, with its fractions."""
        self._tell(lambda listener: listener.host.mouse_move(xpos, ypos))

    def glfw_mouse_button_callback(self, window: Any, button: int, action: int, mods: int) -> None:
        """Pass a button on."""
        if button < len(BUTTONS):
            modifier = "shift" if mods & glfw.MOD_SHIFT else "alt" if mods & glfw.MOD_ALT else ""
            self._tell(lambda listener: listener.on_button_modifiers(modifier))
            self._tell(lambda listener: listener.host.mouse_button(button, action == glfw.PRESS))

    def glfw_mouse_scroll_callback(self, window: Any, x_offset: float, y_offset: float) -> None:
        """Pass the wheel on."""
        self._tell(lambda listener: listener.host.wheel(x_offset, y_offset))

    def glfw_cursor_enter(self, window: Any, enter: int) -> None:
        """Tell that the pointer left."""
        if not enter:
            self._tell(lambda listener: listener.host.mouse_leave())

    def glfw_window_focus(self, window: Any, focused: int) -> None:
        """Pass the focus on."""
        super().glfw_window_focus(window, focused)
        self._tell(lambda listener: listener.on_focus(bool(focused)))

    def glfw_window_resize_callback(self, window: Any, width: int, height: int) -> None:
        """Pass the new size on."""
        super().glfw_window_resize_callback(window, width, height)
        self._tell(lambda listener: listener.on_resize())

    def _dropped(self, window: Any, files: Sequence[str]) -> None:
        """Pass the first of the dropped files on."""
        if files:
            self._tell(lambda listener: listener.on_drop(Path(files[0])))

    def _tell(self, event: Callable[[Listener], None]) -> None:
        if self.listener is not None:
            event(self.listener)


def open_window(size: tuple[int, int]) -> Window:
    """Return a window of that size in its units, whose events nobody is told of yet.

    `FellviewError` says in one line why there is none.
    """
    gpu_context.thread_calls()
    if not glfw.init():
        raise FellviewError(f"no window: {_glfw_error() or 'no display'}; `fellview render` draws pictures without one")
    try:
        window = Window(title="Fellview", size=size, gl_version=(3, 3), vsync=True, samples=0)
        gpu_context.prepared(window.context)
    except FellviewError:
        glfw.terminate()
        raise
    except Exception as fault:  # the library raises plain exceptions of many kinds
        reason = " ".join((_glfw_error() or str(fault)).split())
        glfw.terminate()
        raise FellviewError(f"no window: {reason}; expected OpenGL 3.3 or later") from None
    return window


def wake() -> None:
    """End the window's wait from another thread; before the window is there, there is nothing to wake."""
    glfw.post_empty_event()


def _chord(key: int, place: str, scancode: int, modifiers: int) -> str:
    """Return a key as the table of actions writes it: by its letter, with modifiers."""
    typed = "" if key in _KEY_NAMES else (glfw.get_key_name(key, scancode) or "")
    control = glfw.MOD_CONTROL | (glfw.MOD_SUPER if sys.platform == "darwin" else 0)
    parts = ["Ctrl"] if modifiers & control else []
    parts += ["Alt"] if modifiers & glfw.MOD_ALT else []
    parts += ["Shift"] if modifiers & glfw.MOD_SHIFT else []
    return "+".join([*parts, typed.upper() or place])


def _glfw_error() -> str:
    """Return what GLFW says of its last failure; empty where it says nothing."""
    return _text(glfw.get_error()[1])


def _text(text: Any) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text or "")
