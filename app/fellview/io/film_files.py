"""Films as files: animated WebP, and MP4 where PyAV is installed (the extra `film`).

PyAV's wheels come with x264, whose licence is the GPL: that is why Fellview neither needs nor brings it.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from io import BufferedRandom
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.io.atomic import writing

Pixels = NDArray[np.uint8]
"""A frame, uint8 [row, column, rgb]."""

Size = tuple[int, int]

_WEBP_SIDE, _MP4_SIDE = 16_383, 8_192
"""Most pixels a side: of WebP, and of what players of H.264 still show (its highest level has 8,192)."""

_WEBP_QUALITY = 90  # of 100: no blocks are seen in a smooth sky
_IS_ANIMATED, _NOT_BLENDED = b"\2", b"\2"  # flags of a WebP file and of its frames
_LARGEST_RIFF = 2**32 - 10  # bytes: a file tells its length in 32 bits, even
_MP4_OPTIONS = {"crf": "18", "preset": "medium"}  # x264's own word for "visually lossless or nearly so"
_ENCODERS: Mapping[str, str] = {"libx264": "x264: GPL 2 or later", "libopenh264": "OpenH264: BSD"}
"""What may encode MP4, the better first, and its licence."""

_SLOWEST_TICK = 1001  # of rates such as 30000/1001


@dataclass(frozen=True)
class Format:
    """A kind of film file: its name, most pixels a side, and what writes the frames."""

    name: str
    most_a_side: int
    write: Callable[[BufferedRandom, Size, float, int, Iterator[Pixels]], None]
    even: bool = False


def require(path: Path, size: Size) -> None:
    """Raise `InputError` where a film of `size` cannot be written to `path`: by its suffix, its size, or its codec."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        accepted = f"{', '.join(FORMATS)}, or no suffix, which is a folder of numbered pictures"
        raise InputError(f"{path}: {suffix}: expected {accepted}")
    kind, (width, height) = FORMATS[suffix], size
    if max(size) > kind.most_a_side:
        raise InputError(
            f"size {width}x{height}: {kind.name} has at most {kind.most_a_side:,} pixels a side; a folder of pictures"
            " has more"
        )
    if kind.even and (width % 2 or height % 2):
        fits = f"{max(width - width % 2, 2)}x{max(height - height % 2, 2)}"
        raise InputError(f"size {width}x{height}: {kind.name} has even sides; expected {fits}, say")
    if kind.name == "MP4" and not has_codec():
        raise InputError(f"{path}: codec: {codec()}; .webp and a folder of numbered pictures need none")


def write(path: Path, size: Size, rate: float, count: int, frames: Iterator[Pixels]) -> None:
    """Write `count` `frames` to `path` by its suffix, `rate` a second, as they come; the file appears when all are in.

    `InputError` where it cannot be written.
    """
    with writing(path) as file:
        FORMATS[path.suffix.lower()].write(file, size, rate, count, frames)


def codec() -> str:
    """Return what encodes MP4 and under which licence, or why nothing does."""
    try:
        import av
    except ImportError:
        return "none (the extra fellview[film] brings it)"
    if not (name := _encoder()):
        return f"none in PyAV {av.__version__}; expected {' or '.join(_ENCODERS)}"
    return f"{name} by PyAV {av.__version__} ({_ENCODERS[name]})"


def has_codec() -> bool:
    """Return whether MP4 can be written."""
    return bool(_encoder())


def _encoder() -> str:
    """Return the first of the encoders that is there; empty where none is, or no PyAV."""
    try:
        import av
    except ImportError:
        return ""
    return next((name for name in _ENCODERS if name in av.codecs_available), "")


def _write_webp(file: BufferedRandom, size: Size, rate: float, count: int, frames: Iterator[Pixels]) -> None:
    """Write `frames` one by one, each a whole picture for its time, so that all `count` of them are there.

    Rejected: libwebp's animations, in which frames that are equal become one, and all are in memory until the end.
    Source: the WebP container specification, developers.google.com/speed/webp/docs/riff_container.
    """
    from PIL import Image

    canvas = b"".join((side - 1).to_bytes(3, "little") for side in size)
    file.write(b"RIFF" + bytes(4) + b"WEBP")  # the four bytes are how many follow, once that is known
    file.write(_riff_chunk(b"VP8X", _IS_ANIMATED + bytes(3) + canvas))
    file.write(_riff_chunk(b"ANIM", bytes(6)))  # transparent ground, without an end
    for number, pixels in zip(range(count), frames, strict=True):
        picture = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(picture, "WEBP", quality=_WEBP_QUALITY)
        begins, ends = (round(1000 * frame / rate) for frame in (number, number + 1))  # whole ms, which never drift
        head = bytes(6) + canvas + (ends - begins).to_bytes(3, "little") + _NOT_BLENDED
        file.write(_riff_chunk(b"ANMF", head + picture.getvalue()[12:]))
        if file.tell() > _LARGEST_RIFF:
            raise InputError(f"frame {number + 1:,}: WebP has at most 4 GB; a folder of pictures has more")
    end = file.tell()
    file.seek(4)
    file.write((end - 8).to_bytes(4, "little"))
    file.seek(end)


def _riff_chunk(name: bytes, data: bytes) -> bytes:
    return name + len(data).to_bytes(4, "little") + data + bytes(len(data) % 2)


def _write_mp4(file: BufferedRandom, size: Size, rate: float, count: int, frames: Iterator[Pixels]) -> None:
    import av
    from av.video.reformatter import ColorRange, Colorspace

    ticks = Fraction(rate).limit_denominator(_SLOWEST_TICK)
    try:
        with av.open(file, "w", format="mp4") as container:
            stream: Any = container.add_stream(_encoder(), rate=ticks, options=_MP4_OPTIONS)
            stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
            stream.codec_context.time_base = 1 / ticks
            stream.codec_context.colorspace = Colorspace.ITU709
            for number, pixels in zip(itertools.count(), frames, strict=False):
                whole = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
                frame = whole.reformat(
                    format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
                )
                frame.pts, frame.time_base = number, 1 / ticks
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
    except av.FFmpegError as fault:
        raise _of_file(fault) or OSError(fault.errno, fault.strerror) from None


def _of_file(fault: BaseException | None) -> OSError | None:
    """Return the fault of the file that PyAV was writing to when `fault` came, which tells nothing of it."""
    while fault is not None and not isinstance(fault, OSError):
        fault = fault.__context__
    return fault


FORMATS: Mapping[str, Format] = {
    ".mp4": Format("MP4", _MP4_SIDE, _write_mp4, even=True),
    ".webp": Format("WebP", _WEBP_SIDE, _write_webp),
}
"""By suffix."""
