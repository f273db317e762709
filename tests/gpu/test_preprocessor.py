"""What conditions leave out of shaders, against hand-written answers and a compiler's own reading."""

import re

import pytest

from fellview.core.errors import FellviewError
from fellview.gpu import preprocessor, programs


def left(front, *body):
    return [line for line in preprocessor.live("\n".join(front), preprocessor.pieces(body))[1] if line]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("defined(A)", True),
        ("defined A && !defined(NOWHERE)", True),
        ("defined(A) && defined(NOWHERE)", False),
        ("defined(NOWHERE) || (defined(A) && !(TWO > 2))", True),
        ("TWO == ALSO_TWO // a comment", True),
        ("TWO != 2", False),
        ("NOWHERE", False),
    ],
)
def test_conditions_hold_as_in_c(condition, holds):
    front = ["#define A", "#define TWO 2", "#define ALSO_TWO TWO"]
    assert left(front, f"#if {condition}", "one", "#else", "other", "#endif") == ["one" if holds else "other"]


@pytest.mark.parametrize(("defined", "expected"), [("A", ["a"]), ("B", ["b"]), ("C", ["c"]), ("AB", ["a"])])
def test_one_branch_at_most_is_left(defined, expected):
    front = [f"#define {name}" for name in defined]
    assert left(front, "#ifdef A", "a", "#elif defined(B)", "b", "#else", "c", "#endif") == expected


def test_what_lies_in_a_branch_left_out_is_left_out_and_defines_nothing():
    lines = ["#ifdef A", "#define B 1", "#ifndef A", "x", "#else", "y", "#endif", "#endif", "#if B == 1", "z", "#endif"]
    assert left([], *lines) == []
    assert left(["#define A"], *lines) == ["#define B 1", "y", "z"]


def test_lines_keep_their_numbers():
    body = ["one", "#ifdef A", "two", "#endif", "three"]
    assert preprocessor.live("", preprocessor.pieces(body))[1] == ["one", "", "", "", "three"]


def test_only_definitions_that_something_reads_are_left():
    front = "#define READ 1\n#define NAMED_IN_A_COMMENT 2\n#define TESTED\nuniform float u_a;"
    body = ["#ifdef TESTED", "float a = float(READ); // NAMED_IN_A_COMMENT", "#endif"]
    assert preprocessor.live(front, preprocessor.pieces(body))[0] == "#define READ 1\nuniform float u_a;"


@pytest.mark.parametrize("line", ["#if A +", "#endif", "#else"])
def test_a_wrong_condition_is_told_in_one_line(line):
    with pytest.raises(FellviewError, match=re.escape(line)):
        preprocessor.live("", preprocessor.pieces([line]))


def test_definitions_that_make_no_difference_share_a_program(context):
    shared = {}

    def program(*names):
        blocks = ["".join(f"#define {name}\n" for name in names)]
        return programs.program(context, "gpu/full_screen.vert", "draw/sky/clouds_blur.frag", blocks, shared=shared)

    assert program("WATER") is program("RIVERS", "LAKES")
    assert len(shared) == 1
