"""Land for other programs: each one's own rule, applied to the file and to what is typed there, gives the land back.

The rules below are the programs', written from their documentation and not from `targets/`. The land is one that no
turn or mirror leaves as it is, and every place of it has a height of its own.
"""

from __future__ import annotations

import json

import numpy as np
import OpenEXR
import pytest
import tifffile
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.heightmaps.encoding import REAL, Encoding
from fellview.scene.scene import Scene
from fellview.targets import export
from fellview.targets.registry import TARGETS, target
from fellview.targets.target import Written

SIZE_Z, SIZE_X = 1500.0, 3000.0
SIDES = {"unreal": 127, "unity": 129, "godot": 128, "blender": 100, "qgis": 100}
LOW, HIGH = -120.0, 1850.0


def height_at(z, x):
    """Return the height in metres at `z` to the north and `x` to the east of the land's south-western corner."""
    v, u = z / SIZE_Z, x / SIZE_X
    return LOW + (HIGH - LOW) * (0.6 * u + 0.4 * v * v)


def the_scene():
    return Scene(name="Tilted land").replace({"grid.size_z": SIZE_Z, "grid.size_x": SIZE_X})


def generated(scene):
    grid = scene.grid
    z, x = (np.arange(grid.rows) * grid.cell_size[0])[:, None], np.arange(grid.columns) * grid.cell_size[1]
    return HeightField(height_at(z, x).astype(np.float32), grid.cell_size)


def typed(folder):
    """Return what the text beside the file tells a person to type, by label; numbers as numbers."""
    (path,) = folder.glob("*.txt")
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            label, value = line.strip().split("  ", 1)
            value = value.strip().split(" ")[0]
            try:
                found[label] = float(value)
            except ValueError:
                found[label] = line.strip().split("  ", 1)[1].strip()
    return found


def one_file(folder, suffix):
    (path,) = folder.glob(f"*{suffix}")
    return path


def unreal(folder, numbers):
    """Z in cm is (word − 32768)/128·scale + location; the view from above has X to the right and Y downwards."""
    with Image.open(one_file(folder, ".png")) as image:
        assert image.mode == "I;16"
        words = np.asarray(image).astype(float)
    height = ((words - 32768) / 128 * numbers["Scale Z"] + numbers["Location Z"]) / 100
    row, column = np.indices(words.shape)
    return column * numbers["Scale X"] / 100, -row * numbers["Scale Y"] / 100, height


def unity(folder, numbers):
    """The height is word / 65536 of the terrain's; without a flip row 0 lies at z = 0, and z goes to the north."""
    side = int(numbers["Resolution"])
    assert (numbers["Depth"], numbers["Byte Order"], numbers["Flip Vertically"]) == ("Bit 16", "Windows", "off")
    words = np.fromfile(one_file(folder, ".raw"), "<u2").reshape(side, side).astype(float)
    row, column = np.indices(words.shape) / (side - 1)
    height = words / 65536 * numbers["Terrain Size Y"] + numbers["Position Y"]
    return column * numbers["Terrain Size X"], row * numbers["Terrain Size Z"], height


def godot(folder, numbers):
    """A pixel is a vertex, x to the east and z to the south; its value is scaled first, then lifted.

    From position 0 on 16 regions lie along each axis.
    """
    assert numbers["Import Position"] == "0, 0"
    values = OpenEXR.File(str(one_file(folder, ".exr")), separate_channels=True).channels()["R"].pixels
    assert values.shape[0] % numbers["Region Size"] == values.shape[1] % numbers["Region Size"] == 0
    row, column = np.indices(values.shape) * numbers["Vertex Spacing"]
    return column, -row, values * numbers["Import Scale"] + numbers["Height Offset"]


def blender(folder, numbers):
    """A pixel's middle lies half a pixel inside of the plane's border, the first row on the side of +Y."""
    values = OpenEXR.File(str(one_file(folder, ".exr")), separate_channels=True).channels()["Y"].pixels
    assert numbers["Clamp"] == "off"
    row, column = np.indices(values.shape)
    x = (column + 0.5) / values.shape[1] * numbers["Dimensions X"]
    y = (1 - (row + 0.5) / values.shape[0]) * numbers["Dimensions Y"]
    return x, y, (values - numbers["Midlevel"]) * numbers["Strength"]


def qgis(folder, numbers):
    """The tags tie the file's corner to a place; heights belong to the pixels' middles."""
    with tifffile.TiffFile(one_file(folder, ".tif")) as file:
        across, down, _ = file.pages[0].tags[33550].value
        *_, west, north, _ = file.pages[0].tags[33922].value
        values = file.asarray()
    assert (across, down) == pytest.approx((numbers["Pixel Size X"], numbers["Pixel Size Y"]))
    row, column = np.indices(values.shape)
    return west + (column + 0.5) * across, north - (row + 0.5) * down, values


RULES = {"unreal": unreal, "unity": unity, "godot": godot, "blender": blender, "qgis": qgis}


def test_every_target_has_its_programs_rule_here():
    assert set(RULES) == {one.name for one in TARGETS}


