"""The list of the history's steps in the viewer: what stands in it, and thumbnails of what the window showed."""

from __future__ import annotations

from fellview.desktop.comparing import Comparing
from fellview.desktop.layout import Layout
from fellview.desktop.pictures import Pictures
from fellview.desktop.shelf import fitted
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.session.history import Step
from fellview.session.session import Session
from fellview.studio.comparison import Comparison, Side
from fellview.studio.differences import differences
from fellview.ui import steps as view
from fellview.ui import windows
from fellview.ui.steps import Row, StepsView

MOST_PICTURES = 200
"""Thumbnails that are kept, the last ones: a history goes on for longer, and its rows stay without."""

_OF_SHELF = "on the shelf"


class StepsDesk:
    """What the viewer holds of the list."""

    def __init__(
        self, session: Session, layout: Layout, pictures: Pictures, thumbnails: Thumbnails, comparing: Comparing
    ) -> None:
        self._session, self._layout, self._pictures = session, layout, pictures
        self._thumbnails, self._comparing = thumbnails, comparing
        self._view = StepsView()
        self.shown = False
        self._answer: view.Answer | None = None
        self._taken: set[int] = set()  # steps that have had a thumbnail
        self._changes: dict[int, str] = {}

    @property
    def side(self) -> float:
        """How much of the landscape's right it takes, in unscaled pixels."""
        return windows.SIDE if self.shown else 0.0

    def toggle(self) -> None:
        """Show the list in the place of a comparison's, or close it."""
        self.shown = not self.shown
        if self.shown:
            self._comparing.close()

    def advance(self) -> None:
        """Take a thumbnail of the step that is now, where what is seen is of it and there is none yet."""
        now = self._session.history.now
        if now in self._taken or (pixels := self._pictures.seen()) is None:
            return
        self._taken.add(now)
        self._thumbnails.put(now, fitted(pixels))

    def draw(self) -> None:
        """Draw it over the landscape; `apply` does what a person has done there."""
        if self._comparing.shown:
            self.shown = False
        self._answer = None
        if self.shown and not self._layout.bare:
            ids = {key: id for key, id in self._thumbnails.ids().items() if isinstance(key, int)}
            now = self._session.history.now
            self._answer = self._view.draw(self.rows(), now, ids, self._layout.panel.scene_rect)

    def apply(self) -> None:
        """Do what a person has done in the last frame."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        self.shown = answer.stays
        if answer.go is not None:
            self._session.go(answer.go)
        if answer.compare is not None:
            step = next(one for one in self._session.history.steps if one.number == answer.compare)
            self._comparing.compare(Comparison(Side(f"Step {step.number}: {step.label}", step.scene)))

    def rows(self) -> tuple[Row, ...]:
        """Return what stands in the list, the oldest step first."""
        history = self._session.history
        steps = {step.number: step for step in history.steps}
        lanes = view.lanes({step.number: step.parent for step in steps.values()})
        way = history.way
        return tuple(
            Row(one.number, one.parent, one.label, self._change(one, steps), lanes[one.number], one.number in way)
            for one in steps.values()
        )

    def _change(self, step: Step, steps: dict[int, Step]) -> str:
        """Return in a few words what has changed from the step before to `step`."""
        if step.number not in self._changes:
            before = None if step.parent is None else steps.get(step.parent)
            if before is None or before.opening != step.opening:
                self._changes[step.number] = step.scene.name
            else:
                self._changes[step.number] = _in_few_words(before, step)
        return self._changes[step.number]


def _in_few_words(before: Step, step: Step) -> str:
    found = differences(before.scene, step.scene, looks=False)
    if not found:
        return _OF_SHELF if before.shelf != step.shelf else ""
    more = len(found) - 1
    return found[0].change + (f", +{more}" if more else "")
