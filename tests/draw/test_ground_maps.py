"""Maps of the ground: what lies where, in which direction it looks, and that parts of a map meet."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.ground import ground_maps, palettes
from fellview.draw.ground.ground_maps import GroundMapper, layers, shape, whole_levels
from fellview.draw.passes import whole
from fellview.gpu.uniform_block import rgb
from fellview.scene.scene import Scene
from tests.lands import rolling

ROWS, COLUMNS, CELL_Z, CELL_X = 24, 40, 12.0, 8.0
PLAIN = {"ground.kind": "materials", "ground.relief": 0.0, "ground.variation": 0.0, "ground.wetness": 0.0}


@pytest.fixture(scope="module")
def mapper(context):
    return GroundMapper(context)


def drawn(mapper, field, texels=1, in_cells=False, **changes):
    return whole(mapper.passes(Scene(name="Mapped").replace({**PLAIN, **changes}), field, texels, in_cells))


def sloping(east=0.0, north=0.0):
    """Return a plane that rises so much to the east and to the north."""
    row, column = np.indices((ROWS, COLUMNS))
    return HeightField((east * CELL_X * column + north * CELL_Z * row).astype(np.float32), (CELL_Z, CELL_X))


def directions(maps):
    """Return the normals, east, north and up."""
    return maps.normal / 127.5 - 1


@pytest.mark.parametrize(("east", "north"), [(0.5, 0.0), (0.0, 0.5), (-0.4, 0.3)])
def test_normals_look_away_from_where_the_land_rises(mapper, east, north):
    maps = drawn(mapper, sloping(east, north), **{f"ground.{part}": "snow" for part in palettes.PARTS})
    wanted = np.array([-east, -north, 1.0]) / np.sqrt(1 + east**2 + north**2)
    np.testing.assert_allclose(directions(maps)[2:-2, 2:-2].mean(axis=(0, 1)), wanted, atol=0.02)


def test_north_is_at_the_top_and_a_texel_lies_on_every_vertex(mapper):
    """Snow covers the north alone, to the row."""
    field = sloping(north=0.5)  # 6 m a row: snow begins at row 12
    changes = {"ground.snow_line": 69.0, "ground.snow_softness": 1.0}
    for texels in (1, 3):
        maps = drawn(mapper, field, texels, **changes)
        assert maps.sky.shape == (texels * (ROWS - 1) + 1, texels * (COLUMNS - 1) + 1)
        snow = maps.weights[..., layers(Scene().replace(PLAIN)).index("high_snow")]
        np.testing.assert_array_equal(snow[::texels, 0] > 127, np.arange(ROWS) <= ROWS - 1 - 12)


def test_in_cells_texels_lie_half_a_texel_from_the_vertices(mapper):
    """With three texels a cell the middle ones in cells lie where every sixth but the third ones on vertices do."""
    field = HeightField(400 * rolling(ROWS, COLUMNS, 1.0), (CELL_Z, CELL_X))
    snow = {f"ground.{part}": "snow" for part in palettes.PARTS}  # nearly even: pixels of two sizes agree
    in_cells, on_vertices = drawn(mapper, field, 3, True, **snow), drawn(mapper, field, 6, **snow)
    assert in_cells.sky.shape == (3 * (ROWS - 1), 3 * (COLUMNS - 1))
    np.testing.assert_allclose(in_cells.sky.astype(int), on_vertices.sky[1::2, 1::2], atol=1)
    np.testing.assert_allclose(directions(in_cells), directions(on_vertices)[1::2, 1::2], atol=0.1)


@pytest.mark.parametrize("kind", ["materials", "demo"])
def test_weights_add_up_to_255_everywhere(mapper, kind):
    field = HeightField(50 * rolling(ROWS, COLUMNS, 1.0), (CELL_Z, CELL_X))
    maps = drawn(mapper, field, 2, **{"ground.kind": kind, "ground.bare_slope": 40.0})
    assert maps.weights.shape[-1] == len(maps.layers)
    assert (maps.weights.sum(axis=-1, dtype=int) == 255).all()
    assert sum(layer.any() for layer in np.moveaxis(maps.weights, -1, 0)) > 1


def test_a_materials_colour_is_its_palettes(mapper):
    scene = Scene().replace(PLAIN)
    for part, number in (("base", 0), ("upper", 1)):
        field = sloping(north=0.05) if part == "base" else sloping(north=0.66)
        maps = drawn(mapper, field, **{"ground.snow_line": 5000.0})
        named = palettes.chosen(scene.ground).parts[number]
        between = np.array([rgb(named.colour), rgb(named.other)])
        mean = maps.colour.mean(axis=(0, 1)) / 255
        assert (between.min(axis=0) - 0.1 < mean).all() and (mean < between.max(axis=0) + 0.1).all(), part


def test_a_hollow_sees_less_of_the_sky_than_a_hill(mapper):
    row, column = np.indices((ROWS, COLUMNS))
    bowl = np.hypot((row - 12) * CELL_Z, (column - 20) * CELL_X)
    hollow, hill = (
        HeightField((sign * 2.0 * np.minimum(bowl, 90.0)).astype(np.float32), (CELL_Z, CELL_X)) for sign in (1, -1)
    )
    assert drawn(mapper, hollow).sky[11, 20] < 100 < 250 < drawn(mapper, hill).sky[11, 20]


def test_a_map_is_the_same_however_it_is_shared_out(mapper, monkeypatch):
    field = HeightField(400 * rolling(ROWS, COLUMNS, 1.0), (CELL_Z, CELL_X))
    changes = {"ground.relief": 1.0, "ground.variation": 1.0}
    at_once = drawn(mapper, field, 2, **changes)
    monkeypatch.setattr(ground_maps, "_SIDE", 32)
    in_parts = drawn(mapper, field, 2, **changes)
    for name in ("colour", "normal", "sky", "weights"):
        np.testing.assert_array_equal(getattr(in_parts, name), getattr(at_once, name))


def test_the_picture_of_the_scene_changes_nothing(mapper):
    field = HeightField(400 * rolling(ROWS, COLUMNS, 1.0), (CELL_Z, CELL_X))
    seen = {"view.mode": "slope", "view.contours": True, "view.exaggeration": 3.0, "sun.elevation": 5.0}
    one, other = drawn(mapper, field), drawn(mapper, field, **seen)
    for name in ("colour", "normal", "sky", "weights"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@given(arrays(np.float32, (7, 6), elements=st.floats(0, 1, width=32)))
def test_whole_levels_add_up_and_stay_by_their_shares(weights):
    levels = whole_levels(weights).astype(float)
    assert (levels.sum(axis=-1) == 255).all()
    total = weights.sum(axis=-1, keepdims=True, dtype=np.float64)
    shares = np.where(total > 0, 255 * weights / np.where(total > 0, total, 1), 255 / 6)
    assert np.abs(levels - shares).max() < 1


def test_maps_too_fine_or_too_large_are_refused():
    assert shape(513, 1025, 2) == (1025, 2049)
    for texels in (0, 17):
        with pytest.raises(InputError, match=rf"texels = {texels}: expected 1 to 16 a cell"):
            shape(2, 2, texels)
    with pytest.raises(InputError, match=r"texels = 9: maps of 2048 × 2048 vertices would be 18424 × 18424 texels"):
        shape(2048, 2048, 9)
