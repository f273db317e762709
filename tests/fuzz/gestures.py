"""Gestures that nobody would make, in the real window: drags, keys, sliders, resizes, drops, pastes; by a seed.

The process has to live, answer and say nothing on standard error; its memory and that of the compute process is
measured at rest, over the same small scene.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from fellview.io import scenes
from fellview.scene import recipe
from fellview.ui.actions import ACTIONS
from tests.fuzz import trial
from tests.fuzz.inputs.recipe_files import recipe_bytes
from tests.fuzz.inputs.registry import KINDS

_ROOT = Path(__file__).parents[2]
SIZE = (1280, 720)
_STARTS_WITHIN_S = 180.0  # the first start of all compiles the kernels
_ANSWERS_WITHIN_S = 120.0  # where it waits for nothing of its own
_ENDS_WITHIN_S = 600.0  # of processor time: pictures that were asked for are drawn to their end first
_BUSY = 0.02  # of a processor: what gets less is not kept waiting by others, but waits
_RESTS_WITHIN_S = 120.0
_FIRST_MEMORY_S, _MEMORY_EVERY_S = 300.0, 1200.0
_WORTH_MEASURING_S = 60.0  # of gestures: to come to rest takes as long
_RESTS = 0.15  # of a processor: what a window at rest needs less than
_TEXTS = ("5", "-1e9", "nan", "9" * 400, "", "a/../b", "é\u4e2d", "0.001", "1e35", "%s%n", "scene")
_ASKING = {"open", "save", "import", "export", "textures"}
"""Actions that ask for a file; what is typed there names no other folder, and ends with Escape."""

_KEYS = {"\\": "backslash", "?": "question", "Space": "space"} | {f"Num {digit}": f"KP_{digit}" for digit in range(10)}


@dataclass
class Memory:
    """Resident memory in MB, of the window's process and of the largest of its children, `after_s` of gestures."""

    after_s: float
    window_mb: float
    compute_mb: float


@dataclass
class Gestures:
    """What a run of gestures did."""

    made: int = 0
    faults: list[str] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)

    def with_more(self, other: Gestures) -> Gestures:
        """Return this and `other` in one."""
        return Gestures(self.made + other.made, self.faults + other.faults, self.memory + other.memory)

    def summary(self) -> str:
        """Return the counts, memory at each measuring, and a line a fault."""
        lines = [f"{self.made} gestures, {len(self.faults)} faults"]
        lines += [
            f"  after {one.after_s:.0f} s: window {one.window_mb:.0f} MB, compute process {one.compute_mb:.0f} MB"
            for one in self.memory
        ]
        return "\n".join(lines + [f"  {text}" for text in self.faults])


def _resident_mb(number: int) -> float:
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)


def _children(number: int) -> list[int]:
    tasks = Path(f"/proc/{number}/task").glob("*/children")
    return [int(word) for task in tasks for word in task.read_text().split()]


def _cpu_s(*numbers: int) -> float:
    """Return the seconds of processor time that processes have used."""
    total = 0.0
    for number in numbers:
        try:
            words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return total


class _Patience:
    """How long a process is waited for: `idle_s`, and while it gets some of the processor until it has had `busy_s`."""

    def __init__(self, number: int, idle_s: float, busy_s: float) -> None:
        self._number, self._idle_s, self._busy_s = number, idle_s, busy_s
        self._began, self._cpu_s = time.monotonic(), _cpu_s(number)

    def is_over(self) -> bool:
        """Return whether the process has had its time."""
        spent, waited = _cpu_s(self._number) - self._cpu_s, time.monotonic() - self._began
        return spent > self._busy_s or (waited > self._idle_s and spent < _BUSY * waited)


