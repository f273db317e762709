"""The viewer: a moderngl-window window, its events to actions and cameras, and a loop that draws only on change."""

from __future__ import annotations

import contextlib
import functools
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fellview.ui.imgui_host import Host  # isort: skip - Dear ImGui's library must load before GLFW's
import glfw
from moderngl_window.context.glfw import Window as GlfwWindow

from fellview import actions, capture, paths
from fellview.core.errors import FellviewError
from fellview.draw.overlay import DrawData, Overlay
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.target import Target
from fellview.gpu import context as gpu_context
from fellview.io import heights, scenes
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.session import Session
from fellview.ui import overlays
from fellview.ui.file_dialog import FileDialog
from fellview.ui.panel import Panel
from fellview.ui.status import Outcome, Status
from fellview.view import framing
from fellview.view.controllers import DRAGS, KEYS, Controller
from fellview.view.ground import above_ground

_REST_S = 0.2  # after the last change, before the resting picture is drawn with more samples
_MOVING_SAMPLES, _RESTING_SAMPLES = 1, 4
_PICTURE_SAMPLES = 4
_LONGEST_WAIT_S = 1.0  # Ctrl+C and a request to end are only seen between two waits
_BUSY_TICK_S = 0.1  # how often the progress line moves
_SUN_DEGREES_PER_PIXEL = 0.25
_BUTTONS = ("left", "right", "middle")
_LARGEST_SEED = 2**31 - 1

Watch = Callable[["Viewer", bool], None]

_KEY_NAMES = {
    glfw.KEY_ESCAPE: "Escape",
    glfw.KEY_TAB: "Tab",
    glfw.KEY_HOME: "Home",
    glfw.KEY_UP: "UP",
    glfw.KEY_DOWN: "DOWN",
    glfw.KEY_LEFT: "LEFT",
    glfw.KEY_RIGHT: "RIGHT",
    **{glfw.KEY_F1 + number: f"F{number + 1}" for number in range(12)},
    **{glfw.KEY_KP_0 + number: f"Num {number}" for number in range(10)},
}


class _Window(GlfwWindow):  # type: ignore[misc]
    """moderngl-window's GLFW window, with what its events leave out: key places, fractions, focus, dropped files."""

    def __init__(self, viewer: Viewer, **settings: Any) -> None:
        self._viewer = viewer
        super().__init__(**settings)
        self.exit_key = None  # Escape cancels; it never quits
        self.fullscreen_key = None  # F11 is in the table of actions
        glfw.set_drop_callback(self._window, viewer.on_drop)  # type: ignore[arg-type] # the binding hands over a list
        glfw.set_window_refresh_callback(self._window, lambda _: viewer.redraw())
        glfw.set_window_content_scale_callback(self._window, lambda _, x, y: viewer.on_resize())
        glfw.set_framebuffer_size_callback(self._window, lambda _, width, height: viewer.on_resize())

    @property
    def handle(self) -> Any:
        """GLFW's own window."""
        return self._window

    def glfw_key_event_callback(self, window: Any, key: int, scancode: int, action: int, mods: int) -> None:
        """Pass a key on."""
        self._viewer.on_key(key, scancode, action, mods)

    def glfw_char_callback(self, window: Any, codepoint: int) -> None:
        """Pass a typed character on."""
        self._viewer.on_text(chr(codepoint))

    def glfw_mouse_event_callback(self, window: Any, xpos: float, ypos: float) -> None:
        """Pass the pointer's place on, with its fractions."""
        self._viewer.host.mouse_move(xpos, ypos)

    def glfw_mouse_button_callback(self, window: Any, button: int, action: int, mods: int) -> None:
        """Pass a button on."""
        if button < len(_BUTTONS):
            self._viewer.modifiers = mods
            self._viewer.host.mouse_button(button, action == glfw.PRESS)

    def glfw_mouse_scroll_callback(self, window: Any, x_offset: float, y_offset: float) -> None:
        """Pass the wheel on."""
        self._viewer.host.wheel(x_offset, y_offset)

    def glfw_cursor_enter(self, window: Any, enter: int) -> None:
        """Tell that the pointer left."""
        if not enter:
            self._viewer.host.mouse_leave()

    def glfw_window_focus(self, window: Any, focused: int) -> None:
        """Pass the focus on."""
        super().glfw_window_focus(window, focused)
        self._viewer.on_focus(bool(focused))

    def glfw_window_resize_callback(self, window: Any, width: int, height: int) -> None:
        """Pass the new size on."""
        super().glfw_window_resize_callback(window, width, height)
        self._viewer.on_resize()


