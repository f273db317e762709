"""Dunes fall to lee and climb to windward as they do, and their crests end."""

import math

import numpy as np
import pytest

from fellview.terrain.domain import Domain
from fellview.terrain.landforms import dunes
from fellview.terrain.steps import landform
from tests.terrain.landforms.laid import SQUARE, lay, slope_degrees


@pytest.mark.parametrize("rotation", [0.0, 70.0])
def test_dunes_fall_at_32_to_34_degrees_to_lee_and_climb_gently(rotation):
    heights, one = lay(SQUARE, kind="dunes", rotation=rotation, spacing=16.0, height=45.0)
    dz, dx = np.gradient(heights, *SQUARE.cell_size)
    downwind = dx * math.cos(math.radians(rotation)) + dz * math.sin(math.radians(rotation))
    slope = slope_degrees(heights, SQUARE)
    lee = (downwind < 0) & (slope > 20)
    # cells on the crest and at the foot straddle two slopes: leave the outermost out
    inner = lee & np.roll(lee, 1, 0) & np.roll(lee, -1, 0) & np.roll(lee, 1, 1) & np.roll(lee, -1, 1)
    assert inner.sum() > 3000
    assert np.mean((slope[inner] > 32) & (slope[inner] < 34)) > 0.6
    assert 31.5 < np.median(slope[inner]) < 34.5
    windward = slope[(downwind > 0) & (heights > 0.2 * one.height)]
    assert 8 < np.median(windward) < one.windward, "a rounded back: slower at toe and brink"
    assert np.percentile(windward, 90) == pytest.approx(one.windward, abs=2.0), "as steep as asked in its middle"
    assert np.mean(heights < 0.02 * one.height) > 0.1, "flats between"


def test_dunes_say_when_their_spacing_carries_no_such_height():
    _, one = lay(SQUARE, kind="dunes", height=400.0)
    domain = Domain(SQUARE, 1)
    assert "400 m" in landform.remark(one, domain)
    low = one.replace(height=0.9 * dunes.highest(one, 4000.0))
    assert landform.remark(low, domain) == ""
    assert lay(SQUARE, kind="dunes", height=400.0)[0].max() < 400


def test_dunes_are_no_corduroy():
    """Crests end and are bent: over a few spacings across the wind a land looks no longer alike."""
    heights, one = lay(SQUARE, kind="dunes", irregularity=0.8)
    spacing = one.spacing / 100 * 512
    rows = heights - heights.mean(axis=1, keepdims=True)
    norm = np.sqrt((rows**2).sum(axis=1))

    def likeness(apart):
        return np.mean((rows[:-apart] * rows[apart:]).sum(axis=1) / (norm[:-apart] * norm[apart:]))

    assert likeness(round(0.1 * spacing)) > 0.8, "a crest is longer than that"
    assert likeness(round(3 * spacing)) < 0.35
    # along the wind as well: a spacing is one on the whole, never exactly
    line = np.mean([np.correlate(row, row, "full")[512:] / (row @ row) for row in rows[::8]], axis=0)
    assert line[round(4 * spacing)] < 0.5
