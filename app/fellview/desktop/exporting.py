"""What can be exported out of the window: a page of a form for each kind, and what writes it.

The window's own land is written as files of heights, meshes and maps. What a program takes is computed anew at another
size, in a process of its own.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fellview import paths
from fellview.capture import capture
from fellview.core import attended
from fellview.core.errors import Cancelled, FellviewError, InputError, quoted
from fellview.core.height_field import HeightField
from fellview.core.work import Work
from fellview.draw.ground import ground_maps
from fellview.export import drawn, map_files, mesh_files
from fellview.export import page as html_page
from fellview.heightmaps import georeference, registry
from fellview.heightmaps.encoding import REAL
from fellview.io import heights, scenes
from fellview.mesh.land_mesh import Wanted
from fellview.mesh.slab import DEFAULT_BASE_MM, Print
from fellview.scene.scene import Scene
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck
from fellview.studio.shelf import Shelf
from fellview.targets.registry import TARGETS
from fellview.targets.target import WORDS, Target
from fellview.terrain.pipeline.pipeline import FIELDS
from fellview.ui.form_dialog import Field, Page

DRAINAGE = "drainage_area"
"""The mask that the map of drainage is made of."""

HEIGHTS, MESH, PRINT, MAPS, SHELF = "Height file", "Mesh", "Printed slab", "Maps", "Shelf"
"""Titles of the pages beside those of programs, which have theirs."""

NOTHING = "nothing is written"
"""What is told of files that come all or not at all."""

Write = Callable[[Path, Scene, HeightField, Work], Sequence[str]]


@dataclass(frozen=True)
class Asked:
    """What a file is asked for with: the dialog's title, the suffixes that go with it, and a name."""

    title: str
    suffixes: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Export:
    """What a person has chosen.

    `write` writes the land of a scene to a path, and returns what to tell, a line each; it is called apart from the
    window, tells a `Work` how far it is and raises `Cancelled` where that is not wanted any more. The path is the one
    of `folder`, or is asked for as `file` says, and `require` raises `InputError` where it does not go with the rest.
    `masks` are those that it needs. `name` is what a person is told of, else the path's own.
    """

    write: Write
    name: str = ""
    folder: Path | None = None
    file: Asked | None = None
    require: Callable[[Path], object] = lambda path: None
    masks: frozenset[str] = frozenset()
    proposed: bool = True
    """Whether the next export is proposed to go into this folder, too."""
    given_up: str = NOTHING
    """What is told of its files once it is given up."""


_TRIANGLES = Field("triangles", "Triangles at most", "", "Few leave a coarse land.", empty="two for every cell")
_ERROR = Field("error", "Error at most, m", "", "As few triangles as leave no height farther off.", empty="no bound")
_TEXELS = Field("texels", "Texels a cell", "1", "How fine maps are: 1 is one on every height, 4 is sharp from near by.")
_RANGE = Field(
    "range",
    "Range, m",
    "",
    "LOW:HIGH, what the lowest and the highest number stand for: the same for several lands fits them together."
    " Without one real numbers are metres.",
    empty="the land's own",
)
_PLACE = (
    Field("crs", "Coordinates", "", "A projected system in metres such as EPSG:25832, for GeoTIFF.", empty="local"),
    Field("origin", "Origin, m", "", "EAST,NORTH of the land's south-western corner.", empty="0,0"),
)
_PICTURES = (("sheet", "A sheet of all"), ("pictures", "A picture each"))
_SAYS = "fellview: "
_WORDS = ("size", "range", "crs", "origin", "maps", "triangles")
"""Fields of a program's page that are options of the command line, too."""
_USUAL_SIDES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)  # offered where a program takes any


