"""Shader files say what they are: one form of header, twins that exist, and no include or file that nobody needs."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

from fellview import paths

ROOT = Path(__file__).parents[2]
SHADERS = {
    path.relative_to(paths.shaders()).as_posix(): path
    for path in sorted(paths.shaders().rglob("*"))
    if path.suffix in (".glsl", ".frag", ".vert")
}
LABELS = ("What", "Use", "Needs", "Units", "Range", "Note", "Source", "Twin")
LABEL_LINE = re.compile(r"// (" + "|".join(LABELS) + r"):\s+\S")
TEXT_COLUMN = len("// Source: ")
WIDEST = 120
NAMED_SHADER = re.compile(r"\bshaders/[a-z0-9_/]+\.(?:glsl|frag|vert)")
PYTHON_PATH = re.compile(r"\b[\w/]+\.py\b")
INCLUDE = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
DECLARED = (
    re.compile(r"^(?:\w+ )+(\w+)\(", re.MULTILINE),  # functions
    re.compile(r"^(?:const|uniform|in|out|flat in)\s+\w+\s+(\w+)", re.MULTILINE),
    re.compile(r"^struct (\w+)", re.MULTILINE),
    re.compile(r"^#define (\w+)", re.MULTILINE),
    re.compile(r"^(?:float|int|uint|bool|[iub]?vec\d)\s+(\w+)\s*(?:=|;|\[)", re.MULTILINE),  # globals
    re.compile(r"^ +\w+ (u_\w+)[;\[]", re.MULTILINE),  # members of uniform blocks
)


@functools.cache
def text(name: str) -> str:
    """Return the text of a shader file."""
    return SHADERS[name].read_text(encoding="utf-8")


@functools.cache
def code(name: str) -> str:
    """Return the text of a shader file without comments."""
    return re.sub(r"//[^\n]*", "", text(name))


@functools.cache
def included(name: str) -> list[str]:
    """Return the files that a shader file includes, all those among which a name in braces chooses."""
    asked = INCLUDE.findall(text(name))
    choices = {each: re.sub(r"\\{\w+\\}", r"\\w+", re.escape(each)) for each in asked if "{" in each}
    found = [file for pattern in choices.values() for file in SHADERS if re.fullmatch(pattern, file)]
    return [each for each in asked if each not in choices] + found


@functools.cache
def sometimes_included(name: str) -> list[str]:
    """Return the files that a shader file includes under a condition."""
    return [file for part in re.findall(r"^#if.*?^#endif", text(name), re.M | re.S) for file in INCLUDE.findall(part)]


@functools.cache
def python() -> str:
    """Return the text of the whole package."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "app").rglob("*.py")))


def header(name: str) -> list[str]:
    """Return the comment lines at the top of a shader file."""
    lines = text(name).splitlines()
    end = next((number for number, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return lines[:end]


def parts(name: str) -> dict[str, str]:
    """Return what a shader file's header says under each label, each in one line."""
    found: dict[str, str] = {}
    label = ""
    for line in header(name):
        match = LABEL_LINE.match(line)
        label = match[1] if match else label
        found[label] = (found.get(label, "") + " " + line[TEXT_COLUMN:].strip()).strip()
    return found


def declared(name: str) -> set[str]:
    """Return the names that a shader file declares outside of functions."""
    return {found for pattern in DECLARED for found in pattern.findall(code(name))} - {"main", "texture"}


@functools.cache
def definitions(path: Path) -> frozenset[str]:
    """Return the functions, methods and classes that a Python file defines; methods also as Class.method."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return frozenset(found)


@pytest.mark.parametrize("name", SHADERS)
def test_a_header_has_the_common_form(name: str) -> None:
    lines = header(name)
    assert lines and lines[0].startswith("// What:   ")
    for line in lines:
        assert len(line) <= WIDEST, line
        match = LABEL_LINE.match(line)
        assert line[:TEXT_COLUMN] == (f"// {match[1]}:" if match else "//").ljust(TEXT_COLUMN), line
        assert line[TEXT_COLUMN:].strip(), line
    labels = [match[1] for match in map(LABEL_LINE.match, lines) if match]
    assert labels == sorted(set(labels), key=LABELS.index)
    assert re.search(r"\.(\s|$)", parts(name)["What"]), "a whole sentence says what it is"
    lines_after = text(name).splitlines()[len(lines) :]
    assert not lines_after or lines_after[0] == "" or name.endswith(".frag"), "an empty line ends the header"


@pytest.mark.parametrize("name", [name for name in SHADERS if name.endswith(".glsl")])
def test_a_file_that_others_include_shows_its_use(name: str) -> None:
    assert "Use" in parts(name)


@pytest.mark.parametrize("name", [name for name in SHADERS if "Twin" in parts(name)])
def test_twins_exist(name: str) -> None:
    twin = parts(name)["Twin"]
    files = PYTHON_PATH.split(twin)
    named = PYTHON_PATH.findall(twin)
    assert named and all(each.startswith("app/fellview/") for each in named)
    for file, after in zip(named, files[1:], strict=True):
        assert (ROOT / file).is_file(), file
        for function in re.findall(r"([\w.]+)\(\)", after):
            assert function in definitions(ROOT / file), f"{file} has no {function}()"


def test_shaders_that_python_names_exist() -> None:
    named = {found[0].removeprefix("shaders/") for found in NAMED_SHADER.finditer(python())}
    assert named and named <= SHADERS.keys()


@pytest.mark.parametrize("name", SHADERS)
def test_includes_exist_and_each_is_used_by_its_file(name: str) -> None:
    files = included(name)
    assert len(files) == len(set(files))
    # each file is included once: what two under conditions need has to come before both
    own = code(name) + "".join(code(each) for each in sometimes_included(name))
    for each in files:
        assert each in SHADERS, each
        changes_what_follows = "#define texture" in text(each)
        assert changes_what_follows or any(re.search(rf"\b{word}\b", own) for word in declared(each)), each


def test_every_file_is_referred_to() -> None:
    needed = {each for name in SHADERS for each in included(name)}
    for name in SHADERS:
        folder, file = name.rsplit("/", 1)
        composed = (f"}}{file}", f"{folder}/{{", f'"{file.rsplit(".", 1)[0]}"')
        by_python = name in python() or any(each in python() for each in composed)
        assert name in needed or by_python, f"nobody refers to {name}"
