"""The jobs of a session: one is under way at most, the newest request comes next, and the last good result stays."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

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
    Stopped,
)
from fellview.core.height_field import HeightField
from fellview.io.land_cache import Whole
from fellview.terrain.domain import Grid, group_of
from fellview.terrain.hydrology.water import Water
from fellview.terrain.pipeline.pipeline import Result

_NOTHING = Job({})

Computers = Sequence[Callable[[Listener], Computer]]
"""Makers of what computes, the preferred one first; when one is lost, the next takes over."""

# A job that newer values overtake may still show something within this, so that a drag does. One that has shown its
# coarse land already is stopped at once.
_PATIENCE_S = 0.3
_TELLS_S = 0.5  # what a step has to have run for before its speed says how long it will take


class Jobs:
    """Has the newest request computed. `wake` is called from another thread when `poll` has something to do.

    `tell` takes a line for a person. `adopt` takes the groups of a land that was kept before its step's end, where it
    is still wanted: what is wanted is to become just these. `clock` gives seconds that only rise.

    `result` is the last good one; its masks are those of `want_masks`, once they are there. `result_groups` are those
    that gave it. `land` is what to draw meanwhile. `advanced` is how far the job under way has come. `beside` is
    another land that it is compared with, computed where nothing else is wanted, masks and all.
    """

    def __init__(
        self,
        computers: Computers,
        wake: Callable[[], None],
        tell: Callable[[str], None],
        adopt: Callable[[Groups], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.result: Result | None = None
        self.result_groups: Groups | None = None
        self.advanced: Advanced | None = None
        self._wake, self._tell, self._adopt, self._clock = wake, tell, adopt, clock
        self._wanted: Groups | None = None
        self._water = Water()
        self._shown: Groups | None = None  # what needs no job any more: done, or failed
        self._job: Groups | None = None
        self._job_start = self._step_start = 0.0
        self._keeping = self._previewed = False
        self._preview: HeightField | None = None
        self._recalled: Groups = {}  # whose land was kept
        self._wanted_masks: frozenset[str] = frozenset()
        self._masks_asked = self._masks_had = (self._wanted_masks, Water())
        self._masks_coming = False
        self._died_on: Groups | None = None
        self._masks_died_on: tuple[Groups | None, tuple[frozenset[str], Water]] | None = None
        self._lost = False
        self.beside: HeightField | None = None
        self._beside = _NOTHING  # what of is wanted
        self._beside_state: Literal["wanted", "masks", "done"] = "done"
        self._taken: Groups | None = None  # whose result is there, but not what its steps made
        self._practice: Groups = {}  # the same, where they are to make it
        self._aside: Literal["", "beside", "practice"] = ""  # what of the job under way is, if nobody waits for it
        self._events: queue.SimpleQueue[Event]
        self._makers = list(computers)
        self.computer: Computer = self._next_computer()
        """What computes at present."""

    def _next_computer(self) -> Computer:
        """Start the next of the computers; no event of those before it counts any more."""
        make = self._makers.pop(0)
        events = self._events = queue.SimpleQueue()

        def note(event: Event) -> None:
            events.put(event)
            self._wake()

        return make(note)

    # -- what is wanted ----------------------------------------------------------------------------------------------

    def want(self, groups: Groups, water: Water) -> None:
        """Have the land of `groups` computed, and the masks of water by `water`; it is the newest request."""
        self._wanted, self._water = groups, water
        self._start_newest()

    def want_masks(self, names: frozenset[str]) -> None:
        """Have results come with the masks `names`, the present one too; they come after the heights."""
        if names != self._wanted_masks:
            self._wanted_masks = names
            self._start_newest()

    def recall(self, groups: Groups, land: HeightField | None) -> None:
        """Show `land`, which was kept of `groups`, until it is computed again."""
        self._recalled, self._preview = groups, land

    def take(self, groups: Groups, land: Whole) -> None:
        """Take `land`, which was kept of `groups`, for the result."""
        self.result, self._preview, self._masks_coming = Result(land.field, ()), None, False
        self._shown = self.result_groups = self._taken = groups
        self._masks_had = land.asked, land.water

    def take_beside(self, groups: Groups) -> None:
        """Take the land that is beside for the result, where that is all there and of `groups`."""
        if self.beside is not None and self.beside_complete and self.is_beside(groups):
            self.take(groups, Whole(self.beside, self._beside.masks, self._beside.water))

    @property
    def beside_complete(self) -> bool:
        """Return whether the land beside is there, and its masks."""
        return self.beside is not None and self._beside_state == "done"

    @property
    def beside_failed(self) -> bool:
        """Return whether the land that is wanted beside will not come."""
        return self.beside is None and self._beside_state == "done"

    def keep_so_far(self) -> None:
        """Have the step at work end with what it has reached."""
        if self.can_keep:
            self._keeping = True
            self.computer.keep()

    def is_beside(self, groups: Groups) -> bool:
        """Return whether the land of `groups` is the one that is wanted beside."""
        return groups == self._beside.groups

    def want_beside(self, job: Job | None, kept: Whole | None = None) -> None:
        """Have the land of `job` computed, too, and its masks, as soon as nothing else is wanted; none forgets it.

        What was `kept` of it takes the place of that.
        """
        job = job or _NOTHING
        if job != self._beside:
            if not self.is_beside(job.groups):  # or other masks of it are to come
                self.beside = None if kept is None else kept.field
            self._beside = job
            has_masks = kept is not None and job.masks <= kept.asked and kept.water.for_masks(job.masks) == job.water
            self._beside_state = "done" if has_masks or not job.groups else "wanted"
            self._start_newest()

    def practise(self) -> None:
        """Have what was taken for the result (`take`) computed all the same, where nothing else is wanted.

        The computer then has what its steps made, which the next land begins with.
        """
        if self._taken is not None:
            self._practice = self._taken
            self._start_newest()

    def _start_newest(self) -> None:
        """Start the newest request, or have it start when the job under way ends.

        That one ends at once where it has shown something, and soon where it is still to.
        """
        wanted = self._wanted
        if wanted is None:
            return
        done = wanted == self._shown
        if done:
            self._preview = None
        if self._job is None:
            if self._lost:
                return
            if not done or self._lacks_masks:
                self._job, self._job_start = wanted, self._clock()
                self._previewed = self._keeping = self._masks_coming = False
                self._masks_asked = self._wanted_masks, self._mask_water
                if self._beside_state == "masks":
                    self._beside_state = "wanted"  # they are given up for this
                self.computer.submit(Job(wanted, *self._masks_asked, self._cells_seen(wanted)))
            elif self._beside_state == "wanted" and not self._masks_coming:
                self._job, self._aside = self._beside.groups, "beside"
                self.computer.submit(self._beside)
            elif self._practice == wanted and not self._masks_coming:
                self._job, self._aside = wanted, "practice"
                self.computer.submit(Job(wanted, frozenset(), self._mask_water, self._cells(wanted)))
        elif self._aside:
            is_practice = self._aside == "practice"
            overtaken = self._beside_state == "wanted" if is_practice else self._job != self._beside.groups
            if not done or self._lacks_masks or overtaken:
                self.computer.cancel()
        elif wanted != self._job and (done or self._previewed or self.computing_for > _PATIENCE_S):
            self.computer.cancel()

    @staticmethod
    def _cells(groups: Groups) -> int:
        """Return how many cells the land of `groups` has: where so many are shown no coarse land comes first."""
        grid = group_of(groups, Grid)
        return grid.rows * grid.columns

    def _cells_seen(self, groups: Groups) -> int:
        """Return how many cells of the land of `groups` are shown before it was computed."""
        kept = self._preview if groups == self._recalled else None
        return 0 if kept is None else kept.rows * kept.columns

    @property
    def _lacks_masks(self) -> bool:
        """Return whether the result that is there is to get masks that nobody is making."""
        if self._shown != self.result_groups:
            return False
        made = [self._masks_had, *([self._masks_asked] if self._masks_coming else [])]
        wanted, water = self._wanted_masks, self._mask_water
        return not wanted <= frozenset[str]().union(*(names for names, by in made if by.for_masks(wanted) == water))

    @property
    def whole(self) -> Whole | None:
        """The land of the result with its masks, as plain arrays; none until all are there."""
        if self.result is None or not self.complete or self._lacks_masks:
            return None
        asked, water = self._masks_had
        field = self.result.field
        masks = {name: field.masks[name] for name in sorted(asked) if name in field.masks}
        return Whole(HeightField(field.heights, field.cell_size, masks), asked, water)

    @property
    def _mask_water(self) -> Water:
        """What the wanted masks depend on of the water."""
        return self._water.for_masks(self._wanted_masks)

    # -- how it stands -----------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Return whether heights of what is wanted are under way."""
        return self._job is not None and not self._aside

    @property
    def overtaken(self) -> bool:
        """Return whether heights are under way that are not wanted any more."""
        return self.busy and self._job != self._wanted

    @property
    def settled(self) -> bool:
        """Return whether `result` belongs to what is wanted."""
        return not self.busy and self.result is not None

    @property
    def complete(self) -> bool:
        """Return whether the same is so of its masks."""
        return self.settled and not self._masks_coming

    @property
    def land(self) -> HeightField | None:
        """The height field to draw: the newest that there is, be it a preview."""
        if self._preview is not None:
            return self._preview
        return None if self.result is None else self.result.field

    @property
    def computing_for(self) -> float:
        """Seconds that the job under way has run; 0 without one."""
        return self._clock() - self._job_start if self.busy else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the step at work will take yet, by its speed so far; none where that cannot be told yet."""
        taken = self._clock() - self._step_start
        if self.advanced is None or taken < _TELLS_S or self.advanced.fraction <= 0 or self.advanced.compiling:
            return None
        return taken * (1 / self.advanced.fraction - 1)

    @property
    def can_keep(self) -> bool:
        """Return whether the step at work can end with what it has reached."""
        at = self.advanced
        return self.busy and not self._keeping and at is not None and 0 < at.iteration < at.iterations

    # -- what the computer says --------------------------------------------------------------------------------------

    def poll(self) -> bool:
        """Take in what the computer has said; return whether anything changed but how far the job has come."""
        changed = False
        while not self._events.empty():
            event = self._events.get()
            changed = changed or not isinstance(event, Advanced)
            if isinstance(event, Advanced | Previewed) and self._aside:
                self._start_newest()
            elif isinstance(event, Advanced):
                if self.advanced is None or event.step != self.advanced.step:
                    self._step_start = self._clock()
                self.advanced = event
                self._start_newest()
            elif isinstance(event, Previewed):
                self._take_preview(event)
            elif isinstance(event, Masked):
                self._take_masks(event)
            else:
                self._end_job(event)
        return changed

    def _take_preview(self, event: Previewed) -> None:
        """Show a preview, unless what is wanted is there in full."""
        self._previewed = True
        if event.groups == self._job and self._wanted != self._shown:
            self._preview = event.field
        self._start_newest()

    def _take_masks(self, event: Masked) -> None:
        """Give the result its masks, unless another one has taken its place; or the land beside it."""
        if self._beside_state == "masks" and self.beside is not None and event.groups == self._beside.groups:
            self.beside, self._beside_state = self.beside.with_masks(event.masks), "done"
        elif self.result is not None and self._masks_coming and event.groups == self.result_groups:
            self._masks_had, self._masks_coming, self._masks_died_on = self._masks_asked, False, None
            self.result = replace(self.result, field=self.result.field.with_masks(event.masks))
            if self._beside_state == "wanted":
                self._start_newest()  # it has waited for them

    def _end_job(self, event: Event) -> None:
        job, self._job = self._job, None
        self.advanced = None
        aside, self._aside = self._aside, ""
        if aside:
            if aside == "practice":
                self._end_practice(event)
            else:
                self._end_beside(job, event)
            if isinstance(event, Failed):
                self._tell(event.reason)
            elif isinstance(event, Died):
                self._take_death(None, event)
            elif isinstance(event, Lost):
                self._change_over(event.reason)
            self._start_newest()
            return
        if isinstance(event, Finished):
            self._take_result(job, event)
        elif isinstance(event, Failed):
            # the last good terrain stays; asking again for the same would fail again
            self._shown = event.groups
            self._tell(event.reason)
        elif isinstance(event, Died):
            self._take_death(job, event)
        elif isinstance(event, Lost):
            self._change_over(event.reason)
        self._start_newest()

    def _end_beside(self, job: Groups | None, event: Event) -> None:
        """Take in how the job of the land beside has ended; one that failed is not tried again."""
        is_wanted = job == self._beside.groups
        if isinstance(event, Finished) and is_wanted:
            self.beside = self.beside or event.result.field
            self._beside_state = "masks" if self._beside.masks else "done"
        elif isinstance(event, Failed | Died) and is_wanted:
            self._beside_state = "done"

    def _end_practice(self, event: Event) -> None:
        """Take in how going through the land that is there has ended; only where it was stopped it is tried again."""
        if not isinstance(event, Stopped):
            self._taken, self._practice = None, {}
        if isinstance(event, Finished) and self.result is not None and event.groups == self.result_groups:
            found = _with_arrays_of(self.result.field, event.result)
            if found.field.has_heights_of(self.result.field) or type(found.field) is not HeightField:
                self.result = replace(self.result, times=found.times)
            else:  # another processor may have rounded otherwise
                self.result, self._masks_had = found, (frozenset(), Water())

    def _take_result(self, job: Groups | None, event: Finished) -> None:
        """Take a result in; where a step kept what it had reached and that is wanted still, have its groups adopted."""
        wanted = self._wanted
        if wanted == self._shown != event.groups:
            return  # the person has gone back meanwhile, to what is there
        recalled, self._preview, self._died_on = self._preview, None, None
        self._masks_coming = bool(self._masks_asked[0])
        self._taken, self._practice = None, {}
        if self.result is None or event.groups != self.result_groups:
            self.result, self._masks_had = _with_arrays_of(recalled, event.result), (frozenset(), Water())
        self._shown = self.result_groups = event.groups  # where only masks were wanted, the heights stay what they are
        if event.groups != job == wanted:
            self._adopt(event.groups)

    def _take_death(self, job: Groups | None, event: Died) -> None:
        """Have a new process compute what the dead one was at, once."""
        self.computer.acknowledge_death()
        self._tell(f"The compute process {event.how}; a new one was started.")
        if job is not None and job == self._died_on:
            self._shown = job  # twice on the same values: do not try for ever
        self._died_on = job
        if self._masks_coming and job is None:
            self._masks_coming = False
            if self._masks_died_on == (self.result_groups, self._masks_asked):
                self._masks_had = self._masks_asked  # likewise
            self._masks_died_on = (self.result_groups, self._masks_asked)

    def _change_over(self, reason: str) -> None:
        """Have the next computer take over from one that was lost; the job under way is its first."""
        lost = self.computer.name
        self.computer.close()
        if self._makers:
            self.computer = self._next_computer()
            self._tell(f"{lost}: {reason}; computing goes on with {self.computer.name}.")
        else:
            self._lost = True
            self._tell(f"{lost}: {reason}; nothing is left to compute with.")

    def close(self) -> None:
        """End what computes."""
        if not self._lost:
            self.computer.close()


def _with_arrays_of(shown: HeightField | None, result: Result) -> Result:
    """Return `result` with the very array of heights that is `shown` where the two are equal: nothing is uploaded."""
    field = result.field
    if type(field) is not HeightField or shown is None or not np.array_equal(shown.heights, field.heights):
        return result
    return replace(result, field=replace(field, heights=shown.heights))
