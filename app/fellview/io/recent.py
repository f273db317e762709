"""Which scenes and pictures were opened or saved last, remembered in the state folder across starts."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.io.atomic import write_text

MOST = 8
"""How many are remembered."""

_KIND = foreign.Kind("a list of files", 100_000)
_CLOSES_WITHIN_S = 1.0


class Recent:
    """The newest files, newest first, in ``recent.json`` of `folder`; `wake` is called when there are others.

    A file on a disk that does not answer blocks whoever looks for it: all is done in a thread of its own.
    """

    def __init__(self, folder: Path, wake: Callable[[], None]) -> None:
        self.paths: tuple[Path, ...] = ()
        """Those that were there when last looked for."""
        self._file = folder / "recent.json"
        self._wake = wake
        self._orders: queue.SimpleQueue[Path | bool] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="fellview-recent", daemon=True)
        self._thread.start()
        self.look()

    def note(self, path: Path) -> None:
        """Remember that `path` was opened or saved."""
        self._orders.put(path.absolute())

    def look(self) -> None:
        """Look which files are still there."""
        self._orders.put(True)

    def close(self) -> None:
        """Have what was noted written, where that can be."""
        self._orders.put(False)
        self._thread.join(_CLOSES_WITHIN_S)

    def _work(self) -> None:
        while order := self._orders.get():
            paths = _read(self._file)
            if isinstance(order, Path):
                # read anew: another window may have noted its own
                paths = [order, *(path for path in paths if path != order)][:MOST]
                with contextlib.suppress(InputError):  # a full disk costs the list, and nothing else
                    write_text(self._file, json.dumps([str(path) for path in paths], indent=1), durable=False)
            there = tuple(path for path in paths if _is_there(path))
            if there != self.paths:
                self.paths = there
                self._wake()


def _read(file: Path) -> list[Path]:
    """Return the paths in `file`; none of a file that is damaged, whatever it is."""
    try:
        with foreign.opened(file, _KIND) as opened:
            told = json.loads(opened.read())
    except Exception:
        return []
    told = told if isinstance(told, list) else []
    paths = [Path(each) for each in told if isinstance(each, str) and "\0" not in each]
    return [path for path in paths if path.is_absolute()][:MOST]


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
