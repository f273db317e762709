"""A large picture, a film and pages taken into files: seconds, and what stands in the way of drawing.

Of the picture, as `fellview render` takes it, that is the most memory that its process has; of the film how many of the
frames that are drawn come into the file in the same time; of each scene's page its size, and how soon a browser shows
it. Each is one run, since it takes minutes on software OpenGL.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from fellview.bench import browser
from fellview.capture import film as films
from fellview.core.errors import FellviewError, InputError
from fellview.io import film_files, scenes
from fellview.studio.films.film import Film, Timing
from fellview.studio.films.turntable import Turntable

SCENE, SIZE, SAMPLES = "alpine-range", (7680, 4320), 16
FRAMES, BRIEF_FRAMES, FRAME_SIZE, FRAME_SAMPLES = 120, 24, (1280, 720), 4
PAGE_SIZE = (960, 540)  # of the browser's window
KINDS = ("picture", "film", "pages")
_EVERY_S = 0.05  # that its memory is asked for


Measured = tuple[str, list[float], dict[str, float | str]]
"""Name, seconds and more."""


def measure(
    folder: Path, chosen_scenes: Sequence[str] = (), only: Sequence[str] = (), brief: bool = False
) -> list[Measured]:
    """Return what the picture, the film and the pages take, which are written into `folder`.

    Pages are those of `chosen_scenes`, or of all presets where there are none. `only` names what of `KINDS` is
    measured, all where it is empty; `brief` takes a film of `BRIEF_FRAMES`. `InputError` where a word is none of those.
    """
    presets = scenes.presets()
    for words, known in ((only, KINDS), (chosen_scenes, presets)):
        for word in words:
            if word not in known:
                raise InputError(f"bench capture: {word}: expected one of {', '.join(known)}")
    wanted = only or KINDS
    found = [_picture(folder)] if "picture" in wanted else []
    if "film" in wanted:
        found.append(_film(folder, BRIEF_FRAMES if brief else FRAMES))
    if "pages" in wanted:
        found += [_page(folder, name) for name in chosen_scenes or presets]
    return found


def _page(folder: Path, name: str) -> Measured:
    """Return what the page of a preset takes.

    `first_picture_s` are seconds from the page's address to its first picture in a headless Chromium that is open.
    """
    out = folder / f"{name}.html"
    start = time.perf_counter()
    words = [sys.executable, "-P", "-m", "fellview", "page", name, "-o", str(out)]
    if status := subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode:
        raise FellviewError(f"bench capture: page {name}: ended with status {status}")
    seconds = time.perf_counter() - start
    more: dict[str, float | str] = {"file_mb": round(out.stat().st_size / 1e6, 3)}
    if browser.program() is None:
        more["first_picture_s"] = "no chromium"
    else:
        with browser.opened(PAGE_SIZE) as opened:
            start = time.perf_counter()
            opened.open(out)
            opened.wait("document.documentElement.dataset.frames > 0 || document.documentElement.dataset.fault")
            more["first_picture_s"] = round(time.perf_counter() - start, 2)
            if fault := opened.value("document.documentElement.dataset.fault"):
                raise FellviewError(f"bench capture: page {name}: {fault}")
    return f"capture: page of {name}", [seconds], more


def _film(folder: Path, frames: int) -> Measured:
    """Return what a turntable takes, from the first frame to the finished file.

    `to_drawing` are frames a second by frames over the sum of the times that drawing each took: 1 where encoding costs
    nothing.
    """
    film = Film(scenes.load(SCENE), Turntable(), Timing(frames=frames, samples=FRAME_SAMPLES), FRAME_SIZE)
    out = folder / ("turntable.mp4" if film_files.has_codec() else "turntable.webp")
    times = films.take(out, film)
    more: dict[str, float | str] = {
        "frames_a_second": round(times.drawn / times.whole_s, 3),
        "to_drawing": round(times.drawing_s / times.whole_s, 3),
        "file_mb": round(out.stat().st_size / 1e6, 1),
    }
    size = f"{FRAME_SIZE[0]}x{FRAME_SIZE[1]}"
    return f"capture: {frames} frames at {size}, {FRAME_SAMPLES} samples, {out.suffix}", [times.whole_s], more


def _picture(folder: Path) -> Measured:
    """Return what the picture takes; `peak_mb` is the largest resident set of its process, in 10⁶ bytes."""
    out = folder / "large.png"
    size = f"{SIZE[0]}x{SIZE[1]}"
    words = ["render", SCENE, "--size", size, "--samples", str(SAMPLES), "-o", str(out)]
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-P", "-m", "fellview", *words], stdout=subprocess.DEVNULL)
    watched, peak = psutil.Process(process.pid), 0
    while process.poll() is None:
        try:
            peak = max(peak, watched.memory_info().rss)
        except psutil.NoSuchProcess:
            break
        time.sleep(_EVERY_S)
    if process.wait():
        raise FellviewError(f"bench capture: render ended with status {process.returncode}")
    seconds = time.perf_counter() - start
    more: dict[str, float | str] = {"peak_mb": round(peak / 1e6), "file_mb": round(out.stat().st_size / 1e6, 1)}
    return f"capture: {SCENE} at {size}, {SAMPLES} samples", [seconds], more
