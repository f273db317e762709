"""What erosion takes on this machine, and how near each of its kernels comes to what memory and arithmetic allow."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from fellview.bench.timing import timed
from fellview.core.compiled import kernel, prange
from fellview.core.height_field import Heights
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import fluvial, hydraulic, registry, rock, thermal
from fellview.terrain.hydrology import drainage
from fellview.terrain.hydrology.water import Bodies, Water
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, noise

Measured = tuple[str, list[float], dict[str, Any]]

_ROOFLINE_SIDE = 2048  # its arrays do not fit into a processor's caches


def measure() -> list[Measured]:
    """Return name, seconds of each run and figures of every benchmark of erosion."""
    return [*_whole_runs(), *kernels()]


def _fbm(side: int) -> tuple[Domain, Heights]:
    domain = Domain(Grid(rows=side, columns=side, size_x=4000.0, size_z=4000.0), 12)
    parameters = noise.Noise(frequency=3.2, octaves=9, amplitude=1300.0, gain=0.47, lacunarity=2.03)
    return domain, noise.run(parameters, domain, np.zeros((side, side), np.float32), Progress())


def _whole_runs() -> list[Measured]:
    found: list[Measured] = []
    for kind in registry.every():
        once = kind.parameters.declaration(kind.ends_after)
        counted = f", {once.default} {once.unit}" if once.default else ""
        for side, runs in kind.bench_runs.items():
            seconds, iterations = _worn(kind.name, *_fbm(side), runs)
            figures = {"iterations": iterations, "ms_an_iteration": _ms_each(seconds, iterations)}
            figures["ns_a_cell"] = round(1e9 * statistics.median(seconds) / side**2)
            found.append((f"erosion: {kind.name}{counted} at {side}²", seconds, figures))
    domain, heights = _fbm(512)
    layered = dataclasses.replace(domain, others=(rock.Rock(enabled=True, undulation=20.0),))
    for name in registry.names():
        seconds, _ = _worn(name, layered, heights, 5)
        found.append((f"erosion: {name} of layered rock at 512²", seconds, {}))
    for side in (512, 1024):
        level = _wet(side)
        seconds = timed(lambda level=level: level.step(np.zeros(1, np.uint8)), 30)  # type: ignore[misc]
        found.append((f"erosion: hydraulic, one step at {side}²", seconds, {"ms_an_iteration": _ms_each(seconds, 1)}))
    domain, heights = _fbm(512)
    carved = erosion.run(erosion.Erosion(kind="fluvial"), domain, heights, Progress())
    assert isinstance(carved, np.ndarray), "rivers leave heights alone"
    for what, ground in (("noise, nearly all hollows", heights), ("carved land", carved)):
        seconds = timed(lambda ground=ground: _lakes_and_rivers(ground, domain), 9)  # type: ignore[misc]
        found.append((f"erosion: lakes and rivers on {what}, at 512²", seconds, {}))
    return found


class _Counting(Progress):
    """Progress that keeps how many iterations it was told of."""

    iterations = 0

    def report(self, step: str, fraction: float, iteration: int = 0, iterations: int = 0) -> None:
        self.iterations = iterations


def _worn(kind: str, domain: Domain, heights: Heights, runs: int) -> tuple[list[float], int]:
    """Return the seconds of each of `runs` runs of erosion of one kind, and its iterations."""
    progress = _Counting()
    return timed(lambda: erosion.run(erosion.Erosion(kind=kind), domain, heights, progress), runs), progress.iterations


def _ms_each(seconds: list[float], iterations: int) -> float:
    return round(1000 * statistics.median(seconds) / max(1, iterations), 3)


def _lakes_and_rivers(heights: Heights, domain: Domain) -> None:
    bodies = Bodies(heights, domain.grid.cell_size, Water(lakes=True, rivers=True))
    for name in Bodies.NAMES:
        bodies.make(name, np.zeros(1, np.uint8))


def _wet(side: int) -> hydraulic.Level:
    """Return a level of hydraulic erosion in its own units, with water everywhere."""
    _, heights = _fbm(side)
    level = hydraulic.Level(side, side, hydraulic.plan(hydraulic.Hydraulic(), side, side, (1.0, 1.0), 4.0), 1)
    drainage.inner(level.ground, side, side)[:] = (heights - heights.min()) / np.ptp(heights)
    level.water[:] = 1e-3
    for _ in range(20):
        level.step(np.zeros(1, np.uint8))
    return level


@kernel(parallel=True)
def _triad(a, b, c):
    for i in prange(a.size):
        a[i] = b[i] + np.float32(3) * c[i]


@kernel(parallel=True)
def _multiply_add(blocks, rounds):
    """Do 4·16·2 operations a round on every four numbers: four chains, for one alone waits for its last result."""
    a, b = np.float32(0.999), np.float32(0.001)
    for lane in prange(blocks.shape[0]):
        block = blocks[lane]
        quarter = block.size // 4
        for _ in range(rounds):
            for i in range(quarter):
                w, x = block[i], block[quarter + i]
                y, z = block[2 * quarter + i], block[3 * quarter + i]
                for _ in range(16):
                    w, x, y, z = w * a + b, x * a + b, y * a + b, z * a + b
                block[i], block[quarter + i] = w, x
                block[2 * quarter + i], block[3 * quarter + i] = y, z


def _memory_rate() -> float:
    """Return bytes a second that all cores read and write of arrays beyond the caches."""
    a, b, c = np.ones((3, 1 << 24), np.float32)
    return 3 * a.nbytes / min(timed(lambda: _triad(a, b, c), 7))


def _arithmetic_rate() -> float:
    """Return float32 operations a second of all cores on numbers in their nearest cache."""
    blocks, rounds = np.ones((drainage.LANES, 2048), np.float32), 500
    return blocks.size * rounds * 32 / min(timed(lambda: _multiply_add(blocks, rounds), 7))


def kernels(
    side: int = _ROOFLINE_SIDE,
    memory_rate: Callable[[], float] = _memory_rate,
    arithmetic_rate: Callable[[], float] = _arithmetic_rate,
) -> list[Measured]:
    """Time each kernel alone on a grid of `side`², against this machine's rates of bytes and of operations a second.

    `of_roofline` is the time that its bytes or its operations would take at this machine's rates, whichever is longer,
    over the time that it took. An operation is one of float32; four on bytes count as one. Bytes count each array once,
    though a kernel that follows rivers reads some lines often.
    """
    memory, arithmetic = memory_rate(), arithmetic_rate()
    rates = {"memory_GB_s": round(memory / 1e9, 1), "arithmetic_Gop_s": round(arithmetic / 1e9, 1)}
    found: list[Measured] = [("erosion: this machine's rates", [0.0], rates)]
    for name, bytes_a_cell, operations, work in kernel_calls(side):
        seconds = timed(work, 5)
        taken = statistics.median(seconds)
        least = side * side * max(bytes_a_cell / memory, operations / arithmetic)
        figures = {
            "bytes_a_cell": bytes_a_cell,
            "operations_a_cell": operations,
            "GB_s": round(side * side * bytes_a_cell / taken / 1e9, 1),
            "of_roofline": round(least / taken, 2),
        }
        found.append((f"erosion: {name} at {side}²", seconds, figures))
    return found


def kernel_calls(side: int) -> list[tuple[str, int, int, Callable[[], Any]]]:
    """Return name, bytes and operations a cell, and the call of each kernel, on a range half made."""
    domain, heights = _fbm(side)
    cancel = np.zeros(1, np.uint8)
    carved = erosion.run(erosion.Erosion(kind="fluvial"), domain, heights, Progress())
    assert isinstance(carved, np.ndarray), "rivers leave heights alone"
    carved = (carved - carved.min()) / np.ptp(carved)
    level = fluvial.Level(side, side, (1.0, 1.0), 1, cancel)
    drainage.inner(level.heights, side, side)[:] = carved
    level.strength[:] = 1
    level.place_outlets(fluvial.lowest_along_edge(carved))
    level.route(cancel)
    incise = level.incise
    flat = np.pad(heights, 1, mode="edge").ravel()
    other = flat.copy()
    way = np.float32(0.7 * 4000 / side)
    tali = (way, way, np.float32(way * math.sqrt(2)))
    rates = (np.float32(0.1), np.float32(0.1), np.float32(0.05))
    lane_starts = np.array([0, (len(level.roots) + 1) // 2, len(level.roots)])
    wet = _wet(side)
    return [
        # eight differences, two comparisons each, and the sum
        (
            "thermal, one iteration",
            12,
            64,
            lambda: thermal._stage(other, flat, side, side, np.float32(-0.9), tali, rock.NOTHING, rates, cancel),
        ),
        # eight slopes with their jitter and their comparison
        (
            "receivers",
            9,
            80,
            lambda: drainage.find_receivers(
                level.heights,
                side,
                side,
                level.bits,
                level.inverse_lengths,
                np.float32(0),
                np.full(level.heights.size, 9, np.uint8),
                cancel,
            ),
        ),
        ("donors", 2, 6, lambda: drainage.find_donors(level.directions, side, side, level.donors)),
        (
            "order",
            9,
            20,
            lambda: drainage.climb(
                level.roots, lane_starts, level.donors, side, level.orders, level.parents, level.counts, cancel
            ),
        ),
        (
            "areas and loads",
            28,
            2,
            lambda: drainage.sum_up(level.orders, level.parents, level.counts, level.area, level.load, True, cancel),
        ),
        ("creep and talus, twice", 24, 90, lambda: level.relax(0.01, 1e-9, 2e-4, 100.0, cancel)),
        # the implicit step's numbers (29 and 25), the solution upwards (24 and 6), and the load (16 and 3)
        ("incision", 69, 34, lambda: incise(1e-3, 2e-4, 0.5, cancel)),
        # flows: ground, water and two flows read, two written, 34 operations; carrying: five read, three written, 86
        ("hydraulic, one step", 24 + 32, 120, lambda: wet.step(cancel)),
        # ground and water read, ground written; eight neighbours of eleven operations
        ("hydraulic, slump", 12, 96, lambda: wet.slump(cancel)),
    ]
