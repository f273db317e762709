"""The list of the history's steps beside the landscape: what stands in it, and thumbnails of what the window showed."""

from __future__ import annotations

from fellview.desktop.comparing import Comparing
from fellview.desktop.pictures import Pictures
from fellview.desktop.shelf import fitted
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.session.history import Step
from fellview.session.session import Session
from fellview.studio.comparison import Comparison, Side
from fellview.studio.differences import differences
from fellview.ui import steps as view
from fellview.ui.steps import Row, StepsView
from fellview.ui.windows import Rectangle

MOST_PICTURES = 200
"""Thumbnails that are kept, the last ones: a history goes on for longer, and its rows stay without."""

_OF_SHELF = "on the shelf"


class StepsDesk:
    """What the viewer holds of the list."""

    def __init__(self, session: Session, pictures: Pictures, thumbnails: Thumbnails, comparing: Comparing) -> None:
        self._session, self._pictures = session, pictures
        self._thumbnails, self._comparing = thumbnails, comparing
        self._view = StepsView()
        self._answer: view.Answer | None = None
        self._taken: set[int] = set()  # steps that have had a thumbnail
        self._changes: dict[int, str] = {}

    def advance(self) -> None:
        """Take a thumbnail of the step that is now, where what is seen is of it and there is none yet."""
        now = self._session.history.now
        if now in self._taken or (pixels := self._pictures.seen()) is None:
            return
        self._taken.add(now)
        self._thumbnails.put(now, fitted(pixels))

    def draw(self, scene: Rectangle) -> None:
        """Draw it over the landscape `scene`; `apply` does what a person has done there."""
        ids = {key: id for key, id in self._thumbnails.ids().items() if isinstance(key, int)}
        self._answer = self._view.draw(self.rows(), self._session.history.now, ids, scene)

    def apply(self) -> bool:
        """Do what a person has done in the last frame; return whether the list stays open."""
        answer, self._answer = self._answer, None
        assert answer is not None
        if answer.go is not None:
            self._session.go(answer.go)
        if answer.compare is not None:
            step = next(one for one in self._session.history.steps if one.number == answer.compare)
            self._comparing.compare(Comparison(Side(f"Step {step.number}: {step.label}", step.scene)))
        return answer.stays

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
