"""Shader sources: includes, and messages that point to the right file and line."""

import re

import moderngl
import pytest

from fellview import paths
from fellview.core.errors import FellviewError
from fellview.gpu import programs

VERTEX = "void main() {\n    gl_Position = vec4(0.0);\n}\n"
FAULT = "float wrong = no_such_name;"
SHADERS = sorted(
    path.relative_to(paths.shaders()).as_posix() for path in paths.shaders().rglob("*.*") if path.name[0] != "."
)


@pytest.fixture
def shaders(tmp_path):
    """Return a function that writes one shader file into the folder that programs are made from."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    write("plain.vert", VERTEX)
    return write


def a_family(shaders, **faults):
    """Write a fragment shader that includes two files, of which one includes the other; `faults` by file."""

    def lines(name, *text):
        return "\n".join([*text[:2], faults.get(name, "// nothing wrong"), *text[2:]]) + "\n"

    shaders("lib/inner.glsl", lines("inner", "// What: one", "", "float inner() { return 1.0; }"))
    shaders("lib/outer.glsl", lines("outer", '#include "lib/inner.glsl"', "", "float outer() { return inner(); }"))
    shaders(
        "main.frag",
        lines(
            "main",
            '#include "lib/outer.glsl"',
            '#include "lib/inner.glsl"',
            "out vec4 out_color;",
            "void main() { out_color = vec4(outer() + inner()); }",
        ),
    )


def test_an_include_comes_once_however_often_it_is_asked_for(shaders, context, tmp_path):
    a_family(shaders)
    text, files = programs.source("main.frag", folder=tmp_path)
    assert text.count("float inner()") == 1 and files == ["main.frag", "lib/outer.glsl", "lib/inner.glsl"]
    assert isinstance(programs.program(context, "plain.vert", "main.frag", folder=tmp_path), moderngl.Program)


def test_a_declaration_chooses_which_file_is_included(shaders, context, tmp_path):
    for name in ("one", "two"):
        shaders(f"lib/{name}.glsl", f"float chosen() {{ return {len(name)}.0; }} // {name}\n")
    shaders("main.frag", '#include "lib/{KIND}.glsl"\nvoid main() {}\n')
    assert programs.source("main.frag", ["#define KIND two"], folder=tmp_path)[1] == ["main.frag", "lib/two.glsl"]
    assert programs.source("main.frag", folder=tmp_path)[1] == ["main.frag"]
    with pytest.raises(FellviewError, match=r"three\.glsl.*cannot be read"):
        programs.source("main.frag", ["#define KIND three"], folder=tmp_path)


def test_two_files_that_include_each_other_end(shaders, context, tmp_path):
    shaders("lib/one.glsl", '#include "lib/two.glsl"\nfloat one() { return 1.0; }\n')
    shaders("lib/two.glsl", '#include "lib/one.glsl"\nfloat two() { return 2.0; }\n')
    shaders("main.frag", '#include "lib/one.glsl"\nout vec4 c;\nvoid main() { c = vec4(one(), two(), 0.0, 1.0); }\n')
    assert isinstance(programs.program(context, "plain.vert", "main.frag", folder=tmp_path), moderngl.Program)


@pytest.mark.parametrize(
    ("file", "place"),
    [("inner", "lib/inner.glsl:3:"), ("outer", "lib/outer.glsl:3:"), ("main", "main.frag:3:")],
)
def test_a_fault_is_told_with_its_file_and_line_in_one_line(shaders, context, file, place, tmp_path):
    a_family(shaders, **{file: FAULT})
    with pytest.raises(FellviewError) as fault:
        programs.program(context, "plain.vert", "main.frag", folder=tmp_path)
    text = str(fault.value)
    assert "\n" not in text
    assert text.startswith("plain.vert + main.frag: ") and "no_such_name" in text
    assert place in text and re.findall(r"[\w/]+\.(?:glsl|frag|vert):\d+:", text) == [place]


def test_a_fault_after_the_last_include_counts_from_its_own_file(shaders, context, tmp_path):
    shaders("lib/long.glsl", "// one\n" * 40)
    shaders("main.frag", f'\n#include "lib/long.glsl"\n\n\n{FAULT}\nvoid main() {{}}\n')
    with pytest.raises(FellviewError, match=r"main\.frag:5: .*no_such_name"):
        programs.program(context, "plain.vert", "main.frag", folder=tmp_path)


def test_a_fault_of_a_vertex_shader_names_the_vertex_shader(shaders, context, tmp_path):
    shaders("bad.vert", f"\n\n\n{FAULT}\n{VERTEX}")
    shaders("main.frag", "void main() {}\n")
    with pytest.raises(FellviewError, match=r"bad\.vert:4: .*no_such_name"):
        programs.program(context, "bad.vert", "main.frag", folder=tmp_path)


def test_every_fault_of_a_file_stands_in_the_line(shaders, context, tmp_path):
    shaders("main.frag", "void main() {\n    float a = first_fault;\n    float b = second_fault;\n}\n")
    with pytest.raises(FellviewError, match=r"main\.frag:2: .*first_fault.*main\.frag:3: .*second_fault"):
        programs.program(context, "plain.vert", "main.frag", folder=tmp_path)


def test_a_fault_in_a_declaration_put_in_front_is_not_blamed_on_a_file(shaders, context, tmp_path):
    shaders("main.frag", "void main() {}\n")
    with pytest.raises(FellviewError, match=r"declarations:2: .*no_such_name"):
        programs.program(context, "plain.vert", "main.frag", [FAULT], folder=tmp_path)


def test_a_fault_found_when_linking_names_both_shaders_in_one_line(shaders, context, tmp_path):
    shaders("main.frag", "float missing();\nout vec4 c;\nvoid main() { c = vec4(missing()); }\n")
    with pytest.raises(FellviewError) as fault:
        programs.program(context, "plain.vert", "main.frag", folder=tmp_path)
    assert re.fullmatch(r"plain\.vert \+ main\.frag: .*missing.*", str(fault.value))


@pytest.mark.parametrize(
    "line",
    ["0:20014(3): error: bad", "0(20014) : error: bad", "ERROR: 0:20014: error: bad"],
    ids=["Mesa", "NVIDIA", "Apple"],
)
def test_places_are_read_from_every_vendors_messages(line):
    message = f"GLSL Compiler failed\n\nfragment_shader\n===============\n{line}\n\n"
    assert programs.named_places(message, ["a.frag", "lib/b.glsl"]) == "lib/b.glsl:14: error: bad"


def test_a_place_that_is_nobodys_is_left_as_it_is():
    assert programs.named_places("0:70001(2): error: bad", ["a.frag"]) == "0:70001(2): error: bad"


@pytest.mark.parametrize("file", ["main.frag", "lib/gone.glsl"])
def test_a_missing_file_is_named(shaders, context, file, tmp_path):
    if file != "main.frag":
        shaders("main.frag", f'#include "{file}"\nvoid main() {{}}\n')
    with pytest.raises(FellviewError) as fault:
        programs.program(context, "plain.vert", "main.frag", folder=tmp_path)
    assert file in str(fault.value) and "cannot be read" in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize("name", SHADERS)
def test_every_line_of_every_shader_is_found_again_by_its_number(name):
    text, files = programs.source(name)
    number, seen = 0, 0
    for line in text.splitlines():
        directive = re.fullmatch(r"#line (\d+)", line)
        if directive:
            number = int(directive[1])
            continue
        if number:
            place = programs.named_places(f"0:{number}(1): here", files)
            file, row = re.fullmatch(r"(.+):(\d+): here", place).groups()
            assert (paths.shaders() / file).read_text(encoding="utf-8").splitlines()[int(row) - 1] == line
            number, seen = number + 1, seen + 1
    assert seen > 0
