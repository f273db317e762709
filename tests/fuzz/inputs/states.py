"""What sessions leave behind."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from fellview.core.height_field import HeightField
from fellview.io import atomic, crashes, land_cache, scenes, sessions, settings
from tests.fuzz import damage
from tests.fuzz.inputs.kind import Kind, placed
from tests.fuzz.inputs.recipe_files import recipe_bytes
from tests.fuzz.inputs.still import still_session


@functools.cache
def _state() -> dict[str, bytes]:
    """Return the files that two windows leave in the state folder, by name."""
    small = scenes.load("directx-demo").replace({"grid.rows": 16, "grid.columns": 16})
    found = {}
    for place in ("20260101-000000-00000001", "20260102-000000-00000002"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "state"
            claim = sessions.claim(folder)
            one = still_session(claim.folder)
            one.start(small)
            one.keep(at_once=True)
            land = HeightField(np.ones((16, 16), np.float32), (1.0, 1.0))
            land_cache.store(claim.folder, small.terrain_groups(), land)
            masked = land.with_masks({"slope": land.heights})
            whole = land_cache.Whole(masked, frozenset(masked.masks), small.water.for_masks(masked.masks))
            land_cache.store_whole(claim.folder, small.terrain_groups(), whole)
            one.close()
            claim.release()
            settings.keep(folder, settings.Settings(panel_width=400.0))
            crashes.CrashLog(folder).note(ValueError("something"), "drawing")
            for path in folder.rglob("*"):
                if path.is_file():
                    found[str(path.relative_to(folder)).replace(claim.folder.name, place)] = path.read_bytes()
    return found


def state_files() -> tuple[str, ...]:
    """Return the names of the files that windows leave."""
    return tuple(sorted(_state()))


def _make_state(random: Random, folder: Path) -> Path:
    state = folder / "state"
    if random.random() < 0.02:
        placed(random, state, lambda: b"not a folder")
        return state
    state.mkdir()
    if random.random() < 0.02:
        placed(random, state / "sessions", lambda: b"not a folder")
    formerly = random.random() < 0.3  # without a folder for each session
    for name, content in sorted(_state().items()):
        makers: tuple[Callable[[], bytes], ...] = (
            lambda content=content: content,
            lambda content=content: damage.damaged(random, content),
            lambda: recipe_bytes(random),
            lambda: random.randbytes(200),
        )
        path = state / (Path(name).name if formerly and random.random() < 0.5 else name)
        if random.random() < 0.9 and not os.path.lexists(path):
            with contextlib.suppress(OSError):  # where the folder for it is no folder
                path.parent.mkdir(parents=True, exist_ok=True)
                placed(random, path, random.choice(makers))
                os.utime(path, (0, random.randrange(10**9)), follow_symlinks=False)
    return state


def _read_state(state: Path, folder: Path) -> list[str]:
    """Start as the window does, change something, write the session, and start again: nothing may be in the way."""
    told = []
    for _ in range(2):
        log = crashes.CrashLog(state)
        settings.load(state)
        claim = sessions.claim(state)
        sessions.sweep(state)
        atomic.sweep([state, *sessions.folders(state)])
        one = still_session(claim.folder)
        try:
            if not one.restore(claim.source):
                one.start(scenes.load(scenes.OPENING_PRESET))
            if text := claim.tell():
                one.notify(text)
            log.note(ValueError("something"), "drawing")
            one.set(one.scene.replace({"noise.seed": (one.scene.noise.seed + 1) % 1000}), "Seed")
            one.keep(at_once=True)
            told += one.notices
        finally:
            one.close()
            claim.release()
    return told


KINDS: dict[str, Kind] = {
    "state": Kind(_make_state, _read_state, sure=True),
}
