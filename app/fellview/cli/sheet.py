"""`fellview sheet`: many lands in one picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import batch_of, scene_of, shelf_of
from fellview.cli.options import SAMPLES, Commands, add_batch, add_scene, pixel_size, real, refuse, whole
from fellview.cli.talk import notice, progress_line, tell
from fellview.core.errors import InputError

if TYPE_CHECKING:
    from fellview.batch.batch import Batch
    from fellview.scene.scene import Scene


def add(commands: Commands) -> None:
    """Add the command to `commands`."""
    sheet = commands.add_parser("sheet", help="draw variants of a scene, as one labelled PNG")
    add_scene(sheet)
    sheet.add_argument("--vary", action="append", metavar="group.name=VALUES", help="1,2,3 or low:high:count")
    sheet.add_argument("--disperse", type=whole, metavar="N", help="the N variants by chance that differ most")
    sheet.add_argument("--random", type=whole, metavar="N", help="N variants by chance")
    sheet.add_argument("--shelf", type=Path, metavar="FILE", help="the kept lands of a project")
    sheet.add_argument(
        "--lock",
        action="append",
        metavar="NAME",
        help="a group or group.name that chance leaves alone, as it does camera and light",
    )
    sheet.add_argument("--amount", type=real, metavar="A", help="of chance: 0, a nudge, to 1, anything; default 0.5")
    sheet.add_argument("--seed", type=whole, metavar="N", help="of chance; default 0")
    add_batch(sheet)
    sheet.add_argument("-o", "--out", type=Path, required=True, metavar="P.png")
    sheet.add_argument(
        "--size", type=pixel_size, default=(320, 200), metavar="WxH", help="of one picture; default 320x200"
    )
    sheet.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Draw variants of a scene, or the kept lands of a project."""
    from fellview.capture import capture, contact_sheet
    from fellview.draw.target import require_size
    from fellview.io import atomic, pictures

    given = [name for name in ("vary", "disperse", "random", "shelf") if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError(f"sheet: {len(given)} of --vary, --disperse, --random and --shelf; expected one of them")
    if options.vary or options.shelf:
        refuse(options, ("lock", "amount", "seed"), f"with --{given[0]}")
    shelf = shelf_of(options)
    pictures.require_suffix(options.out)
    atomic.require_writable(options.out)
    require_size(options.size)
    scene = scene_of(options) if shelf is None else shelf.variants[0].scene
    with batch_of(options) as batch, progress_line() as report:
        if shelf is not None:
            labelled = contact_sheet.shelved(shelf)
            across = contact_sheet.in_lines(len(labelled))
        elif options.vary:
            variations = [contact_sheet.variation(scene, text) for text in options.vary]
            labelled, across = contact_sheet.combinations(scene, variations)
        else:
            found = _by_chance(options, scene, batch, report)
            labelled, across = contact_sheet.numbered(found, scene), contact_sheet.in_lines(len(found))
        pixels = contact_sheet.sheet(labelled, across, options.size, SAMPLES, report, options.engine, notice, batch)
    capture.save(options.out, scene, pixels)
    tell(options.out)


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
