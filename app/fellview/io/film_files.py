"""Films as files: animated WebP, and MP4 where PyAV is installed (the extra `film`).

PyAV's wheels come with x264, whose licence is the GPL: that is why Fellview neither needs nor brings it.
"""

from __future__ import annotations

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
    from PIL import Image

    class Streamed(Image.Image):
        """A picture of many frames, which come when they are looked for; Pillow would want all in memory at once."""

        n_frames = count

        def __init__(self) -> None:
            super().__init__()
            self._mode, self._size, self._at = "RGB", size, -1
            self.seek(0)

        def seek(self, frame: int) -> None:
            if frame > self._at:  # Pillow goes back to the first when it is done
                self.im, self._at = Image.fromarray(np.ascontiguousarray(next(frames))).im, frame

    Streamed().save(file, "WEBP", save_all=True, duration=1000 / rate, loop=0, quality=_WEBP_QUALITY)


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
        raise OSError(fault.errno, fault.strerror) from None


FORMATS: Mapping[str, Format] = {
    ".mp4": Format("MP4", _MP4_SIDE, _write_mp4, even=True),
    ".webp": Format("WebP", _WEBP_SIDE, _write_webp),
}
"""By suffix."""
