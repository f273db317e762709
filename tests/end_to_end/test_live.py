"""Computing never makes the hand wait: frames come as evenly while lands are computed as while none are."""

from __future__ import annotations

import pytest

from fellview.bench.live import drag_gaps, late_ms

DRAG_S = 5.0  # `fellview bench live` drags for 20
LATER_MS = 60.0  # what computing may add to the 99th percentile of the times between frames


@pytest.mark.alone
def test_computing_does_not_hold_frames_up_while_sliders_are_dragged(display, tmp_path):
    computing, still = drag_gaps(tmp_path, DRAG_S)
    assert still["pictures"] == 1
    assert computing["pictures"] > DRAG_S, "fewer than one new land a second"
    assert late_ms(computing["gaps"]) < late_ms(still["gaps"]) + LATER_MS
