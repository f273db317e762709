"""Islands: few large, many small, with ragged coasts, over a sea floor.

Korčak found that the number of islands larger than A falls as A^−0.65, so the n-th largest has a radius of the largest
one's times n^(−1/1.3). Each stands, at ρ = distance/radius from its middle over a position bent by noise, as

    s = H'·(1 − ρ²)·(relief) for ρ ≤ 1,   −0.8·H'·(ρ − 1) beyond,   H' = H·(radius / largest)^0.8

down to a sea floor 0.3 H deep; where islands meet they join by a smooth maximum. The water line is at s = 0; beaches
and shallows lie along it, since heights are last drawn in to

    s·(0.12 + 0.88·|s|/(|s| + 0.06 H))

Where `shallows` are asked for, 0.8 becomes 0.8·(1 − 0.7·shallows), so that islands share banks, and the sea stays
within 0.1 of its depth F as far out as it would have sunk to a share e of it, which hills of the sea floor raise and
lower, so that reefs and channels run through, and sinks from there:

    q = −s/F,   s = −F·(0.1·min(q/e, 1) + 0.9·max(q − e, 0)/(1 − e)),   e = shallows·(0.2 + 0.8·relief)

Source: J. Korčak, "Deux types fondamentaux de distribution statistique", Bulletin de l'Institut International de
Statistique 30 (1938); B. B. Mandelbrot, "Stochastic models for the Earth's relief, the shape and the fractal dimension
of the coastlines, and the number-area rule for islands", PNAS 72 (1975), doi:10.1073/pnas.72.10.3825
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32 as f32
from numpy.typing import NDArray

from fellview.core.compiled import kernel
from fellview.core.parameters import Group, real, whole
from fellview.terrain.landforms.form import Form, Place, Prepared, near_columns, scattered, tiled
from fellview.terrain.landforms.shapes import outline, ridged, smooth_max, step

AREAS = 0.65  # Korčak's exponent of the number larger than an area
SEA_FLOOR = 0.3  # of the height, below the water
BEACH = 0.06  # of the height: where beach and shallows pass into hills and deeper sea
MERGE = 0.25  # of an island's height, over which its foot runs into others
GENTLE = 0.12  # of the slope that is left at the water line
_FALL = 0.8  # of an island's height, a radius: how fast its foot goes down to the sea's floor
_WIDER = 0.7  # of that which the widest shallows take
LAGOON = 0.1  # of the sea's depth: how deep shallows are at most
_RELIEF = 4  # octaves of hills at most: finer ones are left to noise and erosion
_CANDIDATES = 6  # places tried for each island, of which the one farthest from the others' coasts is taken


@dataclass(frozen=True)
class Islands(Group):
    """What only islands have."""

    islands: int = whole(
        60,
        1,
        1000,
        slider=(1, 300),
        scale="log",
        useful=(15, 150),
        tip="Low is one island, high an archipelago of many small ones about few large.",
        only={"kind": ("islands",)},
    )
    shallows: float = real(
        0.0,
        0.0,
        1.0,
        tip="Shelves and reefs about islands. Low deepens the sea at once, high lays wide turquoise shallows.",
        only={"kind": ("islands",)},
    )


def spread(parameters: Any, place: Place) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return the islands' centres (n, 2) and radii in metres, the largest first."""
    return _spread(parameters.islands, parameters.size, place)


@functools.lru_cache(maxsize=4)
def _spread(count: int, size: float, place: Place) -> tuple[NDArray[np.float64], NDArray[Any]]:
    radii = size / 200 * place.side * np.arange(1, count + 1) ** (-1 / (2 * AREAS))
    candidates = scattered(place, count * _CANDIDATES, 0.05)
    centres = np.zeros((count, 2))
    for one in range(1, count):
        tried = candidates[one * _CANDIDATES : (one + 1) * _CANDIDATES]
        away = np.linalg.norm(tried[:, None] - centres[:one], axis=2) - radii[:one]
        centres[one] = tried[np.argmax(away.min(axis=1))]
    return centres, radii


