"""The real window on a display of its own, driven as a person would: by keys, mouse and what is on the screen.

One window serves all tests but the last ones, in this order. What the viewer holds is read as a person could read it:
Ctrl+C puts the recipe, camera and all, on the clipboard.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab

from fellview import capture
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.library import generate
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.ui import theme
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from fellview.view.controllers import Controller, target
from fellview.view.picking import height_at
from fellview.view.projection import axes, eye, project
from tests.lands import RUGGED
from tests.pictures import FAILURES

SIZE = (1280, 720)
WITHIN_S = 20.0  # on a loaded machine; most things come within 0.3 s
STARTS_WITHIN_S = 120.0  # the first start of all compiles the kernels
FRAME_S = 0.12  # between two steps of the pointer: about a frame of llvmpipe
PRESS_S = 0.25  # a press is seen in the frame after it

Pixels = np.ndarray
Box = tuple[slice, slice]

LAND: Box = (slice(40, 430), slice(380, 1270))
"""Rows and columns of the screen where neither panel nor notices nor hints lie."""
PANEL: Box = (slice(40, 640), slice(4, 320))

_CLIPBOARD = """
import queue, sys, threading
import glfw
glfw.init()
glfw.window_hint(glfw.CLIENT_API, glfw.NO_API)
glfw.window_hint(glfw.VISIBLE, glfw.FALSE)
window = glfw.create_window(8, 8, "clipboard", None, None)
orders = queue.SimpleQueue()
def listen():
    for line in sys.stdin:
        orders.put(eval(line))
        glfw.post_empty_event()
    orders.put(None)
    glfw.post_empty_event()
threading.Thread(target=listen, daemon=True).start()
while True:
    glfw.wait_events_timeout(0.5)
    while not orders.empty():
        order = orders.get()
        if order is None:
            sys.exit()
        if order:
            glfw.set_clipboard_string(window, order)
        print(repr((glfw.get_clipboard_string(window) or b"").decode()), flush=True)
