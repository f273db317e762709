"""The documents are true: what they link to and name exists; keys, rooms, options and revisions are the code's."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import tomllib
from pathlib import Path

import pytest

from fellview import cli
from fellview.terrain.pipeline.pipeline import FIELDS, STEPS
from tests.docs.pages import CHECKOUT, PAGES, blocks

# from where a page may name a path
ROOTS = (CHECKOUT, CHECKOUT / "app" / "fellview", CHECKOUT / "shaders")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
QUOTED = re.compile(r"`([^`\s]+)`")
SUFFIXES = (".py", ".md", ".glsl", ".frag", ".vert", ".sh")

PATHS = re.compile(r"[\w./-]+")
MADE = ("fellview.png", "build/", ".venv", "tests/failures")  # by running something
GUIDE = CHECKOUT / "docs" / "user-guide.md"


def prose(page: Path) -> str:
    """Return the page without its fenced blocks, whose files may be those that a reader is to make."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    named = [text for text in QUOTED.findall(prose(page)) if PATHS.fullmatch(text) and not text.startswith(MADE)]
    paths = [text for text in named if "/" in text.rstrip("/") or text.endswith(("/", *SUFFIXES))]
    new = set(re.findall(r"^Add `([^`]+)`:$", page.read_text(encoding="utf-8"), flags=re.MULTILINE))
    roots = (page.parent, *ROOTS)
    assert [text for text in paths if text not in new and not any((root / text).exists() for root in roots)] == []


def test_the_readme_is_short() -> None:
    assert len((CHECKOUT / "README.md").read_text(encoding="utf-8").split()) < 800


def test_the_table_of_keys_is_that_of_the_actions() -> None:
    path = CHECKOUT / "scripts" / "make_key_table.py"
    spec = importlib.util.spec_from_file_location("make_key_table", path)
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = GUIDE.read_text(encoding="utf-8")
    assert script.guide_with_table(text) == text, "run scripts/make_key_table.py"


def test_the_table_of_rooms_has_every_room_in_the_direction_of_imports() -> None:
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(one["layers"] for one in contracts["contracts"] if one["id"] == "direction")
    rooms = [room.strip(" ()") for layer in layers for room in layer.split("|")]
    page = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z_]+)` \|", page, flags=re.MULTILINE)
    assert told == [room for room in rooms if room != "__main__"]


def help_of(*words: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        cli.main([*words, "--help"])
    return printed.getvalue()


COMMANDS = re.findall(r"^    ([a-z-]+)(?: |$)", help_of(), flags=re.MULTILINE)


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


def test_the_help_lists_commands() -> None:
    assert {"view", "render", "export"} <= set(COMMANDS)


def command_lines() -> list[str]:
    pages = [GUIDE, CHECKOUT / "README.md"]
    return [
        line.strip()
        for page in pages
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("    fellview")
    ]


@pytest.mark.parametrize("line", command_lines())
def test_commands_have_the_options_that_are_told_of(line: str) -> None:
    words = line.split()
    command = words[1] if words[1:] and words[1] in COMMANDS else "view"
    told = options_in(line)
    assert told <= options_in(help_of() if "--version" in told else help_of(command))


def test_every_command_and_every_option_is_told_of() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"    fellview {command}" in guide
        unsaid = {option for option in options_in(help_of(command)) if option not in guide}
        assert unsaid <= {"-h", "--help", "--out"}, command


def test_the_changelog_has_the_revision_of_every_step() -> None:
    text = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    table = text[text.index("| step | revision |") :].partition("\n\n")[0].splitlines()[2:]
    last: dict[str, int] = {}
    key = ""
    for line in table:
        name, revision, _ = (cell.strip() for cell in line.strip("|").split("|"))
        key = name or key
        ends = re.findall(r"`([a-z]+)(\d*)`", key)
        stem, numbers = ends[0][0], [number for _, number in ends]
        keys = [f"{stem}{n}" for n in range(int(numbers[0]), int(numbers[-1]) + 1)] if numbers[0] else [stem]
        last.update(dict.fromkeys(keys, int(revision)))
    assert {step.key: step.revision for step in STEPS} == {step.key: last.get(step.key, 1) for step in STEPS}


def test_the_examples_of_the_library_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = CHECKOUT / "docs" / "library.md"
    code = [block.text for block in blocks(page) if block.language == "python"]
    assert len(code) > 4
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for text in code:
            exec(compile(text, str(page), "exec"), names)
    assert "noise.octaves = 99: expected" in printed.getvalue()
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    lines = readme[readme.index("    import fellview") :].partition("\n\n## ")[0]
    program = "\n".join(line.strip() for line in lines.splitlines())
    exec(compile(program.replace("render(scene,", "render(scene, samples=1,"), "README.md", "exec"), names)


def test_the_library_page_tells_of_every_public_name() -> None:
    import fellview

    page = (CHECKOUT / "docs" / "library.md").read_text(encoding="utf-8")
    told = [f"fellview.{name}" if name[0].islower() else name for name in fellview.__all__]
    told += [f"fellview.noise.{name}" for name in fellview.noise.__all__]
    assert [name for name in told if name not in page] == []


def test_the_guides_table_of_masks_is_what_the_fields_declare():
    rows = [f"| `{field.name}` | {field.unit} | {field.description} |" for field in FIELDS.values()]
    table = GUIDE.read_text(encoding="utf-8").partition("| mask | unit | what it tells |\n| --- | --- | --- |\n")[2]
    assert table.partition("\n\n")[0].splitlines() == rows
