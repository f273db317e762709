"""What other programs make of files: Khronos' validator finds no error, and Blender sees the land that was written."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from fellview import cli, library
from fellview.io import scenes
from tests.lands import RUGGED

pytestmark = pytest.mark.slow

_SIZE = {"grid.rows": 65, "grid.columns": 97, "grid.size_x": 4000.0, "grid.size_z": 2500.0}
_VALIDATOR = Path(__file__).parents[2] / "build" / "gltf-validator"
_WITHIN_S = 300

_VALIDATE = """
const validator = require("gltf-validator");
const bytes = new Uint8Array(require("fs").readFileSync(process.argv[1]));
validator.validateBytes(bytes).then(report => console.log(JSON.stringify(report)));
"""

_LOOK = """
import bpy, json, numpy, sys
numpy.bool = bool  # the importer of Debian 12's Blender 3.4 asks for it; Debian's numpy has it no more
path, out = sys.argv[-2:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path)
meshes = [each for each in bpy.context.scene.objects if each.type == "MESH"]
(land,) = [each for each in meshes if not each.name.split("_LOD")[-1].isdigit() or each.name.endswith("_LOD0")]
places = [land.matrix_world @ vertex.co for vertex in land.data.vertices]
polygons = land.data.polygons
(picture,) = [node.image for node in land.active_material.node_tree.nodes if node.type == "TEX_IMAGE"]
json.dump({
    "places": [list(place) for place in places],
    "normals": [list(land.matrix_world.to_3x3() @ polygon.normal) for polygon in polygons],
    "triangles": len(polygons),
    "picture": list(picture.size),
    "uv": [list(loop.uv) for loop in land.data.uv_layers.active.data],
    "corners": [loop.vertex_index for loop in land.data.loops],
}, open(out, "w"))
"""

_DISPLACE = """
import bpy, json, sys
path, typed, columns, rows, out = sys.argv[-5:]
typed = json.loads(typed)
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_grid_add(x_subdivisions=2 * int(columns), y_subdivisions=2 * int(rows), size=1)
plane = bpy.context.object
plane.dimensions = (float(typed["Dimensions X"]), float(typed["Dimensions Y"]), 0)
bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
texture = bpy.data.textures.new("land", "IMAGE")
texture.image = bpy.data.images.load(path)
texture.image.colorspace_settings.name = typed["Color Space"]
texture.extension, texture.use_clamp = typed["Extension"].upper(), typed["Clamp"] != "off"
displace = plane.modifiers.new("land", "DISPLACE")
displace.texture = texture
displace.direction, displace.texture_coords = typed["Direction"], typed["Coordinates"]
displace.strength, displace.mid_level = float(typed["Strength"]), float(typed["Midlevel"])
seen = plane.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
json.dump([list(vertex.co) for vertex in seen.vertices], open(out, "w"))
"""
"""Does what the text beside the EXR says, on a plane with a vertex in the middle of every pixel and on its borders."""


@pytest.fixture(scope="module", params=[("--triangles", "3000"), ("--error", "4", "--levels", "3")])
def exported(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("glb") / "land.glb"
    changes = [f"--set={key}={value:g}" for key, value in _SIZE.items()]
    assert cli.main(["export", str(RUGGED), *changes, *request.param, "-o", str(path)]) == 0
    return path


def test_the_validator_finds_no_error(exported):
    if shutil.which("node") is None or not (_VALIDATOR / "node_modules").exists():
        pytest.skip("Khronos' glTF validator is missing: sudo apt-get install npm, then make test-slow installs it")
    found = subprocess.run(
        ["node", "-e", _VALIDATE, str(exported)],
        cwd=_VALIDATOR,
        text=True,
        check=True,
        stdout=subprocess.PIPE,
        timeout=_WITHIN_S,
    )
    issues = json.loads(found.stdout)["issues"]
    assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"]


def blender(tmp_path, script, *words):
    """Return what a script has Blender write into its last argument, read as JSON."""
    if shutil.which("blender") is None:
        pytest.skip("blender is missing: sudo apt-get install blender")
    path, out = tmp_path / "script.py", tmp_path / "seen.json"
    path.write_text(script, encoding="utf-8")
    command = ["blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python", str(path)]
    subprocess.run([*command, "--", *words, str(out)], check=True, timeout=_WITHIN_S, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def test_blender_displaces_a_plane_to_the_land(tmp_path):
    """What is typed as the text says makes the land, to the millimetre of its thousands, with its depths and north."""
    changes = [f"--set={key}={value:g}" for key, value in _SIZE.items() if key.startswith("grid.size")]
    words = ["export", str(RUGGED), *changes, "--for", "blender", "--size", "64", "-o", str(tmp_path)]
    assert cli.main(words) == 0
    (path,), (text,) = tmp_path.glob("*.exr"), tmp_path.glob("*.txt")
    lines = [line.strip().rsplit("  ", 1) for line in text.read_text().splitlines() if line.startswith("  ")]
    typed = {label.strip(): value.strip().removesuffix(" m") for label, value in lines}
    rows, columns = 40, 64
    places = np.array(blender(tmp_path, _DISPLACE, str(path), json.dumps(typed), str(columns), str(rows)))

    sized = scenes.load(RUGGED).replace({**_SIZE, "grid.rows": rows, "grid.columns": columns})
    heights = library.generate(sized, "cpu").heights
    assert heights.min() < -100, "depths are to be seen"
    np.testing.assert_allclose(np.ptp(places, axis=0)[:2], [_SIZE["grid.size_x"], _SIZE["grid.size_z"]], rtol=1e-6)
    column = (places[:, 0] / _SIZE["grid.size_x"] + 0.5) * columns - 0.5
    row = (places[:, 1] / _SIZE["grid.size_z"] + 0.5) * rows - 0.5
    # in the very middle of the last row's pixels Blender takes the row below it, and on the border the last one
    middle = (np.abs(row - np.rint(row)) < 1e-3) & (row < rows - 1.5) & (np.abs(column - np.rint(column)) < 1e-3)
    assert middle.sum() == (rows - 1) * columns
    expected = heights[np.rint(row[middle]).astype(int), np.rint(column[middle]).astype(int)]
    np.testing.assert_allclose(places[middle, 2], expected, atol=5e-3)
    border = (row > rows - 0.6) & (np.abs(column - np.rint(column)) < 1e-3)
    np.testing.assert_allclose(places[border, 2], heights[-1, np.rint(column[border]).astype(int)], atol=5e-3)


def test_blender_sees_the_land(exported, tmp_path):
    seen = blender(tmp_path, _LOOK, str(exported))
    field = library.generate(scenes.load(RUGGED).replace(_SIZE), "cpu")

    places = np.array(seen["places"])
    east, north, up = places.T  # Blender's x, y and z
    column, row = east / field.cell_size[1], north / field.cell_size[0]
    np.testing.assert_allclose(column, np.rint(column), atol=1e-2)
    np.testing.assert_allclose(row, np.rint(row), atol=1e-2)
    heights = field.heights[np.rint(row).astype(int), np.rint(column).astype(int)]
    np.testing.assert_allclose(up, heights, atol=1e-2)
    span_z, span_x = 64 * field.cell_size[0], 96 * field.cell_size[1]
    np.testing.assert_allclose([east.min(), east.max(), north.min(), north.max()], [0, span_x, 0, span_z], atol=0.1)
    assert np.array(seen["normals"])[:, 2].min() > 0, "faces look up"

    assert seen["picture"] == [97, 65]
    corner = places[seen["corners"]]
    expected = (np.stack([corner[:, 0] / span_x * 96, corner[:, 1] / span_z * 64], axis=-1) + 0.5) / [97, 65]
    np.testing.assert_allclose(np.array(seen["uv"]), expected, atol=1e-3)  # v upwards, from the south
