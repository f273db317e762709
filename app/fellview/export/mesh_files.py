"""Meshes as files: GLB with its colour map inside, OBJ with material and colour map beside it, STL to be printed."""

from __future__ import annotations

import io
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError, quoted
from fellview.core.height_field import HeightField
from fellview.core.number_format import measure
from fellview.io.atomic import writing, writing_together
from fellview.mesh import glb, land_mesh, obj, stl
from fellview.mesh.land_mesh import LandMesh, Wanted
from fellview.mesh.slab import Print, slab

GLB, OBJ, STL = ".glb", ".obj", ".stl"
SUFFIXES = {
    GLB: "mesh in metres with colour map, normals and levels; y up, x east, −z north",
    OBJ: "mesh in metres as text, with material and colour map beside it; y up, x east, −z north",
    STL: "triangles in metres, or with --slab in mm a closed body to be printed; z up, x east, y north",
}
"""What meshes are written as, by the file's suffix."""

_LONGEST_NAME = 60  # characters


@dataclass(frozen=True)
class Options:
    """What of a mesh is written: how fine, with how many `texels` a cell of colour (0 for none), and how printed."""

    wanted: Wanted = dataclass_field(default_factory=Wanted)
    texels: int = 1
    printed: Print | None = None


def is_mesh(path: Path) -> bool:
    """Return whether `path` is a mesh's name."""
    return path.suffix.lower() in SUFFIXES


def paths(path: Path, options: Options) -> tuple[Path, ...]:
    """Return all files that are written for `path`, itself last; `InputError` where it does not go with `options`."""
    suffix = path.suffix.lower()
    if suffix != STL and options.printed is not None:
        raise InputError(f"slab = {options.printed.base_mm:g}: {path.name} is no {STL}; only that is printed")
    if suffix != GLB and options.wanted.levels > 1:
        raise InputError(f"levels = {options.wanted.levels}: {path.name} is no {GLB}; only that holds several")
    if suffix != OBJ:
        return (path,)
    if not path.name.isprintable():
        raise InputError(f"{quoted(path.name)}: expected a name without control characters, which an OBJ cannot hold")
    colour = (path.with_name(f"{path.stem}_colour.png"),) if options.texels else ()
    return (*colour, path.with_suffix(".mtl"), path)


def needs_colour(path: Path, options: Options) -> bool:
    """Return whether a colour map goes with the mesh."""
    return path.suffix.lower() != STL and options.texels > 0


def export(
    path: Path, field: HeightField, recipe: str, name: str, options: Options, colour: NDArray[np.uint8] | None = None
) -> list[str]:
    """Write the mesh of `field` to `path` by its suffix, with the files beside it; all or none.

    `colour` is the colour map, uint8 [row, column, rgb], with `options.texels` a cell. Returns what a person should
    know of it, in lines.
    """
    files = paths(path, options)
    levels = land_mesh.meshes(field, options.wanted)
    told = [_told(level, field) for level in levels]
    picture = None if colour is None else _png(colour)
    suffix = path.suffix.lower()
    if suffix == STL:
        return told + _write_stl(path, levels[0], options.printed)
    coordinates = [level.texture_coordinates(field, max(options.texels, 1)) for level in levels]
    if suffix == GLB:
        facts = {"recipe": recipe, "cell_size_x_m": field.cell_size[1], "cell_size_z_m": field.cell_size[0]}
        with writing(path) as file:
            glb.write(file, levels, coordinates, picture, name[:_LONGEST_NAME] or "land", facts)
        return told
    with writing_together(*files) as opened:
        if picture is not None:
            opened[0].write(picture)
        obj.write_material(opened[-2], files[0].name if picture is not None else None)
        notes = ["x east, y up, z south, in metres from the south-west corner", *told, *recipe.splitlines()]
        obj.write(opened[-1], levels[0], coordinates[0], files[-2].name, notes)
    return told


def _write_stl(path: Path, mesh: LandMesh, printed: Print | None) -> list[str]:
    with writing(path) as file:
        if printed is None:
            stl.write(file, stl.upright(mesh.positions), mesh.triangles, "Fellview, in metres, z up")
            return []
        body = slab(mesh, printed)
        wide, deep, high = np.ptp(body.positions, axis=0)
        told = f"1 : {body.scale:.6g}, {wide:.1f} x {deep:.1f} x {high:.1f} mm with {printed.base_mm:g} mm of base"
        stl.write(file, body.positions, body.triangles, f"Fellview, {told}")
    return [f"printed at {told.replace(' x ', ' × ')}"]


def _told(mesh: LandMesh, field: HeightField) -> str:
    count = f"{len(mesh.triangles):,} triangles"
    if len(mesh.places) == field.heights.size:
        return f"{count}, every height of the land"
    most, mean = (measure(error, "m") for error in (mesh.error_m, mesh.mean_error_m))
    return f"{count}, at most {most} off the land's heights, {mean} root mean square"


def _png(pixels: NDArray[Any]) -> bytes:
    from PIL import Image

    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "PNG")
    return packed.getvalue()
