"""Ways to damage a file: its bytes, the chunks of a PNG, the words of a recipe. All is drawn from one `Random`."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from random import Random

HOSTILE_NUMBERS = (
    *(
        "nan",
        "inf",
        "-inf",
        "1e400",
        "-1e308",
        "5e-324",
        "1e-400",
        "-0.0",
        "0",
        "-1",
        "2147483648",
        "-9223372036854775809",
    ),
    *("9" * 5_000, "0x" + "f" * 5_000, "1e" + "9" * 400, "0." + "0" * 5_000 + "1", "1_0", "0b1", "1e35", "4294967296"),
)
HOSTILE_VALUES = (
    *HOSTILE_NUMBERS,
    *("true", "[]", "{}", "''", '""', "[1, 2]", "{a = 1}", "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27"),
    *(
        '"\\u0000"',
        '"\\u001b[31mred\\u001b[0m"',
        '"\\nsecond line\\n"',
        '"\\u202egnp.exe"',
        "'''\na\nb'''",
        '"\\U000e0001"',
    ),
    *('"' + "x" * 100_000 + '"', "[" * 50 + "]" * 50, "[" * 3_000 + "]" * 3_000, "[" * 100_000 + "]" * 100_000),
    *("{a=" * 40 + "1" + "}" * 40, "{a=" * 2_000 + "1" + "}" * 2_000, "[" + "0," * 50_000 + "]"),
    *(
        '"/dev/zero"',
        '"/dev/stdin"',
        '"/proc/self/mem"',
        '"pipe.r16"',
        '"loop.png"',
        '"."',
        '"/"',
        '"\\u0000.png"',
        '"~"',
    ),
    *('"' + "a/" * 3_000 + 'b.png"', '"' + "n" * 300 + '.npy"', '"../../../../etc/passwd"', '"file:///etc/passwd"'),
)
"""As TOML writes them: of every type, of every size, and paths to what is no file."""

HOSTILE_KEYS = (
    *(
        '"\\u0000"',
        '"\\u001b[2J"',
        '"a\\nb"',
        '""',
        "k" * 10_000,
        "a.b.c",
        "noise",
        "__proto__",
        '"\\u202e"',
        "é",
        '"\\ud800"',
    ),
    *(".".join("a" * 200), ".".join("a" * 5_000), ".".join("a" * 100_000)),
)
_NUMBER = re.compile(r"(?<=[=\[, ])-?\d[\d_.e+-]*")
_VALUE = re.compile(r"(?<== ).*$", re.MULTILINE)
_KEY = re.compile(r"^[\w.-]+(?= =)", re.MULTILINE)
_TITLE = re.compile(r"^\[.*\]$", re.MULTILINE)


def damaged(random: Random, content: bytes) -> bytes:
    """Return `content` with some bytes flipped, lost, doubled, put in or cut off."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 4, 16))):
        at = random.randrange(len(changed) + 1)
        some = random.choice((1, 1, 2, 4, 8, 64, 1000))
        way = random.randrange(7)
        if way == 0 and at < len(changed):
            changed[at] ^= 1 << random.randrange(8)
        elif way == 1 and at < len(changed):
            changed[at] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
        elif way == 2:
            del changed[at : at + some]
        elif way == 3:
            changed[at:at] = changed[at : at + some]
        elif way == 4:
            changed[at:at] = random.randbytes(some)
        elif way == 5:
            del changed[at:]
        else:
            wide = random.choice(("<H", ">H", "<I", ">I", "<Q", ">Q"))
            full = (1 << 8 * struct.calcsize(wide)) - 1
            number = random.choice((0, 1, full, full >> 1, (full >> 1) + 1, random.randint(0, full)))
            changed[at : at + struct.calcsize(wide)] = struct.pack(wide, number)
    return bytes(changed)


