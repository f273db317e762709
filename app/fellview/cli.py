"""The command line. Everything heavy is imported by the command that needs it, so that help comes at once."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fellview.core.errors import FellviewError, InputError, named, one_line, quoted

if TYPE_CHECKING:
    from fellview.batch.batch import Batch
    from fellview.core.height_field import HeightField
    from fellview.core.parameters import Value
    from fellview.export.map_files import Options as MapOptions
    from fellview.export.mesh_files import Options as MeshOptions
    from fellview.io.heights import Options as HeightOptions
    from fellview.scene.scene import Scene
    from fellview.studio.project import Project
    from fellview.studio.shelf import Shelf
    from fellview.targets.export import Beside
    from fellview.targets.target import Target

_SCENE_HELP = "a preset's name, a .toml file, a picture that Fellview saved, a height map, or a short text"
_COMMANDS = ("view", "render", "export", "sheet", "diff", "info", "bench", "warm-up")
_WRONG_INPUT = 2  # exit status
_UNGIVEN: dict[str, Any] = {
    "mask": "",
    "bits": 0,
    "set": [],
    "find_view": False,
}  # options of export; of all others it is None
_SIZE = re.compile(r"(\d{1,6})[xX](\d{1,6})", re.ASCII)
_SHEET_SAMPLES = 4
_SLOW_S = 1.0  # work longer than this shows its progress
_TOLD_EVERY_S = 0.1  # whoever attends to this process shows it in a window


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0, or 2 after one line that says what was wrong."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        words.insert(0, "view")  # `fellview` and `fellview SCENE` start the viewer
    _open_closed_streams()
    status = 0
    remarks: Sequence[str] = ()
    try:
        try:
            options = _parser().parse_args(words)
            remarks = options.run(options) or ()
        except SystemExit as end:  # after help, or a line on a word that is none
            status = int(end.code or 0)
        except FellviewError as fault:
            status = _WRONG_INPUT
            _notice(str(fault))
        sys.stdout.flush()  # here and not at exit, where Python would complain on its own
    except KeyboardInterrupt:
        return 130  # what a shell reports for Ctrl+C
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone
    except OSError as fault:
        _drop_output()
        _notice(str(fault))
        return _WRONG_INPUT
    for remark in remarks:
        _notice(remark)
    return status


def _open_closed_streams() -> None:
    """Have what is written to a stream that the caller closed go nowhere.

    Python has none then, and the next file that is opened would take its number, and what drivers print.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - a device, and for as long as the process


