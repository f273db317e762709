"""The shelf in the viewer: what is kept and shown, and where its thumbnails come from.

A land that is kept as it is seen has what the window draws for a thumbnail, one off the board the board's picture. What
is missing is drawn by the process of thumbnails, while the board wants nothing of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from PIL import Image

from fellview import paths
from fellview.core.newest import Newest
from fellview.desktop import window
from fellview.desktop.board import BoardDesk
from fellview.desktop.faults import Faults
from fellview.desktop.pictures import Pictures
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.io.reading import Reading
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio import presets, project
from fellview.studio.comparison import Side
from fellview.studio.project import Pixels, Project
from fellview.studio.shelf import Shelf, Variant
from fellview.ui.shelf import THUMBNAIL
from fellview.ui.status import Kept, Order, Shelved

SIZE = round(THUMBNAIL[0] * 1.5), round(THUMBNAIL[1] * 1.5)
"""Width and height of a stored thumbnail in pixels: for screens of up to half as many pixels more than units."""

_LIMIT_S = 60.0  # on a machine that does much else


class ShelfDesk:
    """What the viewer holds of the shelf beside the session: what is chosen, and thumbnails by id."""

    def __init__(
        self,
        session: Session,
        board: BoardDesk,
        pictures: Pictures,
        compare: Callable[[Side], None],
        thumbnails: Thumbnails,
        faults: Faults,
        redraw: Callable[[], None],
    ) -> None:
        self._session, self._board, self._pictures, self._compare = session, board, pictures, compare
        self._textures, self._faults, self._redraw = thumbnails, faults, redraw
        self.shown = True
        self.chosen: str | None = None
        """The id of the land that was kept or shown last."""
        self.pixels: dict[str, Pixels] = {}
        """Thumbnails, by id; those of lands that are gone stay for undo."""
        self._written: set[str] = set()  # the ids of thumbnails whose files are there
        self._strip: Newest[Shelved] = Newest()
        self._seen: Shelf | None = None
        self._reading: Reading[Mapping[str, Pixels]] | None = None
        self._asked: tuple[Scene, ...] = ()
        self.own = Project(Shelf())
        """The person's own presets."""
        state = paths.state_folder()
        self._reading_own: Reading[Project] | None = Reading(
            "presets", lambda: presets.load(state), window.wake, _LIMIT_S
        )
        self._load(session.store.thumbnails)

    def _load(self, folder: Path) -> None:
        """Take thumbnails that lie in `folder`, apart from the window."""
        shelf = self._session.shelf
        if shelf.variants:
            self._reading = Reading("thumbnails", lambda: project.load_thumbnails(folder, shelf), window.wake, _LIMIT_S)

    # -- what is kept --------------------------------------------------------------------------------------------------

    def keep(self, scene: Scene) -> None:
        """Keep `scene`, in one undo step; `InputError` where there is no room."""
        shelf = self._session.shelf.keep(scene)
        variant = shelf.variants[-1]
        if (pixels := self._picture_of(variant.scene)) is not None:
            self._put(variant.id, pixels)
        self._set(shelf, f"Keep {variant.name}")
        self.chosen, self.shown = variant.id, True

    def keep_what_is_seen(self) -> None:
        """Keep the land under the pointer on the board, or else the land that is there."""
        self.keep(self._board.under_pointer or self._session.scene)

    def open(self, opened: Project, name: str) -> None:
        """Have the lands of a project on the shelf, in one undo step, and tell of it."""
        before = len(self._session.shelf)
        self._set(opened.shelf, f"Open {name}")
        self.take(opened)
        told = f"Opened {name}: {len(opened.shelf)} lands"
        self._session.notify(f"{told}; Undo brings back the {before} from before" if before else told, passing=True)

    def open_session(self, scene: Scene, notices: list[str], left: Project) -> None:
        """Work on what another window was left with: its `scene`, and its kept lands behind the own ones."""
        before = len(self._session.shelf)
        self._session.open(scene, notices, self._session.shelf.add(left.shelf))
        self.take(left)
        if more := len(self._session.shelf) - before:
            self._session.notify(f"{more} kept land{'s' if more > 1 else ''} came with it", passing=True)

    def take(self, opened: Project) -> None:
        """Take the thumbnails of a project whose lands are on the shelf, and tell what is to be told of it."""
        for id, pixels in opened.thumbnails.items():
            self._put(id, fitted(pixels))
        for text in opened.notices:
            self._session.notify(text)
        self.chosen, self.shown = None, True

    def obey(self, order: Order) -> None:
        """Do what the person has done in the strip."""
        shelf = self._session.shelf
        if not shelf.has(order.id):
            return
        variant = shelf[order.id]
        match order.what:
            case "show":
                self.show(variant)
            case "rename":
                self._set(shelf.rename(order.id, order.name), f"Rename {order.name}")
            case "star":
                self._set(shelf.star(order.id, not variant.star), f"Star {variant.name}")
            case "move":
                self._set(shelf.move(order.id, order.place), f"Move {variant.name}")
            case "duplicate":
                self.duplicate(variant)
            case "delete":
                self.delete(variant)
            case "compare":
                self._compare(Side(variant.name, variant.scene))
            case "preset":
                self.own = presets.add(paths.state_folder(), variant, self.pixels.get(variant.id))
                self._show_own()
                self._session.notify(f"{variant.name} stands in the list of scenes", passing=True)

    def open_own(self, id: str) -> None:
        """Open an own preset."""
        variant = self.own.shelf[id]
        self._session.open(dataclasses.replace(variant.scene, name=variant.name))

    def forget(self, id: str) -> None:
        """Take an own preset out of the list of scenes."""
        self.own = presets.remove(paths.state_folder(), id)
        self._redraw()

    def _show_own(self) -> None:
        """Have the thumbnails of own presets in textures."""
        for id, pixels in self.own.thumbnails.items():
            if self._textures.id(id) is None:
                self._put(id, pixels, write=False)
        self._redraw()

    @property
    def own_presets(self) -> tuple[Kept, ...]:
        """The own presets in the list of scenes."""
        return tuple(Kept(one, self._textures.id(one.id)) for one in self.own.shelf.variants)

    def show(self, variant: Variant) -> None:
        """Work on a kept land from now on."""
        self.chosen = variant.id
        self._session.show(variant)

    def duplicate(self, variant: Variant) -> None:
        """Put a copy of a kept land behind it."""
        shelf = self._session.shelf.duplicate(variant.id)
        copy = shelf.variants[shelf.place(variant.id) + 1]
        if variant.id in self.pixels:
            self._put(copy.id, self.pixels[variant.id])
        self._set(shelf, f"Duplicate {variant.name}")
        self.chosen = copy.id

    def delete(self, variant: Variant) -> None:
        """Take a land off the shelf; the one in its place is chosen."""
        shelf, place = self._session.shelf, self._session.shelf.place(variant.id)
        self._set(left := shelf.delete(variant.id), f"Delete {variant.name}")
        self.chosen = left.variants[min(place, len(left) - 1)].id if left.variants else None

    def neighbour(self, step: int) -> Variant | None:
        """Return the kept land that many places after the chosen one, as far as there are; none of an empty shelf."""
        variants = self._session.shelf.variants
        if not variants:
            return None
        if not self._session.shelf.has(self.chosen):
            return variants[0 if step > 0 else -1]
        assert self.chosen is not None
        place = self._session.shelf.place(self.chosen) + step
        return variants[min(max(place, 0), len(variants) - 1)]

    @property
    def chosen_variant(self) -> Variant | None:
        """The land that was kept or shown last, where it is still kept."""
        shelf = self._session.shelf
        return shelf[self.chosen] if self.chosen is not None and shelf.has(self.chosen) else None

    def _set(self, shelf: Shelf, label: str) -> None:
        self._session.set_shelf(shelf, label)
        self._redraw()

    # -- what is drawn -------------------------------------------------------------------------------------------------

    @property
    def strip(self) -> Shelved | None:
        """What the strip shows; none where it is off or nothing is kept."""
        shelf, scene = self._session.shelf, self._session.scene
        if not self.shown or not shelf.variants:
            return None
        return self._strip.of((shelf, scene, self.chosen), lambda: Shelved(tuple(map(self._kept, shelf.variants))))

    def _kept(self, one: Variant) -> Kept:
        is_now = not one.scene.changed_since(self._session.scene)
        return Kept(one, self._textures.id(one.id), is_now, one.id == self.chosen)

    def advance(self) -> None:
        """Take thumbnails in that have come, and ask for those that are missing."""
        shelf = self._session.shelf
        if self._reading is not None and self._reading.over:
            reading, self._reading = self._reading, None
            with self._faults.guarded("reading thumbnails"):
                for id, pixels in reading.result().items():
                    self._put(id, pixels, write=False)
                    self._written.add(id)
            self._redraw()
        if self._reading_own is not None and self._reading_own.over:
            own, self._reading_own = self._reading_own, None
            with self._faults.guarded("reading own presets"):
                self.own = own.result()
                self._show_own()
        for scene, pixels, is_last in self._board.take_others("shelf"):
            for one in shelf.variants:
                if one.scene == scene:
                    self._put(one.id, pixels, write=is_last)
            self._redraw()
            if is_last:
                self._asked = tuple(other for other in self._asked if other != scene)
        if shelf is not self._seen and self._reading is None:
            self._seen = shelf
            self._asked = tuple(dict.fromkeys(one.scene for one in shelf.variants if one.id not in self.pixels))
            self._write({one.id for one in shelf.variants if one.id in self.pixels} - self._written)
        self._board.others["shelf"] = self._asked if self.shown else ()

    def _put(self, id: str, pixels: Pixels, write: bool = True) -> None:
        """Take `pixels` for the thumbnail of that id, and have it written."""
        self.pixels[id] = pixels
        self._textures.put(id, pixels)
        self._strip = Newest()
        if write and self._session.shelf.has(id):
            self._write({id})

    def _write(self, ids: set[str]) -> None:
        """Have the thumbnails of these lands of the shelf written, and those of no land on it removed."""
        shelf = self._session.shelf
        self._session.store.keep_thumbnails(shelf, {id: self.pixels[id] for id in ids})
        self._written = {id for id in self._written | ids if shelf.has(id)}

    def _picture_of(self, scene: Scene) -> Pixels | None:
        """Return what is seen of `scene` already, as a thumbnail; none where nothing is."""
        found = self._board.picture_of(scene)
        if scene == self._session.scene and found is None:
            found = self._pictures.seen()
        return None if found is None else fitted(found)


def fitted(pixels: Pixels) -> Pixels:
    """Return the middle of a picture as a thumbnail, uint8 [row, column, rgb]."""
    wide, high = SIZE
    rows, columns = pixels.shape[:2]
    width, height = min(columns, round(rows * wide / high)), min(rows, round(columns * high / wide))
    left, top = (columns - width) // 2, (rows - height) // 2
    image = Image.fromarray(np.ascontiguousarray(pixels[top : top + height, left : left + width, :3]))
    return np.asarray(image.resize(SIZE, Image.Resampling.BOX if width > wide else Image.Resampling.BILINEAR))
