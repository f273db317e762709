"""Maps as files: tiles that meet, numbers that can be had back from the facts, and names."""

import json

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.ground.ground_maps import GroundMaps, whole_levels
from fellview.export import map_files
from fellview.export.map_files import Options

ROWS, COLUMNS, TEXELS = 9, 13, 2
HIGH, WIDE = TEXELS * (ROWS - 1) + 1, TEXELS * (COLUMNS - 1) + 1
LAYERS = ("base_grass", "upper_scree", "steep_rock", "high_snow", "low_sand", "deposit_scree")


def a_land():
    area = np.random.default_rng(3).uniform(1, ROWS * COLUMNS, (ROWS, COLUMNS)).astype(np.float32) * 12
    return HeightField(np.zeros((ROWS, COLUMNS), np.float32), (4.0, 3.0), {"drainage_area": area})


def maps():
    random = np.random.default_rng(8)
    weights = whole_levels(random.uniform(0, 1, (HIGH, WIDE, len(LAYERS))).astype(np.float32))
    colour, normal = (random.integers(0, 256, (HIGH, WIDE, 3), np.uint8) for _ in range(2))
    return GroundMaps(TEXELS, colour, normal, random.integers(0, 256, (HIGH, WIDE), np.uint8), weights, LAYERS)


def export(folder, **changes):
    return map_files.export(folder, a_land(), "recipe", Options(texels=TEXELS, **changes), maps())


def read(folder, name):
    with Image.open(folder / f"{name}.png") as picture:
        return np.asarray(picture)


def facts(folder):
    return json.loads((folder / map_files.FACTS).read_text(encoding="utf-8"))


def test_every_map_is_there_and_told_of(tmp_path):
    files = export(tmp_path)
    assert sorted(files) == sorted(tmp_path.iterdir()) and files[-1].name == map_files.FACTS
    told = facts(tmp_path)
    assert {each.stem for each in files[:-1]} == set(told["maps"])
    assert {"colour", "normal", "occlusion", "drainage", "weights_0", "weights_1"} < set(told["maps"])
    assert (told["rows"], told["columns"], told["texel_x_m"], told["texel_z_m"]) == (HIGH, WIDE, 1.5, 2.0)
    np.testing.assert_array_equal(read(tmp_path, "colour"), maps().colour)
    np.testing.assert_array_equal(read(tmp_path, "occlusion"), maps().sky)


def test_weights_of_four_and_of_one_add_up_to_255(tmp_path):
    export(tmp_path, maps=("weights",))
    told = facts(tmp_path)["maps"]
    both = np.concatenate([read(tmp_path, "weights_0"), read(tmp_path, "weights_1")], axis=-1)
    assert (both.sum(axis=-1, dtype=int) == 255).all() and not both[..., len(LAYERS) :].any()
    assert told["weights_0"]["channels"] + told["weights_1"]["channels"] == list(LAYERS)
    for number, layer in enumerate(LAYERS):
        np.testing.assert_array_equal(read(tmp_path, f"weight_{layer}"), both[..., number])


def test_green_grows_to_the_other_side_in_directx(tmp_path):
    export(tmp_path / "gl", maps=("normal",))
    export(tmp_path / "dx", maps=("normal",), normals="directx")
    one, other = read(tmp_path / "gl", "normal").astype(int), read(tmp_path / "dx", "normal").astype(int)
    np.testing.assert_array_equal(one[..., [0, 2]], other[..., [0, 2]])
    np.testing.assert_array_equal(one[..., 1] + other[..., 1], 255)
    assert "green south" in facts(tmp_path / "dx")["maps"]["normal"]["channels"]


def test_drainage_can_be_had_back(tmp_path):
    map_files.export(tmp_path, a_land(), "recipe", Options(("drainage",), TEXELS), None)
    told = facts(tmp_path)["maps"]["drainage"]
    logarithm = told["minimum"] + read(tmp_path, "drainage") / 65535 * (told["maximum"] - told["minimum"])
    there = np.log10(a_land().masks["drainage_area"])[::-1]
    np.testing.assert_allclose(logarithm[::TEXELS, ::TEXELS], there, atol=1e-4)
    np.testing.assert_allclose(logarithm[1::TEXELS, ::TEXELS], (there[:-1] + there[1:]) / 2, atol=1e-4)


def test_drainage_in_cells_is_between_the_vertices():
    in_cells, on_vertices = (map_files.drainage(a_land(), 1, each) for each in (True, False))
    assert in_cells.shape == (ROWS - 1, COLUMNS - 1)
    corners = [on_vertices[r : r + ROWS - 1, c : c + COLUMNS - 1].astype(float) for r in (0, 1) for c in (0, 1)]
    np.testing.assert_allclose(in_cells, np.mean(corners, axis=0), atol=1)


@pytest.mark.parametrize("side", [9, 10, 100])
def test_tiles_share_their_edges_and_make_the_whole(tmp_path, side):
    export(tmp_path, maps=("colour",), tile=side)
    made = np.zeros((HIGH, WIDE, 3), int) - 1
    for path in tmp_path.glob("*.png"):
        column, row = (int(word[1:]) for word in path.stem.split("_")[1:])
        pixels = read(tmp_path, path.stem)
        top, left = row * (side - 1), column * (side - 1)
        place = made[top : top + side, left : left + side]
        known = place >= 0
        np.testing.assert_array_equal(place[known], pixels[known])
        place[:] = pixels
    np.testing.assert_array_equal(made, maps().colour)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"maps": ("colour", "albedo")}, "maps = albedo: expected some of colour, normal"),
        ({"normals": "up"}, "normals = up: expected one of opengl, directx"),
        ({"tile": 2}, "tile = 2: expected 3 to 16384 texels"),
    ],
)
def test_what_is_out_of_range_is_refused(changed, told):
    with pytest.raises(InputError, match=told):
        Options(**changed)


def test_too_many_tiles_are_refused():
    with pytest.raises(InputError, match=r"tile = 3: 16384 × 16384 texels would be 8192 × 8192 tiles"):
        map_files._tiles(16384, 16384, 3)
