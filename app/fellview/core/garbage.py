"""Python's search for objects that hold each other alive, kept away from where there are none."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def unsearched() -> Iterator[None]:
    """Have no garbage searched for meanwhile, and afterwards never among what is there by then.

    For imports: modules stay, and searching them again and again took an eighth of a window's start.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if searched:
            gc.enable()