class Hands:
    """A window with its own folders, and what is done in it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        self.done = Gestures()
        self._folder = folder
        self._log = folder / "gestures.txt"
        self._number = 0
        self.small = folder / "small.toml"
        self.small.write_text(recipe.to_text(scenes.load("highlands").replace({"grid.rows": 96, "grid.columns": 96})))
        home = folder / "home"
        home.mkdir()
        environment = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_PICTURES_DIR": str(home / "pictures"),
            "FELLVIEW_STATE": str(folder / "state"),
        }
        self._errors = (folder / "stderr.txt").open("w+")
        words = [sys.executable, "-m", "tests.fuzz.driven_window", str(self.small), str(home / "pictures")]
        self.process = subprocess.Popen(
            words, cwd=_ROOT, env={**os.environ, **environment}, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
        )  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self._said: dict[str, Any] = {}
        self._buffer = b""
        os.set_blocking(self.process.stdout.fileno(), False)
        self._asked = 0
        if not self.answers(_STARTS_WITHIN_S):
            raise AssertionError(f"the window did not start: {self.errors()}")
        self.window = self._find()
        self._xdotool(["windowfocus", "--sync", self.window])

    def _find(self) -> str:
        end = time.monotonic() + _STARTS_WITHIN_S
        while time.monotonic() < end:
            words = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "^Fellview$"]
            found = subprocess.run(words, check=False, text=True, capture_output=True).stdout.split()
            if found:
                return found[0]
            time.sleep(0.2)
        raise AssertionError("the window does not show")

    def errors(self) -> str:
        """Return what the process wrote to standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def answers(self, within: float = _ANSWERS_WITHIN_S) -> bool:
        """Return whether the window's loop turns: it tells a number back that it is given.

        It has `within` for it, and longer while it gets some of the processor.
        """
        assert self.process.stdin is not None and self.process.stdout is not None
        self._asked += 1
        try:
            print(json.dumps({"ask": self._asked}), file=self.process.stdin, flush=True)
        except OSError:
            return False
        patience = _Patience(self.process.pid, within, within / 2)
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while self._said.get("answer") != self._asked:
                if patience.is_over():
                    self._have_it_tell_where_it_is()
                    return False
                if not selector.select(0.5):
                    continue
                more = os.read(self.process.stdout.fileno(), 65536)
                if not more:
                    return False
                self._buffer += more
                *lines, self._buffer = self._buffer.split(b"\n")
                for line in lines:
                    self._said = json.loads(line)
                    self._note(*self._said.get("wrong", ()))
        return True

    def _have_it_tell_where_it_is(self) -> None:
        self.process.send_signal(signal.SIGUSR1)
        time.sleep(1.0)

    def _note(self, *texts: str) -> None:
        for text in texts:
            if text not in self.done.faults:
                self.done.faults.append(text)

    def _tell(self, **order: str) -> None:
        assert self.process.stdin is not None
        print(json.dumps(order), file=self.process.stdin, flush=True)

    def _xdotool(self, words: list[object]) -> None:
        # a window that has gone makes it fail, which the next question tells better
        subprocess.run(["xdotool", *map(str, words)], check=False, capture_output=True, timeout=_ANSWERS_WITHIN_S)

    # -- gestures --------------------------------------------------------------------------------------------------

    def _anywhere(self) -> list[object]:
        return ["mousemove", "--window", self.window, self.random.randrange(SIZE[0]), self.random.randrange(SIZE[1])]

    def _in_panel(self) -> list[object]:
        return ["mousemove", "--window", self.window, self.random.randrange(330), self.random.randrange(30, SIZE[1])]

    def _drag(self) -> list[object]:
        held = self.random.choice((None, None, None, "shift", "alt", "l", "ctrl", "w"))
        button = self.random.choice((1, 1, 1, 2, 3))
        words = self._anywhere() + (["keydown", held] if held else []) + ["mousedown", button]
        for _ in range(self.random.randrange(1, 6)):
            words += [*self._anywhere(), "sleep", 0.02]
        return words + ["mouseup", button] + (["keyup", held] if held else [])

    def _slide(self) -> list[object]:
        words = [*self._in_panel(), "mousedown", 1]
        for _ in range(self.random.randrange(1, 8)):
            words += [*self._in_panel(), "sleep", 0.02]
        return [*words, *(["key", "Escape"] if self.random.random() < 0.1 else []), "mouseup", 1]

    def _click(self) -> list[object]:
        times = self.random.choice((1, 1, 2, 3, 10))
        button = self.random.choice((1, 1, 1, 2, 3))
        words = self._in_panel() if self.random.random() < 0.7 else self._anywhere()
        return [*words, "sleep", 0.05, "click", "--repeat", times, "--delay", 20, button]

    def _wheel(self) -> list[object]:
        words = self._anywhere() if self.random.random() < 0.6 else self._in_panel()
        return [
            *words,
            "click",
            "--repeat",
            self.random.randrange(1, 30),
            "--delay",
            5,
            self.random.choice((4, 5, 6, 7)),
        ]

    def _key(self) -> list[object]:
        action = self.random.choice([action for action in ACTIONS if action.keys])
        key = self.random.choice(action.keys)
        *modifiers, letter = key.split("+") if key != "+" else [key]
        name = "+".join(
            [*(word.lower() for word in modifiers), _KEYS.get(letter, letter.lower() if len(letter) == 1 else letter)]
        )
        if action.id in _ASKING:
            return [
                "key",
                name,
                "sleep",
                0.3,
                *self._typed(),
                "key",
                "Return",
                "sleep",
                0.2,
                "key",
                "Escape",
                "key",
                "Escape",
            ]
        if action.held or self.random.random() < 0.1:
            return ["keydown", name, *self._drag(), "keyup", name]
        return [*self._anywhere(), "key", "--repeat", self.random.choice((1, 1, 1, 2, 8)), "--delay", 10, name]

    def _typed(self) -> list[object]:
        text = self.random.choice([text for text in _TEXTS if "/" not in text])
        return ["type", "--delay", 1, "--", text] if text else ["key", "Down", "key", "Down"]

    def _field(self) -> list[object]:
        end = self.random.choice(("Return", "Escape", "Tab"))
        return [*self._in_panel(), "click", "--repeat", 2, "--delay", 20, 1, "sleep", 0.15, "type", "--delay", 1, "--",
                self.random.choice(_TEXTS) or "0", "key", end, "key", "Escape"]  # fmt: skip

    def _history(self) -> list[object]:
        key = self.random.choice(("ctrl+z", "ctrl+z", "ctrl+shift+z", "ctrl+y", "r", "shift+r"))
        return ["key", "--repeat", self.random.randrange(1, 30), "--delay", 5, key]

    def _resize(self) -> list[object]:
        words: list[object] = []
        for _ in range(self.random.randrange(1, 5)):
            sides = self.random.choice(((1, 1), (64, 2000), (2000, 64), (330, 200), None, None, None))
            wide, high = sides or (self.random.randrange(200, 1600), self.random.randrange(100, 1000))
            words += ["windowsize", self.window, wide, high, "sleep", self.random.choice((0.0, 0.05, 0.3))]
        return [*words, "windowsize", self.window, *SIZE]

    def _dropped(self) -> list[object]:
        kind = self.random.choice(("recipe", "picture", "heights", "heights"))
        self._number += 1
        folder = self._folder / f"drop-{self._number}"
        folder.mkdir()
        with trial.quiet():
            path = KINDS[kind].make(Random(self.random.random()), folder)
        self._tell(drop=str(path))
        return ["sleep", 0.3]

    def _pasted(self) -> list[object]:
        text = recipe_bytes(self.random).decode(errors="replace").replace("\0", "")
        self._tell(clipboard=text[:500_000])
        return ["sleep", 0.1, "key", "ctrl+v"]

    def _another_scene(self) -> list[object]:
        name = self.random.choice(scenes.presets())
        path = self._folder / f"{name}.toml"
        side = self.random.choice((33, 64, 200, 512))
        scene = scenes.load(name).replace({"grid.rows": side, "grid.columns": side})
        mode = self.random.choice(scene.view.declaration("mode").options)
        path.write_text(recipe.to_text(scene.replace({"view.mode": mode})))
        self._tell(drop=str(path))
        return ["sleep", 0.3]

    def make(self, count: int) -> bool:
        """Make so many gestures; return whether the window still lives and answers."""
        ways = (
            *(self._drag, self._drag, self._slide, self._slide, self._slide, self._click, self._click, self._wheel),
            *(self._key, self._key, self._key, self._field, self._history, self._resize, self._dropped, self._pasted),
            self._another_scene,
        )
        for _ in range(count):
            way = self.random.choice(ways)
            try:
                words = way()
            except OSError:
                break  # its pipe is closed: the window has gone
            with self._log.open("a", encoding="utf-8") as log:
                print(way.__name__, *words, file=log)
            self._xdotool(words)
            self.done.made += 1
        return self._lives()

    def _lives(self) -> bool:
        if not self.answers():
            status = self.process.poll()
            why = "does not answer" if status is None else f"ended with status {status}"
            self._note(f"the window {why} after {self.done.made} gestures: {self.errors()[-1500:]}")
            return False
        return True

    def measure(self, after_s: float) -> None:
        """Go back to the small scene, wait until nothing works any more, and note how much memory there is in use."""
        self._xdotool(["key", "Escape", "key", "Escape", "windowsize", self.window, *SIZE])
        self._tell(drop=str(self.small))
        end = time.monotonic() + _RESTS_WITHIN_S
        while time.monotonic() < end:
            everyone = (self.process.pid, *_children(self.process.pid))
            before = _cpu_s(*everyone)
            time.sleep(1.0)
            if _cpu_s(*everyone) - before < _RESTS:
                break
        children = [_resident_mb(number) for number in _children(self.process.pid)]
        self.done.memory.append(Memory(after_s, _resident_mb(self.process.pid), max(children, default=0.0)))

    def end(self) -> Gestures:
        """Close the window as its cross does, look at what it leaves, and return what was found."""
        if self.process.poll() is None:
            self.process.terminate()
            patience = _Patience(self.process.pid, _ANSWERS_WITHIN_S, _ENDS_WITHIN_S)
            while self.process.poll() is None and not patience.is_over():
                time.sleep(0.1)
            if self.process.poll() is None:
                self._have_it_tell_where_it_is()
                self.process.kill()
                self._note("the window does not end")
            elif status := self.process.returncode:
                self._note(f"the window ended with status {status}")
            self.process.wait()
        if errors := self.errors():
            self._note(f"standard error: {errors[-1500:]}")
        for log in self._folder.rglob("*crash*"):
            if log.is_file() and (text := log.read_text(errors="replace")):
                self._note(f"{log.name}: {text[-3000:]}")
        self._errors.close()
        return self.done


