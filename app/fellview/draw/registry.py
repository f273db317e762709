"""All draw passes, in the order in which they draw. A new one is a file of its own and a line here.

Land comes before what stands on it, and the sky last of all: it fills what nothing covers. Clouds are drawn into a
picture of their own, which that reads, while software OpenGL still works at the land's places. What passes read that is
worked out before (water's maps, light, ground's maps) comes with the frame (`Renderer`).
"""

from __future__ import annotations

from fellview.draw.draw_pass import DrawPass
from fellview.draw.ground.boulders import BoulderPass
from fellview.draw.land.land_pass import LandLightPass, LandPass
from fellview.draw.overlay.marks import MarksPass
from fellview.draw.sky.clouds import CloudPass
from fellview.draw.sky.sky import SkyPass
from fellview.draw.stage.figure import FigurePass
from fellview.draw.stage.slab import SlabPass

IN_THE_FRAME: tuple[type[DrawPass], ...] = (
    LandPass,
    CloudPass,
    LandLightPass,
    SlabPass,
    BoulderPass,
    FigurePass,
    SkyPass,
)
"""Drawn into every frame, as light or in display colours, with depth."""

THE_SKY: tuple[type[DrawPass], ...] = (CloudPass, SkyPass)
"""All that is drawn where no ground is."""

OVER_THE_PICTURE: tuple[type[DrawPass], ...] = (MarksPass,)
"""Drawn over the finished picture, in display colours, without depth."""
