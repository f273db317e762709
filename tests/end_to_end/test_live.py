"""Sliders are live while the hand is on them; `fellview bench live` takes the times."""

from __future__ import annotations

import json

import pytest

from fellview.bench import bench, gestures, live_scenes
from fellview.bench.live import drag_gaps

DRAG_S = 5.0
FIGURES = {"scene", "measurement", "late_95_ms", "largest_ms", "ratio"}
MORE = {
    "land-sliders": {"full_median_ms", "full_late_95_ms", "full_largest_ms", "full_steps_median_ms", "sliders"},
    "look-sliders": {"sliders"},
    "fidelity": {"psnr_moving_db", "psnr_full_db", "psnr_short_db", "change_ratio"},
    "minute": {"worst"},
    "minute-cold": {"worst"},
}


@pytest.mark.slow
def test_lands_come_under_the_hand_and_frames_do_not_wait_for_them(display, tmp_path):
    computing, still = drag_gaps(tmp_path, DRAG_S)
    assert computing["lands"] >= 2, "no new land while a slider is dragged"
    assert still["lands"] == 0
    assert len(still["frame_gaps"]) >= 2, "no frames while a land is waited for"


@pytest.mark.slow
def test_a_scene_is_measured_under_the_hand(display, tmp_path):
    reports = live_scenes.measure(tmp_path, ["directx-demo"], plan=gestures.BRIEF)
    assert [more["measurement"] for _, _, more in reports] == list(gestures.MEASUREMENTS)
    for name, seconds, more in reports:
        assert name == f"live: directx-demo, {more['measurement']}"
        assert seconds and min(seconds) >= 0 and more.keys() >= FIGURES | MORE.get(more["measurement"], set())
    assert json.loads(json.dumps([bench.report(name, seconds, **more) for name, seconds, more in reports]))
    _, row = live_scenes.table([more | {"median_ms": 1.0} for _, _, more in reports])
    assert row.startswith("directx-demo") and "–" not in row