@pytest.mark.parametrize("name", RULES)
def test_the_programs_own_rule_gives_metres_and_orientation_back(tmp_path, name):
    export.export(the_scene(), target(name), tmp_path, generated, SIDES[name])
    x, y, height = RULES[name](tmp_path, typed(tmp_path))
    # places are those of a program of its own: the south-western height is ours
    east, north = x - x.min(), y - y.min()
    step = (HIGH - LOW) / 65535 if target(name).bits == 16 else 0.0
    slope = (HIGH - LOW) * max(0.6 / SIZE_X, 0.8 / SIZE_Z)  # as the typed digits shift places and heights
    exact = step / 2 + 1e-6 * SIZE_X * slope + 4e-4  # half the last place of float32 at 1850 m is 6e-5
    np.testing.assert_allclose(height, height_at(north, east), rtol=0, atol=exact)


@pytest.mark.parametrize("name", RULES)
def test_the_land_is_computed_anew_at_the_targets_size(tmp_path, name):
    asked = []
    export.export(
        the_scene(), target(name), tmp_path, lambda scene: asked.append(scene) or generated(scene), SIDES[name]
    )
    (scene,) = asked
    assert scene.grid.columns == SIDES[name]
    assert scene.grid.rows == (SIDES[name] if target(name).square else SIDES[name] // 2)
    assert (scene.grid.size_z, scene.grid.size_x) == (SIZE_Z, SIZE_X)


@pytest.mark.parametrize("one", TARGETS, ids=lambda one: one.name)
def test_every_size_that_is_offered_is_a_grid(one):
    for side in one.sizes or (one.size,):
        assert max(export.sized(the_scene(), one, side).grid.values()[axis] for axis in ("rows", "columns")) == side
    with pytest.raises(InputError, match=f"size = 1: expected for {one.title}"):
        export.sized(the_scene(), one, 1)


def test_sizes_are_the_engines():
    assert target("unreal").sizes == (127, 253, 505, 1009, 2017, 4033, 8129)
    assert target("unity").sizes == tuple(2**power + 1 for power in range(5, 13))
    with pytest.raises(InputError, match=r"size = 1000: expected for Godot, Terrain3D multiples of 64"):
        target("godot").require_size(1000)


@pytest.mark.parametrize(
    ("rows", "columns", "region"),
    [(1024, 1024, 1024), (4096, 4096, 2048), (64, 192, 64), (1088, 1088, 128), (8192, 8192, 2048), (8128, 64, 512)],
)
def test_a_land_lies_within_the_regions_that_terrain3d_has_room_for(rows, columns, region):
    written = Written("a", rows, columns, (1.0, 1.0), Encoding(REAL, None), 0.0, 1.0)
    numbers = {one.label: one.value for one in target("godot").entries(written)}
    assert numbers["Region Size"] == region
    assert max(rows, columns) <= 16 * region


def test_a_fixed_range_is_the_same_for_every_land(tmp_path):
    options = export.USUAL.__class__(range=(-500.0, 2500.0))
    done = export.export(the_scene(), target("unreal"), tmp_path, generated, 127, options)
    numbers = {one.label: one.value for one in done.entries}
    assert numbers["Scale Z"] == pytest.approx(3000 * 100 * 128 / 65535)
    _, _, height = unreal(tmp_path, typed(tmp_path))
    assert height.min() == pytest.approx(LOW, abs=3000 / 65535)


def test_flat_land_is_no_range_of_nothing(tmp_path):
    def flat(scene):
        return HeightField(np.full((scene.grid.rows, scene.grid.columns), 42.5, np.float32), scene.grid.cell_size)

    export.export(the_scene(), target("unreal"), tmp_path, flat, 127)
    numbers = typed(tmp_path)
    assert numbers["Scale Z"] > 0
    np.testing.assert_allclose(unreal(tmp_path, numbers)[2], 42.5, atol=1e-5)


def test_land_whose_steps_count_in_cells_is_told_to_change(tmp_path):
    scene = the_scene().replace({"erosion.kind": "demo", "erosion.iterations": 5})
    done = export.export(scene, target("unreal"), tmp_path, generated, 127)
    assert any(
        "count in cells (Perturb, Erosion, Smoothing) make another land on 127 × 127" in one for one in done.remarks
    )


def test_the_sea_is_told_as_the_number_that_stands_for_its_level(tmp_path):
    scene = the_scene().replace({"water.enabled": True, "water.sea": True, "water.sea_level": 100.0})
    export.export(scene, target("unreal"), tmp_path, generated, 127)
    facts = json.loads(one_file(tmp_path, ".png.json").read_text(encoding="utf-8"))
    low, high = facts["minimum_m"], facts["maximum_m"]
    assert facts["sea_level_number"] == round((100 - low) / (high - low) * 65535)


def test_an_unknown_target_is_refused_with_those_there_are():
    with pytest.raises(InputError, match=r"--for maya: expected one of unreal, unity, godot, blender, qgis"):
        target("maya")
