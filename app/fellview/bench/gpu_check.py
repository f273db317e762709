"""Everything that has to be known about a machine's OpenGL, in one run: `make gpu-check`, or on a bare machine

    PYTHONPATH=app python -m fellview.bench.gpu_check

which needs no display, no network, and of packages numpy, moderngl and numba only. Each part runs in a process of its
own, which is ended where its time is up: a driver that hangs or crashes ends its part alone. After each part its report
is printed, one JSON object a line; all of them are in ``gpu-check.json``, beside at most six pictures. The exit status
is 1 where a part failed, and 2 where there is nothing to check.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fellview.bench import bare
from fellview.core.errors import FellviewError, one_line

BUDGETS_S = {
    "renderer": 15,
    "lands": 95,
    "twins": 90,
    "shaders-cold": 70,
    "shaders-warm": 30,
    "passes": 50,
    "sliders": 60,
    "pictures": 30,
    "memory": 20,
}
"""Seconds of each part, 460 in all. What one does not need the later ones have."""

_BEGINS_WITHIN = 0.9  # of a part's time: after that nothing new is begun, and the last is done and told
_SMALL_S = 4 * 60.0  # of each part of a small check: processors draw, and tests run beside others
_NO_OPENGL = 3  # exit status of a part's process
_WRONG = 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        """Say what is wrong in one line."""
        _say(message)
        self.exit(_WRONG)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check, or with ``--part`` one part of it in this process; return the exit status."""
    parser = _Parser(prog="gpu_check", description="Check and measure this machine's OpenGL, in under eight minutes.")
    parser.add_argument("--out", type=Path, default=Path("build", "gpu-check"), metavar="FOLDER")
    parser.add_argument("--small", action="store_true", help="few cells and pixels, for software OpenGL")
    parser.add_argument("--only", action="append", choices=tuple(BUDGETS_S), help="a part; can be given again")
    parser.add_argument("--part", choices=tuple(BUDGETS_S), help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=0.0, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    # so that what was started ends too
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    out = options.out.absolute()
    if options.part:
        return _run_part(options.part, out, options.small, options.seconds)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        _say(f"--out {options.out}: {fault.strerror or fault}")
        return _WRONG
    return _run_all(out, options.small, options.only or list(BUDGETS_S))


def _say(text: str) -> None:
    print(f"gpu_check: {one_line(text)}", file=sys.stderr, flush=True)


def _run_all(out: Path, small: bool, names: Sequence[str]) -> int:
    reports: list[dict[str, Any]] = []
    shaders = out / f"shaders-{os.getpid()}"  # empty: that is what cold means
    spare_s = 0.0
    for name in names:
        limit_s = _SMALL_S if small else BUDGETS_S[name] + spare_s
        start = time.monotonic()
        report = report_of(name, out, small=small, limit_s=limit_s, shaders=shaders)
        seconds = time.monotonic() - start
        spare_s = max(limit_s - seconds, 0.0)
        if "no_opengl" in report:
            _say(report["no_opengl"])
            return _WRONG
        reports.append({"part": name, "seconds": round(seconds, 1), "limit_s": round(limit_s, 1), **report})
        print(json.dumps(reports[-1], ensure_ascii=False), flush=True)
        with contextlib.suppress(OSError):  # it has been printed
            text = json.dumps(reports, indent=1, ensure_ascii=False)
            (out / "gpu-check.json").write_text(text + "\n", encoding="utf-8")
        _say(f"{name}: {seconds:.0f} s{_remark(report)}")
    shutil.rmtree(shaders, ignore_errors=True)
    return int(any(report.get(key) for report in reports for key in ("failed", "beyond")))


def _remark(report: dict[str, Any]) -> str:
    """Return how many items came to no good end."""
    return "".join(f", {len(report[key])} {key}" for key in ("failed", "beyond", "cut") if report.get(key))


def report_of(name: str, out: Path, *, small: bool, limit_s: float, shaders: Path | None = None) -> dict[str, Any]:
    """Return the last report of a part, run in a process of its own that is ended after `limit_s`.

    Its driver keeps compiled shaders in the folder `shaders` where one is given.
    """
    words = ["--part", name, "--out", str(out), "--seconds", str(_BEGINS_WITHIN * limit_s)]
    process = subprocess.Popen(
        [sys.executable, "-m", "fellview.bench.gpu_check", *words, *(["--small"] if small else [])],
        env=_environment(out, shaders if name.startswith("shaders") else None),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # so that its own processes end with it
    )
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    timer = threading.Timer(limit_s, end)
    timer.start()
    try:
        printed, errors = process.communicate()
    finally:
        timer.cancel()
        _end(process)
    report: dict[str, Any] = {}
    for line in printed.splitlines():
        with contextlib.suppress(ValueError):  # half a line, where it was ended, or a driver's remark
            found = json.loads(line)
            report = found if isinstance(found, dict) else report
    said = [line for line in errors.splitlines() if line.strip()][-1:] or [""]
    if process.returncode == _NO_OPENGL:
        return {"no_opengl": said[0].removeprefix("gpu_check: ")}
    if late.is_set():
        report.setdefault("cut", []).append("all that is not here")
    elif process.returncode < 0:
        report.setdefault("failed", {})["process"] = f"ended by signal {-process.returncode}: {said[0]}"
    elif process.returncode:
        report.setdefault("failed", {})["process"] = said[0]
    return report


def _environment(out: Path, shaders: Path | None) -> dict[str, str]:
    """Return the environment of a part; its driver keeps compiled shaders in the folder `shaders` if one is given."""
    environment = dict(os.environ)
    if not bare.is_there("platformdirs"):
        environment.setdefault("FELLVIEW_CACHE", str(out / "cache"))
    if shaders is not None:
        shaders.mkdir(parents=True, exist_ok=True)
        for name in ("MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH"):
            environment[name] = str(shaders)
        environment["__GL_SHADER_DISK_CACHE"] = "1"  # NVIDIA's has none for root otherwise
    return environment


def _end(process: subprocess.Popen[str]) -> None:
    """End the process of a part with all that it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _run_part(name: str, out: Path, small: bool, seconds: float) -> int:
    """Print the report of a part as it grows, a line each time."""
    bare.stand_in()
    try:
        from fellview.bench import gpu_parts, gpu_plan  # here: the command itself needs no OpenGL

        part = gpu_parts.PARTS[name.partition("-")[0]]
        plan = gpu_plan.small(out) if small else gpu_plan.Plan(out)
        for report in part(plan, gpu_plan.Clock(seconds)):
            told = report | {"process_mb": gpu_parts.process_mb()}
            print(json.dumps(told, ensure_ascii=False), flush=True)
    except FellviewError as fault:
        _say(str(fault))
        return _NO_OPENGL if str(fault).startswith("OpenGL") else 1
    except Exception as fault:  # to be told in the report
        _say(f"{type(fault).__name__}: {fault}")
        return 1
    finally:
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