def _drop_output() -> None:
    """Send what stands in the buffer of standard output nowhere, so that writing it at exit cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    more_help: Callable[[], str] | None = None
    """Returns what stands below the options. Called when help is asked for, since it may import what is heavy."""

    def format_help(self) -> str:
        """Return the help, with what `more_help` adds."""
        return super().format_help() + (f"\n{self.more_help()}\n" if self.more_help else "")

    def error(self, message: str) -> Any:
        """Say what is wrong in one line, without the usage."""
        _notice(message)
        self.exit(_WRONG_INPUT)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fellview",
        description="Explore procedural terrain: every slider is live, every picture carries its recipe.",
    )
    parser.add_argument("--version", action="store_const", const=_version, dest="run", help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND")

    view = commands.add_parser("view", help="open the viewer (what plain `fellview` does)")
    _add_scene(view)
    view.add_argument("--out", type=Path, metavar="FOLDER", help="where pictures go; default: your pictures folder")
    view.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="the window; default 1280x720")
    view.add_argument(
        "--safe", action="store_true", help="without the last session, caches and textures of your own; they stay"
    )
    view.set_defaults(run=_view)

    render = commands.add_parser("render", help="draw a scene to a PNG that carries its recipe")
    _add_scene(render)
    render.add_argument("--shelf", type=Path, metavar="FILE", help="all kept lands of a project, into the folder -o")
    render.add_argument("-o", "--out", type=Path, required=True, metavar="P.png")
    render.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="default 1280x720")
    render.add_argument("--seed", type=int, metavar="N", help="short for --set noise.seed=N")
    render.add_argument("--find-view", action="store_true", help="from the best of some hundred places over the land")
    render.add_argument("--samples", type=int, default=4, metavar="N", help="samples a pixel, 1 to 64; default 4")
    render.set_defaults(run=_render)

    export = commands.add_parser(
        "export", help="write heights, a mask, a mesh, maps of the ground, or what a program takes"
    )
    export.more_help = _formats_and_masks
    _add_scene(export)
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
    export.add_argument("--size", type=int, default=0, metavar="N", help="cells along the longer side, computed anew")
    export.add_argument("--bits", type=int, default=0, metavar="N", help="of a number: 8, 16 or 32, as formats have it")
    export.add_argument(
        "--range",
        metavar="LOW:HIGH",
        help="metres that the lowest and the highest number stand for, or own: those of the land",
    )
    export.add_argument("--crs", metavar="EPSG:N", help="of GeoTIFF and maps: a projected one in metres")
    export.add_argument("--origin", metavar="E,N", help="where the land's south-western corner lies")
    _add_mesh_and_maps(export)
    export.set_defaults(run=_export)

    sheet = commands.add_parser("sheet", help="draw variants of a scene, as one labelled PNG")
    _add_scene(sheet)
    sheet.add_argument("--vary", action="append", metavar="group.name=VALUES", help="1,2,3 or low:high:count")
    sheet.add_argument("--disperse", type=int, metavar="N", help="the N variants by chance that differ most")
    sheet.add_argument("--random", type=int, metavar="N", help="N variants by chance")
    sheet.add_argument("--shelf", type=Path, metavar="FILE", help="the kept lands of a project")
    sheet.add_argument(
        "--lock",
        action="append",
        metavar="NAME",
        help="a group or group.name that chance leaves alone, as it does camera and light",
    )
    sheet.add_argument("--amount", type=float, metavar="A", help="of chance: 0, a nudge, to 1, anything; default 0.5")
    sheet.add_argument("--seed", type=int, metavar="N", help="of chance; default 0")
    _add_batch(sheet)
    sheet.add_argument("-o", "--out", type=Path, required=True, metavar="P.png")
    sheet.add_argument("--size", type=_size, default=(320, 200), metavar="WxH", help="of one picture; default 320x200")
    sheet.set_defaults(run=_sheet)

    diff = commands.add_parser("diff", help="print in which parameters two scenes differ, a line each, and draw how")
    diff.add_argument("old", metavar="A", help=_SCENE_HELP)
    diff.add_argument("new", metavar="B", help="what it is compared with, likewise")
    diff.add_argument("--picture", type=Path, metavar="P.png", help="draw the land of B by its difference in height")
    diff.add_argument("--size", type=_size, metavar="WxH", help="of the picture; default 1280x720")
    _add_engine(diff)
    diff.set_defaults(run=_diff)

    warm_up = commands.add_parser("warm-up", help="compile the presets' kernels and shaders now, which takes minutes")
    warm_up.add_argument(
        "--opening", action="store_true", help="only those of the first window's scene, unless that is done already"
    )
    warm_up.add_argument("--beside-window", action="store_true", help=argparse.SUPPRESS)  # which starts it so
    warm_up.set_defaults(run=_warm_up)

    info = commands.add_parser("info", help="show OpenGL renderer, engine, versions and folders")
    _add_engine(info)
    info.set_defaults(run=_info)

    bench = commands.add_parser(
        "bench", help="measure this machine: demo, engines, landforms, erosion, draw, live, explore, or all"
    )
    bench.add_argument("name", nargs="?", default="all", metavar="NAME")
    bench.add_argument("scenes", nargs="*", metavar="SCENE", help="for live: the presets to measure; all if none")
    bench.add_argument("--only", default="", metavar="A,B", help="for live: the measurements; a wrong one lists all")
    bench.add_argument("--brief", action="store_true", help="for live: two seconds each, to see roughly how it stands")
    _add_engine(bench)
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.set_defaults(run=_bench)
    return parser


def _add_scene(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", nargs="?", metavar="SCENE", help=_SCENE_HELP)
    parser.add_argument(
        "--set", action="append", default=[], metavar="group.name=value", help="change a parameter; can be given again"
    )
    _add_engine(parser)


def _add_batch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, metavar="N", help="processes of this machine that do it; default 1")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster does it: tls://HOST:PORT, or tcp://127.0.0.1:PORT"
    )


def _add_mesh_and_maps(parser: argparse.ArgumentParser) -> None:
    mesh = parser.add_argument_group("meshes")
    mesh.add_argument("--triangles", type=int, metavar="N", help="at most so many; default: two for every cell")
    mesh.add_argument("--error", type=float, metavar="M", help="as few as leave no height more than M metres off")
    mesh.add_argument("--levels", type=int, metavar="N", help="meshes in a GLB, each with a quarter of the triangles")
    mesh.add_argument("--slab", type=float, metavar="MM", help="a closed body to be printed, its base so thick")
    mesh.add_argument("--scale", type=float, metavar="N", help="printed at 1 : N; default: the longer side is 150 mm")
    maps = parser.add_argument_group("maps of the ground")
    maps.add_argument("--maps", metavar="A,B", help="write maps into the folder FILE: those below, or all")
    maps.add_argument("--texels", type=int, metavar="N", help="a cell, 1 to 16; default 1; 0: a mesh without colours")
    maps.add_argument("--normals", metavar="opengl|directx", help="whether their green grows to the north or the south")
    maps.add_argument("--tile", type=int, metavar="N", help="in tiles of N texels a side that share their edges")


def _add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        default="auto",
        metavar="auto|cpu|gpu",
        help="what computes the heights; auto, the default, is the GPU where OpenGL is hardware",
    )


def _size(text: str) -> tuple[int, int]:
    sides = _SIZE.fullmatch(text)
    if sides is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: expected WIDTHxHEIGHT in pixels, such as 1920x1080")
    return int(sides[1]), int(sides[2])


def _require_engine(options: argparse.Namespace) -> None:
    from fellview.gpu.choice import require_engine

    require_engine(options.engine)


def _notice(text: str) -> None:
    """Print a line on standard error, where there is still someone to read it."""
    with contextlib.suppress(OSError):
        print(f"fellview: {one_line(text)}", file=sys.stderr)


def _tell(path: Path) -> None:
    """Print where something was written."""
    print(one_line(str(path)))


def _loaded(source: str) -> Scene:
    """Return the scene `source`, and tell what a person should know of it."""
    from fellview.io import scenes

    scene, notices = scenes.load_with_notices(source)
    for notice in notices:
        _notice(notice)
    return scene


def _scene(options: argparse.Namespace) -> Scene:
    from fellview.heightmaps import height_file
    from fellview.io import imports, scenes

    _require_engine(options)
    scene = _loaded(scenes.OPENING_PRESET if options.scene is None else options.scene)
    changes: dict[str, Value] = {}
    for text in options.set:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set {named(text)}: expected group.name=value")
        _, _, declaration = scene.find(key)
        changes[key] = declaration.parsed(key, value)
    path = changes.get("imported.path")
    if path and changes.get("imported.enabled", True):  # the file as it is now, the way round that an import takes it
        turned = height_file.read(Path(str(path))).north_first
        changes = {"imported.enabled": True, "imported.sha256": "", "imported.rows_reversed": turned, **changes}
    scene, notices = imports.found(scene.replace(changes), Path.cwd())
    if notices:
        raise InputError(notices[0])
    return scene


def _heights(scene: Scene, engine: str) -> HeightField:
    from fellview.library import generate_with_notices

    with _progress_line() as report:
        return generate_with_notices(scene, engine, report, _notice)


@contextlib.contextmanager
def _progress_line() -> Any:
    """Give a report function that shows a line on a terminal when the work takes longer than a second.

    A process that attends to this one is told instead.
    """
    from fellview.core import attended

    start = told = time.monotonic()
    shown = False

    def report(step: str, fraction: float) -> None:
        nonlocal shown, told
        if attended.is_attended():
            if time.monotonic() - told > _TOLD_EVERY_S:
                told = time.monotonic()
                attended.report(step, fraction)
        elif sys.stderr.isatty() and time.monotonic() - start > _SLOW_S:
            print(f"\r{step} {fraction:4.0%} \x1b[K", end="", file=sys.stderr, flush=True)
            shown = True

    try:
        yield report
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _view(options: argparse.Namespace) -> None:
    from fellview.core import garbage

    with garbage.unsearched():
        from fellview.capture.capture import require_size
        from fellview.desktop.viewer import run

    require_size(options.size)
    _require_engine(options)
    opened = _project(options)
    if opened is not None:
        scene: Scene | None = opened.shelf.variants[0].scene
    else:
        scene = _scene(options) if options.scene is not None or options.set else None
    run(scene, options.size, options.out, engine=options.engine, safe=options.safe, opened=opened)


def _project(options: argparse.Namespace) -> Project | None:
    """Return the project that the scene's word names; none where that is something else."""
    from fellview.io import scenes
    from fellview.studio import project

    if options.scene is None or options.scene in scenes.presets() or not project.is_project(Path(options.scene)):
        return None
    if options.set:
        raise InputError(f"--set {named(options.set[0])}: is not taken with a project")
    opened = project.load(Path(options.scene))
    if not opened.shelf.variants:
        raise InputError(f"{options.scene}: a project without lands: expected at least one")
    return opened


