"""`fellview turntable` and `fellview film`: films as files."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from fellview.cli.inputs import require_engine, scene_of
from fellview.cli.options import Commands, add_engine, add_scene, pixel_size, real, whole
from fellview.cli.talk import notice, progress_line, tell

if TYPE_CHECKING:
    from fellview.studio.films.film import Film


def add(commands: Commands) -> None:
    """Add the commands to `commands`."""
    turntable = commands.add_parser("turntable", help="a film once round the land, which begins again without a seam")
    add_scene(turntable)
    _add_film(turntable)
    turntable.set_defaults(run=_turntable)

    film = commands.add_parser("film", help="a film that a TOML file tells: a flight, a day, a sweep, a morph, ...")
    film.add_argument("file", type=Path, metavar="FILE", help="which the user guide shows")
    add_engine(film)
    _add_film(film)
    film.set_defaults(run=_film)


def _add_film(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="F", help="F.mp4, F.webp, or a folder for numbered pictures"
    )
    parser.add_argument("--frames", type=whole, metavar="N", help="how many; default 120, or as FILE has it")
    parser.add_argument("--rate", type=real, metavar="R", help="frames a second; default 30, or as FILE has it")
    parser.add_argument("--size", type=pixel_size, metavar="WxH", help="default 1280x720, or as FILE has it")
    parser.add_argument(
        "--samples", type=whole, metavar="N", help="samples a pixel, 1 to 256; default 4, or as FILE has it"
    )
    parser.add_argument(
        "--through", type=Path, metavar="FOLDER", help="keep numbered pictures there, too, and go on behind them"
    )


def _turntable(options: argparse.Namespace) -> None:
    from fellview.studio.films.film import Film
    from fellview.studio.films.turntable import Turntable

    _take(options, Film(scene_of(options), Turntable()))


def _film(options: argparse.Namespace) -> None:
    from fellview.studio.films import film_file

    require_engine(options)
    film, notices = film_file.load(options.file)
    for line in notices:
        notice(line)
    _take(options, film)


def _take(options: argparse.Namespace, film: Film) -> None:
    """Draw `film`, changed as `options` say."""
    from fellview.capture import film as films

    given = {name: getattr(options, name) for name in ("frames", "rate", "samples")}
    timing = film.timing.replace(**{name: value for name, value in given.items() if value is not None})
    film = dataclasses.replace(film, timing=timing, size=options.size or film.size)
    try:
        with progress_line() as report:
            films.take(options.out, film, options.engine, options.through, report, notice)
    except KeyboardInterrupt:
        if options.through is not None or films.is_folder(options.out):
            notice("stopped; the same command goes on behind the frames that are there")
        raise
    tell(options.out)
