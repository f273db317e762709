"""Sessions on disk: every window writes into a folder of its own, and the next window goes on with what was left.

A folder of `sessions` in the state folder has the scene (`session.toml`), the scene that it was opened as
(`home.toml`), what is locked in it (`locks.toml`), its shelf (`shelf.toml` and a folder of thumbnails), its deck
(`deck.toml`), its land (`land.arrays`, and `whole-land.arrays` with the masks), its last picture (`picture.arrays`),
and `lock`, which the system gives up when the window's process has ended, in whatever way. A folder that nobody holds
was left, and of those the one that was written last is the last session.

A folder is claimed before the window opens, and what recipes need is read while it stands there: not by this module.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import secrets
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fellview import paths
from fellview.core import foreign
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.scene.locks import Locks

SESSION, HOME, LOCKS, SHELF, DECK = "session.toml", "home.toml", "locks.toml", "shelf.toml", "deck.toml"
KEPT = 8
"""How many folders of sessions stay, those of open windows among them."""

KEPT_WITH_SHELF = 64
"""The same of those with a shelf or a deck, which someone has chosen with care."""

_FOLDER = "sessions"
_NAME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")
_FORMERLY = (HOME, "land.arrays", SESSION)  # what lay in the state folder itself; the last one tells that it is there
_LOCK, _TOLD = "lock", "told"
_LOCKS_KIND = foreign.Kind("locks", 100_000)  # ten times the keys of all parameters


@dataclass(frozen=True)
class Left:
    """A session that another window left: its scene's file, and what to call it."""

    path: Path
    title: str


def whole_land(folder: Path) -> Path:
    """Return where the land of the session in `folder` is, with its masks."""
    return folder / "whole-land.arrays"


@dataclass
class Claim:
    """A window's own `folder`, held until `release`; what it goes on with lies in `source`, if anything does.

    The two differ only where nothing can be written to the one that was left.
    """

    folder: Path
    source: Path | None
    _left: tuple[Path, ...]
    _lock: int | None

    @functools.cached_property
    def others(self) -> tuple[Left, ...]:
        """What else was left, of which something can be told."""
        return tuple(one for one in map(_told_of, self._left) if one is not None)

    def tell(self) -> str:
        """Return a line about those of `others` of which no window has told yet; empty where there are none."""
        new = [one for one in self.others if not os.path.lexists(one.path.with_name(_TOLD))]
        for one in new:
            with contextlib.suppress(OSError):
                one.path.with_name(_TOLD).touch()
        if not new:
            return ""
        titles = ", ".join(one.title for one in new)
        return f"Left by other windows: {titles}; the list of scenes has it, and a second start opens the newest"

    def release(self) -> None:
        """Leave the folder to the next window, or remove it where nothing of a person's was written into it."""
        if self._lock is None:
            return
        os.close(self._lock)
        self._lock = None
        if not _has_work(self.folder):
            paths.remove_tree(self.folder)


def claim(state: Path, anew: bool = False) -> Claim:
    """Take the session that was left last in the state folder, or with `anew`, or where there is none, a new folder.

    Where nothing can be written the claim holds nothing, and writing into its folder fails.
    """
    _take_over(state)
    left = folders(state)
    if not left and os.path.lexists(state / SESSION):
        left = [state]  # which is read-only, or it had been taken over
    source = held = None
    for folder in [] if anew else left:
        if not _has_work(folder):
            continue
        try:
            held = _hold(folder)
        except OSError:
            source = folder
            break
        if held is not None:
            source = folder
            with contextlib.suppress(OSError):
                (folder / _TOLD).unlink()
            break
    own = source
    if own is None or held is None:
        own = _new(state)
        with contextlib.suppress(OSError):
            own.mkdir(mode=0o700, parents=True)
            held = _hold(own)
    others = (folder for folder in left if folder not in (own, source) and _is_free(folder))
    return Claim(own, source, tuple(others), held)


