"""Maps of the ground as PNG files in a folder, whole or in tiles, and a file of facts about them.

Every map has the northernmost row first. Tiles of n texels share their edge rows and columns: tile k begins on texel
k·(n − 1), and the last ones are as small as what is left. The facts, maps.json, come last: a folder without them was
not finished. Where the land lies on Earth, each picture has a world file beside it, and one with the system of
coordinates in GDAL's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError, named
from fellview.core.height_field import HeightField, Heights
from fellview.draw.ground.ground_maps import GroundMaps
from fellview.heightmaps import sidecar
from fellview.heightmaps.georeference import Georeference
from fellview.io.atomic import write_text, writing

MAPS = {
    "colour": "what the ground looks like without light, sRGB",
    "normal": "the ground's direction with the small relief on it, against a level plane",
    "occlusion": "the share of the sky that a place sees, of what its slope alone would",
    "drainage": "how much land drains through a place, log10 of m² in 16 bits",
    "weights": "how much of a place each material covers: four a picture as RGBA, and each alone in grey",
}
"""Every map, and what it says."""

NORMALS = ("opengl", "directx")
"""Which way a normal's green grows: to the picture's top, or to its bottom."""

FACTS = "maps.json"
LEAST_TILE, MOST_TILE = 3, 16384
_WORDS = 65535
_LEVELS = 255
_CHANNELS = 4
_WHERE = (
    "a texel lies on every vertex of the land, the first and the last on its border",
    "the texels fill the cells between the land's vertices, the borders of the first and the last lie on its border",
)
_MOST_TILES = 4096  # a map, in all


@dataclass(frozen=True)
class Options:
    """Which maps are written, and how: `texels` a cell, `normals` after OpenGL or DirectX, `tile` texels a side.

    `tile` 0 is one picture. Texels lie on vertices, or where it is so `in_cells`. All names begin with `prefix`. With a
    `georeference` pictures say where they lie.
    `InputError` names what is out of range.
    """

    maps: tuple[str, ...] = tuple(MAPS)
    texels: int = 1
    normals: str = NORMALS[0]
    tile: int = 0
    in_cells: bool = False
    prefix: str = ""
    georeference: Georeference | None = None

    def __post_init__(self) -> None:
        for name in self.maps:
            if name not in MAPS:
                raise InputError(f"maps = {named(name)}: expected some of {', '.join(MAPS)}, or all")
        if self.normals not in NORMALS:
            raise InputError(f"normals = {named(self.normals)}: expected one of {', '.join(NORMALS)}")
        if self.tile and not LEAST_TILE <= self.tile <= MOST_TILE:
            raise InputError(f"tile = {self.tile}: expected {LEAST_TILE} to {MOST_TILE} texels, or 0 for no tiles")

    @property
    def needs_drawing(self) -> bool:
        """Return whether any of them is drawn, which needs OpenGL."""
        return any(name != "drainage" for name in self.maps)


def chosen(text: str) -> tuple[str, ...]:
    """Return the maps that `text` names: all, or some with commas between."""
    return tuple(MAPS) if text == "all" else tuple(dict.fromkeys(text.split(",")))


def export(
    folder: Path,
    field: HeightField,
    recipe: str,
    options: Options,
    drawn: GroundMaps | None,
    report: Callable[[str, float], None] = lambda step, fraction: None,
) -> list[Path]:
    """Write the maps of `field` into `folder`, and return the files, the facts last.

    `drawn` are the maps of the ground with `options.texels` a cell, where any of them are wanted.
    """
    pictures = dict(_pictures(field, options, drawn))
    rows, columns = next(iter(pictures.values())).shape[:2]
    tiles = _tiles(rows, columns, options.tile)
    written: list[Path] = []
    done = 0
    facts: dict[str, Any] = {}
    for name, pixels in pictures.items():
        for row, column, place in tiles:
            place_name = f"_x{column}_y{row}" if options.tile else ""
            path = folder / f"{options.prefix}{name}{place_name}.png"
            _write(path, pixels[place])
            written.append(path)
            if options.georeference is not None:
                written += _write_place(path, field, options, options.georeference, (place[0].start, place[1].start))
            done += 1
            report("writing maps", done / (len(tiles) * len(pictures)))
        facts[name] = _said(name, field, options, drawn)
    whole = {
        "rows": rows,
        "columns": columns,
        "texels_a_cell": options.texels,
        "texel_x_m": field.cell_size[1] / options.texels,
        "texel_z_m": field.cell_size[0] / options.texels,
        "span_x_m": (field.columns - 1) * field.cell_size[1],
        "span_z_m": (field.rows - 1) * field.cell_size[0],
        "orientation": f"the first row lies in the north; {_WHERE[options.in_cells]}",
        "maps": facts,
        "recipe": recipe,
    }
    if options.tile:
        whole |= {"tile": options.tile, "tiles": "name_x<column>_y<row>, from the north-west; edges are shared"}
    with writing(facts_path(folder, options)) as file:
        file.write(sidecar.encoded(whole))
    return [*written, facts_path(folder, options)]


def facts_path(folder: Path, options: Options) -> Path:
    """Return where the facts go."""
    return folder / f"{options.prefix}{FACTS}"


def _pictures(
    field: HeightField, options: Options, drawn: GroundMaps | None
) -> Iterator[tuple[str, NDArray[np.uint8] | NDArray[np.uint16]]]:
    """Yield the pictures that are wanted by name."""
    if "drainage" in options.maps:
        yield "drainage", drainage(field, options.texels, options.in_cells)
    if drawn is None:
        return
    if "colour" in options.maps:
        yield "colour", drawn.colour
    if "normal" in options.maps:
        yield "normal", drawn.normal if options.normals == NORMALS[0] else _flipped_green(drawn.normal)
    if "occlusion" in options.maps:
        yield "occlusion", drawn.sky
    if "weights" in options.maps:
        empty = np.zeros((*drawn.sky.shape, -len(drawn.layers) % _CHANNELS), np.uint8)
        padded = np.concatenate([drawn.weights, empty], axis=-1)
        for number in range(padded.shape[-1] // _CHANNELS):
            yield f"weights_{number}", padded[..., _CHANNELS * number : _CHANNELS * (number + 1)]
        for number, layer in enumerate(drawn.layers):
            yield f"weight_{layer}", drawn.weights[..., number]


def _said(name: str, field: HeightField, options: Options, drawn: GroundMaps | None) -> dict[str, Any]:
    """Return what the facts say of the picture `name`."""
    if name == "drainage":
        low, high = drainage_span(field)
        return {"says": MAPS[name], "channels": "grey of 16 bits", "minimum": low, "maximum": high, "unit": "log10 m²"}
    assert drawn is not None
    if name == "normal":
        green = "north" if options.normals == NORMALS[0] else "south"
        channels = f"red east, green {green}, blue up; 0 to 255 are −1 to 1"
        return {"says": MAPS[name], "channels": channels, "convention": options.normals}
    if name.startswith("weights_"):
        first = _CHANNELS * int(name.removeprefix("weights_"))
        return {"says": MAPS["weights"], "channels": list(drawn.layers[first : first + _CHANNELS])}
    if name.startswith("weight_"):
        return {"says": f"how much {name.removeprefix('weight_')} covers; all layers add up to 255", "channels": "grey"}
    return {"says": MAPS[name], "channels": "rgb" if name == "colour" else "grey"}


def _flipped_green(normal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    flipped = normal.copy()
    flipped[..., 1] = _LEVELS - normal[..., 1]
    return flipped


def drainage_span(field: HeightField) -> tuple[float, float]:
    """Return what 0 and 65535 stand for: log10 of the areas in m² of one cell and of the whole land."""
    cell_m2 = field.cell_size[0] * field.cell_size[1]
    return float(np.log10(cell_m2)), float(np.log10(cell_m2 * field.rows * field.columns))


def drainage(field: HeightField, texels: int, in_cells: bool = False) -> NDArray[np.uint16]:
    """Return the drainage of `field`, uint16 [row, column] with the northernmost row first, `texels` a cell."""
    low, high = drainage_span(field)
    logarithm = np.log10(np.maximum(field.masks["drainage_area"], 10**low))
    share = np.clip((_between(logarithm, texels, in_cells)[::-1] - low) / (high - low), 0, 1)
    return np.rint(_WORDS * share).astype(np.uint16)


def _between(values: Heights, texels: int, in_cells: bool) -> NDArray[np.float64]:
    """Return `values` [row, column] with others between them along straight lines, `texels` for each step."""
    between = values.astype(np.float64)
    for axis in (0, 1):
        last = between.shape[axis] - 1
        at = (np.arange(last * texels + (not in_cells)) + 0.5 * in_cells) / texels
        below = np.minimum(at.astype(np.intp), max(last - 1, 0))
        share = np.expand_dims(at - below, 1 - axis)
        between = (1 - share) * between.take(below, axis) + share * between.take(np.minimum(below + 1, last), axis)
    return between


def _tiles(rows: int, columns: int, side: int) -> list[tuple[int, int, tuple[slice, slice]]]:
    """Return number of row and of column and place of every tile; `InputError` where they are too many."""
    if not side:
        return [(0, 0, (slice(0, rows), slice(0, columns)))]
    starts = [range(0, max(length - 1, 1), side - 1) for length in (rows, columns)]
    if len(starts[0]) * len(starts[1]) > _MOST_TILES:
        raise InputError(
            f"tile = {side}: {columns} × {rows} texels would be {len(starts[1])} × {len(starts[0])} tiles; expected at"
            f" most {_MOST_TILES}"
        )
    return [
        (row, column, (slice(top, top + side), slice(left, left + side)))
        for row, top in enumerate(starts[0])
        for column, left in enumerate(starts[1])
    ]


def _write_place(
    path: Path, field: HeightField, options: Options, place: Georeference, first: tuple[int, int]
) -> list[Path]:
    """Write where the picture `path` lies, whose `first` (row, column) of texels is that of the map; return the files.

    A world file has a texel's size and the middle of the first one. The other, in GDAL's words, has the system.
    """
    texel_z, texel_x = (cell / options.texels for cell in field.cell_size)
    inwards = 0.5 if options.in_cells else 0.0
    north = place.north + (field.rows - 1) * field.cell_size[0] - (first[0] + inwards) * texel_z
    east = place.east + (first[1] + inwards) * texel_x
    world = path.with_suffix(".pgw")
    write_text(world, "".join(f"{number!r}\n" for number in (texel_x, 0.0, 0.0, -texel_z, east, north)))
    if not place.epsg:
        return [world]
    system = path.with_suffix(".png.aux.xml")
    write_text(system, f"<PAMDataset>\n  <SRS>EPSG:{place.epsg}</SRS>\n</PAMDataset>\n")
    return [world, system]


def _write(path: Path, pixels: NDArray[Any]) -> None:
    from PIL import Image

    with writing(path) as file:
        Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG")
