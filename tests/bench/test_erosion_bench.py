"""The benchmark of erosion: a kernel whose arguments change must change there too."""

import numpy as np

from fellview.bench import erosion


def test_every_kernel_is_called_as_it_asks_and_works():
    work = erosion._work(48)
    assert len({name for name, *_ in work}) == len(work)
    for _, bytes_a_cell, operations, call in work:
        assert bytes_a_cell > 0 and operations > 0
        call()


def test_kernels_are_held_against_the_rates_of_the_machine(monkeypatch):
    monkeypatch.setattr(erosion, "_ROOFLINE_SIDE", 48)
    monkeypatch.setattr(erosion, "_memory_rate", lambda: 1e10)
    monkeypatch.setattr(erosion, "_arithmetic_rate", lambda: 1e10)
    (_, _, rates), *kernels = erosion._kernels()
    assert rates == {"memory_GB_s": 10.0, "arithmetic_Gop_s": 10.0}
    for name, seconds, figures in kernels:
        least = 48 * 48 * max(figures["bytes_a_cell"], figures["operations_a_cell"]) / 1e10
        assert figures["of_roofline"] == round(least / float(np.median(seconds)), 2), name
