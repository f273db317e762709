"""The framebuffer that pictures are drawn into: samples, orientation, release; and its way into a window."""

import moderngl
import numpy as np
import pytest

from fellview.draw.present import PresentPass
from fellview.draw.target import Target

SIZE = (33, 17)  # odd: rows of pixels are no multiple of anything
SAMPLES = (1, 4)
SLANTED = """
#version 330 core
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 1.0 : -1.0, gl_VertexID == 2 ? 1.0 : -1.0, 0.0, 1.0);
}
"""
WHITE = """
#version 330 core
out vec4 out_color;
void main() {
    out_color = vec4(1.0, 1.0, 1.0, 0.5);
}
"""


@pytest.fixture
def target(context):
    """Return a function that makes targets of one size; they go when the test ends."""
    made = []

    def make(samples=1, size=SIZE):
        made.append(Target(context, size, samples))
        return made[-1]

    yield make
    for one in made:
        one.release()


def halved(context, target):
    """Draw the lower left half of the picture white over black."""
    program = context.program(vertex_shader=SLANTED, fragment_shader=WHITE)
    array = context.vertex_array(program, [])
    target.drawn.use()
    target.drawn.clear()
    context.enable_only(moderngl.NOTHING)
    array.render(moderngl.TRIANGLES, vertices=3)
    target.resolve()
    array.release()
    program.release()
    return target.pixels()


@pytest.mark.parametrize("samples", SAMPLES)
def test_a_flat_picture_comes_back_as_it_was_drawn(target, samples):
    one = target(samples)
    one.drawn.clear(0.2, 0.4, 0.6, 0.0)
    one.resolve()
    pixels = one.pixels()
    assert pixels.shape == (17, 33, 4) and pixels.dtype == np.uint8
    assert (pixels == (51, 102, 153, 255)).all(), "alpha is opaque, whatever was drawn"


@pytest.mark.parametrize("samples", SAMPLES)
def test_the_top_row_comes_first(target, samples):
    one = target(samples)
    one.drawn.clear()
    one.drawn.clear(1.0, 0.0, 0.0, 1.0, viewport=(0, 0, SIZE[0], 1))  # OpenGL counts from the bottom
    one.drawn.clear(0.0, 0.0, 1.0, 1.0, viewport=(SIZE[0] - 1, SIZE[1] - 1, 1, 1))
    one.resolve()
    pixels = one.pixels()
    assert (pixels[-1] == (255, 0, 0, 255)).all() and tuple(pixels[0, -1]) == (0, 0, 255, 255)
    assert not pixels[:-1, :-1, :3].any()


def test_samples_smooth_the_edge_and_nothing_else(context, target):
    hard, soft = halved(context, target(1))[..., 0], halved(context, target(4))[..., 0]
    assert set(np.unique(hard)) == {0, 255}
    between = (soft > 0) & (soft < 255)
    assert between.any()
    np.testing.assert_array_equal(soft[~between], hard[~between])
    assert abs(soft.mean() - hard.mean()) < 3, "the edge has moved"


@pytest.mark.parametrize("samples", SAMPLES)
def test_the_nearer_one_hides_the_other(context, target, samples):
    one = target(samples)
    program = context.program(
        vertex_shader="""
            #version 330 core
            uniform float u_depth;
            void main() {
                gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, u_depth, 1.0);
            }
        """,
        fragment_shader="""
            #version 330 core
            uniform vec3 u_color;
            out vec4 out_color;
            void main() { out_color = vec4(u_color, 1.0); }
        """,
    )
    array = context.vertex_array(program, [])
    one.drawn.use()
    one.drawn.clear(depth=1.0)
    context.enable_only(moderngl.DEPTH_TEST)
    for depth, colour in ((-0.5, (0.0, 1.0, 0.0)), (0.5, (1.0, 0.0, 0.0))):
        program["u_depth"], program["u_color"] = depth, colour
        array.render(moderngl.TRIANGLES, vertices=3)
    one.resolve()
    assert (one.pixels() == (0, 255, 0, 255)).all()
    array.release()
    program.release()


def test_more_samples_than_there_are_become_the_most_there_are(context, target):
    one = target(64)
    assert one.samples == min(64, context.max_samples)
    one.drawn.clear(1.0, 1.0, 1.0)
    one.resolve()
    assert (one.pixels() == 255).all()


@pytest.mark.parametrize("samples", SAMPLES)
def test_release_gives_everything_back(context, samples):
    one = Target(context, SIZE, samples)
    texture, drawn = one.texture(), one.drawn
    attachments = [*drawn.color_attachments, drawn.depth_attachment]
    one.release()
    assert all(isinstance(thing.mglo, moderngl.InvalidObject) for thing in (texture, drawn, *attachments))


def test_a_picture_is_presented_in_its_part_of_the_window_pixel_by_pixel(context, target):
    one = target(1, (5, 3))
    colours = np.random.default_rng(1).integers(0, 256, (3, 5, 4), np.uint8)
    colours[..., 3] = 255
    one.texture().write(colours[::-1].tobytes())
    window = target(1, (12, 8))
    window.drawn.clear(1.0, 1.0, 1.0)
    present = PresentPass(context)
    present.keep(one)
    present.draw(window.drawn, window.size, (4, 2, 5, 3))
    pixels = window.pixels()
    expected = np.zeros((8, 12, 4), np.uint8)
    expected[..., 3] = 255
    expected[3:6, 4:9] = colours  # two rows of pixels stay free below
    np.testing.assert_array_equal(pixels, expected)
