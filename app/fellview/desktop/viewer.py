"""The viewer: the session in a window, its parts put together, and a loop that draws only on change."""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from fellview import paths
from fellview.compute.child import Child
from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Listener as ComputeListener
from fellview.compute.router import EngineRouter
from fellview.core.errors import FellviewError
from fellview.desktop import commands, window
from fellview.desktop.background_warm_up import BackgroundWarmUp
from fellview.desktop.beside import Beside, BesideWindow, Name
from fellview.desktop.board import MOST_PICTURES, BoardDesk
from fellview.desktop.bookmarks import BookmarksDesk
from fellview.desktop.commands.files import open_dropped
from fellview.desktop.comparing import Comparing
from fellview.desktop.dialogs import Dialogs
from fellview.desktop.drawing_scale import DrawingScale
from fellview.desktop.events import EventQueue
from fellview.desktop.faults import Faults
from fellview.desktop.film import FilmDesk
from fellview.desktop.first_frame import FirstFrame
from fellview.desktop.frames import Frames, usual_panel
from fellview.desktop.good_views import GoodViews
from fellview.desktop.input import Input
from fellview.desktop.land_map import MapDesk
from fellview.desktop.layout import Layout
from fellview.desktop.noise_lab import LabDesk
from fellview.desktop.other_picture import OtherPicture
from fellview.desktop.pace import Pace
from fellview.desktop.picking import Picking
from fellview.desktop.picture_frame import PictureFrame
from fellview.desktop.pictures import Pictures
from fellview.desktop.presenting import Presenting
from fellview.desktop.reading import FileReader, TextureReader
from fellview.desktop.saved_picture import SavedPicture
from fellview.desktop.shelf import ShelfDesk
from fellview.desktop.shots import ShotsDesk
from fellview.desktop.slides import SlidesDesk
from fellview.desktop.status import status
from fellview.desktop.steps import MOST_PICTURES as MOST_OF_STEPS
from fellview.desktop.steps import StepsDesk
from fellview.desktop.window import Key, Window
from fellview.desktop.writing import FileWriter
from fellview.draw.ground import cover
from fellview.draw.overlay.noise_lab import NoiseLab
from fellview.draw.overlay.overlay import Overlay
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.target import largest_side
from fellview.draw.water.water import drawn_masks
from fellview.gpu import choice
from fellview.gpu.context import is_software
from fellview.io import array_cache, atomic, land_cache, last_picture, scenes, sessions
from fellview.io.crashes import CrashLog
from fellview.io.recent import Recent
from fellview.scene.bookmarks import MOST as MOST_BOOKMARKS
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.deck import MOST as MOST_SLIDES
from fellview.studio.deck import Deck
from fellview.studio.project import Project
from fellview.studio.shelf import MOST as MOST_LANDS
from fellview.ui.imgui_host import Host
from fellview.ui.status import Status
from fellview.viewpoints.find import MOST as MOST_VIEWS

_FIRST_SCALE = 0.32
"""Of moving frames on software OpenGL: richer scenes come to 0.24 to 0.32 there, and a window's first picture, which
brings all programs along, takes some 40 ms less than with 0.5."""
_SAFE = "Started without the last session, caches and textures of your own; they are left alone, and nothing is kept"

Watch = Callable[["Viewer", bool], None]


