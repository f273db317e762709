"""The viewer: the session in a window, its events to panel and camera, and a loop that draws only on change."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.capture.capture import Still
from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Advanced, Listener
from fellview.compute.router import GpuCompute
from fellview.core.errors import FellviewError, named, one_line
from fellview.core.height_field import HeightField
from fellview.desktop import commands, window
from fellview.desktop.commands.files import SAVING, open_dropped, open_source
from fellview.desktop.noise_lab import LabDesk
from fellview.desktop.window import BUTTONS, Extent, Key
from fellview.draw.ground import cover, ground_textures
from fellview.draw.overlay.noise_lab import NoiseLab
from fellview.draw.overlay.overlay import DrawData, Overlay
from fellview.draw.passes import Passes, UnderWay
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.target import Target, largest_side
from fellview.draw.water.water import drawn_masks
from fellview.gpu import choice
from fellview.gpu.context import is_software
from fellview.gpu.engine import GpuEngine
from fellview.io import atomic, scenes, sessions, settings
from fellview.io.crashes import CrashLog
from fellview.io.reading import Reading
from fellview.io.recent import Recent
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.terrain.pipeline.pipeline import remarks
from fellview.ui import actions, overlays
from fellview.ui.file_dialog import FileDialog
from fellview.ui.imgui_host import Host, Pointer
from fellview.ui.noise_lab import GROUND
from fellview.ui.panel import Panel
from fellview.ui.status import LandEdge, Line, Outcome, Status
from fellview.view.controllers import DRAGS, KEYS, Controller, through_other_lens
from fellview.view.edge import outline
from fellview.view.exaggeration import badge, exaggerated
from fellview.view.ground import above_ground, above_water
from fellview.view.projection import Pixel, Size, project
from fellview.view.scale import Spot, measured, spot_at, spot_under

_REST_S = 0.2  # after the last change, before the resting picture is drawn with more samples
_LONGEST_WAIT_S = 1.0  # Ctrl+C and a request to end are only seen between two waits
_BUSY_TICK_S = 0.1  # how often the progress line moves, and the panel under the hand while a slow picture is drawn
_SLOW_S = 0.05  # what a picture takes for which a press does not wait
_FAILURES_AT_ONCE = 3  # turns of the loop in a row that may fail before it pauses, longer and longer
_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 1.0
_SUN_DEGREES_PER_PIXEL = 0.25
_SAFE = "Started without the last session, caches and textures of your own; they are left alone, and nothing is kept"
_EDGE_S, _EDGE_FADES_S = 1.5, 0.6  # the land's edge is marked, and of that the time in which it fades
_EDGE_TICK_S = 1 / 30  # between frames that it fades in
_EDGE_FRAME_S = 0.1  # of its time, the most for one frame: the first one may take long and is not seen before its end

Watch = Callable[["Viewer", bool], None]
Place = tuple[float, float] | None
Pixels = NDArray[np.uint8]


def run(
    scene: Scene | None,
    size: tuple[int, int],
    pictures: Path | None,
    watch: Watch | None = None,
    engine: str = "auto",
    process: type[ComputeProcess] = ComputeProcess,
    safe: bool = False,
) -> None:
    """Open the viewer on `scene`, or on what the last session ended with, until it is closed.

    `pictures` is the folder for saved pictures. `watch` is called after every turn of the loop, with the viewer and
    whether a frame reached the screen. `engine` is "auto", "cpu" or "gpu"; `process` computes on the CPU. `safe` has
    the viewer do without the session, caches and textures that there are, and leave them alone.
    """
    with paths.temporary() if safe else contextlib.nullcontext():
        _run(Viewer(scene, size, pictures or paths.pictures_folder(), engine, process, safe), watch)


def _run(viewer: Viewer, watch: Watch | None) -> None:
    """Show `viewer` until its window is closed."""
    signal.signal(signal.SIGTERM, lambda *_: viewer.window.close())

    def interrupt(*_: object) -> None:
        # an exception would be lost where it comes within a callback of the window
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl+C ends what does not end by itself
        viewer.window.close()

    signal.signal(signal.SIGINT, interrupt)
    viewer.tell_signals()
    threads_fail, threading.excepthook = threading.excepthook, viewer.note_thread
    try:
        viewer.loop(watch)
    finally:
        threading.excepthook = threads_fail
        viewer.close()


def _sweep(pictures: Path) -> None:
    """Remove what earlier windows that were killed were writing into the folders that are the program's own."""
    state = paths.state_folder()
    sessions.sweep(state)
    atomic.sweep([state, *sessions.folders(state), paths.cache_folder() / "made", pictures])


def _named(at: Advanced) -> str:
    """Return what the status line says of the work under way."""
    return f"preparing {at.step} (first start only)" if at.compiling else at.step


