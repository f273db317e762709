"""Short texts of scenes."""

from __future__ import annotations

import functools
from pathlib import Path
from random import Random

from fellview.io import scenes, short_texts
from fellview.scene import recipe, short_text
from tests.fuzz.inputs.kind import Kind
from tests.fuzz.inputs.still import shown


@functools.cache
def _some_short_texts() -> tuple[str, ...]:
    changes = {"noise.seed": 7, "noise.frequency": 2.37, "erosion.kind": "hydraulic", "water.animate": True}
    return tuple(short_texts.to_text(scenes.load(name).replace(changes)) for name in ("alpine-range", "rocky-coast"))


def _make_short(random: Random, folder: Path) -> str:
    """Return a short text that is damaged as a text, or whose bytes are any under a right check."""
    text = random.choice(_some_short_texts())
    start, _, digits = text.rpartition("-")
    if random.random() < 0.5:
        letters = list(text)
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(letters))
            letters[at] = random.choice(("", "-", "0", "z", "\x1b", "\0", "é", "9" * 50, letters[at] * 2_000))
        return "".join(letters)
    content = bytearray(short_text._in_bytes(digits)[:-4])
    for _ in range(random.randrange(4)):
        at = random.randrange(len(content))
        content[at : at + random.randrange(3)] = random.choice((b"", b"\xff", b"\xff" * 9, b"\x80" * 500, b"\0"))
    for _ in range(random.randrange(3)):
        key = random.choice(
            ("imported.path", "imported.enabled", "noise.seed", "sun.azimuth", "ground.palette", "name")
        )
        value = random.choice((b"\1", b"\4/dev", b"\xff" * 9, b"\x80" * 500 + b"\1", b"\xfe\1", random.randbytes(3)))
        content += short_text.key_mark(key) + value
    start = random.choice((*[f"{start}-"] * 7, "fv1-dunes-999-", "fv1-none-1-", "fv9999-dunes-1-"))
    return start + short_text._in_digits(bytes(content) + short_text._check(start, bytes(content)))


def _read_short(text: str, folder: Path) -> list[str]:
    scene, notices = scenes.load_with_notices(text)
    assert recipe.from_text(recipe.to_text(scene))[0] == scene, "what was read is not what is written of it"
    return shown(notices, folder)


KINDS: dict[str, Kind] = {
    "short": Kind(_make_short, _read_short),
}