def _open_window(viewer: Viewer, size: tuple[int, int]) -> _Window:
    """Return the window; `FellviewError` says in one line why there is none."""
    glfw.ERROR_REPORTING = "ignore"  # failures show as exceptions below
    if not glfw.init():
        raise FellviewError(f"no window: {_glfw_error() or 'no display'}; `fellview render` draws pictures without one")
    try:
        window = _Window(viewer, title="Fellview", size=size, gl_version=(3, 3), vsync=True, samples=0)
        gpu_context.require_version(window.ctx)
    except FellviewError:
        glfw.terminate()
        raise
    except Exception as fault:  # the library raises plain exceptions of many kinds
        reason = " ".join((_glfw_error() or str(fault)).split())
        glfw.terminate()
        raise FellviewError(f"no window: {reason}; expected OpenGL 3.3 or later") from None
    return window


def _glfw_error() -> str:
    """Return what GLFW says of its last failure; empty where it says nothing."""
    return _text(glfw.get_error()[1])


def _text(text: Any) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text or "")


def run(scene: Scene | None, size: tuple[int, int], pictures: Path | None, watch: Watch | None = None) -> None:
    """Open the viewer on `scene`, or on what the last session ended with, until it is closed.

    `pictures` is the folder for saved pictures. `watch` is called after every turn of the loop, with the
    viewer and whether a frame reached the screen.
    """
    viewer = Viewer(scene, size, pictures or paths.pictures_folder(), watch)
    signal.signal(signal.SIGTERM, lambda *_: viewer.window.close())
    try:
        viewer.loop()
    finally:
        viewer.close()


