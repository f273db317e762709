"""What GDAL makes of our GeoTIFF and `.asc`: place, extent, projection, heights, and that north is up."""

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
