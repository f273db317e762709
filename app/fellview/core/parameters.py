"""A parameter is declared once, as a field of a frozen dataclass; every tool is built from that declaration.

The panel, scene files, ``--set``, undo labels, validation and uniform blocks read :class:`Declaration`; nothing
else repeats a default, a range or a unit.

    @dataclass(frozen=True)
    class Perturb(Group):
        key, title = "perturb", "Perturb"
        distance: float = real(32.0, 0.0, 4096.0, unit="cells", tip="Low keeps hills round, high tears them.")
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from fellview.core.errors import InputError, named, quoted

Scale = Literal["linear", "log"]
Value = float | int | str | bool

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_LONGEST_TEXT = 10_000  # characters: twice the longest path of any system, and a recipe of a few is far from full
TEXT = f"a text in Unicode of at most {_LONGEST_TEXT:,} characters"
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def is_text(value: Any, longest: int = _LONGEST_TEXT) -> bool:
    """Return whether `value` is `TEXT` that can be written to a file: half of a character, as in odd paths, cannot."""
    if not isinstance(value, str) or len(value) > longest:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclasses.dataclass(frozen=True)
class Declaration:
    """All that is known of one parameter.

    ``low`` and ``high`` are the declared limits; ``slider`` is the part of them that a slider covers, and ``useful``
    the part that chance draws from when it makes variants of a scene: the slider's where nothing else is declared, and
    empty for what chance leaves alone, such as places and levels that were chosen to fit. ``tip`` says
    what a person sees at low and high values. ``only`` names the values of a sibling choice or switch that show the
    parameter. ``more`` puts it behind the section's "More", for what few people change. ``action`` is the command by
    which a text is chosen rather than typed; without ``row`` the panel shows nothing of the parameter. What is not
    ``undoable`` is how one looks at a scene and no part of what it is: undo leaves it as it is at present, and it makes
    no scene a changed one. A text has at most ``longest`` characters, and ``empty`` says what an empty one means.
    """

    type: type
    default: Value
    label: str
    tip: str
    low: float = -math.inf
    high: float = math.inf
    slider: tuple[float, float] = (0.0, 0.0)
    unit: str = ""
    scale: Scale = "linear"
    wraps: bool = False
    options: tuple[str, ...] = ()
    colour: bool = False
    only: Mapping[str, tuple[str | bool, ...]] = dataclasses.field(default_factory=dict)
    more: bool = False
    action: str = ""
    row: bool = True
    undoable: bool = True
    longest: int = _LONGEST_TEXT
    empty: str = ""
    useful: tuple[float, float] | tuple[()] = ()

    @property
    def free_text(self) -> bool:
        """Return whether any text is accepted."""
        return self.type is str and not self.options and not self.colour

    @property
    def accepted(self) -> str:
        """The accepted values in words, for error messages."""
        if self.options:
            return "one of " + ", ".join(self.options)
        if self.colour:
            return "a colour such as #2d32aa"
        if self.type is bool:
            return "true or false"
        if self.type is str:
            return TEXT if self.longest == _LONGEST_TEXT else f"a text of at most {self.longest:,} characters"
        unit = f" {self.unit}" if self.unit else ""
        whole = "a whole number, " if self.type is int else ""
        return f"{whole}{self.low:.10g} to {self.high:.10g}{unit}"

    def validated(self, key: str, value: Any) -> Value:
        """Return `value` as this parameter's own type; `InputError` names `key`, the value and what is accepted."""
        if self.type in (bool, str):
            if not isinstance(value, self.type):
                raise self._refusal(key, value)
            if self.colour:
                value = str(value).lower()
            if self.type is str and not is_text(value, self.longest):
                raise self._refusal(key, value)
            if (self.options and value not in self.options) or (self.colour and not _COLOUR.fullmatch(value)):
                raise self._refusal(key, value)
            return value
        if isinstance(value, (bool, str)):
            raise self._refusal(key, value)
        try:
            number = self.type(value)
            exact = self.type is float or number == value
        except (TypeError, ValueError, OverflowError):
            raise self._refusal(key, value) from None
        if not exact or not self.low <= number <= self.high:  # NaN fails the comparison too
            raise self._refusal(key, value)
        return number

    def _refusal(self, key: str, value: Any) -> InputError:
        return InputError(f"{named(key)} = {quoted(value)}: expected {self.accepted}")

    def parsed(self, key: str, text: str) -> Value:
        """Return the value that `text` (from a command line or a text field) stands for."""
        text = text.strip()
        try:
            if self.type is bool:
                return self.validated(key, _TRUTH[text.lower()])
            if self.type is int and re.fullmatch(r"[+-]?\d+", text):
                return self.validated(key, int(text))
            if self.type in (int, float):
                return self.validated(key, float(text))
        except (KeyError, ValueError) as fault:
            if isinstance(fault, InputError):
                raise
            raise InputError(f"{named(key)} = {quoted(text)}: expected {self.accepted}") from None
        return self.validated(key, text)

    def share(self, value: float, low: float, high: float) -> float:
        """Return where `value` lies between `low` and `high` on the parameter's scale, 0 to 1 from end to end."""
        if high <= low:
            return 0.0
        if self._by_ratio(low):
            return math.log(max(value, low) / low) / math.log(high / low)
        return (value - low) / (high - low)

    def at_share(self, share: float, low: float, high: float) -> Value:
        """Return the value at a `share` of the way from `low` to `high` on the parameter's scale, within its limits."""
        by_ratio = self._by_ratio(low) and high > 0
        return self.clamped(low * (high / low) ** share if by_ratio else low + (high - low) * share)

    def spread(self, low: float, high: float, count: int) -> tuple[Value, ...]:
        """Return `count` values evenly from `low` to `high` on the parameter's scale, both ends included."""
        return tuple(self.at_share(number / max(count - 1, 1), low, high) for number in range(count))

    def _by_ratio(self, low: float) -> bool:
        return self.scale == "log" and low > 0

    def clamped(self, value: float) -> Value:
        """Return `value` brought into the declared limits and onto seven digits, which undoes float32 widgets."""
        value = min(max(float(f"{value:.7g}"), self.low), self.high)
        return round(value) if self.type is int else value


