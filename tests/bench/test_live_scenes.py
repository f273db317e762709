"""Scenes under the hand: what is worked out of the times, and the table. Windows are in end_to_end/test_live.py."""

import pytest

from fellview.bench import bench, live_scenes
from fellview.bench.timing import gaps, spread


def test_gaps_count_from_where_the_hand_began():
    assert gaps(10.0, [10.5, 10.75, 12.0]) == [0.5, 0.25, 1.25]


def test_the_spread_has_the_late_and_the_worst():
    assert spread([0.001 * number for number in range(1, 102)]) == {"late_95_ms": 96.0, "largest_ms": 101.0}
    assert spread([0.25]) == {"late_95_ms": 250.0, "largest_ms": 250.0}


def test_the_table_has_a_row_a_scene_and_a_column_a_measurement():
    def one(scene, measurement, *seconds):
        more = {"scene": scene, "measurement": measurement, **spread(seconds)}
        return bench.report(f"live: {scene}, {measurement}", list(seconds), **more)

    reports = [
        bench.report("live: warm start, window up", [0.5]),
        one("canyon", "orbit", 0.1, 0.1, 0.1),
        one("canyon", "sun", 0.2),
        one("dunes", "orbit", 0.05),
    ]
    head, canyon, dunes = live_scenes.table(reports)
    assert head.split()[-2:] == ["orbit", "sun"]
    assert canyon.replace(" ", "") == "canyon100/100/100200/200/200"
    assert dunes.replace(" ", "") == "dunes50/50/50–"
    assert head.index("orbit") == canyon.index("100") == dunes.index("50")
    assert live_scenes.table(reports[:1]) == []


def test_the_table_tells_of_full_lands_of_decibels_and_of_the_worst_gap():
    def one(measurement, **figures):
        return bench.report("x", [0.1], **{"scene": "dunes", "measurement": measurement, **spread([0.1]), **figures})

    full = {"full_median_ms": 800.0, "full_late_95_ms": 900.0, "full_largest_ms": 950.0}
    head, dunes = live_scenes.table(
        [
            one("land-sliders", **full),
            one("fidelity", psnr_moving_db=27.04, psnr_full_db=29.0, psnr_short_db=2.5, change_ratio=1.1),
            one("minute", worst="sun"),
        ]
    )
    assert all(column in head for column in ("land-sliders, full", "fidelity: moving / full, dB", "minute: worst gap"))
    assert all(cell in dunes for cell in ("800 / 900 / 950", "27.0 / 29.0", "×1.10", "100 (sun)"))


@pytest.mark.parametrize(
    ("chosen", "only", "parts"),
    [(["atlantis"], [], ["atlantis", "canyon"]), ([], ["juggling"], ["juggling", "orbit", "flight", "sun", "start"])],
)
def test_what_is_not_there_cannot_be_measured(chosen, only, parts):
    with pytest.raises(bench.InputError) as fault:
        bench.run("live", False, chosen_scenes=chosen, only=only)
    assert all(part in str(fault.value) for part in parts)


def test_scenes_are_for_live_alone():
    with pytest.raises(bench.InputError, match="live"):
        bench.run("demo", False, chosen_scenes=["canyon"])
