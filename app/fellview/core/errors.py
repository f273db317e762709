"""Errors that a person reads: one line each, naming the thing, its value and what is accepted.

Names and values come from files and command lines of anyone's. A control character of theirs would reach the terminal
as a command to it, and a value of a megabyte would bury what is said of it.
"""

from __future__ import annotations

import reprlib
from typing import Any

_LONGEST_LINE = 1000  # characters: a path and all parameters of the largest group
_LONGEST_VALUE = 80  # characters: a value that a person typed is seen whole
_LARGEST_NUMBER_BITS = 200  # 60 digits


class FellviewError(Exception):
    """Anything Fellview refuses or cannot do; its text is one complete line for a person."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


class InputError(FellviewError, ValueError):
    """A value, key or file from outside is wrong; the line names it and the accepted range."""


class Cancelled(Exception):  # noqa: N818 - a request, not a fault
    """A newer request made the running one pointless."""


def one_line(text: str) -> str:
    """Return `text` with what cannot be printed as escapes, such as ``\\n`` and ``\\x1b``; shortened where too long."""
    if not text.isprintable():
        text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    return _cut(text, _LONGEST_LINE)


def named(text: str) -> str:
    """Return a foreign key or name as a message has it: shortened where it is long."""
    return _cut(text) + _told_length(text)


def quoted(value: Any) -> str:
    """Return a foreign value as a message has it: as Python writes it, shortened where it is long or deep."""
    return _SHORT.repr(value)


def _cut(text: str, most: int = _LONGEST_VALUE) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-(most // 4) :]}"


def _told_length(text: str) -> str:
    return "" if len(text) <= _LONGEST_VALUE else f" ({len(text):,} characters)"


class _Short(reprlib.Repr):
    """Writes values short, whatever they are: a number of thousands of digits Python itself refuses to write."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxother = _LONGEST_VALUE

    def repr_str(self, text: str, level: int) -> str:
        return repr(_cut(text)) + _told_length(text)

    def repr_int(self, number: int, level: int) -> str:
        if number.bit_length() <= _LARGEST_NUMBER_BITS:
            return repr(number)
        return f"{'-' if number < 0 else ''}10**{round(number.bit_length() * 0.30103)}"  # log10 of 2


_SHORT = _Short()
