"""The comparison of two lands: opened, closed, drawn, and what a person does in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

from fellview.core.newest import Newest
from fellview.desktop.dialogs import Dialogs
from fellview.desktop.layout import Layout
from fellview.desktop.other_picture import OtherPicture
from fellview.desktop.picking import Picking
from fellview.desktop.reading import FileReader
from fellview.heightmaps import registry
from fellview.io import scenes
from fellview.scene.groups.view_modes import DIFFERENCE
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio import differences, height_difference
from fellview.studio.comparison import BEFORE, NOW, Comparison, Side, Way
from fellview.studio.differences import Difference
from fellview.ui import comparison as view
from fellview.ui.comparison import ComparisonView, Told
from fellview.ui.file_dialog import FileDialog
from fellview.view.profile import Profile, profile


class Comparing:
    """What the viewer holds of a comparison; what is compared stands in `other`. `copy` fills the clipboard."""

    def __init__(
        self,
        session: Session,
        layout: Layout,
        other: OtherPicture,
        picking: Picking,
        dialogs: Dialogs,
        reader: FileReader,
        copy: Callable[[str], None],
    ) -> None:
        self._session, self._layout, self._other, self._picking = session, layout, other, picking
        self._dialogs, self._reader, self._copy = dialogs, reader, copy
        self._view = ComparisonView()
        self._answer: view.Answer | None = None
        self._differences: Newest[tuple[Difference, ...]] = Newest()
        self._profiles: Newest[tuple[Profile, Profile]] = Newest()
        self._mode_before = "textured"  # of view, which the difference takes the place of
        self._worked_on: Scene | None = None  # while another land is seen in its place

    @property
    def shown(self) -> bool:
        """Return whether anything is compared."""
        return self._other.comparison is not None

    @property
    def holding(self) -> bool:
        """Return whether the line between both lands is held."""
        return self.shown and self._view.holding

    def toggle(self) -> None:
        """Compare the land with what it was opened as, or no more."""
        self._take_up(None if self.shown else Comparison())

    def close(self) -> None:
        """Compare no more."""
        self._take_up(None)

    def compare(self, comparison: Comparison) -> None:
        """Compare the land so from now on."""
        self._take_up(comparison)

    def compare_with(self, side: Side) -> None:
        """Compare the land with that of `side`, as it is compared already."""
        self._take_up(dataclasses.replace(self._other.comparison or Comparison(), old=side))

    def show_now(self) -> None:
        """Show the land that is worked on, where another one is compared in its place."""
        if self._other.comparison is not None and self._other.comparison.new != NOW:
            self._take_up(dataclasses.replace(self._other.comparison, new=NOW))

    def blink(self) -> None:
        """Show the other one of both lands; of what is not compared yet, the land as it was opened."""
        comparison = self._other.comparison or Comparison()
        flipped = comparison.way != "blink" or not comparison.flipped
        self._take_up(dataclasses.replace(comparison, way="blink", flipped=flipped))

    def draw(self) -> None:
        """Draw it over the landscape; `apply` does what a person has done there."""
        self._follow_changes()
        comparison = self._following_view_mode()
        self._answer = None
        if comparison is not None and not self._layout.bare:
            self._answer = self._view.draw(comparison, self._told(comparison), self._layout.panel.scene_rect)

    def apply(self) -> None:
        """Do what a person has done in the last frame."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        if answer.comparison != self._other.comparison:
            self._take_up(answer.comparison)
        if answer.take:
            self._take(answer.take)
        if answer.copy:
            self._copy(differences.text(self._found()))
            self._session.notify("What differs is on the clipboard", passing=True)
        if answer.ask:
            self._ask(answer.ask)

    # -- what is compared --------------------------------------------------------------------------------------------

    def _take_up(self, comparison: Comparison | None) -> None:
        """Compare so from now on."""
        was = self._other.comparison
        if comparison is None or was is None or comparison.old != was.old:
            self._other.forget()
        self._other.comparison = comparison
        self._worked_on = None if comparison is None or comparison.new == NOW else self._session.scene
        way: Way | None = None if comparison is None else comparison.way
        view_group = self._session.scene.view
        if way == DIFFERENCE and view_group.mode != DIFFERENCE:
            self._mode_before = view_group.mode
            self._set_mode(DIFFERENCE)
        elif way != DIFFERENCE and view_group.mode == DIFFERENCE:
            self._set_mode(self._mode_before)

    def _follow_changes(self) -> None:
        """Show the land that is worked on as soon as it changes: what the hand does is to be seen."""
        if self._worked_on is not None and self._session.scene.changed_since(self._worked_on):
            self.show_now()

    def _set_mode(self, mode: str) -> None:
        scene = self._session.scene
        self._session.set(scene.with_group(scene.view.replace(mode=mode)), "View mode")

    def _following_view_mode(self) -> Comparison | None:
        """Return the comparison, its way as the view mode has it, which is chosen elsewhere, too."""
        comparison, is_difference = self._other.comparison, self._session.scene.view.mode == DIFFERENCE
        if comparison is not None and is_difference != (comparison.way == DIFFERENCE):
            way: Way = "difference" if is_difference else "blink"
            comparison = self._other.comparison = dataclasses.replace(comparison, way=way, flipped=False)
        return comparison

    def _found(self) -> tuple[Difference, ...]:
        both = self._other.scenes
        if both is None:
            return ()
        return self._differences.of(both, lambda: differences.differences(*both, looks=False))

    def _take(self, taken: tuple[Difference, ...]) -> None:
        """Give the new land the old one's values of what is `taken`, in one undo step; it then is what is worked on."""
        self._session.finish_gesture()
        assert self._other.scenes is not None
        _, new = self._other.scenes
        label = taken[0].title if len(taken) == 1 else f"{len(taken)} values taken over"
        self._session.set(new.replace({one.key: one.old for one in taken}), label)
        self.show_now()

    def _ask(self, side: view.Which) -> None:
        """Ask for a file to compare with, on that side."""

        def take(path: Path) -> None:
            self._reader.read(path.name, lambda: read(path))

        def read(path: Path) -> Callable[[], None]:
            scene, notices = scenes.load_with_notices(path)

            def compare() -> None:
                chosen = Side(path.name, scene)
                comparison = self._other.comparison or Comparison()
                self._take_up(dataclasses.replace(comparison, **{side: chosen}))  # type: ignore[arg-type]
                for text in notices:
                    self._session.notify(text)

            return compare

        suffixes = (".toml", *registry.READ_SUFFIXES)
        self._dialogs.ask(FileDialog("open", "Compare with", self._dialogs.folder, suffixes), take)

    # -- what is told ------------------------------------------------------------------------------------------------

    def _told(self, comparison: Comparison) -> Told:
        session = self._session
        land, other = session.land, session.compared
        others = (BEFORE, *(Side(one.name, one.scene) for one in session.shelf.variants))
        if land is None or other is None or (session.shows_other and session.busy):
            return Told(self._found(), others, wait="The other land is being computed…")
        if comparison.way != "difference" and self._other.present is None:
            return Told(self._found(), others, wait="The other land is being drawn…")
        remark = height_difference.remark(other, land)
        profiles = None
        if len(self._picking.measuring) > 1:
            start, end = self._picking.measuring
            profiles = self._profiles.of(
                (land, other, start, end), lambda: (profile(land, start, end), profile(other, start, end))
            )
        return Told(self._found(), others, remark=remark, profiles=profiles)