def run(
    scene: Scene | None,
    size: tuple[int, int],
    pictures: Path | None,
    watch: Watch | None = None,
    engine: str = "auto",
    process: type[ComputeProcess] = ComputeProcess,
    safe: bool = False,
    opened: Project | None = None,
    deck: Deck | None = None,
    child: Child | None = None,
    first: FirstFrame | None = None,
) -> None:
    """Open the viewer on `scene`, or on what the last session ended with, until it is closed.

    `opened` is a project whose lands are on the shelf then, `deck` the slides that are there. `pictures` is the folder
    for saved pictures. `watch` is called after every turn of the loop, with the viewer and whether a frame reached the
    screen. `engine` is "auto", "cpu" or "gpu"; `process` computes on the CPU, in `child` where that runs already.
    `first` is the window where it is on the screen already, which takes no `scene`.
    `safe` has the viewer do without the session, caches and textures that there are, and leave them alone.
    """
    with paths.temporary() if safe else contextlib.nullcontext():
        folder = pictures or paths.pictures_folder()
        viewer = Viewer(scene, size, folder, engine, process, safe, opened=opened, deck=deck, child=child, first=first)
        _run(viewer, watch)


def _run(viewer: Viewer, watch: Watch | None) -> None:
    """Show `viewer` until its window is closed."""
    signal.signal(signal.SIGTERM, lambda *_: viewer.window.close())

    def interrupt(*_: object) -> None:
        # an exception would be lost where it comes within a callback of the window
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl+C ends what does not end by itself
        viewer.window.close()

    signal.signal(signal.SIGINT, interrupt)
    viewer.faults.crashes.tell_signals()  # of what ends the process at once, such as a crash inside a library
    threads_fail, threading.excepthook = threading.excepthook, viewer.faults.note_thread
    try:
        viewer.loop(watch)
    finally:
        threading.excepthook = threads_fail
        viewer.close()


def _sweep(claim: sessions.Claim, pictures: Path) -> None:
    """Remove what earlier windows that were killed were writing into the folders that are the program's own.

    Of lands with their masks, which are large, only that of the session that `claim` holds stays.
    """
    state = paths.state_folder()
    sessions.sweep(state)
    folders = sessions.folders(state)
    atomic.sweep([state, *folders, array_cache.folder(), pictures])
    for folder in folders:
        if folder not in (claim.folder, claim.source):
            land_cache.remove_whole(folder)


