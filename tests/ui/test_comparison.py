"""What is drawn of a comparison: where the profiles of both lands stand, and when a land is called by its name."""

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.studio.comparison import BEFORE, Comparison
from fellview.ui import drawn, windows
from fellview.ui.comparison import ComparisonView, Told
from fellview.ui.imgui_host import Host
from fellview.view.profile import profile

LAND = HeightField(np.linspace(0, 90, 48, dtype=np.float32).reshape(6, 8), (10.0, 10.0))
PROFILES = (profile(LAND, (5, 5), (60, 40)), profile(LAND, (5, 5), (60, 40)))
LONG_WORK = (344.0, 84.0)
"""Width and height of the bar over the middle of the lower edge."""


def draw(area, comparison, told):
    """Draw over the landscape `area`, at a scale of 1."""
    host, view = Host(scale=1.0), ComparisonView()
    host.resize((1920, 1080), (1920, 1080))
    for _ in range(3):
        host.new_frame(1 / 60)
        view.draw(comparison, told, area)
        host.end_frame()
    host.close()


@pytest.mark.parametrize("area", [(340.0, 0.0, 940.0, 522.0), (340.0, 0.0, 940.0, 696.0), (340.0, 0.0, 1580.0, 1056.0)])
def test_profiles_stand_in_the_land_and_clear_of_the_bar_of_long_work(area):
    draw(area, Comparison(), Told((), (BEFORE,), profiles=PROFILES))
    left, top, width, height = drawn.places("remark")["profile"]
    right, bottom = left + width, top + height
    assert left > area[0] and top > area[1] + area[3] / 3 and bottom < area[1] + area[3]
    bar_left = area[0] + (area[2] - windows.SIDE - LONG_WORK[0]) / 2
    assert right < bar_left or bottom <= area[1] + area[3] - LONG_WORK[1]


@pytest.mark.parametrize("way", ["wipe", "blink"])
def test_names_are_told_once_there_is_something_to_see(way):
    area = (340.0, 0.0, 940.0, 696.0)
    for wait, named in (("The other land is being drawn…", False), ("", True)):
        draw(area, Comparison(way=way, flipped=True), Told((), (BEFORE,), wait=wait))
        assert any(one.name == "land" and "Before" in one.words for one in drawn.all_of("remark")) == named
