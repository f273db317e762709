"""Sliders are live while the hand is on them; `fellview bench live` takes the times."""

from __future__ import annotations

import pytest

from fellview.bench import live_scenes
from fellview.bench.live import drag_gaps

DRAG_S = 5.0
FIGURES = {"scene", "measurement", "late_95_ms", "largest_ms", "ratio"}


@pytest.mark.slow
def test_lands_come_under_the_hand_and_frames_do_not_wait_for_them(display, tmp_path):
    computing, still = drag_gaps(tmp_path, DRAG_S)
    assert computing["pictures"] >= 2, "no new land while a slider is dragged"
    assert still["pictures"] == 1
    assert len(still["gaps"]) >= 2, "no frames while a land is waited for"


@pytest.mark.slow
def test_a_scene_is_measured_under_the_hand(display, tmp_path):
    reports = live_scenes.measure(tmp_path, ["directx-demo"], plan=live_scenes.BRIEF)
    assert [more["measurement"] for _, _, more in reports] == list(live_scenes.MEASUREMENTS)
    for name, seconds, more in reports:
        assert name == f"live: directx-demo, {more['measurement']}"
        assert seconds and min(seconds) > 0 and more.keys() >= FIGURES
