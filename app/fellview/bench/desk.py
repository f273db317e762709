"""The window that is measured, seen from within its process: its hand, and what it has shown when."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fellview.bench import hand, sliders
from fellview.bench.fidelity import Pixels
from fellview.bench.timing import gaps
from fellview.core.errors import FellviewError
from fellview.core.height_field import HeightField
from fellview.draw.passes import whole
from fellview.draw.target import Target
from fellview.scene.scene import Scene

# the viewer is imported where it is run: the compute process imports this module again, as the one it was started from
if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

_LATEST_S = 120.0  # that anything is waited for; a machine that is shared may take long
_LAYOUT_TURNS = 4  # frames after which rows that were found stay where they are
_PAUSE_S = 0.6  # of a hand between two sliders: the refining of the picture has begun by then
_UNCHANGED_S = 0.5  # after a drag's last move, in which the land would be on its way if that had changed anything

Turns = Generator[None]
"""Something that takes many turns of the window's loop, a step each."""


@dataclass(frozen=True)
class Shown:
    """A picture that the screen got: when, of what land and parameters, and whether that is all that is wanted."""

    at: float
    field: HeightField | None
    groups: Mapping[str, Any]
    whole: bool


@dataclass(frozen=True)
class Slid:
    """What became of a slider's drag, in seconds; None where nothing changed.

    `first` is from the first event to a picture that has changed, `full` from the last one to that of the full land,
    for which the steps computed for `steps`. Where whole numbers have come to their last value before, it may be 0.
    """

    key: str
    first: float | None
    full: float
    steps: float


