"""The active widget: at most one of the panel's widgets is dragged, clicked or typed into at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from fellview.core.parameters import Value
from fellview.scene.scene import Scene
from fellview.ui.status import Outcome

Changes = Mapping[str, Value]
GRAB_PIXELS = 7.0  # a press this near a slider's end, or the sun, takes hold of it without a jump
FINE = 0.1  # Shift-drag is ten times finer


@dataclass
class Gesture:
    """One drag or click from press to release: what it changes, where it began, how far it has come.

    `late` tells that the press itself moves the value, but in the next frame: one frame tells of one gesture, and in
    this one another ended.
    """

    key: str
    label: str
    start: dict[str, Value]
    position: tuple[float, float] = (0.0, 0.0)
    began_at: tuple[float, float] = (0.0, 0.0)
    moved: bool = False
    late: bool = False
    released_at: float | None = None


@dataclass
class Typing:
    """An open text field; while it is `fresh`, its text is yet to come."""

    key: str
    text: str = ""
    fresh: bool = True


class ActiveWidget:
    """Applies edits to the frame's scene and tells gestures apart.

    A click stays open for as long as a second one would make it a double-click: the value shows at once, but the
    gesture ends later, so that a double-click, which opens the text field, takes the first click back without a trace
    in the undo history.
    """

    def __init__(self) -> None:
        self.gesture: Gesture | None = None
        self.typing: Typing | None = None
        self.outcome: Outcome = Outcome(Scene())
        self.places: dict[str, tuple[float, float, float, float]] = {}
        self.locked: frozenset[str] = frozenset()
        """What is held fast in the scene, by keys of parameters and of groups."""
        self.under: tuple[str, float] | None = None
        """The slider under the pointer in this frame: its parameter's key, and its middle's height in the window."""
        self.carried = ""
        """The parameter whose label is being dragged."""

    def begin(self, scene: Scene) -> None:
        """Start a frame on `scene`; end or cancel what was left open."""
        self.outcome = Outcome(scene)
        self.under = None
        gesture = self.gesture
        escape = imgui.is_key_pressed(imgui.Key.escape, False)
        if gesture is None:
            if escape and imgui.internal.get_top_most_popup_modal() is None:
                imgui.internal.close_popups_except_modals()  # without keyboard navigation nothing else does it
            return
        if escape:
            self.take_back()
        elif gesture.released_at is not None:
            waited = imgui.get_time() - gesture.released_at
            pressed_elsewhere = any(imgui.is_mouse_clicked(button) for button in range(3)) and (
                not imgui.is_mouse_double_clicked(0)
            )
            if waited > imgui.get_io().mouse_double_click_time or pressed_elsewhere:
                self._end()

    def finish(self) -> Outcome:
        """Return what the frame came to."""
        gesture = self.gesture
        if not imgui.is_mouse_down(0):
            self.carried = ""
        if gesture is not None:
            if gesture.released_at is None and not imgui.is_mouse_down(0):
                if gesture.moved:
                    self._end()
                else:
                    gesture.released_at = imgui.get_time()
            elif gesture.released_at is not None and imgui.is_mouse_double_clicked(0):
                self._end()  # the second press fell on something else
        if self.gesture is not None:
            self.outcome.gesture = True
            self.outcome.label = self.outcome.label or self.gesture.label
        return self.outcome

    @property
    def pending(self) -> bool:
        """Whether a click waits for a possible second one: a frame must come though no event does."""
        return self.gesture is not None and self.gesture.released_at is not None

    def holds(self, key: str) -> bool:
        """Return whether widget `key` is being dragged."""
        return self.gesture is not None and self.gesture.key == key and self.gesture.released_at is None

    def take(self, key: str, label: str, keys: Sequence[str]) -> Gesture:
        """Begin the gesture of widget `key` on the parameters `keys`."""
        if self.gesture is not None:
            self._end()
        mouse = imgui.get_mouse_pos()
        start = {one: self.outcome.scene.get(one) for one in keys}
        self.gesture = Gesture(key, label, start, began_at=(mouse.x, mouse.y))
        return self.gesture

    def change(self, changes: Changes, label: str) -> None:
        """Apply `changes` as part of the gesture under way."""
        scene = self.outcome.scene
        if any(scene.get(key) != value for key, value in changes.items()):
            self.outcome.scene = scene.replace(changes)
        if not self.outcome.gesture_ended:
            self.outcome.label = label

    def click(self, changes: Changes, label: str) -> None:
        """Apply `changes` as a gesture of its own."""
        self.change(changes, label)
        self.outcome.label = label
        self.outcome.gesture_ended = True

    def take_over(self, scene: Scene, label: str) -> None:
        """Make `scene` the frame's, as a gesture of its own."""
        self.outcome.scene, self.outcome.label = scene, label
        self.outcome.gesture_ended = True

    def carry(self, key: str) -> None:
        """Take hold of the label that was drawn last, of parameter `key`, where it is pressed."""
        if imgui.is_item_hovered() and imgui.is_mouse_clicked(0):
            self.carried = key

    def take_back(self) -> None:
        """Put back what the gesture under way began with."""
        assert self.gesture is not None
        self.change(self.gesture.start, self.gesture.label)
        self.gesture = None
        self.outcome.cancelled = True
        imgui.internal.clear_active_id()

    def type(self, key: str) -> None:
        """Open the text field of widget `key`, from the next frame on: by then a first click is taken back."""
        if self.gesture is not None:
            if self.gesture.key == key:
                self.take_back()
            else:
                self._end()
        self.typing = Typing(key)
        self.outcome.opens_field = True

    def _end(self) -> None:
        assert self.gesture is not None
        self.outcome.gesture_ended = True
        self.outcome.label = self.gesture.label
        self.gesture = None
