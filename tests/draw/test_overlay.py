"""The overlay pass on a software renderer: a handful of pixels, and the state that it leaves."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from fellview.draw.overlay.held import HeldOverlay
from fellview.draw.overlay.overlay import VERTEX, Command, CommandList, DrawData, Overlay, TextureUpdate

SIZE = 64
RED, GREEN = (255, 0, 0, 255), (0, 255, 0, 255)
WHITE = 7


@pytest.fixture
def overlay(context):
    one = Overlay(context)
    yield one
    one.release()


@pytest.fixture
def framebuffer(context):
    one = context.framebuffer([context.texture((SIZE, SIZE), 4)], context.depth_renderbuffer((SIZE, SIZE)))
    one.clear(0.0, 0.0, 0.0, 0.0)
    yield one
    one.release()


def square(left, top, right, bottom, color):
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array([(corner, (0.5, 0.5), color) for corner in corners], VERTEX)


SQUARE = np.array([0, 1, 2, 0, 2, 3], np.uint16)
WHITE_TEXTURE = TextureUpdate("create", WHITE, pixels=np.full((2, 2, 4), 255, np.uint8))


def frame(lists, textures=(WHITE_TEXTURE,), size=(SIZE, SIZE), scale=(1.0, 1.0), position=(0.0, 0.0)):
    return DrawData(tuple(lists), tuple(textures), position, size, scale)


def one_square(color=RED, box=(8, 8, 24, 24), clip=(0, 0, SIZE, SIZE), texture=WHITE):
    return CommandList(square(*box, color), SQUARE, (Command(clip, texture, 0, 0, 6),))


def pixels(framebuffer):
    """Return uint8 [row from the top, column, rgba]."""
    return np.frombuffer(framebuffer.read(components=4), np.uint8).reshape(SIZE, SIZE, 4)[::-1]


def test_draws_a_square_where_it_is_and_clips_it(overlay, framebuffer):
    overlay.draw(frame([one_square(clip=(8, 12, 20, 64))]), framebuffer)
    image = pixels(framebuffer)
    expected = np.zeros((SIZE, SIZE), bool)
    expected[12:24, 8:20] = True
    assert np.array_equal(image[..., 0] == 255, expected)


def test_framebuffer_scale_and_display_position(overlay, framebuffer):
    data = frame([one_square(box=(104, 54, 112, 58), clip=(100, 50, 132, 82))], size=(32, 32), scale=(2, 2))
    data = DrawData(data.lists, data.textures, (100.0, 50.0), data.display_size, data.framebuffer_scale)
    overlay.draw(data, framebuffer)
    expected = np.zeros((SIZE, SIZE), bool)
    expected[8:16, 8:24] = True
    assert np.array_equal(pixels(framebuffer)[..., 0] == 255, expected)


def test_lists_base_vertices_and_wide_indices(overlay, framebuffer):
    squares = [square(8 * i, 0, 8 * i + 8, 8, GREEN if i % 2 else RED) for i in range(8)]
    commands = tuple(Command((0, 0, SIZE, SIZE), WHITE, 6 * i, 4 * i, 6) for i in range(8))
    based = CommandList(np.concatenate(squares), np.tile(SQUARE, 8), commands)
    # as many vertices as no 16-bit index reaches, the last square last
    far = np.concatenate([np.zeros(70_000, VERTEX), square(8, 40, 16, 48, RED)])
    wide = CommandList(far, SQUARE.astype(np.uint32) + 70_000, (Command((0, 0, SIZE, SIZE), WHITE, 0, 0, 6),))
    overlay.draw(frame([based, wide]), framebuffer)
    image = pixels(framebuffer)
    assert [tuple(image[4, 8 * i + 4]) for i in range(8)] == [RED, GREEN] * 4
    assert tuple(image[44, 12]) == RED and not image[44, 20].any()


def test_many_indices(overlay, framebuffer):
    count = 20_000
    vertices = np.concatenate([square(0, 0, 1, 1, RED)] * (count - 1) + [square(32, 32, 40, 40, GREEN)])
    indices = (SQUARE.astype(np.uint32)[None] + 4 * np.arange(count, dtype=np.uint32)[:, None]).ravel()
    overlay.draw(
        frame([CommandList(vertices, indices, (Command((0, 0, 64, 64), WHITE, 0, 0, len(indices)),))]), framebuffer
    )
    image = pixels(framebuffer)
    assert tuple(image[36, 36]) == GREEN and tuple(image[0, 0]) == RED


def test_textures_are_created_updated_destroyed_and_lent(context, overlay, framebuffer):
    overlay.draw(frame([one_square((255, 255, 255, 255))]), framebuffer)
    green = np.tile(np.array(GREEN, np.uint8), (2, 2, 1))
    overlay.draw(frame([one_square((255, 255, 255, 255))], [TextureUpdate("update", WHITE, 0, 0, green)]), framebuffer)
    assert tuple(pixels(framebuffer)[16, 16]) == GREEN
    framebuffer.clear()
    overlay.draw(frame([one_square()], [TextureUpdate("destroy", WHITE)]), framebuffer)
    assert not pixels(framebuffer).any(), "what has no texture is not drawn"
    picture = context.texture((1, 1), 4, bytes(GREEN))
    overlay.draw(frame([one_square((255, 255, 255, 255), texture=overlay.lend(picture))], []), framebuffer)
    assert tuple(pixels(framebuffer)[16, 16]) == GREEN
    overlay.take_back(picture)


def test_alpha_blends_and_keeps_the_window_opaque(overlay, framebuffer):
    framebuffer.clear(0.0, 0.0, 1.0, 1.0)
    overlay.draw(frame([one_square((255, 0, 0, 128))]), framebuffer)
    red, _, blue, alpha = pixels(framebuffer)[16, 16]
    assert (int(red), int(blue), int(alpha)) == (pytest.approx(128, abs=1), pytest.approx(127, abs=1), 255)


def test_state_is_restored(context, overlay, framebuffer):
    """Draw a triangle before and after: depth, culling, wireframe, viewport and scissor act the same."""
    other = context.framebuffer([context.texture((SIZE, SIZE), 4)])
    context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
    framebuffer.use()
    framebuffer.viewport = (4, 6, 40, 50)
    framebuffer.scissor = (2, 3, 30, 31)
    other.use()
    context.wireframe = True
    overlay.draw(frame([one_square()]), framebuffer)
    assert context.wireframe
    assert context.fbo is other
    assert framebuffer.viewport == (4, 6, 40, 50)
    assert framebuffer.scissor == (2, 3, 30, 31)
    context.wireframe = False
    program = context.program(
        vertex_shader="#version 330\nin vec3 p; void main() { gl_Position = vec4(p, 1.0); }",
        fragment_shader="#version 330\nout vec4 c; void main() { c = vec4(0.0, 1.0, 0.0, 1.0); }",
    )

    def shows(depth, clockwise):
        corners = [(-1, -1, depth), (3, -1, depth), (-1, 3, depth)]
        array = context.vertex_array(
            program, context.buffer(np.array(corners[::-1] if clockwise else corners, np.float32)), "p"
        )
        array.render(moderngl.TRIANGLES)
        found = tuple(pixels(framebuffer)[40, 20]) == GREEN
        return found

    framebuffer.scissor = None
    framebuffer.viewport = (0, 0, SIZE, SIZE)
    framebuffer.clear(depth=0.5)
    framebuffer.use()
    assert not shows(0.5, clockwise=False), "depth is tested"
    assert not shows(-0.5, clockwise=True), "back faces are culled"
    assert shows(-0.5, clockwise=False)
    context.enable_only(moderngl.NOTHING)


def test_scissor_stays_off_where_it_was_off(overlay, framebuffer):
    overlay.draw(frame([one_square(clip=(0, 0, 4, 4))]), framebuffer)
    framebuffer.clear(1.0, 1.0, 1.0, 1.0)
    assert (pixels(framebuffer) == 255).all()


def test_empty_and_minimised_frames_are_nothing(overlay, framebuffer):
    overlay.draw(frame([]), framebuffer)
    overlay.draw(frame([one_square()], size=(0, 0)), framebuffer)
    assert not pixels(framebuffer).any()


def test_what_was_held_is_shown_around_the_land_and_what_reaches_over_it_is_drawn_anew(context, overlay, framebuffer):
    land = (16, 8, 40, 48)  # left, bottom, width, height: rows 8 to 55 from the top
    half = (0, 255, 0, 128)
    beside = one_square(box=(0, 0, 16, SIZE))
    below = one_square(box=(16, 58, SIZE, 62))
    over = one_square(half, box=(4, 20, 30, 40))
    data = frame([beside, below, over])
    overlay.draw(data, framebuffer)
    expected = pixels(framebuffer).copy()
    held = HeldOverlay(context, overlay)
    assert not held.holds((SIZE, SIZE))
    held.take(frame([beside, below, over], textures=()), (SIZE, SIZE))
    assert held.holds((SIZE, SIZE)) and not held.holds((SIZE, 2 * SIZE))
    for ground in (0.0, 1.0):  # of the land below
        framebuffer.clear(ground, ground, ground, 1.0)
        held.draw(framebuffer, land)
        shown = pixels(framebuffer)
        apart = np.ones((SIZE, SIZE), bool)
        apart[8:56, 16:56] = False
        assert np.array_equal(shown[apart][:, :3], expected[apart][:, :3])
        assert abs(int(shown[30, 20, 1]) - round(255 * (ground * 127 + 128) / 255)) <= 1
        assert shown[30, 20, 0] == pytest.approx(255 * ground * 127 / 255, abs=1)
        assert (shown[45, 40, :3] == round(255 * ground)).all()
    held.release()
