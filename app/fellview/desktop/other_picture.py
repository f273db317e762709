"""The land that the window's is compared with: what it is, its heights, and the finished picture of it.

It is drawn by a renderer of its own, which is made when it is first wanted, so that neither land is brought to OpenGL
anew when the other one is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fellview.core.height_field import HeightField
from fellview.core.newest import Newest
from fellview.draw.ground import cover
from fellview.draw.passes import Passes
from fellview.draw.present import PresentPass
from fellview.draw.renderer import Renderer
from fellview.draw.simple_look import simple
from fellview.draw.target import Size, Target
from fellview.draw.water.water import drawn_masks
from fellview.scene.groups.view_modes import DIFFERENCE
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio import height_difference
from fellview.studio.comparison import Comparison, Share

_USUAL = Comparison()  # which the view mode stands for without another


@dataclass(frozen=True)
class Shows:
    """What a picture of it shows, and is out of date without."""

    scene: Scene
    land: int
    size: Size


class OtherPicture:
    """Keeps the picture; `comparison` says what with and how, none that nothing is compared.

    `make_renderer` and `make_present` are called when there is first something to draw.
    """

    def __init__(
        self, session: Session, make_renderer: Callable[[], Renderer], make_present: Callable[[], PresentPass]
    ) -> None:
        self._session = session
        self._make_renderer, self._make_present = make_renderer, make_present
        self.comparison: Comparison | None = None
        self.shows: Shows | None = None
        """What the finished picture shows; none where there is no picture."""
        self.refined = 0
        """Frames of a picture at rest that are drawn of it."""
        self._has_all = False  # of the picture's columns
        self._renderer: Renderer | None = None
        self._present: PresentPass | None = None
        self._scenes: Newest[tuple[Scene, Scene]] = Newest()
        self._asked: tuple[Scene, Scene] | None = None  # whose lands are wanted
        self._onto: Newest[HeightField] = Newest()
        self.between: HeightField | None = None
        """A land on its way from one to the other, drawn in the place of the window's."""

    @property
    def scene(self) -> Scene | None:
        """The old scene of two that are compared, as one looks at the window's; none where nothing is compared."""
        scenes = self.scenes
        return None if scenes is None else scenes[0]

    @property
    def scenes(self) -> tuple[Scene, Scene] | None:
        """Both scenes that are compared, old and new, as one looks at the window's; none where nothing is compared."""
        now, home, comparison = self._session.scene, self._session.home, self.comparison
        if comparison is None and now.view.mode == DIFFERENCE:
            comparison = _USUAL
        if comparison is None:
            return None
        return self._scenes.of((now, home, comparison), lambda: comparison.scenes(now, home))

    def want(self) -> None:
        """Have its land, with the masks that drawing it makes use of, and what it is compared with in the window."""
        session, scenes = self._session, self.scenes
        if scenes is self._asked:
            return  # every turn of the loop asks
        self._asked = scenes
        comparison = self.comparison
        instead = None if comparison is None else comparison.instead(session.home)
        session.show_instead(instead, comparison is not None and comparison.own_views)
        if scenes is None:
            session.compare(None)
        else:
            old, _ = scenes
            session.compare(old, drawn_masks(old.water) | cover.masks(old))

    def onto(self, land: HeightField | None) -> HeightField | None:
        """Return `land`, or what is drawn in its place.

        Where it is looked at with how much higher it is than the one it is compared with, that is with it.
        """
        if self.between is not None:
            return self.between
        other = self._session.compared
        if land is None or other is None or self._session.visible.view.mode != DIFFERENCE:
            return land
        return self._onto.of((land, other), lambda: height_difference.with_difference(other, land))

    # -- its picture -------------------------------------------------------------------------------------------------

    def wanted(self, size: Size, is_simple: bool) -> Shows | None:
        """Return what a picture of it is to show; none where none is wanted, or its land is still to come."""
        scene, land = self.scene, self._session.compared
        if self.comparison is None or self.comparison.way == DIFFERENCE or not self.comparison.draws_old:
            return None
        if scene is None or land is None:
            return None
        return Shows(simple(scene) if is_simple else scene, id(land), size)

    def is_behind(self, wanted: Shows | None, refined: int) -> bool:
        """Return whether its picture is not what is `wanted`, or drawn in fewer than `refined` frames."""
        return wanted is not None and (wanted != self.shows or not self._has_all or self.refined < refined)

    def passes(self, wanted: Shows, samples: int, number: int, scale: float, columns: Share | None) -> Passes[Target]:
        """Draw frame `number` of its picture as the renderer does, and keep it."""
        renderer, land = self._drawn_by(), self._session.compared
        assert land is not None
        renderer.show(land)
        yield
        target = yield from renderer.passes(
            wanted.scene, wanted.size, samples, number, scale=scale, columns=None if columns == (0.0, 1.0) else columns
        )
        self._present = self._present or self._make_present()
        self._present.keep(target)
        self.shows, self._has_all = wanted, columns in (None, (0.0, 1.0))
        self.refined = number + 1 if samples > 1 else 0
        return target

    def next_number(self, wanted: Shows) -> int:
        """Return which frame of a picture at rest comes next."""
        return self.refined if wanted == self.shows and self._has_all else 0

    def give_up(self, wanted: Shows, frames: int) -> None:
        """Have a picture that cannot be drawn asked for no more."""
        self.shows, self._has_all, self.refined = wanted, True, frames

    @property
    def present(self) -> PresentPass | None:
        """What holds the finished picture; none where there is none to show."""
        return self._present if self.shows is not None and self._present is not None else None

    def forget(self) -> None:
        """Have no picture to show until one of what is compared from now on is drawn."""
        self.shows = None

    def _drawn_by(self) -> Renderer:
        if self._renderer is None:
            self._renderer = self._make_renderer()
        return self._renderer
