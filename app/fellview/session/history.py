"""The recipe as it is edited, and its undo history: plain data, in which scenes come and go.

Undo counts gestures: values set with one gesture open are one step. What is not declared undoable, such as the camera,
has no part in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf

MOST_STEPS = 500
"""Undo steps that are remembered; a scene is a few hundred bytes, and shelves have their variants in common."""


@dataclass(frozen=True)
class _Moment:
    """A place to return to, with the shelf as it was there.

    `home` is given where another scene was opened: what is not undoable then returns too.
    """

    label: str
    scene: Scene
    shelf: Shelf
    home: Scene | None = None


class History:
    """The scene as it is now, `home` as it was opened, the shelf, and what was before and after in undo's order."""

    def __init__(self) -> None:
        self.scene = Scene()
        self.home = Scene()
        self.shelf = Shelf()
        self._undo: list[_Moment] = []
        self._redo: list[_Moment] = []
        self._gesture: tuple[str, Scene] | None = None

    def start(self, scene: Scene, home: Scene | None = None, shelf: Shelf | None = None) -> None:
        """Begin with `scene`, which was opened as `home`, and what is on the `shelf`; no undo step."""
        self.scene, self.home, self.shelf = scene, home or scene, shelf or Shelf()

    def open(self, scene: Scene, label: str = "") -> None:
        """Go on with `scene` as it is opened; what was there before is one undo step away."""
        self.finish_gesture()
        if scene != self.scene:
            self._push(_Moment(label or f"Open {scene.name}", self.scene, self.shelf, self.home))
        self.scene = self.home = scene

    def set_shelf(self, shelf: Shelf, label: str) -> None:
        """Have `shelf` kept from now on, in one undo step of its own."""
        self.finish_gesture()
        if shelf != self.shelf:
            self._push(_Moment(label, self.scene, self.shelf))
        self.shelf = shelf

    def set(self, scene: Scene, label: str) -> None:
        """Take `scene` as the newest; outside a gesture that makes an undo step.

        Changes of how one looks at it alone make none.
        """
        if self._gesture is None and scene.changed_since(self.scene):
            self._push(_Moment(label, self.scene, self.shelf))
        self.scene = scene

    def set_camera(self, camera: Camera) -> None:
        """Move the camera, apart from undo."""
        self.scene = replace(self.scene, camera=camera)

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
                self._push(_Moment(label, before, self.shelf))

    def take_back(self) -> bool:
        """Go back to what the open gesture began with, without a trace; return whether there was one."""
        if self._gesture is None:
            return False
        _, before = self._gesture
        self._gesture = None
        self.scene = before.viewed_as(self.scene)
        return True

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._undo[-1].label if self._undo else ""

    @property
    def redo_label(self) -> str:
        """What redo would bring back; empty where there is nothing."""
        return self._redo[-1].label if self._redo else ""

    def undo(self) -> bool:
        """Take the last gesture back; return whether there was one."""
        self.finish_gesture()
        return self._travel(self._undo, self._redo)

    def redo(self) -> bool:
        """Bring back what undo took; return whether there was anything."""
        self.finish_gesture()
        return self._travel(self._redo, self._undo)

    def _push(self, moment: _Moment) -> None:
        self._undo = [*self._undo[-MOST_STEPS + 1 :], moment]
        self._redo.clear()

    def _travel(self, source: list[_Moment], target: list[_Moment]) -> bool:
        if not source:
            return False
        moment = source.pop()
        target.append(_Moment(moment.label, self.scene, self.shelf, self.home if moment.home else None))
        self.shelf = moment.shelf
        if moment.home:
            self.scene, self.home = moment.scene, moment.home
        else:
            self.scene = moment.scene.viewed_as(self.scene)
        return True
