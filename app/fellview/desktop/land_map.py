"""The map of the land in the viewer: drawn once a land, in a thread apart from the window's, and what is done on it.

While a frame is drawn nothing of the map is but its picture, the camera on it and its curves.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from fellview.core.height_field import HeightField, Heights
from fellview.core.newest import Newest
from fellview.desktop.faults import Faults
from fellview.desktop.layout import Layout
from fellview.desktop.picking import Picking, drawn_land
from fellview.draw.overlay import land_map
from fellview.draw.overlay.land_map import HEIGHT, HILLSHADE, TITLES, LandMap
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.terrain.field import Field
from fellview.terrain.pipeline import masks
from fellview.terrain.pipeline.masks import masks_there
from fellview.terrain.pipeline.pipeline import FIELDS, STEPS
from fellview.ui.map_view import MapDone, MapShown, MapView
from fellview.ui.overlays import measured_in_words
from fellview.view.aiming import aimed_at, footprint
from fellview.view.ground import above_all
from fellview.view.hypsometry import Hypsometry, hypsometry
from fellview.view.profile import Profile, profile
from fellview.view.scale import measured, spot_at

_STEP_PX, _FINER = 64, 1.25  # of the picture's sides, and its pixels to one of the screen's
_COARSER = 0.5  # of the pixels that there are: with fewer it is drawn anew, or lines would flicker
_FAR = 4.0  # times the land's diagonal: how far the camera's sight lines are drawn
_WAITS, _LOOKS = "computing the land…", "drawing the map…"


@dataclass(frozen=True)
class _Wanted:
    """What a map is drawn of; another is wanted where any of it differs."""

    heights: Heights
    kind: str
    colours: str
    sea_level: float | None
    longest: int

    def __eq__(self, other: object) -> bool:
        """Return whether both are of the same array and look alike."""
        return isinstance(other, _Wanted) and self.heights is other.heights and self._rest == other._rest

    @property
    def _rest(self) -> tuple[object, ...]:
        return self.kind, self.colours, self.sea_level, self.longest


class Parts(Protocol):
    """What the map is linked with."""

    session: Session
    picking: Picking
    faults: Faults


class MapDesk:
    """What the viewer holds of the map; `wake` ends the window's wait."""

    def __init__(self, parts: Parts, layout: Layout, make_textures: Callable[[], Thumbnails], wake: Callable[[], None]):
        self._parts, self._layout, self._make_textures, self._wake = parts, layout, make_textures, wake
        self.kind = HILLSHADE
        """What the map shows: `HILLSHADE`, `HEIGHT` or a mask's name."""
        self._view = MapView()
        self._done = MapDone()
        self._threads = ThreadPoolExecutor(1, "fellview-map")
        self._drawing: Future[tuple[LandMap, Hypsometry]] | None = None
        self._wanted: _Wanted | None = None  # of what is drawn, or is being drawn
        self._textures: Thumbnails | None = None
        self._texture: int | None = None
        self._found: tuple[LandMap, Hypsometry] | None = None
        self._profile: Newest[Profile] = Newest()

    @property
    def shown(self) -> bool:
        """Return whether the map is open."""
        return bool(self._layout.map_where)

    @property
    def wanted_masks(self) -> frozenset[str]:
        """The masks that the land is to come with for the map."""
        return frozenset({self.kind} & FIELDS.keys()) if self.shown else frozenset()

    def close(self) -> None:
        """End the thread; a map that is being drawn is nobody's any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    # -- the picture ---------------------------------------------------------------------------------------------------

    def advance(self) -> bool:
        """Have the map of a new land drawn, and take in what has come; return whether a frame is wanted."""
        if not self.shown:
            return False
        changed = self._take()
        wanted = self._want()
        if self._drawing is None and wanted is not None and wanted != self._wanted:
            self._begin(wanted)
        return changed

    def _want(self) -> _Wanted | None:
        """Return what the map is to be of; none as long as the land or its mask has not come."""
        session, kind = self._parts.session, self.kind
        seen = _FINER * max(self._view.picture_size) * self._layout.pixels_a_unit
        if not session.settled or session.result is None or session.before or not seen:
            return None
        field, scene = session.result.field, session.visible
        if kind in FIELDS and (not session.complete or kind not in (masks_there(field, scene.water) or {})):
            return None
        sea = scene.water.sea_level if scene.water.enabled and scene.water.sea else None
        longest = max(_STEP_PX * round(seen / _STEP_PX), _STEP_PX)
        if self._wanted is not None and _COARSER * self._wanted.longest <= longest <= self._wanted.longest:
            longest = self._wanted.longest  # the pane has become a little smaller, as it does for a profile
        return _Wanted(field.heights, kind, scene.view.colours if kind == HEIGHT else "", sea, longest)

    def _begin(self, wanted: _Wanted) -> None:
        session = self._parts.session
        assert session.result is not None
        self._wanted = wanted
        plain = HeightField(wanted.heights, session.result.field.cell_size)
        mask: tuple[Field, Heights] | None = None
        if wanted.kind in FIELDS:
            there = masks_there(session.result.field, session.visible.water)
            assert there is not None
            mask = FIELDS[wanted.kind], there[wanted.kind]

        def draw() -> tuple[LandMap, Hypsometry]:
            picture = land_map.land_map(plain, wanted.longest, mask, wanted.colours, wanted.sea_level)
            return picture, hypsometry(wanted.heights)

        self._drawing = self._threads.submit(draw)
        self._drawing.add_done_callback(lambda _: self._wake())

    def _take(self) -> bool:
        """Take in a map that has been drawn; return whether there was one."""
        if self._drawing is None or not self._drawing.done():
            return False
        drawing, self._drawing = self._drawing, None
        with self._parts.faults.guarded("drawing the map"):
            self._found = drawing.result()
            self._textures = self._textures or self._make_textures()
            self._texture = self._textures.put("map", self._found[0].pixels)
        return True

    # -- the frame -----------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the map in its part of the window, where it is open."""
        self._done = MapDone()
        if self.shown and not self._layout.bare:
            self._done = self._view.draw(self._what_is_shown(), self._layout.panel.map_rect)

    def obey(self) -> list[str]:
        """Do what the person did on the map; return the actions that were pressed."""
        done, self._done = self._done, MapDone()
        if done.kind is not None:
            self.kind = done.kind
        if done.line is not None:
            self._parts.picking.measuring = list(done.line)
        session, drawn = self._parts.session, drawn_land(self._parts.session)
        if done.aim is not None and drawn is not None and session.land is not None:
            aimed = aimed_at(session.scene.camera, drawn, self._layout.area_pixels(), done.aim)
            session.set_camera(above_all(session.visible.with_group(aimed), session.land))
        return done.actions

    def _what_is_shown(self) -> MapShown:
        session = self._parts.session
        scene, land = session.visible, session.land
        kinds = (*TITLES.items(), *_masks(scene))
        size = scene.grid.size_z, scene.grid.size_x
        if land is None:
            return MapShown(kinds, self.kind, size, wait=_WAITS)
        is_old = self._wanted is None or self._want() != self._wanted or self._drawing is not None
        wait = (_WAITS if session.busy or not session.complete else _LOOKS) if is_old and self._texture is None else ""
        picture, found = self._found or (None, None)
        camera, pixels = session.scene.camera, self._layout.area_pixels()
        mean = (found.mean if found else sum(land.height_range) / 2) * scene.view.exaggeration
        far = _FAR * (size[0] ** 2 + size[1] ** 2) ** 0.5
        line = tuple(self._parts.picking.measuring)
        is_whole = len(line) == 2
        return MapShown(
            kinds,
            self.kind,
            size,
            self._texture,
            wait,
            picture.legend if picture else None,
            (camera.x, camera.z),
            footprint(camera, pixels, mean, far),
            line,
            self._profile_along(land) if is_whole else None,
            measured_in_words(measured(*(spot_at(land, *place) for place in line))) if is_whole else "",
            found,
            self._layout.map_where == "whole",
        )

    def _profile_along(self, land: HeightField) -> Profile:
        start, end = self._parts.picking.measuring
        return self._profile.of((land, start, end), lambda: profile(land, start, end))


def _masks(scene: Scene) -> list[tuple[str, str]]:
    """Return name and title of the masks that the land of `scene` has."""
    groups = scene.groups()
    fields = [*masks.FIELDS, *(field for step in STEPS if step.active(groups[step.key]) for field in step.fields)]
    return [(field.name, field.title) for field in fields]
