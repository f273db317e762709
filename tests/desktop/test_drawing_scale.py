"""How large moving pictures are drawn: as large as they are in time, and steady."""

import itertools

import pytest

from fellview.desktop.drawing_scale import SCALES, DrawingScale

FRAMES = 90


def followed(seconds_of, first=1.0, frames=FRAMES):
    """Return the scales of frames that take `seconds_of` their scale."""
    drawing = DrawingScale(first)
    found = []
    for _ in range(frames):
        found.append(drawing.scale)
        drawing.note(seconds_of(drawing.scale))
    return found


def test_frames_in_time_are_drawn_whole():
    assert set(followed(lambda scale: 0.004 * scale**2)) == {1.0}


@pytest.mark.parametrize("first", [SCALES[0], SCALES[-1]])
@pytest.mark.parametrize("whole_s", [0.1, 0.25, 0.4])
@pytest.mark.parametrize("fixed_s", [0.0, 0.015])
def test_frames_become_as_small_as_is_in_time_and_stay_so(whole_s, fixed_s, first):
    scales = followed(lambda scale: fixed_s + whole_s * scale**2, first)
    assert len(set(scales[-20:])) == 1, "steady"
    last = scales[-1]
    assert last == SCALES[-1] or fixed_s + whole_s * last**2 <= 0.05
    larger = SCALES[SCALES.index(last) - 1]
    assert fixed_s + whole_s * larger**2 > 0.035, "no smaller than need be: most of a frame's time is used"


def test_frames_grow_again_when_there_is_time():
    assert followed(lambda scale: 0.004, SCALES[-1])[-1] == 1.0


def test_a_single_late_frame_costs_four_steps_at_most():
    drawing = DrawingScale()
    drawing.note(5.0)
    assert drawing.scale == SCALES[4]


def test_a_frame_that_is_a_little_late_alone_changes_nothing():
    drawing = DrawingScale(0.5)
    for seconds in (0.045, 0.06, 0.045, 0.06, 0.045):
        drawing.note(seconds)
    assert drawing.scale == 0.5
    for seconds in (0.06, 0.06):
        drawing.note(seconds)
    assert drawing.scale < 0.5


def test_whole_frames_that_take_much_longer_are_tried_ever_more_seldom():
    # frames that are whole have stones and a finer mesh, too
    scales = followed(lambda scale: 0.2 if scale == 1 else 0.03 * scale**2, frames=600)
    tries = [number for number, (one, next_one) in enumerate(itertools.pairwise(scales)) if one < 1 == next_one]
    apart = [after - before for before, after in itertools.pairwise(tries)]
    assert apart == sorted(apart)
    assert apart[-1] > 60


def test_it_never_leaves_its_range():
    drawing = DrawingScale()
    for seconds in itertools.chain([9.0] * 20, [1e-4] * 400):
        drawing.note(seconds)
        assert drawing.scale in SCALES
