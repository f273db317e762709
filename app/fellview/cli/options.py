"""What several commands take: scenes, engines, sizes, workers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

from fellview.cli.talk import notice
from fellview.core.errors import InputError, named, quoted

SCENE_HELP = "a preset's name, a .toml file, a picture that Fellview saved, a height map, or a short text"
ENGINE = "auto"
"""What computes, where nothing else is said."""
SAMPLES = 4
"""Samples a pixel of a picture, where nothing else is said."""

WRONG_INPUT = 2
"""The exit status after a line that says what was wrong."""

_UNGIVEN: dict[str, Any] = {"mask": "", "bits": 0, "set": [], "find_view": False}  # of all other options it is None
_SIZE = re.compile(r"(\d{1,6})[xX](\d{1,6})", re.ASCII)

Commands = Any
"""What `argparse.ArgumentParser.add_subparsers` gives."""


class Parser(argparse.ArgumentParser):
    """One whose help may be made when it is asked for, and that says in one line what is wrong."""

    more_help: Callable[[], str] | None = None
    """Returns what stands below the options. Called when help is asked for, since it may import what is heavy."""

    def format_help(self) -> str:
        """Return the help, with what `more_help` adds."""
        return super().format_help() + (f"\n{self.more_help()}\n" if self.more_help else "")

    def error(self, message: str) -> Any:
        """Say what is wrong in one line, without the usage."""
        notice(message)
        self.exit(WRONG_INPUT)


def add_scene(parser: argparse.ArgumentParser) -> None:
    """Add a scene, changes to it, and the engine."""
    parser.add_argument("scene", nargs="?", metavar="SCENE", help=SCENE_HELP)
    parser.add_argument(
        "--set", action="append", default=[], metavar="group.name=value", help="change a parameter; can be given again"
    )
    add_engine(parser)


def add_batch(parser: argparse.ArgumentParser) -> None:
    """Add what does the work."""
    parser.add_argument("--workers", type=whole, metavar="N", help="processes of this machine that do it; default 1")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster does it: tls://HOST:PORT, or tcp://127.0.0.1:PORT"
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the engine."""
    parser.add_argument(
        "--engine",
        default=ENGINE,
        metavar="auto|cpu|gpu",
        help="what computes the heights; auto, the default, is the GPU where OpenGL is hardware",
    )


def pixel_size(text: str) -> tuple[int, int]:
    """Return width and height of ``1920x1080``; `argparse.ArgumentTypeError` where it is none."""
    sides = _SIZE.fullmatch(text)
    if sides is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: expected WIDTHxHEIGHT in pixels, such as 1920x1080")
    return int(sides[1]), int(sides[2])


def whole(text: str) -> int:
    """Return the whole number `text`; `argparse.ArgumentTypeError` where it is none."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: expected a whole number") from None


def real(text: str) -> float:
    """Return the number `text`; `argparse.ArgumentTypeError` where it is none."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: expected a number") from None


def refuse(options: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Raise `InputError` for the first of the options `names` that was given."""
    for name in names:
        if (value := getattr(options, name)) != _UNGIVEN.get(name):
            option = name.replace("_", "-")
            raise InputError(f"--{option} {named(str(value))}: is not taken {why}")