def _field(declaration: Declaration) -> Any:
    return dataclasses.field(default=declaration.default, metadata={"declaration": declaration})


def real(
    default: float,
    low: float,
    high: float,
    *,
    label: str = "",
    tip: str,
    slider: tuple[float, float] | None = None,
    useful: tuple[float, float] | tuple[()] | None = None,
    unit: str = "",
    scale: Scale = "linear",
    wraps: bool = False,
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
    undoable: bool = True,
) -> Any:
    """Declare a real number between `low` and `high`, both included."""
    return _field(
        Declaration(
            float,
            float(default),
            label,
            tip,
            low,
            high,
            slider or (low, high),
            unit,
            scale,
            wraps,
            only=only or {},
            more=more,
            undoable=undoable,
            useful=(slider or (low, high)) if useful is None else useful,
        )
    )


def whole(
    default: int,
    low: int,
    high: int,
    *,
    label: str = "",
    tip: str,
    slider: tuple[int, int] | None = None,
    useful: tuple[int, int] | tuple[()] | None = None,
    unit: str = "",
    scale: Scale = "linear",
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
) -> Any:
    """Declare a whole number between `low` and `high`, both included."""
    slider = slider or (low, high)
    useful = slider if useful is None else useful
    return _field(
        Declaration(int, default, label, tip, low, high, slider, unit, scale, only=only or {}, more=more, useful=useful)
    )


def choice(
    default: str,
    options: tuple[str, ...],
    *,
    label: str = "",
    tip: str,
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
    undoable: bool = True,
) -> Any:
    """Declare one word out of `options`."""
    return _field(Declaration(str, default, label, tip, options=options, only=only or {}, more=more, undoable=undoable))


def switch(
    default: bool,
    *,
    label: str = "",
    tip: str,
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
    undoable: bool = True,
) -> Any:
    """Declare something that is on or off."""
    return _field(Declaration(bool, default, label, tip, only=only or {}, more=more, undoable=undoable))


def text(
    default: str,
    *,
    label: str = "",
    tip: str,
    action: str = "",
    row: bool = True,
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
    longest: int = _LONGEST_TEXT,
    empty: str = "",
) -> Any:
    """Declare a text of at most `longest` characters; `empty` says what an empty one means."""
    return _field(
        Declaration(
            str, default, label, tip, action=action, row=row, only=only or {}, more=more, longest=longest, empty=empty
        )
    )


def colour(
    default: str,
    *,
    label: str = "",
    tip: str,
    only: Mapping[str, tuple[str | bool, ...]] | None = None,
    more: bool = False,
) -> Any:
    """Declare an sRGB colour, written ``#rrggbb``."""
    return _field(Declaration(str, default, label, tip, colour=True, only=only or {}, more=more))


@dataclasses.dataclass(frozen=True)
class Group:
    """A frozen, validated set of parameters; subclasses give `key` (in files) and `title` (in the panel).

    None of its parameters is undoable where the group is not.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    undoable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, declaration in self.declarations().items():
            value = declaration.validated(f"{self.key}.{name}", getattr(self, name))
            object.__setattr__(self, name, value)

    @classmethod
    @functools.cache  # the panel asks for every row of every frame
    def declarations(cls) -> dict[str, Declaration]:
        """Return the declarations by field name, in the order in which they stand in the class."""
        found = {}
        for field in dataclasses.fields(cls):
            declaration = field.metadata["declaration"]
            label = declaration.label or field.name.replace("_", " ").capitalize()
            undoable = cls.undoable and declaration.undoable
            found[field.name] = dataclasses.replace(declaration, label=label, undoable=undoable)
        return found

    @classmethod
    def declaration(cls, name: str) -> Declaration:
        """Return one declaration; `InputError` lists the names there are."""
        declarations = cls.declarations()
        if name not in declarations:
            raise InputError(f"{cls.key}.{named(name)}: no such parameter; {cls.key} has {', '.join(declarations)}")
        return declarations[name]

    @classmethod
    @functools.cache
    def _looks(cls) -> tuple[str, ...]:
        """Return the names of the parameters that are not undoable."""
        return tuple(name for name, declaration in cls.declarations().items() if not declaration.undoable)

    def viewed_as(self, other: Self) -> Self:
        """Return the group with all that is not undoable as in `other`."""
        if not self.undoable:
            return other
        changes = {name: getattr(other, name) for name in self._looks() if getattr(other, name) != getattr(self, name)}
        return dataclasses.replace(self, **changes) if changes else self

    def shows(self, name: str) -> bool:
        """Return whether parameter `name` has an effect under the group's present choices."""
        only = self.declaration(name).only
        return all(getattr(self, sibling) in accepted for sibling, accepted in only.items())

    def replace(self, **changes: Value) -> Self:
        """Return a validated copy with `changes` made."""
        for name in changes:
            self.declaration(name)
        return dataclasses.replace(self, **changes)

    def values(self) -> dict[str, Value]:
        """Return the parameters as a plain dictionary."""
        return {name: getattr(self, name) for name in self.declarations()}
