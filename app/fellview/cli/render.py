"""`fellview render`: pictures, and what their pixels show in numbers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import heights_of, scene_of, shelf_of
from fellview.cli.options import Commands, add_scene, pixel_size, refuse, whole
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.capture.shot import Shot
    from fellview.core.height_field import HeightField
    from fellview.scene.scene import Scene
    from fellview.studio.shelf import Shelf


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    render = commands.add_parser("render", help="draw a scene to a picture; a PNG carries its recipe")
    add_scene(render)
    render.add_argument("--shelf", type=Path, metavar="FILE", help="all kept lands of a project, into the folder -o")
    render.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help="P.png, .jpg, .webp or .exr")
    render.add_argument("--size", type=pixel_size, metavar="WxH", help="default 1280x720, or that of the picture SCENE")
    render.add_argument("--seed", type=whole, metavar="N", help="short for --set noise.seed=N")
    render.add_argument("--find-view", action="store_true", help="from the best of some hundred places over the land")
    render.add_argument("--samples", type=whole, metavar="N", help="samples a pixel, 1 to 256; default 4, or as SCENE")
    render.add_argument(
        "--transparent", action="store_true", default=None, help="the land alone, with nothing behind it"
    )
    render.add_argument(
        "--passes",
        metavar="NAMES",
        help="depth, normal, position, heights, materials and masks, by commas: into FILE.exr, or each beside FILE",
    )
    render.set_defaults(run=run)


def run(options: argparse.Namespace) -> Sequence[str]:
    """Draw a scene, or the kept lands of a project; return remarks."""
    from fellview.core import garbage

    with garbage.unsearched():
        from fellview.capture import capture
        from fellview.capture import shot as shots
        from fellview.io import picture_files
        from fellview.terrain.pipeline.pipeline import remarks

    shot = _shot(options)
    shot.require()
    shelf = shelf_of(options)
    if shelf is not None:
        refuse(options, ("seed", "find_view", "transparent", "passes"), "with --shelf")
        _render_shelf(options, shelf, shot)
        return []
    named = "{" in options.out.name  # a name to be filled in, and never that of a file which is there
    if not named:
        shots.require_files(options.out, shot)
    if options.seed is not None:
        options.set.append(f"noise.seed={options.seed}")
    scene = scene_of(options)
    if named:
        options.out = capture.named_path(options.out.parent, options.out.name, scene, shot.size)
        shots.require_files(options.out, shot)
    field = heights_of(scene, options.engine)
    if options.find_view:
        scene = _well_seen(scene, field, shot.size)
    with progress_line() as report, shots.taking() as taker:
        written = taker.take(options.out, scene, field, shot, report, notice)
    for path in written:
        tell(path)
    told: Sequence[str] = remarks(scene.terrain_groups())
    if not picture_files.carries_recipe(options.out):
        told = [f"{options.out}: has no recipe that opens; .png has", *told]
    return told


def _shot(options: argparse.Namespace) -> Shot:
    """Return how the picture is to be taken: as `options` say, and else as the picture was that is its scene."""
    from fellview.capture import shot as shots

    source = Path(options.scene or "")
    usual = shots.taken(source) if source.suffix.lower() == ".png" and _is_picture(source) else shots.Shot()
    return shots.Shot(
        usual.size if options.size is None else options.size,
        usual.samples if options.samples is None else options.samples,
        usual.transparent if options.transparent is None else options.transparent,
        tuple(word for word in (options.passes or "").split(",") if word),
    )


def _is_picture(path: Path) -> bool:
    """Return whether `path` is a picture with a recipe; what is wrong with it is told when it is opened."""
    from fellview.io import pictures

    try:
        return pictures.has_recipe(path)
    except InputError:
        return False


def _well_seen(scene: Scene, field: HeightField, size: tuple[int, int]) -> Scene:
    """Return `scene` from the best view of its land, `field`."""
    from fellview.viewpoints import find

    found = find.find(scene, field, 1, size[0] / size[1])
    if not found:
        notice("--find-view: the ground is in the way wherever one stands; the camera stays")
        return scene
    return scene.with_group(found[0].camera)


def _render_shelf(options: argparse.Namespace, shelf: Shelf, shot: Shot) -> None:
    from fellview.capture import capture, contact_sheet
    from fellview.io import atomic
    from fellview.studio.shelf import stems

    files = [options.out / f"{stem}.png" for stem in stems(shelf)]
    atomic.require_writable(*files)
    with progress_line() as report:
        found = contact_sheet.drawn(
            [one.scene for one in shelf.variants], shot.size, shot.samples, report, options.engine, notice
        )
    with atomic.all_or_none():
        for path, one, pixels in zip(files, shelf.variants, found, strict=True):
            capture.save(path, one.scene, pixels, shot.text)
    for path in files:
        tell(path)
