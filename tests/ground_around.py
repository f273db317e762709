"""The ground around a land as tests look at it: its frames without a picture, and pictures without a sky."""

import dataclasses

import numpy as np

from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.surroundings import Surroundings
from fellview.draw.light.lighting import LightPass
from fellview.draw.passes import whole
from fellview.draw.registry import IN_THE_FRAME, THE_SKY
from fellview.draw.water.water import WaterPass
from fellview.gpu.passes import GridPasses
from fellview.view import projection
from fellview.view.ground import above_ground

SIZE = (240, 136)
LAND = {"view.surroundings": "land"}
CELL_M = 10.0
LOW_M = 500.0
PLACES = [
    (640, 300, 480, 0, -20),
    (640, 300, 480, 225, -10),
    (30, 200, 30, 200, -30),  # at a corner of the land, outwards
    (1240, 250, 480, 270, -15),  # along it, inwards
    (-300, 400, 500, 90, -25),  # from outside
    (640, 3000, 480, 45, -89),
    (640, 6000, -4000, 10, -40),
]
"""Where an eye is, x, y and z, and its yaw and pitch."""

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


def looked_from(place, scene, land, exaggeration):
    """Return `scene` with ground around its land, looked at from one of `PLACES`, in display colours."""
    x, y, z, yaw, pitch = place
    camera = scene.camera.replace(mode="orbit", x=x, y=exaggeration * y, z=z, yaw=yaw, pitch=pitch, field_of_view=60.0)
    plain = {"sky.kind": "gradient", "air.tone": "none", "sun.ambient": 1.0, "view.exaggeration": exaggeration}
    return dataclasses.replace(scene.replace(plain | LAND), camera=above_ground(camera, land))


def assert_no_gap(solid, looked, land):
    """All sight lines that fall meet what is `solid`, bool [row, column]."""
    falls = np.array(
        [
            [projection.ray(looked.camera, SIZE, (column + 0.5, row + 0.5))[1][1] for column in range(0, SIZE[0], 8)]
            for row in range(SIZE[1])
        ]
    )
    rim_m = 60 * max(land.size)
    falls_onto_it = falls < -0.02 - 1.1 * looked.camera.y / rim_m
    assert falls_onto_it.mean() > 0.3
    assert solid[:, ::8][falls_onto_it].all()
    assert solid[falls_onto_it.all(axis=1)].all()
