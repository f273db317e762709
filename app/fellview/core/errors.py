"""Errors that a person reads: one line each, naming the thing, its value and what is accepted."""

from __future__ import annotations


class FellviewError(Exception):
    """Anything Fellview refuses or cannot do; its text is one complete line for a person."""


class InputError(FellviewError, ValueError):
    """A value, key or file from outside is wrong; the line names it and the accepted range."""


class Cancelled(Exception):  # noqa: N818 - a request, not a fault
    """A newer request made the running one pointless."""
