"""The session: the recipe as it is now, undo history, the newest-wins job and the last result."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import (
    Advanced,
    Computer,
    Died,
    Event,
    Failed,
    Finished,
    Groups,
    Job,
    Listener,
    Lost,
    Masked,
    Previewed,
)
from fellview.core.errors import FellviewError, InputError, one_line
from fellview.core.height_field import HeightField
from fellview.io import land_cache, scenes, sessions
from fellview.io.atomic import writing_together
from fellview.scene import recipe
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import Result

Computers = Sequence[Callable[[Listener], Computer]]

_HISTORY = 500  # undo steps; a scene is a few hundred bytes
# A job that newer values overtake may still show something within this, so that a drag does. One that has shown its
# coarse land already is stopped at once.
_PATIENCE_S = 0.3
_TELLS_S = 0.5  # what a step has to have run for before its speed says how long it will take
_WRITE_EVERY_S = 3.0
_NOTICES = 6
_PASSES_S = 8.0  # a word that something was done is read within a few seconds; what went wrong waits for its cross


@dataclass(frozen=True)
class _Moment:
    """A place to return to; `home` is given where another scene was opened: what is not undoable then returns too."""

    label: str
    scene: Scene
    home: Scene | None = None


@dataclass
class Session:
    """What the window works on. `wake` is called from another thread when `poll` has something to do.

    `folder` is this window's own, which the session is kept in. `computers` are makers of what computes, the preferred
    one first; when one is lost, the next takes over.

    `scene` changes at once; `result` follows when its heights are computed and stays the last good one when they cannot
    be; its masks are those of `want_masks`, once they are there. `land` is what to draw meanwhile. `advanced` is how
    far the job under way has come. Undo counts gestures: values set with one `gesture` open are one step. What is not
    declared undoable, such as the camera, has no part in it.
    """

    wake: Callable[[], None]
    folder: Path
    computers: Computers = (ComputeProcess,)
    scene: Scene = field(default_factory=Scene)
    home: Scene = field(default_factory=Scene)
    result: Result | None = None
    notices: list[str] = field(default_factory=list)
    advanced: Advanced | None = None
    before: bool = False

    def __post_init__(self) -> None:
        self._events: queue.SimpleQueue[Event | _NotKept]
        self._lost = False
        self._compute = self._next_computer()
        self._job: Groups | None = None
        self._job_start = 0.0
        self._shown: Groups | None = None  # what needs no job any more: done, or failed
        self._result_groups: Groups | None = None
        self._wanted_masks: frozenset[str] = frozenset()
        self._masks_asked = self._masks_had = (self._wanted_masks, Water())
        self._masks_coming = False
        self._preview: HeightField | None = None
        self._recalled: Groups = {}  # whose land was kept
        self._step_start = 0.0
        self._keeping = self._previewed = False
        self._died_on: Groups | None = None
        self._masks_died_on: tuple[Groups | None, tuple[frozenset[str], Water]] | None = None
        self._undo: list[_Moment] = []
        self._redo: list[_Moment] = []
        self._gesture: tuple[str, Scene] | None = None
        self._written: tuple[Scene, Scene] | None = None
        self._land_written: Groups | None = None
        self._writer = ThreadPoolExecutor(1, "fellview-keep")  # one: of two writings the later one has to be the last
        self._writing: Future[None] | None = None
        self._land_writing: Future[None] | None = None
        self._next_write = self._next_keep = 0.0
        self._passing: dict[str, float] = {}

    def _next_computer(self) -> Computer:
        """Start the next of the computers; no event of those before it counts any more."""
        make, *self.computers = self.computers
        events = self._events = queue.SimpleQueue()

        def note(event: Event) -> None:
            events.put(event)
            self.wake()

        return make(note)

    # -- scenes ------------------------------------------------------------------------------------------------------

    def start(self, scene: Scene) -> None:
        """Begin with `scene`; there is nothing to go back to."""
        self.home = scene
        self._recall(scene)
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

    def set(self, scene: Scene, label: str) -> None:
        """Take `scene` as the newest; the first change of an open gesture, or one outside, makes an undo step.

        Changes of how one looks at it alone make none.
        """
        if scene == self.scene:
            return
        if self._gesture is None and scene.changed_since(self.scene):
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
            if self.scene.changed_since(before):
                self._push(_Moment(label, before))

    def take_back(self) -> bool:
        """Go back to what the open gesture began with, without a trace; return whether there was one."""
        if self._gesture is None:
            return False
        _, before = self._gesture
        self._gesture = None
        self._change(before.viewed_as(self.scene))
        return True

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
            self._change(moment.scene.viewed_as(self.scene))

    def notify(self, text: str, passing: bool = False) -> None:
        """Show `text` to the person; the newest few stay, a `passing` one for some seconds."""
        text = one_line(text)
        if text not in self.notices:
            self.notices = [*self.notices[-_NOTICES + 1 :], text]
        if passing:
            self._passing[text] = time.monotonic() + _PASSES_S

    def withdraw(self, text: str) -> None:
        """Take the notice `text` away, where it is shown."""
        self.notices = [one for one in self.notices if one != text]

    @property
    def passes_in(self) -> float | None:
        """Seconds until the next notice passes; none where none does."""
        ends = [self._passing[text] for text in self.notices if text in self._passing]
        return max(min(ends) - time.monotonic(), 0.0) if ends else None

    def let_pass(self) -> bool:
        """Take away the notices whose time is over; return whether there were any."""
        now, before = time.monotonic(), len(self.notices)
        self.notices = [text for text in self.notices if self._passing.get(text, now + 1) > now]
        self._passing = {text: end for text, end in self._passing.items() if text in self.notices}
        return len(self.notices) < before

    @property
    def visible(self) -> Scene:
        """The scene to draw: as it is, or while `before` is held as it was opened, looked at as it is now."""
        return self.home.viewed_as(self.scene) if self.before else self.scene

    def show_before(self, held: bool) -> None:
        """Show the scene as it was opened while `held`."""
        if held != self.before:
            self.before = held
            self._pursue()

    # -- computing ---------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Return whether heights are under way."""
        return self._job is not None

    @property
    def settled(self) -> bool:
        """Return whether `result` belongs to the visible scene."""
        return not self.busy and self.result is not None

    @property
    def complete(self) -> bool:
        """Return whether the same is so of its masks."""
        return self.settled and not self._masks_coming

    @property
    def computing_for(self) -> float:
        """Seconds that the job under way has run; 0 without one."""
        return time.monotonic() - self._job_start if self.busy else 0.0

    @property
    def computer(self) -> str:
        """What computes, for a person."""
        return self._compute.name

    @property
    def land(self) -> HeightField | None:
        """The height field to draw: the newest that there is, be it a preview."""
        if self._preview is not None:
            return self._preview
        return None if self.result is None else self.result.field

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the step at work will take yet, by its speed so far; none where that cannot be told yet."""
        taken = time.monotonic() - self._step_start
        if self.advanced is None or taken < _TELLS_S or self.advanced.fraction <= 0 or self.advanced.compiling:
            return None
        return taken * (1 / self.advanced.fraction - 1)

    @property
    def can_cancel(self) -> bool:
        """Return whether there is a job under way and a terrain to go back to."""
        return self.busy and self._result_groups is not None and not self.before

    @property
    def can_keep(self) -> bool:
        """Return whether the step at work can end with what it has reached."""
        at = self.advanced
        return (
            self.busy and not self.before and not self._keeping and at is not None and 0 < at.iteration < at.iterations
        )

    def cancel_job(self) -> None:
        """Go back to the recipe of the terrain that is there, in one undo step."""
        if self.can_cancel and self._result_groups is not None:
            self.finish_gesture()
            self.set(_with_groups(self.scene, self._result_groups), "Cancel")

    def keep_so_far(self) -> None:
        """Have the step at work end with what it has reached; the recipe then says so, in one undo step."""
        if self.can_keep:
            self._keeping = True
            self._compute.keep()

    def want_masks(self, names: frozenset[str]) -> None:
        """Have results come with the masks `names`, the present one too; they come after the heights."""
        if names != self._wanted_masks:
            self._wanted_masks = names
            self._pursue()

    @property
    def _lacks_masks(self) -> bool:
        """Return whether the result that is there is to get masks that nobody is making."""
        if self._shown != self._result_groups:
            return False
        made = [self._masks_had, *([self._masks_asked] if self._masks_coming else [])]
        water = self._mask_water
        return not self._wanted_masks <= frozenset[str]().union(*(names for names, by in made if by == water))

    @property
    def _mask_water(self) -> Water:
        """What the wanted masks depend on of the water."""
        return self.visible.water.for_masks(self._wanted_masks)

    def _pursue(self) -> None:
        """Start the newest request, or have it start when the job under way ends.

        That one ends at once where it has shown something, and soon where it is still to.
        """
        wanted = self.visible.terrain_groups()
        done = wanted == self._shown
        if done:
            self._preview = None
        if self._job is None:
            if (not done or self._lacks_masks) and not self._lost:
                self._job, self._job_start = wanted, time.monotonic()
                self._previewed = self._keeping = self._masks_coming = False
                self._masks_asked = self._wanted_masks, self._mask_water
                self._compute.submit(Job(wanted, *self._masks_asked, self._cells_seen(wanted)))
        elif wanted != self._job and (done or self._previewed or self.computing_for > _PATIENCE_S):
            self._compute.cancel()

    def _cells_seen(self, groups: Groups) -> int:
        """Return how many cells of the land of `groups` are shown before it was computed."""
        kept = self._preview if groups == self._recalled else None
        return 0 if kept is None else kept.rows * kept.columns

    def poll(self) -> bool:
        """Take in what the computer has said; return whether anything changed."""
        changed = False
        while not self._events.empty():
            changed = True
            event = self._events.get()
            if isinstance(event, Advanced):
                if self.advanced is None or event.step != self.advanced.step:
                    self._step_start = time.monotonic()
                self.advanced = event
                self._pursue()
            elif isinstance(event, Previewed):
                self._take_preview(event)
            elif isinstance(event, Masked):
                self._take_masks(event)
            elif isinstance(event, _NotKept):
                self.notify(event.reason)
            else:
                self._end_job(event)
        return changed

    def _take_preview(self, event: Previewed) -> None:
        """Show a preview, unless what is wanted is there in full."""
        self._previewed = True
        if event.groups == self._job and self.visible.terrain_groups() != self._shown:
            self._preview = event.field
        self._pursue()

    def _take_masks(self, event: Masked) -> None:
        """Give the result its masks, unless another one has taken its place."""
        if self.result is not None and self._masks_coming and event.groups == self._result_groups:
            self._masks_had, self._masks_coming, self._masks_died_on = self._masks_asked, False, None
            self.result = replace(self.result, field=self.result.field.with_masks(event.masks))

    def _end_job(self, event: Event) -> None:
        job, self._job = self._job, None
        self.advanced = None
        if isinstance(event, Finished):
            self._finish(job, event)
        elif isinstance(event, Failed):
            # the last good terrain stays; asking again for the same would fail again
            self._shown = event.groups
            self.notify(event.reason)
        elif isinstance(event, Died):
            self._compute.acknowledge_death()
            self.notify(f"The compute process {event.how}; a new one was started.")
            if job is not None and job == self._died_on:
                self._shown = job  # twice on the same values: do not try for ever
            self._died_on = job
            if self._masks_coming and job is None:
                self._masks_coming = False
                if self._masks_died_on == (self._result_groups, self._masks_asked):
                    self._masks_had = self._masks_asked  # likewise
                self._masks_died_on = (self._result_groups, self._masks_asked)
        elif isinstance(event, Lost):
            self._change_over(event.reason)
        self._pursue()

    def _finish(self, job: Groups | None, event: Finished) -> None:
        """Take a result in; where a step kept what it had reached, the recipe is to say so if it is still wanted."""
        wanted = self.visible.terrain_groups()
        if wanted == self._shown != event.groups:
            return  # the person has gone back meanwhile, to what is there
        recalled, self._preview, self._died_on = self._preview, None, None
        self._masks_coming = bool(self._masks_asked[0])
        if self.result is None or event.groups != self._result_groups:
            self.result, self._masks_had = _with_arrays_of(recalled, event.result), (frozenset(), Water())
        self._shown = self._result_groups = event.groups  # where only masks were wanted, the heights stay what they are
        if event.groups != job == wanted and not self.before:
            self.finish_gesture()
            self.set(_with_groups(self.scene, event.groups), "Keep so far")

    def _change_over(self, reason: str) -> None:
        """Have the next computer take over from one that was lost; the job under way is its first."""
        lost = self._compute.name
        self._compute.close()
        if self.computers:
            self._compute = self._next_computer()
            self.notify(f"{lost}: {reason}; computing goes on with {self._compute.name}.")
        else:
            self._lost = True
            self.notify(f"{lost}: {reason}; nothing is left to compute with.")

    # -- keeping -----------------------------------------------------------------------------------------------------

    def restore(self, source: Path | None = None) -> bool:
        """Open what the session in `source`, or else in the own folder, ended with; return whether that was done.

        Whatever is the matter with its file, nothing is raised: it is moved aside, and a notice tells.
        """
        source = source or self.folder
        path = source / sessions.SESSION
        if not os.path.lexists(path):
            return False
        try:
            now = home = scenes.load(path)
        except Exception as fault:  # whatever it is: the window is to open
            said = str(fault) if isinstance(fault, FellviewError) else type(fault).__name__
            self.notify(f"The last session could not be read and is kept as {_moved_aside(path)}: {said}")
            return False
        path = source / sessions.HOME
        if os.path.lexists(path):
            try:
                home = scenes.load(path)
            except Exception:  # only what the arrows and Home go back to
                _moved_aside(path)
        self.home = home
        self._recall(now, source)
        self._change(now)
        return True

    def _recall(self, scene: Scene, source: Path | None = None) -> None:
        """Show the land of `scene` from before where `source` has it, or this session, until it is computed again."""
        self._recalled = scene.terrain_groups()
        self._preview = land_cache.found(source or self.folder, self._recalled)

    def keep(self, at_once: bool = False) -> None:
        """Have the session written, every few seconds and only when it has changed; or `at_once`, whatever was written.

        That tells when the window was closed: the one that is closed last is the last session. A disk may take longer
        to write than a frame may wait, so another thread does.
        """
        now = time.monotonic()
        self._keep_land(now, at_once)
        state = (self.scene, self.home)
        if not at_once and (state == self._written or now < self._next_write or not _is_done(self._writing)):
            return
        self._written, self._next_write = state, now + _WRITE_EVERY_S
        self._writing = self._writer.submit(self._write, recipe.to_text(self.home), recipe.to_text(self.scene))

    def _write(self, home: str, scene: str) -> None:
        """Write both files of the session; runs on the writer's thread."""
        try:
            with writing_together(self.folder / sessions.HOME, self.folder / sessions.SESSION) as files:
                for file, text in zip(files, (home, scene), strict=True):
                    file.write(text.encode())
        except FellviewError as fault:
            self._events.put(_NotKept(str(fault)))
            self.wake()

    def _keep_land(self, now: float, at_once: bool) -> None:
        """Have the land that the session would open with written, every few seconds and only when it has changed."""
        if self.result is None or self._land_written == self._result_groups or (now < self._next_keep and not at_once):
            return
        if not self.settled or self._result_groups != self.scene.terrain_groups():
            return
        if not at_once and not _is_done(self._land_writing):
            return
        self._land_written, self._next_keep = self._result_groups, now + _WRITE_EVERY_S
        if not land_cache.is_kept(self.result.field):
            return
        # read back here, for a GPU answers no other thread
        field = HeightField(self.result.field.heights, self.result.field.cell_size)
        self._land_writing = self._writer.submit(_write_land, self.folder, self._result_groups, field)

    def close(self, keep: bool = True) -> None:
        """Write the session, unless nobody has seen it, and end the compute process."""
        self.finish_gesture()
        if keep:
            self.keep(at_once=True)
        self._writer.shutdown()
        self.poll()
        if not self._lost:
            self._compute.close()