def _render(options: argparse.Namespace) -> Sequence[str]:
    from fellview.core import garbage

    with garbage.unsearched():
        from fellview.capture import capture
        from fellview.io import atomic, pictures
        from fellview.terrain.pipeline.pipeline import remarks

    low, high = capture.SAMPLES
    if not low <= options.samples <= high:
        raise InputError(f"--samples {options.samples}: expected {low} to {high}")
    capture.require_size(options.size)
    shelf = _shelf(options)
    if shelf is not None:
        _refuse(options, ("seed", "find_view"), "with --shelf")
        _render_shelf(options, shelf)
        return []
    pictures.require_suffix(options.out)
    atomic.require_writable(options.out)
    if options.seed is not None:
        options.set.append(f"noise.seed={options.seed}")
    scene = _scene(options)
    field = _heights(scene, options.engine)
    if options.find_view:
        scene = _well_seen(scene, field, options.size)
    pixels = capture.picture(scene, field, options.size, options.samples, _notice)
    capture.save(options.out, scene, pixels)
    _tell(options.out)
    return remarks(scene.terrain_groups())


def _well_seen(scene: Scene, field: HeightField, size: tuple[int, int]) -> Scene:
    """Return `scene` from the best view of its land, `field`."""
    from fellview.viewpoints import find

    found = find.find(scene, field, 1, size[0] / size[1])
    if not found:
        _notice("--find-view: the ground is in the way wherever one stands; the camera stays")
        return scene
    return scene.with_group(found[0].camera)