"""
"""Another program with a clipboard: a line with a text puts it there, an empty text asks; both print what is there."""


class Clipboard:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CLIPBOARD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def put(self, text: str) -> None:
        assert self._exchange(text) == text

    def get(self) -> str:
        return self._exchange("")

    def _exchange(self, text: str) -> str:
        print(repr(text), file=self._process.stdin, flush=True)
        return eval(self._process.stdout.readline())

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()


def until(condition: Callable[[], object], what: str, within: float = WITHIN_S) -> object:
    """Return what `condition` gives as soon as it is true; fail with `what` when it does not become so."""
    end = time.monotonic() + within
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > end:
            test = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition(" ")[0]
            path = FAILURES / f"{test}.png"
            path.parent.mkdir(exist_ok=True)
            ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(path)
            pytest.fail(f"not within {within:.0f} s: {what}; the screen is in {path}")
        time.sleep(0.05)


def xdotool(*words: object) -> str:
    done = subprocess.run(
        ["xdotool", *map(str, words)], check=True, text=True, stdout=subprocess.PIPE, timeout=WITHIN_S
    )
    return done.stdout


def screen(box: Box = (slice(None), slice(None))) -> Pixels:
    return np.asarray(ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).convert("RGB"))[box]


def differ(one: Pixels, other: Pixels) -> bool:
    """Tell whether two pictures show different things, beyond a few pixels of noise."""
    return one.shape != other.shape or float(np.mean(np.any(one != other, axis=-1))) > 0.01


def children(number: int) -> list[int]:
    folder = Path(f"/proc/{number}/task")
    return [int(word) for task in folder.glob("*/children") for word in task.read_text().split()]


def cpu_s(number: int) -> float:
    """Return the seconds of processor time that a process has used."""
    words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def gone(number: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return True


class Viewer:
    """The program `fellview` in its window, and the hands of the person before it."""

    def __init__(self, clipboard: Clipboard, *arguments: object) -> None:
        self._clipboard = clipboard
        self._asked = 0
        command = shutil.which("fellview", path=str(Path(sys.executable).parent))
        assert command, "the fellview command is not installed beside the interpreter"
        self.process = subprocess.Popen([command, *map(str, arguments)], stderr=subprocess.PIPE, text=True)
        try:
            self.window = int(str(until(self._find, "the window", STARTS_WITHIN_S)))
            self.take_focus()
            until(lambda: len(np.unique(screen(LAND).reshape(-1, 3), axis=0)) > 1000, "land", STARTS_WITHIN_S)
            self.children = children(self.process.pid)
            self.rest()
        except BaseException:
            self.process.kill()
            raise

    def _find(self) -> str | None:
        if self.process.poll() is not None:
            pytest.fail(f"the viewer ended: {self.process.stderr.read()}")
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "^Fellview$"],
            check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return found.stdout.split()[0] if found.stdout.split() else None

    def take_focus(self) -> None:
        xdotool("windowfocus", "--sync", self.window)  # there is no window manager to do it

    # what is there

    def scene(self, fulfils: Callable[[Scene], object] = lambda scene: True, what: str = "any scene") -> Scene:
        """Return the recipe as Ctrl+C gives it, once it fulfils the condition."""

        def copy() -> Scene | None:
            self._asked += 1
            mark = f"nothing copied yet {self._asked}"
            self._clipboard.put(mark)

            def pressed() -> str | None:
                xdotool("key", "ctrl+c")  # again and again: a text field that closes takes a frame to let keys go
                end = time.monotonic() + 1
                while (text := self._clipboard.get()) == mark and time.monotonic() < end:
                    time.sleep(0.02)
                return text if text != mark else None

            scene, notices = recipe.from_text(str(until(pressed, "the recipe on the clipboard")))
            assert notices == []
            return scene if fulfils(scene) else None

        scene = until(copy, what)
        assert isinstance(scene, Scene)
        return scene

    def rest(self) -> Pixels:
        """Return the screen once it has stopped changing, and the viewer to work on it."""
        pictures = [screen()]

        def still() -> bool:
            start = cpu_s(self.process.pid)
            time.sleep(0.5)  # longer than the viewer waits before it refines a resting picture
            pictures.append(screen())
            # on a loaded machine a frame that refines may take longer than that
            return cpu_s(self.process.pid) - start < 0.06 and np.array_equal(pictures[-1], pictures[-2])

        until(still, "a screen at rest", STARTS_WITHIN_S)
        return pictures[-1]

    def changed(self, before: Pixels, box: Box = LAND) -> None:
        until(lambda: differ(screen(box), before), "a change of the picture")

    def shows(self, picture: Pixels, box: Box = LAND) -> None:
        until(lambda: not differ(screen(box), picture), "the picture from before")

    @property
    def geometry(self) -> tuple[int, int]:
        words = dict(
            line.split("=", 1) for line in xdotool("getwindowgeometry", "--shell", self.window).split() if "=" in line
        )
        return int(words["WIDTH"]), int(words["HEIGHT"])

    def notice_tops(self) -> list[int]:
        """Return the upper edges of the notices in the lower right corner."""
        column = screen()[: SIZE[1] - 30, SIZE[0] - 17].astype(int)  # through their right ends
        raised = np.array([255 * part for part in theme.RAISED[:3]])
        inside = np.all(np.abs(column - raised) < 20, axis=-1)
        tops = np.flatnonzero(np.diff(inside.astype(int)) == 1)
        return [int(row) for row in tops if inside[row + 1 : row + 21].all()]  # dark grass is of such a colour too

    def notices(self) -> int:
        return len(self.notice_tops())

    def dismiss(self) -> None:
        """Click the cross of the lowest notice: what is bright at the right end of its first line."""
        top = self.notice_tops()[-1]
        ys, xs = np.nonzero(screen()[top + 4 : top + 28, SIZE[0] - 60 : SIZE[0] - 18].min(axis=-1) > 120)
        self.point((SIZE[0] - 60 + xs.mean(), top + 4 + ys.mean()))
        xdotool("click", 1)
        self.park()

    def point(self, at: tuple[float, float]) -> None:
        xdotool("mousemove", *map(round, at), "sleep", PRESS_S)

    def park(self) -> None:
        """Put the pointer where it points at nothing, so that no tooltip covers anything."""
        self.point((SIZE[0] - 8, 8))

    # what hands do

    def drag(self, start: tuple[float, float], to: tuple[float, float], *, button: int = 1, release: bool = True):
        """Press at `start`, go to `to` in steps, and let go there."""
        words: list[object] = ["mousemove", *map(round, start), "sleep", FRAME_S, "mousedown", button, "sleep", PRESS_S]
        for step in range(1, 5):
            at = [round(one + (other - one) * step / 4) for one, other in zip(start, to, strict=True)]
            words += ["mousemove", *at, "sleep", FRAME_S]
        xdotool(*words)
        if release:
            xdotool("mouseup", button)
            self.park()

    def key(self, *names: str) -> None:
        xdotool("key", *names)

    @contextlib.contextmanager
    def holding(self, name: str):
        xdotool("keydown", name)
        try:
            yield
        finally:
            xdotool("keyup", name)

    def open_field(self, place: tuple[float, float, float, float]) -> None:
        """Double-click a slider until its text field is open: on a busy machine two clicks may come too far apart."""
        before = self.scene()

        def is_open() -> bool:
            red, _, blue = screen()[round(place[1] + place[3] / 2), round(place[0] + 3)].astype(int)
            return bool(blue - red < 30)  # a slider is filled there

        for _ in range(5):
            self.point(on(place, 0.5))
            xdotool("click", "--repeat", 2, "--delay", 30, 1)
            end = time.monotonic() + 4  # or Ctrl+C might fall into a field that opens late
            while time.monotonic() < end:
                if is_open():
                    return
                time.sleep(0.05)
            while self.scene().noise != before.noise:
                self.key("ctrl+z")
        pytest.fail("a double-click opens no text field")

    # how it ends

    def press_close(self) -> None:
        """Press the cross that a window manager would draw: WM_DELETE_WINDOW, as ICCCM 4.2.8.1 has it."""
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x11.XOpenDisplay(None))

        class ClientMessage(ctypes.Structure):
            _fields_ = (
                ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24),
            )  # fmt: skip

        event = ClientMessage(type=33, window=self.window, format=32)  # 33: ClientMessage, of 32-bit data
        event.message_type = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
        event.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
        x11.XSendEvent(display, ctypes.c_ulong(self.window), 0, ctypes.c_long(0), ctypes.byref(event))
        x11.XCloseDisplay(display)

    def ends(self) -> None:
        """Wait for the end: status 0, no word on the terminal, no process left."""
        everyone = {*self.children, *children(self.process.pid)}
        status = self.process.wait(timeout=WITHIN_S)
        assert (status, self.process.stderr.read()) == (0, "")
        assert len(everyone) >= 1
        until(lambda: all(gone(number) for number in everyone), "the end of every child")

    def destroy(self) -> None:
        """End it in whatever state a failed test left it."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stderr.close()


