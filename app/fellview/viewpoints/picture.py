"""What pictures show, in numbers: of many eyes at once, each with one direction of view, out of their panorama."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.viewpoints.panorama import BINS, DIRECTIONS, Panorama, Values

SKYLINE = 0.67
"""How high a photographer has the skyline, in heights of the picture: at the upper third."""

_PITCHES = (-20.0, 8.0)  # degrees; steeper is a map, and who looks up sees little land
_NEAR_SHARE, _FAR_SHARE = 0.05, 0.98  # of the ground in a picture, up to where it is nearest, and farthest
_SEEN = 0.004  # of the picture's height: two pixels of 540
_BLOCKS_WIDTHS = 1 / 25  # of the land: nearer ground that rises over the middle is in the way


@dataclass(frozen=True)
class Lens:
    """Half the height and half the width of what is seen one metre ahead, in metres."""

    half_height: float
    half_width: float

    def columns(self) -> tuple[NDArray[np.float64], Values]:
        """Return a picture's sight lines: degrees aside of its middle, and the share of its width that each has."""
        step = 360 / DIRECTIONS
        most = int(np.degrees(np.arctan(self.half_width)) / step)
        aside = np.arange(-most, most + 1, dtype=np.float64) * step
        wide = 1 / np.cos(np.radians(aside)) ** 2
        return aside, np.asarray(wide / wide.sum(), np.float32)


@dataclass(frozen=True)
class Pictures:
    """Numbers of pictures, each float32 [eye]; shares are of the picture, heights in heights of it.

    `depths` [3, eye] are the shares of foreground, middle and distance: thirds of the logarithm of the distance from
    the nearest ground to the farthest, of which `reach` is the natural logarithm. `planes` tells how often, on the way
    up a column, the ground goes on behind something. `relief`, `water` and `light` are means over the ground, and
    `contrast` the standard deviation of light. `seen` is the share of the land's relief that shows. `skyline` is the
    mean height of the sky's edge, `slant` how much that rises or falls over the width, `shape` its standard deviation
    apart from that. `peak` is where its highest point is, from -1 to 1 across, and `prominence` how much higher than
    most. `blocked` is the share of the middle third, and `covered` of all columns, in which near ground hides what is
    behind; `cut` is that of all columns in which the land ends in a cliff.
    """

    pitch: Values
    depths: Values
    reach: Values
    planes: Values
    relief: Values
    water: Values
    light: Values
    contrast: Values
    seen: Values
    skyline: Values
    slant: Values
    shape: Values
    peak: Values
    prominence: Values
    blocked: Values
    covered: Values
    cut: Values


def pictures(seen: Panorama, width_m: float, lens: Lens, direction: int, pitch: float | None = None) -> Pictures:
    """Return the numbers of the pictures that all eyes of a panorama take in one of its directions.

    `width_m` is the land's. Without a `pitch` in degrees each eye gets the one that has the skyline at `SKYLINE`.
    """
    aside, weights = lens.columns()
    across = np.tan(np.radians(aside)).astype(np.float32) / np.float32(lens.half_width)
    columns = (direction + np.round(aside * DIRECTIONS / 360).astype(int)) % DIRECTIONS
    tops, cosine = seen.tops[:, :, columns], np.cos(np.radians(aside)).astype(np.float32)
    if pitch is None:
        rises = np.degrees(np.arctan(tops[-1] / cosine)) @ weights
        pitches = np.clip(rises - np.degrees(np.arctan((2 * SKYLINE - 1) * lens.half_height)), *_PITCHES)
    else:
        pitches = np.full(tops.shape[1], pitch)
    rows = _rows(tops, cosine, np.radians(pitches).astype(np.float32)[:, np.newaxis], lens)
    skyline = rows[-1]
    parts = np.diff(np.clip(rows, 0, 1), axis=0, prepend=np.float32(0))  # [bin, eye, column]
    shares = parts @ weights
    ground = np.maximum(shares.sum(axis=0), 1e-6)
    nearest, farthest = _reach(shares / ground)

    def mean(values: Values) -> Values:
        return np.asarray(np.einsum("bec,bec,c->e", parts, values, weights) / ground, np.float32)

    light = seen.light[:, :, columns]
    lit = mean(light)
    level = skyline @ weights
    slope = ((skyline - level[:, np.newaxis]) * across) @ weights / float(across**2 @ weights)
    rest = skyline - level[:, np.newaxis] - slope[:, np.newaxis] * across
    is_near = _made_at(parts, seen.ends) < width_m * _BLOCKS_WIDTHS
    hides = is_near & (skyline > 0.5)
    return Pictures(
        np.asarray(pitches, np.float32),
        _depths(shares, nearest, farthest),
        np.log(seen.ends[farthest] / seen.ends[nearest]).astype(np.float32),
        _planes(parts) @ weights,
        mean(seen.relief[:, :, columns]),
        mean(seen.water[:, :, columns]),
        lit,
        np.sqrt(np.maximum(mean(light**2) - lit**2, 0)),
        np.where(parts > 0, seen.seen[:, :, columns], 0).sum(axis=(0, 2)),
        level,
        np.abs(2 * slope),
        np.sqrt(rest**2 @ weights),
        across[skyline.argmax(axis=1)],
        skyline.max(axis=1) - np.median(skyline, axis=1),
        hides[:, np.abs(across) < 1 / 3].mean(axis=1),
        hides @ weights,
        seen.cut[:, columns] @ weights,
    )


def _rows(tangents: Values, cosine: Values, pitch: Values, lens: Lens) -> Values:
    """Return how high in the picture tangents of elevation are, 0 … 1, in columns whose angles aside have `cosine`.

    What is a metre away over the ground, in a column, is cos a ahead of the eye and t above it; then the pitch turns
    both.
    """
    ahead = cosine * np.cos(pitch) + tangents * np.sin(pitch)
    above = tangents * np.cos(pitch) - cosine * np.sin(pitch)
    rows = above / np.maximum(ahead, 1e-3) / np.float32(2 * lens.half_height) + np.float32(0.5)
    return np.where(ahead > 1e-3, rows, np.float32(-1))  # the ground behind the feet of one who looks up


def _reach(shares: Values) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the bins of the nearest and the farthest ground of each picture, given the bins' shares of it."""
    summed = np.cumsum(shares, axis=0)
    near, far = ((summed < share).sum(axis=0) for share in (_NEAR_SHARE, _FAR_SHARE))
    return np.minimum(near, BINS - 1), np.minimum(far, BINS - 1)


def _depths(shares: Values, nearest: NDArray[np.intp], farthest: NDArray[np.intp]) -> Values:
    """Return the shares of foreground, middle and distance, float32 [3, eye]."""
    third = (farthest - nearest + 1) / 3
    number = np.floor((np.arange(BINS)[:, np.newaxis] - nearest) / third).clip(0, 2)
    return np.stack([np.where(number == depth, shares, 0).sum(axis=0) for depth in range(3)])


def _made_at(parts: Values, ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far away the ground is that makes the skyline, in metres [eye, column]."""
    return np.asarray(ends[BINS - 1 - (parts[::-1] > _SEEN).argmax(axis=0)])


def _planes(parts: Values) -> Values:
    """Return how often the ground goes on behind something on the way up, float32 [eye, column]."""
    number = np.arange(BINS)[:, np.newaxis, np.newaxis]
    shows = parts > _SEEN
    latest = np.maximum.accumulate(np.where(shows, number, -1), axis=0)
    before = np.concatenate([np.full_like(latest[:1], -1), latest[:-1]])
    return (shows & (before >= 0) & (number - before > 1)).sum(axis=0).astype(np.float32)
