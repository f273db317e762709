"""The flags that both sides of the compute process see.

Apart from the messages, which need all steps' parameters: the process is started before those are read.
"""

from __future__ import annotations

from enum import IntEnum, auto


class Flag(IntEnum):
    """Places of the flags, bytes of shared memory that kernels and steps read; 1 is set."""

    CANCEL = 0
    KEEP = auto()
    NO_MASKS = auto()
    PREVIEW_WAITS = auto()
    MASKS_WAIT = auto()
    WAITS_ELSEWHERE = auto()


ROOM = 64
"""Bytes of shared memory for them and for further ones, of what is compiled elsewhere (`messages.py`)."""
