"""Noise a second: every registered kind over a regular grid, beside the peers that pip can install, in the same run.

    python benchmarks/noise.py [--side 2048] [--runs 7] [--json] [--compile]

Everything goes through the public `noise.grid`; figures are million samples a second, the best of the runs and their
median, and what a run returns has been written to memory. The peers (pyfastnoiselite, opensimplex, noise) are measured
where they can be imported; each gets the coordinates in the form it is fastest with. `×` is the ratio to
pyfastnoiselite's 3-D Perlin. `--compile` also tells the seconds that each kind's first grid takes with an empty cache.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "app"))

from fellview import noise
from fellview.core import compiled
from fellview.core.compiled import kernel, prange
from fellview.noise import registry

FREQUENCIES = (4.0, 15.0, 100.3)
SUMS = ("fbm", "billow", "ridged", "hybrid", "turbulence", "derivative-damped")


@kernel(parallel=True)
def _write(out, value):
    """Write every sample once: what the memory allows."""
    for r in prange(out.shape[0]):
        out[r] = value


def measured(work: Callable[[], object], runs: int) -> tuple[float, float]:
    """Return the best and the median seconds of `work`, after one run that does not count."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), statistics.median(seconds)


def peers(side: int, runs: int) -> Iterator[tuple[str, float, float]]:
    """Yield name, best and median seconds a million samples, of what can be imported."""
    million = side * side / 1e6
    try:
        fast = importlib.import_module("pyfastnoiselite.pyfastnoiselite")
    except ImportError:
        pass
    else:
        r, c = np.meshgrid(*[15.0 * np.arange(side) / side] * 2, indexing="ij")
        flat = np.stack([r.ravel(), c.ravel()]).astype(np.float32)
        solid = np.concatenate([flat, np.zeros((1, side * side), np.float32)])
        for label, kind, points, octaves in (
            ("Perlin 3-D", "NoiseType_Perlin", solid, 1),
            ("Perlin 2-D", "NoiseType_Perlin", flat, 1),
            ("OpenSimplex2 2-D", "NoiseType_OpenSimplex2", flat, 1),
            ("cellular 2-D", "NoiseType_Cellular", flat, 1),
            ("value 3-D", "NoiseType_Value", solid, 1),
            ("Perlin 3-D, 8 octaves", "NoiseType_Perlin", solid, 8),
        ):
            maker = fast.FastNoiseLite(1)
            maker.noise_type = fast.NoiseType[kind]
            maker.frequency = 1.0
            if octaves > 1:
                maker.fractal_type = fast.FractalType.FractalType_FBm
                maker.fractal_octaves = octaves
            best, median = measured(lambda: maker.gen_from_coords(points), min(runs, 3))  # noqa: B023 - called at once
            yield f"pyfastnoiselite {label}", best / million, median / million
    try:
        simplex = importlib.import_module("opensimplex")
    except ImportError:
        pass
    else:
        axis = 15.0 * np.arange(side) / side
        best, median = measured(lambda: simplex.noise2array(axis, axis), 1)
        yield "opensimplex 2-D", best / million, median / million
    try:
        scalar = importlib.import_module("noise")
        scalar.pnoise3(0.1, 0.2, 0.0)
    except (ImportError, AttributeError):
        pass
    else:
        points = [(15.0 * n / 1000, 0.3) for n in range(100_000)]
        best, median = measured(lambda: [scalar.pnoise3(x, y, 0.0) for x, y in points], 3)
        yield "noise (pnoise3 in a loop)", best / 0.1, median / 0.1


def cases(side: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield a name and a call for every kind, dimension and frequency, and for the sums of octaves."""
    for name in noise.kinds():
        kind = registry.get(name)
        for dimension in kind.dimensions:
            if dimension == 1:
                continue
            for frequency in FREQUENCIES:
                yield (
                    f"{name} {dimension}-D f={frequency:g}",
                    lambda n=name, f=frequency, d=dimension: noise.grid(n, side, side, f, d),
                )
    for output in ("f2", "f2-f1", "value"):
        yield f"worley 2-D f=15 {output}", lambda o=output: noise.grid("worley", side, side, 15.0, 2, output=o)
    for mode in SUMS:
        yield (
            f"improved 3-D f=4 8 octaves {mode}",
            lambda m=mode: noise.grid("improved", side, side, 4.0, 3, octaves=8, fractal=m),
        )
    for name in noise.kinds():
        dimension = registry.get(name).flat_dimension
        yield (
            f"{name} {dimension}-D f=4 8 octaves fbm",
            lambda n=name, d=dimension: noise.grid(n, side, side, 4.0, d, octaves=8),
        )


def compile_seconds() -> Iterator[tuple[str, float]]:
    """Yield each kind and dimension with the seconds to its first small grid, in a process with an empty cache."""
    program = (
        "import sys, time; from fellview import noise; from fellview.core import compiled; compiled.threads()\n"
        "start = time.perf_counter(); noise.grid(sys.argv[1], 16, 16, 2.0, int(sys.argv[2]))\n"
        "print(time.perf_counter() - start)"
    )
    for name in noise.kinds():
        for dimension in registry.get(name).dimensions:
            if dimension == 1:
                continue
            with tempfile.TemporaryDirectory() as cache:
                search = os.pathsep.join([str(Path(__file__).parents[1] / "app"), os.environ.get("PYTHONPATH", "")])
                done = subprocess.run(
                    [sys.executable, "-c", program, name, str(dimension)],
                    check=True,
                    capture_output=True,
                    env={**os.environ, "FELLVIEW_CACHE": cache, "PYTHONPATH": search},
                )
            yield f"{name} {dimension}-D", float(done.stdout)


def main() -> None:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--side", type=int, default=2048)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--compile", action="store_true")
    arguments = parser.parse_args()
    side, runs = arguments.side, arguments.runs
    million = side * side / 1e6
    rows: list[tuple[str, float, float]] = []

    def say(name: str, best: float, median: float) -> None:
        """Keep and show a row; seconds a million samples."""
        rows.append((name, best, median))
        if not arguments.json:
            base = next((row[1] for row in rows if row[0] == "pyfastnoiselite Perlin 3-D"), math.nan)
            print(f"{name:44} {1 / best:9.1f} {1 / median:9.1f} {base / best:8.1f}", flush=True)

    if not arguments.json:
        print(f"{side}², {compiled.threads()} threads, {platform.machine()}, million samples a second")
        print(f"{'':44} {'best':>9} {'median':>9} {'×':>8}")
    for name, best, median in peers(side, runs):
        say(name, best, median)
    out = np.empty((side, side), np.float32)
    best, median = measured(lambda: _write(out, np.float32(1)), runs)
    say("memory written, nothing computed", best / million, median / million)
    for name, work in cases(side):
        best, median = measured(work, runs)
        say(name, best / million, median / million)
    compiled_in = dict(compile_seconds()) if arguments.compile else {}
    if arguments.json:
        report = [
            {"name": name, "median_ms": median * million * 1e3, "best_ms": best * million * 1e3, "runs": runs}
            for name, best, median in rows
        ]
        print(json.dumps({"machine": platform.processor(), "side": side, "noise": report, "compile_s": compiled_in}))
    for name, seconds in compiled_in.items():
        if not arguments.json:
            print(f"first {name:20} {seconds:6.1f} s to compile")


if __name__ == "__main__":
    main()
