"""Contact sheets: what --vary means, and that every picture on the sheet is the scene with its values."""

from __future__ import annotations

import numpy as np
import pytest

from fellview import capture, contact_sheet
from fellview.cli import main
from fellview.core.errors import InputError
from fellview.io import scenes
from fellview.library import generate
from fellview.noise import registry

SMALL = scenes.load("directx-demo").replace({"grid.rows": 24, "grid.columns": 24})
SIZE = (64, 40)


def test_a_list_gives_its_values():
    assert contact_sheet.variation(SMALL, "noise.seed=3,1,2").values == (3, 1, 2)
    assert contact_sheet.variation(SMALL, "noise.kind=white,worley").values == ("white", "worley")


def test_a_range_is_cut_evenly_on_the_parameters_own_scale():
    assert contact_sheet.variation(SMALL, "noise.frequency=2:32:5").values == pytest.approx((2, 4, 8, 16, 32))
    assert contact_sheet.variation(SMALL, "sun.azimuth=0:90:4").values == pytest.approx((0, 30, 60, 90))
    assert contact_sheet.variation(SMALL, "smooth.iterations=0:10:3").values == (0, 5, 10)


@pytest.mark.parametrize(
    "text",
    [
        "noise.seed",
        "noise.seed=",
        "noise.frequency=1:2",
        "noise.frequency=1:2:0",
        "noise.frequency=1:2:x",
        "a.b=1",
        "noise.frequency=0:2:3",
        "noise.kind=pink",
        "noise.seed=1,,2",
    ],
)
def test_what_cannot_be_varied_is_named(text):
    with pytest.raises(InputError, match=text.partition("=")[0]):
        contact_sheet.variation(SMALL, text)


def test_every_picture_is_the_scene_with_its_values():
    seeds, modes = (1, 2, 3), ("textured", "normals")
    variations = [
        contact_sheet.variation(SMALL, "noise.seed=1,2,3"),
        contact_sheet.variation(SMALL, "view.mode=textured,normals"),
    ]
    page = contact_sheet.sheet(SMALL, variations, SIZE, 1, lambda step, fraction: None)
    for row, mode in enumerate(modes):
        for column, seed in enumerate(seeds):
            scene = SMALL.replace({"noise.seed": seed, "view.mode": mode})
            alone = capture.picture(scene, generate(scene, "cpu"), SIZE, samples=1)[..., :3]
            top, left = 6 + row * (SIZE[1] + 26 + 6), 6 + column * (SIZE[0] + 6)
            part = page[top : top + SIZE[1], left : left + SIZE[0]]
            np.testing.assert_array_equal(part, alone, err_msg=f"{mode}, seed {seed}")


def test_a_sheet_of_too_many_pictures_is_refused():
    with pytest.raises(InputError, match="401 pictures"):
        contact_sheet.sheet(
            SMALL, [contact_sheet.variation(SMALL, "noise.seed=0:400:401")], SIZE, 1, lambda step, fraction: None
        )


def test_the_command_draws_every_kind_of_noise(tmp_path, capsys):
    path = tmp_path / "kinds.png"
    kinds = ",".join(registry.kinds())
    words = ["sheet", "directx-demo", "--vary", f"noise.kind={kinds}", "--set", "grid.rows=16", "-o", str(path)]
    assert main([*words, "--set", "grid.columns=16", "--size", "32x20"]) == 0
    assert scenes.load(path) == scenes.load("directx-demo").replace({"grid.rows": 16, "grid.columns": 16})
