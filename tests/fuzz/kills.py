"""A process that saves without end and is killed at any moment: what was saved before is there, or what came after.

python -m tests.fuzz.kills 20       # kills, drawn anew
python -m tests.fuzz.kills 20 7     # by the seed 7
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

import numpy as np

from fellview.core.errors import FellviewError
from fellview.core.height_field import HeightField
from fellview.heightmaps import height_file
from fellview.heightmaps.registry import WRITTEN_SUFFIXES
from fellview.io import atomic, heights, imports, land_cache, pictures, scenes, sessions
from fellview.scene.scene import Scene
from fellview.session import session
from fellview.session.store import Store
from fellview.studio import project
from fellview.studio.shelf import Shelf
from tests.fuzz.inputs.still import Still

_ROOT = Path(__file__).parents[2]
_SIDE = 96  # cells a side: some 40 kB a file, so that many a kill falls into its writing
_STARTS_WITHIN_S = 120.0
_LONGEST_S = 0.4  # of saving before a kill: some thirty rounds
_TOLD = 60_000  # numbers that a cell of 16 bits can tell apart


def _scene(number: int) -> Scene:
    return Scene(name="kills").replace({"noise.seed": number, "grid.rows": 16, "grid.columns": 16})


def _field(number: int) -> HeightField:
    """Return heights from `number` to `number` + 1000 m, of which one cell says the number again."""
    values = number + 1000.0 * np.random.default_rng(number).random((_SIDE, _SIDE), np.float32)
    values[0, 0], values[0, 1], values[-1, -1] = number, number + 1000.0, number + 1000.0 * (number % _TOLD) / _TOLD
    return HeightField(values.astype(np.float32), (1.0, 1.0))


def _number_in(values: np.ndarray) -> int:
    """Return the number that heights of `_field` tell by their shape alone, whatever they are in metres."""
    corners = values[[0, 0, -1, -1], [0, 1, 0, -1]].tolist() if values.size else []
    low, high = float(values.min()), float(values.max())
    places = [(corner - low) / ((high - low) or 1.0) for corner in corners]
    # a file may begin with its last row
    at = places[3] if places[0] < 1e-4 and places[1] > 1 - 1e-4 else (values[0, -1] - low) / ((high - low) or 1.0)
    return round(float(at) * _TOLD)


# -- what is saved, and what must be there afterwards ------------------------------------------------------------------


@functools.cache
def _keeper(folder: Path) -> tuple[session.Session, sessions.Claim]:
    claim = sessions.claim(folder / "state")
    one = session.Session(lambda: None, claim.folder, computers=[Still])
    if not one.restore(claim.source):
        one.start(_scene(0))
    return one, claim


def let_go(folder: Path) -> None:
    """Close the session that was saved in `folder`, as its process's end does."""
    one, claim = _keeper(folder)
    one.close(keep=False)
    claim.release()
    _keeper.cache_clear()


def _save_session(folder: Path, number: int) -> None:
    one, _ = _keeper(folder)
    one.set(_scene(number), "Seed")
    one.keep(at_once=True)
    one.store.flush()  # another thread writes it


def _seed_of_session(folder: Path) -> int:
    """Return the seed of the scene that the next window goes on with."""
    claim = sessions.claim(folder / "state")
    one = session.Session(lambda: None, claim.folder, computers=[Still])
    try:
        if not one.restore(claim.source):
            raise FellviewError("no session: " + "; ".join(one.notices))
        return one.scene.noise.seed
    finally:
        one.close(keep=False)
        claim.release()


def _save_shelf(folder: Path, number: int) -> None:
    one, _ = _keeper(folder)
    last = one.shelf.variants[-2:]
    one.set_shelf(Shelf(last).keep(_scene(number)), "Keep")
    one.store.flush()


def _seed_on_shelf(folder: Path) -> int:
    """Return the seed of the land that was kept last, on a shelf that is read without a word."""
    told: list[str] = []
    store = Store(next(iter(sessions.folders(folder / "state"))), lambda: None, told.append)
    try:
        shelf = store.load_shelf()
        if told or not shelf.variants:
            raise FellviewError("no shelf: " + "; ".join(told))
        return shelf.variants[-1].scene.noise.seed
    finally:
        store.close()


def _save_project(folder: Path, number: int) -> None:
    shelf = Shelf().keep(_scene(number))
    pixels = np.full((16, 16, 3), number % 256, np.uint8)
    project.save(folder / "lands.toml", shelf, {shelf.variants[0].id: pixels})


def _seed_of_project(folder: Path) -> int:
    return project.load(folder / "lands.toml").shelf.variants[0].scene.noise.seed


def _save_scene(folder: Path, number: int) -> None:
    scenes.save(folder / "scene.toml", _scene(number))


def _save_picture(folder: Path, number: int) -> None:
    pixels = np.full((64, 64, 4), number % 256, np.uint8)
    pixels[::2] = np.random.default_rng(number).integers(0, 256, (32, 64, 4), np.uint8)
    pictures.save(folder / "picture.png", pixels, scenes.to_text(_scene(number), folder))


def _seed_of(name: str) -> Callable[[Path], int]:
    return lambda folder: scenes.load(folder / name).noise.seed


def _export(name: str) -> Callable[[Path, int], None]:
    return lambda folder, number: heights.export(folder / name, _field(number), scenes.to_text(_scene(number), folder))


def _number_of_export(name: str) -> Callable[[Path], int]:
    def found(folder: Path) -> int:
        """The number that the cells tell, which the metres have to tell, too, unless the sidecar is known as stray."""
        path = folder / name
        imports.chosen(Scene(), path)
        read = height_file.read(path)
        number = _number_in(read.values)
        if not read.stray_sidecar:
            assert read.metres is not None, f"{name}: heights without metres"
            assert round(read.metres[0]) == number, f"{name}: cells of {number} with metres of {read.metres[0]:.1f}"
        return number

    return found


