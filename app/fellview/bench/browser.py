"""A headless Chromium that opens files from disk: it is sent what a person would do, and asked what it shows.

It is spoken to by Chrome's DevTools protocol over two pipes, JSON with a NUL after each message, so that no port is
opened. Everything that it asks the outside for, and every error of a page, is kept.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fellview.core.errors import FellviewError

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ABOVE = 10  # numbers of pipes beside the 3 and 4 that Chromium reads from and writes to
_ANSWERS_WITHIN_S = 300.0  # where a machine has much else to do, software OpenGL takes long
_ASKED_EVERY_S = 0.02


def program() -> str | None:
    """Return the path of the Chromium that is installed, if one is."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a running Chromium."""

    def __init__(self, to: int, out: int, size: tuple[int, int]) -> None:
        self._to, self._out = to, out
        self._number = 0
        self._session: str | None = None
        self._rest = b""
        self.errors: list[str] = []
        """What pages complained of, and what they could not load."""
        self.requests: list[str] = []
        """The addresses that pages asked for."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        width, height = size  # of the page: a window has more around it
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def send(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        """Return the answer to a command; `FellviewError` where it is refused or none comes in time."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": self._number, "method": method, "params": parameters, **session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        ends = time.monotonic() + _ANSWERS_WITHIN_S
        while True:
            answer = self._read(ends - time.monotonic())
            self._keep(answer)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise FellviewError(f"{method}: {answer['error'].get('message')}")
                result: Mapping[str, Any] = answer["result"]
                return result

    def open(self, path: Path) -> None:
        """Open the file at `path`, and wait until all of it has been read."""
        address = path.absolute().as_uri()
        self.send("Page.navigate", url=address)
        self.wait(f"document.readyState === 'complete' && location.href === {json.dumps(address)}")

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript `expression` on the page."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise FellviewError(f"{expression}: {found['exceptionDetails']['text']}")
        return found["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until `expression` is true; `FellviewError` where it does not become so in time."""
        ends = time.monotonic() + _ANSWERS_WITHIN_S
        while not self.value(expression):
            if time.monotonic() > ends:
                raise FellviewError(f"{expression}: not so within {_ANSWERS_WITHIN_S:g} s; {self.errors}")
            time.sleep(_ASKED_EVERY_S)

    def picture(self, canvas: str) -> bytes:
        """Return what the canvas with the id `canvas` shows, as PNG; it must keep what it has drawn.

        A screenshot of the page would wait for a frame of the window's, which does not always come.
        """
        shown = self.value(f"document.getElementById({json.dumps(canvas)}).toDataURL('image/png')")
        return base64.b64decode(shown.partition(",")[2])

    def _read(self, seconds: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._out], [], [], max(seconds, 0.0))[0]:
                raise FellviewError(f"Chromium: no answer within {_ANSWERS_WITHIN_S:g} s")
            more = os.read(self._out, 1 << 16)
            if not more:
                raise FellviewError("Chromium: it has ended")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        read: dict[str, Any] = json.loads(message)
        return read

    def _keep(self, told: Mapping[str, Any]) -> None:
        parameters = told.get("params", {})
        match told.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Network.loadingFailed":
                self.errors.append(parameters["errorText"])
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(parameters["exceptionDetails"]))
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                self.errors.append(parameters["entry"]["text"])
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "assert"):
                self.errors.append(json.dumps(parameters["args"]))


@contextlib.contextmanager
def opened(size: tuple[int, int]) -> Iterator[Browser]:
    """Give a Chromium whose page has `size` in pixels; `FellviewError` where none is installed."""
    found = program()
    if found is None:
        raise FellviewError("chromium: it is not installed; on Debian: sudo apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, contextlib.ExitStack() as ends:
        theirs_in, ours_out = _pipe(ends)
        ours_in, theirs_out = _pipe(ends)
        words = [
            found,
            "--headless",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            "--hide-scrollbars",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--no-first-run",
            "--disable-background-networking",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
        ]
        nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
        pipes = [(os.POSIX_SPAWN_DUP2, theirs_in, 3), (os.POSIX_SPAWN_DUP2, theirs_out, 4)]
        process = os.posix_spawn(found, words, os.environ, file_actions=[*nowhere, *pipes])
        try:
            yield Browser(ours_out, ours_in, size)
        finally:
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def _pipe(ends: contextlib.ExitStack) -> tuple[int, int]:
    """Return both ends of a pipe, closed when `ends` ends."""
    numbers = []
    for low in os.pipe():
        numbers.append(fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _ABOVE))
        os.close(low)
        ends.callback(os.close, numbers[-1])
    return numbers[0], numbers[1]
