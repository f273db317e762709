"""Sliders are live while the hand is on them; `fellview bench live` takes the times."""

from __future__ import annotations

import pytest

from fellview.bench.live import drag_gaps

DRAG_S = 5.0


@pytest.mark.slow
def test_lands_come_under_the_hand_and_frames_do_not_wait_for_them(display, tmp_path):
    computing, still = drag_gaps(tmp_path, DRAG_S)
    assert computing["pictures"] >= 2, "no new land while a slider is dragged"
    assert still["pictures"] == 1
    assert len(still["gaps"]) >= 2, "no frames while a land is waited for"
