"""Shader programs from files in shaders/, with includes whose error messages point to the right file and line.

A line ``#include "lib/hash.glsl"`` brings in another file of shaders/, once. In ``#include "view_{SHADING}.glsl"`` the
name in braces stands for what the declarations in front define it as; where they do not, the line brings in nothing.
`#line` directives carry the file in the line number, and a compiler's message is turned back into names. GLSL has a
file number of its own for this, but Mesa 22.3 forgets it after the first line.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np

from fellview import paths
from fellview.core.errors import FellviewError
from fellview.gpu import bindings, preprocessor
from fellview.gpu.preprocessor import Piece

_INCLUDE = re.compile(r'\s*#include\s+"([^"]+)"\s*$')
_CHOICE = re.compile(r"\{(\w+)\}")
_DEFINED = re.compile(r"^#define (\w+) (\w+)$", re.MULTILINE)
_MESSAGE_PLACE = re.compile(
    r"^(?:ERROR: )?\d+[:(](\d+)(?:\(\d+\)|\))?\s*:\s*"
)  # Mesa "0:14(3): ", NVIDIA "0(14) : ", Apple "ERROR: 0:14: "
_MESSAGE_HEADINGS = re.compile(r"GLSL \w+ failed|=+|\w+_shader|Program|")  # moderngl's own lines, one at a time
_LINES_A_FILE = 10_000
"""Line 14 of file 2 is line 20,014 to the compiler. No file is that long; files count from 1, so that declarations put
in front are told from them."""

_VERSION = "#version 330 core\n"

Stages = tuple[str, str]
"""The whole text of both stages."""


def program(
    context: moderngl.Context,
    vertex: str,
    fragment: str,
    blocks: Sequence[str] = (),
    libraries: Sequence[str] = (),
    *,
    alone: bool = False,
    folder: Path | None = None,
    shared: dict[Stages, moderngl.Program] | None = None,
) -> moderngl.Program:
    """Return the program of two files in shaders/, such as ``draw/land/terrain.vert``, attached to its bindings.

    `blocks` are declarations put in front of both, such as a uniform block; `libraries` are files put in front of the
    fragment shader, such as the kernel that it calls. One that is `alone` has all textures to itself (`bindings.py`).
    `FellviewError` names file and line, all in one line. Where they lie in another `folder`, so do all they include.
    `shared` keeps programs: where one has the same text, once what `blocks` leave out is gone, that is returned.
    """
    sources = [_live(vertex, blocks, (), folder), _live(fragment, blocks, libraries, folder)]
    stages = sources[0][0], sources[1][0]
    if shared is not None and stages in shared:
        return shared[stages]
    start = time.perf_counter()
    try:
        linked = context.program(vertex_shader=stages[0], fragment_shader=stages[1])
    except moderngl.Error as fault:
        message = str(fault)
        files = sources["fragment_shader" in message][1]
        raise FellviewError(f"{vertex} + {fragment}: {named_places(message, files)}") from None
    bindings.attach(linked, f"{vertex} + {fragment}", stages, alone=alone)
    if shared is not None:
        shared[stages] = linked
    if _listeners:
        seconds = time.perf_counter() - start
        built = Built(vertex, fragment, frozenset(sources[0][1] + sources[1][1]), seconds)
        for listener in _listeners:
            listener(built)
    return linked


@dataclass(frozen=True)
class Built:
    """A program that was made: its two files, all `files` that came with them, and what it took."""

    vertex: str
    fragment: str
    files: frozenset[str]
    seconds: float
    """To compile and link it, and to attach it to its bindings."""


_listeners: list[Callable[[Built], None]] = []


@contextlib.contextmanager
def told(listener: Callable[[Built], None]) -> Iterator[None]:
    """Have `listener` told of every program that is made within."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def write(program: moderngl.Program, name: str, values: np.ndarray) -> None:
    """Set the matrix uniform `name` of `program` from `values`, given column by column."""
    uniform = program[name]
    assert isinstance(uniform, moderngl.Uniform)
    uniform.write(values.astype(np.float32).tobytes())


def source(
    name: str, blocks: Sequence[str] = (), libraries: Sequence[str] = (), folder: Path | None = None
) -> tuple[str, list[str]]:
    """Return the whole GLSL text of `name`, after `libraries`, and its files in the order that `#line` counts them."""
    body, files = _body(name, blocks, libraries, folder)
    return _joined("\n".join(blocks), [piece.text for piece in body]), files


def _live(name: str, blocks: Sequence[str], libraries: Sequence[str], folder: Path | None) -> tuple[str, list[str]]:
    """Return the same without what conditions leave out."""
    body, files = _body(name, blocks, libraries, folder)
    try:
        return _joined(*preprocessor.live("\n".join(blocks), body)), files
    except FellviewError as fault:
        raise FellviewError(f"{name}: {fault}") from None


def _joined(front: str, body: Sequence[str]) -> str:
    return _VERSION + front + "\n" + "\n".join(body) + "\n"


def _body(
    name: str, blocks: Sequence[str], libraries: Sequence[str], folder: Path | None
) -> tuple[list[Piece], list[str]]:
    """Return what `libraries` and `name` consist of, and their files."""
    files: list[str] = []
    defined = dict(_DEFINED.findall("\n".join(blocks)))
    folder = folder or paths.shaders()
    return [piece for each in (*libraries, name) for piece in _pieces(folder, each, files, defined)], files


def _pieces(folder: Path, name: str, files: list[str], defined: Mapping[str, str]) -> list[Piece]:
    """Return what `name` consists of; a file that is in `files` already gives none, nor does one without its choice."""
    if "{" in name:
        if not set(_CHOICE.findall(name)) <= set(defined):
            return []
        name = _CHOICE.sub(lambda choice: defined[choice[1]], name)
    if name in files:
        return []
    files.append(name)
    before_first = len(files) * _LINES_A_FILE
    path = f"{folder}/{name}"  # joined so, and asked so, it takes half as long as by a Path
    try:
        found = os.stat(path)  # noqa: PTH116
        read = _read(path, found.st_mtime_ns, found.st_size)
    except OSError as fault:
        raise FellviewError(f"{path}: shader cannot be read: {fault.strerror}") from None
    body = [_line_number(before_first + 1)]
    row = 1
    for piece in read:
        row += piece.rows
        if include := _INCLUDE.match(piece.text):
            body += _pieces(folder, include[1], files, defined)
            body.append(_line_number(before_first + row))
        else:
            body.append(piece)
    return body


@functools.cache
def _read(path: str, changed_ns: int, size: int) -> tuple[Piece, ...]:
    """Return what the file at `path` consists of; programs read the same ones, and hundreds in all."""
    return tuple(preprocessor.pieces(Path(path).read_text(encoding="utf-8").splitlines()))


def _line_number(row: int) -> Piece:
    return Piece(f"#line {row}", 1, frozenset())


def named_places(message: str, files: Sequence[str]) -> str:
    """Return a compiler's `message` in one line, with its numbers turned into names of `files` and their lines."""

    def name(place: re.Match[str]) -> str:
        number, row = divmod(int(place[1]), _LINES_A_FILE)
        if number == 0:
            return f"declarations:{row}: "
        return f"{files[number - 1]}:{row}: " if number <= len(files) else place[0]

    lines = [line.strip() for line in message.splitlines()]
    return "; ".join(_MESSAGE_PLACE.sub(name, line) for line in lines if not _MESSAGE_HEADINGS.fullmatch(line))
