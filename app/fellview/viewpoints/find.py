"""The best views of a land, far apart, out of some hundred places from which all directions are judged.

Scoring views to choose from them is Vázquez et al., "Viewpoint selection using viewpoint entropy", 2001; what is scored
here is what landscape photographers look for (`merits.py`). Places are even in the first numbers of Roberts' sequence,
so that a land always has the same views.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.view.exaggeration import exaggerated
from fellview.view.ground import above_all, clearance
from fellview.view.picking import heights_at
from fellview.view.projection import half_extents
from fellview.viewpoints.blocked import is_blocked
from fellview.viewpoints.merits import scores
from fellview.viewpoints.panorama import DIRECTIONS, panorama
from fellview.viewpoints.picture import Lens, pictures
from fellview.viewpoints.survey import Survey, survey

PLACES = 240
"""Places that are looked from."""

MOST = 6
"""Views that are usually asked for."""

_TURN = 5  # directions of the panorama between two that are judged: 10°
_ROBERTS = (0.8191725134, 0.6710436067, 0.5497004779)  # powers of the root of x⁴ = x + 1: even in three dimensions
_INSIDE, _OUTSIDE = 0.06, -0.08  # widths of the land from its border: amid land or cut clean, and where it lies alone
_LOW, _HIGH = 0.0015, 0.1  # widths of the land above the ground, within which eyes are
_HIGH_OF_RELIEF = 0.8  # from higher up all land lies below the skyline
_APART = (0.2, 0.12, 0.05)  # widths of the land between two views; less where there are not enough so far apart


@dataclass(frozen=True)
class View:
    """A view of a land, and how good it is, 0 … 1."""

    camera: Camera
    score: float


@dataclass(frozen=True)
class Candidates:
    """All views that were judged: eyes float64 [eye, (x, y, z)], pitches in degrees and scores [direction, eye]."""

    eyes: NDArray[np.float64]
    yaws: NDArray[np.float64]
    pitches: NDArray[np.float32]
    scores: NDArray[np.float32]


def find(scene: Scene, field: HeightField, count: int = MOST, aspect: float = 16 / 9) -> tuple[View, ...]:
    """Return up to `count` good views of `scene`, the best first, far apart; `field` is its land as computed.

    They have its lens, in perspective. `aspect` is width by height of the picture.
    """
    land = survey(field, scene)
    found = candidates(scene, field, land, aspect)
    drawn = exaggerated(field, scene.view.exaggeration)
    chosen: list[View] = []
    for apart in _APART:
        for view in _best_first(scene, found):
            if len(chosen) == count:
                return tuple(chosen)
            if any(_between(view.camera, other.camera) < apart * land.width for other in chosen):
                continue
            camera = above_all(scene.with_group(view.camera), field)
            if not is_blocked(camera, drawn, aspect):
                chosen.append(View(camera, view.score))
    return tuple(sorted(chosen, key=lambda view: -view.score))


def candidates(scene: Scene, field: HeightField, land: Survey, aspect: float) -> Candidates:
    """Return the views that are judged; `land` is the survey of `field`."""
    eyes = _eyes(scene, field, land)
    seen = panorama(land, eyes)
    half_height, half_width = half_extents(scene.camera, aspect)
    directions = range(0, DIRECTIONS, _TURN)
    yaws = np.array(directions) * (360 / DIRECTIONS)
    taken = [pictures(seen, land.width, Lens(half_height, half_width), direction) for direction in directions]
    judged = [scores(of, yaw, scene.sun, land.is_wet) for of, yaw in zip(taken, yaws, strict=True)]
    return Candidates(eyes, yaws, np.stack([of.pitch for of in taken]), np.stack(judged))


def score_of(scene: Scene, land: Survey, aspect: float = 16 / 9) -> float:
    """Return how good the camera of `scene` is, 0 … 1, by the same measure; `land` is the survey of its land."""
    camera = scene.camera
    seen = panorama(land, np.array([[camera.x, camera.y, camera.z]]))
    half_height, half_width = half_extents(camera, aspect)
    direction = round(camera.yaw * DIRECTIONS / 360)
    of = pictures(seen, land.width, Lens(half_height, half_width), direction, camera.pitch)
    return float(scores(of, camera.yaw, scene.sun, land.is_wet)[0])


def _eyes(scene: Scene, field: HeightField, land: Survey) -> NDArray[np.float64]:
    """Return the places that are looked from, float64 [eye, (x, y, z)]: low ones are as many as high ones."""
    numbers = np.arange(1, PLACES + 1)
    across, along, lift = (np.asarray(number * numbers % 1, np.float64) for number in _ROBERTS)
    margin = _INSIDE if land.goes_on or land.has_cut_sides else _OUTSIDE
    x = (margin + (1 - 2 * margin) * across) * land.size[1]
    z = (margin + (1 - 2 * margin) * along) * land.size[0]
    times = scene.view.exaggeration
    ground = heights_at(exaggerated(field, times), x, z)
    if scene.water.enabled and scene.water.sea:
        ground = np.maximum(ground, times * scene.water.sea_level)
    lowest, highest = field.height_range
    low = max(_LOW * land.width, clearance(field))
    high = max(min(_HIGH * land.width, _HIGH_OF_RELIEF * times * (highest - lowest)), low)
    return np.stack([x, ground + low * (high / low) ** lift, z], axis=1)


def _best_first(scene: Scene, found: Candidates) -> Iterator[View]:
    """Yield the views of candidates, the best first."""
    for at in np.argsort(-found.scores, axis=None):
        direction, eye = np.unravel_index(at, found.scores.shape)
        x, y, z = (float(value) for value in found.eyes[eye])
        camera = scene.camera.replace(
            x=x,
            y=y,
            z=z,
            yaw=float(found.yaws[direction]),
            pitch=float(found.pitches[direction, eye]),
            projection="perspective",
        )
        yield View(camera, float(found.scores[direction, eye]))


def _between(one: Camera, other: Camera) -> float:
    return float(np.hypot(one.x - other.x, one.z - other.z))
