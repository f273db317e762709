"""Trials by the thousand, in processes that may hang, crash or run out of memory without taking the rest with them.

python -m tests.fuzz.campaign heights 123      # one case again, by its kind and number
python -m tests.fuzz.campaign heights 1000 50  # fifty from that one on
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

FAILURES = Path(__file__).parents[1] / "failures" / "fuzz"
_ROOT = Path(__file__).parents[2]
_SILENT_S = 150.0
"""Longer than any case may take, by the clock of a busy machine."""


@dataclass
class Tally:
    """How many inputs were tried, by kind, and the faults that they showed."""

    tried: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, object]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.tried.update(other.tried)
        self.faults += other.faults

    @property
    def failed(self) -> Counter[str]:
        """How many inputs failed, by kind."""
        return Counter(kind for kind, _ in {(fault["kind"], fault["number"]) for fault in self.faults})

    def summary(self) -> str:
        """Return a line a kind, and a line a sort of fault with the first number that shows it."""
        lines = [f"{kind}: {count} tried, {self.failed[kind]} failed" for kind, count in sorted(self.tried.items())]
        sorts: dict[tuple[object, object], list[dict[str, object]]] = {}
        for fault in self.faults:
            sorts.setdefault((fault["kind"], fault["sort"]), []).append(fault)
        for (kind, sort), those in sorted(sorts.items(), key=lambda item: str(item[0])):
            first = those[0]
            lines.append(f"  {kind} {first['number']}: {sort} ({len(those)}): {str(first['text'])[:160]!r}")
        return "\n".join(lines)


def tried(kind: str, first: int, seconds: float, most: int = 10**9) -> Tally:
    """Return the tally of the cases of `kind` from number `first` on, for so many `seconds` or cases.

    A process that falls silent is killed and one that ends is begun again behind the case that it ended on.
    """
    tally, number, end = Tally(), first, time.monotonic() + seconds
    while time.monotonic() < end and number < first + most:
        number = _worker(kind, number, first + most, end, tally)
    return tally


def _worker(kind: str, number: int, last: int, end: float, tally: Tally) -> int:
    """Run one process of trials until its time is over, and return the number that comes next."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    words = [sys.executable, "-m", "tests.fuzz.campaign", kind, str(number), str(last - number), "--child"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=_ROOT, env=environment)
    assert process.stdout is not None
    why, begun = "", number
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        buffer = b""
        while True:
            if not selector.select(_SILENT_S):
                why = f"silent for {_SILENT_S:.0f} s"
                break
            if not (more := os.read(process.stdout.fileno(), 65536)):
                break
            buffer += more
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                told = json.loads(line)
                if "begins" in told:
                    begun = told["begins"]
                else:
                    tally.tried[kind] += 1
                    tally.faults += told["faults"]
                    number = begun + 1
            if time.monotonic() > end and number > begun:
                break
    over = time.monotonic() > end or number >= last
    process.kill()
    status = process.wait()
    process.stdout.close()
    if (not over and number <= begun) or why:
        tally.tried[kind] += 1
        text = why or f"the process ended with status {status}"
        tally.faults.append({"kind": kind, "number": begun, "sort": "hangs" if why else "dies", "text": text})
        number = begun + 1
    return number


def _child(kind: str, first: int, count: int) -> None:
    from tests.fuzz import trial  # here: the process that only counts has no need of it

    trial.limit_memory()
    for number in range(first, first + count):
        print(json.dumps({"begins": number}), flush=True)
        faults = trial.run(kind, number, FAILURES / f"{kind}-{number}")
        print(json.dumps({"faults": [asdict(fault) for fault in faults]}), flush=True)


def main(words: list[str]) -> int:
    """Run cases by kind and number, and print their faults."""
    kind, first, count = words[0], int(words[1]), int(words[2]) if len(words) > 2 else 1
    if "--child" in words:
        _child(kind, first, count)
        return 0
    tally = tried(kind, first, 1e9, count)
    print(tally.summary())
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
