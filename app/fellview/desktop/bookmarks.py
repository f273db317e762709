"""Bookmarks in the viewer: set, flown to, renamed and deleted; their list, with thumbnails drawn between frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from fellview.capture.capture import Still
from fellview.desktop.input import Input
from fellview.desktop.layout import Layout
from fellview.desktop.pictures import Pictures
from fellview.desktop.stills import Pixels
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.draw.renderer import Renderer
from fellview.scene import bookmarks
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.session.session import Session
from fellview.ui import bookmarks as view
from fellview.ui.actions import BOOKMARK, SET_BOOKMARK, shortcut
from fellview.ui.bookmarks import THUMBNAIL, BookmarksView
from fellview.ui.windows import Rectangle

_SIZE = round(THUMBNAIL[0] * 1.5), round(THUMBNAIL[1] * 1.5)  # for screens of up to half as many pixels more than units


class BookmarksDesk:
    """What the viewer holds of the list. Thumbnails show the land as it is; those of before stand until then."""

    def __init__(
        self,
        session: Session,
        layout: Layout,
        gestures: Input,
        pictures: Pictures,
        renderer: Renderer,
        thumbnails: Thumbnails,
    ) -> None:
        self._session, self._layout, self._input = session, layout, gestures
        self._pictures, self._renderer, self._thumbnails = pictures, renderer, thumbnails
        self._view = BookmarksView()
        self._answer = view.Answer()
        self._drawn: dict[int, tuple[Any, ...]] = {}  # what thumbnails show, or will, by number
        self._stills: dict[int, Still] = {}

    # -- what is done --------------------------------------------------------------------------------------------------

    def set(self, number: int) -> None:
        """Have the scene remember the camera as a bookmark, which keeps its name where it has one."""
        scene, before = self._session.scene, bookmarks.numbered(self._session.scene.bookmarks, number)
        name = before.name if before else f"View {number}"
        self._put(Bookmark(number, name, bookmarks.rounded(scene.camera)), f"Bookmark {number}")
        told = f"{name} is bookmark {number}; {shortcut(f'{BOOKMARK}{number}')} flies there"
        self._session.notify(told, passing=True)

    def fly(self, number: int) -> None:
        """Fly to a bookmark, as far as there is a land to fly over."""
        session = self._session
        found = bookmarks.numbered(session.scene.bookmarks, number)
        if found is None:
            key = shortcut(f"{SET_BOOKMARK}{number}")
            session.notify(f"Bookmark {number} is not set; {key} sets it to the camera as it is", passing=True)
            return
        self._input.fly_to(found.camera)

    def rename(self, number: int, name: str) -> None:
        """Give a bookmark another name."""
        found = bookmarks.numbered(self._session.scene.bookmarks, number)
        if found is not None:
            self._put(dataclasses.replace(found, name=name), f"Rename bookmark {number}")

    def delete(self, number: int) -> None:
        """Take a bookmark out of the scene."""
        scene = self._session.scene
        left = dataclasses.replace(scene, bookmarks=bookmarks.without(scene.bookmarks, number))
        self._session.set(left, f"Delete bookmark {number}")

    def _put(self, one: Bookmark, label: str) -> None:
        scene = self._session.scene
        marked = dataclasses.replace(scene, bookmarks=bookmarks.with_bookmark(scene.bookmarks, one))
        self._session.set(marked, label)

    # -- the list ------------------------------------------------------------------------------------------------------

    def draw(self, scene: Rectangle) -> None:
        """Draw the list over the landscape `scene`; `apply` does what a person has done there."""
        now = self._session.scene
        ids = {key: id for key, id in self._thumbnails.ids().items() if isinstance(key, int)}
        self._answer = self._view.draw(now.bookmarks, bookmarks.rounded(now.camera), ids, scene)

    def apply(self) -> bool:
        """Do what a person has done in the last frame; return whether the list stays open."""
        answer = self._answer
        match answer.what:
            case "fly":
                self.fly(answer.number)
            case "set":
                self.set(answer.number)
            case "rename":
                self.rename(answer.number, answer.name)
            case "delete":
                self.delete(answer.number)
        return answer.stays

    def advance(self, *, wanted: bool) -> None:
        """Have thumbnails drawn that are `wanted` and out of date, while the land is whole and no hand at work."""
        session = self._session
        marked = {one.number: one.camera for one in session.scene.bookmarks}
        for number in self._drawn.keys() - marked.keys() if wanted else tuple(self._stills):
            self._drop(number)
        at_rest = session.complete and not session.shows_other and self._layout.panel.active.gesture is None
        if not (wanted and marked and at_rest) or session.land is None:
            return
        looks = self._looks()
        for number, camera in marked.items():
            if self._drawn.get(number) != (wants := (looks, camera)):
                self._drop(number)
                self._drawn[number] = wants
                scene = session.visible.with_group(camera)
                still = self._stills[number] = Still(self._renderer, scene, session.land, _SIZE, 1)
                self._pictures.draw_still(still, self._keeper(number), "thumbnail")

    def _looks(self) -> tuple[Any, ...]:
        """Return what all thumbnails depend on: the land and its look."""
        seen = self._session.visible.with_group(Camera())
        return tuple(seen.groups().values()), id(self._session.land)

    def _keeper(self, number: int) -> Callable[[Pixels], None]:
        """Return what keeps the picture of a bookmark."""

        def keep(pixels: Pixels) -> None:
            self._stills.pop(number, None)
            self._thumbnails.put(number, pixels)

        return keep

    def _drop(self, number: int) -> None:
        """Draw the thumbnail of a bookmark no more, where it waits."""
        self._drawn.pop(number, None)
        if (still := self._stills.pop(number, None)) is not None:
            self._pictures.drop_stills([still])
