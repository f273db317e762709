"""What windows are measured at is of the full look: it is compiled before, where it is not yet."""

import contextlib

import pytest

from fellview import warm_up
from fellview.bench import ahead, bench, display, live, live_scenes, windows
from fellview.bench.gestures import COLD
from fellview.core.errors import FellviewError
from fellview.desktop.background_warm_up import VARIABLE, BackgroundWarmUp
from fellview.draw import compiled_ahead
from fellview.io import scenes

DEMO = "directx-demo"


@pytest.fixture
def compiled(monkeypatch):
    """The kinds of scenes that count as compiled: `fellview warm-up` adds those that it is called for."""
    kinds = []

    def run(presets, report):
        report("compiling", 0.5)
        kinds.extend(compiled_ahead.kind(scenes.load(name)) for name in presets)
        return []

    monkeypatch.setattr(warm_up, "run", run)
    monkeypatch.setattr(compiled_ahead, "is_done", lambda scene: compiled_ahead.kind(scene) in kinds)
    return kinds


def test_each_kind_of_scene_is_compiled_once_and_told(compiled):
    demo, told = scenes.load(DEMO), []
    other = demo.replace({"view.mode": "slope"})
    ahead.compile_ahead([demo, demo.replace({"noise.seed": 7}), other], told.append)
    assert compiled == [compiled_ahead.kind(demo), compiled_ahead.kind(other)]
    assert demo.name in told[0] and "fellview warm-up" in told[0] and told[1:] == ["compiled 50 %"]
    ahead.compile_ahead([demo, other], told.append)
    assert len(compiled) == len(told) == 2, "nothing is left to do"


def test_what_cannot_be_compiled_ends_it_in_a_line(compiled, monkeypatch):
    monkeypatch.setattr(warm_up, "run", lambda presets, report: [f"{presets[0]}: no OpenGL", f"{presets[0]}: again"])
    with pytest.raises(FellviewError) as fault:
        ahead.compile_ahead([scenes.load(DEMO)])
    text = str(fault.value)
    assert "fellview warm-up" in text and text.endswith(f"{scenes.load(DEMO).name}: no OpenGL") and "\n" not in text


@pytest.fixture
def measured(compiled, monkeypatch):
    """What is asked of the processes with windows, (measurement, environment), and what was compiled by then."""
    asked = []

    def child(module, words, environment, limit_s):
        asked.append((words, dict(environment), len(compiled)))
        raise FellviewError("no window")

    monkeypatch.setattr(windows, "child", child)
    monkeypatch.setattr(display, "display", lambda size: contextlib.nullcontext())
    monkeypatch.setattr(live_scenes, "yardstick_s", lambda size: 1.0)
    return asked


@pytest.mark.parametrize("only", ["orbit", "minute", "slide", "press", "idle", "drag"])
@pytest.mark.parametrize("brief", [False, True])
def test_a_window_is_opened_once_all_that_it_takes_is_compiled_and_nothing_is_compiled_beside_it(
    measured, compiled, monkeypatch, only, brief
):
    chosen = () if only in live.MEASUREMENTS else (DEMO,)
    with pytest.raises(FellviewError, match="no window"):
        bench._live(chosen, (only,), brief)
    ((_, environment, ready),) = measured
    shown = live.measured_scenes([only]) if only in live.MEASUREMENTS else [scenes.load(DEMO)]
    assert ready and set(compiled) == {compiled_ahead.kind(scene) for scene in shown}
    assert "FELLVIEW_CACHE" not in environment, "what was compiled is where the window looks for it"
    monkeypatch.setenv(VARIABLE, environment[VARIABLE])
    unknown = scenes.load(scenes.OPENING_PRESET).replace({"view.mode": "slope"})
    assert BackgroundWarmUp(lambda: None, wanted=True).has(unknown), "no simple look"


def test_the_very_first_start_and_the_cold_minute_find_nothing_compiled(measured, compiled):
    for name, chosen in (("start", ()), (COLD, (DEMO,))):
        with pytest.raises(FellviewError, match="no window"):
            bench._live(chosen, (name,))
        _, environment, _ = measured.pop()
        assert "FELLVIEW_CACHE" in environment and VARIABLE not in environment
    assert compiled_ahead.kind(scenes.load(DEMO)) not in compiled