def _is_torn(name: str) -> Callable[[Path], bool]:
    return lambda folder: height_file.read(folder / name).stray_sidecar


def _keep_land(folder: Path, number: int) -> None:
    land_cache.store(folder / "land", _scene(number).terrain_groups(), _field(number))


def _number_of_land(folder: Path) -> int:
    """The land belongs to one number alone: the one that was kept last, or the one before."""
    last = max(_told(folder).values(), default=0)
    for number in (last + 2, last + 1, last, last - 1):
        if number > 0 and (land := land_cache.load(folder / "land", _scene(number).terrain_groups())) is not None:
            assert round(float(land.heights.min())) == number, f"the land of {number} is another"
            return number
    raise FellviewError("the kept land is gone")


@dataclass(frozen=True)
class Saved:
    """A thing that is saved over and over by a number, which is read again; `is_torn` tells half a pair of files."""

    save: Callable[[Path, int], None]
    number: Callable[[Path], int]
    is_torn: Callable[[Path], bool] = lambda folder: False


SAVED: dict[str, Saved] = {
    "session": Saved(_save_session, _seed_of_session),
    "shelf": Saved(_save_shelf, _seed_on_shelf),
    "project": Saved(_save_project, _seed_of_project),
    "scene": Saved(_save_scene, _seed_of("scene.toml")),
    "picture": Saved(_save_picture, _seed_of("picture.png")),
    **{
        f"export {suffix}": Saved(_export(f"map{suffix}"), _number_of_export(f"map{suffix}"), _is_torn(f"map{suffix}"))
        for suffix in WRITTEN_SUFFIXES
    },
    "land": Saved(_keep_land, _number_of_land),
}


@dataclass
class Kills:
    """What kills did: how many, what was lost of what had been saved, and pairs that were recognised as torn."""

    kills: int = 0
    checked: int = 0
    lost: list[str] = field(default_factory=list)
    torn: Counter[str] = field(default_factory=Counter)

    def add(self, other: Kills) -> None:
        """Count what `other` did, too."""
        self.kills += other.kills
        self.checked += other.checked
        self.lost += other.lost
        self.torn.update(other.torn)

    def summary(self) -> str:
        """Return the counts, and a line for each thing that was lost."""
        lines = [f"{self.kills} kills, {self.checked} files looked at, {len(self.lost)} lost or damaged"]
        lines += [
            f"  {name}: {count} pairs half replaced, and recognised" for name, count in self.torn.items() if count
        ]
        return "\n".join(lines + [f"  {text}" for text in self.lost])


def _told(folder: Path) -> dict[str, int]:
    """Return the number that each thing was wholly saved with last, as the killed process told it."""
    found: dict[str, int] = {}
    for line in (folder / "told").read_text().split("\n")[:-1]:
        name, _, number = line.rpartition("=")
        found[name] = int(number)
    return found


def kill(seed: int, count: int, until: float = float("inf")) -> Kills:
    """Kill the saving process `count` times, or until that time, at moments drawn by `seed`; return what it did."""
    random, kills = Random(seed), Kills()
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder, number = Path(name), 1
        (folder / "told").touch()
        while kills.kills < count and time.monotonic() < until:
            _saved_until_killed(folder, number, random)
            kills.kills += 1
            look(folder, kills, f"seed {seed}, kill {kills.kills}")
            number = max(_told(folder).values(), default=0) + 5
    return kills


def _saved_until_killed(folder: Path, number: int, random: Random) -> None:
    """Start the process at `number`, give it a moment once it has saved everything, and kill it."""
    words = [sys.executable, "-m", "tests.fuzz.kills", "--child", str(folder), str(number)]
    process = subprocess.Popen(words, cwd=_ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        if process.stdout.readline() != "saved\n":
            raise AssertionError(f"the saving process ended with status {process.wait()}")
        time.sleep(random.random() * _LONGEST_S)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def look(folder: Path, kills: Kills, when: str) -> None:
    """Look whether everything is there, as it was told or as what followed, and nothing beside it but our own parts."""
    for name, last in _told(folder).items():
        thing = SAVED[name]
        kills.checked += 1
        try:
            number = thing.number(folder)
            kills.torn[name] += thing.is_torn(folder)
        except Exception as fault:
            kills.lost.append(f"{when}: {name} of {last}: {type(fault).__name__}: {fault}")
            continue
        if number not in (last, last + 1):
            kills.lost.append(f"{when}: {name} is of {number}; {last} was told, {last + 1} may have begun")
    for place in (folder, *sessions.folders(folder / "state"), folder / "land", folder / "lands-thumbnails"):
        if not place.is_dir():
            continue
        for part in place.glob(".*"):
            os.utime(part, (0, 0))
        atomic.sweep([place])
        kills.lost += [f"{when}: litter that no start sweeps: {part.name}" for part in place.glob(".*")]


def _child(folder: Path, number: int) -> None:
    told = (folder / "told").open("a")
    first = True
    while True:
        for name, thing in SAVED.items():
            thing.save(folder, number)
            told.write(f"{name}={number}\n")
            told.flush()  # a killed process loses nothing that the system has
        if first:
            print("saved", flush=True)
        number, first = number + 1, False


def main(words: list[str]) -> int:
    """Kill so many times and print what was lost."""
    if words[0] == "--child":
        _child(Path(words[1]), int(words[2]))
    seed = int(words[1]) if len(words) > 1 else SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    kills = kill(seed, int(words[0]))
    print(kills.summary())
    return 1 if kills.lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
