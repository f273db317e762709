"""The film in the viewer: set in a window beside the land, previewed in the land's place, saved, opened and taken.

What is seen of it is a preview: the scene that is worked on stays as it is, and nothing of it comes into the history.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fellview.capture import film as films
from fellview.compute.protocol import Groups
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.newest import Newest
from fellview.core.work import Work
from fellview.desktop.exporting import NOTHING, Asked, Export, run
from fellview.desktop.layout import Layout
from fellview.draw.ground import cover
from fellview.draw.light.lighting import cut_base
from fellview.draw.water.water import drawn_masks
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.films import film_file
from fellview.studio.films.film import Film, Frame, Setting
from fellview.studio.films.flight import BookmarkFlight
from fellview.studio.films.morph import Morph, blended_alike
from fellview.studio.films.settings import PICTURES, Settings, settings_of
from fellview.studio.films.turntable import Turntable
from fellview.ui import film as view
from fellview.ui import overlays
from fellview.ui.film import FilmView, Told
from fellview.ui.windows import Rectangle
from fellview.view import framing
from fellview.view.projection import Size

_FRAMES = "frames"  # a folder of numbered pictures

_Shown = tuple[tuple[int, Size], tuple[Film | None, HeightField | None, HeightField | None]]
"""A frame and its size; the film, the land that it goes by, and the one that it goes to."""
_NOTHING: _Shown = (-1, (0, 0)), (None, None, None)


class FilmDesk:
    """What the viewer holds of the film. `act` carries an action of the table out, `clock` gives seconds that only
    rise."""

    def __init__(
        self,
        session: Session,
        layout: Layout,
        redraw: Callable[[], None],
        act: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._layout = session, layout
        self._redraw, self._act, self._clock = redraw, act, clock
        self.settings = Settings()
        self._view = FilmView()
        self._answer: view.Answer | None = None
        self._made: Newest[Film | str] = Newest()
        self._planned: Newest[Callable[[int], Frame]] = Newest()
        self._at: int | None = None  # the frame that is seen
        self._played_from: tuple[float, int] | None = None  # a moment, and the frame that was seen then
        self._own: tuple[Groups, HeightField] | None = None  # the land of the scene, while others are seen
        self._asked: Scene | None = None  # whose land was asked for
        self._shown = _NOTHING

    @property
    def playing(self) -> bool:
        """Return whether it plays, so that the next frame of the window differs."""
        return self._played_from is not None

    @property
    def holding(self) -> bool:
        """Return whether one of its rows is dragged or typed into."""
        return self._view.holding

    # -- the preview ---------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play from the frame that is seen, or from the first; or pause."""
        if self._played_from is not None:
            self._played_from = None
        elif isinstance(film := self._film, Film):
            start = self._at or 0
            self._at = 0 if start == film.timing.frames - 1 else start
            self._played_from = self._clock(), self._at

    def end(self) -> None:
        """Show the scene itself again."""
        self._at = self._played_from = self._own = None
        self._shown = _NOTHING
        if self._asked is not None:
            self._asked = None
            self._session.compare(None)
        self._session.preview(None)

    def advance(self, *, wanted: bool) -> None:
        """Show the frame that is due, as long as the film is `wanted`."""
        if self._at is None:
            return
        film = self._film
        if not wanted or isinstance(film, str) or (self._shown is not _NOTHING and not self._session.previews):
            self.end()  # it is closed, wrong, or the hand has moved the camera
            self._redraw()
            return
        if self._played_from is not None:
            since, first = self._played_from
            self._at = first + int((self._clock() - since) * film.timing.rate)
            if film.motion.closed:
                self._at %= film.timing.frames
            elif self._at >= film.timing.frames - 1:
                self._at, self._played_from = film.timing.frames - 1, None
        self._show(film, min(self._at, film.timing.frames - 1))

    def _show(self, film: Film, number: int) -> None:
        """Preview a frame, once there are the lands that it is planned for."""
        session, motion = self._session, film.motion
        follows_land = isinstance(motion, (Turntable, BookmarkFlight, Morph))
        own, other = self._own_land(film.scene) if follows_land else session.land, self._other_land(film)
        if own is None and session.visible.terrain_groups() != film.scene.terrain_groups():
            session.preview(film.scene.with_group(session.visible.camera))  # it was changed: its land comes first
        if own is None or (isinstance(motion, Morph) and other is None):
            return
        size, parts = self._layout.area_pixels(), (film, own if follows_land else None, other)
        seen, before = self._shown
        if seen == (number, size) and all(one is another for one, another in zip(parts, before, strict=True)):
            return
        aspect = film.size[0] / film.size[1]
        setting = Setting(aspect, lambda scene: own, cut_base)
        frame = self._planned.of(parts[:2], lambda: film.planned(setting))(number)
        scene = frame.scene.with_group(framing.with_room_for(frame.scene.camera, aspect, size[0] / size[1]))
        land = None
        if isinstance(motion, Morph):
            assert other is not None
            land = blended_alike(own, other, frame.blend.share) if frame.blend else other if number else own
        session.preview(scene, land)
        self._shown = (number, size), parts
        self._redraw()

    def _own_land(self, scene: Scene) -> HeightField | None:
        """Return the land of `scene`, as long as it is known."""
        session, groups = self._session, scene.terrain_groups()
        if session.settled and session.result is not None and session.visible.terrain_groups() == groups:
            self._own = groups, session.result.field
        return self._own[1] if self._own is not None and self._own[0] == groups else None

    def _other_land(self, film: Film) -> HeightField | None:
        """Return the land that a morph goes to, on the grid of its scene, once it is there."""
        session, to = self._session, film.motion.to if isinstance(film.motion, Morph) else None
        if to is None:
            return None
        grid = film.scene.grid
        to = to.with_group(to.grid.replace(rows=grid.rows, columns=grid.columns))
        if to != self._asked:
            self._asked = to
            session.compare(to, drawn_masks(to.water) | cover.masks(to))
        return session.compared if session.jobs.is_beside(to.terrain_groups()) else None

    # -- the window ----------------------------------------------------------------------------------------------------

    @property
    def _film(self) -> Film | str:
        """The film as it is set, or what is wrong with it."""
        session, settings = self._session, self.settings

        def made() -> Film | str:
            try:
                return settings.made(session.scene)
            except InputError as fault:
                return str(fault)

        return self._made.of((settings, session.scene), made)

    @property
    def aspect(self) -> float | None:
        """Width by height of its frames; none where it is none."""
        film = self._film
        return None if isinstance(film, str) else film.size[0] / film.size[1]

    def draw(self, scene: Rectangle) -> None:
        """Draw window and timeline over the landscape `scene`; `apply` does what a person has done there."""
        film, session = self._film, self._session
        timing = self.settings.film if isinstance(film, str) else film.timing
        fault = film if isinstance(film, str) else ""
        told = Told(timing.frames, timing.rate, self._at, self.playing, session.shelf.variants, fault)
        if self._at is not None and self.aspect is not None:
            overlays.picture_frame(self.aspect, scene)
        self._answer = self._view.draw(self.settings, session.scene, told, scene)

    def apply(self) -> bool:
        """Do what a person has done in the last frame; return whether the window stays open."""
        answer, self._answer = self._answer, None
        assert answer is not None
        self.settings = answer.settings
        if answer.at is not None:
            self._at, self._played_from = answer.at, None
        match answer.what:
            case "play":
                self.play()
            case "end":
                self.end()
            case "open" | "save" | "take":
                self._act(f"film.{answer.what}")
        return answer.stays

    # -- files ---------------------------------------------------------------------------------------------------------

    def made(self) -> Film:
        """Return the film as it is set; `InputError` where there is none."""
        return self.settings.made(self._session.scene)

    def open(self, film: Film, notices: list[str]) -> None:
        """Work on the scene of `film` from now on, in one undo step, and on the film."""
        self.end()
        self.settings = settings_of(film, self.settings)
        self._session.open(film.scene, notices)

    def export(self) -> Export:
        """Return the export of the film as it is set; `InputError` where there is none."""
        film, output = self.made(), self.settings.output
        is_folder = output.format == PICTURES
        suffix = "" if is_folder else f".{output.format}"

        def through(path: Path) -> Path | None:
            return path.with_name(f"{path.stem}-{_FRAMES}") if output.keep and not is_folder else None

        def write(path: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
            with tempfile.TemporaryDirectory() as place:
                text = Path(place) / "film.toml"
                for one, written in film_file.texts(text, film).items():
                    one.write_text(written, encoding="utf-8")  # at once
                beside = through(path)
                words = [f"--through={beside.absolute()}"] if beside else []
                told, _ = run(["film", str(text), "-o", str(path.absolute()), *words], path.name, work)
            return [*told, f"Exported {path}"]

        asked = Asked("Take the film", (suffix,) if suffix else (), f"film{suffix}" if suffix else _FRAMES)
        stay = "frames that are drawn stay; taking it again goes on"
        given_up = stay if is_folder or output.keep else NOTHING
        return Export(
            write, file=asked, require=lambda path: films.require(path, film, through(path)), given_up=given_up
        )