@dataclass(frozen=True)
class _NotKept:
    """The session could not be written; `reason` is one line for a person."""

    reason: str


def _is_done(task: Future[None] | None) -> bool:
    """Return whether nothing of `task` is left to wait for; what nobody thought of that it raised is raised here."""
    if task is not None and task.done():
        task.result()
    return task is None or task.done()


def _moved_aside(path: Path) -> Path:
    """Move what lies at `path`, and will be written over, to a free name; return where it is then."""
    names = (path.with_name(f"{path.stem}-unread{number}{path.suffix}") for number in itertools.count(1))
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        path.replace(aside)
    except OSError:
        return path
    return aside


def _write_land(folder: Path, groups: Groups, field: HeightField) -> None:
    """Write the land of `groups` into `folder`, where that can be."""
    with contextlib.suppress(InputError):  # the next start then waits for its land
        land_cache.keep(folder, groups, field)


def _with_arrays_of(shown: HeightField | None, result: Result) -> Result:
    """Return `result` with the very array of heights that is `shown` where the two are equal: nothing is uploaded."""
    field = result.field
    if type(field) is not HeightField or shown is None or not np.array_equal(shown.heights, field.heights):
        return result
    return replace(result, field=replace(field, heights=shown.heights))


def _with_groups(scene: Scene, groups: Groups) -> Scene:
    for group in groups.values():
        scene = scene.with_group(group)
    return scene
