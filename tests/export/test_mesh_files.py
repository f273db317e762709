"""Mesh files as another library reads them: extent, heights, north, up, and bodies that are closed."""

import json

import numpy as np
import pytest
import trimesh
from PIL import Image

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.export import mesh_files
from fellview.export.mesh_files import GLB, OBJ, STL, Options
from fellview.mesh.land_mesh import Wanted
from fellview.mesh.slab import Print
from fellview.scene import recipe
from fellview.scene.scene import Scene

RECIPE = recipe.to_text(Scene(name="Exported"))
ROWS, COLUMNS, CELL_Z, CELL_X = 30, 45, 4.0, 2.5
SPAN_X, SPAN_Z = (COLUMNS - 1) * CELL_X, (ROWS - 1) * CELL_Z
NORTH_EAST, WEST = 90.0, 40.0  # heights of two peaks, so that a turned or mirrored land is another
PEAKS_X, PEAKS_Z = 40 * CELL_X, 26 * CELL_Z  # of the higher one
PEAKS = {(26, 40): NORTH_EAST, (15, 4): WEST}  # by row and column


def two_peaks():
    row, column = np.indices((ROWS, COLUMNS))
    heights = np.full((ROWS, COLUMNS), -10.0)
    for (r, c), height in PEAKS.items():
        heights += (height + 10) * np.exp(-((row - r) ** 2 + (column - c) ** 2) / 8.0)
    return HeightField(heights.astype(np.float32), (CELL_Z, CELL_X))


def colours(texels=1):
    """Return a colour map that is red in the east, green in the north and blue nowhere."""
    east = np.linspace(0, 255, texels * (COLUMNS - 1) + 1)
    north = np.linspace(255, 0, texels * (ROWS - 1) + 1)
    red, green = np.meshgrid(east, north)
    return np.rint(np.stack([red, green, 0 * red], axis=-1)).astype(np.uint8)


def written(tmp_path, suffix, options=None, colour=None):
    path = tmp_path / f"land{suffix}"
    told = mesh_files.export(path, two_peaks(), RECIPE, "Two peaks", options or Options(), colour)
    return path, told


def only_mesh(path):
    found = trimesh.load(path)
    return next(iter(found.geometry.values())) if isinstance(found, trimesh.Scene) else found


def height_over(mesh, x, z):
    """Return the height where the vertical through x and z meets the surface of `mesh`, whose y is up."""
    corners = mesh.triangles[:, :, [0, 2]]
    (a, b, c), place = np.moveaxis(corners, 1, 0), np.array([x, z])

    def area(one, other, third):
        u, v = other - one, third - one
        return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]

    shares = np.stack([area(place, b, c), area(a, place, c), area(a, b, place)], axis=-1) / area(a, b, c)[:, None]
    inside = int(np.argmax(shares.min(axis=1)))
    assert shares[inside].min() > -1e-4
    return float(shares[inside] @ mesh.triangles[inside, :, 1])


@pytest.mark.parametrize("suffix", [GLB, OBJ])
@pytest.mark.parametrize("wanted", [Wanted(), Wanted(error_m=1.0)])
def test_extent_heights_and_hand_are_the_lands(tmp_path, suffix, wanted):
    path, _ = written(tmp_path, suffix, Options(wanted))
    mesh, field = only_mesh(path), two_peaks()
    low, high = field.height_range
    np.testing.assert_allclose(mesh.bounds, [[0, low, -SPAN_Z], [SPAN_X, high, 0]], atol=1e-3)
    for (r, c), height in PEAKS.items():
        assert height_over(mesh, c * CELL_X, -r * CELL_Z) == pytest.approx(height, abs=1.0)
    assert mesh.face_normals[:, 1].min() > 0, "faces look up in a right-handed world"
    assert mesh.vertex_normals[:, 1].min() > 0


@pytest.mark.parametrize("suffix", [GLB, OBJ])
@pytest.mark.parametrize("texels", [1, 2])
def test_the_colour_map_lies_the_right_way_round(tmp_path, suffix, texels):
    path, _ = written(tmp_path, suffix, Options(texels=texels), colours(texels))
    mesh = only_mesh(path)
    shown = mesh.visual.to_color().vertex_colors[:, :3].astype(float)
    east, north = mesh.vertices[:, 0] / SPAN_X, -mesh.vertices[:, 2] / SPAN_Z
    step = 255 / (ROWS - 1) / texels  # readers take the nearest texel
    np.testing.assert_allclose(shown, 255 * np.stack([east, north, 0 * east], axis=-1), atol=step)


