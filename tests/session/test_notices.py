"""What the window tells a person."""

import pytest

from fellview.session.notices import Notices


@pytest.fixture
def notices(clock):
    return Notices(clock)


def test_notices_have_an_end_and_do_not_repeat(notices):
    for number in range(30):
        notices.add(f"notice {number}")
        notices.add(f"notice {number}")
    assert notices.texts == [f"notice {number}" for number in range(24, 30)]


def test_a_notice_is_one_line_of_letters_whatever_it_names(notices):
    notices.add("a\nb.tif: \x1b[31mno heights", passing=True)
    assert notices.texts == [r"a\nb.tif: \x1b[31mno heights"]
    assert notices.passes_in is not None


def test_what_came_unseen_waits_until_somebody_is_there_and_then_passes(notices, clock):
    notices.add("film.mp4 is there", passing=True, unseen=True)
    clock.now += 1000
    assert not notices.let_pass() and notices.passes_in is None
    notices.see()
    clock.now += notices.passes_in - 0.1
    notices.see()  # a hand that stays does not put its end off
    assert not notices.let_pass()
    clock.now += 0.2
    assert notices.let_pass() and notices.texts == []
    notices.see()
    assert notices.passes_in is None, "what is gone is not waited for"


def test_a_notice_of_what_was_done_passes_and_one_of_what_went_wrong_stays(notices, clock):
    notices.add("wrong")
    notices.add("done", passing=True)
    assert notices.passes_in and not notices.let_pass()
    clock.now += notices.passes_in / 2
    notices.add("done", passing=True)  # said anew, it stays as long as the first time
    clock.now += notices.passes_in - 0.1
    assert not notices.let_pass()
    clock.now += 0.2
    assert notices.let_pass()
    assert (notices.texts, notices.passes_in) == (["wrong"], None)