def pages(folder: Path, shelved: int = 0) -> tuple[Page, ...]:
    """Return all pages, of which those that write into a folder propose `folder`.

    One is of the whole shelf where so many lands are `shelved`.
    """
    into = Field("folder", "Folder", str(folder), "Where the files go; it is made where there is none.")
    return (
        Page(
            HEIGHTS,
            "The heights, or a mask, as they are.",
            (
                Field("what", "What", "", "Heights, or a mask that the land has.", _layers()),
                Field("format", "Format", ".png 16", "16 bits have 65,536 steps, 32 are metres.", _formats()),
                _RANGE,
                *_PLACE,
            ),
        ),
        *(_page_of(one, into) for one in TARGETS),
        Page(
            MESH,
            "The land's surface with its colours, for other 3-D programs.",
            (
                _TRIANGLES,
                _ERROR,
                Field("levels", "Levels", "1", "Meshes in one GLB, each with a quarter of the triangles of the last."),
                replace(_TEXELS, tip="How fine the colours are; 0 leaves them out."),
            ),
        ),
        Page(
            PRINT,
            "A closed body in mm, for a 3-D printer.",
            (
                Field("slab", "Base, mm", f"{DEFAULT_BASE_MM:g}", "What lies under the lowest ground: thin may break."),
                Field("scale", "Scale, 1 :", "", "High is a small print.", empty="longer side 150 mm"),
                _TRIANGLES,
                _ERROR,
            ),
        ),
        Page(
            MAPS,
            "What the ground is made of, as pictures: colours, normals, weights of materials.",
            (
                Field("maps", "Maps", "all", f"All, or some of {', '.join(map_files.MAPS)}, with commas between."),
                _TEXELS,
                Field(
                    "normals",
                    "Normals",
                    map_files.NORMALS[0],
                    "Which way their green grows: to the north, or to the south.",
                    (("opengl", "OpenGL, to the north"), ("directx", "DirectX, to the south")),
                ),
                Field(
                    "tile", "Tile, texels", "", "Cuts maps into squares that share their edges.", empty="one picture"
                ),
                into,
            ),
            "Export",
        ),
        *((_page_of_shelf(shelved, into),) if shelved else ()),
    )


def _page_of_shelf(shelved: int, into: Field) -> Page:
    """Return the page of the whole shelf, of so many lands."""
    kinds = tuple((one.suffixes[0], f"Heights, {one.title}") for one in registry.FORMATS if one.write)
    return Page(
        SHELF,
        f"All {shelved} kept lands, computed anew: a sheet of pictures, a picture each, or heights over one range.",
        (
            Field("what", "What", "sheet", "A sheet is one picture of all.", (*_PICTURES, *kinds)),
            Field("size", "Picture, pixels", "", "WIDTHxHEIGHT of one picture.", empty="320x200 on a sheet"),
            replace(_RANGE, empty="lowest to highest of all"),
            into,
        ),
        "Export",
    )


def _layers() -> tuple[tuple[str, str], ...]:
    return ("", "Heights"), *((one.name, one.title) for one in FIELDS.values())


def _formats() -> tuple[tuple[str, str], ...]:
    """Return every format and number of bits that heights are written in, and what it is called."""
    written = [(one, bits) for one in registry.FORMATS if one.write for bits in one.bits]
    named = {REAL: "metres, float32"}
    return tuple(
        (f"{one.suffixes[0]} {bits}", f"{one.title}, {named.get(bits, f'{bits} bits')}") for one, bits in written
    )


def _page_of(target: Target, into: Field) -> Page:
    """Return the page of a program."""
    sides = target.sizes or tuple(side for side in _USUAL_SIDES if target.takes(side))
    sizes = tuple((str(side), str(side)) for side in sides)
    return Page(
        target.title,
        f"Heights as {target.title} takes them, computed anew, and a text of what to type there.",
        (
            Field("size", "Cells a side", str(target.size), "Many take longer, and show more.", sizes),
            *((_RANGE,) if target.bits == WORDS else ()),
            *(_PLACE if target.georeferenced else ()),
            Field("maps", "Maps of the ground", "", f"All, or some of {', '.join(map_files.MAPS)}.", empty="none"),
            Field(
                "triangles", "Triangles of a GLB", "", "A mesh beside the heights, of so many at most.", empty="no mesh"
            ),
            into,
        ),
        "Export",
    )


def chosen(page: str, texts: Mapping[str, str], rows: int, columns: int, shelf: Shelf | None = None) -> Export:
    """Return the export that a `page` is filled in for, of a land of so many cells, or of a whole `shelf`.

    `InputError` names what will not do.
    """
    if page == SHELF:
        assert shelf is not None
        return _shelf(texts, shelf)
    for target in TARGETS:
        if page == target.title:
            return _for_program(target, texts)
    export = {HEIGHTS: _heights, MESH: _mesh, PRINT: _print, MAPS: _maps}[page](texts)
    if texels := _whole("texels", texts.get("texels", "")):
        ground_maps.shape(rows, columns, texels)
    return export


