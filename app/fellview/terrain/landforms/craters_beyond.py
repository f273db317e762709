"""A crater field that goes on beyond the domain: its own craters, and others of the same sizes, as close together.

`craters.py` scatters a field over the domain and a tenth of it beyond each edge. Around that the same sizes are
scattered as often as there is room for them, each time by another hash, but where one would reach the domain. Moving
the landform moves them all, and those of a coarse grid are the widest of a fine one's. They are for ground that is seen
from afar: those in lattices are left out, those narrower than `_NARROWEST` cells, and all but as many of the widest on
a domain as the grid has cells a side, of which 1,400 take 95 ms for 128. In numpy alone, since the window's process
runs no kernels.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.smoothstep import smoothstep_between
from fellview.noise.hash import GOLDEN
from fellview.terrain.landforms import craters
from fellview.terrain.landforms.craters import ARM, CROSS, DEPTH, MARGIN, REACH, RIM, SIZES, Impacts
from fellview.terrain.landforms.form import Place, Prepared, draws, mixed, scattered

_NARROWEST = 3.0  # cells that the narrowest crater is wide
_WIPES = 1.5  # radii: as far as a crater wipes out older ground, no other reaches into the domain

Planes = NDArray[np.float64]


@functools.lru_cache(maxsize=8)  # of four landforms, as they are under a hand and where it rests
def prepare(parameters: Any, place: Place, beyond: float) -> Prepared:
    """Return the constants and the list of a crater field up to `beyond` sides of the domain outside of it."""
    widest = parameters.size / 100 * place.side
    most = min(parameters.craters, round(place.side / place.cell))
    count = int(np.clip((widest / (_NARROWEST * place.cell)) ** SIZES, 1, most))
    extent = np.array(place.extent)
    radii = widest / 2 * np.arange(1, count + 1) ** (-1 / SIZES)
    own, wide = extent * (1 + 2 * MARGIN), extent * (1 + 2 * MARGIN + 2 * beyond)
    middle = np.array(place.middle)
    times = round(float(np.prod(wide / own)))
    centres, ages = [scattered(place, count, MARGIN)], [craters.own_ages(place, count)]
    numbers = [np.arange(1, count + 1)]
    for started in mixed(np.uint32(place.started) + np.arange(1, times + 1, dtype=np.uint32) * np.uint32(GOLDEN)):
        shares = np.stack([draws(int(started), count, stream) for stream in (1, 2)], axis=-1)
        scattered_at = middle + (np.mod(shares - middle / wide, 1.0) - 0.5) * wide
        off = np.abs(scattered_at - middle)
        away = np.hypot(*np.maximum(off - extent / 2, 0.0).T)
        outside = (off > own / 2).any(axis=1) & (away > _WIPES * radii)
        centres.append(scattered_at[outside])
        ages.append(draws(int(started), count, 3)[outside])
        numbers.append(1 + np.flatnonzero(outside))
    looks = parameters.size, parameters.ageing, parameters.peaks_above
    found = craters.by_age(*looks, place, *(np.concatenate(lists) for lists in (numbers, centres, ages)))
    found.planes[:] = _planes(found, parameters.depth)
    around = dataclasses.replace(place, reach=place.reach * (1 + 2 * beyond))
    return craters.prepared(parameters, around, found, 1.0, 0.0)


def _planes(found: Impacts, depth: float) -> Planes:
    """Return (n, 3) the height and the slopes along x and z of the ground before each crater of `found`.

    As `craters.py` fits them, but for terraces and peaks.
    """
    centres, radii = found.centres, found.radii
    points = centres[:, None] + ARM * radii[:, None, None] * np.array(CROSS)
    heights, planes = np.zeros(points.shape[:2]), np.zeros((len(radii), 3))
    for n, (middle, radius, fresh, floor) in enumerate(zip(centres, radii, found.fresh, found.floors, strict=True)):
        before = heights[n]
        planes[n] = before.mean(), *((before[[1, 3]] - before[[2, 4]]) / (2 * ARM * radius))
        apart = centres[n + 1 :] - middle
        near = (apart * apart).sum(axis=1) < (REACH * radius + ARM * radii[n + 1 :]) ** 2
        younger = n + 1 + np.flatnonzero(near)
        away = points[younger] - middle
        rho = np.hypot(away[..., 0], away[..., 1]) / radius
        rim, deep = RIM * radius * depth * fresh, DEPTH * radius * depth * fresh
        bowl = np.minimum(rim - deep * (1 - rho * rho), rim / np.maximum(rho, 0.3) ** 3)
        profile = np.maximum(bowl, rim - deep * floor)
        plane = planes[n, 0] + away @ planes[n, 1:]
        dug = (
            plane
            + (heights[younger] - plane) * smoothstep_between(0.9, 1.5, rho)
            + profile * (1 - smoothstep_between(2.0, REACH, rho))
        )
        heights[younger] = np.where(rho < REACH, dug, heights[younger])
    return planes
