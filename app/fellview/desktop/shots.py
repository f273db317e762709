"""The list of shots in the viewer: put together in a window beside the land, saved, opened and taken."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fellview.capture import shot_list
from fellview.core import wording
from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.newest import Newest
from fellview.core.work import Work
from fellview.desktop.exporting import Asked, Export, ProcessError, run
from fellview.scene.groups.view_modes import NAMES
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.shots import Entry, Shots
from fellview.ui import shots as view
from fellview.ui.shots import ShotsView
from fellview.ui.windows import Rectangle

_SUNS = (("morning", 100.0, 20.0), ("noon", 180.0, 55.0), ("evening", 260.0, 20.0), ("low", 285.0, 5.0))


class ShotsDesk:
    """What the viewer holds of the list. `act` carries an action of the table out."""

    def __init__(self, session: Session, act: Callable[[str], None]) -> None:
        self._session, self._act = session, act
        self.shots = Shots()
        self._view = ShotsView()
        self._answer: view.Answer | None = None
        self._fault: Newest[str] = Newest()

    @property
    def holding(self) -> bool:
        """Return whether one of its rows is dragged or typed into."""
        return self._view.holding

    def draw(self, scene: Rectangle) -> None:
        """Draw it over the landscape `scene`; `apply` does what a person has done there."""
        fault = self._fault.of((self.shots,), lambda: _fault(self.shots))
        self._answer = self._view.draw(self.shots, self.offered(), fault, scene)

    def apply(self) -> bool:
        """Do what a person has done in the last frame; return whether the window stays open."""
        answer, self._answer = self._answer, None
        assert answer is not None
        self.shots = answer.shots
        if answer.what:
            self._act(f"shots.{answer.what}")
        return answer.stays

    def offered(self) -> Mapping[str, Sequence[Entry]]:
        """Return what each list may get: of the scene, of its bookmarks and of the shelf, starred lands first."""
        scene = self._session.scene
        kept = sorted(self._session.shelf.variants, key=lambda one: not one.star)
        suns = [Entry(name, {"azimuth": azimuth, "elevation": elevation}) for name, azimuth, elevation in _SUNS]
        return {
            "variants": [Entry("as it is", {}, scene), *(Entry(one.name, {}, one.scene) for one in kept)],
            "cameras": [
                Entry("now", scene.camera.values()),
                *(Entry(one.name, one.camera.values()) for one in scene.bookmarks),
            ],
            "suns": [Entry("now", {name: getattr(scene.sun, name) for name in ("azimuth", "elevation")}), *suns],
            "views": [Entry(wording.spoken(name), {"mode": name}) for name in NAMES],
        }

    # -- files ---------------------------------------------------------------------------------------------------------

    def texts(self, path: Path) -> dict[Path, str]:
        """Return what the list is written as, by file; `InputError` where it is none."""
        if fault := _fault(self.shots):
            raise InputError(fault)
        return self.shots.texts(path, self._session.scene)

    def open(self, scene: Scene, shots: Shots, notices: list[str]) -> None:
        """Work on the scene of a list from now on, in one undo step, and on the list."""
        self.shots = shots
        self._session.open(scene, notices)

    def export(self) -> Export:
        """Return the export of all pictures; `InputError` where the list is none."""
        self.texts(Path("shots.toml"))
        shots = self.shots

        def write(folder: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
            with tempfile.TemporaryDirectory() as place:
                path = Path(place) / "shots.toml"
                for one, text in shots.texts(path, scene).items():
                    one.write_text(text, encoding="utf-8")  # at once
                try:
                    told, _ = run(["shots", str(path), "-o", str(folder.absolute())], folder.name, work)
                except ProcessError as fault:
                    *failed, _ = fault.told
                    if not failed:
                        raise
                    return [*failed, f"{folder}: not all are taken; taking the list again tries the others"]
            return [*told, f"Took {shots.count:,} pictures into {folder}"]

        asked = Asked("Take the pictures into a folder", (), "shots")
        return Export(write, file=asked, given_up="pictures that are taken stay; taking the list again goes on")


def _fault(shots: Shots) -> str:
    """Return what is wrong with a list; empty where nothing is."""
    try:
        shot_list.require(shots)
    except InputError as fault:
        return str(fault)
    return ""
