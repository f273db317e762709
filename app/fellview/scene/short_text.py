"""A scene as a short text to be sent in a message: a shipped scene's name and revision, and what differs from that.

    fv1-alpine-range-1-2cKfW0bq4zXr

The text is ``fv``, the format's version, the scene's name, its revision, and letters and digits that stand for bytes:
two of the SHA-256 of the revisions of the steps at work, the changes, and the CRC-32 of all that is before it. Nothing
in it has a meaning in an address, in a shell or in Markdown.

A change is the first three bytes of the SHA-256 of a parameter's key, and its value: a switch as one byte, a choice as
two bytes of its word's SHA-256, a colour as its three, a whole number in groups of seven bits, a real number as decimal
digits with an exponent or as a double, whichever is shorter, a text as its length and UTF-8. Keys and words are not
numbered, since numbers change their meaning when a parameter joins; a test holds that no two have equal bytes.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from fellview.core.errors import InputError, named
from fellview.core.parameters import TEXT, Declaration, Value, is_text
from fellview.scene.bookmarks import MOST, Bookmark, numbered
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import STEPS

VERSION = 1

LONGEST = 8_000
"""Most characters of a short text: every parameter of a scene, changed, takes a third of them."""

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PLACES = {digit: place for place, digit in enumerate(_DIGITS)}
_FORM = re.compile(r"fv([0-9]{1,4})-([a-z0-9]+(?:-[a-z0-9]+)*)-([0-9]{1,4})-([0-9A-Za-z]+)")
_BEGINS = re.compile(r"fv[0-9]{1,4}-")
_QUOTES = "\"'`<>‘’“”"
_KEY_BYTES, _WORD_BYTES, _STEPS_BYTES, _CHECK_BYTES = 3, 2, 2, 4
_EXPONENT_ZERO = 128  # in the byte before a real number, which is its exponent of ten
_DOUBLE = 255  # in its place, where a double follows
_HEADER = ("name", "sentence")
_BOOKMARK = "bookmark"  # with its number, in the place of a group's key

Base = Callable[[str, int], Scene]
"""Gives a revision of a shipped scene by its name; `InputError` where there is none."""


def is_short(text: str) -> bool:
    """Return whether `text` is meant as a short text, damaged or not."""
    return _BEGINS.match(_bare(text[: LONGEST + 1])) is not None


def to_text(scene: Scene, name: str, revision: int, base: Scene) -> str:
    """Return `scene` as a short text of what differs from `base`, which is a `revision` of the shipped scene `name`."""
    were = dict(_values(base))
    changes = [_change(scene, key, value) for key, value in _values(scene) if value != were[key]]
    content = _steps_mark(scene) + b"".join(changes)
    start = f"fv{VERSION}-{name}-{revision}-"
    return start + _in_digits(content + _check(start, content))


def from_text(text: str, source: str, base: Base) -> tuple[Scene, list[str]]:
    """Return the scene of a short `text`, which may have been broken into lines or put in quotation marks, and notices.

    `InputError` names `source`: where the text is damaged, or of a newer Fellview. A notice tells that a step has
    changed since, so that the heights differ.
    """
    if len(text) > LONGEST:
        raise InputError(f"{source}: {len(text):,} characters: expected a short text of at most {LONGEST:,}")
    bare = _bare(text)
    damaged = InputError(f"{source}: {named(bare)}: damaged; expected every letter as it was copied")
    found = _FORM.fullmatch(bare)
    if found is None:
        raise damaged
    content = _in_bytes(found[4])
    start = bare[: found.start(4)]
    changes, check = content[:-_CHECK_BYTES], content[-_CHECK_BYTES:]
    if int(found[1]) != VERSION:
        raise InputError(f"{source}: version {found[1]} of short texts: expected {VERSION}; a newer Fellview wrote it?")
    if check != _check(start, changes):
        raise damaged
    try:
        reader = _Reader(changes)
        mark = reader.take(_STEPS_BYTES)
        scene = _changed(base(found[2], int(found[3])), reader)
    except InputError as fault:
        raise InputError(f"{source}: {fault}") from None
    changed = mark != _steps_mark(scene)
    return scene, [f"{source}: a step has changed since this was copied, so the heights may differ"] if changed else []


def _bare(text: str) -> str:
    """Return `text` without what mail and chat programs put into it and around it."""
    return "".join(text.split()).strip(_QUOTES)


def _check(start: str, content: bytes) -> bytes:
    return zlib.crc32(start.encode() + content).to_bytes(_CHECK_BYTES, "big")


def _steps_mark(scene: Scene) -> bytes:
    """Return what stands for the revisions of the steps that do something in `scene`."""
    working = [f"{step.key} {step.revision}" for step in STEPS if step.active(getattr(scene, step.key))]
    return hashlib.sha256("\n".join(working).encode()).digest()[:_STEPS_BYTES]


# -- changes -----------------------------------------------------------------------------------------------------------


@functools.cache
def key_mark(key: str) -> bytes:
    """Return what stands for the parameter `key`."""
    return hashlib.sha256(key.encode()).digest()[:_KEY_BYTES]


def word_mark(word: str) -> bytes:
    """Return what stands for a choice's `word`."""
    return hashlib.sha256(word.encode()).digest()[:_WORD_BYTES]


def _values(scene: Scene) -> Iterator[tuple[str, Value]]:
    """Iterate over all that makes `scene` up, by key."""
    yield from ((key, getattr(scene, key)) for key in _HEADER)
    for key, group in scene.groups().items():
        yield from ((f"{key}.{name}", value) for name, value in group.values().items())
    for number in range(1, MOST + 1):  # one that is not set has no name
        one = numbered(scene.bookmarks, number)
        yield f"{_BOOKMARK}{number}.name", one.name if one else ""
        camera = one.camera if one else Camera()
        yield from ((f"{_BOOKMARK}{number}.{name}", value) for name, value in camera.values().items())