def _export(options: argparse.Namespace) -> Sequence[str]:
    from fellview.export import mesh_files

    of_maps, of_meshes = ("normals", "tile"), ("triangles", "error", "levels", "slab", "scale")
    of_heights, of_place = ("mask", "bits", "range"), ("crs", "origin")
    shelf = _shelf(options)
    if shelf is not None:
        _refuse(options, ("target", "mask", "maps", "texels", *of_maps, *of_meshes), "with --shelf")
        return _export_shelf(options, shelf)
    _refuse(options, ("suffix",), "without --shelf")
    if options.target is not None:
        _refuse(options, ("slab", "scale"), "with --for")
        if options.maps is None:
            _refuse(options, of_maps, "without --maps")
        return _export_for_target(options)
    if options.maps is not None:
        _refuse(options, (*of_heights, *of_meshes), "with --maps")
        return _export_maps(options)
    if mesh_files.is_mesh(options.out):
        _refuse(options, (*of_heights, *of_place, *of_maps), "with a mesh")
        return _export_mesh(options)
    meshes = ", ".join(mesh_files.SUFFIXES)
    _refuse(options, of_meshes, f"with {options.out.name}: expected a mesh, {meshes}")
    _refuse(options, ("texels", *of_maps), f"without --maps or a mesh, {meshes}")
    return _export_heights(options)


