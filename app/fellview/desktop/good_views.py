"""Good views of the window's land: looked for apart from the window, drawn small between its frames, chosen by a click.

Where a new seed has left the camera behind a hill, a notice offers them. What they show is the scene as it is, in its
light: they are looked for anew when that has changed and the hand rests.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fellview.capture.capture import Still
from fellview.core.height_field import HeightField
from fellview.desktop import window
from fellview.desktop.faults import Faults
from fellview.desktop.layout import Layout
from fellview.desktop.picking import drawn_land
from fellview.desktop.pictures import Pictures
from fellview.desktop.stills import Pixels
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.draw.renderer import Renderer
from fellview.io.reading import Reading
from fellview.scene.groups.camera import Camera
from fellview.session.session import Session
from fellview.terrain.pipeline.masks import masks_there
from fellview.ui.actions import shortcut
from fellview.ui.status import Strip, Thumbnail
from fellview.view.ground import above_all
from fellview.viewpoints.blocked import is_blocked
from fellview.viewpoints.find import MOST, View, find

_WIDTH_PX = 240  # of a thumbnail: as wide as the strip shows it in a window of 1920 pixels, a sixth more
_LARGE_PX = 480  # of the one that the pointer rests on
_ASPECTS = (1.0, 2.4)  # width by height, of windows that one looks at land in
_LIMIT_S = 60.0  # on a machine that does much else
_LOOKING = "looking around…"
_NONE = "the ground is in the way wherever one stands"


class GoodViews:
    """Whether the strip of good views is shown, and what is in it."""

    def __init__(
        self,
        session: Session,
        layout: Layout,
        pictures: Pictures,
        renderer: Renderer,
        thumbnails: Thumbnails,
        faults: Faults,
        redraw: Callable[[], None],
        fly_to: Callable[[Camera], None],
    ) -> None:
        self._session, self._layout, self._pictures = session, layout, pictures
        self._renderer, self._thumbnails, self._faults, self._redraw = renderer, thumbnails, faults, redraw
        self._fly_to = fly_to
        self.shown = False
        self._looking: Reading[tuple[View, ...]] | None = None
        self._looked_over: tuple[Any, ...] = ()  # what the views are of, or will be
        self._views: tuple[View, ...] = ()
        self._textures: dict[int, int] = {}  # by the number of the view
        self._stills: list[Still] = []
        self._large: int | None = None  # the number of the view that is to be seen large
        self._large_texture: tuple[int, int] | None = None  # and of the one that is
        self._seed = session.scene.noise.seed

    def toggle(self) -> None:
        """Look for good views, or close the strip."""
        if self.shown:
            self.close()
        else:
            self.shown = True
            self._redraw()

    def close(self) -> None:
        """Close the strip, and draw no more thumbnails."""
        self.shown, self._looking, self._looked_over = False, None, ()
        self._forget()
        self._redraw()

    def choose(self, number: int) -> None:
        """Fly to one of the views."""
        self._fly_to(self._views[number].camera)
        self._redraw()

    def enlarge(self, number: int | None) -> None:
        """Have one of the views drawn large."""
        if number is None or number == self._large or number >= len(self._views):
            return
        self._large = number
        size = (_LARGE_PX, round(_LARGE_PX / self._aspect))
        self._draw(number, size, partial(self._keep_large, number))

    @property
    def strip(self) -> Strip | None:
        """What is shown; none where the strip is closed."""
        if not self.shown:
            return None
        camera = self._session.scene.camera
        thumbnails = tuple(
            Thumbnail(self._textures.get(number), view.camera == camera) for number, view in enumerate(self._views)
        )
        if self._is_old():
            return Strip(thumbnails or (Thumbnail(),) * MOST, self._aspect, _LOOKING)
        return Strip(thumbnails, self._aspect, "" if self._views else _NONE, self._large_texture)

    def take(self) -> None:
        """Look for views where they are wanted, take those that were found in, and tell of a view that is blocked."""
        session = self._session
        if not session.complete or session.before:
            return
        if session.scene.noise.seed != self._seed:
            self._seed = session.scene.noise.seed
            self._tell_where_blocked()
        if self._looking is not None and self._looking.over:
            looking, self._looking = self._looking, None
            found: tuple[View, ...] = ()
            with self._faults.guarded("finding views"):
                found = looking.result()
            if self.shown and self._looked_over == self._wanted():
                self._show(found)
            self._redraw()
        at_rest = self._looking is None and self._layout.panel.active.gesture is None
        if self.shown and at_rest and self._looked_over != self._wanted():
            self._look()

    def _look(self) -> None:
        """Begin to look for views of the land that is there."""
        scene, field, aspect = self._session.visible, self._session.land, self._aspect
        assert field is not None
        self._looked_over = self._wanted()
        # read back here, for a GPU answers no other thread
        masks = masks_there(field, scene.water) or {}
        lakes = {name: masks[name] for name in ("lake_depth",) if scene.water.lakes and name in masks}
        plain = HeightField(field.heights, field.cell_size, lakes)
        self._looking = Reading("good views", lambda: find(scene, plain, MOST, aspect), window.wake, _LIMIT_S)

    def _show(self, views: tuple[View, ...]) -> None:
        """Have the thumbnails of `views` drawn."""
        self._forget()
        self._views = views
        size = (_WIDTH_PX, round(_WIDTH_PX / self._aspect))
        for number in range(len(views)):
            self._draw(number, size, partial(self._keep, number))

    def _draw(self, number: int, size: tuple[int, int], then: Callable[[Pixels], None]) -> None:
        """Have a view drawn, and its pixels handed to `then`."""
        scene, field = self._session.visible, self._session.land
        assert field is not None
        still = Still(self._renderer, scene.with_group(self._views[number].camera), field, size, 1)
        self._stills.append(still)
        self._pictures.draw_still(still, then, "thumbnail")

    def _keep(self, number: int, pixels: Pixels) -> None:
        self._textures[number] = self._thumbnails.put(number, pixels)

    def _keep_large(self, number: int, pixels: Pixels) -> None:
        self._large_texture = number, self._thumbnails.put("large", pixels)
        self._redraw()

    def _forget(self) -> None:
        """Show no thumbnail any more, and draw none of those that are still to be drawn."""
        self._pictures.drop_stills(self._stills)
        self._views, self._textures, self._stills = (), {}, []
        self._large = self._large_texture = None

    @property
    def _aspect(self) -> float:
        """Width by height of the thumbnails: of the landscape's part of the window, where that is a usual one."""
        width, height = self._layout.area_pixels()
        return min(max(width / max(height, 1), _ASPECTS[0]), _ASPECTS[1])

    def _wanted(self) -> tuple[Any, ...]:
        """Return what good views depend on: the land and its look, and of the camera the lens."""
        scene = self._session.visible
        placed = scene.with_group(Camera(field_of_view=scene.camera.field_of_view, mode=scene.camera.mode))
        return placed, id(self._session.land), round(self._aspect, 1)

    def _is_old(self) -> bool:
        return self._looking is not None or not self._session.complete or self._looked_over != self._wanted()

    def _tell_where_blocked(self) -> None:
        """Offer good views where near ground is in the way of the camera."""
        scene, land, drawn = self._session.visible, self._session.land, drawn_land(self._session)
        if land is None or drawn is None:
            return
        if is_blocked(above_all(scene, land), drawn, self._aspect):
            offer = f"The ground is in the way of this view; {shortcut('views')} finds good ones"
            self._session.notify(offer, passing=True)
