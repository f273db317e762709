"""The pattern of clouds, as a texture that repeats without a seam: the same in every picture."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.gpu import mipmaps
from fellview.io import array_cache

PATCHES_A_TILE = 16
"""Patches along a side of the pattern."""

_SIDE = 512  # texels: 32 a patch
_SEED = 7
_VARIED, _FALL = 1.6, 2.8  # powers of the wave number by which waves shrink: groups, heaps and scraps; smooth edges
_LONGEST = 5  # patches: heaps stand in groups, and no group is as wide as the tile, or one would see it repeat
_GATHERED = 0.5  # deviations of the logarithm of how strong waves are: clouds are wide where they are, small elsewhere
_SMALLEST = 0.67  # of a patch: the waves of the smallest clouds, shorter ones are only their edges
_WIDE = 2.2  # patches: waves half as long again and longer make wide clouds
_HEADS = (24, 48, 96)  # along a side of the tile, in each octave of the heads of a heap of cloud
_HEADS_GAIN = 0.5
_BILLOWS = (3, 6, 12)  # along a side of the block, in each octave of its billows
_BILLOW_SIDE = 48  # texels: 4 to the finest billow
_FIBRE = 5.0  # times as long as wide: cirrus is drawn out by the wind


def pattern(side: int = _SIDE) -> NDArray[np.float32]:
    """Return the rank of each place among all, 0 to 1, float32 (side, side); it repeats in both directions.

    Clouds stand where the rank is above one minus their cover, which so is their share of the sky exactly. It is noise
    of random waves, stronger here and weaker there, by order of its values.
    """
    waves, spectrum = _waves(side, _SEED)
    fewest, most = PATCHES_A_TILE / _LONGEST, PATCHES_A_TILE / _SMALLEST
    strength = np.maximum(waves, 1.0) ** -_VARIED * (np.maximum(waves, most) / most) ** (_VARIED - _FALL)
    strength[waves < fewest] = 0.0
    heaps = np.fft.irfft2(spectrum * strength, (side, side))
    _, other = _waves(side, _SEED + 1 + len(_HEADS))
    groups = np.fft.irfft2(other * ((waves >= fewest) & (waves <= 2 * fewest)), (side, side))
    return _ranks(heaps / heaps.std() * np.exp(_GATHERED * groups / groups.std()))


def around(clouds: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how much cloud there is about each place of a pattern, 0 to 1 by rank, float32 of its shape; it repeats.

    That is the pattern without what is smaller than wide clouds: it is low at small ones that stand alone.
    """
    side = len(clouds)
    waves = np.hypot(np.fft.fftfreq(side, 1 / side)[:, None], np.fft.rfftfreq(side, 1 / side)[None, :])
    kept = np.exp(-((waves * _WIDE / PATCHES_A_TILE) ** 2))
    return _ranks(np.fft.irfft2(np.fft.rfft2(clouds) * kept, (side, side)))


def heads(side: int = _SIDE) -> NDArray[np.float32]:
    """Return how far a heap of cloud swells out, 0 to 1, float32 (side, side): round heads on heads; it repeats.

    A head is one minus the distance to the nearest of a cell's points; Worley, "A cellular texture basis function"
    (1996), doi:10.1145/237170.237267.
    """
    total = np.zeros((side, side))
    strength = 1.0
    for octave, cells in enumerate(_HEADS):
        total += strength * (1 - np.minimum(_nearest(side, cells, _SEED + octave), 1.0))
        strength *= _HEADS_GAIN
    return _ranks(total)


def fibres(side: int = _SIDE) -> NDArray[np.float32]:
    """Return how thick cirrus is, 0 to 1 by rank, float32 (side, side): long fibres along the columns; it repeats."""
    along = np.fft.fftfreq(side, 1 / side)[:, None]
    across = np.fft.rfftfreq(side, 1 / side)[None, :]
    _, spectrum = _waves(side, _SEED + len(_HEADS))
    waves = np.hypot(_FIBRE * along, across)
    return _ranks(np.fft.irfft2(spectrum * np.where(waves >= 2, np.maximum(waves, 4.0) ** -1.9, 0.0), (side, side)))


