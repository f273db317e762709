"""PNG pictures without Pillow, against Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from fellview import paths
from fellview.core import png

OURS = sorted((paths.assets() / "textures").rglob("*.png"))


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_our_own_are_what_pillow_reads(path):
    with Image.open(path, formats=["PNG"]) as image:
        expected = np.asarray(image.convert("RGB") if image.mode == "P" else image)
    found = png.decoded(path.read_bytes())
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 1, 3), (1, 7, 3), (31, 47, 3), (31, 47, 4), (9, 12)])
def test_every_filter_is_undone(shape):
    """Pillow takes another filter a row, by what lies there."""
    rng = np.random.default_rng(2)
    smooth = (np.linspace(0, 200, shape[1])[:, None] + np.linspace(0, 50, shape[0])[:, None, None]) % 256
    pixels = np.broadcast_to(smooth, (*shape[:2], 4)) + rng.integers(0, 5, (*shape[:2], 4))
    pixels[: shape[0] // 2] = rng.integers(0, 256, (shape[0] // 2, shape[1], 4))
    pixels = pixels.astype(np.uint8)[..., 0] if len(shape) == 2 else pixels.astype(np.uint8)[..., : shape[2]]
    written = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(written, "PNG", optimize=True)
    np.testing.assert_array_equal(png.decoded(written.getvalue()), pixels)


def test_what_is_written_is_read_again():
    pixels = np.random.default_rng(3).integers(0, 256, (13, 21, 3), np.uint8)
    content = png.encoded(pixels)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(content), formats=["PNG"])), pixels)
    np.testing.assert_array_equal(png.decoded(content), pixels)


def test_what_is_none_of_ours_is_refused():
    with pytest.raises(ValueError, match="not a PNG"):
        png.decoded(b"GIF89a")
    written = io.BytesIO()
    Image.new("1", (8, 8)).save(written, "PNG")
    with pytest.raises(ValueError, match="1 bits, kind 0"):
        png.decoded(written.getvalue())


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("cuts", [(), (1,), (32, 33)], ids=str)
def test_pillow_reads_what_is_written_by_rows(cuts, channels):
    rng = np.random.default_rng(5)
    pixels = np.cumsum(rng.integers(0, 3, (70, 41, channels)), axis=1).astype(np.uint8)
    pixels[40:] = rng.integers(0, 256, (30, 41, channels))
    file = io.BytesIO()
    writer = png.RowWriter(file, (41, 70), channels, [(b"tEXt", b"Title\0land")])
    for first, last in zip((0, *cuts), (*cuts, 70), strict=True):
        writer.write(pixels[first:last])
    with Image.open(io.BytesIO(file.getvalue()), formats=["PNG"]) as image:
        assert image.info["Title"] == "land"
        np.testing.assert_array_equal(np.asarray(image), pixels)
    np.testing.assert_array_equal(png.decoded(file.getvalue()), pixels)
