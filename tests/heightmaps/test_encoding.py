"""Heights as numbers: what stands for what, what is cut off, and when steps will show."""

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.heightmaps.encoding import Encoding

HEIGHTS = np.linspace(-120, 1850, 77, dtype=np.float32).reshape(7, 11)


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("span", [(-120.0, 1850.0), (-500.0, 2500.0)])
def test_words_come_back_within_half_a_step(bits, span):
    encoding = Encoding(bits, span)
    words = encoding.encoded(HEIGHTS)
    assert words.dtype == f"<u{bits // 8}"
    back = span[0] + words.astype(float) * encoding.step
    np.testing.assert_allclose(back, HEIGHTS, rtol=0, atol=encoding.step / 2 * (1 + 1e-6))
    for height, word in zip(HEIGHTS.flat, words.flat, strict=True):
        assert encoding.number(float(height)) == word


def test_reals_are_metres_or_0_to_1_over_a_range():
    np.testing.assert_array_equal(Encoding(32, None).encoded(HEIGHTS), HEIGHTS)
    assert Encoding(32, None).number(12.5) == 12.5
    parts = Encoding(32, (-120.0, 1850.0))
    np.testing.assert_allclose(parts.encoded(HEIGHTS), (HEIGHTS + 120) / 1970, atol=1e-7)
    assert parts.number(865.0) == pytest.approx(0.5)


def test_what_lies_beyond_the_range_is_cut_off_and_told():
    encoding = Encoding(16, (0.0, 1000.0))
    words = encoding.encoded(HEIGHTS)
    assert (words[HEIGHTS <= 0] == 0).all() and (words[HEIGHTS >= 1000] == 65535).all()
    assert encoding.number(-1.0) is None and encoding.number(1000.0) == 65535
    assert encoding.remarks(HEIGHTS, (30.0, 30.0)) == ["heights of -120 to 1850 m: cut off to 0 to 1000 m"]


def test_steps_that_will_show_are_told_with_their_height():
    step = 1970 / 65535
    remarks = Encoding(16, (-120.0, 1850.0)).remarks(HEIGHTS, (2.0, 1.0))
    assert len(remarks) == 1 and f"steps of {step:.3g} m will show on cells of 1 m" in remarks[0]
    assert Encoding(16, (-120.0, 1850.0)).remarks(HEIGHTS, (30.0, 30.0)) == []
    assert "16 bits have smaller ones" in Encoding(8, (-120.0, 1850.0)).remarks(HEIGHTS, (30.0, 30.0))[0]
    assert Encoding(32, None).remarks(HEIGHTS, (0.01, 0.01)) == []


def test_flat_land_is_all_0():
    assert (Encoding(16, (42.5, 42.5)).encoded(np.full((2, 3), 42.5, np.float32)) == 0).all()


@pytest.mark.parametrize("span", [(1.0, 0.0), (np.nan, 1.0), (0.0, np.inf)])
def test_a_range_that_is_none_is_refused(span):
    with pytest.raises(InputError, match=r"range = .*: expected two finite heights in metres, the lower one first"):
        Encoding(16, span)
