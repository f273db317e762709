"""The session: what the window works on, put together from the recipe's history, the jobs and what is kept on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Advanced, Groups, Job
from fellview.core.height_field import HeightField
from fellview.core.newest import Newest
from fellview.core.parameters import Group
from fellview.scene import locks
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.session.history import History
from fellview.session.jobs import Computers, Jobs
from fellview.session.notices import Notices
from fellview.session.store import Kept, Store
from fellview.studio.deck import Deck
from fellview.studio.shelf import Shelf, Variant
from fellview.terrain.pipeline.pipeline import Result


class Session:
    """What the window works on. `wake` is called from another thread when `poll` has something to do.

    `folder` is this window's own, which the session is kept in. `computers` are makers of what computes, the preferred
    one first; when one is lost, the next takes over. `clock` gives seconds that only rise.

    `scene` changes at once; `result` follows when its heights are computed and stays the last good one when they cannot
    be; its masks are those of `want_masks`, once they are there. `land` is what to draw meanwhile. `before` tells that
    the scene as it was opened is held before the eye. `locked` is what stays as it is while the scene is varied.
    """

    def __init__(
        self,
        wake: Callable[[], None],
        folder: Path,
        computers: Computers = (ComputeProcess,),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.before = False
        self._instead: Scene | None = None  # what is seen in the scene's place
        self._from_its_own = False  # from that one's own camera, and all else as it has it
        self._preview: tuple[Scene, HeightField | None] | None = None  # and what from its own camera
        self._seen_instead: Newest[Scene] = Newest()
        self.locked = locks.USUAL
        self.history = History()
        self._notices = Notices(clock)
        self.jobs = Jobs(computers, wake, self.notify, self._adopt, clock)
        self.store = Store(folder, wake, self.notify, clock)
        self._last_kept: HeightField | None = None  # what the file for the next start has
        self._whole_kept: Result | None = None  # whose land was written whole, or came out of such a file
        self._shelved: Newest[set[tuple[Group, ...]]] = Newest()
        self._is_kept: Newest[bool] = Newest()

    @property
    def folder(self) -> Path:
        """The folder that the session is kept in."""
        return self.store.folder

    # -- scenes ------------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is now."""
        return self.history.scene

    @property
    def home(self) -> Scene:
        """The scene as it was opened."""
        return self.history.home

    @property
    def visible(self) -> Scene:
        """The scene to draw: as it is, or what stands in its place, looked at as it is now, or a preview."""
        if self._preview is not None and not self.before:
            return self._preview[0]
        if self._instead is not None and self._from_its_own:
            return self._instead
        now, instead = self.scene, self.home if self.before else self._instead
        return now if instead is None else self._seen_instead.of((instead, now), lambda: instead.viewed_as(now))

    @property
    def shows_other(self) -> bool:
        """Return whether another scene is seen in the scene's place."""
        return self.before or self.previews or self._instead is not None

    @property
    def previews(self) -> bool:
        """Return whether what is seen is a preview, which is looked at from its own camera."""
        return self._preview is not None

    def start(self, scene: Scene, shelf: Shelf | None = None, deck: Deck | None = None) -> None:
        """Begin with `scene`, what is on the `shelf`, and the `deck`; there is nothing to go back to."""
        self._start(Kept(scene, scene), shelf=shelf, deck=deck)

    def restore(self, source: Path | None = None) -> bool:
        """Open what the session in `source`, or else in the own folder, ended with; return whether that was done.

        Whatever is the matter with its file, nothing is raised: it is moved aside, and a notice tells.
        """
        kept = self.store.load(source)
        if kept is not None:
            self._start(kept, source, self.store.load_shelf(source), self.store.load_deck(source))
        return kept is not None

    def _start(
        self, kept: Kept, source: Path | None = None, shelf: Shelf | None = None, deck: Deck | None = None
    ) -> None:
        """Begin with what was `kept`; its land from before is shown where `source` has it.

        Where that is not all of it, it is until it is computed.
        """
        self.history.start(kept.scene, kept.home, shelf, deck)
        self.locked = kept.locked
        groups = kept.scene.terrain_groups()
        whole = self.store.whole_land(groups, source)
        if whole is not None:
            self.jobs.take(groups, whole)
            self._last_kept = whole.field if source in (None, self.folder) else None
        else:
            self.jobs.recall(groups, self.store.land(groups, source))
        self._compute()

    def open(self, scene: Scene, notices: list[str] | None = None, shelf: Shelf | None = None) -> None:
        """Work on `scene` from now on, and maybe with another `shelf`; what was there before is one undo step away."""
        self.history.open(scene, shelf=shelf)
        self._compute()
        for text in notices or []:
            self.notify(text)

    @property
    def shelf(self) -> Shelf:
        """The lands that are kept."""
        return self.history.shelf

    def set_shelf(self, shelf: Shelf, label: str) -> None:
        """Have `shelf` kept from now on, in one undo step."""
        self.history.set_shelf(shelf, label)
        self.store.keep_shelf(self.shelf)

    @property
    def deck(self) -> Deck:
        """The slides of the person's deck."""
        return self.history.deck

    def set_deck(self, deck: Deck, label: str) -> None:
        """Have `deck` from now on, in one undo step."""
        self.history.set_deck(deck, label)
        self.store.keep_deck(self.deck)

    def show(self, variant: Variant) -> None:
        """Work on a kept land from now on, from its own camera, in one undo step."""
        self.history.open(variant.scene, f"Show {variant.name}")
        self._compute()

    def set(self, scene: Scene, label: str) -> None:
        """Take `scene` as the newest; the first change of an open gesture, or one outside, makes an undo step.

        Changes of how one looks at it alone make none.
        """
        if scene != self.scene:
            self.history.set(scene, label)
            self._compute()

    def set_camera(self, camera: Camera) -> None:
        """Move the camera, apart from undo."""
        self.history.set_camera(camera)

    def begin_gesture(self, label: str) -> None:
        """Gather all that is set until `finish_gesture` into one undo step."""
        self.history.begin_gesture(label)

    def finish_gesture(self) -> None:
        """End the gesture; nothing is remembered where nothing has changed."""
        self.history.finish_gesture()

    def take_back(self) -> bool:
        """Go back to what the open gesture began with, without a trace; return whether there was one."""
        return self._computed_if(self.history.take_back())

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self.history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would bring back; empty where there is nothing."""
        return self.history.redo_label

    def undo(self) -> None:
        """Take the last gesture back."""
        self._computed_if(self.history.undo())

    def redo(self) -> None:
        """Bring back what undo took."""
        self._computed_if(self.history.redo())

    def go(self, step: int) -> None:
        """Go to a step of the history by its number, on whatever branch it is."""
        self._computed_if(self.history.go(step))

    def show_before(self, held: bool) -> None:
        """Show the scene as it was opened while `held`."""
        if held != self.before:
            self.before = held
            self._compute()

    def show_instead(self, scene: Scene | None, from_its_own: bool = False) -> None:
        """Show `scene` in place of the one that is worked on, which stays as it is; none shows that again.

        One looks at it as at the scene that is worked on, or `from_its_own` camera and in its own view mode.
        """
        if scene != self._instead or from_its_own != self._from_its_own:
            self._instead, self._from_its_own = scene, from_its_own
            self._compute()

    def preview(self, scene: Scene | None, land: HeightField | None = None) -> None:
        """Show `scene` as a whole, its camera too, over its land or over `land`; none shows what is worked on again.

        What is worked on stays as it is.
        """
        if scene is None and self._preview is None:
            return
        self._preview = None if scene is None else (scene, land)
        if land is None:
            self._compute()

    def compare(self, scene: Scene | None, masks: frozenset[str] = frozenset()) -> None:
        """Have the land of `scene` beside, with `masks`: as it was kept, or else computed. None forgets it."""
        if scene is None:
            self.jobs.want_beside(None)
            return
        grid, groups = scene.grid, scene.terrain_groups()
        water = scene.water.for_masks(masks)
        job = Job(groups, masks, water, grid.rows * grid.columns)  # nobody waits for a coarse one
        self.jobs.want_beside(job, None if self.jobs.is_beside(groups) else self.store.kept_land(groups))

    @property
    def compared_complete(self) -> bool:
        """Return whether the land that was asked for by `compare` is there with its masks."""
        return self.jobs.beside_complete

    @property
    def compare_failed(self) -> bool:
        """Return whether the land that was asked for by `compare` will not come."""
        return self.jobs.beside_failed

    @property
    def compared(self) -> HeightField | None:
        """The land that was asked for by `compare`, once it is there; its masks follow."""
        return self.jobs.beside

    # -- notices -----------------------------------------------------------------------------------------------------

    @property
    def notices(self) -> list[str]:
        """What is told at present, the newest last."""
        return self._notices.texts

    def notify(self, text: str, passing: bool = False, unseen: bool = False) -> None:
        """Show `text` to the person; the newest few stay, a `passing` one for some seconds.

        Those of an `unseen` one begin with `see_notices`.
        """
        self._notices.add(text, passing, unseen)

    def see_notices(self) -> None:
        """Have notices that came unseen pass from now on: somebody is at the window."""
        self._notices.see()

    def withdraw(self, text: str) -> None:
        """Take the notice `text` away, where it is shown."""
        self._notices.withdraw(text)

    @property
    def passes_in(self) -> float | None:
        """Seconds until the next notice passes; none where none does."""
        return self._notices.passes_in

    def let_pass(self) -> bool:
        """Take away the notices whose time is over; return whether there were any."""
        return self._notices.let_pass()

    # -- computing ---------------------------------------------------------------------------------------------------

    def _compute(self) -> None:
        """Have the visible scene computed, or take its land at once where it is one that is kept."""
        visible = self.visible
        groups = visible.terrain_groups()
        if groups != self.jobs.result_groups and self._is_shelved(groups):
            kept = self.store.kept_land(groups)
            if kept is not None:
                self.jobs.take(groups, kept)
                self._whole_kept = self.jobs.result
        if groups != self.jobs.result_groups:
            self.jobs.take_beside(groups)
        self.jobs.want(groups, visible.water)

    def _is_shelved(self, groups: Groups) -> bool:
        """Return whether a land on the shelf has these `groups`."""
        variants = self.shelf.variants
        kept = self._shelved.of((variants,), lambda: {tuple(one.scene.terrain_groups().values()) for one in variants})
        return tuple(groups.values()) in kept

    def _computed_if(self, changed: bool) -> bool:
        """Have the visible scene computed where it has `changed`; return whether it has."""
        if changed:
            self._compute()
        return changed

    def poll(self) -> bool:
        """Take in what other threads have said; return whether anything changed."""
        computed = self.jobs.poll()
        return self.store.poll() or computed

    def practise(self) -> None:
        """Have the land that was left by the last window computed all the same, behind what a person wants.

        A slider's next land begins with what its steps have made.
        """
        self.jobs.practise()

    def want_masks(self, names: frozenset[str]) -> None:
        """Have results come with the masks `names`, the present one too; they come after the heights."""
        self.jobs.want_masks(names)

    @property
    def result(self) -> Result | None:
        """The last good result, masks and all."""
        return self.jobs.result

    @property
    def advanced(self) -> Advanced | None:
        """How far the job under way has come."""
        return self.jobs.advanced

    @property
    def busy(self) -> bool:
        """Return whether heights are under way."""
        return self.jobs.busy

    @property
    def overtaken(self) -> bool:
        """Return whether land is under way that is not wanted any more."""
        return self.jobs.overtaken

    @property
    def settled(self) -> bool:
        """Return whether `result` belongs to the visible scene."""
        return self.jobs.settled

    @property
    def complete(self) -> bool:
        """Return whether the same is so of its masks."""
        return self.jobs.complete

    @property
    def computing_for(self) -> float:
        """Seconds that the job under way has run; 0 without one."""
        return self.jobs.computing_for

    @property
    def computer(self) -> str:
        """What computes, for a person."""
        return self.jobs.computer.name

    @property
    def land(self) -> HeightField | None:
        """The height field to draw: the newest that there is, be it coarse."""
        if self._preview is not None and self._preview[1] is not None and not self.before:
            return self._preview[1]
        return self.jobs.land

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the step at work will take yet, by its speed so far; none where that cannot be told yet."""
        return self.jobs.seconds_left

    @property
    def can_cancel(self) -> bool:
        """Return whether there is a job under way and a terrain to go back to."""
        return self.busy and self.jobs.result_groups is not None and not self.shows_other

    @property
    def can_keep(self) -> bool:
        """Return whether the step at work can end with what it has reached."""
        return self.jobs.can_keep and not self.shows_other

    def cancel_job(self) -> None:
        """Go back to the recipe of the terrain that is there, in one undo step."""
        if self.can_cancel and self.jobs.result_groups is not None:
            self._set_groups(self.jobs.result_groups, "Cancel")

    def keep_so_far(self) -> None:
        """Have the step at work end with what it has reached; the recipe then says so, in one undo step."""
        if self.can_keep:
            self.jobs.keep_so_far()

    def _adopt(self, groups: Groups) -> None:
        """Have the recipe say what a step has kept, unless another scene is looked at."""
        if not self.shows_other:
            self._set_groups(groups, "Keep so far")

    def _set_groups(self, groups: Groups, label: str) -> None:
        """Set the groups in one undo step of their own."""
        self.finish_gesture()
        scene = self.scene
        for group in groups.values():
            scene = scene.with_group(group)
        self.set(scene, label)

    # -- keeping -----------------------------------------------------------------------------------------------------

    def keep(self, at_once: bool = False) -> None:
        """Have the session and its land written, every few seconds and only when they have changed; or `at_once`.

        The shelf is written whenever it has changed.

        The session then is written whatever was before, which tells when the window was closed: the one that is closed
        last is the last session.
        """
        result, groups = self.result, self.jobs.result_groups
        is_own = self.settled and not self.shows_other
        if result is not None and groups is not None and is_own and not self.store.has_land(groups):
            self._keep_land(groups, result.field, at_once)
        if at_once and is_own and groups == self.scene.terrain_groups():
            self._keep_last_land(groups)
        self._keep_shelved_land()
        self.store.keep_shelf(self.shelf)
        self.store.keep_deck(self.deck)
        self.store.keep(Kept(self.scene, self.home, self.locked), at_once)

    def _keep_shelved_land(self) -> None:
        """Have the land that is there written whole where it is on the shelf and was not yet."""
        result, groups = self.result, self.jobs.result_groups
        if result is None or groups is None or result is self._whole_kept:
            return
        if not self._is_kept.of((groups, self.shelf), lambda: self._is_shelved(groups)):  # hashing takes its time
            return
        whole = self.jobs.whole
        if whole is not None:
            self.store.keep_whole_land(groups, whole)
            self._whole_kept = result

    def _keep_last_land(self, groups: Groups) -> None:
        """Have the land of `groups`, which is there, written with its masks where the file has another."""
        whole = self.jobs.whole if self.result is not None and self.result.field is not self._last_kept else None
        if whole is not None:
            self.store.keep_last_land(groups, whole)

    def _keep_land(self, groups: Groups, field: HeightField, at_once: bool) -> None:
        """Have the land of `groups` written, unless it is that of another scene, which is looked at."""
        if groups == self.scene.terrain_groups():
            self.store.keep_land(groups, field, at_once)

    def close(self, keep: bool = True) -> None:
        """Write the session, unless nobody has seen it, and end the compute process."""
        self.finish_gesture()
        if keep:
            self.keep(at_once=True)
        self.store.close()
        self.poll()
        self.jobs.close()
