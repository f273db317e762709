"""Pictures that carry their recipe: PNG files with the scene's text in a chunk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin, UnidentifiedImageError

from fellview import version
from fellview.core.errors import InputError
from fellview.io.atomic import writing

RECIPE_KEY = "fellview-recipe"
"""The keyword of the text chunk that holds the recipe."""


def require_suffix(path: Path) -> None:
    """Raise `InputError` where `path` is no PNG file's name."""
    if path.suffix.lower() != ".png":
        raise InputError(f"{path}: {path.suffix or 'no suffix'}: expected .png, which carries the recipe")


def save(path: Path, pixels: NDArray[np.uint8], recipe: str) -> None:
    """Write `pixels`, uint8 [row, column, rgba], as a PNG whose text chunk holds `recipe`."""
    require_suffix(path)
    chunks = PngImagePlugin.PngInfo()
    chunks.add_text("Software", f"Fellview {version.VERSION}")
    chunks.add_itxt(RECIPE_KEY, recipe, zip=True)
    with writing(path) as file:
        # alpha is 255 everywhere in a picture of land and sky
        Image.fromarray(np.ascontiguousarray(pixels[..., :3])).save(file, "PNG", pnginfo=chunks)


def has_recipe(path: Path) -> bool:
    """Tell whether the picture at `path` carries a recipe; `InputError` where it is no picture."""
    return _recipe_text(path) is not None


def read_recipe(path: Path) -> str:
    """Return the recipe text inside the picture at `path`; `InputError` where there is none."""
    text = _recipe_text(path)
    if text is None:
        raise InputError(f"{path}: carries no recipe; expected a picture that Fellview saved")
    return text


def _recipe_text(path: Path) -> str | None:
    try:
        with Image.open(path) as image:
            image.load()  # text chunks may stand behind the pixels, and a truncated file shows here
            text = getattr(image, "text", {}).get(RECIPE_KEY)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as fault:
        reason = getattr(fault, "strerror", None) or "truncated or not a PNG picture"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    return None if text is None else str(text)