class Viewer:
    """The window, the session and what draws them."""

    def __init__(self, scene: Scene | None, size: tuple[int, int], pictures: Path, watch: Watch | None) -> None:
        # the compute process starts first: it loads its kernels while the window opens
        self.session: Session = Session(wake=_wake, folder=paths.state_folder())
        self._pictures = pictures
        self._watch = watch
        if scene is not None:
            self.session.start(scene)
        elif not self.session.restore():
            self.session.start(scenes.load(scenes.OPENING_PRESET))
        try:
            self.window = _open_window(self, size)
        except FellviewError:
            self.session.close()
            raise
        handle = self.window.handle
        self.host = Host(lambda: _clipboard(handle), lambda text: glfw.set_clipboard_string(handle, text))
        self._renderer = Renderer(self.window.ctx)
        self._overlay = Overlay(self.window.ctx)
        self._present = PresentPass(self.window.ctx)
        self._panel = Panel()
        self._controller = Controller()
        self.modifiers = 0
        self._panel_shown = True
        self._bare = self._help_shown = False
        self._greeting = True
        self._sun_held = False
        self._held: dict[int, actions.Action] = {}
        self._before_pressed = False
        self._pending: list[Callable[[], None]] = []
        self._question: tuple[FileDialog, Callable[[Path], None]] | None = None
        self._folder = Path.home()
        self._target: Target | None = None
        self._drawn: tuple[Any, ...] = ()
        self._last_frame = time.monotonic()
        self._last_change = self._last_frame
        self._frame_s = 0.0
        self.on_resize()

    # -- the loop ----------------------------------------------------------------------------------------------------

    def loop(self) -> None:
        """Run until the window is closed: wait for events, draw when something changed."""
        while not self.window.is_closing:
            self._wait()
            if self.session.poll():
                self.redraw()
            self.session.keep()
            self._run_pending()
            drawn = self.window.visible and self._wants_frame()
            if drawn:
                self._frame()
            if self._watch:
                self._watch(self, drawn)

    def close(self) -> None:
        """Keep the session, end the compute process and close the window."""
        self.session.close()
        self.host.close()
        self.window.destroy()

    def place(self, key: str) -> tuple[float, float, float, float]:
        """Return where the slider of `key` stands: left, top, width, height in window units."""
        return self._panel.place(key)

    def redraw(self) -> None:
        """Have the next turn of the loop draw."""
        self.host.redraw_for(1)

    @staticmethod
    def wake() -> None:
        """Have the loop take a turn; from any thread."""
        glfw.post_empty_event()

    def _animated(self) -> bool:
        asking = self._question is not None and self._question[0].polls
        return self._controller.moving or not self.host.settled or asking

    def _wake_after(self) -> float | None:
        """Return the seconds after which the panel wants a frame without an event."""
        waits = [wait for wait in (self.host.wake_after, self._panel.wake_after) if wait is not None]
        return min(waits, default=None)

    def _wants_frame(self) -> bool:
        now = time.monotonic()
        wake = self._wake_after()
        return (
            self._animated()
            or (wake is not None and now - self._last_frame >= wake)
            or (self.session.busy and now - self._last_frame >= _BUSY_TICK_S)
            or (self._should_refine() and now - self._last_change >= _REST_S)
        )

    def _should_refine(self) -> bool:
        """Tell whether the picture on the screen was drawn for motion and nothing moves any more."""
        return bool(self._drawn) and self._drawn[-1] != _RESTING_SAMPLES

    def _wait(self) -> None:
        """Take events in; sleep until one comes or until something is due by itself."""
        now = time.monotonic()
        if self._animated():
            # vsync does nothing on a virtual or software screen, so the rate is ours to keep
            due = self._last_frame + 1 / _refresh_rate()
            while (left := due - time.monotonic()) > 0:
                glfw.wait_events_timeout(left)
            glfw.poll_events()
            return
        waits = [self._wake_after()]
        if self.session.busy:
            waits.append(self._last_frame + _BUSY_TICK_S - now)
        if self._should_refine():
            waits.append(self._last_change + _REST_S - now)
        if self.session.unwritten:
            waits.append(1.0)
        shortest = min((wait for wait in waits if wait is not None), default=None)
        if shortest is None or not self.window.visible:
            shortest = _LONGEST_WAIT_S
        if shortest > 0:
            glfw.wait_events_timeout(min(shortest, _LONGEST_WAIT_S))
        else:
            glfw.poll_events()

    def _frame(self) -> None:
        """Draw one frame and show it."""
        start = time.monotonic()
        seconds = start - self._last_frame
        self._last_frame = start
        self.host.new_frame(seconds)
        self._move_camera(seconds)
        outcome = self._panels()
        data = self.host.end_frame()
        self._apply(outcome)
        self._draw(data)
        self.window.swap_buffers()
        self._frame_s = time.monotonic() - start

    def _draw(self, data: DrawData) -> None:
        """Draw the land where it has changed, and the panel over it."""
        window = self.window
        now = time.monotonic()
        result = self.session.result
        size = self._area_pixels()
        if result is not None and result.field is not self._renderer.field:
            self._renderer.show(result.field)
            if self.session.scene.camera.mode == "orbit":
                # new land may have risen over the eye
                self.session.set_camera(above_ground(self.session.scene.camera, result.field))
        scene = self.session.visible
        looks = (scene.groups(), id(result), size)
        if looks != self._drawn[:-1]:
            self._last_change = now
        resting = now - self._last_change >= _REST_S and not self.session.busy
        samples = _RESTING_SAMPLES if resting else _MOVING_SAMPLES
        if (*looks, samples) != self._drawn and (looks != self._drawn[:-1] or resting):
            self._target = self._renderer.draw(scene, size, samples)
            self._drawn = (*looks, samples)
        assert self._target is not None
        self._present.draw(self._target, window.fbo, self._area()[:2])
        if self._bare:
            self._overlay.update(data)
        else:
            self._overlay.draw(data, window.fbo)

    # -- events ------------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Take the window's new size or content scale in."""
        if not hasattr(self, "host"):
            return  # GLFW calls back while the window is being made
        handle = self.window.handle
        # asked of GLFW itself: at 192 dpi the window's own idea of its size stays at what was requested
        self.host.content_scale(glfw.get_window_content_scale(handle)[1])
        self.host.resize(glfw.get_window_size(handle), glfw.get_framebuffer_size(handle))

    def on_focus(self, focused: bool) -> None:
        """Take the focus in; keys that are down when it goes are let go, as their releases go elsewhere."""
        self.host.focus(focused)
        if not focused:
            self._controller.clear()
            for action in self._held.values():
                assert action.released is not None
                action.released(self)
            self._held.clear()

    def on_text(self, text: str) -> None:
        """Take typed text in; a question mark outside a text field asks for the keys, wherever its key is."""
        self.host.text(text)
        if text == "?" and not self.host.wants_keys:
            self.do("help")

    def on_drop(self, window: Any, files: Sequence[str]) -> None:
        """Open the first of the files that were dropped on the window."""
        if files:
            self.open_file(Path(files[0]))

    def on_key(self, key: int, scancode: int, event: int, modifiers: int) -> None:
        """Take a key in: for a text field, for the camera by its place, or for an action by its letter."""
        self.modifiers = modifiers
        self.host.key(key, event != glfw.RELEASE, modifiers)
        if key in (glfw.KEY_LEFT_SHIFT, glfw.KEY_RIGHT_SHIFT):
            self._controller.set_fast(event != glfw.RELEASE)
        name = _key_name(key)
        if event == glfw.RELEASE:
            # releases are always taken: the press may have come before a text field did
            if name in KEYS:
                self._controller.release(KEYS[name])
            held = self._held.pop(key, None)
            if held is not None and held.released is not None:
                held.released(self)
            return
        if event == glfw.REPEAT or self.host.wants_keys:
            return
        commanding = modifiers & (glfw.MOD_CONTROL | glfw.MOD_SUPER | glfw.MOD_ALT)
        if name in KEYS and not commanding:
            self._greeting = False
            self._controller.press(KEYS[name], bool(modifiers & glfw.MOD_SHIFT))
            return
        action = actions.BY_KEYS.get(_chord(key, scancode, modifiers))
        if action is not None:
            action.run(self)
            if action.released is not None:
                self._held[key] = action

    def do(self, action_id: str) -> None:
        """Carry out an action of the table."""
        actions.BY_ID[action_id].run(self)

    def _move_camera(self, seconds: float) -> None:
        """Turn the pointer's and the held keys' part in this frame into a camera, or the sun's place."""
        pointer = self.host.pointer
        result = self.session.result
        if pointer.scene_pressed or any(pointer.scene_wheel) or self._controller.moving:
            self._greeting = False
        if result is None:
            return
        camera, field = self.session.scene.camera, result.field
        left, top, width, height = self._panel.scene_rect
        cursor = (pointer.position[0] - left, pointer.position[1] - top)
        size = (max(round(width), 1), max(round(height), 1))
        for button in pointer.scene_pressed:
            if self._sun_held:
                self.session.begin_gesture("Sun")
            else:
                kind = DRAGS.get((_BUTTONS[button], self._drag_modifier()), DRAGS.get((_BUTTONS[button], "")))
                if kind is not None:
                    self._controller.begin_drag(kind, camera, size, cursor, field)
        if self._sun_held and pointer.owner == "scene":
            self._drag_sun(*pointer.scene_delta)
        elif self._controller.dragging:
            camera = self._controller.drag(camera, size, cursor, field)
        if pointer.released:
            self._controller.end_drag()
            self.session.finish_gesture()
        if pointer.scene_wheel[1]:
            camera = self._controller.wheel(camera, size, pointer.scene_wheel[1], cursor, field)
        camera = self._controller.advance(camera, seconds, field)
        if camera != self.session.scene.camera:
            self.session.set_camera(camera)

    def _drag_modifier(self) -> str:
        if self.modifiers & glfw.MOD_SHIFT:
            return "shift"
        return "alt" if self.modifiers & glfw.MOD_ALT else ""

    def _drag_sun(self, right: float, down: float) -> None:
        scene = self.session.scene
        declaration = scene.sun.declaration("elevation")
        low, high = declaration.slider
        sun = scene.sun.replace(
            azimuth=(scene.sun.azimuth + right * _SUN_DEGREES_PER_PIXEL) % 360,
            elevation=min(max(scene.sun.elevation - down * _SUN_DEGREES_PER_PIXEL, low), high),
        )
        self.session.set(scene.with_group(sun), "Sun")

    # -- panel -------------------------------------------------------------------------------------------------------

    def _panels(self) -> Outcome:
        """Lay the panel and what floats over the land out, and return what the person did with them."""
        outcome = self._panel.draw(self.session.scene, self.session.home, self._status(), self._panel_shown)
        if self._help_shown:
            self._help_shown = overlays.help_window(actions.help_rows(), self._panel.scene_rect)
        self._draw_question()
        return outcome

    def _apply(self, outcome: Outcome) -> None:
        """Carry out what the person did in the panel."""
        session = self.session
        if outcome.gesture or outcome.gesture_ended:
            session.begin_gesture(outcome.label)
        session.set(outcome.scene, outcome.label)
        if outcome.gesture_ended or outcome.cancelled:
            session.finish_gesture()
        if outcome.before != self._before_pressed:
            self._before_pressed = outcome.before
            self.hold_before(outcome.before)
        for index in sorted(outcome.dismiss, reverse=True):
            del session.notices[index]
        if outcome.choose is not None:
            self.open_file(outcome.choose)
        if outcome.open is not None:
            self.open_file(outcome.open)
        for action_id in outcome.actions:
            self.do(action_id)

    def _status(self) -> Status:
        session = self.session
        field = session.result.field if session.result else None
        grid = session.scene.grid
        lowest, highest = field.height_range if field else (None, None)
        return Status(
            rows=grid.rows,
            columns=grid.columns,
            size_x=grid.size_x,
            size_z=grid.size_z,
            lowest=lowest,
            highest=highest,
            engine="CPU",
            running=session.step or ("starting" if session.busy else None),
            fraction=session.fraction if session.step else None,
            busy=session.busy,
            steps=tuple((one.step, one.milliseconds, one.remembered) for one in session.result.times)
            if session.result
            else (),
            frame_milliseconds=1000 * self._frame_s,
            notices=tuple(session.notices),
            presets=scenes.presets(),
            can_undo=bool(session.undo_label),
            can_redo=bool(session.redo_label),
            undo_label=session.undo_label,
            redo_label=session.redo_label,
            hints=actions.HINTS if self._greeting else (),
        )

    def _ask(self, dialog: FileDialog, then: Callable[[Path], None]) -> None:
        """Have `dialog` ask for a file and hand the answer to `then`; one question at a time."""
        if self._question is None:
            self._question = (dialog, then)
            self.redraw()

    def _draw_question(self) -> None:
        if self._question is None:
            return
        dialog, then = self._question
        dialog.draw()
        if dialog.done:
            self._question = None
            path = dialog.path
            if path is not None:
                self._try(lambda: then(path))

    # -- commands ----------------------------------------------------------------------------------------------------

    def _try(self, command: Callable[[], None]) -> None:
        """Carry `command` out; what it refuses becomes a notice, and everything stays as it was."""
        try:
            command()
        except FellviewError as fault:
            self.session.notify(str(fault))
        self.redraw()

    def open_file(self, source: str | Path) -> None:
        """Open a preset, a recipe or a picture; a file that is none is a notice."""
        self._try(lambda: self.session.open_file(source))

    def ask_open(self) -> None:
        """Ask for a scene file or a picture and open it."""
        self._ask(FileDialog("open", "Open a scene", self._folder, (".toml", ".png")), self._open_chosen)

    def _open_chosen(self, path: Path) -> None:
        self._folder = path.parent
        self.session.open_file(path)

    def ask_save(self) -> None:
        """Ask where to and save the scene."""
        self._ask(FileDialog("save", "Save the scene", self._folder, (".toml",), "scene.toml"), self._save_chosen)

    def _save_chosen(self, path: Path) -> None:
        self._folder = path.parent
        scenes.save(path, self.session.scene)
        self.session.notify(f"Saved {path}")

    def ask_export(self) -> None:
        """Ask where to and export the heights."""
        self._ask(FileDialog("save", "Export the heights", self._folder, heights.SUFFIXES, "heights.png"), self._export)

    def _export(self, path: Path) -> None:
        heights.require_suffix(path)
        self._folder = path.parent

        def write() -> None:
            assert self.session.result is not None
            heights.export(path, self.session.result.field, recipe.to_text(self.session.scene))
            self.session.notify(f"Exported {path}")

        self._when_settled(write)

    def save_picture(self) -> None:
        """Save what is seen, without the panel, with its recipe inside."""

        def write() -> None:
            scene, result = self.session.scene, self.session.result
            assert result is not None
            pixels = capture.still(self._renderer, scene, result.field, self._area_pixels(), _PICTURE_SAMPLES)
            path = capture.stamped_path(self._pictures, scene, ".png")
            capture.save(path, scene, pixels)
            self._drawn = ()  # the target was drawn into
            self.session.notify(f"Saved {path}")

        self._when_settled(write)

    def _when_settled(self, command: Callable[[], None]) -> None:
        """Carry `command` out once the heights belong to the recipe, so that what is written tells the truth."""
        self._pending.append(command)
        self.redraw()

    def _run_pending(self) -> None:
        if self._pending and self.session.settled and not self.session.before:
            commands, self._pending = self._pending, []
            for command in commands:
                self._try(command)

    def copy_recipe(self) -> None:
        """Put the recipe on the clipboard."""
        glfw.set_clipboard_string(self.window.handle, recipe.to_text(self.session.scene))
        self.session.notify("The recipe is on the clipboard")
        self.redraw()

    def paste_recipe(self) -> None:
        """Open the recipe on the clipboard."""
        self._try(lambda: self.session.paste(_clipboard(self.window.handle)))

    def step_seed(self, change: int) -> None:
        """Go to the next or an earlier seed."""
        seed = (self.session.scene.noise.seed + change) % (_LARGEST_SEED + 1)
        self.session.set(self.session.scene.replace({"noise.seed": seed}), "Seed")
        self.redraw()

    def reset_scene(self) -> None:
        """Go back to the scene as it was opened, in one undo step."""
        self.session.set(replace(self.session.home, camera=self.session.scene.camera), "Scene as opened")

    def frame_land(self) -> None:
        """Show the whole land from the present direction."""
        self._look(framing.frame)

    def look_from(self, side: str) -> None:
        """Show the whole land from "top", "front" or "side"."""
        self._look({"top": framing.top, "front": framing.front, "side": framing.side}[side])

    def _look(self, placed: Callable[..., Any]) -> None:
        if self.session.result is not None:
            width, height = self._area_pixels()
            self.session.set_camera(placed(self.session.scene.camera, self.session.result.field, width / height))
            self.redraw()

    def reset_camera(self) -> None:
        """Put the camera where the scene has it."""
        self.session.set_camera(self.session.home.camera)
        self.redraw()

    def hold_sun(self, held: bool) -> None:
        """Have drags move the sun while `held`."""
        self._sun_held = held
        if not held:
            self.session.finish_gesture()

    def hold_before(self, held: bool) -> None:
        """Show the scene as it was opened while `held`."""
        self.session.show_before(held)
        self.redraw()

    def next_view_mode(self) -> None:
        """Go to the next view mode."""
        view = self.session.scene.view
        modes = view.declaration("mode").options
        following = modes[(modes.index(view.mode) + 1) % len(modes)]
        self.session.set(self.session.scene.with_group(view.replace(mode=following)), "View mode")
        self.redraw()

    def toggle_panel(self) -> None:
        """Show or hide the panel."""
        self._panel_shown = not self._panel_shown
        self.redraw()

    def toggle_bare(self) -> None:
        """Show or hide everything but the land."""
        self._bare = not self._bare
        self.redraw()

    def toggle_fullscreen(self) -> None:
        """Enter or leave fullscreen."""
        self.window.fullscreen = not self.window.fullscreen
        self.on_resize()

    def toggle_help(self) -> None:
        """Show or hide the window of all keys."""
        self._help_shown = not self._help_shown
        self.redraw()

    def cancel(self) -> None:
        """Close what is open over the land; never quit."""
        self._help_shown = False
        self._bare = False
        self._controller.clear()
        self.redraw()

    # -- within ------------------------------------------------------------------------------------------------------

    def _area_pixels(self) -> tuple[int, int]:
        """Return the size of the land's part of the window in pixels."""
        return self._area()[2:]

    def _area(self) -> tuple[int, int, int, int]:
        """Return the land's part of the framebuffer: left, bottom, width, height in pixels."""
        width, height = glfw.get_framebuffer_size(self.window.handle)
        window_width, window_height = glfw.get_window_size(self.window.handle)
        if self._bare:
            return 0, 0, max(width, 1), max(height, 1)
        across, down = width / max(window_width, 1), height / max(window_height, 1)
        left, top, wide, high = self._panel.scene_rect
        first, last = round(left * across), round((left + wide) * across)
        bottom, upper = height - round((top + high) * down), height - round(top * down)
        return first, bottom, max(last - first, 1), max(upper - bottom, 1)


