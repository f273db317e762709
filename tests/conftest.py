"""What every test gets: the user's folders kept out, one software OpenGL, and a display of its own where it asks."""

from __future__ import annotations

import collections
import itertools
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.library import generate
from tests import pictures
from tests.lands import RUGGED

# A check must not fail by another draw (scripts/test.sh); by itself every run draws anew.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

_CHECKOUT = Path(__file__).parents[1]
_DISPLAY_STARTS_WITHIN_S = 30  # a loaded two-core machine takes three

_BEFORE_TESTS = dict(os.environ)

# Compiled kernels are kept between runs, and every process of a run shares them: compiling takes longer than all tests.
os.environ.setdefault("FELLVIEW_CACHE", str(_CHECKOUT / "build" / "test-cache"))

os.environ["FELLVIEW_WARM_UP"] = "no"  # windows of tests come and go

# Approved pictures are made by Mesa's llvmpipe. The vector width is its usual one; at 512 bits, which a newer CPU may
# get, Mesa 22.3 crashes.
os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
os.environ["GALLIUM_DRIVER"] = "llvmpipe"
os.environ["LP_NATIVE_VECTOR_WIDTH"] = "256"
# A fresh clone compiles some hundred shaders, most of them for a few small pictures: without LLVM's optimizing passes
# that takes half the time, a frame a tenth more, and pictures have the same bytes.
os.environ["GALLIVM_PERF"] = "nopt"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--approve-pictures",
        action="store_true",
        help="write the pictures that tests make over the approved ones; look at them before you commit",
    )


def pytest_configure(config: pytest.Config) -> None:
    pictures.GALLERY.approving = bool(config.getoption("approve_pictures"))


@pytest.hookimpl(trylast=True)  # after those that are not asked for have gone
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files first that take minutes, and then those of many tests: processes that share the files end together.

    pytest-xdist's own order is by the number of tests alone, and a single one of minutes would come last of all.
    """
    count = collections.Counter(item.path for item in items)
    long = {item.path for item in items if item.get_closest_marker("minutes")}
    items.sort(key=lambda item: (item.path not in long, -count[item.path]))


@pytest.fixture(scope="session")
def environment_before_tests() -> dict[str, str]:
    """The environment as the caller had it, for what must find the user's own settings, such as pip."""
    return dict(_BEFORE_TESTS)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point every folder of the user that Fellview writes to into a temporary one."""
    root = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        # user-dirs.dirs, in the configuration folder, would win over XDG_PICTURES_DIR
        patch.setenv("XDG_CONFIG_HOME", str(root / "config"))
        patch.setenv("XDG_PICTURES_DIR", str(root / "pictures"))
        patch.setenv("FELLVIEW_STATE", str(root / "state"))
        yield root


_numbers = itertools.count()


@pytest.fixture(autouse=True)
def _own_state(_own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a last session of its own."""
    monkeypatch.setenv("FELLVIEW_STATE", str(_own_folders / f"state-{next(_numbers)}"))


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    """OpenGL without a window, one context a file of tests; without it the test is skipped."""
    from fellview.core.errors import FellviewError
    from fellview.gpu.context import standalone

    try:
        one = standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    yield one
    one.release()


@pytest.fixture(scope="module")
def renderer(context: Any) -> Any:
    """What draws scenes, one a file of tests: its passes compile their shaders once."""
    from fellview.draw.renderer import Renderer

    return Renderer(context)


@pytest.fixture
def coarse_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have light maps of few cells around lands, for what holds of pictures whatever shadows they show.

    Those of usual size cost twice as much as all the rest of a small picture.
    """
    from tests import coarse_ground

    coarse_ground.light_of_few_cells(monkeypatch)


@pytest.fixture(scope="module")
def half_as_fine() -> Iterator[None]:
    """Have ground around lands half as fine, for what holds of it however fine it is: it costs a quarter."""
    from tests import coarse_ground

    with pytest.MonkeyPatch.context() as patch:
        coarse_ground.half_as_fine(patch)
        yield


@pytest.fixture(scope="session")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start an X server of 1280×720 on a free display and return its name, such as ``:7``.

    DISPLAY says the same while the fixture lives, so that commands started by a test find it.
    """
    for command, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool")):
        if shutil.which(command) is None:
            pytest.fail(f"{command} is missing: sudo apt-get install {package}", pytrace=False)
    log = tmp_path_factory.mktemp("display") / "xvfb.log"
    reading, writing = os.pipe()
    with log.open("wb") as errors:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=errors,
        )
    os.close(writing)
    try:
        with os.fdopen(reading) as number, pytest.MonkeyPatch.context() as patch:
            ready, _, _ = select.select([number], [], [], _DISPLAY_STARTS_WITHIN_S)
            name = f":{number.readline().strip()}" if ready else ":"
            if name == ":":
                pytest.fail(f"Xvfb did not start: {log.read_text(errors='replace')[-500:]}", pytrace=False)
            patch.setenv("DISPLAY", name)
            patch.delenv("WAYLAND_DISPLAY", raising=False)
            patch.setenv("XDG_SESSION_TYPE", "x11")
            yield name
    finally:
        server.terminate()
        server.wait(timeout=10)


@pytest.fixture(scope="session")
def eroded() -> HeightField:
    """A land of 128² with the masks of its erosion."""
    return generate(scenes.load(RUGGED).replace({"grid.rows": 128, "grid.columns": 128}), "cpu")
