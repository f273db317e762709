"""The recipes of CONTRIBUTING.md work: each is followed to the letter in a copy of the tree, and its result run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import recipe_tree

FLATTENED = """
import pathlib
import fellview
assert pathlib.Path(fellview.__file__).is_relative_to(pathlib.Path.cwd()), fellview.__file__

scene = fellview.load("directx-demo").replace({
    "grid.rows": 24, "grid.columns": 32, "perturb.enabled": False, "erosion.enabled": False, "smooth.enabled": False,
})
flat = scene.replace({"flatten.enabled": True, "flatten.strength": 0.75})
for engine in ("cpu", "gpu"):
    before, after = (fellview.generate(one, engine).heights for one in (scene, flat))
    assert abs(after - 0.25 * before).max() < 1e-4 and before.max() > 1, engine
"""


ERODED = """
import fellview

changes = {"grid.rows": 24, "grid.columns": 32, "perturb.enabled": False, "smooth.enabled": False}
scene = fellview.load("directx-demo").replace(changes)
rough, worn = (
    fellview.generate(scene.replace({"erosion.kind": kind}), "cpu").heights for kind in ("none", "creep")
)
assert worn.std() < rough.std() and abs(worn.mean() - rough.mean()) < 1e-3
"""

COMMANDED = """
from types import SimpleNamespace
import fellview
from fellview.desktop import commands
from fellview.ui.actions import BY_KEYS, rows

scenes = [fellview.load("directx-demo")]
session = SimpleNamespace(scene=scenes[0], set=lambda scene, label: scenes.append(scene))
commands.run(BY_KEYS["I"].id, SimpleNamespace(session=session))
assert scenes[1].view.contours and not scenes[0].view.contours
assert ("Look", "Contour lines on or off", "I") in rows()
"""


DRAWN = """
import fellview

changes = {"grid.rows": 24, "grid.columns": 32, "perturb.enabled": False, "smooth.enabled": False}
scene = fellview.load("directx-demo").replace({"erosion.kind": "none", **changes})
image = fellview.render(scene, (64, 36), samples=1, engine="cpu")[..., :3].astype(int)
assert (image[0, 0] < image[0, 32] - 5).any(), "corners of the sky are darker"
there, chosen = (
    fellview.render(scene.replace({"view.mode": mode}), (64, 36), samples=1, engine="cpu")[..., :3].astype(int)
    for mode in ("slope", "deposits")
)
assert abs(there - chosen).max() > 20
"""

EXPORTED = """
import json, pathlib
import numpy as np
import fellview
from fellview import cli

out = pathlib.Path("land.csv")
small = [word for value in (
    "grid.rows=24", "grid.columns=32", "perturb.enabled=false", "erosion.kind=none", "smooth.enabled=false"
) for word in ("--set", value)]
assert cli.main(["export", "directx-demo", "-o", str(out), "--engine", "cpu", *small]) == 0
heights = np.loadtxt(out, delimiter=",")
facts = json.loads(pathlib.Path("land.csv.json").read_text())
assert heights.shape == (24, 32) and facts["first_row"] == "north"
assert abs(heights.max() - facts["maximum_m"]) < 1e-3
rig = ["--for", "rig", "--size", "32", "-o", "rigged"]
assert cli.main(["export", "directx-demo", *rig, "--engine", "cpu", *small]) == 0
(text,) = pathlib.Path("rigged").glob("*-rig.txt")
assert "Width" in text.read_text()
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree after all recipes."""
    folder = recipe_tree.copied(tmp_path_factory.mktemp("recipes") / "tree")
    recipe_tree.follow(folder)
    return folder


def test_a_recipe_is_a_file_its_shader_and_a_registry(tmp_path: Path) -> None:
    """What a newcomer touches: new files, and one file that lists all of a kind; tests beside them."""
    touched = recipe_tree.follow(recipe_tree.copied(tmp_path / "tree"))
    old = {path for path in touched if (recipe_tree.CHECKOUT / path).exists() and not path.startswith("tests/")}
    assert old == {
        "app/fellview/noise/registry.py",
        "app/fellview/terrain/landforms/registry.py",
        "app/fellview/terrain/pipeline/pipeline.py",
        "app/fellview/terrain/erosion/registry.py",
        "app/fellview/heightmaps/registry.py",
        "app/fellview/targets/registry.py",
        "app/fellview/draw/registry.py",
        # a view mode has a record for the recipe and one for the picture
        "app/fellview/scene/groups/view_modes.py",
        "app/fellview/draw/overlay/view_modes.py",
        # a command's function stands beside others of its kind
        "app/fellview/ui/actions.py",
        "app/fellview/desktop/commands/scene.py",
    }


@pytest.mark.slow
def test_what_recipes_add_is_in_the_house_style(tree: Path) -> None:
    for command in (["check", "-q"], ["format", "-q", "--check"]):
        done = recipe_tree.run(tree, "-m", "ruff", *command, "app", "tests")
        assert done.returncode == 0, done.stdout + done.stderr


PROGRAMS = {"step": FLATTENED, "erosion": ERODED, "command": COMMANDED, "draw": DRAWN, "export": EXPORTED}


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_recipe_adds_runs(tree: Path, program: str) -> None:
    done = recipe_tree.run(tree, "-c", program)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "chosen"),
    [
        ("tests/contract/test_noise_contract.py", "coin"),
        ("tests/contract/test_step_contract.py", "flatten or mound or creep"),
        ("tests/contract/test_erosion_contract.py", "creep"),
        ("tests/desktop/test_commands.py", "fit"),
        ("tests/ui/test_actions.py", ""),
        ("tests/draw/test_view_modes.py", "deposits or every"),
        ("tests/gpu/test_shader_headers.py", ""),
        ("tests/contract/test_declared_ranges.py", "mound"),
        ("tests/parity/test_noise_parity.py", "coin"),
        ("tests/parity/test_step_parity.py", "flatten or mound or coin or creep or listed"),
    ],
    ids=lambda value: value.partition("test_")[2] or "",
)
def test_what_recipes_add_keeps_the_contracts(tree: Path, tests: str, chosen: str) -> None:
    done = recipe_tree.run(tree, "-m", "pytest", "-p", "no:cacheprovider", "-q", tests, "-k", chosen)
    assert done.returncode == 0, done.stdout[-4000:]
