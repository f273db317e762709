"""A session that never computes, and what it shows of notices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fellview.session import session


def shown(notices: list[str], folder: Path) -> list[str]:
    """Return `notices` as a session shows them."""
    one = still_session(folder)
    for text in notices:
        one.notify(text)
    one.close(keep=False)
    return list(one.notices)


class Still:
    """A computer that never computes: what is read and kept is asked here, not what comes of it."""

    name = "still"

    def __init__(self, listener: Any) -> None:
        pass

    def submit(self, job: Any) -> None:
        pass

    def cancel(self) -> None:
        pass

    def keep(self) -> None:
        pass

    def acknowledge_death(self) -> None:
        pass

    def close(self) -> None:
        pass


def still_session(folder: Path) -> session.Session:
    return session.Session(lambda: None, folder, computers=[Still])
