"""The deck in the viewer: its list beside the landscape, and what a person does there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fellview.core.newest import Newest
from fellview.desktop.board import BoardDesk
from fellview.desktop.pictures import Pictures
from fellview.desktop.shelf import fitted
from fellview.desktop.stills import Pixels
from fellview.draw.overlay.thumbnails import Thumbnails
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.deck import Deck, Slide
from fellview.ui import slides as view
from fellview.ui.slides import SlidesView
from fellview.ui.windows import Rectangle


class SlidesDesk:
    """What the viewer holds of the list. `act` carries an action of the table out.

    A slide of what is seen has what the window draws for a thumbnail, others what the process of thumbnails does.
    """

    def __init__(
        self,
        session: Session,
        board: BoardDesk,
        pictures: Pictures,
        thumbnails: Thumbnails,
        act: Callable[[str], None],
        redraw: Callable[[], None],
    ) -> None:
        self._session, self._act, self._redraw = session, act, redraw
        self._board, self._pictures, self._thumbnails = board, pictures, thumbnails
        self._textures: Newest[tuple[int | None, ...]] = Newest()
        self._seen: Deck | None = None
        self._asked: tuple[Scene, ...] = ()  # whose thumbnails are still to come
        self._view = SlidesView()
        self.chosen: int | None = None
        """The place of the slide that was clicked last."""
        self._answer: view.Answer | None = None

    def draw(self, scene: Rectangle) -> None:
        """Draw it over the landscape `scene`; `apply` does what a person has done there."""
        deck = self._session.deck
        textures = self._textures.of((deck,), lambda: tuple(self._thumbnails.id(one.scene) for one in deck.slides))
        self._answer = self._view.draw(deck, self.chosen, textures, scene)

    def apply(self) -> bool:
        """Do what a person has done in the last frame; return whether the list stays open."""
        answer, self._answer = self._answer, None
        assert answer is not None
        if answer.label:
            self._session.set_deck(answer.deck, answer.label)
        if answer.show is not None:
            self.show(answer.show)
        if answer.action:
            self._act(answer.action)
        return answer.stays

    def advance(self, *, wanted: bool) -> None:
        """Take thumbnails in that have come, and ask for those that are missing while they are `wanted`."""
        for scene, pixels, is_last in self._board.take_others("slides"):
            self._put(scene, pixels)
            if is_last:
                self._asked = tuple(one for one in self._asked if one != scene)
        if wanted and self._session.deck is not self._seen:
            self._seen = self._session.deck
            scenes = dict.fromkeys(one.scene for one in self._seen.slides)
            self._asked = tuple(one for one in scenes if self._thumbnails.id(one) is None and not self._is_seen(one))
        self._board.others["slides"] = self._asked if wanted else ()

    def _is_seen(self, scene: Scene) -> bool:
        """Return whether what the window shows is `scene`, and take that for its thumbnail."""
        pixels = self._pictures.seen() if scene == self._session.scene else None
        if pixels is not None:
            self._put(scene, fitted(pixels))
        return pixels is not None

    def _put(self, scene: Scene, pixels: Pixels) -> None:
        """Take `pixels` for the thumbnail of `scene`."""
        self._thumbnails.put(scene, pixels)
        self._textures = Newest()
        self._redraw()

    def show(self, place: int) -> None:
        """Work on the land of the slide at `place`, seen from its camera, in one undo step."""
        self.chosen = place
        self._session.open(self._session.deck.slides[place].scene)

    @property
    def last(self) -> Slide | None:
        """The slide at the end; none of an empty deck."""
        slides = self._session.deck.slides
        return slides[-1] if slides else None

    def add(self, added: Sequence[Slide]) -> None:
        """Put slides behind the others, in one undo step."""
        self._session.set_deck(self._session.deck.add(added), f"Add slide{'s' if len(added) > 1 else ''}")
        self.chosen = len(self._session.deck) - 1

    def take(self, deck: Deck, name: str) -> None:
        """Have the deck of a file in the place of the one that is there, in one undo step."""
        before = len(self._session.deck)
        self._session.set_deck(deck, f"Open {name}")
        told = f"Opened {name}: {len(deck)} slides"
        self._session.notify(f"{told}; Undo brings back the {before} from before" if before else told, passing=True)
        self.chosen = 0 if deck.slides else None
