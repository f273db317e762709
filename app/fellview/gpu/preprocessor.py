"""Leaves out of a shader what its `#if` and `#ifdef` leave out, and the definitions that nothing is left to read.

So two sets of definitions that make no difference to a shader give the same text, and the same program.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fellview.core.errors import FellviewError

_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif|define|undef)\b\s*([^/]*)")
_DEFINITION = re.compile(r"(\w+)(\([^)]*\))?\s*(.*)")
_DEFINED = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)")
_PLAIN_DEFINE = re.compile(r"^#define (\w+).*\n", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATORS = {"&&": " and ", "||": " or ", "!=": " != ", "!": " not "}
_OPERATOR = re.compile(r"&&|\|\||!=|!")
_MOST_EXPANSIONS = 8  # of macros in macros


@dataclass(frozen=True)
class Piece:
    """Lines of a shader that hold no directive, or one line that does; shaders share them."""

    text: str
    rows: int
    names: frozenset[str]
    """What is read in it, comments left out."""
    word: str = ""
    """Of a directive, as ``ifdef``; none of one that is not for conditions,"""
    rest: str = ""
    """and what follows it."""

    @classmethod
    def of(cls, lines: Sequence[str]) -> Piece:
        """Return `lines` that hold no directive for conditions as a piece."""
        names = frozenset(_NAME.findall("\n".join(line.partition("//")[0] for line in lines)))
        return cls("\n".join(lines), len(lines), names)


def pieces(lines: Sequence[str]) -> list[Piece]:
    """Return the pieces of a shader's `lines`."""
    found: list[Piece] = []
    plain: list[str] = []
    for line in lines:
        if "#" not in line:
            plain.append(line)
            continue
        if plain:
            found.append(Piece.of(plain))
            plain = []
        piece, directive = Piece.of([line]), _DIRECTIVE.match(line)
        if directive:
            piece = replace(piece, word=directive[1], rest=directive[2].strip())
        found.append(piece)
    return [*found, Piece.of(plain)] if plain else found


def live(front: str, body: Sequence[Piece]) -> tuple[str, list[str]]:
    """Return those of the declarations `front` that matter, and the text of `body`, empty lines where it is left out.

    `FellviewError` where a condition is none.
    """
    macros: dict[str, str] = {}
    for piece in pieces(front.splitlines()):
        _note(piece, macros)
    left = _left(body, macros)
    kept = Piece.of(_PLAIN_DEFINE.sub("", front).splitlines())
    read = kept.names.union(*(piece.names for piece in left))
    matters = _PLAIN_DEFINE.sub(lambda match: match[0] if match[1] in read else "", front)
    return matters, [piece.text for piece in left]


def _note(piece: Piece, macros: dict[str, str]) -> None:
    """Note in `macros` what `piece` defines."""
    if piece.word == "define" and (definition := _DEFINITION.match(piece.rest)):
        macros[definition[1]] = definition[3].strip()
    elif piece.word == "undef":
        macros.pop(piece.rest, None)


def _left(body: Sequence[Piece], macros: dict[str, str]) -> list[Piece]:
    """Return `body` with conditions and what they leave out replaced by empty lines."""
    left = []
    stack: list[tuple[bool, bool]] = []  # of every condition around: whether its branch counts, and whether one has
    counts_here = True
    for piece in body:
        word, rest = piece.word, piece.rest
        if word in ("if", "ifdef", "ifndef"):
            counts = counts_here and _holds(word, rest, macros)
            stack.append((counts, counts))
        elif word in ("elif", "else", "endif"):
            if not stack:
                raise FellviewError(f"{piece.text.strip()}: expected after #if")
            _, had = stack.pop()
            if word != "endif":
                around = all(counts for counts, _ in stack)
                counts = around and not had and (word == "else" or _holds("if", rest, macros))
                stack.append((counts, had or counts))
        else:
            if counts_here:
                _note(piece, macros)
            left.append(piece if counts_here else _empty(piece.rows))
            continue
        counts_here = all(counts for counts, _ in stack)
        left.append(_empty(piece.rows))
    return left


@functools.cache
def _empty(rows: int) -> Piece:
    return Piece.of([""] * rows)


def _holds(word: str, condition: str, macros: dict[str, str]) -> bool:
    """Return whether the condition of a directive holds."""
    if word != "if":
        return (condition in macros) == (word == "ifdef")
    text = _DEFINED.sub(lambda match: str(int((match[1] or match[2]) in macros)), condition)
    for _ in range(_MOST_EXPANSIONS):
        text = _NAME.sub(lambda match: macros.get(match[0], "0") or "0", text)
    try:
        return bool(eval(_OPERATOR.sub(lambda match: _OPERATORS[match[0]], text), {"__builtins__": {}}))
    except (SyntaxError, TypeError, NameError):
        raise FellviewError(f"#if {condition}: expected numbers, names, defined(), !, && and ||") from None