def recipe(random: Random, text: str, other: str) -> bytes:
    """Return the recipe `text` damaged as text, as TOML or as bytes; `other` is one to take pieces of."""

    def exchanged(pattern: re.Pattern[str], choices: tuple[str, ...], text: str) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        place = random.choice(found)
        return text[: place.start()] + random.choice(choices) + text[place.end() :]

    def lines_of_both(text: str) -> str:
        lines, others = text.splitlines(), other.splitlines()
        at, there = random.randrange(len(lines)), random.randrange(len(others))
        return "\n".join(lines[:at] + others[there : there + random.randrange(1, 40)] + lines[at:])

    ways: tuple[Callable[[str], str], ...] = (
        lambda text: exchanged(_NUMBER, HOSTILE_NUMBERS, text),
        lambda text: exchanged(_VALUE, HOSTILE_VALUES, text),
        lambda text: exchanged(_VALUE, HOSTILE_VALUES, text),
        lambda text: exchanged(_KEY, HOSTILE_KEYS, text),
        lambda text: exchanged(_TITLE, ("", "[]", "[[noise]]", *(f"[{key}]" for key in HOSTILE_KEYS)), text),
        lambda text: f"{random.choice(HOSTILE_KEYS)} = {random.choice(HOSTILE_VALUES)}\n{text}",
        lambda text: f"version = {random.choice(HOSTILE_VALUES)}\n" + text.partition("\n")[2],
        lambda text: exchanged(re.compile(r"(?<=^path = ).*$", re.MULTILINE), HOSTILE_VALUES[-12:], text).replace(
            "[imported]\nenabled = false", "[imported]\nenabled = true"
        ),
        lambda text: exchanged(re.compile(r"(?<=^textures = ).*$", re.MULTILINE), HOSTILE_VALUES[-12:], text),
        lines_of_both,
        lambda text: text[: random.randrange(len(text))],
        lambda text: text + "# " + "x" * random.choice((10, 1_000_000, 4_000_000)),
        lambda text: text.replace("[revisions]", f"[revisions]\nmore = {random.choice(HOSTILE_VALUES)}"),
    )
    for _ in range(random.choice((1, 1, 2, 3))):
        text = random.choice(ways)(text) or " "
    way = random.randrange(12)
    if way == 0:
        return text.encode("utf-16")
    if way == 1:
        return b"\xef\xbb\xbf" + text.encode()
    if way == 2:
        return text.encode().replace(b"a", b"\xe9", 1)
    if way < 5:
        return damaged(random, text.encode())
    return text.encode()


# -- PNG ---------------------------------------------------------------------------------------------------------------

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
Chunk = tuple[bytes, bytes]


def chunks(content: bytes) -> list[Chunk]:
    """Return the chunks of a whole PNG: name and bytes."""
    found, at = [], len(_SIGNATURE)
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        found.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += length + 12
    return found


def joined(parts: list[Chunk]) -> bytes:
    """Return the PNG of chunks, each with its right checksum."""
    return _SIGNATURE + b"".join(
        len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big") for name, data in parts
    )


def _bomb(random: Random) -> bytes:
    """Return what grows a thousandfold when it is unpacked, up to 200 MB."""
    packer = zlib.compressobj(9)
    million = b"a" * 1_000_000
    return b"".join(packer.compress(million) for _ in range(random.choice((2, 20, 200)))) + packer.flush()


def png(random: Random, content: bytes) -> bytes:
    """Return a PNG with chunks changed, added, lost or in another order, their checksums right."""
    parts = chunks(content)

    def at(name: bytes) -> int:
        return next((place for place, (each, _) in enumerate(parts) if each == name), 0)

    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randrange(len(parts))
        name, data = parts[place]
        way = random.randrange(12)
        if way == 0:
            header = bytearray(parts[at(b"IHDR")][1].ljust(13, b"\0"))
            side = random.choice((0, 1, 13_001, 65_536, 1 << 20, 0x7FFFFFFF, 0xFFFFFFFF))
            struct.pack_into(">I", header, random.choice((0, 4)), side)
            parts[at(b"IHDR")] = b"IHDR", bytes(header)
        elif way == 1:
            header = bytearray(parts[at(b"IHDR")][1].ljust(13, b"\0"))
            header[random.randrange(8, 13)] = random.choice((0, 1, 2, 3, 4, 6, 8, 16, 255))
            parts[at(b"IHDR")] = b"IHDR", bytes(header)
        elif way == 2:
            parts[place] = name, damaged(random, data)
        elif way == 3:
            del parts[place]
        elif way == 4:
            parts.insert(place, parts[random.randrange(len(parts))])
        elif way == 5:
            random.shuffle(parts)
        elif way == 6:
            parts.insert(place, (b"zTXt", b"fellview-recipe\0\0" + _bomb(random)))
        elif way == 7:
            parts.insert(place, (b"iTXt", b"fellview-recipe\0\x01\0\0\0" + _bomb(random)))
        elif way == 8:
            parts.insert(place, (b"iCCP", b"icc\0\0" + _bomb(random)))
        elif way == 9:
            text = random.choice((b"\xff\xfe", b"", b"\0" * 100, b"version = 1\n" * 200_000, b"x\x1b[31m\ny = 1"))
            which = random.choice((b"tEXt", b"iTXt", b"zTXt"))
            lead = {b"tEXt": b"\0", b"iTXt": b"\0\0\0\0\0", b"zTXt": b"\0\0"}[which]
            packed = zlib.compress(text) if which == b"zTXt" else text
            parts.insert(place, (which, b"fellview-recipe" + lead + packed))
        elif way == 10:
            which = random.choice(
                (b"acTL", b"fcTL", b"fdAT", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"pHYs", b"eXIf", b"sBIT")
            )
            parts.insert(min(place, 1), (which, random.randbytes(random.choice((0, 1, 4, 8, 26, 300)))))
        else:
            parts[at(b"IDAT")] = b"IDAT", random.choice((_bomb(random), zlib.compress(b""), data[: len(data) // 2]))
        if not parts:
            parts = [(b"IEND", b"")]
    return joined(parts)
