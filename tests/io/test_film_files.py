"""Films as files: every frame comes back, in its size and at its rate; and what cannot be written is told before."""

import errno
import io
import os
import sys

import numpy as np
import pytest
from PIL import Image

from fellview.core.errors import InputError
from fellview.io import film_files

SIZE, RATE, COUNT = (96, 64), 12.5, 7
ROWS, COLUMNS = np.mgrid[: SIZE[1], : SIZE[0]]


def frame(number):
    """A smooth picture, of another colour and brightness each time."""
    red = 40 + 20 * number + 60 * np.sin(COLUMNS / 20)
    green, blue = 60 + ROWS + 5 * number, np.full(ROWS.shape, 200 - 20 * number)
    return np.clip(np.stack([red, green, blue], axis=-1), 0, 255).astype(np.uint8)


def written(path, count=COUNT):
    film_files.write(path, SIZE, RATE, count, (frame(number) for number in range(count)))
    return path


def apart(pixels, number):
    return float(np.abs(pixels[..., :3].astype(int) - frame(number)).mean())


@pytest.mark.parametrize("count", [1, 2, COUNT])
def test_a_webp_has_every_frame(tmp_path, count):
    with Image.open(written(tmp_path / "a.webp", count)) as film:
        assert (film.size, film.n_frames) == (SIZE, count)
        for number in range(count):
            film.seek(number)
            assert apart(np.asarray(film.convert("RGB")), number) < 3
            film.load()
            assert film.info["duration"] == 80


def test_frames_that_are_alike_stay_apart_and_times_never_drift(tmp_path):
    still = frame(0)
    film_files.write(tmp_path / "a.webp", SIZE, 24.0, 48, (still for _ in range(48)))
    with Image.open(tmp_path / "a.webp") as film:
        assert film.n_frames == 48
        times = []
        for number in range(48):
            film.seek(number)
            film.load()
            times.append(film.info["duration"])
    assert sum(times) == 2000 and set(times) == {41, 42}
    size = (tmp_path / "a.webp").stat().st_size
    assert int.from_bytes((tmp_path / "a.webp").read_bytes()[4:8], "little") == size - 8


def test_an_mp4_has_every_frame(tmp_path):
    av = pytest.importorskip("av")
    with av.open(str(written(tmp_path / "a.mp4"))) as film:
        (stream,) = film.streams.video
        frames = list(film.decode(stream))
        assert (stream.width, stream.height, float(stream.average_rate)) == (*SIZE, RATE)
    assert [float(one.pts * one.time_base) for one in frames] == pytest.approx([n / RATE for n in range(COUNT)])
    for number, one in enumerate(frames):
        assert apart(one.to_ndarray(format="rgb24"), number) < 4


class FullDisk(io.BytesIO):
    """A file on a disk that has room for a few bytes."""

    def write(self, data):
        if self.tell() + len(data) > 200:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("suffix", [".webp", ".mp4"])
def test_a_full_disk_is_called_that_whatever_encodes(suffix):
    if suffix == ".mp4":
        pytest.importorskip("av")
    with pytest.raises(OSError, match="No space left") as fault:
        film_files.FORMATS[suffix].write(FullDisk(), SIZE, RATE, COUNT, map(frame, range(COUNT)))
    assert fault.value.errno == errno.ENOSPC


@pytest.mark.parametrize("name", ["a.webp", "a.mp4"])
def test_what_ends_early_leaves_nothing(tmp_path, name):
    if name.endswith(".mp4"):
        pytest.importorskip("av")

    def two_frames():
        yield frame(0)
        yield frame(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film_files.write(tmp_path / name, SIZE, RATE, COUNT, two_frames())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name, size, told",
    [
        ("a.gif", SIZE, "expected .mp4, .webp, or no suffix"),
        ("a.webp", (16_384, 64), "WebP has at most 16,383 pixels a side"),
        ("a.mp4", (8_194, 64), "MP4 has at most 8,192 pixels a side"),
        ("a.mp4", (97, 65), "MP4 has even sides; expected 96x64, say"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, name, size, told):
    with pytest.raises(InputError, match=told):
        film_files.require(tmp_path / name, size)


def test_a_codec_that_is_missing_is_told_with_what_would_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(InputError, match=r"codec: none \(the extra fellview\[film\] brings it\); .webp and a folder"):
        film_files.require(tmp_path / "a.mp4", SIZE)