def places(scene: Scene, home: Scene | None = None) -> tuple[dict, tuple[float, float, float, float]]:
    """Return where each slider stands in a window of the usual size, and the land's rectangle: the panel laid out anew.

    The panel needs no window for that, so that a change of its layout moves these clicks with it.
    """
    host, panel = Host(scale=1.0), Panel()
    host.resize(SIZE, SIZE)
    for _ in range(4):
        host.new_frame(1 / 60)
        panel.draw(scene, home or scene, Status(rows=scene.grid.rows, columns=scene.grid.columns, engine="CPU"))
        host.end_frame()
    keys = [f"{key}.{name}" for key, group in scene.groups().items() for name in group.declarations()]
    found = {}
    for key in keys:
        with contextlib.suppress(KeyError):
            found[key] = panel.place(key)
    host.close()
    return found, panel.scene_rect


def on(place: tuple[float, float, float, float], share: float) -> tuple[float, float]:
    left, top, width, height = place
    return left + share * width, top + height / 2


@pytest.fixture(scope="module")
def clipboard(display):
    clipboard = Clipboard()
    yield clipboard
    clipboard.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The state and the pictures that all starts of this module share."""
    root = tmp_path_factory.mktemp("window")
    return root / "state", root / "pictures"


@pytest.fixture(autouse=True)
def _state(folders, monkeypatch):
    monkeypatch.setenv("FELLVIEW_STATE", str(folders[0]))


@pytest.fixture(scope="module")
def viewer(clipboard, folders):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FELLVIEW_STATE", str(folders[0]))
        viewer = Viewer(clipboard, RUGGED, "--out", folders[1])  # quick to draw, so that tests wait for the hand alone
    yield viewer
    viewer.destroy()


@pytest.fixture(autouse=True)
def _let_go(display):
    """Leave no key and no button down for the next test, whatever happened in this one."""
    yield
    xdotool("mouseup", 1, "keyup", "shift", "keyup", "l", "keyup", "w", "keyup", "backslash")


@pytest.fixture
def usual_size(viewer):
    """Give the window back at its usual size."""
    yield
    xdotool("windowsize", "--sync", viewer.window, *SIZE)
    viewer.take_focus()


def land(scene: Scene) -> HeightField:
    return generate(scene)


# -- the first start, then one window --------------------------------------------------------------------------------


def test_the_first_start_opens_on_the_scene_asked_for(viewer, folders):
    opening = scenes.load(RUGGED)
    until(lambda: (folders[0] / "session.toml").exists(), "the session's file")
    now = viewer.scene()
    assert replace(now, camera=opening.camera) == opening
    assert scenes.load(folders[0] / "home.toml") == opening
    assert viewer.geometry == SIZE
    picture = screen()
    assert picture[PANEL].mean() < 100 < picture[LAND].mean()
    assert (picture[:, -1] != 0).any(axis=-1).all()  # to the window's edge


def test_numba_is_loaded_in_the_compute_process_alone(viewer):
    assert "llvmlite" not in Path(f"/proc/{viewer.process.pid}/maps").read_text()
    assert any("llvmlite" in Path(f"/proc/{child}/maps").read_text() for child in viewer.children)


def test_a_recipe_is_pasted_as_text(viewer, clipboard):
    # a coarser grid is drawn faster; the home scene is this one from now on
    wanted = viewer.scene().replace({"grid.rows": 128, "grid.columns": 160, "erosion.iterations": 5})
    before = screen(LAND)
    clipboard.put(recipe.to_text(wanted))
    viewer.key("ctrl+v")
    viewer.changed(before)
    viewer.rest()
    now = viewer.scene(lambda scene: scene.grid == wanted.grid, "the pasted grid")
    assert replace(now, camera=wanted.camera) == wanted


def test_garbage_on_the_clipboard_is_a_notice(viewer, clipboard):
    before = viewer.scene()
    viewer.rest()
    notices = viewer.notices()
    assert notices >= 1  # of the copying
    clipboard.put("hello: no recipe\n")
    viewer.key("ctrl+v")
    until(lambda: viewer.notices() == notices + 1, "one notice more")
    assert viewer.scene() == before
    for left in range(notices, -1, -1):
        viewer.rest()
        viewer.dismiss()
        until(lambda left=left: viewer.notices() == left, f"{left} notices left")


def test_w_flies_forward_while_it_is_held(viewer):
    viewer.key("f")  # from where the way ahead is free
    viewer.rest()
    before, picture = viewer.scene(), screen(LAND)
    start = time.monotonic()
    with viewer.holding("w"):
        time.sleep(0.8)
    held = time.monotonic() - start
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene()
    assert replace(after, camera=before.camera) == before
    assert after.camera.replace(x=0, y=0, z=0) == before.camera.replace(x=0, y=0, z=0)
    way = eye(after.camera) - eye(before.camera)
    right, up, forward = axes(before.camera.yaw, before.camera.pitch)
    assert way @ forward > 0
    assert abs(way @ right) + abs(way @ up) < 1e-6 * (way @ forward)
    # as far as the same key takes the same camera in the same time, whatever the frames were
    controller, expected = Controller(), before.camera
    controller.press("forward")
    for _ in range(100):
        expected = controller.advance(expected, held / 100, land(before))
    share = (way @ forward) / ((eye(expected) - eye(before.camera)) @ forward)
    assert 0.5 < share < 1.3
    # and nothing moves on when the key is up
    assert viewer.scene() == after


def test_movement_rests_while_ctrl_is_held(viewer):
    before = viewer.scene()
    viewer.key("ctrl+a", "ctrl+d")
    assert viewer.scene() == before


def test_dragging_turns_the_camera_about_the_ground_under_the_cursor(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    rectangle = places(before)[1]
    size = (round(rectangle[2]), round(rectangle[3]))
    cursor = (size[0] // 2, size[1] // 2 + 60)
    at = (rectangle[0] + cursor[0], rectangle[1] + cursor[1])
    pivot = target(before.camera, size, cursor, land(before))
    viewer.drag(at, (at[0] + 120, at[1] - 30))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.camera != before.camera, "a turned camera").camera
    assert after.yaw != before.camera.yaw and after.pitch != before.camera.pitch
    far = np.linalg.norm(eye(before.camera) - pivot)
    assert np.linalg.norm(eye(after) - eye(before.camera)) > far / 20
    assert np.linalg.norm(eye(after) - pivot) == pytest.approx(far, rel=1e-3)


def test_shift_and_drag_pans(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    with viewer.holding("shift"):
        viewer.drag((800, 450), (700, 430))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.camera != before.camera, "a moved camera").camera
    assert (after.yaw, after.pitch) == (before.camera.yaw, before.camera.pitch)
    right, _, forward = axes(after.yaw, after.pitch)
    way = eye(after) - eye(before.camera)
    assert way @ right > 0  # the land goes left with the hand
    assert abs(way @ forward) < 1e-3 * np.linalg.norm(way)


def test_the_wheel_goes_a_tenth_nearer_a_notch(viewer):
    viewer.key("Home")  # high above the ground, which would keep the eye from going back the way it came
    before, picture = viewer.scene(), viewer.rest()[LAND]
    rectangle = places(before)[1]
    size, cursor = (round(rectangle[2]), round(rectangle[3])), (500, 400)
    goal = target(before.camera, size, cursor, land(before))
    viewer.point((rectangle[0] + cursor[0], rectangle[1] + cursor[1]))
    xdotool("click", 4, "sleep", PRESS_S, "click", 4)
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene().camera
    nearer = np.linalg.norm(eye(after) - goal) / np.linalg.norm(eye(before.camera) - goal)
    assert nearer == pytest.approx(0.9**2, rel=0.01)
    xdotool("click", "--repeat", 2, "--delay", 50, 5)
    viewer.rest()
    assert eye(viewer.scene().camera) == pytest.approx(eye(before.camera), rel=1e-3, abs=far_digits(before))


def far_digits(scene: Scene) -> float:
    return scene.grid.size_x / 1000


def test_home_puts_the_camera_back(viewer, folders):
    viewer.key("Home")
    viewer.rest()
    assert viewer.scene().camera == scenes.load(folders[0] / "home.toml").camera


def test_a_slider_moves_the_land_and_undo_brings_it_back(viewer):
    before, picture = viewer.scene(), viewer.rest()
    place = places(before)[0]["noise.frequency"]
    viewer.drag(on(place, 0.2), on(place, 0.8))
    viewer.changed(picture[LAND])
    viewer.changed(picture[PANEL], PANEL)
    slid = viewer.scene(lambda scene: scene.noise.frequency > before.noise.frequency, "a higher frequency")
    assert slid.replace({"noise.frequency": before.noise.frequency}) == replace(before, camera=slid.camera)
    slid_picture = viewer.rest()
    viewer.key("ctrl+z")
    undone = viewer.scene(lambda scene: scene.noise == before.noise, "the frequency from before")
    viewer.shows(picture[LAND]) if undone.camera == before.camera else viewer.changed(slid_picture[LAND])
    viewer.key("ctrl+shift+z")
    assert viewer.scene(lambda scene: scene.noise != before.noise, "the frequency again").noise == slid.noise
    viewer.key("ctrl+z")
    viewer.scene(lambda scene: scene.noise == before.noise, "the frequency from before")


def test_a_value_is_typed_and_the_arrow_puts_it_back(viewer):
    before = viewer.scene()
    place = places(before)[0]["noise.frequency"]
    viewer.open_field(place)
    viewer.key("ctrl+a", "8", "period", "5", "Return")
    typed = viewer.scene(lambda scene: scene.noise.frequency == 8.5, "the typed frequency")
    assert typed.replace({"noise.frequency": before.noise.frequency}) == replace(before, camera=typed.camera)
    # letters went to the field: no key of the scene did anything
    left, top, width, height = place
    viewer.point((left + width + theme.RESET_WIDTH / 2, top + height / 2))
    xdotool("click", 1)
    viewer.park()
    home = viewer.scene(lambda scene: scene.noise.frequency != 8.5, "the frequency put back")
    assert home.noise == before.noise
    viewer.key("ctrl+z", "ctrl+z")  # one for the arrow, one for the typing
    viewer.scene(lambda scene: scene.noise == before.noise, "the frequency of before the typing")
    viewer.key("ctrl+y")
    viewer.scene(lambda scene: scene.noise.frequency == 8.5, "the typed frequency again")
    viewer.key("ctrl+z")


def test_esc_takes_a_drag_back_and_never_quits(viewer):
    before = viewer.scene()
    place = places(before)[0]["noise.amplitude"]
    viewer.drag(on(place, 0.3), on(place, 0.6), release=False)
    viewer.key("Escape")
    xdotool("sleep", FRAME_S, "mouseup", 1)
    viewer.park()
    viewer.scene(lambda scene: scene.noise == before.noise, "the amplitude from before")
    viewer.open_field(place)
    viewer.key("3", "Escape", "Escape", "Escape")
    viewer.park()
    viewer.rest()
    assert viewer.process.poll() is None
    assert viewer.scene().noise == before.noise


def test_r_gives_another_land_and_shift_r_the_one_before(viewer):
    viewer.key("Home")
    before, picture = viewer.scene(), viewer.rest()[LAND]
    viewer.key("r")
    viewer.changed(picture)
    assert viewer.scene(lambda scene: scene != before, "another seed").noise.seed == before.noise.seed + 1
    viewer.key("shift+r")
    viewer.scene(lambda scene: scene.noise.seed == before.noise.seed, "the seed from before")
    viewer.key("Home")
    viewer.shows(picture)


def test_before_is_seen_while_its_key_is_held(viewer):
    first = viewer.rest()[LAND]
    viewer.key("r", "r", "r")
    viewer.changed(first)
    later = viewer.rest()[LAND]
    now = viewer.scene()
    with viewer.holding("backslash"):
        until(lambda: differ(screen(LAND), later), "the scene as it was opened")
        viewer.shows(first) if now.camera == viewer.scene().camera else None
    viewer.shows(later)
    assert viewer.scene() == now
    viewer.key("ctrl+z", "ctrl+z", "ctrl+z", "Home")
    viewer.shows(first)


def test_l_and_a_drag_move_the_sun_and_leave_the_camera(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    with viewer.holding("l"):
        viewer.drag((700, 350), (900, 300))
    viewer.changed(picture)
    after = viewer.scene(lambda scene: scene.sun != before.sun, "another sun")
    assert after.sun.azimuth != before.sun.azimuth and after.sun.elevation > before.sun.elevation
    assert replace(after, sun=before.sun) == before
    viewer.key("ctrl+z")
    assert viewer.scene(lambda scene: scene.sun == before.sun, "the sun from before") == before


def test_z_goes_through_the_views(viewer):
    modes = viewer.scene().view.declaration("mode").options
    pictures = [viewer.rest()[LAND]]
    for mode in modes[1:]:
        viewer.key("z")
        viewer.scene(lambda scene, mode=mode: scene.view.mode == mode, mode)
        pictures.append(viewer.rest()[LAND])
    assert all(differ(one, other) for one, other in itertools.pairwise(pictures))
    viewer.key("z")
    viewer.shows(pictures[0])


def middle() -> tuple[float, float]:
    """Return a place on the screen where the opening scene has ground, near enough to see a person there."""
    rows, columns = LAND
    return (columns.start + columns.stop) / 2, rows.stop - 10


def test_k_sets_a_figure_down_under_the_pointer_and_takes_it_away_there(viewer):
    viewer.point(middle())
    viewer.rest()
    before = viewer.scene()
    viewer.key("k")
    now = viewer.scene(lambda scene: scene.view.figure, "a figure")
    field = land(now)
    left, top, width, height = places(now)[1]
    size = (round(width), round(height))
    point = (now.view.figure_x, height_at(field, now.view.figure_x, now.view.figure_z), now.view.figure_z)
    seen = project(now.camera, size, point)
    assert (seen[0] + left, seen[1] + top) == pytest.approx(middle(), abs=2)
    viewer.key("k")
    gone = viewer.scene(lambda scene: not scene.view.figure, "no figure")
    assert gone.camera == before.camera
    viewer.key("ctrl+z", "ctrl+z")
    viewer.scene(lambda scene: scene == before, "the scene from before")


def test_the_status_line_tells_the_ground_under_the_pointer(viewer):
    line: Box = (slice(700, 718), slice(4, 400))

    def told(at: tuple[float, float]) -> Pixels:
        viewer.point(at)
        for _ in range(2):  # an answer says that what came before it was taken in, the second that it was drawn
            viewer.scene()
        return viewer.rest()[line]

    sky = (SIZE[0] - 8, 8)
    far = told(sky)
    one = told(middle())
    other = told((middle()[0] - 200, middle()[1] - 20))
    assert differ(one, far) and differ(other, far) and differ(one, other)
    assert not differ(told(sky), far)


def warm(box: Box = LAND) -> int:
    """Return how many pixels have the colour of what is measured, and of badges."""
    wanted = np.array([255 * part for part in theme.WARM[:3]])
    return int(np.all(np.abs(screen(box).astype(int) - wanted) < 12, axis=-1).sum())


def test_m_measures_to_the_pointer_then_to_a_place_and_then_no_more(viewer):
    x, y = middle()
    viewer.point((x, y))
    viewer.rest()
    assert warm() == 0
    viewer.key("m")
    until(lambda: warm() > 10, "the start's mark")
    viewer.point((x - 250, y))
    until(lambda: warm() > 250, "a line to the pointer")
    viewer.key("m")
    viewer.point((x - 100, y - 40))
    viewer.rest()
    assert warm() > 250  # the end stays where it was set
    viewer.key("Escape")
    until(lambda: warm() == 0, "no line")
    assert viewer.process.poll() is None
    viewer.park()


def test_a_badge_says_that_heights_are_not_drawn_as_they_are(viewer, clipboard):
    corner: Box = (slice(8, 60), slice(800, 1276))
    viewer.park()
    before = viewer.scene()
    viewer.rest()
    others = warm(corner)  # such as what a coarse grid leaves out
    clipboard.put(recipe.to_text(before.replace({"view.exaggeration": 2.0})))
    viewer.key("ctrl+v")
    until(lambda: warm(corner) > others + 20, "the badge")
    viewer.key("ctrl+z")
    until(lambda: warm(corner) == others, "no badge")
    viewer.scene(lambda scene: scene == before, "the scene from before")


def test_a_picture_that_is_refined_takes_no_more_processor_time(viewer):
    viewer.park()

    def quiet() -> bool:
        start = cpu_s(viewer.process.pid)
        time.sleep(3)
        return cpu_s(viewer.process.pid) - start < 0.06  # 2 % of a core

    until(quiet, "an end of refining", 3 * WITHIN_S)


def test_tab_hides_the_panel_and_h_everything(viewer):
    picture = viewer.rest()
    viewer.key("Tab")
    viewer.changed(picture[PANEL], PANEL)
    without = viewer.rest()
    assert without[PANEL].mean() > 100  # land, and no dark panel
    viewer.key("Tab")
    viewer.shows(picture[PANEL], PANEL)
    viewer.key("h")
    until(lambda: screen(PANEL).mean() > 100, "no panel")
    line: Box = (slice(700, 718), slice(4, 1276))  # where the status line was
    until(lambda: differ(screen(line), picture[line]), "no status line")
    viewer.key("h")
    viewer.shows(picture[PANEL], PANEL)


@pytest.mark.parametrize("key", ["F1", "question"])
def test_help_shows_and_goes(viewer, key):
    picture = viewer.rest()
    viewer.key(key)
    viewer.changed(picture[LAND])
    assert viewer.rest()[LAND].mean() < picture[LAND].mean()  # a dark window over the land
    viewer.key("Escape")
    viewer.shows(picture[LAND])
    assert viewer.process.poll() is None


def whole(size: tuple[int, int]) -> Callable[[], bool]:
    """Return whether the window of `size` is filled: a status line all along its foot, and land above its right end."""

    def check() -> bool:
        picture = screen().astype(int)
        width, height = size
        foot = picture[height - 4, 2 : width - 2]
        bar = np.array([255 * part for part in theme.TRACK[:3]])
        corner = picture[4 : height // 3, width - 8 : width]
        return bool((np.abs(foot - bar) < 24).all() and corner.min(axis=(0, 1)).max() > 40)

    return check


def test_the_picture_fills_the_window_at_any_size(viewer, usual_size):
    picture = viewer.rest()
    assert whole(SIZE)()
    for size in ((900, 560), (640, 400), (1100, 700)):
        xdotool("windowsize", "--sync", viewer.window, *size)
        until(whole(size), f"a filled window of {size}")
    xdotool("windowsize", "--sync", viewer.window, 2, 2)
    xdotool("windowsize", "--sync", viewer.window, *SIZE)
    until(whole(SIZE), "a filled window")
    viewer.shows(picture[LAND])


def test_fullscreen_and_back(viewer, usual_size):
    xdotool("windowsize", "--sync", viewer.window, 900, 560)
    until(whole((900, 560)), "a filled window")
    viewer.key("F11")
    until(lambda: viewer.geometry == SIZE, "the whole screen")
    until(whole(SIZE), "a filled screen")
    viewer.take_focus()
    viewer.key("F11")
    until(lambda: viewer.geometry == (900, 560), "the window from before")
    until(whole((900, 560)), "a filled window")


def test_it_comes_back_after_it_was_put_away(viewer):
    picture = viewer.rest()
    xdotool("windowunmap", "--sync", viewer.window)
    until(lambda: not differ(screen(LAND), np.zeros_like(screen(LAND))), "an empty screen")
    xdotool("windowmap", "--sync", viewer.window)
    viewer.take_focus()
    until(lambda: not differ(screen(LAND), picture[LAND]), "the picture from before")


def test_a_picture_is_saved_without_the_panel_and_opens_as_the_same_scene(viewer, folders):
    before = viewer.scene()
    viewer.key("F12")
    path = until(lambda: next(folders[1].glob("*.png"), None), "a picture in the folder")
    assert isinstance(path, Path)
    saved = np.asarray(ImageGrab.Image.open(path).convert("RGB"))
    left, top, width, height = map(round, places(before)[1])
    assert saved.shape == (height, width, 3)
    assert scenes.load(path) == before
    shown = viewer.rest()[top : top + height, left : left + width]
    upper = slice(60, 400)  # a remark above, notices below
    assert np.abs(saved[upper].astype(int) - shown[upper]).mean() < 2
    assert [entry.name for entry in folders[1].iterdir()] == [path.name]
    viewer.key("p")
    until(lambda: len(list(folders[1].glob("*.png"))) == 2, "a second picture")


def test_killing_the_compute_process_costs_a_notice(viewer):
    before, picture = viewer.scene(), viewer.rest()[LAND]
    notices = viewer.notices()
    dead = [child for child in viewer.children if "llvmlite" in Path(f"/proc/{child}/maps").read_text()]
    assert len(dead) == 1
    os.kill(dead[0], signal.SIGKILL)
    until(lambda: viewer.notices() == notices + 1, "a notice")
    assert not differ(screen(LAND), picture)
    place = places(before)[0]["noise.amplitude"]
    viewer.drag(on(place, 0.9), on(place, 0.7))
    viewer.changed(picture)
    viewer.rest()
    after = viewer.scene(lambda scene: scene.noise != before.noise, "another amplitude")
    assert viewer.notices() <= notices + 2  # the copying may have brought its own
    assert replace(after, noise=before.noise, camera=before.camera) == before
    viewer.children = children(viewer.process.pid)


def test_the_session_is_on_disk_soon_after_a_change(viewer, folders):
    viewer.key("r")
    now = viewer.scene()
    until(lambda: scenes.load(folders[0] / "session.toml") == now, "the scene in the session's file", 10)
    assert not [entry.name for entry in folders[0].iterdir() if entry.suffix != ".toml"]


def test_closing_leaves_no_process_and_the_next_start_continues(viewer, clipboard, folders):
    viewer.key("u", "u")  # the camera counts too
    viewer.drag((800, 450), (850, 440))
    viewer.rest()
    now = viewer.scene()
    home = scenes.load(folders[0] / "home.toml")
    viewer.press_close()
    viewer.ends()
    assert scenes.load(folders[0] / "session.toml") == now
    again = Viewer(clipboard, "--out", folders[1])
    try:
        assert again.scene() == now
        assert scenes.load(folders[0] / "home.toml") == home
        again.process.send_signal(signal.SIGTERM)
        again.ends()
    finally:
        again.destroy()
    assert scenes.load(folders[0] / "session.toml") == now


def test_a_saved_picture_opens_in_the_window(clipboard, folders):
    path = folders[1] / "saved.png"
    wanted = scenes.load(RUGGED).replace({"noise.seed": 77})
    capture.save(path, wanted, np.zeros((2, 2, 4), np.uint8))
    viewer = Viewer(clipboard, path)
    try:
        assert viewer.scene() == wanted
        viewer.process.send_signal(signal.SIGINT)  # Ctrl+C in the terminal
        assert viewer.process.wait(timeout=WITHIN_S) in (0, 130)
        assert "Traceback" not in viewer.process.stderr.read()
        until(lambda: all(gone(number) for number in viewer.children), "the end of every child")
    finally:
        viewer.destroy()


def test_an_unreadable_session_opens_the_opening_scene_with_a_notice(clipboard, folders):
    (folders[0] / "session.toml").write_text("version = 99\n")
    viewer = Viewer(clipboard)
    try:
        assert viewer.notices() == 1
        opening = scenes.load(scenes.OPENING_PRESET)
        assert replace(viewer.scene(), camera=opening.camera) == opening
    finally:
        viewer.process.kill()  # no chance to close anything
        viewer.process.wait()
        until(lambda: all(gone(number) for number in viewer.children), "the end of every child")
        viewer.destroy()
    with contextlib.suppress(InputError):
        scenes.load(folders[0] / "session.toml")  # whole or not at all
