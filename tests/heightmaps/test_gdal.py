"""What GDAL makes of GeoTIFF, `.asc` and maps of the ground: place, extent, projection, heights, north."""

from __future__ import annotations

import json
import shutil
import subprocess

import numpy as np
import pytest

from fellview import cli, library
from fellview.io import scenes
from tests.lands import RUGGED

pytestmark = pytest.mark.slow

_SIZE = {"grid.rows": 65, "grid.columns": 97, "grid.size_x": 9700.0, "grid.size_z": 6500.0}
_EAST, _NORTH, _CELL_M = 500_000.0, 5_200_000.0, 100.0
_WITHIN_S = 60


def gdal(*words):
    """Return what one of GDAL's programs prints."""
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is missing: sudo apt-get install gdal-bin")
    found = subprocess.run(words, text=True, check=True, stdout=subprocess.PIPE, timeout=_WITHIN_S)
    return found.stdout


@pytest.mark.parametrize(("suffix", "options"), [(".tif", ("--crs", "EPSG:25832")), (".tif", ()), (".asc", ())])
def test_gdal_finds_place_extent_and_heights(tmp_path, suffix, options):
    path, plain = tmp_path / f"land{suffix}", tmp_path / "plain.bin"
    changes = [f"--set={key}={value:g}" for key, value in _SIZE.items()]
    words = ["export", str(RUGGED), *changes, "--engine", "cpu", "--origin", f"{_EAST},{_NORTH}", *options]
    assert cli.main([*words, "-o", str(path)]) == 0

    told = json.loads(gdal("gdalinfo", "-json", str(path)))
    assert told["size"] == [97, 65]
    north = _NORTH + 64 * _CELL_M  # heights stand in the middle of cells that reach half a cell beyond them
    assert told["geoTransform"] == [_EAST - _CELL_M / 2, _CELL_M, 0, north + _CELL_M / 2, 0, -_CELL_M]
    projection = told.get("coordinateSystem", {}).get("wkt", "")
    assert ("25832" in projection) == bool(options)

    gdal("gdal_translate", "-q", "-of", "ENVI", "-ot", "Float32", str(path), str(plain))
    heights = np.fromfile(plain, "<f4").reshape(65, 97)[::-1]  # GDAL's first row is the northern one
    expected = library.generate(scenes.load(RUGGED).replace(_SIZE), "cpu").heights
    np.testing.assert_array_equal(heights, expected)


@pytest.mark.parametrize("options", [("--texels", "2"), ("--tile", "33")])
def test_maps_lie_on_the_heights(tmp_path, options):
    """A map's first texel stands where the first height does, and a map of drainage is what the heights' mask is."""
    changes = [f"--set={key}={value:g}" for key, value in _SIZE.items()]
    place = ["--crs", "EPSG:25832", "--origin", f"{_EAST},{_NORTH}"]
    words = ["export", str(RUGGED), *changes, "--engine", "cpu", *place, "--maps", "drainage", *options]
    assert cli.main([*words, "-o", str(tmp_path)]) == 0
    pictures = sorted(tmp_path.glob("*.png"))
    assert len(pictures) == (1 if "--texels" in options else 6)
    area = library.generate(scenes.load(RUGGED).replace(_SIZE), "cpu").masks["drainage_area"]
    facts = json.loads((tmp_path / "maps.json").read_text())["maps"]["drainage"]
    low, high = facts["minimum"], facts["maximum"]
    for path in pictures:
        told = json.loads(gdal("gdalinfo", "-json", str(path)))
        assert "25832" in told["coordinateSystem"]["wkt"]
        west, texel, _, top, _, down = told["geoTransform"]
        assert down == -texel == -_CELL_M / (2 if "--texels" in options else 1)
        # the texel in the middle of a height's cell says how much land drains through it
        row, column = 40, 70
        x, y = _EAST + column * _CELL_M, _NORTH + row * _CELL_M
        across, below = (x - west) / texel - 0.5, (y - top) / down - 0.5
        assert across == round(across) and below == round(below)
        columns, rows = told["size"]
        if 0 <= across < columns and 0 <= below < rows:
            word = int(gdal("gdallocationinfo", "-valonly", str(path), str(round(across)), str(round(below))))
            found = low + word / 65535 * (high - low)
            assert found == pytest.approx(float(np.log10(area[row, column])), abs=1e-3)
            seen = True
    assert seen
