"""Measures how soon variants can be seen: pictures of the board and along a slider, lands that differ, kept lands.

How late the window's frames are beside the board is told, too.

A picture counts as there when it is of the first level, a land of 128 cells a side; `fine_ms` is when all are as fine
as they get. The process has drawn the scene before, as it has in a window whose board was opened once.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from fellview import paths, variants
from fellview.batch.batch import opened
from fellview.bench import timing
from fellview.bench.beside import frames_beside
from fellview.compute.protocol import Job, Listener
from fellview.core.height_field import HeightField
from fellview.draw.ground import cover
from fellview.draw.water.water import drawn_masks
from fellview.io import scenes
from fellview.io.land_cache import Whole
from fellview.library import generate
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.studio.shelf import Shelf
from fellview.thumbnails.messages import Drawn, Wish
from fellview.thumbnails.painter import LEVELS
from fellview.thumbnails.process import ThumbnailProcesses
from fellview.variants import chance, measure
from fellview.variants.axes import values
from fellview.variants.disperse import CANDIDATES, SHOWN

_SCENE = {"erosion.kind": "fluvial"}  # of the highlands, which rain has worn otherwise
_SLIDER, _LOW, _HIGH = "erosion.incision", 0.3, 4.0
_BOARD, _STRIP, _LARGE_BOARD = (300, 182), (126, 78), (176, 98)  # pixels: pictures in a window of 1280×720
_KEPT, _KEPT_SIDE = 50, 1024  # lands on a shelf, and cells a side
_RUNS = 3
_LONGEST_S = 300.0
_POLL_S = 0.002

Measured = tuple[str, list[float], dict[str, Any]]


def measure_all(folder: Path) -> list[Measured]:
    """Return (name, seconds of each run, more figures) of each measurement; windows have their state in `folder`.

    `FellviewError` where no window can be opened.
    """
    scene = scenes.load("highlands").replace(_SCENE)
    processes = ThumbnailProcesses(lambda: None)
    found: list[Measured] = []
    try:
        _seconds(processes, 0, variants.seeds(scene, 2), _BOARD)  # compiles, and fills caches
        for name, size, count in (
            ("explore: nine thumbnails along a fluvial slider", _BOARD, 9),
            ("explore: seven along a slider", _STRIP, 7),
            ("explore: 5×5 along a slider", _LARGE_BOARD, 25),
        ):
            runs = [_run(processes, scene, size, count, number) for number in range(1, _RUNS + 1)]
            first, _, fine = (sorted(each)[_RUNS // 2] for each in zip(*runs, strict=True))
            more = {"first_ms": round(1000 * first), "fine_ms": round(1000 * fine)}
            found.append((name, [one[1] for one in runs], more))
    finally:
        processes.close()
    return [*found, _dispersed(scene), _shelf(), _beside(folder)]


def _beside(folder: Path) -> Measured:
    """Measure the window's frames while the board is drawn, and how late they are by those once it is drawn."""
    meanwhile, after = frames_beside(folder)
    late, usual = (timing.spread(one)["late_95_ms"] for one in (meanwhile, after))
    more = {"late_95_ms": late, "late_95_after_ms": usual, "late_ratio": round(late / usual, 2)}
    return "explore: between frames beside the board", meanwhile, more


def _run(
    processes: ThumbnailProcesses, scene: Scene, size: tuple[int, int], count: int, number: int
) -> tuple[float, float, float]:
    """Return the seconds to the first picture, to all of the first level, and to all as fine as they get."""
    other = scene.replace({"noise.seed": scene.noise.seed + number})  # or the land below erosion would be remembered
    chosen = values(other, _SLIDER, _LOW, _HIGH, count)
    return _seconds(processes, number * 1000 + count, [other.replace({_SLIDER: value}) for value in chosen], size)


def _seconds(
    processes: ThumbnailProcesses, number: int, wished: Sequence[Scene], size: tuple[int, int]
) -> tuple[float, float, float]:
    begun = time.monotonic()
    processes.wish(Wish(number, tuple(wished), size))
    came: dict[tuple[int, int], float] = {}
    while len(came) < len(LEVELS) * len(wished) and time.monotonic() - begun < _LONGEST_S:
        for answer in processes.take():
            if isinstance(answer, Drawn) and answer.number == number:
                came[answer.level, answer.place] = time.monotonic() - begun
        time.sleep(_POLL_S)
    there = max(at for (level, _), at in came.items() if level == 0)
    return min(came.values()), there, max(came.values())


def _dispersed(scene: Scene) -> Measured:
    """Measure lands that differ, chosen by this process: the window's board does so in its own."""
    measure.measured(scene)
    seconds = []
    with opened() as batch:
        for seed in range(_RUNS):
            begun = time.monotonic()
            variants.disperse(scene, SHOWN, CANDIDATES, chance.AMOUNT, seed, batch=batch)
            seconds.append(time.monotonic() - begun)
    return f"explore: {SHOWN} that differ, of {CANDIDATES}", seconds, {}


class _Nothing:
    """A computer that computes nothing: what is measured has been computed before."""

    name = "none"

    def __init__(self, listener: Listener) -> None:
        self.jobs = 0

    def submit(self, job: Job) -> None:
        """Count the job."""
        self.jobs += 1

    def cancel(self) -> None:
        """Do nothing."""

    def keep(self) -> None:
        """Do nothing."""

    def acknowledge_death(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _shelf() -> Measured:
    """Measure a click on each of many kept lands, up to the land with its masks in the window's hands, to be drawn.

    All have the heights and masks of one land: their number and size is what counts.
    """
    scene = scenes.load("highlands").replace({"grid.rows": _KEPT_SIDE, "grid.columns": _KEPT_SIDE})
    names = drawn_masks(scene.water) | cover.masks(scene)
    field = generate(scene)
    masks = {name: field.masks[name] for name in sorted(names & set(field.masks))}
    land = Whole(HeightField(field.heights, field.cell_size, masks), names, scene.water)
    seconds = []
    with paths.temporary(), tempfile.TemporaryDirectory() as folder:
        session = Session(lambda: None, Path(folder), [_Nothing])
        try:
            shelf = Shelf()
            for seed in range(_KEPT):
                shelf = shelf.keep(scene.replace({"noise.seed": seed}))
                groups = shelf.variants[-1].scene.terrain_groups()
                session.store.keep_whole_land(groups, land)
            session.store.flush()
            session.start(scene.replace({"noise.seed": _KEPT}), shelf)
            session.want_masks(names)
            resident = psutil.Process().memory_info().rss
            for variant in shelf.variants:
                begun = time.monotonic()
                session.show(variant)
                seconds.append(time.monotonic() - begun)
                assert session.result is not None and session.result.field.masks.keys() == masks.keys()
            grown = psutil.Process().memory_info().rss - resident
            files = list((paths.cache_folder() / "lands").glob("*.arrays"))
            on_disk = sum(one.stat().st_size for one in files) / len(files)
        finally:
            session.close(keep=False)
    more = {
        "worst_ms": round(1000 * max(seconds), 1),
        "masks": len(masks),
        "disk_mb_a_land": round(on_disk / 1e6, 1),
        "memory_mb": round(grown / 1e6, 1),
    }
    return f"explore: one of {_KEPT} kept lands of {_KEPT_SIDE}²", seconds, more
