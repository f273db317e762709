"""Has what is not compiled yet compiled by a process beside the window's, which takes the time that nobody wants.

That process ends with the window, however that ends: its standard input ends then.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fellview.draw import compiled_ahead
from fellview.io import scenes
from fellview.scene.scene import Scene

VARIABLE = "FELLVIEW_WARM_UP"
"""The environment variable that leaves it out where it is "no"."""

COMMAND = (sys.executable, "-P", "-m", "fellview", "warm-up", "--beside-window")


class BackgroundWarmUp:
    """The process, started when it is first needed; `wake` is called when it has done something.

    Without `wanted`, everything counts as compiled.
    """

    def __init__(self, wake: Callable[[], None], *, wanted: bool, command: Sequence[str] = COMMAND) -> None:
        self._wake, self._command = wake, command
        self._wanted = wanted and os.environ.get(VARIABLE) != "no"
        self._done: set[str] = set()
        self._asked: set[str] = set()
        self.sees_to_presets = False
        self._process: subprocess.Popen[str] | None = None

    def has(self, scene: Scene) -> bool:
        """Return whether what `scene` takes is compiled, as far as it can be; where it is not, it will be."""
        if not self._wanted or (kind := compiled_ahead.kind(scene)) in self._done:
            return True
        if kind not in self._asked:
            self._asked.add(kind)
            if compiled_ahead.is_done(scene):
                self._done.add(kind)
                return True
            self._ask(scene)
        return not self._wanted

    def see_to_presets(self) -> None:
        """Have what presets take compiled, where it is not."""
        self.sees_to_presets = True
        if self._wanted and self._process is None and not compiled_ahead.presets_are_done():
            self._started()

    def _ask(self, scene: Scene) -> None:
        if (process := self._process or self._started()) is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended
            process.stdin.write(json.dumps(scenes.to_text(scene, Path.cwd())) + "\n")
            process.stdin.flush()

    def _started(self) -> subprocess.Popen[str] | None:
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True)
        except OSError:  # shaders are compiled when they are needed, then
            self._wanted = False
        else:
            threading.Thread(target=self._follow, name="fellview-warm-up", daemon=True).start()
        return self._process

    def _follow(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        for line in self._process.stdout:
            self._done.add(line.strip())
            self._wake()
        self._wanted = False  # it has ended, for whatever reason
        self._wake()

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