def _declaration(scene: Scene, key: str) -> Declaration | None:
    """Return the declaration of what `_values` gives as `key`; none for a header's text and a bookmark's name."""
    if key in _HEADER or (key.startswith(_BOOKMARK) and key.endswith(".name")):
        return None
    if key.startswith(_BOOKMARK):
        return Camera.declaration(key.partition(".")[2])
    return scene.find(key)[2]


def _change(scene: Scene, key: str, value: Value) -> bytes:
    declaration = _declaration(scene, key)
    return key_mark(key) + (_text(str(value)) if declaration is None else _packed(declaration, value))


def _changed(scene: Scene, reader: _Reader) -> Scene:
    """Return `scene` with the changes that `reader` gives."""
    values = dict(_values(scene))
    keys = {key_mark(key): key for key in values}
    while reader.left:
        key = keys.get(reader.take(_KEY_BYTES))
        if key is None:
            raise InputError("changes a parameter that is not known here: a newer Fellview wrote it?")
        declaration = _declaration(scene, key)
        if declaration is not None:
            values[key] = _unpacked(declaration, key, reader)
            continue
        values[key] = reader.text()
        if not is_text(values[key]):
            raise InputError(f"{key}: expected {TEXT}")
    header: dict[str, Any] = {key: values[key] for key in _HEADER}
    changes = {key: value for key, value in values.items() if key not in header and not key.startswith(_BOOKMARK)}
    return dataclasses.replace(scene.replace(changes), bookmarks=tuple(_bookmarks(values)), **header)


def _bookmarks(values: Mapping[str, Value]) -> Iterator[Bookmark]:
    """Iterate over the bookmarks that stand in `values` by their keys."""
    for number in range(1, MOST + 1):
        if name := values[f"{_BOOKMARK}{number}.name"]:
            camera = {each: values[f"{_BOOKMARK}{number}.{each}"] for each in Camera.declarations()}
            yield Bookmark(number, str(name), Camera().replace(**camera))


def _packed(declaration: Declaration, value: Value) -> bytes:
    if declaration.type is bool:
        return bytes([bool(value)])
    if declaration.options:
        return word_mark(str(value))
    if declaration.colour:
        return bytes.fromhex(str(value)[1:])
    if declaration.type is str:
        return _text(str(value))
    return _whole(_folded(int(value))) if declaration.type is int else _real(float(value))


def _unpacked(declaration: Declaration, key: str, reader: _Reader) -> Value:
    if declaration.type is bool:
        return reader.take(1) != b"\0"
    if declaration.options:
        mark = reader.take(_WORD_BYTES)
        word = next((option for option in declaration.options if word_mark(option) == mark), None)
        if word is None:
            raise InputError(f"{key}: a choice that is not known here; expected {declaration.accepted}")
        return word
    if declaration.colour:
        return f"#{reader.take(3).hex()}"
    if declaration.type is str:
        return reader.text()
    return reader.signed() if declaration.type is int else reader.real()


# -- values as bytes ---------------------------------------------------------------------------------------------------


def _folded(number: int) -> int:
    """Return a whole number as one that is not below 0: 0, −1, 1, −2, 2, ..."""
    return 2 * number if number >= 0 else -2 * number - 1


def _whole(number: int) -> bytes:
    """Return a whole number that is not below 0, seven bits a byte, the lowest first; the last byte's eighth is 0."""
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return bytes(groups)


def _real(number: float) -> bytes:
    digits = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(digits.exponent, int)  # no parameter is infinite
    mantissa = int("".join(map(str, digits.digits)))
    whole = _whole(_folded(-mantissa if digits.sign else mantissa))
    as_double = struct.pack("<d", number)
    exponent = digits.exponent + _EXPONENT_ZERO
    if len(whole) < len(as_double) and 0 <= exponent < _DOUBLE:
        return bytes([exponent]) + whole
    return bytes([_DOUBLE]) + as_double


def _text(text: str) -> bytes:
    written = text.encode()
    return _whole(len(written)) + written


class _Reader:
    """Takes values from the start of `content`; `InputError` where it ends too early."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    @property
    def left(self) -> int:
        return len(self._content) - self._at

    def take(self, count: int) -> bytes:
        if self.left < count:
            raise InputError("ends in the middle of a value")
        self._at += count
        return self._content[self._at - count : self._at]

    def whole(self) -> int:
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def signed(self) -> int:
        number = self.whole()
        return -(number + 1) // 2 if number & 1 else number // 2

    def real(self) -> float:
        exponent = self.take(1)[0]
        if exponent == _DOUBLE:
            return float(struct.unpack("<d", self.take(8))[0])
        return float(Decimal(self.signed()).scaleb(exponent - _EXPONENT_ZERO))

    def text(self) -> str:
        return self.take(self.whole()).decode(errors="replace")


# -- bytes as letters and digits ---------------------------------------------------------------------------------------


def _in_digits(content: bytes) -> str:
    """Return `content` as a number to base 62; a 1 before it keeps the zeros that it begins with."""
    number = int.from_bytes(b"\1" + content, "big")
    digits = ""
    while number:
        number, place = divmod(number, len(_DIGITS))
        digits = _DIGITS[place] + digits
    return digits


def _in_bytes(digits: str) -> bytes:
    number = 0
    for digit in digits:
        number = number * len(_DIGITS) + _PLACES[digit]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")[1:]
