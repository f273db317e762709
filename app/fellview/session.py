"""The session: the recipe as it is now, undo history, the newest-wins job and the last result."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from fellview.compute import Advanced, ComputeProcess, Died, Event, Failed, Finished, Groups
from fellview.core.errors import FellviewError, InputError
from fellview.io import scenes
from fellview.io.atomic import write_text
from fellview.scene import recipe
from fellview.scene.look import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline import Result

_HISTORY = 500  # undo steps; a scene is a few hundred bytes
_PATIENCE_S = 0.3  # a job that newer values overtake may still finish within this, so that a drag shows something
_WRITE_EVERY_S = 3.0
_NOTICES = 6


@dataclass(frozen=True)
class _Moment:
    """A place to return to; `home` is given where another scene was opened, and the camera then returns too."""

    label: str
    scene: Scene
    home: Scene | None = None


@dataclass
class Session:
    """What the window works on. `wake` is called from another thread when `poll` has something to do.

    `scene` changes at once; `result` follows when its heights are computed and stays the last good one when they cannot
    be. Undo counts gestures: values set with one `gesture` open are one step. The camera has no part in undo.
    """

    wake: Callable[[], None]
    folder: Path
    scene: Scene = field(default_factory=Scene)
    home: Scene = field(default_factory=Scene)
    result: Result | None = None
    notices: list[str] = field(default_factory=list)
    step: str = ""
    fraction: float = 0.0
    before: bool = False

    def __post_init__(self) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._compute = ComputeProcess(self._note)
        self._job: Groups | None = None
        self._job_start = 0.0
        self._shown: Groups | None = None
        self._died_on: Groups | None = None
        self._undo: list[_Moment] = []
        self._redo: list[_Moment] = []
        self._gesture: tuple[str, Scene] | None = None
        self._written: tuple[Scene, Scene] | None = None
        self._next_write = 0.0

    # -- scenes ------------------------------------------------------------------------------------------------------

    def start(self, scene: Scene) -> None:
        """Begin with `scene`; there is nothing to go back to."""
        self.home = scene
        self._change(scene)

    def open(self, scene: Scene, notices: list[str] | None = None) -> None:
        """Work on `scene` from now on; what was there before is one undo step away."""
        self.finish_gesture()
        if scene != self.scene:
            self._push(_Moment(f"Open {scene.name}", self.scene, self.home))
        self.home = scene
        self._change(scene)
        for text in notices or []:
            self.notify(text)

    def open_file(self, source: str | Path) -> None:
        """Open a preset, recipe file or picture; `InputError` leaves everything as it is."""
        self.open(*scenes.load_with_notices(source))

    def paste(self, text: str) -> None:
        """Open the recipe in `text`; `InputError` leaves everything as it is."""
        self.open(*scenes.from_text(text, "pasted text", Path.cwd()))

    def set(self, scene: Scene, label: str) -> None:
        """Take `scene` as the newest; the first change of an open gesture, or one outside, makes an undo step."""
        if scene == self.scene:
            return
        if self._gesture is None:
            self._push(_Moment(label, self.scene))
        self._change(scene)

    def begin_gesture(self, label: str) -> None:
        """Gather all that is set until `finish_gesture` into one undo step."""
        if self._gesture is None:
            self._gesture = (label, self.scene)

    def finish_gesture(self) -> None:
        """End the gesture; nothing is remembered where nothing has changed."""
        if self._gesture is not None:
            label, before = self._gesture
            self._gesture = None
            if _without_camera(before) != _without_camera(self.scene):
                self._push(_Moment(label, before))

    def set_camera(self, camera: Camera) -> None:
        """Move the camera, apart from undo."""
        self.scene = replace(self.scene, camera=camera)

    def _push(self, moment: _Moment) -> None:
        self._undo = [*self._undo[-_HISTORY + 1 :], moment]
        self._redo.clear()

    def _change(self, scene: Scene) -> None:
        self.scene = scene
        self._pursue()

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._undo[-1].label if self._undo else ""

    @property
    def redo_label(self) -> str:
        """What redo would bring back; empty where there is nothing."""
        return self._redo[-1].label if self._redo else ""

    def undo(self) -> None:
        """Take the last gesture back."""
        self.finish_gesture()
        self._travel(self._undo, self._redo)

    def redo(self) -> None:
        """Bring back what undo took."""
        self.finish_gesture()
        self._travel(self._redo, self._undo)

    def _travel(self, source: list[_Moment], target: list[_Moment]) -> None:
        if not source:
            return
        moment = source.pop()
        target.append(_Moment(moment.label, self.scene, self.home if moment.home else None))
        if moment.home:
            self.home = moment.home
            self._change(moment.scene)
        else:
            self._change(replace(moment.scene, camera=self.scene.camera))

    def notify(self, text: str) -> None:
        """Show `text` to the person; the newest few stay."""
        if text not in self.notices:
            self.notices = [*self.notices[-_NOTICES + 1 :], text]

    @property
    def visible(self) -> Scene:
        """The scene to draw: as it is, or while `before` is held as it was opened, from the present camera."""
        return replace(self.home, camera=self.scene.camera) if self.before else self.scene

    def show_before(self, held: bool) -> None:
        """Show the scene as it was opened while `held`."""
        if held != self.before:
            self.before = held
            self._pursue()

    # -- computing ---------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Tell whether heights are under way."""
        return self._job is not None

    @property
    def settled(self) -> bool:
        """Tell whether `result` belongs to the visible scene."""
        return not self.busy and self.result is not None

    @property
    def computing_for(self) -> float:
        """Seconds that the job under way has run; 0 without one."""
        return time.monotonic() - self._job_start if self.busy else 0.0

    @property
    def compute_process_id(self) -> int | None:
        """The compute process's number."""
        return self._compute.process_id

    def _pursue(self) -> None:
        """Start the newest request, or have it start when the job under way ends: at once, or soon if it is quick."""
        wanted = self.visible.terrain_groups()
        if self._job is None:
            if wanted != self._shown:
                self._job, self._job_start = wanted, time.monotonic()
                self._compute.submit(wanted)
        elif wanted != self._job and self.computing_for > _PATIENCE_S:
            self._compute.cancel()

    def _note(self, event: Event) -> None:
        self._events.put(event)
        self.wake()

    def poll(self) -> bool:
        """Take in what the compute process has said; return whether anything changed."""
        changed = False
        while not self._events.empty():
            changed = True
            event = self._events.get()
            if isinstance(event, Advanced):
                self.step, self.fraction = event.step, event.fraction
                if self.visible.terrain_groups() != self._job and self.computing_for > _PATIENCE_S:
                    self._compute.cancel()
                continue
            self._end_job(event)
        return changed

    def _end_job(self, event: Event) -> None:
        job, self._job = self._job, None
        self.step, self.fraction = "", 0.0
        if isinstance(event, Finished):
            self.result, self._shown, self._died_on = event.result, event.groups, None
        elif isinstance(event, Failed):
            # the last good terrain stays; asking again for the same would fail again
            self._shown = event.groups
            self.notify(event.reason)
        elif isinstance(event, Died):
            self._compute.acknowledge_death()
            self.notify("The compute process ended unexpectedly; a new one was started.")
            if job is not None and job == self._died_on:
                self._shown = job  # twice on the same values: do not try for ever
            self._died_on = job
        self._pursue()

    # -- keeping -----------------------------------------------------------------------------------------------------

    def restore(self) -> bool:
        """Open what the last session ended with; return whether there was one."""
        path = self.folder / "session.toml"
        if not path.exists():
            return False
        try:
            now = home = scenes.load(path)
            with contextlib.suppress(InputError):  # only what the arrows and Home go back to
                home = scenes.load(self.folder / "home.toml")
        except InputError as fault:
            aside = path.with_name("session-unread.toml")
            path.replace(aside)  # the next session would be written over it
            self.notify(f"The last session could not be read and is kept as {aside}: {fault}")
            return False
        self.home = home
        self._change(now)
        return True

    def keep(self, at_once: bool = False) -> None:
        """Write the session, every few seconds and only when it has changed."""
        now = time.monotonic()
        state = (self.scene, self.home)
        if state == self._written or (now < self._next_write and not at_once):
            return
        self._written, self._next_write = state, now + _WRITE_EVERY_S
        try:
            write_text(self.folder / "home.toml", recipe.to_text(self.home))
            write_text(self.folder / "session.toml", recipe.to_text(self.scene))
        except FellviewError as fault:
            self.notify(str(fault))

    def close(self, keep: bool = True) -> None:
        """Write the session, unless nobody has seen it, and end the compute process."""
        self.finish_gesture()
        if keep:
            self.keep(at_once=True)
        self._compute.close()


def _without_camera(scene: Scene) -> Scene:
    return replace(scene, camera=Camera())
