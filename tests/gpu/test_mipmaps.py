"""Coarser levels of textures: means of what they stand for, and what OpenGL then reads."""

import numpy as np
import pytest

from fellview.gpu import mipmaps

READ = """#version 330
uniform sampler2D u_flat;
uniform sampler2DArray u_array;
uniform float u_level;
uniform int u_layer;
out vec4 out_value;
void main() {
    vec2 place = gl_FragCoord.xy / 16.0 * exp2(u_level);
    out_value = u_layer < 0 ? textureLod(u_flat, place, u_level) : textureLod(u_array, vec3(place, u_layer), u_level);
}
"""
EVERYWHERE = """#version 330
void main() { gl_Position = vec4(vec2[3](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }
"""


@pytest.fixture
def bytes_of_layers():
    return np.random.default_rng(3).integers(0, 256, (3, 16, 16, 4), np.uint8)


def test_a_texel_is_the_mean_of_all_under_it(bytes_of_layers):
    made = mipmaps.levels(bytes_of_layers)
    assert [each.shape for each in made] == [(3, side, side, 4) for side in (16, 8, 4, 2, 1)]
    for level, values in enumerate(made):
        side = 16 >> level
        exact = bytes_of_layers.reshape(3, side, 16 // side, side, 16 // side, 4).mean(axis=(2, 4))
        assert np.abs(values - exact).max() <= 0.5  # rounded once, so that nothing drifts from level to level


def test_half_floats_keep_their_mean():
    values = np.random.default_rng(4).normal(0, 1, (8, 8, 4)).astype(np.float16)
    top = mipmaps.levels(values)[-1]
    assert top.dtype == np.float16
    assert np.abs(top - values.astype(np.float64).mean(axis=(0, 1))).max() < 1e-3


def read(context, level, layer, side):
    """Return what a shader reads of a level, texel by texel."""
    program = context.program(vertex_shader=EVERYWHERE, fragment_shader=READ)
    program["u_flat"], program["u_array"], program["u_level"], program["u_layer"] = 0, 1, float(level), layer
    target = context.framebuffer(context.texture((side, side), 4, dtype="f4"))
    target.use()
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    return np.frombuffer(target.read(components=4, dtype="f4"), np.float32).reshape(side, side, 4)


@pytest.mark.parametrize("told", [True, False])
def test_shaders_read_the_levels_that_were_made(context, bytes_of_layers, told, monkeypatch):
    if not told:
        monkeypatch.setattr(mipmaps, "_address", lambda context, name: 0)  # the driver then makes them
    made = mipmaps.levels(bytes_of_layers)
    halves = [each.astype(np.float16) for each in made]
    flat = mipmaps.texture(context, [each[0] for each in made])
    for array, scale in ((mipmaps.array(context, made, "f1"), 255), (mipmaps.array(context, halves, "f2"), 1)):
        flat.use(0)
        array.use(1)
        for level, values in enumerate(made):
            # the driver rounds its levels one by one, and may do so downwards
            most = 0.01 if told else 1.01 * level + 0.01
            side = 16 >> level
            assert np.abs(255 * read(context, level, -1, side) - values[0]).max() <= most
            assert np.abs(scale * read(context, level, 2, side) - values[2]).max() <= most
    assert context.error == "GL_NO_ERROR"


def shares(size):
    """Return of each texel of the coarser level, [coarser, finer], the shares of the two finer ones at its middle."""
    coarser = max(size // 2, 1)
    places = np.maximum((np.arange(coarser) + 0.5) * size / coarser - 0.5, 0)
    return np.maximum(1 - np.abs(places[:, None] - np.arange(size)), 0)


@pytest.mark.parametrize("dtype", ["f1", "f2", "f4"])
@pytest.mark.parametrize(("rows", "columns"), [(16, 16), (32, 8), (13, 6), (1, 7)])
@pytest.mark.parametrize("components", [1, 2, 4])
def test_a_built_level_has_what_stands_at_the_middles_of_its_texels(context, dtype, rows, columns, components):
    made = np.random.default_rng(5).random((rows, columns, components))
    kinds = {"f1": np.uint8, "f2": np.float16, "f4": np.float32}
    values = np.rint(255 * made).astype(np.uint8) if dtype == "f1" else made.astype(kinds[dtype])
    texture = context.texture((columns, rows), components, values.tobytes(), alignment=1, dtype=dtype)
    mipmaps.reserve(texture)
    mipmaps.build(texture)
    scale, rounding = (255, 0.51 / 255) if dtype == "f1" else (1, 1e-3 if dtype == "f2" else 1e-6)
    expected = values.astype(np.float64) / scale
    for level in range(1, max(rows, columns).bit_length()):
        expected = np.einsum("ia,jb,abc->ijc", shares(expected.shape[0]), shares(expected.shape[1]), expected)
        found = mipmaps.read(texture, level)
        assert found.shape == expected.shape
        assert np.abs(found - expected).max() <= rounding
        expected = found  # rounded as it is kept


@pytest.mark.parametrize(("least", "coarsest"), [(1, 1), (4, 4), (5, 8), (16, 16), (64, 16)])
def test_levels_end_where_they_are_asked_to(context, least, coarsest):
    """Where coarser ones would be read, the coarsest is."""
    texture = context.texture((32, 32), 1, np.random.default_rng(7).random((32, 32)).astype(np.float32), dtype="f4")
    mipmaps.reserve(texture)
    texture.filter = (context.NEAREST_MIPMAP_NEAREST, context.NEAREST)
    expected = np.random.default_rng(7).random((32, 32)).astype(np.float32)
    while expected.shape[0] > coarsest:
        expected = expected.reshape(len(expected) // 2, 2, -1, 2).mean(axis=(1, 3))
    mipmaps.build(texture, least)
    program = context.program(
        vertex_shader="#version 330\nvoid main() {"
        " gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }",
        fragment_shader="#version 330\nuniform sampler2D u_texture; out vec4 found;"
        "void main() { found = textureLod(u_texture, vec2(0.99), 9.0); }",
    )
    target = context.framebuffer(context.texture((1, 1), 1, dtype="f4"))
    target.use()
    texture.use(0)
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    assert np.frombuffer(target.read(components=1, dtype="f4"), np.float32)[0] == pytest.approx(
        expected[-1, -1], abs=1e-5
    )


def test_what_is_drawn_next_meets_all_as_before_levels_were_built(context):
    target = context.framebuffer(context.texture((8, 8), 4))
    texture = context.texture((16, 16), 4, bytes(1024))
    mipmaps.reserve(texture)
    texture.filter = filters = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
    target.use()
    target.viewport = (1, 2, 3, 4)
    mipmaps.build(texture)
    mipmaps.read(texture, 1)
    assert context.fbo is target
    assert target.viewport == (1, 2, 3, 4)
    assert texture.filter == filters
    assert context.error == "GL_NO_ERROR"


@pytest.mark.parametrize(
    "lacking",
    [
        pytest.param({(mipmaps, "_address"): lambda context, name: 0}, id="functions"),
        pytest.param({(mipmaps._Calls, "can_draw"): lambda calls: False}, id="levels-to-draw-into"),
    ],
)
def test_levels_are_the_drivers_where_opengl_lacks_what_ours_take(context, monkeypatch, lacking):
    monkeypatch.setattr(context, "extra", None)
    for (where, name), instead in lacking.items():
        monkeypatch.setattr(where, name, instead)
    values = np.random.default_rng(6).random((8, 8, 4)).astype(np.float32)
    texture = context.texture((8, 8), 4, values.tobytes(), dtype="f4")
    mipmaps.reserve(texture)
    texture.filter = filters = (context.NEAREST, context.NEAREST)
    mipmaps.build(texture)
    assert texture.filter == filters
    mean = values.mean(axis=(0, 1))
    assert np.abs(mipmaps.read(texture, 3) - mean).max() < 0.01
    mipmaps.write(texture, [values[::2, ::2], values[:2, :2], values[:1, :1]])
    np.testing.assert_array_equal(mipmaps.read(texture, 2), values[:2, :2])
