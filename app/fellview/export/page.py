"""A page: one HTML file with up to four lands to turn, to compare or to walk through by slides, for any browser.

All that it shows is inside: heights, pictures of the ground in its light, and what draws them (assets/page.html).
Heights are told in steps of 16 bits. Each is predicted from its three neighbours before it, h(r-1, c) + h(r, c-1) -
h(r-1, c-1); what that is off by is folded to numbers from 0 on, all low bytes go before all high ones, and deflate
packs them. Pictures are WebP, as good as the file's size allows. Names, recipes and numbers are JSON in which no `<`
stands, and all the rest is base64: nothing that a scene is called can end a script.
"""

from __future__ import annotations

import base64
import html
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.core.errors import InputError
from fellview.draw.overlay.colour_maps import COLOUR_MAPS
from fellview.export.page_land import Grid, PageLand
from fellview.io.atomic import writing
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio.deck import Deck

SUFFIXES = (".html", ".htm")
MOST_LANDS = 4
MOST_BYTES, MOST_MORE_BYTES = 5_000_000, 2_500_000
"""Of a page with one land, and of each more land on it."""

_WORDS = 65535  # the highest number of 16 bits
_AROUND_BYTES = 1000  # for what stands around a land's own data
# The quality of WebP, and the step of heights around the land in cells: the first with which a land is small enough.
# Of 1/500 nobody sees anything; at 1/16 outlines move by a pixel where a cell is as wide as 32 of them.
_FINE, _COARSER, _COARSE = 1 / 500, 1 / 100, 1 / 16
_TRIES = (
    *((quality, _FINE) for quality in (85, 75, 65)),
    *((quality, _COARSER) for quality in (65, 50)),
    *((quality, _COARSE) for quality in (50, 35, 20)),
)
_SKY_QUALITY = 85  # of WebP, too: what is smooth takes little, and shows its squares when it is worse
_BLOCK_CELLS = 64

_Packed = tuple[dict[str, Any], dict[str, bytes]]
"""What the page is told of a grid, and what is packed of it, by name."""


