"""The recipe as it is edited, and its history: plain data, in which scenes come and go.

Steps count gestures: values set with one gesture open are one step. What is not declared undoable, such as the camera,
has no part in it. Steps make a tree: whoever goes back and changes something begins a branch, and the other one stays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio.deck import Deck
from fellview.studio.shelf import Shelf

MOST_STEPS = 500
"""Steps that are remembered beside the first; a scene is some thousand bytes, and shelves have variants in common."""

_START = "Start"


@dataclass(frozen=True)
class Step:
    """A state to go to: what led there from the step `parent`, the scene as it was left, the shelf and the deck.

    `home` is the scene as it was opened, and `opening` the number of the step that opened it: between steps of one
    opening, what is not undoable stays as it is.
    """

    number: int
    parent: int | None
    label: str
    scene: Scene
    shelf: Shelf
    deck: Deck
    home: Scene
    opening: int


class History:
    """The scene as it is now, `home` as it was opened, the shelf, the deck, and the tree of all steps."""

    def __init__(self) -> None:
        self.scene = Scene()
        self.home = Scene()
        self._steps: dict[int, Step] = {}  # by number, the oldest first
        self._ahead: dict[int, int] = {}  # where redo goes from each step: where one was last
        self._gesture: tuple[str, Scene] | None = None
        self.start(self.scene)

    def start(
        self, scene: Scene, home: Scene | None = None, shelf: Shelf | None = None, deck: Deck | None = None
    ) -> None:
        """Begin with `scene`, opened as `home`, with `shelf` and `deck`; there is nothing to go back to."""
        self.scene, self.home, self.shelf, self.deck = scene, home or scene, shelf or Shelf(), deck or Deck()
        self._steps = {0: Step(0, None, _START, scene, self.shelf, self.deck, self.home, 0)}
        self._ahead, self._last = {}, 0
        self.now = 0
        """The number of the step that one is at."""

    def open(self, scene: Scene, label: str = "", shelf: Shelf | None = None) -> None:
        """Go on with `scene` as it is opened, and maybe another `shelf`; what was there before is one step back."""
        self.finish_gesture()
        shelf = self.shelf if shelf is None else shelf
        if scene != self.scene or shelf != self.shelf:
            self._add(label or f"Open {scene.name}", self.scene, scene)
        self.scene = self.home = scene
        self.shelf = shelf

    def set_shelf(self, shelf: Shelf, label: str) -> None:
        """Have `shelf` kept from now on, in a step of its own."""
        self.finish_gesture()
        if shelf != self.shelf:
            self._add(label, self.scene, None)
        self.shelf = shelf

    def set_deck(self, deck: Deck, label: str) -> None:
        """Have `deck` from now on, in a step of its own."""
        self.finish_gesture()
        if deck != self.deck:
            self._add(label, self.scene, None)
        self.deck = deck

    def set(self, scene: Scene, label: str) -> None:
        """Take `scene` as the newest; outside a gesture that makes a step.

        Changes of how one looks at it alone make none.
        """
        if self._gesture is None and scene.changed_since(self.scene):
            self._add(label, self.scene, None)
        self.scene = scene

    def set_camera(self, camera: Camera) -> None:
        """Move the camera, apart from the history."""
        self.scene = dataclasses.replace(self.scene, camera=camera)

    def begin_gesture(self, label: str) -> None:
        """Gather all that is set until `finish_gesture` into one step."""
        if self._gesture is None:
            self._gesture = (label, self.scene)

    def finish_gesture(self) -> None:
        """End the gesture; nothing is remembered where nothing has changed."""
        if self._gesture is not None:
            label, before = self._gesture
            self._gesture = None
            if self.scene.changed_since(before):
                self._add(label, before, None)

    def take_back(self) -> bool:
        """Go back to what the open gesture began with, without a trace; return whether there was one."""
        if self._gesture is None:
            return False
        _, before = self._gesture
        self._gesture = None
        self.scene = before.viewed_as(self.scene)
        return True

    # -- ways through it ---------------------------------------------------------------------------------------------

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        step = self._steps[self.now]
        return "" if step.parent is None else step.label

    @property
    def redo_label(self) -> str:
        """What redo would bring back; empty where there is nothing."""
        ahead = self._ahead.get(self.now)
        return "" if ahead is None else self._steps[ahead].label

    def undo(self) -> bool:
        """Take the last gesture back; return whether there was one."""
        self.finish_gesture()
        return self.go(self._steps[self.now].parent)

    def redo(self) -> bool:
        """Bring back what undo took, or go on along the branch that one was on last; return whether there is more."""
        self.finish_gesture()
        return self.go(self._ahead.get(self.now))

    def go(self, number: int | None) -> bool:
        """Go to the step `number`, wherever it is; return whether there is one, and it is another."""
        self.finish_gesture()
        there = None if number is None else self._steps.get(number)
        if there is None or there.number == self.now:
            return False
        here = self._leave(self.scene)
        if there.opening == here.opening:
            self.scene = there.scene.viewed_as(self.scene)
        else:
            self.scene, self.home = there.scene, there.home
        self.now, self.shelf, self.deck = there.number, there.shelf, there.deck
        for step in self._way_to(there):
            if step.parent is not None:
                self._ahead[step.parent] = step.number
        return True

    @property
    def way(self) -> frozenset[int]:
        """The numbers of the steps that undo and redo lead through."""
        ahead, number = [], self._ahead.get(self.now)
        while number is not None:
            ahead.append(number)
            number = self._ahead.get(number)
        return frozenset([step.number for step in self._way_to(self._steps[self.now])] + ahead)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, the oldest first; the one that is now has the scene as it is."""
        present = dataclasses.replace(self._steps[self.now], scene=self.scene, shelf=self.shelf, deck=self.deck)
        return tuple(present if step.number == self.now else step for step in self._steps.values())

    # -- the tree ----------------------------------------------------------------------------------------------------

    def _leave(self, scene: Scene) -> Step:
        """Return the step that is now, with the `scene`, the shelf and the deck as they are left."""
        here = self._steps[self.now]
        step = self._steps[self.now] = dataclasses.replace(here, scene=scene, shelf=self.shelf, deck=self.deck)
        return step

    def _add(self, label: str, before: Scene, opened: Scene | None) -> None:
        """Go on from the step that is now, which is left as `before`, by another; `opened` is what that opens."""
        here = self._leave(before)
        self._last += 1
        opening = here.opening if opened is None else self._last
        home = opened or self.home
        self._steps[self._last] = Step(self._last, here.number, label, before, self.shelf, self.deck, home, opening)
        self._ahead[here.number] = self.now = self._last
        if len(self._steps) > MOST_STEPS + 1:
            self._forget()

    def _forget(self) -> None:
        """Forget the oldest step at an end of the tree: the first of all, or the end of a branch one is not on."""
        first = next(iter(self._steps.values()))
        parents = {step.parent for step in self._steps.values()}
        if sum(step.parent == first.number for step in self._steps.values()) == 1:
            gone = first
        else:
            gone = next(step for step in self._steps.values() if step.number not in {*parents, self.now})
        del self._steps[gone.number]
        for number, step in self._steps.items():
            if step.parent == gone.number:
                self._steps[number] = dataclasses.replace(step, parent=None)
        self._ahead = {here: there for here, there in self._ahead.items() if gone.number not in (here, there)}

    def _way_to(self, step: Step) -> Iterator[Step]:
        """Give `step` and all before it, back to the first."""
        yield step
        while step.parent is not None:
            step = self._steps[step.parent]
            yield step
