"""Films drawn into files: a folder of numbered pictures, an animated WebP, or an MP4.

One renderer draws all frames, a thread encodes beside it, and land is computed anew only where a frame has another one.
Numbered pictures tell of which frame of which film they are: whoever asks for the same film again goes on behind them.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.capture import capture, land_renderer
from fellview.core import foreign
from fellview.core.errors import Cancelled, InputError
from fellview.core.height_field import HeightField
from fellview.draw import target
from fellview.draw.land.surroundings import looks_down
from fellview.draw.light.lighting import cut_base
from fellview.io import atomic, film_files, pictures, scenes
from fellview.scene.scene import Scene
from fellview.studio.films.film import Film, Frame, Setting
from fellview.studio.films.morph import blended
from fellview.terrain.pipeline.pipeline import available_bytes

_NAME = re.compile(r"frame-(\d{4,6})\.png")
_WAITING = 3  # frames that wait to be encoded: one more than can be in work hides a slow one
_BYTES_A_PIXEL = 8 + 3 * (_WAITING + 2)  # of a frame as it is drawn, and of those that wait and are encoded
_LANDS = 2  # that are kept: a morph needs both of its lands all the time
_EYES = 256  # of a film, whose heights are looked at: what is between two of them is about as high
_LOOK_S = 0.1  # between two looks at whether the thread still takes frames


@dataclass(frozen=True)
class Times:
    """How long a film took: frames drawn, the seconds that drawing them took, and those of all the work on frames."""

    drawn: int
    drawing_s: float
    whole_s: float


def is_folder(path: Path) -> bool:
    """Return whether a film at `path` is a folder of numbered pictures: by its name, which has no suffix."""
    return not path.suffix


def frame_path(folder: Path, number: int) -> Path:
    """Return the picture of frame `number`, the first being 0, in a `folder` of numbered ones."""
    return folder / f"frame-{number + 1:04}.png"


def require(path: Path, film: Film, through: Path | None = None) -> None:
    """Raise `InputError` where `film` cannot be drawn or not be written to `path`, before anything is done."""
    target.require_size(film.size)
    needed, free = film.size[0] * film.size[1] * _BYTES_A_PIXEL, available_bytes()
    if free is not None and needed > free:
        told = f"takes {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free"
        raise InputError(f"size {film.size[0]}x{film.size[1]}: {told}; expected a smaller one")
    if is_folder(path):
        if through is not None:
            raise InputError(f"--through {through}: is not taken with a folder, which is gone on with by itself")
    else:
        film_files.require(path, film.size)
        atomic.require_writable(path)
    folder = path if is_folder(path) else through
    if folder is not None:
        if paths.is_there(folder) and not paths.is_folder(folder):
            raise InputError(f"{folder}: is a file; expected a folder for numbered pictures, new or of this film")
        atomic.require_writable(frame_path(folder, 0))


def take(
    path: Path,
    film: Film,
    engine: str = "auto",
    through: Path | None = None,
    report: Callable[[str, float], None] = lambda step, fraction: None,
    notice: Callable[[str], None] = lambda text: None,
) -> Times:
    """Draw `film` into `path`: by its suffix, or as numbered pictures into the folder of that name.

    Numbered pictures of the same film that are there, in `path` or in the folder `through`, are kept as they are, and
    what is drawn joins them. Ended early it leaves only those, whole. `report` is told how far it is, `notice` in one
    line what could not be done as asked. `InputError` where the film cannot be written or planned.
    """
    require(path, film, through)
    folder = path if is_folder(path) else through
    count = film.timing.frames
    with land_renderer.opened(engine) as tools:
        try:
            lands = _Lands(tools)
            planned = film.planned(Setting(film.size[0] / film.size[1], lands.of, cut_base))
            there = _there(folder, film, planned)
            if is_folder(path) and len(there) == count:
                return Times(0, 0.0, 0.0)
            tools.renderer.keep_far_ground(is_looked_down_at=_looks_down(planned, count, lands))
            begun, drawing_s, drawn = time.perf_counter(), 0.0, 0
            with _beside(lambda items: _encode(path, film, folder, items)) as put:
                for number in range(count):
                    report(_told(number, count, drawn, time.perf_counter() - begun, len(there)), number / count)
                    if folder is not None and number in there:
                        if not is_folder(path):
                            put(_Item(number, _read(frame_path(folder, number), film), None))
                        continue
                    frame = planned(number)
                    field = lands.under(frame)
                    start = time.perf_counter()
                    pixels = capture.still(tools.renderer, frame.scene, field, film.size, film.timing.samples)[..., :3]
                    drawing_s += time.perf_counter() - start
                    drawn += 1
                    put(_Item(number, pixels, frame))
            return Times(drawn, drawing_s, time.perf_counter() - begun)
        except MemoryError:
            size = f"{film.size[0]}x{film.size[1]}"
            raise InputError(f"size {size}: takes more memory than there is; expected a smaller one") from None
        finally:
            for text in tools.take_notices():
                notice(text)


def _looks_down(planned: Callable[[int], Frame], count: int, lands: _Lands) -> bool:
    """Return whether any of a film's `count` frames looks down at far ground.

    Then all of them have what is seen from high up, which from lower is nearly the same: or as the eye rises it would
    change from one frame to the next. So has a film that is gone on with, whichever frames are there.
    """
    looked_at = sorted({round(number) for number in np.linspace(0, count - 1, min(count, _EYES))})
    field = lands.under(planned(0))
    return any(looks_down(planned(number).scene, field) for number in looked_at)


def _told(number: int, count: int, drawn: int, seconds: float, there: int) -> str:
    """Return how far it is, in words, with the time left once that can be told."""
    text = f"frame {number + 1} of {count}"
    if drawn < 2:
        return text
    left = round(seconds / drawn * (count - there - drawn))
    return f"{text}, {left // 60}:{left % 60:02} left"


# -- lands -------------------------------------------------------------------------------------------------------------


class _Lands:
    """The lands of scenes, computed by `tools`; the last ones are kept."""

    def __init__(self, tools: land_renderer.LandRenderer) -> None:
        self._tools = tools
        self._kept: dict[object, HeightField] = {}

    def of(self, scene: Scene) -> HeightField:
        """Return the height field of `scene`, with the masks of its water."""
        key = (*scene.terrain_groups().values(), scene.water)
        if key not in self._kept:
            field = self._tools.land(scene)
            while len(self._kept) >= _LANDS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = field
        return self._kept[key]

    def under(self, frame: Frame) -> HeightField:
        """Return the land of a frame."""
        if frame.blend is None:
            return self.of(frame.scene)
        return blended(self.of(frame.blend.one), self.of(frame.blend.other), frame.blend.share)


# -- numbered pictures -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Item:
    """A frame on its way into the file, uint8 [row, column, rgb]; a picture without `frame` is there already."""

    number: int
    pixels: NDArray[np.uint8]
    frame: Frame | None


def _mark(film: Film, frame: Frame) -> str:
    """Return what a numbered picture tells of how it was taken, by which it is known again: TOML."""
    blend = frame.blend
    parts = [frame.scene] if blend is None else [frame.scene, blend.one, blend.other]
    texts = [*(scenes.to_text(one, Path("/"), shared=True) for one in parts), str(blend and blend.share)]
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    return f'samples = {film.timing.samples}\ntransparent = false\nframe = "{digest}"\n'


def _there(folder: Path | None, film: Film, planned: Callable[[int], Frame]) -> frozenset[int]:
    """Return the frames whose pictures are in `folder`; `InputError` where one there is of another film."""
    if folder is None or not paths.is_folder(folder):
        return frozenset()
    found = []
    for path in sorted(folder.iterdir()):
        named = _NAME.fullmatch(path.name)
        if named is None:
            continue
        number = int(named[1]) - 1
        expected = (film.size, _mark(film, planned(number))) if 0 <= number < film.timing.frames else None
        if expected is None or pictures.read_taken(path) != expected:
            raise InputError(f"{path}: is of another film; expected a new folder, or one of this film's own pictures")
        found.append(number)
    return frozenset(found)


def _read(path: Path, film: Film) -> NDArray[np.uint8]:
    kind = foreign.Kind("a frame", foreign.PICTURE.most_bytes, ("PNG",), target.LARGEST_SIDE, target.LARGEST_SIDE**2)
    pixels = np.asarray(foreign.picture(path, kind).convert("RGB"))
    assert pixels.shape[:2] == film.size[::-1], "which its head has told"
    return pixels


def _encode(path: Path, film: Film, folder: Path | None, items: Iterator[_Item]) -> None:
    """Write all `items`, the pictures of new frames into `folder` and the film to `path` where that is another file."""

    def kept() -> Iterator[NDArray[np.uint8]]:
        for item in items:
            if folder is not None and item.frame is not None:
                out = frame_path(folder, item.number)
                recipe = scenes.to_text(item.frame.scene, folder, shared=True)
                pictures.save(out, item.pixels, recipe, _mark(film, item.frame))
            yield item.pixels

    if is_folder(path):
        for _ in kept():
            pass
    else:
        film_files.write(path, film.size, film.timing.rate, film.timing.frames, kept())


# -- the thread beside -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _beside(consume: Callable[[Iterator[_Item]], None]) -> Iterator[Callable[[_Item], None]]:
    """Give what hands items to `consume`, which runs in a thread; wait for it at the end, and raise what it raised.

    Where the block ends early, the items that wait come still, then `Cancelled`, and the thread is waited for, too.
    """
    waiting: queue.Queue[_Item | None] = queue.Queue(_WAITING)
    abandoned = threading.Event()
    faults: list[BaseException] = []

    def items() -> Iterator[_Item]:
        while True:
            try:
                item = waiting.get(timeout=_LOOK_S)
            except queue.Empty:
                if abandoned.is_set():
                    raise Cancelled from None
                continue
            if item is None:
                return
            yield item

    def run() -> None:
        try:
            consume(items())
        except Cancelled:
            pass
        except BaseException as fault:  # raised where frames are drawn
            faults.append(fault)

    thread = threading.Thread(target=run, name="film", daemon=True)

    def put(item: _Item | None) -> None:
        while not faults:
            with contextlib.suppress(queue.Full):
                waiting.put(item, timeout=_LOOK_S)
                return
        raise faults[0]

    thread.start()
    try:
        yield put
        put(None)
    except BaseException:
        abandoned.set()
        raise
    finally:
        thread.join()
    if faults:
        raise faults[0]
