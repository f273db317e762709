"""`fellview info`, `bench` and `warm-up`: what this machine has, what it does, and making it ready."""

from __future__ import annotations

import argparse

from fellview.cli.inputs import require_engine
from fellview.cli.options import Commands, add_engine
from fellview.cli.talk import notice, progress_line


def add(commands: Commands) -> None:
    """Add the commands to `commands`."""
    warm_up = commands.add_parser("warm-up", help="compile the presets' kernels and shaders now, which takes minutes")
    warm_up.add_argument(
        "--opening", action="store_true", help="only those of the first window's scene, unless that is done already"
    )
    warm_up.add_argument("--beside-window", action="store_true", help=argparse.SUPPRESS)  # which starts it so
    warm_up.set_defaults(run=_warm_up)

    info = commands.add_parser("info", help="show OpenGL renderer, engine, versions and folders")
    add_engine(info)
    info.set_defaults(run=_info)

    bench = commands.add_parser(
        "bench",
        help="measure this machine: demo, engines, landforms, erosion, draw, passes, live, explore, capture, or all",
    )
    bench.add_argument("name", nargs="?", default="all", metavar="NAME")
    bench.add_argument(
        "scenes", nargs="*", metavar="SCENE", help="for live, capture and passes: the presets to measure; all if none"
    )
    bench.add_argument(
        "--only", default="", metavar="A,B", help="for live and capture: the measurements; a wrong one lists all"
    )
    bench.add_argument(
        "--brief", action="store_true", help="for live and capture: less of each, to see roughly how it stands"
    )
    add_engine(bench)
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.set_defaults(run=_bench)


def _warm_up(options: argparse.Namespace) -> None:
    from fellview import warm_up
    from fellview.draw import compiled_ahead
    from fellview.io import scenes

    if options.beside_window:
        warm_up.beside_window()
    if options.opening and compiled_ahead.is_done(scenes.load(scenes.OPENING_PRESET)):
        return
    presets = [scenes.OPENING_PRESET] if options.opening else scenes.presets()
    notice("compiling kernels and shaders, so that no slider waits for it; this takes minutes")
    with progress_line() as report:
        faults = warm_up.run(presets, report)
    for fault in faults:
        notice(fault)


def _info(options: argparse.Namespace) -> None:
    from fellview import info

    require_engine(options)
    print(info.text(options.engine))


def _bench(options: argparse.Namespace) -> None:
    from fellview.bench import bench

    require_engine(options)
    only = [word for word in options.only.split(",") if word]
    bench.run(options.name, options.json, options.engine, options.scenes, only, options.brief)