def billows(side: int = _BILLOW_SIDE) -> NDArray[np.float32]:
    """Return how far a cloud bulges at places of a block, 0 to 1 by rank, float32 (side, side, side); it repeats.

    The same as `heads` in three dimensions: pressed into a shape from all sides, it has no direction to it.
    """
    total = np.zeros((side, side, side))
    strength = 1.0
    for octave, cells in enumerate(_BILLOWS):
        total += strength * (1 - np.minimum(_nearest_in_block(side, cells, _SEED + octave), 1.0))
        strength *= _HEADS_GAIN
    return _ranks(total)


def block(context: moderngl.Context) -> moderngl.Texture3D:
    """Return the billows as a texture of bytes with finer and coarser levels, which repeats."""
    voxels = context.texture3d((_BILLOW_SIDE,) * 3, 1, _voxels(), alignment=1)
    voxels.build_mipmaps()
    voxels.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
    return voxels


def texture(context: moderngl.Context) -> moderngl.Texture:
    """Return pattern, heads, fibres and `around` as a texture of bytes with finer and coarser levels, which repeats."""
    return mipmaps.texture(context, _texels())


@functools.cache  # for every context of the process
def _texels() -> array_cache.Arrays:
    def make() -> list[NDArray[Any]]:
        clouds = pattern()
        shades = np.stack([clouds, heads(), fibres(), around(clouds)], axis=-1)
        return mipmaps.levels(np.round(255 * shades).astype(np.uint8))

    return array_cache.cached("clouds", [Path(__file__), Path(mipmaps.__file__)], make)


@functools.cache
def _voxels() -> NDArray[Any]:
    return array_cache.cached("billows", [Path(__file__)], lambda: [np.round(255 * billows()).astype(np.uint8)])[0]


def _waves(side: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.complex128]]:
    """Return the wave numbers, a tile, and the spectrum of noise that has all of them alike."""
    along, across = np.meshgrid(np.fft.fftfreq(side, 1 / side), np.fft.rfftfreq(side, 1 / side), indexing="ij")
    return np.hypot(along, across), np.fft.rfft2(np.random.default_rng(seed).standard_normal((side, side)))


def _ranks(noise: NDArray[np.float64]) -> NDArray[np.float32]:
    ranks = np.empty(noise.size, np.float32)
    ranks[noise.ravel().argsort()] = np.linspace(0, 1, noise.size)
    return ranks.reshape(noise.shape)


def _nearest(side: int, cells: int, seed: int) -> NDArray[np.float32]:
    """Return the distance to the nearest of random points, one in each of `cells` × `cells`, in cells."""
    points = np.random.default_rng(seed).random((cells, cells, 2), dtype=np.float32)
    place = ((np.arange(side) + 0.5) * cells / side).astype(np.float32)
    cell = place.astype(np.int64)
    nearest = np.full((side, side), np.inf, np.float32)
    for down in (-1, 0, 1):
        from_row = (down - (place - cell))[:, None]
        for right in (-1, 0, 1):
            point = points[(cell + down) % cells][:, (cell + right) % cells]
            rows = from_row + point[..., 0]
            columns = (right - (place - cell)) + point[..., 1]
            np.minimum(nearest, rows * rows + columns * columns, out=nearest)
    return np.sqrt(nearest)


def _nearest_in_block(side: int, cells: int, seed: int) -> NDArray[np.float32]:
    """Return the same as `_nearest` for a block, random points one in each of `cells` × `cells` × `cells`."""
    points = np.random.default_rng(seed).random((cells, cells, cells, 3), dtype=np.float32)
    place = ((np.arange(side) + 0.5) * cells / side).astype(np.float32)
    cell = place.astype(np.int64)
    nearest = np.full((side, side, side), np.inf, np.float32)
    for step in np.ndindex(3, 3, 3):
        i, j, k = ((cell + way - 1) % cells for way in step)
        point = points[i[:, None, None], j[:, None], k]
        away = np.zeros_like(nearest)
        for axis, way in enumerate(step):
            from_cell = (way - 1 - (place - cell)).reshape([-1 if side_of == axis else 1 for side_of in range(3)])
            away += np.square(from_cell + point[..., axis])
        np.minimum(nearest, away, out=nearest)
    return np.sqrt(nearest)
