"""Numbers as people read them, in the window and in pictures alike."""

from __future__ import annotations

import math

_ATTACHED_UNITS = ("°", "×", "%")


def number(value: float) -> str:
    """Return `value` with four digits or so: ``0.25``, ``13.33``, ``12,500``, ``−7.5``."""
    whole = isinstance(value, int) or (abs(value) >= 1000 and math.isfinite(value))
    return f"{value:{',.0f' if whole else '.4g'}}".replace("-", "−")


def with_unit(value: float, unit: str) -> str:
    """Return `value` and its unit: ``15 cycles``, ``45°``."""
    return number(value) + (unit if unit in _ATTACHED_UNITS else f" {unit}" if unit else "")


def measure(value: float, unit: str) -> str:
    """Return a read-off `value` with three digits and its unit: ``−301 m``, ``0.02/m``, ``1 km²``."""
    if unit == "m²" and value >= 1e6:
        value, unit = value / 1e6, "km²"
    value = float(f"{value:.3g}")
    return f"{number(value)}/m" if unit == "1/m" else with_unit(value, unit)


def length(metres: float) -> str:
    """Return a round length as a person writes it."""
    if metres >= 1000:
        return f"{metres / 1000:,.10g} km"
    return f"{metres:.10g} m" if metres >= 1 else f"{100 * metres:.10g} cm"