def sweep(state: Path) -> None:
    """Remove all but the newest `KEPT` folders of sessions, or `KEPT_WITH_SHELF`; none that a window holds."""
    for place, folder in enumerate(folders(state)):
        most = KEPT_WITH_SHELF if any(os.path.lexists(folder / name) for name in (SHELF, DECK)) else KEPT
        if place >= most and _is_free(folder):
            paths.remove_tree(folder)


def locks_text(locked: Locks) -> str:
    """Return the text of a file of locks."""
    return f"locked = {json.dumps(sorted(locked))}\n"


def load_locks(path: Path) -> Locks:
    """Return what the file at `path` locks of what there still is; `InputError` where it is no file of locks."""
    from fellview.scene import locks

    try:
        keys = tomllib.loads(foreign.text(path, _LOCKS_KIND))["locked"]
        return locks.known(key for key in keys if isinstance(key, str))
    except (ValueError, KeyError, TypeError, RecursionError):  # tomllib's own fault is a ValueError
        raise InputError(f"{path}: cannot be read: no file of locks") from None


def folders(state: Path) -> list[Path]:
    """Return the folders of all sessions, those of open windows too, the one that was written last first."""
    found: list[Path] = []
    with contextlib.suppress(OSError), os.scandir(_root(state)) as entries:
        found = [Path(one) for one in entries if _NAME.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
    return sorted(found, key=_written, reverse=True)


def _take_over(state: Path) -> None:
    """Give what a former version left in the state folder itself a folder like that of any other session."""
    if os.path.lexists(state / SESSION):
        with contextlib.suppress(OSError):
            folder = _new(state)
            folder.mkdir(mode=0o700, parents=True)
            for name in _FORMERLY:
                with contextlib.suppress(FileNotFoundError):
                    (state / name).replace(folder / name)


def _root(state: Path) -> Path:
    return Path(os.path.realpath(state / _FOLDER))  # or a link to what is not there yet could be no folder


def _new(state: Path) -> Path:
    """Return the folder for a session of this moment, which is not there yet."""
    return _root(state) / (time.strftime("%Y%m%d-%H%M%S-") + secrets.token_hex(4))


def _has_work(folder: Path) -> bool:
    """Return whether a session, a shelf or a deck lies in `folder`, be it one that was moved aside unread.

    On a full disk a shelf may be written, and the session not.
    """
    found: list[str] = []
    with contextlib.suppress(OSError):
        found = [one.name for one in folder.iterdir()]
    return any(re.sub(r"-unread\d+", "", name) in (SESSION, SHELF, DECK) for name in found)


def _written(folder: Path) -> float:
    for path in (folder / SESSION, folder):
        with contextlib.suppress(OSError):
            return path.lstat().st_mtime
    return 0.0


def _hold(folder: Path) -> int | None:
    """Return an open file that holds `folder` until it is closed; none where a window holds it already.

    `OSError` where nobody can hold it, as on a file system that cannot be written to.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    lock = os.open(folder / _LOCK, flags, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(lock)
        return None
    except BaseException:
        os.close(lock)
        raise
    return lock


def _is_free(folder: Path) -> bool:
    """Return whether no window holds `folder`, as far as that can be told."""
    try:
        lock = _hold(folder)
    except OSError:
        return False
    if lock is not None:
        os.close(lock)
    return lock is not None


def _told_of(folder: Path) -> Left | None:
    """Return what can be told of the session in `folder`; none where there is none or it cannot be read."""
    from fellview.scene import recipe

    path = folder / SESSION
    try:
        head, _, _ = foreign.text(path, foreign.RECIPE).partition("\n[")
        name = str(recipe.parsed(head, str(path))["name"])
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    except (InputError, OSError, ValueError, KeyError, RecursionError):
        return None
    words = {SHELF: ", with its shelf", DECK: ", with its deck"}
    kept = "".join(text for name, text in words.items() if os.path.lexists(folder / name))
    return Left(path, f"{name} ({at}{kept})")
