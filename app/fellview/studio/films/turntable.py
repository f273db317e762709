"""Turntable: the camera goes round the land once, looking at its middle."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fellview.core.parameters import Group, real, switch
from fellview.scene.scene import Scene
from fellview.studio.films.film import Frame, Plan, Setting
from fellview.view.exaggeration import exaggerated
from fellview.view.extent import extent
from fellview.view.projection import axes, half_extents

_FILLED = 0.95  # of the picture, so that the land's corners stay off its border
_YAWS = 64  # at which all corners are to be seen: between two of them a corner moves by less than is left free


@dataclass(frozen=True)
class Turntable(Group):
    """Once round the land, from where the scene's camera looks."""

    key: ClassVar[str] = "turntable"
    title: ClassVar[str] = "Turntable"
    closed: ClassVar[bool] = True

    pitch: float = real(-30.0, -89.0, 0.0, unit="°", tip="Low looks down on the land, 0 from its side.")
    distance: float = real(
        1.0, 0.1, 10.0, scale="log", tip="Low is near, high far; at 1 the whole land is just seen all the way round."
    )
    backwards: bool = switch(False, tip="Off, the land turns to the left; on, to the right.")

    def frames(self, scene: Scene, rate: float) -> int | None:
        """Return None: any number goes round."""
        return None

    def plan(self, scene: Scene, setting: Setting) -> Plan:
        """Return the way round the box of the land in `scene`, as drawn."""
        field = setting.land(scene)
        box, base_m = extent(exaggerated(field, scene.view.exaggeration)), setting.base_m(scene, field)
        low = box.low if base_m is None else np.minimum(box.low, [np.inf, base_m, np.inf])
        middle = (low + box.high) / 2
        corners = np.array(list(itertools.product(*zip(low, box.high, strict=True)))) - middle
        camera, start = scene.camera.replace(pitch=self.pitch), scene.camera.yaw
        half_height, half_width = (_FILLED * half for half in half_extents(camera, setting.aspect))
        yaws = np.linspace(0, 360, _YAWS, endpoint=False)
        across, upwards, depth = np.stack([axes(yaw, self.pitch) @ corners.T for yaw in yaws]).transpose(1, 0, 2)
        away = max(float(np.max(abs(across) / half_width - depth)), float(np.max(abs(upwards) / half_height - depth)))
        span = 2 * max(float(np.max(abs(upwards))), float(np.max(abs(across))) / setting.aspect) / _FILLED
        if camera.is_parallel:
            camera, away = camera.replace(span=self.distance * span), span
        else:
            away *= self.distance

        def at(share: float) -> Frame:
            yaw = (start + (-share if self.backwards else share) * 360) % 360
            x, y, z = (float(value) for value in middle - away * axes(yaw, self.pitch)[2])
            return Frame(scene.with_group(camera.replace(x=x, y=y, z=z, yaw=yaw)))

        return at