class Viewer:
    """The window, the session and what draws them. `commands/` holds what a person can have it do."""

    def __init__(
        self,
        scene: Scene | None,
        size: tuple[int, int],
        pictures: Path,
        engine: str = "auto",
        process: type[ComputeProcess] = ComputeProcess,
        safe: bool = False,
    ) -> None:
        self._crashes = CrashLog(paths.state_folder())
        self._safe = safe
        self._reading: Reading[Callable[[], None]] | None = None
        self._textures: Reading[None] | None = None
        self._faults: queue.SimpleQueue[tuple[str, BaseException]] = queue.SimpleQueue()  # of other threads
        self._failed = False  # something in this turn of the loop
        self._failed_turns = 0  # in a row
        self._claim = sessions.claim(paths.state_folder(), anew=scene is not None)
        threading.Thread(target=_sweep, args=(pictures,), name="fellview-sweep", daemon=True).start()
        # the compute process starts first: it loads its kernels while the window opens
        self._asked, self._process = engine, process
        self._events: list[tuple[int, Place, Callable[[], None]]] = []  # the presses before it, the pointer, what to do
        self._pressed_at: tuple[Place] | None = None
        self.session: Session = Session(window.wake, self._claim.folder, (self._computer, process))
        if scene is not None:
            self.session.start(scene)
        elif not self.session.restore(self._claim.source):
            self.session.start(scenes.load(scenes.OPENING_PRESET))
        try:
            self.window = window.open_window(self, size)
        except FellviewError:
            self.session.close(keep=False)  # nobody has seen what was to be opened
            self._claim.release()
            raise
        self.recent = Recent(paths.state_folder(), window.wake)
        if safe:
            self.session.notify(_SAFE)
        self._use_engine()
        self.host = Host(self.window.clipboard, self.window.set_clipboard)
        self.renderer = Renderer(self.window.context)
        self.renderer.wait_for_masks()
        if safe:
            self.renderer.leave_textures()
        self._overlay = Overlay(self.window.context)
        self._present = PresentPass(self.window.context)
        self._panel = Panel(settings.load(paths.state_folder()).panel_width)
        self.lab = LabDesk(lambda: NoiseLab(self.window.context), self._overlay)
        self.controller = Controller()
        self.pictures = pictures
        self.folder = Path.home()  # where the next file dialog opens
        self.panel_shown = True
        self.bare = self.help_shown = self.sun_held = False
        self._greeting = True
        self._frames_shown = 0
        self._button_modifier = ""
        self._drag_start: Camera | None = None
        self._held: dict[int, actions.Action] = {}
        self._before_pressed = False
        self._pending: list[Callable[[], None]] = []
        self._question: tuple[FileDialog, Callable[[Path], None]] | None = None
        self._under_way: UnderWay[Target] | None = None
        self._stills: list[
            tuple[Still, Callable[[Pixels], None]]
        ] = []  # pictures for files, and what is done with them
        self._still_waits = False  # since the last frame of one
        self._finish = self.window.context.finish if is_software(self.window.context) else lambda: None
        self._jumped = self._given_up = False  # a command has been carried out; a picture not yet shown was given up
        self._picture_s = 0.0
        self._lifted_over: HeightField | None = None
        self.pictures_drawn = 0
        """Pictures of the land that were drawn anew; those that rest are refined, which does not count."""
        self._drawn: tuple[Any, ...] = ()
        self._undrawable: tuple[Any, ...] = ()  # what drawing has failed at: it would fail again
        self._refined = 0  # frames of the resting picture that are drawn
        self._exaggeration = 1.0
        self.measuring: list[tuple[float, float]] = []
        """Places (x, z) in metres that are measured between: none, the start, or both."""
        self._edge_left = self._edge_last = 0.0  # seconds that the land's edge stays marked; when that was told last
        self.left_for_top: tuple[Scene, Camera] | None = None
        """The camera that the view from above took the place of, and the scene as it was opened, which it is of."""
        self._last_frame = self._last_change = time.monotonic()
        self._frame_s = 0.0
        self._opened = time.monotonic()  # waves count from here: a float has few digits beyond days
        self._largest_side = largest_side(self.window.context)
        self._extent = Extent((0, 0), (0, 0), 1.0)
        self._take_extent()

    # -- the loop ------------------------------------------------------------------------------------------------------

    def loop(self, watch: Watch | None = None) -> None:
        """Run until the window is closed: wait for events, draw when something changed."""
        while not self.window.is_closing:
            drawn = self.turn()
            if watch:
                watch(self, drawn)

    def turn(self) -> bool:
        """Turn the loop once; return whether a frame reached the screen."""
        self._failed = drawn = False
        with self._guarded("taking events in"):
            self._wait()
            self._act()
        with self._guarded("computing"):
            self._want_masks()
            self._want_textures()
            self.compute.advance(self._slice_s())
            if self.session.poll() | self.session.let_pass():
                self.redraw()
        with self._guarded("keeping the session"):
            self.session.keep()
        self._take_read()
        with self._guarded("a command"):
            self._run_pending()
        with self._guarded("drawing"):
            if self.window.visible:
                drawn = self._wants_frame() and self._frame()
                # however often events ask for frames, a pass a turn is drawn: a picture comes to its end
                if self._under_way is not None and self._go_on():
                    drawn = self._frame() or drawn
        self._tell_faults()
        self._failed_turns = self._failed_turns + 1 if self._failed else 0
        if self._failed_turns > _FAILURES_AT_ONCE:
            time.sleep(min(_PAUSE_S * (self._failed_turns - _FAILURES_AT_ONCE), _LONGEST_PAUSE_S))
        return drawn

    @contextmanager
    def _guarded(self, doing: str) -> Iterator[None]:
        """End the block where it raises: what it refuses becomes a notice.

        So does an error that nobody foresaw, with its traceback in the crash log: whatever fails, the window stays, and
        with it what the person has made.
        """
        try:
            yield
        except FellviewError as fault:
            self.session.notify(str(fault))
        except Exception as fault:
            self._take_fault(doing, fault)

    def _take_fault(self, doing: str, fault: BaseException) -> None:
        self._failed = True
        self.session.notify(self._crashes.note(fault, doing))
        self.redraw()

    def _tell_faults(self) -> None:
        """Tell what has failed in other threads."""
        while not self._faults.empty():
            self._take_fault(*self._faults.get())

    def note_thread(self, ended: threading.ExceptHookArgs) -> None:
        """Have it told that a thread has ended by an error; called in that thread."""
        if ended.exc_value is not None and not isinstance(ended.exc_value, SystemExit):
            name = ended.thread.name if ended.thread is not None else "a thread"
            self._faults.put((name, ended.exc_value))
            window.wake()

    def tell_signals(self) -> None:
        """Have the crash log tell, too, what ends the process at once, such as a crash inside a library."""
        self._crashes.tell_signals()

    def _computer(self, listener: Listener) -> GpuCompute:
        self.compute = GpuCompute(listener, self._process, holds=self._asked == "gpu")
        return self.compute

    def _use_engine(self) -> None:
        """Have the engine that was asked for compute from now on."""
        found = choice.choose(self._asked, self.window.context)
        choice.note_refusal(self._asked, found, self.session.notify)
        self.compute.use(found, GpuEngine(self.window.context) if found.name == "gpu" else None)

    def _slice_s(self) -> float:
        """Return the seconds that computing may take of this turn of the loop, so that no frame is late.

        Where frames are late by themselves, as on software OpenGL, computing gets as long as drawing does.
        """
        if (longest := max(self._frame_s, self._picture_s)) > 2 * self.window.frame_s:
            return longest
        if not (self._animated() and self.window.visible):
            return self.window.frame_s
        due = self._last_frame + self.window.frame_s - self._frame_s
        return max(due - time.monotonic(), 0.0)

    def close(self) -> None:
        """Keep the session, end the compute process and close the window."""
        self.give_up()
        while self._stills:  # what was asked for before is not lost
            with self._guarded("drawing a picture"):
                self._stills[0][0].drawn()
            self._end_still()
        with self._guarded("keeping the session"):
            self.session.close()
            self._claim.release()
        with self._guarded("closing"):
            self.recent.close()
            self.host.close()
        self.window.destroy()

    def _want_masks(self) -> None:
        """Ask for the masks that drawing the scene makes use of."""
        scene = self.session.visible
        self.session.want_masks(drawn_masks(scene.water) | cover.masks(scene))

    def redraw(self) -> None:
        """Have the next turns of the loop draw: what newly floats over the land shows in its second frame."""
        self.host.redraw_for()

    def attempt(self, command: Callable[[], None]) -> None:
        """Carry `command` out; what it refuses becomes a notice, and everything stays as it was."""
        self._jumped = True
        with self._guarded("a command"):
            command()
        self.redraw()

    def act(self, action_id: str) -> None:
        """Carry an action of the table out, as its key does."""
        self.attempt(lambda: commands.run(action_id, self))

    def read(self, name: str, read: Callable[[], Callable[[], None]]) -> None:
        """Have `read` look at the foreign file `name` apart from the window; what it returns is then done here.

        The newest wins: a file that is still being read is given up for it.
        """
        self._reading = Reading(named(one_line(name)), read, window.wake)
        self._take_read()
        self.redraw()

    def _take_read(self) -> None:
        """Do what is to be done with a file once it is read."""
        reading = self._reading
        if reading is not None and reading.over:
            self._reading = None
            with self._guarded(f"reading {reading.name}"):
                reading.result()()
            self.redraw()

    def give_up_reading(self) -> bool:
        """Do without the file that is being read; return whether there was one."""
        if self._reading is None:
            return False
        self.session.notify(f"{self._reading.name}: given up", passing=True)
        self._reading = None
        self.redraw()
        return True

    def _folder_of_textures(self, scene: Scene) -> str:
        return "" if self._safe else cover.textures(scene)

    def _want_textures(self) -> None:
        """Have the textures that the scene takes from a person's folder read, apart from the window."""
        folder, reading = self._folder_of_textures(self.session.visible), self._textures
        if reading is not None and reading.over:
            self._textures = None
            try:
                reading.result()
            except FellviewError as fault:
                ground_textures.leave(reading.name, str(fault))
            except Exception as fault:
                ground_textures.leave(reading.name, self._crashes.note(fault, "reading textures"))
            self.draw_anew()
        elif not ground_textures.is_taken(folder) and (reading is None or reading.name != folder):
            self._textures = Reading(folder, lambda: ground_textures.take(folder), window.wake)

    def when_settled(self, command: Callable[[], None]) -> None:
        """Carry `command` out once heights and masks belong to the recipe, so that what is written tells the truth."""
        self._pending.append(command)
        self.redraw()

    def _run_pending(self) -> None:
        session = self.session
        whole = session.complete and ground_textures.is_taken(self._folder_of_textures(session.scene))
        if self._pending and whole and not session.before:
            commands, self._pending = self._pending, []
            for command in commands:
                self.attempt(command)

    def _animated(self) -> bool:
        asking = self._question is not None and self._question[0].polls
        moving = self.lab.animated if self._lab_covers else self._waves_move
        return self.controller.moving or not self.host.settled or asking or moving

    @property
    def _waves_move(self) -> bool:
        """Return whether water moves in the picture by itself."""
        group = self.session.visible.water
        return group.enabled and group.animate

    @property
    def _works(self) -> bool:
        """Return whether something goes on that the status line tells the progress of."""
        return self.session.busy or self._reading is not None

    def _wake_after(self) -> float | None:
        """Return the seconds after which the panel wants a frame without an event."""
        edge = _EDGE_TICK_S if self._edge_left > 0 else None
        waits = (self.host.wake_after, self._panel.wake_after, self.lab.wake_after, edge)
        return min((wait for wait in waits if wait is not None), default=None)

    def _wants_frame(self) -> bool:
        now = time.monotonic()
        since = now - self._last_frame
        if self._events or self.host.hurried:
            return True
        if self._under_way is not None and not self._under_way.resting:
            # every frame in between makes it later, and a drag over the land is answered by the land alone
            return not self.host.settled and self.host.pointer.owner != "scene" and since >= _BUSY_TICK_S
        wake = self._wake_after()
        return (
            self._animated()
            or (wake is not None and since >= wake)
            or (self._works and since >= _BUSY_TICK_S)
            or (self._under_way is None and bool(self._stills))
            or (self._under_way is None and self._should_refine() and now - self._last_change >= _REST_S)
        )

    def _should_refine(self) -> bool:
        """Return whether frames are still to be added to the picture, once it rests."""
        if not self._drawn or self._undrawable or self.session.busy or self._lab_covers:
            return False
        return self._refined < self.renderer.frames(self.renderer.resting_samples)

    def draw_anew(self) -> None:
        """Have the next frame draw the land from the start: something else is drawn meanwhile."""
        self.give_up()
        self._drawn = self._undrawable = ()
        self.redraw()

    def _wait(self) -> None:
        """Take events in; sleep until one comes or until something is due by itself."""
        if self.compute.busy or self._under_way is not None:  # they fill the time between frames
            self.window.wait(0)
            return
        if self._animated() and self.window.visible:
            # vsync does nothing on a virtual or software screen, so the rate is ours to keep
            due = self._last_frame + self.window.frame_s
            while (left := due - time.monotonic()) > 0:
                self.window.wait(left)
            self.window.wait(0)
            return
        now = time.monotonic()
        waits = [_LONGEST_WAIT_S]
        if self.window.visible:
            wake = self._wake_after()
            if wake is not None:
                waits.append(self._last_frame + wake - now)
            if self._works:
                waits.append(self._last_frame + _BUSY_TICK_S - now)
            if self._should_refine():
                waits.append(self._last_change + _REST_S - now)
            passes = self.session.passes_in
            if passes is not None:
                waits.append(passes)
        self.window.wait(min(waits))

    def _frame(self) -> bool:
        """Draw one frame and show it; return whether it was shown, or events came that the next one answers.

        What the hand does, but for drags over the land, does not wait for a picture that is slow: the last one that is
        finished is shown until then.
        """
        on_land = self.host.pointer.owner == "scene" or self.controller.moving  # which the land alone answers
        at_once = self._under_way is not None or (self._picture_s > _SLOW_S and (self.host.hurried or not on_land))
        start = time.monotonic()
        seconds = start - self._last_frame
        self._last_frame = start
        self._take_extent()
        data = None
        with self._guarded("drawing the panel"):
            outcome, answer = self._draw_panel(seconds)
            data = self.host.end_frame()
            # nothing may change the session before: the panel hands back the scene that it was given
            self._apply(outcome)
            if answer is not None:
                self.attempt(answer)
        if data is None:
            self._drop_panel()
        if self._lab_covers:
            self.give_up()
            self._draw_lab(data, start, seconds)
        else:
            if self._frames_shown:  # the window is up before anything is drawn in it
                with self._guarded("drawing the land"):
                    self._begin()
            if not at_once and not self._go_on():
                if data is not None:
                    self._overlay.update(data)
                return False
            self._show(data)
        self.window.swap_buffers()
        self._frames_shown += 1
        if self._frames_shown == 1:
            if told := self._claim.tell():  # which passes: not before it can be read
                self.session.notify(told, passing=True)
            self.redraw()
        self._frame_s = time.monotonic() - start
        return True

    def _draw_panel(self, seconds: float) -> tuple[Outcome, Callable[[], None] | None]:
        """Draw the panel and what floats over the land; return what was done in it, and the answer to a question."""
        self.host.new_frame(seconds, self._frame_s)
        self._move(self.host.pointer, seconds)
        over_land = self.lab.over_land if self.lab.state.shown else None
        outcome = self._panel.draw(self.session.scene, self.session.home, self._status(), self.panel_shown, over_land)
        if self.help_shown:
            self.help_shown = overlays.help_window(actions.rows(), self._panel.scene_rect)
        answer = self._draw_question()
        self.window.show_cursor(self.host.cursor)
        return outcome, answer

    def _drop_panel(self) -> None:
        """End a panel that failed in its middle; what floats over the land is closed, as it may be the reason.

        Where the next one fails, too, the panel begins anew.
        """
        self.host.abandon_frame()
        self._question, self.help_shown = None, False
        if self.lab.state.shown:
            self.lab.toggle()
        if self._failed_turns:
            self._panel = Panel(settings.load(paths.state_folder()).panel_width)
            self.session.finish_gesture()

    @property
    def _lab_covers(self) -> bool:
        """Return whether the noise lab stands where the land would be."""
        return self.lab.state.shown and not self.bare

    def _draw_lab(self, data: DrawData | None, now: float, seconds: float) -> None:
        """Draw the lab's maps where they have changed, and the panel with the lab; the land is not seen."""
        drawn = False
        with self._guarded("drawing the noise lab"):
            self.lab.draw(self.session.visible.noise, now, seconds, self._frame_s)
            drawn = True
        if not drawn:
            self.lab.toggle()
        screen = self.window.fbo
        screen.use()
        screen.clear(*GROUND)
        if data is not None:
            self._overlay.draw(data, screen)

    @property
    def up_to_date(self) -> bool:
        """Return whether the picture of the land is that of the scene as it is."""
        return self._drawn == self._wanted()

    def _wanted(self) -> tuple[Any, ...]:
        """Return what a picture of the land is to show: it is out of date when this has changed."""
        seconds = time.monotonic() - self._opened if self._waves_move else 0.0
        return (self.session.visible.groups(), id(self._land), self.area_pixels(), seconds)

    @property
    def _land(self) -> HeightField | None:
        """The land to draw."""
        # the first picture is of the sky alone: what land needs beside it takes as long again
        return self.session.land if self._frames_shown > 1 else None

    def _begin(self) -> None:
        """Begin the picture that is wanted, unless one is under way that is to be finished first.

        One that is out of date is given up where it only rests, or where a command has led elsewhere. A drag or a
        flight only moves on: its pictures are finished, or there would be none before its end.
        """
        now, work = time.monotonic(), self._under_way
        if work is not None and self._is_stale(work):
            self.give_up()
        if self._under_way is not None or self._wanted()[:3] == self._undrawable:
            return
        self._jumped = False
        if self._stills and not self._goes_before_stills():
            still, _ = self._stills[0]
            self._under_way = UnderWay(still, still.passes(), self._finish, resting=True)
        elif self._wanted() != self._drawn:
            self._lift()
            self._last_change = now
            self._under_way = self._picture(1, 0)
        elif self._should_refine() and not self._animated() and now - self._last_change >= _REST_S:
            # while the hand is at work on the panel its frames come first
            self._under_way = self._picture(self.renderer.resting_samples, self._refined, resting=True)

    def _is_stale(self, work: UnderWay[Target]) -> bool:
        """Return whether `work` is out of date and not worth its end."""
        if isinstance(work.of, Still):
            return self._goes_before_stills() and self._hand_moves
        return work.of != self._wanted() and (work.resting or (self._jumped and not self._given_up))

    @property
    def _hand_moves(self) -> bool:
        """Return whether the hand holds something that a picture is to follow."""
        return self.controller.moving or self.host.pointer.owner is not None

    def _goes_before_stills(self) -> bool:
        """Return whether the window's picture comes first: under the hand, and else after each frame of a still.

        Another land does not, which would be brought to OpenGL and back for every frame.
        """
        still, _ = self._stills[0]
        if self._wanted() == self._drawn or self._land is not still.field:
            return False
        return self._hand_moves or self._still_waits is False

    def draw_still(self, still: Still, then: Callable[[Pixels], None]) -> None:
        """Have `still` drawn between the window's frames, and its pixels handed to `then`."""
        self._stills.append((still, then))
        self.redraw()

    def _end_still(self) -> None:
        """Do with the first of the stills what is to be done, unless drawing it has failed."""
        still, then = self._stills.pop(0)
        if (pixels := still.pixels) is not None:
            self.attempt(lambda: then(pixels))
        still.release()
        if not self._stills:
            self.session.withdraw(SAVING)

    def _picture(self, samples: int, number: int, *, resting: bool = False) -> UnderWay[Target]:
        """Return the picture that is wanted, of which nothing is drawn yet."""
        wanted, land, scene, size = self._wanted(), self._land, self.session.visible, self.area_pixels()

        def passes() -> Passes[Target]:
            self.renderer.seconds = wanted[-1]
            if land is not None:
                self.renderer.show(land)
                yield
            return (yield from self.renderer.passes(scene, size, samples, number))

        return UnderWay(wanted, passes(), self._finish, resting=resting)

    def give_up(self) -> None:
        """Draw no more of the picture under way; the next frame begins it anew."""
        if self._under_way is not None:
            self._given_up = not self._under_way.resting
            self._under_way.give_up()
            self._under_way = None

    def _go_on(self) -> bool:
        """Draw on at the picture under way until it is done; return so, or that a frame is wanted before."""
        while (work := self._under_way) is not None:
            more = None
            with self._guarded("drawing a picture" if isinstance(work.of, Still) else "drawing the land"):
                more = work.go_on()
            if more is None:
                self._under_way = None
                self.renderer.recover()
                if isinstance(work.of, Still):
                    self._end_still()
                else:
                    self._undrawable = work.of[:3]
                break
            self._undrawable = ()
            if more:
                self.window.wait(0)
                if self._wants_frame() or self.window.is_closing:
                    return False
                continue
            assert work.drawing is not None
            if isinstance(work.of, Still):
                self._under_way, self._still_waits = None, False
                if work.of.pixels is not None:
                    self._end_still()
                break
            self._still_waits = True
            self._present.keep(work.drawing)
            self._refined = self._refined + 1 if work.resting else 0
            self.pictures_drawn += not work.resting
            self._drawn, self._picture_s = work.of, work.seconds
            self._under_way, self._given_up = None, False
            for text in self.renderer.take_notices():
                self.session.notify(text)
                self.redraw()
        return True

    def _show(self, data: DrawData | None) -> None:
        """Put the newest finished picture of the land on the screen, and the panel over it, where there is one."""
        screen = self.window.fbo
        self._present.draw(screen, self._extent.framebuffer, self._area())
        if data is None:
            return
        if self.bare:
            self._overlay.update(data)
        else:
            self._overlay.draw(data, screen)

    def drawn_land(self) -> HeightField | None:
        """Return the land as it is drawn, which is where camera and cursor meet it."""
        land = self.session.land
        return None if land is None else exaggerated(land, self.session.visible.view.exaggeration)

    def _lift(self) -> None:
        """Lift the eye where new land, or land drawn higher, has risen over it."""
        land, drawn = self._land, self.drawn_land()
        camera, exaggeration = self.session.scene.camera, self.session.visible.view.exaggeration
        if land is self._lifted_over and exaggeration == self._exaggeration:
            return
        self._lifted_over, self._exaggeration = land, exaggeration
        if drawn is not None and camera.mode == "orbit":
            self.session.set_camera(above_ground(camera, drawn))

    def area_pixels(self) -> tuple[int, int]:
        """Return the size of the land's part of the window in pixels."""
        _, _, width, height = self._area()
        return width, height

    def _area(self) -> tuple[int, int, int, int]:
        """Return the land's part of the framebuffer: left, bottom, width, height in pixels."""
        part = (0.0, 0.0, *self._extent.size) if self.bare else self._panel.scene_rect
        return self._extent.pixels(part, self._largest_side)

    def _take_extent(self) -> None:
        """Ask how large the window is: panel, land and pointer of a frame have that one size."""
        extent = self.window.extent()
        if extent != self._extent:
            self._extent = extent
            self.host.content_scale(extent.scale)
            self.host.resize(extent.size, extent.framebuffer)

    # -- events --------------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Have the next frame take the window's new size or content scale in."""
        if hasattr(self, "host"):  # GLFW calls back while the window is being made
            self.redraw()

    def on_focus(self, focused: bool) -> None:
        """Take the focus in; keys that are down when it goes are let go, as their releases go elsewhere."""
        self.host.focus(focused)
        if focused:
            self.recent.look()  # something else may have moved or removed files
        else:
            self._later(self._let_all_go)

    def on_drop(self, path: Path) -> None:
        """Open a file that was dropped on the window, a scene or a height map."""
        self._later(lambda: self.attempt(lambda: open_dropped(self, path)))

    def on_button_modifiers(self, modifier: str) -> None:
        """Remember which modifier a button was pressed with: it decides what the drag does."""
        self._button_modifier = modifier

    def on_text(self, text: str) -> None:
        """Take typed text in; a question mark outside a text field asks for the keys, wherever its key is."""
        self.host.text(text)
        if text == "?":
            self._later(self._ask_for_keys)

    def on_key(self, key: Key) -> None:
        """Take a key in: for a text field, for the camera by its place, or for an action by its letter."""
        self.host.key(key.number, key.down, key.modifiers)
        if not key.repeated:
            self._later(lambda: self._take_key(key))

    def _later(self, act: Callable[[], None]) -> None:
        """Have `act` carried out between two frames: events come in the middle of a slow one, too."""
        self._events.append((self.host.presses, self.host.place, act))

    def _act(self) -> None:
        """Carry out what came, in order; what came after a press of a button waits until a frame has seen that."""
        while self._events and self._events[0][0] <= self.host.presses_seen:
            _, place, act = self._events.pop(0)
            self._pressed_at = (place,)
            try:
                act()
            finally:
                self._pressed_at = None

    def _ask_for_keys(self) -> None:
        if not self.host.wants_keys:
            self.act(actions.BY_KEYS["?"].id)

    def _take_key(self, key: Key) -> None:
        if key.is_shift:
            self.controller.set_fast(key.down)
        if not key.down:
            # releases are always taken: the press may have come before a text field did
            if key.place in KEYS:
                self.controller.release(KEYS[key.place])
            self._let_go(key.number)
        elif not self.host.wants_keys:
            self._press(key)

    def _press(self, key: Key) -> None:
        if key.place in KEYS and not key.commanding and not self._lab_covers:
            self._greeting = False
            self.controller.press(KEYS[key.place], key.shift)
            return
        action = actions.BY_KEYS.get(key.chord)
        if action is not None:
            self._greeting = False
            self.act(action.id)
            if action.held:
                self._held[key.number] = action

    def _let_all_go(self) -> None:
        self.controller.clear()
        for number in tuple(self._held):
            self._let_go(number)

    def _let_go(self, number: int) -> None:
        """End what a held action's key began."""
        action = self._held.pop(number, None)
        if action is not None:
            self.attempt(lambda: commands.release(action.id, self))

    def _move(self, pointer: Pointer, seconds: float) -> None:
        """Turn the pointer's and the held keys' part in this frame into a camera, or the sun's place."""
        if pointer.gesture:
            self._greeting = False
        land, drawn = self.session.land, self.drawn_land()
        if land is not None and drawn is not None:
            camera = self._moved(self.session.scene.camera, drawn, pointer, seconds)
            camera = above_water(camera, self.session.visible, land)
            if camera is not self.session.scene.camera:
                self.session.set_camera(camera)
        if pointer.released:
            self.controller.end_drag()
            self.session.finish_gesture()

    def _moved(self, camera: Camera, field: HeightField, pointer: Pointer, seconds: float) -> Camera:
        """Return `camera` after this frame's drag, wheel and held keys; the same one where there were none."""
        cursor, size = self._cursor(pointer)
        for button in pointer.scene_pressed:
            if self.sun_held:
                self.session.begin_gesture("Sun")
                continue
            kind = DRAGS.get((BUTTONS[button], self._button_modifier)) or DRAGS.get((BUTTONS[button], ""))
            if kind is not None:
                self.controller.begin_drag(kind, camera, size, cursor, field)
                self._drag_start = camera
        if self.sun_held and pointer.owner == "scene":
            self._drag_sun(*pointer.scene_delta)
        elif self.controller.dragging:
            camera = self.controller.drag(camera, size, cursor, field)
        if pointer.scene_wheel[1]:
            camera = self.controller.wheel(camera, size, pointer.scene_wheel[1], cursor, field)
        return self.controller.advance(camera, seconds, field)

    def take_drag_back(self) -> bool:
        """Put back what a drag over the land has changed, and end it; return whether one was under way."""
        if self.sun_held:
            self.sun_held = False
            return self.session.take_back()
        if self.controller.dragging is None or self._drag_start is None:
            return False
        self.controller.end_drag()
        self.session.set_camera(self._drag_start)
        return True

    def _cursor(self, pointer: Pointer) -> tuple[Pixel, Size]:
        """Return where the pointer is in the land's part of the window, and that part's size, in window units."""
        return self._on_land(pointer.position)

    def _on_land(self, position: tuple[float, float]) -> tuple[Pixel, Size]:
        """Return a position in the window as one in the land's part of it, and that part's size, in window units."""
        left, top, width, height = self._panel.scene_rect
        return (position[0] - left, position[1] - top), (max(round(width), 1), max(round(height), 1))

    def spot(self) -> Spot | None:
        """Return the ground under the pointer; None where that is over the sky, the panel or another window."""
        pointer = self.host.pointer
        return self._ground_at(pointer.position) if pointer.over_scene else None

    def spot_now(self) -> Spot | None:
        """Return the same as of the event that is being taken in: a frame may be long, and the pointer has moved on.

        Whose a place is that no frame has seen is only known of the panel, not of windows that float over the land.
        """
        place = self._pressed_at[0] if self._pressed_at else self.host.place
        pointer = self.host.pointer
        if place is None or place == pointer.position:
            return self.spot()
        return None if pointer.owner == "panel" else self._ground_at(place)

    def _ground_at(self, position: tuple[float, float]) -> Spot | None:
        land, drawn = self.session.land, self.drawn_land()
        if land is None or drawn is None or self._lab_covers:
            return None
        cursor, size = self._on_land(position)
        return spot_under(land, drawn, self.session.scene.camera, size, cursor)

    def _readout(self) -> Spot | None:
        """Return the ground to tell about; while something moves or is computed, nobody reads it."""
        if self.controller.moving or self.controller.dragging or self.session.busy:
            return None
        return self.spot()

    def _measure(self, under: Spot | None) -> Line | None:
        """Return the line that is measured along, to the pointer as long as its end is not set."""
        land, drawn = self.session.land, self.drawn_land()
        if land is None or drawn is None or not self.measuring:
            return None
        spots = [spot_at(land, x, z) for x, z in self.measuring]
        if len(spots) == 1:
            spots.append(under or spots[0])
        times = self.session.visible.view.exaggeration
        _, size = self._cursor(self.host.pointer)
        ends = [project(self.session.scene.camera, size, (one.x, times * one.height, one.z)) for one in spots]
        start, end = ends
        if start is None or end is None:
            return None
        return Line(start, end, measured(*spots))

    def mark_edge(self) -> None:
        """Have the land's edge marked for a moment."""
        self._edge_left, self._edge_last = _EDGE_S, time.monotonic()
        self.redraw()

    def _edge(self) -> LandEdge | None:
        """Return the land's edge as long as it is marked, fainter with every frame at last."""
        now, land = time.monotonic(), self.session.land
        self._edge_left -= min(now - self._edge_last, _EDGE_FRAME_S)
        self._edge_last = now
        if land is None or self._edge_left <= 0:
            return None
        _, size = self._cursor(self.host.pointer)
        points = outline(self.session.scene.camera, size, land, self.session.visible.view.exaggeration)
        return LandEdge(points, min(self._edge_left / _EDGE_FADES_S, 1.0))

    def _drag_sun(self, right: float, down: float) -> None:
        sun = self.session.scene.sun
        low, high = sun.declaration("elevation").slider
        moved = sun.replace(
            azimuth=(sun.azimuth + right * _SUN_DEGREES_PER_PIXEL) % 360,
            elevation=min(max(sun.elevation - down * _SUN_DEGREES_PER_PIXEL, low), high),
        )
        self.session.set(self.session.scene.with_group(moved), "Sun")

    # -- panel ---------------------------------------------------------------------------------------------------------

    def place(self, key: str) -> tuple[float, float, float, float]:
        """Return where the slider of `key` stands: left, top, width, height in window units."""
        return self._panel.place(key)

    def find_parameter(self) -> None:
        """Have what is typed next go to the panel's search field."""
        self.panel_shown, self.bare = True, False
        self._panel.find()
        self.host.await_text()

    @property
    def holding(self) -> bool:
        """Return whether a widget is held, typed into or sought, which Escape then puts back."""
        return self._panel.holding or self.lab.holding

    def ask(self, dialog: FileDialog, then: Callable[[Path], None]) -> None:
        """Have `dialog` ask for a file and hand the answer to `then`; one question at a time."""
        if self._question is None:
            self._question = (dialog, then)
            self.redraw()

    def _draw_question(self) -> Callable[[], None] | None:
        """Draw the dialog that is open; return what is to be done with its answer once there is one."""
        if self._question is None:
            return None
        dialog, then = self._question
        dialog.draw()
        if not dialog.done:
            return None
        self._question, path = None, dialog.path
        if path is None:
            return None
        self.folder = path.parent
        return lambda: then(path)

    def _apply(self, outcome: Outcome) -> None:
        """Carry out what the person did in the panel."""
        session = self.session
        if outcome.gesture or outcome.gesture_ended:
            session.begin_gesture(outcome.label)
        session.set(self._through_its_lens(outcome.scene), outcome.label)
        if outcome.gesture_ended or outcome.cancelled:
            session.finish_gesture()
        if outcome.before != self._before_pressed:
            self._before_pressed = outcome.before
            session.show_before(outcome.before)
        for index in sorted(outcome.dismiss, reverse=True):
            del session.notices[index]
        if outcome.panel_width is not None:
            kept = settings.Settings(outcome.panel_width)
            self.attempt(lambda: settings.keep(paths.state_folder(), kept))
        chosen = outcome.choose or outcome.open
        if chosen is not None:
            open_source(self, chosen)
        for action_id in outcome.actions:
            self.act(action_id)

    def _through_its_lens(self, scene: Scene) -> Scene:
        """Return `scene`; where its projection has changed, what was in the middle is as large as it was."""
        camera, land = self.session.scene.camera, self.drawn_land()
        if scene.camera.projection == camera.projection or land is None:
            return scene
        return scene.with_group(through_other_lens(camera, self.area_pixels(), land))

    def _badges(self) -> tuple[str, ...]:
        """Return what stands in the upper corner of the landscape as long as it holds."""
        scene = self.session.visible
        return (*badge(scene.view.exaggeration), *remarks(scene.terrain_groups()))

    def _status(self) -> Status:
        session = self.session
        result, reading = session.result, self._reading
        at = session.advanced if reading is None else None  # the land's own work goes on untold
        running = _named(at) if at else ("starting" if session.busy else None)
        grid = session.scene.grid
        lowest, highest = result.field.height_range if result else (None, None)
        under = self._readout()
        return Status(
            rows=grid.rows,
            columns=grid.columns,
            size_x=grid.size_x,
            size_z=grid.size_z,
            lowest=lowest,
            highest=highest,
            engine=self.compute.engine,
            running=running if reading is None else f"reading {reading.name}",
            fraction=at.fraction if at else None,
            iteration=at.iteration if at else 0,
            iterations=at.iterations if at else 0,
            running_s=reading.seconds if reading is not None else session.computing_for,
            seconds_left=session.seconds_left if reading is None else None,
            can_cancel=reading is not None or session.can_cancel,
            can_keep=reading is None and session.can_keep,
            busy=session.busy,
            steps=tuple((one.step, one.milliseconds, one.remembered) for one in result.times) if result else (),
            frame_milliseconds=1000 * (self._frame_s if self._lab_covers else self._picture_s),
            notices=tuple(session.notices),
            presets=scenes.presets(),
            recent=self.recent.paths,
            titles=scenes.titles(),
            left=self._claim.others,
            can_undo=bool(session.undo_label),
            can_redo=bool(session.redo_label),
            undo_label=session.undo_label,
            redo_label=session.redo_label,
            badges=() if self.lab.state.shown else self._badges(),
            legend=None if self.lab.state.shown or session.visible.view.legend else self.renderer.legend,
            hints=actions.hints() if self._greeting and not self.lab.state.shown else (),
            lab=self.lab.state.shown,
            under=under,
            measure=None if self.lab.state.shown else self._measure(under),
            edge=None if self.lab.state.shown else self._edge(),
        )
