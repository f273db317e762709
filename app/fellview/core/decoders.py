"""Pillow's decoders that pictures from outside go to, and no other; `foreign.py` says which files go to which."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import struct
import warnings
from collections.abc import Callable, Iterable
from io import BufferedReader

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from fellview.core.foreign import IN_TIFF

_DECODERS: dict[str, Callable[..., ImageFile.ImageFile]] = {
    "PNG": PngImagePlugin.PngImageFile,
    "TIFF": TiffImagePlugin.TiffImageFile,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "WEBP": WebPImagePlugin.WebPImageFile,
    "GIF": GifImagePlugin.GifImageFile,
    "BMP": BmpImagePlugin.BmpImageFile,
}

# of damaged files decoders say several lines on standard error, where one is ours to say
warnings.filterwarnings("ignore", module=r"PIL\.\w+ImagePlugin")
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)  # each kind of file has a limit of its own
logging.getLogger("PIL").addHandler(logging.NullHandler())
with contextlib.suppress(AttributeError, OSError):  # where Pillow's libtiff can be reached
    _libtiff = ctypes.CDLL(Image.core.__file__)  # type: ignore[attr-defined]
    _libtiff.TIFFSetErrorHandler(None)
    _libtiff.TIFFSetWarningHandler(None)

DAMAGED = (
    OSError,
    ValueError,
    SyntaxError,
    TypeError,
    AttributeError,
    LookupError,
    EOFError,
    ArithmeticError,
    struct.error,
    RecursionError,
    MemoryError,
    Image.DecompressionBombError,
)
"""What decoders of Pillow raise at files that are not what they say."""


def recognized(file: BufferedReader, formats: Iterable[str]) -> ImageFile.ImageFile | None:
    """Return the picture in `file`, not yet decoded, by the first decoder of `formats` that takes it; none if none."""
    for name in formats:
        file.seek(0)
        with contextlib.suppress(*DAMAGED):
            image = _DECODERS[name](file)
            if name != "TIFF" or image.info.get("compression") in IN_TIFF:
                return image
    return None
