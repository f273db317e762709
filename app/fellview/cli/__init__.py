"""The command line. Everything heavy is imported by the command that needs it, so that help comes at once."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from fellview.cli import diff, export, film, machine, page, render, sheet, shots, slides, view
from fellview.cli.options import WRONG_INPUT, Parser
from fellview.cli.talk import notice
from fellview.core import attended
from fellview.core.errors import FellviewError, InputError, quoted

_COMMANDS = (
    "view",
    "render",
    "export",
    "sheet",
    "shots",
    "turntable",
    "film",
    "slides",
    "page",
    "diff",
    "info",
    "bench",
    "warm-up",
)
_THREADS = "NUMBA_NUM_THREADS"
_MOST_THREADS = 4096  # more than any machine has processors, and a process may start


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0, or 2 after one line that says what was wrong."""
    # numpy's linear algebra starts threads where it is loaded, which spin for 50 ms; no matrix here is worth one
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        words.insert(0, "view")  # `fellview` and `fellview SCENE` start the viewer
    _prepare_streams()
    if attended.is_attended():
        from fellview.io import atomic

        attended.end_with_attention(atomic.abandon_everything)
    status = 0
    remarks: Sequence[str] = ()
    try:
        try:
            options = parser().parse_args(words)
            _require_environment()
            remarks = options.run(options) or ()
        except SystemExit as end:  # after help, or a line on a word that is none
            status = int(end.code or 0)
        except FellviewError as fault:
            status = WRONG_INPUT
            notice(str(fault))
        sys.stdout.flush()  # here and not at exit, where Python would complain on its own
    except KeyboardInterrupt:
        return 130  # what a shell reports for Ctrl+C
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone
    except OSError as fault:
        _drop_output()
        notice(str(fault))
        return WRONG_INPUT
    except MemoryError:
        notice("takes more memory than there is; expected a smaller grid, or a smaller picture")
        return WRONG_INPUT
    for remark in remarks:
        notice(remark)
    return status


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    whole = Parser(
        prog="fellview",
        description="Explore procedural terrain: every slider is live, every picture carries its recipe.",
    )
    whole.add_argument("--version", action="store_const", const=_version, dest="run", help="show the version and exit")
    commands = whole.add_subparsers(metavar="COMMAND")
    for each in (view, render, export, sheet, shots, film, slides, page, diff, machine):
        each.add(commands)
    return whole


def _version(options: argparse.Namespace) -> None:
    from fellview.version import VERSION

    print(f"fellview {VERSION}")


def _require_environment() -> None:
    """Raise `InputError` where a variable is set to what numba stumbles over once work has begun."""
    text = os.environ.get(_THREADS)
    if text is None:
        return
    with contextlib.suppress(ValueError):
        if 1 <= int(text) <= _MOST_THREADS:
            return
    raise InputError(f"{_THREADS} = {quoted(text)}: expected a whole number, 1 to {_MOST_THREADS:,}")


def _prepare_streams() -> None:
    """Have what is written to a stream that the caller closed go nowhere, and what its encoding lacks be escaped.

    Python has no stream then, and the next file that is opened would take its number, and what drivers print.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - a device, and for as long as the process


def _drop_output() -> None:
    """Send what stands in the buffer of standard output nowhere, so that writing it at exit cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
