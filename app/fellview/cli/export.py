"""`fellview export`: heights, masks, meshes, maps of the ground, and what other programs take."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import heights_of, scene_of, shelf_of, sized_scene
from fellview.cli.options import Commands, add_scene, real, refuse, whole
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.core.height_field import HeightField
    from fellview.export.map_files import Options as MapOptions
    from fellview.export.mesh_files import Options as MeshOptions
    from fellview.io.heights import Options as HeightOptions
    from fellview.scene.scene import Scene
    from fellview.studio.shelf import Shelf
    from fellview.targets.export import Beside
    from fellview.targets.target import Target


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    export = commands.add_parser(
        "export", help="write heights, a mask, a mesh, maps of the ground, or what a program takes"
    )
    export.more_help = _formats_and_masks
    add_scene(export)
    export.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help="with --for: a folder")
    export.add_argument(
        "--shelf",
        type=Path,
        metavar="FILE",
        help="heights of all kept lands of a project over one range, into a folder",
    )
    export.add_argument("--suffix", metavar="SUFFIX", help="of the files of --shelf; default .png")
    export.add_argument("--for", dest="target", metavar="TARGET", help="write what a program takes, one of those below")
    export.add_argument("--mask", default="", metavar="NAME", help="write a mask instead, one of those below")
    export.add_argument("--size", type=whole, default=0, metavar="N", help="cells along the longer side, computed anew")
    export.add_argument(
        "--bits", type=whole, default=0, metavar="N", help="of a number: 8, 16 or 32, as formats have it"
    )
    export.add_argument(
        "--range",
        metavar="LOW:HIGH",
        help="metres that the lowest and the highest number stand for, or own: those of the land",
    )
    export.add_argument("--crs", metavar="EPSG:N", help="of GeoTIFF and maps: a projected one in metres")
    export.add_argument("--origin", metavar="E,N", help="where the land's south-western corner lies")
    _add_mesh_and_maps(export)
    export.set_defaults(run=run)


def _add_mesh_and_maps(parser: argparse.ArgumentParser) -> None:
    mesh = parser.add_argument_group("meshes")
    mesh.add_argument("--triangles", type=whole, metavar="N", help="at most so many; default: two for every cell")
    mesh.add_argument("--error", type=real, metavar="M", help="as few as leave no height more than M metres off")
    mesh.add_argument("--levels", type=whole, metavar="N", help="meshes in a GLB, each with a quarter of the triangles")
    mesh.add_argument("--slab", type=real, metavar="MM", help="a closed body to be printed, its base so thick")
    mesh.add_argument("--scale", type=real, metavar="N", help="printed at 1 : N; default: the longer side is 150 mm")
    maps = parser.add_argument_group("maps of the ground")
    maps.add_argument("--maps", metavar="A,B", help="write maps into the folder FILE: those below, or all")
    maps.add_argument("--texels", type=whole, metavar="N", help="a cell, 1 to 16; default 1; 0: a mesh without colours")
    maps.add_argument("--normals", metavar="opengl|directx", help="whether their green grows to the north or the south")
    maps.add_argument("--tile", type=whole, metavar="N", help="in tiles of N texels a side that share their edges")


def _formats_and_masks() -> str:
    """Return what a land can be written as: formats, targets, maps of its ground and masks, a line each."""
    from fellview.export import map_files, mesh_files
    from fellview.heightmaps import registry
    from fellview.targets.registry import TARGETS
    from fellview.terrain.pipeline.pipeline import FIELDS

    formats = [(", ".join(one.suffixes), one.numbers(one.bits[0])) for one in registry.FORMATS if one.write]
    targets = [(one.name, f"{one.title}: {one.suffix} of {one.sizes_in_words} cells a side") for one in TARGETS]
    masks = [(one.name, f"{one.title}, {one.symbol or 'no unit'}. {one.description}") for one in FIELDS.values()]
    lines = []
    for title, rows in (
        ("formats, by the suffix of FILE:", [*formats, *mesh_files.SUFFIXES.items()]),
        ("targets of --for:", targets),
        ("maps of the ground:", list(map_files.MAPS.items())),
        ("masks, where the land has them:", masks),
    ):
        width = max(len(name) for name, _ in rows)
        lines += [title, *(f"  {name:{width}}  {text}" for name, text in rows), ""]
    return "\n".join(lines[:-1])


def run(options: argparse.Namespace) -> Sequence[str]:
    """Write what the options ask for; return remarks."""
    from fellview.export import mesh_files

    of_maps, of_meshes = ("normals", "tile"), ("triangles", "error", "levels", "slab", "scale")
    of_heights, of_place = ("mask", "bits", "range"), ("crs", "origin")
    shelf = shelf_of(options)
    if shelf is not None:
        refuse(options, ("target", "mask", "maps", "texels", *of_maps, *of_meshes), "with --shelf")
        return _export_shelf(options, shelf)
    refuse(options, ("suffix",), "without --shelf")
    if options.target is not None:
        refuse(options, ("slab", "scale"), "with --for")
        if options.maps is None:
            refuse(options, of_maps, "without --maps")
        return _export_for_target(options)
    if options.maps is not None:
        refuse(options, (*of_heights, *of_meshes), "with --maps")
        return _export_maps(options)
    if mesh_files.is_mesh(options.out):
        refuse(options, (*of_heights, *of_place, *of_maps), "with a mesh")
        return _export_mesh(options)
    meshes = ", ".join(mesh_files.SUFFIXES)
    refuse(options, of_meshes, f"with {options.out.name}: expected a mesh, {meshes}")
    refuse(options, ("texels", *of_maps), f"without --maps or a mesh, {meshes}")
    return _export_heights(options)


def _export_heights(options: argparse.Namespace) -> Sequence[str]:
    from fellview.heightmaps import registry, sidecar
    from fellview.io import atomic, heights, scenes
    from fellview.terrain.pipeline.pipeline import remarks

    registry.writer(options.out)  # which refuses a suffix that none writes
    atomic.require_writable(options.out, sidecar.path_of(options.out))
    scene = sized_scene(options)
    text = scenes.to_text(scene, options.out.parent)
    how = _height_options(options, scene)
    _, told = heights.export(options.out, heights_of(scene, options.engine), text, options.mask, how)
    tell(options.out)
    return [*told, *remarks(scene.terrain_groups())]


def _export_shelf(options: argparse.Namespace, shelf: Shelf) -> Sequence[str]:
    from fellview.export import shelf_heights
    from fellview.io import atomic

    if options.size:
        variants = [dataclasses.replace(one, scene=one.scene.with_longer_side(options.size)) for one in shelf.variants]
        shelf = dataclasses.replace(shelf, variants=tuple(variants))
    how = _height_options(options, shelf.variants[0].scene)
    with atomic.all_or_none():
        files, (low, high), told = shelf_heights.export(
            options.out, shelf, options.suffix or ".png", lambda scene: heights_of(scene, options.engine), how
        )
    for path in files:
        tell(path)
    return [*told, f"all {len(files)} lands over one range: {low:.10g} to {high:.10g} m"]


def _export_for_target(options: argparse.Namespace) -> Sequence[str]:
    from fellview.io import atomic
    from fellview.targets import export, registry

    target = registry.target(options.target)
    for name in ("mask", "bits"):
        if getattr(options, name):
            raise InputError(f"--{name} {getattr(options, name)}: expected none with --for")
    beside = _beside(options, target)
    scene = scene_of(options)
    how = _height_options(options, scene)

    def heights(one: Scene) -> HeightField:
        return heights_of(one, options.engine)

    with atomic.all_or_none():
        done = export.export(scene, target, options.out, heights, options.size, how, beside)
    for path in done.files:
        tell(path)
    print(done.text, end="")
    return done.remarks


def _export_mesh(options: argparse.Namespace) -> Sequence[str]:
    from fellview.export import mesh_files
    from fellview.io import atomic
    from fellview.terrain.pipeline.pipeline import remarks

    how = _mesh_options(options)
    atomic.require_writable(*mesh_files.paths(options.out, how))
    scene = sized_scene(options)
    files, told = _write_mesh(options.out, scene, heights_of(scene, options.engine), how)
    for path in files:
        tell(path)
    return [*told, *remarks(scene.terrain_groups())]


def _export_maps(options: argparse.Namespace) -> Sequence[str]:
    from fellview.draw.ground import ground_maps
    from fellview.export import map_files
    from fellview.io import atomic
    from fellview.terrain.pipeline.pipeline import remarks

    how = _map_options(options)
    atomic.require_writable(map_files.facts_path(options.out, how))
    scene = sized_scene(options)
    ground_maps.shape(scene.grid.rows, scene.grid.columns, how.texels)
    field = heights_of(scene, options.engine)
    with atomic.all_or_none():
        files = _write_maps(options.out, scene, field, how)
    for path in files:
        tell(path)
    return remarks(scene.terrain_groups())


def _beside(options: argparse.Namespace, target: Target) -> Beside:
    """Return what writes the mesh and the maps that `options` ask for beside the heights for `target`."""
    from fellview.export import mesh_files

    meshed = any(getattr(options, name) is not None for name in ("triangles", "error", "levels"))
    mesh = _mesh_options(options) if meshed else None
    maps = _map_options(options, target) if options.maps is not None else None

    def write(scene: Scene, field: HeightField, folder: Path, stem: str) -> tuple[list[Path], list[str]]:
        files: list[Path] = []
        told: list[str] = []
        if mesh is not None:
            files, told = _write_mesh(folder / f"{stem}{mesh_files.GLB}", scene, field, mesh)
        if maps is not None:
            files += _write_maps(folder, scene, field, dataclasses.replace(maps, prefix=f"{stem}-"))
        return files, told

    return write


def _height_options(options: argparse.Namespace, scene: Scene) -> HeightOptions:
    from fellview.heightmaps import georeference
    from fellview.io import heights

    sea = scene.water.sea_level if scene.water.enabled and scene.water.sea else None
    low_and_high = None if options.range is None else heights.height_range(options.range)
    return heights.Options(options.bits, low_and_high, sea, georeference.named(options.crs or "", options.origin or ""))


def _mesh_options(options: argparse.Namespace) -> MeshOptions:
    from fellview.export import mesh_files
    from fellview.mesh.land_mesh import Wanted
    from fellview.mesh.slab import Print

    if options.scale is not None and options.slab is None:
        raise InputError(f"--scale {options.scale:g}: expected with --slab, which is printed")
    printed = None if options.slab is None else Print(options.slab, options.scale)
    wanted = Wanted(options.triangles, options.error, 1 if options.levels is None else options.levels)
    return mesh_files.Options(wanted, 1 if options.texels is None else options.texels, printed)


def _map_options(options: argparse.Namespace, target: Target | None = None) -> MapOptions:
    from fellview.export import map_files
    from fellview.heightmaps import georeference

    normals = options.normals or (target.normals if target else map_files.NORMALS[0])
    texels = 1 if options.texels is None else options.texels
    in_cells = target is not None and target.maps_in_cells
    georeferenced = options.crs or options.origin or (target is not None and target.georeferenced)
    place = georeference.named(options.crs or "", options.origin or "") if georeferenced else None
    tile = options.tile or 0
    return map_files.Options(map_files.chosen(options.maps), texels, normals, tile, in_cells, georeference=place)


def _write_mesh(path: Path, scene: Scene, field: HeightField, how: MeshOptions) -> tuple[list[Path], list[str]]:
    """Write the mesh of `field`; return the files and what a person should know."""
    from fellview.export import mesh_files
    from fellview.io import scenes

    colour = None
    if mesh_files.needs_colour(path, how):
        from fellview.export import drawn

        with progress_line() as report:
            colour = drawn.maps(scene, field, how.texels, report=report, notice=notice).colour
    told = mesh_files.export(path, field, scenes.to_text(scene, path.parent), scene.name, how, colour)
    return list(mesh_files.paths(path, how)), told


def _write_maps(folder: Path, scene: Scene, field: HeightField, how: MapOptions) -> list[Path]:
    """Write maps of the ground under `field`; return the files."""
    from fellview.export import drawn, map_files
    from fellview.io import scenes

    with progress_line() as report:
        maps = None
        if how.needs_drawing:
            maps = drawn.maps(scene, field, how.texels, how.in_cells, report, notice)
        return map_files.export(folder, field, scenes.to_text(scene, folder), how, maps, report)
