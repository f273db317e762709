"""Leaves out of a shader what its `#if` and `#ifdef` leave out, and the definitions that nothing is left to read.

So two sets of definitions that make no difference to a shader give the same text, and the same program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fellview.core.errors import FellviewError

_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif|define|undef)\b\s*([^/]*)")
_DEFINITION = re.compile(r"(\w+)(\([^)]*\))?\s*(.*)")
_DEFINED = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)")
_PLAIN_DEFINE = re.compile(r"^#define (\w+).*\n", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATORS = {"&&": " and ", "||": " or ", "!=": " != ", "!": " not "}
_OPERATOR = re.compile(r"&&|\|\||!=|!")
_MOST_EXPANSIONS = 8  # of macros in macros


def live(front: str, body: Sequence[str]) -> tuple[str, list[str]]:
    """Return those of the declarations `front` that matter, and the lines of `body`, empty where they are left out.

    `FellviewError` where a condition is none.
    """
    macros: dict[str, str] = {}
    for line in front.splitlines():
        _note(line, macros)
    left = _left(body, macros)
    rest = [line.partition("//")[0] for line in (*_PLAIN_DEFINE.sub("", front).splitlines(), *left)]
    read = set(_NAME.findall("\n".join(rest)))
    return _PLAIN_DEFINE.sub(lambda match: match[0] if match[1] in read else "", front), left


def _note(line: str, macros: dict[str, str]) -> None:
    """Note in `macros` what `line` defines."""
    found = _DIRECTIVE.match(line)
    if found and found[1] == "define" and (definition := _DEFINITION.match(found[2])):
        macros[definition[1]] = definition[3].strip()
    elif found and found[1] == "undef":
        macros.pop(found[2].strip(), None)


def _left(lines: Sequence[str], macros: dict[str, str]) -> list[str]:
    """Return `lines` with conditions and what they leave out replaced by empty ones."""
    left = []
    stack: list[tuple[bool, bool]] = []  # of every condition around: whether its branch counts, and whether one has
    counts_here = True
    for line in lines:
        if "#" not in line:
            left.append(line if counts_here else "")
            continue
        found = _DIRECTIVE.match(line)
        word, rest = (found[1], found[2].strip()) if found else ("", "")
        around = all(counts for counts, _ in stack[:-1])
        if word in ("if", "ifdef", "ifndef"):
            counts = all(each for each, _ in stack) and _holds(word, rest, macros)
            stack.append((counts, counts))
        elif word in ("elif", "else", "endif"):
            if not stack:
                raise FellviewError(f"{line.strip()}: expected after #if")
            _, had = stack.pop()
            if word != "endif":
                counts = around and not had and (word == "else" or _holds("if", rest, macros))
                stack.append((counts, had or counts))
        elif counts_here:
            _note(line, macros)
            left.append(line)
            continue
        counts_here = all(counts for counts, _ in stack)
        left.append("")
    return left


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
