"""Where person and pole stand, how tall they are, and how wide they are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.view.exaggeration import exaggerated
from fellview.view.picking import height_at
from fellview.view.projection import Size
from fellview.view.scale import metres_a_pixel

PERSON_M = 1.8
POLE_M = 20.0
SHOULDERS_M = 0.46  # of an adult; Pheasant, "Bodyspace" (1986), table 10.1
POLE_RADIUS_M = 0.12  # of a stout mast

_ASIDE_M = 1.5  # along x from the person to the pole, so that neither stands in the other
_LEAST_WIDTH_PX = 1.5  # far away they stay as wide as this, and true in height


@dataclass(frozen=True)
class Standing:
    """One upright thing: its foot (x, y, z) as drawn, its height as drawn, half its width, all in metres.

    `widened` is how many times as wide as it is it is drawn.
    """

    foot_m: NDArray[np.float64]
    tall_m: float
    half_width_m: float
    widened: float


def standing(scene: Scene, field: HeightField, size: Size) -> tuple[Standing, ...]:
    """Return person and pole as a picture of `size` has them; none where they are not asked for, or off the land."""
    view = scene.view
    deep, wide = (field.rows - 1) * field.cell_size[0], (field.columns - 1) * field.cell_size[1]
    if not view.figure or not (0 <= view.figure_x <= wide and 0 <= view.figure_z <= deep):
        return ()
    drawn = exaggerated(field, view.exaggeration)
    found = []
    for x, tall, half_width in (
        (view.figure_x, PERSON_M, SHOULDERS_M / 2),
        (view.figure_x + _ASIDE_M, POLE_M, POLE_RADIUS_M),
    ):
        foot = np.array([x, height_at(drawn, x, view.figure_z), view.figure_z])
        least = 0.5 * _LEAST_WIDTH_PX * metres_a_pixel(scene.camera, size, foot)
        found.append(Standing(foot, view.exaggeration * tall, half_width, max(least / half_width, 1.0)))
    return tuple(found)
