"""The display that end-to-end tests get is the one they count on."""

import subprocess


def test_display_has_the_size_that_tests_click_into(display):
    shown = subprocess.run(["xdotool", "getdisplaygeometry"], check=True, text=True, stdout=subprocess.PIPE).stdout
    assert shown.split() == ["1280", "720"]


def test_display_is_new(display, environment_before_tests):
    assert display != environment_before_tests.get("DISPLAY")
