"""The whole attack, for hours: damaged inputs, kills while saving, and gestures in the window side by side.

    make soak HOURS=8

Prints figures every few minutes, and writes them with what failed to build/soak.txt: inputs tried and failed by kind,
kills and what was lost, memory of the window and of the compute process after five minutes and at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom

from tests.fuzz import campaign, gestures, kills
from tests.fuzz.inputs.registry import KINDS

_ROOT = Path(__file__).parents[2]
_SUMMARY = _ROOT / "build" / "soak.txt"
_TURN_S = 40.0  # of each kind of input, and of kills, before the next has its turn
_TELLS_EVERY_S = 300.0
_STARTS_WITHIN_S = 60


@contextlib.contextmanager
def _display() -> Iterator[None]:
    """Have an X server of its own, so that no pointer of anyone is moved; DISPLAY names it meanwhile."""
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            ready, _, _ = select.select([number], [], [], _STARTS_WITHIN_S)
            if not ready:
                raise RuntimeError("Xvfb did not start")
            os.environ["DISPLAY"] = f":{number.readline().strip()}"
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ |= {"XDG_SESSION_TYPE": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}
        yield
    finally:
        server.terminate()
        server.wait()


class Soak:
    """What has been found so far."""

    def __init__(self, seed: int) -> None:
        self.seed, self.begun = seed, time.monotonic()
        self.tally, self.kills, self.gestures = campaign.Tally(), kills.Kills(), gestures.Gestures()

    def attack(self, end: float) -> None:
        """Try inputs and kills in turn, until `end`."""
        number = turn = 0
        while time.monotonic() < end:
            for kind in KINDS:
                self.tally.add(campaign.tried(kind, self.seed + number, min(_TURN_S, end - time.monotonic())))
            number += 1_000_000  # further than a turn comes
            turn += 1
            found = kills.kill(self.seed + turn, 10**9, min(time.monotonic() + _TURN_S, end))
            self.kills.add(found)

    @property
    def failed(self) -> bool:
        return bool(self.tally.faults or self.kills.lost or self.gestures.faults)

    def tell(self) -> None:
        """Print the figures and write them down."""
        hours = (time.monotonic() - self.begun) / 3600
        text = "\n".join(
            [
                f"soak of {hours:.2f} h, seed {self.seed}",
                f"inputs: {sum(self.tally.tried.values())} tried, {sum(self.tally.failed.values())} failed",
                self.tally.summary(),
                f"kills while saving: {self.kills.summary()}",
                f"window: {self.gestures.summary()}",
            ]
        )
        print(text, flush=True)
        _SUMMARY.parent.mkdir(exist_ok=True)
        _SUMMARY.write_text(text + "\n", encoding="utf-8")


def run(hours: float, seed: int) -> bool:
    """Attack for so many `hours`; return whether nothing failed."""
    soak, end = Soak(seed), time.monotonic() + 3600 * hours
    print(f"soak of {hours:g} h, seed {seed}; what fails is kept in {campaign.FAILURES}", flush=True)
    attack = threading.Thread(target=soak.attack, args=(end,), daemon=True)
    attack.start()
    with _display():
        tells = time.monotonic() + _TELLS_EVERY_S
        turn = 0
        while time.monotonic() < end:  # a window that ends is told, and another one opened
            hands_end = end - time.monotonic()

            def told(so_far: gestures.Gestures) -> None:
                nonlocal tells
                if time.monotonic() > tells:
                    soak.gestures, kept = soak.gestures.with_more(so_far), soak.gestures
                    soak.tell()
                    soak.gestures, tells = kept, time.monotonic() + _TELLS_EVERY_S

            done = gestures.make(seed + turn, hands_end, keep=campaign.FAILURES, told=told)
            soak.gestures = soak.gestures.with_more(done)
            turn += 1
    attack.join()
    soak.tell()
    return not soak.failed


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description="Attack Fellview for hours, and print what was found.")
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    options = parser.parse_args()
    return 0 if run(options.hours, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