def _heights(texts: Mapping[str, str]) -> Export:
    suffix, bits = texts["format"].split()
    of_format, _ = registry.writer(Path(f"land{suffix}"))
    usual = heights.Options(0, _range(texts["range"]), georeference=georeference.named(texts["crs"], texts["origin"]))
    heights.require_georeference(of_format, usual.georeference)
    mask = texts["what"]

    def require(path: Path) -> None:
        heights.require_georeference(registry.writer(path)[0], usual.georeference)

    def write(path: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        sea = scene.water.sea_level if scene.water.enabled and scene.water.sea else None
        own = path.suffix.lower() in of_format.suffixes  # a name with another suffix has that one's usual numbers
        options = replace(usual, bits=int(bits) if own else 0, sea_level=sea)
        _, told = heights.export(path, land, scenes.to_text(scene, path.parent), mask, options)
        return [*told, f"Exported {path}"]

    file = Asked(f"Export as {of_format.title}", of_format.suffixes, f"{mask or 'heights'}{suffix}")
    return Export(write, file=file, require=require, masks=frozenset({mask} - {""}))


def _mesh(texts: Mapping[str, str]) -> Export:
    levels = _whole("levels", texts["levels"])
    wanted = Wanted(
        _whole("triangles", texts["triangles"]), _real("error", texts["error"]), 1 if levels is None else levels
    )
    suffixes = (mesh_files.GLB,) if wanted.levels > 1 else tuple(mesh_files.SUFFIXES)
    options = mesh_files.Options(wanted, _whole("texels", texts["texels"]) or 0)
    return _mesh_export(options, Asked("Export a mesh", suffixes, "land.glb"))


def _print(texts: Mapping[str, str]) -> Export:
    printed = Print(_real("slab", texts["slab"]) or 0.0, _real("scale", texts["scale"]))
    wanted = Wanted(_whole("triangles", texts["triangles"]), _real("error", texts["error"]))
    options = mesh_files.Options(wanted, 0, printed)
    return _mesh_export(options, Asked("Export a body to be printed", (mesh_files.STL,), "land.stl"))


def _mesh_export(options: mesh_files.Options, file: Asked) -> Export:
    def write(path: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        told: list[str] = []
        colour = None
        if mesh_files.needs_colour(path, options):
            colour = drawn.maps(scene, land, options.texels, report=work.report, notice=told.append).colour
        work.report("triangles", 0.0)
        told += mesh_files.export(path, land, scenes.to_text(scene, path.parent), scene.name, options, colour)
        return [*told, f"Exported {path}"]

    return Export(write, file=file, require=lambda path: mesh_files.paths(path, options))


def _maps(texts: Mapping[str, str]) -> Export:
    options = map_files.Options(
        map_files.chosen(texts["maps"]),
        _whole("texels", texts["texels"]) or 0,
        texts["normals"],
        _whole("tile", texts["tile"]) or 0,
    )

    def write(folder: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        told: list[str] = []
        maps = None
        if options.needs_drawing:
            maps = drawn.maps(scene, land, options.texels, report=work.report, notice=told.append)
        written = map_files.export(folder, land, scenes.to_text(scene, folder), options, maps, work.report)
        return [*told, f"Exported {len(written) - 1} maps; {written[-1]} says what they are"]

    masks = frozenset({DRAINAGE} if "drainage" in options.maps else ())
    return Export(write, "maps", folder_of(texts["folder"]), masks=masks)


def _for_program(target: Target, texts: Mapping[str, str]) -> Export:
    """Return the export for `target`; what is typed goes on as words of a command line."""
    words = [f"--{name}={texts[name]}" for name in _WORDS if texts.get(name)]
    target.require_size(int(texts["size"]))
    _range(texts.get("range", ""))
    georeference.named(texts.get("crs", ""), texts.get("origin", ""))
    if texts["maps"]:
        map_files.Options(map_files.chosen(texts["maps"]))
    Wanted(_whole("triangles", texts["triangles"]))

    def write(folder: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        return export_for(target, scene, folder, words, work)

    return Export(write, f"files for {target.title}", folder_of(texts["folder"]))


def _shelf(texts: Mapping[str, str], shelf: Shelf) -> Export:
    """Return the export of a whole shelf; what is typed goes on as words of a command line."""
    what, size = texts["what"], texts["size"]
    words = [f"--size={size}"] if size else []
    if what == "sheet":
        command = ["sheet", *words]
    elif what == "pictures":
        command = ["render", *words]
    else:
        _range(texts["range"])
        command = ["export", "--suffix", what, *([f"--range={texts['range']}"] if texts["range"] else [])]
    if size:
        capture.size_of(size)

    def write(folder: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        return export_shelf(shelf, folder / "sheet.png" if what == "sheet" else folder, command, work)

    return Export(write, "the shelf", folder_of(texts["folder"]))


def export_shelf(shelf: Shelf, out: Path, command: Sequence[str], work: Work) -> list[str]:
    """Have a `command` of the command line write `shelf` to `out`; return what to tell the person, a line each.

    `FellviewError` and `Cancelled` as `run` has them.
    """
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "shelf.toml"
        path.write_text(project.to_text(shelf), encoding="utf-8")  # at once
        told, _ = run([*command, "--shelf", str(path), "-o", str(out.absolute())], "the shelf", work)
    return [*told, f"Exported {out}, {len(shelf)} lands"]


def of_deck(deck: Deck) -> Export:
    """Return the export of a page of the slides of `deck`; `InputError` where their lands do not go on one."""
    html_page.lands_of(deck)

    def write(path: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        with tempfile.TemporaryDirectory() as place:
            source = Path(place) / "deck.toml"
            source.write_text(deck_file.to_text(deck), encoding="utf-8")  # at once
            told, _ = run(["page", str(source), "-o", str(path.absolute())], path.name, work)
        return [*told, f"Exported {path}, {len(deck)} slides"]

    file = Asked("Export the slides as a page for any browser", html_page.SUFFIXES, "slides.html")
    return Export(write, file=file, require=lambda path: html_page.require(path, 1))


def of_page(shelf: Shelf) -> Export:
    """Return the export of a page: the land, and beside it kept lands with a star, as many as go on one."""

    def write(path: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        starred = [replace(one.scene, name=one.name) for one in shelf.variants if one.star and one.scene != scene]
        return export_page([scene, *starred][: html_page.MOST_LANDS], path, work)

    file = Asked("Export a page for any browser", html_page.SUFFIXES, "land.html")
    return Export(write, file=file, require=lambda path: html_page.require(path, 1))


def export_page(lands: Sequence[Scene], path: Path, work: Work) -> list[str]:
    """Write a page of `lands` to `path`; return what to tell the person, a line each.

    `FellviewError` and `Cancelled` as `run` has them.
    """
    with tempfile.TemporaryDirectory() as place:
        recipes = [Path(place) / f"{number}.toml" for number in range(len(lands))]
        for recipe, scene in zip(recipes, lands, strict=True):
            recipe.write_text(scenes.to_text(scene, recipe.parent), encoding="utf-8")  # at once
        told, _ = run(["page", *map(str, recipes), "-o", str(path.absolute())], path.name, work)
    others = len(lands) - 1
    beside = f", with {others} kept {'land' if others == 1 else 'lands'} to compare" if others else ""
    return [*told, f"Exported {path}{beside}"]


class ProcessError(FellviewError):
    """A process that has failed: its last line says why, and `told` are all its lines."""

    def __init__(self, told: list[str]) -> None:
        super().__init__(told[-1])
        self.told = told


def run(command: Sequence[str], title: str, work: Work) -> tuple[list[str], list[str]]:
    """Have a `command` of the command line done by a process of its own; return what it told, and the files it named.

    `ProcessError` where it fails, `Cancelled` where it is not wanted any more.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fellview", *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=os.environ | {attended.ENVIRONMENT: "1"},
        )
        told = _attended(process, work)
        work.check()
        if process.returncode != 0:
            raise ProcessError(told or [f"{title}: export ended with status {process.returncode}"])
        out.seek(0)
        return told, out.read().splitlines()


def export_for(target: Target, scene: Scene, folder: Path, words: Sequence[str], work: Work) -> list[str]:
    """Write the land of `scene` into `folder` for `target`, and return what to tell the person, a line each.

    `words` are more of the command line. `FellviewError` with the process's own last line where it fails, `Cancelled`
    where it is not wanted any more.
    """
    with tempfile.TemporaryDirectory() as place:
        recipe = Path(place) / "scene.toml"
        recipe.write_text(scenes.to_text(scene, recipe.parent), encoding="utf-8")  # at once
        command = ["export", str(recipe), "--for", target.name, "-o", str(folder.absolute()), *words]
        told, files = run(command, target.title, work)
    path, text, *_ = files
    return [*told, f"Exported {path}; what to type in {target.title} stands in {Path(text).name}"]


def _attended(process: subprocess.Popen[str], work: Work) -> list[str]:
    """Pass on how far `process` is, have it end where that is not wanted any more, and return what else it tells."""
    assert process.stdin is not None and process.stderr is not None
    told = []
    with process, contextlib.closing(process.stdin):
        work.when_cancelled(process.stdin.close)
        for line in process.stderr:
            if reported := attended.reported(line):
                step, fraction = reported
                with contextlib.suppress(Cancelled):  # it ends by itself then
                    work.report(step, fraction)
            elif line.strip():
                told.append(line.strip().removeprefix(_SAYS))
        process.wait()  # for its end, before its input is closed
    return told


def _range(text: str) -> tuple[float, float] | None:
    return heights.height_range(text) if text else None


def folder_of(text: str) -> Path:
    """Return the folder that `text` names, which need not be there yet."""
    folder = paths.named(text)
    if not text or (paths.is_there(folder) and not paths.is_folder(folder)):
        raise InputError(f"folder = {quoted(text)}: expected a folder, there already or to be made")
    return folder


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
