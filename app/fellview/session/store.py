"""What a session keeps on disk: the scene, the scene as it was opened, its locks, its shelf, its deck, and its land."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from fellview import paths
from fellview.compute.protocol import Groups
from fellview.core import foreign
from fellview.core.errors import FellviewError, InputError
from fellview.core.height_field import HeightField
from fellview.core.parameters import Group
from fellview.io import land_cache, scenes, sessions
from fellview.io.atomic import write_text, writing_together
from fellview.io.land_cache import Whole
from fellview.scene import recipe
from fellview.scene.locks import USUAL, Locks
from fellview.scene.scene import Scene
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck
from fellview.studio.project import Pixels
from fellview.studio.shelf import Shelf

WRITE_EVERY_S = 3.0
"""Seconds between two writings of the same file."""


Loaded = TypeVar("Loaded")


@dataclass(frozen=True)
class Kept:
    """What a session ended with: the scene, `home` as it was opened, and what is `locked` in it."""

    scene: Scene
    home: Scene
    locked: Locks = USUAL


class Store:
    """The files of a session in `folder`, written every few seconds on a thread of its own.

    A disk may take longer to write than a frame may wait. `wake` is called from that thread when `poll` has something
    to do; `tell` takes a line for a person. `clock` gives seconds that only rise. `store_land` writes a land on that
    thread, and raises `InputError` where it cannot.
    """

    def __init__(
        self,
        folder: Path,
        wake: Callable[[], None],
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        store_land: Callable[[Path, Mapping[str, Group], HeightField], None] = land_cache.store,
    ) -> None:
        self.folder = folder
        self._wake, self._tell, self._clock, self._store_land = wake, tell, clock, store_land
        self._faults: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._written: Kept | None = None
        self._shelf_written, self._deck_written = Shelf(), Deck()
        self._land_written: Groups | None = None
        self._writer = ThreadPoolExecutor(1, "fellview-keep")  # one: of two writings the later one has to be the last
        self._writing: Future[None] | None = None
        self._land_writing: Future[None] | None = None
        self._next_write = self._next_land_write = 0.0

    def load(self, source: Path | None = None) -> Kept | None:
        """Return what the session in `source`, or else in the own folder, ended with; none where there is none.

        Whatever is the matter with its files, nothing is raised: they are moved aside, and a notice tells.
        """
        source = source or self.folder
        path = source / sessions.SESSION
        if not os.path.lexists(path):
            return None
        try:
            scene = home = scenes.load(path)
        except Exception as fault:  # whatever it is: the window is to open
            said = str(fault) if isinstance(fault, FellviewError) else type(fault).__name__
            self._tell(f"The last session could not be read and is kept as {_moved_aside(path)}: {said}")
            return None
        path = source / sessions.HOME
        if os.path.lexists(path):
            try:
                home = scenes.load(path)
            except Exception:  # only what the arrows and Home go back to
                _moved_aside(path)
        path, locked = source / sessions.LOCKS, USUAL
        if os.path.lexists(path):
            try:
                locked = sessions.load_locks(path)
            except InputError:
                _moved_aside(path)
        return Kept(scene, home, locked)

    def load_shelf(self, source: Path | None = None) -> Shelf:
        """Return the shelf of the session in `source`, or else in the own folder; an empty one where there is none.

        One that cannot be read is moved aside, and a notice tells.
        """
        source = source or self.folder
        shelf = self._loaded(source / sessions.SHELF, foreign.PROJECT, project.from_text, "the shelf") or Shelf()
        self._shelf_written = shelf if source == self.folder else Shelf()
        return shelf

    def load_deck(self, source: Path | None = None) -> Deck:
        """Return the deck likewise."""
        source = source or self.folder
        deck = self._loaded(source / sessions.DECK, foreign.DECK, deck_file.from_text, "the deck") or Deck()
        self._deck_written = deck if source == self.folder else Deck()
        return deck

    def _loaded(
        self, path: Path, kind: foreign.Kind, read: Callable[[str, str, Path], tuple[Loaded, list[str]]], name: str
    ) -> Loaded | None:
        """Return what is kept at `path`; none where nothing is, or what cannot be read and is moved aside."""
        if not os.path.lexists(path):
            return None
        try:
            found, notices = read(foreign.text(path, kind), name, path.parent)
        except Exception as fault:  # whatever it is: the window is to open
            said = str(fault) if isinstance(fault, FellviewError) else type(fault).__name__
            self._tell(f"{name.capitalize()} could not be read and is kept as {_moved_aside(path)}: {said}")
            return None
        for notice in notices:
            self._tell(notice)
        return found

    def keep_shelf(self, shelf: Shelf) -> None:
        """Have `shelf` written where it has changed, at once: it is chosen with care, and changes seldom."""
        if shelf is not self._shelf_written and shelf != self._shelf_written:
            self._shelf_written = shelf
            self._writer.submit(
                self._write_or_remove, sessions.SHELF, "shelf", len(shelf), lambda: project.to_text(shelf)
            )

    def keep_deck(self, deck: Deck) -> None:
        """Have `deck` written likewise."""
        if deck is not self._deck_written and deck != self._deck_written:
            self._deck_written = deck
            self._writer.submit(
                self._write_or_remove, sessions.DECK, "deck", len(deck), lambda: deck_file.to_text(deck)
            )

    def _write_or_remove(self, name: str, called: str, count: int, text: Callable[[], str]) -> None:
        """Write the file `name`, or remove it where `count` is 0; runs on the writer's thread."""
        path = self.folder / name
        try:
            if count:
                write_text(path, text())
            else:
                path.unlink(missing_ok=True)
        except (FellviewError, OSError) as fault:
            self._faults.put(f"The {called} is not kept: {fault}")
            self._wake()

    @property
    def thumbnails(self) -> Path:
        """The folder of the shelf's thumbnails."""
        return project.thumbnails_folder(self.folder / sessions.SHELF)

    def keep_thumbnails(self, shelf: Shelf, thumbnails: Mapping[str, Pixels]) -> None:
        """Have `thumbnails` written by the id of their variants; those of no variant on `shelf` are removed."""
        self._writer.submit(self._write_thumbnails, shelf, dict(thumbnails))

    def _write_thumbnails(self, shelf: Shelf, thumbnails: Mapping[str, Pixels]) -> None:
        with contextlib.suppress(InputError):  # they are drawn again
            project.keep_thumbnails(self.thumbnails, shelf, thumbnails)

    def land(self, groups: Groups, source: Path | None = None) -> HeightField | None:
        """Return the land of `groups` that `source`, or else the own folder, or the assets have; maybe a coarse one."""
        return land_cache.load(source or self.folder, groups)

    def keep(self, state: Kept, at_once: bool = False) -> None:
        """Have `state` written, every few seconds and only when it has changed; or `at_once`, whatever was written.

        That tells when the window was closed: the one that is closed last is the last session.
        """
        now = self._clock()
        if not at_once and (state == self._written or now < self._next_write or not _is_done(self._writing)):
            return
        self._written, self._next_write = state, now + WRITE_EVERY_S
        texts = {
            sessions.HOME: recipe.to_text(state.home),
            sessions.LOCKS: sessions.locks_text(state.locked),
            sessions.SESSION: recipe.to_text(state.scene),
        }
        self._writing = self._writer.submit(self._write, texts)

    def _write(self, texts: Mapping[str, str]) -> None:
        """Write the files of the session, by their names; runs on the writer's thread."""
        try:
            with writing_together(*(self.folder / name for name in texts)) as files:
                for file, text in zip(files, texts.values(), strict=True):
                    file.write(text.encode())
        except FellviewError as fault:
            self._faults.put(str(fault))
            self._wake()

    def has_land(self, groups: Groups) -> bool:
        """Return whether the land of `groups` is the one that was written last, or is about to be."""
        return self._land_written == groups

    def keep_land(self, groups: Groups, field: HeightField, at_once: bool = False) -> None:
        """Have the land of `groups` written, which the session would open with; every few seconds, or `at_once`."""
        now = self._clock()
        if not at_once and (now < self._next_land_write or not _is_done(self._land_writing)):
            return
        self._land_written, self._next_land_write = groups, now + WRITE_EVERY_S
        if not land_cache.is_small_enough(field):
            return
        # read back here, for a GPU answers no other thread
        plain = HeightField(field.heights, field.cell_size)
        self._land_writing = self._writer.submit(self._write_land, groups, plain)

    def _write_land(self, groups: Groups, field: HeightField) -> None:
        """Write the land of `groups`, where that can be; runs on the writer's thread."""
        with contextlib.suppress(InputError):  # the next start then waits for its land
            self._store_land(self.folder, groups, field)

    def whole_land(self, groups: Groups, source: Path | None = None) -> Whole | None:
        """Return the land of `groups` with its masks that a window left in `source`, or else in the own folder."""
        return land_cache.load_whole(source or self.folder, groups)

    def keep_last_land(self, groups: Groups, land: Whole) -> None:
        """Have the land of `groups` written with its masks: the next window opens with it, and computes nothing."""
        self._writer.submit(self._write_last_land, groups, land)

    def _write_last_land(self, groups: Groups, land: Whole) -> None:
        with contextlib.suppress(InputError):  # it is computed at the next start
            land_cache.store_whole(self.folder, groups, land)

    def kept_land(self, groups: Groups) -> Whole | None:
        """Return the land of `groups` that was kept whole; none where none was."""
        return land_cache.load_kept(_lands(), groups)

    def keep_whole_land(self, groups: Groups, land: Whole) -> None:
        """Have a land of the shelf written with its masks, so that it is there at once when it is shown again."""
        self._writer.submit(self._write_whole_land, groups, land)

    def _write_whole_land(self, groups: Groups, land: Whole) -> None:
        with contextlib.suppress(InputError):  # it is computed when it is shown again
            land_cache.store_kept(_lands(), groups, land)

    def poll(self) -> bool:
        """Tell what could not be written; return whether there was anything."""
        told = False
        while not self._faults.empty():
            told = True
            self._tell(self._faults.get())
        return told

    def flush(self) -> None:
        """Return once all that was to be written is, or could not be."""
        self._writer.submit(lambda: None).result()

    def close(self) -> None:
        """Write what is still to be written, and no more from then on."""
        self._writer.shutdown()


def _lands() -> Path:
    """Return the folder of lands that are kept on shelves, whichever session's."""
    return paths.cache_folder() / "lands"


def _is_done(task: Future[None] | None) -> bool:
    """Return whether nothing of `task` is left to wait for; what nobody thought of that it raised is raised here."""
    if task is not None and task.done():
        task.result()
    return task is None or task.done()


def _moved_aside(path: Path) -> Path:
    """Move what lies at `path`, and will be written over, to a free name; return where it is then."""
    names = (path.with_name(f"{path.stem}-unread{number}{path.suffix}") for number in itertools.count(1))
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        path.replace(aside)
    except OSError:
        return path
    return aside
