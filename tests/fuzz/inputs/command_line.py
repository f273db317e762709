"""The command line."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import types
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from fellview import cli, info, library
from fellview.capture import capture
from fellview.core.errors import InputError
from fellview.gpu import context as gpu_context
from tests.fuzz.inputs.kind import Kind

_WORDS = (
    *(
        "view",
        "render",
        "export",
        "sheet",
        "shots",
        "info",
        "--version",
        "--help",
        "-h",
        "--",
        "-",
        "",
        " ",
        "--safe",
        "--nothing",
    ),
    *("-o", "--out", "--set", "--size", "--samples", "--engine", "--vary", "--mask"),
)
_VALUES = (
    *(
        "",
        "x",
        "a.png",
        "a.npy",
        "a.r16",
        "a.toml",
        ".",
        "/",
        "/dev/full",
        "/dev/null",
        "/proc/x/a.png",
        "no/such/a.png",
    ),
    *(
        "0x0",
        "16x16",
        "99999x99999",
        "9" * 5_000 + "x1",
        "x",
        "-1x-1",
        "１x１",
        "1e3x1",
        "4",
        "0",
        "-1",
        "9" * 5_000,
        "nan",
    ),
    *("auto", "cpu", "gpu", "slope", "nothing", "highlands", "alps", "a\nb", "\x1b[31m", "\udcff", "é", "x" * 5_000),
    *(
        "noise.seed=1",
        "noise.seed=1,2,3",
        "noise.frequency=2:16:4",
        "noise.frequency=1:2:100000000",
        "noise.seed=1:2:0",
    ),
    *(
        "noise.frequency=nan",
        "noise.frequency=" + "9" * 5_000,
        "a.b=1",
        "noise.=1",
        "=",
        "noise.kind=x\ny",
        "grid.rows=9999",
    ),
    *(
        "noise.seed=" + "9" * 5_000,
        "noise.seed=" + "1," * 5_000 + "1",
        "noise.amplitude=1:1e308:3",
        "view.mode=slope,\x07",
    ),
    *("imported.path=/dev/zero", "imported.path=pipe.r16", "imported.path=.", "ground.textures=/dev/zero"),
    *("noise.frequency=1:2:" + "9" * 5_000, "noise.frequency=1:2:²", "noise.frequency=a:b:c", "sun.azimuth=inf:nan:2"),
)
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("render", "-o", "a.png"),
    ("export", "-o", "a.npy"),
    ("sheet", "-o", "a.png", "--vary", "noise.seed=1,2"),
    ("turntable", "-o", "frames"),
    ("view",),
    (),
)


@functools.cache
def _ends() -> tuple[tuple[types.ModuleType, str], ...]:
    """Return the functions that compute heights or open a window, each by its module and name.

    The window's module takes half a second to import, which other kinds of input go without.
    """
    from fellview.desktop import viewer

    return (library, "generate_with_notices"), (capture, "picture"), (viewer, "run"), (info, "text")


def _make_words(random: Random, folder: Path) -> list[str]:
    _ends()  # imported before calls are watched
    os.mkfifo(folder / "pipe.r16")
    words = list(random.choice(_COMMANDS))
    for _ in range(random.randrange(1, 5)):
        more = [
            random.choice(("--set", "--set", "--vary", "--size", "--samples", "--engine", "--mask", "-o")),
            random.choice(_VALUES),
        ]
        if random.random() < 0.3:
            more = [random.choice((*_WORDS, *_VALUES))]
        at = random.randrange(len(words) + 1) if random.random() < 0.2 else len(words)
        words[at:at] = more
    if random.random() < 0.1:
        words = [word[: random.randrange(len(word) + 1)] for word in words]
    return words


class _ReachedError(InputError):
    """What the command line was to lead to has been reached."""


def _read_words(words: list[str], folder: Path) -> list[str]:
    """Run the command up to where heights are computed or a window opens."""

    def reached(*given: Any, **more: Any) -> None:
        raise _ReachedError("reached")

    before = Path.cwd()
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict")
    error = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
    kept = [(module, name, getattr(module, name)) for module, name in _ends()]
    aside = gpu_context.aside
    try:
        os.chdir(folder)
        for module, name, _ in kept:
            setattr(module, name, reached)
        gpu_context.aside = reached
        # a compute process for every command would take minutes
        without_child = mock.patch("fellview.compute.child.Child")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), without_child:
            try:
                status = cli.main(words)
            except SystemExit as end:
                status = end.code or 0
        error.flush()
        lines = error.buffer.getvalue().decode().split("\n")  # type: ignore[attr-defined]
    finally:
        os.chdir(before)
        for module, name, function in kept:
            setattr(module, name, function)
        gpu_context.aside = aside
    assert status in (0, 2), f"status {status}"
    assert lines.pop() == "", "a last line without its end"
    assert all(line.startswith("fellview: ") for line in lines), f"a line of nobody's: {lines[:3]}"
    assert (status == 2) == any(lines) or status == 0, "status 2 without a word"
    if status == 2 and len(lines) > 1:
        assert "reached" in lines[-1], f"more than one line: {lines[:3]}"
    return lines


KINDS: dict[str, Kind] = {
    "words": Kind(_make_words, _read_words, sure=True, may_write=("/", "/dev", "/proc")),
}