def prepare(parameters: Any, place: Place) -> Prepared:
    """Return the constants and the list of islands."""
    centres, radii = spread(parameters, place)
    heights = parameters.height * (radii / radii[0]) ** 0.8
    bend = 0.5 * parameters.irregularity
    # as far as a smooth maximum with the sea floor makes a difference
    fall = _FALL * (1 - _WIDER * parameters.shallows)
    reaches = radii * (1 + (SEA_FLOOR * parameters.height / heights + MERGE) / fall)
    entries = np.concatenate([centres, radii[:, None], heights[:, None]], axis=1)[:, None]
    table, spans, listed = tiled(place, centres, reaches, entries.astype(np.float32))
    return Prepared(
        {
            "largest_m": float(radii[0]),
            "height_m": parameters.height,
            "bend_m": bend * float(radii[0]),
            "irregularity": parameters.irregularity,
            "octaves": place.octaves(float(radii[0]) / 1.4),
            **listed,
            # less than all of the depth, so that it is reached
            "shallows": 0.95 * parameters.shallows,
            "fall": fall,
        },
        table,
        spans,
    )


@kernel()
def _raise(x, z, radius, own, fall, s):
    """Raise the heights `s` at a piece of a row to one island, at x, z from its middle."""
    for c in range(x.size):
        rho = math.sqrt(x[c] * x[c] + z[c] * z[c]) / radius
        inside, outside = f32(1) - rho * rho, fall * (f32(1) - rho)
        s[c] = smooth_max(s[c], own * (inside if rho < f32(1) else outside), f32(MERGE) * own)


@kernel()
def shape(x, z, numbers, table, spans, started, scratch, s, cover):
    """Fill heights and cover at a row of places."""
    largest, height, bend, irregularity, octaves = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    first, count, shallows, fall = int(numbers[8]), int(numbers[9]), numbers[10], numbers[11]
    u, v, a, b, relief = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    # an archipelago is not turned: z is the same all along the row
    begin, pace, across = x[0], x[min(1, x.size - 1)] - x[0], z[0]
    for c in range(x.size):
        u[c], v[c] = f32(2.3) * x[c] / largest, f32(2.3) * z[c] / largest
    ridged(u, v, min(octaves, f32(_RELIEF)), started, relief)
    for c in range(x.size):
        u[c], v[c] = f32(1.4) * x[c] / largest, f32(1.4) * z[c] / largest
    outline(u, v, octaves, 0.47, started, a, b)
    most = f32(0)
    for c in range(x.size):
        x[c] += bend * a[c]
        z[c] += bend * b[c]
        s[c] = -f32(SEA_FLOOR) * height
        most = max(most, a[c] * a[c] + b[c] * b[c])
    margin = bend * math.sqrt(most)
    for n in range(first, first + count):
        middle_x, middle_z, radius, own = table[n, 0], table[n, 1], table[n, 2], table[n, 3]
        reach = radius * (f32(1) + (f32(SEA_FLOOR) * height / own + f32(MERGE)) / fall) + margin
        if abs(across - middle_z) < reach:
            low, high = near_columns(begin - middle_x, pace, x.size, across - middle_z, reach)
            if high > low:
                for c in range(low, high):
                    u[c], v[c] = x[c] - middle_x, z[c] - middle_z
                _raise(u[low:high], v[low:high], radius, own, fall, s[low:high])
    beach, floor = f32(BEACH) * height, -f32(SEA_FLOOR) * height
    for c in range(x.size):
        h = s[c]
        # crests and valleys grow from the beach inland
        inland = min(max(h / (f32(4) * beach), f32(0)), f32(1))
        h *= f32(1) + inland * irregularity * (f32(1.2) * relief[c] - f32(0.5))
        if shallows > f32(0) and h < f32(0):
            edge = shallows * (f32(0.2) + f32(0.8) * min(relief[c], f32(1)))
            sunk = h / floor
            near = f32(LAGOON) * min(sunk / edge, f32(1))
            h = floor * (near + f32(1 - LAGOON) * max(sunk - edge, f32(0)) / (f32(1) - edge))
        # gentle at the water line
        away = abs(h)
        s[c] = h * (f32(GENTLE) + f32(1 - GENTLE) * away / (away + beach))
        cover[c] = step(0, f32(0.1) * height, s[c])


FORM = Form(
    name="islands",
    tip="An archipelago: few large islands, many small, ragged coasts. The sea lies at the base.",
    parameters=Islands,
    prepare=prepare,
    shape=shape,
    sign=0,
    natural_height=0.045,
    natural_size=34.0,
    unused=("rotation",),
    goes_on=False,
)