class Desk:
    """The window, its hand, and when it showed new pictures of the land.

    A picture that only makes the last one finer is not new, and a frame of the panel shows none.
    """

    def __init__(self, viewer: Viewer) -> None:
        from fellview.desktop.window import wake

        self.viewer = viewer
        self.hand = hand.Hand(viewer.window, wake)
        self.shown: list[Shown] = []
        """The new pictures since the last gesture began."""
        self.at_swap: Callable[[bool], None] = lambda new: None
        """Called before the window shows a frame, with whether that has a new picture."""
        self._copy: Target | None = None
        self._seen = viewer.pictures.count
        self._home = viewer.session.scene
        self._swap = viewer.window.swap_buffers
        viewer.window.swap_buffers = self._swapped  # type: ignore[method-assign]

    @property
    def land(self) -> hand.Rectangle:
        """The land's part of the window."""
        return self.viewer.layout.panel.scene_rect

    # -- waiting -------------------------------------------------------------------------------------------------------

    def rest(self) -> Turns:
        """Go on until everything is computed, and the picture is as fine as it gets."""
        pictures = self.viewer.pictures
        yield from self.until(lambda: self._settled and (pictures.done or pictures.waves_move))

    def until(self, done: Callable[[], bool], latest_s: float = _LATEST_S) -> Turns:
        """Go on until it is `done`, but not for ever."""
        latest = time.monotonic() + latest_s
        while not done() and time.monotonic() < latest:
            yield

    def pause(self, seconds: float) -> Turns:
        """Go on for so long."""
        yield from self.until(lambda: False, seconds)

    def home(self) -> Turns:
        """Go back to the scene as it was opened, and rest."""
        self._go_back_to(self._home)
        yield from self.rest()

    def _go_back_to(self, scene: Scene) -> None:
        self.viewer.session.finish_gesture()
        self.viewer.session.set(scene, "Back")
        self.viewer.session.set_camera(scene.camera)
        self.viewer.redraw()

    @property
    def _settled(self) -> bool:
        """Return whether land and masks are there, and the picture shows them."""
        pictures = self.viewer.pictures
        return self.viewer.session.complete and (pictures.up_to_date or pictures.waves_move)

    # -- pictures ------------------------------------------------------------------------------------------------------

    def pixels(self) -> Pixels:
        """Return the picture of the land that the window shows, without the panel and what floats over it."""
        layout, present = self.viewer.layout, self.viewer.pictures.present
        left, bottom, width, height = layout.area()
        size = layout.extent.framebuffer
        if self._copy is None or self._copy.size != size:
            self._copy = Target(self.viewer.window.context, size)
        present.draw(self._copy.picture, size, (left, bottom, width, height))
        return self._copy.pixels()[size[1] - bottom - height : size[1] - bottom, left : left + width, :3]

    def drawn(self, scene: Scene) -> tuple[Pixels, Pixels, Pixels]:
        """Return pictures of `scene` at full resolution: of one sample, the first frame at rest, and the resting one.

        They are drawn by the window's renderer; what it was drawing begins anew.
        """
        from fellview.draw.frame import FrameOptions

        single = self.single(scene)
        renderer, size = self.viewer.renderer, self.viewer.layout.area_pixels()
        options = FrameOptions(hurried=True)
        first = whole(renderer.passes(scene, size, renderer.resting_samples, 0, options=options)).pixels()
        resting = renderer.draw(scene, size, renderer.resting_samples).pixels()
        return single, first[..., :3], resting[..., :3]

    def single(self, scene: Scene) -> Pixels:
        """Return a picture of `scene` with one sample at full resolution; what the window was drawing begins anew."""
        self.viewer.pictures.draw_anew()
        return self.viewer.renderer.draw(scene, self.viewer.layout.area_pixels(), 1).pixels()[..., :3]

    # -- the hand ------------------------------------------------------------------------------------------------------

    def begin(self, gesture: hand.Gesture) -> float:
        """Begin a gesture; return when."""
        self.shown.clear()
        return self.hand.begin(gesture)

    def gesture(self, gesture: hand.Gesture, seconds: float, least: int = 1) -> Generator[None, None, list[float]]:
        """Carry `gesture` out for so long and until the next picture; return the seconds between pictures.

        There are at `least` so many.
        """
        begun = self.begin(gesture)
        yield from self.until(
            lambda: len(self.shown) >= least and self.shown[-1].at >= begun + seconds, seconds + _LATEST_S
        )
        self.hand.end()
        if not self.shown:
            raise FellviewError(f"bench live: no picture within {seconds + _LATEST_S:g} s of a gesture")
        return gaps(begun, [one.at for one in self.shown])

    def find(self, key: str) -> Generator[None, None, hand.Rectangle | None]:
        """Have the panel show the slider of `key` by its search; return where it is, None where it does not come."""
        panel, window = self.viewer.layout.panel, self.viewer.window
        panel.sections.forget()
        yield from self._turns(_LAYOUT_TURNS)
        panel.active.places.pop(key, None)
        self.viewer.layout.find_parameter()
        yield from self._turns(_LAYOUT_TURNS)
        for letter in key.replace(".", " ").replace("_", " "):
            window.glfw_char_callback(None, ord(letter))
        yield from self._turns(_LAYOUT_TURNS)
        place = panel.active.places.get(key)
        _, height = self.viewer.layout.extent.size
        return place if place is not None and place[1] + place[3] < height else None

    def slide(self, key: str) -> Generator[None, None, Slid | None]:
        """Drag the slider of `key`, wait for the full land, and take it back; None where it is out of reach."""
        session = self.viewer.session
        place = yield from self.find(key)
        if place is None:
            return None
        yield from self.until(lambda: self._settled)
        yield from self.pause(_PAUSE_S)
        before, land = session.scene, self.viewer.renderer.field
        _, _, declaration = before.find(key)
        far = sliders.reach(declaration, hand.SLIDE_REACH)
        begun = self.begin(hand.slide(place, sliders.place(before, key), far))
        last = begun + hand.SLIDE_LAST_S
        yield from self.until(lambda: self._shows_all_since(last))
        of_land = key.partition(".")[0] in before.terrain_groups()
        slid = slid_by(key, before.get(key), land if of_land else None, begun, self.shown)
        result = session.result
        steps = sum(one.milliseconds for one in result.times if not one.remembered) / 1000 if result else 0.0
        self.hand.end()
        yield from self.until(lambda: self.viewer.layout.panel.active.gesture is None)
        yield from self._turns(1)
        self._go_back_to(before)
        return Slid(key, *slid, steps)

    def _shows_all_since(self, last: float) -> bool:
        """Return whether the full land of a drag has been shown whose last move was then."""
        if any(one.whole and one.at >= last for one in self.shown):
            return True
        unchanged = time.monotonic() >= last + _UNCHANGED_S and self._settled
        return unchanged and bool(self.shown) and self.shown[-1].whole

    def _turns(self, count: int) -> Turns:
        """Have so many frames drawn."""
        self.viewer.redraw()
        for _ in range(count):
            frames = self.viewer.pictures.frames_shown
            self.viewer.redraw()
            yield from self.until(lambda frames=frames: self.viewer.pictures.frames_shown > frames)  # type: ignore[misc]

    def _swapped(self) -> None:
        pictures, session, field = self.viewer.pictures, self.viewer.session, self.viewer.renderer.field
        new = pictures.count > self._seen
        self.at_swap(new)
        self._swap()
        if new:
            result, groups = session.result, pictures.drawn_groups
            whole = (
                session.settled
                and groups == session.visible.groups()
                and (field is not None and result is not None and field.has_heights_of(result.field))
            )
            self.shown.append(Shown(time.monotonic(), field, groups, whole))
        self._seen = pictures.count


def slid_by(
    key: str, value: Any, land: HeightField | None, begun: float, shown: list[Shown]
) -> tuple[float | None, float]:
    """Return `Slid.first` and `Slid.full` of a drag that has `begun` then and had those pictures `shown`.

    `value` is that of the parameter before, `land` the land before; none where the slider changes the look alone.
    """
    group, _, name = key.partition(".")

    def changed(one: Shown) -> bool:
        if land is None:
            return bool(getattr(one.groups[group], name) != value)
        return one.field is not None and not one.field.has_heights_of(land)

    first = next((one.at - begun - hand.SLIDE_FIRST_S for one in shown if changed(one)), None)
    last = begun + hand.SLIDE_LAST_S
    before = 0.0 if shown and shown[-1].whole else _LATEST_S  # the last move has changed nothing, or nothing came
    full = next((one.at - last for one in shown if one.whole and one.at >= last), before)
    return first, full
