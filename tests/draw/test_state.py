"""Passes leave the state of OpenGL as they find it, asked of OpenGL itself."""

import ctypes

import moderngl
import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.present import PresentPass
from fellview.gpu import state
from fellview.scene.scene import Scene
from tests.draw.test_passes import EVERYTHING
from tests.lands import rolling

pytestmark = pytest.mark.usefixtures("half_as_fine", "coarse_light")

SIZE = (96, 64)
MAP = {"ground.kind": "demo", "view.mode": "slope", "view.contours": True, "view.legend": True}
SCENES = {
    "everything": {**EVERYTHING, "view.north_arrow": True},
    "display colours": {**EVERYTHING, "sky.kind": "gradient", "air.tone": "none", "water.enabled": False},
    "slab in wireframe": {**EVERYTHING, "view.stage": "slab", "view.mode": "wireframe"},
    "edges": {**EVERYTHING, "view.mode": "edges"},
    "map": {**EVERYTHING, **MAP},
    "parallel": {**EVERYTHING, "camera.projection": "orthographic"},
}
FLAGS = {"BLEND": 0x0BE2, "CULL_FACE": 0x0B44, "DEPTH_TEST": 0x0B71, "SCISSOR_TEST": 0x0C11, "OFFSET": 0x8037}
NUMBERS = {
    "FRAMEBUFFER": (0x8CA6, 1), "VIEWPORT": (0x0BA2, 4), "SCISSOR_BOX": (0x0C10, 4), "POLYGON_MODE": (0x0B40, 2),
    "COLOR_WRITEMASK": (0x0C23, 4), "DEPTH_WRITEMASK": (0x0B72, 1), "DEPTH_FUNC": (0x0B74, 1),
    "FRONT_FACE": (0x0B46, 1), "CULL_FACE_MODE": (0x0B45, 1), "OFFSET_FACTOR": (0x8038, 1),
    "BLEND_SRC": (0x80C9, 1), "BLEND_DST": (0x80C8, 1), "BLEND_SRC_ALPHA": (0x80CB, 1), "BLEND_DST_ALPHA": (0x80CA, 1),
}  # fmt: skip


def seen(context):
    """Return the state as OpenGL tells it, by name."""
    loader = context.mglo._context
    is_enabled = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)(loader.load_opengl_function("glIsEnabled"))
    get = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_void_p)(loader.load_opengl_function("glGetIntegerv"))
    found = {name: (int(is_enabled(number)),) for name, number in FLAGS.items()}
    for name, (number, count) in NUMBERS.items():
        values = (ctypes.c_int * 4)()
        get(number, values)
        found[name] = tuple(values)[:count]
    return found


@pytest.fixture
def unusual(context):
    """Have a state that no pass wants, and return it."""
    framebuffer = context.framebuffer(context.texture((9, 7), 4), context.depth_renderbuffer((9, 7)))
    framebuffer.use()
    framebuffer.viewport, framebuffer.scissor = (1, 2, 5, 3), (2, 1, 4, 4)
    framebuffer.color_mask, framebuffer.depth_mask = (True, False, True, False), False
    framebuffer.use()  # masks count from then on
    context.enable_only(moderngl.BLEND | moderngl.CULL_FACE)
    context.front_face, context.wireframe = "cw", True
    yield seen(context)
    context.front_face, context.wireframe = "ccw", False
    context.enable_only(moderngl.NOTHING)


@pytest.mark.parametrize("changes", SCENES.values(), ids=SCENES)
def test_every_pass_of_a_picture_leaves_the_state_as_it_found_it(context, renderer, unusual, changes):
    scene = Scene().replace(changes)
    renderer.show(HeightField(rolling(128, 128, 250.0) + np.float32(200), (4000 / 128, 4000 / 128)))
    assert seen(context) == unusual
    for samples in (1, 4):
        count = 0
        for _ in renderer.passes(scene, SIZE, samples, 0):
            assert seen(context) == unusual, f"after pass {count} of {samples} samples"
            count += 1
        assert seen(context) == unusual and count > 5


