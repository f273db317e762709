"""Pictures drawn pass by pass are what they are drawn in one go, whatever is drawn in between."""

import moderngl
import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.passes import UnderWay, whole
from fellview.scene.scene import Scene
from tests.lands import rolling

pytestmark = pytest.mark.usefixtures("half_as_fine", "coarse_light")

SIZE = (128, 80)
EVERYTHING = {
    "grid.rows": 128, "grid.columns": 128, "grid.size_x": 4000.0, "grid.size_z": 4000.0,
    "ground.kind": "materials", "ground.boulders": 1.0, "water.enabled": True, "water.sea_level": 150.0,
    "sun.shadows": True, "sky.kind": "physical", "sky.clouds": 0.4, "air.tone": "filmic",
    "view.figure": True, "view.figure_x": 2000.0,
    "view.figure_z": 2000.0, "view.scale_bar": True, "view.surroundings": "land",
    "camera.x": 2000.0, "camera.y": 420.0, "camera.z": 1200.0, "camera.yaw": 10.0, "camera.pitch": -12.0,
}  # fmt: skip
SCENES = {
    "everything": EVERYTHING,
    "display colours": {**EVERYTHING, "sky.kind": "gradient", "air.tone": "none", "water.enabled": False},
    "a slab's triangles": {**EVERYTHING, "view.stage": "slab", "view.mode": "wireframe"},
}


@pytest.fixture(scope="module")
def land():
    return HeightField(rolling(128, 128, 250.0) + np.float32(200), (4000 / 128, 4000 / 128))


class Meddler:
    """Leaves nothing that a pass could rely on."""

    def __init__(self, context):
        self._context = context
        self._texture = context.texture((1, 1), 4, b"\xff\x00\xff\xff")
        self._framebuffer = context.framebuffer(context.texture((7, 5), 4))

    def meddle(self):
        for unit in range(20):
            self._texture.use(unit)
        self._framebuffer.use()
        self._framebuffer.viewport = (1, 1, 3, 3)
        self._framebuffer.scissor = (2, 2, 1, 1)
        self._context.enable_only(moderngl.BLEND | moderngl.CULL_FACE)
        self._context.front_face = "ccw"


@pytest.mark.parametrize("changes", SCENES.values(), ids=SCENES)
def test_what_is_drawn_between_passes_leaves_the_picture_as_it_is(context, renderer, land, changes):
    scene, meddler = Scene().replace(changes), Meddler(context)
    renderer.show(land)
    for samples, number in ((1, 0), (4, 0)):
        expected = renderer.refine(scene, SIZE, samples, number).pixels()
        work = UnderWay(scene, renderer.passes(scene, SIZE, samples, number), meddler.meddle)
        while work.go_on():
            pass
        np.testing.assert_array_equal(work.drawing.pixels(), expected)


def test_a_picture_given_up_anywhere_leaves_the_next_one_as_it_is(context, renderer, land):
    scene = Scene().replace(EVERYTHING)
    renderer.show(land)
    expected = renderer.refine(scene, SIZE, 1, 0).pixels()
    count = 0
    for _ in renderer.passes(scene, SIZE, 1, 0):
        count += 1
    assert count > 20
    for stop in range(1, count, 4):
        passes = renderer.passes(scene, SIZE, 1, 0)
        for _ in range(stop):
            next(passes)
        passes.close()
        np.testing.assert_array_equal(whole(renderer.passes(scene, SIZE, 1, 0)).pixels(), expected)
