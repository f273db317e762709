"""Owns the Dear ImGui context: events in, plain draw data out. It opens no window and calls no OpenGL.

host = Host(get_clipboard, set_clipboard)
host.resize((1280, 720), (1280, 720))
host.mouse_move(x, y)  # and the other events, as the window reports them
host.new_frame(seconds)
outcome = panel.draw(scene, home, status)
overlay.draw(host.end_frame(), framebuffer)
"""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from imgui_bundle import ImVec2, imgui

from fellview import paths
from fellview.draw.overlay.overlay import VERTEX, Command, CommandList, DrawData, TextureUpdate
from fellview.ui import drawn, keys, plots, theme

Owner = Literal["panel", "scene"]

_FRAMES_AFTER_PRESS = 2  # of these, those that a press does not wait for
FRAMES_AFTER_EVENT = 3  # a press shows in the first, its effect on layout in the second, hover fades in the third
_FRAMES_AFTER_DRAG = 2  # over the land: one that ends it, and one that knows it has ended
_PRINTED = range(32, 97)  # GLFW's numbers of keys that type a letter, digit or sign
_BLINK_SECONDS = 0.4  # Dear ImGui shows a text cursor for 0.8 s and hides it for 0.4
_HOVER_SECONDS = 1.0  # tooltips wait 0.35 s, and 0.15 s for the pointer to rest; then nothing more comes
_HOVER_STEP_SECONDS = 0.1
_HELD_STEP_SECONDS = 0.1  # what is held may move on its own: a scroll bar does, with the pointer beside its grip
_FIELD_OPENS_WITHIN = 4  # frames; Dear ImGui takes two to give a field the keyboard
_NOWHERE = -float(np.finfo(np.float32).max)  # Dear ImGui's word for no pointer
_DOUBLE_CLICK_S, _LONGEST_DOUBLE_CLICK_S = 0.3, 2.0  # between two clicks; the longer one where frames are slow
_SHORTEST_FRAME = 1e-5  # Dear ImGui refuses a frame of no time; two events may come in one clock tick
_FIRST_TEXTURE = 1 << 30  # the binding takes 31 bits; ids below are OpenGL names that the window lends


@dataclass(frozen=True)
class Pointer:
    """The mouse in this frame, in window units: where, whose, and what of it the scene may use.

    `scene_delta` is zero in the frame of the press, so that a jump before the press moves nothing. `scene_wheel` and
    `scene_pressed` (button numbers) are empty where the panel has them. `released` lists buttons that the scene held.
    """

    position: tuple[float, float] = (0.0, 0.0)
    owner: Owner | None = None
    """Chosen at the press, kept until all buttons are up."""
    scene_delta: tuple[float, float] = (0.0, 0.0)
    scene_wheel: tuple[float, float] = (0.0, 0.0)
    scene_pressed: tuple[int, ...] = ()
    released: tuple[int, ...] = ()
    over_scene: bool = False
    gesture: bool = False
    """Whether a button was pressed or the wheel turned, be it over the panel."""