def test_a_glb_carries_levels_normals_and_facts(tmp_path):
    path, told = written(tmp_path, GLB, Options(Wanted(triangles=800, levels=3)), colours())
    content = path.read_bytes()
    document = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    assert document["nodes"][0]["extensions"]["MSFT_lod"]["ids"] == [1, 2]
    assert [each["name"] for each in document["meshes"]] == [f"Two peaks_LOD{number}" for number in range(3)]
    assert [each["extras"]["error_m"] for each in document["meshes"]] == sorted(
        each["extras"]["error_m"] for each in document["meshes"]
    )
    assert document["asset"]["extras"]["recipe"] == RECIPE
    assert len(told) == 3 and all("triangles, at most" in line and "root mean square" in line for line in told)
    slopes = only_mesh(path)
    west_of_peak = slopes.vertices[:, 0] < PEAKS_X - CELL_X
    near = np.abs(slopes.vertices[:, 2] + PEAKS_Z) < CELL_Z / 2
    assert (slopes.vertex_normals[west_of_peak & near, 0] < 1e-3).all(), "a slope up to the east looks west"


def test_an_obj_names_its_material_and_picture(tmp_path):
    path, _ = written(tmp_path, OBJ, Options(), colours())
    assert "mtllib land.mtl" in path.read_text()
    assert "map_Kd land_colour.png" in (tmp_path / "land.mtl").read_text()
    with Image.open(tmp_path / "land_colour.png") as picture:
        assert picture.size == (COLUMNS, ROWS)
    bare, _ = written(tmp_path / "bare", OBJ, Options(texels=0))
    assert "map_Kd" not in bare.with_suffix(".mtl").read_text() and len(list(bare.parent.iterdir())) == 2


def test_an_stl_is_the_land_with_z_up(tmp_path):
    path, _ = written(tmp_path, STL)
    mesh, (low, high) = only_mesh(path), two_peaks().height_range
    np.testing.assert_allclose(mesh.bounds, [[0, 0, low], [SPAN_X, SPAN_Z, high]], atol=1e-3)
    top = mesh.vertices[np.argmax(mesh.vertices[:, 2])]
    np.testing.assert_allclose(top, [PEAKS_X, PEAKS_Z, high], atol=1e-3)
    assert mesh.face_normals[:, 2].min() > 0


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(triangles=500)])
def test_a_slab_is_closed_and_to_scale(tmp_path, wanted):
    path, told = written(tmp_path, STL, Options(wanted, printed=Print(base_mm=4.0, scale=2000.0)))
    mesh, (low, high) = only_mesh(path), two_peaks().height_range
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0
    np.testing.assert_allclose(mesh.bounds[0], 0, atol=1e-5)
    np.testing.assert_allclose(mesh.bounds[1], [SPAN_X / 2, SPAN_Z / 2, 4.0 + (high - low) / 2], rtol=1e-4)
    assert told[-1].startswith("printed at 1 : 2000, 55.0 × 58.0 × ") and "4 mm of base" in told[-1]


def test_what_a_format_cannot_hold_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"levels = 2: land\.obj is no \.glb"):
        mesh_files.paths(tmp_path / "land.obj", Options(Wanted(levels=2)))
    with pytest.raises(InputError, match=r"slab = 3: land\.glb is no \.stl"):
        mesh_files.paths(tmp_path / "land.glb", Options(printed=Print()))
    with pytest.raises(InputError, match=r"'a\\nb\.obj': expected a name without control characters"):
        mesh_files.paths(tmp_path / "a\nb.obj", Options())


def test_a_file_that_cannot_be_written_leaves_all_as_they_were(tmp_path):
    path, _ = written(tmp_path, OBJ, Options(), colours())
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"land\.obj: cannot be written: is read-only"):
        written(tmp_path, OBJ, Options(Wanted(triangles=10)), colours()[::-1])
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before
