"""A large picture and a film taken into files: seconds, and what stands in the way of drawing.

Of the picture, as `fellview render` takes it, that is the most memory that its process has; of the film how many of the
frames that are drawn come into the file in the same time. Each is one run, since it takes minutes on software OpenGL.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil

from fellview.capture import film as films
from fellview.core.errors import FellviewError
from fellview.io import film_files, scenes
from fellview.studio.films.film import Film, Timing
from fellview.studio.films.turntable import Turntable

SCENE, SIZE, SAMPLES = "alpine-range", (7680, 4320), 16
FRAMES, FRAME_SIZE, FRAME_SAMPLES = 120, (1280, 720), 4
_EVERY_S = 0.05  # that its memory is asked for


Measured = tuple[str, list[float], dict[str, float]]
"""Name, seconds and more."""


def measure(folder: Path) -> list[Measured]:
    """Return what the picture and the film take, which are written into `folder`."""
    return [_picture(folder), _film(folder)]


def _film(folder: Path) -> Measured:
    """Return what a turntable takes, from the first frame to the finished file.

    `to_drawing` are frames a second by frames over the sum of the times that drawing each took: 1 where encoding costs
    nothing.
    """
    film = Film(scenes.load(SCENE), Turntable(), Timing(frames=FRAMES, samples=FRAME_SAMPLES), FRAME_SIZE)
    out = folder / ("turntable.mp4" if film_files.has_codec() else "turntable.webp")
    times = films.take(out, film)
    more = {
        "frames_a_second": round(times.drawn / times.whole_s, 3),
        "to_drawing": round(times.drawing_s / times.whole_s, 3),
        "file_mb": round(out.stat().st_size / 1e6, 1),
    }
    size = f"{FRAME_SIZE[0]}x{FRAME_SIZE[1]}"
    return f"capture: {FRAMES} frames at {size}, {FRAME_SAMPLES} samples, {out.suffix}", [times.whole_s], more


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
    more = {"peak_mb": round(peak / 1e6), "file_mb": round(out.stat().st_size / 1e6, 1)}
    return f"capture: {SCENE} at {size}, {SAMPLES} samples", [seconds], more