class Host:
    """The Dear ImGui context of one window, fed by plain calls."""

    def __init__(
        self,
        get_clipboard: Callable[[], str] | None = None,
        set_clipboard: Callable[[str], None] | None = None,
        scale: float = 1.0,
    ) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        io = imgui.get_io()
        io.set_ini_filename(None)  # the layout is ours: no imgui.ini beside whatever folder we were started in
        io.config_windows_move_from_title_bar_only = True
        io.backend_flags |= (
            imgui.BackendFlags_.renderer_has_vtx_offset
            | imgui.BackendFlags_.renderer_has_textures
            | imgui.BackendFlags_.has_mouse_cursors
        )
        io.fonts.add_font_from_file_ttf(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), theme.FONT_SIZE)
        io.display_size = ImVec2(1.0, 1.0)
        if get_clipboard is not None and set_clipboard is not None:
            self._hook_clipboard(get_clipboard, set_clipboard)
        self._content_scale = scale
        self._scale = 0.0
        self._framebuffer_ratio = 1.0
        self._apply_scale()
        self._held_modifiers: set[int] = set()
        self._held_keys: set[int] = set()
        self._unseen: list[imgui.Key] = []  # keys that were pressed since the last frame
        self._frames_wanted = FRAMES_AFTER_EVENT
        self._awaiting = 0
        self._early: list[Callable[[], None]] = []  # keys and text that wait for a field
        self._frames_hurried = 0
        self._fed = True  # with more than the pointer's place
        self._passed_s, self._passed_over = 0.0, (0.0, 0.0)  # since the last frame: time, and what the pointer moved
        self.events = 0
        """Events that were taken in: somebody is at the window."""
        self.presses = self.presses_seen = 0
        """Presses and releases of buttons that were taken in, and those of them that a frame has seen."""
        self._since_move = 0.0
        self._took = 0.0
        self._owner: Owner | None = None
        self._scene_buttons: set[int] = set()
        self._next_texture = _FIRST_TEXTURE
        self.pointer = Pointer()
        self.place: tuple[float, float] | None = None
        """Where the latest event had the pointer, in window units, which the next frame learns; none off the window."""
        self.wants_text = False  # a text field has the keyboard
        self.wants_keys = False  # that, or a list or dialog is open: the scene takes no keys
        self.wants_mouse = False

    def close(self) -> None:
        """Destroy the context."""
        imgui.set_current_context(self._context)
        for texture in imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.set_status(imgui.ImTextureStatus.destroyed)
        imgui.get_io().backend_flags &= ~imgui.BackendFlags_.renderer_has_textures
        imgui.destroy_context(self._context)

    # ---- events ------------------------------------------------------------------------------------------------

    def resize(self, window_size: tuple[float, float], framebuffer_size: tuple[int, int]) -> None:
        """Take the window's size, in the units of mouse events, and the framebuffer's in pixels."""
        io = self._event()
        width, height = max(window_size[0], 1), max(window_size[1], 1)  # a minimised window has no size
        io.display_size = ImVec2(width, height)
        ratio = ImVec2(max(framebuffer_size[0], 1) / width, max(framebuffer_size[1], 1) / height)
        io.display_framebuffer_scale = ratio
        self._framebuffer_ratio = ratio.y
        self._apply_scale()

    def content_scale(self, scale: float) -> None:
        """Take the screen's content scale: 1 at 96 dpi, 2 at 192."""
        self._event()
        self._content_scale = scale
        self._apply_scale()

    def mouse_move(self, x: float, y: float) -> None:
        """Take the pointer's position in window units, y down."""
        self._event(moves=True).add_mouse_pos_event(x, y)
        self.place = x, y
        self._since_move = 0.0

    def mouse_leave(self) -> None:
        """Take that the pointer left the window."""
        self._event().add_mouse_pos_event(_NOWHERE, _NOWHERE)
        self.place = None

    def mouse_button(self, button: int, down: bool) -> None:
        """Take a press or release of the left (0), right (1) or middle (2) button."""
        ends_drag = not down and self._owner == "scene"  # the land's picture answers that
        self._event(hurried=not ends_drag).add_mouse_button_event(button, down)
        if ends_drag:
            self._frames_wanted = _FRAMES_AFTER_DRAG
        self.presses += 1
        self._since_move = 0.0

    def wheel(self, dx: float, dy: float) -> None:
        """Take a turn of the wheel in notches; those of one frame add up."""
        self._event().add_mouse_wheel_event(dx, dy)

    def key(self, glfw_key: int, down: bool, modifiers: int = 0) -> None:
        """Take a key press or release, with GLFW's numbers; repeats are Dear ImGui's own."""
        if down and glfw_key in self._held_keys:
            return
        io = self._event(hurried=True)
        if self._awaiting:
            self._early.append(lambda: self.key(glfw_key, down, modifiers))
            return
        modifier = keys.MODIFIER_OF_KEY.get(glfw_key)
        if modifier is not None:  # X11 reports the mask as it was before a modifier's own press
            (self._held_modifiers.add if down else self._held_modifiers.discard)(glfw_key)
            held = {keys.MODIFIER_OF_KEY[one] for one in self._held_modifiers}
            if not down:
                # Dear ImGui takes one change of a key a frame: a chord's letter let go before its modifier keeps that
                for pressed in self._unseen:
                    io.add_key_event(pressed, False)
        else:
            held = {bit for bit in keys.IMGUI_MODIFIERS if modifiers & bit}
            (self._held_keys.add if down else self._held_keys.discard)(glfw_key)
        for bit, name in keys.IMGUI_MODIFIERS.items():
            io.add_key_event(name, bit in held)
        key = keys.BY_GLFW_NUMBER.get(glfw_key)
        # into a text field letters come as text: Dear ImGui takes one change of a key a frame, and a name would come
        # slower than it is typed where frames are slow
        typing = (
            self.wants_text and down and glfw_key in _PRINTED and not modifiers & (keys.CONTROL | keys.ALT | keys.SUPER)
        )
        # Dear ImGui fails at the redo of a text too long for its list of undone steps, such as a recipe that was pasted
        redo = self.wants_text and down and keys.is_redo(glfw_key, modifiers)
        if key is not None and not typing and not redo:
            io.add_key_event(key, down)
            if down and modifier is None:
                self._unseen.append(key)

    def text(self, text: str) -> None:
        """Take typed text, of any length: input methods send several characters at once."""
        # a key that is held for something else types without end
        io = self._event(hurried=self.wants_text)
        if self._awaiting:
            self._early.append(lambda: self.text(text))
        else:
            io.add_input_characters_utf8(text)

    def await_text(self) -> None:
        """Keep keys and text for the text field that the next frames open: it takes the keyboard a few frames later.

        Until then the scene takes no keys.
        """
        self._awaiting = _FIELD_OPENS_WITHIN
        self.wants_text = self.wants_keys = True
        self.redraw_for()

    def focus(self, focused: bool) -> None:
        """Take that the window got or lost the keyboard; a loss releases every key and button."""
        self._event().add_focus_event(focused)
        if not focused:
            self._held_modifiers.clear()
            self._held_keys.clear()

    # ---- frames ------------------------------------------------------------------------------------------------

    def new_frame(self, delta_seconds: float, took_seconds: float = 0.0) -> None:
        """Begin a frame that comes `delta_seconds` after the last one; `pointer` and `wants_…` are set.

        The last one took `took_seconds` to draw.
        """
        imgui.set_current_context(self._context)
        drawn.begin()
        io = imgui.get_io()
        io.delta_time = max(delta_seconds + self._passed_s, _SHORTEST_FRAME)
        self._since_move += io.delta_time
        # Dear ImGui takes a press or a release a frame, and no event comes in while a frame is drawn: from one press to
        # the next it sees what the frames of the press and of the release took, beside what the hand did
        drawing, self._took = self._took + took_seconds, took_seconds
        io.mouse_double_click_time = min(_DOUBLE_CLICK_S + drawing, _LONGEST_DOUBLE_CLICK_S)
        io.mouse_single_click_delay = io.mouse_double_click_time + 0.2  # as far apart as Dear ImGui's own
        imgui.new_frame()
        io.config_flags &= ~imgui.ConfigFlags_.nav_enable_keyboard  # of this frame's; what wants the next one's says so
        if not self.behind:
            self.presses_seen = self.presses
            self._fed = False
            self._unseen.clear()
        self._let_early_in(io)
        any_popup = imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level
        self.wants_keys = self.wants_text or imgui.is_popup_open("", any_popup)
        self.wants_mouse = bool(io.want_capture_mouse)
        self._decide_owner(io)
        self._passed_s, self._passed_over = 0.0, (0.0, 0.0)

    def pass_over(self, delta_seconds: float) -> None:
        """Take the place of `new_frame` and `end_frame` in a frame that does without the panel; `pointer` is set.

        Nothing may have come but moves of the pointer, see `only_moved`.
        """
        before = self.pointer.position
        place = self.place or before
        moved = place[0] - before[0], place[1] - before[1]
        self._passed_s += delta_seconds
        self._passed_over = self._passed_over[0] + moved[0], self._passed_over[1] + moved[1]
        self.pointer = dataclasses.replace(
            self.pointer,
            position=place,
            owner=self._owner,
            scene_delta=moved if self._owner == "scene" else (0.0, 0.0),
            scene_wheel=(0.0, 0.0),
            scene_pressed=(),
            released=(),
            gesture=False,
        )

    @property
    def held_by(self) -> Owner | None:
        """Whose the pointer is from now on: none in the frame of a release, too, unlike in `pointer`."""
        return self._owner

    @property
    def only_moved(self) -> bool:
        """Whether nothing has come since the last frame but moves of the pointer."""
        return not self._fed

    def end_frame(self) -> DrawData:
        """End the frame and return what to draw, copied: the next frame may begin at once."""
        imgui.render()
        data = imgui.get_draw_data()
        textures = self._texture_updates(data)
        lists = tuple(self._copied(one) for one in data.cmd_lists)
        self._frames_wanted = max(self._frames_wanted - 1, 0)
        if not self.behind:
            self._frames_hurried = max(self._frames_hurried - 1, 0)
        # a field that has opened in this frame tells Dear ImGui's input of it in the next one alone
        opened = self._context.want_text_input_next_frame > 0
        self.wants_text = bool(imgui.get_io().want_text_input) or opened or self._awaiting > 0
        self.wants_keys |= self.wants_text
        return DrawData(
            lists,
            textures,
            (data.display_pos.x, data.display_pos.y),
            (data.display_size.x, data.display_size.y),
            (data.framebuffer_scale.x, data.framebuffer_scale.y),
        )

    def abandon_frame(self) -> None:
        """End a frame that an error has left in its middle, whatever is still open in it; nothing of it is drawn."""
        imgui.set_current_context(self._context)
        plots.forget()
        io = imgui.get_io()
        told = io.config_error_recovery_enable_assert, io.config_error_recovery_enable_debug_log
        io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = False
        imgui.end_frame()  # closes what is open
        io.config_error_recovery_enable_assert, io.config_error_recovery_enable_debug_log = told

    def redraw_for(self, frames: int = FRAMES_AFTER_EVENT) -> None:
        """Ask for at least `frames` more frames, where something other than an event changed."""
        self._frames_wanted = max(self._frames_wanted, frames)

    @property
    def settled(self) -> bool:
        """Whether another frame would look the same as long as no event comes, but for `wake_after`."""
        imgui.set_current_context(self._context)
        if self._frames_wanted or self.behind:
            return False
        return not (self.wants_text and self._held_keys)  # an active text field without keys only blinks

    @property
    def behind(self) -> bool:
        """Whether events wait that Dear ImGui has not seen yet: of some it takes one a frame."""
        return len(self._context.input_events_queue) > 0

    @property
    def hurried(self) -> bool:
        """Whether a press, release or text has not been seen by the frames in which it shows."""
        return self._frames_hurried > 0

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a settled window should draw one frame all the same; none where nothing is pending."""
        if self.wants_text:
            return _BLINK_SECONDS
        imgui.set_current_context(self._context)
        if self._owner == "panel" and imgui.is_any_mouse_down():
            return _HELD_STEP_SECONDS
        if self.wants_mouse and self._since_move < _HOVER_SECONDS:
            return _HOVER_STEP_SECONDS
        return None

    @property
    def cursor(self) -> str:
        """The pointer's shape that the panel asks for: arrow, text, hand, resize_ew, resize_ns, not_allowed, ..."""
        imgui.set_current_context(self._context)
        shape = imgui.get_mouse_cursor()
        return str(imgui.MouseCursor_(shape).name).replace("text_input", "text")

    @property
    def scale(self) -> float:
        """Window units a panel pixel: 2 at 192 dpi where the window is measured in pixels, 1 where it is in points."""
        return self._scale

    # ---- within ------------------------------------------------------------------------------------------------

    def _event(self, *, hurried: bool = False, moves: bool = False) -> imgui.IO:
        """Return the context's input, which the caller is about to feed: the next frames differ."""
        imgui.set_current_context(self._context)
        self.redraw_for()
        self.events += 1
        self._fed |= not moves
        if hurried:
            self._frames_hurried = _FRAMES_AFTER_PRESS
        return imgui.get_io()

    def _apply_scale(self) -> None:
        scale = max(self._content_scale / self._framebuffer_ratio, 0.5)
        if abs(scale - self._scale) > 1e-3:  # noise of odd window sizes is no new scale
            self._scale = scale
            theme.apply(scale)

    def _hook_clipboard(self, get: Callable[[], str], set_: Callable[[str], None]) -> None:
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: get() or ""
        platform.platform_set_clipboard_text_fn = lambda _context, text: set_(text)

    def _decide_owner(self, io: imgui.IO) -> None:
        """Choose after `new_frame`: in an event callback Dear ImGui's wish is still the last frame's."""
        pressed = [button for button in range(3) if imgui.is_mouse_clicked(button)]
        released = tuple(button for button in self._scene_buttons if not imgui.is_mouse_down(button))
        self._scene_buttons.difference_update(released)
        moving = self._owner == "scene" and not pressed
        if pressed and self._owner is None:
            self._owner = "panel" if self.wants_mouse else "scene"
        owner = self._owner
        to_scene = tuple(pressed) if owner == "scene" else ()
        self._scene_buttons.update(to_scene)
        over_scene = owner == "scene" or (owner is None and not self.wants_mouse)
        passed = self._passed_over
        self.pointer = Pointer(
            (io.mouse_pos.x, io.mouse_pos.y),
            owner,
            (io.mouse_delta.x - passed[0], io.mouse_delta.y - passed[1]) if moving else (0.0, 0.0),
            (io.mouse_wheel_h, io.mouse_wheel) if over_scene else (0.0, 0.0),
            to_scene,
            released,
            over_scene,
            bool(pressed) or io.mouse_wheel != 0 or io.mouse_wheel_h != 0,
        )
        if not imgui.is_any_mouse_down():
            self._owner = None

    def _let_early_in(self, io: imgui.IO) -> None:
        """Hand on what came before its field had the keyboard; where none has taken it, text is lost."""
        self.wants_text = bool(io.want_text_input)
        if self._awaiting and not self.behind:
            self._awaiting = 0 if self.wants_text else self._awaiting - 1
            if not self._awaiting:
                early, self._early = self._early, []
                for take_in in early:
                    take_in()
        self.wants_text |= self._awaiting > 0

    def _texture_updates(self, data: imgui.ImDrawData) -> tuple[TextureUpdate, ...]:
        status = imgui.ImTextureStatus
        updates = []
        for texture in data.textures:
            if texture.status == status.want_create:
                texture.set_tex_id(self._next_texture)
                self._next_texture += 1
                updates.append(TextureUpdate("create", texture.get_tex_id(), 0, 0, _pixels(texture)))
                texture.set_status(status.ok)
            elif texture.status == status.want_updates:
                pixels = _pixels(texture)
                for part in texture.updates:
                    block = pixels[part.y : part.y + part.h, part.x : part.x + part.w].copy()
                    updates.append(TextureUpdate("update", texture.get_tex_id(), part.x, part.y, block))
                texture.set_status(status.ok)
            elif texture.status == status.want_destroy and texture.unused_frames > 0:
                updates.append(TextureUpdate("destroy", texture.get_tex_id()))
                texture.set_tex_id(0)
                texture.set_status(status.destroyed)
        return tuple(updates)

    def _copied(self, one: imgui.ImDrawList) -> CommandList:
        assert VERTEX.itemsize == imgui.VERTEX_SIZE, "Dear ImGui was built with another vertex"
        vertices = np.frombuffer(_bytes_at(one.vtx_buffer, imgui.VERTEX_SIZE), VERTEX)
        index = np.uint32 if imgui.INDEX_SIZE == 4 else np.uint16
        indices = np.frombuffer(_bytes_at(one.idx_buffer, imgui.INDEX_SIZE), index)
        commands = []
        for command in one.cmd_buffer:
            clip = command.clip_rect
            commands.append(
                Command(
                    (clip.x, clip.y, clip.z, clip.w),
                    command.tex_ref.get_tex_id(),
                    command.idx_offset,
                    command.vtx_offset,
                    command.elem_count,
                )
            )
        return CommandList(vertices, indices, tuple(commands))


def _bytes_at(vector: imgui.ImVector_ImDrawVert | imgui.ImVector_uint, item_size: int) -> bytes:
    """Return a copy of an ImGui vector's memory, which the next frame overwrites."""
    size = vector.size() * item_size
    return ctypes.string_at(vector.data_address(), size) if size else b""


def _pixels(texture: imgui.ImTextureData) -> npt.NDArray[np.uint8]:
    """Return a texture's pixels as uint8 [row, column, rgba], copied."""
    pixels = np.array(texture.get_pixels_array(), np.uint8).reshape(texture.height, texture.width, -1)
    if pixels.shape[2] == 1:  # an alpha-only atlas: white times alpha
        white = np.full((*pixels.shape[:2], 4), 255, np.uint8)
        white[..., 3] = pixels[..., 0]
        return white
    return pixels
