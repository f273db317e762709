"""The board and the previews along a slider in the viewer: what they wish for, and what has come of it."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fellview.desktop.window import Extent
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.scene.groups.camera import Camera
from fellview.scene.locks import Locks
from fellview.scene.scene import Scene
from fellview.thumbnails.messages import Disperse, Drawn, Failed, Found, Look, Measured, Wish
from fellview.thumbnails.painter import LEVELS
from fellview.thumbnails.process import ThumbnailProcesses
from fellview.ui import along_slider
from fellview.ui import board as view
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.board_view import BoardView
from fellview.ui.windows import Rectangle
from fellview.variants.disperse import Spread

OTHERS_SIZE = (336, 189)  # pixels, of pictures for others than the board
MOST_PICTURES = 60  # that the window keeps: two boards of 5 × 5, and a strip along a slider

Pixels = NDArray[np.uint8]


class BoardDesk:
    """What the viewer holds of the board; `state` is what the person has set. `wake` ends the window's wait."""

    def __init__(self, make_pictures: Callable[[], Thumbnails], wake: Callable[[], None]) -> None:
        self._make_pictures = make_pictures
        self._processes = ThumbnailProcesses(wake)
        self._view = BoardView()
        self._strip = along_slider.Strip()
        self.state = view.Board()
        self._pictures: Thumbnails | None = None
        self._number = 0
        self._asked: tuple[object, ...] = ()
        self._scenes: tuple[Scene, ...] = ()  # of the newest wish
        self._kind: tuple[object, ...] = ()  # size of the pictures on the board, and from where
        self._levels: dict[Scene, int] = {}
        self._pixels: dict[Scene, Pixels] = {}  # of those on the board
        self._is_large = False  # the newest wish: of the one under the pointer
        self._large: tuple[Scene, int] | None = None
        self._faults: dict[Scene, str] = {}
        self._cameras: dict[Scene, Camera] = {}  # good views that pictures show
        self._measured: float | None = None
        self._spread: Spread | None = None  # that was asked for last
        self._base: Scene | None = None  # what the pictures by chance are of
        self._ratio = 1.0
        self.others: dict[str, tuple[Scene, ...]] = {}
        """Scenes whose thumbnails are wanted while the board wants nothing, whole and from their own cameras, by what
        wants them."""
        self._is_of_others = False  # the newest wish
        self._of_others: dict[str, list[tuple[Scene, Pixels, bool]]] = {}

    def toggle(self, scene: Scene) -> None:
        """Open the board over `scene`, or close it."""
        if self.state.shown:
            self.state = dataclasses.replace(self.state, shown=False, under=None)
        else:
            self.state = view.opened(self.state, scene)
            self._base = scene

    @property
    def busy(self) -> bool:
        """Return whether pictures are still to come."""
        return bool(self._left or self._measured is not None)

    @property
    def holding(self) -> bool:
        """Return whether a field of the board is typed into."""
        return self.state.shown and self._view.holding

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event."""
        waits = self._strip.wake_after, self._view.wake_after if self.state.shown else None
        return min((wait for wait in waits if wait is not None), default=None)

    def take_extent(self, extent: Extent) -> None:
        """Take how many pixels a unit of the window has."""
        self._ratio = extent.framebuffer[0] / max(extent.size[0], 1)

    def over_land(self, active: ActiveWidget, home: Scene, area: Rectangle) -> None:
        """Draw the board in the land's place, and the previews along the slider under the pointer while Alt is held."""
        pictures = self._shown_pictures()
        if self.state.shown:
            self.state = self._view.draw(active, area, self.state, pictures, self._left)
        self._strip.draw(active, area, pictures)

    # -- what is wished for --------------------------------------------------------------------------------------------

    def advance(self, scene: Scene, locked: Locks, hand_at_work: bool) -> bool:
        """Wish for what is to be seen of `scene`, and take in what has come; return whether a frame is wanted.

        While the hand is at work nothing new is wished for, and nothing is drawn.
        """
        wanted = self.state.shown or self._strip.key is not None
        others = any(self.others.values())
        self._processes.pause(hand_at_work or not (wanted or others))
        if wanted and not hand_at_work:
            self._wish(scene, locked)
        elif others and not hand_at_work:
            self._ask_others()
        return self._take()

    def _ask_others(self) -> None:
        scenes = tuple(dict.fromkeys(itertools.chain.from_iterable(self.others.values())))
        asked = (scenes, OTHERS_SIZE)
        if asked != self._asked:
            self._asked, self._scenes, self._is_large, self._is_of_others = asked, scenes, False, True
            self._number += 1
            self._faults.clear()
            self._processes.wish(Wish(self._number, scenes, OTHERS_SIZE))

    def take_others(self, name: str) -> list[tuple[Scene, Pixels, bool]]:
        """Return pictures of the `others` of that name that have come, each with whether it gets no finer."""
        return self._of_others.pop(name, [])

    @property
    def under_pointer(self) -> Scene | None:
        """The scene under the pointer on the board; none where there is no board."""
        return self._view.under_pointer if self.state.shown else None

    def picture_of(self, scene: Scene) -> Pixels | None:
        """Return the board's picture of `scene` as it is, uint8 [row, column, rgba]; none where none has come."""
        return self._pixels.get(scene)

    def _wish(self, scene: Scene, locked: Locks) -> None:
        if self._strip.key is not None:
            along = self._strip.scenes(scene)
            order = view.nearest_first(len(along), len(along))
            self._ask_or_large(tuple(along[at] for at in order), self._strip, self._strip.under, "camera")
            return
        board = self._spread_anew(scene, locked)
        if board.kind == "dispersed" and board.wanted is not None:
            if board.wanted != self._spread:
                self._spread = board.wanted
                self._number += 1
                self._asked, self._measured = (), 0.0
                self._processes.wish(Disperse(self._number, board.wanted))
            return
        cells, in_a_row = view.cells(board, scene)
        scenes = tuple(cells[at].scene for at in view.nearest_first(len(cells), in_a_row))
        self._ask_or_large(scenes, self._view, board.under, board.look)

    def _ask_or_large(
        self, scenes: tuple[Scene, ...], of: BoardView | along_slider.Strip, under: Scene | None, look: Look
    ) -> None:
        """Ask for pictures of `scenes`, and once all have come for that `under` the pointer in the large one's size."""
        if under in scenes and not self._missing(scenes):
            assert under is not None
            self._ask((under,), of.large_size, look, large=True)
        else:
            self._ask(scenes, of.picture_size, look)

    def _spread_anew(self, scene: Scene, locked: Locks) -> view.Board:
        """Return the board; where the scene has been changed elsewhere, others that differ are wanted around it."""
        board = self.state
        known = {one.viewed_as(scene) for one in board.found}
        is_new = board.kind == "dispersed" and board.wanted is None and scene not in known
        if is_new and self._base is not None and scene.changed_since(self._base):
            board = dataclasses.replace(board, by="dispersed", wanted=Spread(scene, board.amount, locked))
        if board.kind != "dispersed" or board.wanted is not None or scene not in known:
            self._base = scene
        self.state = board
        return board

    def _ask(self, scenes: tuple[Scene, ...], size: tuple[float, float], look: Look, large: bool = False) -> None:
        pixels = (max(round(size[0] * self._ratio), 16), max(round(size[1] * self._ratio), 16))
        asked = (scenes, pixels, look)
        if asked == self._asked or not scenes or min(size) <= 0:
            return
        if not large:
            if self._kind != asked[1:]:
                self._levels.clear()  # of another size, or looked at otherwise
                self._cameras.clear()
                self._large = None
            self._kind = asked[1:]
        self._asked, self._scenes, self._is_large, self._is_of_others = asked, scenes, large, False
        self._number += 1
        self._faults.clear()
        self._processes.wish(Wish(self._number, scenes, pixels, look))

    # -- what has come -------------------------------------------------------------------------------------------------

    def _take(self) -> bool:
        answers = self._processes.take()
        for answer in answers:
            if answer.number != self._number:
                continue
            match answer:
                case Drawn() if self._is_of_others:
                    scene = self._scenes[answer.place]
                    come = scene, _pixels(answer), answer.level == len(LEVELS) - 1
                    for name, scenes in self.others.items():
                        if scene in scenes:
                            self._of_others.setdefault(name, []).append(come)
                case Drawn():
                    self._keep(answer)
                case Failed():
                    self._faults[self._scenes[answer.place]] = answer.text
                case Measured():
                    self._measured = answer.fraction
                case Found():
                    self._measured = None
                    self.state = dataclasses.replace(self.state, found=answer.scenes, wanted=None)
                    self._spread = None
        return bool(answers)

    def _keep(self, picture: Drawn) -> None:
        if self._pictures is None:
            self._pictures = self._make_pictures()
        scene = self._scenes[picture.place]
        if self._is_large:
            texture = self._pictures.put("large", _pixels(picture))
            self._large = scene, texture
            return
        if picture.level >= self._levels.get(scene, 0):
            self._pictures.put(scene, _pixels(picture))
            self._levels[scene] = picture.level
            if picture.camera is not None:
                self._cameras[scene] = picture.camera
            if self.state.look == "camera":
                self._pixels[scene] = _pixels(picture)
                while len(self._pixels) > MOST_PICTURES:
                    self._pixels.pop(next(iter(self._pixels)))

    @property
    def _left(self) -> int:
        """How many pictures of the newest wish are not there yet, however coarse."""
        return 0 if self._is_large else self._missing(self._scenes)

    def _missing(self, scenes: tuple[Scene, ...]) -> int:
        return sum(one not in self._levels and one not in self._faults for one in scenes)

    def _shown_pictures(self) -> view.Pictures:
        textures = {} if self._pictures is None else self._pictures.ids()
        named = {key: name for key, name in textures.items() if isinstance(key, Scene)}
        return view.Pictures(named, self._large, self._measured, dict(self._faults), dict(self._cameras))

    def close(self) -> None:
        """End the processes."""
        self._processes.close()


def _pixels(picture: Drawn) -> Pixels:
    """Return `picture`, uint8 [row, column, rgba]."""
    return np.frombuffer(picture.pixels, np.uint8).reshape(picture.size[1], picture.size[0], 4)
