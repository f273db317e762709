"""Pictures of the land, drawn pass by pass between the window's frames: the window's own, and stills for files.

A picture that is out of date is given up where it only refines one that rests, or where a command has led elsewhere. A
drag or a flight only moves on: its pictures are finished, or there would be none before its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fellview.capture.capture import Still
from fellview.core.height_field import HeightField
from fellview.desktop.drawing_scale import DrawingScale
from fellview.desktop.faults import Faults
from fellview.desktop.first_look import FirstLook
from fellview.desktop.hand_at_rest import HandAtRest
from fellview.desktop.input import Input
from fellview.desktop.layout import Layout
from fellview.desktop.other_picture import OtherPicture, Shows
from fellview.desktop.picking import drawn_land
from fellview.desktop.stills import DRAWING, Pixels, Purpose, Stills
from fellview.draw.frame import FrameOptions
from fellview.draw.passes import Passes, UnderWay
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.target import Target
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.comparison import Share
from fellview.view.ground import above_ground, above_water


@dataclass(frozen=True, eq=False)
class _Same:
    """A land that is told from others by what it is, and held: another could get the number of one that is gone."""

    land: HeightField | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.land is self.land

    def __hash__(self) -> int:
        return id(self.land)


class Loop(Protocol):
    """What the loop does for pictures."""

    @property
    def animated(self) -> bool:
        """Return whether the next frame differs though no event comes."""

    def interrupts(self) -> bool:
        """Take events in; return whether a frame is wanted, or the end, before a picture goes on."""

    def attempt(self, command: Callable[[], None]) -> None:
        """Carry `command` out; what it refuses becomes a notice."""

    def redraw(self) -> None:
        """Have the next turns of the loop draw."""


class Pictures:
    """The picture under way, the one that is finished and what it shows, and stills that wait.

    `finish` waits for OpenGL after a pass where that is wanted: where it does not, OpenGL works behind the caller's
    back, and moving frames are taken to be in time. `drawing_scale` says how large those are. `other` is the picture
    of the land that this one is compared with: both are drawn where they are seen. What `present` has kept already is
    the last session's picture, which stays until there is another as fine. Where `has_compiled` is false of the scene
    that is opened, its pictures have a simple look until it is true and nobody is at work.
    """

    def __init__(
        self,
        loop: Loop,
        faults: Faults,
        session: Session,
        layout: Layout,
        gestures: Input,
        renderer: Renderer,
        present: PresentPass,
        finish: Callable[[], None],
        drawing_scale: DrawingScale,
        other: OtherPicture,
        has_compiled: Callable[[Scene], bool] = lambda scene: True,
    ) -> None:
        self._loop, self._faults, self._session = loop, faults, session
        self._layout, self._input, self._renderer, self._finish = layout, gestures, renderer, finish
        self.present, self._other = present, other
        self._left = present.kept, session.visible.groups()  # the last session's picture, and what it shows
        self.frames_shown = 0
        self.count = 0
        """Pictures of the land that were drawn anew; those that rest are refined, which does not count."""
        self.seconds = 0.0
        """What the last picture took."""
        self.unseen = False
        """Whether the finished picture has not been on the screen yet."""
        self.hand = HandAtRest(gestures)
        """When it has come to rest: pictures are refined then."""
        self.drawing_scale = drawing_scale
        self._is_draft = False  # the finished picture
        self._is_part = False  # the newest picture of something that moves: of some columns, or of none
        self._moving_scale = 1.0  # of the newest picture of something that moves
        self._under_way: UnderWay[Target] | None = None
        self._stills = Stills()
        self._still_waits = False  # since the last frame of one
        self._jumped = self._given_up = False  # a command has been carried out; a picture not yet shown was given up
        self._lifted_over: HeightField | None = None
        self._exaggeration = 1.0
        self._drawn: tuple[Any, ...] = ()
        self._undrawable: tuple[Any, ...] = ()  # what drawing has failed at: it would fail again
        self._refined = 0  # frames of the resting picture that are drawn
        self._look = FirstLook(renderer, session.visible, has_compiled)
        self._rehearsal: UnderWay[Target] | None = None  # pictures that nobody sees
        self._sharp: UnderWay[Target] | None = None  # the last one that came between moving and resting
        self._opened = time.monotonic()  # waves count from here: a float has few digits beyond days

    # -- what is wanted ------------------------------------------------------------------------------------------------

    @property
    def under_way(self) -> bool:
        """Return whether a picture is being drawn."""
        return self._under_way is not None

    @property
    def drawing_anew(self) -> bool:
        """Return whether a picture is being drawn that does not only make one finer, or a file."""
        return self._under_way is not None and not self._under_way.resting

    @property
    def brings_land(self) -> bool:
        """Return whether a picture is being drawn of other land than the finished one."""
        work = self._under_way
        return work is not None and self.drawing_anew and bool(self._drawn) and work.of[1] != self._drawn[1]

    @property
    def goes_first(self) -> bool:
        """Return whether the finished picture is to be on the screen before another is begun: under a drag over land.

        A slider's next land comes the later for each frame in between.
        """
        return self.unseen and self._input.moves_on_land

    @property
    def stills_wait(self) -> bool:
        """Return whether pictures for files are still to be drawn."""
        return bool(self._stills)

    @property
    def drawn_groups(self) -> dict[str, Any]:
        """The parameters that the finished picture shows; none where there is no picture."""
        return dict(self._drawn[0]) if self._drawn else {}

    @property
    def up_to_date(self) -> bool:
        """Return whether the picture of the land is that of the scene as it is."""
        return self._drawn == self._wanted()

    def seen(self) -> Pixels | None:
        """Return what is seen of the scene as it is, uint8 [row, column, rgba]; none while it is less than a picture.

        That is of land on its way or coarse, in the simple look, or of fewer pixels.
        """
        target = self.present.kept
        session = self._session
        is_less = self._is_draft or self._look.is_simple or self._layout.land_covered or not session.complete
        is_old = self._drawn[:3] != self._wanted()[:3]  # waves move on by themselves
        if target is None or is_less or session.shows_other or is_old:
            return None
        return target.pixels()

    @property
    def waves_move(self) -> bool:
        """Return whether water moves in the picture by itself."""
        group = self._session.visible.water
        return group.enabled and group.animate and not self._look.is_simple

    @property
    def done(self) -> bool:
        """Return whether the picture is as fine as it gets, and none is under way."""
        return self.refine_in is None and not self.under_way

    @property
    def refine_in(self) -> float | None:
        """Seconds until a frame is to be added to the picture that rests; None where it is as fine as it gets."""
        if self._look.is_unrehearsed and self._drawn and not self._undrawable:
            return 0.0
        if not self._drawn or self._undrawable or self._session.busy or self._layout.land_covered:
            return None
        if self._may_rehearse:
            return self.hand.long_seconds
        if self._refined >= self._resting_frames and not self._other_behind:
            return None
        return self.hand.seconds(waits=self._is_draft)

    @property
    def _resting_frames(self) -> int:
        return self._renderer.frames(self._renderer.resting_samples)

    @property
    def _other_wanted(self) -> Shows | None:
        """What the picture of the other land is to show; none while there is none of this one's."""
        return self._other.wanted(self._layout.area_pixels(), self._look.is_simple) if self._land is not None else None

    @property
    def _other_behind(self) -> bool:
        """Whether the picture of the other land is less fine than this one, or not of what is wanted."""
        return self._other.is_behind(self._other_wanted, min(self._refined, self._resting_frames))

    @property
    def is_sharp(self) -> bool:
        """Return whether the finished picture is that of the scene as it is, with all its pixels; waves move on."""
        return self._drawn[:3] == self._wanted()[:3] and not self._is_draft

    def draw_anew(self) -> None:
        """Have the next frame draw the land from the start: something else is drawn meanwhile."""
        self.give_up()
        self._drawn = self._undrawable = ()
        self._loop.redraw()

    def note_command(self) -> None:
        """Note that a command is carried out, which may lead elsewhere."""
        self._jumped = True

    def _wanted(self) -> tuple[Any, ...]:
        """Return what a picture of the land is to show: it is out of date when this has changed."""
        seconds = time.monotonic() - self._opened if self.waves_move else 0.0
        groups, land = self._session.visible.groups(), _Same(self._land)
        if self._drawn and self._drawn[1] == land and self._session.busy:
            # what only the land follows shows with the land that is on its way: until then there is nothing to draw
            drawn = self._drawn[0]
            groups = groups | {key: drawn[key] for key in self._session.visible.terrain_groups() if key in drawn}
        return (groups, land, self._layout.area_pixels(), seconds)

    @property
    def _land(self) -> HeightField | None:
        """The land to draw."""
        return None if self._look.is_unrehearsed else self._other.onto(self._session.land)

    # -- pictures ------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the picture that is wanted, unless one is under way that is to be finished first."""
        work = self._under_way
        if work is not None and self._is_stale(work):
            self.give_up()
        if self._under_way is not None or self._wanted()[:3] == self._undrawable:
            return
        self._jumped = False
        if self._stills and not self._goes_before_stills():
            still = self._stills.first
            self._under_way = UnderWay(still, still.passes(), self._finish, resting=True)
        elif self.goes_first and self._wanted() != self._drawn:
            self._loop.redraw()  # by then the hand may have come farther, or let go
        elif self._wanted() != self._drawn:
            self._lift()
            self.hand.note_change()
            # masks come when the hand has let go: a coarse picture would follow a sharp one
            stays_sharp = self._brings_masks and not self._is_draft and not self._input.holds_something
            self._under_way = self._sharp_picture() if stays_sharp else self._moving_picture()
        elif self._look.is_unrehearsed:
            self._under_way = self._rehearsed()
        elif (wait := self.refine_in) is not None and wait <= 0 and not self._loop.animated:
            # while the hand is at work on the panel its frames come first
            self._under_way = self._rehearsed() if self._may_rehearse else self._picture_at_rest()

    @property
    def shown(self) -> list[tuple[PresentPass, Share | None]]:
        """The finished pictures that are seen, each over the one before, and of which columns alone; none is all."""
        other, comparison, shows = self._other.present, self._other.comparison, self._other.shows
        whole: list[tuple[PresentPass, Share | None]] = [(self.present, None)]
        if other is None or comparison is None or shows is None or self._other_wanted is None:
            return whole
        if not comparison.own_views and shows.scene.camera != self.drawn_groups.get("camera"):
            return whole  # it is drawn when the hand rests
        now, columns = comparison.shown
        if now is None:
            return [(other, None)]
        return whole if columns is None else [*whole, (other, columns)]

    def give_up(self) -> None:
        """Draw no more of the picture under way; the next frame begins it anew."""
        if self._under_way is not None:
            self._given_up = not self._under_way.resting
            self._under_way.give_up()
            self._under_way = None

    def go_on(self) -> bool:
        """Draw on at the picture under way until it is done; return so, or that a frame is wanted before."""
        while (work := self._under_way) is not None:
            more = None
            with self._faults.guarded("drawing a picture" if isinstance(work.of, Still) else "drawing the land"):
                more = work.go_on()
            if more is None:
                self._under_way = None
                if isinstance(work.of, Still):
                    self._end_still()
                elif isinstance(work.of, Shows):
                    self._other.give_up(work.of, self._resting_frames)
                else:
                    self._undrawable = work.of[:3]
                break
            self._undrawable = ()
            if more:
                if self._loop.interrupts():
                    return False
                if self._is_stale(work):
                    self.begin()
                continue
            assert work.drawing is not None
            if isinstance(work.of, Shows):
                self._under_way, self._still_waits = None, True
                break
            if work is self._rehearsal:
                self._end_rehearsal()
                break
            if isinstance(work.of, Still):
                self._under_way, self._still_waits = None, False
                if work.of.pixels is not None:
                    self._end_still()
                break
            self._keep(work, work.drawing)
        return True

    def _keep(self, work: UnderWay[Target], drawing: Target) -> None:
        """Take a finished picture for the screen."""
        self._still_waits = True
        self._refined = self._refined + 1 if work.resting and work is not self._sharp else 0
        if not self._left_stays(work) and drawing is not self.present.kept:
            self.present.keep(drawing)
        self.count += not work.resting
        self._drawn, self.seconds, self.unseen = work.of, work.seconds, True
        self._is_draft = not work.resting and (self._moving_scale < 1 or self._is_part)
        if not work.resting and self._moving_scale == self.drawing_scale.scale:
            self.drawing_scale.note(work.seconds)
        self._under_way, self._given_up = None, False
        for text in self._renderer.take_notices():
            self._session.notify(text)
            self._loop.redraw()

    def _left_stays(self, work: UnderWay[Target]) -> bool:
        """Return whether the last session's picture stays on the screen: of what `work` shows, and no less fine."""
        target, groups = self._left
        if target is None:
            return False
        is_same = work.of[0] == groups and work.of[2] == target.size and not self.waves_move
        if not is_same or self._refined >= self._resting_frames:
            self._left = None, {}
        return self._left[0] is not None

    def _is_stale(self, work: UnderWay[Target]) -> bool:
        """Return whether `work` is out of date and not worth its end."""
        if isinstance(work.of, Still):
            return self._goes_before_stills() and self._input.holds_something
        if work.resting and self._session.busy and not self._look.is_unrehearsed:
            return True  # it would be of land that is on its way out
        if work.resting and work is not self._rehearsal and self.hand.is_about_to_move:
            return True
        wanted = self._wanted()
        if isinstance(work.of, Shows):
            return work.of != self._other_wanted or wanted != self._drawn
        # a preview's picture is drawn to its end though the land itself has come: that takes several times as long
        return work.of != wanted and (work.resting or (self._jumped and not self._given_up))

    def _moving_picture(self) -> UnderWay[Target]:
        """Return the picture that is wanted while something moves, of which nothing is drawn yet."""
        scene, size = self._looks(), self._layout.area_pixels()
        water_alone = self._wanted()[:3] == self._drawn[:3]  # in a picture that rests otherwise
        scale = self._moving_scale = 1.0 if water_alone else self.drawing_scale.scale
        now, others = self._seen_columns(scene)
        self._is_part = now != (0.0, 1.0)

        def both() -> Passes[Target]:
            """The other land's picture first, and this one's, which takes the screen with it."""
            wanted = self._other_wanted
            if wanted is not None and others is not None and self._other.is_behind(wanted, 0):
                yield from self._other.passes(wanted, 1, 0, scale, others)
                yield
            if now is None and self.present.kept is not None:
                return self.present.kept  # it is drawn when it is seen, or the hand rests
            columns = None if now == (0.0, 1.0) else now
            return (yield from self._renderer.passes(scene, size, 1, 0, scale=scale, columns=columns))

        if scale == 1:
            return self._picture(both)

        def finished() -> Passes[Target]:
            target = yield from both()
            self._finish()
            return target

        # passes are short, and waiting for each would leave one core idle
        return self._picture(finished, finish=lambda: None)

    @property
    def _brings_masks(self) -> bool:
        """Return whether nothing is wanted that the finished picture lacks but masks of its land."""
        if not self._drawn or self._look.is_simple or self.waves_move:
            return False
        groups, land, size, _ = self._wanted()
        drawn = self._drawn[1].land
        same_heights = land.land is not None and drawn is not None and land.land.has_heights_of(drawn)
        return same_heights and land != self._drawn[1] and (groups, size) == (self._drawn[0], self._drawn[2])

    def _picture_at_rest(self) -> UnderWay[Target]:
        """Return what comes next where the hand rests, of which nothing is drawn yet."""
        if self._is_draft and not self._look.is_simple and not self._renderer.rests_at_once(self._looks()):
            return self._sharp_picture()
        return self._resting_picture()

    def _sharp_picture(self) -> UnderWay[Target]:
        """Return the picture that is wanted with all pixels and else as while it moves, of which nothing is drawn yet.

        It comes before one that rests where that takes long.
        """
        scene, size = self._looks(), self._layout.area_pixels()
        self._moving_scale, self._is_part = 1.0, False
        self._sharp = self._picture(lambda: self._renderer.passes(scene, size, 1, 0), resting=True)
        return self._sharp

    def _resting_picture(self) -> UnderWay[Target]:
        """Return the next frame of the picture that rests, of which nothing is drawn yet."""
        scene, size, samples = self._looks(), self._layout.area_pixels(), self._renderer.resting_samples
        number = self._refined
        wanted = self._other_wanted
        if wanted is not None and number and self._other_behind:
            of_other = self._other.next_number(wanted)
            return UnderWay(
                wanted, self._other.passes(wanted, samples, of_other, 1.0, None), self._finish, resting=True
            )
        options = FrameOptions(hurried=number == 0 and self._is_draft)  # the hand waits for all pixels
        return self._picture(lambda: self._renderer.passes(scene, size, samples, number, options=options), resting=True)

    def _seen_columns(self, scene: Scene) -> tuple[Share | None, Share | None]:
        """Return which columns of this land and of the other are to be drawn: while the camera moves, those seen."""
        whole, comparison = (0.0, 1.0), self._other.comparison
        if self._other_wanted is None or comparison is None:
            return whole, None
        moves = bool(self._drawn) and self._drawn[0]["camera"] != scene.camera
        return comparison.shown if moves and not comparison.own_views else (whole, whole)

    def _looks(self) -> Scene:
        """Return the scene as it is drawn now."""
        return self._look.of(self._session.visible)

    @property
    def _may_rehearse(self) -> bool:
        """Return whether the full look can take the place of the simple one, once it has been drawn."""
        return self._land is not None and self._look.may_end(self._session.visible)

    def _rehearsed(self) -> UnderWay[Target]:
        """Return pictures in the look to come, which nobody sees, of which nothing is drawn yet."""
        scene, size, scale = self._session.visible, self._layout.area_pixels(), self.drawing_scale.scale
        self._rehearsal = self._picture(lambda: self._look.rehearsal(scene, size, scale), resting=True)
        return self._rehearsal

    def _end_rehearsal(self) -> None:
        """Take up the look that pictures have been drawn in."""
        self._look.take_up()
        self._under_way = self._rehearsal = None
        self.draw_anew()

    def _picture(
        self, draw: Callable[[], Passes[Target]], *, resting: bool = False, finish: Callable[[], None] | None = None
    ) -> UnderWay[Target]:
        """Return the picture that is wanted, as `draw` has it drawn, of which nothing is drawn yet."""
        wanted, land = self._wanted(), self._land

        def passes() -> Passes[Target]:
            self._renderer.seconds = wanted[-1]
            if land is not None:
                self._renderer.show(land)
                yield
            return (yield from draw())

        return UnderWay(wanted, passes(), finish or self._finish, resting=resting)

    def _lift(self) -> None:
        """Lift the eye where new land, land drawn higher, or water has risen over it."""
        session = self._session
        if session.previews:
            return
        land, drawn = self._land, drawn_land(session)
        camera, exaggeration = session.scene.camera, session.visible.view.exaggeration
        is_new = land is not self._lifted_over or exaggeration != self._exaggeration
        self._lifted_over, self._exaggeration = land, exaggeration
        if drawn is None or session.land is None or camera.mode != "orbit" or session.visible.camera is not camera:
            return
        above = above_ground(camera, drawn) if is_new else camera
        above = above_water(above, session.visible, session.land)
        if above is not camera:
            session.set_camera(above)

    # -- stills --------------------------------------------------------------------------------------------------------

    def draw_still(self, still: Still, then: Callable[[Pixels], None], purpose: Purpose) -> None:
        """Have `still` drawn between the window's frames, and its pixels handed to `then`."""
        self._stills.add(still, then, purpose)
        self._loop.redraw()

    def drop_stills(self, dropped: Sequence[Still]) -> None:
        """Draw those of the stills `dropped` that wait no more."""
        if self._under_way is not None and self._under_way.of in dropped:
            self.give_up()
        self._stills.drop(dropped)

    def finish_stills(self) -> None:
        """Draw the stills that were asked for as files to their end, and nothing else any more."""
        self.give_up()
        self._stills.drop_all_but_files()
        while self._stills:
            with self._faults.guarded("drawing a picture"):
                self._stills.first.drawn()
            self._end_still()

    def _goes_before_stills(self) -> bool:
        """Return whether the window's picture comes first: under the hand, and else after each frame of a still.

        Another land does not, which would be brought to OpenGL and back for every frame.
        """
        if self._wanted() == self._drawn or self._land is not self._stills.first.field:
            return False
        return self._input.holds_something or self._still_waits is False

    def _end_still(self) -> None:
        self._stills.end(self._loop.attempt)
        if not self._stills:
            self._session.withdraw(DRAWING)