def test_a_picture_is_put_on_a_screen_that_is_left_as_it_was(context, renderer, unusual):
    present, screen = PresentPass(context), context.fbo
    present.keep(renderer.draw(Scene(), SIZE, 1))
    present.draw(screen, (9, 7), (0, 0, 9, 7))
    assert seen(context) == unusual


def test_an_error_in_a_pass_leaves_the_state_as_it_was(context, unusual):
    other = context.framebuffer(context.texture((3, 3), 4))
    with pytest.raises(ValueError, match="half way"), state.kept(context):
        other.use()
        context.enable_only(moderngl.DEPTH_TEST)
        context.wireframe, context.depth_func, context.blend_func = False, ">", (moderngl.ONE, moderngl.ONE)
        raise ValueError("half way")
    assert seen(context) == unusual


DRY = {**EVERYTHING, "water.enabled": False, "ground.boulders": 0.0, "view.contours": True}
_FAILURES = 12  # of the some hundred draws of a picture: all take half a minute a scene


@pytest.mark.parametrize("changes", [EVERYTHING, SCENES["slab in wireframe"], DRY], ids=["everything", "slab", "dry"])
def test_a_pass_that_fails_half_way_leaves_the_state_as_it_was_and_the_next_picture_right(
    context, renderer, unusual, changes, monkeypatch
):
    """Wherever drawing ends in an error, with another view and other light than the picture that comes after it."""
    scene = Scene().replace(changes)
    other = scene.replace({"camera.yaw": 150.0, "camera.pitch": -30.0, "sun.azimuth": 77.0})
    land = HeightField(rolling(128, 128, 250.0) + np.float32(200), (4000 / 128, 4000 / 128))
    renderer.show(land)
    expected, draw, left = renderer.draw(scene, SIZE, 1).pixels(), moderngl.VertexArray.render, [0]

    def counted(*rest, **more):
        left[0] -= 1
        if left[0] == 0:
            raise ArithmeticError("half way")
        draw(*rest, **more)

    monkeypatch.setattr(moderngl.VertexArray, "render", counted)
    renderer.draw(other, SIZE, 1)
    draws = -left[0]
    assert draws > 10
    for failing in np.linspace(1, draws, min(draws, _FAILURES)).astype(int):
        left[0] = 0
        renderer.draw(scene, SIZE, 1)
        left[0] = failing
        with pytest.raises(ArithmeticError, match="half way"):
            renderer.draw(other, SIZE, 1)
        assert seen(context) == unusual, f"draw {failing} of {draws}"
        np.testing.assert_array_equal(renderer.draw(scene, SIZE, 1).pixels(), expected, f"draw {failing} of {draws}")


@pytest.mark.parametrize("changes", [EVERYTHING, DRY], ids=["everything", "dry"])
def test_an_error_leaves_no_scissor_box_and_no_mask_with_what_is_drawn_into(context, renderer, changes, monkeypatch):
    """A framebuffer has them again wherever it is bound."""
    scene = Scene().replace(changes)
    renderer.show(HeightField(rolling(128, 128, 250.0) + np.float32(200), (4000 / 128, 4000 / 128)))
    renderer.draw(scene, SIZE, 1)  # maps are made once
    bound, draw = [], moderngl.VertexArray.render

    def failing(*rest, **more):
        bound.append(context.fbo)
        if len(bound) == at:
            raise ArithmeticError("half way")
        draw(*rest, **more)

    at = 0
    monkeypatch.setattr(moderngl.VertexArray, "render", failing)
    renderer.draw(scene, SIZE, 1)
    for at in range(1, len(bound) + 1):
        bound.clear()
        with pytest.raises(ArithmeticError, match="half way"):
            renderer.draw(scene, SIZE, 1)
        assert bound[-1].depth_mask and bound[-1].scissor == (0, 0, *bound[-1].size), f"draw {at}"


def test_a_framebuffer_released_meanwhile_is_no_fault(context):
    gone, other = (context.framebuffer(context.texture((3, 3), 4)) for _ in range(2))
    gone.use()
    with state.kept(context):
        other.use()
        gone.release()
    assert context.error == "GL_NO_ERROR"
    other.use()
    with state.kept(context):
        context.enable_only(moderngl.BLEND)
    assert not seen(context)["BLEND"][0]