def make(
    seed: int, seconds: float, keep: Path | None = None, told: Callable[[Gestures], None] = lambda so_far: None
) -> Gestures:
    """Return what gestures for so long do, with memory after five minutes, every twenty after that, and at the end.

    `told` is told between gestures what they did so far; their list and what went wrong is written into `keep`.
    """
    with tempfile.TemporaryDirectory(prefix="gestures-") as name:
        hands = Hands(Path(name), seed)
        begun = time.monotonic()
        try:
            measures = _FIRST_MEMORY_S
            while time.monotonic() - begun < seconds and hands.make(10):
                if time.monotonic() - begun > measures:
                    hands.measure(time.monotonic() - begun)
                    measures += _MEMORY_EVERY_S
                told(hands.done)
            if hands.process.poll() is None and seconds > _WORTH_MEASURING_S:
                hands.measure(time.monotonic() - begun)
        finally:
            done = hands.end()
            if done.faults and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"gestures-{seed}.txt").write_text(
                    "\n".join(done.faults) + "\n\n" + (Path(name) / "gestures.txt").read_text(encoding="utf-8")
                )
        return done


def main(words: list[str]) -> int:
    """Make gestures on the display there is, for so many seconds, by a seed."""
    done = make(int(words[1]), float(words[0]), keep=_ROOT / "tests" / "failures" / "fuzz")
    print(done.summary())
    return 1 if done.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
