"""Whatever comes from outside is read, or refused by one line: damaged files by the hundred, and those once found.

A failure prints the kind and the number of the case, which `python -m tests.fuzz.campaign KIND NUMBER` runs again, and
leaves its files in tests/failures/fuzz.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import SystemRandom

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fellview.core import foreign
from fellview.core.errors import InputError
from fellview.core.parameters import Declaration
from fellview.heightmaps.registry import READ_SUFFIXES
from fellview.scene import recipe
from fellview.scene.scene import Scene
from tests.fuzz import campaign, trial
from tests.fuzz.inputs.height_maps import HEIGHT_FILES
from tests.fuzz.inputs.kind import Kind
from tests.fuzz.inputs.registry import FOREIGN_FILES, KINDS

QUICK, SLOW = 40, 1_500  # cases a kind; `make soak` goes on from there for hours
CORPUS = Path(__file__).parents[1] / "corpus"


def first() -> int:
    """Return the number of the first case: the same for a check of someone's change, at home another every time."""
    return 0 if os.environ.get("CI") else SystemRandom().randrange(10**9)


def held(kind: str, count: int) -> None:
    number = first()
    print(f"{kind} from number {number} on")
    tally = campaign.tried(kind, number, 1e9, count)
    assert not tally.faults, f"python -m tests.fuzz.campaign {kind} NUMBER, from {number} on:\n{tally.summary()}"
    assert tally.tried[kind] == count


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_input_is_read_or_refused_by_one_line(kind):
    held(kind, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_much_damaged_input_is_read_or_refused_by_one_line(kind):
    held(kind, SLOW)


@pytest.mark.parametrize(
    "path",
    [one for kind in KINDS for one in sorted((CORPUS / kind).glob("*"))],
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_what_was_found_once_is_not_found_again(path, tmp_path):
    """Files of the corpus by their kind; of a folder, such as a height map and its sidecar, the first is read."""
    given = sorted(shutil.copytree(path, tmp_path / "case").iterdir())[0] if path.is_dir() else tmp_path / path.name
    if not path.is_dir():
        shutil.copyfile(path, given)
    assert trial.judged(path.parent.name, 0, given, given.parent) == []


# -- the formats that are fuzzed are those that are read ---------------------------------------------------------------


def test_every_height_map_that_is_read_is_fuzzed():
    assert set(READ_SUFFIXES) == set(HEIGHT_FILES)


def test_every_kind_of_foreign_file_and_every_decoder_is_fuzzed():
    kinds = {name: one for name, one in vars(foreign).items() if isinstance(one, foreign.Kind)}
    assert set(kinds) == set(FOREIGN_FILES)
    for name, makers in FOREIGN_FILES.items():
        assert {*kinds[name].formats, *kinds[name].others} == set(makers), f"cases of {name} are not its formats"
    assert {one for kind in kinds.values() for one in kind.formats} == set(foreign.PICTURE_FORMATS)


# -- the oracle tells what it is to tell -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "sort"),
    [
        (lambda path, folder: 1 / 0, "ZeroDivisionError"),
        (lambda path, folder: os.open(folder / "pipe", os.O_RDONLY), "hangs"),
        (lambda path, folder: ["two\nlines"], "line unprintable"),
        (lambda path, folder: ["\x1b[31mred"], "line unprintable"),
        (lambda path, folder: ["x" * 5_000], "line too long"),
        (lambda path, folder: [""], "line unprintable"),
        (lambda path, folder: os.write(2, b"warning\n") and [], "prints"),
        (lambda path, folder: (folder / "left").write_text("x") and [], "litter"),
        (lambda path, folder: Path(os.devnull).write_text("x") and [], "wrote elsewhere"),
        (lambda path, folder: os.system("true") or [], "process"),
        (lambda path, folder: refuse("something is wrong"), "unnamed"),
    ],
)
def test_each_sort_of_fault_is_told(read, sort, tmp_path, monkeypatch):
    monkeypatch.setitem(KINDS, "wrong", Kind(lambda random, folder: None, read))
    monkeypatch.setattr(trial, "WAITS_S", 0.5)
    path = tmp_path / "given.toml"
    path.touch()
    os.mkfifo(tmp_path / "pipe")
    faults = trial.judged("wrong", 1, path, tmp_path)
    assert [fault.sort.partition(" at")[0] for fault in faults] == [sort]


def refuse(text):
    raise InputError(text)


def test_a_good_answer_and_a_good_refusal_are_no_faults(tmp_path, monkeypatch):
    for read in (lambda path, folder: ["one line"], lambda path, folder: refuse(f"{path}: not a recipe")):
        monkeypatch.setitem(KINDS, "right", Kind(lambda random, folder: None, read))
        assert trial.judged("right", 1, tmp_path / "given.toml", tmp_path) == []


def test_a_case_is_its_number(tmp_path):
    for kind, one in KINDS.items():
        made = []
        for name in ("one", "other"):
            folder = tmp_path / kind / name
            folder.mkdir(parents=True)
            with trial.quiet():
                one.make(trial.Random(f"{kind} 5"), folder)
            made.append({path.name: path.is_file() and path.read_bytes() for path in folder.iterdir()})
        assert made[0] == made[1]


# -- texts -------------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([f"{key}.{name}" for key, group in Scene().groups().items() for name in group.declarations()])


@given(key=KEYS, value=VALUES)
@settings(deadline=None, max_examples=200)
def test_any_value_of_any_parameter_is_taken_or_refused_by_one_line(key, value):
    try:
        scene = Scene().replace({key: value})
    except InputError as fault:
        assert key in str(fault) and trial.unprintable(str(fault)) == ""
    else:
        assert recipe.from_text(recipe.to_text(scene))[0] == scene


@given(key=KEYS, text=st.text(max_size=40))
@example(key="noise.seed", text="9" * 5_000)
@example(key="noise.seed", text="²")
@example(key="noise.frequency", text="1_0")
@settings(deadline=None, max_examples=200)
def test_any_text_for_any_parameter_is_taken_or_refused_by_one_line(key, text):
    declaration: Declaration = Scene().find(key)[2]
    try:
        declaration.parsed(key, text)
    except InputError as fault:
        assert key in str(fault) and trial.unprintable(str(fault)) == ""


@given(text=st.text(max_size=200))
@settings(deadline=None, max_examples=200)
def test_any_text_is_a_recipe_or_refused_by_one_line(text):
    try:
        recipe.from_text(text, "pasted text")
    except InputError as fault:
        assert "pasted text" in str(fault) and trial.unprintable(str(fault)) == ""
