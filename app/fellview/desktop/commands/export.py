"""Exports that take more than a name: meshes, bodies to be printed, maps of the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fellview.core.errors import InputError, quoted
from fellview.core.height_field import HeightField
from fellview.desktop.commands.desk import FilesDesk
from fellview.desktop.commands.registry import command
from fellview.draw.ground import cover, ground_maps
from fellview.export import drawn, map_files, mesh_files
from fellview.io import scenes
from fellview.mesh.land_mesh import Wanted
from fellview.mesh.slab import DEFAULT_BASE_MM, Print
from fellview.scene.scene import Scene
from fellview.ui.file_dialog import FileDialog
from fellview.ui.form_dialog import Field, FormDialog, Page

_DRAINAGE = "drainage_area"
_MESH, _PRINT, _MAPS = "Mesh", "Printed slab", "Maps"
_TRIANGLES = Field("triangles", "Triangles at most", "", "Few leave a coarse land; empty is two for every cell.")
_ERROR = Field("error", "Error at most, m", "", "As few triangles as leave no height farther off; empty is no bound.")
_TEXELS = Field("texels", "Texels a cell", "1", "How fine maps are: 1 is one on every height, 4 is sharp from near by.")
_PAGES = (
    Page(
        _MESH,
        "The land's surface with its colours, for other 3-D programs.",
        (
            _TRIANGLES,
            _ERROR,
            Field("levels", "Levels", "1", "Meshes in one GLB, each with a quarter of the triangles of the last."),
            replace(_TEXELS, tip="How fine the colours are; 0 leaves them out."),
        ),
    ),
    Page(
        _PRINT,
        "A closed body in mm, for a 3-D printer.",
        (
            Field("slab", "Base, mm", f"{DEFAULT_BASE_MM:g}", "What lies under the lowest ground: thin may break."),
            Field("scale", "Scale, 1 :", "", "High is a small print; empty makes the longer side 150 mm."),
            _TRIANGLES,
            _ERROR,
        ),
    ),
    Page(
        _MAPS,
        "What the ground is made of, as pictures: colours, normals, weights of materials.",
        (
            Field("maps", "Maps", "all", f"All, or some of {', '.join(map_files.MAPS)}, with commas between."),
            _TEXELS,
            Field(
                "normals", "Normals", map_files.NORMALS[0], "opengl: green grows to the north; directx: to the south."
            ),
            Field("tile", "Tile, texels", "", "Cuts maps into squares that share their edges; empty is one picture."),
        ),
    ),
)

_Options = mesh_files.Options | map_files.Options


@command("export.ground")
def export_ground(desk: FilesDesk) -> None:
    """Ask what and where to, and export a mesh, a body to be printed, or maps of the ground."""
    grid = desk.session.scene.grid

    def accept(page: str, texts: Mapping[str, str]) -> _Options:
        options = chosen(page, texts)
        if options.texels:
            ground_maps.shape(grid.rows, grid.columns, options.texels)
        return options

    desk.dialogs.fill(FormDialog("Export", _PAGES, accept), lambda options: _ask_where(desk, options))


def chosen(page: str, texts: Mapping[str, str]) -> _Options:
    """Return the options that a `page` is filled in with; `InputError` names what will not do."""
    if page == _MAPS:
        return map_files.Options(
            map_files.chosen(texts["maps"]),
            _whole("texels", texts["texels"]) or 0,
            texts["normals"],
            _whole("tile", texts["tile"]) or 0,
        )
    triangles, error_m = _whole("triangles", texts["triangles"]), _real("error", texts["error"])
    if page == _PRINT:
        printed = Print(_real("slab", texts["slab"]) or 0.0, _real("scale", texts["scale"]))
        return mesh_files.Options(Wanted(triangles, error_m), 0, printed)
    levels = _whole("levels", texts["levels"])
    wanted = Wanted(triangles, error_m, 1 if levels is None else levels)
    return mesh_files.Options(wanted, _whole("texels", texts["texels"]) or 0)


def _whole(name: str, text: str) -> int | None:
    """Return the whole number that `text` is, None where it is empty."""
    try:
        return int(text) if text else None
    except ValueError:
        raise InputError(f"{name} = {quoted(text)}: expected a whole number, or nothing") from None


def _real(name: str, text: str) -> float | None:
    """Return the number that `text` is, None where it is empty."""
    try:
        return float(text) if text else None
    except ValueError:
        raise InputError(f"{name} = {quoted(text)}: expected a number, or nothing") from None


def _ask_where(desk: FilesDesk, options: _Options) -> None:
    """Ask for a place that goes with `options`, and write there once the land is the recipe's."""
    suffixes: tuple[str, ...] = tuple(mesh_files.SUFFIXES)
    title, name = "Export a mesh", "land.glb"
    if isinstance(options, map_files.Options):
        title, suffixes, name = "Maps of the ground, beside their facts", (".json",), map_files.FACTS
    elif options.printed is not None:
        title, suffixes, name = "Export a body to be printed", (mesh_files.STL,), "land.stl"
    elif options.wanted.levels > 1:
        suffixes = (mesh_files.GLB,)
    dialog = FileDialog("save", title, desk.dialogs.folder, suffixes, name)
    desk.dialogs.ask(dialog, lambda path: _begin(desk, path, options))


def _begin(desk: FilesDesk, path: Path, options: _Options) -> None:
    if isinstance(options, mesh_files.Options):
        mesh_files.paths(path, options)  # which refuses what the suffix cannot hold
    elif "drainage" in options.maps:
        desk.more_masks = frozenset({_DRAINAGE})
    desk.when_settled(lambda: _write(desk, path, options))


def _write(desk: FilesDesk, path: Path, options: _Options) -> None:
    """Have the land that is shown written apart from the window."""
    desk.more_masks = frozenset()
    scene, result = desk.session.scene, desk.session.result
    assert result is not None
    field, masks = result.field, result.field.masks
    # what a thread may read: no mask is computed there, nor is a texture of the window's read
    there = {name: masks[name] for name in cover.masks(scene) | {_DRAINAGE} if name in masks}
    land = HeightField(field.heights, field.cell_size, there)
    desk.writer.write(path.name, lambda: _written(path, scene, land, options))


def _written(path: Path, scene: Scene, land: HeightField, options: _Options) -> Sequence[str]:
    """Write to `path`, and return what a person should know."""
    told: list[str] = []
    recipe = scenes.to_text(scene, path.parent)
    if isinstance(options, mesh_files.Options):
        colour = None
        if mesh_files.needs_colour(path, options):
            colour = drawn.maps(scene, land, options.texels, notice=told.append).colour
        told += mesh_files.export(path, land, recipe, scene.name, options, colour)
    else:
        if path.name != map_files.FACTS:
            options = replace(options, prefix=f"{path.stem}-")
        maps = drawn.maps(scene, land, options.texels, notice=told.append) if options.needs_drawing else None
        path = map_files.export(path.parent, land, recipe, options, maps)[-1]
    return [*told, f"Exported {path}"]
