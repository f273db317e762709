"""Writes sheets of all scenes: their plain hillshades, their pictures, and for looking each from all sides.

    python scripts/scene_sheets.py landforms [SCENE ...] -o docs/landforms.jpg
    python scripts/scene_sheets.py gallery [SCENE ...] -o docs/gallery
    python scripts/scene_sheets.py wide [SCENE ...] -o FOLDER [--cells 512] [--size 480x270] [--samples 4]

A hillshade shows shape alone, with no colour, shadow or air: what is not recognised there is not told by its form. It
is Lambert's law for a sun in the northwest at 45°, with 0.15 of light from everywhere; x runs right and z up.

A wide sheet shows one scene from its own camera, from nine other places and with four other seeds (`wide_views.py`).
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import fellview
import wide_views
from fellview import paths
from fellview.capture import capture, contact_sheet, land_renderer
from fellview.draw.target import Size

PICTURE = 330  # pixels a side of one hillshade
COLUMNS = 5
GAP, LABEL = 8, 24  # pixels
PAPER, INK = (24, 27, 32), (222, 226, 232)
AMBIENT = 0.15
QUALITY = 80  # of JPEG: ten pictures of 1600×900 and the sheet in some 2 MB
GALLERY = (1600, 900)
WIDE_ACROSS = 4  # pictures in a line of a wide sheet
DEMO = "directx-demo"  # which has its own picture in the README


def hillshade(heights: NDArray[np.float32], cell_size: tuple[float, float]) -> NDArray[np.uint8]:
    """Return the map of `heights` in metres, lit from the northwest, uint8 [row, column], north up."""
    along_z, along_x = np.gradient(heights.astype(np.float64), *cell_size)
    sun = math.sqrt(1 / 4), math.sqrt(1 / 2), math.sqrt(1 / 4)  # towards −x, up, +z
    lit = (sun[0] * along_x + sun[1] - sun[2] * along_z) / np.sqrt(1 + along_x**2 + along_z**2)
    light = AMBIENT + (1 - AMBIENT) * np.maximum(lit, 0)
    return np.flipud(np.round(255 * light)).astype(np.uint8)


def landforms(names: list[str], out: Path, changes: dict[str, int]) -> None:
    """Write one sheet of hillshades, each with its name, width and relief."""
    down = -(-len(names) // COLUMNS)
    step_x, step_y = PICTURE + GAP, PICTURE + LABEL + GAP
    page = Image.new("RGB", (min(COLUMNS, len(names)) * step_x + GAP, down * step_y + GAP), PAPER)
    pen = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(paths.assets() / "fonts" / "DejaVuSansCondensed.ttf"), 15)
    for number, name in enumerate(names):
        scene = fellview.load(name).replace(changes)
        field = fellview.generate(scene, engine="cpu")
        shaded = Image.fromarray(hillshade(field.heights, field.cell_size)).resize((PICTURE, PICTURE), Image.LANCZOS)
        corner = GAP + number % COLUMNS * step_x, GAP + number // COLUMNS * step_y
        page.paste(shaded, corner)
        low, high = float(field.heights.min()), float(field.heights.max())
        label = f"{name}   {scene.grid.size_x / 1000:g} km   {low:.0f} to {high:.0f} m"
        pen.text((corner[0] + 2, corner[1] + PICTURE + 3), label, fill=INK, font=font)
    out.parent.mkdir(parents=True, exist_ok=True)
    page.save(out, quality=QUALITY)


def gallery(names: list[str], out: Path) -> None:
    """Write each scene's picture to the folder `out` as a JPEG."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        pixels = fellview.render(fellview.load(name), size=GALLERY, engine="cpu")
        Image.fromarray(pixels[..., :3]).save(out / f"{name}.jpg", quality=QUALITY, optimize=True, progressive=True)


def wide(names: list[str], out: Path, changes: dict[str, int], size: Size, samples: int) -> None:
    """Write a sheet of each scene, seen from all sides and with other seeds, to the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with land_renderer.opened("cpu") as tools:
        for name in names:
            scene = fellview.load(name).replace(changes)
            views = wide_views.places(scene, tools.land(scene), size[0] / size[1])
            pictures = list(itertools.chain(views, wide_views.seeds(scene)))
            drawn = [
                capture.still(tools.renderer, one.scene, tools.land(one.scene), size, samples)[..., :3]
                for one in pictures
            ]
            labels = [one.label for one in pictures]
            page = contact_sheet.laid_out(drawn, labels, WIDE_ACROSS)
            Image.fromarray(page).save(out / f"{name}.jpg", quality=QUALITY)


def main() -> int:
    """Run one command and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", choices=("landforms", "gallery", "wide"))
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="presets or .toml files; default: all but the demo")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--cells", type=int, default=0, help="cells a side instead of each scene's own")
    parser.add_argument("--size", type=capture.size_of, default=(480, 270), help="of a wide sheet's pictures")
    parser.add_argument("--samples", type=int, default=4, help="a pixel of them")
    options = parser.parse_intermixed_args()
    names = options.scenes or [name for name in fellview.presets() if name != DEMO]
    if options.sheet == "gallery":
        gallery(names, options.out)
    else:
        changes = dict.fromkeys(("grid.rows", "grid.columns"), options.cells or 512)
        if options.sheet == "landforms":
            landforms(names, options.out, changes)
        else:
            wide(names, options.out, changes, options.size, options.samples)
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