class Viewer:
    """The window, the session and what draws them, put together. `commands/` holds what a person can have it do."""

    def __init__(
        self,
        scene: Scene | None,
        size: tuple[int, int],
        pictures: Path,
        engine: str = "auto",
        process: type[ComputeProcess] = ComputeProcess,
        safe: bool = False,
        open_window: Callable[[tuple[int, int]], Window] = window.open_window,
        opened: Project | None = None,
        deck: Deck | None = None,
        child: Child | None = None,
        first: FirstFrame | None = None,
    ) -> None:
        self.claim = first.claim if first else sessions.claim(paths.state_folder(), anew=scene is not None)
        threading.Thread(target=_sweep, args=(self.claim, pictures), name="fellview-sweep", daemon=True).start()
        # the compute process starts first: it loads its kernels while the window opens
        self._asked = engine
        self._process = process if child is None else functools.partial(process, child=child)
        self.session: Session = Session(window.wake, self.claim.folder, (self._computer, process))
        self.faults = Faults(CrashLog(paths.state_folder()), self.session.notify, self.redraw)
        if scene is not None:
            self.session.start(scene, None if opened is None else opened.shelf, deck)
        elif not self.session.restore(self.claim.source):
            store, source = self.session.store, self.claim.source
            left = store.load_shelf(source), store.load_deck(source)
            self.session.start(scenes.load(scenes.OPENING_PRESET), *left)
        try:
            self.window = first.window if first else open_window(size)
        except FellviewError:
            self.session.close(keep=False)  # nobody has seen what was to be opened
            self.claim.release()
            raise
        self.window.listener = self
        context = self.window.context
        self.recent = Recent(paths.state_folder(), window.wake)
        if safe:
            self.session.notify(_SAFE)
        self._use_engine()
        self.host = Host(self.window.clipboard, self.window.set_clipboard)
        self.renderer = Renderer(context)
        self.renderer.wait_for_masks()
        if safe:
            self.renderer.leave_textures()
        self.overlay = Overlay(context)
        self.queue = EventQueue(self.host)
        lab = LabDesk(lambda: NoiseLab(context), self.overlay)
        board = BoardDesk(lambda: Thumbnails(context, self.overlay, MOST_PICTURES), window.wake)
        self.layout = Layout(self.host, usual_panel(), lab, board, largest_side(context))
        self.picking = Picking(self.host, self.session, self.queue, self.layout)
        self.input = Input(self.host, self.session, self.queue, self.layout, self.act, self._release)
        software = is_software(context)
        finish, scale = (context.finish, DrawingScale(_FIRST_SCALE)) if software else (lambda: None, DrawingScale())
        present = first.present if first else PresentPass(context)
        self.warm_up = BackgroundWarmUp(window.wake, wanted=software and not safe)
        self.other = OtherPicture(self.session, lambda: self._other_renderer(safe), lambda: PresentPass(context))
        self.pictures = Pictures(
            self,
            self.faults,
            self.session,
            self.layout,
            self.input,
            self.renderer,
            present,
            finish,
            scale,
            self.other,
            self.warm_up.has,
        )
        small = Thumbnails(context, self.overlay, MOST_VIEWS + 1)  # the last is the large one
        parts = self.session, self.layout, self.pictures, self.renderer, small
        self.views = GoodViews(*parts, self.faults, self.redraw, self.input.fly_to)
        self.map = MapDesk(self, self.layout, lambda: Thumbnails(context, self.overlay, 1), window.wake)
        self.pictures_folder = pictures
        self.saved = SavedPicture(self.session, Thumbnails(context, self.overlay, 1), self.window.set_clipboard)
        self.dialogs = Dialogs(self.redraw)
        self.picture_frame = PictureFrame(self.session, self.layout)
        self.reader = FileReader(self.session, self.faults, self.redraw)
        copy = self.window.set_clipboard
        self.comparing = Comparing(self.session, self.layout, self.other, self.picking, self.dialogs, self.reader, copy)
        lands = Thumbnails(context, self.overlay, 2 * MOST_LANDS)  # on the shelf, and own presets
        compare = self.comparing.compare_with
        self.shelf = ShelfDesk(self.session, board, self.pictures, compare, lands, self.faults, self.redraw)
        if opened is not None:
            self.shelf.take(opened)
        thumbnails = Thumbnails(context, self.overlay, MOST_OF_STEPS)
        self.steps = StepsDesk(self.session, self.pictures, thumbnails, self.comparing)
        marked = Thumbnails(context, self.overlay, MOST_BOOKMARKS)
        self.bookmarks = BookmarksDesk(self.session, self.layout, self.input, self.pictures, self.renderer, marked)
        of_slides = Thumbnails(context, self.overlay, MOST_SLIDES)
        self.slides = SlidesDesk(self.session, board, self.pictures, of_slides, self.act, self.redraw)
        self.film = FilmDesk(self.session, self.layout, self.redraw, self.act)
        self.shots = ShotsDesk(self.session, self.act)
        beside: dict[Name, BesideWindow] = {
            "steps": self.steps,
            "bookmarks": self.bookmarks,
            "slides": self.slides,
            "film": self.film,
            "shots": self.shots,
        }
        self.beside = Beside(self.layout, self.comparing, beside)
        self.beside.shown = "" if deck is None else "slides"
        shown = self.session, self.layout, self.other, self.pictures, self.comparing, self.window
        self.presenting = Presenting(*shown, self.on_resize, lambda: self.host.place)
        self.input.keys_first = self.presenting.take_key
        self.writer = FileWriter(self.session, self.faults, self.redraw)
        self.more_masks: frozenset[str] = frozenset()
        """Masks that an export waits for, beside those that drawing makes use of."""
        self.textures = TextureReader(self.faults, self.pictures.draw_anew, wanted=not safe)
        self._readiness: Literal["none", "begun", "all"] = "none"  # of what computes
        self._pending: list[Callable[[], None]] = []
        self._events_seen = 0  # of the host's, when notices were last seen
        self.left_for_top: tuple[Scene, Camera] | None = None
        """The camera that the view from above took the place of, and the scene as it was opened, which it is of."""
        self.pace = Pace(self)
        self._frames = Frames(self, first.part if first else None)
        self.layout.take_extent(self.window.extent())

    def _other_renderer(self, safe: bool) -> Renderer:
        """Return what draws the land that the window's is compared with."""
        renderer = Renderer(self.window.context)
        renderer.wait_for_masks()
        if safe:
            renderer.leave_textures()
        return renderer

    # -- the loop ------------------------------------------------------------------------------------------------------

    def loop(self, watch: Watch | None = None) -> None:
        """Run until the window is closed: wait for events, draw when something changed."""
        while not self.window.is_closing:
            drawn = self.turn()
            if watch:
                watch(self, drawn)

    def turn(self) -> bool:
        """Turn the loop once; return whether a frame reached the screen."""
        guarded, drawn = self.faults.guarded, False
        self.faults.begin_turn()
        with guarded("taking events in"):
            self.pace.wait()
            self.queue.carry_out()
        with guarded("the film"):
            self.film.advance(wanted=self.beside.shown == "film" and not self.comparing.shown)
        if self.host.events > self._events_seen:
            self._events_seen = self.host.events
            self.session.see_notices()
        with guarded("computing"):
            self._want_masks()
            self.other.want()
            self.textures.want(self.session.visible)
            self.compute.advance(self.pace.slice_s)
            if self.session.poll() | self.session.let_pass():
                self.redraw()
            self._get_ready()
            if not self.warm_up.sees_to_presets and self.session.complete and self.pictures.is_sharp:
                self.warm_up.see_to_presets()
        with guarded("keeping the session"):
            self.session.keep()
        with guarded("the shelf"):
            self.shelf.advance()
        with guarded("the list of slides"):
            self.slides.advance(wanted=self.beside.shown == "slides" and not self.presenting.shown)
        with guarded("the map"):
            if self.map.advance():
                self.redraw()
        with guarded("the board"):
            hand_at_work = self.input.holds_something or self.layout.panel.active.gesture is not None
            if self.layout.board.advance(self.session.scene, self.session.locked, hand_at_work):
                self.redraw()
        self.reader.take()
        self.writer.take()
        with guarded("the history"):
            self.steps.advance()
        with guarded("the bookmarks"):
            self.bookmarks.advance(wanted=self.beside.shown == "bookmarks")
        with guarded("the slides"):
            if self.presenting.advance():
                self.redraw()
        self.views.take()
        with guarded("a command"):
            self.run_settled()
        with guarded("drawing"):
            if self.window.visible:
                drawn = self.pace.wants_frame and self._frames.draw()
                # however often events ask for frames, a pass a turn is drawn: a picture comes to its end
                if self.pictures.under_way and self.pictures.go_on():
                    self.queue.carry_out()  # what came meanwhile, before a frame sees its keys
                    drawn = self._frames.draw() or drawn
        self.faults.end_turn()
        return drawn

    @property
    def animated(self) -> bool:
        """Return whether the next frame differs though no event comes."""
        return self.pace.animated

    def interrupts(self) -> bool:
        """Take events in; return whether a frame is wanted, or the end, before a picture goes on."""
        self.window.wait(0)
        # where newer values wait, their land would be computed on the cores that draw the one on its way to the hand
        if not (self.pictures.brings_land and self.session.overtaken):
            with self.faults.guarded("computing"):
                if self.session.poll():
                    self.redraw()
        return self.pace.wants_frame or self.window.is_closing

    def redraw(self) -> None:
        """Have the next turns of the loop draw: what newly floats over the land shows in its second frame."""
        self.host.redraw_for()

    def status(self) -> Status:
        """Return what the panel is told of a frame."""
        return status(self)

    def close(self) -> None:
        """Keep the session, end the compute process and close the window."""
        self.window.hide()  # what follows may take its time
        self.views.close()
        self.writer.close()
        self.pictures.finish_stills()  # what was asked for before is not lost
        with self.faults.guarded("keeping the session"):
            self.session.close()
            self._keep_picture()
            self.claim.release()
        with self.faults.guarded("closing"):
            self.warm_up.close()
            self.layout.board.close()
            self.map.close()
            self.recent.close()
            self.host.close()
        self.window.destroy()

    def _keep_picture(self) -> None:
        """Keep what is seen of the land: the next window shows that first."""
        pixels = self.pictures.seen()
        if pixels is not None:
            shown = last_picture.LastPicture(pixels, self.layout.area(), self.layout.extent.framebuffer)
            last_picture.store(self.claim.folder, shown)

    # -- computing -----------------------------------------------------------------------------------------------------

    def _computer(self, listener: ComputeListener) -> EngineRouter:
        self.compute = EngineRouter(listener, self._process, holds=self._asked == "gpu")
        return self.compute

    def _use_engine(self) -> None:
        """Have the engine that was asked for compute from now on."""
        found = choice.choose(self._asked, self.window.context)
        choice.note_refusal(self._asked, found, self.session.notify)
        self.compute.use(found, found.engine_in(self.window.context))

    def _get_ready(self) -> None:
        """Have what computes ready for the next land, where the last session left this one: behind its pictures."""
        if self._readiness == "none" and self.pictures.count:
            array_cache.forget_ahead()
            self.compute.get_ready()
            self._readiness = "begun"
        elif self._readiness == "begun" and self.pictures.is_sharp:
            self.session.practise()
            self._readiness = "all"

    def _want_masks(self) -> None:
        """Ask for the masks that drawing the scene makes use of, and those that an export waits for."""
        scene = self.session.visible
        self.session.want_masks(drawn_masks(scene.water) | cover.masks(scene) | self.more_masks | self.map.wanted_masks)

    # -- commands ------------------------------------------------------------------------------------------------------

    def act(self, action_id: str) -> None:
        """Carry an action of the table out, as its key does."""
        self.attempt(lambda: commands.run(action_id, self))

    def _release(self, action_id: str) -> None:
        """End what a held action's key began."""
        self.attempt(lambda: commands.release(action_id, self))

    def attempt(self, command: Callable[[], None]) -> None:
        """Carry `command` out; what it refuses becomes a notice, and everything stays as it was."""
        self.pictures.note_command()
        with self.faults.guarded("a command"):
            command()
        self.redraw()

    def when_settled(self, command: Callable[[], None]) -> None:
        """Carry `command` out once heights and masks belong to the recipe, so that what is written tells the truth."""
        self.comparing.show_now()
        self.film.end()
        self._pending.append(command)
        self.redraw()

    def run_settled(self) -> None:
        """Carry out what waits for heights, masks and textures, where they belong to the recipe."""
        session = self.session
        whole = session.complete and self.textures.has_those_of(session.scene)
        if self._pending and whole and not session.shows_other:
            pending, self._pending = self._pending, []
            for command in pending:
                self.attempt(command)

    # -- what the window tells -----------------------------------------------------------------------------------------

    def on_key(self, key: Key) -> None:
        """Take a key in."""
        self.input.on_key(key)

    def on_text(self, text: str) -> None:
        """Take typed text in."""
        self.input.on_text(text)

    def on_button_modifiers(self, modifier: str) -> None:
        """Take in which modifier was down at a button's press."""
        self.input.on_button_modifiers(modifier)

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
            self.queue.add(self.input.let_all_go)

    def on_drop(self, path: Path) -> None:
        """Open a file that was dropped on the window, a scene or a height map."""
        self.queue.add(lambda: self.attempt(lambda: open_dropped(self, path)))
