"""The benchmark of erosion: a kernel whose arguments change must change there too."""

import numpy as np

from fellview.bench import erosion


def test_every_kernel_is_called_as_it_asks_and_works():
    work = erosion.kernel_calls(48)
    assert len({name for name, *_ in work}) == len(work)
    for _, bytes_a_cell, operations, call in work:
        assert bytes_a_cell > 0 and operations > 0
        call()


def test_kernels_are_held_against_the_rates_of_the_machine():
    (_, _, rates), *kernels = erosion.kernels(48, lambda: 1e10, lambda: 1e10)
    assert rates == {"memory_GB_s": 10.0, "arithmetic_Gop_s": 10.0}
    for name, seconds, figures in kernels:
        least = 48 * 48 * max(figures["bytes_a_cell"], figures["operations_a_cell"]) / 1e10
        assert figures["of_roofline"] == round(least / float(np.median(seconds)), 2), name
