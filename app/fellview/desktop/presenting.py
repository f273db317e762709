"""Slides presented: what is on the screen, how one comes to the next, and the next one's land computed ahead.

A comparison shows them: its new land is the slide that is there, its old one the slide that is likely to come, whose
land is computed and, where it is wiped in, drawn while someone talks. Nothing of the scene that is worked on changes.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fellview.core.newest import Newest
from fellview.desktop.comparing import Comparing
from fellview.desktop.events import Place
from fellview.desktop.layout import Layout
from fellview.desktop.other_picture import OtherPicture
from fellview.desktop.pictures import Pictures
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.comparison import Comparison, Side
from fellview.studio.deck import Deck, Transition
from fellview.studio.differences import differences
from fellview.studio.films.morph import between, blended_alike
from fellview.ui import slides as view
from fellview.ui.actions import PRESENTING
from fellview.ui.slides import Words
from fellview.view.controllers import orbited, target, through_other_lens
from fellview.view.exaggeration import exaggerated
from fellview.view.flight import Way, eased, flight
from fellview.view.ground import above_all

_KEYS = {key: what for what, keys in PRESENTING.items() for key in keys}
_MOST_CHANGES = 6  # lines that stand above a caption
_GOES, _COMES = 0.3, 0.7  # of a transition: the old caption is gone, and the new one comes
_TELLS_AFTER_S = 0.6  # what is there sooner needs no word
_POINTER_RESTS_S = 2.0  # until it is hidden: long enough to point at something


class Window(Protocol):
    """The window, as far as presenting changes it."""

    fullscreen: bool
    cursor: bool
    """Whether the pointer is seen."""


@dataclass(frozen=True)
class _Way:
    """A transition under way from what was seen to the slide at `to`: its kind, when it began, how long it takes."""

    start: Scene
    to: int
    kind: Transition
    began: float
    seconds: float
    flight: Way | None = None


class Presenting:
    """Holds the deck that is presented and the place of the slide that is there; `shown` is false otherwise.

    `pointer` returns where the pointer is; where it rests it is hidden. `clock` gives seconds that only rise.
    """

    def __init__(
        self,
        session: Session,
        layout: Layout,
        other: OtherPicture,
        pictures: Pictures,
        comparing: Comparing,
        window: Window,
        resized: Callable[[], None],
        pointer: Callable[[], Place],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._layout, self._other = session, layout, other
        self._pictures, self._comparing = pictures, comparing
        self._window, self._resized, self._clock = window, resized, clock
        self._deck = Deck()
        self.place: int | None = None
        """The place of the slide that is there; none while nothing is presented."""
        self._wanted: int | None = None  # the slide that one has asked for and whose land is still to come
        self._asked_at = 0.0
        self._drawing_first = False  # that slide, for nobody had time to before
        self._way: _Way | None = None
        self._covers = False  # the picture of what was wiped in stands until the window's own is drawn
        self._turning = self._changes = False
        self._turned_since = 0.0
        self._before: tuple[bool, bool] = (False, False)  # what the window was like: bare, fullscreen
        self._lines: Newest[tuple[str, ...]] = Newest()
        self._pointer, self._pointer_at = pointer, pointer()
        self._pointer_since = 0.0  # it is there

    @property
    def shown(self) -> bool:
        """Return whether slides are presented."""
        return self.place is not None

    @property
    def animated(self) -> bool:
        """Return whether the next frame differs though no event comes."""
        return self.shown and (self._way is not None or self._turns)

    def begin(self, deck: Deck, place: int = 0) -> None:
        """Present `deck` from the slide at `place` on, full screen."""
        self._comparing.close()
        self._before = self._layout.bare, self._window.fullscreen
        self._layout.bare = self._window.fullscreen = True
        self._layout.help_shown = False
        self._pointer_at, self._pointer_since = self._pointer(), self._clock()
        self._deck, self.place = deck, min(place, len(deck) - 1)
        self._turning, self._changes = deck.showing.turn, deck.showing.changes
        self._wanted = self._way = None
        self._resized()
        self._stand()

    def end(self) -> None:
        """Go back to the scene that is worked on, in a window as it was."""
        self.place = self._wanted = self._way = None
        self._covers = False
        self._other.comparison = self._other.between = None
        self._other.forget()
        self._other.want()
        self._layout.bare, self._window.fullscreen = self._before
        self._window.cursor = True
        self._resized()

    def take_key(self, chord: str) -> bool:
        """Do what a key does while slides are presented; return whether they are: no key does anything else then."""
        if self.place is None:
            return False
        aim = self.place if self._wanted is None else self._wanted
        if self._way is not None and self._wanted is None:
            aim = self._way.to
        match _KEYS.get(chord):
            case "next":
                self.go(aim + 1)
            case "previous":
                self.go(aim - 1)
            case "first":
                self.go(0)
            case "last":
                self.go(len(self._deck) - 1)
            case "turn":
                self._turning = not self._turning
                self._turned_since = self._clock()
                if not self._turning:
                    self._stand()
            case "changes":
                self._changes = not self._changes
            case "end":
                self.end()
        return True

    def go(self, place: int) -> None:
        """Go to the slide at `place`, as soon as its land is there; what is under way ends at once."""
        if self._way is not None:
            self._arrive(self._way)
        if 0 <= place < len(self._deck) and place != self.place:
            self._wanted, self._asked_at, self._drawing_first = place, self._clock(), False
            self._look_ahead(place)

    def advance(self) -> bool:
        """Bring what is presented to the present moment; return whether the window is to be drawn."""
        if self.place is None:
            return False
        self._hide_resting_pointer()
        if self._way is not None:
            share = (self._clock() - self._way.began) / self._way.seconds
            if share >= 1:
                self._arrive(self._way)
            else:
                self._go_on(self._way, share)
            return True
        if self._covers:
            if self._session.complete and self._pictures.up_to_date:
                self._covers = False
                self._stand()
                return True
        elif self._wanted is not None:
            return self._set_off(self._wanted)
        elif self._turns:
            self._turn()
        return False

    def draw(self) -> None:
        """Draw what stands over the slide; called between the host's `new_frame` and `end_frame`."""
        if self.place is None:
            return
        at, strength = self.place, 1.0
        if self._way is not None:
            share = (self._clock() - self._way.began) / self._way.seconds
            at = self.place if share < 0.5 else self._way.to
            strength = 1 - eased(share / _GOES) if share < 0.5 else eased((share - _COMES) / (1 - _COMES))
        waited = self._clock() - self._asked_at if self._wanted is not None else self._session.computing_for
        wait = "The land is being computed…" if waited > _TELLS_AFTER_S else ""
        changes = self._changed(at) if self._changes else ()
        view.present(Words(self._deck.slides[at].caption, changes, wait, strength), self._layout.extent.size)

    def _hide_resting_pointer(self) -> None:
        """Hide the pointer once it has rested for a while, and show it where it moves."""
        if (at := self._pointer()) != self._pointer_at:
            self._pointer_at, self._pointer_since = at, self._clock()
        shows = self._clock() - self._pointer_since < _POINTER_RESTS_S
        if self._window.cursor != shows:
            self._window.cursor = shows

    # -- what is there -------------------------------------------------------------------------------------------------

    def _stand(self) -> None:
        """Show the slide that is there, and compute the next one's land."""
        assert self.place is not None
        self._turned_since = self._clock()
        following = self.place + 1 if self.place + 1 < len(self._deck) else max(self.place - 1, 0)
        self._compare(self._deck.slides[self.place].scene, following)

    def _look_ahead(self, place: int) -> None:
        """Have the land of the slide at `place` computed, and what is there stay as it is."""
        comparison = self._other.comparison
        assert comparison is not None and comparison.new.scene is not None
        if not self._covers and comparison.old.scene is not self._deck.slides[place].scene:
            self._compare(comparison.new.scene, place)

    def _compare(self, now: Scene, following: int) -> None:
        """Show `now`, and have the slide at the place `following` ready; it is drawn where it is to be wiped in."""
        slide = self._deck.slides[following]
        was = self._other.comparison
        if was is None or was.old.scene is not slide.scene:
            self._other.forget()
        same = self._is_same_land(following)
        wiped = slide.transition == "wipe" or not (same or slide.transition == "cut")  # a morph may have to be one
        old = Side("", slide.scene)
        self._take_up(Comparison(old, Side("", now), "blink", own_views=True, draws_old=wiped))

    def _show(self, scene: Scene) -> None:
        """Show `scene` in the place of what is there."""
        assert self._other.comparison is not None
        self._take_up(dataclasses.replace(self._other.comparison, new=Side("", scene)))

    def _take_up(self, comparison: Comparison) -> None:
        """Show what a comparison has, from the next frame on."""
        self._other.comparison = comparison
        self._other.want()

    def _is_same_land(self, place: int) -> bool:
        """Return whether the slide at `place` is of the land that is there."""
        assert self.place is not None
        here, there = (self._deck.slides[one].scene for one in (self.place, place))
        return here.terrain_groups() == there.terrain_groups() and here.water == there.water

    def _changed(self, place: int) -> tuple[str, ...]:
        """Return what differs from the slide before, a line each."""
        if place == 0:
            return ()
        scenes = tuple(self._deck.slides[one].scene for one in (place - 1, place))

        def found() -> tuple[str, ...]:
            all_of = [f"{one.title}  {one.change}" for one in differences(*scenes, looks=False)]
            more = len(all_of) - _MOST_CHANGES
            return tuple(all_of if more <= 0 else [*all_of[: _MOST_CHANGES - 1], f"and {more + 1} more"])

        return self._lines.of(scenes, found)

    # -- ways ----------------------------------------------------------------------------------------------------------

    def _set_off(self, to: int) -> bool:
        """Begin the transition to the slide at `to` where all that it needs is there; return whether it has begun."""
        session, other, slide = self._session, self._other, self._deck.slides[to]
        assert self.place is not None and other.comparison is not None
        same, kind = self._is_same_land(to), slide.transition
        if other.comparison.old.scene is not slide.scene:
            self._look_ahead(to)
            return False
        if session.compare_failed and not same:  # which is told when one is there, and does not hold one up
            kind = "cut"
        elif not session.settled or not (same or session.compared_complete):
            return False
        here, seconds, way, land = self._seen(), self._deck.showing.seconds, None, session.land
        if land is None:
            return False
        if kind == "flight" and same:
            drawn = exaggerated(land, slide.scene.view.exaggeration)
            lens = functools.partial(through_other_lens, size=self._layout.area_pixels(), field=drawn)
            way = flight(here.camera, above_all(slide.scene, land), drawn, lens)
            seconds = way.seconds
        elif kind == "flight" or (kind == "morph" and not same):
            assert session.compared is not None
            kind = "morph" if land.heights.shape == session.compared.heights.shape else "wipe"
        if kind == "wipe" and (other.present is None or other.shows is None):
            return self._draw_first()
        self._wanted = None
        self._way = _Way(here, to, kind, self._clock(), max(seconds, 1e-3), way)
        if kind == "cut":
            self._arrive(self._way)
        return True

    def _draw_first(self) -> bool:
        """Have the slide that is wiped in drawn now; return whether the window is to be drawn."""
        assert self._other.comparison is not None
        if self._drawing_first:
            return False
        self._drawing_first = True
        self._take_up(dataclasses.replace(self._other.comparison, draws_old=True))
        self._pictures.draw_anew()
        return True

    def _go_on(self, way: _Way, share: float) -> None:
        """Show what is seen after a `share` of the time that a transition takes."""
        session, other, slide = self._session, self._other, self._deck.slides[way.to]
        assert other.comparison is not None
        land, here = session.land, way.start
        if way.kind == "wipe":
            self._take_up(dataclasses.replace(other.comparison, way="wipe", line=eased(share)))
        elif way.flight is not None and land is not None:
            camera = way.flight.at(share, exaggerated(land, slide.scene.view.exaggeration))
            self._show(between(here, slide.scene, eased(share)).with_group(camera))
        elif way.kind == "morph" and land is not None:
            blend, there = eased(share), session.compared
            scene = between(here, slide.scene, blend)
            if there is not None and not self._is_same_land(way.to):
                other.between = blended_alike(land, there, blend)
            seen = other.between or land
            # the land that is computed is that of the slide which is there; what is drawn is on the way
            groups = here.terrain_groups()
            water = scene.water.with_masks_of(here.water)
            scene = dataclasses.replace(scene, **groups).with_group(water)  # type: ignore[arg-type]
            self._show(scene.with_group(above_all(scene, seen)))

    def _arrive(self, way: _Way) -> None:
        """Be at the slide that a transition leads to."""
        self._way, self._other.between = None, None
        wiped, self.place = way.kind == "wipe", way.to
        if wiped and self._other.comparison is not None:
            slide = self._deck.slides[way.to]
            shown = dataclasses.replace(self._other.comparison, new=Side("", slide.scene), way="blink", flipped=True)
            self._covers = True
            self._take_up(shown)
        else:
            self._stand()

    def _seen(self) -> Scene:
        """Return what is there as it is seen now."""
        assert self._other.comparison is not None and self._other.comparison.new.scene is not None
        return self._other.comparison.new.scene

    # -- turning -------------------------------------------------------------------------------------------------------

    @property
    def _turns(self) -> bool:
        """Whether the camera goes round now."""
        return self._turning and self._way is None and not self._covers and self._session.land is not None

    def _turn(self) -> None:
        """Show the slide from where the camera has come to."""
        assert self.place is not None
        scene, land = self._deck.slides[self.place].scene, self._session.land
        if land is None or not self._session.settled:
            self._turned_since = self._clock()
            return
        field = exaggerated(land, scene.view.exaggeration)
        camera, size = above_all(scene, land), self._layout.area_pixels()
        pivot = target(camera, size, (size[0] / 2, size[1] / 2), field)
        degrees = self._deck.showing.turn_speed * (self._clock() - self._turned_since)
        self._show(scene.with_group(orbited(camera, pivot, degrees, 0.0, field)))