def _refuse(options: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Raise `InputError` for the first of the options `names` that was given."""
    for name in names:
        if (value := getattr(options, name)) != _UNGIVEN.get(name):
            option = name.replace("_", "-")
            raise InputError(f"--{option} {named(str(value))}: is not taken {why}")


def _export_heights(options: argparse.Namespace) -> Sequence[str]:
    from fellview.heightmaps import registry, sidecar
    from fellview.io import atomic, heights, scenes
    from fellview.terrain.pipeline.pipeline import remarks

    registry.writer(options.out)  # which refuses a suffix that none writes
    atomic.require_writable(options.out, sidecar.path_of(options.out))
    scene = _sized_scene(options)
    text = scenes.to_text(scene, options.out.parent)
    how = _height_options(options, scene)
    _, told = heights.export(options.out, _heights(scene, options.engine), text, options.mask, how)
    _tell(options.out)
    return [*told, *remarks(scene.terrain_groups())]


def _export_for_target(options: argparse.Namespace) -> Sequence[str]:
    from fellview.core import attended
    from fellview.io import atomic
    from fellview.targets import export, registry

    target = registry.target(options.target)
    for name in ("mask", "bits"):
        if getattr(options, name):
            raise InputError(f"--{name} {getattr(options, name)}: expected none with --for")
    beside = _beside(options, target)
    scene = _scene(options)
    how = _height_options(options, scene)

    def heights(one: Scene) -> HeightField:
        return _heights(one, options.engine)

    if attended.is_attended():
        attended.end_with_attention(atomic.abandon)
    with atomic.all_or_none():
        done = export.export(scene, target, options.out, heights, options.size, how, beside)
    for path in done.files:
        _tell(path)
    print(done.text, end="")
    return done.remarks


def _height_options(options: argparse.Namespace, scene: Scene) -> HeightOptions:
    from fellview.heightmaps import georeference
    from fellview.io import heights

    sea = scene.water.sea_level if scene.water.enabled and scene.water.sea else None
    low_and_high = None if options.range is None else heights.height_range(options.range)
    return heights.Options(options.bits, low_and_high, sea, georeference.named(options.crs or "", options.origin or ""))


def _sized_scene(options: argparse.Namespace) -> Scene:
    scene = _scene(options)
    return scene.with_longer_side(options.size) if options.size else scene


def _export_mesh(options: argparse.Namespace) -> Sequence[str]:
    from fellview.export import mesh_files
    from fellview.io import atomic
    from fellview.terrain.pipeline.pipeline import remarks

    how = _mesh_options(options)
    atomic.require_writable(*mesh_files.paths(options.out, how))
    scene = _sized_scene(options)
    files, told = _write_mesh(options.out, scene, _heights(scene, options.engine), how)
    for path in files:
        _tell(path)
    return [*told, *remarks(scene.terrain_groups())]


def _export_maps(options: argparse.Namespace) -> Sequence[str]:
    from fellview.draw.ground import ground_maps
    from fellview.export import map_files
    from fellview.io import atomic
    from fellview.terrain.pipeline.pipeline import remarks

    how = _map_options(options)
    atomic.require_writable(map_files.facts_path(options.out, how))
    scene = _sized_scene(options)
    ground_maps.shape(scene.grid.rows, scene.grid.columns, how.texels)
    field = _heights(scene, options.engine)
    with atomic.all_or_none():
        files = _write_maps(options.out, scene, field, how)
    for path in files:
        _tell(path)
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

        with _progress_line() as report:
            colour = drawn.maps(scene, field, how.texels, report=report, notice=_notice).colour
    told = mesh_files.export(path, field, scenes.to_text(scene, path.parent), scene.name, how, colour)
    return list(mesh_files.paths(path, how)), told


def _write_maps(folder: Path, scene: Scene, field: HeightField, how: MapOptions) -> list[Path]:
    """Write maps of the ground under `field`; return the files."""
    from fellview.export import drawn, map_files
    from fellview.io import scenes

    with _progress_line() as report:
        maps = None
        if how.needs_drawing:
            maps = drawn.maps(scene, field, how.texels, how.in_cells, report, _notice)
        return map_files.export(folder, field, scenes.to_text(scene, folder), how, maps, report)


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


def _version(options: argparse.Namespace) -> None:
    from fellview.version import VERSION

    print(f"fellview {VERSION}")


def _sheet(options: argparse.Namespace) -> None:
    from fellview.batch import batch as batches
    from fellview.capture import capture, contact_sheet
    from fellview.io import atomic, pictures

    given = [name for name in ("vary", "disperse", "random", "shelf") if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError(f"sheet: {len(given)} of --vary, --disperse, --random and --shelf; expected one of them")
    if options.vary or options.shelf:
        _refuse(options, ("lock", "amount", "seed"), f"with --{given[0]}")
    shelf = _shelf(options)
    if options.workers is not None and options.scheduler is not None:
        raise InputError(f"--workers {options.workers}: is not taken with --scheduler")
    pictures.require_suffix(options.out)
    atomic.require_writable(options.out)
    capture.require_size(options.size)
    scene = _scene(options) if shelf is None else shelf.variants[0].scene
    workers = 1 if options.workers is None else options.workers
    with batches.opened(workers, options.scheduler or "") as batch, _progress_line() as report:
        if shelf is not None:
            labelled = contact_sheet.shelved(shelf)
            across = contact_sheet.in_lines(len(labelled))
        elif options.vary:
            variations = [contact_sheet.variation(scene, text) for text in options.vary]
            labelled, across = contact_sheet.combinations(scene, variations)
        else:
            found = _by_chance(options, scene, batch, report)
            labelled, across = contact_sheet.numbered(found, scene), contact_sheet.in_lines(len(found))
        apart = None if workers == 1 and not options.scheduler else batch
        pixels = contact_sheet.sheet(
            labelled, across, options.size, _SHEET_SAMPLES, report, options.engine, _notice, apart
        )
    capture.save(options.out, scene, pixels)
    _tell(options.out)


def _shelf(options: argparse.Namespace) -> Shelf | None:
    """Return the shelf of the project that `options` name, with its files found; none where they name none."""
    from fellview.core import attended
    from fellview.io import atomic, imports
    from fellview.studio import project
    from fellview.studio.shelf import Shelf

    if options.shelf is None:
        return None
    if options.scene is not None:
        raise InputError(f"SCENE {named(options.scene)}: is not taken with --shelf")
    _refuse(options, ("set",), "with --shelf")
    _require_engine(options)
    if attended.is_attended():
        attended.end_with_attention(atomic.abandon)
    opened = project.load(options.shelf)
    for notice in opened.notices:
        _notice(notice)
    if not opened.shelf.variants:
        raise InputError(f"{options.shelf}: a project without lands: expected at least one")
    variants = []
    for one in opened.shelf.variants:
        scene, notices = imports.found(one.scene, options.shelf.absolute().parent)
        if notices:
            raise InputError(f"{one.name}: {notices[0]}")
        variants.append(dataclasses.replace(one, scene=scene))
    return Shelf(tuple(variants))


def _render_shelf(options: argparse.Namespace, shelf: Shelf) -> None:
    from fellview.capture import capture, contact_sheet
    from fellview.io import atomic
    from fellview.studio.shelf import stems

    files = [options.out / f"{stem}.png" for stem in stems(shelf)]
    atomic.require_writable(*files)
    with _progress_line() as report:
        found = contact_sheet.drawn(
            [one.scene for one in shelf.variants], options.size, options.samples, report, options.engine, _notice
        )
    with atomic.all_or_none():
        for path, one, pixels in zip(files, shelf.variants, found, strict=True):
            capture.save(path, one.scene, pixels)
    for path in files:
        _tell(path)


def _export_shelf(options: argparse.Namespace, shelf: Shelf) -> Sequence[str]:
    from fellview.export import shelf_heights
    from fellview.io import atomic

    if options.size:
        variants = [dataclasses.replace(one, scene=one.scene.with_longer_side(options.size)) for one in shelf.variants]
        shelf = dataclasses.replace(shelf, variants=tuple(variants))
    how = _height_options(options, shelf.variants[0].scene)
    with atomic.all_or_none():
        files, (low, high), told = shelf_heights.export(
            options.out, shelf, options.suffix or ".png", lambda scene: _heights(scene, options.engine), how
        )
    for path in files:
        _tell(path)
    return [*told, f"all {len(files)} lands over one range: {low:.10g} to {high:.10g} m"]


def _by_chance(
    options: argparse.Namespace, scene: Scene, batch: Batch, report: Callable[[str, float], None]
) -> list[Scene]:
    """Return the variants of `scene` by chance that `options` ask for."""
    from fellview import variants

    locked = variants.LOCKED | frozenset(options.lock or ())
    amount = variants.AMOUNT if options.amount is None else options.amount
    seed = options.seed or 0
    if options.disperse is not None:
        candidates = max(variants.CANDIDATES, options.disperse)

        def told(fraction: float) -> None:
            report("measuring", fraction)

        return variants.disperse(scene, options.disperse, candidates, amount, seed, locked, batch, told)
    return variants.some(scene, options.random, amount, seed, locked)


def _diff(options: argparse.Namespace) -> None:
    from fellview.studio import differences

    _require_engine(options)
    size = options.size or (1280, 720)
    if options.picture is None and options.size is not None:
        raise InputError(f"--size {size[0]}x{size[1]}: is not taken without --picture")
    if options.picture is not None:
        from fellview.capture import capture
        from fellview.io import atomic, pictures

        capture.require_size(size)
        pictures.require_suffix(options.picture)
        atomic.require_writable(options.picture)
    old, new = _loaded(options.old), _loaded(options.new)
    found = differences.differences(old, new)
    print(differences.text(found), end="")
    if not found:
        _notice("the two differ in nothing that has an effect")
    if options.picture is not None:
        _draw_difference(options, old, new, size)


def _draw_difference(options: argparse.Namespace, old: Scene, new: Scene, size: tuple[int, int]) -> None:
    from fellview.capture import capture
    from fellview.library import difference_picture

    lands = [_heights(scene, options.engine) for scene in (old, new)]
    pixels = difference_picture(new, lands[0], lands[1], size, _SHEET_SAMPLES, _notice)
    capture.save(options.picture, new, pixels)
    _tell(options.picture)


def _warm_up(options: argparse.Namespace) -> None:
    from fellview import warm_up
    from fellview.draw import compiled_ahead
    from fellview.io import scenes

    if options.beside_window:
        warm_up.beside_window()
    if options.opening and compiled_ahead.is_done(scenes.load(scenes.OPENING_PRESET)):
        return
    presets = [scenes.OPENING_PRESET] if options.opening else scenes.presets()
    _notice("compiling kernels and shaders, so that no slider waits for it; this takes minutes")
    with _progress_line() as report:
        faults = warm_up.run(presets, report)
    for fault in faults:
        _notice(fault)


def _info(options: argparse.Namespace) -> None:
    from fellview import info

    _require_engine(options)
    print(info.text(options.engine))


def _bench(options: argparse.Namespace) -> None:
    from fellview.bench import bench

    _require_engine(options)
    only = [word for word in options.only.split(",") if word]
    bench.run(options.name, options.json, options.engine, options.scenes, only, options.brief)
