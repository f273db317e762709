"""Thermal erosion: what stands steeper than the talus angle crumbles and slides down to it.

Between a cell and each of its eight neighbours n, at distance L_n,

    ∂h/∂t = −Σ_n (D/L_n²)·S(h − h_n, L_n·tan talus),   S(d, t) = d − t above t, d + t below −t, 0 between

Heights and lengths in metres. D is the same in all cells and such that scree on steep ground spreads over `_REACH` of
the land's side in 100 kyr, whatever its extent. What one cell gives its neighbour takes, so mass is kept to rounding;
slopes under the talus angle along all eight ways stay exactly as they are; nothing depends on the order of cells, and
no sum on their directions, so that mirrored ground gives the mirrored result bit for bit. Nothing leaves over the edge.

Explicit steps would have to be as short as L²/8D and so be 16 times as many on four times the cells a side. The steps
are Runge-Kutta-Legendre ones of s stages each, which is as far as (s² + s)/2 explicit ones and as stable, so that
iterations (stages) grow with the cells a side: 22 at 512², 44 at 1024² by default.

Limits: no more than `_MOST_STAGES`; where that is too few for the duration (cells a thousand times longer than wide, or
hundreds of cells and the longest duration), the steepest slopes end early.

References: F. K. Musgrave, C. E. Kolb, R. S. Mace, "The synthesis and rendering of eroded fractal terrains", SIGGRAPH
1989, doi:10.1145/74333.74337; B. Jákó, "Fast hydraulic and thermal erosion on the GPU", CESCG 2011; C. D. Meyer,
D. S. Balsara, T. D. Aslam, "A stabilized Runge-Kutta-Legendre method", Journal of Computational Physics 257 (2014),
doi:10.1016/j.jcp.2013.08.021.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fellview.core.compiled import kernel, prange
from fellview.core.height_field import Heights
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock
from fellview.terrain.erosion.kind import Kind, OverTime, lasts
from fellview.terrain.hydrology import drainage
from fellview.terrain.progress import Progress

BYTES_A_CELL = 8  # two fields of a step beside input and output

_REACH = 0.015  # of the land's side, √(size_x · size_z), as a standard deviation
_LONGEST_STEP = 24  # stages; with longer ones the angle that is left wavers on the way
_MOST_STAGES = 6000
_LAYER_STEPS = 32  # what lies at the surface is looked up once a step
_REPORTS = 100  # of progress, at most: each wakes the window


@dataclass(frozen=True)
class Thermal(OverTime):
    """Thermal erosion has what all kinds over time have, and no more."""


@kernel(inline="always")
def _slide(drop, talus):
    """Return the part of `drop`, which may be negative, that is above `talus`."""
    return max(drop - talus, np.float32(0)) + min(drop + talus, np.float32(0))


_between = rock.one_between


@kernel(parallel=True)
def _stage(before, last, rows, columns, b, tali, tangents, rates, cancel):
    """Write the next stage over `before`: (1 − b)·last + b·before − what slid off `last`. Both flat and padded.

    `rates` (z, x, across) are of a whole step.
    """
    stride, one = np.uint64(columns + 2), np.uint64(1)
    tz, tx, td = tali
    kz, kx, kd = rates
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + one
        for c in range(columns):
            i = first + np.uint64(c)
            up, down = i - stride, i + stride
            h = last[i]
            z = _slide(h - last[up], tz * _between(tangents, i, up)) + _slide(
                h - last[down], tz * _between(tangents, i, down)
            )
            x = _slide(h - last[i - one], tx * _between(tangents, i, i - one)) + _slide(
                h - last[i + one], tx * _between(tangents, i, i + one)
            )
            fall = _slide(h - last[up - one], td * _between(tangents, i, up - one)) + _slide(
                h - last[down + one], td * _between(tangents, i, down + one)
            )
            rise = _slide(h - last[up + one], td * _between(tangents, i, up + one)) + _slide(
                h - last[down - one], td * _between(tangents, i, down - one)
            )
            lost = (kz * z + kx * x) + kd * (fall + rise)
            before[i] = (h + b * (before[i] - h)) - lost  # in this form, what does not slide stays exactly


_stage_layers = _stage.bound("layers", _between=rock.mean_between)


def plan(duration: float, domain: Domain) -> tuple[int, int, float]:
    """Return the steps, the stages of each, and the time of a step in explicit steps, for `duration` in kyr.

    Over layers of rock there are at least so many steps that scree uncovers one layer after the other.
    """
    z, x = domain.grid.cell_size
    # an explicit step adds half a cell's square to the variance: 2·1/8 from the sides and 4·1/16 from the corners
    explicit = 2 * _REACH**2 * (duration / 100) * (domain.grid.size_x * domain.grid.size_z) / min(z, x) ** 2
    stages = _LONGEST_STEP
    steps = max(1, math.ceil(explicit / ((stages * stages + stages) / 2)))
    steps = min(max(steps, _LAYER_STEPS if domain.other(rock.Rock).enabled else 2), _MOST_STAGES // stages)
    stages = min(max(1, math.ceil((math.sqrt(1 + 8 * explicit / steps) - 1) / 2)), _LONGEST_STEP)
    return steps, stages, min(explicit / steps, (stages * stages + stages) / 2)


def run(parameters: Thermal, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the heights in metres after `duration` kyr over slopes above `talus_angle` degrees, float32 [row, column].

    `stop_after` ends it after so many stages (0: after all). The first j stages of a step of s are themselves a stable
    step, over (j² + j)/(s² + s) of its time, so that any of them can be the last.
    """
    rows, columns = heights.shape
    z, x = domain.grid.cell_size
    across = math.hypot(z, x)
    talus_angle, stop_after = parameters.talus_angle, parameters.stop_after
    strata = rock.strata(domain, float(heights.min()), float(heights.max()))
    slope = 1.0 if strata else math.tan(math.radians(talus_angle))  # layers have their own
    tali = (np.float32(slope * z), np.float32(slope * x), np.float32(slope * across))
    steps, stages, time = plan(parameters.duration, domain)
    shortest = min(z, x) ** 2 / 8
    last = np.pad(heights, 1, mode="edge").ravel()
    before = last.copy()
    layers = strata and rock.Laid(
        strata, domain, rows, columns, 0.0, 1.0, talus_angle, 1.0, progress.cancel, ground=last.copy()
    )
    stages_in_all = steps * stages
    last_stage = min(stop_after or stages_in_all, stages_in_all)
    for done in range(1, last_stage + 1):
        progress.check()
        stage = (done - 1) % stages + 1
        if layers and stage == 1:
            layers.look_up(last, progress.cancel)
        share = (2 * stage - 1) / stage * 2 / (stages * stages + stages) * time
        rates = tuple(np.float32(share * shortest / way**2) for way in (z, x, across))
        kernel_ = _stage_layers if layers else _stage
        tangents = layers.tangents if layers else rock.NOTHING
        b = np.float32((1 - stage) / stage)
        kernel_(before, last, rows, columns, b, tali, tangents, rates, progress.cancel)
        last, before = before, last
        drainage.repeat_edge(last, rows, columns)
        if done * _REPORTS // last_stage > (done - 1) * _REPORTS // last_stage:
            progress.report(parameters.key, done / last_stage, done, last_stage)
        if done < last_stage and progress.ends_with(done):
            break
        if progress.wants_picture:
            progress.show(last.reshape(rows + 2, columns + 2)[1:-1, 1:-1])
    return last.reshape(rows + 2, columns + 2)[1:-1, 1:-1].copy()


KIND = Kind(
    name="thermal",
    how="by scree that slides off steep slopes",
    parameters=Thermal,
    run=run,
    active=lasts,
    bytes_a_cell=BYTES_A_CELL,
    main=("duration",),
)