def require(path: Path, lands: int) -> None:
    """Raise `InputError` where `path` is no page's name, or so many lands do not go on one."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: expected the suffix {' or '.join(SUFFIXES)}")
    if not 1 <= lands <= MOST_LANDS:
        raise InputError(f"SCENE: {lands} scenes: expected 1 to {MOST_LANDS} on a page")


@dataclass(frozen=True)
class PageSlide:
    """A slide of a page: the number of its land, the camera as it is drawn, and the caption."""

    land: int
    camera: Camera
    caption: str


def lands_of(deck: Deck) -> tuple[list[Scene], list[int]]:
    """Return the scenes whose lands the slides of `deck` show, and for each slide the number of its own.

    Slides of one land differ in the camera and in names alone, since the light is in its pictures. `InputError` where
    those are more than go on a page.
    """
    if not deck.slides:
        raise InputError("the deck: 0 slides: expected at least one")
    found: dict[Scene, int] = {}
    scenes: list[Scene] = []
    numbers = []
    for slide in deck.slides:
        alike = replace(slide.scene, name="", sentence="", bookmarks=(), camera=Camera())
        if alike not in found:
            found[alike] = len(scenes)
            scenes.append(slide.scene)
        numbers.append(found[alike])
    if len(scenes) > MOST_LANDS:
        raise InputError(
            f"the deck: {len(scenes)} lands: expected at most {MOST_LANDS} on a page; one land and light counts once"
        )
    return scenes, numbers


def write(path: Path, lands: Sequence[PageLand], recipes: Sequence[str], slides: Sequence[PageSlide] = ()) -> None:
    """Write the page of `lands`, whose recipes are texts, to `path`; `InputError` where it cannot be written."""
    require(path, len(lands))
    page = text(lands, recipes, slides).encode()
    with writing(path) as file:
        file.write(page)


def text(lands: Sequence[PageLand], recipes: Sequence[str], slides: Sequence[PageSlide] = ()) -> str:
    """Return the page of `lands`, whose recipes are texts, and of `slides` that are walked through."""
    before, after = (paths.assets() / "page.html").read_text(encoding="utf-8").split("<!-- data -->")
    facts, data = [], []
    for number, (land, recipe) in enumerate(zip(lands, recipes, strict=True)):
        room = (MOST_MORE_BYTES if number else MOST_BYTES - len(before) - len(after)) - _AROUND_BYTES
        told, parts = _within(number, land, recipe, room)
        facts.append(told)
        data += parts
    told_slides = [{"land": one.land, "camera": _eye(one.camera), "caption": one.caption} for one in slides]
    said = _json({"lands": facts, "colours": COLOUR_MAPS["viridis"], "slides": told_slides})
    data.insert(0, f'<script type="application/json" id="facts">{said}</script>')
    title = html.escape(lands[0].scene.name or "Fellview")
    return before.replace("<!-- title -->", title) + "\n".join(data) + after


def _within(number: int, land: PageLand, recipe: str, room: int) -> tuple[Mapping[str, Any], list[str]]:
    """Return what the page is told of `land` and the elements that hold the rest, within `room` bytes if that can be.

    What is left of the room when all pictures are as good as any is not used.
    """
    own, *around = land.grids
    of_own, of_around = _grid(own), dict[float, list[_Packed]]()
    for quality, step in _TRIES:
        if step not in of_around:
            of_around[step] = [_grid(grid, step) for grid in around]
        grids = [of_own, *of_around[step]]
        elements: list[str] = []

        def put(part: bytes, to: list[str] = elements) -> str:
            name = f"part-{number}-{len(to)}"
            to.append(f'<script type="application/octet-stream" id="{name}">{base64.b64encode(part).decode()}</script>')
            return name

        told = {
            "name": land.scene.name or f"Land {number + 1}",
            "sentence": land.scene.sentence,
            "recipe": recipe,
            "camera": _eye(land.scene.camera),
            "numbers": land.numbers,
            "grids": [{**facts, **{name: put(part) for name, part in parts.items()}} for facts, parts in grids],
            "maps": [{"picture": put(_webp(one.picture, quality)), "place": one.place} for one in land.maps],
            "first": put(_webp(land.first, quality)),
            "first_sky": put(_webp(land.first_sky, _SKY_QUALITY)),
            "sky": [put(_webp(face, _SKY_QUALITY)) for face in land.sky],
            "sky_table": {"size": land.sky_table.shape[1::-1], "texels": put(zlib.compress(land.sky_table.tobytes()))},
        }
        if sum(map(len, elements)) + len(_json(told)) <= room:
            break
    return told, elements


def _eye(camera: Camera) -> list[float]:
    return [camera.x, camera.y, camera.z, camera.yaw, camera.pitch, camera.field_of_view]


def _json(value: Any) -> str:
    """Return JSON in which nothing is HTML."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _grid(grid: Grid, least_step: float = 0.0) -> _Packed:
    """Return what the page is told of `grid`, in steps of at least so many cells, and what is packed of it, by name."""
    low, step = steps_of(grid, least_step)
    facts = {
        "rows": grid.heights.shape[0],
        "columns": grid.heights.shape[1],
        "low": low,
        "step": step,
        "origin": grid.origin,
        "cell": grid.cell,
        "left_out": [_BLOCK_CELLS * block for block in grid.left_out],
        "rim": grid.rim,
        "rim_sinks": grid.rim_sinks,
    }
    parts = {"heights": packed(seen(in_steps(grid.heights, low, step), grid.left_out))}
    if grid.water is not None:
        parts["water"] = packed(in_steps(grid.water, low, step))
    return facts, parts


def steps_of(grid: Grid, least_step: float = 0.0) -> tuple[float, float]:
    """Return the height of number 0 and the step to the next number in metres, which is at least so many cells."""
    water = grid.heights if grid.water is None else grid.water[np.isfinite(grid.water)]
    low, high = min(grid.heights.min(), water.min()), max(grid.heights.max(), water.max())
    finest = max(float(high) - float(low), 1e-3) / _WORDS
    return float(low), max(finest, least_step * min(grid.cell))


def in_steps(heights: NDArray[np.float32], low: float, step: float) -> NDArray[np.uint16]:
    """Return `heights` in steps from `low` on; 0 for -inf."""
    return np.rint(np.clip((heights.astype(np.float64) - low) / step, 0, _WORDS)).astype(np.uint16)


def seen(numbers: NDArray[np.uint16], left_out: tuple[int, int]) -> NDArray[np.uint16]:
    """Return `numbers` [row, column] with what is predicted inside of the blocks `left_out`, where nobody looks."""
    first, last = (_BLOCK_CELLS * block for block in left_out)
    inside = slice(first + 1, last)
    found = numbers.copy()
    found[inside, inside] = numbers[first, inside] + numbers[inside, first, np.newaxis] - numbers[first, first]
    return found


def packed(numbers: NDArray[np.uint16]) -> bytes:
    """Return `numbers` [row, column] predicted, folded and deflated, as the page unpacks them."""
    off = np.diff(np.diff(numbers, axis=0, prepend=np.uint16(0)), axis=1, prepend=np.uint16(0)).astype(np.int16)
    folded = ((off << 1) ^ (off >> 15)).astype("<u2")  # 0, -1, 1, -2, ... are 0, 1, 2, 3, ...
    return zlib.compress(folded.view(np.uint8).reshape(-1, 2).T.tobytes(), 9)


def _webp(picture: NDArray[np.uint8], quality: int) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(file, "WEBP", quality=quality)
    return file.getvalue()
