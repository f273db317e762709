"""Which texts a person means by a few letters, and how well each fits: "tal" and "tlsa" both mean "Talus angle".

Every word that is sought has to be found. Its letters stand in the text in their order, with gaps between them; of all
ways to place them the best is told, by the Smith-Waterman algorithm (T. F. Smith, M. S. Waterman, J. Mol. Biol. 147,
195, 1981, doi:10.1016/0022-2836(81)90087-5) with affine gaps (O. Gotoh, J. Mol. Biol. 162, 705, 1982,
doi:10.1016/0022-2836(82)90398-9), as fuzzy finders such as fzf use it: a letter counts more at the start of a word and
behind another that was found, and a gap costs something.

Rejected: rapidfuzz. Its ratios count edits, by which "talus" is nearer to "value" than to "Talus angle of scree", and
it tells no places to mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LETTER, _BEHIND, _START, _FIRST, _WHOLE = 1.0, 0.7, 0.9, 0.3, 0.5
"""A letter's worth; beside that where it stands behind one that was found, at a word's start, at the text's, and for a
last letter that ends a word which was begun."""
_GAP, _SKIPPED = 0.4, 0.03  # what a gap costs, and every letter in it
_LONG = 0.004  # what every letter of the text costs: of two that fit alike the shorter is meant
_STRAY = 0.5  # of the letters, the most that stand neither at a start nor behind another


@dataclass(frozen=True)
class Match:
    """How well a text fits, and the places of the letters that were found in it."""

    score: float
    places: tuple[int, ...]


def match(words: Sequence[str], text: str) -> Match | None:
    """Return how `words` are found in `text`; None where one of them is not."""
    plain = _plain(text)
    score, places = -_LONG * len(text), set[int]()
    for word in words:
        found = best(_plain(word), plain)
        if found is None:
            return None
        score += found.score
        places.update(found.places)
    return Match(score, tuple(sorted(places)))


def best(word: str, text: str) -> Match | None:
    """Return the best way to place the letters of `word` in `text`, both in small letters; None where there is none."""
    if not _in_order(word, text):
        return None
    starts = [at == 0 or not text[at - 1].isalnum() for at in range(len(text))]
    # by the place of the letter that was found last: the score so far, and the places
    ends: dict[int, tuple[float, tuple[int, ...]]] = {}
    for number, letter in enumerate(word):
        following: dict[int, tuple[float, tuple[int, ...]]] = {}
        open_gap: tuple[float, tuple[int, ...]] | None = None  # the best end that lies at least one letter before
        for at, other in enumerate(text):
            if open_gap is not None:
                open_gap = open_gap[0] - _SKIPPED, open_gap[1]
            if at - 2 in ends:
                begun = ends[at - 2][0] - _GAP - _SKIPPED, ends[at - 2][1]
                open_gap = begun if open_gap is None else max(open_gap, begun)
            if other != letter:
                continue
            worth = _LETTER + (_START if starts[at] else 0.0)
            if number == 0:
                following[at] = worth + (_FIRST if at == 0 else 0.0), (at,)
                continue
            ways = []
            if at - 1 in ends:
                ways.append((ends[at - 1][0] + _BEHIND, ends[at - 1][1]))
            if open_gap is not None:
                ways.append(open_gap)
            if ways:
                score, places = max(ways)
                following[at] = score + worth, (*places, at)
        ends = following
    found = [Match(score + _ending(places, text, starts), places) for score, places in ends.values()]
    good = [one for one in found if _strays(one.places, starts) <= _STRAY * len(word)]
    return max(good, key=lambda one: one.score, default=None)


def _plain(text: str) -> str:
    """Return `text` in small letters without accents, of the same length."""
    return "".join(unicodedata.normalize("NFD", letter)[0].lower()[0] for letter in text)


def _in_order(word: str, text: str) -> bool:
    at = 0
    for letter in word:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True


def _ending(places: Sequence[int], text: str, starts: Sequence[bool]) -> float:
    """Return what a match gains that is a whole word of the text."""
    first, last = places[0], places[-1]
    together = last - first == len(places) - 1
    return _WHOLE if together and starts[first] and (last + 1 == len(text) or not text[last + 1].isalnum()) else 0.0


def _strays(places: Sequence[int], starts: Sequence[bool]) -> int:
    """Return how many letters stand neither at a word's start nor behind another that was found."""
    return sum(not starts[at] and at - 1 not in places for at in places)
