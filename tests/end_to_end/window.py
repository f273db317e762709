"""The hands and the eyes of a person before the real window: keys, mouse and what is on the screen.

What the viewer holds is read as a person could read it: Ctrl+C puts the recipe, camera and all, on the clipboard.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab

from fellview.core.height_field import HeightField
from fellview.io import sessions
from fellview.library import generate
from fellview.scene import recipe
from fellview.scene.scene import Scene
from fellview.ui import theme
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.pictures import GALLERY

SIZE = (1280, 720)
WITHIN_S = 20.0  # on a loaded machine; most things come within 0.3 s
STARTS_WITHIN_S = 120.0  # the first start of all compiles the kernels
FRAME_S = 0.12  # between two steps of the pointer: about a frame of llvmpipe
PRESS_S = 0.25  # a press is seen in the frame after it
_SQUARE_PX = 16  # a side, of the parts of a picture whose colours are compared
_ALIKE = 3  # of 255: by how much those of a picture may change while frames are added to it; one at most, as measured
_EVEN = 8  # of 255: how little the colour of a notice changes down its right end, with land behind it

NOWHERE = SIZE[0] - 8, 8
"""Where the pointer points at nothing: neither at land nor at what has a tooltip."""

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


def until(condition: Callable[[], object], what: str | Callable[[], str], within: float = WITHIN_S) -> object:
    """Return what `condition` gives as soon as it is true; fail with `what` when it does not become so."""
    end = time.monotonic() + within
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > end:
            test = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition(" ")[0]
            path = GALLERY.failures / f"{test}.png"
            path.parent.mkdir(exist_ok=True)
            ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(path)
            told = what if isinstance(what, str) else what()
            pytest.fail(f"not within {within:.0f} s: {told}; the screen is in {path}")
        time.sleep(0.05)


def xdotool(*words: object) -> str:
    done = subprocess.run(
        ["xdotool", *map(str, words)], check=True, text=True, stdout=subprocess.PIPE, timeout=WITHIN_S
    )
    return done.stdout


def screen(box: Box = (slice(None), slice(None))) -> Pixels:
    return np.asarray(ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).convert("RGB"))[box]


def shows_land() -> bool:
    """Return whether more is on the screen than the sky, which is smooth."""
    steps = np.abs(np.diff(screen(LAND)[..., 1].astype(int), axis=0))
    return float(np.mean(steps > 5)) > 0.003


def kept(state: Path, name: str = sessions.SESSION) -> Path:
    """Return the file `name` of the session that was written last; where there is none yet, one that is not there."""
    return next(iter(sessions.folders(state)), state) / name


def differ(one: Pixels, other: Pixels) -> bool:
    """Return whether two pictures show different things, beyond a few pixels of noise."""
    return one.shape != other.shape or float(np.mean(np.any(one != other, axis=-1))) > 0.01


def alike(one: Pixels, other: Pixels) -> bool:
    """Return whether two pictures show the same, however many frames have been added to either."""
    return one.shape == other.shape and farthest(one, other) <= _ALIKE


def farthest(one: Pixels, other: Pixels) -> float:
    """Return by how many levels the mean colours of a square's worth of two pictures differ, at most."""
    rows, columns = (range(0, side, _SQUARE_PX) for side in one.shape[:2])
    sums = np.add.reduceat(np.add.reduceat(one.astype(float) - other, rows, axis=0), columns, axis=1)
    sides = [np.diff([*starts, side]) for starts, side in zip((rows, columns), one.shape[:2], strict=True)]
    return float(np.max(np.abs(sums) / np.multiply.outer(*sides)[..., None]))


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
            self.park()  # where the last test left the pointer there may be a slider below it now, with its tooltip
            until(shows_land, "land", STARTS_WITHIN_S)
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
        """Return the screen once it has stopped changing, and the viewer and its compute process to work on it."""
        pictures = [screen()]

        def used_s() -> float:
            helpers = [
                one for child in self.children for one in children(child)
            ]  # which compile for the compute process
            return sum(cpu_s(one) for one in (self.process.pid, *self.children, *helpers) if not gone(one))

        def still() -> bool:
            start = used_s()
            time.sleep(0.5)  # longer than the viewer waits before it refines a resting picture
            pictures.append(screen())
            # on a loaded machine a frame that refines may take longer than that, and land in full much longer
            return used_s() - start < 0.06 and np.array_equal(pictures[-1], pictures[-2])

        until(still, "a screen at rest", STARTS_WITHIN_S)
        return pictures[-1]

    def changed(self, before: Pixels, box: Box = LAND) -> None:
        until(lambda: differ(screen(box), before), "a change of the picture")

    def shows(self, picture: Pixels, box: Box = LAND) -> None:
        until(
            lambda: alike(screen(box), picture),
            lambda: f"the picture from before, from which this one is up to {farthest(screen(box), picture):.1f} away",
        )

    @property
    def geometry(self) -> tuple[int, int]:
        words = dict(
            line.split("=", 1) for line in xdotool("getwindowgeometry", "--shell", self.window).split() if "=" in line
        )
        return int(words["WIDTH"]), int(words["HEIGHT"])

    def notice_tops(self) -> list[int]:
        """Return the upper edges of the notices in the lower right corner."""
        columns = screen()[: SIZE[1] - 30, [SIZE[0] - 52, SIZE[0] - 17]].astype(int)  # to both sides of their crosses
        raised = np.array([255 * part for part in theme.RAISED[:3]])
        inside = np.all(np.abs(columns - raised) < 20, axis=(1, 2))
        tops = np.flatnonzero(np.diff(inside.astype(int)) == 1)
        parts = [(int(row), slice(row + 2, row + 21)) for row in tops]
        # dark grass is of such a colour too, but not evenly
        return [row for row, part in parts if inside[part].all() and np.ptp(columns[part], axis=0).max() <= _EVEN]

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
        self.point(NOWHERE)

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
        # each by itself, which waits for the X server: on a loaded machine that may take several in within a
        # millisecond, and GLFW passes over a second press of one key at the same time
        for name in names:
            xdotool("key", name)

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
            red, _, blue = screen()[round(place[1] + place[3] - 2), round(place[0] + 5)].astype(int)
            return bool(blue - red < 30)  # a slider's groove is filled there

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
        said = self.process.stderr.read()
        assert (status, said) == (0, ""), f"status {status}: {said}"
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


def land(scene: Scene) -> HeightField:
    return generate(scene)
