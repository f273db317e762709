"""Erosion of every kind: `thermal.py`, `fluvial.py`, `hydraulic.py` and, here, the DirectX demo's.

The demo's: each cell slides half its steepest drop to that neighbour, in place.

In raster order over the interior, for each cell the largest drop d = h[r, c] − h[neighbour] among the eight neighbours
(the first in scan order wins a tie); where 0 < d ≤ threshold, d/2 moves to that neighbour. A higher threshold
therefore moves more: it is not a talus angle. In place and in raster order by definition, so it runs on the CPU only.

A sweep runs over the skewed layout of `skewed.py`, all cells of one t = 3r + c at once. Sweeps are pipelined over
threads: sweep k follows sweep k − 1 eight places of t behind, since each reaches four to either side, and so gives the
serial result. In u = t + 8k that means that sweep k may visit all up to some u once sweep k − 1 has. Bands of u are
therefore cut alike for all sweeps, the sweeps are cut into one group a thread, and group g works on band b while group
g + 1 works on band b − 1.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange, read_only
from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch, whole
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import fluvial, hydraulic, rock, thermal, wavefront
from fellview.terrain.erosion.wavefront import REACH, block_runs
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step

_LAG = 2 * REACH  # in t, between a sweep and the next
_CELLS_A_BAND = 1 << 15  # 128 KiB, so that a group finds its band in the core's own cache; fewer cost too many barriers
_COST_A_CALL = 1 << 23  # in cells, of 2 to 4 ns each: some 20 ms between two reports
_COST_A_RUN = 100  # in cells, what a run of cells costs beside its cells

_Terms = TypeVar("_Terms", fluvial.Terms, hydraulic.Terms)


@dataclass(frozen=True)
class Erosion(Group):
    """How the ground wears down."""

    key: ClassVar[str] = "erosion"
    title: ClassVar[str] = "Erosion"

    enabled: bool = switch(True, tip="Wears the ground down; off leaves it as it was made.")
    kind: str = choice(
        "demo",
        ("none", "demo", "thermal", "fluvial", "hydraulic"),
        tip="How the ground wears: not at all, as in the DirectX demo, by scree that slides off steep slopes, by"
        " rivers that carve a range, or by rain that runs off, cuts gullies and lays down fans.",
    )
    iterations: int = whole(
        10,
        0,
        10_000,
        slider=(0, 100),
        unit="sweeps",
        tip="Low leaves it rough, high lets slopes settle into smooth sheets.",
        only={"kind": ("demo",)},
    )
    threshold: float = real(
        1.0,
        0.0,
        100_000.0,
        slider=(0.01, 3),
        unit="m a cell",
        scale="log",
        tip="Drops up to this height slide. Low moves only gentle slopes, high moves everything; at 1 nearly all of the"
        " demo's terrain moves. It works the other way round from a talus angle.",
        only={"kind": ("demo",)},
    )
    duration: float = real(
        100.0,
        0.0,
        1000.0,
        slider=(0, 400),
        unit="kyr",
        tip="Low leaves young land as it was made, high gives a mature range or long slopes of scree. The same at every"
        " grid size.",
        only={"kind": ("thermal", "fluvial", "hydraulic")},
    )
    talus_angle: float = real(
        38.0,
        1.0,
        85.0,
        slider=(10, 60),
        unit="°",
        tip="The steepest slope that stands. Low lets all but gentle ground slide, high leaves cliffs.",
        only={"kind": ("thermal", "fluvial", "hydraulic")},
    )
    incision: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        tip="How fast rivers cut. Low leaves high, broad mountains, high cuts them down to low hills.",
        only={"kind": ("fluvial",)},
    )
    uplift: float = real(
        1.0,
        0.0,
        3.0,
        unit="×",
        tip="How fast the land rises meanwhile. Low lets it wear down to its valleys, high lifts sharp peaks.",
        only={"kind": ("fluvial",)},
    )
    deposition: float = real(
        0.5,
        0.0,
        1.0,
        tip="How much of their load rivers lay down. Low leaves steep, bare valley heads, high fills valleys gently.",
        only={"kind": ("fluvial",)},
    )
    valley_spacing: float = real(
        1.5,
        0.1,
        10.0,
        slider=(0.3, 5),
        unit="% of the land",
        scale="log",
        tip="Low cuts slopes into fine gullies, high leaves broad flanks between few valleys.",
        only={"kind": ("fluvial",)},
    )
    creep_length: float = real(
        0.4,
        0.0,
        5.0,
        slider=(0, 2),
        unit="% of the land",
        label="Ridge rounding",
        tip="How far soil creeps. Low keeps knife ridges, high rounds them to downs.",
        only={"kind": ("fluvial",)},
    )
    rock_contrast: float = real(
        0.5,
        0.0,
        1.5,
        tip="How much hard and soft rocks differ. Low gives even ranges, high steep hard massifs beside worn lowlands.",
        only={"kind": ("fluvial",)},
    )
    rain: float = real(
        1.0,
        0.0,
        10.0,
        slider=(0, 4),
        unit="×",
        tip="Low cuts few gullies and leaves small ponds, high carves broad valleys and fills hollows with lakes.",
        only={"kind": ("hydraulic",)},
    )
    evaporation: float = real(
        1.0,
        0.0,
        100.0,
        slider=(0, 20),
        unit="×",
        tip="Low lets rivers reach the edge, high dries them up on the way and leaves their load in the valleys.",
        only={"kind": ("hydraulic",)},
    )
    sediment_capacity: float = real(
        1.0,
        0.1,
        10.0,
        label="Capacity",
        unit="×",
        scale="log",
        tip="How much water can carry. Low fills every flat with deposits, high carries the land off and cuts deep.",
        only={"kind": ("hydraulic",)},
    )
    erodibility: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        tip="How soft the ground is. Low scratches it, high gullies its slopes up to the crests.",
        only={"kind": ("hydraulic",)},
    )
    deposition_rate: float = real(
        1.0,
        0.1,
        10.0,
        unit="×",
        scale="log",
        tip="How fast mud settles. Low spreads it thin and far, high heaps it in fans at the foot of slopes.",
        only={"kind": ("hydraulic",)},
    )
    stop_after: int = whole(
        0,
        0,
        100_000,
        slider=(0, 400),
        unit="iterations",
        tip="0 runs to the end. Low leaves the land half worn: what is reached by then is only refined. Keep so far"
        " writes it.",
        only={"kind": ("thermal", "fluvial", "hydraulic")},
        more=True,
    )


@kernel()
def _begin(flat, heights, drops, count, centre):
    """Note the old heights of the `count` cells that begin at `centre`, and no drop yet."""
    for i in range(count):
        heights[i] = flat[centre + i]
        drops[i] = np.float32(0)


@kernel()
def _compare(flat, heights, drops, count, n0, n1, n2, n3):
    """Raise `drops` to the largest of themselves and the drops to four neighbours."""
    for i in range(count):
        height = heights[i]
        drop = drops[i]
        drop = max(drop, height - flat[n0 + i])
        drop = max(drop, height - flat[n1 + i])
        drop = max(drop, height - flat[n2 + i])
        drop = max(drop, height - flat[n3 + i])
        drops[i] = drop


@kernel()
def _take(flat, heights, drops, count, centre, threshold):
    """Lower the cells that slide; a drop that does not slide becomes NaN, which equals nothing."""
    for i in range(count):
        drop = drops[i]
        slides = (drop > np.float32(0)) & (drop <= threshold)
        drops[i] = drop if slides else np.float32(np.nan)
        taken = np.float32(0.5) * drop
        flat[centre + i] = heights[i] - (taken if slides else np.float32(0))


@kernel()
def _give(flat, heights, drops, count, neighbour):
    """Raise the neighbours that a drop leads to; such a drop becomes NaN, so that it is given once.

    Differences are compared, not heights: two neighbours of unlike height can have the same drop once it is rounded.
    """
    for i in range(count):
        drop = drops[i]
        height = flat[neighbour + i]
        hit = heights[i] - height == drop
        given = np.float32(0.5) * drop
        flat[neighbour + i] = height + (given if hit else np.float32(-0.0))  # adding −0 changes nothing, not even −0
        drops[i] = np.float32(np.nan) if hit else drop


@kernel()
def _sweep(flat, rows, columns, start, first, last, threshold):
    """Visit the cells of t from `first` to `last` − 1 once.

    Short loops over few arrays: the compiler makes vector code only where few pairs of arrays might overlap.
    """
    longest = min(rows, columns // 3 + 1)
    heights = np.empty(longest, np.float32)
    drops = np.empty(longest, np.float32)
    for t in range(max(first, REACH), min(last, start.size - REACH)):
        count, (n0, n1, n2, n3, centre, n4, n5, n6, n7) = block_runs(rows, columns, start, t)
        _begin(flat, heights, drops, count, centre)
        _compare(flat, heights, drops, count, n0, n1, n2, n3)
        _compare(flat, heights, drops, count, n4, n5, n6, n7)
        _take(flat, heights, drops, count, centre, threshold)
        for neighbour in (n0, n1, n2, n3, n4, n5, n6, n7):  # the first in scan order wins a tie
            _give(flat, heights, drops, count, neighbour)


@kernel(parallel=True)
def _sweeps(flat, rows, columns, start, sweeps, threshold, groups, band, cancel):
    """Run `sweeps` sweeps over the skewed heights `flat`; may stop early on `cancel`."""
    each = (sweeps + groups - 1) // groups
    bands = (start.size + _LAG * (sweeps - 1) + band - 1) // band
    for step in range(bands + groups - 1):
        if cancel[0]:
            return
        for group in prange(max(0, step - bands + 1), min(step, groups - 1) + 1):
            for sweep in range(group * each, min(sweeps, (group + 1) * each)):
                first = (step - group) * band - _LAG * sweep
                _sweep(flat, rows, columns, start, first, first + band, threshold)


def terms(kind: type[_Terms], parameters: Erosion) -> _Terms:
    """Return what erosion of one `kind` is told of `parameters`: those that its terms name."""
    names = (one.name for one in dataclasses.fields(kind))
    return kind(**{name: getattr(parameters, name) for name in names})


def run(parameters: Erosion, domain: Domain, heights: Heights, progress: Progress) -> Heights | Land:
    """Return the worn heights in metres, float32 [row, column], after hydraulic erosion with its water.

    Where rock is on, what lies at the surface comes with them.
    """
    worn = _worn(parameters, domain, heights, progress)
    if not domain.other(rock.Rock).enabled:
        return worn
    land = worn if isinstance(worn, Land) else Land(worn)
    return Land(land.heights, {**land.fields, **rock.fields(domain, land.heights, progress.cancel)})


def _worn(parameters: Erosion, domain: Domain, heights: Heights, progress: Progress) -> Heights | Land:
    match parameters.kind:
        case "thermal":
            return thermal.run(
                parameters.duration,
                parameters.talus_angle,
                domain,
                heights,
                progress,
                name=Erosion.key,
                stop_after=parameters.stop_after,
            )
        case "fluvial":
            rivers = terms(fluvial.Terms, parameters)
            return fluvial.run(rivers, domain, heights, progress, name=Erosion.key, stop_after=parameters.stop_after)
        case "hydraulic":
            wet = terms(hydraulic.Terms, parameters)
            return hydraulic.run(wet, domain, heights, progress, name=Erosion.key, stop_after=parameters.stop_after)
        case _:
            return _demo(parameters, heights, progress)


def _demo(parameters: Erosion, heights: Heights, progress: Progress) -> Heights:
    """Return the heights after all sweeps, float32 [row, column]; mass is kept to rounding."""
    rows, columns = heights.shape
    if rows < 3 or columns < 3:
        return heights.copy()  # no interior
    start = wavefront.starts(rows, columns)
    flat = np.empty(heights.size, np.float32)
    wavefront.skew(read_only(heights), start, flat, progress.cancel)
    threads = os.cpu_count() or 1
    band = max(1, _CELLS_A_BAND * start.size // heights.size)
    most = max(4 * threads, _COST_A_CALL // (heights.size + _COST_A_RUN * start.size))
    left = parameters.iterations
    while left:
        sweeps = min(left, most)
        groups = min(threads, sweeps)
        _sweeps(flat, rows, columns, start, sweeps, np.float32(parameters.threshold), groups, band, progress.cancel)
        left -= sweeps
        reached = parameters.iterations - left
        progress.report(Erosion.key, reached / parameters.iterations, reached, parameters.iterations)
        if left and progress.ends_with(reached):
            break
        if left and progress.wants_picture:
            progress.show(_unskewed(flat, start, heights, progress))
    return _unskewed(flat, start, heights, progress)


def _unskewed(flat: Heights, start: NDArray[np.int64], like: Heights, progress: Progress) -> Heights:
    heights = np.empty_like(like)
    wavefront.unskew(flat, start, heights, progress.cancel)
    return heights


def _active(parameters: Erosion) -> bool:
    if not parameters.enabled:
        return False
    match parameters.kind:
        case "none":
            return False
        case "demo":
            return parameters.iterations > 0 and parameters.threshold > 0
        case _:
            return parameters.duration > 0


def _scratch_bytes(parameters: Erosion) -> int:
    kinds = {"thermal": thermal, "fluvial": fluvial, "hydraulic": hydraulic}
    return kinds[parameters.kind].BYTES_A_CELL if parameters.kind in kinds else 0


def _remark(parameters: Erosion, domain: Domain) -> str:
    """Return a line for a person where erosion ends early, else an empty text."""
    if parameters.stop_after == 0 or parameters.kind not in ("thermal", "fluvial", "hydraulic"):
        return ""
    return f"erosion: stops after {parameters.stop_after} iterations"


def _stopped(parameters: Erosion, reached: int) -> Erosion:
    return parameters.replace(**{"iterations" if parameters.kind == "demo" else "stop_after": reached})


STEP = Step(
    Erosion,
    run,
    active=_active,
    revision=2,
    remark=_remark,
    scratch_bytes=_scratch_bytes,
    scratch_bytes_beside=lambda layers: rock.BYTES_A_CELL if layers.enabled else 0,
    in_cells=lambda parameters: parameters.kind == "demo",
    stopped=_stopped,
    reads=(rock.Rock,),
    fields=hydraulic.FIELDS | rock.FIELDS,
)
