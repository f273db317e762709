"""`fellview render`: pictures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import heights_of, scene_of, shelf_of
from fellview.cli.options import Commands, add_scene, pixel_size, refuse
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.core.height_field import HeightField
    from fellview.scene.scene import Scene
    from fellview.studio.shelf import Shelf


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    render = commands.add_parser("render", help="draw a scene to a PNG that carries its recipe")
    add_scene(render)
    render.add_argument("--shelf", type=Path, metavar="FILE", help="all kept lands of a project, into the folder -o")
    render.add_argument("-o", "--out", type=Path, required=True, metavar="P.png")
    render.add_argument("--size", type=pixel_size, default=(1280, 720), metavar="WxH", help="default 1280x720")
    render.add_argument("--seed", type=int, metavar="N", help="short for --set noise.seed=N")
    render.add_argument("--find-view", action="store_true", help="from the best of some hundred places over the land")
    render.add_argument("--samples", type=int, default=4, metavar="N", help="samples a pixel, 1 to 64; default 4")
    render.set_defaults(run=run)


def run(options: argparse.Namespace) -> Sequence[str]:
    """Draw a scene, or the kept lands of a project; return remarks."""
    from fellview.core import garbage

    with garbage.unsearched():
        from fellview.capture import capture
        from fellview.io import atomic, pictures
        from fellview.terrain.pipeline.pipeline import remarks

    low, high = capture.SAMPLES
    if not low <= options.samples <= high:
        raise InputError(f"--samples {options.samples}: expected {low} to {high}")
    capture.require_size(options.size)
    shelf = shelf_of(options)
    if shelf is not None:
        refuse(options, ("seed", "find_view"), "with --shelf")
        _render_shelf(options, shelf)
        return []
    pictures.require_suffix(options.out)
    atomic.require_writable(options.out)
    if options.seed is not None:
        options.set.append(f"noise.seed={options.seed}")
    scene = scene_of(options)
    field = heights_of(scene, options.engine)
    if options.find_view:
        scene = _well_seen(scene, field, options.size)
    pixels = capture.picture(scene, field, options.size, options.samples, notice)
    capture.save(options.out, scene, pixels)
    tell(options.out)
    return remarks(scene.terrain_groups())


def _well_seen(scene: Scene, field: HeightField, size: tuple[int, int]) -> Scene:
    """Return `scene` from the best view of its land, `field`."""
    from fellview.viewpoints import find

    found = find.find(scene, field, 1, size[0] / size[1])
    if not found:
        notice("--find-view: the ground is in the way wherever one stands; the camera stays")
        return scene
    return scene.with_group(found[0].camera)


def _render_shelf(options: argparse.Namespace, shelf: Shelf) -> None:
    from fellview.capture import capture, contact_sheet
    from fellview.io import atomic
    from fellview.studio.shelf import stems

    files = [options.out / f"{stem}.png" for stem in stems(shelf)]
    atomic.require_writable(*files)
    with progress_line() as report:
        found = contact_sheet.drawn(
            [one.scene for one in shelf.variants], options.size, options.samples, report, options.engine, notice
        )
    with atomic.all_or_none():
        for path, one, pixels in zip(files, shelf.variants, found, strict=True):
            capture.save(path, one.scene, pixels)
    for path in files:
        tell(path)
