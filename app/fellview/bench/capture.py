"""A large picture taken into a file, as `fellview render` takes it: seconds, and the most memory that its process has.

It is one run in a process of its own, since a picture of 33 million pixels takes minutes on software OpenGL.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil

from fellview.core.errors import FellviewError

SCENE, SIZE, SAMPLES = "alpine-range", (7680, 4320), 16
_EVERY_S = 0.05  # that its memory is asked for


def measure(folder: Path) -> list[tuple[str, list[float], dict[str, float]]]:
    """Return name, seconds and more of the picture, which is written into `folder`.

    `peak_mb` is the largest resident set of its process, in 10⁶ bytes.
    """
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
    return [(f"capture: {SCENE} at {size}, {SAMPLES} samples", [seconds], more)]
