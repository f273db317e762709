"""OpenEXR pictures written by rows, against the library OpenEXR."""

import io

import numpy as np
import OpenEXR
import pytest

from fellview.core import exr

LONG = "a_layer_whose_name_is_longer_than_most_are.Y"


@pytest.mark.parametrize("cuts", [(), (1,), (16, 32), (5, 17, 40)], ids=str)
@pytest.mark.parametrize("size", [(21, 47), (1, 1), (3, 16)], ids=str)
def test_channels_come_back_however_they_are_handed_over(tmp_path, size, cuts):
    rng = np.random.default_rng(4)
    shape = size[::-1]
    channels = {
        "R": rng.random(shape).astype(np.float16),
        "depth.Z": np.linspace(0, 1e10, size[0] * size[1], dtype=np.float32).reshape(shape),
        LONG: rng.integers(0, 2**32, shape).astype(np.uint32),
    }
    path = tmp_path / "some.exr"
    types = {name: values.dtype.type for name, values in channels.items()}
    with path.open("wb") as file:
        writer = exr.RowWriter(file, size, types, {"recipe": "Gämse"})
        for first, last in zip((0, *cuts), (*cuts, shape[0]), strict=True):
            writer.write({name: values[first:last] for name, values in channels.items()})
    found = OpenEXR.File(str(path), separate_channels=True)
    assert found.header()["recipe"] == "Gämse"
    for name, values in channels.items():
        np.testing.assert_array_equal(found.channels()[name].pixels, values)


def test_what_repeats_is_packed():
    file = io.BytesIO()
    exr.RowWriter(file, (512, 512), {"Y": np.float32}, {}).write({"Y": np.ones((512, 512), np.float32)})
    assert len(file.getvalue()) < 512 * 512 * 4 / 50
