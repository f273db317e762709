"""The ground around a land as tests look at it: its frames without a picture, and pictures without a sky."""

import numpy as np

from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.light.lighting import LightPass
from fellview.draw.passes import whole
from fellview.draw.registry import IN_THE_FRAME, THE_SKY
from fellview.draw.water.water import WaterPass
from fellview.gpu.passes import GridPasses

SIZE = (240, 136)
LAND = {"view.surroundings": "land"}
CELL_M = 10.0
LOW_M = 500.0
NO_SKY = tuple(one for one in IN_THE_FRAME if one not in THE_SKY)


class Alone:
    """The pass of what is around the land, with those that it needs, and no picture."""

    def __init__(self, context, coarser=1):
        self.height_map, self.cover = HeightMap(context), Cover(context)
        self.surroundings = Surroundings(context, coarser)
        self.water, self.light, self.grids = WaterPass(context), LightPass(context), GridPasses(context)
        self.lighting = None

    def show(self, field):
        self.height_map.upload(field)

    def around(self, scene, *, resting=False, small=False, aspect=None):
        """Return the frames around the land that is shown, the finest first; `lighting` is then the land's."""
        return whole(self.passes_around(scene, resting=resting, small=small, aspect=aspect))

    def passes_around(self, scene, *, resting=False, small=False, aspect=None):
        """Return the same, pass by pass."""
        water = self.water.prepare(scene, self.height_map, 0.0, SIZE, draft=not resting)
        self.lighting = self.light.prepare(
            scene, self.height_map, size=SIZE, draft=not resting, small=small, water=water
        )
        self.cover.prepare(scene, self.height_map)
        found = self.height_map, self.cover, self.lighting
        return self.surroundings.prepare(scene, *found, resting=resting, small=small, aspect=aspect)

    def shares(self, lighting):
        """Return the light map that `lighting` has, [row, column, (sun, sky)]."""
        return self.grids.read(lighting.light_map)


def frames_around(context, land, scene):
    alone = Alone(context)
    alone.show(land)
    return alone.around(scene.replace(LAND))


def cell_m(frame):
    """Return how wide a cell of `frame` is."""
    return frame.height_map.field.cell_size[1]


def middle(frame, land):
    """Return the heights of `frame`, and its rows and columns from the first on the border of `land` to the last."""
    first = round(-frame.tile.origin_m[0] / cell_m(frame))
    cells = round((land.columns - 1) * land.cell_size[1] / cell_m(frame))
    return frame.height_map.field.heights, np.arange(first, first + cells + 1)


def covered(renderer, scene, samples=1):
    """Return the alpha of a frame, uint8 [row, column]."""
    frame = renderer.refine(scene, SIZE, samples, 0)
    assert frame is renderer.frame, "it is one frame, and in display colours"
    return np.frombuffer(frame.picture.read(components=4), np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1, :, 3]