def _wake() -> None:
    """End the window's wait from another thread; before the window is there, there is nothing to wake."""
    with contextlib.suppress(glfw.GLFWError):
        glfw.post_empty_event()


def _clipboard(handle: Any) -> str:
    return _text(glfw.get_clipboard_string(handle))


@functools.cache
def _refresh_rate() -> int:
    """Return the screen's frames a second, 60 where it does not say."""
    monitor = glfw.get_primary_monitor()
    mode = glfw.get_video_mode(monitor) if monitor else None
    return mode.refresh_rate if mode and mode.refresh_rate > 0 else 60


def _key_name(key: int) -> str:
    """Return the name of a key by its place: a letter of the US layout or a word."""
    return _KEY_NAMES.get(key) or (chr(key) if glfw.KEY_SPACE <= key <= glfw.KEY_GRAVE_ACCENT else "")


def _chord(key: int, scancode: int, modifiers: int) -> str:
    """Return a key as the table of actions writes it: by its letter, with modifiers."""
    typed = "" if key in _KEY_NAMES else (glfw.get_key_name(key, scancode) or "")
    parts = ["Ctrl"] if modifiers & (glfw.MOD_CONTROL | glfw.MOD_SUPER) else []
    parts += ["Alt"] if modifiers & glfw.MOD_ALT else []
    parts += ["Shift"] if modifiers & glfw.MOD_SHIFT else []
    return "+".join([*parts, typed.upper() or _key_name(key)])
