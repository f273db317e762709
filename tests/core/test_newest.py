"""What is kept with what it was made of."""

import numpy as np

from fellview.core.newest import Newest


def test_it_is_made_anew_for_other_objects_alone():
    newest, made = Newest(), []

    def make():
        made.append(len(made))
        return made[-1]

    heights, same = np.zeros(4), np.zeros(4)
    assert [newest.of((heights, "a"), make), newest.of((heights, "a"), make)] == [0, 0]
    assert newest.of((same, "a"), make) == 1, "an equal array is another one"
    assert newest.of((heights, "a"), make) == 2, "only the newest is kept"
